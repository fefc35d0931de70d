// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/builtin/motor_monitor.h"

#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr double kSlowest = 0.7;
constexpr double kFastest = 1.6;
constexpr double kDriving = 0.7;        // of the hover current
constexpr double kLeastExpected = 0.4;  // of the hover speed
constexpr double kFollowing = 0.25;     // of the prediction, either way
constexpr double kLeastCurrent = 0.3;   // of the predicted one
constexpr double kRunning = 0.01;       // of the hover current
constexpr DurationUs kSuspectTime{100'000};
constexpr DurationUs kStarting{2'000'000};
constexpr DurationUs kTrust{1'000'000};
constexpr std::uint32_t kMostDoublings = 4;

struct Prediction {
  double speed_rad_s = 0.0;
  double current_a = 0.0;  ///< drawn from the bus
};

/// One period later, the electrical braking taken at the new speed.
Prediction predict(const AirframeRotor& rotor, double command, double bus_v, double speed_rad_s,
                   double period_s) {
  const Motor& m = rotor.motor;
  const MotorElectrical e = motor_electrical(m, command, speed_rad_s);
  const double current = motor_current(m, e, bus_v);
  const double torque = motor_torque(m, current, speed_rad_s, false) -
                        rotor.torque_constant * speed_rad_s * speed_rad_s;
  const double braking = m.torque_constant_nm_a * m.torque_constant_nm_a * m.conductance_s +
                         2.0 * rotor.torque_constant * speed_rad_s;
  const double step = period_s * torque / (m.rotor_inertia_kg_m2 + period_s * braking);
  return {math::max(0.0, speed_rad_s + step), bus_current(m, e, current)};
}

constexpr bool has(std::uint32_t mask, int i) { return ((mask >> i) & 1U) != 0; }

std::uint32_t period_us(DurationUs period) { return static_cast<std::uint32_t>(period.us); }

/// Counts down while a controller may be starting; drawing current shows that it runs.
bool is_starting(const AirframeRotor& rotor, DurationUs period, bool dead, const EscStatus& esc,
                 std::uint32_t& left_us) {
  if (dead) {
    left_us = static_cast<std::uint32_t>(kStarting.us);
  } else if (esc.current_a > kRunning * rotor.hover_current_a || left_us <= period_us(period)) {
    left_us = 0;
  } else {
    left_us -= period_us(period);
  }
  return left_us > 0;
}

bool follows(const Prediction& expected, const EscStatus& esc) {
  const double gap = math::abs(esc.speed_rad_s - expected.speed_rad_s);
  return expected.speed_rad_s > 0.0 && gap < kFollowing * expected.speed_rad_s &&
         esc.current_a > kLeastCurrent * expected.current_a;
}

/// Whether a lost rotor may be trusted again.
bool is_back(DurationUs period, bool following, std::uint32_t losses, std::uint32_t& following_us) {
  following_us = following ? following_us + period_us(period) : 0;
  const std::uint32_t doublings = losses > kMostDoublings ? kMostDoublings : losses - 1;
  return following_us >= kTrust.us << doublings;
}

enum class Finding { kUnknown, kFine, kSlow, kFast };

Finding compare(const AirframeModel& model, int i, const Prediction& expected,
                const EscStatus& esc) {
  if (!(expected.speed_rad_s > kLeastExpected * model.hover_speed_rad_s)) return Finding::kUnknown;
  if (esc.speed_rad_s < kSlowest * expected.speed_rad_s) return Finding::kSlow;
  const bool drives = esc.current_a > kDriving * model.rotor[i].hover_current_a;
  const bool fast = drives && esc.speed_rad_s > kFastest * expected.speed_rad_s;
  return fast ? Finding::kFast : Finding::kFine;
}

/// One rotor: predicts, and compares or, if it is lost, checks whether it is back.
Finding check(const AirframeModel& model, int i, DurationUs period, const EscStatus& esc,
              double command, const SupplyView& supply, MotorMonitorState& state) {
  const AirframeRotor& rotor = model.rotor[i];
  const double period_s = to_seconds(period);
  state.command[i] +=
      period_s / (period_s + model.actuator_time_constant_s) * (command - state.command[i]);
  const Prediction expected =
      predict(rotor, state.command[i], supply.bus_v[rotor.bus], state.expected_rad_s[i], period_s);
  const bool dead = has(supply.dead_mask, rotor.bus);
  const bool starting = is_starting(rotor, period, dead, esc, state.starting_us[i]);
  state.expected_rad_s[i] = starting ? esc.speed_rad_s : expected.speed_rad_s;
  if (has(state.lost_mask, i)) {
    const bool following = !starting && follows(expected, esc);
    if (is_back(period, following, state.losses[i], state.following_us[i])) {
      state.lost_mask &= ~(std::uint32_t{1} << i);
    }
    return Finding::kUnknown;
  }
  if (dead) return Finding::kSlow;
  return starting ? Finding::kUnknown : compare(model, i, expected, esc);
}

/// Lets suspicion grow into a verdict.
void suspect(int i, DurationUs period, bool wrong, MotorMonitorState& state) {
  state.suspect_us[i] = wrong ? state.suspect_us[i] + period_us(period) : 0;
  if (state.suspect_us[i] < kSuspectTime.us) return;
  state.lost_mask |= std::uint32_t{1} << i;
  state.suspect_us[i] = state.following_us[i] = 0;
  ++state.losses[i];
}

}  // namespace

bool monitor_motors(const AirframeModel& model, TimeUs now, DurationUs period,
                    const EscStatus (&esc)[kMaxMotors], const Command& command,
                    const SupplyView& supply, MotorMonitorState& state) {
  const std::uint32_t lost_before = state.lost_mask;
  Finding found[kMaxMotors] = {};
  int judged = 0;
  int slow = 0;
  for (int i = 0; i < model.rotor_count; ++i) {
    found[i] = check(model, i, period, esc[i], command.motor[i], supply, state);
    judged += found[i] != Finding::kUnknown ? 1 : 0;
    slow += found[i] == Finding::kSlow ? 1 : 0;
  }
  const bool supply_failed = 2 * slow > judged;
  for (int i = 0; i < model.rotor_count; ++i) {
    if (supply_failed && found[i] == Finding::kSlow) {
      state.starting_us[i] = static_cast<std::uint32_t>(kStarting.us);
      state.expected_rad_s[i] = esc[i].speed_rad_s;
      found[i] = Finding::kUnknown;
    }
    suspect(i, period, found[i] == Finding::kSlow || found[i] == Finding::kFast, state);
  }
  if (lost_before == 0 && state.lost_mask != 0) state.lost_at = now;
  return state.lost_mask != lost_before;
}

}  // namespace tactus
