// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff_growth.h"

#include <algorithm>
#include <string>

#include "tactus/core/math.h"
#include "tactus/core/quat.h"

namespace tactus {
namespace {

/// Where a table has the motion.
struct Motion {
  const Table* table = nullptr;
  const RowField* position = nullptr;
  const RowField* velocity = nullptr;
  const RowField* attitude = nullptr;
  const RowField* rotor = nullptr;  ///< null: no rotors

  [[nodiscard]] bool complete() const {
    return position != nullptr && velocity != nullptr && attitude != nullptr;
  }
  [[nodiscard]] Vec3 vector(const RowField& field, std::size_t row) const {
    const std::byte* const from = table->row(row).data();
    return {number(field, 0, from), number(field, 1, from), number(field, 2, from)};
  }
  [[nodiscard]] Quat quat(std::size_t row) const {
    const std::byte* const from = table->row(row).data();
    return {number(*attitude, 0, from), number(*attitude, 1, from), number(*attitude, 2, from),
            number(*attitude, 3, from)};
  }
};

Motion motion_in(const Recording& recording, const char* table, const std::string& group) {
  Motion motion;
  motion.table = recording.find(table);
  if (motion.table == nullptr) return motion;
  const TableLayout& layout = motion.table->layout;
  motion.position = layout.find(group + "/truth/position_ned_m");
  motion.velocity = layout.find(group + "/truth/velocity_ned_m_s");
  motion.attitude = layout.find(group + "/truth/attitude");
  motion.rotor = layout.find(group + "/esc/speed_rad_s");
  return motion;
}

void raise(double& most, double value) { most = math::max(most, value); }

void compare(const Motion& a, std::size_t i, const Motion& b, std::size_t j, GrowthRow& most) {
  raise(most.position_m, norm(a.vector(*a.position, i) - b.vector(*b.position, j)));
  raise(most.velocity_m_s, norm(a.vector(*a.velocity, i) - b.vector(*b.velocity, j)));
  raise(most.attitude_rad, attitude_distance(a.quat(i), b.quat(j)));
  if (a.rotor == nullptr || b.rotor == nullptr) return;
  for (std::size_t k = 0; k < std::min(a.rotor->width, b.rotor->width); ++k) {
    raise(most.rotor_speed_rad_s, math::abs(number(*a.rotor, k, a.table->row(i).data()) -
                                            number(*b.rotor, k, b.table->row(j).data())));
  }
}

/// The first of 1, 3, 10, 30, 100 … ms that is not before.
DurationUs end_of_stretch(DurationUs after) {
  DurationUs end(1'000);
  for (bool three = false; end < after; three = !three) {
    end = three ? DurationUs(end.us / 3 * 10) : 3 * end;
  }
  return end;
}

}  // namespace

std::vector<GrowthRow> growth(const Recording& a, const Recording& b, TimeUs from, TimeUs until) {
  Motion in_a = motion_in(a, "boundary", kOutputsGroup);
  Motion in_b = motion_in(b, "boundary", kOutputsGroup);
  if (!in_a.complete() || !in_b.complete()) {
    in_a = motion_in(a, "log", "/log");
    in_b = motion_in(b, "log", "/log");
  }
  std::vector<GrowthRow> rows;
  if (!in_a.complete() || !in_b.complete()) return rows;
  DurationUs last;
  std::size_t j = 0;
  for (std::size_t i = 0; i < in_a.table->size(); ++i) {
    const TimeUs time = in_a.table->time(i);
    if (time < from) continue;
    if (time > until) break;
    while (j < in_b.table->size() && in_b.table->time(j) < time) ++j;
    if (j == in_b.table->size()) break;
    if (in_b.table->time(j) != time) continue;
    last = time - from;
    const DurationUs end = end_of_stretch(last);
    if (rows.empty() || rows.back().after != end) rows.push_back({.after = end});
    compare(in_a, i, in_b, j, rows.back());
  }
  if (!rows.empty()) rows.back().after = last;
  return rows;
}

}  // namespace tactus
