// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Where two flights part: the first instant at which any number that both recordings hold differs,
// the part of the simulation that wrote it, whether what that part had read was still equal (then
// it is the cause, otherwise a consequence), what differs in the specs, and how the difference
// grows.
//
//   const DiffReport report = diff(a, b);
//   if (report.divergence) … report.divergence->values.front(), report.cause->component
//
// Two numbers are equal if their bits are, or with a tolerance X if
//   |a − b| ≤ X · max(1, |a|, |b|)
// so X is absolute for numbers up to 1 and relative beyond. Integers, flags, texts and instants are
// compared exactly in any case. NaN is equal to NaN. With a tolerance, an instant that only one
// flight has because it found an event there (a touchdown some microseconds later) is left out.
//
// Left out: wall-clock figures, the work of the solver, which boundaries were found and which were
// scheduled (a replay schedules what was found), and the log axis. Docs: docs/diff.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tactus/record/recording.h"
#include "tactus/replay/diff/diff_chain.h"
#include "tactus/replay/diff/diff_component.h"

namespace tactus {

struct DiffOptions {
  double tolerance = 0.0;
};

enum class DiffVerdict : std::uint8_t {
  kEqual,
  kAbsorbed,  ///< the specs differ, the flights do not
  kDifferent,
};

const char* to_text(DiffVerdict verdict);

/// A key of the resolved specs with two values; an empty one: only the other spec has it.
struct SpecDifference {
  std::string key;
  std::string a;
  std::string b;
  Component owner = Component::kText;
};

/// A number that differs.
struct ValueDifference {
  std::string table;  ///< that holds it
  std::string leaf;   ///< "truth.position_ned_m.z"
  std::string unit;
  std::string a;
  std::string b;
  bool is_real = false;
  std::uint64_t ulps = 0;  ///< real numbers: how many doubles they are apart
  Component owner = Component::kUnknown;
  Phase phase = Phase::kLog;
};

/// The first instant at which something differs.
struct Divergence {
  TimeUs time;
  std::optional<TimeUs> equal_until;      ///< the last instant before it that could be compared
  std::optional<std::uint64_t> boundary;  ///< its number, from 0
  std::vector<ValueDifference> values;    ///< in the order in which they are made; never empty
};

/// The first evaluation of the right-hand side that differs.
struct EvaluationDifference {
  TimeUs from;       ///< start of its interval
  double t_s = 0.0;  ///< since then
  ValueDifference value;
};

/// The first motor command that differs, of an autopilot that is a program of others.
struct MotorDifference {
  TimeUs time;
  std::optional<TimeUs> equal_until;
  ValueDifference value;
};

enum class Blame : std::uint8_t { kCause, kConsequence, kUnknown };

const char* to_text(Blame blame);

/// Who it was.
struct Cause {
  Blame blame = Blame::kUnknown;
  Component component = Component::kUnknown;
  std::string source;  ///< name of the source that wrote the first value; may be empty
  std::vector<std::string> reasons;  ///< sentences
  std::optional<EvaluationDifference> evaluation;
};

/// The greatest differences in a stretch of time that ends here.
struct GrowthRow {
  DurationUs after;  ///< since the divergence
  double position_m = 0.0;
  double velocity_m_s = 0.0;
  double attitude_rad = 0.0;
  double rotor_speed_rad_s = 0.0;
};

struct DiffReport {
  DiffVerdict verdict = DiffVerdict::kEqual;
  std::vector<SpecDifference> spec;
  std::vector<std::string> notes;  ///< what else differs, what could not be compared
  std::optional<ChainDifference> chain;
  std::optional<Divergence> divergence;
  std::optional<Cause> cause;  ///< if there is a divergence
  std::optional<MotorDifference> motor;
  std::vector<GrowthRow> growth;
  TimeUs compared_until;
};

/// Compares everything that both hold.
DiffReport diff(const Recording& a, const Recording& b, const DiffOptions& options = {});

}  // namespace tactus
