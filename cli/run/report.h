// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The outcome of one flight for people, for machines (JSON, schema tactus.run/1) and for test
// runners (JUnit). Wall-clock figures stand apart: all else is the same on every machine.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/run/flight.h"

namespace tactus::cli {

inline constexpr char kRunSchema[] = "tactus.run/1";

/// What the clock on the wall said.
struct WallClock {
  double flying_s = 0.0;
  [[nodiscard]] double real_time_factor(const Flight& flight) const;
};

/// `files`: what was written besides.
std::string summary_text(const Flight& flight, const WallClock& wall,
                         const std::vector<std::string>& files);
nlohmann::ordered_json summary_json(const Flight& flight, const WallClock& wall,
                                    const std::vector<std::string>& files);
std::string summary_json_text(const Flight& flight, const WallClock& wall,
                              const std::vector<std::string>& files);

/// Margin and value are null if it never came to that, `passed` if the run was interrupted before
/// it was decided.
nlohmann::ordered_json expectation_json(const ExpectationResult& result, bool interrupted);

/// "20.5 s": seconds for people, without the noise of microseconds.
std::string seconds(TimeUs time);

}  // namespace tactus::cli
