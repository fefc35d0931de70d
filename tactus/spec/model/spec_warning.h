// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>
#include <vector>

namespace tactus {

/// What is allowed and most likely not meant.
struct SpecWarning {
  /// That decides: of the spec ("event.fault.at_s"), or of a parameter ("rotor[2].motor.kv_…").
  std::string key;
  std::string text;
};
using SpecWarnings = std::vector<SpecWarning>;

}  // namespace tactus
