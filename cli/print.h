// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How verbs print. Names come from files, command lines and peers: nothing of them may reach a
// terminal as a command, and no document may become invalid by them (tactus/core/printable.h).
//
// What cannot be printed is lost and nothing else: main() tells it when the verb is done.

#include <fmt/format.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace tactus::cli {

/// Lines to stdout.
void print_text(std::string_view text);

template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  print_text(fmt::format(format, std::forward<Args>(args)...));
}

/// "tactus: SENTENCE" on stderr, after what is on stdout.
void complain(std::string_view sentence);

/// A document and a line break.
void print_json(const nlohmann::ordered_json& document);
std::string json_text(const nlohmann::ordered_json& document);

/// As text or attribute of XML.
std::string xml_text(std::string_view text);

}  // namespace tactus::cli
