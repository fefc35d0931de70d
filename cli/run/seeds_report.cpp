// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/print.h"
#include "cli/run/junit.h"
#include "cli/run/report.h"
#include "cli/run/seed_groups.h"
#include "cli/run/seeds.h"
#include "cli/run/suite.h"
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
  if (std::none_of(outcomes.begin(), outcomes.end(), got_to_an_end)) return {};
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

/// "  least margin of land: 13.2, seed 4: landed and disarmed at 61.8 s"
std::string margins_text(const std::vector<SeedOutcome>& outcomes) {
  std::string text;
  for (const LeastMargin& least : least_margins(outcomes)) {
    text += fmt::format("  least margin of {}: {:.4g}, seed {}: {}\n", least.result->id,
                        least.result->margin, least.seed, least.result->message);
  }
  return text;
}

Json margins_json(const std::vector<SeedOutcome>& outcomes) {
  Json list = Json::array();
  for (const LeastMargin& least : least_margins(outcomes)) {
    Json entry = expectation_json(*least.result, false);
    entry["seed"] = least.seed;
    list.push_back(std::move(entry));
  }
  return list;
}

/// "38 seeds fail land, mission", "seed 7 crashes"
std::string group_title(const FailureGroup& group) {
  const bool one = group.seeds.size() == 1;
  const std::string who = one ? fmt::format("seed {}", group.seeds.front())
                              : fmt::format("{} seeds", group.seeds.size());
  switch (group.verdict) {
    case SeedVerdict::kCrashed: return who + (one ? " crashes" : " crash");
    case SeedVerdict::kError: return who + (one ? " stops" : " stop") + " with an error";
    case SeedVerdict::kNotFlown:
    case SeedVerdict::kPassed:
    case SeedVerdict::kFailed: break;
  }
  return fmt::format("{} {} {}", who, one ? "fails" : "fail", fmt::join(group.expectations, ", "));
}

std::string group_text(const RunOptions& options, const FailureGroup& group) {
  constexpr std::size_t kMostRanges = 8;
  std::string text = "  " + group_title(group);
  if (group.seeds.size() > 1) text += ": " + ranges_text(group.seeds, kMostRanges);
  const char* const which = group.verdict == SeedVerdict::kError ? "first" : "worst";
  const std::string told =
      group.seeds.size() == 1 ? "" : fmt::format("{}, seed {}: ", which, group.worst->seed);
  return text + fmt::format("\n    {}{}\n    fly it again: {}\n", told, trouble_text(*group.worst),
                            command_for_seed(options, group.worst->seed));
}

/// A screenful, however many seeds there are.
std::string groups_text(const RunOptions& options, const std::vector<SeedOutcome>& outcomes) {
  constexpr std::size_t kMostGroups = 5;
  const std::vector<FailureGroup> groups = failure_groups(outcomes);
  std::string text;
  std::size_t untold = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i < kMostGroups) {
      text += group_text(options, groups[i]);
    } else {
      untold += groups[i].seeds.size();
    }
  }
  if (untold == 0) return text;
  return text + fmt::format("  and {} seeds in {} other ways; --json has them all\n", untold,
                            groups.size() - kMostGroups);
}

Json groups_json(const RunOptions& options, const std::vector<SeedOutcome>& outcomes) {
  Json list = Json::array();
  for (const FailureGroup& group : failure_groups(outcomes)) {
    list.push_back({{"verdict", text_of(group.verdict)},
                    {"expectations", group.expectations},
                    {"count", group.seeds.size()},
                    {"seeds", group.seeds},
                    {"worst_seed", group.worst->seed},
                    {"worst", trouble_text(*group.worst)},
                    {"command", command_for_seed(options, group.worst->seed)}});
  }
  return list;
}

Json flight_json(const RunOptions& options, const SeedOutcome& outcome) {
  Json flight{{"seed", outcome.seed},
              {"verdict", text_of(outcome.verdict)},
              {"sentence", outcome.sentence}};
  if (got_to_an_end(outcome)) {
    Json expectations = Json::array();
    for (const ExpectationResult& result : outcome.results) {
      expectations.push_back(expectation_json(result, false));
    }
    flight["landed"] = outcome.landed;
    flight["home_distance_m"] = outcome.home_distance_m;
    flight["flight_time_s"] = outcome.flight_time_s;
    flight["battery_used"] = outcome.battery_used;
    flight["flight_digest"] = to_hex(outcome.digest);
    flight["expectations"] = std::move(expectations);
  }
  if (is_trouble(outcome)) flight["command"] = command_for_seed(options, outcome.seed);
  return flight;
}

TestSuite suite_of(const RunOptions& options, const std::string& name, const SeedOutcome& outcome) {
  using Outcome = TestCase::Outcome;
  TestSuite suite;
  suite.name = fmt::format("tactus run {} --seed {}", options.spec, outcome.seed);
  suite.class_name = fmt::format("{}.seed {}", class_name_of(name), outcome.seed);
  suite.properties = {{"seed", fmt::format("{}", outcome.seed)},
                      {"command", command_for_seed(options, outcome.seed)}};
  TestCase whole{kFlightCase, Outcome::kPassed, "", "", outcome.wall_s};
  switch (outcome.verdict) {
    case SeedVerdict::kNotFlown:
      whole = {kFlightCase, Outcome::kError, "interrupted", "interrupted before it was flown", 0.0};
      break;
    case SeedVerdict::kError:
      whole = {kFlightCase, Outcome::kError, "error", outcome.sentence, outcome.wall_s};
      break;
    case SeedVerdict::kCrashed:
      whole = {kFlightCase, Outcome::kFailed, "crash", outcome.sentence, outcome.wall_s};
      break;
    case SeedVerdict::kPassed:
    case SeedVerdict::kFailed: break;
  }
  if (got_to_an_end(outcome)) {
    suite.properties.emplace_back("flight_digest", to_hex(outcome.digest));
    suite.properties.emplace_back("spec_digest", to_hex(outcome.spec_digest));
  }
  add_margins(outcome.results, suite);
  suite.cases = cases_of(outcome.results, false);
  suite.cases.insert(suite.cases.begin(), std::move(whole));
  if (options.strict && got_to_an_end(outcome)) {
    suite.cases.push_back(case_of_warnings(outcome.warnings));
  }
  return suite;
}

}  // namespace

std::string seeds_text(const RunOptions& options, const std::string& name,
                       const std::vector<SeedOutcome>& outcomes) {
  const Counts counts(outcomes);
  std::string text = fmt::format(
      "{}: seeds {}..{}: {} passed, {} failed, {} crashed, {} stopped with an error{}\n", name,
      outcomes.front().seed, outcomes.back().seed, counts[SeedVerdict::kPassed],
      counts[SeedVerdict::kFailed], counts[SeedVerdict::kCrashed], counts[SeedVerdict::kError],
      counts[SeedVerdict::kNotFlown] == 0
          ? std::string()
          : fmt::format("; interrupted, {} not flown", counts[SeedVerdict::kNotFlown]));
  text += spread_table(outcomes) + margins_text(outcomes);
  text += fmt::format("  {:<20}{}\n", "digest of all", to_hex(digest_of(outcomes)));
  return text + groups_text(options, outcomes);
}

std::string seeds_sentence(const std::vector<SeedOutcome>& outcomes) {
  constexpr std::size_t kMostNamed = 10;
  std::vector<std::uint64_t> seeds;
  for (const SeedOutcome& outcome : outcomes) {
    if (is_trouble(outcome)) seeds.push_back(outcome.seed);
  }
  const Counts counts(outcomes);
  const std::size_t not_flown = counts[SeedVerdict::kNotFlown];
  const std::string text =
      not_flown == 0
          ? fmt::format("{} of {} seeds did not pass", seeds.size(), outcomes.size())
          : fmt::format("interrupted: {} of {} seeds flown, {} passed{}",
                        outcomes.size() - not_flown, outcomes.size(), counts[SeedVerdict::kPassed],
                        seeds.empty() ? "" : fmt::format(", {} did not", seeds.size()));
  return seeds.empty() ? text : text + ": " + ranges_text(seeds, kMostNamed);
}

std::string seeds_json(const RunOptions& options, const std::string& name,
                       const std::vector<SeedOutcome>& outcomes) {
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
    if (outcome.verdict != SeedVerdict::kNotFlown) {
      flights.push_back(flight_json(options, outcome));
    }
  }
  const Json document{{"schema", kSeedsSchema},
                      {"tactus_version", kVersion},
                      {"name", name},
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
                      {"least_margins", margins_json(outcomes)},
                      {"failures", groups_json(options, outcomes)},
                      {"flights", flights}};
  return json_text(document) + "\n";
}

void write_seeds_junit(OutputFile& file, const RunOptions& options, const std::string& name,
                       const std::vector<SeedOutcome>& outcomes) {
  std::vector<TestSuite> suites;
  suites.reserve(outcomes.size());
  for (const SeedOutcome& outcome : outcomes) suites.push_back(suite_of(options, name, outcome));
  write_junit(file, fmt::format("tactus run {} --seeds {}", options.spec, options.seeds), suites);
}

}  // namespace tactus::cli
