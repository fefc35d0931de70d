// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/design/point_set.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/math.h"
#include "tactus/sweep/design/permutation.h"
#include "tactus/sweep/design/sobol.h"

namespace tactus::sweep {
namespace {

constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 53;
constexpr std::uint64_t kMostReplicates = 1'000'000;
constexpr double kGreatestBelowOne = 1.0 - 0x1p-53;

// Channels of a key's stream. Those of single rows, and from kFirstJitter those of replicates.
constexpr std::uint32_t kFirstColumn = 0;  // the second one follows
constexpr std::uint32_t kPermutation = 2;
constexpr std::uint32_t kScrambling = 4;
constexpr std::uint32_t kFirstJitter = 16;

bool has_levels(DesignKind kind) {
  return kind == DesignKind::kGrid || kind == DesignKind::kCorners ||
         kind == DesignKind::kOneAtATime;
}

std::uint64_t key_of(const RandomStream& stream, std::uint64_t replicate, std::uint32_t channel) {
  const PhiloxBlock block = stream.bits(replicate, channel);
  return (std::uint64_t{block.word[1]} << 32) | block.word[0];
}

/// a * b, or an error that there are too many samples.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > kMostSamples / a) {
    refuse_key("design", fmt::format("has more than {} samples; take fewer rows, levels or keys",
                                     kMostSamples));
  }
  return a * b;
}

void require_valid(const Design& design, const std::vector<DesignAxis>& axes) {
  if (axes.empty()) refuse_key("vary", "nothing varies: give at least one key with a distribution");
  std::set<std::string> keys;
  for (const DesignAxis& axis : axes) {
    if (!keys.insert(axis.key).second) {
      refuse_key("vary", axis.key, "varies twice; a key has one distribution");
    }
  }
  if (design.replicates == 0 || design.replicates > kMostReplicates) {
    refuse_key("design.replicates", fmt::format("{}", design.replicates),
               fmt::format("must lie between 1 and {}", kMostReplicates));
  }
  if (has_levels(design.kind)) {
    if (design.saltelli) {
      refuse_key("design.saltelli", "needs random points: monte_carlo, latin_hypercube or sobol");
    }
    for (const DesignAxis& axis : axes) {
      const std::size_t least = design.kind == DesignKind::kCorners ? 2 : 1;
      if (axis.levels.size() < least) {
        refuse_key(
            "vary", axis.key,
            fmt::format("has {} levels, this design needs {} or more", axis.levels.size(), least));
      }
    }
  } else if (design.rows == 0) {
    refuse_key("design.rows", "0", "must be greater than zero");
  }
  const bool replicable =
      design.kind == DesignKind::kLatinHypercube || design.kind == DesignKind::kSobol;
  if (design.replicates > 1 && !replicable) {
    refuse_key("design.replicates", fmt::format("{}", design.replicates),
               "only latin_hypercube and sobol have replicates; leave it out");
  }
  if (design.kind == DesignKind::kSobol) {
    const std::size_t dimensions = axes.size() * (design.saltelli ? 2 : 1);
    if (dimensions > kSobolDimensions) {
      refuse_key("design.kind", "sobol",
                 fmt::format("{} dimensions are needed, the sequence has {}; use monte_carlo or "
                             "latin_hypercube",
                             dimensions, kSobolDimensions));
    }
    if (design.rows > kSobolPoints) {
      refuse_key("design.rows", fmt::format("{}", design.rows),
                 fmt::format("the sequence has {} points; use monte_carlo", kSobolPoints));
    }
  }
}

}  // namespace

PointSet::PointSet(const Design& design, std::vector<DesignAxis> axes)
    : design_(design), axes_(std::move(axes)) {
  require_valid(design_, axes_);
  for (const DesignAxis& axis : axes_) streams_.emplace_back(design_.seed, "sweep." + axis.key);
  if (!has_levels(design_.kind)) {
    size_ = times(times(design_.rows, design_.replicates), samples_per_row());
    return;
  }
  strides_.resize(axes_.size());
  if (design_.kind == DesignKind::kOneAtATime) {
    size_ = 1;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      strides_[i] = size_;
      size_ += axes_[i].levels.size();
    }
    return;
  }
  size_ = 1;
  for (std::size_t i = axes_.size(); i-- > 0;) {
    strides_[i] = size_;
    size_ = times(size_, design_.kind == DesignKind::kCorners ? 2 : axes_[i].levels.size());
  }
}

double PointSet::coordinate(std::uint64_t sample, std::size_t axis) const {
  TACTUS_ASSERT(sample < size_ && axis < axes_.size(), "a sample and an axis of the design");
  if (has_levels(design_.kind)) return level_coordinate(sample, axis);
  const std::uint64_t run = sample / samples_per_row();
  const std::size_t block = saltelli_place(sample).block;
  return random_coordinate(run, axis, block == 1 || block == axis + 2);
}

/// `second`: of the point B.
double PointSet::random_coordinate(std::uint64_t run, std::size_t axis, bool second) const {
  const std::uint64_t replicate = run % design_.replicates;
  const std::uint64_t row = run / design_.replicates;
  const RandomStream& stream = streams_[axis];
  const std::uint32_t column = second ? 1 : 0;
  if (design_.kind == DesignKind::kMonteCarlo) {
    return stream.uniform_open(run, kFirstColumn + column);
  }
  if (design_.kind == DesignKind::kSobol) {
    const std::size_t dimension = design_.saltelli ? 2 * axis + column : axis;
    return scrambled_sobol(row, dimension, key_of(stream, replicate, kScrambling + column));
  }
  const std::uint64_t stratum =
      permuted_index(row, design_.rows, key_of(stream, replicate, kPermutation + column));
  const auto jitter_channel = static_cast<std::uint32_t>(kFirstJitter + 2 * replicate + column);
  const double jitter = stream.uniform_open(row, jitter_channel);
  // The last stratum may round up to one.
  return math::min((static_cast<double>(stratum) + jitter) / static_cast<double>(design_.rows),
                   kGreatestBelowOne);
}

double PointSet::level_coordinate(std::uint64_t sample, std::size_t axis) const {
  const std::vector<double>& levels = axes_[axis].levels;
  const std::uint64_t stride = strides_[axis];
  switch (design_.kind) {
    case DesignKind::kOneAtATime: return moves(sample, axis) ? levels[sample - stride] : 0.5;
    case DesignKind::kCorners: return (sample / stride) % 2 == 0 ? levels.front() : levels.back();
    default: return levels[(sample / stride) % levels.size()];
  }
}

bool PointSet::moves(std::uint64_t sample, std::size_t axis) const {
  if (design_.kind != DesignKind::kOneAtATime) return true;
  return sample >= strides_[axis] && sample - strides_[axis] < axes_[axis].levels.size();
}

std::uint64_t PointSet::replicate_of(std::uint64_t sample) const {
  return sample / samples_per_row() % design_.replicates;
}

SaltelliPlace PointSet::saltelli_place(std::uint64_t sample) const {
  return {sample / samples_per_row(), static_cast<std::size_t>(sample % samples_per_row())};
}

}  // namespace tactus::sweep
