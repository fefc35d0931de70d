// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ardupilot/ardupilot_frame.h"

#include <fmt/format.h>

#include <string>

#include "tactus/core/checks.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

// clang-format off
constexpr ArdupilotFrame kFrames[] = {
    {"quad X", 1, 1, 4, 4, 0, {{45, 1}, {-135, 1}, {-45, -1}, {135, -1}}},
    {"quad plus", 1, 0, 4, 4, 0, {{90, 1}, {-90, 1}, {0, -1}, {180, -1}}},
    {"quad H", 1, 3, 4, 4, 0, {{45, -1}, {-135, -1}, {-45, 1}, {135, 1}}},
    {"quad plus reversed", 1, 6, 4, 4, 0, {{90, -1}, {-90, -1}, {0, 1}, {180, 1}}},
    {"hexa X", 2, 1, 6, 6, 0,
     {{90, -1}, {-90, 1}, {-30, -1}, {150, 1}, {30, 1}, {-150, -1}}},
    {"hexa plus", 2, 0, 6, 6, 0,
     {{0, -1}, {180, 1}, {-120, -1}, {60, 1}, {-60, 1}, {120, -1}}},
    {"octa X", 3, 1, 8, 8, 0,
     {{22.5, -1}, {-157.5, -1}, {67.5, 1}, {157.5, 1}, {-22.5, 1}, {-112.5, 1}, {-67.5, -1},
      {112.5, -1}}},
    {"octa plus", 3, 0, 8, 8, 0,
     {{0, -1}, {180, -1}, {45, 1}, {135, 1}, {-45, 1}, {-135, 1}, {-90, -1}, {90, -1}}},
    {"octa X clockwise", 3, 14, 8, 8, 0,
     {{22.5, 1}, {67.5, -1}, {112.5, 1}, {157.5, -1}, {-157.5, 1}, {-112.5, -1}, {-67.5, 1},
      {-22.5, -1}}},
    {"octaquad X", 4, 1, 4, 8, 0,
     {{45, 1}, {-45, -1}, {-135, 1}, {135, -1}, {-45, 1}, {45, -1}, {135, 1}, {-135, -1}}},
    {"octaquad plus", 4, 0, 4, 8, 0,
     {{0, 1}, {-90, -1}, {180, 1}, {90, -1}, {-90, 1}, {0, -1}, {90, 1}, {180, -1}}},
    {"octaquad X co-rotating", 4, 20, 4, 8, 4,
     {{45, 1}, {-45, -1}, {-135, 1}, {135, -1}, {-45, -1}, {45, 1}, {135, -1}, {-135, 1}}},
    {"Y6", 5, 1, 3, 6, 0, {{60, 1}, {-60, -1}, {-60, 1}, {180, -1}, {60, -1}, {180, 1}}},
    {"deca X", 14, 1, 10, 10, 0,
     {{18, 1}, {54, -1}, {90, 1}, {126, -1}, {162, 1}, {-162, -1}, {-126, 1}, {-90, -1},
      {-54, 1}, {-18, -1}}},
    {"deca plus", 14, 0, 10, 10, 0,
     {{0, 1}, {36, -1}, {72, 1}, {108, -1}, {144, 1}, {180, -1}, {-144, 1}, {-108, -1},
      {-72, 1}, {-36, -1}}},
    {"dodecahexa X", 12, 1, 6, 12, 0,
     {{30, 1}, {30, -1}, {90, -1}, {90, 1}, {150, 1}, {150, -1}, {-150, -1}, {-150, 1},
      {-90, 1}, {-90, -1}, {-30, -1}, {-30, 1}}},
    {"dodecahexa plus", 12, 0, 6, 12, 0,
     {{0, 1}, {0, -1}, {60, -1}, {60, 1}, {120, 1}, {120, -1}, {180, -1}, {180, 1},
      {-120, 1}, {-120, -1}, {-60, -1}, {-60, 1}}},
};
// clang-format on

/// |a − b| on the circle.
double angle_between_deg(double a_deg, double b_deg) {
  const double turns = (a_deg - b_deg) / 360.0;
  return 360.0 * math::abs(turns - math::rint(turns));
}

double direction_deg(const Rotor& rotor) {
  return math::kRadToDeg * math::atan2(rotor.position_B_m.y, rotor.position_B_m.x);
}

int reaction_sign(const Rotor& rotor) { return rotor.spin * rotor.axis_B.z < 0.0 ? 1 : -1; }

/// Fits one frame: each of its motors takes the nearest free rotor, of equals the first.
FrameMatch fit(const Multirotor& vehicle, const ArdupilotFrame& frame, bool same_senses) {
  FrameMatch match;
  std::uint32_t taken = 0;
  for (int k = 0; k < frame.motor_count; ++k) {
    int best = -1;
    double best_deg = 360.0 / (3.0 * frame.arms);
    for (int i = 0; i < vehicle.counts.rotors; ++i) {
      const Rotor& rotor = vehicle.rotor[i];
      if ((taken >> i & 1u) != 0u) continue;
      if (same_senses && reaction_sign(rotor) != frame.motor[k].yaw) continue;
      const double off_deg = angle_between_deg(direction_deg(rotor), frame.motor[k].angle_deg);
      if (off_deg < best_deg - 1e-6) {
        best = i;
        best_deg = off_deg;
      }
    }
    if (best < 0) return {};
    taken |= 1u << best;
    match.rotor.push_back(best);
    match.largest_error_deg = math::max(match.largest_error_deg, best_deg);
  }
  match.frame = &frame;
  return match;
}

FrameMatch best_match(const Multirotor& vehicle, bool same_senses) {
  FrameMatch best;
  for (const ArdupilotFrame& frame : kFrames) {
    if (frame.motor_count != vehicle.counts.rotors) continue;
    FrameMatch match = fit(vehicle, frame, same_senses);
    if (match.frame == nullptr) continue;
    if (best.frame == nullptr || match.largest_error_deg < best.largest_error_deg - 1e-6) {
      best = std::move(match);
    }
  }
  return best;
}

std::string senses_of(const ArdupilotFrame& frame, const Multirotor& vehicle,
                      const FrameMatch& match) {
  std::string text;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    for (int k = 0; k < frame.motor_count; ++k) {
      if (match.rotor[static_cast<std::size_t>(k)] != i) continue;
      text += fmt::format("{}{:+d}", text.empty() ? "" : ", ", frame.motor[k].yaw);
    }
  }
  return text;
}

[[noreturn]] void refuse(const Multirotor& vehicle) {
  const FrameMatch shape = best_match(vehicle, false);
  if (shape.frame == nullptr) {
    refuse_key("rotor",
               fmt::format("the {} rotors form no frame that ArduPilot knows (quad, hexa, octa, "
                           "deca, octaquad, Y6, dodecahexa, as X or plus); use PX4, or the "
                           "built-in autopilot",
                           vehicle.counts.rotors));
  }
  refuse_key("rotor",
             fmt::format("the rotors stand like ArduPilot's {}, but turn another way; it needs "
                         "reaction_sign = {} in the order of the aircraft file; use PX4, or the "
                         "built-in autopilot",
                         shape.frame->name, senses_of(*shape.frame, vehicle, shape)));
}

}  // namespace

FrameMatch match_frame(const Multirotor& vehicle) {
  FrameMatch match = best_match(vehicle, true);
  if (match.frame == nullptr) refuse(vehicle);
  return match;
}

ArdupilotMix ardupilot_mix(const ArdupilotFrame& frame) {
  constexpr double kWeaker = 0.9;
  ArdupilotMix mix;
  double largest[3] = {};
  for (int k = 0; k < frame.motor_count; ++k) {
    const double strength = k < frame.weaker_motors ? kWeaker : 1.0;
    const double angle_rad = math::kDegToRad * frame.motor[k].angle_deg;
    double* row = mix.tilt_and_yaw[k];
    row[0] = -strength * math::sin(angle_rad);
    row[1] = strength * math::cos(angle_rad);
    row[2] = strength * frame.motor[k].yaw;
    mix.throttle[k] = strength;
    for (int axis = 0; axis < 3; ++axis) {
      largest[axis] = math::max(largest[axis], math::abs(row[axis]));
    }
  }
  for (int k = 0; k < frame.motor_count; ++k) {
    for (int axis = 0; axis < 3; ++axis) mix.tilt_and_yaw[k][axis] *= 0.5 / largest[axis];
  }
  return mix;
}

}  // namespace tactus
