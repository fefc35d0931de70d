// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Gyroscope and accelerometer in one housing. A reading is the mean over the sample interval, in
// the sense that strapdown integration gives back the true motion, whatever happened in between:
//
//   ω̄ = log(q0⁻¹ q1) / T                            coning is in it
//   R0 J(ω̄T) f̄ T = Δv − g T,   J(φ) = ∫₀¹ exp(sφ) ds  left Jacobian of SO(3); sculling is in it
// q, v: true attitude and velocity of the instrument's own point (v + R (ω × r)) at both ends, so
// contact and jumps are in it exactly; g: mean of gravity at both ends. `sampling = point` gives
// rate and specific force of the instant instead (parity with simulators that do so), and so does
// the first tick, which has no interval. Errors, for each of the two instruments:
//   x → (1 + scale) ∘ (x − m × x + vibration) + b0 + b + N/√T ξ + fault bias → saturate → round
//   b0 ~ N(0, σ0): turn-on;   b: random walk K √t, or Gauss–Markov if a time constant is given
// N is the density as an Allan deviation plot shows it: √(noise at 1 s), for any period.
// Body axes, SI. The temperature is constant. Valid for turns below π per interval.

#include <cstdint>
#include <span>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/instrument.h"
#include "tactus/sensor/vibration.h"
#include "tactus/signal/signals.h"
#include "tactus/world/world.h"

namespace tactus {

enum class ImuSampling : std::uint8_t {
  kMean,   ///< over the interval
  kPoint,  ///< of the instant
};

/// Defaults: a calibrated consumer instrument with 20-bit readings.
struct ImuParameters {
  ImuSampling sampling = ImuSampling::kMean;
  Vec3 position_B_m;
  double temperature_c = 35.0;

  double gyro_noise_rad_s_sqrthz = 1.0e-4;
  double gyro_bias_sigma_rad_s = 2.0e-3;
  double gyro_bias_walk_rad_s_sqrts = 1.0e-5;
  double gyro_bias_time_constant_s = 0.0;
  Vec3 gyro_scale_error;
  Vec3 gyro_misalignment_rad;
  double gyro_range_rad_s = 34.906585;       // 2000 deg/s
  double gyro_resolution_rad_s = 6.6579e-5;  // range / 2^19

  double accel_noise_m_s2_sqrthz = 1.5e-3;
  double accel_bias_sigma_m_s2 = 0.03;
  double accel_bias_walk_m_s2_sqrts = 1.0e-4;
  double accel_bias_time_constant_s = 0.0;
  Vec3 accel_scale_error;
  Vec3 accel_misalignment_rad;
  double accel_range_m_s2 = 156.9064;         // 16 g
  double accel_resolution_m_s2 = 2.99276e-4;  // range / 2^19

  double vibration_reference_rad_s = 600.0;
  Vec3 vibration_gyro_rad_s{0.01, 0.01, 0.005};
  Vec3 vibration_accel_m_s2{0.3, 0.3, 0.5};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("sampling", "", self.sampling, "mean over the interval, or point: of the instant");
    visit("position_body_m", "m", self.position_B_m, "from the centre of mass");
    visit("temperature_c", "degC", self.temperature_c, "of the instrument");
    visit("gyro_noise_rad_s_sqrthz", "rad/s/sqrt(Hz)", self.gyro_noise_rad_s_sqrthz,
          "density of the white noise");
    visit("gyro_bias_sigma_rad_s", "rad/s", self.gyro_bias_sigma_rad_s, "turn-on bias, deviation");
    visit("gyro_bias_walk_rad_s_sqrts", "rad/s/sqrt(s)", self.gyro_bias_walk_rad_s_sqrts,
          "random walk of the bias");
    visit("gyro_bias_time_constant_s", "s", self.gyro_bias_time_constant_s,
          "pulls the walk back; 0: does not");
    visit("gyro_scale_error", "1", self.gyro_scale_error, "relative, per axis");
    visit("gyro_misalignment_rad", "rad", self.gyro_misalignment_rad,
          "small turn of the instrument against the body");
    visit("gyro_range_rad_s", "rad/s", self.gyro_range_rad_s, "saturates beyond");
    visit("gyro_resolution_rad_s", "rad/s", self.gyro_resolution_rad_s, "one digit; 0: none");
    visit("accel_noise_m_s2_sqrthz", "m/s^2/sqrt(Hz)", self.accel_noise_m_s2_sqrthz,
          "density of the white noise");
    visit("accel_bias_sigma_m_s2", "m/s^2", self.accel_bias_sigma_m_s2, "turn-on bias, deviation");
    visit("accel_bias_walk_m_s2_sqrts", "m/s^2/sqrt(s)", self.accel_bias_walk_m_s2_sqrts,
          "random walk of the bias");
    visit("accel_bias_time_constant_s", "s", self.accel_bias_time_constant_s,
          "pulls the walk back; 0: does not");
    visit("accel_scale_error", "1", self.accel_scale_error, "relative, per axis");
    visit("accel_misalignment_rad", "rad", self.accel_misalignment_rad,
          "small turn of the instrument against the body");
    visit("accel_range_m_s2", "m/s^2", self.accel_range_m_s2, "saturates beyond");
    visit("accel_resolution_m_s2", "m/s^2", self.accel_resolution_m_s2, "one digit; 0: none");
    visit("vibration_reference_rad_s", "rad/s", self.vibration_reference_rad_s,
          "rotor speed that the amplitudes below belong to");
    visit("vibration_gyro_rad_s", "rad/s", self.vibration_gyro_rad_s, "amplitude per rotor");
    visit("vibration_accel_m_s2", "m/s^2", self.vibration_accel_m_s2, "amplitude per rotor");
  }
};
static_assert(lists_every_field<ImuParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const ImuParameters& parameters, std::string_view where);

inline constexpr std::size_t kImuLineSamples = 32;
constexpr std::size_t line_samples(const ImuParameters& /*parameters*/) { return kImuLineSamples; }

/// One of the two instruments of an IMU.
struct InertialState {
  Vec3 turn_on_bias;
  Vec3 bias;  ///< what has been walked since
  InstrumentLine<Vec3, kImuLineSamples> line;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("turn_on_bias", "", self.turn_on_bias, "drawn at the first tick");
    visit("bias", "", self.bias, "walked since");
    visit("line", "", self.line, "readings");
  }
};
static_assert(lists_every_field<InertialState>());

/// Copyable; a default one is the state before the first tick.
struct ImuState {
  Quat attitude;        ///< true, at the last tick
  Vec3 velocity_W_m_s;  ///< true, of the instrument's point, at the last tick
  Vec3 gravity_W_m_s2;
  RotorAngles rotors;
  InertialState gyroscope;
  InertialState accelerometer;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("attitude", "1", self.attitude, "true, at the last tick");
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s, "true, of its point, at the last tick");
    visit("gravity_ned_m_s2", "m/s^2", self.gravity_W_m_s2, "at the last tick");
    visit("rotors", "", self.rotors, "where the rotors stand");
    visit("gyroscope", "", self.gyroscope);
    visit("accelerometer", "", self.accelerometer);
  }
};
static_assert(lists_every_field<ImuState>());

/// The world at the tick.
struct ImuInput {
  const Truth& truth;
  Vec3 gravity_W_m_s2{0.0, 0.0, kStandardGravity_m_s2};  ///< where the vehicle is
  std::span<const EscStatus> rotors;                     ///< those that exist; empty: no vibration
};

/// The reading of the tick at `now`. Does not allocate. Throws Error(kBadInput) if a fault's delay
/// does not fit.
ImuReading step_imu(const ImuParameters& parameters, const RandomStream& stream, DurationUs period,
                    const ImuInput& input, const InstrumentFault& gyroscope,
                    const InstrumentFault& accelerometer, TimeUs now, ImuState& state);

/// What integrates to the true motion over `dt_s`: mean rate and mean specific force in body axes.
/// Velocities are those of one point.
struct MeanMotion {
  Vec3 rate_B_rad_s;
  Vec3 specific_force_B_m_s2;
};
MeanMotion mean_motion(Quat attitude0, Quat attitude1, Vec3 velocity0_W_m_s, Vec3 velocity1_W_m_s,
                       Vec3 gravity_W_m_s2, double dt_s);

template <>
struct InstrumentOnBus<ImuParameters> {
  using State = ImuState;
  static constexpr Signal kWrites = Signal::kImu;
  static constexpr SignalSet kReads = SignalSet::of(Signal::kTruth, Signal::kEsc);

  World world;
  int rotor_count;  ///< of those that shake it

  InstrumentOnBus(const World& around, int rotors) : world(around), rotor_count(rotors) {}
  [[nodiscard]] ImuInput input(const BusPort& bus) const {
    const Truth& truth = bus.read<Signal::kTruth>();
    const std::span<const EscStatus> rotors(bus.read<Signal::kEsc>(),
                                            static_cast<std::size_t>(rotor_count));
    return {truth, gravity_at(world, truth.position_W_m), rotors};
  }
  static ImuReading step(const ImuParameters& parameters, const InstrumentTick& tick,
                         const ImuInput& input, State& state) {
    return step_imu(parameters, tick.stream, tick.period, input,
                    tick.fault(Instrument::kGyroscope0), tick.fault(Instrument::kAccelerometer0),
                    tick.now, state);
  }
};

}  // namespace tactus
