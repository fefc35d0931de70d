// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The recording of a bridge itself, in the format of all recordings (docs/recording_format.md):
//   events     who, what: every miss, drop and recovery
//   vehicles   all of them ten times a second, on the clock that they share
// and, outside every comparison, what the wall clock says:
//   /diagnostics/flying_s, real_time_factor
//   /diagnostics/histograms/of, up_to_ns, count     latency, step; step and wait of each simulator
//   /diagnostics/simulators/name, kind, state, misses, recoveries
//   /diagnostics/waits/time_us, who, wait_ns        those of 10 ms and more

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tactus/bridge/bridge.h"
#include "tactus/core/digest.h"
#include "tactus/record/hdf5/file_sink.h"

namespace tactus {

class BridgeRecorder {
 public:
  /// `meta`: program, name, parameters.
  BridgeRecorder(std::unique_ptr<OutputFile> file, const RecordingMeta& meta);

  /// After the start and after every step, until the end.
  void see(Bridge& bridge);
  /// Once, whatever has happened. `flying_s`: wall time so far.
  void end(Bridge& bridge, bool complete, double flying_s);

 private:
  void give_events(const Bridge& bridge);
  void give_vehicle(const Vehicle& vehicle, TimeUs now);
  void give(std::size_t table, std::vector<std::byte>& row, TimeUs time);
  void diagnose(const Bridge& bridge, double flying_s);

  FileSink sink_;
  std::vector<TableLayout> tables_;
  std::vector<std::byte> event_row_;
  std::vector<std::byte> vehicle_row_;
  RowPart vehicle_signals_;
  Bus bus_;
  std::size_t events_given_ = 0;
  std::optional<std::uint64_t> last_slot_;  ///< tenths of a second
  Digest digest_;                           ///< of all rows
  bool ended_ = false;
};

}  // namespace tactus
