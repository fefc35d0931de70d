// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tactus {

/// Parameters of ArduPilot by name, in the order of their names.
using ArdupilotSettings = std::map<std::string, double, std::less<>>;

/// Adds what a .parm file says; `name` stands for it in messages. Throws Error(kBadInput)
/// ("file:line: …") if a line is not "NAME VALUE".
void read_settings(std::string_view text, const std::string& name, ArdupilotSettings& settings);

/// Its value, or `otherwise`.
double setting_of(const ArdupilotSettings& settings, std::string_view name, double otherwise);

}  // namespace tactus
