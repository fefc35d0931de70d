// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the forms of a mission, two of files and one of messages, have in common: a row as MAVLink
// defines it, and the checks and the numbering that turn rows into a Mission. Only what reads
// missions includes this.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/autopilot/mission/mission.h"

namespace tactus {

/// One item as written, not yet checked. Params 1 to 7; NaN: "not given".
struct MissionRow {
  int line = 0;
  std::int64_t id = 0;  ///< what DO_JUMP calls this item: its seq or doJumpId
  std::int64_t command = 0;
  std::int64_t frame = 0;
  double param[7] = {};
  bool autocontinue = true;
};

inline constexpr std::size_t kMaxMissionItems = 10'000;

class MissionBuilder {
 public:
  explicit MissionBuilder(const std::string& file);

  /// Always throws Error(kBadInput): "file:line: why".
  [[noreturn]] void refuse(int line, const std::string& why) const;

  void set_home(int line, double latitude_deg, double longitude_deg, double altitude_msl_m);
  void add(const MissionRow& row);
  /// The mission, with jumps turned from ids into positions in `items`.
  Mission finish();

 private:
  void require_place(int line, double latitude_deg, double longitude_deg) const;
  void require_altitude(int line, double altitude_m) const;
  [[nodiscard]] MissionItem check(const MissionRow& row) const;
  [[nodiscard]] AltitudeFrame frame_of(const MissionRow& row, bool has_position) const;
  [[nodiscard]] double position_of(int line, double id) const;

  std::string file_;
  Mission mission_;
  std::vector<std::int64_t> ids_;  ///< of the items, in order
};

/// Outside text for a message: short, and no control characters.
std::string quote_text(std::string_view text);

void read_wpl(std::string_view text, MissionBuilder& builder);
void read_plan(std::string_view text, MissionBuilder& builder);

}  // namespace tactus
