// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A link stands for the flight up to it: the last one is the flight digest, a change in flight
// leaves the links before it as they are, and the chain in memory is the one in a recording.

#include "tactus/record/digest_chain.h"

#include <gtest/gtest.h>

#include "tactus/record/stream_recorder.h"
#include "tests/golden/flown.h"

namespace tactus {
namespace {

Spec short_flight(const std::string& event = "") {
  return testing::spec_of(testing::quiet_iris("time = { end_s = 4.5 }\n" + event));
}

struct Flown {
  DigestChain chain;
  MemorySink memory;
  Digest128 digest;

  explicit Flown(const Spec& spec) {
    Assembly flight = assemble(spec);
    StreamRecorder recorder({}, memory);
    Observers observers;
    observers.recorders = {&chain, &recorder};
    fly(flight.run, observers);
    digest = flight.run.digest();
  }
};

Due tick(std::uint64_t us, bool autopilot = true) {
  Due due;
  due.time = TimeUs(us);
  if (autopilot) due.axes = 1U << static_cast<unsigned>(Axis::kAutopilot);
  return due;
}

TEST(DigestChain, LinksAreTheFirstTicksOfEachSecond) {
  const DurationUs even{4'000};
  EXPECT_TRUE(has_link(tick(0), even));
  EXPECT_FALSE(has_link(tick(996'000), even));
  EXPECT_TRUE(has_link(tick(1'000'000), even));
  EXPECT_FALSE(has_link(tick(1'000'000, false), even));
  const DurationUs odd{3'000};
  EXPECT_TRUE(has_link(tick(1'002'000), odd));
  EXPECT_FALSE(has_link(tick(1'005'000), odd));
  EXPECT_TRUE(has_link(tick(2'001'000), odd));
  Due end = tick(1'234'567, false);
  end.end = true;
  EXPECT_TRUE(has_link(end, even));
}

TEST(DigestChain, TheLastLinkIsTheFlightDigest) {
  const Flown flown(short_flight());
  ASSERT_EQ(flown.chain.links().size(), 6U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(flown.chain.links()[i].time.us, i * 1'000'000);
  }
  EXPECT_EQ(flown.chain.links().back().time.us, 4'500'000U);
  EXPECT_EQ(flown.chain.links().back().flight, flown.digest);
}

TEST(DigestChain, IsTheOneOfTheRecording) {
  const Flown flown(short_flight());
  const auto recording = flown.memory.recording();
  const Table& table = recording->require("chain");
  ASSERT_EQ(table.size(), flown.chain.links().size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const DigestChain::Link& link = flown.chain.links()[i];
    EXPECT_EQ(table.time(i), link.time);
    EXPECT_EQ(whole_number(table.layout.fields[1], 0, table.row(i).data()), link.flight.high);
    EXPECT_EQ(whole_number(table.layout.fields[1], 1, table.row(i).data()), link.flight.low);
  }
}

TEST(DigestChain, AChangeLeavesTheLinksBeforeIt) {
  const Flown plain(short_flight());
  const Flown gust(short_flight(R"(
    [[event]]
    id = "gust"
    at_s = 2.5
    do = "wind_step"
    vector = [3.0, 0.0, 0.0]
  )"));
  ASSERT_EQ(plain.chain.links().size(), gust.chain.links().size());
  for (std::size_t i = 0; i < plain.chain.links().size(); ++i) {
    const bool equal = plain.chain.links()[i] == gust.chain.links()[i];
    EXPECT_EQ(equal, i <= 2) << i;
  }
}

}  // namespace
}  // namespace tactus
