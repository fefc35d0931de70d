// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which part of a simulation each number of a plant's state belongs to, by its name in recordings
// without the index.

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tactus/signal/component.h"
#include "tactus/solver/system.h"

namespace tactus {

struct StateOwner {
  std::string name;  ///< "state.rotor_speed_rad_s", "modes.bus_down"
  Component owner = Component::kUnknown;
};

/// Of `parts` of the continuous state and of the discrete states, whose list names every owner.
template <class Modes, class Parts>
std::vector<StateOwner> state_owners(const Parts& parts) {
  std::vector<StateOwner> owners;
  const auto add = [&owners](std::string name, const char* part, Component owner) {
    owners.push_back({std::move(name.append(part)), owner});
  };
  for (const StatePart& part : parts) add("state.", part.name, part.owner);
  const Modes modes;
  Modes::visit_fields(modes, [&add](const char* name, const char*, const auto& mode,
                                    const char* = "") {
    static_assert(OwnedField<decltype(mode)>, "owned(self.mode, Component::k…) says whose it is");
    add("modes.", name, mode.owner);
  });
  return owners;
}

}  // namespace tactus
