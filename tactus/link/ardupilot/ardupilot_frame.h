// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The airframes that ArduCopter knows by FRAME_CLASS and FRAME_TYPE, and which of them an aircraft
// is. Motor k listens to servo channel k. Angles are seen from above, clockwise from the nose; the
// frames assume equal arms. Facts of ArduPilot 4.8.

#include <vector>

#include "tactus/plant/multirotor_model.h"
#include "tactus/signal/limits.h"

namespace tactus {

struct ArdupilotMotor {
  double angle_deg = 0.0;
  int yaw = 1;  ///< +1: propeller turns counter-clockwise, reaction turns the nose right
};

struct ArdupilotFrame {
  const char* name = "";
  int frame_class = 0;
  int frame_type = 0;
  int arms = 0;
  int motor_count = 0;
  int weaker_motors = 0;  ///< the first n get 0.9 of the others: co-rotating pairs must not beat
  ArdupilotMotor motor[kMaxMotors];
};

struct FrameMatch {
  const ArdupilotFrame* frame = nullptr;
  std::vector<int> rotor;        ///< our rotor for each of its motors
  double largest_error_deg = 0;  ///< of the directions of the arms
};

/// The frame that fits best. Throws Error(kBadInput) if none does: the arms may be off by a third
/// of the angle between two, the turning senses must be the same.
FrameMatch match_frame(const Multirotor& vehicle);

/// Change of each motor's thrust (0 to 1) per unit of roll, pitch, yaw demand, and its share of the
/// throttle.
struct ArdupilotMix {
  double tilt_and_yaw[kMaxMotors][3] = {};
  double throttle[kMaxMotors] = {};
};

ArdupilotMix ardupilot_mix(const ArdupilotFrame& frame);

}  // namespace tactus
