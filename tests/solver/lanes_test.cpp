// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Sums of two entries at a time have the bits of sums of one, for any count, and write no further.

#include "tactus/solver/lanes.h"

#include <gtest/gtest.h>

#include <random>

#include "tactus/core/math.h"
#include "tactus/solver/tableau.h"

namespace tactus {
namespace {

constexpr int kCapacity = 12;
constexpr int kStages = DormandPrinceTableau::kStages;
using Row = ErrorRow<DormandPrinceTableau>;

TEST(Lanes, SumTheSameBitsAsOneEntryAtATime) {
  std::mt19937_64 engine{7};
  std::uniform_real_distribution<double> around{-1.0, 1.0};
  double k[kStages][kCapacity];
  for (auto& stage : k) {
    for (double& entry : stage) entry = around(engine);
  }
  for (int n = 0; n < kCapacity; ++n) {
    double out[kCapacity];
    for (double& entry : out) entry = 99.0;
    weighted_sums<Row, kStages>(0.003, k, n, out);
    for (int i = 0; i < n; ++i) {
      double expected = 0.0;
      for (int j = 0; j < kStages; ++j) {
        if (Row::weight(j) != 0.0) expected += (0.003 * Row::weight(j)) * k[j][i];
      }
      EXPECT_EQ(out[i], expected) << i << " of " << n;
    }
    for (int i = n; i < kCapacity; ++i) EXPECT_EQ(out[i], 99.0) << i << " of " << n;
  }
}

TEST(Lanes, KeepANanToItsOwnEntry) {
  double k[kStages][kCapacity] = {};
  k[2][1] = math::canonical_nan();
  double out[2];
  weighted_sums<Row, kStages>(1.0, k, 2, out);
  EXPECT_EQ(out[0], 0.0);
  EXPECT_TRUE(math::is_nan(out[1]));
}

}  // namespace
}  // namespace tactus
