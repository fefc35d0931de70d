// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: tactus_sweep

// Many seeds from one spec: it is read once, and every flight is that of its seed alone.

#include "tactus/sweep/seeds/seeds.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tactus/files/disk_files.h"
#include "tactus/sweep/seeds/seed_statistics.h"
#include "tactus/sweep/seeds/seeds_report.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

std::vector<Override> short_flight() { return {{"time.end_s", "3.0"}}; }

LoadedSpec with_override(const std::string& path, std::uint64_t seed) {
  std::vector<Override> overrides = short_flight();
  overrides.push_back({"seed", std::to_string(seed)});
  return load_spec(path, overrides);
}

SeedsOrigin origin() {
  return {"default", [](std::uint64_t seed) { return "fly " + std::to_string(seed); }};
}

/// A folder with a spec that has a seed and a mission of its own; gone when it ends.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("tactus_seeds_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
    fs::copy_file(data_root() + "/missions/square.waypoints", path_ / "trip.waypoints",
                  fs::copy_options::overwrite_existing);
    std::ofstream(path_ / "trip.toml") << "extends = \"default\"\nname = \"seed = 5\"\nseed = 5\n"
                                       << "autopilot = { mission = \"trip.waypoints\" }\n";
  }
  ~Folder() { remove(); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string spec() const { return (path_ / "trip.toml").string(); }
  void remove() const { fs::remove_all(path_); }

 private:
  fs::path path_;
};

TEST(Seeds, AreThoseOfSingleFlights) {
  const std::string path = find_spec("default");
  SeedsOptions options;
  options.jobs = 2;
  const SeedsResult result = fly_seeds(load_spec(path, short_flight()), {4, 6}, options);
  EXPECT_EQ(result.name, "default");
  ASSERT_EQ(result.outcomes.size(), 3U);
  for (std::uint64_t seed = 4; seed <= 6; ++seed) {
    const SeedOutcome& outcome = result.outcomes[seed - 4];
    const Flight alone = fly(with_override(path, seed));
    EXPECT_EQ(outcome.seed, seed);
    EXPECT_EQ(outcome.digest, alone.digest);
    EXPECT_EQ(outcome.spec_digest, alone.spec.digest);
    EXPECT_EQ(outcome.sentence, alone.sentence);
    EXPECT_EQ(outcome.warnings, alone.warnings);
  }
  EXPECT_NE(result.outcomes[0].digest, result.outcomes[1].digest);
}

TEST(Seeds, AreTheSameForAnyNumberOfThreads) {
  const LoadedSpec loaded = load_spec(find_spec("default"), short_flight());
  SeedsOptions one;
  one.jobs = 1;
  SeedsOptions many;
  many.jobs = 3;
  const SeedsResult a = fly_seeds(loaded, {1, 4}, one);
  const SeedsResult b = fly_seeds(loaded, {1, 4}, many);
  EXPECT_EQ(seeds_json(a, origin()), seeds_json(b, origin()));
  EXPECT_EQ(digest_of(a.outcomes), digest_of(b.outcomes));
  EXPECT_EQ(seeds_sentence(a.outcomes), "4 of 4 seeds did not pass: 1..4");
  EXPECT_EQ(exit_code(a.outcomes), ExitCode::kCheckFailed);
}

TEST(Seeds, NeedNoFileOnceTheSpecIsRead) {
  const Folder folder;
  const LoadedSpec loaded = load_spec(folder.spec(), short_flight());
  folder.remove();
  const SeedsResult result = fly_seeds(loaded, {1, 2});
  for (const SeedOutcome& outcome : result.outcomes) {
    EXPECT_TRUE(outcome.got_to_an_end()) << outcome.sentence;
  }
}

TEST(Seeds, TheCallerGetsTheProgress) {
  const std::thread::id caller = std::this_thread::get_id();
  std::size_t told = 0;
  SeedsOptions options;
  options.progress = [&](const SeedsProgress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(progress.count, 8U);
    EXPECT_GE(progress.flown, told);
    EXPECT_LE(progress.failed, progress.flown);
    told = progress.flown;
  };
  EXPECT_EQ(fly_seeds(load_spec(find_spec("free_fall")), {1, 8}, options).outcomes.size(), 8U);
}

TEST(Seeds, ThoseThatAreInterruptedAreNotFlown) {
  std::atomic<int> asked{0};
  SeedsOptions options;
  options.jobs = 1;
  options.interrupted = [&asked] { return ++asked > 1500; };  // free_fall has 1001 boundaries
  const SeedsResult result = fly_seeds(load_spec(find_spec("free_fall")), {1, 4}, options);
  EXPECT_EQ(result.outcomes[0].verdict, SeedVerdict::kPassed);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(result.outcomes[i].verdict, SeedVerdict::kNotFlown);
    EXPECT_EQ(result.outcomes[i].seed, i + 1);
  }
  EXPECT_EQ(exit_code(result.outcomes), ExitCode::kInterrupted);
  EXPECT_EQ(SeedCounts(result.outcomes)[SeedVerdict::kNotFlown], 3U);
  const auto json = nlohmann::json::parse(seeds_json(result, origin()));
  EXPECT_EQ(json["not_flown"], 3);
  EXPECT_EQ(json["flights"].size(), 1U);
  const std::string xml = seeds_junit(result, origin(), "seeds");
  EXPECT_NE(xml.find("errors=\"3\""), std::string::npos);
}

TEST(Seeds, WhatCannotFlyManyAtOnceIsRefused) {
  const LoadedSpec station = load_spec(
      find_spec("default"), std::vector<Override>{{"autopilot.ground_station.enabled", "true"}});
  EXPECT_THROW(fly_seeds(station, {1, 2}), Error);
  const LoadedSpec external =
      load_spec(find_spec("default"), std::vector<Override>{{"autopilot.kind", "\"px4-sitl\""}});
  EXPECT_THROW(fly_seeds(external, {1, 2}), Error);
}

}  // namespace
}  // namespace tactus
