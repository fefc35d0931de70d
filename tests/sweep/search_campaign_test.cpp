// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/search_campaign.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "tactus/core/math.h"
#include "tactus/sweep/report/campaign_statistics.h"
#include "tests/sweep/campaign_samples.h"

namespace tactus::sweep {
namespace {

using samples::kDrop;
using samples::kMass;
using samples::kWind;

/// A crate that falls for a second in a wind from the west; it drifts too far in a strong one.
const std::string kText = std::string(kDrop) + kMass + kWind + R"(
[[expect]]
id = "drift"
kind = "signal_max"
signal = "truth.position_ned_m.y"
limit = 0.5
[[expect]]
id = "rests"
remove = true
[[expect]]
id = "on_a_face"
remove = true
)";

Campaign explored(const std::string& text, std::uint64_t flights) {
  return {disk_files(), {.text = text, .file = "drop.toml", .samples = flights, .explores = true}};
}

/// A crate that falls in a wind of any direction and drifts too far to the east in some.
const std::string kCrosswind = R"(
extends = "ball_drop"
[time]
end_s = 4.0
[wind]
turbulence = "none"
[[expect]]
id = "terminal"
remove = true
[[expect]]
id = "rests"
remove = true
[[expect]]
id = "on_a_face"
remove = true
[[expect]]
id = "east"
kind = "signal_max"
signal = "truth.position_ned_m.y"
limit = 3.0
[[vary]]
key = "wind.mean_ned_m_s[0]"
distribution = "normal"
mean = 0.0
standard_deviation = 2.0
[[vary]]
key = "wind.mean_ned_m_s[1]"
distribution = "normal"
mean = 0.0
standard_deviation = 2.0
)";

class SearchCampaign : public ::testing::Test {
 public:
  ~SearchCampaign() override { std::filesystem::remove_all(folder_); }

 protected:
  SearchCampaign() : folder_(std::filesystem::path(::testing::TempDir()) / name()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  SearchEnd search(const std::string& file, const std::string& text, std::uint64_t flights,
                   std::size_t jobs, const CampaignSearch& how = {},
                   const std::function<bool()>& interrupted = {}) {
    Campaign campaign = explored(text, flights);
    ResultsHead head = results_head(campaign, text, "drop.toml", {}, {});
    head.search = search_text(how);
    ResultsFile results(path(file), head, true);
    return search_campaign(campaign, results, how,
                           by_threads(campaign, jobs, {.interrupted = interrupted}));
  }

  [[nodiscard]] Digest128 digest_of(const std::string& file) const {
    return ResultsFile(path(file)).content_digest();
  }

 private:
  static std::string name() {
    return std::string("search_campaign_") +
           ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  std::filesystem::path folder_;
};

TEST_F(SearchCampaign, OneAnswerForThreadsInterruptionsAndGrowth) {
  const SearchEnd one = search("one.db", kText, 60, 1);
  EXPECT_EQ(one.flights, 60U);
  ASSERT_TRUE(one.smallest_failure);
  const Digest128 digest = digest_of("one.db");
  search("many.db", kText, 60, 5);
  EXPECT_EQ(digest_of("many.db"), digest);
  search("grown.db", kText, 17, 2);
  EXPECT_EQ(ResultsFile(path("grown.db")).count(), 17U);
  search("grown.db", kText, 60, 2);
  EXPECT_EQ(digest_of("grown.db"), digest);
  std::atomic<int> asked{0};
  const auto interrupted = [&asked] { return ++asked % 700 == 0; };
  int interruptions = 0;
  while (search("cut.db", kText, 60, 2, {}, interrupted).interrupted) ++interruptions;
  EXPECT_GT(interruptions, 0);
  EXPECT_EQ(digest_of("cut.db"), digest);
}

TEST_F(SearchCampaign, ProcessesFlyWhatThreadsDo) {
  search("threads.db", kText, 25, 2);
  Campaign campaign = explored(kText, 25);
  ResultsHead head = results_head(campaign, kText, "drop.toml", {}, {});
  head.search = search_text({});
  {
    ResultsFile results(path("processes.db"), head, false);
    EXPECT_EQ(search_campaign(campaign, results, {}, by_processes(campaign, 2, {})).flights, 25U);
  }
  EXPECT_EQ(digest_of("processes.db"), digest_of("threads.db"));
}

TEST_F(SearchCampaign, FindsTheKnownWorstDirection) {
  const SearchEnd end = search("a.db", kCrosswind, 150, 2);
  ASSERT_TRUE(end.smallest_failure);
  EXPECT_LT(end.smallest_failure->margin, 0.0);
  // The wind of the least speed that drives it so far east is a west wind: within six degrees.
  EXPECT_GT(end.smallest_failure->u[1], 0.0);
  EXPECT_LT(math::abs(end.smallest_failure->u[0]), 0.1 * end.smallest_failure->u[1]);
}

TEST_F(SearchCampaign, TheSmallestDisturbanceThatFailsIsOneOfTheSamples) {
  const SearchEnd end = search("a.db", kText, 120, 2);
  ResultsFile results(path("a.db"));
  const std::optional<SampleResult> sample = results.sample(end.smallest_failure->evaluation);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->outcome, Outcome::kFailed);
  EXPECT_LT(*sample->margins.back(), 0.0);
  EXPECT_EQ(end.smallest_failure->margin, *sample->margins.back());
  // The distance is that of its values from the middle of what was declared.
  const double mass = *sample->applied[0].number;
  const double wind = *sample->applied[1].number;
  EXPECT_LT(mass, 2.0);  // a light crate drifts farther
  EXPECT_GT(wind, 4.0);
  EXPECT_NEAR(end.smallest_failure->u[1], (wind - 4.0) / 2.0, 1e-12);
  // None of the others is nearer, and a wind that is weaker by a twentieth does not fail.
  EXPECT_GT(*sample->margins.back(), -0.02);
}

TEST_F(SearchCampaign, ASampleIsFlownAgainFromItsRow) {
  const std::string text = kText + R"(
[[vary]]
key = "wind.turbulence"
distribution = "choice"
values = ["none", "dryden"]
)";
  search("a.db", text, 40, 2);
  ResultsFile results(path("a.db"));
  const Campaign campaign = campaign_of(disk_files(), results);
  EXPECT_TRUE(campaign.explores());
  for (const std::uint64_t index : {0U, 7U, 39U}) {
    const SampleResult known = results.sample(index).value();
    const auto again =
        fly_sample(campaign, campaign.input_of(index, known.seed, known.applied), {});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->result.digest, known.digest);
    EXPECT_EQ(again->result.spec_digest, known.spec_digest);
    EXPECT_EQ(known.seed, campaign.base().spec.seed);
  }
  const CampaignStatistics statistics = campaign_statistics(results, campaign);
  EXPECT_FALSE(statistics.failures.interval);
}

TEST_F(SearchCampaign, EndsWhereTheMiddleFails) {
  const std::string text = kText +
                           "[[expect]]\nid = \"slow\"\nkind = \"signal_max\"\n"
                           "signal = \"truth.speed_m_s\"\nlimit = 1.0\n";
  const SearchEnd end = search("a.db", text, 60, 2);
  EXPECT_EQ(end.flights, 1U);
  EXPECT_EQ(end.smallest_failure->distance, 0.0);
  EXPECT_EQ(ResultsFile(path("a.db")).head().samples, 1U);
  EXPECT_EQ(search("a.db", text, 60, 2).flights, 1U);
  // Another expectation that fails does not count.
  EXPECT_EQ(search("drift.db", text, 30, 2, {.margin = "drift"}).flights, 30U);
}

TEST_F(SearchCampaign, RefusesWhatCannotBeSearched) {
  const auto mistake = [](const std::string& text, const CampaignSearch& how) -> std::string {
    try {
      require_searchable(explored(text, 10), how);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(mistake(kText, {}), "");
  EXPECT_EQ(mistake(kDrop, {}), "drop: nothing to search in; give [[vary]]");
  EXPECT_EQ(mistake(kText, {.margin = "drifts"}),
            "--margin drifts: there is no such expectation; did you mean drift?");
  search("a.db", kText, 10, 1);
  EXPECT_THROW(search("a.db", kText, 10, 1, {.goal = SearchGoal::kWorstMargin}), Error);
  const Campaign design = samples::campaign_of_text(kText, 10);
  EXPECT_THROW(ResultsFile(path("a.db"), results_head(design, kText, "drop.toml", {}, {}), true),
               Error);
  EXPECT_NE(design.digest(), explored(kText, 10).digest());
}

}  // namespace
}  // namespace tactus::sweep
