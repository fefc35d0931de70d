// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a user may say to `tactus run`, and what it means: options that change the flight become
// overrides of the spec, so that a flight is decided by its spec alone.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/flight/flight_recording.h"
#include "tactus/flight/pace/time_mode.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/toml/toml_document.h"
#include "tactus/sweep/seeds/seeds.h"

namespace tactus::cli {

inline constexpr char kDefaultSpec[] = "default";

struct RunOptions {
  std::string spec = kDefaultSpec;
  std::vector<std::string> sets;  ///< KEY=VALUE
  std::string seed;               ///< empty: that of the spec, as below
  std::string t_end;
  std::string mission;
  std::string autopilot;
  std::string px4_lib;
  std::string px4_bin;
  std::string px4_romfs;
  std::string ardupilot_bin;
  std::string gcs;  ///< "[HOST:]PORT"; empty: none
  bool wait = false;
  bool free = false;
  std::string log_period;
  std::string speed;  ///< empty: max, or real time with a ground station
  std::string log;
  bool log_plain = false;  ///< without comment lines
  std::string record;
  int tier = 0;           ///< of the recording
  std::string snapshots;  ///< empty: none
  std::string junit;
  std::string seeds;  ///< "A..B"
  int jobs = 0;       ///< 0: one per processor
  bool json = false;
  bool quiet = false;
  bool validate = false;
  bool strict = false;  ///< warnings fail the run
};

/// A whole number as a seed. Seeds end where the integers of TOML do, so that every seed can stand
/// in a spec. Throws Error(kBadInput) that names the option.
std::uint64_t parse_seed(std::string_view text, const char* option);

/// "0..999". Throws Error(kBadInput).
SeedRange parse_seeds(const std::string& text);

/// Of --speed: "max", or how many times real time; not given: none, and unless `quiet` a sentence
/// if a ground station decides. Throws Error(kBadInput).
std::optional<TimeMode> mode_of_speed(const std::string& text, bool with_ground_station,
                                      bool quiet);

/// Where `--gcs [HOST:]PORT` points. Throws Error(kBadInput).
GroundStationSpec parse_gcs(const std::string& text);

/// The time between saved states of a run that lasts until `end`. Throws Error(kBadInput).
DurationUs parse_snapshots(const std::string& text, DurationUs end);

/// What the options say about the recording of that flight. Throws Error(kBadInput).
RecordOptions record_options(const RunOptions& options, const Spec& spec);

/// Reads the spec with everything that the options change; `seed` replaces that of the options.
LoadedSpec load(const RunOptions& options, std::optional<std::uint64_t> seed = {});

/// Throws the error again, with the option that the user typed if one decides.
[[noreturn]] void refuse_option(const RunOptions& options, const PlacedError& error);

/// The command that flies one seed of these options again.
std::string command_for_seed(const RunOptions& options, std::uint64_t seed);

}  // namespace tactus::cli
