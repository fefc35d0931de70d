// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A check case of `tactus verify`: something the library computes, compared with truth that does
// not come from the library. A case measures one or more errors, each with a limit; it passes if
// every error is at or below its limit. Beside each limit in the sources stands why it is what it
// is. A case whose truth comes from a library that this program was built without is skipped and
// says so: it has neither passed nor failed.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tactus/plant/multirotor_model.h"
#include "tactus/verify/flight_distance.h"

namespace tactus::verify {

/// One measured number.
struct Row {
  std::string compares;  ///< "A vs B"
  double error = 0.0;
  double limit = 0.0;
  std::string unit;

  /// A NaN never passes.
  [[nodiscard]] bool passed() const { return error <= limit; }
};

using Rows = std::vector<Row>;

struct Check {
  std::string name;
  std::string theme;
  std::string about;  ///< one line for --list
  std::function<Rows()> measure;
  std::string lacks = {};  ///< why this program cannot run it, and what to do; empty: it can
};

struct Outcome {
  std::string name;
  std::string theme;
  std::string about;
  Rows rows;
  std::string lacks;  ///< why it was skipped; empty: it ran

  [[nodiscard]] bool skipped() const { return !lacks.empty(); }
  [[nodiscard]] bool passed() const {
    return !skipped() && !rows.empty() &&
           std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.passed(); });
  }
};

/// A case that cannot finish has failed; the others still run.
inline Outcome run(const Check& check) {
  Outcome outcome{check.name, check.theme, check.about, {}, check.lacks};
  if (outcome.skipped()) return outcome;
  try {
    outcome.rows = check.measure();
  } catch (const std::exception& error) {
    outcome.rows.push_back({std::string("stopped: ") + error.what(),
                            std::numeric_limits<double>::quiet_NaN(), 0.0, ""});
  }
  return outcome;
}

/// What came of all that was asked for.
struct Summary {
  std::size_t cases = 0;  ///< that ran
  std::size_t rows = 0;
  std::vector<std::string> failed;   ///< names of cases
  std::vector<std::string> skipped;  ///< the same

  explicit Summary(const std::vector<Outcome>& outcomes) {
    for (const Outcome& outcome : outcomes) {
      if (outcome.skipped()) {
        skipped.push_back(outcome.name);
        continue;
      }
      ++cases;
      rows += outcome.rows.size();
      if (!outcome.passed()) failed.push_back(outcome.name);
    }
  }
  [[nodiscard]] bool passed() const { return cases > 0 && failed.empty(); }
};

/// An integrator that others wrote: the truth of some cases. The library has none.
struct IndependentIntegrator {
  std::string lacks;  ///< why there is none, and what to do; empty: there is one
  std::function<IndependentComparison(const MultirotorParameters&)> compare;
};

/// Every case, in the order of the table.
std::vector<Check> all_checks(const IndependentIntegrator& independent);

/// Themes of two source files; the others have one.
inline constexpr char kLaws[] = "laws";
inline constexpr char kPlant[] = "analytic: plant";

std::vector<Check> motion_checks();
std::vector<Check> plant_checks();
std::vector<Check> rotor_checks();
std::vector<Check> published_checks();
std::vector<Check> order_checks();
std::vector<Check> independent_checks(const IndependentIntegrator& independent);
std::vector<Check> law_checks();
std::vector<Check> charge_law_checks();
std::vector<Check> contact_checks();
std::vector<Check> environment_checks();

}  // namespace tactus::verify
