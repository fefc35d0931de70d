// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/run/options.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>

#include "cli/common/duration_option.h"
#include "cli/common/print.h"
#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/core/time.h"
#include "tactus/flight/pace/time_mode.h"
#include "tactus/link/net/socket.h"

namespace tactus::cli {
namespace {

constexpr std::uint64_t kMostSeeds = 1'000'000;

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

std::optional<TimeMode> mode_of_speed(const std::string& text, bool with_ground_station,
                                      bool quiet) {
  if (text.empty()) {
    if (with_ground_station && !quiet) {
      print_error("ground stations may take part, so it flies in real time; --speed changes that");
    }
    return std::nullopt;
  }
  if (text == "max") return TimeMode::lockstep();
  double factor = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, factor);
  const bool whole = error == std::errc() && stop == end;
  if (whole && factor >= kSlowestFactor && factor <= kFastestFactor) {
    return TimeMode::scaled(factor);
  }
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
