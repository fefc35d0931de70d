// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// QGC WPL 110 (MAVLink "file formats", plain-text mission): a header line, then one item per line
// in twelve columns separated by white space:
//   seq  current  frame  command  param1 … param4  latitude  longitude  altitude  autocontinue
// A first row with seq 0, current 1, frame 0 and command 16 is not an item but home.
// Empty lines and lines that begin with # are skipped.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <type_traits>

#include "tactus/autopilot/mission/file_kind.h"
#include "tactus/autopilot/mission/mission_format.h"

namespace tactus {
namespace {

constexpr int kColumns = 12;
constexpr const char* kColumnNames[kColumns] = {
    "seq",    "current", "frame",    "command",   "param1",   "param2",
    "param3", "param4",  "latitude", "longitude", "altitude", "autocontinue"};
constexpr std::string_view kSpace = " \t";

class WplReader {
 public:
  WplReader(std::string_view text, MissionBuilder& builder)
      : all_(text), rest_(text), builder_(&builder) {}

  void read() {
    read_header();
    while (next_line()) read_row();
  }

 private:
  /// Moves to the next line that says something.
  bool next_line() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      text_ = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++line_;
      if (text_.ends_with('\r')) text_.remove_suffix(1);
      text_.remove_prefix(std::min(text_.find_first_not_of(kSpace), text_.size()));
      if (!text_.empty() && text_.front() != '#') return true;
    }
    return false;
  }

  /// The next word of the line; empty at its end.
  std::string_view next_word() {
    const std::size_t end = std::min(text_.find_first_of(kSpace), text_.size());
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(end);
    text_.remove_prefix(std::min(text_.find_first_not_of(kSpace), text_.size()));
    return word;
  }

  void read_header() {
    const bool any = next_line();
    const std::string_view whole = text_;
    if (!any || next_word() != "QGC" || next_word() != "WPL") {
      const std::string what = describe_if_foreign(all_);
      builder_->refuse(
          line_, fmt::format("not a mission: neither QGC WPL 110 (first line \"QGC WPL 110\") "
                             "nor a .plan (JSON){}{}",
                             what.empty() ? "" : "; it is ", what));
    }
    if (next_word() != "110" || !text_.empty()) {
      builder_->refuse(line_,
                       fmt::format("{} is not supported, only \"QGC WPL 110\"", quote_text(whole)));
    }
  }

  void read_row() {
    std::string_view word[kColumns];
    int count = 0;
    while (!text_.empty()) {
      const std::string_view next = next_word();
      if (count < kColumns) word[count] = next;
      ++count;
    }
    if (count != kColumns) {
      builder_->refuse(line_, fmt::format("{} columns instead of {} (seq current frame command "
                                          "param1-4 latitude longitude altitude autocontinue)",
                                          count, kColumns));
    }
    MissionRow row;
    row.line = line_;
    row.id = number<std::int64_t>(word[0], 0);
    const bool current = flag(word[1], 1);
    row.frame = number<std::int64_t>(word[2], 2);
    row.command = number<std::int64_t>(word[3], 3);
    for (int i = 0; i < 7; ++i) row.param[i] = number<double>(word[4 + i], 4 + i);
    row.autocontinue = flag(word[11], 11);
    take(row, current);
  }

  void take(const MissionRow& row, bool current) {
    if (!first_ && row.id != last_id_ + 1) {
      builder_->refuse(line_, fmt::format("seq {} follows {}: items must be numbered in order",
                                          row.id, last_id_));
    }
    if (first_ && row.id != 0 && row.id != 1) {
      builder_->refuse(line_, fmt::format("the first seq is {}: it must be 0 or 1", row.id));
    }
    const bool is_home = first_ && row.id == 0 && current && row.frame == 0 && row.command == 16;
    first_ = false;
    last_id_ = row.id;
    if (is_home) {
      builder_->set_home(line_, row.param[4], row.param[5], row.param[6]);
    } else {
      builder_->add(row);
    }
  }

  template <class T>
  T number(std::string_view word, int column) const {
    T value{};
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc() && stop == end) return value;
    builder_->refuse(line_, fmt::format("{} = {}: {}", kColumnNames[column], quote_text(word),
                                        error == std::errc::result_out_of_range ? "out of range"
                                        : std::is_same_v<T, double>             ? "not a number"
                                                                    : "not a whole number"));
  }

  [[nodiscard]] bool flag(std::string_view word, int column) const {
    if (word == "0" || word == "1") return word == "1";
    builder_->refuse(
        line_, fmt::format("{} = {}: must be 0 or 1", kColumnNames[column], quote_text(word)));
  }

  std::string_view all_;
  std::string_view rest_;  ///< after this line
  std::string_view text_;  ///< of this line, not read yet
  int line_ = 0;
  bool first_ = true;  ///< no row was read yet
  std::int64_t last_id_ = 0;
  MissionBuilder* builder_;
};

}  // namespace

void read_wpl(std::string_view text, MissionBuilder& builder) { WplReader(text, builder).read(); }

}  // namespace tactus
