// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// [[event]] and [[expect]]: from keys to Event and Expectation. A key that the trigger, the action
// or the expectation does not use is an error, and so is one that it needs and lacks.

#include "tactus/signal/bus.h"
#include "tactus/spec/reader/spec_draft.h"
#include "tactus/spec/schema/spec_places.h"

namespace tactus {

/// Uses the ids of rotors, packs and buses in `draft.spec`. Signals are looked up in `leaves`.
std::vector<Event> read_events(const SpecDraft& draft, const TomlNode& root,
                               const SpecPlaces& places, const std::vector<BusLeaf>& leaves);

/// After the events, which an expectation may name.
std::vector<Expectation> read_expectations(const SpecDraft& draft, const TomlNode& root,
                                           const SpecPlaces& places,
                                           const std::vector<BusLeaf>& leaves);

}  // namespace tactus
