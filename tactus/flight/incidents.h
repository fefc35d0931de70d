// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What happened to a vehicle, as parts of a sentence.

#include <string>

#include "tactus/flight/flight.h"

namespace tactus {

/// ", after motor_off front_right at 20.000 s": the last thing that the scenario did to it; empty:
/// nothing.
std::string fault_text(const Flight& flight, TimeUs before);

/// "battery_low at 22.340 s (20 % left)"
std::string failsafe_text(const Flight& flight, const FlightFacts::FailsafeChange& failsafe);

/// "met the ground at # m/s": the same for texts that differ in numbers only. Digits of a name
/// ("px4", "wp_3") stay.
std::string without_numbers(const std::string& text);

}  // namespace tactus
