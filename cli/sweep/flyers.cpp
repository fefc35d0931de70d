// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/sweep/flyers.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "cli/common/output_guard.h"
#include "cli/common/stop_signal.h"

namespace tactus::cli {

bool needs_processes(const sweep::Campaign& campaign) {
  return campaign.base().spec.autopilot == AutopilotKind::kPx4Library;
}

sweep::SampleOptions sample_options(const SweepOptions& options) {
  sweep::SampleOptions sample;
  sample.validate = options.validate;
  sample.interrupted = asked_to_stop;
  return sample;
}

sweep::FlyAll local_flyers(const SweepOptions& options, const sweep::Campaign& campaign) {
  const auto jobs = static_cast<std::size_t>(options.jobs);
  return needs_processes(campaign) ? sweep::by_processes(campaign, jobs, sample_options(options))
                                   : sweep::by_threads(campaign, jobs, sample_options(options));
}

void require_other_files(const sweep::Campaign& campaign, const std::string& output) {
  std::error_code none;
  for (const NamedInput& input : inputs_of(campaign.base())) {
    if (!std::filesystem::equivalent(input.path, output, none)) continue;
    throw Error(ExitCode::kBadInput,
                fmt::format("--output {}: is read by the campaign ({})", output, input.option));
  }
}

}  // namespace tactus::cli
