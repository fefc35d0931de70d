// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Clocks of the program: all of them are virtual time. The calendar begins on 14 November 2023.

#include <cstdint>
#include <ctime>

namespace tactus::conductor {

/// An instant of one of its clocks.
std::int64_t virtual_ns(clockid_t clock, const timespec& instant);
/// Of a clock that the call does not name: instants of the calendar are far from the others.
std::int64_t virtual_ns_of_any_clock(const timespec& instant);

}  // namespace tactus::conductor
