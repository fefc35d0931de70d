// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Recordings in files: what is read is what was written; what was cut off is read up to its last
// block and can be repaired; anything that does not fit is refused with its reason.

#include "tactus/record/hdf5/recording_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tactus/core/error.h"
#include "tactus/engine/sources.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/record/hdf5/hdf5_file.h"
#include "tactus/record/stream_recorder.h"
#include "tests/support/engine.h"
#include "tests/support/reporting_pilot.h"
#include "tests/support/sample_recording.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;
using testing::fresh_file;
using testing::is_equal;
using testing::is_prefix;
using testing::refusal;
using testing::sample_recording;
using testing::write_recording;

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string refused(const std::string& path) {
  return refusal([&] { (void)read_recording(path); }, ExitCode::kBadInput);
}

/// Expects parts of a message in this order.
void expect_words(const std::string& message, const std::vector<std::string>& words) {
  std::size_t from = 0;
  for (const std::string& word : words) {
    const std::size_t at = message.find(word, from);
    EXPECT_NE(at, std::string::npos) << "\"" << word << "\" in: " << message;
    if (at != std::string::npos) from = at;
  }
}

TEST(RecordingFile, WhatIsWrittenIsRead) {
  const std::string path = fresh_file("a.h5");
  const Recording sample = sample_recording();
  write_recording(sample, path);
  const auto read = read_recording(path);
  EXPECT_TRUE(is_equal(*read, sample));
  EXPECT_EQ(read->meta.files, sample.meta.files);
  EXPECT_EQ(read->meta.parameters, sample.meta.parameters);
  EXPECT_EQ(read->meta.sources, sample.meta.sources);
  EXPECT_EQ(read->meta.event_ids, sample.meta.event_ids);
  EXPECT_EQ(read->meta.parent, sample.meta.parent);
  EXPECT_EQ(read->meta.seed, sample.meta.seed);
  for (std::size_t i = 0; i < sample.tables.size(); ++i) {
    EXPECT_EQ(read->tables[i].layout, sample.tables[i].layout);
    EXPECT_EQ(read->tables[i].rows, sample.tables[i].rows);
  }
  const RecordingStorage storage = storage_of(path, *read);
  EXPECT_FALSE(storage.left_open);
  EXPECT_EQ(storage.file, fs::file_size(path));
  EXPECT_GT(storage.tables[0], 0U);
  EXPECT_EQ(storage.tables[3], 0U);
}

TEST(RecordingFile, SameRecordingSameBytes) {
  const std::string a = fresh_file("a.h5");
  const std::string b = fresh_file("b.h5");
  write_recording(sample_recording(), a);
  write_recording(*read_recording(a), b);
  EXPECT_TRUE(content(a) == content(b));
}

TEST(RecordingFile, EmptyOrStoppedEarly) {
  Recording sample = sample_recording();
  sample.meta.parent.reset();
  sample.meta.files.clear();
  sample.meta.event_ids.clear();
  sample.end = {TimeUs(25'000'000), {1, 2}, false};
  const std::string stopped = fresh_file("stopped.h5");
  write_recording(sample, stopped);
  EXPECT_TRUE(is_equal(*read_recording(stopped), sample));

  for (Table& table : sample.tables) table.rows.clear();
  sample.blobs[1].pieces.clear();
  sample.end = {};
  const std::string empty = fresh_file("empty.h5");
  write_recording(sample, empty);
  EXPECT_TRUE(is_equal(*read_recording(empty), sample));
}

/// Gives everything to two others.
class Tee final : public RowSink {
 public:
  Tee(RowSink& a, RowSink& b) : to_{&a, &b} {}
  void begin(const RecordingMeta& meta, const std::vector<TableLayout>& tables) override {
    for (RowSink* sink : to_) sink->begin(meta, tables);
  }
  void row(std::size_t table, const std::byte* row) override {
    for (RowSink* sink : to_) sink->row(table, row);
  }
  void blob(std::size_t blob, TimeUs time, std::span<const std::byte> bytes) override {
    for (RowSink* sink : to_) sink->blob(blob, time, bytes);
  }
  void reached(TimeUs now) override {
    for (RowSink* sink : to_) sink->reached(now);
  }
  void end(const RecordingEnd& end) override {
    for (RowSink* sink : to_) sink->end(end);
  }

 private:
  RowSink* to_[2];
};

TEST(RecordingFile, AFlightInMemoryAndInAFile) {
  for (const Tier tier : {Tier::kPlant, Tier::kComponents, Tier::kEvaluations}) {
    const std::string path = fresh_file("flight.h5");
    RunSetup setup = testing::piloted_setup(TimeUs(600'000));
    setup.sources.push_back(testing::busy_scenario());
    setup.schedule.set_period(Axis::kLog, DurationUs(20'000));
    setup.log_period = DurationUs(20'000);
    tactus::Run run(std::move(setup));
    StreamRecorderSetup how;
    how.meta.tier = tier;
    MemorySink memory;
    FileSink file(path);
    Tee both(memory, file);
    StreamRecorder recorder(how, both);
    Observers observers;
    observers.recorders = {&recorder};
    fly(run, observers);
    const auto read = read_recording(path);
    EXPECT_TRUE(is_equal(*read, *memory.recording()));
    EXPECT_TRUE(read->end.complete);
    EXPECT_EQ(read->end.flight_digest, run.digest());
    EXPECT_EQ(read->require("log").size(), 31U);
  }
}

// Also where a set of the file would close between the last boundary and the last messages.
TEST(RecordingFile, TheLastMessagesOfAnAutopilotThatFailsAreInIt) {
  for (const TimeUs died : {TimeUs(0), TimeUs(400'000), TimeUs(10'000'000)}) {
    RunSetup setup = testing::bare_setup(TimeUs(20'000'000));
    setup.schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
    setup.sources.push_back(std::make_unique<AutopilotSource>(
        std::make_unique<testing::ReportingPilot>(died), DurationUs(4'000)));
    tactus::Run run(std::move(setup));
    const std::string path = fresh_file("final_output.h5");
    FileSink sink(path);
    StreamRecorder recorder({}, sink);
    Observers observers{{}, {}, {&recorder}};
    EXPECT_THROW(fly(run, observers), Error);

    const auto read = read_recording(path);
    EXPECT_FALSE(read->end.complete);
    const Table& boundaries = read->require("boundary");
    ASSERT_EQ(boundaries.size() > 0, died.us > 0);
    if (died.us > 0) {
      EXPECT_EQ(boundaries.time(boundaries.size() - 1), died - DurationUs(4'000))
          << "only those that were completed";
    }
    const Table& events = read->require("events");
    ASSERT_GE(events.size(), 1U);
    const std::size_t last = events.size() - 1;
    EXPECT_EQ(events.time(last), died);
    EXPECT_EQ(text(*events.layout.find("/events/what"), events.row(last).data()), "talker gone");
    ASSERT_EQ(read->blobs.size(), 1U);
    const std::vector<BlobTrack::Piece>& pieces = read->blobs[0].pieces;
    ASSERT_EQ(pieces.size(), died.us / 4'000 + 1);
    EXPECT_EQ(pieces.back().time, died);
    EXPECT_EQ(pieces.back().bytes, std::vector{static_cast<std::byte>(died.us / 4'000)});

    const std::string copy = fresh_file("last_messages_copy.h5");
    write_recording(*read, copy);
    EXPECT_TRUE(is_equal(*read_recording(copy), *read));
  }
}

TEST(RecordingFile, CutOffAndRepaired) {
  const Recording sample = sample_recording();
  const std::string path = fresh_file("cut.h5");
  testing::write_cut_off(sample, path, 2);
  const auto cut = read_recording(path);
  EXPECT_TRUE(is_prefix(*cut, sample));
  EXPECT_FALSE(cut->end.complete);
  EXPECT_EQ(cut->end.time, TimeUs(19'900'000));
  EXPECT_EQ(cut->tables[0].size(), 200U);
  EXPECT_EQ(cut->tables[1].size(), 20U);
  EXPECT_EQ(cut->tables[2].size(), 4U);
  EXPECT_EQ(cut->blobs[1].pieces.size(), 4U);
  EXPECT_TRUE(storage_of(path, *cut).left_open);

  const std::string before = content(path);
  const std::string out = fresh_file("out.h5");
  EXPECT_TRUE(repair_recording(path, out).was_left_open);
  EXPECT_TRUE(content(path) == before);
  EXPECT_TRUE(is_equal(*read_recording(out), *cut));

  ::chmod(path.c_str(), 0640);
  EXPECT_TRUE(repair_recording(path).was_left_open);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
  const auto repaired = read_recording(path);
  EXPECT_TRUE(is_equal(*repaired, *cut));
  EXPECT_FALSE(storage_of(path, *repaired).left_open);
  EXPECT_TRUE(content(path) == content(out));
  EXPECT_FALSE(repair_recording(path).was_left_open);
  // It still tells that its writer was killed: how the run ended is not known.
  const auto end_digest = Hdf5Reader(path).numbers<std::uint64_t>("/end/digest", FieldKind::kU64);
  EXPECT_EQ(end_digest, (std::vector<std::uint64_t>{0, 0}));
}

TEST(RecordingFile, WithNothingToRepairTheNewFileIsACopy) {
  const std::string path = fresh_file("whole.h5");
  write_recording(sample_recording(), path);
  const std::string out = fresh_file("out.h5");
  EXPECT_FALSE(repair_recording(path, out).was_left_open);
  EXPECT_TRUE(content(path) == content(out));
  const std::string message = refusal([&] { repair_recording(path, out); }, ExitCode::kEnvironment);
  expect_words(message, {out, "exists"});
  EXPECT_TRUE(content(path) == content(out));
}

TEST(RecordingFile, CutOffBeforeItsFirstBlock) {
  const std::string path = fresh_file("cut.h5");
  testing::write_cut_off(sample_recording(5'000'000), path, 0);
  const auto cut = read_recording(path);
  EXPECT_EQ(cut->end.time, TimeUs());
  EXPECT_EQ(cut->tables[0].size(), 0U);
  EXPECT_FALSE(has_rows(*cut));
  EXPECT_FALSE(repair_recording(path).has_rows);
  EXPECT_TRUE(is_equal(*read_recording(path), *cut));
}

TEST(RecordingFile, ARepairThatFailsLeavesTheFile) {
  const std::string path = fresh_file("cut.h5");
  testing::write_cut_off(sample_recording(), path, 1);
  const std::string before = content(path);
  const std::string taken = fresh_file("taken.h5");
  std::ofstream(taken) << "something else";
  const auto repair_to = [&](const std::string& out) {
    return refusal([&] { repair_recording(path, out); }, ExitCode::kEnvironment);
  };
  expect_words(repair_to(taken), {taken, "exists"});
  expect_words(repair_to(fresh_file("no") + "/folder/a.h5"), {"folder"});
  EXPECT_EQ(content(taken), "something else");
  EXPECT_TRUE(content(path) == before);
}

TEST(RecordingFile, WhatIsBeingWrittenIsNotRepaired) {
  const std::string path = fresh_file("growing.h5");
  FileSink sink(path);
  const Recording sample = sample_recording();
  std::vector<TableLayout> layouts;
  for (const Table& table : sample.tables) layouts.push_back(table.layout);
  sink.begin(sample.meta, layouts);
  while (!fs::exists(path)) std::this_thread::yield();
  EXPECT_FALSE(read_recording(path)->end.complete);
  expect_words(refusal([&] { repair_recording(path); }, ExitCode::kBadInput), {path, "recorded"});
  sink.end({});
}

TEST(RecordingFile, OtherVersionsAreRefusedWithBothNumbers) {
  Recording sample = sample_recording();
  sample.meta.version = 7;
  const std::string format = fresh_file("format.h5");
  write_recording(sample, format);
  expect_words(refused(format), {format, "/meta/version", "7", std::to_string(kRecordingVersion)});
  sample = sample_recording();
  sample.meta.bus_version = kBusVersion + 12;
  const std::string bus = fresh_file("bus.h5");
  write_recording(sample, bus);
  expect_words(refused(bus), {bus, "/meta/bus_version", std::to_string(kBusVersion + 12),
                              std::to_string(kBusVersion)});
}

TEST(RecordingFile, WhatIsNoRecording) {
  const std::string lost = fresh_file("lost.h5");
  const auto not_there = [](const std::string& path) {
    return refusal([&] { (void)read_recording(path); }, ExitCode::kEnvironment);
  };
  expect_words(not_there(lost), {lost, "No such file"});
  const std::string folder = fresh_file("folder");
  fs::create_directory(folder);
  expect_words(refused(folder), {folder});
  const std::string empty = fresh_file("empty.h5");
  std::ofstream(empty).close();
  expect_words(refused(empty), {empty, "not a recording"});
  const std::string csv = fresh_file("log.csv");
  std::ofstream(csv) << "# tactus 0.1.0\ntime_us,a\n0,1\n";
  expect_words(refused(csv), {csv, "not a recording"});
  expect_words(refused(""), {"name", "empty"});
  const std::string whole = fresh_file("whole.h5");
  write_recording(sample_recording(), whole);
  const std::string size = std::to_string(fs::file_size(whole));
  fs::resize_file(whole, 20'000);
  EXPECT_EQ(refused(whole),
            whole + " is cut off: 20000 of " + size + " bytes are there; copy it again");
}

/// A file with some datasets of a recording.
TEST(RecordingFile, WhatIsMissingIsNamed) {
  const std::string other = fresh_file("other.h5");
  {
    Hdf5Writer file(std::make_unique<OutputFile>(other, kRecordingRules));
    file.create({"/something/else", FieldKind::kReal, 1, 1});
    file.start_swmr();
    file.close();
  }
  expect_words(refused(other), {other, "/meta/version", "no recording of tactus"});
  const std::string half = fresh_file("half.h5");
  {
    Hdf5Writer file(std::make_unique<OutputFile>(half, kRecordingRules));
    for (const auto& [path, value] : {std::pair{"/meta/version", kRecordingVersion},
                                      std::pair{"/meta/bus_version", kBusVersion}}) {
      const std::uint32_t number = value;
      file.append(file.create({path, FieldKind::kU32, 1, 1}), &number, 1);
    }
    file.start_swmr();
    file.close();
  }
  expect_words(refused(half), {half, "/meta/program", "missing"});
}

TEST(RecordingFile, ImpossibleRowsAreRefused) {
  const auto with = [](const char* name, auto&& change) {
    Recording sample = sample_recording();
    change(sample);
    const std::string path = fresh_file(name);
    write_recording(sample, path);
    return refused(path);
  };
  const auto put_time = [](Table& table, std::size_t row, std::uint64_t t_us) {
    put(table.layout.fields[0], 0, t_us, table.rows.data() + row * table.layout.row_size);
  };
  // Twice the same instant is right for what happens, and wrong for what has a period.
  expect_words(with("twice.h5", [&](Recording& r) { put_time(r.tables[0], 7, 600'000); }),
               {"/time/steps_us", "600000", "row 7"});
  expect_words(with("back.h5", [&](Recording& r) { put_time(r.tables[2], 2, 6); }),
               {"/time/happenings_us", "from 7 to 6"});
  expect_words(with("flag.h5",
                    [](Recording& r) {
                      Table& table = r.tables[0];
                      const std::uint8_t neither = 2;
                      put(table.layout.fields[2], 0, neither, table.rows.data());
                    }),
               {"/signals/pilot/armed", "neither 0 nor 1"});
  expect_words(with("counts.h5", [](Recording& r) { r.meta.counts.motors = 1000; }),
               {"/meta/counts"});
}

}  // namespace
}  // namespace tactus
