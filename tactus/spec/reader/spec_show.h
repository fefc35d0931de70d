// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A resolved spec for people: every key with its value and where it comes from.

#include <string>

#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/schema/schema.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// What `root`, read into the draft behind `schema`, amounts to; tables of other vehicles left out.
Provenance make_provenance(const TomlNode& root, const SchemaTable& schema,
                           const VehicleType& vehicle);

/// The same as a TOML document with the origin of each value as a comment.
std::string resolved_text(const TomlNode& root, const SchemaTable& schema,
                          const VehicleType& vehicle);

/// Whether a table or list is for this vehicle.
bool is_for(const VehicleType* only_for, const VehicleType& vehicle);

}  // namespace tactus
