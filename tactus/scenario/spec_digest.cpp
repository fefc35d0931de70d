// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/spec_digest.h"

#include <span>

namespace tactus {
namespace {

void add(Digest& digest, const Vec3& v) {
  digest.add(v.x);
  digest.add(v.y);
  digest.add(v.z);
}

void add(Digest& digest, const std::vector<std::string>& texts) {
  digest.add(texts.size());
  for (const std::string& text : texts) digest.add(text);
}

void add(Digest& digest, const InitialSpec& initial) {
  digest.add(initial.on_ground);
  add(digest, initial.position_W_m);
  add(digest, initial.velocity_W_m_s);
  const Quat& q = initial.attitude;
  for (const double x : {q.w, q.x, q.y, q.z}) digest.add(x);
  add(digest, initial.rate_B_rad_s);
  digest.add(initial.rotor_speed_rad_s);
}

void add(Digest& digest, const TimelineSpec& t) {
  for (const DurationUs d : {t.end, t.autopilot, t.wind, t.sensors, t.physics}) digest.add(d);
}

void add(Digest& digest, const Mission& mission) {
  digest.add(mission.items.size());
  for (const MissionItem& item : mission.items) {
    digest.add(item.command);
    digest.add(item.frame);
    digest.add(std::span<const double>(item.param));
    for (const double x : {item.latitude_deg, item.longitude_deg, item.altitude_m}) digest.add(x);
    digest.add(item.autocontinue);
  }
  digest.add(mission.has_home);
  digest.add(mission.home_latitude_deg);
  digest.add(mission.home_longitude_deg);
  digest.add(mission.home_altitude_msl_m);
}

void add(Digest& digest, const Trigger& t) {
  digest.add(t.kind);
  digest.add(t.mode);
  digest.add(t.at);
  digest.add(t.every);
  digest.add(t.step);
  digest.add(t.signal);
  digest.add(t.comparison);
  digest.add(t.threshold);
  digest.add(t.hysteresis);
  digest.add(t.after);
  digest.add(t.delay);
  digest.add(t.snap_to_autopilot);
}

void add(Digest& digest, const Action& a) {
  digest.add(a.kind);
  digest.add(a.target);
  digest.add(a.value);
  add(digest, a.vector);
  for (const DurationUs d : {a.duration, a.delay, a.on, a.off}) digest.add(d);
  // Specs without it keep the digests that they had before there was such noise.
  if (a.kind == ActionKind::kMotorNoise) digest.add(a.correlation);
}

void add(Digest& digest, const Expectation& e) {
  digest.add(e.id);
  digest.add(e.kind);
  digest.add(e.item);
  digest.add(e.from);
  digest.add(e.by);
  digest.add(e.signal);
  for (const double x : {e.limit, e.value, e.tolerance, e.radius_m, e.low_m, e.high_m}) {
    digest.add(x);
  }
  digest.add(e.event);
}

/// Where programs, folders and files are does not decide a flight; what is in the files does.
void add(Digest& digest, const OutsideSpec& outside) {
  digest.add_fields(static_cast<const Px4LibrarySettings&>(outside.px4_library));
  digest.add(outside.parameters);
  digest.add(outside.instance);
  digest.add(outside.wait);
  digest.add(outside.repeatable);
  digest.add_fields(outside.link);
  for (const std::string& file : outside.ardupilot_built_in) digest.add(file);
  for (const auto& [name, value] : outside.ardupilot_given) {
    digest.add(name);
    digest.add(value);
  }
}

}  // namespace

Digest128 event_digest(const Event& event) {
  Digest digest;
  add(digest, event.trigger);
  add(digest, event.action);
  return digest.result();
}

Digest128 spec_digest(const Spec& spec) {
  Digest digest;
  digest.add(spec.seed);
  digest.add(spec.vehicle);
  digest.add_fields(spec.multirotor);
  digest.add_fields(spec.rover);
  add(digest, spec.rotor_ids);
  add(digest, spec.pack_ids);
  add(digest, spec.bus_ids);
  add(digest, spec.initial);
  add(digest, spec.timeline);
  digest.add(spec.log.period);
  digest.add(spec.log.mode);
  digest.add_fields(spec.solver);
  digest.add_fields(spec.wind);
  digest.add_fields(spec.estimator);
  digest.add_fields(spec.land_detector);
  digest.add_fields(spec.sensors);
  digest.add(spec.autopilot);
  digest.add_fields(spec.builtin);
  add(digest, spec.outside);
  // Whom it talks to does not decide a flight; that somebody may steer it does. Without that, specs
  // keep the digests that they had before there were ground stations.
  const GroundStationSpec& station = spec.ground_station;
  if (station.enabled) digest.add(true);
  if (station.enabled && station.system_id != 1) digest.add(station.system_id);
  add(digest, spec.mission);
  digest.add(spec.events.size());
  for (const Event& event : spec.events) {
    digest.add(event.id);
    add(digest, event.trigger);
    add(digest, event.action);
  }
  digest.add(spec.expectations.size());
  for (const Expectation& expectation : spec.expectations) add(digest, expectation);
  return digest.result();
}

}  // namespace tactus
