// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The log as a CSV file, byte-identical for the same flight on every machine:
//
//   # tactus 0.1.0 schema=tactus.log/1 bus=1 spec=<32 hex> seed=1 digest=<32 hex>
//   # name=default motors=4 servos=0 packs=1 buses=1 gear_points=4
//   time_us,high_level.armed,…,solver.kinks
//   0,0,…
//
// Columns are the leaves of the bus under their own names, which carry the unit, then the totals of
// the solver, then the attitudes of truth and estimate as angles: yaw from north, pitch and roll in
// degrees, in that order (ZYX), derived from the quaternions when they are written. Integers, flags
// (0, 1) and enums are integers; reals are the shortest text that reads back as the same double;
// what is unused is "nan". The digest is that of the flight; a run that did not get to its end has
// "incomplete" in its place. Without a provenance the comment lines are left out, and the first
// line names the columns, as most readers of CSV want it. Commit, compiler, paths and wall-clock
// figures are left out on purpose.
//
// Text is made and written by a thread of its own (write_behind.h): the stepping thread copies the
// row. After begin() nothing is allocated. What cannot be written is Error(kEnvironment) that names
// the path, thrown by a later row or by end(); the file is closed in every case.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/engine/observer.h"
#include "tactus/files/output_file.h"
#include "tactus/record/write_behind.h"
#include "tactus/signal/bus.h"

namespace tactus {

inline constexpr char kLogSchema[] = "tactus.log/1";

/// An older log is replaced once the new one is closed; a new one can be followed as it grows.
inline constexpr OutputRules kLogRules{
    .replaces = true, .keeps_hdf5 = true, .streams = true, .rewinds = true, .named_early = true};
/// Without comment lines there is no digest to put in at the end, so it may go into a pipe.
constexpr OutputRules log_rules(bool plain) {
  OutputRules rules = kLogRules;
  rules.rewinds = !plain;
  return rules;
}

/// What the comment lines say about the flight.
struct LogProvenance {
  std::string name;       ///< of the spec
  Digest128 spec_digest;  ///< of its resolved content
  std::uint64_t seed = 0;
};

class CsvLog final : public LogSink {
 public:
  /// Without provenance it has no comment lines.
  CsvLog(std::unique_ptr<OutputFile> file, std::optional<LogProvenance> provenance);
  /// Throws Error(kEnvironment) if the file cannot be written.
  CsvLog(const std::string& path, std::optional<LogProvenance> provenance)
      : CsvLog(std::make_unique<OutputFile>(path, kLogRules), std::move(provenance)) {}

  /// Once.
  void begin(const VehicleCounts& counts) override;
  void row(const LogRow& row) override;
  void end(Digest128 flight_digest, bool complete) override;

  [[nodiscard]] std::uint64_t rows() const { return rows_; }

 private:
  static constexpr std::size_t kMaxNumber = 32;  ///< the longest double needs 24
  /// What a column showed in the row before.
  struct LastText {
    std::uint64_t bits = 0;
    std::size_t size = 0;
    char text[kMaxNumber];
  };

  struct Row {
    TimeUs time;
    Bus bus;
    SolverTotals solver;
  };
  static constexpr std::size_t kRowsPerBlock = 64;
  struct Block {
    std::vector<Row> rows;
    Block() { rows.reserve(kRowsPerBlock); }
  };

  [[nodiscard]] std::string comment_lines();
  void write_head();
  void write_rows(Block& block);
  void write_row(const Row& row);
  template <class Number>
  void append_number(Number number);
  void append_real(double number, LastText& last);
  void append_angles(Quat attitude);
  void append_leaf(std::size_t column, const Bus& bus);
  void flush();
  void require_written();
  void patch_digest(Digest128 flight_digest);

  std::optional<LogProvenance> provenance_;
  VehicleCounts counts_;
  std::vector<BusLeaf> leaves_;       ///< without time_us, which is the row's own
  std::vector<LastText> last_texts_;  ///< as leaves_
  std::unique_ptr<OutputFile> file_;  ///< until the end, or a write that failed
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::size_t digest_position_ = 0;
  std::uint64_t rows_ = 0;
  Block* block_ = nullptr;  ///< being filled
  std::unique_ptr<WriteBehind<Block>> writer_;
};

}  // namespace tactus
