// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Campaigns of flights that are short: a crate that falls.

#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/sweep/campaign/campaign.h"

namespace tactus::sweep::samples {

inline constexpr char kDrop[] = R"(
extends = "ball_drop"
[time]
end_s = 1.0
[[measure]]
id = "fastest"
signal = "truth.speed_m_s"
kind = "max"
)";

inline constexpr char kMass[] = R"(
[[vary]]
key = "ball.mass_kg"
distribution = "uniform"
low = 1.0
high = 3.0
)";

inline constexpr char kWind[] = R"(
[[vary]]
key = "wind.mean_ned_m_s[1]"
distribution = "normal"
mean = 4.0
standard_deviation = 2.0
)";

/// In the folder of the tests, where no file is.
inline Campaign campaign_of_text(const std::string& text, std::uint64_t samples = 8) {
  return {disk_files(), {.text = text, .file = "drop.toml", .samples = samples}};
}

/// What a campaign is refused with; empty: it is not.
inline std::string mistake_in(const std::string& text, std::uint64_t samples = 8) {
  try {
    campaign_of_text(text, samples);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

inline double value_of(const Campaign& campaign, std::uint64_t sample, std::size_t key) {
  return *applied_value(campaign.input(sample).values.at(key)).number;
}

}  // namespace tactus::sweep::samples
