// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/powered_autopilot.h"

#include <utility>

#include "tactus/core/assert.h"

namespace tactus {

PoweredAutopilot::PoweredAutopilot(std::shared_ptr<Autopilot> autopilot)
    : autopilot_(std::move(autopilot)) {
  TACTUS_ASSERT(autopilot_ != nullptr, "an autopilot");
}

void PoweredAutopilot::step(bool is_supplied, const AutopilotInput& input) {
  TACTUS_ASSERT((input.truth != nullptr) == autopilot_->sees_truth(),
                "the truth for those who may see it");
  const bool boots = is_supplied && !was_supplied_;
  if (boots) autopilot_->restart();
  if (boots || !is_supplied) output_ = {};
  was_supplied_ = is_supplied;
  if (is_supplied) autopilot_->step(input, output_);
}

std::optional<PoweredAutopilot> PoweredAutopilot::clone() const {
  std::unique_ptr<Autopilot> copy = autopilot_->clone();
  if (copy == nullptr) return std::nullopt;
  PoweredAutopilot powered(std::move(copy));
  powered.output_ = output_;
  powered.was_supplied_ = was_supplied_;
  return powered;
}

void PoweredAutopilot::save(StateWriter& to) const {
  to.add_fields("command", output_.command);
  to.add_fields("autopilot status", output_.status);
  to.add(was_supplied_);
  autopilot_->save(to);
}

void PoweredAutopilot::load(StateReader& from) {
  from.get_fields("command", output_.command);
  from.get_fields("autopilot status", output_.status);
  was_supplied_ = from.get<bool>();
  autopilot_->load(from);
}

}  // namespace tactus
