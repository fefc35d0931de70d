// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Satellite receiver: position and velocity of some time ago, with errors that stay for a while.
//
//   position = true + σ_c b + σ_w ξ + fault bias   per axis; b: Gauss–Markov with time constant τ
//   velocity = true + σ_vc b' + σ_vw ξ
//   reported accuracy = √(σ_c² + σ_w²) per axis: the deviation of the error process, no more
// The reading of a tick is the sample of ⌈latency/T⌉ ticks earlier; `measured_at` gives its
// instant, and before the first has arrived there is none (count 0, no fix). Without a fix (blocked
// sky, or the first fix not yet found) readings arrive and say so: no satellites, accuracies of
// nothing, position and velocity of the last fix. A fault's noise factor acts on the whole error;
// the reported accuracy does not know. A fault's bias is in metres north, east, down. Latitude and
// longitude by world/geodesy.h; altitude is that of the flat world, origin minus down,
// as the barometer sees it.

#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/instrument.h"
#include "tactus/signal/signals.h"
#include "tactus/world/geodesy.h"

namespace tactus {

/// Defaults: a good receiver under open sky.
struct GpsParameters {
  Vec3 position_B_m;
  DurationUs latency{100'000};
  DurationUs first_fix;
  std::int32_t satellites = 14;
  double horizontal_wander_sigma_m = 0.3;
  double horizontal_noise_sigma_m = 0.05;
  double vertical_wander_sigma_m = 0.4;
  double vertical_noise_sigma_m = 0.1;
  double position_time_constant_s = 300.0;
  double velocity_wander_sigma_m_s = 0.03;
  double velocity_noise_sigma_m_s = 0.05;
  double velocity_time_constant_s = 5.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_body_m", "m", self.position_B_m, "of the antenna, from the centre of mass");
    visit("latency_us", "us", self.latency, "from the measurement to its arrival");
    visit("first_fix_us", "us", self.first_fix, "no fix before this time of the run");
    visit("satellites", "", self.satellites, "in use");
    visit("horizontal_wander_sigma_m", "m", self.horizontal_wander_sigma_m,
          "correlated error north and east, deviation");
    visit("horizontal_noise_sigma_m", "m", self.horizontal_noise_sigma_m,
          "white noise north and east, deviation");
    visit("vertical_wander_sigma_m", "m", self.vertical_wander_sigma_m,
          "correlated error of the altitude, deviation");
    visit("vertical_noise_sigma_m", "m", self.vertical_noise_sigma_m,
          "white noise of the altitude, deviation");
    visit("position_time_constant_s", "s", self.position_time_constant_s,
          "correlation time of the position error");
    visit("velocity_wander_sigma_m_s", "m/s", self.velocity_wander_sigma_m_s,
          "correlated error of each axis, deviation");
    visit("velocity_noise_sigma_m_s", "m/s", self.velocity_noise_sigma_m_s,
          "white noise of each axis, deviation");
    visit("velocity_time_constant_s", "s", self.velocity_time_constant_s,
          "correlation time of the velocity error");
  }
};
static_assert(lists_every_field<GpsParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const GpsParameters& parameters, std::string_view where);

/// The same for what depends on the GPS axis: the latency must fit into the delay line.
void validate_latency(const GpsParameters& parameters, DurationUs period, std::string_view where);

inline constexpr std::size_t kGpsLineSamples = 32;
constexpr std::size_t line_samples(const GpsParameters& /*parameters*/) { return kGpsLineSamples; }

/// What is on its way to the reader.
struct GpsSample {
  bool fix = false;
  Geodetic position;
  Vec3 velocity_W_m_s;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("fix", "", self.fix, "in three dimensions");
    visit("position", "", self.position, "measured");
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s, "measured");
  }
};
static_assert(lists_every_field<GpsSample>());

/// Copyable; a default one is the state before the first tick.
struct GpsState {
  Vec3 position_wander;  ///< in units of its deviation
  Vec3 velocity_wander;  ///< in units of its deviation
  GpsSample last_fix;
  InstrumentLine<GpsSample, kGpsLineSamples> line;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_wander", "1", self.position_wander, "in units of its deviation");
    visit("velocity_wander", "1", self.velocity_wander, "in units of its deviation");
    visit("last_fix", "", self.last_fix, "what is repeated without a fix");
    visit("line", "", self.line, "readings");
  }
};
static_assert(lists_every_field<GpsState>());

/// The world at the tick.
struct GpsInput {
  const Truth& truth;
  const LocalFrame& frame;  ///< make_local_frame(origin)
  const WorldOrigin& origin;
};

/// The reading of the tick at `now`. Does not allocate. Throws Error(kBadInput) if latency and a
/// fault's delay do not fit.
GpsReading step_gps(const GpsParameters& parameters, const RandomStream& stream, DurationUs period,
                    const GpsInput& input, const InstrumentFault& fault, TimeUs now,
                    GpsState& state);

}  // namespace tactus
