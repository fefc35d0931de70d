// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What is kept of a peer that sends without end: so much in each second of the flight, the rest is
// counted.

#include "tactus/link/net/kept_bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tactus {
namespace {

TEST(KeptBytes, APeerWithoutEndIsKeptUpToALimitAndCounted) {
  KeptBytes kept;
  const std::vector<std::byte> noise(60'000);
  std::size_t most = 0;
  for (std::uint64_t tick = 0; tick < 500; ++tick) {
    for (int i = 0; i < 10; ++i) kept.add(noise, TimeUs(4'000 * tick));
    most += kept.take().size();
  }
  EXPECT_EQ(most, 2 * 17 * noise.size()) << "of two seconds, by whole pieces";
  const std::string told = kept.left_out_text("px4_telemetry");
  EXPECT_NE(told.find("px4_telemetry: 4966 pieces with 297960000 bytes are left out"),
            std::string::npos)
      << told;
}

TEST(KeptBytes, WhatAnAutopilotSendsIsAllThere) {
  KeptBytes kept;
  std::size_t all = 0;
  for (std::uint64_t tick = 0; tick < 500; ++tick) {
    kept.add(std::vector<std::byte>(3'000), TimeUs(4'000 * tick));
    all += kept.take().size();
  }
  EXPECT_EQ(all, 500U * 3'000U);
  EXPECT_EQ(kept.left_out_text("px4_hil"), "");
}

}  // namespace
}  // namespace tactus
