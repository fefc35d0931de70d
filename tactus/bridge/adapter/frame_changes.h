// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What changed from one frame of an external simulator to the next, against what a vehicle can do.
// Each value may be fine and the change impossible: a vehicle that was put elsewhere, a velocity in
// another frame than the position. Such frames are flown, because only their sender knows; the user
// gets the first of each kind, and how many there were.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tactus/bridge/adapter/frame.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"

namespace tactus {

class FrameChanges {
 public:
  /// `attitude_length`: of the quaternion as it was sent.
  void see(const SensorFrame& frame, double attitude_length);
  /// What comes next is of another connection.
  void forget() { *this = {}; }
  /// "position went from [0, 0, -5] to [1e6, 0, -5] m within 4000 us at t = 2s …; 3 times in all"
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  enum Kind : std::uint8_t {
    kPosition,
    kVelocity,
    kAttitude,
    kRate,
    kGps,
    kPressure,
    kAttitudeLength,
    kTime,
    kDrift,
    kKinds
  };
  struct Limit;
  struct Finding {
    std::uint64_t count = 0;
    std::string first;
  };
  static const std::array<Limit, kTime> kLimits;

  void compare(const SensorFrame& before, const SensorFrame& frame);
  template <class T>
  bool judge(Kind kind, double change, DurationUs within, const T& from, const T& to);
  void follow(const SensorFrame& before, const SensorFrame& frame);
  void find(Kind kind, const std::string& what);

  std::optional<SensorFrame> last_;
  TimeUs now_;
  std::optional<TimeUs> window_begin_;  ///< in which position and velocity are compared
  Vec3 drift_m_;                        ///< what the velocity does not explain of the way
  double way_m_ = 0.0;
  std::array<Finding, kKinds> found_;
};

}  // namespace tactus
