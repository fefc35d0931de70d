// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/autopilot.h"

#include <fmt/format.h>

#include "tactus/core/error.h"

namespace tactus {

// clang-format off
AutopilotInput autopilot_input(const Bus& bus, TimeUs now, bool sees_truth) {
  return {now,
          bus.estimate,
          bus.land,
          bus.high_level,
          bus.parameter,
          bus.battery,
          bus.esc,
#define TACTUS_VIEW(Kind, Kinds, member, ...) bus.member,
          TACTUS_INSTRUMENT_KINDS(TACTUS_VIEW)
#undef TACTUS_VIEW
          sees_truth ? &bus.truth : nullptr};
}

AutopilotInput with_orders(const AutopilotInput& input, const HighLevelCommand& high_level) {
  return {input.now,
          input.estimate,
          input.land,
          high_level,
          input.parameter,
          input.battery,
          input.esc,
#define TACTUS_VIEW(Kind, Kinds, member, ...) input.member,
          TACTUS_INSTRUMENT_KINDS(TACTUS_VIEW)
#undef TACTUS_VIEW
          input.truth};
}
// clang-format on

namespace {

[[noreturn]] void refuse(const Autopilot& autopilot) {
  throw Error(ExitCode::kBadInput,
              fmt::format("autopilot \"{}\" cannot be saved", autopilot.name()));
}

}  // namespace

void Autopilot::save(StateWriter& /*to*/) const { refuse(*this); }
void Autopilot::load(StateReader& /*from*/) { refuse(*this); }

}  // namespace tactus
