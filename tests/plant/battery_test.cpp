// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/battery.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tests/support/exact_energy.h"

namespace tactus {
namespace {

using testing::chemical_energy_j;

/// A lithium cell's shape: steep ends, a flat middle, unequal spacing, one level stretch.
PackParameters curved_pack() {
  PackParameters p;
  p.capacity_ah = 5.2;
  p.ocv_count = 8;
  const double soc[] = {0.0, 0.04, 0.1, 0.3, 0.5, 0.6, 0.9, 1.0};
  const double volts[] = {9.0, 10.4, 10.95, 11.2, 11.4, 11.4, 12.1, 12.6};
  for (int k = 0; k < p.ocv_count; ++k) {
    p.ocv_soc[k] = soc[k];
    p.ocv_v[k] = volts[k];
  }
  p.r0_ohm = 0.013;
  p.rc_count = 3;
  p.rc[0] = {0.004, 500.0};
  p.rc[1] = {0.007, 6000.0};
  p.rc[2] = {0.002, 50.0};
  return p;
}

class Random {
 public:
  double within(double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

 private:
  std::mt19937_64 engine_{7};
};

PackState random_state(Random& random, const Pack& pack) {
  PackState state;
  state.soc = random.within(0.0, 1.0);
  for (int k = 0; k < pack.rc_count; ++k) state.v_rc_v[k] = random.within(-0.3, 0.3);
  return state;
}

/// dU/d(soc) of the cubics of the curve; the one-sided slope at the ends.
double open_circuit_slope_v(const Pack& pack, double soc) {
  const int k = detail::ocv_segment(pack, soc);
  const double* const u = pack.u[k];
  const double t = soc - pack.soc_k[k];
  return u[1] + t * (2.0 * u[2] + t * (3.0 * u[3]));
}

/// Exact state after `duration_s` of constant current, soc not bounded.
PackState after_constant_current(const Pack& pack, const PackState& state, double current_a,
                                 double duration_s) {
  PackState after = state;
  after.soc = state.soc - current_a * duration_s / pack.charge_c;
  for (int k = 0; k < pack.rc_count; ++k) {
    // v∞ + (v0 − v∞) e^(−t/RC), written so that short times lose no digits.
    const double v0 = state.v_rc_v[k];
    const double fade =
        std::expm1(-duration_s * pack.rc_conductance_s[k] * pack.rc_elastance_per_f[k]);
    after.v_rc_v[k] = v0 + (v0 - current_a / pack.rc_conductance_s[k]) * fade;
  }
  return after;
}

TEST(OpenCircuitVoltage, PassesThroughItsPoints) {
  const PackParameters p = curved_pack();
  const Pack pack = make_pack(p, "pack");
  for (int k = 0; k < p.ocv_count; ++k) {
    EXPECT_NEAR(open_circuit_voltage_v(pack, p.ocv_soc[k]), p.ocv_v[k], 1e-14 * p.ocv_v[k]);
  }
}

TEST(OpenCircuitVoltage, NeverFallsAndStaysBetweenItsPoints) {
  const PackParameters p = curved_pack();
  const Pack pack = make_pack(p, "pack");
  double previous = 0.0;
  for (int i = 0; i <= 100000; ++i) {
    const double soc = i / 100000.0;
    const double volts = open_circuit_voltage_v(pack, soc);
    EXPECT_GE(volts, previous - 4e-15) << soc;
    EXPECT_GE(open_circuit_slope_v(pack, soc), -1e-13) << soc;
    if (soc >= 0.5 && soc <= 0.6) {
      EXPECT_NEAR(volts, 11.4, 4e-15) << "a level stretch stays level";
    }
    previous = volts;
  }
}

TEST(OpenCircuitVoltage, HasContinuousSlope) {
  const PackParameters p = curved_pack();
  const Pack pack = make_pack(p, "pack");
  for (int k = 1; k < p.ocv_count - 1; ++k) {
    const double at = p.ocv_soc[k];
    const double below = std::nextafter(at, 0.0);
    EXPECT_NEAR(open_circuit_slope_v(pack, below), open_circuit_slope_v(pack, at), 1e-11) << k;
    EXPECT_NEAR(open_circuit_voltage_v(pack, below), open_circuit_voltage_v(pack, at), 1e-13) << k;
  }
  const double h = 1e-6;
  for (double soc = 0.013; soc < 0.99; soc += 0.017) {
    const double difference =
        (open_circuit_voltage_v(pack, soc + h) - open_circuit_voltage_v(pack, soc - h)) / (2.0 * h);
    EXPECT_NEAR(open_circuit_slope_v(pack, soc), difference, 1e-6) << soc;
  }
}

TEST(OpenCircuitVoltage, TwoPointsAreALineAndEndsHold) {
  const Pack pack = make_pack(PackParameters{}, "pack");
  EXPECT_NEAR(open_circuit_voltage_v(pack, 0.25), 11.25, 4e-15);
  EXPECT_EQ(open_circuit_voltage_v(pack, -0.1), 10.8);
  EXPECT_NEAR(open_circuit_voltage_v(pack, 1.1), 12.6, 4e-15);
}

TEST(PackRates, IntegrateToTheExactConstantCurrentSolution) {
  const Pack pack = make_pack(curved_pack(), "pack");
  PackState start;
  start.soc = 0.9;
  start.v_rc_v[1] = -0.05;
  PackState state = start;
  const double current = 23.0, h = 1e-3;
  // RC pairs and charge are linear: the stages of RK4 differ only in the RC voltages.
  const auto moved = [&](const PackState& from, const PackRates& rates, double step) {
    PackState to = from;
    to.soc += step * rates.soc_per_s;
    for (int k = 0; k < pack.rc_count; ++k) to.v_rc_v[k] += step * rates.v_rc_v_s[k];
    return to;
  };
  for (int n = 0; n < 5000; ++n) {
    const PackRates k1 = pack_rates(pack, state, current);
    const PackRates k2 = pack_rates(pack, moved(state, k1, 0.5 * h), current);
    const PackRates k3 = pack_rates(pack, moved(state, k2, 0.5 * h), current);
    const PackRates k4 = pack_rates(pack, moved(state, k3, h), current);
    PackRates mean;
    mean.soc_per_s = k1.soc_per_s;
    for (int k = 0; k < pack.rc_count; ++k) {
      mean.v_rc_v_s[k] =
          (k1.v_rc_v_s[k] + 2.0 * k2.v_rc_v_s[k] + 2.0 * k3.v_rc_v_s[k] + k4.v_rc_v_s[k]) / 6.0;
    }
    state = moved(state, mean, h);
  }
  const PackState exact = after_constant_current(pack, start, current, 5.0);
  EXPECT_NEAR(state.soc, exact.soc, 1e-13);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(state.v_rc_v[k], exact.v_rc_v[k], 1e-12) << k;
}

TEST(ConstantCurrent, IsTheTextbookStepResponse) {
  const PackParameters p = curved_pack();
  const Pack pack = make_pack(p, "pack");
  const PackState after = after_constant_current(pack, PackState{}, 10.0, 30.0);
  EXPECT_NEAR(after.soc, 1.0 - 10.0 * 30.0 / (3600.0 * p.capacity_ah), 1e-15);
  for (int k = 0; k < 3; ++k) {
    const double r = p.rc[k].r_ohm;
    EXPECT_NEAR(after.v_rc_v[k], 10.0 * r * (1.0 - std::exp(-30.0 / (r * p.rc[k].c_farad))), 1e-15);
  }
}

TEST(PackPower, BalancesInEveryState) {
  const Pack pack = make_pack(curved_pack(), "pack");
  Random random;
  for (int n = 0; n < 10000; ++n) {
    const PackState state = random_state(random, pack);
    PackFault fault;
    fault.resistance_scale = random.within(1.0, 4.0);
    fault.voltage_offset_v = random.within(-4.0, 0.0);
    const double current = random.within(-60.0, 120.0);
    const PackSource source = pack_source(pack, state, fault);
    const double bus_v = source.emf_v - current / source.conductance_s;
    const PackPower power = pack_power(pack, state, fault, bus_v, current);
    const double spent = power.terminal_w + power.series_loss_w + power.fault_loss_w +
                         power.rc_loss_w + power.rc_storing_w;
    const double scale = std::fabs(power.chemical_w) + std::fabs(power.terminal_w) +
                         power.series_loss_w + power.rc_loss_w;
    EXPECT_NEAR(power.chemical_w, spent, 1e-12 * scale);
    EXPECT_GE(power.series_loss_w, 0.0);
    EXPECT_GE(power.rc_loss_w, 0.0);
  }
}

TEST(PackPower, StoredEnergiesChangeAtTheStatedPowers) {
  const Pack pack = make_pack(curved_pack(), "pack");
  Random random;
  for (int n = 0; n < 1000; ++n) {
    const PackState state = random_state(random, pack);
    const double current = random.within(-60.0, 120.0);
    const PackRates rates = pack_rates(pack, state, current);
    const PackPower power = pack_power(pack, state, PackFault{}, 0.0, current);
    double storing = 0.0;
    for (int k = 0; k < pack.rc_count; ++k) {
      storing += pack.rc_c_farad[k] * state.v_rc_v[k] * rates.v_rc_v_s[k];
    }
    EXPECT_NEAR(power.rc_storing_w, storing, 1e-13 * (power.rc_loss_w + std::fabs(storing)));
  }
}

TEST(ChemicalEnergy, IsTheIntegralOfTheVoltage) {
  const PackParameters p = curved_pack();
  const Pack pack = make_pack(p, "pack");
  // Two-point Gauss is exact for a cubic, so the sum over segments is too.
  double joules = 0.0;
  for (int k = 0; k < p.ocv_count - 1; ++k) {
    const double half = 0.5 * (p.ocv_soc[k + 1] - p.ocv_soc[k]);
    const double middle = p.ocv_soc[k] + half;
    const double node = half / std::sqrt(3.0);
    joules +=
        pack.charge_c * half *
        (open_circuit_voltage_v(pack, middle - node) + open_circuit_voltage_v(pack, middle + node));
    EXPECT_NEAR(chemical_energy_j(pack, p.ocv_soc[k + 1]), joules, 1e-13 * joules) << k;
  }
  EXPECT_EQ(chemical_energy_j(pack, 0.0), 0.0);
  EXPECT_NEAR(chemical_energy_j(pack, 1.01) - joules, 0.01 * pack.charge_c * 12.6, 1e-6);
}

TEST(PackSource, FollowsStateAndFaults) {
  const Pack pack = make_pack(curved_pack(), "pack");
  PackState state;
  state.v_rc_v[0] = 0.1;
  state.v_rc_v[2] = 0.2;
  PackFault fault;
  EXPECT_NEAR(pack_source(pack, state, fault).emf_v, 12.3, 1e-14);
  EXPECT_EQ(pack_source(pack, state, fault).conductance_s, 1.0 / 0.013);
  fault.resistance_scale = 2.0;
  fault.voltage_offset_v = -4.2;
  EXPECT_NEAR(pack_source(pack, state, fault).emf_v, 8.1, 1e-14);
  EXPECT_NEAR(pack_source(pack, state, fault).conductance_s, 1.0 / 0.026, 1e-13);
  fault.connected = false;
  EXPECT_EQ(pack_source(pack, state, fault).conductance_s, 0.0);
}

TEST(PackRates, WithoutCurrentChargeRestsAndPolarisationDecays) {
  const Pack pack = make_pack(curved_pack(), "pack");
  PackState state;
  state.v_rc_v[1] = 0.3;
  const PackRates rates = pack_rates(pack, state, 0.0);
  EXPECT_EQ(rates.soc_per_s, 0.0);
  EXPECT_NEAR(rates.v_rc_v_s[1], -0.3 / (0.007 * 6000.0), 1e-17);
}

TEST(BatteryWarning, ThresholdsAreInclusive) {
  const Pack pack = make_pack(PackParameters{}, "pack");
  EXPECT_EQ(battery_warning(pack, 0.150001), BatteryWarning::kNone);
  EXPECT_EQ(battery_warning(pack, 0.15), BatteryWarning::kLow);
  EXPECT_EQ(battery_warning(pack, 0.10), BatteryWarning::kCritical);
  EXPECT_EQ(battery_warning(pack, 0.05), BatteryWarning::kEmergency);
  EXPECT_EQ(battery_warning(pack, 0.0), BatteryWarning::kEmergency);
}

TEST(PackGuards, FireAtTheEndsOfTheCharge) {
  EXPECT_LT(empty_guard(1e-9), 0.0);
  EXPECT_GE(empty_guard(0.0), 0.0);
}

TEST(PackValidation, NamesWhatIsWrong) {
  struct Case {
    std::function<void(PackParameters&)> break_it;
    const char* expected;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Case cases[] = {
      {[](PackParameters& p) { p.capacity_ah = 0.0; }, "pack.capacity_ah = 0"},
      {[](PackParameters& p) { p.ocv_count = 1; }, "pack.ocv_count = 1"},
      {[](PackParameters& p) { p.ocv_count = 17; }, "pack.ocv_count = 17"},
      {[](PackParameters& p) { p.ocv_soc[0] = 0.1; }, "must start at 0"},
      {[](PackParameters& p) { p.ocv_soc[1] = 0.9; }, "must end at 1"},
      {[](PackParameters& p) { p.ocv_soc[1] = 0.0; }, "increasing state of charge"},
      {[](PackParameters& p) { p.ocv_v[1] = 10.0; }, "must not fall"},
      {[nan](PackParameters& p) { p.ocv_v[1] = nan; }, "pack.ocv_v[1] = nan"},
      {[](PackParameters& p) { p.r0_ohm = 0.0; }, "pack.r0_ohm = 0"},
      {[nan](PackParameters& p) { p.r0_ohm = nan; }, "pack.r0_ohm = nan"},
      {[](PackParameters& p) { p.rc_count = 5; }, "pack.rc_count = 5"},
      {[](PackParameters& p) { p.rc[0].r_ohm = -1.0; }, "pack.rc[0].r_ohm = -1"},
      {[](PackParameters& p) { p.rc[0].c_farad = 0.0; }, "pack.rc[0].c_farad = 0"},
      {[](PackParameters& p) { p.soc0 = 1.5; }, "pack.soc0 = 1.5"},
      {[](PackParameters& p) { p.critical_soc = 0.2; }, "must not be above low_soc"},
      {[](PackParameters& p) { p.emergency_soc = 0.12; }, "must not be above critical_soc"},
      {[](PackParameters& p) { p.cell_count = 2; }, "a full cell would have 6.3 V"},
  };
  EXPECT_NO_THROW(make_pack(PackParameters{}, "pack"));
  for (const Case& c : cases) {
    PackParameters p;
    c.break_it(p);
    try {
      make_pack(p, "pack");
      ADD_FAILURE() << "accepted: " << c.expected;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(c.expected), std::string::npos) << error.what();
    }
  }
}

/// Largest |eigenvalue| of the RC voltages behind a bus of fixed voltage, soc held: columns of the
/// Jacobian from the model itself (it is linear in them), then power iteration. All eigenvalues are
/// real and negative, so it converges.
double largest_rc_eigenvalue(const Pack& pack) {
  constexpr double kBus_v = 11.0;
  const auto rates_at = [&](int unit) {
    PackState state;
    state.soc = 0.5;
    if (unit >= 0) state.v_rc_v[unit] = 1.0;
    const PackSource source = pack_source(pack, state, {});
    return pack_rates(pack, state, (source.emf_v - kBus_v) * source.conductance_s);
  };
  const PackRates base = rates_at(-1);
  double jacobian[kMaxRcPairs][kMaxRcPairs] = {};
  for (int j = 0; j < pack.rc_count; ++j) {
    const PackRates rates = rates_at(j);
    for (int k = 0; k < pack.rc_count; ++k) {
      jacobian[k][j] = rates.v_rc_v_s[k] - base.v_rc_v_s[k];
    }
  }
  double vector[kMaxRcPairs] = {1.0, 0.7, 0.4, 0.2};
  double eigenvalue = 0.0;
  for (int pass = 0; pass < 5000; ++pass) {
    double image[kMaxRcPairs] = {};
    eigenvalue = 0.0;
    for (int k = 0; k < pack.rc_count; ++k) {
      for (int j = 0; j < pack.rc_count; ++j) image[k] += jacobian[k][j] * vector[j];
      eigenvalue = std::fmax(eigenvalue, std::fabs(image[k]));
    }
    for (int k = 0; k < pack.rc_count; ++k) vector[k] = image[k] / eigenvalue;
  }
  return eigenvalue;
}

TEST(FastestRate, BoundsTheEigenvaluesOnAStiffBus) {
  PackParameters p;
  p.rc[0] = {0.01, 2000.0};
  p.rc[1] = {0.004, 300.0};
  p.rc[2] = {0.02, 5000.0};
  p.rc[3] = {0.03, 250.0};
  for (p.rc_count = 1; p.rc_count <= kMaxRcPairs; ++p.rc_count) {
    const Pack pack = make_pack(p, "pack");
    const double truth = largest_rc_eigenvalue(pack);
    const double bound = fastest_rate_per_s(pack);
    EXPECT_GE(bound, truth * (1.0 - 1e-12)) << p.rc_count;
    EXPECT_LE(bound, truth * p.rc_count) << p.rc_count;  // it is the trace
    if (p.rc_count == 1) {
      EXPECT_NEAR(bound, truth, 1e-12 * truth);
    }
  }
}

TEST(InitialPackState, ComesFromTheParameters) {
  PackParameters p;
  p.soc0 = 0.7;
  p.v_rc0_v[0] = 0.02;
  EXPECT_EQ(initial_pack_state(p).soc, 0.7);
  EXPECT_EQ(initial_pack_state(p).v_rc_v[0], 0.02);
}

}  // namespace
}  // namespace tactus
