// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/replay/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tactus/core/fields.h"

namespace tactus::cli {
namespace {

/// What a change did nothing to must not pass for a test of it.
std::string same(const Replayed& replayed) {
  const std::string text = "It reproduces the recording bit by bit";
  return replayed.sets.empty() ? text
                               : text + fmt::format(", so {} makes no difference here",
                                                    fmt::join(replayed.sets, ", "));
}

std::string head(const Replayed& replayed) {
  const Recording& recording = *replayed.recording;
  return fmt::format("replay of {} ({}, tier {}, {}): {}\n", recording.meta.name, replayed.file,
                     static_cast<int>(recording.meta.tier), to_text(recording.end.time),
                     replayed.what);
}

std::string text_of(const RowMismatch& mismatch) {
  const std::string apart =
      mismatch.ulps ? fmt::format(" ({} ulp apart)", *mismatch.ulps) : std::string();
  return fmt::format("t = {}: {} = {}, replayed {}{}", to_text(mismatch.time), mismatch.leaf,
                     mismatch.recorded, mismatch.replayed, apart);
}

std::string line_of(const TableVerdict& table) {
  if (table.equal()) return fmt::format("  {:<16} {:>9}  equal\n", table.name, table.rows);
  return fmt::format("  {:<16} {:>9}  replayed {}, differ {}, first at {}\n", table.name,
                     table.rows, table.replayed, table.different, text_of(*table.first));
}

/// The earliest of the first differences; of several the first table's.
const RowMismatch* earliest(const std::vector<TableVerdict>& tables) {
  const RowMismatch* earliest = nullptr;
  for (const TableVerdict& table : tables) {
    if (!table.first || (earliest != nullptr && earliest->time <= table.first->time)) continue;
    earliest = &*table.first;
  }
  return earliest;
}

std::string digest_line(const ReplayOutcome& outcome) {
  if (!outcome.digest) return "";
  const std::string recorded = to_hex(outcome.recorded_digest);
  return *outcome.digest == outcome.recorded_digest
             ? fmt::format("  flight digest    {}, equal\n", recorded)
             : fmt::format("  flight digest    {}, replayed {}\n", recorded,
                           to_hex(*outcome.digest));
}

std::string verdict_of(const Replayed& replayed, const ReplayOutcome& outcome) {
  if (outcome.reproduces()) {
    const bool all = replayed.recording->meta.tier != Tier::kPlant || outcome.digest;
    return fmt::format("{}{}.\n", same(replayed), all ? "" : ", as far as tier 0 holds it");
  }
  if (!outcome.stopped.empty()) {
    return fmt::format("It does not reproduce the recording: {}.\n", outcome.stopped);
  }
  const RowMismatch* const first = earliest(outcome.tables);
  if (outcome.interrupted) {
    return fmt::format("Interrupted at t = {}: up to there {}.\n", to_text(outcome.end),
                       first == nullptr ? "it is the recording bit by bit"
                                        : "it differs, first at " + text_of(*first));
  }
  return fmt::format(
      "It does not reproduce the recording, {}.\n",
      first != nullptr ? "first at " + text_of(*first) : "though no stream shows where");
}

std::string text_of(const ComponentDifference& first) {
  return fmt::format("t = {}: {} = {}, computed {} ({} ulp apart)", to_text(first.time), first.leaf,
                     to_text(LeafRecord::of(first.recorded)),
                     to_text(LeafRecord::of(first.computed)), first.ulps);
}

}  // namespace

std::string replay_text(const Replayed& replayed, const ReplayOutcome& outcome) {
  std::string out = head(replayed);
  out += fmt::format("  from the file    {}\n", fmt::join(outcome.played, "; "));
  out += fmt::format("  live             {}\n", fmt::join(outcome.live, "; "));
  out += fmt::format("  {:<16} {:>9}\n", "stream", "recorded");
  for (const TableVerdict& table : outcome.tables) out += line_of(table);
  out += digest_line(outcome);
  if (!replayed.recorded.empty()) out += fmt::format("  recorded to      {}\n", replayed.recorded);
  for (const std::string& note : outcome.notes) out += fmt::format("Note: {}.\n", note);
  return out + verdict_of(replayed, outcome);
}

std::string replay_text(const Replayed& replayed, const ComponentOutcome& outcome) {
  std::string out = head(replayed);
  out += fmt::format("  outputs          compared at {} boundaries\n", outcome.output_instants);
  if (outcome.tier >= Tier::kEvaluations) {
    out += fmt::format("  states           compared at {} boundaries\n", outcome.state_instants);
  } else {
    out += "Note: its states are compared from --tier 2 on.\n";
  }
  if (outcome.equal()) return out + fmt::format("{}.\n", same(replayed));
  return out + fmt::format(
                   "It does not reproduce the recording: {} of {} numbers differ, first at "
                   "{}.\n",
                   outcome.different, outcome.numbers, text_of(*outcome.first));
}

}  // namespace tactus::cli
