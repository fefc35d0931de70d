// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tactus/core/time.h"

namespace tactus {

enum class NoteFrom : std::uint8_t { kPlant, kScenario, kAutopilot };

/// Something that happened, for logs and reports.
struct Note {
  TimeUs time;
  const char* what = "";  ///< "touchdown", "brown-out", "acts" …
  int index = 0;          ///< gear point, rotor, bus or pack; of the scenario: its event
  NoteFrom from = NoteFrom::kPlant;
};

/// The text, kept as long as the program runs: notes only point to theirs.
const char* kept_text(const std::string& text);

/// What came from an external program, for the recording.
struct ExternalBytes {
  std::size_t peer = 0;  ///< place in the list of peers
  std::vector<std::byte> bytes;
};

}  // namespace tactus
