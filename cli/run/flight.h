// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One flight of `tactus run`, from spec to outcome.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/recording.h"
#include "tactus/autopilot/autopilot.h"
#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/engine/observer.h"
#include "tactus/engine/run.h"
#include "tactus/record/digest_chain.h"
#include "tactus/record/flight_summary.h"
#include "tactus/scenario/expectations.h"
#include "tactus/scenario/load_spec.h"
#include "tactus/scenario/scenario_source.h"
#include "tactus/scenario/spec.h"

namespace tactus::cli {

enum class Verdict : std::uint8_t { kPassed, kFailed, kCrashed, kInterrupted };

const char* to_text(Verdict verdict);
ExitCode exit_code(Verdict verdict);

/// Everything that the report of a flight needs.
struct Flight {
  Spec spec;
  std::vector<Event> events;         ///< of the scenario
  std::vector<EventRecord> records;  ///< what came of each; empty: not known
  Verdict verdict = Verdict::kPassed;
  std::string sentence;  ///< what came of it, in short
  FlightFacts facts;
  FlightOutcome outcome;
  bool judged = true;  ///< false: there are expectations, but not all of the flight was seen
  BoundaryCounts boundaries;
  SolverTotals solver;
  Digest128 digest;
  std::vector<DigestChain::Link> chain;
  std::optional<RecordedFile> recording;
  std::vector<std::string> notes;     ///< what the user should know about the set-up
  std::vector<std::string> warnings;  ///< scenario/warnings.h, with places
  std::optional<Error> file_error;    ///< the flight is over, its log or recording is not complete

  [[nodiscard]] double used_ah(std::size_t pack) const {
    return facts.packs[pack].used() * spec.multirotor.power.pack[pack].capacity_ah;
  }
};

/// "id: message" of every expectation that did not come true.
std::vector<std::string> failures(const Flight& flight);

struct FlightOptions {
  std::unique_ptr<OutputFile> log;  ///< as CSV; null: none
  bool log_plain = false;           ///< without comment lines
  RecordOptions record;
  bool validate = false;
  std::vector<StageHook*> hooks;      ///< more who look on
  std::function<bool()> interrupted;  ///< asked at every boundary
  FlightClocks clocks;                ///< measure what the PX4 library takes
};

/// Parts of the scenario that came to nothing in a flight that began at its start.
void add_warnings_of_flight(const LoadedSpec& loaded, Flight& flight);

/// What there is to tell of a run that has been flown. Files and notes are added by the caller.
Flight flight_of(const Spec& spec, const Run& run, const FlightSummary& summary,
                 const ExpectationMonitor& monitor);

/// Throws Error; log and recording are closed by then.
Flight fly_spec(const LoadedSpec& loaded, FlightOptions options);

}  // namespace tactus::cli
