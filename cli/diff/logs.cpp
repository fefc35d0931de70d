// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/diff/logs.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/common/print.h"
#include "tactus/core/error.h"
#include "tactus/files/text_file.h"
#include "tactus/replay/trace/trace_diff.h"
#include "tactus/replay/ulog/ulog_diff.h"

namespace tactus::cli {
namespace {

using IsOne = bool (*)(std::string_view head);

/// Whether both files are of this kind, and can be compared as it is asked.
bool are_both(const std::string& a, const std::string& b, IsOne is_one, const char* kind,
              bool exact) {
  constexpr std::size_t kHead = 64;
  const bool first = is_one(head_of_file(a, kHead));
  const bool second = is_one(head_of_file(b, kHead));
  if (first && second && !exact) {
    throw Error(
        ExitCode::kBadInput,
        fmt::format("--tolerance is for recordings; {} is {}, which is compared exactly", a, kind));
  }
  if (first == second) return first;
  throw Error(ExitCode::kBadInput, fmt::format("{} is {}, {} is none; diff compares two of a kind",
                                               first ? a : b, kind, first ? b : a));
}

ExitCode exit_code(bool equal) { return equal ? ExitCode::kOk : ExitCode::kDifferent; }

}  // namespace

std::optional<ExitCode> diff_logs(const std::string& a, const std::string& b,
                                  const LogDiffOptions& options) {
  if (are_both(a, b, ULog::is_one, "a ULog of PX4", options.exact)) {
    const ULog log_a(read_log_file(a), a);
    const ULog log_b(read_log_file(b), b);
    const ULogDiff found = diff_ulogs(log_a, log_b);
    print_format("{}", options.json ? ulog_diff_json(found, a, b) + "\n" : to_text(found, a, b));
    return exit_code(found.equal());
  }
  if (are_both(a, b, AutopilotTrace::is_one, "the trace of an autopilot", options.exact)) {
    const AutopilotTrace trace_a(read_log_file(a), a);
    const AutopilotTrace trace_b(read_log_file(b), b);
    const TraceDiff found = diff_traces(trace_a, trace_b);
    print_format("{}", options.json ? trace_diff_json(found, a, b) + "\n" : to_text(found, a, b));
    return exit_code(!found.first);
  }
  return std::nullopt;
}

}  // namespace tactus::cli
