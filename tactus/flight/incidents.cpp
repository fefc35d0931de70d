// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/incidents.h"

#include <fmt/format.h>

#include <optional>

#include "tactus/flight/names.h"
#include "tactus/spec/model/action_table.h"

namespace tactus {

std::string fault_text(const Flight& flight, TimeUs before) {
  std::optional<TimeUs> last;
  std::string name;
  for (std::size_t i = 0; i < flight.records.size(); ++i) {
    const EventRecord& record = flight.records[i];
    const bool is_fault = row_of(flight.events[i].action.kind).is_fault;
    if (!is_fault || record.count == 0 || record.first > before) continue;
    const TimeUs acted = record.last <= before ? record.last : record.first;
    if (last && acted < *last) continue;
    last = acted;
    name = action_name(flight.events[i]);
  }
  return last ? fmt::format(", after {} at {}", name, seconds_text(*last)) : "";
}

std::string failsafe_text(const Flight& flight, const FlightFacts::FailsafeChange& failsafe) {
  const std::string text =
      fmt::format("{} at {}", to_text(failsafe.value), seconds_text(failsafe.time));
  const bool of_battery =
      failsafe.value == Failsafe::kBatteryLow || failsafe.value == Failsafe::kBatteryCritical;
  if (of_battery) return text + fmt::format(" ({:.0f} % left)", 100.0 * failsafe.remaining);
  std::string motor;
  for (const auto& lost : flight.facts.lost_motors) {
    if (lost.time <= failsafe.time) motor = name_at(flight.spec.parts.rotors, lost.value);
  }
  const bool of_motor = failsafe.value == Failsafe::kMotorLost && !motor.empty();
  return of_motor ? text + fmt::format(" (rotor {})", motor) : text;
}

}  // namespace tactus
