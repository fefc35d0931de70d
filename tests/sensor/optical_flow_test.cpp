// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Against closed forms and against the textbook's flow rates, ω − v/d, integrated finely.

#include "tactus/sensor/optical_flow.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

static_assert(std::is_trivially_copyable_v<OpticalFlowState>);

constexpr DurationUs kPeriod{20'000};
constexpr double kPeriod_s = 0.02;

OpticalFlowParameters exact() {
  OpticalFlowParameters p;
  p.flow_noise_rad_s_sqrthz = p.gyro_noise_rad_s_sqrthz = p.gyro_bias_sigma_rad_s = 0.0;
  p.distance_noise_sigma_m = 0.0;
  return p;
}

struct Bench {
  explicit Bench(const OpticalFlowParameters& p, DurationUs tick = kPeriod, std::uint64_t seed = 1)
      : parameters(p), period(tick), stream(seed, "optical_flow0") {}

  OpticalFlowReading step(const OpticalFlowInput& input, const InstrumentFault& fault = {}) {
    return step_optical_flow(parameters, stream, period, input, fault,
                             TimeUs(0) + state.line.taken * period, state);
  }
  /// The second of two ticks between which the vehicle goes from one to the other.
  OpticalFlowReading between(const OpticalFlowInput& from, const OpticalFlowInput& to) {
    step(from);
    return step(to);
  }

  OpticalFlowParameters parameters;
  DurationUs period;
  RandomStream stream;
  OpticalFlowState state;
};

/// Over flat ground at the down coordinate 0.
OpticalFlowInput at(Vec3 position_W_m, Quat attitude = {}) {
  return {{attitude, -position_W_m.z}, position_W_m};
}

TEST(OpticalFlow, OfLevelMotionIsVelocityOverHeight) {
  for (const Vec3 v : {Vec3{3.0, 0.0, 0.0}, Vec3{0.0, 2.0, 0.0}, Vec3{-1.5, 0.7, 0.0}}) {
    for (const double height : {1.0, 8.0, 25.0}) {
      Bench bench(exact());
      const OpticalFlowReading r =
          bench.between(at({5.0, -3.0, -height}), at(Vec3{5.0, -3.0, -height} + kPeriod_s * v));
      EXPECT_NEAR(r.flow_y_rad / kPeriod_s, v.x / height, 1e-12) << "forward: positive about y";
      EXPECT_NEAR(r.flow_x_rad / kPeriod_s, -v.y / height, 1e-12) << "right: negative about x";
      EXPECT_EQ(r.turn_S_rad, Vec3{});
      EXPECT_EQ(r.distance_m, height);
      EXPECT_EQ(r.integration, kPeriod);
      EXPECT_EQ(r.measured_at, TimeUs(20'000));
    }
  }
}

TEST(OpticalFlow, OfATurnIsThatOfItsGyroscope) {
  const double angle = 0.03;
  for (const Vec3 turn : {Vec3{angle, 0, 0}, Vec3{0, -angle, 0}, Vec3{0, 0, angle}}) {
    Bench bench(exact());
    const OpticalFlowReading r =
        bench.between(at({0, 0, -5.0}), at({0, 0, -5.0}, exp_rotation(turn)));
    EXPECT_NEAR(r.flow_x_rad, turn.x, 1e-15);
    EXPECT_NEAR(r.flow_y_rad, turn.y, 1e-15);
    EXPECT_NEAR(norm(r.turn_S_rad - turn), 0.0, 1e-15);
  }
}

// Below the centre of mass a camera is carried along by a pitching body: ω (1 + a/d).
TEST(OpticalFlow, AwayFromTheCentreOfMassATurnMovesTheCamera) {
  OpticalFlowParameters p = exact();
  p.position_B_m = {0.0, 0.0, 0.5};
  Bench bench(p);
  const double angle = 1e-3;
  const OpticalFlowReading r = bench.between(at({0, 0, -4.5}, exp_rotation({0, -angle / 2, 0})),
                                             at({0, 0, -4.5}, exp_rotation({0, angle / 2, 0})));
  EXPECT_NEAR(r.distance_m, 4.0, 1e-6);
  EXPECT_NEAR(r.flow_y_rad, angle * (1.0 + 0.5 / 4.0), 1e-9);
  EXPECT_NEAR(r.turn_S_rad.y, angle, 1e-15);
}

// Level flight along a rising slope: ∫ v/(h − v t tan s) dt is a logarithm.
TEST(OpticalFlow, OverSlopedGround) {
  const double slope = 0.2;
  const double rise = math::tan(slope);
  const double height = 6.0;
  const double v = 4.0;
  const Vec3 normal{-math::sin(slope), 0.0, -math::cos(slope)};
  Bench bench(exact());
  double sum = 0.0;
  for (int k = 0; k <= 250; ++k) {
    const double x = v * kPeriod_s * k;
    const double above = height - rise * x;  // vertically
    const OpticalFlowReading r =
        bench.step({{{}, above * math::cos(slope), normal}, {x, 0.0, -height}});
    EXPECT_NEAR(r.distance_m, above, 1e-12);
    sum += r.flow_y_rad;
  }
  const double way = v * kPeriod_s * 250;
  const double integral = math::log(height / (height - rise * way)) / rise;
  EXPECT_NEAR(sum, integral, 3e-5);
  // What is left is the error of the trapezoidal rule, T²/12 (f'(b) − f'(a)).
  const auto slope_of = [&](double above) { return v * v * rise / (above * above); };
  const double left =
      kPeriod_s * kPeriod_s / 12.0 * (slope_of(height - rise * way) - slope_of(height));
  EXPECT_NEAR(sum - integral, left, 1e-8);
}

// What it adds up to is the way over the height, however the vehicle got there and however often
// it was read.
TEST(OpticalFlow, TheSumIsTheIntegral) {
  const auto x = [](double t) { return 2.0 * math::sin(3.0 * t) + t * t; };
  const auto y = [](double t) { return math::cos(2.0 * t); };
  const double height = 3.0;
  for (const std::uint64_t period_us : {5'000U, 20'000U, 100'000U}) {
    Bench bench(exact(), DurationUs(period_us));
    bench.parameters.highest_rate_rad_s = 100.0;
    double sum_x = 0.0;
    double sum_y = 0.0;
    for (std::uint64_t us = 0; us <= 2'000'000; us += period_us) {
      const double t = 1e-6 * static_cast<double>(us);
      const OpticalFlowReading r = bench.step(at({x(t), y(t), -height}));
      sum_x += r.flow_x_rad;
      sum_y += r.flow_y_rad;
    }
    EXPECT_NEAR(sum_y, (x(2.0) - x(0.0)) / height, 1e-12);
    EXPECT_NEAR(sum_x, -(y(2.0) - y(0.0)) / height, 1e-12);
  }
}

/// A vehicle that climbs, drifts and tumbles about all axes.
struct Tumble {
  static Vec3 position(double t) {
    return {1.5 * math::sin(2.0 * t), math::cos(1.3 * t), -6.0 - 2.0 * math::sin(t)};
  }
  static Quat attitude(double t) {
    return from_euler({0.3 * math::sin(3.0 * t), 0.25 * math::cos(2.5 * t), 0.8 * t});
  }
  static OpticalFlowInput input(double t) { return at(position(t), attitude(t)); }
};

/// Another formulation: rates ω_x − v_y/d and ω_y + v_x/d by central differences, summed at the
/// middles of very short intervals.
struct Textbook {
  double flow_x_rad = 0.0;
  double flow_y_rad = 0.0;

  Textbook(Vec3 position_B_m, double begin_s, double end_s) {
    constexpr int kPieces = 400;
    constexpr double kStep = 1e-4;
    const double dt = (end_s - begin_s) / kPieces;
    const auto camera = [&](double t) {
      return Tumble::position(t) + rotate(Tumble::attitude(t), position_B_m);
    };
    for (int i = 0; i < kPieces; ++i) {
      const double t = begin_s + (i + 0.5) * dt;
      const Quat q = Tumble::attitude(t);
      const Vec3 rate_B =
          log_rotation(conjugate(Tumble::attitude(t - kStep)) * Tumble::attitude(t + kStep)) /
          (2.0 * kStep);
      const Vec3 v_B = rotate_inverse(q, camera(t + kStep) - camera(t - kStep)) / (2.0 * kStep);
      const double distance = -camera(t).z / rotation_matrix(q).m[2][2];
      flow_x_rad += dt * (rate_B.x - v_B.y / distance);
      flow_y_rad += dt * (rate_B.y + v_B.x / distance);
    }
  }
};

TEST(OpticalFlow, ConvergesToTheTextbooksRatesWithTheSquareOfTheInterval) {
  OpticalFlowParameters p = exact();
  p.position_B_m = {0.2, -0.1, 0.3};
  p.highest_rate_rad_s = 100.0;
  const double end_s = 0.8;
  const Textbook truth(p.position_B_m, 0.0, end_s);
  double last = 0.0;
  for (const std::uint64_t period_us : {40'000U, 20'000U, 10'000U}) {
    Bench bench(p, DurationUs(period_us));
    double x = 0.0;
    double y = 0.0;
    for (std::uint64_t us = 0; us <= 800'000; us += period_us) {
      const OpticalFlowReading r = bench.step(Tumble::input(1e-6 * static_cast<double>(us)));
      x += r.flow_x_rad;
      y += r.flow_y_rad;
    }
    const double error = math::hypot(x - truth.flow_x_rad, y - truth.flow_y_rad);
    EXPECT_LT(error, 3e-3);
    if (last > 0.0) {
      EXPECT_GT(last / error, 3.3) << period_us;
      EXPECT_LT(last / error, 4.7) << period_us;
    }
    last = error;
  }
}

// PX4's filter takes the turn off and multiplies by the distance (optical flow fusion of EKF2).
TEST(OpticalFlow, Px4FindsTheVelocityInIt) {
  Bench bench(exact());
  const Quat from = from_euler({0.1, -0.2, 0.7});
  const Quat to = from * exp_rotation({0.004, -0.006, 0.003});
  const Vec3 v_W{2.0, -1.0, 0.3};
  const OpticalFlowReading r =
      bench.between(at({0, 0, -7.0}, from), at(Vec3{0, 0, -7.0} + kPeriod_s * v_W, to));
  const Vec3 v_B = rotate_inverse(from, v_W);
  EXPECT_NEAR((r.flow_y_rad - r.turn_S_rad.y) / kPeriod_s * r.distance_m, v_B.x, 0.02);
  EXPECT_NEAR(-(r.flow_x_rad - r.turn_S_rad.x) / kPeriod_s * r.distance_m, v_B.y, 0.02);
}

TEST(OpticalFlow, ACameraThatIsTurnedTellsInItsOwnAxes) {
  const Vec3 v{2.0, 0.5, 0.0};
  const Vec3 turn{0.01, -0.02, 0.005};
  const OpticalFlowInput from = at({0, 0, -5.0});
  const OpticalFlowInput to = at(Vec3{0, 0, -5.0} + kPeriod_s * v, exp_rotation(turn));
  Bench straight(exact());
  const OpticalFlowReading a = straight.between(from, to);
  for (int step = 0; step < 8; ++step) {
    OpticalFlowParameters p = exact();
    p.yaw_deg = 45.0 * step;
    EXPECT_NO_THROW(validate(p, "optical_flow"));
    Bench bench(p);
    const OpticalFlowReading r = bench.between(from, to);
    // As PX4 turns it back by SENS_FLOW_ROT: a vector in the plane, by the yaw.
    const double yaw = p.yaw_deg * math::kDegToRad;
    const double c = math::cos(yaw);
    const double s = math::sin(yaw);
    EXPECT_NEAR(c * r.flow_x_rad - s * r.flow_y_rad, a.flow_x_rad, 1e-14);
    EXPECT_NEAR(s * r.flow_x_rad + c * r.flow_y_rad, a.flow_y_rad, 1e-14);
    EXPECT_NEAR(c * r.turn_S_rad.x - s * r.turn_S_rad.y, turn.x, 1e-14);
    EXPECT_NEAR(s * r.turn_S_rad.x + c * r.turn_S_rad.y, turn.y, 1e-14);
    EXPECT_NEAR(r.turn_S_rad.z, turn.z, 1e-14);
  }
}

TEST(OpticalFlow, TheFirstTickHasNoInterval) {
  Bench bench{OpticalFlowParameters{}};
  const OpticalFlowReading r = bench.step(at({0, 0, -5.0}));
  EXPECT_EQ(r.count, 1U);
  EXPECT_EQ(r.integration.us, 0U);
  EXPECT_EQ(r.quality, 0);
  EXPECT_EQ(r.flow_x_rad, 0.0);
  EXPECT_EQ(r.turn_S_rad, Vec3{});
  EXPECT_NEAR(r.distance_m, 5.0, 0.2);
  EXPECT_EQ(r.temperature_c, 35.0);
}

// ---- quality

std::uint8_t quality_at(double height, double rate_rad_s) {
  Bench bench(exact());
  const double way = height * rate_rad_s * kPeriod_s;
  return bench.between(at({0, 0, -height}), at({way, 0, -height})).quality;
}

TEST(OpticalFlow, QualityFallsWithHeightAndRate) {
  EXPECT_EQ(quality_at(0.1, 0.0), 255);
  EXPECT_EQ(quality_at(15.0, 0.0), 191) << "255 · 3/4";
  EXPECT_EQ(quality_at(15.0, 3.7), 143) << "255 · 9/16";
  int last = 256;
  for (double height = 1.0; height < 30.0; height += 2.0) {
    const int here = quality_at(height, 0.5);
    EXPECT_LT(here, last);
    EXPECT_GT(here, 0);
    last = here;
  }
}

TEST(OpticalFlow, OutsideOfItsLimitsItIsNotToBeUsed) {
  EXPECT_EQ(quality_at(0.05, 0.0), 0) << "too near";
  EXPECT_EQ(quality_at(31.0, 0.0), 0) << "too far";
  EXPECT_EQ(quality_at(5.0, 7.5), 0) << "too fast";
  Bench bench(exact());
  const OpticalFlowReading fast = bench.between(at({0, 0, -5.0}), at({3.0, -3.0, -5.0}));
  EXPECT_EQ(fast.quality, 0);
  EXPECT_EQ(fast.flow_y_rad, 7.4 * kPeriod_s) << "as much as it can tell";
  EXPECT_EQ(fast.flow_x_rad, 7.4 * kPeriod_s);
  EXPECT_NEAR(fast.distance_m, 5.0, 1e-12) << "which it measures apart";
}

TEST(OpticalFlow, WithoutGroundInViewItSeesItsOwnTurnOnly) {
  const Quat upside_down = from_euler({math::kPi, 0.0, 0.0});
  const Vec3 turn{0.01, 0.02, 0.0};
  Bench back(exact());
  const OpticalFlowReading r = back.between(at({0, 0, -5.0}, upside_down),
                                            at({1.0, 1.0, -5.0}, upside_down * exp_rotation(turn)));
  EXPECT_EQ(r.quality, 0);
  EXPECT_EQ(r.distance_m, -1.0);
  EXPECT_NEAR(r.flow_x_rad, turn.x, 1e-14);
  EXPECT_NEAR(r.flow_y_rad, turn.y, 1e-14);
  Bench space(exact());
  OpticalFlowInput nowhere = at({0, 0, -5.0});
  nowhere.ground.ground_present = false;
  EXPECT_EQ(space.between(nowhere, nowhere).distance_m, -1.0);
  EXPECT_EQ(space.step(nowhere).quality, 0);
}

TEST(OpticalFlow, BelowTheGroundNothingBlowsUp) {
  Bench bench(exact());
  const OpticalFlowReading r = bench.between(at({0, 0, 0.01}), at({0.001, 0, 0.01}));
  EXPECT_NEAR(r.flow_y_rad, 0.001 / 0.08, 1e-12) << "that at the lowest distance";
  EXPECT_EQ(r.quality, 0);
  EXPECT_EQ(r.distance_m, -1.0);
}

TEST(OpticalFlow, OneWithoutARangeFinderNeverKnowsTheDistance) {
  OpticalFlowParameters p = exact();
  p.measures_distance = false;
  Bench bench(p);
  const OpticalFlowReading r = bench.between(at({0, 0, -5.0}), at({0.1, 0, -5.0}));
  EXPECT_EQ(r.distance_m, -1.0);
  EXPECT_NEAR(r.flow_y_rad, 0.02, 1e-12);
  EXPECT_GT(r.quality, 100);
}

// ---- errors

struct Spread {
  double mean = 0.0;
  double variance = 0.0;
};

template <class Get>
Spread spread_of(const std::vector<OpticalFlowReading>& readings, Get get) {
  Spread s;
  const double n = static_cast<double>(readings.size());
  for (const OpticalFlowReading& r : readings) s.mean += get(r) / n;
  for (const OpticalFlowReading& r : readings) s.variance += math::square(get(r) - s.mean) / n;
  return s;
}

// The deviation of an integral of white noise grows with the root of the interval, so the same
// camera read at another rate is as good.
TEST(OpticalFlow, NoiseIsADensity) {
  OpticalFlowParameters p;
  p.gyro_bias_sigma_rad_s = 0.0;
  for (const std::uint64_t period_us : {10'000U, 40'000U}) {
    Bench bench(p, DurationUs(period_us));
    bench.step(at({0, 0, -5.0}));
    std::vector<OpticalFlowReading> readings;
    const int n = 20'000;
    for (int k = 0; k < n; ++k) readings.push_back(bench.step(at({0, 0, -5.0})));
    const double dt_s = 1e-6 * static_cast<double>(period_us);
    const auto check = [&](double expected, auto get) {
      const Spread s = spread_of(readings, get);
      EXPECT_NEAR(s.variance, expected, expected * 4.0 * math::sqrt(2.0 / n));
      EXPECT_NEAR(s.mean, 0.0, 4.0 * math::sqrt(expected / n));
    };
    check(math::square(5e-3) * dt_s, [](const auto& r) { return r.flow_x_rad; });
    check(math::square(5e-3) * dt_s, [](const auto& r) { return r.flow_y_rad; });
    check(math::square(5e-4) * dt_s, [](const auto& r) { return r.turn_S_rad.x; });
    check(math::square(5e-4) * dt_s, [](const auto& r) { return r.turn_S_rad.z; });
    check(math::square(0.02), [](const auto& r) { return r.distance_m - 5.0; });
  }
}

TEST(OpticalFlow, TheGyroscopesBiasIsDrawnOnce) {
  OpticalFlowParameters p = exact();
  p.gyro_bias_sigma_rad_s = 0.01;
  const int n = 4'000;
  double square = 0.0;
  for (int seed = 0; seed < n; ++seed) {
    Bench bench(p, kPeriod, static_cast<std::uint64_t>(seed));
    const double first = bench.between(at({0, 0, -5.0}), at({0, 0, -5.0})).turn_S_rad.y;
    EXPECT_EQ(bench.step(at({0, 0, -5.0})).turn_S_rad.y, first);
    square += math::square(first / kPeriod_s) / n;
  }
  EXPECT_NEAR(square, 1e-4, 1e-4 * 4.0 * math::sqrt(2.0 / n));
}

TEST(OpticalFlow, ScaleErrorAndFaults) {
  OpticalFlowParameters p = exact();
  p.flow_scale_error = 0.1;
  const OpticalFlowInput from = at({0, 0, -5.0});
  const OpticalFlowInput to = at({0.1, 0, -5.0});
  Bench scaled(p);
  EXPECT_NEAR(scaled.between(from, to).flow_y_rad, 1.1 * 0.02, 1e-15);

  Bench bench(exact());
  InstrumentFault fault;
  fault.bias = {0.5, -0.25, 99.0};
  bench.step(from);
  const OpticalFlowReading biased = bench.step(from, fault);
  EXPECT_NEAR(biased.flow_x_rad, 0.5 * kPeriod_s, 1e-15);
  EXPECT_NEAR(biased.flow_y_rad, -0.25 * kPeriod_s, 1e-15);
  EXPECT_EQ(biased.turn_S_rad, Vec3{});
  EXPECT_EQ(biased.distance_m, 5.0);

  fault = {};
  fault.mask = instrument_bit(InstrumentBit::kDropout);
  EXPECT_EQ(bench.step(to, fault).count, 2U);
  fault.mask = instrument_bit(InstrumentBit::kStuck);
  const OpticalFlowReading stuck = bench.step(to, fault);
  EXPECT_EQ(stuck.count, 3U);
  EXPECT_EQ(stuck.flow_x_rad, biased.flow_x_rad);
  // What was missed is gone: the next interval is its own.
  EXPECT_EQ(bench.step(to).flow_y_rad, 0.0);

  fault = {};
  fault.delay_us = 40'000;
  bench.step(from, fault);
  bench.step(from, fault);
  EXPECT_NEAR(bench.step(from, fault).flow_y_rad, -0.02, 1e-12) << "of two ticks ago";
}

TEST(OpticalFlow, NoiseFaultScalesTheNoiseAlone) {
  const OpticalFlowInput still = at({0, 0, -5.0});
  InstrumentFault fault;
  fault.noise_scale = 3.0;
  OpticalFlowParameters p;
  p.gyro_bias_sigma_rad_s = 0.0;
  Bench calm(p);
  Bench loud(p);
  calm.step(still);
  loud.step(still);
  const OpticalFlowReading a = calm.step(still);
  const OpticalFlowReading b = loud.step(still, fault);
  EXPECT_NEAR(b.flow_x_rad, 3.0 * a.flow_x_rad, 1e-15);
  EXPECT_NEAR(b.turn_S_rad.z, 3.0 * a.turn_S_rad.z, 1e-15);
  EXPECT_NEAR(b.distance_m - 5.0, 3.0 * (a.distance_m - 5.0), 1e-12);
}

TEST(OpticalFlow, GarbageFillsItsRange) {
  Bench bench{OpticalFlowParameters{}};
  InstrumentFault fault;
  fault.mask = instrument_bit(InstrumentBit::kGarbage);
  const double most = 7.4 * kPeriod_s;
  double lowest = most;
  double highest = -most;
  int best = 0;
  for (int k = 0; k < 300; ++k) {
    const OpticalFlowReading r = bench.step(at({0, 0, -5.0}), fault);
    for (const double value : {r.flow_x_rad, r.flow_y_rad, r.turn_S_rad.x}) {
      lowest = math::min(lowest, value);
      highest = math::max(highest, value);
    }
    best = r.quality > best ? r.quality : best;
    EXPECT_GE(r.distance_m, 0.08);
    EXPECT_LE(r.distance_m, 30.0);
  }
  EXPECT_GE(lowest, -most);
  EXPECT_LT(lowest, -0.9 * most);
  EXPECT_LE(highest, most);
  EXPECT_GT(highest, 0.9 * most);
  EXPECT_GT(best, 240);
}

TEST(OpticalFlow, BadParametersAreRefused) {
  const auto refused = [](void (*harm)(OpticalFlowParameters&)) {
    OpticalFlowParameters p;
    harm(p);
    EXPECT_THROW(validate(p, "optical_flow"), Error);
  };
  EXPECT_NO_THROW(validate(OpticalFlowParameters{}, "optical_flow"));
  refused([](OpticalFlowParameters& p) { p.yaw_deg = 30.0; });
  refused([](OpticalFlowParameters& p) { p.yaw_deg = 360.0; });
  refused([](OpticalFlowParameters& p) { p.lowest_m = 0.0; });
  refused([](OpticalFlowParameters& p) { p.highest_m = 0.05; });
  refused([](OpticalFlowParameters& p) { p.highest_rate_rad_s = 0.0; });
  refused([](OpticalFlowParameters& p) { p.flow_scale_error = 0.6; });
  refused([](OpticalFlowParameters& p) { p.flow_noise_rad_s_sqrthz = -1.0; });
  refused([](OpticalFlowParameters& p) { p.gyro_bias_sigma_rad_s = math::infinity(); });
}

}  // namespace
}  // namespace tactus
