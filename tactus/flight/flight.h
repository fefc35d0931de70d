// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One flight, from a spec to its outcome:
//
//   const LoadedSpec loaded = load_spec(find_spec("default"), {{"seed", "7"}});
//   const Flight flight = fly(loaded);
//   flight.verdict, flight.sentence, flight.digest, flight_json(flight) (flight_json.h)
//
// Nothing is printed: those who want to see the flight as it goes give hooks. Any number of flights
// may be flown from one LoadedSpec at the same time, by as many threads (seeds.h does).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/program_facts.h"
#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/engine/observer.h"
#include "tactus/engine/run.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/flight_recording.h"
#include "tactus/flight/flight_summary.h"
#include "tactus/flight/pace/time_mode.h"
#include "tactus/record/digest_chain.h"
#include "tactus/scenario/assembly.h"
#include "tactus/scenario/expectations.h"
#include "tactus/scenario/scenario_source.h"
#include "tactus/spec/model/spec.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {

enum class Verdict : std::uint8_t { kPassed, kFailed, kCrashed, kInterrupted };

const char* to_text(Verdict verdict);
ExitCode exit_code(Verdict verdict);

/// Everything that a report of a flight needs.
struct Flight {
  Spec spec;
  std::vector<Event> events;         ///< of the scenario
  std::vector<EventRecord> records;  ///< what came of each; empty: not known
  Verdict verdict = Verdict::kPassed;
  std::string sentence;  ///< what came of it, in short: sentence.h
  FlightFacts facts;
  FlightOutcome outcome;
  bool judged = true;  ///< false: there are expectations, but not all of the flight was seen
  BoundaryCounts boundaries;
  SolverTotals solver;
  Digest128 digest;
  std::vector<DigestChain::Link> chain;
  std::optional<RecordedFile> recording;
  std::vector<std::string> notes;     ///< what the user should know about the set-up
  ProgramFacts program;               ///< of an external autopilot; empty: nothing is known
  std::vector<std::string> warnings;  ///< scenario/warnings.h, with places
  std::optional<Error> file_error;    ///< the flight is over, its log or recording is not complete
  double flying_s = 0.0;              ///< on the wall; all else is the same on every machine

  [[nodiscard]] double used_ah(std::size_t pack) const {
    return facts.packs[pack].used() * vehicle_type(spec).packs(spec)[pack].capacity_ah;
  }
  /// 0: not known.
  [[nodiscard]] double real_time_factor() const {
    return flying_s > 0.0 ? to_seconds(facts.end - facts.begin) / flying_s : 0.0;
  }
};

/// "id: message" of every expectation that did not come true.
std::vector<std::string> failures(const Flight& flight);

struct FlightOptions {
  std::unique_ptr<OutputFile> log;  ///< as CSV; null: none
  bool log_plain = false;           ///< without comment lines
  RecordOptions record;
  bool validate = false;              ///< fly_validated(): saved copies and caches are checked
  std::optional<TimeMode> mode;       ///< how fast; empty: the usual one
  std::vector<StageHook*> hooks;      ///< more observers
  std::function<bool()> interrupted;  ///< asked at every boundary
  FlightClocks clocks;                ///< measure what the PX4 library takes
  std::function<void(const std::string&)> tell;  ///< gets what the user has to do now
  std::string autopilot_trace;  ///< file that gets that of a conducted program; empty: none
};

/// Parts of the scenario that came to nothing in a flight that began at its start.
void add_warnings_of_flight(const LoadedSpec& loaded, Flight& flight);

/// The report of a run that has been flown. Files and notes are added by the caller.
Flight flight_of(const Spec& spec, const Run& run, const FlightSummary& summary,
                 const ExpectationMonitor& monitor);

/// Throws Error; log and recording are closed by then. A log without rows and snapshots of which
/// none would be saved are refused.
Flight fly(const LoadedSpec& loaded, FlightOptions options = {});

}  // namespace tactus
