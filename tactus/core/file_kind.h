// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>
#include <string_view>

namespace tactus {

/// What a file is that is no recording, by its first bytes, and what to do with it: "a ULog, the
/// log of PX4; PlotJuggler, Flight Review and pyulog open it". Empty: not known.
std::string describe_file(const std::string& path);

/// The same of a text that was read as a spec, a fleet or a mission, if it certainly is none.
/// Empty: it may be one, perhaps with mistakes.
std::string describe_if_foreign(std::string_view text);

}  // namespace tactus
