// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/multirotor_tap.h"

#include <cstddef>
#include <span>

#include "tactus/core/assert.h"

namespace tactus {
namespace {

struct TappedMultirotor : MultirotorSystem {
  TimeUs from;
  RhsTap* tap;

  Status derivative(double t_s, const double* x, double* dx) const {
    MultirotorOutputs out;
    const Status status = evaluate(shape, *vehicle, *modes, *input, t_s, x, dx, &out);
    const auto entries = static_cast<std::size_t>(size());
    const auto buses = static_cast<std::size_t>(shape.counts().buses);
    if (status != Status::kOk) {
      for (std::size_t i = 0; i < entries; ++i) dx[i] = math::canonical_nan();
    }
    double residual_a[kMaxBuses] = {};
    for (int b = 0; b < shape.counts().buses; ++b) {
      residual_a[b] = bus_residual_a(vehicle->network.bus[b], out.power, b);
    }
    tap->evaluated({from, t_s, std::span(x, entries), std::span<const double>(dx, entries),
                    std::span(out.power.bus_v).first(buses), std::span(residual_a).first(buses)});
    return status;
  }
};

/// One observer type for both cases: guards make the solver keep dense output anyway.
struct SampleIfAsked {
  TimeUs end;
  MultirotorSamples* samples;
  void operator()(const DenseOutput& step) const {
    if (samples != nullptr) Sampler<kMultirotorCapacity>{end, samples}(step);
  }
};

}  // namespace

AdvanceResult advance_tapped(const MultirotorSystem& system, const SolverConfig& config,
                             SolverMemory<kMultirotorCapacity>& memory, TimeUs t0, TimeUs t1,
                             double* x, MultirotorSamples* samples, RhsTap& tap) {
  TACTUS_ASSERT(t0 <= t1, "an interval that goes forward");
  TACTUS_ASSERT(samples == nullptr || samples->period.us > 0, "samples at a period");
  const TappedMultirotor tapped{system, t0, &tap};
  return advance(tapped, config, memory, t0, t1, x, SampleIfAsked{t1, samples});
}

}  // namespace tactus
