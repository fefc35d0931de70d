// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a file is that a user has given in place of another. It is here because missions are the
// first files of users that a layer reads; specs, fleets and recordings follow.

#include <cstddef>
#include <string>
#include <string_view>

namespace tactus {

/// First bytes of a file that are enough to tell what it is.
inline constexpr std::size_t kFileHead = 4096;

/// What a file is that is no recording, by its first bytes, and what to do with it: "a ULog, the
/// log of PX4; PlotJuggler, Flight Review and pyulog open it". Empty: not known.
std::string describe_head(std::string_view head);

/// The same of a text that was read as a spec, a fleet or a mission, if it certainly is none.
/// Empty: it may be one, perhaps with mistakes.
std::string describe_if_foreign(std::string_view text);

}  // namespace tactus
