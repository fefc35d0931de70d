// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/record/recording_meta.h"

namespace tactus::cli {

/// The commit and the compiler of this program.
BuildIdentity build_identity();

}  // namespace tactus::cli
