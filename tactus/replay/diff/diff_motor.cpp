// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Apart from the rest of diff_program.h because it needs rows of two recordings side by side.

#include <algorithm>
#include <string_view>

#include "tactus/replay/diff/diff_align.h"
#include "tactus/replay/diff/diff_program.h"

namespace tactus {
namespace {

constexpr std::string_view kMotorLeaf = "command.motor";

}  // namespace

std::optional<MotorDifference> first_differing_motor(const Recording& a, const Recording& b) {
  const Table* const command = a.signal(Signal::kCommand);
  if (command == nullptr || b.signal(Signal::kCommand) == nullptr) return std::nullopt;
  const std::optional<TablePair> pair = pair_of(a, b, command->layout.name);
  if (!pair) return std::nullopt;
  const auto of_motor = [](const RowField& field) {
    return leaf_name(field, 0).starts_with(kMotorLeaf);
  };
  const TimeUs end = std::min(a.end.time, b.end.time);
  const std::optional<TimeUs> when = first_differing_instant(*pair, end, 0.0, of_motor);
  if (!when) return std::nullopt;
  const std::vector<ValueDifference> values = differences_at(*pair, *when, 0.0, of_motor);
  if (values.empty()) return std::nullopt;
  MotorDifference difference{*when, std::nullopt, values.front()};
  if (when->us > 0) {
    const std::optional<std::size_t> last = command->last_at(TimeUs(when->us - 1));
    if (last) difference.equal_until = command->time(*last);
  }
  return difference;
}

}  // namespace tactus
