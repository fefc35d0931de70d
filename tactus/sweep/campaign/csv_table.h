// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Values from a table of comma-separated values: a first line with the names of the columns, then
// rows of numbers, true, false, or words, which may stand in quotes. Lines that begin with # are
// comments.

#include <string>
#include <string_view>
#include <vector>

#include "tactus/spec/toml/toml_document.h"

namespace tactus::sweep {

/// The values of these columns, in their order, by row. Throws PlacedError(kBadInput).
std::vector<std::vector<TomlNode>> csv_rows(std::string_view text, const std::string& file,
                                            const std::vector<std::string>& columns);

}  // namespace tactus::sweep
