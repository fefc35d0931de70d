// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What must have the same bits everywhere, as streams of numbers: the probe digests them on every
// compiler and processor, tests/gpu/same_bits.cu computes them on the device. A sink takes the
// numbers one by one: sink.add(double).

#include <cstdint>

#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/world/wind.h"
#include "tests/same_bits/pilot.h"

namespace tactus::same_bits {

inline constexpr std::uint64_t kSeed = 20260;
inline constexpr int kMathSamples = 2000;
inline constexpr int kRandomSamples = 4000;
inline constexpr int kWindTicks = 2000;

/// All one-argument functions.
template <class Sink>
TACTUS_NOINLINE TACTUS_HD void add_functions(double x, Sink& sink) {
  sink.add(math::sin(x));
  sink.add(math::cos(x));
  sink.add(math::tan(x));
  sink.add(math::asin(x));
  sink.add(math::acos(x));
  sink.add(math::atan(x));
  sink.add(math::exp(x));
  sink.add(math::expm1(x));
  sink.add(math::log(x));
  sink.add(math::log1p(x));
  sink.add(math::cbrt(x));
  sink.add(math::sqrt(x));
  sink.add(math::floor(x));
  sink.add(math::ceil(x));
  sink.add(math::trunc(x));
  sink.add(math::round(x));
  sink.add(math::rint(x));
}

template <class Sink>
TACTUS_NOINLINE TACTUS_HD void add_functions(double x, double y, Sink& sink) {
  sink.add(math::atan2(x, y));
  sink.add(math::pow(math::abs(x), y));
  sink.add(math::hypot(x, y));
}

/// Every elementary function where it is used, at its ends, and over all bit patterns.
template <class Sink>
TACTUS_HD inline void math_section(Sink& sink) {
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            0.5,
                            2.0,
                            0x1p-1074,
                            0x1p-1022,
                            0x1p53,
                            0x1p1023,
                            709.78,
                            -745.1,
                            math::kPi,
                            math::kHalfPi,
                            math::infinity(),
                            -math::infinity(),
                            math::canonical_nan()};
  for (const double x : special) {
    add_functions(x, sink);
    for (const double y : special) add_functions(x, y, sink);
  }
  constexpr RandomStream random(kSeed, "math section");
  for (std::uint64_t tick = 0; tick < kMathSamples; ++tick) {
    const PhiloxBlock bits = random.bits(tick, 0);
    const std::uint64_t word = (std::uint64_t{bits.word[0]} << 32) | bits.word[1];
    const double any = math::from_bits(word);  // huge and tiny alike
    const double subnormal = math::from_bits(word & 0x800fffffffffffffu);
    const double unit = 2.0 * random.uniform(tick, 1) - 1.0;
    const double moderate = 20.0 * (2.0 * random.uniform(tick, 2) - 1.0);
    const double large = 1e6 * (2.0 * random.uniform(tick, 3) - 1.0);
    add_functions(any, sink);
    add_functions(subnormal, sink);
    add_functions(unit, sink);
    add_functions(moderate, sink);
    add_functions(large, sink);
    add_functions(any, large, sink);
    add_functions(moderate, unit, sink);
    add_functions(unit, moderate, sink);
    add_functions(1.0 + 1e-3 * unit, large, sink);
  }
}

template <class Sink>
TACTUS_HD inline void add(Vec3 v, Sink& sink) {
  sink.add(v.x);
  sink.add(v.y);
  sink.add(v.z);
}

/// Uniform and normal numbers, and rotations made of them.
template <class Sink>
TACTUS_HD inline void random_section(Sink& sink) {
  constexpr RandomStream random(kSeed, "random section");
  for (std::uint64_t tick = 0; tick < kRandomSamples; ++tick) {
    sink.add(random.uniform(tick));
    sink.add(random.uniform_open(tick, 1));
    const Vec3 v = random.normal3(tick, 2);
    const Quat q = exp_rotation(random.normal3(tick, 3));
    add(v, sink);
    add(rotate(q, v), sink);
    add(log_rotation(q), sink);
    add(inverse(Mat3::diagonal({1.0, 2.0, 3.0}) + outer(v, v)) * v, sink);
  }
}

TACTUS_HD inline WindParameters wind_of_kind(TurbulenceKind kind, WindRule rule) {
  WindParameters p;
  p.turbulence = kind;
  p.rule = rule;
  p.mean_W_m_s = {3.0, 1.0, 0.0};
  p.shear_exponent = 1.0 / 7.0;
  p.gust_count = 2;
  p.gusts[0] = {GustShape::kStep, {0.5, 0.0, 0.2}, TimeUs(5'000'000), TimeUs(9'000'000)};
  p.gusts[1] = {GustShape::kOneMinusCosine, {0.0, 2.0, 0.0}, TimeUs(7'000'000), TimeUs(11'000'000)};
  return p;
}

/// Every wind process, while climbing slowly.
template <class Sink>
TACTUS_HD inline void wind_section(Sink& sink) {
  const DurationUs period(20'000);
  constexpr RandomStream stream(kSeed, "wind section");
  for (int kind = 0; kind < 4; ++kind) {
    const WindParameters p = wind_of_kind(static_cast<TurbulenceKind>(kind),
                                          kind % 2 == 0 ? WindRule::kHold : WindRule::kLinear);
    WindState state = start_wind(p, stream, {}, TimeUs(0));
    for (std::uint64_t tick = 0; tick < kWindTicks; ++tick) {
      const WindInput input{0.01 * static_cast<double>(tick), {1.0, 0.0, -0.5}};
      const WindSample sample =
          step_wind(p, stream, input, TimeUs(tick * period.us), period, state);
      add(sample.value_W_m_s, sink);
      add(sample.slope_W_m_s2, sink);
    }
  }
}

}  // namespace tactus::same_bits
