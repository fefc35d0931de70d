// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A small recording with a bit of everything, made by hand, and files of it.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/record/hdf5/block_ledger.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/hdf5/recording_file.h"
#include "tactus/record/hdf5/repair.h"
#include "tactus/record/recording.h"

namespace tactus::testing {

/// A file in a folder for scratch that is not there yet.
inline std::string fresh_file(const std::string& name) {
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string file = std::string(test->test_suite_name()) + "_" + test->name() + "_" + name;
  const std::filesystem::path path = std::filesystem::temp_directory_path() / file;
  std::filesystem::remove_all(path);
  return path.string();
}

inline RowField sample_field(std::string path, FieldKind kind, std::size_t width = 1) {
  RowField field;
  field.path = std::move(path);
  field.kind = kind;
  field.width = width;
  return field;
}

inline Table sample_steps(std::uint64_t end_us) {
  Table table{make_table("steps", Rule::kSampleAndHold, DurationUs(100'000)), {}};
  TableLayout& layout = table.layout;
  add_field(layout, {"/signals/wind/velocity_ned_m_s", "m/s", "of the air", "NED", "x,y,z",
                     FieldKind::kReal, 3, 0});
  add_field(layout, sample_field("/signals/pilot/armed", FieldKind::kBool));
  add_field(layout, sample_field("/signals/pilot/mode", FieldKind::kU8));
  add_field(layout, sample_field("/signals/pilot/item", FieldKind::kI32));
  std::vector<std::byte> row(layout.row_size);
  for (std::uint64_t t_us = 0; t_us <= end_us; t_us += 100'000) {
    const double t_s = to_seconds(TimeUs(t_us));
    put(layout.fields[0], 0, t_us, row.data());
    for (std::size_t i = 0; i < 3; ++i) put(layout.fields[1], i, t_s / 3.0, row.data());
    put(layout.fields[2], 0, t_us > 3'000'000, row.data());
    put(layout.fields[3], 0, static_cast<std::uint8_t>(t_us / 5'000'000), row.data());
    put(layout.fields[4], 0, static_cast<std::int32_t>(t_us / 1'000'000) - 3, row.data());
    table.rows.insert(table.rows.end(), row.begin(), row.end());
  }
  return table;
}

/// Numbers that no compression makes smaller, once a second.
inline Table sample_links(std::uint64_t end_us) {
  Table table{make_table("links", Rule::kSampled, DurationUs(1'000'000)), {}};
  RowField digest = sample_field("/links/digest", FieldKind::kU64, 2);
  digest.labels = "high,low";
  add_field(table.layout, std::move(digest));
  Digest so_far;
  std::vector<std::byte> row(table.layout.row_size);
  for (std::uint64_t t_us = 0; t_us <= end_us; t_us += 1'000'000) {
    so_far.add(t_us);
    put(table.layout.fields[0], 0, t_us, row.data());
    put(table.layout.fields[1], 0, so_far.result().high, row.data());
    put(table.layout.fields[1], 1, so_far.result().low, row.data());
    table.rows.insert(table.rows.end(), row.begin(), row.end());
  }
  return table;
}

inline Table sample_happenings(std::uint64_t end_us) {
  Table table{make_table("happenings", Rule::kSampled), {}};
  add_field(table.layout, sample_field("/happenings/what", FieldKind::kText, 12));
  std::vector<std::byte> row(table.layout.row_size);
  const std::pair<std::uint64_t, const char*> all[] = {
      {0, "begin"}, {7, "lift-off"}, {7, "exactly 12 c"}, {12'345'678, "touchdown"}};
  for (const auto& [t_us, what] : all) {
    if (t_us > end_us) break;
    put(table.layout.fields[0], 0, t_us, row.data());
    put_text(table.layout.fields[1], what, row.data());
    table.rows.insert(table.rows.end(), row.begin(), row.end());
  }
  return table;
}

inline Recording sample_recording(std::uint64_t end_us = 25'000'000) {
  Recording recording;
  RecordingMeta& meta = recording.meta;
  meta.program = "tactus test";
  meta.commit = "0123abc";
  meta.compiler = "some compiler 1.2";
  meta.name = "sample";
  meta.spec = "name = \"sample\"\n[run]\nt_end_s = 25.0\n";
  meta.files = {{"a.plan", "first\nfile"}, {"empty.plan", ""}, {"b.plan", std::string("0\0 1", 4)}};
  meta.spec_digest = {0x1122334455667788, 0x99aabbccddeeff00};
  meta.parameters = {{"run.t_end_s", "25.0", "s"}, {"name", "sample", ""}};
  meta.seed = 0xfedcba9876543210;
  meta.tier = Tier::kComponents;
  meta.counts = {4, 0, 2, 1, 4};
  meta.sources = {{"wind", "wind", "live", "", "wind"}, {"pilot", "autopilot", "replay", "a", "b"}};
  meta.event_ids = {"gust", ""};
  meta.blobs = {"/external/peer", "/snapshots"};
  meta.log_interpolates = true;
  meta.parent = ParentRecord{"older.h5", {5, 6}, TimeUs(1'200'000), "a=1\nevent x"};
  recording.tables = {sample_steps(end_us), sample_links(end_us), sample_happenings(end_us),
                      Table{make_table("nothing", Rule::kZeroOrderHold), {}}};
  recording.blobs = {{"/external/peer", {}}, {"/snapshots", {}}};
  for (std::uint64_t i = 0; i < 5 && i * 5'000'000 <= end_us; ++i) {
    const std::vector<std::byte> bytes(i * 100, static_cast<std::byte>(i));
    recording.blobs[1].pieces.push_back({TimeUs(i * 5'000'000), bytes});
  }
  recording.end = {TimeUs(end_us), {7, 8}, true};
  return recording;
}

inline void write_recording(const Recording& recording, const std::string& path) {
  FileSink sink(path);
  copy_recording(recording, sink);
}

/// As a kill would leave it, with the first `blocks` tens of seconds in the file.
inline void write_cut_off(const Recording& recording, const std::string& path, int blocks) {
  const std::string growing = path + "_growing";
  for (const char* end : {"", ".part"}) std::filesystem::remove(growing + end);
  /// Stops before the end comes.
  struct NeverEnding : RowSink {
    explicit NeverEnding(RowSink& sink) : to(&sink) {}
    void begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) override {
      to->begin(meta, tables);
    }
    void row(std::size_t table, const std::byte* row) override { to->row(table, row); }
    void blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) override {
      to->blob(blob, time, bytes);
    }
    void reached(TimeUs now) override { to->reached(now); }
    void end(const RecordingEnd&) override {}
    RowSink* to;
  };
  FileSink sink(growing);
  NeverEnding rows(sink);
  copy_recording(recording, rows);
  const TimeUs wanted(blocks == 0 ? 0
                                  : static_cast<std::uint64_t>(blocks) * 10'000'000 - 1'000'000);
  for (int i = 0; i < 1000; ++i) {  // until the thread has written what it was given
    try {
      if (read_recording(growing)->end.time >= wanted) break;
    } catch (const Error&) {  // it is just being written
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::filesystem::copy_file(growing, path, std::filesystem::copy_options::overwrite_existing);
}

/// Whether `read` is the other one up to some instant: the same head, and no other rows.
inline bool is_prefix(const Recording& read, const Recording& all) {
  const auto head = [](const Recording& recording) {
    std::vector<TableLayout> layouts;
    for (const Table& table : recording.tables) layouts.push_back(table.layout);
    return digest_of(recording.meta, layouts);
  };
  if (head(read) != head(all) || read.blobs.size() != all.blobs.size()) return false;
  for (std::size_t i = 0; i < read.tables.size(); ++i) {
    const std::vector<std::byte>& rows = read.tables[i].rows;
    if (rows.size() > all.tables[i].rows.size()) return false;
    if (!std::equal(rows.begin(), rows.end(), all.tables[i].rows.begin())) return false;
  }
  for (std::size_t i = 0; i < read.blobs.size(); ++i) {
    const auto& pieces = read.blobs[i].pieces;
    if (read.blobs[i].path != all.blobs[i].path) return false;
    if (pieces.size() > all.blobs[i].pieces.size()) return false;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const BlobTrack::Piece& other = all.blobs[i].pieces[k];
      if (pieces[k].time != other.time || pieces[k].bytes != other.bytes) return false;
    }
  }
  return true;
}

inline bool is_equal(const Recording& a, const Recording& b) {
  return is_prefix(a, b) && is_prefix(b, a) && a.end.time == b.end.time &&
         a.end.flight_digest == b.end.flight_digest && a.end.complete == b.end.complete;
}

}  // namespace tactus::testing
