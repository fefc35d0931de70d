// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// How much do integrators matter? Flies the Iris of an earlier simulator once with its autopilot,
// then flies the plant alone on the recorded commands and wind with several integrators, and
// compares their tracks with that of a tight RK45. Nothing closes the loop over the differences, so
// they are those of the integration. As commands:
// tactus run iris_prior_art --record flight.h5 && tactus compare flight.h5

#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>

#include "tactus/files/disk_files.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/replay/compare/compare.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace {

using tactus::Method;

std::shared_ptr<const tactus::Recording> record(const tactus::Spec& spec) {
  tactus::Assembly flight = tactus::assemble(spec);
  tactus::MemorySink memory;
  tactus::StreamRecorder recorder(tactus::StreamRecorderSetup{}, memory);
  tactus::Observers observers;
  observers.recorders = {&recorder};
  fly(flight.run, observers);
  return memory.recording();
}

double clock_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void print(const tactus::IntegrationComparison& comparison) {
  std::printf("%-20s %8s %9s", "solver", "wall_s", "rhs");
  for (const tactus::ErrorColumn& column : tactus::kErrorColumns) {
    std::printf(" %11s", column.quantity);
  }
  std::printf("\n");
  for (const tactus::ComparedFlight& line : comparison.flights) {
    if (!line.flight.stopped.empty()) {
      std::printf("%-20s %s\n", line.flight.name.c_str(), line.flight.stopped.c_str());
      continue;
    }
    std::printf("%-20s %8.3f %9llu", line.flight.name.c_str(), line.flight.wall_s,
                static_cast<unsigned long long>(line.flight.totals.evaluations));
    for (const tactus::ErrorColumn& column : tactus::kErrorColumns) {
      std::printf(" %11.2e", (line.errors.*column.error).max);
    }
    std::printf("\n");
  }
}

void compare() {
  const tactus::Override minute{"time.end_s", "60.0"};
  const tactus::Spec spec =
      tactus::load_spec(tactus::find_spec("iris_prior_art"), {&minute, 1}).spec;
  tactus::CompareOptions options;
  options.clock_s = clock_s;
  print(compare_integrations(
      spec, record(spec), tactus::reference_integration(),
      default_sweep(spec.solver, {Method::kEuler, Method::kRk4, Method::kRk23, Method::kRk45}),
      options));
}

}  // namespace

int main() {
  try {
    compare();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "integrator_compare: %s\n", error.what());
    return 1;
  }
}
