// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A recording of one build, replayed by another. Prints the flight digest, or says what differs.
// The file is the memory of a Recording, piece by piece: there is no HDF5 for the cross compiler.
// usage: replay record FILE | replay play FILE

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/files/disk_files.h"
#include "tactus/record/recording_meta.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/replay/replay.h"
#include "tactus/scenario/assembly.h"

namespace tactus::same_bits {
namespace {

/// Writes or reads, so that both follow one description.
class RawFile {
 public:
  RawFile(const std::string& path, bool writes)
      : writes_(writes), file_(std::fopen(path.c_str(), writes ? "wb" : "rb"), &std::fclose) {
    if (!file_) throw Error(ExitCode::kEnvironment, path + ": cannot be opened");
  }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) { bytes(&value, sizeof value); }
  void operator()(std::string& text) {
    resize(text);
    bytes(text.data(), text.size());
  }
  void operator()(std::vector<std::byte>& data) {
    resize(data);
    bytes(data.data(), data.size());
  }
  template <class T, class Visit>
  void list(std::vector<T>& entries, Visit&& visit) {
    resize(entries);
    for (T& entry : entries) visit(entry);
  }

 private:
  template <class Container>
  void resize(Container& container) {
    std::uint64_t size = container.size();
    (*this)(size);
    if (!writes_) container.resize(size);
  }
  void bytes(void* data, std::size_t size) {
    const std::size_t done =
        writes_ ? std::fwrite(data, 1, size, file_.get()) : std::fread(data, 1, size, file_.get());
    if (done != size) throw Error(ExitCode::kEnvironment, "the recording is cut off");
  }

  bool writes_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

void visit(RawFile& file, RecordingMeta& meta) {
  file(meta.name);
  file(meta.spec);
  file.list(meta.files, [&](AttachedFile& attached) {
    file(attached.name);
    file(attached.content);
  });
  file(meta.spec_digest);
  file(meta.tier);
  file(meta.counts);
  file.list(meta.sources, [&](SourceRecord& source) { file(source.writes); });
  file.list(meta.event_ids, [&](std::string& id) { file(id); });
}

void visit(RawFile& file, RowField& field) {
  file(field.path);
  file(field.unit);
  file(field.labels);
  file(field.kind);
  file(field.width);
  file(field.offset);
}

void visit(RawFile& file, Recording& recording) {
  visit(file, recording.meta);
  file.list(recording.tables, [&](Table& table) {
    file(table.layout.name);
    file(table.layout.rule);
    file(table.layout.period);
    file(table.layout.row_size);
    file.list(table.layout.fields, [&](RowField& field) { visit(file, field); });
    file(table.rows);
  });
  file(recording.end);
}

/// Takeoff of the default mission in turbulence: feet leave the ground, every part is at work.
Digest128 record(const std::string& path) {
  const Override shorter[] = {{"time.end_s", "10.0"}};
  const LoadedSpec spec = load_spec(find_spec("default"), shorter);
  Assembly flight = assemble(spec.spec);
  MemorySink sink;
  StreamRecorderSetup setup;
  setup.meta = recording_meta(spec, Tier::kComponents, {});
  StreamRecorder recorder(setup, sink);
  Observers observers{{}, {}, {&recorder}};
  fly(flight.run, observers);
  Recording recording = *sink.recording();
  RawFile file(path, true);
  visit(file, recording);
  return recording.end.flight_digest;
}

Digest128 play(const std::string& path) {
  const auto recording = std::make_shared<Recording>();
  RawFile file(path, false);
  visit(file, *recording);
  const ReplayOutcome outcome = replay(recording, {});
  for (const TableVerdict& table : outcome.tables) {
    if (table.equal()) continue;
    throw Error(ExitCode::kDifferent, table.name + " differs at " + to_text(table.first->time) +
                                          ": " + table.first->leaf);
  }
  if (!outcome.reproduces()) throw Error(ExitCode::kDifferent, "the flight digest differs");
  return *outcome.digest;
}

}  // namespace
}  // namespace tactus::same_bits

int main(int argc, char** argv) {
  try {
    tactus::require_same_bits();
    if (argc != 3) throw tactus::Error(tactus::ExitCode::kBadInput, "replay record|play FILE");
    const bool records = std::string(argv[1]) == "record";
    std::printf("%s\n", to_hex(records ? tactus::same_bits::record(argv[2])
                                       : tactus::same_bits::play(argv[2]))
                            .c_str());
  } catch (const tactus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
