// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/common/print.h"

#include <cstdio>
#include <string>

#include "tactus/core/printable.h"

namespace tactus::cli {
namespace {

void write(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace

void print_own(std::string_view text) { write(stdout, text); }

void print_text(std::string_view text) { write(stdout, printable_lines(text)); }

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void print_error(std::string_view sentence) {
  std::fflush(stdout);
  write(stderr, "tactus: " + printable_lines(sentence) + "\n");
}

}  // namespace tactus::cli
