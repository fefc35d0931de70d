// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/search/cma_es.h"

#include <algorithm>
#include <numeric>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/sweep/search/symmetric_eigen.h"

namespace tactus::sweep {
namespace {

constexpr double kWorstCondition = 1e14;

std::size_t default_population(std::size_t dimension) {
  bool fits = false;
  const double more = math::floor(3.0 * math::log(static_cast<double>(dimension)));
  const std::int64_t whole = math::to_int64(more, fits);
  return 4 + static_cast<std::size_t>(whole);
}

double length_of(const std::vector<double>& v) {
  double sum = 0.0;
  for (const double x : v) sum += x * x;
  return math::sqrt(sum);
}

}  // namespace

CmaEs::CmaEs(const CmaSettings& settings)
    : seed_(settings.seed),
      bound_(settings.bound),
      least_step_(settings.least_step),
      least_difference_(settings.least_difference),
      population_(settings.population != 0 ? settings.population
                                           : default_population(settings.start.size())),
      mean_(settings.start),
      sigma_(settings.step) {
  TACTUS_ASSERT(!mean_.empty() && sigma_ > 0.0 && population_ > 1, "a space to search in");
  const std::size_t n = dimension();
  path_c_.assign(n, 0.0);
  path_sigma_.assign(n, 0.0);
  covariance_.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) covariance_[i * n + i] = 1.0;
  axes_ = covariance_;
  lengths_.assign(n, 1.0);
  set_constants();
}

/// Table 1 of the tutorial.
void CmaEs::set_constants() {
  const auto n = static_cast<double>(dimension());
  const auto lambda = static_cast<double>(population_);
  double sum = 0.0;
  for (std::size_t i = 1; i <= population_ / 2; ++i) {
    const auto rank = static_cast<double>(i);
    weights_.push_back(math::log(0.5 * (lambda + 1.0)) - math::log(rank));
    sum += weights_.back();
  }
  double squares = 0.0;
  for (double& weight : weights_) {
    weight /= sum;
    squares += weight * weight;
  }
  mu_eff_ = 1.0 / squares;
  c_c_ = (4.0 + mu_eff_ / n) / (n + 4.0 + 2.0 * mu_eff_ / n);
  c_sigma_ = (mu_eff_ + 2.0) / (n + mu_eff_ + 5.0);
  c_1_ = 2.0 / (math::square(n + 1.3) + mu_eff_);
  c_mu_ = math::min(
      1.0 - c_1_, 2.0 * (0.25 + mu_eff_ + 1.0 / mu_eff_ - 2.0) / (math::square(n + 2.0) + mu_eff_));
  const double excess = math::sqrt((mu_eff_ - 1.0) / (n + 1.0)) - 1.0;
  damping_ = 1.0 + 2.0 * math::max(0.0, excess) + c_sigma_;
  expected_length_ = math::sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
}

std::vector<double> CmaEs::candidate(std::size_t index) const {
  TACTUS_ASSERT(index < population_, "a candidate of this generation");
  const std::size_t n = dimension();
  const RandomStream stream(seed_, "sweep search");
  std::vector<double> scaled(n);
  for (std::size_t i = 0; i < n; ++i) {
    // A channel per coordinate: candidates of one generation are ticks of it.
    const std::uint64_t tick = generation_ << 24 | index;
    scaled[i] = lengths_[i] * stream.normal(tick, static_cast<std::uint32_t>(i));
  }
  std::vector<double> x = mean_;
  for (std::size_t i = 0; i < n; ++i) {
    double step = 0.0;
    for (std::size_t j = 0; j < n; ++j) step += axes_[i * n + j] * scaled[j];
    x[i] = math::clamp(x[i] + sigma_ * step, -bound_, bound_);
  }
  return x;
}

void CmaEs::tell(std::span<const double> values) {
  TACTUS_ASSERT(values.size() == population_, "one value per candidate");
  std::vector<std::size_t> order(population_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const double value : values) TACTUS_ASSERT(!math::is_nan(value), "values have an order");
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });

  const std::size_t n = dimension();
  std::vector<std::vector<double>> steps;
  std::vector<double> mean_step(n, 0.0);
  for (std::size_t rank = 0; rank < weights_.size(); ++rank) {
    steps.push_back(candidate(order[rank]));
    for (std::size_t i = 0; i < n; ++i) {
      steps[rank][i] = (steps[rank][i] - mean_[i]) / sigma_;
      mean_step[i] += weights_[rank] * steps[rank][i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    mean_[i] = math::clamp(mean_[i] + sigma_ * mean_step[i], -bound_, bound_);
  }
  update_paths(mean_step);
  update_covariance(steps);
  const double push = c_sigma_ / damping_ * (length_of(path_sigma_) / expected_length_ - 1.0);
  sigma_ *= math::exp(math::min(push, 1.0));
  ++generation_;
  decompose();
  check_convergence(values);
}

void CmaEs::update_paths(const std::vector<double>& mean_step) {
  const std::size_t n = dimension();
  // C^(-1/2) times the step: into the axes, scaled, and back.
  std::vector<double> whitened(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    double along = 0.0;
    for (std::size_t i = 0; i < n; ++i) along += axes_[i * n + j] * mean_step[i];
    along /= lengths_[j];
    for (std::size_t i = 0; i < n; ++i) whitened[i] += axes_[i * n + j] * along;
  }
  const double scale_sigma = math::sqrt(c_sigma_ * (2.0 - c_sigma_) * mu_eff_);
  for (std::size_t i = 0; i < n; ++i) {
    path_sigma_[i] = (1.0 - c_sigma_) * path_sigma_[i] + scale_sigma * whitened[i];
  }
  const double steps_done = 2.0 * static_cast<double>(generation_ + 1);
  const double settled = math::sqrt(1.0 - math::pow(1.0 - c_sigma_, steps_done));
  heaviside_ = length_of(path_sigma_) / settled <
               (1.4 + 2.0 / (static_cast<double>(n) + 1.0)) * expected_length_;
  const double scale_c = heaviside_ ? math::sqrt(c_c_ * (2.0 - c_c_) * mu_eff_) : 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    path_c_[i] = (1.0 - c_c_) * path_c_[i] + scale_c * mean_step[i];
  }
}

void CmaEs::update_covariance(const std::vector<std::vector<double>>& steps) {
  const std::size_t n = dimension();
  const double lost = heaviside_ ? 0.0 : c_1_ * c_c_ * (2.0 - c_c_);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double learned = c_1_ * path_c_[i] * path_c_[j];
      for (std::size_t rank = 0; rank < weights_.size(); ++rank) {
        learned += c_mu_ * weights_[rank] * steps[rank][i] * steps[rank][j];
      }
      double& entry = covariance_[i * n + j];
      entry = (1.0 - c_1_ - c_mu_ + lost) * entry + learned;
      covariance_[j * n + i] = entry;
    }
  }
}

void CmaEs::decompose() {
  SymmetricEigen eigen = symmetric_eigen(covariance_, dimension());
  axes_ = std::move(eigen.vectors);
  const auto [least, greatest] = std::minmax_element(eigen.values.begin(), eigen.values.end());
  if (!(*least * kWorstCondition > *greatest)) converged_ = true;
  for (std::size_t i = 0; i < dimension(); ++i) {
    // Rounding may have taken the last of a value.
    lengths_[i] = math::sqrt(math::max(eigen.values[i], *greatest / kWorstCondition));
  }
}

double CmaEs::largest_axis() const {
  return sigma_ * *std::max_element(lengths_.begin(), lengths_.end());
}

void CmaEs::check_convergence(std::span<const double> values) {
  if (!(largest_axis() > least_step_)) converged_ = true;
  // As many generations as the tutorial's TolFun looks back.
  const std::size_t window = 10 + (30 * dimension() + population_ - 1) / population_;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  recent_best_.push_back(*least);
  if (recent_best_.size() > window) recent_best_.erase(recent_best_.begin());
  if (recent_best_.size() < window) return;
  const auto [best, worst] = std::minmax_element(recent_best_.begin(), recent_best_.end());
  // Written so that infinities, which have no difference, count as equal.
  const bool flat =
      !(*worst - *best > least_difference_) && !(*greatest - *least > least_difference_);
  if (flat) converged_ = true;
}

}  // namespace tactus::sweep
