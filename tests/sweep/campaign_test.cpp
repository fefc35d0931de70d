// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/campaign/campaign.h"

#include <gtest/gtest.h>

#include "tactus/spec/model/vehicle_spec.h"
#include "tactus/sweep/campaign/csv_table.h"
#include "tests/sweep/campaign_samples.h"

namespace tactus::sweep {
namespace {

using samples::campaign_of_text;
using samples::kDrop;
using samples::kMass;
using samples::kWind;
using samples::mistake_in;
using samples::value_of;

const std::string kBoth = std::string(kDrop) + kMass + kWind;

TEST(Campaign, SampleIsAFunctionOfItsIndex) {
  const Campaign campaign = campaign_of_text(kBoth, 8);
  const Campaign longer = campaign_of_text(kBoth, 100);
  for (std::uint64_t i = 8; i-- > 0;) {
    EXPECT_EQ(value_of(campaign, i, 0), value_of(longer, i, 0));
    EXPECT_EQ(campaign.input(i).seed, longer.input(i).seed);
    EXPECT_EQ(campaign.spec(campaign.input(i)).spec.digest,
              longer.spec(longer.input(i)).spec.digest);
  }
}

TEST(Campaign, AnotherVaryDoesNotMoveTheOthers) {
  const Campaign one = campaign_of_text(std::string(kDrop) + kMass);
  const Campaign both = campaign_of_text(std::string(kDrop) + kWind + kMass);
  for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(value_of(one, i, 0), value_of(both, i, 1));
}

TEST(Campaign, ValuesReachTheSpecAsFromAFile) {
  const Campaign campaign = campaign_of_text(kBoth);
  const SampleInput input = campaign.input(3);
  const LoadedSpec varied = campaign.spec(input);
  const std::vector<Override> same = {
      {"time.end_s", "1.0"},
      {"seed", std::to_string(input.seed)},
      {"ball.mass_kg", to_toml(value_of(campaign, 3, 0))},
      {"wind.mean_ned_m_s", "[0.0, " + to_toml(value_of(campaign, 3, 1)) + ", 0.0]"}};
  EXPECT_EQ(varied.spec.digest, load_spec(find_spec("ball_drop"), same).spec.digest);
  const LoadedSpec with_texts = campaign.spec(input, true);
  EXPECT_EQ(with_texts.spec.digest, varied.spec.digest);
  EXPECT_EQ(load_spec_text(with_texts.resolved, "again.toml").spec.digest, varied.spec.digest);
}

TEST(Campaign, RelativeValuesAreTimesThoseOfTheSpec) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + R"(
[[vary]]
key = "ball.mass_kg"
relative = true
distribution = "list"
values = [0.5, 1.5]
)");
  for (std::uint64_t i = 0; i < 8; ++i) {
    const double mass_kg = value_of(campaign, i, 0);  // 2 kg in the spec
    EXPECT_TRUE(mass_kg == 1.0 || mass_kg == 3.0) << mass_kg;
  }
}

TEST(Campaign, SeedVariesOrStays) {
  const Campaign varies = campaign_of_text(kBoth);
  EXPECT_NE(varies.input(0).seed, varies.input(1).seed);
  const Campaign stays = campaign_of_text(kBoth + "[campaign]\nflight_seed = \"stays\"\n");
  EXPECT_EQ(stays.input(0).seed, stays.base().spec.seed);
  EXPECT_EQ(stays.spec(stays.input(5)).spec.seed, stays.base().spec.seed);
  EXPECT_EQ(value_of(stays, 5, 0), value_of(varies, 5, 0));
}

TEST(Campaign, WordsTimesAndRowsOfATable) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + R"(
[[vary]]
key = "wind.turbulence"
distribution = "choice"
values = ["none", "dryden"]
[[vary]]
key = "wind.rule"
distribution = "list"
values = ["hold"]
[[vary]]
key = "expect.rests.tolerance"
distribution = "uniform"
low = 0.1
high = 0.2
[[vary]]
key = "log.period_s"
distribution = "uniform"
low = 0.01
high = 0.02
)");
  const SampleInput input = campaign.input(1);
  const LoadedSpec varied = campaign.spec(input);
  EXPECT_EQ(varied.spec.world.wind.rule, WindRule::kHold);
  EXPECT_EQ(varied.spec.expectations[1].tolerance, value_of(campaign, 1, 2));
  EXPECT_EQ(to_seconds(varied.spec.log.period), value_of(campaign, 1, 3));
  const std::string word = input.values[0].text;
  EXPECT_TRUE(word == "none" || word == "dryden");

  const auto rows =
      csv_rows("# masses\nname,mass\n\"a, b\",1.5\nc , 2\n", "m.csv", {"mass", "name"});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0][0].real, 1.5);
  EXPECT_EQ(rows[0][1].text, "a, b");
  EXPECT_EQ(rows[1][0].integer, 2);
}

TEST(Campaign, CorrelatedKeysVaryTogether) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + R"(
[[vary]]
keys = ["wind.mean_ned_m_s[0]", "wind.mean_ned_m_s[1]"]
mean = [1.0, 2.0]
covariance = [[1.0, 0.999999], [0.999999, 1.0]]
)");
  for (std::uint64_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(value_of(campaign, i, 0) + 1.0, value_of(campaign, i, 1), 0.01);
  }
}

TEST(Campaign, DesignsDecideHowMany) {
  EXPECT_EQ(campaign_of_text(kBoth + "[design]\nkind = \"corners\"\n", 0).size(), 4U);
  EXPECT_EQ(campaign_of_text(kBoth + "[design]\nkind = \"one_at_a_time\"\n", 0).size(), 5U);
  EXPECT_EQ(campaign_of_text(kBoth + "[design]\nsaltelli = true\n", 8).size(), 8U);
  EXPECT_TRUE(campaign_of_text(kBoth).can_grow());
  EXPECT_FALSE(campaign_of_text(kBoth + "[design]\nkind = \"latin_hypercube\"\n").can_grow());
}

TEST(Campaign, OneAtATimeBeginsWithTheSpecItself) {
  const Campaign campaign = campaign_of_text(
      kBoth + "[campaign]\nflight_seed = \"stays\"\n" + "[design]\nkind = \"one_at_a_time\"\n", 0);
  EXPECT_EQ(campaign.spec(campaign.input(0)).spec.digest, campaign.base().spec.digest);
}

TEST(Campaign, DigestIsOfWhatSamplesAre) {
  const Digest128 digest = campaign_of_text(kBoth).digest();
  EXPECT_EQ(campaign_of_text(kBoth, 100).digest(), digest);
  EXPECT_EQ(campaign_of_text("# a comment\n" + kBoth).digest(), digest);
  EXPECT_NE(campaign_of_text(kBoth + "[campaign]\nseed = 2\n").digest(), digest);
  EXPECT_NE(campaign_of_text(std::string(kDrop) + kMass).digest(), digest);
  const std::string lhs = kBoth + "[design]\nkind = \"latin_hypercube\"\n";
  EXPECT_NE(campaign_of_text(lhs, 8).digest(), campaign_of_text(lhs, 9).digest());
}

TEST(Campaign, SaysThatNothingVaries) {
  const Campaign nothing =
      campaign_of_text(std::string(kDrop) + "[campaign]\nflight_seed = \"stays\"\n");
  EXPECT_NE(nothing.why_nothing_varies(), "");
  EXPECT_EQ(campaign_of_text(kDrop).why_nothing_varies(), "");
}

TEST(Campaign, MistakesHaveAPlace) {
  const std::string begin = kDrop;
  EXPECT_EQ(mistake_in(kBoth), "");
  EXPECT_EQ(mistake_in(begin + "[[vary]]\nkey = \"ball.mas_kg\"\ndistribution = \"list\"\n"
                               "values = [1]\n"),
            "drop.toml:10:1: ball.mas_kg: the spec has no such key; did you mean ball.mass_kg?");
  EXPECT_EQ(mistake_in(begin + "[[vary]]\nkey = \"ball.mass_kg\"\ndistribution = \"uniform\"\n"
                               "low = 3.0\nhigh = 1.0\n"),
            "drop.toml:9:1: vary.high = 1: must be greater than low = 3");
  EXPECT_EQ(mistake_in(begin + "[[vary]]\nkey = \"wind.mean_ned_m_s[3]\"\n"
                               "distribution = \"list\"\nvalues = [1]\n"),
            "drop.toml:10:1: wind.mean_ned_m_s[3]: there is no such element in [0.0, 4.0, 0.0]");
  EXPECT_NE(mistake_in(begin + "[[vary]]\nkey = \"wind.turbulence\"\ndistribution = \"uniform\"\n"
                               "low = 0\nhigh = 1\n")
                .find("is no number; give a choice or list"),
            std::string::npos);
  EXPECT_NE(mistake_in(begin + kMass + kMass).find("there are two \"ball.mass_kg\""),
            std::string::npos);
  EXPECT_NE(mistake_in(begin + "[design]\nkind = \"sobel\"\n").find("must be one of"),
            std::string::npos);
  EXPECT_NE(mistake_in(begin + "[[vary]]\nkeys = [\"ball.mass_kg\", \"wind.mean_ned_m_s[0]\"]\n"
                               "mean = [1, 1]\ncovariance = [[1, 2], [2, 1]]\n")
                .find("positive definite"),
            std::string::npos);
  EXPECT_NE(mistake_in(kBoth + "[design]\nsaltelli = true\n", 9)
                .find("must be a multiple of 4 (keys + 2, times the replicates); take 8 or 12"),
            std::string::npos);
  EXPECT_NE(mistake_in(kBoth, 0).find("design.samples: is missing"), std::string::npos);
  EXPECT_NE(mistake_in(begin + "[balloon]\n").find("unknown"), std::string::npos);
}

}  // namespace
}  // namespace tactus::sweep
