// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/text.h"

#include <charconv>
#include <system_error>

#include "tactus/core/error.h"

namespace tactus {
namespace {

template <class T>
std::string format(T value) {
  char buffer[32];  // the longest double needs 24
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  (void)error;
  return std::string(buffer, end);
}

template <class T>
T parse(std::string_view text, std::string_view key, const char* what) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end) return value;
  const char* const reason =
      error == std::errc::result_out_of_range ? "is out of range for " : "is not ";
  throw Error(ExitCode::kBadInput,
              std::string(key) + ": \"" + std::string(text) + "\" " + reason + what + ".");
}

}  // namespace

std::string format_double(double value) { return format(value); }
std::string format_integer(std::int64_t value) { return format(value); }
std::string format_integer(std::uint64_t value) { return format(value); }

double parse_double(std::string_view text, std::string_view key) {
  return parse<double>(text, key, "a number such as 8.3 or -1e-3");
}

std::uint64_t parse_uint64(std::string_view text, std::string_view key) {
  return parse<std::uint64_t>(text, key, "a whole number from 0 to 18446744073709551615");
}

}  // namespace tactus
