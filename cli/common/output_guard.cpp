// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/common/output_guard.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <string_view>

#include "tactus/core/error.h"
#include "tactus/files/canonical_path.h"
#include "tactus/flight/external/program_path.h"
#include "tactus/spec/model/external_spec.h"

namespace tactus::cli {
namespace {

/// Whether two names stand for one file, be it there or not. Devices may be written twice.
bool is_same_file(const std::string& a, const std::string& b) {
  struct stat there_a {};
  struct stat there_b {};
  const bool found_a = ::stat(a.c_str(), &there_a) == 0;
  const bool found_b = ::stat(b.c_str(), &there_b) == 0;
  if (found_a && S_ISCHR(there_a.st_mode)) return false;
  if (found_a && found_b) {
    return there_a.st_dev == there_b.st_dev && there_a.st_ino == there_b.st_ino;
  }
  if (found_a != found_b) return false;
  return canonical_path(a) == canonical_path(b);
}

void require_different(const std::string& option_a, const std::string& a,
                       const std::string& option_b, const std::string& b) {
  if (a.empty() || b.empty() || !is_same_file(a, b)) return;
  throw Error(
      ExitCode::kBadInput,
      fmt::format("{} {} and {} {} name the same file; choose another name for the one that "
                  "is written",
                  option_a, a, option_b, b));
}

/// An error of a file also says which option has named it.
template <class Action>
void with_option(const NamedOutput& output, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{} {}", output.option, error.what()));
  }
}

}  // namespace

std::vector<NamedInput> inputs_of(const LoadedSpec& loaded) {
  std::vector<NamedInput> inputs;
  for (const SpecInput& input : loaded.inputs) inputs.push_back({input.key, input.path});
  const ExternalSpec& external = loaded.spec.external;
  inputs.push_back({"autopilot.px4.library",
                    path_or_variable(external.px4_library.library, kPx4LibraryVariable)});
  inputs.push_back(
      {"autopilot.px4.binary", path_or_variable(external.px4_binary, kPx4BinaryVariable)});
  inputs.push_back({"autopilot.ardupilot.binary",
                    path_or_variable(external.ardupilot_binary, kArdupilotVariable)});
  return inputs;
}

void require_outputs(std::span<const NamedInput> inputs, std::span<const NamedOutput> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedOutput& output = outputs[i];
    for (const NamedInput& input : inputs) {
      require_different(output.option, output.path, input.option, input.path);
    }
    for (const NamedOutput& other : outputs.first(i)) {
      require_different(output.option, output.path, other.option, other.path);
    }
  }
  for (const NamedOutput& output : outputs) {
    if (output.path.empty()) continue;
    with_option(output, [&] { OutputFile::require_possible(output.path, output.rules); });
  }
}

std::vector<std::unique_ptr<OutputFile>> reserve_outputs(std::span<const NamedInput> inputs,
                                                         std::span<const NamedOutput> outputs) {
  require_outputs(inputs, outputs);
  std::multimap<std::string, std::size_t> by_name;  // a device may be there twice
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].path.empty()) by_name.emplace(canonical_path(outputs[i].path), i);
  }
  std::vector<std::unique_ptr<OutputFile>> files(outputs.size());
  for (const auto& one : by_name) {
    const NamedOutput& output = outputs[one.second];
    with_option(output, [&] {
      files[one.second] = std::make_unique<OutputFile>(output.path, output.rules);
    });
  }
  return files;
}

void write_file(OutputFile& file, std::string_view text) {
  file.append(text);
  file.require_written();
  file.publish();
}

OutputRules rules_with_force(bool force) {
  return {.replaces = force,
          .streams = true,
          .advice = "choose another name, or --force to replace it"};
}

}  // namespace tactus::cli
