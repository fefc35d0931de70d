// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A recorded spec stands alone: it loads to the same digest when every file it came from is gone.

#include "tactus/record/recording_meta.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "tactus/core/error.h"
#include "tactus/core/version.h"
#include "tactus/files/disk_files.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

constexpr char kSpec[] = R"(
  extends = "iris"
  autopilot = { mission = "trip.waypoints" }
  [[wind.gust]]
  id = "shove"
  shape = "step"
  velocity_ned_m_s = [0.0, 3.0, 0.0]
  at_s = 5.0
  duration_s = 1.0
)";

/// A folder with a spec and its mission; gone when it ends.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("tactus_meta_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
    std::ofstream(path_ / "trip.toml") << kSpec;
    fs::copy_file(data_root() + "/missions/square.waypoints", path_ / "trip.waypoints");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string spec() const { return (path_ / "trip.toml").string(); }

 private:
  fs::path path_;
};

Recording recorded() {
  const Folder folder;
  Recording recording;
  recording.meta = recording_meta(load_spec(folder.spec()), Tier::kComponents, {"abc", "g++"});
  return recording;
}

TEST(RecordingMeta, SaysWhatWasFlown) {
  const RecordingMeta meta = recorded().meta;
  EXPECT_EQ(meta.program, std::string("tactus ") + kVersion);
  EXPECT_EQ(meta.commit, "abc");
  EXPECT_EQ(meta.compiler, "g++");
  EXPECT_EQ(meta.name, "trip");
  EXPECT_EQ(meta.tier, Tier::kComponents);
  EXPECT_EQ(meta.seed, 1U);
  ASSERT_EQ(meta.event_ids.size(), 3U);  // arm, start, and the gust
  EXPECT_EQ(meta.event_ids.back(), "wind.gust.shove");
  ASSERT_EQ(meta.files.size(), 1U);
  EXPECT_TRUE(meta.files[0].name.ends_with("/trip.waypoints"));
  EXPECT_TRUE(meta.files[0].content.starts_with("QGC WPL 110"));
  const auto mass = std::find_if(meta.parameters.begin(), meta.parameters.end(),
                                 [](const ParameterRecord& p) { return p.key == "body.mass_kg"; });
  ASSERT_NE(mass, meta.parameters.end());
  EXPECT_EQ(mass->value, "1.5");
  EXPECT_EQ(mass->unit, "kg");
}

TEST(RecordingMeta, TheSpecLoadsWithoutItsFolder) {
  const Recording recording = recorded();
  const LoadedSpec again = recorded_spec(recording);
  EXPECT_EQ(again.spec.digest, recording.meta.spec_digest);
  EXPECT_EQ(again.spec.name, "trip");
  EXPECT_FALSE(again.spec.mission.items.empty());
  EXPECT_EQ(again.files, recording.meta.files);
  // and a recording of the replay says the same
  const RecordingMeta meta = recording_meta(again, Tier::kComponents, {});
  EXPECT_EQ(meta.parameters, recording.meta.parameters);
  EXPECT_EQ(meta.event_ids, recording.meta.event_ids);
}

TEST(RecordingMeta, TheSpecTakesChanges) {
  const Recording recording = recorded();
  const Override heavier[] = {{"body.mass_kg", "1.6"}};
  const LoadedSpec changed = recorded_spec(recording, heavier);
  EXPECT_EQ(multirotor_of(changed.spec).body.mass_kg, 1.6);
  EXPECT_NE(changed.spec.digest, recording.meta.spec_digest);
  const Override wrong[] = {{"body.mass_kg", "-1.0"}};
  EXPECT_THROW(recorded_spec(recording, wrong), Error);
}

TEST(RecordingMeta, AnotherContentThanTheDigestSaysIsRefused) {
  Recording recording = recorded();
  recording.meta.spec += "\n[[expect]]\nid = \"more\"\nkind = \"landed\"\n";
  EXPECT_THROW(recorded_spec(recording), Error);
  Recording without_mission = recorded();
  without_mission.meta.files.clear();
  EXPECT_THROW(recorded_spec(without_mission), Error);
}

}  // namespace
}  // namespace tactus
