// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

namespace tactus {

/// What a path is that is no recording, by describe_head(); "a folder; name a file in it".
/// Empty: not known.
std::string describe_file(const std::string& path);

}  // namespace tactus
