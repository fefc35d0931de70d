// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/print.h"
#include "cli/run/junit.h"
#include "cli/run/seeds.h"
#include "tactus/core/version.h"

namespace tactus::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVerdicts[] = {"not_flown", "passed", "failed", "crashed", "error"};

const char* text_of(SeedVerdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

bool got_to_an_end(const SeedOutcome& outcome) {
  return outcome.verdict != SeedVerdict::kError && outcome.verdict != SeedVerdict::kNotFlown;
}

struct Counts {
  std::size_t of[std::size(kVerdicts)] = {};

  explicit Counts(const std::vector<SeedOutcome>& outcomes) {
    for (const SeedOutcome& outcome : outcomes) ++of[static_cast<std::size_t>(outcome.verdict)];
  }
  [[nodiscard]] std::size_t operator[](SeedVerdict verdict) const {
    return of[static_cast<std::size_t>(verdict)];
  }
};

/// One quantity over all flights that have it.
struct Spread {
  const char* name;
  const char* label;
  double scale;  ///< for people
  std::vector<double> sorted;

  /// Nearest rank: a value that was really flown.
  [[nodiscard]] double percentile(std::size_t percent) const {
    const std::size_t rank = (percent * sorted.size() + 99) / 100;
    return sorted[std::max<std::size_t>(rank, 1) - 1];
  }
};

constexpr std::size_t kPercents[] = {0, 5, 50, 95, 100};

std::vector<Spread> spreads(const std::vector<SeedOutcome>& outcomes) {
  Spread landing{"landing_error_m", "landing error, m", 1.0, {}};
  Spread time{"flight_time_s", "flight time, s", 1.0, {}};
  Spread battery{"battery_used", "battery used, %", 100.0, {}};
  for (const SeedOutcome& outcome : outcomes) {
    if (!got_to_an_end(outcome)) continue;
    if (outcome.landed) landing.sorted.push_back(outcome.home_distance_m);
    time.sorted.push_back(outcome.flight_time_s);
    battery.sorted.push_back(outcome.battery_used);
  }
  std::vector<Spread> all{std::move(landing), std::move(time), std::move(battery)};
  for (Spread& spread : all) std::sort(spread.sorted.begin(), spread.sorted.end());
  return all;
}

/// Digest of all flights, in the order of the seeds.
Digest128 digest_of(const std::vector<SeedOutcome>& outcomes) {
  Digest digest;
  for (const SeedOutcome& outcome : outcomes) {
    digest.add(outcome.digest.high);
    digest.add(outcome.digest.low);
  }
  return digest.result();
}

std::string spread_table(const std::vector<SeedOutcome>& outcomes) {
  std::string text = fmt::format("  {:<20}{:>8}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "", "flights",
                                 "min", "5 %", "median", "95 %", "max");
  for (const Spread& spread : spreads(outcomes)) {
    if (spread.sorted.empty()) continue;
    text += fmt::format("  {:<20}{:>8}", spread.label, spread.sorted.size());
    for (const std::size_t percent : kPercents) {
      text += fmt::format("{:>10.3f}", spread.scale * spread.percentile(percent));
    }
    text += '\n';
  }
  return text;
}

bool is_trouble(const SeedOutcome& outcome) {
  return outcome.verdict != SeedVerdict::kPassed && outcome.verdict != SeedVerdict::kNotFlown;
}

}  // namespace

std::string seeds_text(const RunOptions& options, const std::vector<SeedOutcome>& outcomes) {
  const Counts counts(outcomes);
  std::string text = fmt::format(
      "{}: seeds {}..{}: {} passed, {} failed, {} crashed, {} stopped with an error{}\n",
      options.spec, outcomes.front().seed, outcomes.back().seed, counts[SeedVerdict::kPassed],
      counts[SeedVerdict::kFailed], counts[SeedVerdict::kCrashed], counts[SeedVerdict::kError],
      counts[SeedVerdict::kNotFlown] == 0
          ? std::string()
          : fmt::format("; interrupted, {} not flown", counts[SeedVerdict::kNotFlown]));
  text += spread_table(outcomes);
  text += fmt::format("  {:<20}{}\n", "digest of all", to_hex(digest_of(outcomes)));
  for (const SeedOutcome& outcome : outcomes) {
    if (!is_trouble(outcome)) continue;
    text += fmt::format("  seed {}: {}\n    fly it again: {}\n", outcome.seed, outcome.sentence,
                        command_for_seed(options, outcome.seed));
  }
  return text;
}

std::string seeds_sentence(const std::vector<SeedOutcome>& outcomes) {
  constexpr std::size_t kMostNamed = 10;
  std::vector<std::uint64_t> seeds;
  for (const SeedOutcome& outcome : outcomes) {
    if (is_trouble(outcome)) seeds.push_back(outcome.seed);
  }
  const std::size_t count = seeds.size();
  if (count > kMostNamed) seeds.resize(kMostNamed);
  const std::size_t not_flown = Counts(outcomes)[SeedVerdict::kNotFlown];
  std::string text =
      not_flown == 0 ? "" : fmt::format("interrupted, {} seeds were not flown; ", not_flown);
  text += fmt::format("{} of {} seeds did not pass", count, outcomes.size());
  if (count > 0) text += fmt::format(": {}", fmt::join(seeds, ", "));
  return count > kMostNamed ? text + fmt::format(" and {} more", count - kMostNamed) : text;
}

std::string seeds_json(const RunOptions& options, const std::vector<SeedOutcome>& outcomes) {
  const Counts counts(outcomes);
  Json percentiles = Json::object();
  for (const Spread& spread : spreads(outcomes)) {
    Json values = Json::object();
    for (const std::size_t percent : kPercents) {
      if (!spread.sorted.empty()) values[std::to_string(percent)] = spread.percentile(percent);
    }
    percentiles[spread.name] = {{"flights", spread.sorted.size()}, {"percentiles", values}};
  }
  Json flights = Json::array();
  for (const SeedOutcome& outcome : outcomes) {
    Json flight{{"seed", outcome.seed}, {"verdict", text_of(outcome.verdict)}};
    if (outcome.verdict == SeedVerdict::kNotFlown) continue;
    flight["sentence"] = outcome.sentence;
    if (got_to_an_end(outcome)) {
      flight["landed"] = outcome.landed;
      flight["home_distance_m"] = outcome.home_distance_m;
      flight["flight_time_s"] = outcome.flight_time_s;
      flight["battery_used"] = outcome.battery_used;
      flight["flight_digest"] = to_hex(outcome.digest);
    }
    if (is_trouble(outcome)) flight["command"] = command_for_seed(options, outcome.seed);
    flights.push_back(flight);
  }
  const Json document{{"schema", kSeedsSchema},
                      {"tactus_version", kVersion},
                      {"spec", options.spec},
                      {"first_seed", outcomes.front().seed},
                      {"last_seed", outcomes.back().seed},
                      {"passed", counts[SeedVerdict::kPassed]},
                      {"failed", counts[SeedVerdict::kFailed]},
                      {"crashed", counts[SeedVerdict::kCrashed]},
                      {"errors", counts[SeedVerdict::kError]},
                      {"not_flown", counts[SeedVerdict::kNotFlown]},
                      {"digest", to_hex(digest_of(outcomes))},
                      {"spread", percentiles},
                      {"warnings", seeds_warnings(outcomes)},
                      {"flights", flights}};
  return json_text(document) + "\n";
}

void write_seeds_junit(OutputFile& file, const RunOptions& options,
                       const std::vector<SeedOutcome>& outcomes) {
  std::vector<TestCase> cases;
  for (const SeedOutcome& outcome : outcomes) {
    TestCase test{fmt::format("seed {}", outcome.seed), "", ""};
    const std::string again = "; fly it again: " + command_for_seed(options, outcome.seed);
    if (outcome.verdict == SeedVerdict::kNotFlown) {
      test.error = "interrupted before it was flown" + again;
    } else if (outcome.verdict == SeedVerdict::kError) {
      test.error = outcome.sentence + again;
    } else if (is_trouble(outcome)) {
      test.failure = outcome.sentence + again;
    }
    cases.push_back(test);
  }
  write_junit(file, "tactus run " + options.spec, cases);
}

}  // namespace tactus::cli
