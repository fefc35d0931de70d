// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One file, or one override, checked by itself against the schema.

#include "tactus/spec/reader/spec_mistakes.h"
#include "tactus/spec/schema/schema.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// Takes out what is wrong. Values are read into the scratch draft that the schema is bound to.
void check_file(TomlNode& root, const SchemaTable& schema, SpecMistakes& mistakes);

}  // namespace tactus
