// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A read-only stage hook: prints where the vehicle is every five seconds, and what happens to its
// gear at the microsecond. Observing changes nothing: the digest is that of `tactus run calm`.

#include <cstdio>
#include <exception>

#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace {

class Watcher final : public tactus::StageHook {
 public:
  [[nodiscard]] bool wants(tactus::Stage stage) const override {
    return stage == tactus::Stage::kLog;  // the boundary is complete
  }
  void after(tactus::Stage /*stage*/, const tactus::BoundaryView& view) override {
    if (view.due.time.us % 5'000'000 != 0) return;
    const tactus::Truth& truth = view.bus.truth;
    std::printf("%10.6f s  height %6.2f m  speed %5.2f m/s  item %d\n", to_seconds(view.due.time),
                truth.height_m, truth.speed_m_s, view.bus.autopilot.mission_item);
  }
  void note(const tactus::Note& note) override {
    std::printf("%10.6f s  %s, number %d\n", to_seconds(note.time), note.what, note.index);
  }
};

void watch() {
  const tactus::LoadedSpec loaded = tactus::load_spec(tactus::find_spec("calm"));
  tactus::Assembly flight = tactus::assemble(loaded.spec);
  Watcher watcher;
  tactus::Observers observers;
  observers.hooks = {&watcher, flight.monitor.get()};
  fly(flight.run, observers);
  std::printf("%s, digest %s\n", to_text(flight.monitor->outcome().end),
              to_hex(flight.run.digest()).c_str());
}

}  // namespace

int main() {
  try {
    watch();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hooks: %s\n", error.what());
    return 1;
  }
}
