// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <cstring>

#include "tactus/replay/diff/diff_cause.h"

namespace tactus {
namespace {

/// Names of the plant's continuous state, in the order of a packed state.
std::vector<std::string> state_names(const Recording& recording) {
  std::vector<std::string> names;
  const Table* const start = recording.find("start");
  if (start == nullptr) return names;
  for (const RowField& field : start->layout.fields) {
    if (!field.path.starts_with("/start/state/")) continue;
    for (std::size_t i = 0; i < field.width; ++i) names.push_back(leaf_name(field, i));
  }
  return names;
}

/// Of several differing entries that of the part which the others depend on: a bus voltage drives
/// motors, rotors drive the body.
class EvaluationReader {
 public:
  EvaluationReader(const Recording& recording, const TablePair& pair)
      : pair_(pair), names_(state_names(recording)) {}

  [[nodiscard]] ValueDifference read(const std::byte* row_a, const std::byte* row_b) const {
    // Same start and same step before: where and when it is evaluated is the integrator's choice.
    for (const char* path : {"/rhs_trace/t_s", "/rhs_trace/state"}) {
      if (auto found = first_in(path, row_a, row_b)) {
        found->owner = Component::kIntegrator;
        return *found;
      }
    }
    for (const char* path : {"/rhs_trace/bus_v", "/rhs_trace/bus_residual_a"}) {
      if (auto found = first_in(path, row_a, row_b)) {
        found->owner = Component::kBattery;
        return *found;
      }
    }
    return first_in("/rhs_trace/derivative", row_a, row_b).value_or(ValueDifference{});
  }

 private:
  [[nodiscard]] std::optional<ValueDifference> first_in(const char* path, const std::byte* row_a,
                                                        const std::byte* row_b) const {
    std::optional<ValueDifference> first;
    for (const TablePair::Field& field : pair_.fields) {
      if (field.a->path != path) continue;
      for (std::size_t i = 0; i < field.a->width; ++i) {
        if (equal_element(field, i, row_a, row_b, 0.0)) continue;
        ValueDifference found = describe(pair_, field, i, row_a, row_b);
        name(found, path, i, field.a->width);
        if (!first || found.owner < first->owner) first = found;
      }
    }
    return first;
  }

  void name(ValueDifference& difference, const std::string& path, std::size_t i,
            std::size_t width) const {
    const bool of_state = path.ends_with("state") || path.ends_with("derivative");
    if (!of_state || width != names_.size()) return;
    difference.owner = owner_of_leaf(names_[i]);
    difference.leaf = path.ends_with("derivative") ? "d/dt " + names_[i] : names_[i];
  }

  const TablePair& pair_;
  std::vector<std::string> names_;
};

}  // namespace

std::optional<EvaluationDifference> first_differing_evaluation(const Recording& a,
                                                               const Recording& b, TimeUs until) {
  const std::optional<TablePair> pair = pair_of(a, b, "rhs_trace");
  if (!pair || !pair->same_layout) return std::nullopt;
  const RowField* const t_s = pair->a->layout.find("/rhs_trace/t_s");
  const std::size_t size = std::min(pair->a->size(), pair->b->size());
  for (std::size_t i = 0; i < size && pair->a->time(i) < until; ++i) {
    const std::byte* const row_a = pair->a->row(i).data();
    const std::byte* const row_b = pair->b->row(i).data();
    if (std::memcmp(row_a, row_b, pair->a->layout.row_size) == 0) continue;
    EvaluationDifference difference;
    difference.from = pair->a->time(i);
    difference.t_s = t_s == nullptr ? 0.0 : number(*t_s, 0, row_a);
    difference.value = EvaluationReader(a, *pair).read(row_a, row_b);
    if (pair->a->time(i) != pair->b->time(i)) {
      difference.value.leaf = "number of evaluations in an interval";
      difference.value.owner = Component::kIntegrator;
    }
    return difference;
  }
  return std::nullopt;
}

}  // namespace tactus
