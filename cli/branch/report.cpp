// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/branch/report.h"

#include <fmt/format.h>

namespace tactus::cli {
namespace {

/// How it compares with the parent, unless the digest is the same.
std::string comparison_text(const BranchOrigin& origin) {
  const RecordingEnd& parent = origin.parent_end;
  std::string text =
      fmt::format("parent: flight digest {}, {} at {}\n",
                  origin.knows_digest() ? to_hex(parent.flight_digest) : "not known",
                  parent.complete ? "ends" : "incomplete, stops", to_text(parent.time));
  if (origin.equal_as_far_as_the_parent()) {
    return text + (origin.end < parent.time ? "equal to the parent as far as this flight goes\n"
                                            : "equal to the parent as far as the parent goes\n");
  }
  text += fmt::format("first difference from the parent at {}", to_text(*origin.first_difference));
  if (origin.apart_m) {
    const bool both_end = origin.apart_at == origin.end && origin.end == parent.time;
    text += fmt::format("; {:.3g} m apart at {}", *origin.apart_m,
                        both_end ? "the end" : to_text(origin.apart_at) + ", the last they share");
  }
  return text + "\n";
}

}  // namespace

std::string origin_text(const BranchOrigin& origin) {
  if (!origin.branched) {
    return fmt::format("\ninterrupted before the branch: {} was to be branched at {}\n",
                       origin.parent, to_text(origin.at));
  }
  std::string text = fmt::format("\nbranched from {} at {}", origin.parent, to_text(origin.at));
  if (origin.at != origin.asked) {
    text += fmt::format(" (the first boundary at or after {})", to_text(origin.asked));
  }
  std::string lines = "\n" + origin.changes;
  for (std::size_t i = lines.find('\n'); i != std::string::npos; i = lines.find('\n', i + 3)) {
    lines.insert(i + 1, "  ");
  }
  text += origin.changes.empty() ? ", nothing changed\n" : ", with" + lines + "\n";
  text += fmt::format("before that, every recorded number is as in the parent{}\n",
                      origin.from.us == 0 ? ""
                                          : fmt::format(" (checked from the snapshot at {} on; "
                                                        "this summary begins after it)",
                                                        to_text(origin.from)));
  return text +
         (origin.same ? "the flight digest is that of the parent\n" : comparison_text(origin));
}

}  // namespace tactus::cli
