// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Static pressure, and what it means as an altitude.
//
//   p_s = p + c ½ρv²                     port in the flow: position error with coefficient c
//   τ x' = p_s − x                       lag; exact for a pressure that is linear between ticks
//   reading = x + σ_d d + σ ξ + fault bias → limits → round     d: Gauss–Markov drift, τ_d
// altitude: of the reading in the standard atmosphere (geopotential), exact up to 20 km and above
// it as if the air stayed at 216.65 K. Units Pa, m, s. A fault's bias is in Pa.

#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/sensor/instrument.h"
#include "tactus/signal/signals.h"
#include "tactus/world/world.h"

namespace tactus {

struct BarometerParameters {
  double noise_sigma_pa = 1.0;
  double drift_sigma_pa = 2.0;
  double drift_time_constant_s = 600.0;
  double lag_s = 0.03;
  double dynamic_pressure_coefficient = -0.05;
  double temperature_offset_k = 0.0;
  double lowest_pa = 1.0e3;
  double highest_pa = 1.2e5;
  double resolution_pa = 0.01;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("noise_sigma_pa", "Pa", self.noise_sigma_pa, "white noise of a reading, deviation");
    visit("drift_sigma_pa", "Pa", self.drift_sigma_pa, "slow drift, deviation");
    visit("drift_time_constant_s", "s", self.drift_time_constant_s,
          "correlation time of the drift");
    visit("lag_s", "s", self.lag_s, "time constant of the port; 0: none");
    visit("dynamic_pressure_coefficient", "1", self.dynamic_pressure_coefficient,
          "error of the static port per dynamic pressure");
    visit("temperature_offset_k", "K", self.temperature_offset_k,
          "its temperature above the air's");
    visit("lowest_pa", "Pa", self.lowest_pa, "saturates below");
    visit("highest_pa", "Pa", self.highest_pa, "saturates above");
    visit("resolution_pa", "Pa", self.resolution_pa, "one digit; 0: none");
  }
};
static_assert(lists_every_field<BarometerParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const BarometerParameters& parameters, std::string_view where);

inline constexpr std::size_t kBarometerLineSamples = 16;
constexpr std::size_t line_samples(const BarometerParameters& /*parameters*/) {
  return kBarometerLineSamples;
}

/// What is on its way to the reader.
struct BarometerSample {
  double pressure_pa = 101325.0;
  double temperature_c = 15.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("pressure_pa", "Pa", self.pressure_pa, "static pressure");
    visit("temperature_c", "degC", self.temperature_c, "of the instrument");
  }
};
static_assert(lists_every_field<BarometerSample>());

/// Copyable; a default one is the state before the first tick.
struct BarometerState {
  double port_pa = 0.0;    ///< pressure at the port at the last tick
  double lagged_pa = 0.0;  ///< what the element has followed to
  double drift = 0.0;      ///< in units of its deviation
  InstrumentLine<BarometerSample, kBarometerLineSamples> line;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("port_pa", "Pa", self.port_pa, "pressure at the port at the last tick");
    visit("lagged_pa", "Pa", self.lagged_pa, "what the element has followed to");
    visit("drift", "1", self.drift, "in units of its deviation");
    visit("line", "", self.line, "readings");
  }
};
static_assert(lists_every_field<BarometerState>());

/// The world at the tick.
struct BarometerInput {
  const Environment& air;
  Vec3 air_velocity_B_m_s;  ///< air relative to the vehicle
};

/// The reading of the tick at `now`. Does not allocate. Throws Error(kBadInput) if a fault's delay
/// does not fit.
BarometerReading step_barometer(const BarometerParameters& parameters, const RandomStream& stream,
                                DurationUs period, const BarometerInput& input,
                                const InstrumentFault& fault, TimeUs now, BarometerState& state);

/// Altitude of a pressure in the standard atmosphere.
double pressure_altitude_m(double pressure_pa);

template <>
struct InstrumentOnBus<BarometerParameters> {
  using State = BarometerState;
  static constexpr Signal kWrites = Signal::kBarometer;
  static constexpr SignalSet kReads = SignalSet::of(Signal::kTruth, Signal::kEnvironment);

  InstrumentOnBus(const World& /*world*/, int /*rotor_count*/) {}
  [[nodiscard]] static BarometerInput input(const BusPort& bus) {
    return {bus.read<Signal::kEnvironment>(), bus.read<Signal::kTruth>().air_velocity_B_m_s};
  }
  static BarometerReading step(const BarometerParameters& parameters, const InstrumentTick& tick,
                               const BarometerInput& input, State& state) {
    return step_barometer(parameters, tick.stream, tick.period, input,
                          tick.fault(Instrument::kBarometer0), tick.now, state);
  }
};

}  // namespace tactus
