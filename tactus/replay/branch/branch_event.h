// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A new event in one line: the keys of an [[event]] of a spec, in short.
//
//   "motor_off rotor=front_left"                          do, and its keys
//   "at=15s do=wind_step vector=[0,5,0] duration=3s"      times with their unit
//   "when='truth.height_m above 20' do=land"              text with blanks in quotes
// Without a trigger (at, at_step, when, after) it acts at the instant of the branch.

#include <string>
#include <string_view>

#include "tactus/core/time.h"

namespace tactus {

/// The event as TOML that can follow a spec. `id` unless the text names one; `at` for one without a
/// trigger. Throws Error(kBadInput) that quotes the text.
std::string event_toml(std::string_view text, const std::string& id, TimeUs at);

}  // namespace tactus
