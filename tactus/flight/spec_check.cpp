// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/spec_check.h"

#include "tactus/files/disk_files.h"
#include "tactus/files/text_file.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/scenario/assembly.h"
#include "tactus/scenario/warnings.h"
#include "tactus/spec/toml/toml_document.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

/// The key of a mistake is where it shows, not always where it was made: what is not plausible
/// points there.
std::vector<std::string> warnings_besides(const PlacedError& mistake, const LoadedSpec& loaded) {
  SpecWarnings warnings;
  try {
    warnings = vehicle_type(loaded.spec).plausibility(loaded.spec);
  } catch (const Error&) {
    return {};  // the mistake itself
  }
  std::erase_if(warnings, [&](const SpecWarning& w) { return w.key == mistake.key(); });
  return warning_lines(loaded, warnings);
}

}  // namespace

SpecCheck check_spec_text(std::string_view text, const std::string& file,
                          std::span<const Override> overrides) {
  SpecCheck check;
  try {
    check.mistakes = spec_mistakes_in_text(text, file, overrides);
    if (!check.mistakes.empty()) return check;
    LoadedSpec loaded = load_spec_text(text, file, overrides);
    try {
      assemble(loaded, {.external = external_autopilots()});
    } catch (const PlacedError& mistake) {
      check.warnings = warnings_besides(mistake, loaded);
      throw;
    }
    check.warnings = spec_warnings(loaded);
    check.loaded = std::move(loaded);
  } catch (const Error& error) {
    check.mistakes.push_back(error);
  }
  return check;
}

SpecCheck check_spec(const std::string& name, std::span<const Override> overrides) {
  try {
    const std::string path = find_spec(name);
    return check_spec_text(read_text_file(path), path, overrides);
  } catch (const Error& error) {
    return {{error}, {}, {}};
  }
}

}  // namespace tactus
