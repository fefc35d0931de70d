// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/signal/validator.h"

#include <fmt/format.h>

#include <string>

#include "tactus/core/error.h"
#include "tactus/signal/wrong_value.h"

namespace tactus {
namespace {

[[noreturn]] void refuse(TimeUs time, const char* writer, const std::string& wrong) {
  throw Error(ExitCode::kRunStopped, fmt::format("t = {} us: {} wrote {}", time.us, writer, wrong));
}

[[noreturn]] void refuse(TimeUs time, const char* writer, const std::string& leaf, double value,
                         const std::string& must) {
  refuse(time, writer, fmt::format("{} = {}: must be {}", leaf, value, must));
}

/// Every signal of the set, but for those that may hold NaN.
void check_numbers(const Bus& bus, SignalSet signals, const char* writer) {
  for_each_signal([&](const auto& row) {
    if (!signals.has(row.facts.signal) || row.facts.may_be_nan) return;
    const std::string wrong = wrong_number(row.facts.name, bus.*row.member);
    if (!wrong.empty()) refuse(bus.time, writer, wrong);
  });
}

void check_unit(const Bus& bus, const char* writer, Signal signal, const Quat& attitude) {
  const std::string wrong = wrong_attitude(to_text(signal), attitude);
  if (!wrong.empty()) refuse(bus.time, writer, wrong);
}

}  // namespace

void validate_signals(const Bus& bus, SignalSet signals, const char* writer) {
  // A command is held to its range, which no number that is not finite is in.
  const SignalSet rest{signals.bits & ~SignalSet::of(Signal::kCommand).bits};
  check_numbers(bus, rest, writer);
  if (signals.has(Signal::kEstimate)) {
    check_unit(bus, writer, Signal::kEstimate, bus.estimate.attitude);
  }
  if (signals.has(Signal::kWind) && bus.wind.since > bus.time) {
    refuse(bus.time, writer, "wind.since_us", static_cast<double>(bus.wind.since.us),
           "no later than now");
  }
  if (signals.has(Signal::kCommand)) validate_command(bus.command, bus.time, writer);
}

void validate_command(const Command& command, TimeUs time, const char* writer) {
  const auto check = [&](const char* name, const auto& values, const Range& range) {
    int i = 0;
    for (const double value : values) {
      if (!range.has(value)) {
        refuse(time, writer, fmt::format("command.{}[{}]", name, i), value,
               fmt::format("{} to {}", range.low, range.high));
      }
      ++i;
    }
  };
  constexpr Range kMotor = part_facts<Command>("motor").range;
  constexpr Range kServo = part_facts<Command>("servo").range;
  static_assert(kMotor.has_ends() && kServo.has_ends());
  check("motor", command.motor, kMotor);
  check("servo", command.servo, kServo);
}

void validate_plant_signals(const Bus& bus, SignalSet published) {
  constexpr char kPlant[] = "the plant";
  if (bus.version != kBusVersion)
    refuse(bus.time, kPlant, "version", bus.version, "this program's");
  check_numbers(bus, published & kPlantSignals, kPlant);
  check_unit(bus, kPlant, Signal::kTruth, bus.truth.attitude);
}

}  // namespace tactus
