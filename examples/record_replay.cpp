// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The smallest round: flies the default mission and records it into a file, reads the file back,
// and flies what was recorded: the scenario, the wind and the commands come from the file, the
// plant is integrated anew. Everything that the plant reports has the same bits. As commands:
// tactus run --record flight.h5 && tactus replay flight.h5 --plant

#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>

#include "tactus/files/disk_files.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/hdf5/recording_file.h"
#include "tactus/record/recording_meta.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/replay/playback/flight_part.h"
#include "tactus/scenario/assembly.h"

namespace {

using tactus::Recording;

void record(const std::string& path) {
  const tactus::LoadedSpec loaded = tactus::load_spec(tactus::find_spec("default"));
  tactus::Assembly flight = tactus::assemble(loaded.spec);
  tactus::FileSink file(path);
  tactus::StreamRecorder recorder({recording_meta(loaded, tactus::Tier::kPlant, {})}, file);
  tactus::Observers observers;
  observers.recorders = {&recorder};
  fly(flight.run, observers);
}

std::shared_ptr<const Recording> replay(const std::shared_ptr<const Recording>& recording) {
  const auto inputs = plant_inputs(recording, tactus::BringBack::kScheduled);
  tactus::AssembleOptions options;
  for (const auto& input : inputs) options.instead.push_back(input.get());
  tactus::Assembly flight = tactus::assemble(recorded_spec(*recording).spec, options);
  tactus::MemorySink memory;
  tactus::StreamRecorder recorder({recording->meta}, memory);
  tactus::Observers observers;
  observers.recorders = {&recorder};
  fly(flight.run, observers);
  return memory.recording();
}

/// Bytes of the true motion, the batteries and the rotors that differ between two logs.
std::size_t different_bytes(const tactus::Table& a, const tactus::Table& b) {
  if (a.layout != b.layout || a.size() != b.size()) return a.rows.size();
  std::size_t different = 0;
  for (const tactus::RowField& field : a.layout.fields) {
    const bool of_plant = field.path.starts_with("/log/truth/") ||
                          field.path.starts_with("/log/battery/") ||
                          field.path.starts_with("/log/esc/");
    for (std::size_t i = 0; of_plant && i < a.size(); ++i) {
      const std::byte* const x = a.row(i).data() + field.offset;
      const std::byte* const y = b.row(i).data() + field.offset;
      if (std::memcmp(x, y, field.bytes()) != 0) different += field.bytes();
    }
  }
  return different;
}

int record_and_replay(const std::string& path) {
  record(path);
  const auto recorded = tactus::read_recording(path);
  const auto replayed = replay(recorded);
  const tactus::Table& log = recorded->require("log");
  const std::size_t different = different_bytes(log, replayed->require("log"));
  std::printf("%s: %zu log rows, %zu bytes differ in the replay of the plant\n",
              recorded->meta.name.c_str(), log.size(), different);
  return different == 0 ? 0 : 1;
}

}  // namespace

int main() {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "tactus_record_replay.h5";
  int code = 1;
  try {
    std::filesystem::remove(path);
    code = record_and_replay(path.string());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record_replay: %s\n", error.what());
  }
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return code;
}
