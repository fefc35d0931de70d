// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Short ways to fly a spec and keep the recording in memory.

#include <memory>
#include <span>
#include <string>

#include "tactus/files/disk_files.h"
#include "tactus/record/recording_meta.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus::testing {

/// Paths in the text are those of a file in scenarios/: `extends = "../aircraft/iris.toml"`.
inline LoadedSpec load_text(const std::string& text, std::span<const Override> overrides = {}) {
  return load_spec_text(text, data_root() + "/scenarios/recorded.toml", overrides);
}

inline std::shared_ptr<const Recording> record(const LoadedSpec& loaded, Tier tier) {
  Assembly flight = assemble(loaded.spec);
  MemorySink sink;
  StreamRecorderSetup setup;
  setup.meta = recording_meta(loaded, tier, {});
  setup.wind_is_linear = loaded.spec.world.wind.rule == WindRule::kLinear;
  StreamRecorder recorder(setup, sink);
  Observers observers;
  observers.recorders.push_back(&recorder);
  fly(flight.run, observers);
  return sink.recording();
}

}  // namespace tactus::testing
