// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/common/status_line.h"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

namespace tactus::cli {
namespace {

constexpr char kWiped[] = "\r\x1b[2K";

}  // namespace

StatusLine::StatusLine(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(std::string_view text) {
  if (!shown_) return;
  drawn_ = true;
  std::fputs((kWiped + std::string(text)).c_str(), stderr);
}

void StatusLine::wipe() {
  if (std::exchange(drawn_, false)) std::fputs(kWiped, stderr);
}

}  // namespace tactus::cli
