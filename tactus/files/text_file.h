// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Reads files that a user names: specs, fleets, missions, parameters.

#include <cstddef>
#include <string>

namespace tactus {

/// The whole file. Only a regular file is read: a pipe or a terminal would be waited for, a device
/// may never end. Throws Error(kEnvironment) that names the path and the reason, also if it is
/// larger than kLargestTextFile.
std::string read_text_file(const std::string& path);

/// The same for what a program has written, which may be large: at most kLargestLog.
inline constexpr std::size_t kLargestLog = std::size_t{2} << 30U;
std::string read_log_file(const std::string& path);

/// Its first bytes, fewer if it is shorter; none if it is no regular file that can be read.
std::string head_of_file(const std::string& path, std::size_t size);

/// Why a path is no regular file: "there is no such file", "is a folder", or what the system says,
/// as of a folder on the way that may not be searched. Empty: it is one.
std::string why_no_file(const std::string& path);

/// Nothing is there; what this user may not see is not missing.
bool is_missing(const std::string& path);

}  // namespace tactus
