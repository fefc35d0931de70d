// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/load_spec.h"

#include <fmt/format.h>

#include "tactus/core/error.h"
#include "tactus/spec/reader/spec_merge.h"
#include "tactus/spec/reader/spec_mistakes.h"
#include "tactus/spec/reader/spec_reader.h"

namespace tactus {

Override parse_override(std::string_view text) {
  const std::size_t equals = text.find('=');
  const auto trimmed = [](std::string_view part) {
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    return std::string(part);
  };
  Override override;
  if (equals != std::string_view::npos) {
    override = {trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
  }
  if (override.key.empty()) {
    throw Error(ExitCode::kBadInput,
                fmt::format("--set {}: must be KEY=VALUE, e.g. --set body.mass_kg=1.6", text));
  }
  return override;
}

LoadedSpec load_spec_text(const Files& files, std::string_view text, const std::string& file,
                          std::span<const Override> overrides,
                          std::span<const AttachedFile> attached,
                          std::span<const std::string_view> others) {
  SpecMistakes mistakes;
  std::vector<std::string> extended;
  TomlNode root = merged_tree(files, text, file, overrides, mistakes, &extended, others);
  if (!mistakes.found().empty()) throw mistakes.found().front();
  name_after_file(root, file);
  LoadedSpec loaded = read_spec(files, root, {.attached = attached});
  for (std::string& path : extended) loaded.inputs.push_back({"extends", std::move(path)});
  return loaded;
}

LoadedSpec load_spec(const Files& files, const std::string& path,
                     std::span<const Override> overrides) {
  LoadedSpec loaded = load_spec_text(files, files.read(path), path, overrides);
  loaded.inputs.push_back({"SPEC", path});
  return loaded;
}

}  // namespace tactus
