// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Pitot tube along the body's x axis: pitot minus static pressure.
//
//   Δp = gain · ½ρ u |u| + b0 + σ ξ + fault bias → saturate → round,   u: airspeed along x
// A negative sign is flow from behind. Pa; b0 ~ N(0, σ0) is drawn at the first tick.
// Assumes incompressible flow (error below 1 % up to Mach 0.2).

#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/instrument.h"
#include "tactus/signal/signals.h"

namespace tactus {

struct AirspeedParameters {
  double gain = 1.0;
  double noise_sigma_pa = 1.0;
  double offset_sigma_pa = 2.0;
  double range_pa = 6894.76;      // 1 psi
  double resolution_pa = 0.0842;  // range / 2^14 both ways

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("gain", "1", self.gain, "of the tube");
    visit("noise_sigma_pa", "Pa", self.noise_sigma_pa, "white noise of a reading, deviation");
    visit("offset_sigma_pa", "Pa", self.offset_sigma_pa, "turn-on offset, deviation");
    visit("range_pa", "Pa", self.range_pa, "saturates beyond");
    visit("resolution_pa", "Pa", self.resolution_pa, "one digit; 0: none");
  }
};
static_assert(lists_every_field<AirspeedParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const AirspeedParameters& parameters, std::string_view where);

inline constexpr std::size_t kAirspeedLineSamples = 16;
constexpr std::size_t line_samples(const AirspeedParameters& /*parameters*/) {
  return kAirspeedLineSamples;
}

/// What is on its way to the reader.
struct AirspeedSample {
  double differential_pressure_pa = 0.0;
  double temperature_c = 15.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("differential_pressure_pa", "Pa", self.differential_pressure_pa, "pitot minus static");
    visit("temperature_c", "degC", self.temperature_c, "of the air");
  }
};
static_assert(lists_every_field<AirspeedSample>());

/// Copyable; a default one is the state before the first tick.
struct AirspeedState {
  double offset_pa = 0.0;
  InstrumentLine<AirspeedSample, kAirspeedLineSamples> line;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("offset_pa", "Pa", self.offset_pa, "drawn at the first tick");
    visit("line", "", self.line, "readings");
  }
};
static_assert(lists_every_field<AirspeedState>());

/// The world at the tick.
struct AirspeedInput {
  const Environment& air;
  Vec3 air_velocity_B_m_s;  ///< air relative to the vehicle
};

/// The reading of the tick at `now`. Does not allocate. Throws Error(kBadInput) if a fault's delay
/// does not fit.
AirspeedReading step_airspeed(const AirspeedParameters& parameters, const RandomStream& stream,
                              DurationUs period, const AirspeedInput& input,
                              const InstrumentFault& fault, TimeUs now, AirspeedState& state);

}  // namespace tactus
