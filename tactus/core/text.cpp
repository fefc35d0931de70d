// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

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

/// Whether `part` stands in `text` at the start or after a dot, an underscore or a bracket.
bool starts_a_word(std::string_view text, std::string_view part) {
  if (part.empty()) return false;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) {
    if (at == 0 || std::string_view("._[]").find(text[at - 1]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
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

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string nearest_text(std::string_view text, std::span<const std::string> candidates) {
  const std::string_view last = text.substr(text.rfind('.') + 1);
  std::string nearest;
  std::pair<int, std::size_t> best;
  for (const std::string& candidate : candidates) {
    const int rank = starts_a_word(candidate, text) ? 0 : starts_a_word(candidate, last) ? 1 : 2;
    const std::pair<int, std::size_t> score{rank, edit_distance(text, candidate)};
    if (!nearest.empty() && score >= best) continue;
    nearest = candidate;
    best = score;
  }
  return nearest;
}

}  // namespace tactus
