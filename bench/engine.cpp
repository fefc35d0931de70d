// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Speed of whole flights on one core, in times of real time (CPU time, best of several repeats).
// With TACTUS_PX4_LOCKSTEP_LIB also those that the PX4 library flies, and what it takes itself.
// `bench_engine px4-lib [KEY=VALUE...]` reports only that flight, with other settings;
// `bench_engine SCENARIO [KEY=VALUE...]` flies once, for bench/engine_share.sh.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "tactus/core/vec.h"
#include "tactus/engine/run.h"
#include "tactus/engine/sources.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/link/px4/px4_library.h"
#include "tactus/record/csv_log.h"
#include "tactus/record/memory_log.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/replay/playback/flight_part.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {
namespace {

double cpu_time_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Spec load(const std::string& scenario, const std::vector<std::string>& settings) {
  std::vector<Override> overrides;
  overrides.reserve(settings.size());
  for (const std::string& setting : settings) overrides.push_back(parse_override(setting));
  return load_spec(find_spec(scenario), overrides).spec;
}

/// Seconds of CPU for one flight; with a log if `csv` names one.
double flight_s(const Spec& spec, const std::string& csv) {
  Assembly flight = assemble(spec);
  Observers observers;
  std::unique_ptr<CsvLog> log;
  if (!csv.empty()) {
    log = std::make_unique<CsvLog>(csv, LogProvenance{spec.name, spec.digest, spec.seed});
    observers.sinks.push_back(log.get());
  }
  const double begin_s = cpu_time_s();
  fly(flight.run, observers);
  return cpu_time_s() - begin_s;
}

/// RK45 far below rounding of any figure here; `tactus verify` compares it with SUNDIALS.
SolverConfig reference_solver() {
  SolverConfig config = default_config(Method::kRk45);
  for (Tolerance* tolerance : {&config.position, &config.velocity, &config.rate, &config.rotor,
                               &config.charge, &config.polarisation}) {
    *tolerance = {1e-12, 1e-12};
  }
  config.attitude_atol_rad = 1e-12;
  return config;
}

/// Largest distance between the flight and the same commands, wind and faults integrated by the
/// reference, until the descent begins.
double plant_error_m(Spec spec) {
  constexpr TimeUs kDescent{35'000'000};
  const std::vector<std::string> position = {"truth.position_ned_m.x", "truth.position_ned_m.y",
                                             "truth.position_ned_m.z"};
  spec.timeline.end = kDescent - TimeUs{};
  MemoryLog flown(position), exact(position);
  MemorySink memory;
  StreamRecorder recorder({}, memory);
  Assembly live = assemble(spec);
  Observers observers;
  observers.sinks = {&flown};
  observers.recorders = {&recorder};
  fly(live.run, observers);
  const auto inputs = plant_inputs(memory.recording(), BringBack::kScheduled);
  spec.solver = reference_solver();
  AssembleOptions options;
  for (const std::unique_ptr<Source>& input : inputs) options.instead.push_back(input.get());
  Assembly replay = assemble(spec, options);
  Observers no_others;
  no_others.sinks = {&exact};
  fly(replay.run, no_others);
  double largest = 0.0;
  for (std::size_t i = 0; i < flown.times().size(); ++i) {
    Vec3 difference;
    difference.x = flown.column(position[0])[i] - exact.column(position[0])[i];
    difference.y = flown.column(position[1])[i] - exact.column(position[1])[i];
    difference.z = flown.column(position[2])[i] - exact.column(position[2])[i];
    largest = std::max(largest, norm(difference));
  }
  return largest;
}

constexpr int kRepeats = 8;

void report(const char* what, const std::vector<std::string>& settings, bool with_csv) {
  const Spec spec = load("default", settings);
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string csv = with_csv ? (folder / "tactus_bench.csv").string() : "";
  double best_s = 1e300;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    best_s = std::min(best_s, flight_s(spec, csv));
  }
  if (with_csv) std::filesystem::remove(csv);
  fmt::print("{:<52} {:6.0f} x real time, plant error {:.1e} m\n", what,
             to_seconds(spec.timeline.end) / best_s, plant_error_m(spec));
}

/// What a flight took; CPU per simulated second.
struct Px4Cost {
  double inside_ms = 1e300;
  double outside_ms = 1e300;
  double evaluations_per_tick = 0.0;

  [[nodiscard]] double total_ms() const { return inside_ms + outside_ms; }
};

std::uint64_t steady_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

const Px4LibraryStatistics& px4_statistics(const Run& run) {
  for (const std::unique_ptr<Source>& source : run.sources()) {
    const auto* const autopilot = dynamic_cast<const AutopilotSource*>(source.get());
    if (autopilot == nullptr) continue;
    return dynamic_cast<const Px4Library&>(autopilot->autopilot()).statistics();
  }
  std::abort();
}

Px4Cost px4_cost(const Spec& spec) {
  AssembleOptions options;
  FlightClocks clocks;
  clocks.now_ns = steady_ns;
  options.external = external_autopilots({.clocks = clocks});
  Assembly flight = assemble(spec, options);
  Observers none;
  const double begin_s = cpu_time_s();
  fly(flight.run, none);
  const double cpu_ms = 1e3 * (cpu_time_s() - begin_s) / to_seconds(spec.timeline.end);
  const Px4LibraryStatistics& taken = px4_statistics(flight.run);
  const double inside = static_cast<double>(taken.inside_ns) /
                        static_cast<double>(taken.inside_ns + taken.outside_ns);
  return {.inside_ms = inside * cpu_ms,
          .outside_ms = (1.0 - inside) * cpu_ms,
          .evaluations_per_tick = static_cast<double>(flight.run.plant().totals().evaluations) /
                                  static_cast<double>(taken.steps)};
}

/// The mission "simple" as `tactus run iris --autopilot px4-lib --mission simple` flies it.
void report_px4(const char* what, const std::vector<std::string>& settings) {
  std::vector<std::string> all = {
      "autopilot.kind=px4-lib",
      fmt::format("autopilot.mission={}/missions/simple.waypoints", data_root())};
  all.insert(all.end(), settings.begin(), settings.end());
  const Spec spec = load("iris", all);
  Px4Cost best;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Px4Cost cost = px4_cost(spec);
    if (cost.total_ms() < best.total_ms()) best = cost;
  }
  fmt::print(
      "{:<52} {:6.0f} x real time, plant error {:.1e} m; inside PX4 {:.2f} ms, outside "
      "{:.2f} ms per simulated second; {:.1f} evaluations per tick\n",
      what, 1000.0 / best.total_ms(), plant_error_m(spec), best.inside_ms, best.outside_ms,
      best.evaluations_per_tick);
}

void report_px4_flights() {
  if (std::getenv("TACTUS_PX4_LOCKSTEP_LIB") == nullptr) {
    fmt::print("px4-lib: SKIPPED, TACTUS_PX4_LOCKSTEP_LIB does not name a libpx4_lockstep.so\n");
    return;
  }
  // The rows of docs/autopilots.md.
  report_px4("px4-lib: blade element, rk45", {});
  report_px4("px4-lib: quadratic, rk45", {"propeller.kind=quadratic"});
  report_px4("px4-lib: quadratic, rk45, rates at 1e-10",
             {"propeller.kind=quadratic", "solver.rate.atol=1e-10", "solver.rate.rtol=1e-8"});
  report_px4("px4-lib: quadratic, rk45 at 1e-6",
             {"propeller.kind=quadratic", "solver.position.atol=1e-6", "solver.velocity.atol=1e-6",
              "solver.rate.atol=1e-6", "solver.attitude_atol_rad=1e-6", "solver.rotor.atol=1e-3"});
  report_px4("px4-lib: the same, true estimate",
             {"propeller.kind=quadratic", "solver.position.atol=1e-6", "solver.velocity.atol=1e-6",
              "solver.rate.atol=1e-6", "solver.attitude_atol_rad=1e-6", "solver.rotor.atol=1e-3",
              "estimator.kind=truth"});
}

}  // namespace
}  // namespace tactus

int main(int argc, char** argv) {
  using tactus::report;
  if (argc > 1) {
    const std::vector<std::string> settings(argv + 2, argv + argc);
    if (argv[1] == std::string("px4-lib")) {
      tactus::report_px4("px4-lib", settings);
      return 0;
    }
    tactus::flight_s(tactus::load(argv[1], settings), "");
    return 0;
  }
  report("default: blade element, rk45, autopilot 250 Hz", {}, false);
  const std::vector<std::string> rk45 = {"propeller.kind=quadratic",
                                         "initial.on_ground=false",
                                         "initial.position_ned_m=[0.0, 0.0, -12.0]",
                                         "initial.rotor_speed_rad_s=495.0",
                                         "event.arm.at_s=0.0",
                                         "event.start.at_s=0.0"};
  report("from the air: quadratic, rk45, autopilot 250 Hz", rk45, false);
  std::vector<std::string> slow = rk45;
  slow.insert(slow.end(),
              {"time.autopilot_s=0.01", "time.sensors_s=0.01", "estimator.delay_s=0.01"});
  report("from the air: quadratic, rk45, autopilot 100 Hz", slow, false);
  report("quadratic, rk4 1 kHz, CSV 100 Hz",
         {"propeller.kind=quadratic", "solver.method=rk4", "solver.step_us=1000",
          "log.period_s=0.01", "log.mode=interpolate"},
         true);
  tactus::report_px4_flights();
  return 0;
}
