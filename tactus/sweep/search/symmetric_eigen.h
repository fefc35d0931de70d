// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Eigenvalues and eigenvectors of a symmetric matrix: cyclic Jacobi rotations, always in the same
// order (Golub and Van Loan, Matrix Computations, section 8.5), so always with the same bits.

#pragma once

#include <cstddef>
#include <vector>

namespace tactus::sweep {

struct SymmetricEigen {
  std::vector<double> values;
  std::vector<double> vectors;  ///< by rows; column i belongs to values[i]
};

/// `matrix`: by rows, finite, symmetric; the lower triangle is read.
[[nodiscard]] SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t size);

}  // namespace tactus::sweep
