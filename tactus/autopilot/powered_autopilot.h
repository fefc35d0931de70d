// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An autopilot on its supply. While that is down, the autopilot is off and commands nothing; it
// boots when the supply is back. Each flight steps its autopilot through this class, whether a run
// does it (AutopilotSource) or a bridge (Vehicle).

#include <memory>
#include <optional>

#include "tactus/autopilot/autopilot.h"
#include "tactus/core/state_archive.h"

namespace tactus {

class PoweredAutopilot {
 public:
  /// `autopilot` is not null.
  explicit PoweredAutopilot(std::shared_ptr<Autopilot> autopilot);

  [[nodiscard]] Autopilot& autopilot() const { return *autopilot_; }
  /// Of the last step; empty before the first one.
  [[nodiscard]] const AutopilotOutput& output() const { return output_; }

  /// Throws what the autopilot throws.
  void step(bool is_supplied, const AutopilotInput& input);

  /// A copy that continues identically; none if the autopilot cannot be copied.
  [[nodiscard]] std::optional<PoweredAutopilot> clone() const;
  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  std::shared_ptr<Autopilot> autopilot_;
  AutopilotOutput output_;
  bool was_supplied_ = true;
};

}  // namespace tactus
