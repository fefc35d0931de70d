// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Flights of real programs, their traces and logs, compared: if TACTUS_PX4_SITL_BIN names PX4, and
// for two builds of it TACTUS_PX4_SITL_OTHER_BIN another one.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tactus/files/disk_files.h"
#include "tactus/files/text_file.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/link/net/work_folder.h"
#include "tactus/replay/diff/diff.h"
#include "tactus/replay/rerun.h"
#include "tactus/replay/trace/trace_diff.h"
#include "tactus/replay/ulog/ulog_diff.h"
#include "tests/support/diff_flights.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

/// The first seconds of a mission.
struct RealFlight {
  explicit RealFlight(const std::string& program, const std::string& keys = "")
      : folder("", "a test") {
    const std::string work = folder.path() + "/px4";
    const LoadedSpec spec = load_spec_text(
        "extends = \"../aircraft/iris.toml\"\ntime.end_s = 12\n"
        "[autopilot]\nkind = \"px4-sitl\"\npx4.binary = \"" +
            program + "\"\noutside.folder = \"" + work + "\"\n" + keys,
        data_root() + "/scenarios/test.toml");
    const std::string file = folder.path() + "/a.trace";
    OutputFile head(file, kTraceRules);
    head.append(kTraceHead);
    head.begin();
    AssembleOptions how;
    how.external = external_autopilots({.trace = file});
    recording = fly_recorded(spec, Tier::kComponents, {}, how).recording;
    trace = std::make_unique<AutopilotTrace>(read_log_file(file), "a.trace");
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(work)) {
      if (entry.path().extension() != ".ulg") continue;
      log = std::make_unique<ULog>(read_log_file(entry.path().string()), "a.ulg");
    }
  }

  WorkFolder folder;
  std::shared_ptr<const Recording> recording;
  std::unique_ptr<AutopilotTrace> trace;
  std::unique_ptr<ULog> log;
};

std::string program_named(const char* variable) {
  const char* const path = std::getenv(variable);
  return path == nullptr ? "" : path;
}

TEST(DiffReal, TheSameProgramLeavesTheSameTraceAndLog) {
  const std::string px4 = program_named("TACTUS_PX4_SITL_BIN");
  if (px4.empty()) GTEST_SKIP() << "TACTUS_PX4_SITL_BIN is not set: no real PX4 was flown";
  const RealFlight a(px4);
  const RealFlight b(px4);
  EXPECT_EQ(diff(*a.recording, *b.recording).verdict, DiffVerdict::kAbsorbed) << "other folders";
  const TraceDiff traces = diff_traces(*a.trace, *b.trace);
  EXPECT_FALSE(traces.first) << to_text(traces, "a", "b");
  EXPECT_GT(a.trace->entries().size(), 100'000U);
  ASSERT_TRUE(a.log && b.log);
  const ULogDiff logs = diff_ulogs(*a.log, *b.log);
  EXPECT_TRUE(logs.equal()) << to_text(logs, "a", "b");
  EXPECT_GT(logs.compared, 50U);
}

/// PX4 on an emulated processor that can do less: the conductor runs native threads there, and the
/// C library has fewer functions to choose from.
TEST(DiffReal, OtherProcessorsFlyTheSame) {
  const std::string px4 = program_named("TACTUS_PX4_SITL_BIN");
  if (px4.empty()) GTEST_SKIP() << "TACTUS_PX4_SITL_BIN is not set: no real PX4 was flown";
  const std::string emulator = "/usr/bin/qemu-x86_64";
  if (!fs::exists(emulator) || !fs::exists("/lib64/ld-linux-x86-64.so.2")) {
    GTEST_SKIP() << "no qemu-x86_64 is here, or nothing that it could run";
  }
  const Digest128 expected = RealFlight(px4).recording->end.flight_digest;
  const std::string romfs = (fs::path(px4).parent_path().parent_path() / "etc").string();
  for (const char* const processor : {"qemu64", "Haswell"}) {
    const WorkFolder folder("", "a test");
    const std::string script = folder.path() + "/px4.sh";
    // The emulator itself is not conducted, the program in it is.
    std::ofstream(script) << "#!/bin/sh\nconductor=$LD_PRELOAD\nunset LD_PRELOAD\nexec " << emulator
                          << " -cpu " << processor << " -E LD_PRELOAD=$conductor " << px4
                          << " \"$@\"\n";
    fs::permissions(script, fs::perms::owner_all);
    const RealFlight flight(script, "px4.romfs = \"" + romfs +
                                        "\"\noutside.connect_deadline_s = 300\n"
                                        "outside.exchange_deadline_s = 300\n");
    EXPECT_EQ(to_hex(flight.recording->end.flight_digest), to_hex(expected)) << processor;
  }
}

TEST(DiffReal, AnotherBuildIsNamedInAllThree) {
  const std::string px4 = program_named("TACTUS_PX4_SITL_BIN");
  const std::string other = program_named("TACTUS_PX4_SITL_OTHER_BIN");
  if (px4.empty() || other.empty()) {
    GTEST_SKIP() << "TACTUS_PX4_SITL_OTHER_BIN is not set: no two builds of PX4 were compared";
  }
  const RealFlight a(px4);
  const RealFlight b(other);
  const DiffReport report = diff(*a.recording, *b.recording);
  ASSERT_EQ(report.verdict, DiffVerdict::kDifferent);
  const std::string said = testing::said(report);
  EXPECT_NE(said.find("the autopilot's program differs: px4, build id "), std::string::npos)
      << said;
  ASSERT_TRUE(report.motor);
  EXPECT_GE(report.motor->time, report.divergence->time);
  const TraceDiff traces = diff_traces(*a.trace, *b.trace);
  ASSERT_TRUE(traces.first);
  EXPECT_GE(traces.of_kinds.size(), 4U);
  ASSERT_TRUE(a.log && b.log);
  EXPECT_FALSE(diff_ulogs(*a.log, *b.log).equal());
}

}  // namespace
}  // namespace tactus
