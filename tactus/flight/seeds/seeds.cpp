// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/seeds/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/flight/names.h"
#include "tactus/flight/seeds/seed_groups.h"
#include "tactus/flight/seeds/seed_statistics.h"
#include "tactus/flight/seeds/with_seed.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus {
namespace {

SeedOutcome error_outcome(ExitCode code, std::string sentence) {
  SeedOutcome outcome;
  outcome.verdict = SeedVerdict::kError;
  outcome.code = code;
  outcome.sentence = std::move(sentence);
  return outcome;
}

SeedOutcome fly_caught(const LoadedSpec& loaded, std::uint64_t seed, const SeedsOptions& options) {
  try {
    FlightOptions how;
    how.validate = options.validate;
    how.interrupted = options.interrupted;
    return seed_outcome(fly(with_seed(loaded, seed), std::move(how)));
  } catch (const Error& error) {
    return error_outcome(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return error_outcome(ExitCode::kEnvironment, "out of memory; fewer flights at once need less");
  } catch (const std::exception& error) {
    return error_outcome(ExitCode::kRunStopped,
                         std::string("this is a bug, please report it: ") + error.what());
  }
}

SeedOutcome fly_seed(const LoadedSpec& loaded, std::uint64_t seed, const SeedsOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  SeedOutcome outcome = fly_caught(loaded, seed, options);
  outcome.seed = seed;
  outcome.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

/// The flights of one call: threads take from it, the caller waits for it.
class SeedFlights {
 public:
  SeedFlights(const LoadedSpec& loaded, SeedRange seeds, const SeedsOptions& options)
      : loaded_(&loaded), options_(&options), first_(seeds.first), outcomes_(seeds.count()) {
    for (std::size_t i = 0; i < outcomes_.size(); ++i) outcomes_[i].seed = first_ + i;
    progress_.count = outcomes_.size();
  }

  /// Of one thread: until none is left.
  void work() {
    while (!interrupted()) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= outcomes_.size()) return;
      outcomes_[i] = fly_seed(*loaded_, first_ + i, *options_);
      add(outcomes_[i]);
    }
  }

  /// Until all are flown.
  void show_progress() {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    const auto done = [this] { return progress_.flown == progress_.count; };
    while (!all_done_.wait_for(lock, 100ms, done) && !interrupted()) {
      const SeedsProgress now = progress_;
      lock.unlock();
      options_->progress(now);
      lock.lock();
    }
  }

  /// After all threads have ended.
  [[nodiscard]] std::vector<SeedOutcome> take() { return std::move(outcomes_); }

 private:
  [[nodiscard]] bool interrupted() const {
    return options_->interrupted && options_->interrupted();
  }

  void add(const SeedOutcome& outcome) {
    const std::lock_guard lock(mutex_);
    ++progress_.flown;
    if (outcome.is_trouble()) ++progress_.failed;
    if (progress_.flown == progress_.count) all_done_.notify_all();
  }

  const LoadedSpec* loaded_;
  const SeedsOptions* options_;
  std::uint64_t first_;
  std::vector<SeedOutcome> outcomes_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable all_done_;
  SeedsProgress progress_;
};

std::size_t thread_count(std::size_t jobs, std::size_t flights) {
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  return std::min(flights, jobs > 0 ? jobs : processors);
}

void require_many_flights(const LoadedSpec& loaded) {
  const Spec& spec = loaded.spec;
  const auto refuse = [](const char* key, std::string value, const char* reason) {
    throw Error(ExitCode::kBadInput,
                ErrorSubject{.key = key, .note = {}, .value = std::move(value), .reason = reason});
  };
  if (spec.ground_station.enabled) {
    refuse("autopilot.ground_station.enabled", "true",
           "many seeds fly at once, and a ground station steers one flight; fly without it");
  }
  if (is_external_program(spec.autopilot)) {
    refuse("autopilot.kind",
           std::string(kNames<AutopilotKind>[static_cast<std::size_t>(spec.autopilot)]),
           "many seeds fly in this process and at once, which an external autopilot cannot; use "
           "px4-lib or builtin, or fly one seed after the other");
  }
  assemble(loaded, {.external = external_autopilots()});
}

}  // namespace

SeedsResult fly_seeds(const LoadedSpec& loaded, SeedRange seeds, const SeedsOptions& options) {
  TACTUS_ASSERT(seeds.first <= seeds.last, "seeds count upwards");
  require_many_flights(loaded);
  SeedFlights flights(loaded, seeds, options);
  {
    std::vector<std::jthread> threads;
    const std::size_t wanted = thread_count(options.jobs, seeds.count());
    threads.reserve(wanted);
    for (std::size_t i = 0; i < wanted; ++i) {
      try {
        threads.emplace_back([&flights] { flights.work(); });
      } catch (const std::system_error&) {  // those that could be started do it all
        if (threads.empty()) throw;
        break;
      }
    }
    if (options.progress) flights.show_progress();
  }
  return {flight_name(loaded.spec), flights.take()};
}

std::string seeds_sentence(const std::vector<SeedOutcome>& outcomes) {
  constexpr std::size_t kMostNamed = 10;
  std::vector<std::uint64_t> seeds;
  for (const SeedOutcome& outcome : outcomes) {
    if (outcome.is_trouble()) seeds.push_back(outcome.seed);
  }
  const SeedCounts counts(outcomes);
  const std::size_t not_flown = counts[SeedVerdict::kNotFlown];
  const std::string text =
      not_flown == 0
          ? fmt::format("{} of {} seeds did not pass", seeds.size(), outcomes.size())
          : fmt::format("interrupted: {} of {} seeds flown, {} passed{}",
                        outcomes.size() - not_flown, outcomes.size(), counts[SeedVerdict::kPassed],
                        seeds.empty() ? "" : fmt::format(", {} did not", seeds.size()));
  return seeds.empty() ? text : text + ": " + ranges_text(seeds, kMostNamed);
}

std::vector<std::string> seeds_warnings(const std::vector<SeedOutcome>& outcomes) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  std::size_t flown = 0;
  for (const SeedOutcome& outcome : outcomes) {
    if (!outcome.got_to_an_end()) continue;
    ++flown;
    for (const std::string& warning : outcome.warnings) {
      const auto it = std::find_if(counted.begin(), counted.end(),
                                   [&](const auto& known) { return known.first == warning; });
      if (it == counted.end()) {
        counted.emplace_back(warning, 1);
      } else {
        ++it->second;
      }
    }
  }
  std::vector<std::string> lines;
  lines.reserve(counted.size());
  for (const auto& [warning, count] : counted) {
    lines.push_back(count == flown ? warning
                                   : fmt::format("{} ({} of {} flights)", warning, count, flown));
  }
  return lines;
}

ExitCode exit_code(const std::vector<SeedOutcome>& outcomes) {
  ExitCode code = ExitCode::kOk;
  for (const SeedOutcome& outcome : outcomes) {
    if (outcome.verdict == SeedVerdict::kNotFlown) return ExitCode::kInterrupted;
    if (outcome.verdict == SeedVerdict::kPassed) continue;
    if (code == ExitCode::kOk || code == ExitCode::kCheckFailed) code = outcome.code;
  }
  return code;
}

}  // namespace tactus
