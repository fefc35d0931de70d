// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/world/magnetic_field.h"

#include <gtest/gtest.h>

#include <string>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/world/wmm2025.h"

namespace tactus {
namespace {

Vec3 flux(double year, double alt_km, double lat_deg, double lon_deg) {
  return magnetic_flux_nt(make_magnetic_field({year}), {lat_deg, lon_deg, 1000.0 * alt_km});
}

struct PublishedField {
  double year;
  double alt_km;
  double lat_deg;
  double lon_deg;
  Vec3 flux_nt;
};

// The twelve test values of the model's report, printed with one decimal.
TEST(MagneticField, TestValuesOfTheReport) {
  constexpr PublishedField kTable[] = {
      {2025.0, 0, 80, 0, {6521.6, 145.9, 54791.5}},
      {2025.0, 0, 0, 120, {39677.8, -109.6, -10580.2}},
      {2025.0, 0, -80, 240, {6117.5, 15751.9, -52022.5}},
      {2025.0, 100, 80, 0, {6216.0, 92.4, 52598.8}},
      {2025.0, 100, 0, 120, {37688.6, -96.2, -10152.1}},
      {2025.0, 100, -80, 240, {5907.6, 14780.3, -49540.7}},
      {2027.5, 0, 80, 0, {6500.8, 294.5, 54869.4}},
      {2027.5, 0, 0, 120, {39701.6, -167.4, -10381.8}},
      {2027.5, 0, -80, 240, {6200.7, 15730.3, -51783.7}},
      {2027.5, 100, 80, 0, {6196.7, 233.8, 52670.5}},
      {2027.5, 100, 0, 120, {37711.5, -148.7, -9969.8}},
      {2027.5, 100, -80, 240, {5984.0, 14760.1, -49317.7}},
  };
  for (const PublishedField& row : kTable) {
    SCOPED_TRACE(std::to_string(row.year) + " " + std::to_string(row.lat_deg));
    const Vec3 b = flux(row.year, row.alt_km, row.lat_deg, row.lon_deg);
    EXPECT_NEAR(b.x, row.flux_nt.x, 0.0501);
    EXPECT_NEAR(b.y, row.flux_nt.y, 0.0501);
    EXPECT_NEAR(b.z, row.flux_nt.z, 0.0501);
  }
}

// Ten of the hundred that come with the coefficients, printed with six decimals. East and down hold
// them; the printed north differs from the exact sum (next test) by up to 5e-4 nT.
TEST(MagneticField, TestValuesOfTheCoefficientFile) {
  constexpr PublishedField kTable[] = {
      {2025.0, 28, 89, -121, {-255.388723, -1482.460628, 56194.288771}},
      {2025.0, 65, 43, 93, {24299.852822, 210.517066, 50037.923998}},
      {2025.0, 51, -33, 109, {21737.778822, -2090.274098, -52710.00392}},
      {2025.5, 6, -36, -137, {23781.930678, 8786.698927, -32577.518648}},
      {2025.5, 8, -66, 17, {15201.438652, -9925.501123, -30881.123197}},
      {2026.0, 74, -57, 3, {13268.119649, -5498.179626, -23576.062921}},
      {2026.0, 62, -14, 99, {33437.82863, -835.919473, -33100.922253}},
      {2026.5, 14, 0, 80, {39431.415992, -2133.456168, -12188.838466}},
      {2027.0, 37, -66, -5, {16390.771268, -5079.626554, -28608.243575}},
      {2027.5, 73, -72, 95, {-2912.418045, -12984.118939, -55399.217725}},
  };
  for (const PublishedField& row : kTable) {
    SCOPED_TRACE(std::to_string(row.year) + " " + std::to_string(row.lat_deg));
    const Vec3 b = flux(row.year, row.alt_km, row.lat_deg, row.lon_deg);
    EXPECT_NEAR(b.x, row.flux_nt.x, 1e-3);
    EXPECT_NEAR(b.y, row.flux_nt.y, 2e-6);
    EXPECT_NEAR(b.z, row.flux_nt.z, 2e-6);
  }
}

// The same sums with Legendre polynomials expanded by Rodrigues' formula in rational arithmetic.
TEST(MagneticField, AgreesWithRationalArithmetic) {
  const Vec3 a = flux(2025.0, 65.0, 43.0, 93.0);
  EXPECT_NEAR(a.x, 24299.85307539995, 1e-9);
  EXPECT_NEAR(a.y, 210.5170661738278, 1e-9);
  EXPECT_NEAR(a.z, 50037.92399673145, 1e-9);
  const Vec3 b = flux(2025.5, 6.0, -36.0, -137.0);
  EXPECT_NEAR(b.x, 23781.93112141759, 1e-9);
  EXPECT_NEAR(b.y, 8786.69892733457, 1e-9);
  EXPECT_NEAR(b.z, -32577.518646989563, 1e-9);
}

// At a pole every longitude is the same place: north there turns with the longitude.
TEST(MagneticField, ThePolesAreOrdinaryPoints) {
  for (const double lat : {90.0, -90.0}) {
    const Vec3 b0 = flux(2026.0, 1.0, lat, 0.0);
    const double sign = lat > 0.0 ? 1.0 : -1.0;
    for (const double lon : {30.0, 90.0, -120.0, 180.0}) {
      const SineCosine turn = sincos_degrees(-sign * lon);
      const Vec3 b = flux(2026.0, 1.0, lat, lon);
      EXPECT_NEAR(b.x, b0.x * turn.cosine + b0.y * turn.sine, 1e-7);
      EXPECT_NEAR(b.y, b0.y * turn.cosine - b0.x * turn.sine, 1e-7);
      EXPECT_NEAR(b.z, b0.z, 1e-7);
    }
    const Vec3 near = flux(2026.0, 1.0, lat - sign * 1e-7, 0.0);
    EXPECT_NEAR(norm(near - b0), 0.0, 1e-3);
  }
}

// Where there are no sources the field has no divergence: B = −∇V with ∇²V = 0. In earth-fixed
// axes, by central differences.
TEST(MagneticField, HasNoDivergence) {
  const MagneticField field = make_magnetic_field({2026.5});
  const auto flux_E = [&](Vec3 p_E) {
    const Geodetic place = ecef_to_geodetic(p_E);
    const LocalFrame frame = make_local_frame({place.lat_deg, place.lon_deg, place.alt_m});
    return transpose_times(frame.R_NE, magnetic_flux_nt(field, place));
  };
  const double h = 100.0;
  for (const Geodetic place : {Geodetic{47.4, 8.5, 500.0}, {-35.4, 149.2, 600.0}, {80, 170, 0}}) {
    const Vec3 p = geodetic_to_ecef(place);
    const double xx = (flux_E(p + Vec3{h, 0, 0}) - flux_E(p - Vec3{h, 0, 0})).x / (2.0 * h);
    const double yy = (flux_E(p + Vec3{0, h, 0}) - flux_E(p - Vec3{0, h, 0})).y / (2.0 * h);
    const double zz = (flux_E(p + Vec3{0, 0, h}) - flux_E(p - Vec3{0, 0, h})).z / (2.0 * h);
    EXPECT_GT(math::abs(xx) + math::abs(yy) + math::abs(zz), 1e-3);
    EXPECT_NEAR(xx + yy + zz, 0.0, 1e-8);
  }
}

TEST(MagneticField, EveryCoefficientIsThereOnce) {
  int next_n = 1;
  int next_m = 0;
  for (const wmm2025::Coefficient& c : wmm2025::kCoefficients) {
    EXPECT_EQ(c.n, next_n);
    EXPECT_EQ(c.m, next_m);
    EXPECT_TRUE(c.m > 0 || c.h_nt == 0.0);
    if (next_m++ == next_n) {
      ++next_n;
      next_m = 0;
    }
  }
  EXPECT_EQ(next_n, kMagneticDegree + 1);
}

TEST(MagneticField, RefusesADateTheModelDoesNotCover) {
  EXPECT_NO_THROW(validate(MagneticFieldParameters{2025.0}, "world"));
  EXPECT_NO_THROW(validate(MagneticFieldParameters{2030.0}, "world"));
  for (const double year : {2024.9, 2030.1, math::canonical_nan()}) {
    EXPECT_THROW(validate(MagneticFieldParameters{year}, "world"), Error) << year;
  }
}

}  // namespace
}  // namespace tactus
