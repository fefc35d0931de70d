// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: integrates the same flights with many steps

// A hover in 5 m/s of Dryden turbulence with the `linear` rule does not depend on how often the
// wind is sampled: the spectrum of the position is the same within 5 % for ticks of 2, 5 and 20 ms.
//
// Winds of different ticks are different draws, and at 5 % their spectra would have to be averaged
// over hours. Both tests avoid that. The first samples one and the same air at each tick. The
// second flies the live wind and measures how the position follows it, |S_pw / S_ww|², which a
// different draw does not change; S_ww itself follows the specification at every tick
// (tests/world/turbulence_test.cpp).
//
// Truth for a coarse tick Δ: a process with spectrum ~ 1/f² that is sampled and joined by straight
// lines has sinc⁴(fΔ) Σ_k 1/(f + k/Δ)² = sinc²(fΔ) / f². At 20 ms and 1.5 Hz that is 0.3 % less.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/record/memory_log.h"
#include "tests/golden/flown.h"
#include "tests/support/engine.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

constexpr double kLogPeriod_s = 0.1;
constexpr std::size_t kSegment = 1024;  // rows
constexpr std::size_t kSettling = 400;  // rows before the first segment
struct Band {
  double low_hz, high_hz;
};
constexpr Band kBands[] = {{0.05, 0.2}, {0.2, 0.5}, {0.5, 1.5}};
constexpr int kBandCount = 3;

Spec hover_spec(std::uint64_t tick_us, std::size_t segments) {
  Spec spec = testing::spec_of(testing::quiet_iris(R"(
    log.period_s = 0.1
    [[pack]]
    id = "main"
    capacity_ah = 1.0e6
    ocv_v = [12.0, 12.0]
    [[event]]
    id = "up"
    at_s = 1.0
    do = "arm"
    [[event]]
    id = "go"
    at_s = 1.5
    do = "takeoff"
  )"));
  spec.builtin.takeoff_height_m = 10.0;
  spec.world.wind.mean_W_m_s = {4.0, 3.0, 0.0};
  spec.world.wind.turbulence = TurbulenceKind::kDryden;
  spec.world.wind.rule = WindRule::kLinear;
  spec.timeline.wind = DurationUs(tick_us);
  spec.timeline.end = DurationUs(100'000 * (kSettling + kSegment * segments));
  return spec;
}

using Spectrum = std::vector<std::complex<double>>;
using Powers = std::array<double, kBandCount>;

int bin_of(double frequency_hz) { return static_cast<int>(frequency_hz * kSegment * kLogPeriod_s); }

/// Fourier transform of the segment from row `start` under a Hann window, up to the highest band.
Spectrum transform(const std::vector<double>& column, std::size_t start) {
  double mean = 0.0;
  for (std::size_t k = 0; k < kSegment; ++k) mean += column[start + k] / kSegment;
  Spectrum spectrum(static_cast<std::size_t>(bin_of(kBands[kBandCount - 1].high_hz)));
  for (std::size_t k = 0; k < kSegment; ++k) {
    const double turn = 2.0 * math::kPi * static_cast<double>(k) / kSegment;
    const double value = (column[start + k] - mean) * 0.5 * (1.0 - std::cos(turn));
    for (std::size_t bin = 0; bin < spectrum.size(); ++bin) {
      spectrum[bin] += std::polar(value, -static_cast<double>(bin) * turn);
    }
  }
  return spectrum;
}

/// What a hover did, north and east together.
struct Motion {
  Powers position{};  ///< in each band
  Powers response{};  ///< the part that follows the wind, to a wind of spectrum 1/f²
};

Motion motion_of(const MemoryLog& log) {
  Motion motion;
  for (const char* axis : {".x", ".y"}) {
    const std::vector<double>& position = log.column(std::string("truth.position_ned_m") + axis);
    const std::vector<double>& wind = log.column(std::string("environment.wind_ned_m_s") + axis);
    Spectrum cross(kSegment);
    std::vector<double> pp(kSegment), ww(kSegment);
    for (std::size_t start = kSettling; start + kSegment <= position.size(); start += kSegment) {
      const Spectrum p = transform(position, start);
      const Spectrum w = transform(wind, start);
      for (std::size_t bin = 0; bin < p.size(); ++bin) {
        pp[bin] += std::norm(p[bin]);
        ww[bin] += std::norm(w[bin]);
        cross[bin] += p[bin] * std::conj(w[bin]);
      }
    }
    for (std::size_t b = 0; b < kBandCount; ++b) {
      for (int i = bin_of(kBands[b].low_hz); i < bin_of(kBands[b].high_hz); ++i) {
        const auto bin = static_cast<std::size_t>(i);
        motion.position[b] += pp[bin];
        motion.response[b] += std::norm(cross[bin] / ww[bin]) / (i * i);
      }
    }
  }
  return motion;
}

/// The wind at every millisecond of a hover, as the live source would draw it.
std::shared_ptr<const std::vector<Vec3>> draw_air(const Spec& spec) {
  const RandomStream stream(spec.seed, kWindStream);
  const WindInput hover{10.0, {}};
  constexpr DurationUs kFine(1'000);
  auto air = std::make_shared<std::vector<Vec3>>();
  WindState state = start_wind(spec.world.wind, stream, hover, TimeUs());
  for (std::uint64_t t = 0; t <= spec.timeline.end.us + 1'000'000; t += kFine.us) {
    air->push_back(step_wind(spec.world.wind, stream, hover, TimeUs(t), kFine, state).value_W_m_s);
  }
  return air;
}

/// That air at its ticks, joined by straight lines.
std::unique_ptr<Source> sampled(std::shared_ptr<const std::vector<Vec3>> air, DurationUs tick) {
  const SourceInfo info{.name = "sampled air",
                        .stage = Stage::kWind,
                        .axis = Axis::kWind,
                        .reads = {},
                        .writes = SignalSet::of(Signal::kWind),
                        .period = tick};
  return testing::toy(info, [air = std::move(air), tick](SourceContext& context) {
    const Vec3 now = (*air)[context.now.us / 1'000];
    const Vec3 next = (*air)[(context.now.us + tick.us) / 1'000];
    context.bus.write<Signal::kWind>() = {now, (1.0 / to_seconds(tick)) * (next - now),
                                          context.now};
  });
}

Motion fly_hover(const Spec& spec, std::vector<const Source*> instead = {}) {
  AssembleOptions options;
  options.instead = std::move(instead);
  Assembly flight = assemble(spec, options);
  MemoryLog log({"truth.position_ned_m.x", "truth.position_ned_m.y", "environment.wind_ned_m_s.x",
                 "environment.wind_ned_m_s.y", "truth.height_m"});
  const FlightOutcome outcome = testing::fly_spec(flight, {}, {&log});
  EXPECT_EQ(outcome.end, FlightEnd::kInTheAir);
  const std::vector<double>& height = log.column("truth.height_m");
  EXPECT_GT(*std::min_element(height.begin() + kSettling, height.end()), 9.0);
  return motion_of(log);
}

TEST(GoldenWindTick, OneAirSampledAtAnyTickMovesTheHoverAlike) {
  const std::size_t segments = 3;
  const auto air = draw_air(hover_spec(1'000, segments));
  const auto fly_at = [&](std::uint64_t tick_us) {
    const auto source = sampled(air, DurationUs(tick_us));
    return fly_hover(hover_spec(tick_us, segments), {source.get()}).position;
  };
  const Powers fine = fly_at(2'000);
  for (const std::uint64_t tick_us : {5'000U, 20'000U}) {
    const Powers powers = fly_at(tick_us);
    for (std::size_t b = 0; b < kBandCount; ++b) {
      EXPECT_NEAR(powers[b] / fine[b], 1.0, 0.05) << tick_us << " us, band " << b;
    }
  }
  // The measure is not blind: at 500 ms the highest band loses more than sinc²(0.5 · 0.5) = 0.81.
  EXPECT_LT(fly_at(500'000)[2] / fine[2], 0.81);
}

TEST(GoldenWindTick, TheLiveWindMovesTheHoverAlikeAtAnyTick) {
  if (testing::sanitized() && !testing::test_all()) {
    GTEST_SKIP() << "a statistic over 10 minutes of flight; the build without sanitizers has it";
  }
  const auto segments = static_cast<std::size_t>(testing::scaled(200));
  Powers fine{};
  for (const std::uint64_t tick_us : {2'000U, 5'000U, 20'000U}) {
    const Powers response = fly_hover(hover_spec(tick_us, segments)).response;
    if (tick_us == 2'000) fine = response;
    for (std::size_t b = 0; b < kBandCount; ++b) {
      EXPECT_NEAR(response[b] / fine[b], 1.0, 0.05) << tick_us << " us, band " << b;
    }
  }
}

}  // namespace
}  // namespace tactus
