// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/power_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/plant/motor.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double within(double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  double log_within(double lo, double hi) { return std::exp(within(std::log(lo), std::log(hi))); }
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  bool chance(double p) { return within(0.0, 1.0) < p; }

 private:
  std::mt19937_64 engine_;
};

/// Everything a solve needs.
struct Network {
  PowerNetworkParameters parameters;
  PowerNetwork network;
  PackSource source[kMaxPacks] = {};
  LoadCurve motor[kMaxMotors] = {};
  double avionics_w[kMaxBuses] = {};

  void prepare() { network = make_power_network(parameters, "power"); }
  [[nodiscard]] PowerSolution solve() const {
    PowerSolution solution;
    solve_power_network(network, source, motor, avionics_w, solution);
    add_load_currents(network, motor, avionics_w, solution);
    return solution;
  }
  [[nodiscard]] BusProblem problem(int b) const {
    return {&network.bus[b], source, motor, avionics_w[b]};
  }
};

Network one_pack(double emf_v, double r_ohm, double avionics_w, int motors = 0) {
  Network n;
  n.parameters.motor_count = motors;
  n.prepare();
  n.source[0] = {emf_v, 1.0 / r_ohm, false};
  n.avionics_w[0] = avionics_w;
  return n;
}

/// A resistor: I = V / r.
LoadCurve resistor(double r_ohm) {
  LoadCurve curve{};
  curve.slope_a_per_v[0] = 1.0 / r_ohm;
  return curve;
}

/// I = value, whatever the voltage; negative feeds the bus.
LoadCurve current_source(double value_a) {
  LoadCurve curve{};
  curve.offset_a[0] = value_a;
  return curve;
}

// ---- An independent answer: no pieces in closed form, only the definition in extended precision.

using Real = long double;

Real net_current(const Network& n, int b, Real v) {
  Real sum = 0.0L;
  for (int j = 0; j < n.parameters.pack_count; ++j) {
    if (n.parameters.pack_bus[j] != b) continue;
    const Real current = (Real(n.source[j].emf_v) - v) * Real(n.source[j].conductance_s);
    sum += n.source[j].diode ? std::max(current, 0.0L) : current;
  }
  for (int i = 0; i < n.parameters.motor_count; ++i) {
    if (n.parameters.motor_bus[i] != b) continue;
    const LoadCurve& c = n.motor[i];
    int k = 0;
    while (k < c.count - 1 && v >= Real(c.break_v[k])) ++k;
    sum -= Real(c.slope_a_per_v[k]) * v + Real(c.offset_a[k]);
  }
  return sum;
}

struct Reference {
  bool no_sink = false;
  Real max_power = 0.0L;
  Real max_power_v = 0.0L;
  std::vector<Real> corner;  ///< descending, from where nothing is left for avionics down to zero
  std::vector<Real> peak;    ///< voltage of the largest V·L(V) between corner[k + 1] and corner[k]
};

/// Between corners V·L(V) is concave, so a ternary search finds its maximum.
Reference examine(const Network& n, int b) {
  const auto power = [&](Real v) { return v * net_current(n, b, v); };
  Reference r;
  r.corner.push_back(0.0L);
  for (int j = 0; j < n.parameters.pack_count; ++j) {
    if (n.parameters.pack_bus[j] == b) r.corner.push_back(n.source[j].emf_v);
  }
  for (int i = 0; i < n.parameters.motor_count; ++i) {
    if (n.parameters.motor_bus[i] != b) continue;
    for (int k = 0; k < n.motor[i].count - 1; ++k) r.corner.push_back(n.motor[i].break_v[k]);
  }
  std::erase_if(r.corner, [](Real v) { return v < 0.0L; });
  std::sort(r.corner.begin(), r.corner.end(), std::greater<>());
  Real top = std::max(r.corner.front(), 1.0L);
  while (net_current(n, b, top) > 0.0L && top < 1e12L) top *= 2.0L;
  r.no_sink = top >= 1e12L;
  r.corner.insert(r.corner.begin(), top);
  for (std::size_t k = 0; k + 1 < r.corner.size(); ++k) {
    Real lo = r.corner[k + 1], hi = r.corner[k];
    for (int pass = 0; pass < 90; ++pass) {
      const Real a = lo + (hi - lo) / 3.0L, c = hi - (hi - lo) / 3.0L;
      (power(a) < power(c) ? lo : hi) = power(a) < power(c) ? a : c;
    }
    const Real v = 0.5L * (lo + hi);
    r.peak.push_back(v);
    if (power(v) > r.max_power) {
      r.max_power = power(v);
      r.max_power_v = v;
    }
  }
  return r;
}

Real largest_root(const Network& n, int b, const Reference& r, Real avionics_w) {
  const auto excess = [&](Real v) { return v * net_current(n, b, v) - avionics_w; };
  for (std::size_t k = 0; k < r.peak.size(); ++k) {
    if (excess(r.peak[k]) <= 1e-12L * r.max_power) continue;  // rounding of the curves at a corner
    Real lo = r.peak[k], hi = r.corner[k];
    for (int pass = 0; pass < 100; ++pass) {
      const Real middle = 0.5L * (lo + hi);
      (excess(middle) > 0.0L ? lo : hi) = middle;
    }
    return 0.5L * (lo + hi);
  }
  return -1.0L;
}

// ---- Random networks.

LoadCurve random_motor(Random& random, double volts) {
  MotorElectrical e;
  Motor motor;
  motor.resistance_ohm = random.log_within(0.02, 0.5);
  motor.conductance_s = 1.0 / motor.resistance_ohm;
  motor.efficiency = random.within(0.9, 1.0);
  motor.inverse_efficiency = 1.0 / motor.efficiency;
  e.duty = random.chance(0.1) ? 0.0 : random.within(0.02, 1.0);
  e.back_emf_v = random.within(0.0, 0.9) * volts;
  e.upper_a = random.log_within(1.0, 100.0);
  e.lower_a = random.chance(0.5) ? -e.upper_a : 0.0;
  LoadCurve curve;
  motor_load_curve(motor, e, curve);
  return curve;
}

/// Any rising curve with corners: more shapes than a motor has.
LoadCurve random_curve(Random& random, double volts) {
  LoadCurve curve;
  curve.count = 1 + random.below(LoadCurve::kMaxSegments);
  for (int k = 0; k < curve.count - 1; ++k) curve.break_v[k] = random.within(-0.2, 1.5) * volts;
  std::sort(curve.break_v, curve.break_v + (curve.count - 1));
  for (int k = 0; k < curve.count; ++k) {
    curve.slope_a_per_v[k] = random.chance(0.3) ? 0.0 : random.log_within(0.01, 30.0);
    if (k == 0) {
      curve.offset_a[0] = random.within(-20.0, 5.0);
    } else {
      curve.offset_a[k] =
          curve.offset_a[k - 1] +
          curve.break_v[k - 1] * (curve.slope_a_per_v[k - 1] - curve.slope_a_per_v[k]);
    }
  }
  return curve;
}

Network random_network(Random& random) {
  Network n;
  PowerNetworkParameters& p = n.parameters;
  p.pack_count = 1 + random.below(kMaxPacks);
  p.bus_count = 1 + random.below(p.pack_count);
  p.motor_count = random.below(kMaxMotors + 1);
  for (int j = 0; j < p.pack_count; ++j) {
    p.pack_bus[j] = j < p.bus_count ? j : random.below(p.bus_count);
  }
  for (int i = 0; i < p.motor_count; ++i) p.motor_bus[i] = random.below(p.bus_count);
  n.prepare();
  const double volts = random.log_within(5.0, 60.0);
  for (int j = 0; j < p.pack_count; ++j) {
    const double conductance = random.chance(0.05) ? 0.0 : 1.0 / random.log_within(1e-3, 0.3);
    n.source[j] = {random.within(0.6, 1.0) * volts, conductance, random.chance(0.25)};
  }
  for (int i = 0; i < p.motor_count; ++i) {
    n.motor[i] = random.chance(0.7) ? random_motor(random, volts) : random_curve(random, volts);
  }
  return n;
}

bool any_connected(const Network& n, int b) {
  for (int j = 0; j < n.parameters.pack_count; ++j) {
    if (n.parameters.pack_bus[j] == b && n.source[j].conductance_s > 0.0) return true;
  }
  return false;
}

/// A share of the largest possible avionics power: mostly feasible, a tenth not, some at the edge.
double random_share(Random& random) {
  const double kind = random.within(0.0, 1.0);
  if (kind < 0.1) return random.chance(0.3) ? 1.0 + 1e-9 : random.within(1.0, 3.0);
  if (kind < 0.2) return 1.0 - random.log_within(1e-9, 1e-2);
  if (kind < 0.3) return 0.0;
  return random.within(0.0, 1.0);
}

struct Tally {
  long ok = 0, no_point = 0, no_sink = 0, dead = 0;
  double worst_residual_v = 0.0;
  double worst_sum = 0.0;
};

double sum_of_pack_currents(const Network& n, int b, const PowerSolution& s, double& magnitude) {
  double sum = 0.0;
  for (int j = 0; j < n.parameters.pack_count; ++j) {
    if (n.parameters.pack_bus[j] != b) continue;
    sum += s.pack_current_a[j];
    magnitude += std::fabs(s.pack_current_a[j]);
  }
  return sum;
}

void check_balance(const Network& n, int b, const PowerSolution& s, Tally& tally) {
  const double residual = std::fabs(bus_residual_v(n.network.bus[b], n.source, s, b));
  EXPECT_LE(residual, 1e-10);
  double magnitude = 0.0;
  const double supply = sum_of_pack_currents(n, b, s, magnitude);
  // Relative to what flows, and never finer than the voltage itself is resolved.
  const double scale = std::max(magnitude, 0.01);
  EXPECT_NEAR(supply, s.load_current_a[b], 1e-9 * scale);
  tally.worst_residual_v = std::max(tally.worst_residual_v, residual);
  tally.worst_sum = std::max(tally.worst_sum, std::fabs(supply - s.load_current_a[b]) / scale);
}

void check_against_reference(const Network& n, int b, const Reference& r, const PowerSolution& s,
                             Tally& tally) {
  const double v = s.bus_v[b];
  const Real power = n.avionics_w[b];
  const double guard_w = brown_out_guard_w(n.problem(b));
  const double scale_w = static_cast<double>(r.max_power) + 1e-3;
  EXPECT_NEAR(guard_w, static_cast<double>(power - r.max_power), 1e-11 * scale_w);
  if (power >= r.max_power) {
    EXPECT_EQ(s.condition[b], BusCondition::kNoOperatingPoint);
    EXPECT_GE(guard_w, 0.0);
    EXPECT_NEAR(v, static_cast<double>(r.max_power_v), 1e-6 * (1.0 + v));
    EXPECT_LT(s.avionics_current_a[b] * v, n.avionics_w[b] + 1e-9 * scale_w);
    check_balance(n, b, s, tally);
    ++tally.no_point;
    return;
  }
  EXPECT_EQ(s.condition[b], BusCondition::kOk);
  EXPECT_LT(guard_w, 0.0);
  EXPECT_NEAR(brown_out_guard_w(n.problem(b), v), guard_w, 1e-12 * scale_w);
  // A walk that ends early has found enough, and no more than there is.
  const double enough_w = 4.0 * n.avionics_w[b];
  const double short_w = brown_out_guard_w(n.problem(b), v, enough_w);
  EXPECT_GE(short_w, guard_w - 1e-12 * scale_w);
  EXPECT_LE(short_w, std::max(guard_w + 1e-12 * scale_w, n.avionics_w[b] - enough_w));
  // Near the edge the two roots meet and the voltage is only defined to the square root of eps.
  const double gap = static_cast<double>((r.max_power - power) / r.max_power);
  const Real truth = largest_root(n, b, r, power);
  EXPECT_NEAR(v, static_cast<double>(truth), 1e-12 * v / std::sqrt(gap) + 1e-12);
  EXPECT_NEAR(s.avionics_current_a[b], n.avionics_w[b] / v, 1e-12 * s.avionics_current_a[b]);
  check_balance(n, b, s, tally);
  ++tally.ok;
}

TEST(RandomNetworks, EveryBusIsClassifiedAndSolvedLikeTheReference) {
  Random random(20260101);
  Tally tally;
  const long count = testing::scaled(100000);
  for (long trial = 0; trial < count && !::testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE("network " + std::to_string(trial));
    Network n = random_network(random);
    Reference reference[kMaxBuses];
    for (int b = 0; b < n.parameters.bus_count; ++b) {
      reference[b] = examine(n, b);
      const double max_power = static_cast<double>(reference[b].max_power);
      n.avionics_w[b] = reference[b].no_sink ? 10.0 : random_share(random) * max_power;
    }
    const PowerSolution s = n.solve();
    for (int b = 0; b < n.parameters.bus_count; ++b) {
      if (!any_connected(n, b)) {
        EXPECT_EQ(s.condition[b], BusCondition::kDead);
        EXPECT_EQ(s.bus_v[b], 0.0);
        EXPECT_EQ(s.load_current_a[b], 0.0);
        ++tally.dead;
      } else if (reference[b].no_sink) {
        EXPECT_EQ(s.condition[b], BusCondition::kNoSink);
        ++tally.no_sink;
      } else {
        check_against_reference(n, b, reference[b], s, tally);
      }
    }
  }
  const double solved = static_cast<double>(tally.ok + tally.no_point);
  EXPECT_NEAR(static_cast<double>(tally.no_point) / solved, 0.1, 0.05);
  RecordProperty("ok", std::to_string(tally.ok));
  RecordProperty("no_operating_point", std::to_string(tally.no_point));
  std::printf(
      "  ok %ld, no operating point %ld, no sink %ld, dead %ld; residual %.1e V, sum %.1e\n",
      tally.ok, tally.no_point, tally.no_sink, tally.dead, tally.worst_residual_v, tally.worst_sum);
}

TEST(RandomNetworks, TheShortWayAgreesWithTheWalk) {
  Random random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    Network n = random_network(random);
    n.avionics_w[0] = random.chance(0.3) ? 0.0 : random.within(0.0, 100.0);
    if (!any_connected(n, 0)) continue;
    const detail::BusPoint fast = detail::operating_point(n.problem(0));
    const detail::BusPoint walk = detail::operating_point_by_walk(n.problem(0));
    ASSERT_EQ(fast.condition, walk.condition) << trial;
    // On a corner either neighbour may be chosen; anywhere else the bits are the same.
    ASSERT_NEAR(fast.bus_v, walk.bus_v, 1e-15 * fast.bus_v) << trial;
  }
}

TEST(RandomNetworks, OrderOfPacksAndMotorsDoesNotMatter) {
  Random random(11);
  for (int trial = 0; trial < 5000; ++trial) {
    Network n = random_network(random);
    for (double& power : n.avionics_w) power = random.within(0.0, 5.0);
    Network m = n;
    PowerNetworkParameters& p = m.parameters;
    std::reverse(p.pack_bus, p.pack_bus + p.pack_count);
    std::reverse(m.source, m.source + p.pack_count);
    std::reverse(p.motor_bus, p.motor_bus + p.motor_count);
    std::reverse(m.motor, m.motor + p.motor_count);
    m.prepare();
    const PowerSolution a = n.solve(), b = m.solve();
    for (int bus = 0; bus < p.bus_count; ++bus) {
      if (a.condition[bus] != BusCondition::kOk) continue;
      EXPECT_EQ(b.condition[bus], BusCondition::kOk);
      EXPECT_NEAR(a.bus_v[bus], b.bus_v[bus], 1e-13 * a.bus_v[bus]) << trial;
    }
  }
}

// ---- Known circuits.

TEST(OnePack, ConstantPowerHasTheTextbookUpperRoot) {
  const double emf = 12.6, r = 0.02;
  for (const double power : {0.0, 1e-12, 5.0, 20.0, 1000.0, 1984.0}) {
    const PowerSolution s = one_pack(emf, r, power).solve();
    EXPECT_EQ(s.condition[0], BusCondition::kOk);
    const double expected = 0.5 * (emf + std::sqrt(emf * emf - 4.0 * r * power));
    EXPECT_NEAR(s.bus_v[0], expected, 1e-12) << power;
    EXPECT_NEAR(s.pack_current_a[0] * s.bus_v[0], power, 1e-10 * (1.0 + power));
  }
}

TEST(OnePack, LosesItsOperatingPointAtMaximumPowerWithoutAJump) {
  const double emf = 12.6, r = 0.02, most = emf * emf / (4.0 * r);
  for (const double share : {1.0 + 1e-12, 1.01, 2.0, 100.0}) {
    const Network n = one_pack(emf, r, share * most);
    const PowerSolution s = n.solve();
    EXPECT_EQ(s.condition[0], BusCondition::kNoOperatingPoint);
    EXPECT_NEAR(s.bus_v[0], 0.5 * emf, 1e-13);
    EXPECT_NEAR(s.avionics_current_a[0] * s.bus_v[0], most, 1e-9);
    EXPECT_NEAR(brown_out_guard_w(n.problem(0)), (share - 1.0) * most, 1e-9 * most);
  }
  const Network just_enough = one_pack(emf, r, (1.0 - 1e-12) * most);
  EXPECT_EQ(just_enough.solve().condition[0], BusCondition::kOk);
  EXPECT_NEAR(just_enough.solve().bus_v[0], 0.5 * emf, 1e-5);
  EXPECT_LT(brown_out_guard_w(just_enough.problem(0)), 0.0);
}

TEST(OnePack, PowerGoesToZeroContinuously) {
  Network n = one_pack(12.6, 0.02, 0.0, 1);
  n.motor[0] = resistor(0.3);
  const double unloaded = n.solve().bus_v[0];
  EXPECT_EQ(unloaded, (12.6 / 0.02) / (1.0 / 0.02 + 1.0 / 0.3));
  n.avionics_w[0] = 1e-13;
  EXPECT_NEAR(n.solve().bus_v[0], unloaded, 1e-14);
}

TEST(OnePack, PriorArtIrisHover) {
  // Hover of the 1.5 kg quad at 488 m, four motors 920 rpm/V, 0.25 ohm, controllers 0.98.
  const double thrust = 3.67749375, k_t = 6.611020796089e-5, k_q = 3.305510398045e-6;
  const double density = 1.1686295, kt = 60.0 / (2.0 * M_PI * 920.0);
  const double speed = std::sqrt(thrust / (k_t * density));
  EXPECT_NEAR(speed, 218.1741, 5e-5);
  const double current = 0.6 + (k_q * density * speed * speed + 2e-6 * speed) / kt;
  EXPECT_NEAR(current, 18.3569, 5e-5);
  Motor motor;
  motor.resistance_ohm = 0.25;
  motor.conductance_s = 4.0;
  motor.efficiency = 0.98;
  motor.inverse_efficiency = 1.0 / 0.98;
  Network n = one_pack(12.6, 0.02, 0.0, 4);
  double lo = 0.1, hi = 1.0;
  MotorElectrical e{};
  e.back_emf_v = kt * speed;
  e.upper_a = 60.0;
  PowerSolution s;
  for (int pass = 0; pass < 60; ++pass) {
    e.duty = 0.5 * (lo + hi);
    for (int i = 0; i < 4; ++i) motor_load_curve(motor, e, n.motor[i]);
    s = n.solve();
    (motor_current(motor, e, s.bus_v[0]) < current ? lo : hi) = e.duty;
  }
  EXPECT_NEAR(e.duty, 0.58460, 5e-6);
  EXPECT_NEAR(s.bus_v[0], 11.72397, 5e-6);
  EXPECT_NEAR(s.load_current_a[0], 43.802, 5e-4);
  EXPECT_NEAR(s.bus_v[0] * s.load_current_a[0], 513.5, 0.05);
}

Network two_packs(bool diode) {
  Network n;
  n.parameters.pack_count = 2;
  n.parameters.motor_count = 1;
  n.prepare();
  n.source[0] = {12.6, 1.0 / 0.02, diode};
  n.source[1] = {12.0, 1.0 / 0.04, diode};
  return n;
}

TEST(TwoPacks, UnequalOnesExchangeCurrent) {
  const PowerSolution s = two_packs(false).solve();
  EXPECT_NEAR(s.pack_current_a[0], 0.6 / 0.06, 1e-12);
  EXPECT_NEAR(s.pack_current_a[1], -0.6 / 0.06, 1e-12);
  EXPECT_NEAR(s.bus_v[0], 12.4, 1e-14);
}

TEST(TwoPacks, DiodesBlockUntilTheBusSags) {
  Network n = two_packs(true);
  EXPECT_NEAR(n.solve().bus_v[0], 12.6, 1e-14);
  EXPECT_EQ(n.solve().pack_current_a[1], 0.0);
  EXPECT_NEAR(no_load_voltage_v(n.network.bus[0], n.source), 12.6, 1e-14);
  n.motor[0] = current_source(20.0);  // 12.2 V: only the fuller pack delivers
  EXPECT_NEAR(n.solve().pack_current_a[0], 20.0, 1e-12);
  EXPECT_EQ(n.solve().pack_current_a[1], 0.0);
  n.motor[0] = current_source(60.0);  // both: 12.4 − 60 · 0.02·0.04/0.06 V
  EXPECT_NEAR(n.solve().bus_v[0], 11.6, 1e-13);
  EXPECT_NEAR(n.solve().pack_current_a[1], 10.0, 1e-12);
}

TEST(Regeneration, ChargesThePack) {
  Network n = one_pack(12.0, 0.05, 24.0, 1);
  n.motor[0] = current_source(-12.0);
  const PowerSolution s = n.solve();
  EXPECT_GT(s.bus_v[0], 12.0);
  EXPECT_LT(s.pack_current_a[0], 0.0);
  EXPECT_LE(std::fabs(bus_residual_v(n.network.bus[0], n.source, s, 0)), 1e-14);
}

TEST(Regeneration, BehindADiodeTheLoadsSetTheVoltage) {
  Network n = one_pack(12.0, 0.05, 0.0, 1);
  n.source[0].diode = true;
  n.motor[0] = resistor(2.0);
  n.motor[0].offset_a[0] = -10.0;
  const PowerSolution s = n.solve();
  EXPECT_EQ(s.condition[0], BusCondition::kOk);
  EXPECT_NEAR(s.bus_v[0], 20.0, 1e-14);
  EXPECT_EQ(s.pack_current_a[0], 0.0);
  PowerBusParameters watched;
  watched.overvoltage_v = 16.8;
  EXPECT_GE(overvoltage_guard_v(watched, s.bus_v[0]), 0.0);
  EXPECT_LT(overvoltage_guard_v(watched, 16.7), 0.0);
  EXPECT_LT(overvoltage_guard_v(PowerBusParameters{}, 1e3), 0.0);
}

TEST(Regeneration, WithNowhereToGoHasItsOwnName) {
  Network n = one_pack(12.0, 0.05, 10.0, 1);
  n.source[0].diode = true;
  n.motor[0] = current_source(-10.0);
  EXPECT_EQ(n.solve().condition[0], BusCondition::kNoSink);
}

TEST(DeadBus, HasNoVoltageAndNoCurrent) {
  Network n = one_pack(12.0, 0.05, 10.0, 1);
  n.source[0].conductance_s = 0.0;
  n.motor[0] = current_source(-3.0);
  const PowerSolution s = n.solve();
  EXPECT_EQ(s.condition[0], BusCondition::kDead);
  EXPECT_EQ(s.bus_v[0], 0.0);
  EXPECT_EQ(s.motor_current_a[0], 0.0);
  EXPECT_EQ(s.avionics_current_a[0], 0.0);
  EXPECT_EQ(no_load_voltage_v(n.network.bus[0], n.source), 0.0);
}

TEST(Buses, DoNotInfluenceEachOther) {
  Network n;
  n.parameters.bus_count = 2;
  n.parameters.pack_count = 2;
  n.parameters.pack_bus[1] = 1;
  n.parameters.motor_count = 2;
  n.parameters.motor_bus[1] = 1;
  n.prepare();
  n.source[0] = {12.6, 50.0, false};
  n.source[1] = {25.2, 40.0, false};
  n.motor[0] = resistor(1.0);
  n.motor[1] = resistor(0.5);
  const double before = n.solve().bus_v[1];
  n.avionics_w[0] = 1e6;
  const PowerSolution s = n.solve();
  EXPECT_EQ(s.condition[0], BusCondition::kNoOperatingPoint);
  EXPECT_EQ(s.condition[1], BusCondition::kOk);
  EXPECT_EQ(s.bus_v[1], before);
}

TEST(NonFinite, IsPassedOnAndNeverCalledABrownOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(one_pack(nan, 0.02, 5.0).solve().bus_v[0]));
  Network n = one_pack(12.0, 0.02, 5.0, 1);
  n.motor[0] = current_source(nan);
  EXPECT_TRUE(std::isnan(n.solve().bus_v[0]));
}

TEST(Guards, FireAtTheirThresholds) {
  PowerBusParameters bus;
  EXPECT_LT(undervoltage_guard_v(bus, 6.001), 0.0);
  EXPECT_GE(undervoltage_guard_v(bus, 6.0), 0.0);
  EXPECT_LT(restart_guard_v(bus, 8.999), 0.0);
  EXPECT_GE(restart_guard_v(bus, 9.0), 0.0);
}

TEST(NetworkValidation, NamesWhatIsWrong) {
  using P = PowerNetworkParameters;
  struct Case {
    std::function<void(P&)> break_it;
    const char* expected;
  };
  const Case cases[] = {
      {[](P& p) { p.bus_count = 0; }, "power.bus_count = 0"},
      {[](P& p) { p.pack_count = 5; }, "power.pack_count = 5"},
      {[](P& p) { p.motor_count = 13; }, "power.motor_count = 13"},
      {[](P& p) { p.motor_bus[2] = 1; }, "power.motor_bus[2] = 1: there is no such bus"},
      {[](P& p) { p.pack_bus[0] = -1; }, "power.pack_bus[0] = -1: there is no such bus"},
      {[](P& p) { p.bus_count = 2; }, "no pack is on this bus"},
      {[](P& p) { p.pack[0].r0_ohm = 0.0; }, "power.pack[0].r0_ohm = 0"},
      {[](P& p) {
         p.pack_count = 2;
         p.pack[0].r0_ohm = p.pack[1].r0_ohm = 0.0;
       },
       "two ideal packs in parallel"},
      {[](P& p) { p.bus[0].avionics_power_w = -1.0; }, "power.bus[0].avionics_power_w = -1"},
      {[](P& p) { p.bus[0].avionics_power_w = kInfinity; }, "power.bus[0].avionics_power_w = inf"},
      {[](P& p) { p.bus[0].undervoltage_v = 9.0; }, "must be below restart_v = 9"},
      {[](P& p) { p.bus[0].restart_v = 12.6; }, "could never restart"},
      {[](P& p) { p.bus[0].overvoltage_v = 12.0; }, "power.bus[0].overvoltage_v = 12"},
  };
  EXPECT_NO_THROW(make_power_network(P{}, "power"));
  for (const Case& c : cases) {
    P p;
    c.break_it(p);
    try {
      make_power_network(p, "power");
      ADD_FAILURE() << "accepted: " << c.expected;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(c.expected), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tactus
