// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Whether a program can be conducted, from its file and those of the libraries that come with it:
// what they ask the C library for.

#include <string>

namespace tactus {

/// Why not, naming the function if there is one; empty: it can, as far as its file tells.
/// A file that is no program, or a script, is left to the start.
std::string why_not_conductible(const std::string& program);

}  // namespace tactus
