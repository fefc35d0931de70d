// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a campaign file says beside its spec: [campaign], [design], [[vary]] and [[measure]]. Every
// mistake is one line, "file:line:column: key = value: reason", as PlacedError(kBadInput).
// docs/campaigns.md lists the keys.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/files.h"
#include "tactus/core/time.h"
#include "tactus/spec/model/attached_file.h"
#include "tactus/spec/reader/spec_template.h"
#include "tactus/spec/toml/toml_document.h"
#include "tactus/sweep/design/distribution.h"
#include "tactus/sweep/design/point_set.h"

namespace tactus::sweep {

/// Keys of a campaign file that are no part of its spec.
inline constexpr std::string_view kCampaignKeys[] = {"campaign", "design", "vary", "measure"};

enum class MeasureKind : std::uint8_t {
  kMin,
  kMax,
  kMean,
  kRms,
  kFinal,
  kIntegral,
  kCrossingTime,
  kPercentile,
};
inline constexpr const char* kMeasureNames[] = {
    "min", "max", "mean", "rms", "final", "integral", "time_of_crossing", "percentile"};

/// A signal reduced to one number over a window, which ends at a crash at the latest.
struct Measure {
  std::string id;
  std::string signal;
  MeasureKind kind = MeasureKind::kMax;
  TimeUs from;
  std::optional<TimeUs> to;  ///< none: the end of the flight
  double level = 0.0;        ///< kCrossingTime
  bool falls = false;        ///< kCrossingTime: from above
  double percent = 50.0;     ///< kPercentile
  TomlPosition at;           ///< for messages
};

/// One [[vary]]: one key, correlated keys, or columns of a table.
struct Vary {
  std::vector<VariedKey> keys;
  bool relative = false;  ///< times the value of the spec
  /// Of one key; also of the row of a table.
  Distribution distribution;
  std::size_t levels = 0;       ///< of designs that go through levels; 0: as the distribution has
  std::vector<TomlNode> words;  ///< a choice or list of what is no number
  std::optional<CorrelatedNormals> correlated;  ///< of all keys
  std::vector<std::vector<TomlNode>> rows;      ///< of a table, one value per key
  TomlPosition at;
};

struct CampaignFile {
  std::uint64_t seed = 1;
  bool flight_seed_varies = true;
  int retries = 1;  ///< of a sample whose autopilot was lost
  Design design;
  std::uint64_t samples = 0;  ///< 0: not given
  std::vector<Vary> varied;
  std::vector<Measure> measures;
  std::vector<AttachedFile> tables;  ///< the CSV files, by the names that the file has for them
  TomlPosition design_at;
};

/// `attached` are used instead of files of their names.
CampaignFile read_campaign_file(const Files& files, std::string_view text, const std::string& file,
                                const std::vector<AttachedFile>& attached = {});

}  // namespace tactus::sweep
