// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a user may say to `tactus compare`, and what it means for the recording at hand.

#include <string>
#include <vector>

#include "tactus/replay/compare/compare.h"

namespace tactus::cli {

struct CompareRequest {
  std::string file;
  std::vector<std::string> solvers{"euler", "rk4", "rk23", "rk45"};
  std::vector<std::string> tolerances;
  std::vector<std::string> steps;
  std::string reference = "rk45";
  std::string reference_tolerance;
  std::string csv;
  std::string svg;
  std::string t_end;
  std::string segments;
  bool force = false;
  bool json = false;
};

/// What is compared of a flight. Whether the recording has it, the library checks. Throws
/// Error(kBadInput).
CompareOptions options_of(const CompareRequest& given);

/// With tolerances, steps or a diagram: curves; otherwise one flight per method. Throws
/// Error(kBadInput).
std::vector<Integration> sweep_of(const CompareRequest& given, const SolverConfig& recorded,
                                  const Recording& recording);

/// Throws Error: kEnvironment if this program lacks it.
Integration reference_of(const CompareRequest& given, const Spec& spec);

/// Options without effect.
std::vector<std::string> notes_for(const CompareRequest& given);

}  // namespace tactus::cli
