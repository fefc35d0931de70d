// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/incidents.h"

#include <fmt/format.h>

#include <optional>

#include "tactus/flight/names.h"
#include "tactus/spec/model/action_table.h"

namespace tactus {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// One past the number that begins at `at`: digits, a fraction, an exponent.
std::size_t end_of_number(const std::string& text, std::size_t at) {
  const auto digit_at = [&text](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  const auto digits = [&](std::size_t i) {
    while (digit_at(i)) ++i;
    return i;
  };
  at = digits(at);
  if (at < text.size() && text[at] == '.' && digit_at(at + 1)) at = digits(at + 1);
  if (at >= text.size() || text[at] != 'e') return at;
  const bool is_signed = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
  const std::size_t exponent = at + (is_signed ? 2 : 1);
  return digit_at(exponent) ? digits(exponent) : at;
}

}  // namespace

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

std::string without_numbers(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool of_name = !out.empty() && (is_letter(out.back()) || is_digit(out.back()));
    if (!is_digit(text[i]) || of_name) {
      out += text[i++];
      continue;
    }
    if (!out.empty() && out.back() == '-') out.pop_back();
    out += '#';
    i = end_of_number(text, i);
  }
  return out;
}

}  // namespace tactus
