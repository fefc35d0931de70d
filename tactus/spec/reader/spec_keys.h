// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// All tables and keys of a spec, made from the field lists of the parameter structs: name, type,
// unit, default and meaning of a key stand there and nowhere else.

#include <string>

#include "tactus/spec/reader/spec_draft.h"
#include "tactus/spec/schema/schema.h"

namespace tactus {

/// The schema bound to a draft. Entries of lists are named after the ids in `root` (an id that
/// `root` does not give is "ID"). Valid as long as the draft is neither moved nor resized.
SchemaTable make_schema(SpecDraft& draft, const TomlNode& root = {});

/// The part of a simulation that a key of any spec belongs to: "pack.main.r0_ohm". What is in no
/// schema is kText, as is what nothing flies with.
Component owner_of_key(std::string_view key);

/// Every key that begins with `prefix`, with type, unit, default and meaning, as a Markdown table.
/// Throws Error(kBadInput) if none does.
std::string keys_text(std::string_view prefix = {});

}  // namespace tactus
