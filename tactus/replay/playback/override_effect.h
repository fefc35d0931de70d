// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Which changes of the recorded spec a replay can show. What comes from the file is as it was
// recorded, whatever the spec says: a change of it would be ignored without a message, and a
// recording of the replay would name a spec that was not flown.

#include <bitset>
#include <cstddef>
#include <span>

#include "tactus/record/recording.h"
#include "tactus/replay/diff/diff_component.h"
#include "tactus/replay/playback/flight_part.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

/// The owners of keys that act in a replay.
class ActingOwners {
 public:
  void add(Component owner) { set_.set(static_cast<std::size_t>(owner)); }
  [[nodiscard]] bool has(Component owner) const {
    return set_.test(static_cast<std::size_t>(owner));
  }

 private:
  std::bitset<static_cast<std::size_t>(Component::kUnknown) + 1> set_;
};

/// Of a flight with these parts live; `plant`: it is integrated.
ActingOwners acting_owners(const std::bitset<kFlightParts.size()>& live, bool plant);

/// What an error about overrides without effect is about.
inline constexpr char kOverridesSubject[] = "overrides";

/// `changed`: the recorded spec with the overrides. Throws Error(kBadInput) about kOverridesSubject
/// that names every key without effect, why, and what to do instead.
void require_effect(std::span<const Override> overrides, const Spec& changed,
                    const Recording& recording, const ActingOwners& acting);

}  // namespace tactus
