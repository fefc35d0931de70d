// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// From PX4's HIL messages to readings of instruments in a frame: units, and which fields of a
// message are new. `at`: our instant of the message.

#include "tactus/bridge/adapter/frame.h"
#include "tactus/core/quat.h"
#include "tactus/core/vec.h"
#include "tactus/link/mavlink/mavlink_messages.h"

namespace tactus {

/// IMU, magnetometer, barometer and airspeed of the sensor's id, by its `fields_updated`.
void take_reading(const mavlink::HilSensor& sensor, TimeUs at, SensorFrame& frame);
void take_reading(const mavlink::HilGps& gps, TimeUs at, SensorFrame& frame);

/// As they are sent.
Quat attitude_of(const mavlink::HilStateQuaternion& state);
Vec3 rate_of(const mavlink::HilStateQuaternion& state);
Vec3 velocity_of(const mavlink::HilStateQuaternion& state);

}  // namespace tactus
