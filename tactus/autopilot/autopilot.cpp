// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/autopilot/autopilot.h"

#include <fmt/format.h>

#include "tactus/core/error.h"

namespace tactus {
namespace {

[[noreturn]] void refuse(const Autopilot& autopilot) {
  throw Error(ExitCode::kBadInput,
              fmt::format("autopilot \"{}\" cannot be saved", autopilot.name()));
}

}  // namespace

void Autopilot::save(StateWriter& /*to*/) const { refuse(*this); }
void Autopilot::load(StateReader& /*from*/) { refuse(*this); }

}  // namespace tactus
