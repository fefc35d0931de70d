// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// [autopilot] of a spec and the tables in it.

#include "tactus/spec/model/spec.h"
#include "tactus/spec/schema/schema.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// Bound to the spec, as all of a schema.
SchemaTable autopilot_table(Spec& spec);

/// An external autopilot that reads instruments flies with them and at its own rate, unless the
/// spec says otherwise.
void set_defaults_of_autopilot(const TomlNode& root, Spec& spec);

}  // namespace tactus
