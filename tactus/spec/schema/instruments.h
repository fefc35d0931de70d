// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which instruments a vehicle carries, by the names that events use.

#include <string>

#include "tactus/signal/bus.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// Whether the vehicle carries it. A gyroscope and an accelerometer belong to each IMU.
bool is_fitted(Instrument instrument, const InstrumentCounts& counts);

/// "gyroscope0, accelerometer0, gps0"; "none".
std::string fitted_instruments(const InstrumentCounts& counts);

/// The key that says how many there are: "sensors.gps.count".
std::string count_key(Instrument instrument);

}  // namespace tactus
