// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/plant/battery.h"

#include <fmt/format.h>

#include <string>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {
namespace {

std::string element(const char* key, int index) { return fmt::format("{}[{}]", key, index); }

void validate_ocv(const PackParameters& p, std::string_view where) {
  require_within(where, "ocv_count", p.ocv_count, 2, kMaxOcvPoints);
  for (int k = 0; k < p.ocv_count; ++k) {
    require_within(where, element("ocv_soc", k), p.ocv_soc[k], 0.0, 1.0);
    require_positive(where, element("ocv_v", k), p.ocv_v[k]);
    if (k == 0) continue;
    if (p.ocv_soc[k] <= p.ocv_soc[k - 1]) {
      refuse(where, element("ocv_soc", k), p.ocv_soc[k],
             "the points of the open-circuit curve must be in order of increasing state of charge");
    }
    if (p.ocv_v[k] < p.ocv_v[k - 1]) {
      refuse(where, element("ocv_v", k), p.ocv_v[k],
             "the open-circuit voltage must not fall when the state of charge rises");
    }
  }
  if (p.ocv_soc[0] != 0.0) {
    refuse(where, "ocv_soc[0]", p.ocv_soc[0], "the open-circuit curve must start at 0 (empty)");
  }
  const int last = p.ocv_count - 1;
  if (p.ocv_soc[last] != 1.0) {
    refuse(where, element("ocv_soc", last), p.ocv_soc[last],
           "the open-circuit curve must end at 1 (full)");
  }
}

void validate_cells(const PackParameters& p, std::string_view where) {
  require_within(where, "cell_count", p.cell_count, 0, 1000);
  if (p.cell_count == 0) return;
  const double full_cell_v = p.ocv_v[p.ocv_count - 1] / p.cell_count;
  if (full_cell_v < 1.0 || full_cell_v > 5.0) {
    refuse(
        where, "cell_count", p.cell_count,
        fmt::format("a full cell would have {} V, which no chemistry has; ocv_v is the voltage of "
                    "the whole pack, and cell_count = 0 means not known",
                    full_cell_v));
  }
}

void validate_warnings(const PackParameters& p, std::string_view where) {
  require_within(where, "low_soc", p.low_soc, 0.0, 1.0);
  require_within(where, "critical_soc", p.critical_soc, 0.0, 1.0);
  require_within(where, "emergency_soc", p.emergency_soc, 0.0, 1.0);
  if (p.critical_soc > p.low_soc) {
    refuse(where, "critical_soc", p.critical_soc,
           fmt::format("must not be above low_soc = {}", p.low_soc));
  }
  if (p.emergency_soc > p.critical_soc) {
    refuse(where, "emergency_soc", p.emergency_soc,
           fmt::format("must not be above critical_soc = {}", p.critical_soc));
  }
}

/// Slope at point k: harmonic mean of the neighbouring secants, weighted by their lengths, which
/// keeps the cubic monotone; the three-point formula at the ends, not below zero.
double ocv_slope_at(const PackParameters& p, int k) {
  TACTUS_ASSERT(k >= 0 && k < p.ocv_count, "a point of the curve");
  const auto step = [&p](int i) { return p.ocv_soc[i + 1] - p.ocv_soc[i]; };
  const auto secant = [&](int i) { return (p.ocv_v[i + 1] - p.ocv_v[i]) / step(i); };
  const auto end_slope = [&](int at, int next) {
    const double h0 = step(at), h1 = step(next);
    const double slope = ((2.0 * h0 + h1) * secant(at) - h0 * secant(next)) / (h0 + h1);
    return math::max(slope, 0.0);
  };
  const int last = p.ocv_count - 1;
  if (last == 1) return secant(0);
  if (k == 0) return end_slope(0, 1);
  if (k == last) return end_slope(last - 1, last - 2);
  if (secant(k - 1) == 0.0 || secant(k) == 0.0) return 0.0;
  const double w1 = 2.0 * step(k) + step(k - 1);
  const double w2 = step(k) + 2.0 * step(k - 1);
  return (w1 + w2) / (w1 / secant(k - 1) + w2 / secant(k));
}

void prepare_ocv(const PackParameters& p, Pack& pack) {
  TACTUS_ASSERT(p.ocv_count >= 2 && p.ocv_count <= kMaxOcvPoints, "validated parameters");
  pack.segment_count = p.ocv_count - 1;
  for (int k = 0; k < pack.segment_count; ++k) {
    const double h = p.ocv_soc[k + 1] - p.ocv_soc[k];
    const double secant = (p.ocv_v[k + 1] - p.ocv_v[k]) / h;
    TACTUS_ASSERT(h > 0.0 && secant >= 0.0, "points of a curve that rises");
    const double m0 = ocv_slope_at(p, k);
    const double m1 = ocv_slope_at(p, k + 1);
    TACTUS_ASSERT(!(m0 < 0.0) && !(m1 < 0.0), "slopes that keep the curve from falling");
    double* const u = pack.u[k];
    u[0] = p.ocv_v[k];
    u[1] = m0;
    u[2] = (3.0 * secant - 2.0 * m0 - m1) / h;
    u[3] = (m0 + m1 - 2.0 * secant) / (h * h);
    pack.soc_k[k] = p.ocv_soc[k];
  }
}

}  // namespace

void validate(const PackParameters& p, std::string_view where) {
  require_positive(where, "capacity_ah", p.capacity_ah);
  validate_ocv(p, where);
  validate_cells(p, where);
  if (!math::is_finite(p.r0_ohm) || p.r0_ohm <= 0.0) {
    refuse(where, "r0_ohm", p.r0_ohm,
           "must be greater than zero: the current of an ideal pack is not defined when it meets "
           "another pack or a short circuit; small packs have some 10 mOhm");
  }
  require_within(where, "rc_count", p.rc_count, 0, kMaxRcPairs);
  for (int k = 0; k < p.rc_count; ++k) {
    require_positive(where, element("rc", k) + ".r_ohm", p.rc[k].r_ohm);
    require_positive(where, element("rc", k) + ".c_farad", p.rc[k].c_farad);
    require_finite(where, element("v_rc0_v", k), p.v_rc0_v[k]);
  }
  require_within(where, "soc0", p.soc0, 0.0, 1.0);
  validate_warnings(p, where);
}

Pack make_pack(const PackParameters& p, std::string_view where) {
  validate(p, where);
  Pack pack;
  pack.charge_c = 3600.0 * p.capacity_ah;
  pack.inverse_charge_per_c = 1.0 / pack.charge_c;
  pack.r0_ohm = p.r0_ohm;
  pack.conductance_s = 1.0 / p.r0_ohm;
  pack.diode = p.diode;
  pack.rc_count = p.rc_count;
  for (int k = 0; k < p.rc_count; ++k) {
    pack.rc_c_farad[k] = p.rc[k].c_farad;
    pack.rc_elastance_per_f[k] = 1.0 / p.rc[k].c_farad;
    pack.rc_conductance_s[k] = 1.0 / p.rc[k].r_ohm;
  }
  prepare_ocv(p, pack);
  pack.low_soc = p.low_soc;
  pack.critical_soc = p.critical_soc;
  pack.emergency_soc = p.emergency_soc;
  TACTUS_ASSERT(pack.conductance_s > 0.0, "a series resistance that shares the current");
  TACTUS_ASSERT(pack.soc_k[0] == 0.0 && pack.u[0][0] > 0.0,
                "the curve starts at empty, above zero");
  TACTUS_ASSERT(pack.emergency_soc <= pack.critical_soc && pack.critical_soc <= pack.low_soc,
                "warnings in the order of charge");
  return pack;
}

double fastest_rate_per_s(const Pack& pack) {
  // The pairs share the current through R0: the sum of their rates bounds the largest eigenvalue.
  double rate = 0.0;
  for (int k = 0; k < pack.rc_count; ++k) {
    rate += (pack.rc_conductance_s[k] + pack.conductance_s) * pack.rc_elastance_per_f[k];
  }
  TACTUS_ASSERT(!(rate < 0.0), "a rate of decay");
  return rate;
}

PackState initial_pack_state(const PackParameters& p) {
  TACTUS_ASSERT(p.soc0 >= 0.0 && p.soc0 <= 1.0, "validated parameters");
  TACTUS_ASSERT(p.rc_count >= 0 && p.rc_count <= kMaxRcPairs, "validated parameters");
  PackState state;
  state.soc = p.soc0;
  for (int k = 0; k < p.rc_count; ++k) state.v_rc_v[k] = p.v_rc0_v[k];
  return state;
}

}  // namespace tactus
