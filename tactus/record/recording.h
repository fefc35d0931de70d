// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A recorded flight: who flew what (meta), and the tables. In memory it is a Recording; in a file,
// docs/recording_format.md. Both are filled row by row through a RowSink.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/time.h"
#include "tactus/record/table.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/model/attached_file.h"

namespace tactus {

/// Version of the layout of recordings; a reader refuses any other.
inline constexpr std::uint32_t kRecordingVersion = 3;

/// What sources wrote: /signals/wind/…
inline constexpr char kSignalsGroup[] = "/signals";
/// What the plant published, and sensors and autopilot read: /outputs/truth/…
inline constexpr char kOutputsGroup[] = "/outputs";
/// The group of a signal as it was exchanged, with a slash at its end.
std::string group_of(Signal signal);

/// A key of the resolved spec.
struct ParameterRecord {
  std::string key;
  std::string value;
  std::string unit;
  bool operator==(const ParameterRecord&) const = default;
};

/// Who writes what an external simulator reports.
inline constexpr char kExternalSimulator[] = "simulator";

/// Who wrote what.
struct SourceRecord {
  std::string name;
  std::string stage;
  std::string mode;  ///< "live" or "replay"
  std::string reads;
  std::string writes;
  bool operator==(const SourceRecord&) const = default;
};

/// The recording that a flight was branched from.
struct ParentRecord {
  std::string name;  ///< its file name, without folders
  Digest128 flight_digest;
  TimeUs at;
  std::string changes;  ///< one per line: "KEY=VALUE", "event ID"
  bool operator==(const ParentRecord&) const = default;
};

struct RecordingMeta {
  std::uint32_t version = kRecordingVersion;
  std::uint32_t bus_version = kBusVersion;
  std::string program;   ///< "tactus 0.1.0"
  std::string commit;    ///< of the program, empty: not known
  std::string compiler;  ///< that built it
  std::string name;      ///< of the spec
  std::string spec;      ///< resolved, as TOML
  std::vector<AttachedFile> files;
  Digest128 spec_digest;
  std::vector<ParameterRecord> parameters;
  std::uint64_t seed = 0;
  Tier tier = Tier::kPlant;
  VehicleCounts counts;
  std::vector<SourceRecord> sources;
  std::vector<std::string> event_ids;  ///< of the scenario, for the events table
  std::vector<std::string> blobs;      ///< paths: "/external/PEER", "/snapshots"
  bool log_interpolates = false;
  std::optional<ParentRecord> parent;
};

/// What is known when the run is over.
struct RecordingEnd {
  TimeUs time;  ///< the last boundary
  Digest128 flight_digest;
  bool complete = false;  ///< the run got to its end
};

/// Takes a recording row by row. Every call comes from the stepping thread.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) = 0;
  virtual void row(std::size_t table, const std::byte* row) = 0;
  /// Bytes of any length: what an external program sent, a snapshot. `blob`: its place in
  /// meta.blobs.
  virtual void blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) = 0;
  /// A boundary is over: everything up to `now` has been given.
  virtual void reached(TimeUs now) = 0;
  /// Called exactly once, also after an error.
  virtual void end(const RecordingEnd& end) = 0;
};

/// Pieces of any length, each with its instant.
struct BlobTrack {
  std::string path;
  struct Piece {
    TimeUs time;
    std::vector<std::byte> bytes;
  };
  std::vector<Piece> pieces;
};

struct Recording {
  RecordingMeta meta;
  std::vector<Table> tables;
  std::vector<BlobTrack> blobs;
  RecordingEnd end;

  /// By name; null: there is none.
  [[nodiscard]] const Table* find(std::string_view table) const;
  /// The same; throws Error(kBadInput) that says what is missing and which tier holds it.
  [[nodiscard]] const Table& require(std::string_view table) const;
  /// The table that holds a signal as it was exchanged (group_of); null: none.
  [[nodiscard]] const Table* signal(Signal signal) const;
  /// Of a bridge with many vehicles (bridge/bridge_recorder.h), not of one flight.
  [[nodiscard]] bool of_fleet() const { return find("vehicles") != nullptr; }
  /// Of a vehicle in an external simulator (bridge/flight_mirror.h): there is no plant.
  [[nodiscard]] bool flown_externally() const;
  /// No source of the run wrote the command: it came from outside the program.
  [[nodiscard]] bool commanded_externally() const;
};

/// Keeps everything in memory.
class MemorySink final : public RowSink {
 public:
  void begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) override;
  void row(std::size_t table, const std::byte* row) override;
  void blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) override;
  void reached(TimeUs now) override;
  void end(const RecordingEnd& end) override;

  /// What was recorded so far; a run that is flown later with this sink starts a new one.
  [[nodiscard]] std::shared_ptr<const Recording> recording() const { return recording_; }

 private:
  std::shared_ptr<Recording> recording_ = std::make_shared<Recording>();
};

}  // namespace tactus
