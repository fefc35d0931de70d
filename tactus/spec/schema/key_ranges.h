// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How large and how small the numbers of a spec may be. The limits are far outside of anything that
// flies or drives: what lies beyond them is a slip of a unit, of a digit or of a program that wrote
// the file, and would only make a solver fail later. What is plausible says plausibility.cpp.

#include <string>
#include <string_view>

#include "tactus/spec/schema/schema.h"

namespace tactus {

/// Gives every number of the schema its range, by its key if it has one of its own, else by unit.
void set_ranges(SchemaTable& schema);

KeyRange range_of_unit(std::string_view unit);

/// "0.001 to 1e+05"; empty: any.
std::string range_text(const KeyRange& range);

}  // namespace tactus
