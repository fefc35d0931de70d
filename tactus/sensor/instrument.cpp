// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sensor/instrument.h"

#include <fmt/format.h>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

std::uint64_t ticks_in(std::uint64_t delay_us, DurationUs period) {
  return delay_us / period.us + (delay_us % period.us != 0 ? 1 : 0);
}

}  // namespace

std::uint64_t delay_in_ticks(DurationUs own_delay, const InstrumentFault& fault, DurationUs period,
                             std::uint64_t line_samples) {
  if (own_delay.us == 0 && fault.delay_us == 0) return 0;
  const std::uint64_t ticks = ticks_in(own_delay.us, period) + ticks_in(fault.delay_us, period);
  if (ticks >= line_samples) {
    throw Error(
        ExitCode::kBadInput,
        fmt::format("instrument: a delay of {} with a fault's {} us does not fit into {} readings "
                    "of {}; the longest delay of a fault is {}",
                    to_text(own_delay), fault.delay_us, line_samples, to_text(period),
                    to_text(longest_delay(line_samples, own_delay, period))));
  }
  return ticks;
}

DurationUs longest_delay(std::uint64_t line_samples, DurationUs own_delay, DurationUs period) {
  const std::uint64_t own = ticks_in(own_delay.us, period);
  return own < line_samples ? (line_samples - 1 - own) * period : DurationUs();
}

void require_each_within(std::string_view where, std::string_view key, Vec3 value, double lowest,
                         double highest) {
  for (const double component : {value.x, value.y, value.z}) {
    require_within(where, key, component, lowest, highest);
  }
}

}  // namespace tactus
