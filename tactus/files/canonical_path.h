// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

namespace tactus {

/// One name per file, be it there or not, whatever way leads to it: absolute, without symbolic
/// links, "." and "..". The path as it is if the system does not give it.
std::string canonical_path(const std::string& path);

}  // namespace tactus
