// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The kinds of instruments a vehicle can carry, once. Limits, counts, axes, members of the bus,
// rows of the signal table and what an autopilot gets to see are made from these rows. A macro,
// because enumerators and members cannot be made from data.
//
// A row: X(Kind, Kinds, member, members, Reading, most, "one", "many", "axis", "meaning")
//   Kind, Kinds       Signal::kKind, Axis::kKind; CountOf::kKinds, kMaxKinds
//   member, members   Bus::member, [sensors.member] of a spec; InstrumentCounts::members
//   Reading           what is on the bus (instrument_signals.h), one for each of the `most`
//   one, many, axis   for people
// The order is part of digests and recordings: a new kind goes to the end.

// clang-format off
#define TACTUS_INSTRUMENT_KINDS(X)                                                                 \
  X(Imu, Imus, imu, imus, ImuReading, 3,                                                           \
    "IMU", "IMUs", "imu", "gyroscopes and accelerometers")                                         \
  X(Magnetometer, Magnetometers, magnetometer, magnetometers, MagnetometerReading, 2,              \
    "magnetometer", "magnetometers", "magnetometer", "magnetometers")                              \
  X(Barometer, Barometers, barometer, barometers, BarometerReading, 2,                             \
    "barometer", "barometers", "barometer", "barometers")                                          \
  X(Gps, Gps, gps, gps, GpsReading, 2,                                                             \
    "GPS", "GPS", "gps", "satellite receivers")                                                    \
  X(Airspeed, Airspeeds, airspeed, airspeeds, AirspeedReading, 1,                                  \
    "airspeed sensor", "airspeed sensors", "airspeed", "pitot tube")                               \
  X(RangeFinder, RangeFinders, range_finder, range_finders, RangeReading, 1,                       \
    "range finder", "range finders", "range finder", "distance to the ground")                     \
  X(OpticalFlow, OpticalFlows, optical_flow, optical_flows, OpticalFlowReading, 1,                 \
    "optical flow sensor", "optical flow sensors", "optical flow", "camera that looks down")
// clang-format on
