// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <nlohmann/json.hpp>

#include "tactus/core/assert.h"
#include "tactus/core/version.h"
#include "tactus/flight/report/flight_document.h"
#include "tactus/sweep/seeds/seed_groups.h"
#include "tactus/sweep/seeds/seed_statistics.h"
#include "tactus/sweep/seeds/seeds_report.h"

namespace tactus {
namespace {

Json margins_json(const std::vector<SeedOutcome>& outcomes) {
  Json list = Json::array();
  for (const LeastMargin& least : least_margins(outcomes)) {
    Json entry = expectation_document(*least.result, false);
    entry["seed"] = least.seed;
    list.push_back(std::move(entry));
  }
  return list;
}

Json groups_json(const SeedsOrigin& origin, const std::vector<SeedOutcome>& outcomes) {
  Json list = Json::array();
  for (const FailureGroup& group : failure_groups(outcomes)) {
    list.push_back({{"verdict", to_text(group.verdict)},
                    {"expectations", group.expectations},
                    {"count", group.seeds.size()},
                    {"seeds", group.seeds},
                    {"worst_seed", group.worst->seed},
                    {"worst", trouble_text(*group.worst)},
                    {"command", origin.command(group.worst->seed)}});
  }
  return list;
}

Json outcome_document(const SeedsOrigin& origin, const SeedOutcome& outcome) {
  Json flight{{"seed", outcome.seed},
              {"verdict", to_text(outcome.verdict)},
              {"sentence", outcome.sentence}};
  if (outcome.got_to_an_end()) {
    Json expectations = Json::array();
    for (const ExpectationResult& result : outcome.results) {
      expectations.push_back(expectation_document(result, false));
    }
    flight["landed"] = outcome.landed;
    flight["home_distance_m"] = outcome.home_distance_m;
    flight["flight_time_s"] = outcome.flight_time_s;
    flight["battery_used"] = outcome.battery_used;
    flight["flight_digest"] = to_hex(outcome.digest);
    flight["expectations"] = std::move(expectations);
  }
  if (outcome.is_trouble()) flight["command"] = origin.command(outcome.seed);
  return flight;
}

}  // namespace

std::string seeds_json(const SeedsResult& result, const SeedsOrigin& origin) {
  TACTUS_ASSERT(origin.command && !result.outcomes.empty(), "flights, and how to fly them again");
  const std::vector<SeedOutcome>& outcomes = result.outcomes;
  const SeedCounts counts(outcomes);
  Json percentiles = Json::object();
  for (const SeedSpread& spread : seed_spreads(outcomes)) {
    Json values = Json::object();
    for (const std::size_t percent : kPercents) {
      if (!spread.sorted.empty()) values[std::to_string(percent)] = spread.percentile(percent);
    }
    percentiles[spread.name] = {{"flights", spread.sorted.size()}, {"percentiles", values}};
  }
  Json flights = Json::array();
  for (const SeedOutcome& outcome : outcomes) {
    if (outcome.verdict != SeedVerdict::kNotFlown) {
      flights.push_back(outcome_document(origin, outcome));
    }
  }
  const Json document{{"schema", kSeedsSchema},
                      {"tactus_version", kVersion},
                      {"name", result.name},
                      {"spec", origin.spec},
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
                      {"failures", groups_json(origin, outcomes)},
                      {"flights", flights}};
  return json_text(document);
}

}  // namespace tactus
