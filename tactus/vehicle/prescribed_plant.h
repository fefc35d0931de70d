// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/vehicle/plant.h"

namespace tactus {

/// A plant whose motion was integrated elsewhere and is given to it: it has no state and finds no
/// events.
class PrescribedPlant : public Plant {
 public:
  void settle(Bus& /*bus*/) override {}
  [[nodiscard]] std::optional<Watch> watch_for(const BusLeaf& /*leaf*/) const override {
    return std::nullopt;
  }
  void require_step_resolves(DurationUs /*longest_interval*/) const override {}
  void add_state(Digest& /*digest*/) const override {}
  [[nodiscard]] std::vector<BusLeaf> state_leaves() const override { return {}; }
  [[nodiscard]] const void* state_block() const override { return nullptr; }
  [[nodiscard]] const SolverTotals& totals() const override { return totals_; }
  void take_notes(std::vector<Note>& /*notes*/) override {}

 private:
  SolverTotals totals_;
};

}  // namespace tactus
