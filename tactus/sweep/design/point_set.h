// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Designs of experiments: points of the unit cube, one axis per varied key. A coordinate is a pure
// function of (design, seed, key, sample): nothing is stored, samples can be taken in any order and
// anywhere.
//
// What stays when the design changes:
//                    another key          another number of rows
//   monte_carlo      the others stay      the samples stay, more come
//   latin_hypercube  the others stay      all move: the strata are as many as the rows
//   sobol            the others stay if   the samples stay, more come (whole powers of two keep
//                    it comes last        the balance)
//   grid, corners,   all move             (their number follows from the levels)
//   one_at_a_time
// Saltelli rows have a sample per key more when a key is added, so all samples move.
//
// Replicates: R independent randomisations of latin_hypercube or sobol, each with `rows` rows, so
// that an interval follows from R means. They take turns: row r of replicate k is run r * R + k,
// and a prefix is balanced.
//
// Saltelli rows: each row of a design of twice as many axes gives two points A and B and, for every
// axis i, the point AB_i, which is A with coordinate i of B: d + 2 samples one after the other
// (Saltelli et al., "Variance based sensitivity analysis of model output", 2010).

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/random.h"

namespace tactus::sweep {

enum class DesignKind : std::uint8_t {
  kMonteCarlo,
  kLatinHypercube,
  kSobol,
  kGrid,        ///< every combination of levels, the last axis fastest
  kCorners,     ///< every combination of the first and last levels
  kOneAtATime,  ///< a sample in which nothing moves, then one axis after the other along its levels
};

struct Design {
  DesignKind kind = DesignKind::kMonteCarlo;
  std::uint64_t seed = 0;
  /// Of each replicate. Designs of levels have as many as follow from these and ignore it.
  std::uint64_t rows = 0;
  std::uint64_t replicates = 1;
  bool saltelli = false;
};

struct DesignAxis {
  std::string key;             ///< chooses the random numbers: unique
  std::vector<double> levels;  ///< coordinates, for designs of levels (Distribution)
};

/// A sample's place in a Saltelli design.
struct SaltelliPlace {
  std::uint64_t row = 0;
  std::size_t block = 0;  ///< 0: A, 1: B, 2 + i: AB_i
};

class PointSet {
 public:
  /// Throws Error for a design that there cannot be; keys as in a campaign file: `design.rows`.
  PointSet(const Design& design, std::vector<DesignAxis> axes);

  /// How many samples there are.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::size_t axis_count() const { return axes_.size(); }

  /// In (0, 1), or a level of the axis; 0.5 where the axis does not move.
  [[nodiscard]] double coordinate(std::uint64_t sample, std::size_t axis) const;

  /// False: in this sample the key keeps the value it has without the campaign (one_at_a_time).
  [[nodiscard]] bool moves(std::uint64_t sample, std::size_t axis) const;

  [[nodiscard]] std::uint64_t replicate_of(std::uint64_t sample) const;
  [[nodiscard]] SaltelliPlace saltelli_place(std::uint64_t sample) const;

 private:
  [[nodiscard]] std::uint64_t samples_per_row() const {
    return design_.saltelli ? axes_.size() + 2 : 1;
  }
  [[nodiscard]] double random_coordinate(std::uint64_t run, std::size_t axis, bool second) const;
  [[nodiscard]] double level_coordinate(std::uint64_t sample, std::size_t axis) const;

  Design design_;
  std::vector<DesignAxis> axes_;
  std::vector<RandomStream> streams_;   ///< one per axis
  std::vector<std::uint64_t> strides_;  ///< of designs of levels: samples per step of an axis
  std::uint64_t size_ = 0;
};

}  // namespace tactus::sweep
