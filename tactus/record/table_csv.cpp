// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/table_csv.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/core/version.h"
#include "tactus/record/csv_log.h"

namespace tactus {
namespace {

constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16U;

/// Where the solver's totals stand, in the order of their list.
std::vector<const RowField*> solver_fields(const TableLayout& log) {
  std::vector<const RowField*> fields;
  const SolverTotals totals;
  for_each_leaf(totals, [&](const LeafPath& name, const auto&) {
    const std::string path = "/log/solver/" + name.text();
    fields.push_back(log.find(path));
    if (fields.back() == nullptr || fields.back()->kind != FieldKind::kU64) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("the recording does not fit this program: {} is missing", path));
    }
  });
  return fields;
}

std::string comment_line(const Recording& recording, const Table& table) {
  const RecordingMeta& meta = recording.meta;
  return fmt::format("# tactus {} table={} rule={} bus={} spec={} seed={} digest={}\n", kVersion,
                     table.layout.name, to_text(table.layout.rule), meta.bus_version,
                     to_hex(meta.spec_digest), meta.seed,
                     recording.end.complete ? to_hex(recording.end.flight_digest) : "incomplete");
}

std::string head_of(const Table& table) {
  std::string head = "time_us";
  for (std::size_t i = 1; i < table.layout.fields.size(); ++i) {
    const RowField& field = table.layout.fields[i];
    const std::size_t columns = field.kind == FieldKind::kText ? 1 : field.width;
    for (std::size_t column = 0; column < columns; ++column) head += "," + leaf_name(field, column);
  }
  return head + '\n';
}

std::string line_of(const Table& table, std::size_t i) {
  const std::byte* const row = table.row(i).data();
  std::string line = std::to_string(table.time(i).us);
  for (std::size_t k = 1; k < table.layout.fields.size(); ++k) {
    const RowField& field = table.layout.fields[k];
    if (field.kind == FieldKind::kText) {
      line += "," + csv_quoted(printable(text(field, row)));
      continue;
    }
    for (std::size_t column = 0; column < field.width; ++column) {
      line += "," + value_text(field, column, row);
    }
  }
  return line + '\n';
}

}  // namespace

void write_log_csv(const Recording& recording, const Table& log, std::unique_ptr<OutputFile> file,
                   bool plain) {
  std::vector<BusLeaf> leaves = bus_leaves(recording.meta.counts);
  std::erase_if(leaves, [](const BusLeaf& leaf) { return leaf.name == "time_us"; });
  const RowPart bus_part = find_fields(log.layout, "/log", leaves);
  const std::vector<const RowField*> solver = solver_fields(log.layout);
  const RecordingMeta& meta = recording.meta;
  std::optional<LogProvenance> provenance;
  if (!plain) provenance = {meta.name, meta.spec_digest, meta.seed};
  CsvLog csv(std::move(file), std::move(provenance));
  csv.begin(recording.meta.counts);
  Bus bus;
  SolverTotals totals;
  for (std::size_t i = 0; i < log.size(); ++i) {
    bus_part.scatter(log.row(i).data(), &bus);
    std::size_t next = 0;
    for_each_value(totals, [&](std::uint64_t& total) {
      total = whole_number(*solver[next++], 0, log.row(i).data());
    });
    csv.row({log.time(i), 0, bus, totals});
  }
  csv.end(recording.end.flight_digest, recording.end.complete);
}

void write_table_csv(const Recording& recording, const Table& table, OutputFile& file, bool plain) {
  std::string text = (plain ? "" : comment_line(recording, table)) + head_of(table);
  for (std::size_t i = 0; i < table.size(); ++i) {
    text += line_of(table, i);
    if (text.size() < kWrittenAtOnce) continue;
    file.append(text);
    file.require_written();
    text.clear();
  }
  file.append(text);
  file.require_written();
  file.publish();
}

}  // namespace tactus
