// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/common/option_error.h"

#include <fmt/format.h>

#include "tactus/core/printable.h"

namespace tactus::cli {

void rethrow_as_option(const Error& error, std::string_view key, std::string_view option,
                       std::string_view text) {
  if (text.empty() || !error.subject() || error.subject()->key != key) return;
  throw Error(error.code(),
              fmt::format("{} {}: {}", option, text, printable(error.subject()->reason)));
}

}  // namespace tactus::cli
