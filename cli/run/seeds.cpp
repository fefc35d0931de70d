// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/seeds.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "cli/run/flight.h"
#include "cli/run/seed_groups.h"

namespace tactus::cli {
namespace {

SeedOutcome outcome_of(const Flight& flight) {
  SeedOutcome outcome;
  switch (flight.verdict) {
    case Verdict::kPassed: outcome.verdict = SeedVerdict::kPassed; break;
    case Verdict::kFailed: outcome.verdict = SeedVerdict::kFailed; break;
    case Verdict::kCrashed: outcome.verdict = SeedVerdict::kCrashed; break;
    case Verdict::kInterrupted: return outcome;
  }
  const FlightFacts& facts = flight.facts;
  outcome.code = exit_code(flight.verdict);
  outcome.sentence = flight.sentence;
  outcome.results = flight.outcome.results;
  outcome.landed = flight.outcome.end == FlightEnd::kLanded;
  outcome.home_distance_m = facts.home_distance_m;
  const bool disarmed = !facts.is_armed && !facts.armed.empty();
  outcome.end = flight.outcome.crashed() ? flight.outcome.crash_time
                : disarmed               ? facts.armed.back().time
                                         : facts.end;
  if (facts.departed && *facts.departed < outcome.end) {
    outcome.flight_time_s = static_cast<double>((outcome.end - *facts.departed).us) / 1e6;
  }
  for (const FlightFacts::Pack& pack : facts.packs) {
    outcome.battery_used = std::max(outcome.battery_used, pack.used());
  }
  outcome.digest = flight.digest;
  outcome.spec_digest = flight.spec.digest;
  outcome.warnings = flight.warnings;
  return outcome;
}

SeedOutcome fly_seed(const RunOptions& options, std::uint64_t seed, const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  SeedOutcome outcome;
  try {
    FlightOptions how;
    how.validate = options.validate;
    how.interrupted = [&stop] { return stop.load(std::memory_order_relaxed); };
    outcome = outcome_of(fly_spec(load(options, seed), std::move(how)));
  } catch (const Error& error) {
    outcome.verdict = SeedVerdict::kError;
    outcome.code = error.code();
    outcome.sentence = error.what();
  } catch (const std::bad_alloc&) {
    outcome.verdict = SeedVerdict::kError;
    outcome.code = ExitCode::kEnvironment;
    outcome.sentence = "out of memory; --jobs 1 needs less";
  } catch (const std::exception& error) {
    outcome.verdict = SeedVerdict::kError;
    outcome.code = ExitCode::kRunStopped;
    outcome.sentence = std::string("this is a bug, please report it: ") + error.what();
  }
  outcome.seed = seed;
  outcome.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

/// How far the flights are, for those who wait.
class Progress {
 public:
  explicit Progress(std::size_t count) : count_(count) {}

  void add(const SeedOutcome& outcome) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (is_trouble(outcome)) ++failed_;
    if (done_ == count_) all_done_.notify_all();
  }

  /// Until all are flown. A log of many lines is of no use: a terminal has one, wiped at the end.
  void show(const std::atomic<bool>& stop) {
    using namespace std::chrono_literals;
    const bool on_terminal = isatty(STDERR_FILENO) == 1;
    auto next = std::chrono::steady_clock::now() + (on_terminal ? 0s : 10s);
    std::unique_lock lock(mutex_);
    while (!all_done_.wait_for(lock, 100ms, [this] { return done_ == count_; }) && !stop.load()) {
      if (std::chrono::steady_clock::now() < next) continue;
      // What cannot be shown is lost: fmt::print would throw.
      std::fprintf(stderr, "%s%zu of %zu flown, %zu failed%s",
                   on_terminal ? "\r\x1b[2K" : "tactus: ", done_, count_, failed_,
                   on_terminal ? "" : "\n");
      if (!on_terminal) next += 10s;
    }
    if (on_terminal) std::fputs("\r\x1b[2K", stderr);
  }

 private:
  std::size_t count_;
  std::mutex mutex_;
  std::condition_variable all_done_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
};

}  // namespace

std::vector<SeedOutcome> fly_seeds(const RunOptions& options, SeedRange range,
                                   const std::atomic<bool>& stop) {
  std::vector<SeedOutcome> outcomes(range.count());
  std::atomic<std::size_t> next{0};
  Progress progress(outcomes.size());
  const auto work = [&] {
    while (!stop.load()) {
      const std::size_t i = next.fetch_add(1);
      if (i >= outcomes.size()) return;
      outcomes[i] = fly_seed(options, range.first + i, stop);
      progress.add(outcomes[i]);
    }
  };
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t jobs = std::min(
      outcomes.size(), options.jobs > 0 ? static_cast<std::size_t>(options.jobs) : processors);
  {
    std::vector<std::jthread> workers;
    workers.reserve(jobs);
    for (std::size_t i = 0; i < jobs; ++i) {
      try {
        workers.emplace_back(work);
      } catch (const std::system_error&) {  // those that could be started do it all
        if (workers.empty()) throw;
        break;
      }
    }
    if (!options.quiet) progress.show(stop);
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i].seed = range.first + i;
  return outcomes;
}

std::vector<std::string> seeds_warnings(const std::vector<SeedOutcome>& outcomes) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  std::size_t flown = 0;
  for (const SeedOutcome& outcome : outcomes) {
    if (outcome.verdict == SeedVerdict::kNotFlown || outcome.verdict == SeedVerdict::kError)
      continue;
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

}  // namespace tactus::cli
