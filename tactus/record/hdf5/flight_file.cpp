// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/flight_file.h"

#include <fmt/format.h>

#include "tactus/core/error.h"
#include "tactus/record/hdf5/recording_file.h"

namespace tactus {

std::shared_ptr<const Recording> read_flight(const std::string& path) {
  std::shared_ptr<const Recording> recording = read_recording(path);
  if (recording->of_fleet()) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{} is the recording of a bridge, which is no flight; name that of a "
                            "vehicle beside it (vehicle_N.h5)",
                            path));
  }
  if (recording->require("boundary").size() > 0) return recording;
  throw Error(ExitCode::kBadInput, fmt::format("{} {}; record the flight again", path, kNoRows));
}

}  // namespace tactus
