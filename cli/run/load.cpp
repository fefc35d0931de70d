// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/common/option_error.h"
#include "cli/common/overrides.h"
#include "cli/run/options.h"
#include "tactus/core/error.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/core/time.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/find_mission.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus::cli {
namespace {

std::string quoted(const std::string& text) { return to_toml(std::string_view(text)); }

/// Where a program is does not depend on where a recording of its flight is read.
std::string quoted_path(const std::string& text) {
  for (const std::string& path : {std::filesystem::absolute(text).string(), text}) {
    if (is_utf8(path)) return quoted(path);
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: a spec names files in UTF-8, and this name is none; rename it, or "
                          "reach it by a symbolic link",
                          text));
}

std::string mission_path(const std::string& name) {
  std::string path;
  try {
    path = find_mission(name);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("--mission {}", error.what()));
  }
  return quoted_path(path);
}

/// An option that stands for a key of the spec.
struct SpecOption {
  const char* option;
  const char* key;
  std::string RunOptions::*text;
  std::string (*value)(const std::string& text);  ///< as TOML
};

constexpr char kTEnd[] = "--t-end";
constexpr char kLogPeriod[] = "--log-period";

const SpecOption kSpecOptions[] = {
    {"--seed", "seed", &RunOptions::seed,
     [](const std::string& text) { return format_integer(parse_seed(text, "--seed")); }},
    {kTEnd, "time.end_s", &RunOptions::t_end,
     [](const std::string& text) { return exact_seconds(parse_duration(text, kTEnd)); }},
    {kLogPeriod, "log.period_s", &RunOptions::log_period,
     [](const std::string& text) { return exact_seconds(parse_duration(text, kLogPeriod)); }},
    {"--autopilot", "autopilot.kind", &RunOptions::autopilot, quoted},
    {"--px4-lib", "autopilot.px4.library", &RunOptions::px4_lib, quoted_path},
    {"--px4-bin", "autopilot.px4.binary", &RunOptions::px4_bin, quoted_path},
    {"--px4-romfs", "autopilot.px4.romfs", &RunOptions::px4_romfs, quoted_path},
    {"--ardupilot-bin", "autopilot.ardupilot.binary", &RunOptions::ardupilot_bin, quoted_path},
    {"--mission", "autopilot.mission", &RunOptions::mission, mission_path},
};

/// What options say about keys. One that --set says too would be ignored without a message.
class OptionOverrides {
 public:
  explicit OptionOverrides(const std::vector<std::string>& sets) : list_(overrides_of(sets)) {
    sets_ = list_.size();
  }

  void add(const char* option, Override change) {
    for (std::size_t i = 0; i < sets_; ++i) {
      if (list_[i].key != change.key) continue;
      throw Error(ExitCode::kBadInput,
                  fmt::format("{} and --set {}={} both decide {}; give one of them", option,
                              change.key, list_[i].value, change.key));
    }
    list_.push_back(std::move(change));
  }

  [[nodiscard]] std::vector<Override> take() { return std::move(list_); }

 private:
  std::vector<Override> list_;
  std::size_t sets_ = 0;
};

std::vector<Override> overrides(const RunOptions& options, std::optional<std::uint64_t> seed) {
  OptionOverrides list(options.sets);
  for (const SpecOption& option : kSpecOptions) {
    const std::string& text = options.*option.text;
    if (!text.empty()) list.add(option.option, {option.key, option.value(text)});
  }
  if (options.wait) list.add("--wait", {"autopilot.outside.wait", "true"});
  if (options.attach) list.add("--attach", {"autopilot.outside.attach", "true"});
  if (options.free) list.add("--free", {"autopilot.outside.free", "true"});
  if (!options.gcs.empty()) {
    const GroundStationSpec station = parse_gcs(options.gcs);
    const std::string port = format_integer(std::int64_t{station.port});
    list.add("--gcs", {"autopilot.ground_station.enabled", "true"});
    list.add("--gcs", {"autopilot.ground_station.host", quoted(station.host)});
    list.add("--gcs", {"autopilot.ground_station.port", port});
  }
  if (seed) list.add("--seeds", {"seed", format_integer(*seed)});
  return list.take();
}

/// An option of one autopilot with another would silently do nothing.
void require_its_options(const RunOptions& options, AutopilotKind kind) {
  const bool px4_sitl = kind == AutopilotKind::kPx4Sitl;
  const bool ardupilot = kind == AutopilotKind::kArdupilot;
  const auto require = [](const char* option, bool given, bool used, const char* of) {
    if (!given || used) return;
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: is for --autopilot {}, which does not fly here", option, of));
  };
  require("--px4-lib", !options.px4_lib.empty(), kind == AutopilotKind::kPx4Library, "px4-lib");
  require("--px4-bin", !options.px4_bin.empty(), px4_sitl, "px4-sitl");
  require("--px4-romfs", !options.px4_romfs.empty(), px4_sitl, "px4-sitl");
  require("--ardupilot-bin", !options.ardupilot_bin.empty(), ardupilot, "ardupilot");
  require("--mission", !options.mission.empty(), kind != AutopilotKind::kNone,
          "builtin, px4-lib, px4-sitl or ardupilot");
  require("--gcs", !options.gcs.empty(), kind == AutopilotKind::kBuiltin, "builtin");
  require("--wait", options.wait, px4_sitl || ardupilot, "px4-sitl and ardupilot");
  require("--attach", options.attach, px4_sitl || ardupilot, "px4-sitl and ardupilot");
  require("--trace-autopilot", !options.trace_autopilot.empty(), px4_sitl || ardupilot,
          "px4-sitl and ardupilot");
  require("--free", options.free, px4_sitl || ardupilot, "px4-sitl and ardupilot");
}

}  // namespace

[[noreturn]] void refuse_option(const RunOptions& options, const PlacedError& error) {
  for (const SpecOption& option : kSpecOptions) {
    if (!error.at().file.empty()) break;
    rethrow_as_option(error, option.key, option.option, options.*option.text);
  }
  throw error;
}

LoadedSpec load(const RunOptions& options, std::optional<std::uint64_t> seed) {
  LoadedSpec loaded;
  try {
    loaded = load_spec(find_spec(options.spec), overrides(options, seed));
  } catch (const PlacedError& error) {
    refuse_option(options, error);
  }
  require_its_options(options, loaded.spec.autopilot);
  const ExternalSpec& external = loaded.spec.external;
  if (!options.trace_autopilot.empty() && (external.free || external.wait)) {
    throw Error(
        ExitCode::kBadInput,
        "--trace-autopilot: only a program under the conductor has a trace, not one that is "
        "free (--free, --wait)");
  }
  if (!options.log.empty() && loaded.spec.log.period.us == 0) {
    throw Error(
        ExitCode::kBadInput,
        fmt::format("--log {}: no rows are written because {}; give --log-period, e.g. 20ms",
                    options.log,
                    options.log_period.empty() ? "log.period_s = 0 in the spec"
                                               : "--log-period is " + options.log_period));
  }
  return loaded;
}

}  // namespace tactus::cli
