// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How verbs print. Names come from files, command lines and peers: nothing of them may reach a
// terminal as a command, and no document may become invalid by them (tactus/core/printable.h).
//
// What cannot be printed is lost and nothing else: main() reports it when the verb is done.

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tactus::cli {

/// To stdout as it is, colours too: text of this program, without a name of others in it.
void print_own(std::string_view text);

/// Lines to stdout.
void print_text(std::string_view text);

template <class... Args>
void print_format(fmt::format_string<Args...> format, Args&&... args) {
  print_text(fmt::format(format, std::forward<Args>(args)...));
}

/// "1 event", "2 events"
std::string counted(std::size_t count, std::string_view what);

/// "tactus: SENTENCE" on stderr, after what is on stdout.
void print_error(std::string_view sentence);

}  // namespace tactus::cli
