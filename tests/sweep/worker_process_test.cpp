// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/flying/worker_process.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <csignal>
#include <map>

#include "tactus/sweep/fly_campaign.h"
#include "tests/sweep/campaign_samples.h"

namespace tactus::sweep {
namespace {

using samples::campaign_of_text;
using samples::kDrop;
using samples::kMass;

Digest128 digest_of(const SampleResult& result) {
  Digest digest;
  add_to(digest, result);
  return digest.result();
}

TEST(WorkerProcess, FliesWhatThisProcessWould) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + kMass);
  WorkerProcess worker(campaign, {}, 2);  // renewed on the way
  for (std::uint64_t index = 0; index < 5; ++index) {
    worker.begin(index);
    EXPECT_TRUE(worker.is_busy());
    const std::optional<SampleResult> result = worker.take();
    ASSERT_TRUE(result);
    EXPECT_EQ(digest_of(*result), digest_of(*fly_sample(campaign, index)));
  }
}

/// Dies in every flight, as a library may.
SampleOptions deadly() {
  SampleOptions options;
  const pid_t here = ::getpid();
  options.interrupted = [here]() -> bool {
    if (::getpid() != here) ::raise(SIGKILL);
    return false;
  };
  return options;
}

TEST(WorkerProcess, ThatDiesIsTheOutcomeOfItsSample) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + kMass);
  WorkerProcess worker(campaign, deadly());
  worker.begin(3);
  const std::optional<SampleResult> result = worker.take();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->index, 3U);
  EXPECT_EQ(result->outcome, Outcome::kLost);
  EXPECT_EQ(result->reason, "the process that flew it was ended by signal 9 (Killed)");
  EXPECT_FALSE(worker.is_running());
}

TEST(WorkerProcess, PoolsGiveTheAnswerOfThreads) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + kMass, 30);
  const auto all = [](const FlyAll& fly) {
    SampleSource source(30, {}, DoneSamples());
    std::map<std::uint64_t, Digest128> digests;
    fly(
        source,
        [&](SampleResult&& result) {
          EXPECT_TRUE(digests.emplace(result.index, digest_of(result)).second);
        },
        [] {});
    return digests;
  };
  const auto processes = all(by_processes(campaign, 3, {}));
  EXPECT_EQ(processes.size(), 30U);
  EXPECT_EQ(processes, all(by_threads(campaign, 2, {})));
}

TEST(WorkerProcess, PoolTriesAgainAndGoesOn) {
  const Campaign campaign = campaign_of_text(std::string(kDrop) + kMass, 6);
  SampleSource source(6, {}, DoneSamples());
  std::size_t lost = 0;
  by_processes(campaign, 2, deadly())(
      source, [&](SampleResult&& result) { lost += result.outcome == Outcome::kLost ? 1U : 0U; },
      [] {});
  EXPECT_EQ(lost, 6U);
}

}  // namespace
}  // namespace tactus::sweep
