// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/warnings.h"

#include "tactus/spec/schema/spec_places.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {

std::vector<std::string> warning_lines(const LoadedSpec& loaded, const SpecWarnings& warnings) {
  std::vector<std::string> lines;
  for (const SpecWarning& warning : warnings) {
    const std::string key = loaded.places->place_of(warning.key);
    lines.push_back(loaded.places->describe(key.empty() ? warning.key : key, warning.text));
  }
  return lines;
}

std::vector<std::string> spec_warnings(const LoadedSpec& loaded) {
  SpecWarnings warnings = vehicle_type(loaded.spec).plausibility(loaded.spec);
  const SpecWarnings idle = idle_warnings(loaded.spec);
  warnings.insert(warnings.end(), idle.begin(), idle.end());
  return warning_lines(loaded, warnings);
}

}  // namespace tactus
