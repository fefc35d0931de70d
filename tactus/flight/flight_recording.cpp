// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/flight_recording.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace tactus {
namespace {

StreamRecorderSetup setup_of(const LoadedSpec& loaded, const RecordOptions& options) {
  StreamRecorderSetup setup;
  setup.meta = recording_meta(loaded, options.tier, options.build);
  setup.wind_is_linear = loaded.spec.world.wind.rule == WindRule::kLinear;
  setup.snapshot_period = options.snapshots;
  return setup;
}

}  // namespace

void require_snapshots(DurationUs period, const Spec& spec) {
  if (period <= spec.timeline.end) return;
  throw Error(ExitCode::kBadInput,
              fmt::format("snapshots every {}: at most {}; the run ends there, and no state would "
                          "be saved before",
                          to_text(period), to_text(spec.timeline.end)));
}

double RecordedFile::kb_per_minute(TimeUs end) const {
  const double minutes = to_seconds(end) / 60.0;
  return minutes > 0.0 ? static_cast<double>(bytes) / 1000.0 / minutes : 0.0;
}

RecordedFile recorded_file(const std::string& path, Tier tier) {
  std::error_code gone;
  const std::uintmax_t bytes = std::filesystem::file_size(path, gone);
  return {path, tier, gone ? 0 : bytes};
}

FlightRecording::FlightRecording(const LoadedSpec& loaded, RecordOptions options)
    : path_(options.file->path()),
      tier_(options.tier),
      sink_(std::move(options.file)),
      recorder_(setup_of(loaded, options), sink_) {}

void RecordingToTheEnd::end(const RecordingEnd& end) {
  try {
    file.end(end);
  } catch (const Error& failure) {
    error = failure;
  }
}

void LogToTheEnd::end(Digest128 flight_digest, bool complete) {
  try {
    log.end(flight_digest, complete);
  } catch (const Error& failure) {
    error = failure;
  }
}

}  // namespace tactus
