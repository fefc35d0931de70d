// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Where the programs and libraries of external autopilots are: a spec says it, else a variable of
// the environment.

#include <string>
#include <string_view>

namespace tactus {

/// Environment variables that stand for paths which are not given.
inline constexpr char kPx4LibraryVariable[] = "TACTUS_PX4_LOCKSTEP_LIB";
inline constexpr char kPx4BinaryVariable[] = "TACTUS_PX4_SITL_BIN";
inline constexpr char kPx4RomfsVariable[] = "TACTUS_PX4_SITL_ROMFS";
inline constexpr char kArdupilotVariable[] = "TACTUS_ARDUCOPTER_BIN";

/// The path, or what the variable says; empty: neither.
std::string path_or_variable(const std::string& path, const char* variable);

/// The same. Throws Error(kBadInput) that names key, option and variable if there is neither.
std::string given_path(const std::string& path, const char* variable, std::string_view key,
                       std::string_view option);

}  // namespace tactus
