// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Names in the file of a recording (docs/recording_format.md), for those who write and read it.
// Strings are text datasets with one row unless said otherwise.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/core/time.h"
#include "tactus/record/table.h"

namespace tactus::layout {

/// Rows go into the file in sets; a set holds the rows of 10 s of flight and closes before the
/// first row at or after a multiple of it.
inline constexpr DurationUs kSetPeriod{10'000'000};

inline constexpr char kComplete[] = "/complete";  ///< u8[1]: 1 once the run got to its end

// The table of block_ledger.h, which /meta does not list, gets a row when a set is in the file. A
// file that was left open is cut back to what its last row counts.

// Zero until the end, which comes also when a run stops early.
inline constexpr char kEndTime[] = "/end/time_us";                ///< u64[1]
inline constexpr char kEndFlightDigest[] = "/end/flight_digest";  ///< u64[2]: high, low
inline constexpr char kEndDigest[] = "/end/digest";               ///< u64[2]: of block_ledger.h

// All [1] unless said otherwise.
inline constexpr char kMetaDigest[] = "/meta/digest";    ///< u64[2]: high, low, of block_ledger.h
inline constexpr char kMetaVersion[] = "/meta/version";  ///< u32
inline constexpr char kMetaBusVersion[] = "/meta/bus_version";  ///< u32
inline constexpr char kMetaTier[] = "/meta/tier";               ///< u32
inline constexpr char kMetaSeed[] = "/meta/seed";               ///< u64
inline constexpr char kMetaCounts[] = "/meta/counts";           ///< i32[]: for_each_told_count()
inline constexpr char kMetaLogInterpolates[] = "/meta/log_interpolates";  ///< u8
inline constexpr char kMetaProgram[] = "/meta/program";
inline constexpr char kMetaCommit[] = "/meta/commit";
inline constexpr char kMetaCompiler[] = "/meta/compiler";
inline constexpr char kMetaName[] = "/meta/name";
inline constexpr char kMetaSpec[] = "/meta/spec";
inline constexpr char kMetaSpecDigest[] = "/meta/spec_digest";  ///< 32 hexadecimal digits
inline constexpr char kMetaEventIds[] = "/meta/event_ids";      ///< text[N]
inline constexpr char kMetaBlobs[] = "/meta/blobs";             ///< text[N]: paths of blobs

// text[N], one row per parameter
inline constexpr char kParameterKey[] = "/meta/parameters/key";
inline constexpr char kParameterValue[] = "/meta/parameters/value";
inline constexpr char kParameterUnit[] = "/meta/parameters/unit";
/// u64[N]: Digest of key, value and unit as texts, low half
inline constexpr char kParameterDigest[] = "/meta/parameters/digest";

// text[N], one row per source
inline constexpr char kSourceName[] = "/meta/sources/name";
inline constexpr char kSourceStage[] = "/meta/sources/stage";
inline constexpr char kSourceMode[] = "/meta/sources/mode";
inline constexpr char kSourceReads[] = "/meta/sources/reads";
inline constexpr char kSourceWrites[] = "/meta/sources/writes";

// Attached files: file i is bytes[begin[i]] up to begin[i + 1], or to the end.
inline constexpr char kFileName[] = "/meta/files/name";    ///< text[N]
inline constexpr char kFileBegin[] = "/meta/files/begin";  ///< u64[N]
inline constexpr char kFileBytes[] = "/meta/files/bytes";  ///< u8[M]

// Only in a recording that was branched from another.
inline constexpr char kParent[] = "/meta/parent";
inline constexpr char kParentName[] = "/meta/parent/name";
inline constexpr char kParentFlightDigest[] = "/meta/parent/flight_digest";  ///< u64[2]: high, low
inline constexpr char kParentAt[] = "/meta/parent/at_us";                    ///< u64
inline constexpr char kParentChanges[] = "/meta/parent/changes";

// One row per table, in the order of their indices.
inline constexpr char kTableName[] = "/meta/tables/name";         ///< text[N]
inline constexpr char kTableRule[] = "/meta/tables/rule";         ///< text[N]
inline constexpr char kTablePeriod[] = "/meta/tables/period_us";  ///< u64[N]
inline constexpr char kTableRowSize[] = "/meta/tables/row_size";  ///< u64[N]
// One row per field, table after table and in the order of the row.
inline constexpr char kFieldTable[] = "/meta/fields/table";  ///< u32[N]: index of its table
inline constexpr char kFieldPath[] = "/meta/fields/path";    ///< text[N]: its dataset
inline constexpr char kFieldUnit[] = "/meta/fields/unit";    ///< text[N], like those below
inline constexpr char kFieldMeaning[] = "/meta/fields/meaning";
inline constexpr char kFieldFrame[] = "/meta/fields/frame";
inline constexpr char kFieldLabels[] = "/meta/fields/labels";
inline constexpr char kFieldKind[] = "/meta/fields/kind";
inline constexpr char kFieldWidth[] = "/meta/fields/width";    ///< u64[N]
inline constexpr char kFieldOffset[] = "/meta/fields/offset";  ///< u64[N]

/// f64[K], only if asked for: seconds since the recording began when each set was closed. The one
/// thing that differs from run to run.
inline constexpr char kWallTime[] = "/diagnostics/wall_s";

/// Attributes of the dataset of a field, name and text: what /meta says, for other programs.
inline std::vector<std::pair<const char*, std::string_view>> attributes(const TableLayout& table,
                                                                        const RowField& field) {
  return {{"unit", field.unit},           {"meaning", field.meaning},
          {"frame", field.frame},         {"labels", field.labels},
          {"kind", to_text(field.kind)},  {"rule", to_text(table.rule)},
          {"axis", table.fields[0].path},  // path of the dataset of its times
          {"table", table.name}};
}

// A blob: piece i is bytes[begin[i]] up to begin[i + 1], or to the end.
inline std::string blob_time(const std::string& path) { return path + "/time_us"; }  ///< u64[N]
inline std::string blob_begin(const std::string& path) { return path + "/begin"; }   ///< u64[N]
inline std::string blob_bytes(const std::string& path) { return path + "/bytes"; }   ///< u8[M]

}  // namespace tactus::layout
