// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

namespace tactus {

/// What a file is that is no recording, by its first bytes, and what to do with it: "a ULog, the
/// log of PX4; PlotJuggler, Flight Review and pyulog open it". Empty: not known.
std::string describe_file(const std::string& path);

}  // namespace tactus
