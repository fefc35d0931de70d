// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Several log sinks on one flight: two columns in memory, and everything as CSV if a path is given.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/record/csv_log.h"
#include "tactus/record/memory_log.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/reader/load_spec.h"

namespace {

void log_flight(const char* csv_path) {
  const tactus::Spec spec = tactus::load_spec(tactus::find_spec("calm")).spec;
  tactus::Assembly flight = tactus::assemble(spec);

  tactus::MemoryLog columns({"truth.height_m", "battery[0].voltage_v"});
  std::optional<tactus::CsvLog> csv;
  if (csv_path != nullptr) {
    csv.emplace(csv_path, tactus::LogProvenance{spec.name, spec.digest, spec.seed});
  }
  tactus::Observers observers;
  observers.sinks.push_back(&columns);
  if (csv) observers.sinks.push_back(&*csv);
  fly(flight.run, observers);

  const std::vector<double>& height_m = columns.column("truth.height_m");
  const std::vector<double>& voltage_v = columns.column("battery[0].voltage_v");
  const auto highest = std::max_element(height_m.begin(), height_m.end()) - height_m.begin();
  const auto lowest = std::min_element(voltage_v.begin(), voltage_v.end()) - voltage_v.begin();
  const auto time_s = [&](auto row) {
    return to_seconds(columns.times()[static_cast<std::size_t>(row)]);
  };
  std::printf("%zu rows\n", columns.times().size());
  std::printf("highest  %8.3f m at %7.3f s\n", height_m[static_cast<std::size_t>(highest)],
              time_s(highest));
  std::printf("lowest   %8.3f V at %7.3f s\n", voltage_v[static_cast<std::size_t>(lowest)],
              time_s(lowest));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    log_flight(argc > 1 ? argv[1] : nullptr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "log_columns: %s\n", error.what());
    return 1;
  }
}
