// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/spec_check.h"

#include "tactus/core/text_file.h"
#include "tactus/scenario/assembly.h"
#include "tactus/scenario/toml_document.h"
#include "tactus/scenario/warnings.h"

namespace tactus {

SpecCheck check_spec_text(std::string_view text, const std::string& file,
                          std::span<const Override> overrides) {
  SpecCheck check;
  try {
    check.mistakes = spec_mistakes_in_text(text, file, overrides);
    if (!check.mistakes.empty()) return check;
    LoadedSpec loaded = load_spec_text(text, file, overrides);
    assemble(loaded);
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
