// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Documents as text. For sources only: no other header includes this one, so that those who use
// the library need no JSON library of their own.

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tactus {

using Json = nlohmann::ordered_json;

/// With two spaces per level and without a line break at the end. Every text in it, keys too, may
/// be any bytes: the document is valid, and nothing in it hides from a reader (printable.h).
std::string json_text(const Json& document);

}  // namespace tactus
