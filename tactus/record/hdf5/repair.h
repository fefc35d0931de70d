// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Recordings whose writer was killed. Tactus reads them as they are; other programs refuse a file
// that was never closed. Repairing writes all that is readable into a new file and puts that in the
// place of the old one once it is complete on disk; the old one stays as it is if anything fails.

#include <string>

#include "tactus/record/recording.h"

namespace tactus {

/// Gives a recording to a sink, row by row as it was recorded.
void copy_recording(const Recording& recording, RowSink& sink);

struct RepairResult {
  bool was_left_open = false;  ///< otherwise there was nothing to repair
  bool has_rows = false;       ///< otherwise it was killed before its first block
  RecordingEnd end;
};

/// `out`: a new file, also if there is nothing to repair; empty: in the place of the old one. The
/// result is still marked incomplete if the run did not get to its end, and its /end stays empty,
/// which shows that its writer was killed. Throws Error: as read_recording(); if the file is being
/// written or repaired at this moment; if the new file exists or cannot be written; if the old one
/// is a symbolic link.
RepairResult repair_recording(const std::string& path, const std::string& out = "");

}  // namespace tactus
