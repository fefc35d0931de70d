// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Tables of a recording as CSV. The log comes out byte for byte as a run writes it (csv_log.h); any
// other table has a comment line, unless it is to be plain, the names of its columns, one column
// per number and one per text, and the instant of each row first.

#include <memory>

#include "tactus/files/output_file.h"
#include "tactus/record/recording.h"

namespace tactus {

/// The log of a flight; that of an external simulator does not have all of it and is written as
/// a table. Throws Error(kBadInput) if the recording does not fit this program, Error(kEnvironment)
/// if the file cannot be written.
void write_log_csv(const Recording& recording, const Table& log, std::unique_ptr<OutputFile> file,
                   bool plain);

/// Throws Error(kEnvironment) if the file cannot be written.
void write_table_csv(const Recording& recording, const Table& table, OutputFile& file, bool plain);

}  // namespace tactus
