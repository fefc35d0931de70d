// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What `diff` found, for programs.

#include <string>

#include "tactus/record/recording.h"
#include "tactus/replay/diff/diff.h"

namespace tactus {

/// What was compared.
struct DiffedFlights {
  std::string a;  ///< as the user calls it
  std::string b;
  double tolerance = 0.0;
  const Recording* recording_a = nullptr;
  const Recording* recording_b = nullptr;
};

/// A JSON document without a line break at its end.
std::string diff_json(const DiffedFlights& flights, const DiffReport& report);

}  // namespace tactus
