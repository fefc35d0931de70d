// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/seeds/seed_statistics.h"

#include <algorithm>
#include <utility>

#include "tactus/core/assert.h"

namespace tactus {

SeedCounts::SeedCounts(const std::vector<SeedOutcome>& outcomes) {
  for (const SeedOutcome& outcome : outcomes) ++of[static_cast<std::size_t>(outcome.verdict)];
}

double SeedSpread::percentile(std::size_t percent) const {
  TACTUS_ASSERT(!sorted.empty() && percent <= 100, "a percentile of flights that there are");
  const std::size_t rank = (percent * sorted.size() + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

std::vector<SeedSpread> seed_spreads(const std::vector<SeedOutcome>& outcomes) {
  SeedSpread landing{"landing_error_m", "landing error, m", 1.0, {}};
  SeedSpread time{"flight_time_s", "flight time, s", 1.0, {}};
  SeedSpread battery{"battery_used", "battery used, %", 100.0, {}};
  for (const SeedOutcome& outcome : outcomes) {
    if (!outcome.got_to_an_end()) continue;
    if (outcome.landed) landing.sorted.push_back(outcome.home_distance_m);
    time.sorted.push_back(outcome.flight_time_s);
    battery.sorted.push_back(outcome.battery_used);
  }
  std::vector<SeedSpread> all{std::move(landing), std::move(time), std::move(battery)};
  for (SeedSpread& spread : all) std::sort(spread.sorted.begin(), spread.sorted.end());
  return all;
}

Digest128 digest_of(const std::vector<SeedOutcome>& outcomes) {
  Digest digest;
  for (const SeedOutcome& outcome : outcomes) {
    digest.add(outcome.digest.high);
    digest.add(outcome.digest.low);
  }
  return digest.result();
}

}  // namespace tactus
