// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/core/assert.h"
#include "tactus/core/state_archive.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/signal/bus.h"

namespace tactus {

/// The wind over an interval: base wind and the scenario's part at `since`, then along the slope.
struct HeldWind {
  Vec3 velocity_W_m_s;
  Vec3 slope_W_m_s2;
  TimeUs since;

  bool operator==(const HeldWind&) const = default;

  [[nodiscard]] Vec3 at(TimeUs now) const {
    TACTUS_ASSERT(now >= since, "an instant after the wind was taken");
    return velocity_W_m_s + to_seconds(now - since) * slope_W_m_s2;
  }
  /// True: it has changed.
  bool take(const Bus& bus) {
    const HeldWind before = *this;
    velocity_W_m_s = bus.wind.velocity_W_m_s + bus.disturbance.wind_W_m_s;
    slope_W_m_s2 = bus.wind.slope_W_m_s2;
    since = bus.wind.since;
    return !(*this == before);
  }

  void save(StateWriter& to) const {
    for (const Vec3& v : {velocity_W_m_s, slope_W_m_s2}) {
      for (const double number : {v.x, v.y, v.z}) to.add(number);
    }
    to.add(since);
  }
  void load(StateReader& from) {
    for (Vec3* const v : {&velocity_W_m_s, &slope_W_m_s2}) {
      for (double* const number : {&v->x, &v->y, &v->z}) *number = from.get<double>();
    }
    since = from.get_time();
  }
};

}  // namespace tactus
