// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One flight of `tactus run`, from spec to outcome.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/engine/observer.h"
#include "tactus/engine/run.h"
#include "tactus/record/flight_summary.h"
#include "tactus/scenario/expectations.h"
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
  BoundaryCounts boundaries;
  SolverTotals solver;
  Digest128 digest;
  std::vector<std::string> notes;  ///< what the user should know about the set-up
  std::optional<Error> log_error;  ///< the flight is complete, its log is not

  [[nodiscard]] double used_ah(std::size_t pack) const {
    return facts.packs[pack].used() * spec.multirotor.power.pack[pack].capacity_ah;
  }
};

/// "id: message" of every expectation that did not come true.
std::vector<std::string> failures(const Flight& flight);

struct FlightOptions {
  std::string log;  ///< path of the CSV, empty: none
  bool validate = false;
  std::vector<StageHook*> hooks;      ///< more who look on
  std::function<bool()> interrupted;  ///< asked at every boundary
};

/// Throws Error; the log is closed by then.
Flight fly_spec(const Spec& spec, const FlightOptions& options);

}  // namespace tactus::cli
