// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Battery pack: open-circuit voltage behind a series resistance and up to four RC pairs (Thévenin).
//
//   E = U(soc) + ΔU − Σ v_k         V = E − R0 I              (I > 0 discharges, I < 0 charges)
//   soc' = −I / Q                   v_k' = I / C_k − v_k / (R_k C_k)
//   power: U I = V I + R0 I² + Σ v_k² / R_k + d/dt Σ ½ C_k v_k² − ΔU I
// U(soc) is a monotone cubic through given points (Fritsch and Carlson 1980, slopes by the weighted
// harmonic mean of Fritsch and Butland 1984): C¹, never decreasing, through the points to rounding.
// Chen and Rincón-Mora 2006 for the circuit and typical values.
//
// Units: V, A, Ω, F, Ah in parameters and coulombs inside; soc in [0, 1].
// Range: soc outside [0, 1] takes the voltage of the nearer end. Above 1 (regeneration into a full
// pack) it counts on, so that no charge is lost. Below 0 only a stage within one step may be: the
// plant watches `empty_guard` and opens an empty pack, or it would deliver charge it does not have.
// Assumptions: one temperature, capacity independent of current, no hysteresis, no self-discharge.
// Faults are held inputs: `connected`, `resistance_scale` (on R0 only), `voltage_offset_v` = ΔU,
// negative for a lost cell. Power −ΔU I then turns into heat in the pack.
// Kinks: soc = 0 (a guard) and soc = 1 (C⁰); U'' jumps at the points.

#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/signal/limits.h"
#include "tactus/signal/signals.h"

namespace tactus {

inline constexpr int kMaxOcvPoints = 16;

struct RcPairParameters {
  double r_ohm = 0.01;
  double c_farad = 2000.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("r_ohm", "ohm", self.r_ohm, "polarisation resistance");
    visit("c_farad", "F", self.c_farad, "polarisation capacitance");
  }
};
static_assert(lists_every_field<RcPairParameters>());

struct PackParameters {
  double capacity_ah = 5.0;
  int cell_count = 0;
  int ocv_count = 2;
  double ocv_soc[kMaxOcvPoints] = {0.0, 1.0};
  double ocv_v[kMaxOcvPoints] = {10.8, 12.6};
  double r0_ohm = 0.02;
  int rc_count = 1;
  RcPairParameters rc[kMaxRcPairs];
  double soc0 = 1.0;
  double v_rc0_v[kMaxRcPairs] = {0.0, 0.0, 0.0, 0.0};
  double low_soc = 0.15;
  double critical_soc = 0.10;
  double emergency_soc = 0.05;
  bool diode = false;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("capacity_ah", "A*h", self.capacity_ah, "charge from soc 1 to soc 0");
    visit("cell_count", "", self.cell_count, "cells in series, 0 if not known");
    visit("ocv_count", "", self.ocv_count, "points of the open-circuit curve");
    visit("ocv_soc", "1", self.ocv_soc, "state of charge of each point, from 0 to 1");
    visit("ocv_v", "V", self.ocv_v, "open-circuit voltage of each point");
    visit("r0_ohm", "ohm", self.r0_ohm, "series resistance");
    visit("rc_count", "", self.rc_count, "number of RC pairs");
    visit("rc", "", self.rc, "RC pairs");
    visit("soc0", "1", fixed_in_flight(self.soc0, kOnlyAtStart), "initial state of charge");
    visit("v_rc0_v", "V", self.v_rc0_v, "initial voltage of each RC pair");
    visit("low_soc", "1", self.low_soc, "warning low at or below");
    visit("critical_soc", "1", self.critical_soc, "warning critical at or below");
    visit("emergency_soc", "1", self.emergency_soc, "warning emergency at or below");
    visit("diode", "", self.diode, "an ideal diode keeps current from flowing into the pack");
  }
};
static_assert(lists_every_field<PackParameters>());

/// What the right-hand side needs, computed once: U is cubic in t = soc − soc_k on segment k.
struct Pack {
  double charge_c = 0.0;
  double inverse_charge_per_c = 0.0;
  double r0_ohm = 0.0;
  double conductance_s = 0.0;  ///< 1/R0
  bool diode = false;
  int rc_count = 0;
  double rc_c_farad[kMaxRcPairs] = {};
  double rc_elastance_per_f[kMaxRcPairs] = {};  ///< 1/C
  double rc_conductance_s[kMaxRcPairs] = {};    ///< 1/R
  int segment_count = 0;
  double soc_k[kMaxOcvPoints] = {};  ///< start of segment k
  double u[kMaxOcvPoints][4] = {};   ///< coefficients of 1, t, t², t³
  double low_soc = 0.0;
  double critical_soc = 0.0;
  double emergency_soc = 0.0;
};

struct PackState {
  double soc = 1.0;
  double v_rc_v[kMaxRcPairs] = {0.0, 0.0, 0.0, 0.0};
};

struct PackRates {
  double soc_per_s = 0.0;
  double v_rc_v_s[kMaxRcPairs] = {0.0, 0.0, 0.0, 0.0};
};

/// The pack as the bus sees it. A pack that is not connected has conductance 0. No initialisers, as
/// in MotorElectrical.
struct PackSource {
  double emf_v;
  double conductance_s;
  bool diode;
};

/// Every power by its own law; chemical = terminal + series + fault + rc_loss + rc_storing.
struct PackPower {
  double chemical_w = 0.0;     ///< U(soc) I, out of the chemical store
  double terminal_w = 0.0;     ///< V I, into the bus
  double series_loss_w = 0.0;  ///< R0 I² ≥ 0
  double fault_loss_w = 0.0;   ///< −ΔU I
  double rc_loss_w = 0.0;      ///< Σ v²/R ≥ 0
  double rc_storing_w = 0.0;   ///< Σ C v v', growth of the energy in the RC pairs
};

namespace detail {

TACTUS_HD inline int ocv_segment(const Pack& pack, double soc) {
  int k = pack.segment_count - 1;  // from the top: most flights begin with full packs
  while (k > 0 && soc < pack.soc_k[k]) --k;
  return k;
}

}  // namespace detail

TACTUS_HD inline double open_circuit_voltage_v(const Pack& pack, double soc) {
  const double s = math::clamp(soc, 0.0, 1.0);
  const int k = detail::ocv_segment(pack, s);
  const double* const u = pack.u[k];
  const double t = s - pack.soc_k[k];
  return u[0] + t * (u[1] + t * (u[2] + t * u[3]));
}

TACTUS_HD inline double rc_energy_j(const Pack& pack, const PackState& state) {
  TACTUS_ASSERT(pack.rc_count >= 0 && pack.rc_count <= kMaxRcPairs, "a pack from make_pack");
  double energy = 0.0;
  for (int k = 0; k < pack.rc_count; ++k) {
    energy += 0.5 * pack.rc_c_farad[k] * state.v_rc_v[k] * state.v_rc_v[k];
  }
  TACTUS_ASSERT(!(energy < 0.0), "energy stored in capacitors");
  return energy;
}

TACTUS_HD inline PackSource pack_source(const Pack& pack, const PackState& state,
                                        const PackFault& fault) {
  double emf = open_circuit_voltage_v(pack, state.soc) + fault.voltage_offset_v;
  for (int k = 0; k < kMaxRcPairs && k < pack.rc_count; ++k) emf -= state.v_rc_v[k];
  const double conductance = fault.connected ? pack.conductance_s / fault.resistance_scale : 0.0;
  return {emf, conductance, pack.diode};
}

TACTUS_HD inline PackRates pack_rates(const Pack& pack, const PackState& state, double current_a) {
  PackRates rates;
  rates.soc_per_s = -current_a * pack.inverse_charge_per_c;
  for (int k = 0; k < kMaxRcPairs && k < pack.rc_count; ++k) {
    const double leak_a = state.v_rc_v[k] * pack.rc_conductance_s[k];
    rates.v_rc_v_s[k] = (current_a - leak_a) * pack.rc_elastance_per_f[k];
  }
  return rates;
}

/// Terminal power is taken from the bus voltage, so that the balance is a check and not a
/// definition.
TACTUS_HD inline PackPower pack_power(const Pack& pack, const PackState& state,
                                      const PackFault& fault, double bus_v, double current_a) {
  PackPower power;
  power.chemical_w = open_circuit_voltage_v(pack, state.soc) * current_a;
  power.terminal_w = bus_v * current_a;
  power.series_loss_w = pack.r0_ohm * fault.resistance_scale * current_a * current_a;
  power.fault_loss_w = -fault.voltage_offset_v * current_a;
  for (int k = 0; k < pack.rc_count; ++k) {
    const double v = state.v_rc_v[k];
    const double leak_a = v * pack.rc_conductance_s[k];
    power.rc_loss_w += v * leak_a;
    power.rc_storing_w += v * (current_a - leak_a);
  }
  TACTUS_ASSERT(!(power.series_loss_w < 0.0) && !(power.rc_loss_w < 0.0),
                "resistances take power in both directions");
  return power;
}

TACTUS_HD inline BatteryWarning battery_warning(const Pack& pack, double soc) {
  if (soc <= pack.emergency_soc) return BatteryWarning::kEmergency;
  if (soc <= pack.critical_soc) return BatteryWarning::kCritical;
  if (soc <= pack.low_soc) return BatteryWarning::kLow;
  return BatteryWarning::kNone;
}

/// What a battery monitor reports. `empty`: the pack is cut off. A pack behind a diode that blocks
/// stands at its own voltage, below that of the bus.
TACTUS_HD inline BatteryStatus battery_status(const Pack& pack, const PackState& state,
                                              const PackFault& fault, bool empty, double bus_v,
                                              double current_a) {
  TACTUS_ASSERT(fault.resistance_scale >= 1.0, "a validated input");
  TACTUS_ASSERT(!pack.diode || !(current_a < 0.0), "nothing flows back through a diode");
  const bool blocks = pack.diode && !(current_a > 0.0);
  BatteryStatus status;
  status.connected = fault.connected && !empty;
  status.warning = battery_warning(pack, state.soc);
  status.voltage_v = 0.0;
  if (fault.connected) status.voltage_v = blocks ? pack_source(pack, state, fault).emf_v : bus_v;
  status.current_a = current_a;
  status.remaining = state.soc;
  return status;
}

/// Guards: negative is quiet, zero or more fires.
TACTUS_HD constexpr double empty_guard(double soc) { return -soc; }

/// Throws Error naming `where`, the value and the reason when a parameter is out of range.
void validate(const PackParameters& p, std::string_view where);

/// Validates and prepares a pack.
Pack make_pack(const PackParameters& p, std::string_view where);

/// Fastest pole of the RC pairs, on a bus that holds its voltage: a fixed step must resolve it.
double fastest_rate_per_s(const Pack& pack);

/// State at the start of a run.
PackState initial_pack_state(const PackParameters& p);

}  // namespace tactus
