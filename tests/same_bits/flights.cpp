// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Flies whole scenarios, from the spec file to the log, one line each:
//   NAME FLIGHT_DIGEST LOG_DIGEST SUMMARY
// The log digest is that of the CSV file, byte by byte. The summary lets a person understand what a
// changed digest means for the flight. run.sh builds this program with every compiler and compares
// its output with expected_flights.txt.
// usage: flights FOLDER SCENARIO...   (FOLDER: where the logs are written)

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/flight_summary.h"
#include "tactus/record/csv_log.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus::same_bits {
namespace {

Digest128 digest_of_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw Error(ExitCode::kEnvironment, path + ": cannot be read back");
  Digest digest;
  std::byte bytes[4096];
  for (std::size_t n = 0; (n = std::fread(bytes, 1, sizeof bytes, file)) > 0;) {
    digest.add_bytes(std::span(bytes, n));
  }
  std::fclose(file);
  return digest.result();
}

std::string describe(const Run& run, const FlightFacts& facts, const FlightOutcome& outcome) {
  const SolverTotals& solver = run.plant().totals();
  const int items_done = facts.steps.empty() ? 0 : static_cast<int>(facts.steps.back().to);
  char text[300];
  std::snprintf(text, sizeof text,
                "%s, %s, %d of %d items, %.3f m from home, rms %.3f m, max %.2f m/s, "
                "%llu boundaries, %llu found, %llu steps",
                outcome.passed() ? "passed" : "FAILED", to_text(outcome.end), items_done,
                static_cast<int>(facts.mission_count), facts.home_distance_m, facts.tracking_rms_m,
                facts.max_speed_m_s.value, static_cast<unsigned long long>(run.boundaries().total),
                static_cast<unsigned long long>(run.boundaries().found),
                static_cast<unsigned long long>(solver.accepted));
  return text;
}

void fly_scenario(const std::string& folder, const std::string& name) {
  const Spec spec = load_spec(find_spec(name)).spec;
  Assembly assembly = assemble(spec);
  FlightSummary summary(vehicle_type(spec), assembly.run.counts());
  const std::string path = folder + "/" + name + ".csv";
  CsvLog log(path, LogProvenance{spec.name, spec.digest, spec.seed});
  Observers observers;
  observers.hooks = {&summary, assembly.monitor.get()};
  observers.sinks = {&log};
  fly(assembly.run, observers);
  std::printf("%-16s %s %s  %s\n", name.c_str(), to_hex(assembly.run.digest()).c_str(),
              to_hex(digest_of_file(path)).c_str(),
              describe(assembly.run, summary.facts(), assembly.monitor->outcome()).c_str());
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tactus::same_bits

int main(int argc, char** argv) {
  try {
    tactus::require_same_bits();
    for (int i = 2; i < argc; ++i) tactus::same_bits::fly_scenario(argv[1], argv[i]);
  } catch (const tactus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
