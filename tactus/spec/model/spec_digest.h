// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/core/digest.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

/// Digest of everything that decides the flight: all parameters, ids, events, expectations and the
/// content of the mission and of parameter files. It follows the field list of Spec, which says of
/// each other member why it is left out: paths, positions in files, name and description.
Digest128 spec_digest(const Spec& spec);

/// Of what an event does and when.
Digest128 event_digest(const Event& event);

}  // namespace tactus
