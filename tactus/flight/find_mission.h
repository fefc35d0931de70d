// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

namespace tactus {

/// A path as it is, or a name in missions/ of the data root, with or without its ending. Throws
/// Error: kEnvironment if it cannot be found out whether it is a file, kBadInput that lists the
/// names.
std::string find_mission(const std::string& name);

}  // namespace tactus
