// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// CMA-ES: minimises a function of which only the order of its values is known (Hansen, "The CMA
// Evolution Strategy: A Tutorial", arXiv 1604.00772; its constants, positive weights).
//
// It is a value: candidates are a function of the state and of (seed, generation, candidate), the
// state changes by tell() alone, which takes the values of a whole generation by index. So the
// order in which candidates are evaluated does not matter, and a search that was interrupted goes
// on from the values that were kept.
//
// Candidates beyond the bounds are moved to them before they are evaluated, and learned from there.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus::sweep {

struct CmaSettings {
  std::uint64_t seed = 0;
  std::vector<double> start;
  double step = 1.0;                ///< standard deviation of the first generation
  double bound = 1e300;             ///< of the magnitude of every coordinate
  std::size_t population = 0;       ///< candidates per generation; 0: 4 + 3 log(dimension)
  double least_step = 1e-10;        ///< converged when no direction has more
  double least_difference = 1e-12;  ///< converged when values of many generations differ by less
};

class CmaEs {
 public:
  explicit CmaEs(const CmaSettings& settings);

  [[nodiscard]] std::size_t dimension() const { return mean_.size(); }
  [[nodiscard]] std::size_t population() const { return population_; }
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

  /// The candidate of this generation, `index` below population().
  [[nodiscard]] std::vector<double> candidate(std::size_t index) const;

  /// One value per candidate; infinity for one that has none. Goes to the next generation.
  void tell(std::span<const double> values);

  [[nodiscard]] bool converged() const { return converged_; }
  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }

  bool operator==(const CmaEs&) const = default;

 private:
  void set_constants();
  void update_paths(const std::vector<double>& mean_step);
  void update_covariance(const std::vector<std::vector<double>>& steps);
  void decompose();
  void check_convergence(std::span<const double> values);
  [[nodiscard]] double largest_axis() const;

  // Constants of this population and dimension, named as in the tutorial.
  std::vector<double> weights_;
  double mu_eff_ = 0.0;
  double c_c_ = 0.0;
  double c_sigma_ = 0.0;
  double c_1_ = 0.0;
  double c_mu_ = 0.0;
  double damping_ = 0.0;
  double expected_length_ = 0.0;

  std::uint64_t seed_ = 0;
  double bound_ = 0.0;
  double least_step_ = 0.0;
  double least_difference_ = 0.0;
  std::size_t population_ = 0;

  std::uint64_t generation_ = 0;
  std::vector<double> mean_;
  double sigma_ = 1.0;
  std::vector<double> path_c_;
  std::vector<double> path_sigma_;
  std::vector<double> covariance_;
  std::vector<double> axes_;     ///< eigenvectors, by rows
  std::vector<double> lengths_;  ///< roots of eigenvalues
  bool heaviside_ = true;        ///< whether path_c_ took its last step
  std::vector<double> recent_best_;
  bool converged_ = false;
};

}  // namespace tactus::sweep
