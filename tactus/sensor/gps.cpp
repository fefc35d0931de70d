// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/gps.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"

namespace tactus {
namespace {

constexpr std::uint32_t kPositionChannel = 0;
constexpr std::uint32_t kVelocityChannel = 1;
constexpr std::uint32_t kPositionWanderChannel = 2;
constexpr std::uint32_t kVelocityWanderChannel = 3;
constexpr std::uint32_t kGarbageChannel = 8;

double both(double a, double b) { return math::sqrt(a * a + b * b); }

void wander(const RandomStream& stream, std::uint64_t tick, std::uint32_t channel,
            DurationUs period, double time_constant_s, Vec3& state) {
  const Vec3 xi = stream.normal3(tick, channel);
  const Wander w = gauss_markov(period, time_constant_s);
  state = tick == 0 ? xi : w.fade * state + w.drive * xi;
}

/// Errors of position and velocity; the processes go on whatever happens to the receiver.
struct Errors {
  Vec3 position_W_m;
  Vec3 velocity_W_m_s;
};

Errors draw_errors(const GpsParameters& p, const RandomStream& stream, DurationUs period,
                   GpsState& state) {
  const std::uint64_t tick = state.line.taken;
  wander(stream, tick, kPositionWanderChannel, period, p.position_time_constant_s,
         state.position_wander);
  wander(stream, tick, kVelocityWanderChannel, period, p.velocity_time_constant_s,
         state.velocity_wander);
  const double hw = p.horizontal_wander_sigma_m;
  const double hn = p.horizontal_noise_sigma_m;
  return {multiply_elements({hw, hw, p.vertical_wander_sigma_m}, state.position_wander) +
              white_noise3(stream, tick, kPositionChannel, {hn, hn, p.vertical_noise_sigma_m}),
          p.velocity_wander_sigma_m_s * state.velocity_wander +
              white_noise3(stream, tick, kVelocityChannel, p.velocity_noise_sigma_m_s)};
}

GpsSample measure(const GpsParameters& p, const GpsInput& input, const Errors& errors,
                  const InstrumentFault& fault) {
  const Truth& truth = input.truth;
  const Vec3 position_W = truth.position_W_m + rotate(truth.attitude, p.position_B_m) +
                          fault.noise_scale * errors.position_W_m + fault.bias;
  const Vec3 velocity_W = truth.velocity_W_m_s +
                          rotate(truth.attitude, cross(truth.rate_B_rad_s, p.position_B_m)) +
                          fault.noise_scale * errors.velocity_W_m_s;
  return {true, satellite_fix_of(input.frame, position_W), velocity_W};
}

GpsSample garbage_sample(const RandomStream& stream, std::uint64_t tick) {
  const auto draw = [&](std::uint32_t channel, double lowest, double highest) {
    return uniform_within(stream, tick, kGarbageChannel + channel, lowest, highest);
  };
  return {true,
          {draw(0, -90.0, 90.0), draw(1, -180.0, 180.0), draw(2, -1e3, 1e4)},
          uniform_within3(stream, tick, kGarbageChannel + 3, 100.0)};
}

GpsReading report(const GpsParameters& p, const GpsState& state) {
  GpsReading reading;
  const auto& line = state.line;
  reading.measured_at = line.measured_at;
  reading.count = line.count;
  if (line.count == 0) return reading;
  const GpsSample& sample = line.reading;
  reading.latitude_deg = sample.position.lat_deg;
  reading.longitude_deg = sample.position.lon_deg;
  reading.altitude_msl_m = sample.position.alt_m;
  reading.velocity_W_m_s = sample.velocity_W_m_s;
  if (!sample.fix) return reading;
  reading.fix = GpsFix::k3d;
  reading.satellites = static_cast<std::uint8_t>(p.satellites);
  reading.horizontal_accuracy_m = both(p.horizontal_wander_sigma_m, p.horizontal_noise_sigma_m);
  reading.vertical_accuracy_m = both(p.vertical_wander_sigma_m, p.vertical_noise_sigma_m);
  reading.speed_accuracy_m_s = both(p.velocity_wander_sigma_m_s, p.velocity_noise_sigma_m_s);
  return reading;
}

}  // namespace

void validate(const GpsParameters& p, std::string_view where) {
  require_each_within(where, "position_body_m", p.position_B_m, -100.0, 100.0);
  require_within(where, "satellites", p.satellites, 0.0, 255.0);
  require_within(where, "horizontal_wander_sigma_m", p.horizontal_wander_sigma_m, 0.0, 1e4);
  require_within(where, "horizontal_noise_sigma_m", p.horizontal_noise_sigma_m, 0.0, 1e4);
  require_within(where, "vertical_wander_sigma_m", p.vertical_wander_sigma_m, 0.0, 1e4);
  require_within(where, "vertical_noise_sigma_m", p.vertical_noise_sigma_m, 0.0, 1e4);
  require_positive(where, "position_time_constant_s", p.position_time_constant_s);
  require_within(where, "velocity_wander_sigma_m_s", p.velocity_wander_sigma_m_s, 0.0, 1e3);
  require_within(where, "velocity_noise_sigma_m_s", p.velocity_noise_sigma_m_s, 0.0, 1e3);
  require_positive(where, "velocity_time_constant_s", p.velocity_time_constant_s);
}

void validate_latency(const GpsParameters& p, DurationUs period, std::string_view where) {
  const DurationUs longest = longest_delay(kGpsLineSamples, DurationUs(), period);
  if (p.latency > longest) {
    refuse(where, "latency_s", to_seconds(p.latency),
           fmt::format("must be at most {}: {} readings of {} can be on their way",
                       to_text(longest), kGpsLineSamples, to_text(period)));
  }
}

GpsReading step_gps(const GpsParameters& p, const RandomStream& stream, DurationUs period,
                    const GpsInput& input, const InstrumentFault& fault, TimeUs now,
                    GpsState& state) {
  const Errors errors = draw_errors(p, stream, period, state);
  const bool sees_sky = (fault.mask & instrument_bit(InstrumentBit::kNoFix)) == 0;
  const bool fix = sees_sky && now.us >= p.first_fix.us;
  if (fix) state.last_fix = measure(p, input, errors, fault);
  GpsSample sample = state.last_fix;
  sample.fix = fix;
  deliver(
      fault, p.latency, period, now, sample,
      [&](std::uint64_t tick) { return garbage_sample(stream, tick); }, state.line);
  return report(p, state);
}

}  // namespace tactus
