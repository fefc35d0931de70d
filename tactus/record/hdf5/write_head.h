// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The part of a recording file that is known when it begins: /meta.

#include <vector>

#include "tactus/core/digest.h"
#include "tactus/record/hdf5/hdf5_file.h"
#include "tactus/record/recording.h"

namespace tactus {

/// `digest`: of both, digest_of() in block_ledger.h.
void write_head(Hdf5Writer& file, const RecordingMeta& meta, const std::vector<TableLayout>& tables,
                Digest128 digest);

}  // namespace tactus
