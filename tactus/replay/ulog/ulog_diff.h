// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Where two of PX4's logs part: for each uORB topic that both hold the first sample that differs,
// and in it the first field. A sample at an instant at which the other log has none is a difference
// too. Fields that only one log has, because its PX4 is another one, are left out and told.

#include <optional>
#include <string>
#include <vector>

#include "tactus/replay/ulog/ulog.h"

namespace tactus {

struct ULogDifference {
  TimeUs time;        ///< of PX4's clock
  std::string topic;  ///< with its instance
  std::string field;  ///< "xyz[1]"; empty: only one of them has a sample at that instant
  std::string a;      ///< empty: it has no sample there
  std::string b;
  std::size_t equal = 0;  ///< samples before it
};

struct ULogDiff {
  std::vector<ULogDifference> topics;  ///< one each, the earliest first; empty: they are equal
  std::size_t compared = 0;            ///< topics that both have
  bool whole = true;                   ///< both have the same topics, and neither is cut off
  std::vector<std::string> notes;      ///< what could not be compared, parameters that differ

  [[nodiscard]] bool equal() const { return topics.empty() && whole && compared > 0; }
};

ULogDiff diff_ulogs(const ULog& a, const ULog& b);

/// For people; `a` and `b`: names of the files.
std::string to_text(const ULogDiff& difference, const std::string& a, const std::string& b);
std::string ulog_diff_json(const ULogDiff& difference, const std::string& a, const std::string& b);

}  // namespace tactus
