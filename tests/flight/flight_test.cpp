// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A flight by the library is the flight of the program: the digests that are committed.

#include "tactus/flight/flight.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tactus/files/disk_files.h"
#include "tactus/flight/report/flight_document.h"
#include "tactus/flight/report/flight_json.h"
#include "tactus/flight/report/flight_suite.h"
#include "tactus/record/hdf5/flight_file.h"
#include "tactus/record/hdf5/inspected_file.h"

namespace tactus {
namespace {

using Json = nlohmann::json;

LoadedSpec shipped(const std::string& name, const std::vector<Override>& overrides = {}) {
  return load_spec(find_spec(name), overrides);
}

std::string expected_digest(const std::string& scenario) {
  std::ifstream file("tests/same_bits/expected_flights.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, digest;
    words >> name >> digest;
    if (name == scenario) return digest;
  }
  return {};
}

/// Counts the boundaries, and asks to stop at one of them.
struct Counter final : StageHook {
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage /*stage*/, const BoundaryView& /*view*/) override { ++seen; }
  std::uint64_t seen = 0;
};

TEST(Flight, HasTheCommittedDigest) {
  for (const char* scenario : {"free_fall", "rover_square", "default"}) {
    const Flight flight = fly(shipped(scenario));
    EXPECT_EQ(to_hex(flight.digest), expected_digest(scenario)) << scenario;
    EXPECT_EQ(flight.verdict, Verdict::kPassed) << scenario;
    EXPECT_EQ(exit_code(flight.verdict), ExitCode::kOk);
    EXPECT_TRUE(flight.sentence.starts_with(std::string(scenario) + ": passed: "));
    EXPECT_EQ(flight.chain.back().flight, flight.digest);
    EXPECT_GT(flight.real_time_factor(), 0.0);
  }
}

TEST(Flight, ObserversSeeEveryBoundaryAndChangeNothing) {
  Counter counter;
  FlightOptions options;
  options.hooks = {&counter};
  const Flight flight = fly(shipped("free_fall"), std::move(options));
  EXPECT_EQ(counter.seen, flight.boundaries.total);
  EXPECT_EQ(to_hex(flight.digest), expected_digest("free_fall"));
}

TEST(Flight, OneThatIsInterruptedIsReportedUpToThere) {
  Counter counter;
  FlightOptions options;
  options.hooks = {&counter};
  options.interrupted = [&counter] { return counter.seen >= 100; };
  const Flight flight = fly(shipped("free_fall"), std::move(options));
  EXPECT_EQ(flight.verdict, Verdict::kInterrupted);
  EXPECT_EQ(exit_code(flight.verdict), ExitCode::kInterrupted);
  EXPECT_LT(flight.facts.end, TimeUs(1'000'000));
  EXPECT_NE(flight.sentence.find("interrupted at"), std::string::npos) << flight.sentence;
}

TEST(Flight, OneThatFailsNamesItsExpectations) {
  const Flight flight = fly(shipped("default", {{"time.end_s", "2.0"}}));
  EXPECT_EQ(flight.verdict, Verdict::kFailed);
  EXPECT_EQ(exit_code(flight.verdict), ExitCode::kCheckFailed);
  EXPECT_EQ(failures(flight).size(), 2U);
  const std::string xml = flight_junit("default", flight);
  EXPECT_NE(xml.find("failures=\"2\""), std::string::npos) << xml;
}

TEST(Flight, AnExpectationThatDoesNotApplyIsSkippedInReports) {
  ExpectationResult result;
  result.id = "yaw_given_up";
  result.applies = false;
  result.message = "not applicable: because";
  const std::vector<TestCase> cases = cases_of({result}, false);
  EXPECT_EQ(cases.at(0).outcome, TestCase::Outcome::kSkipped);
  EXPECT_EQ(cases.at(0).message, "not applicable: because");
  const Json json = expectation_document(result, false);
  EXPECT_TRUE(json["passed"].is_null());
  EXPECT_EQ(json["applicable"], false);
  EXPECT_EQ(json["message"], "not applicable: because");
}

TEST(Flight, JsonSaysWhatTheFlightIs) {
  const Flight flight = fly(shipped("free_fall"));
  const Json json = Json::parse(flight_json(flight, {"a.csv"}));
  EXPECT_EQ(json["schema"], kRunSchema);
  EXPECT_EQ(json["flight_digest"], to_hex(flight.digest));
  EXPECT_EQ(json["spec_digest"], to_hex(flight.spec.digest));
  EXPECT_EQ(json["sentence"], flight.sentence);
  EXPECT_EQ(json["verdict"], "passed");
  EXPECT_EQ(json["boundaries"]["total"], flight.boundaries.total);
  EXPECT_EQ(json["files"], Json::array({"a.csv"}));
  EXPECT_EQ(json["wall_clock"]["flying_s"], flight.flying_s);
}

TEST(Flight, RecordsWhatItFlies) {
  const std::string path = ::testing::TempDir() + "/flight_test.h5";
  std::filesystem::remove(path);
  FlightOptions options;
  options.record.file = std::make_unique<OutputFile>(path, kRecordingRules);
  options.record.tier = Tier::kComponents;
  options.record.build = {"some commit", "some compiler"};
  const Flight flight = fly(shipped("free_fall"), std::move(options));
  ASSERT_TRUE(flight.recording);
  EXPECT_FALSE(flight.file_error);
  EXPECT_EQ(flight.recording->bytes, std::filesystem::file_size(path));
  const InspectedFile file = inspect_file(path);
  EXPECT_EQ(file.recording->end.flight_digest, flight.digest);
  EXPECT_EQ(file.recording->meta.commit, "some commit");
  EXPECT_FALSE(file.repaired());
  EXPECT_GT(file.rows("log"), 0U);
  EXPECT_EQ(file.rows("nothing"), 0U);
  const Json json = Json::parse(inspected_json(file));
  EXPECT_EQ(json["flight_digest"], to_hex(flight.digest));
  EXPECT_EQ(json["events"].size(), recorded_events(*file.recording).size());
  EXPECT_EQ(read_flight(path)->meta.spec_digest, flight.spec.digest);
  std::filesystem::remove(path);
}

// A file that would stay empty was not meant.
TEST(Flight, RefusesALogWithoutRowsAndSnapshotsBeyondItsEnd) {
  const std::string path = ::testing::TempDir() + "/flight_test_refused";
  FlightOptions log;
  log.log = std::make_unique<OutputFile>(path + ".csv", kLogRules);
  EXPECT_THROW(fly(shipped("free_fall", {{"log.period_s", "0.0"}}), std::move(log)), Error);
  FlightOptions record;
  record.record.file = std::make_unique<OutputFile>(path + ".h5", kRecordingRules);
  record.record.snapshots = DurationUs(3'600'000'000);
  EXPECT_THROW(fly(shipped("free_fall"), std::move(record)), Error);
  EXPECT_FALSE(std::filesystem::exists(path + ".csv"));
  EXPECT_FALSE(std::filesystem::exists(path + ".h5"));
}

TEST(Flight, ItsSpeedChangesNoBit) {
  FlightOptions options;
  options.mode = TimeMode::scaled(1e3);
  const Flight flight = fly(shipped("free_fall"), std::move(options));
  EXPECT_EQ(to_hex(flight.digest), expected_digest("free_fall"));
  FlightOptions wrong;
  wrong.mode = TimeMode::scaled(0.0);
  EXPECT_THROW(fly(shipped("free_fall"), std::move(wrong)), Error);
}

TEST(Flight, AnErrorNamesTheCaseThatItIs) {
  const LoadedSpec loaded = shipped("free_fall");
  const std::string xml = error_junit("free_fall", loaded, Error(ExitCode::kPeer, "no <answer>"));
  EXPECT_NE(xml.find("errors=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("message=\"no &lt;answer&gt;\""), std::string::npos) << xml;
}

}  // namespace
}  // namespace tactus
