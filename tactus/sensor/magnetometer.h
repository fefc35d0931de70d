// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Three-axis magnetometer, fixed to the body.
//
//   B = S R^T B_W + hard iron + turn-on bias + k_I I + σ ξ + fault bias → saturate → round
// S: symmetric soft-iron matrix; I: current from the batteries, whose wires pass the instrument.
// Gauss, body axes. B_W comes from world/magnetic_field.h, in north, east, down at the
// vehicle; the flat world takes these for its own axes (1.6e-4 rad per km from the origin).

#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/instrument.h"
#include "tactus/signal/signals.h"
#include "tactus/world/world.h"

namespace tactus {

struct MagnetometerParameters {
  double noise_sigma_gauss = 2.0e-3;
  double bias_sigma_gauss = 1.0e-3;
  Vec3 hard_iron_gauss;
  Vec3 soft_iron_diagonal{1.0, 1.0, 1.0};
  Vec3 soft_iron_off_diagonal;
  Vec3 current_gain_gauss_a;
  double range_gauss = 8.0;
  double resolution_gauss = 1.0e-4;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("noise_sigma_gauss", "gauss", self.noise_sigma_gauss,
          "white noise of a reading, deviation");
    visit("bias_sigma_gauss", "gauss", self.bias_sigma_gauss, "turn-on bias, deviation");
    visit("hard_iron_gauss", "gauss", self.hard_iron_gauss, "constant field of the vehicle");
    visit("soft_iron_diagonal", "1", self.soft_iron_diagonal, "xx, yy, zz of the soft-iron matrix");
    visit("soft_iron_off_diagonal", "1", self.soft_iron_off_diagonal,
          "xy, xz, yz of the soft-iron matrix");
    visit("current_gain_gauss_a", "gauss/A", self.current_gain_gauss_a,
          "field per ampere from the batteries");
    visit("range_gauss", "gauss", self.range_gauss, "saturates beyond");
    visit("resolution_gauss", "gauss", self.resolution_gauss, "one digit; 0: none");
  }
};
static_assert(lists_every_field<MagnetometerParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const MagnetometerParameters& parameters, std::string_view where);

inline constexpr std::size_t kMagnetometerLineSamples = 16;
constexpr std::size_t line_samples(const MagnetometerParameters& /*parameters*/) {
  return kMagnetometerLineSamples;
}

/// Copyable; a default one is the state before the first tick.
struct MagnetometerState {
  Vec3 turn_on_bias_gauss;
  InstrumentLine<Vec3, kMagnetometerLineSamples> line;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("turn_on_bias_gauss", "gauss", self.turn_on_bias_gauss, "drawn at the first tick");
    visit("line", "", self.line, "readings");
  }
};
static_assert(lists_every_field<MagnetometerState>());

/// The world at the tick.
struct MagnetometerInput {
  Quat attitude;
  Vec3 field_W_gauss;
  double battery_current_a = 0.0;  ///< sum of the packs
};

/// The reading of the tick at `now`. Does not allocate. Throws Error(kBadInput) if a fault's delay
/// does not fit.
MagnetometerReading step_magnetometer(const MagnetometerParameters& parameters,
                                      const RandomStream& stream, DurationUs period,
                                      const MagnetometerInput& input, const InstrumentFault& fault,
                                      TimeUs now, MagnetometerState& state);

template <>
struct InstrumentOnBus<MagnetometerParameters> {
  using State = MagnetometerState;
  static constexpr Signal kWrites = Signal::kMagnetometer;
  static constexpr SignalSet kReads = SignalSet::of(Signal::kTruth, Signal::kBattery);

  World world;

  InstrumentOnBus(const World& around, int /*rotor_count*/) : world(around) {}
  [[nodiscard]] MagnetometerInput input(const BusPort& bus) const;
  static MagnetometerReading step(const MagnetometerParameters& parameters,
                                  const InstrumentTick& tick, const MagnetometerInput& input,
                                  State& state) {
    return step_magnetometer(parameters, tick.stream, tick.period, input,
                             tick.fault(Instrument::kMagnetometer0), tick.now, state);
  }
};

}  // namespace tactus
