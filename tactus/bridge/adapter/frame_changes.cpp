// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter/frame_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"

namespace tactus {
namespace {

constexpr DurationUs kWindow{5'000'000};
constexpr double kDriftAtOnce_m = 2.0;
constexpr double kDriftOfWay = 0.5;
constexpr double kMetresPerDegree = 111'000.0;

std::string text(double value) { return fmt::format("{:.7g}", value); }

std::string text(const Vec3& v) { return fmt::format("[{:.7g}, {:.7g}, {:.7g}]", v.x, v.y, v.z); }

std::string text(const Quat& q) {
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}, {:.4g}]", q.w, q.x, q.y, q.z);
}

std::string text(const GpsReading& gps) {
  return fmt::format("[{:.7f}, {:.7f}] deg, {:.2f} m", gps.latitude_deg, gps.longitude_deg,
                     gps.altitude_msl_m);
}

double distance_m(const GpsReading& a, const GpsReading& b) {
  const double turns = math::abs(a.longitude_deg - b.longitude_deg);
  const double east_deg =
      std::min(turns, 360.0 - turns) * math::cos(a.latitude_deg * math::kDegToRad);
  return norm(Vec3{kMetresPerDegree * (a.latitude_deg - b.latitude_deg),
                   kMetresPerDegree * east_deg, a.altitude_msl_m - b.altitude_msl_m});
}

}  // namespace

/// What no vehicle does from one frame to the next: so much at once, and so much in a second. Wide
/// enough for crashes, noise and coarse stamps.
struct FrameChanges::Limit {
  const char* field;
  const char* unit;
  double at_once;
  double per_second;
};

/// By Kind. Of a position only what is beyond its velocity counts.
const std::array<FrameChanges::Limit, FrameChanges::kTime> FrameChanges::kLimits{{
    {"position", " m", 1.0, 10.0},
    {"velocity", " m/s", 50.0, 1000.0},
    {"attitude", " rad", 0.3, 100.0},
    {"angular rate", " rad/s", 50.0, 1e4},
    {"GPS position", "", 100.0, 1000.0},
    {"pressure", " Pa", 1200.0, 12000.0},
    {"length of the attitude quaternion", "", 0.01, 0.0},
}};

/// True: it was too much.
template <class T>
bool FrameChanges::judge(Kind kind, double change, DurationUs within, const T& from, const T& to) {
  const Limit& limit = kLimits[kind];
  if (!(change > limit.at_once + limit.per_second * to_seconds(within))) return false;
  find(kind, fmt::format("{} went from {} to {}{} within {} us", limit.field, text(from), text(to),
                         limit.unit, within.us));
  return true;
}

void FrameChanges::see(const SensorFrame& frame, double attitude_length) {
  now_ = frame.time;
  if (last_) compare(*last_, frame);
  judge(kAttitudeLength, math::abs(attitude_length - 1.0), {}, 1.0, attitude_length);
  last_ = frame;
}

void FrameChanges::compare(const SensorFrame& before, const SensorFrame& frame) {
  const TimeUs from = before.estimate.measured_at;
  const TimeUs to = frame.estimate.measured_at;
  if (to < from) {
    find(kTime, fmt::format("time of the motion went back from {} us to {} us", from.us, to.us));
    return;
  }
  const Truth& a = before.truth;
  const Truth& b = frame.truth;
  TACTUS_ASSERT(before.vehicle == frame.vehicle, "two frames of one vehicle");
  const DurationUs dt = to - from;
  const double speed_m_s = std::max(norm(a.velocity_W_m_s), norm(b.velocity_W_m_s));
  const double beyond_m = norm(b.position_W_m - a.position_W_m) - speed_m_s * to_seconds(dt);
  const bool jumped = judge(kPosition, beyond_m, dt, a.position_W_m, b.position_W_m);
  const bool turned = judge(kVelocity, norm(b.velocity_W_m_s - a.velocity_W_m_s), dt,
                            a.velocity_W_m_s, b.velocity_W_m_s);
  if (jumped || turned) window_begin_.reset();
  if (!jumped && !turned) follow(before, frame);
  judge(kAttitude, attitude_distance(a.attitude, b.attitude), dt, a.attitude, b.attitude);
  judge(kRate, norm(b.rate_B_rad_s - a.rate_B_rad_s), dt, a.rate_B_rad_s, b.rate_B_rad_s);
  const GpsReading& gps = frame.gps[0];
  if (before.gps[0].count > 0 && gps.fix == GpsFix::k3d && before.gps[0].fix == GpsFix::k3d) {
    judge(kGps, distance_m(before.gps[0], gps), frame.time - before.time, before.gps[0], gps);
  }
  const BarometerReading& air = frame.barometer[0];
  if (before.barometer[0].count > 0) {
    const double was_pa = before.barometer[0].pressure_pa;
    judge(kPressure, math::abs(air.pressure_pa - was_pa), frame.time - before.time, was_pa,
          air.pressure_pa);
  }
}

/// Over some seconds the way is the integral of the velocity, or one of them is in another frame.
void FrameChanges::follow(const SensorFrame& before, const SensorFrame& frame) {
  const Truth& a = before.truth;
  const Truth& b = frame.truth;
  if (!window_begin_ || frame.time - *window_begin_ > kWindow) {
    window_begin_ = before.time;
    drift_m_ = {};
    way_m_ = 0.0;
  }
  const double dt_s = to_seconds(frame.estimate.measured_at - before.estimate.measured_at);
  const Vec3 moved_m = b.position_W_m - a.position_W_m;
  const Vec3 stated_m = 0.5 * dt_s * (a.velocity_W_m_s + b.velocity_W_m_s);
  drift_m_ = drift_m_ + (moved_m - stated_m);
  way_m_ += norm(moved_m);
  if (norm(drift_m_) <= kDriftAtOnce_m + kDriftOfWay * way_m_) return;
  find(kDrift,
       fmt::format("position and velocity do not fit together: {} m of the way of {:.3g} m since "
                   "t = {} are not of the velocity, the last of which is {} m/s",
                   text(drift_m_), way_m_, to_text(*window_begin_), text(b.velocity_W_m_s)));
  window_begin_.reset();
}

void FrameChanges::find(Kind kind, const std::string& what) {
  Finding& finding = found_[kind];
  if (finding.count++ == 0) finding.first = fmt::format("{}, at t = {}", what, to_text(now_));
}

std::vector<std::string> FrameChanges::warnings() const {
  std::vector<std::string> list;
  for (const Finding& finding : found_) {
    if (finding.count == 0) continue;
    list.push_back(fmt::format(
        "{}: no vehicle does that, but it was flown{}", finding.first,
        finding.count == 1 ? std::string() : fmt::format("; {} times in all", finding.count)));
  }
  return list;
}

}  // namespace tactus
