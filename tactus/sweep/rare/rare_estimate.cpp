// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/rare/rare_estimate.h"

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/sweep/statistics/beta.h"
#include "tactus/sweep/statistics/moments.h"

namespace tactus::sweep {

RareEstimate combine_runs(std::span<const RareRun> runs, double confidence) {
  TACTUS_ASSERT(runs.size() > 1, "runs to compare");
  const auto count = static_cast<double>(runs.size());
  Moments moments;
  double own_variance = 0.0;
  for (const RareRun& run : runs) {
    moments.add(run.probability);
    own_variance += run.relative_variance * math::square(run.probability / count);
  }
  RareEstimate result;
  result.probability = moments.mean();
  if (result.probability == 0.0) return result;
  result.relative_variance =
      math::max(moments.variance() / count, own_variance) / math::square(result.probability);
  if (result.relative_variance == 0.0) return result;
  const double variance = math::log1p(result.relative_variance);
  const double half = student_half_width(confidence, count - 1.0) * math::sqrt(variance);
  const double middle = math::log(result.probability) + 0.5 * variance;
  result.interval =
      Interval{math::min(math::exp(middle - half), 1.0), math::min(math::exp(middle + half), 1.0)};
  return result;
}

}  // namespace tactus::sweep
