// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/search_campaign.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/sweep/campaign_samples.h"

namespace tactus::sweep {
namespace {

// A crate falls for 4 s and must not be carried to the east: of all winds of one speed the one to
// the east is the worst.
constexpr char kCrosswind[] = R"(
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
  SearchCampaign()
      : folder_(std::filesystem::path(::testing::TempDir()) / "search_campaign"),
        campaign_(disk_files(),
                  {.text = kCrosswind, .file = "wind.toml", .samples = 150, .explores = true}) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  SearchEnd search(const std::string& name, std::size_t jobs, const SearchOptions& options = {},
                   const std::function<bool()>& interrupted = {}) {
    ResultsHead head = results_head(campaign_, kCrosswind, "wind.toml", {}, {});
    head.search = search_text(campaign_, options);
    ResultsFile results((folder_ / name).string(), head, true);
    SearchEnd end =
        search_campaign(campaign_, results, options, jobs, {.interrupted = interrupted});
    digest_ = results.content_digest();
    return end;
  }

  std::filesystem::path folder_;
  Campaign campaign_;
  Digest128 digest_;
};

TEST_F(SearchCampaign, FindsTheKnownWorstDirection) {
  const SearchEnd end = search("a.db", 2);
  ASSERT_TRUE(end.smallest_failure);
  EXPECT_LT(end.smallest_failure->margin, 0.0);
  // Within six degrees of east.
  EXPECT_GT(end.smallest_failure->u[1], 0.0);
  EXPECT_LT(math::abs(end.smallest_failure->u[0]), 0.1 * end.smallest_failure->u[1]);
  EXPECT_LE(end.flights, 150U);
  const Campaign written = campaign_of(disk_files(), ResultsFile((folder_ / "a.db").string()));
  ResultsFile results((folder_ / "a.db").string());
  const SampleResult known = *results.sample(end.smallest_failure->evaluation);
  const auto again = fly_sample(written, written.input_of(known.index, known.seed, known.applied));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->result.digest, known.digest);
}

TEST_F(SearchCampaign, OneAnswerForWorkersAndInterruptions) {
  search("one.db", 1);
  const Digest128 digest = digest_;
  search("many.db", 5);
  EXPECT_EQ(digest_, digest);
  int asked = 0;
  EXPECT_TRUE(search("cut.db", 1, {}, [&asked] { return ++asked > 20'000; }).interrupted);
  EXPECT_NE(digest_, digest);
  search("cut.db", 1);
  EXPECT_EQ(digest_, digest);
}

TEST_F(SearchCampaign, RefusesWhatItCannotSearch) {
  EXPECT_THROW(search("a.db", 1, {.margin = "west"}), Error);
  search("b.db", 1);
  EXPECT_THROW(search("b.db", 1, {.margin = {}, .goal = SearchGoal::kWorstMargin}), Error);
}

}  // namespace
}  // namespace tactus::sweep
