// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Butcher tableaus as data. One step of x' = f(t, x) over h:
//   k_i = f(t + c_i h, x + h Σ_j a_ij k_j),  x_new = x + h Σ b_i k_i,  error = h Σ e_i k_i.
// With kLastStageAtEnd the last stage is f at the new state, so it is the first one of the next
// step (FSAL); its row of `a` equals b and is not stored. e = b − b̂, the difference of the two
// solutions.
//
// References: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., II.1
// (classical RK4), II.5 table 5.2 (Dormand & Prince 1980), II.6 (its continuous extension);
// Bogacki & Shampine, Appl. Math. Lett. 2 (1989) 321–325.

#include "tactus/core/hd.h"
#include "tactus/solver/lanes.h"

namespace tactus {

struct EulerTableau {
  static constexpr int kStages = 1;
  static constexpr bool kLastStageAtEnd = false;
  static constexpr double c[1] = {0.0};
  static constexpr double a[1][1] = {{0.0}};
  static constexpr double b[1] = {1.0};
};

struct Rk4Tableau {
  static constexpr int kStages = 4;
  static constexpr bool kLastStageAtEnd = false;
  static constexpr double c[4] = {0.0, 0.5, 0.5, 1.0};
  static constexpr double a[4][4] = {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}};
  static constexpr double b[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
};

struct BogackiShampineTableau {
  static constexpr int kStages = 4;
  static constexpr bool kLastStageAtEnd = true;
  static constexpr int kErrorOrder = 3;  ///< the error estimate shrinks with h to this power
  static constexpr double c[4] = {0.0, 0.5, 0.75, 1.0};
  static constexpr double a[4][4] = {{}, {0.5}, {0.0, 0.75}, {}};
  static constexpr double b[4] = {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0, 0.0};
  static constexpr double e[4] = {-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -1.0 / 8.0};
};

struct DormandPrinceTableau {
  static constexpr int kStages = 7;
  static constexpr bool kLastStageAtEnd = true;
  static constexpr int kErrorOrder = 5;
  static constexpr double c[7] = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};
  static constexpr double a[7][7] = {
      {},
      {0.2},
      {3.0 / 40.0, 9.0 / 40.0},
      {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
      {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
      {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
      {}};
  static constexpr double b[7] = {
      35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0};
  static constexpr double e[7] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                  -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
  /// Weights of the quartic term of the dense output.
  static constexpr double d[7] = {-12715105075.0 / 11282082432.0,  0.0,
                                  87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                  701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                  69997945.0 / 29380423.0};
};

/// Rows of a tableau as types, so that a sum can be unrolled without its zero terms.
template <class Tableau, int stage>
struct StageRow {
  static constexpr double weight(int j) { return Tableau::a[stage][j]; }
};
template <class Tableau>
struct SolutionRow {
  static constexpr double weight(int j) { return Tableau::b[j]; }
};
template <class Tableau>
struct ErrorRow {
  static constexpr double weight(int j) { return Tableau::e[j]; }
};
template <class Tableau>
struct DenseRow {
  static constexpr double weight(int j) { return Tableau::d[j]; }
};

namespace detail {

template <class Row, int count>
constexpr int first_used_stage() {
  for (int j = 0; j < count; ++j) {
    if (Row::weight(j) != 0.0) return j;
  }
  return count;
}

}  // namespace detail

/// Σ_{j < count} (scale · weight_j) · k_j[i], from the lowest stage up, zero weights left out. The
/// products with `scale` do not depend on i, so a loop over i computes them once.
template <class Row, int count, class Lane, int Capacity>
TACTUS_HD inline Lane weighted_sum(double scale, const double (*k)[Capacity], int i) {
  static_assert(count > 0);
  constexpr double weight = Row::weight(count - 1);
  if constexpr (detail::first_used_stage<Row, count>() == count - 1) {
    return (scale * weight) * load_lane<Lane>(&k[count - 1][i]);
  } else if constexpr (weight == 0.0) {
    return weighted_sum<Row, count - 1, Lane>(scale, k, i);
  } else {
    return weighted_sum<Row, count - 1, Lane>(scale, k, i) +
           (scale * weight) * load_lane<Lane>(&k[count - 1][i]);
  }
}

/// The weighted sum of every entry.
template <class Row, int count, int Capacity>
TACTUS_HD inline void weighted_sums(double scale, const double (*k)[Capacity], int n, double* out) {
  for_each_lane(n, out,
                [=]<class Lane>(int i) { return weighted_sum<Row, count, Lane>(scale, k, i); });
}

}  // namespace tactus
