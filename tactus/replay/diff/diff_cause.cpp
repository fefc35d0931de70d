// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/diff/diff_cause.h"

#include <fmt/format.h>

#include <algorithm>

#include "tactus/replay/diff/diff_program.h"
#include "tactus/replay/diff/diff_spec.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/validator.h"

namespace tactus {
namespace {

std::optional<Signal> signal_of_leaf(const std::string& leaf) {
  const std::string first = leaf.substr(0, leaf.find_first_of(".["));
  for (std::size_t i = 0; i < kSignals; ++i) {
    if (first == to_text(static_cast<Signal>(i))) return static_cast<Signal>(i);
  }
  return std::nullopt;
}

const SourceRecord* writer_of(const RecordingMeta& meta, Signal signal) {
  for (const SourceRecord& source : meta.sources) {
    if (signals_from_text(source.writes).has(signal)) return &source;
  }
  return nullptr;
}

/// What is known of the inputs of a part until an instant.
struct Inputs {
  std::vector<std::string> missing;    ///< signals that a recording does not hold
  std::optional<std::string> differs;  ///< the first one that differs, as a sentence
};

/// What the adapter of an external simulator brings.
bool is_of_simulator(Component component) {
  return is_of_plant(component) || component == Component::kEstimator ||
         component == Component::kInstruments || component == Component::kLandDetector;
}

class CauseFinder {
 public:
  CauseFinder(const Recording& a, const Recording& b, const Divergence& divergence,
              const std::vector<SpecDifference>& spec)
      : a_(a), b_(b), divergence_(divergence), first_(divergence.values.front()), spec_(spec) {}

  Cause find() {
    cause_.component = first_.owner;
    if (first_.phase == Phase::kChain) {
      add_reason("the recordings hold only digests of what differs; record at tier 1");
      return cause_;
    }
    if (is_of_simulator(first_.owner) && (a_.flown_externally() || b_.flown_externally())) {
      add_reason("the simulators differ: what an external one computes with is not recorded");
    } else if (is_of_plant(first_.owner)) {
      blame_plant();
    } else if (first_.phase == Phase::kBoundary || first_.owner == Component::kTimeline) {
      blame_timeline();
    } else {
      blame_source();
    }
    const bool specs_decide = check_specs();
    const bool open = cause_.blame == Blame::kCause && is_of_plant(cause_.component);
    if (open && !specs_decide && !cause_.evaluation) say_what_is_open();
    return cause_;
  }

 private:
  void add_reason(std::string sentence) { cause_.reasons.push_back(std::move(sentence)); }

  /// Whether a signal was equal to the bit as far as components in this phase see it: what is made
  /// later at this instant was still that of the boundary before.
  void check(Signal signal, Inputs& inputs) const {
    const Table* const in_a = a_.signal(signal);
    const Table* const in_b = b_.signal(signal);
    if (in_a == nullptr || in_b == nullptr) {
      const bool is_written = kPlantSignals.has(signal) || writer_of(a_.meta, signal) != nullptr;
      if (is_written) inputs.missing.emplace_back(to_text(signal));
      return;
    }
    const std::optional<TablePair> pair = pair_of(a_, b_, in_a->layout.name);
    if (!pair || inputs.differs) return;
    const std::string group = group_of(signal);
    const auto of_signal = [&group](const RowField& field) {
      return field.path.starts_with(group);
    };
    const auto made_before = [&](const RowField& field) {
      return of_signal(field) && phase_of_leaf(leaf_name(field, 0)) < first_.phase;
    };
    std::optional<TimeUs> when;
    if (divergence_.time.us > 0) {
      when = first_differing_instant(*pair, TimeUs(divergence_.time.us - 1), 0.0, of_signal);
    }
    const bool before = when.has_value();
    if (!before) when = divergence_.time;
    const std::vector<ValueDifference> values =
        differences_at(*pair, *when, 0.0, before ? FieldFilter(of_signal) : made_before);
    if (values.empty()) return;
    inputs.differs = fmt::format("{} ({}) differs already at t = {} us by {} ulps: {} and {}",
                                 values.front().leaf, to_text(owner_of_leaf(values.front().leaf)),
                                 when->us, values.front().ulps, values.front().a, values.front().b);
  }

  [[nodiscard]] Inputs check(SignalSet reads) const {
    Inputs inputs;
    for (std::size_t i = 0; i < kSignals; ++i) {
      if (reads.has(static_cast<Signal>(i))) check(static_cast<Signal>(i), inputs);
    }
    return inputs;
  }

  void judge(const Inputs& inputs, const std::string& who, const std::string& reads) {
    if (inputs.differs) {
      cause_.blame = Blame::kConsequence;
      add_reason(*inputs.differs);
    } else if (!inputs.missing.empty()) {
      cause_.blame = Blame::kUnknown;
      add_reason(
          fmt::format("{} reads {}, which the recordings do not both hold: cause or consequence "
                      "needs tier 1 on both sides",
                      who, fmt::join(inputs.missing, ", ")));
    } else {
      cause_.blame = Blame::kCause;
      add_reason(fmt::format("all that {} had read was equal{}", who,
                             reads.empty() ? "" : " (" + reads + ")"));
    }
  }

  void blame_source() {
    const std::optional<Signal> signal = signal_of_leaf(first_.leaf);
    const SourceRecord* const source = signal ? writer_of(a_.meta, *signal) : nullptr;
    if (source == nullptr) {
      add_reason(
          "no component of the recording wrote it: it came from another program, or it is an event "
          "whose cause is not recorded");
      return;
    }
    cause_.source = source->name;
    judge(check(signals_from_text(source->reads)), source->name, source->reads);
    if (first_.owner == Component::kAutopilot && cause_.blame == Blame::kCause) blame_program();
  }

  /// Which of the things differ that are not in the spec.
  void blame_program() {
    if (!flown_by_program(a_.meta) || !flown_by_program(b_.meta)) return;
    const ProgramFacts facts = recorded_program(a_);
    const std::vector<ProgramDifference> differences =
        program_differences(facts, recorded_program(b_));
    std::vector<std::string> names;
    for (const ProgramDifference& difference : differences) {
      if (difference.name == kProgramFact) {
        add_reason(
            fmt::format("the autopilot's program differs: {} and {}", difference.a, difference.b));
        add_reason(
            "what each did before that: tactus run --trace-autopilot, and tactus diff of the two "
            "traces (docs/autopilot_trace.md)");
        return;
      }
      names.push_back(difference.name);
    }
    if (!names.empty()) {
      add_reason(fmt::format("the autopilot's program is the same, but not its {}",
                             fmt::join(names, ", ")));
    } else if (!facts.empty()) {
      add_reason(
          "the autopilot's program is the same, and so are its libraries and the processor: it was "
          "not under the conductor, or something in it cannot be put in order (docs/conductor.md)");
    }
  }

  void blame_timeline() {
    cause_.blame = Blame::kCause;
    add_reason(
        "only one of the flights has this boundary, or it has another purpose; all numbers before "
        "it are equal");
  }

  void blame_plant() {
    judge(check(kPlantInputs), "the plant", "wind, disturbance, faults, command");
    if (cause_.blame != Blame::kCause) return;
    if (divergence_.boundary == 0U && first_.phase == Phase::kState) {
      add_reason("the flights start in different states");
      return;
    }
    cause_.evaluation = first_differing_evaluation(a_, b_, divergence_.time);
    if (!cause_.evaluation) return;
    cause_.component = cause_.evaluation->value.owner;
    add_reason("of all evaluations of the right-hand side before, one differs: see there");
  }

  /// Nothing shows which part of the plant it was.
  void say_what_is_open() {
    if (parts_that_differ() < 2) return;
    if (first_.phase == Phase::kState || first_.phase == Phase::kBoundary) {
      add_reason(
          "several parts of the plant differ at once, as they act on each other within an "
          "interval; named is the first of battery, propulsion, rigid body, contact; tier 2 on "
          "both sides shows more");
    } else if (cause_.component == Component::kBattery) {
      add_reason(
          "the voltage of a bus also depends on the currents of its motors, so it may be "
          "propulsion");
    }
  }

  [[nodiscard]] int parts_that_differ() const {
    std::vector<Component> parts;
    for (const ValueDifference& value : divergence_.values) {
      if (!is_of_plant(value.owner)) continue;
      if (std::find(parts.begin(), parts.end(), value.owner) == parts.end()) {
        parts.push_back(value.owner);
      }
    }
    return static_cast<int>(parts.size());
  }

  /// Whether they decide it.
  bool check_specs() {
    const std::vector<Component> parts = differing_components(spec_);
    if (parts.empty()) {
      const bool same = a_.meta.program == b_.meta.program && a_.meta.commit == b_.meta.commit;
      add_reason(same ? "the specs are equal, and so are the versions of tactus"
                      : "the specs are equal, the versions of tactus are not");
      return false;
    }
    const bool owns = std::find(parts.begin(), parts.end(), cause_.component) != parts.end();
    if (owns) {
      add_reason(fmt::format("its parameters differ: {}", keys_text(spec_, cause_.component)));
      return parts.size() == 1;
    }
    if (parts.size() == 1) return blame_only_difference(parts.front());
    std::vector<std::string> names;
    names.reserve(parts.size());
    for (const Component part : parts) names.emplace_back(to_text(part));
    add_reason(fmt::format("the specs differ in {}", fmt::join(names, ", ")));
    return false;
  }

  /// The specs differ in one part only, which is not the one that shows it.
  bool blame_only_difference(Component part) {
    const bool acts_through_plant = is_of_plant(part) || part == Component::kIntegrator;
    if (cause_.blame == Blame::kCause && is_of_plant(first_.owner) && acts_through_plant) {
      cause_.component = part;
      add_reason(fmt::format("likely cause, as the specs differ in nothing else: {}",
                             keys_text(spec_, part)));
      return true;
    }
    add_reason(
        fmt::format("the specs differ only in {}: {}", to_text(part), keys_text(spec_, part)));
    return false;
  }

  const Recording& a_;
  const Recording& b_;
  const Divergence& divergence_;
  const ValueDifference& first_;
  const std::vector<SpecDifference>& spec_;
  Cause cause_;
};

}  // namespace

Cause find_cause(const Recording& a, const Recording& b, const Divergence& divergence,
                 const std::vector<SpecDifference>& spec) {
  return CauseFinder(a, b, divergence, spec).find();
}

}  // namespace tactus
