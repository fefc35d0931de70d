// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/engine/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/signal/validator.h"

namespace tactus {
namespace {

[[noreturn]] void refuse(const SourceInfo& source, const std::string& reason) {
  throw Error(ExitCode::kBadInput, fmt::format("source \"{}\" {}", source.name, reason));
}

void check_stage(const SourceInfo& source) {
  switch (source.stage) {
    case Stage::kScenario:
    case Stage::kWind:
    case Stage::kSensors:
    case Stage::kAutopilot: return;
    default:
      refuse(source, fmt::format("acts in stage {}, which has no sources; use scenario, "
                                 "wind, sensors or autopilot",
                                 to_text(source.stage)));
  }
}

void check_rules(const SourceInfo& source, const Schedule& schedule) {
  check_stage(source);
  const SignalSet stolen = source.writes & kPlantSignals;
  if (stolen.bits != 0) {
    refuse(source, fmt::format("writes {}, which belongs to the plant", to_text(stolen)));
  }
  const SignalSet allowed =
      source.sees_truth ? kAutopilotMayRead | SignalSet::of(Signal::kTruth) : kAutopilotMayRead;
  const SignalSet secret{source.reads.bits & ~allowed.bits};
  if (source.stage == Stage::kAutopilot && secret.bits != 0) {
    refuse(source, fmt::format("reads {}, which no autopilot can know; it may read {}",
                               to_text(secret), to_text(allowed)));
  }
  const SignalSet flown = source.writes & kAutopilotWrites;
  if (source.stage != Stage::kAutopilot && flown.bits != 0) {
    refuse(source, fmt::format("writes {} outside of the autopilot stage", to_text(flown)));
  }
  if (source.axis == Axis::kEveryBoundary) return;
  const DurationUs period = schedule.period(source.axis);
  if (period.us == 0) {
    refuse(source, fmt::format("acts on the {} axis, which has no period", to_text(source.axis)));
  }
  if (source.period.us != 0 && source.period != period) {
    refuse(source, fmt::format("was built for a period of {}, but the {} axis has {}",
                               to_text(source.period), to_text(source.axis), to_text(period)));
  }
}

void check_writers(const std::vector<SourceInfo>& sources) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const SignalSet both = sources[i].writes & sources[j].writes;
      if (both.bits == 0) continue;
      refuse(sources[i], fmt::format("writes {}, and so does \"{}\"; every signal has one writer",
                                     to_text(both), sources[j].name));
    }
  }
}

/// No source may wait for commands of the caller, who gives none.
void check_source_commands(const std::vector<SourceInfo>& sources) {
  for (const SourceInfo& source : sources) {
    if (source.mode != SourceMode::kCaller) continue;
    refuse(source, "is stepped by the caller, but the command of this run comes from a source");
  }
}

/// The caller takes the place of the source that would write the command.
void check_caller_commands(const std::vector<SourceInfo>& sources, const Schedule& schedule) {
  for (const SourceInfo& source : sources) {
    if (source.mode == SourceMode::kCaller) continue;
    if ((source.writes & kAutopilotWrites).bits == 0) continue;
    refuse(source, "writes the command, which comes from the caller in this run");
  }
  if (schedule.period(Axis::kAutopilot).us != 0) return;
  throw Error(ExitCode::kBadInput,
              "the command comes from the caller, but the autopilot axis has no period");
}

/// The longest interval that the acting axes leave. Not the log's: whether a step is allowed must
/// not depend on the observers.
DurationUs longest_interval(const Schedule& schedule) {
  DurationUs longest = schedule.end() - TimeUs{};
  for (int i = 1; i < kAxes; ++i) {
    const auto axis = static_cast<Axis>(i);
    const DurationUs period = schedule.period(axis);
    if (axis != Axis::kLog && period.us != 0) longest = std::min(longest, period);
  }
  return longest;
}

std::size_t count_of(const std::vector<SourceInfo>& sources, Stage stage) {
  return static_cast<std::size_t>(
      std::count_if(sources.begin(), sources.end(),
                    [stage](const SourceInfo& source) { return source.stage == stage; }));
}

VehicleCounts counts_of(const Plant& plant, const InstrumentCounts& instruments) {
  VehicleCounts counts = plant.counts();
  counts.instruments = instruments;
  return counts;
}

std::vector<std::unique_ptr<Source>> clone_all(
    const std::vector<std::unique_ptr<Source>>& sources) {
  std::vector<std::unique_ptr<Source>> copies;
  for (const std::unique_ptr<Source>& source : sources) {
    copies.push_back(source->clone());
    if (copies.back() != nullptr) continue;
    throw Error(ExitCode::kBadInput,
                fmt::format("source \"{}\" cannot be copied in flight, so this run cannot be "
                            "validated; use a built-in or recorded source",
                            source->info().name));
  }
  return copies;
}

}  // namespace

Run::Run(RunSetup setup)
    : plant_(std::move(setup.plant)),
      sources_(std::move(setup.sources)),
      schedule_(std::move(setup.schedule)),
      log_period_(setup.log_period),
      log_interpolates_(setup.log_interpolates),
      command_from_(setup.command_from),
      counts_(counts_of(*plant_, setup.instruments)),
      bus_digest_(counts_) {
  for (const std::unique_ptr<Source>& source : sources_) {
    TACTUS_ASSERT(source != nullptr, "a source that exists");
  }
  std::stable_sort(sources_.begin(), sources_.end(),
                   [](const auto& a, const auto& b) { return a->info().stage < b->info().stage; });
  for (const std::unique_ptr<Source>& source : sources_) {
    infos_.push_back(source->info());
    check_rules(infos_.back(), schedule_);
    early_outputs_ = early_outputs_ || infos_.back().wants_outputs;
  }
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    first_source_[stage + 1] = first_source_[stage] + count_of(infos_, static_cast<Stage>(stage));
  }
  TACTUS_ASSERT(first_source_[kStages] == sources_.size(), "every source has its stage");
  check_writers(infos_);
  if (command_from_ == CommandFrom::kCaller) {
    check_caller_commands(infos_, schedule_);
  } else {
    check_source_commands(infos_);
  }
  plant_->require_step_resolves(longest_interval(schedule_));
}

Run::Run(const Run& other)
    : plant_(other.plant_->clone()),
      sources_(clone_all(other.sources_)),
      schedule_(other.schedule_),
      log_period_(other.log_period_),
      log_interpolates_(other.log_interpolates_),
      command_from_(other.command_from_),
      counts_(other.counts_),
      early_outputs_(other.early_outputs_),
      bus_(other.bus_),
      bus_digest_(other.bus_digest_),
      digest_(other.digest_),
      boundaries_(other.boundaries_),
      stage_(other.stage_),
      written_(other.written_),
      needs_command_(other.needs_command_),
      found_(other.found_),
      finished_(other.finished_),
      usable_(other.usable_) {
  for (const std::unique_ptr<Source>& source : sources_) infos_.push_back(source->info());
  TACTUS_ASSERT(infos_.size() == other.infos_.size(), "a copy of every source");
  TACTUS_ASSERT(stage_ != Stage::kAutopilot || !finished_, "a run that waits is not over");
  std::copy(std::begin(other.first_source_), std::end(other.first_source_), first_source_);
}

Run& Run::operator=(const Run& other) {
  Run copy(other);
  *this = std::move(copy);
  return *this;
}

}  // namespace tactus
