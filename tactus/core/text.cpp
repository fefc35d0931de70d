// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
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

/// No name that we know is longer, and longer ones would take long to compare.
constexpr std::size_t kLongestName = 80;

/// Whether `part` stands in `text` at the start or after a dot, an underscore or a bracket.
bool starts_a_word(std::string_view text, std::string_view part) {
  if (part.size() < 2) return false;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) {
    if (at == 0 || std::string_view("._[]").find(text[at - 1]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// Insertions, deletions, replacements and swaps of neighbours, one each (optimal string
/// alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

/// Of at least three letters: shorter ones are units, and everything has those.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("._-[]0123456789"), text.size());
    if (end >= 3) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return words;
}

bool shares_words(std::string_view text, std::string_view candidate) {
  const std::vector<std::string_view> other = words_of(candidate);
  std::size_t all = 0;
  std::size_t shared = 0;
  for (const std::string_view word : words_of(text)) {
    all += word.size();
    if (std::find(other.begin(), other.end(), word) != other.end()) shared += word.size();
  }
  return 2 * shared > all;
}

/// How near it is, less is nearer: the way first, then the edits.
using Nearness = std::pair<int, std::size_t>;

std::optional<Nearness> nearness(std::string_view text, std::string_view candidate) {
  const std::size_t allowed = std::max<std::size_t>(1, text.size() / 3);
  const std::size_t distance = edit_distance(text, candidate);
  if (starts_a_word(candidate, text)) return Nearness{0, distance};
  if (starts_a_word(candidate, text.substr(text.rfind('.') + 1))) return Nearness{1, distance};
  if (distance <= allowed && distance < text.size()) return Nearness{2, distance};
  if (shares_words(text, candidate)) return Nearness{3, distance};
  return std::nullopt;
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

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  const auto continues = [&](std::size_t at) {  // a letter of several bytes stays whole
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (longest > 0 && continues(longest)) --longest;
  return std::string(text.substr(0, longest)) + "…";
}

std::vector<std::string> near_texts(std::string_view text,
                                    std::span<const std::string> candidates) {
  if (text.size() > kLongestName) return {};
  std::vector<std::pair<Nearness, const std::string*>> near;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    if (const std::optional<Nearness> how = nearness(text, candidate)) {
      near.emplace_back(*how, &candidate);
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> texts;
  texts.reserve(near.size());
  for (const auto& [how, candidate] : near) texts.push_back(*candidate);
  return texts;
}

std::string did_you_mean(std::string sentence, std::string_view text,
                         std::span<const std::string> candidates) {
  constexpr std::size_t kFew = 8;
  const std::vector<std::string> near = near_texts(text, candidates);
  if (!near.empty()) return sentence.append("; did you mean ").append(near.front()).append("?");
  if (candidates.empty()) return sentence.append("; there is none");
  if (candidates.size() > kFew) return sentence;
  sentence += "; one of ";
  for (const std::string& candidate : candidates) {
    if (&candidate != &candidates.front()) sentence += ", ";
    sentence += candidate;
  }
  return sentence;
}

}  // namespace tactus
