// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/airframe/allocation.h"

#include "tactus/core/math.h"

namespace tactus {
namespace {

enum Row { kRoll, kPitch, kYaw, kLift, kRows };

/// Yaw last, so that it is the one that a missing rank takes away.
constexpr Row kOrder[kRows] = {kRoll, kPitch, kLift, kYaw};

/// Pivots below this, of rows of unit length, count as no rank.
constexpr double kRankTolerance = 1e-6;

/// Share of the whole vehicle's yaw moment below which yaw is given up.
constexpr double kLeastYawShare = 0.15;

/// Share of the whole vehicle's roll and pitch moments that a hover needs.
constexpr double kLeastTiltShare = 0.1;

/// Share of the whole vehicle's yaw moment that a hover may leave unbalanced.
constexpr double kMostSpinShare = 0.5;

/// Errors of this size, of rows of unit length, weigh like a rotor at full thrust: squared, in
/// kOrder, far enough apart that one of them practically waits for the one before it.
constexpr double kSoftness[kRows] = {1e-12, 1e-12, 1e-6, 1e-2};
/// Likewise for a share of the tilt that is not given.
constexpr double kShareSoftness = 1e-9;

constexpr int kMostSteps = 6 * kMaxMotors;

/// A factorisation L Lᵀ of the leading rows in kOrder, as many as are independent.
struct Cholesky {
  int rank = 0;
  double l[kRows][kRows] = {};
};

Cholesky factorise(const double (&gram)[kRows][kRows], double least_pivot) {
  Cholesky f;
  for (int j = 0; j < kRows; ++j) {
    double pivot = gram[j][j];
    for (int k = 0; k < j; ++k) pivot -= f.l[j][k] * f.l[j][k];
    if (!(pivot > least_pivot)) return f;
    f.l[j][j] = math::sqrt(pivot);
    for (int i = j + 1; i < kRows; ++i) {
      double sum = gram[i][j];
      for (int k = 0; k < j; ++k) sum -= f.l[i][k] * f.l[j][k];
      f.l[i][j] = sum / f.l[j][j];
    }
    f.rank = j + 1;
  }
  return f;
}

void solve(const Cholesky& f, double* x) {
  for (int i = 0; i < f.rank; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= f.l[i][k] * x[k];
    x[i] /= f.l[i][i];
  }
  for (int i = f.rank - 1; i >= 0; --i) {
    for (int k = i + 1; k < f.rank; ++k) x[i] -= f.l[k][i] * x[k];
    x[i] /= f.l[i][i];
  }
}

void fill_effectiveness(const AirframeModel& model, Allocation& a) {
  for (int i = 0; i < a.rotor_count; ++i) {
    if (((a.lost_mask >> i) & 1U) != 0) continue;
    const AirframeRotor& rotor = model.rotor[i];
    a.effectiveness[kRoll][i] = rotor.torque_per_thrust_B_m.x;
    a.effectiveness[kPitch][i] = rotor.torque_per_thrust_B_m.y;
    a.effectiveness[kYaw][i] = rotor.torque_per_thrust_B_m.z;
    a.effectiveness[kLift][i] = rotor.lift_per_thrust;
  }
}

/// P = W Bᵀ (B W Bᵀ)⁻¹ with W = diag(T_max²): strong rotors carry more.
void fill_inverse(const AirframeModel& model, Allocation& a) {
  double row[kRows][kMaxMotors] = {};  // √W Bᵀ in kOrder, rows of unit length
  double scale[kRows] = {};
  for (int r = 0; r < kRows; ++r) {
    double sum = 0.0;
    for (int i = 0; i < a.rotor_count; ++i) {
      a.strength_n[i] = model.rotor[i].curve.max_thrust_n;
      row[r][i] = a.strength_n[i] * a.effectiveness[kOrder[r]][i];
      sum += row[r][i] * row[r][i];
    }
    scale[r] = sum > 0.0 ? 1.0 / math::sqrt(sum) : 0.0;
    for (int i = 0; i < a.rotor_count; ++i) row[r][i] *= scale[r];
    a.row_scale[kOrder[r]] = scale[r];
  }
  double gram[kRows][kRows] = {};
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kRows; ++c) {
      for (int i = 0; i < a.rotor_count; ++i) gram[r][c] += row[r][i] * row[c][i];
    }
  }
  const Cholesky f = factorise(gram, kRankTolerance);
  a.controls_tilt = f.rank >= 3;
  a.controls_yaw = f.rank == kRows;
  for (int i = 0; i < a.rotor_count; ++i) {
    double x[kRows] = {};
    for (int r = 0; r < f.rank; ++r) x[r] = row[r][i];
    solve(f, x);
    for (int r = 0; r < f.rank; ++r) {
      a.inverse[i][kOrder[r]] = a.strength_n[i] * x[r] * scale[r];
    }
  }
}

/// The bounded least squares of the header. Unknowns: the thrusts over strength, and the share.
struct Bounded {
  enum Place : std::uint8_t { kFree, kAtLow, kAtHigh };

  int count = 0;  ///< rotors, then the share
  int rotor[kMaxMotors] = {};
  double row[kRows][kMaxMotors + 1] = {};
  double wanted[kRows] = {};
  double prior[kMaxMotors + 1] = {};
  double softness[kMaxMotors + 1] = {};
  double low[kMaxMotors + 1] = {};
  double high[kMaxMotors + 1] = {};
  double x[kMaxMotors + 1] = {};
  Place place[kMaxMotors + 1] = {};
  double price[kRows] = {};  ///< of the rows, by the last solution
};

void add_unknown(Bounded& p, double prior, double softness, double low, double high, double x) {
  const int i = p.count++;
  p.prior[i] = prior;
  p.softness[i] = softness;
  p.low[i] = low;
  p.high[i] = math::max(low, high);
  p.x[i] = math::clamp(x, p.low[i], p.high[i]);
  if (x < p.low[i]) p.place[i] = Bounded::kAtLow;
  if (x > p.high[i]) p.place[i] = Bounded::kAtHigh;
}

/// `thrust_n` is where the search begins.
Bounded make_problem(const Allocation& a, const Wrench& demand, const double* lowest_n,
                     const double* highest_n, const double* thrust_n) {
  Bounded p;
  for (int i = 0; i < a.rotor_count; ++i) {
    if (((a.lost_mask >> i) & 1U) != 0) continue;
    const double strength = a.strength_n[i];
    p.rotor[p.count] = i;
    for (int r = 0; r < kRows; ++r) {
      p.row[r][p.count] = a.row_scale[kOrder[r]] * strength * a.effectiveness[kOrder[r]][i];
    }
    add_unknown(p, 0.0, 1.0, lowest_n[i] / strength, highest_n[i] / strength,
                thrust_n[i] / strength);
  }
  // More than there is would weigh more than it should.
  double most_yaw = 0.0;
  for (int n = 0; n < p.count; ++n) most_yaw += math::abs(p.row[3][n]) * p.high[n];
  const double tilt[2] = {a.row_scale[kRoll] * demand.torque_B_nm.x,
                          a.row_scale[kPitch] * demand.torque_B_nm.y};
  p.row[0][p.count] = -tilt[0];
  p.row[1][p.count] = -tilt[1];
  p.wanted[2] = a.row_scale[kLift] * demand.lift_n;
  p.wanted[3] = math::clamp(a.row_scale[kYaw] * demand.torque_B_nm.z, -most_yaw, most_yaw);
  add_unknown(p, 1.0, kShareSoftness, 0.0, 1.0, 1.0);
  return p;
}

/// The best values of the free unknowns, the others as they are: with N the softness of the free
/// unknowns, A their columns and S that of the rows, x = x0 + N Aᵀ (A N Aᵀ + S)⁻¹ (w − …).
void solve_free(Bounded& p, double* best) {
  double gram[kRows][kRows] = {};
  for (int r = 0; r < kRows; ++r) {
    gram[r][r] = kSoftness[r];
    p.price[r] = p.wanted[r];
    for (int i = 0; i < p.count; ++i) {
      const bool is_free = p.place[i] == Bounded::kFree;
      p.price[r] -= p.row[r][i] * (is_free ? p.prior[i] : p.x[i]);
      if (!is_free) continue;
      for (int c = 0; c < kRows; ++c) gram[r][c] += p.softness[i] * p.row[r][i] * p.row[c][i];
    }
  }
  solve(factorise(gram, 0.0), p.price);
  for (int i = 0; i < p.count; ++i) {
    best[i] = p.x[i];
    if (p.place[i] != Bounded::kFree) continue;
    best[i] = p.prior[i];
    for (int r = 0; r < kRows; ++r) best[i] += p.softness[i] * p.row[r][i] * p.price[r];
  }
}

/// Goes towards `best` as far as the limits allow; true if one of them stopped it.
bool advance(Bounded& p, const double* best) {
  double step = 1.0;
  int stopped = -1;
  for (int i = 0; i < p.count; ++i) {
    if (p.place[i] != Bounded::kFree || (best[i] >= p.low[i] && best[i] <= p.high[i])) continue;
    const double limit = best[i] < p.low[i] ? p.low[i] : p.high[i];
    const double share = math::clamp((limit - p.x[i]) / (best[i] - p.x[i]), 0.0, 1.0);
    if (stopped >= 0 && share >= step) continue;
    step = share;
    stopped = i;
  }
  for (int i = 0; i < p.count; ++i) {
    p.x[i] = math::clamp(p.x[i] + step * (best[i] - p.x[i]), p.low[i], p.high[i]);
  }
  if (stopped < 0) return false;
  const bool low = best[stopped] < p.low[stopped];
  p.place[stopped] = low ? Bounded::kAtLow : Bounded::kAtHigh;
  p.x[stopped] = low ? p.low[stopped] : p.high[stopped];
  return true;
}

/// Frees the unknown that gains most by leaving its limit; false if none gains.
bool release(Bounded& p) {
  double largest_price = 1.0;
  for (const double price : p.price) largest_price = math::max(largest_price, math::abs(price));
  double most = 1e-9 * largest_price;
  int freed = -1;
  for (int i = 0; i < p.count; ++i) {
    if (p.place[i] == Bounded::kFree) continue;
    double pull = (p.prior[i] - p.x[i]) / p.softness[i];
    for (int r = 0; r < kRows; ++r) pull += p.row[r][i] * p.price[r];
    const double gain = p.place[i] == Bounded::kAtLow ? pull : -pull;
    if (gain <= most) continue;
    most = gain;
    freed = i;
  }
  if (freed >= 0) p.place[freed] = Bounded::kFree;
  return freed >= 0;
}

void allocate_limited(const Allocation& a, const Wrench& demand, const double* lowest_n,
                      const double* highest_n, double* thrust_n) {
  Bounded p = make_problem(a, demand, lowest_n, highest_n, thrust_n);
  for (int k = 0; k < kMostSteps; ++k) {
    double best[kMaxMotors + 1] = {};
    solve_free(p, best);
    if (!advance(p, best) && !release(p)) break;
  }
  for (int n = 0; n + 1 < p.count; ++n) {
    const int i = p.rotor[n];
    thrust_n[i] =
        math::clamp(p.x[n] * a.strength_n[i], lowest_n[i], math::max(lowest_n[i], highest_n[i]));
  }
}

/// Moments of either sign that a hover leaves room for.
void find_hover_room(const AirframeModel& model, Allocation& a) {
  double room[3] = {math::infinity(), math::infinity(), math::infinity()};
  for (int i = 0; i < a.rotor_count; ++i) {
    if (((a.lost_mask >> i) & 1U) != 0) continue;
    const AirframeRotor& rotor = model.rotor[i];
    const double hover = a.inverse[i][kLift] * model.hover_thrust_n;
    const double free_n = math::min(hover - rotor.idle_thrust_n, rotor.curve.max_thrust_n - hover);
    for (int r = 0; r < 3; ++r) {
      const double slope = math::abs(a.inverse[i][r]);
      if (slope > 0.0) room[r] = math::min(room[r], math::max(0.0, free_n) / slope);
    }
  }
  const auto finite = [](double x) { return math::is_finite(x) ? x : 0.0; };
  a.hover_tilt_nm = {finite(room[kRoll]), finite(room[kPitch]), 0.0};
  a.hover_yaw_nm = a.controls_yaw ? finite(room[kYaw]) : 0.0;
}

/// Whether a hover leaves room for these roll and pitch moments of either sign, with a yaw moment
/// of at most this size: more would spin the vehicle up until it cannot be tilted.
bool can_tilt(const AirframeModel& model, const Allocation& a, Vec3 torque_nm, double yaw_nm) {
  double low[kMaxMotors] = {};
  double high[kMaxMotors] = {};
  for (int i = 0; i < a.rotor_count; ++i) {
    low[i] = model.rotor[i].idle_thrust_n;
    high[i] = model.rotor[i].curve.max_thrust_n;
  }
  bool can = true;
  for (const double sign : {1.0, -1.0}) {
    for (const Vec3 torque :
         {Vec3{sign * torque_nm.x, 0.0, 0.0}, Vec3{0.0, sign * torque_nm.y, 0.0}}) {
      double thrust[kMaxMotors] = {};
      allocate(a, {torque, model.hover_thrust_n}, low, high, thrust);
      const Wrench given = wrench_of(a, thrust);
      const Vec3 missing = torque - given.torque_B_nm;
      can = can && given.lift_n > 0.999 * model.hover_thrust_n &&
            math::hypot(missing.x, missing.y) < 0.01 * norm(torque) &&
            math::abs(given.torque_B_nm.z) < yaw_nm;
    }
  }
  return can;
}

}  // namespace

Allocation make_allocation(const AirframeModel& model, std::uint32_t lost_mask) {
  Allocation a;
  a.rotor_count = model.rotor_count;
  a.lost_mask = lost_mask;
  fill_effectiveness(model, a);
  fill_inverse(model, a);
  find_hover_room(model, a);
  if (lost_mask != 0) {
    const Allocation whole = make_allocation(model, 0);
    a.controls_tilt = a.controls_tilt && can_tilt(model, a, kLeastTiltShare * whole.hover_tilt_nm,
                                                  kMostSpinShare * whole.hover_yaw_nm);
    a.controls_yaw = a.controls_yaw && a.hover_yaw_nm > kLeastYawShare * whole.hover_yaw_nm;
  }
  return a;
}

void allocate(const Allocation& a, const Wrench& demand, const double* lowest_n,
              const double* highest_n, double* thrust_n) {
  const Vec3 torque = demand.torque_B_nm;
  bool inside = true;
  for (int i = 0; i < a.rotor_count; ++i) {
    const double* p = a.inverse[i];
    thrust_n[i] =
        p[kRoll] * torque.x + p[kPitch] * torque.y + p[kYaw] * torque.z + p[kLift] * demand.lift_n;
    const bool lost = ((a.lost_mask >> i) & 1U) != 0;
    inside = inside && (lost || (thrust_n[i] >= lowest_n[i] && thrust_n[i] <= highest_n[i]));
  }
  if (!inside) allocate_limited(a, demand, lowest_n, highest_n, thrust_n);
}

Wrench wrench_of(const Allocation& a, const double* thrust_n) {
  double sum[kRows] = {};
  for (int r = 0; r < kRows; ++r) {
    for (int i = 0; i < a.rotor_count; ++i) sum[r] += a.effectiveness[r][i] * thrust_n[i];
  }
  return {{sum[kRoll], sum[kPitch], sum[kYaw]}, sum[kLift]};
}

}  // namespace tactus
