// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Distance to the ground along the body's down axis.
//
//   d = h / (−n · z_B)        h: height of the instrument along the ground's normal n (up)
//   reading = d + offset + (σ + σ_r d) ξ + fault bias → round
// In range: the beam meets the plane between the lowest and the highest distance. Otherwise the
// reading says so and stands at the limit that was passed (a beam that meets no ground: the
// highest). Metres. A plane has no edge: the width of the beam does not matter.

#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/instrument.h"
#include "tactus/signal/signals.h"

namespace tactus {

struct RangeFinderParameters {
  Vec3 position_B_m;
  double lowest_m = 0.1;
  double highest_m = 40.0;
  double offset_m = 0.0;
  double noise_sigma_m = 0.02;
  double noise_relative = 0.002;
  double resolution_m = 0.001;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_body_m", "m", self.position_B_m, "from the centre of mass");
    visit("lowest_m", "m", self.lowest_m, "nearest distance it can measure");
    visit("highest_m", "m", self.highest_m, "farthest distance it can measure");
    visit("offset_m", "m", self.offset_m, "constant error");
    visit("noise_sigma_m", "m", self.noise_sigma_m, "white noise of a reading, deviation");
    visit("noise_relative", "1", self.noise_relative, "the same, per distance");
    visit("resolution_m", "m", self.resolution_m, "one digit; 0: none");
  }
};
static_assert(lists_every_field<RangeFinderParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const RangeFinderParameters& parameters, std::string_view where);

inline constexpr std::size_t kRangeFinderLineSamples = 16;
constexpr std::size_t line_samples(const RangeFinderParameters& /*parameters*/) {
  return kRangeFinderLineSamples;
}

/// What is on its way to the reader.
struct RangeSample {
  bool in_range = false;
  double distance_m = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("in_range", "", self.in_range, "false: nothing within its limits");
    visit("distance_m", "m", self.distance_m, "along the beam");
  }
};
static_assert(lists_every_field<RangeSample>());

/// Copyable; a default one is the state before the first tick.
struct RangeFinderState {
  InstrumentLine<RangeSample, kRangeFinderLineSamples> line;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("line", "", self.line, "readings");
  }
};
static_assert(lists_every_field<RangeFinderState>());

/// The world at the tick.
struct RangeFinderInput {
  Quat attitude;
  double height_m = 0.0;                 ///< of the centre of mass, along the normal
  Vec3 ground_normal_W{0.0, 0.0, -1.0};  ///< up
  bool ground_present = true;
};

/// The reading of the tick at `now`. Does not allocate. Throws Error(kBadInput) if a fault's delay
/// does not fit.
RangeReading step_range_finder(const RangeFinderParameters& parameters, const RandomStream& stream,
                               DurationUs period, const RangeFinderInput& input,
                               const InstrumentFault& fault, TimeUs now, RangeFinderState& state);

}  // namespace tactus
