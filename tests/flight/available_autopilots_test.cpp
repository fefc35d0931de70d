// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/external/available_autopilots.h"

#include <gtest/gtest.h>

namespace tactus {
namespace {

TEST(AvailableAutopilots, NameWhatIsMissing) {
  AutopilotPaths paths;
  paths.px4_library = paths.px4_binary = paths.ardupilot_binary = "no/such/file";
  const std::vector<AvailableAutopilot> all = available_autopilots(paths);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all[0].can_fly());
  EXPECT_FALSE(all[0].is_external());
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_TRUE(all[i].is_external());
    EXPECT_FALSE(all[i].can_fly());
    EXPECT_EQ(all[i].path, "no/such/file");
    EXPECT_NE(all[i].reason.find("no/such/file"), std::string::npos) << all[i].reason;
  }
}

}  // namespace
}  // namespace tactus
