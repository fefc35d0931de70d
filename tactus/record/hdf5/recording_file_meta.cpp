// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/recording_file_meta.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/record/hdf5/block_ledger.h"
#include "tactus/record/hdf5/recording_layout.h"
#include "tactus/signal/limits.h"

namespace tactus {
namespace {

using Texts = std::vector<std::string>;

std::optional<FieldKind> kind_from_text(std::string_view text) {
  for (const FieldKind kind : {FieldKind::kReal, FieldKind::kBool, FieldKind::kU8, FieldKind::kI32,
                               FieldKind::kU32, FieldKind::kU64, FieldKind::kText}) {
    if (text == to_text(kind)) return kind;
  }
  return std::nullopt;
}

std::string read_text(const Hdf5Reader& file, const std::string& dataset) {
  Texts texts = file.texts(dataset);
  if (texts.size() != 1) refuse_altered(file, dataset, "is not one text");
  return std::move(texts[0]);
}

/// Datasets that belong together row by row.
class Columns {
 public:
  explicit Columns(const Hdf5Reader& file) : file_(file) {}

  Texts texts(const char* path) { return counted(path, file_.texts(path)); }
  std::vector<std::uint64_t> numbers(const char* path) {
    return counted(path, file_.numbers<std::uint64_t>(path, FieldKind::kU64));
  }
  std::vector<std::uint32_t> indices(const char* path) {
    return counted(path, file_.numbers<std::uint32_t>(path, FieldKind::kU32));
  }
  [[nodiscard]] std::size_t rows() const { return rows_.value_or(0); }

 private:
  template <class T>
  std::vector<T> counted(const char* path, std::vector<T> values) {
    if (rows_.value_or(values.size()) != values.size()) {
      refuse_altered(file_, path, "has not as many rows as those beside it");
    }
    rows_ = values.size();
    return values;
  }

  const Hdf5Reader& file_;
  std::optional<std::size_t> rows_;
};

void require_versions(const Hdf5Reader& file) {
  if (!file.has(layout::kMetaVersion)) {
    refuse_recording(
        file, layout::kMetaVersion,
        "is missing: this is an HDF5 file, but no recording of tactus; name a file that "
        "`tactus run --record` has written");
  }
  const auto check = [&file](const char* dataset, std::uint32_t own, const char* what) {
    const auto found = read_number<std::uint32_t>(file, dataset, FieldKind::kU32);
    if (found == own) return;
    refuse_recording(file, dataset,
                     fmt::format("is {}, this program has {} {}; use the version of tactus that "
                                 "recorded it, or record the flight again",
                                 found, what, own));
  };
  check(layout::kMetaVersion, kRecordingVersion, "recording format");
  check(layout::kMetaBusVersion, kBusVersion, "bus version");
}

Digest128 read_spec_digest(const Hdf5Reader& file) {
  const std::string text = read_text(file, layout::kMetaSpecDigest);
  try {
    return digest_from_hex(text);
  } catch (const Error& error) {
    refuse_altered(file, layout::kMetaSpecDigest, error.what());
  }
}

VehicleCounts read_counts(const Hdf5Reader& file) {
  const auto numbers = file.numbers<std::int32_t>(layout::kMetaCounts, FieldKind::kI32);
  VehicleCounts counts;
  std::size_t given = 0;
  for_each_count(counts, [&](const char* /*one*/, const char* /*many*/, int& count, int most) {
    if (given < numbers.size()) count = numbers[given];
    ++given;
    if (count < 0 || count > most) {
      refuse_altered(file, layout::kMetaCounts, "has a number that no vehicle has");
    }
  });
  std::size_t told = 0;
  for_each_told_count(counts, [&](int /*count*/) { ++told; });
  if (numbers.size() != told) {
    refuse_altered(file, layout::kMetaCounts, fmt::format("is not {} numbers", told));
  }
  return counts;
}

Tier read_tier(const Hdf5Reader& file) {
  const auto tier = read_number<std::uint32_t>(file, layout::kMetaTier, FieldKind::kU32);
  if (tier > static_cast<std::uint32_t>(Tier::kEvaluations)) {
    refuse_altered(file, layout::kMetaTier, fmt::format("is {}", tier));
  }
  return static_cast<Tier>(tier);
}

std::vector<AttachedFile> read_files(const Hdf5Reader& file) {
  Columns columns(file);
  const Texts names = columns.texts(layout::kFileName);
  std::vector<std::uint64_t> begins = columns.numbers(layout::kFileBegin);
  const auto bytes = file.numbers<std::uint8_t>(layout::kFileBytes, FieldKind::kU8);
  begins.push_back(bytes.size());
  std::vector<AttachedFile> files;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (begins[i] > begins[i + 1] || begins[i + 1] > bytes.size()) {
      refuse_altered(file, layout::kFileBegin, "is out of place");
    }
    const std::size_t size = begins[i + 1] - begins[i];
    const auto* const from = reinterpret_cast<const char*>(bytes.data() + begins[i]);
    files.push_back({names[i], size == 0 ? "" : std::string(from, size)});
  }
  return files;
}

std::vector<ParameterRecord> read_parameters(const Hdf5Reader& file) {
  Columns columns(file);
  const Texts keys = columns.texts(layout::kParameterKey);
  const Texts values = columns.texts(layout::kParameterValue);
  const Texts units = columns.texts(layout::kParameterUnit);
  const std::vector<std::uint64_t> digests = columns.numbers(layout::kParameterDigest);
  std::vector<ParameterRecord> parameters;
  for (std::size_t i = 0; i < columns.rows(); ++i) {
    parameters.push_back({keys[i], values[i], units[i]});
    if (digest_of(parameters.back()) != digests[i]) {
      refuse_altered(file, layout::kParameterDigest, fmt::format("of {} is another", keys[i]));
    }
  }
  return parameters;
}

std::vector<SourceRecord> read_sources(const Hdf5Reader& file) {
  Columns columns(file);
  const Texts names = columns.texts(layout::kSourceName);
  const Texts stages = columns.texts(layout::kSourceStage);
  const Texts modes = columns.texts(layout::kSourceMode);
  const Texts reads = columns.texts(layout::kSourceReads);
  const Texts writes = columns.texts(layout::kSourceWrites);
  std::vector<SourceRecord> sources;
  for (std::size_t i = 0; i < columns.rows(); ++i) {
    sources.push_back({names[i], stages[i], modes[i], reads[i], writes[i]});
  }
  return sources;
}

std::optional<ParentRecord> read_parent(const Hdf5Reader& file) {
  if (!file.has(layout::kParent)) return std::nullopt;
  ParentRecord parent;
  parent.name = read_text(file, layout::kParentName);
  parent.flight_digest = read_digest(file, layout::kParentFlightDigest);
  parent.at = TimeUs(read_number<std::uint64_t>(file, layout::kParentAt, FieldKind::kU64));
  parent.changes = read_text(file, layout::kParentChanges);
  return parent;
}

RecordingMeta read_meta(const Hdf5Reader& file) {
  RecordingMeta meta;
  meta.program = read_text(file, layout::kMetaProgram);
  meta.commit = read_text(file, layout::kMetaCommit);
  meta.compiler = read_text(file, layout::kMetaCompiler);
  meta.name = read_text(file, layout::kMetaName);
  meta.spec = read_text(file, layout::kMetaSpec);
  meta.spec_digest = read_spec_digest(file);
  meta.seed = read_number<std::uint64_t>(file, layout::kMetaSeed, FieldKind::kU64);
  meta.tier = read_tier(file);
  meta.counts = read_counts(file);
  meta.event_ids = file.texts(layout::kMetaEventIds);
  meta.blobs = file.texts(layout::kMetaBlobs);
  meta.log_interpolates =
      read_number<std::uint8_t>(file, layout::kMetaLogInterpolates, FieldKind::kU8) != 0;
  meta.files = read_files(file);
  meta.parameters = read_parameters(file);
  meta.sources = read_sources(file);
  meta.parent = read_parent(file);
  return meta;
}

/// A field must be one that a table can have, and no other may have its path.
void require_sound(const Hdf5Reader& file, const TableLayout& table, const RowField& field,
                   std::set<std::string>& paths) {
  constexpr std::size_t kMostColumns = std::size_t{1} << 20U;
  if (!field.path.starts_with('/') || !paths.insert(field.path).second) {
    refuse_altered(file, layout::kFieldPath, fmt::format("has \"{}\" twice", field.path));
  }
  if (field.width == 0 || field.width > kMostColumns) {
    refuse_altered(file, layout::kFieldWidth, fmt::format("is {}", field.width));
  }
  const bool is_axis = field.kind == FieldKind::kU64 && field.width == 1;
  if (table.fields.empty() && !is_axis) {
    refuse_altered(file, field.path, "is not an axis of time, which comes first in a table");
  }
}

void read_fields(const Hdf5Reader& file, std::vector<TableLayout>& tables) {
  Columns columns(file);
  const std::vector<std::uint32_t> owners = columns.indices(layout::kFieldTable);
  const Texts paths = columns.texts(layout::kFieldPath);
  const Texts units = columns.texts(layout::kFieldUnit);
  const Texts meanings = columns.texts(layout::kFieldMeaning);
  const Texts frames = columns.texts(layout::kFieldFrame);
  const Texts labels = columns.texts(layout::kFieldLabels);
  const Texts kinds = columns.texts(layout::kFieldKind);
  const std::vector<std::uint64_t> widths = columns.numbers(layout::kFieldWidth);
  const std::vector<std::uint64_t> offsets = columns.numbers(layout::kFieldOffset);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < columns.rows(); ++i) {
    if (owners[i] >= tables.size()) refuse_altered(file, layout::kFieldTable, "names no table");
    TableLayout& table = tables[owners[i]];
    RowField field{paths[i], units[i], meanings[i], frames[i], labels[i], {}, widths[i], 0};
    const std::optional<FieldKind> kind = kind_from_text(kinds[i]);
    if (!kind) refuse_altered(file, layout::kFieldKind, fmt::format("is \"{}\"", kinds[i]));
    field.kind = *kind;
    require_sound(file, table, field, seen);
    if (add_field(table, std::move(field)) != offsets[i]) {
      refuse_altered(file, layout::kFieldOffset, fmt::format("of {} is out of place", paths[i]));
    }
  }
}

std::vector<TableLayout> read_layouts(const Hdf5Reader& file) {
  Columns columns(file);
  const Texts names = columns.texts(layout::kTableName);
  const Texts rules = columns.texts(layout::kTableRule);
  const std::vector<std::uint64_t> periods = columns.numbers(layout::kTablePeriod);
  const std::vector<std::uint64_t> row_sizes = columns.numbers(layout::kTableRowSize);
  std::vector<TableLayout> tables(columns.rows());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    tables[i].name = names[i];
    tables[i].period = DurationUs(periods[i]);
    try {
      tables[i].rule = rule_from_text(rules[i]);
    } catch (const Error& error) {
      refuse_altered(file, layout::kTableRule, error.what());
    }
  }
  read_fields(file, tables);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].fields.empty() || tables[i].row_size != row_sizes[i]) {
      refuse_altered(file, layout::kTableRowSize,
                     fmt::format("of {} is not that of its fields", names[i]));
    }
  }
  return tables;
}

}  // namespace

void refuse_recording(const Hdf5Reader& file, std::string_view dataset, std::string_view why) {
  throw Error(ExitCode::kBadInput, fmt::format("{}: {} {}", file.path(), dataset, why));
}

void refuse_altered(const Hdf5Reader& file, std::string_view dataset, std::string_view why) {
  refuse_recording(file, dataset,
                   fmt::format("{}: the file is damaged or was altered; take a copy of it from "
                               "elsewhere, or record the flight again",
                               why));
}

Digest128 read_digest(const Hdf5Reader& file, const std::string& dataset) {
  const auto numbers = file.numbers<std::uint64_t>(dataset, FieldKind::kU64);
  if (numbers.size() != 2) refuse_altered(file, dataset, "is not two numbers");
  return {numbers[0], numbers[1]};
}

RecordingHead read_recording_head(const Hdf5Reader& file) {
  require_versions(file);
  RecordingHead head;
  head.meta = read_meta(file);
  head.tables = read_layouts(file);
  head.digest = digest_of(head.meta, head.tables);
  if (head.digest != read_digest(file, layout::kMetaDigest)) {
    refuse_altered(file, layout::kMetaDigest, "is not that of what /meta holds");
  }
  return head;
}

}  // namespace tactus
