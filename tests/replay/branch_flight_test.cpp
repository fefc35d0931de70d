// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A branch flown by the library: its outcome, where it comes from and how it compares.

#include "tactus/replay/branch/branch_flight.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tactus/files/disk_files.h"
#include "tactus/record/hdf5/flight_file.h"

namespace tactus {
namespace {

class BranchFlightTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove(path_);
    FlightOptions options;
    options.record.file = std::make_unique<OutputFile>(path_, kRecordingRules);
    const std::vector<Override> overrides{{"time.end_s", "3.0"}};
    parent_ = fly(load_spec(find_spec("default"), overrides), std::move(options));
    setup_.parent = read_flight(path_);
    setup_.parent_name = "parent.h5";
    setup_.at = TimeUs(1'500'000);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  BranchFlight flown() {
    Branch branch(setup_);
    BranchFlightOptions options;
    options.parent = path_;
    return fly_branch(setup_, branch, std::move(options));
  }

  std::string path_ = ::testing::TempDir() + "/branch_flight_test.h5";
  Flight parent_;
  BranchSetup setup_;
};

TEST_F(BranchFlightTest, WithoutChangesIsTheParent) {
  const BranchFlight branch = flown();
  EXPECT_EQ(branch.flight.digest, parent_.digest);
  EXPECT_EQ(branch.flight.sentence, parent_.sentence);
  EXPECT_TRUE(branch.origin.branched);
  EXPECT_TRUE(branch.origin.same);
  EXPECT_TRUE(branch.origin.equal_as_far_as_the_parent());
  ASSERT_TRUE(branch.origin.apart_m);
  EXPECT_EQ(*branch.origin.apart_m, 0.0);
}

TEST_F(BranchFlightTest, WithAnEventDiffersAfterIt) {
  setup_.events = {"at=2s do=motor_off rotor=front_left"};
  const BranchFlight branch = flown();
  EXPECT_FALSE(branch.origin.same);
  ASSERT_TRUE(branch.origin.first_difference);
  EXPECT_GE(*branch.origin.first_difference, TimeUs(2'000'000));
  const auto json = nlohmann::json::parse(branch_json(branch, {"log.csv"}));
  EXPECT_EQ(json["flight_digest"], to_hex(branch.flight.digest));
  EXPECT_EQ(json["branch"]["parent"], path_);
  EXPECT_EQ(json["branch"]["parent_flight_digest"], to_hex(parent_.digest));
  EXPECT_EQ(json["branch"]["first_difference_us"], branch.origin.first_difference->us);
  EXPECT_EQ(json["branch"]["same_flight"], false);
}

}  // namespace
}  // namespace tactus
