// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Short ways to fly a spec that is written as text, by its own autopilot or by hand.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus::testing {

/// Paths in the text are those of a file in scenarios/: `extends = "../aircraft/iris.toml"`.
inline Spec spec_of(const std::string& text) {
  return load_spec_text(text, data_root() + "/scenarios/golden.toml").spec;
}

/// The Iris of the earlier simulator in calm air with a perfect estimate and nothing to do. Its
/// propeller is quadratic, so that truth can be written down. `more`: keys first, then tables.
inline std::string quiet_iris(const std::string& more) {
  return R"(
    extends = "../aircraft/iris_prior_art.toml"
    wind = { turbulence = "none" }
    estimator = { kind = "truth" }
    autopilot = { mission = "" }
  )" + more +
         R"(
    [[event]]
    id = "arm"
    remove = true
    [[event]]
    id = "start"
    remove = true
    [[expect]]
    id = "complete"
    remove = true
    [[expect]]
    id = "land"
    remove = true
  )";
}

/// Flies to the end; with the monitor of expectations.
inline FlightOutcome fly_spec(Assembly& flight, std::vector<StageHook*> hooks = {},
                              std::vector<LogSink*> sinks = {}) {
  Observers observers{std::move(hooks), std::move(sinks), {}};
  observers.hooks.push_back(flight.monitor.get());
  fly(flight.run, observers);
  return flight.monitor->outcome();
}

using Pilot = std::function<Command(const Bus&)>;

/// Flies to the end with the commands that `pilot` gives at the ticks of the autopilot.
inline Run fly_by_hand(const Spec& spec, const Pilot& pilot, std::vector<StageHook*> hooks = {},
                       std::vector<LogSink*> sinks = {}) {
  Observers observers{std::move(hooks), std::move(sinks), {}};
  AssembleOptions options;
  options.command_from = CommandFrom::kCaller;
  Run run = std::move(assemble(spec, options).run);
  open(run, observers);
  while (!run.finished()) {
    if (proceed(run, observers) == Progress::kNeedsCommand) give_command(run, pilot(run.bus()));
  }
  close(run, observers);
  return run;
}

inline Command all_motors(double drive, int count = 4) {
  Command command;
  for (int i = 0; i < count; ++i) command.motor[i] = drive;
  return command;
}

}  // namespace tactus::testing
