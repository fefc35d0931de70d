// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How `tactus diff` reports what it found, to people and to programs.

#include <string>

#include "tactus/replay/diff.h"

namespace tactus::cli {

/// What was compared.
struct Compared {
  std::string a;  ///< as the user calls it
  std::string b;
  double tolerance = 0.0;
  const Recording* recording_a = nullptr;
  const Recording* recording_b = nullptr;
};

std::string diff_text(const Compared& compared, const DiffReport& report);
std::string diff_json(const Compared& compared, const DiffReport& report);

}  // namespace tactus::cli
