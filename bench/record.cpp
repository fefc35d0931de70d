// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What recording costs on the default mission, by tier, against the same flight without it: CPU of
// the stepping thread, wall time (the best of several repeats, taken in turns), size of the file.
// `bench_record TIER [KEY=VALUE...]` flies once and says how much memory the process took at most;
// TIER "none" records nothing. bench/record_share.sh counts instructions with it.

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/recording_meta.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/scenario/assembly.h"

namespace tactus {
namespace {

double clock_s(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

LoadedSpec load(const std::vector<std::string>& settings) {
  std::vector<Override> overrides;
  overrides.reserve(settings.size());
  for (const std::string& setting : settings) overrides.push_back(parse_override(setting));
  return load_spec(find_spec("default"), overrides);
}

struct Cost {
  double cpu_s = std::numeric_limits<double>::infinity();
  double wall_s = std::numeric_limits<double>::infinity();
  double kb = 0.0;
};

Cost fly_once(const LoadedSpec& loaded, std::optional<Tier> tier) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("tactus_bench_{}.h5", getpid()))
          .string();
  Assembly flight = assemble(loaded.spec);
  Observers observers;
  FileSink file(path);
  StreamRecorder recorder({recording_meta(loaded, tier.value_or(Tier::kPlant), {})}, file);
  if (tier) observers.recorders = {&recorder};
  const double cpu_s = clock_s(CLOCK_THREAD_CPUTIME_ID);
  const double wall_s = clock_s(CLOCK_MONOTONIC);
  fly(flight.run, observers);
  Cost cost{clock_s(CLOCK_THREAD_CPUTIME_ID) - cpu_s, clock_s(CLOCK_MONOTONIC) - wall_s, 0.0};
  if (!tier) return cost;
  cost.kb = static_cast<double>(std::filesystem::file_size(path)) / 1000.0;
  std::filesystem::remove(path);
  return cost;
}

void report() {
  constexpr int kRepeats = 8;
  const std::optional<Tier> tiers[] = {std::nullopt, Tier::kPlant, Tier::kComponents,
                                       Tier::kEvaluations};
  const LoadedSpec loaded = load({});
  Cost best[std::size(tiers)];
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (std::size_t i = 0; i < std::size(tiers); ++i) {
      const Cost cost = fly_once(loaded, tiers[i]);
      best[i] = {std::min(best[i].cpu_s, cost.cpu_s), std::min(best[i].wall_s, cost.wall_s),
                 cost.kb};
    }
  }
  const double minutes = to_seconds(loaded.spec.timeline.end) / 60.0;
  fmt::print("default without recording: {:.3f} s\n", best[0].wall_s);
  for (std::size_t i = 1; i < std::size(tiers); ++i) {
    fmt::print("tier {}: stepping thread {:.3f}, wall {:.3f} of that; {:.0f} kB per minute\n",
               i - 1, best[i].cpu_s / best[0].cpu_s, best[i].wall_s / best[0].wall_s,
               best[i].kb / minutes);
  }
}

void report_one(const std::string& tier, const std::vector<std::string>& settings) {
  std::optional<Tier> recorded;
  if (tier != "none") recorded = static_cast<Tier>(std::stoi(tier));
  const Cost cost = fly_once(load(settings), recorded);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  fmt::print("tier {}: {:.3f} s, {:.0f} kB in the file, at most {} MB of memory\n", tier,
             cost.wall_s, cost.kb, used.ru_maxrss / 1024);
}

}  // namespace
}  // namespace tactus

int main(int argc, char** argv) {
  if (argc > 1) {
    tactus::report_one(argv[1], std::vector<std::string>(argv + 2, argv + argc));
  } else {
    tactus::report();
  }
  return 0;
}
