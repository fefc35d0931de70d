// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/fly_campaign.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "tactus/sweep/report/campaign_statistics.h"
#include "tactus/sweep/report/stopping_rule.h"
#include "tactus/sweep/report/worst.h"
#include "tests/sweep/campaign_samples.h"

namespace tactus::sweep {
namespace {

using samples::campaign_of_text;
using samples::kDrop;
using samples::kMass;
using samples::kWind;

const std::string kText = std::string(kDrop) + kMass + kWind;

class FlyCampaign : public ::testing::Test {
 public:
  ~FlyCampaign() override { std::filesystem::remove_all(folder_); }

 protected:
  FlyCampaign() : folder_(std::filesystem::path(::testing::TempDir()) / name()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  CampaignEnd fly(const std::string& file, const Campaign& campaign, const std::string& text,
                  Shard shard = {}, const CampaignOptions& options = {}, std::size_t jobs = 2) {
    ResultsFile results(path(file), results_head(campaign, text, "drop.toml", shard, {}), true);
    SampleOptions sample;
    sample.interrupted = options.interrupted;
    CampaignEnd end = fly_campaign(campaign, results, by_threads(campaign, jobs, sample), options);
    if (end.stopped_at != 0) results.set_stopped_by("rule");
    results.commit();
    return end;
  }

  [[nodiscard]] Digest128 digest_of(const std::string& file) const {
    return ResultsFile(path(file)).content_digest();
  }

 private:
  static std::string name() {
    return std::string("fly_campaign_") +
           ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  std::filesystem::path folder_;
};

TEST_F(FlyCampaign, OneAnswerForThreadsShardsAndInterruptions) {
  const Campaign campaign = campaign_of_text(kText, 24);
  EXPECT_EQ(fly("one.db", campaign, kText, {}, {}, 1).progress.done, 24U);
  const Digest128 digest = digest_of("one.db");
  fly("many.db", campaign, kText, {}, {}, 8);
  EXPECT_EQ(digest_of("many.db"), digest);
  std::vector<std::string> shards;
  for (const std::uint64_t k : {2U, 0U, 1U}) {
    shards.push_back("shard" + std::to_string(k));
    fly(shards.back(), campaign, kText, {k, 3});
    shards.back() = path(shards.back());
  }
  merge_results(shards, path("merged.db"));
  EXPECT_EQ(digest_of("merged.db"), digest);
  std::atomic<int> asked{0};
  const auto interrupted = [&asked] { return ++asked % 2000 == 0; };
  for (int i = 0; i < 100; ++i) {
    if (!fly("cut.db", campaign, kText, {}, {.interrupted = interrupted}).interrupted) break;
  }
  fly("cut.db", campaign, kText);
  EXPECT_EQ(digest_of("cut.db"), digest);
}

TEST_F(FlyCampaign, TableHoldsWhatASampleAloneComesTo) {
  const Campaign campaign = campaign_of_text(kText, 6);
  fly("a.db", campaign, kText);
  ResultsFile results(path("a.db"));
  const Campaign written = campaign_of(disk_files(), results);
  EXPECT_EQ(written.digest(), campaign.digest());
  const std::optional<SampleResult> known = results.sample(4);
  const std::optional<SampleResult> alone = fly_sample(written, 4);
  ASSERT_TRUE(known && alone);
  EXPECT_EQ(known->digest, alone->digest);
  EXPECT_EQ(known->applied, alone->applied);
  EXPECT_EQ(known->margins, alone->margins);
  EXPECT_EQ(known->measures, alone->measures);
  EXPECT_FALSE(results.sample(6));
}

TEST_F(FlyCampaign, OfARuleDoesNotDependOnWorkers) {
  const Campaign campaign = campaign_of_text(kText, 400);
  const CampaignEnd one = fly("one.db", campaign, kText, {},
                              {.enough = stopping_rule("fail_rate width < 0.2", campaign)}, 1);
  const CampaignEnd many = fly("many.db", campaign, kText, {},
                               {.enough = stopping_rule("fail_rate width < 0.2", campaign)}, 7);
  EXPECT_GT(one.stopped_at, 0U);
  EXPECT_LT(one.stopped_at, 400U);
  EXPECT_EQ(one.stopped_at, many.stopped_at);
  EXPECT_EQ(digest_of("one.db"), digest_of("many.db"));
  EXPECT_EQ(ResultsFile(path("many.db")).count(), many.stopped_at);
  EXPECT_THROW(stopping_rule("crash_rate width < 0.2", campaign), Error);
  const std::string sobol = kText + "[design]\nkind = \"sobol\"\n";
  EXPECT_THROW(stopping_rule("fail_rate width < 0.2", campaign_of_text(sobol)), Error);
}

TEST_F(FlyCampaign, StatisticsFitTheDesign) {
  const std::string text = kText + R"(
[[vary]]
key = "ball.reference_area_m2"
distribution = "list"
values = [0.06, -1.0]
)";
  const Campaign campaign = campaign_of_text(text, 40);
  fly("a.db", campaign, text);
  ResultsFile results(path("a.db"));
  const CampaignStatistics statistics = campaign_statistics(results, campaign);
  const std::uint64_t refused = statistics.outcomes[static_cast<int>(Outcome::kRefused)];
  EXPECT_GT(refused, 5U);
  EXPECT_LT(refused, 35U);
  EXPECT_EQ(statistics.failures.counts.unknown, refused);
  ASSERT_TRUE(statistics.failures.interval);
  // What was refused may have passed or failed.
  EXPECT_GE(statistics.failures.interval->width(), static_cast<double>(refused) / 40.0);
  ASSERT_EQ(statistics.columns.size(), 4U);
  EXPECT_EQ(statistics.columns[3].count, 40 - refused);
  EXPECT_LT(statistics.columns[3].correlations[0]->probability, 1.0);
  ASSERT_FALSE(statistics.kinds.empty());

  const std::string grid = kText + "[design]\nkind = \"corners\"\n";
  const Campaign corners = campaign_of_text(grid, 0);
  fly("grid.db", corners, grid);
  ResultsFile of_grid(path("grid.db"));
  const CampaignStatistics chosen = campaign_statistics(of_grid, corners);
  EXPECT_FALSE(chosen.failures.interval);
  EXPECT_EQ(chosen.failures.method, "no interval: these samples were chosen and not drawn");
}

TEST_F(FlyCampaign, SobolIndicesComeWithASaltelliDesign) {
  const std::string text = kText + "[design]\nsaltelli = true\n";
  const Campaign campaign = campaign_of_text(text, 40);
  fly("a.db", campaign, text);
  ResultsFile results(path("a.db"));
  const CampaignStatistics statistics = campaign_statistics(results, campaign);
  EXPECT_TRUE(statistics.columns.back().sobol);
  // Samples AB are no draws.
  EXPECT_EQ(statistics.failures.counts.total(), 20U);
}

TEST_F(FlyCampaign, WorstAreTheFirst) {
  const Campaign campaign = campaign_of_text(kText, 20);
  fly("a.db", campaign, kText);
  ResultsFile results(path("a.db"));
  const std::vector<SampleResult> fastest = worst_samples(results, {.column = "fastest"}, 20);
  ASSERT_EQ(fastest.size(), 20U);
  for (std::size_t i = 1; i < fastest.size(); ++i) {
    EXPECT_GE(fastest[i - 1].measures[0], fastest[i].measures[0]);
  }
  EXPECT_EQ(worst_samples(results, {.column = "measure.fastest", .lowest = true}, 1)[0].index,
            fastest.back().index);
  const std::vector<SampleResult> worst = worst_samples(results, {}, 3);
  ASSERT_EQ(worst.size(), 3U);
  EXPECT_LE(least_margin(worst[0]), least_margin(worst[1]));
}

TEST_F(FlyCampaign, SaysWhichKeysChangedNothing) {
  const std::string text = kText + R"(
[[vary]]
key = "wind.ou_time_constant_s[0]"
distribution = "uniform"
low = 1.0
high = 2.0
[[vary]]
key = "wind.rule"
distribution = "list"
values = ["linear"]
)";
  EXPECT_EQ(idle_varied(campaign_of_text(text), {}),
            (std::vector<std::string>{
                "wind.ou_time_constant_s[0] changed no flight: another value gave the same one",
                "wind.rule had the same value in all samples"}));
}

TEST_F(FlyCampaign, LostSamplesAreFlownAgain) {
  const Campaign campaign = campaign_of_text(kText, 4);
  fly("a.db", campaign, kText);
  const Digest128 digest = digest_of("a.db");
  Database(path("a.db"), Database::Access::kWrite)
      .run("UPDATE sample SET outcome = 'lost' WHERE sample = 2");
  EXPECT_NE(digest_of("a.db"), digest);
  {
    ResultsFile results(path("a.db"), results_head(campaign, kText, "drop.toml", {}, {}), true);
    EXPECT_EQ(results.forget_lost(), 1U);
    fly_campaign(campaign, results, by_threads(campaign, 1, {}));
  }
  EXPECT_EQ(digest_of("a.db"), digest);
}

TEST_F(FlyCampaign, MergeRefusesWhatDoesNotFit) {
  const Campaign campaign = campaign_of_text(kText, 4);
  fly("a.db", campaign, kText, {0, 2});
  const std::string other = kText + "[campaign]\nseed = 2\n";
  fly("b.db", campaign_of_text(other, 4), other, {1, 2});
  EXPECT_THROW(merge_results({path("a.db"), path("b.db")}, path("c.db")), Error);
  EXPECT_THROW(merge_results({path("a.db"), path("a.db")}, path("c.db")), Error);
  EXPECT_FALSE(std::filesystem::exists(path("c.db")));
}

TEST(DoneSamples, AreRangesWithinTheirShard) {
  DoneSamples done({1, 3});
  for (const std::uint64_t index : {1U, 4U, 10U, 13U}) done.add(index);
  EXPECT_EQ(done.count(), 4U);
  EXPECT_TRUE(done.has(1));
  EXPECT_TRUE(done.has(4));
  EXPECT_FALSE(done.has(7));
  EXPECT_TRUE(done.has(13));
  EXPECT_FALSE(done.has(16));
  SampleSource source(20, {1, 3}, done);
  EXPECT_EQ(source.take(), 7U);
  EXPECT_EQ(source.take(), 16U);
  EXPECT_EQ(source.take(), 19U);
  EXPECT_FALSE(source.take());
}

}  // namespace
}  // namespace tactus::sweep
