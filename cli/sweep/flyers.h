// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How samples are flown on this machine, for all verbs that fly them.

#include <string>

#include "cli/sweep/options.h"
#include "tactus/sweep/fly_campaign.h"

namespace tactus::cli {

/// A library of others is loaded once per flight and stays until its process ends; it may also end
/// it.
bool needs_processes(const sweep::Campaign& campaign);

sweep::SampleOptions sample_options(const SweepOptions& options);

/// By threads or processes of this one. The campaign must outlive it.
sweep::FlyAll local_flyers(const SweepOptions& options, const sweep::Campaign& campaign);

/// Throws Error if the results would be written over a file that the campaign reads.
void require_other_files(const sweep::Campaign& campaign, const std::string& output);

}  // namespace tactus::cli
