// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "tactus/replay/diff/diff_align.h"
#include "tactus/replay/diff/diff_cause.h"
#include "tactus/replay/diff/diff_growth.h"
#include "tactus/replay/diff/diff_program.h"
#include "tactus/replay/diff/diff_spec.h"

namespace tactus {
namespace {

constexpr TimeUs kForever{std::numeric_limits<std::uint64_t>::max()};

/// A boundary that was found: which part of the plant found it, from what happened there.
Component finder_of(const Recording& recording, TimeUs time) {
  const Table* const events = recording.find("events");
  if (events == nullptr || !events->at(time)) return Component::kScenario;
  const RowField* const who = events->layout.find("/events/who");
  const RowField* const what = events->layout.find("/events/what");
  for (std::size_t i = 0; i < events->size(); ++i) {
    const std::byte* const row = events->row(i).data();
    if (events->time(i) != time || who == nullptr || text(*who, row) != "plant") continue;
    const std::string happened = what == nullptr ? "" : text(*what, row);
    if (happened == "touchdown" || happened == "liftoff") return Component::kContact;
    if (happened.starts_with("rotor")) return Component::kPropulsion;
    return Component::kBattery;
  }
  return Component::kScenario;
}

/// What made a value, and when within its instant.
class Placing {
 public:
  Placing(const Recording& a, const Recording& b, TimeUs time) : a_(a), b_(b), time_(time) {}

  void place(std::vector<ValueDifference>& values) const {
    const auto differs = [&values](const char* prefix) {
      return std::any_of(values.begin(), values.end(), [prefix](const ValueDifference& value) {
        return value.leaf.starts_with(prefix);
      });
    };
    const bool faults_differ = differs("faults.");
    const bool command_differs = differs("command.");
    for (ValueDifference& value : values) {
      value.owner = owner_of_leaf(value.leaf);
      value.phase = phase_of_leaf(value.leaf);
      if (value.leaf == "boundary.asked_by") place_boundary(value);
      if (value.table == "log" && value.phase == Phase::kOutputs) value.phase = Phase::kLog;
      const bool settled = value.table == "log" || is_block(value);
      if (value.phase == Phase::kState && settled &&
          (faults_differ || follows(value, command_differs))) {
        value.phase = Phase::kDiscontinuities;
      }
    }
  }

 private:
  /// Who asked for a boundary that only one flight has.
  void place_boundary(ValueDifference& value) const {
    const bool only_b = value.a == "(none)";
    const std::string& asked = only_b ? value.b : value.a;
    if (asked == "found") value.owner = finder_of(only_b ? b_ : a_, time_);
    if (asked == "scheduled") value.owner = Component::kScenario;
  }

  /// The plant's block, which is recorded after discontinuities, unlike what it publishes.
  static bool is_block(const ValueDifference& value) {
    return value.leaf.starts_with("state.") || value.leaf.starts_with("modes.");
  }

  /// A jam acts on anything at once, a command on direct actuators and modes.
  static bool follows(const ValueDifference& value, bool command_differs) {
    return command_differs &&
           (value.leaf.starts_with("state.motor_output") ||
            value.leaf.starts_with("state.servo_output") || value.leaf.starts_with("modes."));
  }

  const Recording& a_;
  const Recording& b_;
  TimeUs time_;
};

/// In the order in which they are made; the log repeats what others hold.
void order(std::vector<ValueDifference>& values) {
  std::stable_sort(values.begin(), values.end(),
                   [](const ValueDifference& x, const ValueDifference& y) {
                     const auto rank = [](const ValueDifference& value) {
                       return std::make_tuple(value.phase, value.table == "log", value.owner);
                     };
                     return rank(x) < rank(y);
                   });
  std::vector<ValueDifference> once;
  for (ValueDifference& value : values) {
    const bool again = std::any_of(once.begin(), once.end(), [&value](const ValueDifference& seen) {
      return seen.leaf == value.leaf && (value.table == "log" || value.table == "start");
    });
    if (!again) once.push_back(std::move(value));
  }
  values = std::move(once);
}

std::optional<TimeUs> before(const Table& table, TimeUs time) {
  if (time.us == 0) return std::nullopt;
  const std::optional<std::size_t> last = table.last_at(TimeUs(time.us - 1));
  return last ? std::optional(table.time(*last)) : std::nullopt;
}

std::optional<TimeUs> first_differing_instant(const std::vector<TablePair>& pairs, TimeUs until,
                                              double tolerance) {
  std::optional<TimeUs> first;
  for (const TablePair& pair : pairs) {
    const std::optional<TimeUs> time =
        tactus::first_differing_instant(pair, first.value_or(until), tolerance);
    if (time && (!first || *time < *first)) first = time;
  }
  return first;
}

/// Which boundary it is and the instant before, which at tier 0 may be a row of the log.
void locate(const Recording& a, const Recording& b, Divergence& divergence) {
  const Table* const boundaries = a.find("boundary");
  const bool only_log_shows = divergence.values.front().table == "log" &&
                              (a.meta.tier == Tier::kPlant || b.meta.tier == Tier::kPlant);
  const Table* const axis = only_log_shows ? a.find("log") : boundaries;
  if (axis != nullptr) divergence.equal_until = before(*axis, divergence.time);
  if (boundaries == nullptr) return;
  if (const auto number = boundaries->at(divergence.time)) divergence.boundary = *number;
}

std::optional<Divergence> find_divergence(const Recording& a, const Recording& b, TimeUs until,
                                          double tolerance) {
  std::vector<TablePair> pairs = pairs_of(a, b);
  if (tolerance > 0.0) {
    const std::vector<TimeUs> left_out = found_by_one(a, b, until);
    for (TablePair& pair : pairs) pair.left_out = left_out;
  }
  const std::optional<TimeUs> first = first_differing_instant(pairs, until, tolerance);
  if (!first) return std::nullopt;
  Divergence divergence;
  divergence.time = *first;
  for (const TablePair& pair : pairs) {
    for (ValueDifference& value : differences_at(pair, *first, tolerance)) {
      divergence.values.push_back(std::move(value));
    }
  }
  Placing(a, b, *first).place(divergence.values);
  order(divergence.values);
  locate(a, b, divergence);
  return divergence;
}

/// A link of the chain that differs before any number that both hold: all that is known is the
/// stretch and the signals.
Divergence divergence_of(const ChainDifference& chain) {
  Divergence divergence;
  divergence.time = chain.differs_at;
  divergence.equal_until = chain.equal_until;
  const auto add = [&divergence](const std::string& leaf, Component owner) {
    ValueDifference value;
    value.table = "chain";
    value.leaf = leaf;
    value.a = value.b = "(digest)";
    value.owner = owner;
    value.phase = Phase::kChain;
    divergence.values.push_back(value);
  };
  for (const std::string& signal : chain.signals) add(signal, owner_of_leaf(signal + "."));
  if (divergence.values.empty()) add("flight digest", Component::kUnknown);
  return divergence;
}

/// How far both go; a complete flight that ends earlier differs there by itself.
TimeUs common_end(const Recording& a, const Recording& b, std::vector<std::string>& notes) {
  TimeUs until = kForever;
  for (const auto& [recording, name] : {std::pair(&a, "the first"), std::pair(&b, "the second")}) {
    if (recording->end.complete) continue;
    until = std::min(until, recording->end.time);
    notes.push_back(fmt::format("{} recording is incomplete: it ends at t = {} us", name,
                                recording->end.time.us));
  }
  return until;
}

/// The last link is the digest of the whole flight.
std::optional<ChainDifference> chain_difference(const Recording& a, const Recording& b) {
  const Table* const in_a = a.find("chain");
  const Table* const in_b = b.find("chain");
  if (in_a != nullptr && in_b != nullptr) return diff_chains(*in_a, *in_b);
  const bool comparable = a.end.complete && b.end.complete && a.end.time == b.end.time;
  if (!comparable) return std::nullopt;
  return diff_chains({{a.end.time, a.end.flight_digest}}, {{b.end.time, b.end.flight_digest}});
}

/// With a tolerance the numbers began to differ earlier.
Cause cause_within_tolerance(const Recording& a, const Recording& b, const Divergence& divergence,
                             const Divergence& exact, const std::vector<SpecDifference>& spec) {
  const Cause origin = find_cause(a, b, exact, spec);
  const ValueDifference& value = exact.values.front();
  Cause cause;
  cause.component = divergence.values.front().owner;
  cause.blame = cause.component == origin.component ? origin.blame : Blame::kConsequence;
  cause.reasons.push_back(fmt::format(
      "within the tolerance {} differs from t = {} us on, {} and {} ({}: {}):", value.leaf,
      exact.time.us, value.a, value.b, to_text(origin.component), to_text(origin.blame)));
  for (const std::string& reason : origin.reasons) cause.reasons.push_back(reason);
  return cause;
}

void note_tables_of_one(const Recording& a, const Recording& b, const char* name,
                        std::vector<std::string>& notes) {
  if (a.meta.tier != b.meta.tier) return;
  for (const Table& table : a.tables) {
    if (b.find(table.layout.name) != nullptr) continue;
    notes.push_back(fmt::format("only {} recording has {}", name, table.layout.name));
  }
}

/// "battery" of "/log/battery/voltage_v".
std::string_view signal_in(std::string_view path) {
  constexpr std::string_view kGroup = "/log/";
  if (!path.starts_with(kGroup)) return {};
  path.remove_prefix(kGroup.size());
  return path.substr(0, path.find('/'));
}

/// An external simulator reports less than ours.
void note_untold(const Recording& a, const Recording& b, const char* name,
                 std::vector<std::string>& notes) {
  if (!a.flown_externally()) return;
  const Table* const in_a = a.find("log");
  const Table* const in_b = b.find("log");
  std::vector<std::string_view> unreported;
  if (in_a != nullptr && in_b != nullptr) {
    for (const RowField& field : in_b->layout.fields) {
      const std::string_view signal = signal_in(field.path);
      if (in_a->layout.find(field.path) != nullptr || signal.empty()) continue;
      if (unreported.empty() || unreported.back() != signal) unreported.push_back(signal);
    }
  }
  notes.push_back(fmt::format("{} was flown in an external simulator{}{}", name,
                              unreported.empty() ? "" : ", which does not report ",
                              fmt::join(unreported, ", ")));
}

void note_instants_of_one(const Recording& a, const Recording& b, TimeUs until,
                          std::vector<std::string>& notes) {
  const std::size_t count = found_by_one(a, b, until).size();
  if (count == 0) return;
  notes.push_back(fmt::format(
      "{} instant{} of events that only one flight has {} not compared, as there is a tolerance",
      count, count == 1 ? "" : "s", count == 1 ? "is" : "are"));
}

}  // namespace

const char* to_text(DiffVerdict verdict) {
  switch (verdict) {
    case DiffVerdict::kEqual: return "equal";
    case DiffVerdict::kAbsorbed: return "parameters differ, flight equal";
    case DiffVerdict::kDifferent: return "different";
  }
  return "unknown";
}

const char* to_text(Blame blame) {
  switch (blame) {
    case Blame::kCause: return "cause";
    case Blame::kConsequence: return "consequence";
    case Blame::kUnknown: return "cause or consequence not known";
  }
  return "unknown";
}

DiffReport diff(const Recording& a, const Recording& b, const DiffOptions& options) {
  DiffReport report;
  report.spec = spec_differences(a.meta, b.meta);
  report.notes = meta_differences(a.meta, b.meta);
  for (std::string& sentence : program_sentences(recorded_program(a), recorded_program(b))) {
    report.notes.push_back(std::move(sentence));
  }
  note_tables_of_one(a, b, "the first", report.notes);
  note_tables_of_one(b, a, "the second", report.notes);
  note_untold(a, b, "the first", report.notes);
  note_untold(b, a, "the second", report.notes);
  const TimeUs until = common_end(a, b, report.notes);
  report.compared_until = std::min({until, a.end.time, b.end.time});
  report.divergence = find_divergence(a, b, until, options.tolerance);
  const bool exact = options.tolerance == 0.0;
  if (exact) report.chain = chain_difference(a, b);
  if (!exact) note_instants_of_one(a, b, report.compared_until, report.notes);
  const bool hidden =
      report.chain && (!report.divergence || report.chain->differs_at < report.divergence->time);
  if (hidden) report.divergence = divergence_of(*report.chain);
  if (!report.divergence) {
    report.verdict = report.spec.empty() ? DiffVerdict::kEqual : DiffVerdict::kAbsorbed;
    return report;
  }
  report.verdict = DiffVerdict::kDifferent;
  const std::optional<Divergence> bits =
      exact ? report.divergence : find_divergence(a, b, until, 0.0);
  report.cause = bits && bits->time < report.divergence->time
                     ? cause_within_tolerance(a, b, *report.divergence, *bits, report.spec)
                     : find_cause(a, b, *report.divergence, report.spec);
  if (flown_by_program(a.meta) && flown_by_program(b.meta)) {
    report.motor = first_differing_motor(a, b);
  }
  report.growth = growth(a, b, report.divergence->time, report.compared_until);
  return report;
}

}  // namespace tactus
