// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/flying/sample_flight.h"

#include <gtest/gtest.h>

#include "tactus/flight/flight.h"
#include "tests/sweep/campaign_samples.h"

namespace tactus::sweep {
namespace {

using samples::campaign_of_text;
using samples::kDrop;
using samples::kMass;
using samples::kWind;

TEST(SampleFlight, IsTheFlightOfItsSpec) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + kMass + kWind);
  const std::optional<SampleResult> result = fly_sample(campaign, 5);
  ASSERT_TRUE(result);
  const Flight flight = fly(campaign.spec(campaign.input(5)));
  EXPECT_EQ(result->digest, flight.digest);
  EXPECT_EQ(result->spec_digest, flight.spec.digest);
  EXPECT_EQ(result->end, flight.facts.end);
  ASSERT_EQ(result->margins.size(), flight.outcome.results.size());
  EXPECT_EQ(result->margins[0], flight.outcome.results[0].margin);
  EXPECT_EQ(sample_result_from(to_bytes(*result)).measures, result->measures);
  Digest a;
  Digest b;
  add_to(a, *result);
  add_to(b, sample_result_from(to_bytes(*result)));
  EXPECT_EQ(a.result(), b.result());
}

TEST(SampleFlight, RefusedValueIsAnOutcomeWithAReason) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + R"(
[[vary]]
key = "ball.mass_kg"
distribution = "list"
values = [-1.0]
)");
  const std::optional<SampleResult> result = fly_sample(campaign, 0);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::kRefused);
  EXPECT_EQ(result->reason.substr(0, 18), "ball.mass_kg = -1:");
  EXPECT_EQ(result->margins.size(), campaign.base().spec.expectations.size());
  EXPECT_EQ(result->measures.size(), 1U);
}

TEST(SampleFlight, InterruptedHasNoResult) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + kMass);
  EXPECT_FALSE(fly_sample(campaign, 0, {.interrupted = [] { return true; }}));
}

/// Falls without air: z = g t^2 / 2 from 100 m, v = g t.
TEST(SampleFlight, MeasuresAgreeWithAClosedForm) {
  const Campaign campaign = campaign_of_text(R"(
extends = "free_fall"
[[measure]]
id = "mean"
signal = "truth.velocity_ned_m_s.z"
kind = "mean"
from_s = 1.0
to_s = 3.0
[[measure]]
id = "rms"
signal = "truth.velocity_ned_m_s.z"
kind = "rms"
to_s = 2.0
[[measure]]
id = "integral"
signal = "truth.velocity_ned_m_s.z"
kind = "integral"
[[measure]]
id = "crossing"
signal = "truth.velocity_ned_m_s.z"
kind = "time_of_crossing"
level = 9.80665
[[measure]]
id = "never"
signal = "truth.velocity_ned_m_s.z"
kind = "time_of_crossing"
level = 9.80665
direction = "falling"
[[measure]]
id = "median"
signal = "truth.velocity_ned_m_s.z"
kind = "percentile"
percent = 50
[[measure]]
id = "final"
signal = "truth.velocity_ned_m_s.z"
kind = "final"
[[measure]]
id = "least"
signal = "truth.position_ned_m.z"
kind = "min"
)",
                                             1);
  const std::optional<SampleResult> result = fly_sample(campaign, 0);
  ASSERT_TRUE(result);
  constexpr double kG = 9.80665;
  const auto measure = [&](std::size_t i) { return result->measures.at(i).value(); };
  EXPECT_NEAR(measure(0), 2.0 * kG, 1e-9);
  EXPECT_NEAR(measure(1), kG * math::sqrt(4.0 / 3.0), 1e-9);
  EXPECT_NEAR(measure(2), 8.0 * kG, 1e-9);
  EXPECT_NEAR(measure(3), 1.0, 1e-9);
  EXPECT_FALSE(result->measures.at(4));
  EXPECT_NEAR(measure(5), 2.0 * kG, 0.06);  // a tick, and half a bin
  EXPECT_NEAR(measure(6), 4.0 * kG, 1e-9);
  EXPECT_NEAR(measure(7), -100.0, 1e-9);
}

}  // namespace
}  // namespace tactus::sweep
