// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>
#include <string_view>

namespace tactus {

/// A commented spec to start from, for a vehicle.kind. It loads, and it flies or drives as it is.
/// Throws Error(kBadInput) if there is no such kind.
std::string starter_spec(std::string_view kind);

}  // namespace tactus
