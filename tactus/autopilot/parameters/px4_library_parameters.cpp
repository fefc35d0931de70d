// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/parameters/px4_library_parameters.h"

#include <fmt/format.h>

#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr std::int32_t kFastest_hz = 1'000'000;

/// The library's own arithmetic.
std::uint64_t period_us(std::int32_t rate_hz) {
  const std::int32_t period = 1'000'000 / rate_hz;
  return static_cast<std::uint64_t>(period);
}

bool is_legal(std::int32_t rate_hz, DurationUs step) {
  const std::uint64_t period = period_us(rate_hz);
  return period >= step.us && period % step.us == 0;
}

/// "50 and 125 Hz": the legal rates on both sides, where there are some.
std::string nearest_legal(std::int32_t rate_hz, DurationUs step) {
  std::int32_t below = rate_hz;
  while (below > 0 && !is_legal(below, step)) --below;
  std::int32_t above = rate_hz;
  while (period_us(above) > step.us && !is_legal(above, step)) ++above;
  const bool has_above = is_legal(above, step);
  if (below > 0 && has_above) return fmt::format("{} and {} Hz", below, above);
  if (below > 0 || has_above) return fmt::format("{} Hz", below > 0 ? below : above);
  return "none but 0 (at every step)";
}

std::string describe(const char* key, std::int32_t rate_hz, DurationUs step) {
  const std::uint64_t period = period_us(rate_hz);
  const std::uint64_t effective = steps_between_runs(rate_hz, step) * step.us;
  const char* const why = period < step.us ? "the step is slower than this module"
                                           : "its period is no multiple of the step";
  return fmt::format(
      "{} = {} with a step of {}: {} ({} us), so it would run every {} us ({:.6g} Hz); nearest "
      "legal rates: {}",
      key, rate_hz, to_text(step), why, period, effective, 1e6 / static_cast<double>(effective),
      nearest_legal(rate_hz, step));
}

}  // namespace

std::uint64_t steps_between_runs(std::int32_t rate_hz, DurationUs step) {
  return rate_hz == 0 ? 1 : (period_us(rate_hz) + step.us - 1) / step.us;
}

std::vector<std::string> check_settings(const Px4LibrarySettings& settings, DurationUs step) {
  if (step.us == 0) throw Error(ExitCode::kBadInput, "the autopilot's period is 0");
  const struct {
    const char* key;
    std::int32_t rate_hz;
  } modules[] = {{"navigator_rate_hz", settings.navigator_rate_hz},
                 {"position_rate_hz", settings.position_rate_hz},
                 {"attitude_rate_hz", settings.attitude_rate_hz},
                 {"rate_rate_hz", settings.rate_rate_hz},
                 {"allocator_rate_hz", settings.allocator_rate_hz}};
  std::vector<std::string> warnings;
  for (const auto& module : modules) {
    if (module.rate_hz < 0 || module.rate_hz > kFastest_hz) {
      throw Error(ExitCode::kBadInput, fmt::format("{} = {}: must be from 0 (at every step) to {}",
                                                   module.key, module.rate_hz, kFastest_hz));
    }
    if (module.rate_hz == 0 || is_legal(module.rate_hz, step)) continue;
    std::string text = describe(module.key, module.rate_hz, step);
    if (!settings.allow_rate_mismatch) {
      throw Error(ExitCode::kBadInput, text + "; or set allow_rate_mismatch = true");
    }
    warnings.push_back(std::move(text));
  }
  if (settings.com_low_bat_act != 0 && settings.com_low_bat_act != 2 &&
      settings.com_low_bat_act != 3) {
    throw Error(ExitCode::kBadInput,
                fmt::format("com_low_bat_act = {}: must be 0 (warn), 2 (land at critical) or 3 "
                            "(return at critical, land at emergency)",
                            settings.com_low_bat_act));
  }
  return warnings;
}

}  // namespace tactus
