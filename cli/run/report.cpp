// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/report.h"

#include <fmt/format.h>

#include <iterator>

#include "cli/run/course.h"
#include "tactus/core/math.h"
#include "tactus/flight/item_passes.h"
#include "tactus/flight/mission_outcome.h"
#include "tactus/flight/names.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus::cli {
namespace {

/// Lines under one heading: "  heading      first", the others below the first.
class Lines {
 public:
  void add(const char* heading, const std::string& line) {
    fmt::format_to(std::back_inserter(text_), "  {:<13}{}\n", heading, line);
  }
  void add(const char* heading, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      add(heading, line);
      heading = "";
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// " since 12.304 s" if the beginning of the flight was not seen.
std::string since(const Flight& flight) {
  return flight.facts.begin.us == 0 ? "" : " since " + seconds_text(flight.facts.begin);
}

/// "square: 3 of 8 items reached, aborted by failsafe battery_low at 22.340 s (20 % left)"
std::string mission_line(const Flight& flight, std::size_t done) {
  const FlightFacts& facts = flight.facts;
  const std::string& name = flight.spec.mission.name;
  std::string reached =
      fmt::format("{}: {} of {} items reached{}", name, done, facts.mission_count, since(flight));
  switch (mission_state(flight)) {
    case MissionState::kNotOrdered:
    case MissionState::kNotStarted:
      return fmt::format("{}: {} items, never started: {}", name, facts.mission_count,
                         not_started_text(flight));
    case MissionState::kAborted: return reached + ", aborted by " + abort_text(flight);
    case MissionState::kFinished:
      return reached + ", finished at " + seconds_text(*facts.mission_finished);
    case MissionState::kUnderWay: return facts.begin.us == 0 ? reached + ", not finished" : reached;
    case MissionState::kNone: break;
  }
  return reached;
}

std::vector<std::string> mission_lines(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  if (facts.mission_count == 0) return {};
  const std::vector<ItemPasses> done = item_passes(flight.spec.mission, facts.steps);
  std::vector<std::string> lines{mission_line(flight, done.size())};
  for (const ItemPasses& passes : done) {
    lines.push_back(fmt::format(
        "{:>3} {:<17}{:>10}{}", passes.item, item_name(flight.spec.mission, passes.item),
        seconds_text(passes.times.front()), repeated(passes.times.size(), passes.times.back())));
  }
  return lines;
}

std::string motion_line(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  std::string speed = fmt::format("max speed {:.2f} m/s at {}", facts.max_speed_m_s.value,
                                  seconds_text(facts.max_speed_m_s.time));
  if (!vehicle_type(flight.spec).flies()) return speed;
  return fmt::format("max tilt {:.1f} deg at {}, {}, max height {:.2f} m",
                     facts.max_tilt_rad.value * math::kRadToDeg,
                     seconds_text(facts.max_tilt_rad.time), speed, facts.max_height_m.value);
}

std::vector<std::string> power_lines(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < facts.packs.size(); ++i) {
    lines.push_back(fmt::format("pack {}: {:.2f} % used{} ({:.3f} Ah), {:.2f} % left, min {:.3f} V",
                                name_at(flight.spec.parts.packs, i), 100.0 * facts.packs[i].used(),
                                since(flight), flight.used_ah(i),
                                100.0 * facts.packs[i].remaining_at_end,
                                facts.packs[i].lowest_voltage_v.value));
  }
  for (std::size_t i = 0; i < facts.lowest_bus_v.size(); ++i) {
    lines.push_back(fmt::format("bus {}: min {:.3f} V at {}", name_at(flight.spec.parts.buses, i),
                                facts.lowest_bus_v[i].value,
                                seconds_text(facts.lowest_bus_v[i].time)));
  }
  return lines;
}

/// A run that was interrupted has not decided everything.
const char* verdict_on(const ExpectationResult& result, const Flight& flight) {
  if (result.open && flight.verdict == Verdict::kInterrupted) return "open  ";
  if (!result.applies) return "n/a   ";
  return result.passed ? "held  " : "FAILED";
}

std::vector<std::string> expectation_lines(const Flight& flight) {
  if (!flight.judged) return {"not judged: only the flight" + since(flight) + " was seen"};
  std::vector<std::string> lines;
  for (const ExpectationResult& result : flight.outcome.results) {
    lines.push_back(
        fmt::format("{}  {}: {}", verdict_on(result, flight), result.id, result.message));
  }
  return lines;
}

/// "60.000 s simulated, seed 1; landed, disarmed, 0.10 m from home"
std::string flight_line(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  const bool drives = !vehicle_type(flight.spec).flies();
  std::string line =
      fmt::format("{} simulated, seed {}; {}, {}", seconds_text(facts.end), flight.spec.seed,
                  drives ? (facts.landed ? "standing" : "driving") : to_text(flight.outcome.end),
                  facts.is_armed ? "armed" : "disarmed");
  if (facts.begin.us > 0) {
    line += "; mission, motion, power, autopilot and vehicle" + since(flight);
  } else if (facts.departed) {
    line += fmt::format(", {:.2f} m from home", facts.home_distance_m);
  }
  return facts.crash ? line + "; tracking, motion and power up to the crash at " +
                           seconds_text(facts.crash->time)
                     : line;
}

std::string boundary_line(const BoundaryCounts& counts) {
  std::string line = fmt::format("{}:", counts.total);
  for (const Axis axis : kPeriodicAxes) {
    const std::uint64_t count = counts.axis[static_cast<std::size_t>(axis)];
    if (count > 0) line += fmt::format(" {} {},", to_text(axis), count);
  }
  line += fmt::format(" scheduled {}, found {}", counts.instants, counts.found);
  if (counts.log_only > 0) {
    line +=
        fmt::format("; {} of them only for the log: they cut integration steps", counts.log_only);
  }
  return line;
}

std::string chain_line(const Flight& flight) {
  return flight.chain.empty() ? "0 links"
                              : fmt::format("{} links, the last {} at {}", flight.chain.size(),
                                            to_hex(flight.chain.back().flight),
                                            seconds_text(flight.chain.back().time));
}

std::string recording_line(const Flight& flight) {
  const RecordedFile& file = *flight.recording;
  return fmt::format("tier {}, {:.0f} kB, {:.0f} kB per simulated minute",
                     static_cast<int>(file.tier), static_cast<double>(file.bytes) / 1000.0,
                     file.kb_per_minute(flight.facts.end));
}

}  // namespace

std::string summary_text(const Flight& flight, const std::vector<std::string>& files) {
  const FlightFacts& facts = flight.facts;
  Lines lines;
  lines.add("warnings", flight.warnings);
  lines.add("flight", flight_line(flight));
  lines.add("expected", expectation_lines(flight));
  lines.add("mission", mission_lines(flight));
  if (facts.tracking_samples > 0) {
    lines.add("tracking", fmt::format("rms {:.3f} m, max {:.3f} m at {} from the position setpoint",
                                      facts.tracking_rms_m, facts.tracking_max_m.value,
                                      seconds_text(facts.tracking_max_m.time)));
  }
  lines.add("motion", motion_line(flight));
  if (facts.wind_max_m_s.value > 0.0) {
    lines.add("wind", fmt::format("mean {:.2f} m/s, max {:.2f} m/s at {}", facts.wind_mean_m_s,
                                  facts.wind_max_m_s.value, seconds_text(facts.wind_max_m_s.time)));
  }
  lines.add("power", power_lines(flight));
  lines.add("events", event_lines(flight));
  lines.add("autopilot", autopilot_lines(flight));
  lines.add("vehicle", note_lines(flight));
  const SolverTotals& solver = flight.solver;
  lines.add("integrator",
            fmt::format("{}: {} steps, {} rejected, {} evaluations, {} events found ({} probes){}",
                        to_text(flight.spec.solver.method), solver.accepted, solver.rejected,
                        solver.evaluations, solver.events, solver.probes,
                        solver.kinks == 0 ? "" : fmt::format(", {} kinks", solver.kinks)));
  if (solver.projected > 0) {
    lines.add("projections", fmt::format("{} entr{} changed", solver.projected,
                                         solver.projected == 1 ? "y" : "ies"));
  }
  lines.add("boundaries", boundary_line(flight.boundaries));
  lines.add("speed", fmt::format("{:.0f} x real time ({:.3f} s)", flight.real_time_factor(),
                                 flight.flying_s));
  lines.add("digest", to_hex(flight.digest));
  lines.add("chain", chain_line(flight));
  if (flight.recording) lines.add("recording", recording_line(flight));
  lines.add("files", files);
  lines.add("note", flight.notes);
  return fmt::format("{}\n{}", flight.sentence, lines.text());
}

}  // namespace tactus::cli
