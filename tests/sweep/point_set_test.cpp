// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/design/point_set.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/sweep/design/permutation.h"
#include "tactus/sweep/design/sobol.h"

namespace tactus::sweep {
namespace {

Design design(DesignKind kind, std::uint64_t rows = 100, std::uint64_t replicates = 1) {
  return {.kind = kind, .seed = 7, .rows = rows, .replicates = replicates};
}

std::vector<DesignAxis> axes(const std::vector<std::string>& keys, std::size_t levels = 0) {
  std::vector<DesignAxis> result;
  for (const std::string& key : keys) {
    result.push_back({key, {}});
    for (std::size_t i = 0; i < levels; ++i) {
      result.back().levels.push_back(static_cast<double>(i) / static_cast<double>(levels));
    }
  }
  return result;
}

std::string refusal_of(const Design& wanted, std::vector<DesignAxis> of) {
  try {
    const PointSet points(wanted, std::move(of));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PointSet, AnotherKeyDoesNotMoveTheOthers) {
  for (const DesignKind kind :
       {DesignKind::kMonteCarlo, DesignKind::kLatinHypercube, DesignKind::kSobol}) {
    const PointSet one(design(kind), axes({"mass", "wind"}));
    const PointSet two(design(kind), axes({"mass", "wind", "gain"}));
    for (std::uint64_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one.coordinate(i, 0), two.coordinate(i, 0));
      EXPECT_EQ(one.coordinate(i, 1), two.coordinate(i, 1));
    }
  }
  // Without positions it need not even come last.
  const PointSet later(design(DesignKind::kMonteCarlo), axes({"gain", "mass"}));
  const PointSet alone(design(DesignKind::kMonteCarlo), axes({"mass"}));
  EXPECT_EQ(later.coordinate(3, 1), alone.coordinate(3, 0));
}

TEST(PointSet, MoreSamplesKeepTheFirst) {
  for (const DesignKind kind : {DesignKind::kMonteCarlo, DesignKind::kSobol}) {
    const PointSet few(design(kind, 10), axes({"mass"}));
    const PointSet many(design(kind, 1000), axes({"mass"}));
    for (std::uint64_t i = 0; i < few.size(); ++i) {
      EXPECT_EQ(few.coordinate(i, 0), many.coordinate(i, 0));
    }
  }
}

TEST(PointSet, SeedsAndKeysDiffer) {
  for (const DesignKind kind :
       {DesignKind::kMonteCarlo, DesignKind::kLatinHypercube, DesignKind::kSobol}) {
    Design other = design(kind);
    other.seed = 8;
    const PointSet points(design(kind), axes({"mass", "wind"}));
    const PointSet others(other, axes({"mass", "wind"}));
    std::set<double> seen;
    for (std::uint64_t i = 0; i < points.size(); ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        seen.insert(points.coordinate(i, axis));
        seen.insert(others.coordinate(i, axis));
      }
    }
    EXPECT_EQ(seen.size(), 400U);
  }
}

TEST(PointSet, ALatinHypercubeHasOnePointPerStratum) {
  for (const std::uint64_t rows : {1U, 2U, 3U, 5U, 16U, 17U, 1000U}) {
    const PointSet points(design(DesignKind::kLatinHypercube, rows, 3), axes({"mass", "wind"}));
    ASSERT_EQ(points.size(), 3 * rows);
    std::map<std::pair<std::uint64_t, std::size_t>, std::set<std::uint64_t>> strata;
    for (std::uint64_t i = 0; i < points.size(); ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const double u = points.coordinate(i, axis);
        EXPECT_GT(u, 0.0);
        EXPECT_LT(u, 1.0);
        strata[{points.replicate_of(i), axis}].insert(
            static_cast<std::uint64_t>(u * static_cast<double>(rows)));
      }
    }
    ASSERT_EQ(strata.size(), 6U);
    for (const auto& [place, found] : strata) EXPECT_EQ(found.size(), rows);
  }
}

TEST(Permutation, AllPermutationsAreEquallyLikely) {
  constexpr int kKeys = 24000;
  std::map<std::array<std::uint64_t, 4>, int> counts;
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    ++counts[{permuted_index(0, 4, mix_bits(key)), permuted_index(1, 4, mix_bits(key)),
              permuted_index(2, 4, mix_bits(key)), permuted_index(3, 4, mix_bits(key))}];
  }
  ASSERT_EQ(counts.size(), 24U);
  double chi_square = 0.0;
  for (const auto& [permutation, count] : counts) {
    chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  EXPECT_LT(chi_square, 62.0);  // 23 degrees of freedom, a chance of 2e-5
}

TEST(Permutation, EveryEntryComesOnce) {
  for (const std::uint64_t count : {1U, 2U, 3U, 100U, 4096U, 4097U}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < count; ++i) seen.insert(permuted_index(i, count, 99));
    EXPECT_EQ(seen.size(), count);
    EXPECT_EQ(*seen.rbegin(), count - 1);
  }
}

TEST(Sobol, ThePublishedPoints) {
  // The ten points of ten dimensions that the authors' own program prints begin with these.
  const double published[8][3] = {{0, 0, 0},
                                  {0.5, 0.5, 0.5},
                                  {0.75, 0.25, 0.25},
                                  {0.25, 0.75, 0.75},
                                  {0.375, 0.375, 0.625},
                                  {0.875, 0.875, 0.125},
                                  {0.625, 0.125, 0.875},
                                  {0.125, 0.625, 0.375}};
  for (std::uint64_t i = 0; i < 8; ++i) {
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(sobol_bits(i, d) * 0x1p-32, published[i][d]);
  }
}

TEST(Sobol, ScrambledPointsKeepTheBalanceOfEveryDimension) {
  constexpr std::uint64_t kCount = 256;
  for (std::size_t d = 0; d < kSobolDimensions; ++d) {
    std::set<int> strata;
    for (std::uint64_t i = 0; i < kCount; ++i) {
      strata.insert(static_cast<int>(scrambled_sobol(i, d, 1234 + d) * kCount));
    }
    EXPECT_EQ(strata.size(), kCount) << d;
  }
}

TEST(Sobol, ScrambledPointsKeepTheBalanceOfPairs) {
  // The first two dimensions are a (0, 2)-sequence: each of 16 by 16 boxes has one point.
  std::set<std::pair<int, int>> boxes;
  for (std::uint64_t i = 0; i < 256; ++i) {
    boxes.emplace(static_cast<int>(scrambled_sobol(i, 0, 5) * 16),
                  static_cast<int>(scrambled_sobol(i, 1, 6) * 16));
  }
  EXPECT_EQ(boxes.size(), 256U);
}

TEST(Sobol, AScrambledPointIsUniform) {
  // One point of the sequence, many keys: mean and variance of a uniform number, and independent
  // flips of different bits.
  constexpr int kKeys = 20000;
  double sum = 0.0;
  double squares = 0.0;
  int equal_bits = 0;
  for (std::uint64_t key = 0; key < kKeys; ++key) {
    const double u = scrambled_sobol(12345, 3, mix_bits(key));
    sum += u - 0.5;
    squares += (u - 0.5) * (u - 0.5);
    const auto quarter = static_cast<int>(u * 4);
    equal_bits += quarter == 0 || quarter == 3 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kKeys, 0.0, 4.5 * std::sqrt(1.0 / 12 / kKeys));
  EXPECT_NEAR(squares / kKeys, 1.0 / 12, 4.5 * std::sqrt(1.0 / 180 / kKeys));
  EXPECT_NEAR(equal_bits, 0.5 * kKeys, 4.5 * std::sqrt(kKeys) / 2);
}

TEST(Sobol, ErrorsOfMeansFallFasterThanThoseOfRandomPoints) {
  // Owen: the variance of a smooth mean falls as n^-3 and not as n^-1.
  const auto variance = [](DesignKind kind) {
    const PointSet points(design(kind, 1024, kind == DesignKind::kSobol ? 32 : 1),
                          axes({"a", "b", "c"}));
    std::vector<double> means(32, 0.0);
    const PointSet random(design(DesignKind::kMonteCarlo, 32 * 1024), axes({"a", "b", "c"}));
    const PointSet& used = kind == DesignKind::kSobol ? points : random;
    for (std::uint64_t i = 0; i < 32 * 1024; ++i) {
      const double product = used.coordinate(i, 0) * used.coordinate(i, 1) * used.coordinate(i, 2);
      means[i % 32] += (product - 0.125) / 1024;
    }
    double sum = 0.0;
    for (const double mean : means) sum += mean * mean;
    return sum / 32;
  };
  EXPECT_LT(variance(DesignKind::kSobol) * 1000, variance(DesignKind::kMonteCarlo));
}

TEST(PointSet, GridsCornersAndSingleAxes) {
  const PointSet grid(design(DesignKind::kGrid), axes({"a", "b"}, 3));
  ASSERT_EQ(grid.size(), 9U);
  EXPECT_EQ(grid.coordinate(5, 0), 1.0 / 3.0);
  EXPECT_EQ(grid.coordinate(5, 1), 2.0 / 3.0);

  const PointSet corners(design(DesignKind::kCorners), axes({"a", "b", "c"}, 4));
  ASSERT_EQ(corners.size(), 8U);
  EXPECT_EQ(corners.coordinate(6, 0), 0.75);
  EXPECT_EQ(corners.coordinate(6, 1), 0.75);
  EXPECT_EQ(corners.coordinate(6, 2), 0.0);

  const PointSet single(design(DesignKind::kOneAtATime), axes({"a", "b"}, 2));
  ASSERT_EQ(single.size(), 5U);
  EXPECT_FALSE(single.moves(0, 0) || single.moves(0, 1));
  EXPECT_TRUE(single.moves(2, 0));
  EXPECT_FALSE(single.moves(2, 1));
  EXPECT_EQ(single.coordinate(2, 0), 0.5);
  EXPECT_TRUE(single.moves(3, 1));
  EXPECT_EQ(single.coordinate(3, 1), 0.0);
}

TEST(PointSet, SaltelliRowsExchangeOneCoordinateAtATime) {
  for (const DesignKind kind :
       {DesignKind::kMonteCarlo, DesignKind::kLatinHypercube, DesignKind::kSobol}) {
    Design wanted = design(kind, 10);
    wanted.saltelli = true;
    const PointSet points(wanted, axes({"a", "b", "c"}));
    ASSERT_EQ(points.size(), 50U);
    for (std::uint64_t row = 0; row < 10; ++row) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double a = points.coordinate(5 * row, axis);
        const double b = points.coordinate(5 * row + 1, axis);
        EXPECT_NE(a, b);
        for (std::size_t moved = 0; moved < 3; ++moved) {
          EXPECT_EQ(points.coordinate(5 * row + 2 + moved, axis), moved == axis ? b : a);
        }
      }
    }
    EXPECT_EQ(points.saltelli_place(13).row, 2U);
    EXPECT_EQ(points.saltelli_place(13).block, 3U);
  }
}

TEST(PointSet, WhatCannotBeIsRefused) {
  const auto two = axes({"a", "b"});
  EXPECT_NE(refusal_of(design(DesignKind::kMonteCarlo), {}), "");
  EXPECT_NE(refusal_of(design(DesignKind::kMonteCarlo), axes({"a", "a"})), "");
  EXPECT_NE(refusal_of(design(DesignKind::kMonteCarlo, 0), two), "");
  EXPECT_NE(refusal_of(design(DesignKind::kMonteCarlo, 10, 2), two), "");
  EXPECT_NE(refusal_of(design(DesignKind::kSobol, std::uint64_t{1} << 33), two), "");
  EXPECT_NE(refusal_of(design(DesignKind::kGrid), two), "");
  EXPECT_NE(refusal_of(design(DesignKind::kCorners), axes({"a"}, 1)), "");
  std::vector<std::string> many;
  many.reserve(65);
  for (int i = 0; i < 65; ++i) many.push_back("key" + std::to_string(i));
  EXPECT_EQ(refusal_of(design(DesignKind::kSobol), axes(many)), "");
  EXPECT_NE(refusal_of(design(DesignKind::kGrid), axes(many, 10)), "");
  Design wanted = design(DesignKind::kSobol);
  wanted.saltelli = true;
  EXPECT_NE(refusal_of(wanted, axes(many)), "");
  wanted.kind = DesignKind::kGrid;
  EXPECT_NE(refusal_of(wanted, axes({"a"}, 2)), "");
}

}  // namespace
}  // namespace tactus::sweep
