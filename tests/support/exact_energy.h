// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Exact integrals of what the models give: truths that flights are held to.

#include "tactus/plant/battery.h"
#include "tactus/plant/multirotor_state.h"
#include "tactus/world/gravity.h"

namespace tactus::testing {

/// Φ(h), the exact integral of gravity_down from altitude zero; kinetic energy per mass plus Φ is
/// conserved in free fall. Differences of 1/r are written as quotients, so nothing cancels.
inline double gravity_potential(const Gravity& g, double altitude_m) {
  const double h = altitude_m;
  if (g.kind == GravityKind::kUniform) return g.uniform_m_s2 * h;
  const double r0 = g.radius_m;
  const double r = r0 + h;
  const double quotient = h / (r0 * r);
  const double cubic = (r0 * r0 + r0 * r + r * r) / (3.0 * r0 * r0 * r * r);
  return g.k_m3_s2 * quotient + g.c_m5_s2 * quotient * cubic -
         g.centrifugal_per_s2 * h * (g.prime_vertical_radius_m + 0.5 * h);
}

/// Energy in the chemical store above empty, Q ∫ U d(soc), from the cubics of the curve; its rate
/// is −U I exactly. Outside [0, 1] the end voltage goes on.
inline double chemical_energy_j(const Pack& pack, double soc) {
  const double inside = math::clamp(soc, 0.0, 1.0);
  double volts = (soc - inside) * open_circuit_voltage_v(pack, inside);
  for (int k = 0; k < pack.segment_count && pack.soc_k[k] < inside; ++k) {
    const bool is_last = k + 1 == pack.segment_count;
    const double end = is_last ? inside : math::min(inside, pack.soc_k[k + 1]);
    const double t = end - pack.soc_k[k];
    const double* const u = pack.u[k];
    volts += t * (u[0] + t * (u[1] / 2.0 + t * (u[2] / 3.0 + t * (u[3] / 4.0))));
  }
  return pack.charge_c * volts;
}

/// Sources minus losses: what kinetic and RC energy must have grown by. For energies and powers.
inline double ledger_net(const double* entries) {
  const auto of = [entries](LedgerEntry which) { return entries[static_cast<int>(which)]; };
  const double sources = of(LedgerEntry::kChemical) + of(LedgerEntry::kRotorAir) +
                         of(LedgerEntry::kDragAir) + of(LedgerEntry::kContact) +
                         of(LedgerEntry::kGravity) + of(LedgerEntry::kProjection);
  const double losses = of(LedgerEntry::kPackLoss) + of(LedgerEntry::kEscLoss) +
                        of(LedgerEntry::kCopperLoss) + of(LedgerEntry::kFrictionLoss) +
                        of(LedgerEntry::kAvionics) + of(LedgerEntry::kImpactLoss);
  return sources - losses;
}

}  // namespace tactus::testing
