// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The library says which key or parameter is wrong; a user of the command line gave an option.

#include <string_view>

#include "tactus/core/error.h"

namespace tactus::cli {

/// Throws an error that names the option and its text, if `error` is about `key` and the option was
/// given; otherwise nothing happens. To be called where `error` was caught.
void rethrow_as_option(const Error& error, std::string_view key, std::string_view option,
                       std::string_view text);

}  // namespace tactus::cli
