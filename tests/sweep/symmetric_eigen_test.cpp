// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

#include "tactus/sweep/search/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tactus/core/random.h"

namespace tactus::sweep {
namespace {

TEST(SymmetricEigen, SolvesASecondDifference) {
  // The matrix with 2 on the diagonal and -1 beside it has the values 2 - 2 cos(k pi / (n + 1)).
  constexpr std::size_t kSize = 9;
  std::vector<double> matrix(kSize * kSize, 0.0);
  for (std::size_t i = 0; i < kSize; ++i) {
    matrix[i * kSize + i] = 2.0;
    if (i > 0) matrix[i * kSize + i - 1] = -1.0;
  }
  std::vector<double> values = symmetric_eigen(matrix, kSize).values;
  std::sort(values.begin(), values.end());
  for (std::size_t k = 0; k < kSize; ++k) {
    EXPECT_NEAR(values[k], 2.0 - 2.0 * std::cos(static_cast<double>(k + 1) * M_PI / (kSize + 1)),
                1e-14);
  }
}

TEST(SymmetricEigen, VectorsMakeTheMatrixAgain) {
  for (const std::size_t size : {1U, 2U, 5U, 20U}) {
    const RandomStream stream(size, "eigen");
    std::vector<double> matrix(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        // Of very different scales, as covariances of a long search are.
        const double scale = std::pow(10.0, -0.3 * static_cast<double>(i + j));
        matrix[i * size + j] = matrix[j * size + i] = scale * stream.normal(i * size + j);
      }
    }
    const SymmetricEigen eigen = symmetric_eigen(matrix, size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        double again = 0.0;
        double product = 0.0;
        for (std::size_t k = 0; k < size; ++k) {
          again += eigen.vectors[i * size + k] * eigen.values[k] * eigen.vectors[j * size + k];
          product += eigen.vectors[k * size + i] * eigen.vectors[k * size + j];
        }
        EXPECT_NEAR(again, matrix[i * size + j], 1e-13);
        EXPECT_NEAR(product, i == j ? 1.0 : 0.0, 1e-13);
      }
    }
  }
}

TEST(SymmetricEigen, ADiagonalStaysAsItIs) {
  const SymmetricEigen eigen = symmetric_eigen({3.0, 0.0, 0.0, 1e-200}, 2);
  EXPECT_EQ(eigen.values, (std::vector<double>{3.0, 1e-200}));
  EXPECT_EQ(eigen.vectors, (std::vector<double>{1.0, 0.0, 0.0, 1.0}));
}

}  // namespace
}  // namespace tactus::sweep
