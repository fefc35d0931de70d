// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// How recordings get into files: what lies where, in sets that close by simulated time; with
// bounded memory; and what is left when the machine refuses to go on.

#include "tactus/record/hdf5/file_sink.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tactus/core/error.h"
#include "tactus/record/hdf5/recording_layout.h"
#include "tests/support/sample_recording.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;
using testing::fresh_file;
using testing::sample_recording;
using testing::write_recording;

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What a call throws; its exit code must be kEnvironment.
template <class Function>
std::string failure_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

/// A table with one row per 10 ms, of numbers that cannot be compressed much.
class Flight {
 public:
  Flight() : layout_(make_table("log", Rule::kSampled, DurationUs(10'000))) {
    RowField field;
    field.path = "/log/values";
    field.width = 40;
    field.unit = "m";
    add_field(layout_, std::move(field));
    row_.resize(layout_.row_size);
  }

  void begin(RowSink& sink) const { sink.begin(RecordingMeta{}, {layout_}); }

  /// Rows and boundaries up to but not including an instant.
  void fly(RowSink& sink, double until_s) {
    for (; static_cast<double>(now_us_) < until_s * 1e6; now_us_ += 10'000) {
      put(layout_.fields[0], 0, now_us_, row_.data());
      for (std::size_t i = 0; i < layout_.fields[1].width; ++i) {
        random_ = random_ * 6364136223846793005U + 1442695040888963407U;
        put(layout_.fields[1], i, static_cast<double>(random_ >> 11U), row_.data());
      }
      sink.row(0, row_.data());
      sink.reached(TimeUs(now_us_));
    }
  }

 private:
  TableLayout layout_;
  std::vector<std::byte> row_;
  std::uint64_t now_us_ = 0;
  std::uint64_t random_ = 1;
};

/// Unfinished files of this process in the folder of a path, where others may write, too.
std::vector<std::string> parts_beside(const std::string& path) {
  std::vector<std::string> parts;
  for (const auto& entry : fs::directory_iterator(fs::path(path).parent_path())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("tactus-" + std::to_string(::getpid()) + "-")) parts.push_back(name);
  }
  return parts;
}

TEST(FileSink, EveryFieldIsADatasetThatSaysWhatItIs) {
  const std::string path = fresh_file("a.h5");
  write_recording(sample_recording(), path);
  const Hdf5Reader file(path);
  EXPECT_FALSE(file.left_open());
  const std::string wind = "/signals/wind/velocity_ned_m_s";
  const Hdf5Dataset dataset = file.dataset(wind);
  EXPECT_EQ(dataset.kind, FieldKind::kReal);
  EXPECT_EQ(dataset.rows, 251U);
  EXPECT_EQ(dataset.width, 3U);
  EXPECT_EQ(file.attribute(wind, "unit"), "m/s");
  EXPECT_EQ(file.attribute(wind, "meaning"), "of the air");
  EXPECT_EQ(file.attribute(wind, "frame"), "NED");
  EXPECT_EQ(file.attribute(wind, "labels"), "x,y,z");
  EXPECT_EQ(file.attribute(wind, "kind"), "real");
  EXPECT_EQ(file.attribute(wind, "rule"), "sample_and_hold");
  EXPECT_EQ(file.attribute(wind, "axis"), "/time/steps_us");
  EXPECT_EQ(file.attribute(wind, "table"), "steps");
  EXPECT_EQ(file.attribute("/signals/pilot/armed", "unit"), "");
  EXPECT_EQ(file.texts("/happenings/what").at(2), "exactly 12 c");
  EXPECT_EQ(file.list("/signals"), (std::vector<std::string>{"pilot", "wind"}));
  EXPECT_EQ(file.numbers<std::uint8_t>(layout::kComplete, FieldKind::kU8).at(0), 1);
  EXPECT_EQ(file.numbers<std::uint64_t>(layout::kEndTime, FieldKind::kU64).at(0), 25'000'000U);
  EXPECT_FALSE(file.has(layout::kWallTime));
  EXPECT_TRUE(parts_beside(path).empty());
}

TEST(FileSink, TheSameRunGivesTheSameBytesHoweverLongItTakes) {
  const std::string quick = fresh_file("quick.h5");
  const std::string slow = fresh_file("slow.h5");
  for (const std::string& path : {quick, slow}) {
    FileSink sink(path);
    Flight flight;
    flight.begin(sink);
    for (const double until_s : {3.0, 17.0, 33.0}) {
      flight.fly(sink, until_s);
      if (path == slow) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    sink.end({TimeUs(33'000'000), {1, 2}, true});
  }
  EXPECT_GT(fs::file_size(quick), 500'000U);
  EXPECT_EQ(content(quick), content(slow));
}

TEST(FileSink, SetsCloseBeforeMultiplesOfTenSeconds) {
  const std::string path = fresh_file("a.h5");
  {
    FileSink sink(path);
    Flight flight;
    flight.begin(sink);
    flight.fly(sink, 30.005);
    sink.end({TimeUs(30'000'000), {}, true});
  }
  const Hdf5Reader file(path);
  EXPECT_EQ(file.numbers<std::uint64_t>("/time/blocks_us", FieldKind::kU64),
            (std::vector<std::uint64_t>{9'990'000, 19'990'000, 29'990'000, 30'000'000}));
  EXPECT_EQ(file.numbers<std::uint64_t>("/blocks/rows", FieldKind::kU64),
            (std::vector<std::uint64_t>{1000, 2000, 3000, 3001}));
}

TEST(FileSink, ALargeSetClosesEarlier) {
  const std::string path = fresh_file("a.h5");
  {
    FileSinkOptions options;
    options.largest_set_bytes = 100'000;  // about 300 rows
    FileSink sink(path, options);
    Flight flight;
    flight.begin(sink);
    flight.fly(sink, 9.0);
    sink.end({TimeUs(9'000'000), {}, true});
  }
  const Hdf5Reader file(path);
  EXPECT_EQ(file.numbers<std::uint64_t>("/blocks/rows", FieldKind::kU64),
            (std::vector<std::uint64_t>{305, 610, 900}));
}

TEST(FileSink, MemoryDoesNotGrowWithTheFlight) {
  FileSink sink(fresh_file("a.h5"));
  Flight flight;
  flight.begin(sink);
  flight.fly(sink, 100.0);
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  const auto end_s = static_cast<double>(100 + testing::scaled(3500));
  flight.fly(sink, end_s);
  const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  // What differs is how full the sets are at the two instants, and the list of chunks.
  EXPECT_LT(after, before + 1'500'000U);
  sink.end({TimeUs(100'000'000), {}, true});
}

TEST(FileSink, WallTimesAreRecordedOnlyIfAskedFor) {
  const std::string path = fresh_file("a.h5");
  {
    FileSinkOptions options;
    options.wall_clock = [t = 100.0]() mutable { return t += 1.0; };
    FileSink sink(path, options);
    Flight flight;
    flight.begin(sink);
    flight.fly(sink, 21.0);
    sink.end({TimeUs(21'000'000), {}, true});
  }
  const Hdf5Reader file(path);
  EXPECT_EQ(file.numbers<double>(layout::kWallTime, FieldKind::kReal).size(), 3U);
}

TEST(FileSink, AnExistingFileStaysAsItIs) {
  const std::string path = fresh_file("a.h5");
  std::ofstream(path) << "precious";
  const std::string message = failure_of([&] { FileSink sink(path); });
  EXPECT_EQ(message, path + " exists already; choose another name or remove it");
  EXPECT_EQ(content(path), "precious");
}

TEST(FileSink, AFolderThatIsMissingIsNamed) {
  const std::string missing = fresh_file("nowhere") + "/a.h5";
  EXPECT_EQ(
      failure_of([&] { FileSink nowhere(missing); }),
      missing +
          ": cannot be created: No such file or directory; choose a folder that exists and may "
          "be written");
}

TEST(FileSink, AFolderThatMayNotBeWrittenIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const std::string folder = fresh_file("closed");
  fs::create_directory(folder);
  ::chmod(folder.c_str(), 0500);
  const std::string message = failure_of([&] { FileSink closed(folder + "/a.h5"); });
  EXPECT_NE(message.find("Permission denied"), std::string::npos) << message;
}

/// Files of this process cannot grow beyond a size while it lives: as on a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(FileSink, AFullDiskLeavesWhatWasClosed) {
  const std::string whole = fresh_file("whole.h5");
  const auto record = [](const std::string& path) {
    FileSink sink(path);
    Flight flight;
    flight.begin(sink);
    try {
      flight.fly(sink, 41.0);
    } catch (const Error&) {
      sink.end({TimeUs(1), {}, false});  // as the engine does after an error
      throw;
    }
    sink.end({TimeUs(41'000'000), {}, true});
  };
  record(whole);
  const std::size_t full = fs::file_size(whole);
  const auto all = Hdf5Reader(whole).numbers<double>("/log/values", FieldKind::kReal);
  std::size_t most = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    // Closely spaced at the end, where the last messages are written.
    const std::size_t room = i < 10 ? full * (i + 1) / 11 : full - 150 * (16 - i);
    const std::string path = fresh_file("cut.h5");
    std::string message;
    {
      const SmallDisk disk(room);
      message = failure_of([&] { record(path); });
    }
    EXPECT_NE(message.find(path + ": cannot "), std::string::npos) << message;
    EXPECT_NE(message.find("File too large"), std::string::npos) << message;
    EXPECT_TRUE(parts_beside(path).empty());
    if (!fs::exists(path)) continue;  // not even room for its head
    const auto read = read_recording(path);
    EXPECT_FALSE(read->end.complete);
    const Table& log = read->require("log");
    EXPECT_TRUE(log.size() % 1000 == 0 || log.size() == 4100) << log.size();
    most = std::max(most, log.size());
    for (std::size_t k = 0; k < log.size(); k += 97) {
      EXPECT_EQ(number(log.layout.fields[1], 7, log.row(k).data()), all[k * 40 + 7]);
    }
  }
  EXPECT_GE(most, 4000U);
}

TEST(FileSink, WithoutAnEndTheFileIsIncomplete) {
  const std::string path = fresh_file("a.h5");
  {
    FileSink sink(path);
    Flight flight;
    flight.begin(sink);
    flight.fly(sink, 25.0);
  }
  EXPECT_FALSE(Hdf5Reader(path).left_open());
  const auto read = read_recording(path);
  EXPECT_FALSE(read->end.complete);
  EXPECT_EQ(read->require("log").size(), 2000U);
  const FileSink never_begun(fresh_file("b.h5"));
}

TEST(FileSink, ARunThatStoppedEarlyKeepsItsLastRows) {
  const std::string path = fresh_file("a.h5");
  {
    FileSink sink(path);
    Flight flight;
    flight.begin(sink);
    flight.fly(sink, 25.0);
    sink.end({TimeUs(24'990'000), {3, 4}, false});
  }
  const auto read = read_recording(path);
  EXPECT_FALSE(read->end.complete);
  EXPECT_EQ(read->end.flight_digest, (Digest128{3, 4}));
  EXPECT_EQ(read->require("log").size(), 2500U);
}

}  // namespace
}  // namespace tactus
