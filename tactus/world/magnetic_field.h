// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The earth's magnetic field: World Magnetic Model 2025 (Chulliat et al., "The US/UK World Magnetic
// Model for 2025-2030", NOAA NCEI and BGS, 2024), degree and order 12 with secular variation.
//
//   V = a Σ_n (a/r)^(n+1) Σ_m (g_nm cos mλ + h_nm sin mλ) P_nm(sin φ'),   B = −∇V,   a = 6371.2 km
//   g(t) = g(2025) + (t − 2025) ġ                          likewise h
// P: Schmidt semi-normalised; for m ≥ 1 the recursion runs on P_nm / cos φ', so the poles are
// ordinary points. φ', r are geocentric; the result is turned back to the geodetic vertical.
// nT in north, east, down at the place; height above the WGS-84 ellipsoid. Valid from 2025.0 to
// 2030.0 and from −1 km to 850 km. Crust and storms are not in it (deviation ≈ 140 nT).

#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/vec.h"
#include "tactus/world/geodesy.h"

namespace tactus {

struct MagneticFieldParameters {
  double date_year = 2026.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("date_year", "1", self.date_year, "date as a decimal year, 2025.0 to 2030.0");
  }
};
static_assert(lists_every_field<MagneticFieldParameters>());

/// Throws Error naming `where` when the model does not cover the date.
void validate(const MagneticFieldParameters& parameters, std::string_view where);

inline constexpr int kMagneticDegree = 12;
inline constexpr int kMagneticTerms = (kMagneticDegree + 1) * (kMagneticDegree + 2) / 2;

/// The field of one day; built once. Term (n, m) is at n (n + 1) / 2 + m.
struct MagneticField {
  double g_nt[kMagneticTerms] = {};
  double h_nt[kMagneticTerms] = {};
  double root[kMagneticTerms] = {};           ///< √(n² − m²)
  double diagonal[kMagneticDegree + 1] = {};  ///< √((2m − 1) / 2m)
};

/// The parameters have been validated.
MagneticField make_magnetic_field(const MagneticFieldParameters& parameters);

/// Flux density in north, east, down at a place.
Vec3 magnetic_flux_nt(const MagneticField& field, Geodetic place);

inline constexpr double kGaussPerNanotesla = 1.0e-5;

}  // namespace tactus
