// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/diff/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tactus/core/text.h"

namespace tactus::cli {
namespace {

constexpr std::size_t kMostValues = 8;
constexpr std::size_t kMostKeys = 20;

std::string seconds(TimeUs time) { return fmt::format("{:.6f} s", to_seconds(time)); }

std::string ulps_text(const ValueDifference& value) {
  if (!value.is_real) return "";
  if (value.ulps == std::numeric_limits<std::uint64_t>::max()) return "one is NaN";
  constexpr std::uint64_t kStillRead = 999'999;
  if (value.ulps > kStillRead) return fmt::format("{:.1e} ulps", static_cast<double>(value.ulps));
  return fmt::format("{} ulp{}", value.ulps, value.ulps == 1 ? "" : "s");
}

std::string or_absent(const std::string& value) { return value.empty() ? "(absent)" : value; }

std::string head(const DiffedFlights& flights) {
  const auto line = [](const char* label, const std::string& name, const Recording& recording) {
    return fmt::format(
        "{}  {}: {}, seed {}, tier {}, {:.3f} s{}, digest {}\n", label, name, recording.meta.name,
        recording.meta.seed, static_cast<int>(recording.meta.tier), to_seconds(recording.end.time),
        recording.end.complete ? "" : " (incomplete)", to_hex(recording.end.flight_digest));
  };
  return line("a", flights.a, *flights.recording_a) + line("b", flights.b, *flights.recording_b);
}

std::string spec_text(const DiffReport& report) {
  if (report.spec.empty()) return "specs        equal\n";
  std::string text =
      fmt::format("specs        {} key{} differ{}\n", report.spec.size(),
                  report.spec.size() == 1 ? "" : "s", report.spec.size() == 1 ? "s" : "");
  for (std::size_t i = 0; i < std::min(report.spec.size(), kMostKeys); ++i) {
    const SpecDifference& key = report.spec[i];
    text += fmt::format("  {} = {} and {}   ({})\n", key.key, or_absent(key.a), or_absent(key.b),
                        to_text(key.owner));
  }
  if (report.spec.size() > kMostKeys) {
    text += fmt::format("  and {} more; --json lists them all\n", report.spec.size() - kMostKeys);
  }
  return text;
}

std::string values_text(const Divergence& divergence) {
  std::string text;
  const std::size_t shown = std::min(divergence.values.size(), kMostValues);
  for (std::size_t i = 0; i < shown; ++i) {
    const ValueDifference& value = divergence.values[i];
    text += fmt::format("  {:<40} {:>24} {:>24}  {:<7} {:<12} {}\n", value.leaf, value.a, value.b,
                        value.unit, ulps_text(value), to_text(value.owner));
  }
  if (divergence.values.size() > shown) {
    text += fmt::format("  and {} more at this instant\n", divergence.values.size() - shown);
  }
  return text;
}

std::string divergence_text(const Divergence& divergence) {
  std::string text =
      fmt::format("first        t = {} us ({})", divergence.time.us, seconds(divergence.time));
  if (divergence.boundary) text += fmt::format(", boundary {}", *divergence.boundary);
  text += "\n";
  if (divergence.equal_until) {
    text += fmt::format("equal until  t = {} us\n", divergence.equal_until->us);
  }
  return text + values_text(divergence);
}

std::string cause_text(const Cause& cause) {
  std::string text = fmt::format("component    {}{}: {}\n", to_text(cause.component),
                                 cause.source.empty() || cause.source == to_text(cause.component)
                                     ? ""
                                     : " (" + cause.source + ")",
                                 to_text(cause.blame));
  for (const std::string& reason : cause.reasons) text += fmt::format("  {}\n", reason);
  if (!cause.evaluation) return text;
  const EvaluationDifference& evaluation = *cause.evaluation;
  const ValueDifference& value = evaluation.value;
  text +=
      fmt::format("evaluation   t = {} us + {} s: {} {} and {}, {}\n", evaluation.from.us,
                  format_double(evaluation.t_s), value.leaf, value.a, value.b, ulps_text(value));
  return text;
}

std::string motor_text(const MotorDifference& motor) {
  const ValueDifference& value = motor.value;
  std::string text = fmt::format("motors       first differ at t = {} us ({}), equal until ",
                                 motor.time.us, seconds(motor.time));
  text += motor.equal_until ? fmt::format("t = {} us\n", motor.equal_until->us) : "then\n";
  return text + fmt::format("  {:<40} {:>24} {:>24}  {:<7} {}\n", value.leaf, value.a, value.b,
                            value.unit, ulps_text(value));
}

std::string growth_text(const std::vector<GrowthRow>& rows) {
  if (rows.empty()) return "";
  std::string text = fmt::format("growth       {:>12} {:>12} {:>12} {:>12} {:>12}\n", "within s",
                                 "position m", "velocity m/s", "attitude rad", "rotor rad/s");
  for (const GrowthRow& row : rows) {
    text += fmt::format("             {:>12.6g} {:>12.3g} {:>12.3g} {:>12.3g} {:>12.3g}\n",
                        to_seconds(row.after), row.position_m, row.velocity_m_s, row.attitude_rad,
                        row.rotor_speed_rad_s);
  }
  return text;
}

std::string verdict_text(const DiffedFlights& flights, const DiffReport& report) {
  std::string text = to_text(report.verdict);
  if (flights.tolerance > 0.0 && report.verdict != DiffVerdict::kDifferent) {
    text += " within " + format_double(flights.tolerance);
  }
  return fmt::format("verdict      {}, compared until t = {} us\n", text, report.compared_until.us);
}

std::string chain_text(const ChainDifference& chain) {
  return fmt::format(
      "chain        {} at t = {} us{}\n",
      chain.equal_until ? fmt::format("equal up to t = {} us, differs", chain.equal_until->us)
                        : "differs",
      chain.differs_at.us,
      chain.signals.empty() ? "" : fmt::format(" in {}", fmt::join(chain.signals, ", ")));
}

}  // namespace

std::string diff_text(const DiffedFlights& flights, const DiffReport& report) {
  std::string text = head(flights) + verdict_text(flights, report) + spec_text(report);
  for (const std::string& note : report.notes) text += fmt::format("note         {}\n", note);
  if (report.divergence) text += divergence_text(*report.divergence);
  if (report.cause) text += cause_text(*report.cause);
  if (report.motor) text += motor_text(*report.motor);
  if (report.chain) text += chain_text(*report.chain);
  return text + growth_text(report.growth);
}

}  // namespace tactus::cli
