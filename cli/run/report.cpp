// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/run/names.h"
#include "cli/run/sentence.h"
#include "tactus/core/math.h"
#include "tactus/record/item_passes.h"

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
  return flight.facts.begin.us == 0 ? "" : " since " + seconds(flight.facts.begin);
}

/// ", 3 times, last at 59.812 s"
std::string repeated(std::uint64_t count, TimeUs last) {
  return count < 2 ? "" : fmt::format(", {} times, last at {}", count, seconds(last));
}

std::string repeated(const std::vector<TimeUs>& times) {
  return repeated(times.size(), times.back());
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
      return reached + ", finished at " + seconds(*facts.mission_finished);
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
    lines.push_back(fmt::format("{:>3} {:<17}{:>10}{}", passes.item,
                                item_name(flight.spec.mission, passes.item),
                                seconds(passes.times.front()), repeated(passes.times)));
  }
  return lines;
}

std::string motion_line(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  std::string speed = fmt::format("max speed {:.2f} m/s at {}", facts.max_speed_m_s.value,
                                  seconds(facts.max_speed_m_s.time));
  if (flight.spec.vehicle == VehicleKind::kRover) return speed;
  return fmt::format("max tilt {:.1f} deg at {}, {}, max height {:.2f} m",
                     facts.max_tilt_rad.value * math::kRadToDeg, seconds(facts.max_tilt_rad.time),
                     speed, facts.max_height_m.value);
}

std::vector<std::string> power_lines(const Flight& flight) {
  const FlightFacts& facts = flight.facts;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < facts.packs.size(); ++i) {
    lines.push_back(fmt::format("pack {}: {:.2f} % used{} ({:.3f} Ah), {:.2f} % left, min {:.3f} V",
                                name_at(flight.spec.pack_ids, i), 100.0 * facts.packs[i].used(),
                                since(flight), flight.used_ah(i),
                                100.0 * facts.packs[i].remaining_at_end,
                                facts.packs[i].lowest_voltage_v.value));
  }
  for (std::size_t i = 0; i < facts.lowest_bus_v.size(); ++i) {
    lines.push_back(fmt::format("bus {}: min {:.3f} V at {}", name_at(flight.spec.bus_ids, i),
                                facts.lowest_bus_v[i].value, seconds(facts.lowest_bus_v[i].time)));
  }
  return lines;
}

/// "    20.000 s what", by time.
std::vector<std::string> in_order(std::vector<std::pair<TimeUs, std::string>> list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> lines;
  lines.reserve(list.size());
  for (const auto& [time, what] : list) {
    lines.push_back(fmt::format("{:>10} {}", seconds(time), what));
  }
  return lines;
}

/// In the order in which they acted first; then those that never did.
std::vector<std::string> event_lines(const Flight& flight) {
  std::vector<std::pair<TimeUs, std::string>> acted;
  std::vector<std::string> never;
  for (std::size_t i = 0; i < flight.records.size(); ++i) {
    const EventRecord& record = flight.records[i];
    std::string what =
        fmt::format("{} (event \"{}\")", action_name(flight.events[i]), flight.events[i].id);
    if (record.count == 0) {
      never.push_back(fmt::format("{:>10} {}", "never", what));
      continue;
    }
    what += repeated(record.count, record.last);
    if (record.ended > 0) {
      what += (record.count > 1 ? ", last ended at " : ", ended at ") + seconds(record.last_end);
    }
    acted.emplace_back(record.first, std::move(what));
  }
  std::vector<std::string> lines = in_order(std::move(acted));
  lines.insert(lines.end(), never.begin(), never.end());
  return lines;
}

std::vector<std::string> autopilot_lines(const Flight& flight) {
  std::vector<std::pair<TimeUs, std::string>> list;
  for (const auto& armed : flight.facts.armed) {
    list.emplace_back(armed.time, armed.value ? "armed" : "disarmed");
  }
  for (const auto& refusal : flight.facts.refusals) {
    list.emplace_back(refusal.time, explain(refusal.value));
  }
  for (const auto& mode : flight.facts.modes) {
    list.emplace_back(mode.time, fmt::format("mode {}", to_text(mode.value)));
  }
  for (const auto& failsafe : flight.facts.failsafes) {
    list.emplace_back(failsafe.time, failsafe.value == Failsafe::kNone
                                         ? std::string("failsafe over")
                                         : fmt::format("failsafe {}", to_text(failsafe.value)));
  }
  for (const auto& motor : flight.facts.lost_motors) {
    list.emplace_back(motor.time, fmt::format("takes rotor {} for lost",
                                              name_at(flight.spec.rotor_ids, motor.value)));
  }
  for (const auto& motor : flight.facts.returned_motors) {
    list.emplace_back(motor.time, fmt::format("trusts rotor {} again",
                                              name_at(flight.spec.rotor_ids, motor.value)));
  }
  for (const auto& yaw : flight.facts.yaw_given_up) {
    list.emplace_back(yaw.time, yaw.value ? "yaw given up" : "yaw held again");
  }
  for (const Note& note : flight.facts.autopilot_notes) list.emplace_back(note.time, note.what);
  return in_order(std::move(list));
}

/// What the notes of one kind come to.
struct NoteKind {
  std::string what;
  std::size_t count = 0;
  TimeUs first;
  TimeUs last;
  std::vector<int> indices;  ///< each once
};

std::vector<NoteKind> note_kinds(const FlightFacts& facts) {
  std::vector<NoteKind> kinds;
  for (const Note& note : facts.notes) {
    auto kind = std::find_if(kinds.begin(), kinds.end(),
                             [&](const NoteKind& known) { return known.what == note.what; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {note.what, 0, note.time, note.time, {}});
    ++kind->count;
    kind->last = note.time;
    const auto known = std::find(kind->indices.begin(), kind->indices.end(), note.index);
    if (known == kind->indices.end()) kind->indices.push_back(note.index);
  }
  return kinds;
}

/// "rotor started: 4 of 4": whose notes these are.
std::string note_text(const NoteKind& kind, const Flight& flight) {
  const bool of_rotor = kind.what.starts_with("rotor");
  const std::vector<std::string>& ids = ids_of_note(kind.what, flight.spec);
  std::string text = kind.what;
  if (of_rotor && kind.indices.size() > 1) {
    text += fmt::format(": {} of {} rotors", kind.indices.size(), ids.size());
  } else {
    for (const int index : kind.indices) text += " " + name_at(ids, index);
  }
  if (kind.count > kind.indices.size()) {
    text += fmt::format(", {} times", kind.count);
  }
  return seconds(kind.last) == seconds(kind.first) ? text
                                                   : text + ", last at " + seconds(kind.last);
}

/// Feet bounce on rough landings, so their contacts are counted together.
std::vector<std::string> note_lines(const Flight& flight) {
  std::vector<std::pair<TimeUs, std::string>> list;
  const NoteKind* lifts = nullptr;
  const NoteKind* touches = nullptr;
  const std::vector<NoteKind> kinds = note_kinds(flight.facts);
  for (const NoteKind& kind : kinds) {
    if (kind.what == "liftoff") {
      lifts = &kind;
    } else if (kind.what == "touchdown") {
      touches = &kind;
    } else {
      list.emplace_back(kind.first, note_text(kind, flight));
    }
  }
  if (lifts != nullptr) {
    list.emplace_back(lifts->first,
                      fmt::format("first lift-off of a gear point ({} in all)", lifts->count));
  }
  if (touches != nullptr) {
    list.emplace_back(touches->last,
                      fmt::format("last touchdown of a gear point ({} in all)", touches->count));
  }
  std::vector<std::string> lines = in_order(std::move(list));
  if (flight.facts.note_count > flight.facts.notes.size()) {
    lines.push_back(
        fmt::format("and {} more", flight.facts.note_count - flight.facts.notes.size()));
  }
  return lines;
}

/// A run that was interrupted has not decided everything.
const char* verdict_on(const ExpectationResult& result, const Flight& flight) {
  if (result.open && flight.verdict == Verdict::kInterrupted) return "open  ";
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
  const bool drives = flight.spec.vehicle == VehicleKind::kRover;
  std::string line =
      fmt::format("{} simulated, seed {}; {}, {}", seconds(facts.end), flight.spec.seed,
                  drives ? (facts.landed ? "standing" : "driving") : to_text(flight.outcome.end),
                  facts.is_armed ? "armed" : "disarmed");
  if (facts.begin.us > 0) {
    line += "; mission, motion, power, autopilot and vehicle" + since(flight);
  } else if (facts.departed) {
    line += fmt::format(", {:.2f} m from home", facts.home_distance_m);
  }
  return facts.crash ? line + "; tracking, motion and power up to the crash at " +
                           seconds(facts.crash->time)
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
  return flight.chain.empty()
             ? "0 links"
             : fmt::format("{} links, the last {} at {}", flight.chain.size(),
                           to_hex(flight.chain.back().flight), seconds(flight.chain.back().time));
}

std::string recording_line(const Flight& flight) {
  const RecordedFile& file = *flight.recording;
  return fmt::format("tier {}, {:.0f} kB, {:.0f} kB per simulated minute",
                     static_cast<int>(file.tier), static_cast<double>(file.bytes) / 1000.0,
                     file.kb_per_minute(flight.facts.end));
}

}  // namespace

double WallClock::real_time_factor(const Flight& flight) const {
  return flying_s > 0.0 ? to_seconds(flight.facts.end - flight.facts.begin) / flying_s : 0.0;
}

std::string seconds(TimeUs time) { return fmt::format("{:.3f} s", to_seconds(time)); }

std::string summary_text(const Flight& flight, const WallClock& wall,
                         const std::vector<std::string>& files) {
  const FlightFacts& facts = flight.facts;
  Lines lines;
  lines.add("warnings", flight.warnings);
  lines.add("flight", flight_line(flight));
  lines.add("expected", expectation_lines(flight));
  lines.add("mission", mission_lines(flight));
  if (facts.tracking_samples > 0) {
    lines.add("tracking", fmt::format("rms {:.3f} m, max {:.3f} m at {} from the position setpoint",
                                      facts.tracking_rms_m, facts.tracking_max_m.value,
                                      seconds(facts.tracking_max_m.time)));
  }
  lines.add("motion", motion_line(flight));
  if (facts.wind_max_m_s.value > 0.0) {
    lines.add("wind", fmt::format("mean {:.2f} m/s, max {:.2f} m/s at {}", facts.wind_mean_m_s,
                                  facts.wind_max_m_s.value, seconds(facts.wind_max_m_s.time)));
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
  lines.add("speed", fmt::format("{:.0f} x real time ({:.3f} s)", wall.real_time_factor(flight),
                                 wall.flying_s));
  lines.add("digest", to_hex(flight.digest));
  lines.add("chain", chain_line(flight));
  if (flight.recording) lines.add("recording", recording_line(flight));
  lines.add("files", files);
  lines.add("note", flight.notes);
  return fmt::format("{}\n{}", flight.sentence, lines.text());
}

}  // namespace tactus::cli
