// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Wind: velocity of the air over ground in the world frame (NED), sampled at the ticks of its axis.
//
//   w(t) = mean · (h / h_ref)^α + Σ gusts(t) + turbulence
// mean        at the reference height; power-law shear over the height h above ground, h clamped to
//             0 … 300 m (α = 0: no shear; typical 1/7 over open ground)
// gusts       superpose; active on [on, off): step, or full bump ½ (1 − cos 2π (t − on)/(off − on))
// turbulence  Ornstein–Uhlenbeck: σ and τ per world axis, exact φ = exp(−Δt/τ);
//             Dryden, von Kármán (turbulence.h): axes along and across the mean wind (north if it
//             is calm) and down, scales from height, W20 and V = max(|v − mean|, floor), so that a
//             hover is defined in wind and in calm air
// All processes start stationary; Δt is the period of the axis at hand, never a parameter.
// A stream is `hold`: the value stands until the next tick, slope zero; or `linear`: value and
// slope lead to the value of the next tick, a continuous signal. Linear looks one tick ahead, with
// height and speed of this tick; steps of a gust become ramps of one period.
// Units m/s, s, m. Assumes the same air over the whole vehicle. A gust edge between two ticks takes
// effect at the next tick.

#include <cstdint>
#include <string_view>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/world/turbulence.h"

namespace tactus {

enum class GustShape : std::uint8_t { kStep, kOneMinusCosine };
enum class WindRule : std::uint8_t { kHold, kLinear };

struct Gust {
  GustShape shape = GustShape::kStep;
  Vec3 velocity_W_m_s{};
  TimeUs on{};
  TimeUs off{};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("shape", "", self.shape, "step or one_minus_cosine");
    visit("velocity_ned_m_s", "m/s", self.velocity_W_m_s, "velocity added at the peak");
    visit("on_us", "us", self.on, "first instant of the gust");
    visit("off_us", "us", self.off, "first instant after the gust");
  }
};
static_assert(lists_every_field<Gust>());

inline constexpr int kMaxGusts = 8;
/// Of a mean, a gust, a standard deviation: hurricanes and tornadoes stay below.
inline constexpr double kStrongestWind_m_s = 100.0;

struct WindParameters {
  Vec3 mean_W_m_s{};
  double shear_exponent = 0.0;
  double shear_reference_height_m = 10.0;
  TurbulenceKind turbulence = TurbulenceKind::kNone;
  Vec3 ou_sigma_W_m_s{1.5, 1.5, 0.5};
  Vec3 ou_time_constant_s{3.0, 3.0, 3.0};
  double turbulence_w20_m_s = 0.0;
  double turbulence_speed_floor_m_s = 1.0;
  WindRule rule = WindRule::kHold;
  std::int32_t gust_count = 0;
  Gust gusts[kMaxGusts]{};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("mean_ned_m_s", "m/s", self.mean_W_m_s, "mean wind at the reference height");
    visit("shear_exponent", "1", self.shear_exponent, "power law over height, 0 = uniform");
    visit("shear_reference_height_m", "m", self.shear_reference_height_m, "height of the mean");
    visit("turbulence", "", self.turbulence, "none, ornstein_uhlenbeck, dryden or von_karman");
    visit("ou_sigma_ned_m_s", "m/s", self.ou_sigma_W_m_s, "Ornstein-Uhlenbeck: deviation");
    visit("ou_time_constant_s", "s", self.ou_time_constant_s, "Ornstein-Uhlenbeck: correlation");
    visit("turbulence_w20_m_s", "m/s", self.turbulence_w20_m_s,
          "wind 20 feet above ground that sets the intensity; 0 = that of the mean wind");
    visit("turbulence_speed_floor_m_s", "m/s", self.turbulence_speed_floor_m_s,
          "least speed through the air assumed by the spectra");
    visit("rule", "", fixed_in_flight(self.rule, "a recording has one wind rule"),
          "hold or linear between ticks");
    visit("gust_count", "", self.gust_count, "gusts in use");
    visit("gusts", "", self.gusts, "gusts, added up");
  }
};
static_assert(lists_every_field<WindParameters>());

/// Throws Error naming `where`, the field and its value.
void validate(const WindParameters& parameters, std::string_view where);

/// What the wind needs to know of the vehicle.
struct WindInput {
  double height_m = 0.0;  ///< above ground
  Vec3 v_W_m_s;           ///< velocity over ground

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("height_m", "m", self.height_m, "height above ground");
    visit("v_ned_m_s", "m/s", self.v_W_m_s, "velocity over ground");
  }
};
static_assert(lists_every_field<WindInput>());

/// What the plant holds until the next tick.
struct WindSample {
  Vec3 value_W_m_s;
  Vec3 slope_W_m_s2;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("value_ned_m_s", "m/s", self.value_W_m_s, "velocity of the air at the tick");
    visit("slope_ned_m_s2", "m/s^2", self.slope_W_m_s2, "its rate until the next tick");
  }
};
static_assert(lists_every_field<WindSample>());

/// Copyable; `tick` counts the samples handed out.
struct WindState {
  std::uint64_t tick = 0;
  TurbulenceState turbulence;
  Vec3 next_W_m_s;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("tick", "", self.tick, "number of samples so far");
    visit("turbulence", "", self.turbulence, "turbulence at that tick");
    visit("next_ned_m_s", "m/s", self.next_W_m_s, "linear rule: value of that tick");
  }
};
static_assert(lists_every_field<WindState>());

/// Mean wind at a height above ground.
TACTUS_HD inline Vec3 mean_wind(const WindParameters& p, double height_m) {
  if (p.shear_exponent == 0.0) return p.mean_W_m_s;
  TACTUS_ASSERT(p.shear_reference_height_m > 0.0, "validated parameters");
  const double h = math::clamp(height_m, 0.0, kMaxTurbulenceHeight_m);
  return math::pow(h / p.shear_reference_height_m, p.shear_exponent) * p.mean_W_m_s;
}

/// Sum of the gusts that are active at t, in list order.
TACTUS_HD inline Vec3 gust_velocity(const WindParameters& p, TimeUs t) {
  Vec3 sum{};
  TACTUS_ASSERT(p.gust_count >= 0 && p.gust_count <= kMaxGusts, "validated parameters");
  for (int i = 0; i < p.gust_count; ++i) {
    const Gust& gust = p.gusts[i];
    TACTUS_ASSERT(gust.on < gust.off, "a gust that lasts");
    if (t < gust.on || t >= gust.off) continue;
    double factor = 1.0;
    if (gust.shape == GustShape::kOneMinusCosine) {
      const double s =
          math::sin(math::kPi * (to_seconds(t - gust.on) / to_seconds(gust.off - gust.on)));
      factor = s * s;  // ½ (1 − cos 2x)
    }
    sum += factor * gust.velocity_W_m_s;
  }
  return sum;
}

namespace detail {

/// Scales of Dryden and von Kármán, or of the Ornstein–Uhlenbeck process in world axes.
TACTUS_HD inline TurbulenceScales wind_scales(const WindParameters& p, const WindInput& input) {
  constexpr double kTwentyFeet_m = 6.096;
  if (p.turbulence == TurbulenceKind::kNone) return {{}, {1.0, 1.0, 1.0}};
  if (p.turbulence == TurbulenceKind::kOrnsteinUhlenbeck) {
    return {p.ou_sigma_W_m_s, p.ou_time_constant_s};
  }
  const double speed =
      math::max(p.turbulence_speed_floor_m_s, norm(input.v_W_m_s - mean_wind(p, input.height_m)));
  const double w20 =
      p.turbulence_w20_m_s > 0.0 ? p.turbulence_w20_m_s : norm(mean_wind(p, kTwentyFeet_m));
  return low_altitude_scales(input.height_m, speed, w20);
}

TACTUS_HD inline Vec3 compose_wind(const WindParameters& p, const TurbulenceScales& scales,
                                   const TurbulenceState& turbulence, double height_m, TimeUs t) {
  const Vec3 u = multiply_elements(scales.sigma_m_s, turbulence_output(p.turbulence, turbulence));
  Vec3 u_W = u;
  if (p.turbulence != TurbulenceKind::kOrnsteinUhlenbeck) {
    const double horizontal = math::hypot(p.mean_W_m_s.x, p.mean_W_m_s.y);
    const double c = horizontal > 0.0 ? p.mean_W_m_s.x / horizontal : 1.0;
    const double s = horizontal > 0.0 ? p.mean_W_m_s.y / horizontal : 0.0;
    u_W = {c * u.x - s * u.y, s * u.x + c * u.y, u.z};
  }
  return mean_wind(p, height_m) + gust_velocity(p, t) + u_W;
}

}  // namespace detail

/// The state before the first tick, at t.
TACTUS_HD inline WindState start_wind(const WindParameters& p, const RandomStream& stream,
                                      const WindInput& input, TimeUs t) {
  WindState state;
  state.turbulence = start_turbulence(p.turbulence, stream);
  if (p.rule == WindRule::kLinear) {
    state.next_W_m_s =
        detail::compose_wind(p, detail::wind_scales(p, input), state.turbulence, input.height_m, t);
  }
  return state;
}

/// The sample of the tick at t; moves the state to the next tick, one period later.
TACTUS_HD inline WindSample step_wind(const WindParameters& p, const RandomStream& stream,
                                      const WindInput& input, TimeUs t, DurationUs period,
                                      WindState& state) {
  TACTUS_ASSERT(period.us > 0, "a wind that has ticks");
  const TurbulenceScales scales = detail::wind_scales(p, input);
  const double dt_s = to_seconds(period);
  WindSample sample;
  if (p.rule == WindRule::kHold) {
    sample.value_W_m_s = detail::compose_wind(p, scales, state.turbulence, input.height_m, t);
  }
  ++state.tick;
  advance_turbulence(p.turbulence, stream, state.tick, dt_s, scales.time_s, state.turbulence);
  if (p.rule == WindRule::kLinear) {
    sample.value_W_m_s = state.next_W_m_s;
    state.next_W_m_s =
        detail::compose_wind(p, scales, state.turbulence, input.height_m, t + period);
    sample.slope_W_m_s2 = (state.next_W_m_s - sample.value_W_m_s) / dt_s;
  }
  return sample;
}

}  // namespace tactus
