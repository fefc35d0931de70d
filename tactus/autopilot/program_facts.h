// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a flight of an autopilot in a program of its own depends on besides its spec: which build,
// which libraries, how it was run, on which processor. Recorded, and no part of any digest.

#include <string>
#include <string_view>
#include <vector>

namespace tactus {

struct ProgramFact {
  std::string name;   ///< "program", "library libm.so.6", "processor"
  std::string value;  ///< one line
  bool operator==(const ProgramFact&) const = default;
};
using ProgramFacts = std::vector<ProgramFact>;

/// The name of the first: which build of which program.
inline constexpr char kProgramFact[] = "program";

/// The link of Autopilot::external_peers() over which they are recorded, as text.
inline constexpr char kProgramPeer[] = "autopilot_program";

/// A line each: "NAME: VALUE".
std::string to_text(const ProgramFacts& facts);
/// Lines that are none are left out.
ProgramFacts program_facts_from(std::string_view text);

struct ProgramDifference {
  std::string name;
  std::string a;  ///< empty: only the other one has it
  std::string b;
};

/// Those with two values, in the order of `a`. None if either knows nothing of its program.
std::vector<ProgramDifference> program_differences(const ProgramFacts& a, const ProgramFacts& b);

}  // namespace tactus
