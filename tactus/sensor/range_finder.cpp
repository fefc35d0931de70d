// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/range_finder.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

constexpr std::uint32_t kWhiteChannel = 0;
constexpr std::uint32_t kGarbageChannel = 4;

}  // namespace

void validate(const RangeFinderParameters& p, std::string_view where) {
  require_each_within(where, "position_body_m", p.position_B_m, -100.0, 100.0);
  require_not_negative(where, "lowest_m", p.lowest_m);
  require_finite(where, "highest_m", p.highest_m);
  if (p.highest_m <= p.lowest_m) {
    refuse(where, "highest_m", p.highest_m,
           fmt::format("must be greater than lowest_m = {}", p.lowest_m));
  }
  require_within(where, "offset_m", p.offset_m, -100.0, 100.0);
  require_within(where, "noise_sigma_m", p.noise_sigma_m, 0.0, 100.0);
  require_within(where, "noise_relative", p.noise_relative, 0.0, 1.0);
  require_within(where, "resolution_m", p.resolution_m, 0.0, p.highest_m);
}

RangeReading step_range_finder(const RangeFinderParameters& p, const RandomStream& stream,
                               DurationUs period, const RangeFinderInput& input,
                               const InstrumentFault& fault, TimeUs now, RangeFinderState& state) {
  auto& line = state.line;
  const double distance = distance_down_m(input, p.position_B_m);
  const bool in_range = distance >= p.lowest_m && distance <= p.highest_m;
  double measured = math::clamp(distance, p.lowest_m, p.highest_m);
  if (in_range) {
    const double sigma = fault.noise_scale * (p.noise_sigma_m + p.noise_relative * distance);
    measured += p.offset_m + white_noise(stream, line.taken, kWhiteChannel, sigma) + fault.bias.x;
    measured = quantise(math::max(measured, 0.0), p.resolution_m);
  }
  const auto garbage = [&](std::uint64_t tick) {
    return RangeSample{true,
                       uniform_within(stream, tick, kGarbageChannel, p.lowest_m, p.highest_m)};
  };
  deliver(fault, DurationUs(), period, now, RangeSample{in_range, measured}, garbage, line);
  return {line.measured_at, line.count, line.reading.in_range, line.reading.distance_m};
}

}  // namespace tactus
