// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/fleet/fleet_flight.h"
#include "tactus/flight/sentence.h"
#include "tactus/scenario/warnings.h"

namespace tactus {

ExitCode exit_code(const std::vector<FleetMember>& members) {
  ExitCode worst = ExitCode::kOk;
  for (const FleetMember& member : members) {
    const ExitCode code = member.missing ? ExitCode::kPeer : exit_code(member.verdict);
    if (code == ExitCode::kInterrupted) return code;
    if (code != ExitCode::kOk && worst != ExitCode::kPeer) worst = code;
  }
  return worst;
}

FleetMember FleetFlight::flown_here(const VehiclePlan& plan) const {
  const Observed& seen = observed_.at(plan.id);
  const Run& run = simulators_.at(plan.simulator)->run(plan.id);
  Flight flight = flight_of(plan.loaded.spec, run, *seen.summary, *seen.monitor);
  flight.warnings = spec_warnings(plan.loaded);
  add_warnings_of_flight(plan.loaded, flight);
  FleetMember member;
  member.warnings = std::move(flight.warnings);
  member.verdict = flight.verdict;
  member.sentence = flight.sentence;
  member.results = flight.outcome.results;
  if (flight.verdict == Verdict::kFailed) member.failures = failures(flight);
  member.end = flight.facts.end;
  member.digest = flight.digest;
  if (!run.finished() && is_dropped(plan.id)) judge_dropped(plan, member);
  return member;
}

bool FleetFlight::is_dropped(VehicleId id) const {
  return bridge_.simulator_state(id) == AdapterState::kDropped;
}

void FleetFlight::judge_dropped(const VehiclePlan& plan, FleetMember& member) const {
  member.verdict = Verdict::kFailed;
  member.sentence = fmt::format("{}: simulator {} was dropped: its last frame is of {:.3f} s",
                                plan.loaded.spec.name, plan.simulator, to_seconds(member.end));
}

/// Whether it crashed is not known.
FleetMember FleetFlight::flown_externally(const VehiclePlan& plan) {
  const Vehicle& vehicle = bridge_.vehicle(plan.id);
  FleetMember member;
  member.end = vehicle.frame().time;
  if (is_dropped(plan.id)) {
    judge_dropped(plan, member);
    member.missing = true;
    return member;
  }
  const bool cut = plan_->end.us != 0 && bridge_.now() < end();
  if (!cut && bridge_.simulator_is_missing(plan.id)) {
    member.missing = true;
    member.verdict = Verdict::kFailed;
    member.sentence = fmt::format("{}: simulator {} has been silent or wrong since {:.3f} s",
                                  plan.loaded.spec.name, plan.simulator, to_seconds(member.end));
    return member;
  }
  const bool interrupted = !vehicle.has_frame() || cut;
  const Observed& seen = observed_.at(plan.id);
  Flight flight;
  flight.spec = plan.loaded.spec;
  flight.facts = seen.summary->facts();
  flight.outcome = seen.monitor->outcome();
  flight.outcome.end = !flight.facts.departed  ? FlightEnd::kNeverFlew
                       : !flight.facts.landed  ? FlightEnd::kInTheAir
                       : flight.facts.is_armed ? FlightEnd::kOnGround
                                               : FlightEnd::kLanded;
  const Verdict judged = flight.outcome.passed() ? Verdict::kPassed : Verdict::kFailed;
  flight.verdict = member.verdict = interrupted ? Verdict::kInterrupted : judged;
  if (flight.verdict == Verdict::kFailed) member.failures = failures(flight);
  member.sentence = sentence_of(flight);
  member.results = flight.outcome.results;
  return member;
}

std::vector<FleetMember> FleetFlight::members() {
  std::vector<FleetMember> all;
  for (const VehicleId id : bridge_.vehicles()) {
    const auto plan = std::find_if(plan_->vehicles.begin(), plan_->vehicles.end(),
                                   [id](const VehiclePlan& one) { return one.id == id; });
    TACTUS_ASSERT(plan != plan_->vehicles.end(), "the bridge flies what the plan names");
    const bool here = simulators_.contains(plan->simulator);
    FleetMember member = here ? flown_here(*plan) : flown_externally(*plan);
    const Observed& seen = observed_[id];
    member.file_error = seen.failure;
    if (seen.recording && !member.file_error) member.file_error = seen.recording->error();
    member.id = id;
    member.name = plan->loaded.spec.name;
    member.simulator = plan->simulator;
    for (std::string& warning : bridge_.vehicle(id).autopilot().warnings()) {
      member.warnings.push_back(std::move(warning));
    }
    all.push_back(std::move(member));
  }
  return all;
}

}  // namespace tactus
