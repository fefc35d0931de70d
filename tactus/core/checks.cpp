// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/checks.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/error.h"

namespace tactus {

void refuse(std::string_view where, std::string_view key, double value, std::string_view reason) {
  refuse(where, key, "", value, reason);
}

void refuse(std::string_view where, std::string_view key, std::string_view note, double value,
            std::string_view reason) {
  throw Error(ExitCode::kBadInput, ErrorSubject{.key = fmt::format("{}.{}", where, key),
                                                .note = std::string(note),
                                                .value = fmt::format("{}", value),
                                                .reason = std::string(reason)});
}

void refuse_key(std::string key, std::string reason) {
  refuse_key(std::move(key), "", std::move(reason));
}

void refuse_key(std::string key, std::string value, std::string reason) {
  throw Error(ExitCode::kBadInput, ErrorSubject{.key = std::move(key),
                                                .note = "",
                                                .value = std::move(value),
                                                .reason = std::move(reason)});
}

void require_finite(std::string_view where, std::string_view key, double value) {
  if (!math::is_finite(value)) refuse(where, key, value, "must be a finite number");
}

void require_positive(std::string_view where, std::string_view key, double value) {
  require_finite(where, key, value);
  if (value <= 0.0) refuse(where, key, value, "must be greater than zero");
}

void require_not_negative(std::string_view where, std::string_view key, double value) {
  require_finite(where, key, value);
  if (value < 0.0) refuse(where, key, value, "must not be negative");
}

void require_within(std::string_view where, std::string_view key, double value, double lowest,
                    double highest) {
  require_finite(where, key, value);
  if (value < lowest || value > highest) {
    refuse(where, key, value, fmt::format("must lie between {} and {}", lowest, highest));
  }
}

void refuse_nan(const LeafPath& path) {
  throw Error(ExitCode::kBadInput, fmt::format("{} = nan: must be a number", path.text()));
}

}  // namespace tactus
