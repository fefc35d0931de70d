// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/engine/run_state.h"
#include "tactus/replay/playback/flight_part.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/vehicle/multirotor.h"

namespace tactus {
namespace {

constexpr DurationUs kEulerStep{250};
constexpr DurationUs kFixedStep{1'000};
constexpr double kToleranceLadder[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
constexpr std::uint64_t kEulerLadder_us[] = {250, 125, 63, 32, 16};
constexpr std::uint64_t kFixedLadder_us[] = {2'000, 1'000, 500, 250, 125};
constexpr std::uint64_t kReferenceLongestStep_us = 20'000;

/// In place of estimator and land detector: the command is given, so what they write is not read.
class UnusedSensors final : public Source {
 public:
  [[nodiscard]] SourceInfo info() const override {
    SourceInfo info;
    info.name = "unused sensors";
    info.stage = Stage::kSensors;
    info.axis = Axis::kEveryBoundary;
    info.writes = SignalSet::of(Signal::kEstimate, Signal::kLand);
    info.mode = SourceMode::kReplay;
    return info;
  }
  void update(SourceContext& /*context*/) override {}
  [[nodiscard]] std::unique_ptr<Source> clone() const override {
    return std::make_unique<UnusedSensors>(*this);
  }
};

/// A recording that broke off can be flown as far as it goes.
Spec spec_to_fly(const Spec& spec, const Recording& recording, const Integration& integration,
                 const CompareOptions& options) {
  Spec flown = spec;
  flown.solver = integration.solver;
  TimeUs end = TimeUs{} + spec.timeline.end;
  if (!recording.end.complete && recording.end.time < end) end = recording.end.time;
  if (options.end && *options.end < end) end = *options.end;
  flown.timeline.end = end - TimeUs{};
  return flown;
}

std::unique_ptr<Plant> plant_with(const Spec& spec, const IntegrateMultirotor& instead) {
  if (!instead) return nullptr;
  require_multirotor(spec,
                     "only multirotors can be integrated by another solver library; use rk45");
  return make_multirotor_plant(spec, instead);
}

Run make_run(const Spec& spec, const std::shared_ptr<const Recording>& recording,
             BringBack bring_back, const IntegrateMultirotor& instead) {
  const UnusedSensors unused;
  const std::vector<std::unique_ptr<Source>> inputs = plant_inputs(recording, bring_back);
  const std::unique_ptr<Plant> plant = plant_with(spec, instead);
  AssembleOptions how;
  for (const std::unique_ptr<Source>& input : inputs) how.instead.push_back(input.get());
  how.instead.push_back(&unused);
  how.plant_instead = plant.get();
  return std::move(assemble(spec, how).run);
}

void set_tolerance(SolverConfig& solver, double tolerance) {
  solver.position = solver.velocity = solver.rate = {tolerance, tolerance};
  solver.attitude_atol_rad = tolerance;
  solver.rotor = {0.0, 1e5 * tolerance};
  solver.charge = {0.0, 10.0 * tolerance};
  solver.polarisation = {0.0, 1e4 * tolerance};
}

/// The plant as it is now, with the input that it has been held at.
TrackRow present_row(const Run& run) {
  Bus bus = run.bus();
  run.plant().publish_state(bus);
  run.plant().publish_outputs(bus);
  return track_row(run.now(), bus, run.counts());
}

/// Adds to `sum` what was done between two counts.
void add_difference(const SolverTotals& before, const SolverTotals& after, SolverTotals& sum) {
  sum.evaluations += after.evaluations - before.evaluations;
  sum.accepted += after.accepted - before.accepted;
  sum.rejected += after.rejected - before.rejected;
  sum.projected += after.projected - before.projected;
  sum.events += after.events - before.events;
  sum.probes += after.probes - before.probes;
  sum.kinks += after.kinks - before.kinks;
}

/// Boundaries that come about whatever integrates: not those that were found.
std::vector<TimeUs> scheduled_boundaries(const Recording& recording) {
  const Table& table = recording.require("boundary");
  const RowField* const found = table.layout.find("/time/boundary_found");
  if (found == nullptr) {
    throw Error(ExitCode::kBadInput, "the recording does not say which boundaries were found");
  }
  std::vector<TimeUs> scheduled;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (whole_number(*found, 0, table.row(i).data()) == 0) scheduled.push_back(table.time(i));
  }
  return scheduled;
}

void require_recorded_track(const Recording& recording, const Track& flown) {
  const TrackErrors errors = track_errors(recorded_track(recording), flown);
  for (const ErrorColumn& column : kErrorColumns) {
    const ErrorSize& size = errors.*column.error;
    if (size.max == 0.0) continue;
    throw Error(ExitCode::kDifferent,
                fmt::format("the plant, flown again as it was recorded, is not where the recording "
                            "has it (t = {}: {} differs by {:.2g} {}), so there is no recorded "
                            "state to begin a segment with; a replay of the plant says more",
                            to_text(size.max_at), column.quantity, size.max, column.unit));
  }
}

}  // namespace

DurationUs usual_step(Method method) { return method == Method::kEuler ? kEulerStep : kFixedStep; }

Integration with_step(Method method, DurationUs step) {
  Integration out{fmt::format("{} {}", to_text(method), to_text(step)), default_config(method), {}};
  out.solver.step_us = step.us;
  return out;
}

Integration with_tolerance(Method method, double tolerance) {
  Integration out{fmt::format("{} {:g}", to_text(method), tolerance), default_config(method), {}};
  set_tolerance(out.solver, tolerance);
  return out;
}

Integration reference_integration(double tolerance) {
  Integration out = with_tolerance(Method::kRk45, tolerance);
  out.solver.h_max_us = kReferenceLongestStep_us;
  return out;
}

std::vector<Integration> default_sweep(const SolverConfig& recorded,
                                       const std::vector<Method>& methods) {
  std::vector<Integration> sweep;
  for (const Method method : methods) {
    if (method == recorded.method) {
      sweep.push_back({fmt::format("{} (as recorded)", to_text(method)), recorded, {}});
    } else if (is_adaptive(method)) {
      sweep.push_back({to_text(method), default_config(method), {}});
    } else {
      sweep.push_back(with_step(method, usual_step(method)));
    }
  }
  return sweep;
}

std::vector<Integration> precision_sweep(const std::vector<Method>& methods,
                                         const std::vector<double>& tolerances,
                                         const std::vector<DurationUs>& steps) {
  const std::span<const double> wanted =
      tolerances.empty() ? std::span<const double>(kToleranceLadder) : tolerances;
  std::vector<Integration> sweep;
  for (const Method method : methods) {
    if (is_adaptive(method)) {
      for (const double tolerance : wanted) sweep.push_back(with_tolerance(method, tolerance));
    } else if (!steps.empty()) {
      for (const DurationUs step : steps) sweep.push_back(with_step(method, step));
    } else {
      for (const std::uint64_t us : method == Method::kEuler ? kEulerLadder_us : kFixedLadder_us) {
        sweep.push_back(with_step(method, DurationUs(us)));
      }
    }
  }
  return sweep;
}

DurationUs longest_interval(const Recording& recording) {
  DurationUs longest;
  TimeUs before;
  for (const TimeUs time : scheduled_boundaries(recording)) {
    longest = std::max(longest, time - before);
    before = time;
  }
  return longest;
}

bool touches_ground(const Recording& recording, TimeUs until) {
  const Table* const events = recording.find("events");
  const RowField* const what = events == nullptr ? nullptr : events->layout.find("/events/what");
  if (what == nullptr) return false;
  for (std::size_t i = 0; i < events->size() && events->time(i) <= until; ++i) {
    const std::string happened = text(*what, events->row(i).data());
    if (happened == "touchdown" || happened == "liftoff") return true;
  }
  return false;
}

std::vector<SegmentStart> segment_starts(const Spec& spec,
                                         const std::shared_ptr<const Recording>& recording,
                                         const CompareOptions& options) {
  std::vector<SegmentStart> starts;
  if (options.segment.us == 0) return starts;
  const std::vector<TimeUs> scheduled = scheduled_boundaries(*recording);
  const Integration as_recorded{"as recorded", spec.solver, {}};
  const Spec flown = spec_to_fly(spec, *recording, as_recorded, options);
  Run run = make_run(flown, recording, BringBack::kAll, {});
  const TimeUs end = std::min(TimeUs{} + flown.timeline.end, recording->end.time);
  TimeUs wanted = TimeUs{} + options.segment;
  StateWriter plant;
  const auto save_start = [&] {
    if (run.now() < wanted || run.now() >= end ||
        !std::binary_search(scheduled.begin(), scheduled.end(), run.now())) {
      return false;
    }
    plant.clear();
    run.plant().save(plant);
    starts.push_back({run.now(), {plant.bytes().begin(), plant.bytes().end()}});
    wanted = TimeUs((run.now().us / options.segment.us + 1) * options.segment.us);
    return false;
  };
  TrackLog log;
  Observers observers{{}, {&log}, {}};
  fly(run, observers, save_start);
  require_recorded_track(*recording, log.track());
  return starts;
}

namespace {

/// `member` of the options would not be compared as it was asked for.
[[noreturn]] void refuse(const char* member, DurationUs asked, std::string reason) {
  throw Error(ExitCode::kBadInput,
              ErrorSubject{
                  .key = member, .note = {}, .value = to_text(asked), .reason = std::move(reason)});
}

void require_span(const Recording& recording, const CompareOptions& options) {
  const DurationUs all = recording.end.time - TimeUs{};
  const DurationUs span = options.end ? *options.end - TimeUs{} : all;
  if (span.us == 0) refuse("end", span, "must be greater than zero");
  if (span > all) {
    refuse("end", span, fmt::format("must be at most {}: the recording ends there", to_text(all)));
  }
  if (options.segment.us == 0) return;
  const DurationUs interval = std::min(longest_interval(recording), span);
  if (options.segment < interval) {
    refuse("segment", options.segment,
           fmt::format("must be at least {}: segments begin at boundaries of the recording, which "
                       "are so far apart",
                       to_text(interval)));
  }
  if (options.segment > span) {
    refuse("segment", options.segment,
           fmt::format("must be at most {}, which is all that is compared", to_text(span)));
  }
}

std::string ground_note(bool in_segments) {
  return in_segments
             ? "the vehicle touches the ground in this flight; a bounce magnifies any difference, "
               "so errors of segments with one say little of the integrators (docs/compare.md)"
             : "the vehicle touches the ground in this flight; take-off and landing magnify any "
               "difference, so errors after them say little of the integrators (docs/compare.md)";
}

}  // namespace

PlantReplay replay_plant(const Spec& spec, const std::shared_ptr<const Recording>& recording,
                         const Integration& integration, const CompareOptions& options,
                         const std::vector<SegmentStart>& starts) {
  const auto clock_s = [&] { return options.clock_s ? options.clock_s() : 0.0; };
  PlantReplay replay;
  replay.name = integration.name;
  replay.solver = integration.solver;
  TrackLog log;
  try {
    Run run = make_run(spec_to_fly(spec, *recording, integration, options), recording,
                       BringBack::kScheduled, integration.instead);
    Observers observers;
    observers.sinks = {&log};
    auto next = starts.begin();
    SolverTotals before;  // of this segment
    const double start_s = clock_s();
    // Asked between two boundaries, where a run can be put elsewhere.
    const auto begin_segment = [&] {
      if (next == starts.end() || run.now() < next->at) return false;
      TACTUS_ASSERT(run.now() == next->at, "every integrator has a boundary at a cut");
      log.add(present_row(run));
      add_difference(before, run.plant().totals(), replay.totals);
      load_plant(run, next->plant, Into::kChanged);
      before = run.plant().totals();
      ++next;
      return false;
    };
    try {
      fly(run, observers, begin_segment);
    } catch (const Error& error) {
      replay.stopped = error.what();
    }
    replay.wall_s = clock_s() - start_s;
    add_difference(before, run.plant().totals(), replay.totals);
  } catch (const Error& error) {
    replay.stopped = error.what();
  }
  replay.track = log.track();
  return replay;
}

IntegrationComparison compare_integrations(const Spec& spec,
                                           const std::shared_ptr<const Recording>& recording,
                                           const Integration& reference,
                                           const std::vector<Integration>& integrations,
                                           const CompareOptions& options) {
  if (spec.log.period.us == 0) {
    throw Error(ExitCode::kBadInput,
                "the recorded flight has no log to compare on (log.period_s = 0); record it with "
                "one");
  }
  require_span(*recording, options);
  const std::vector<SegmentStart> starts = segment_starts(spec, recording, options);
  const auto flown = [&](const Integration& integration) {
    if (options.begins) options.begins(integration);
    return replay_plant(spec, recording, integration, options, starts);
  };
  IntegrationComparison comparison;
  comparison.segment = options.segment;
  if (touches_ground(*recording, options.end.value_or(recording->end.time))) {
    comparison.notes.push_back(ground_note(options.segment.us != 0));
  }
  for (const SegmentStart& start : starts) comparison.cuts.push_back(start.at);
  comparison.reference = flown(reference);
  if (!comparison.reference.stopped.empty()) {
    throw Error(ExitCode::kRunStopped, fmt::format("the reference ({}) stopped: {}", reference.name,
                                                   comparison.reference.stopped));
  }
  for (const Integration& integration : integrations) {
    ComparedFlight& line = comparison.flights.emplace_back();
    line.flight = flown(integration);
    line.errors = track_errors(comparison.reference.track, line.flight.track);
  }
  return comparison;
}

IntegrationComparison::Segment IntegrationComparison::segment_of(TimeUs time) const {
  const auto end = std::lower_bound(cuts.begin(), cuts.end(), time);
  return {end == cuts.begin() ? TimeUs{} : *std::prev(end),
          end == cuts.end() ? reference.track.back().time : *end};
}

}  // namespace tactus
