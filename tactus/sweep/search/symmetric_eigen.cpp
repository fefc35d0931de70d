// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/search/symmetric_eigen.h"

#include "tactus/core/assert.h"
#include "tactus/core/math.h"

namespace tactus::sweep {
namespace {

constexpr int kMostSweeps = 60;  // it converges quadratically: about ten

/// A rotation in the plane of two coordinates, from left and right, that makes a[p][q] zero.
class Rotation {
 public:
  Rotation(const std::vector<double>& a, std::size_t size, std::size_t p, std::size_t q)
      : size_(size), p_(p), q_(q) {
    const double ratio = (a[q * size + q] - a[p * size + p]) / (2.0 * a[p * size + q]);
    // The smaller angle. For huge ratios the square overflows and the tangent is zero, as it
    // should.
    const double tangent =
        math::copysign(1.0, ratio) / (math::abs(ratio) + math::sqrt(ratio * ratio + 1.0));
    cosine_ = 1.0 / math::sqrt(tangent * tangent + 1.0);
    sine_ = tangent * cosine_;
  }

  void turn_columns(std::vector<double>& a) const {
    for (std::size_t i = 0; i < size_; ++i) turn(a[i * size_ + p_], a[i * size_ + q_]);
  }
  void turn_rows(std::vector<double>& a) const {
    for (std::size_t i = 0; i < size_; ++i) turn(a[p_ * size_ + i], a[q_ * size_ + i]);
  }

 private:
  void turn(double& x, double& y) const {
    const double old_x = x;
    x = cosine_ * old_x - sine_ * y;
    y = sine_ * old_x + cosine_ * y;
  }

  std::size_t size_;
  std::size_t p_;
  std::size_t q_;
  double cosine_ = 1.0;
  double sine_ = 0.0;
};

}  // namespace

SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t size) {
  TACTUS_ASSERT(matrix.size() == size * size, "a square matrix");
  SymmetricEigen result;
  result.vectors.assign(size * size, 0.0);
  double norm = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    result.vectors[i * size + i] = 1.0;
    for (std::size_t j = 0; j < size; ++j) {
      if (j > i) matrix[i * size + j] = matrix[j * size + i];
      norm = math::max(norm, math::abs(matrix[i * size + j]));
    }
  }
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
    rotated = false;
    for (std::size_t p = 0; p < size; ++p) {
      for (std::size_t q = p + 1; q < size; ++q) {
        // What is smaller than the rounding of the diagonal changes nothing any more.
        const double own = math::sqrt(math::abs(matrix[p * size + p])) *
                           math::sqrt(math::abs(matrix[q * size + q]));
        const double off = math::abs(matrix[p * size + q]);
        if (off <= 0x1p-54 * own || off <= 0x1p-70 * norm) continue;
        rotated = true;
        const Rotation rotation(matrix, size, p, q);
        rotation.turn_columns(matrix);
        rotation.turn_rows(matrix);
        matrix[p * size + q] = matrix[q * size + p] = 0.0;
        rotation.turn_columns(result.vectors);
      }
    }
  }
  for (std::size_t i = 0; i < size; ++i) result.values.push_back(matrix[i * size + i]);
  return result;
}

}  // namespace tactus::sweep
