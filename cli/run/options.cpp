// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/duration_option.h"
#include "cli/overrides.h"
#include "tactus/bridge/time_mode.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/core/text_file.h"
#include "tactus/core/time.h"
#include "tactus/link/socket.h"
#include "tactus/scenario/toml_document.h"

namespace tactus::cli {
namespace {

constexpr std::uint64_t kMostSeeds = 1'000'000;

std::string quoted(const std::string& text) { return to_toml(std::string_view(text)); }

/// Where a program is does not depend on where a recording of its flight is looked at.
std::string quoted_path(const std::string& text) {
  for (const std::string& path : {std::filesystem::absolute(text).string(), text}) {
    if (is_utf8(path)) return quoted(path);
  }
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: a spec names files in UTF-8, and this name is none; rename it, or "
                          "reach it by a symbolic link",
                          text));
}

bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

std::vector<std::string> missions_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  // tidy: allow directory-order, the names are sorted below
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A path as it is, or a name in missions/ of the data root, with or without its ending.
std::string find_mission(const std::string& name) {
  if (is_file(name)) return name;
  const std::filesystem::path folder = std::filesystem::path(data_root()) / "missions";
  for (const char* ending : {"", ".waypoints", ".plan"}) {
    const std::filesystem::path shipped = folder / (name + ending);
    if (is_file(shipped)) return shipped.string();
  }
  if (!is_missing(name)) {
    std::error_code ignored;
    const bool seen = std::filesystem::exists(name, ignored);
    throw Error(seen ? ExitCode::kBadInput : ExitCode::kEnvironment,
                fmt::format("--mission {}: {}", shortened(name, 1000), why_no_file(name)));
  }
  const std::vector<std::string> names = missions_in(folder);
  const std::string known =
      names.empty() ? fmt::format("there is no such file, and no missions in {}", folder.string())
                    : fmt::format("neither a file nor one of {} in {}", fmt::join(names, ", "),
                                  folder.string());
  throw Error(ExitCode::kBadInput, fmt::format("--mission {}: {}", shortened(name, 1000), known));
}

/// Seeds end where the integers of TOML do, so that every seed can stand in a spec.
std::uint64_t parse_seed(std::string_view text, const char* option) {
  constexpr std::uint64_t kGreatest = std::numeric_limits<std::int64_t>::max();
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc() && stop == end && seed <= kGreatest) return seed;
  throw Error(ExitCode::kBadInput,
              fmt::format("{}: \"{}\" must be a whole number from 0 to {}, the greatest of TOML",
                          option, text, kGreatest));
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
    {"--mission", "autopilot.mission", &RunOptions::mission,
     [](const std::string& text) { return quoted_path(find_mission(text)); }},
};

/// What options say about keys. One that --set says too would be ignored without a word.
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
  if (options.repeatable) list.add("--repeatable", {"autopilot.outside.repeatable", "true"});
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

/// A word that a POSIX shell reads as it is.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace

SeedRange parse_seeds(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    throw Error(ExitCode::kBadInput,
                fmt::format("--seeds: \"{}\" is not a range such as 0..999", text));
  }
  SeedRange range;
  range.first = parse_seed(std::string_view(text).substr(0, dots), "--seeds");
  range.last = parse_seed(std::string_view(text).substr(dots + 2), "--seeds");
  if (range.last < range.first || range.last - range.first >= kMostSeeds) {
    throw Error(
        ExitCode::kBadInput,
        fmt::format("--seeds: \"{}\" must count upwards, at most {} seeds", text, kMostSeeds));
  }
  return range;
}

std::optional<double> parse_speed(const std::string& text) {
  if (text == "max") return std::nullopt;
  double factor = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, factor);
  const bool whole = error == std::errc() && stop == end;
  if (whole && factor >= kSlowestFactor && factor <= kFastestFactor) return factor;
  throw Error(ExitCode::kBadInput,
              fmt::format("--speed: \"{}\" must be max or from {} to {} times real time", text,
                          kSlowestFactor, kFastestFactor));
}

GroundStationSpec parse_gcs(const std::string& text) {
  GroundStationSpec station;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) station.host = text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  const char* const end = port.data() + port.size();
  const auto [stop, error] = std::from_chars(port.data(), end, station.port);
  const bool usable = error == std::errc() && stop == end && station.port > 0;
  if (usable && station.port <= 65535 && parse_ipv4(station.host)) return station;
  throw Error(ExitCode::kBadInput,
              fmt::format("--gcs {}: must be PORT or HOST:PORT, where HOST is an IPv4 address such "
                          "as 127.0.0.1 and PORT is from 1 to 65535; QGroundControl listens on "
                          "14550",
                          text));
}

DurationUs parse_snapshots(const std::string& text, DurationUs end) {
  DurationRange range;
  range.longest = end;
  range.why_longest = "the run ends there, and no state would be saved before";
  return duration_option(text, "--snapshots", range);
}

RecordOptions record_options(const RunOptions& options, const Spec& spec) {
  RecordOptions record;
  record.tier = static_cast<Tier>(options.tier);
  if (!options.snapshots.empty()) {
    record.snapshots = parse_snapshots(options.snapshots, spec.timeline.end);
  }
  return record;
}

namespace {

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
  require("--repeatable", options.repeatable, px4_sitl || ardupilot, "px4-sitl and ardupilot");
}

}  // namespace

[[noreturn]] void refuse_option(const RunOptions& options, const PlacedError& error) {
  for (const SpecOption& option : kSpecOptions) {
    const std::string& text = options.*option.text;
    if (!error.at().file.empty() || error.key() != option.key || text.empty()) continue;
    const std::string message = error.what();
    const std::size_t reason = message.find(": ");
    if (reason == std::string::npos) break;
    throw Error(error.code(), fmt::format("{} {}{}", option.option, text, message.substr(reason)));
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

std::string command_for_seed(const RunOptions& options, std::uint64_t seed) {
  std::string command = "tactus run " + shell_word(options.spec);
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", option, shell_word(value));
  };
  for (const std::string& set : options.sets) add("--set", set);
  add("--t-end", options.t_end);
  add("--mission", options.mission);
  add("--autopilot", options.autopilot);
  add("--px4-lib", options.px4_lib);
  add("--log-period", options.log_period);
  if (options.strict) command += " --strict";
  add("--seed", format_integer(seed));
  return command;
}

}  // namespace tactus::cli
