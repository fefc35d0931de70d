// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An observer of `advance` that keeps the states at whole multiples of a period strictly inside an
// interval, from dense output. Sampling does not change the flight.

#include <cstdint>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/time.h"
#include "tactus/solver/dense_output.h"

namespace tactus {

template <int Capacity>
struct StateSamples {
  struct Sample {
    TimeUs time;
    double x[Capacity];
  };
  DurationUs period;
  std::vector<Sample> samples;

  /// Forgets what lies at `time` or after it.
  void drop_from(TimeUs time) {
    while (!samples.empty() && samples.back().time >= time) samples.pop_back();
  }
};

template <int Capacity>
struct Sampler {
  TimeUs end;
  StateSamples<Capacity>* out;

  void operator()(const DenseOutput& step) const {
    TACTUS_ASSERT(out != nullptr && out->period.us > 0, "samples at a period");
    TACTUS_ASSERT(step.length.us > 0 && step.size <= Capacity, "a step of such a state");
    // A step that was taken back is reported again from its start.
    out->drop_from(step.start + DurationUs(1));
    const std::uint64_t period = out->period.us;
    const TimeUs last = step.start + step.length;
    for (std::uint64_t t = (step.start.us / period + 1) * period; t <= last.us && t < end.us;
         t += period) {
      TACTUS_ASSERT(out->samples.empty() || out->samples.back().time < TimeUs(t),
                    "samples in the order of time");
      auto& sample = out->samples.emplace_back();
      sample.time = TimeUs(t);
      step.evaluate(static_cast<double>(t - step.start.us) / static_cast<double>(step.length.us),
                    sample.x);
    }
  }
};

}  // namespace tactus
