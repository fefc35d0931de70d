// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A spec that gets other values for some keys is what a file with these values is.

#include "tactus/spec/reader/spec_template.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tactus/files/disk_files.h"

namespace tactus {
namespace {

namespace fs = std::filesystem;

std::vector<TomlNode> values_of(const std::vector<std::string>& texts) {
  std::vector<TomlNode> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.push_back(*parse_toml_value(text));
  return values;
}

/// A folder with a spec that has a seed and a mission of its own; gone when it ends.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("tactus_template_" + std::to_string(getpid()))) {
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

void expect_same_spec(const LoadedSpec& a, const LoadedSpec& b) {
  EXPECT_EQ(a.spec.seed, b.spec.seed);
  EXPECT_EQ(a.spec.digest, b.spec.digest);
  EXPECT_EQ(a.resolved, b.resolved);
  EXPECT_EQ(a.files, b.files);
  ASSERT_EQ(a.provenance.size(), b.provenance.size());
  for (std::size_t i = 0; i < a.provenance.size(); ++i) {
    EXPECT_EQ(a.provenance[i].key, b.provenance[i].key);
    EXPECT_EQ(a.provenance[i].value, b.provenance[i].value);
    EXPECT_EQ(a.provenance[i].origin(), b.provenance[i].origin());
  }
}

TEST(SpecTemplate, GivesWhatOverridesGive) {
  const std::vector<VariedKey> keys = {{"seed"},
                                       {"body.mass_kg"},
                                       {"rotor.front_left.motor.kv_rpm_per_v"},
                                       {"body.center_of_mass_body_m"},
                                       {"wind.turbulence"}};
  const std::vector<std::string> texts = {"77", "1.61", "840.0", "[0.01, 0.0, 0.0]", "\"dryden\""};
  std::vector<Override> overrides;
  for (std::size_t i = 0; i < keys.size(); ++i) overrides.push_back({keys[i].name, texts[i]});
  const Folder folder;
  for (const std::string& path : {find_spec("default"), folder.spec()}) {
    const SpecTemplate spec(disk_files(), load_spec(path), keys);
    const LoadedSpec varied = spec.with(values_of(texts), true);
    expect_same_spec(varied, load_spec(path, overrides));
    EXPECT_EQ(spec.with(values_of(texts)).spec.digest, varied.spec.digest);
  }
}

TEST(SpecTemplate, OwnValuesChangeNothing) {
  const SpecTemplate spec(disk_files(), load_spec(find_spec("default")),
                          std::vector<VariedKey>{{"pack.main.r0_ohm"},
                                                 {"wind.mean_ned_m_s[1]"},
                                                 {"time.end_s"},
                                                 {"rotor.front_left.thrust_scale"}});
  std::vector<TomlNode> own;
  for (const VariedSlot& slot : spec.slots()) own.push_back(slot.own);
  EXPECT_EQ(spec.with(own).spec.digest, spec.base().spec.digest);
  EXPECT_EQ(spec.slots()[2].kind, VariedKind::kSeconds);
}

TEST(SpecTemplate, NeedsNoFileAnyMore) {
  const Folder folder;
  const SpecTemplate spec(disk_files(), load_spec(folder.spec()), std::vector<VariedKey>{{"seed"}});
  folder.remove();
  EXPECT_EQ(spec.with(values_of({"5"}), true).spec.digest, spec.base().spec.digest);
}

TEST(SpecTemplate, RefusesWhatAFileCouldNotHold) {
  const SpecTemplate spec(disk_files(), load_spec(find_spec("default")),
                          std::vector<VariedKey>{{"body.mass_kg", {"campaign.toml", 7, 3}}});
  try {
    (void)spec.with(values_of({"-1.0"}));
    FAIL() << "a negative mass";
  } catch (const PlacedError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("campaign.toml:7:3: body.mass_kg = -1"))
        << error.what();
  }
  EXPECT_THROW((void)spec.with(values_of({"\"heavy\""})), PlacedError);
}

TEST(SpecTemplate, RoundsNumbersToWhatASlotHolds) {
  VariedSlot slot;
  slot.kind = VariedKind::kInteger;
  EXPECT_EQ(number_for(slot, 2.6).integer, 3);
  slot.kind = VariedKind::kSeconds;
  EXPECT_EQ(number_for(slot, 0.0123456789).real, 0.012346);
  slot.kind = VariedKind::kReal;
  EXPECT_EQ(number_for(slot, 0.1).real, 0.1);
}

/// Moved to one side, the rotors there carry more and the gear stands otherwise.
TEST(CenterOfMass, MovesRotorsGearAndInstruments) {
  const LoadedSpec before = load_spec(find_spec("instruments"));
  const LoadedSpec after =
      load_spec(find_spec("instruments"),
                std::vector<Override>{{"body.center_of_mass_body_m", "[0.02, -0.01, 0.005]"}});
  const Vec3 moved{0.02, -0.01, 0.005};
  const MultirotorParameters& a = multirotor_of(before.spec);
  const MultirotorParameters& b = multirotor_of(after.spec);
  for (int i = 0; i < a.rotor_count; ++i) {
    EXPECT_EQ(b.rotor[i].position_B_m, a.rotor[i].position_B_m - moved);
  }
  for (int k = 0; k < a.gear.count; ++k) {
    EXPECT_EQ(b.gear.position_B_m[k], a.gear.position_B_m[k] - moved);
  }
  EXPECT_EQ(after.spec.sensors.imu.parameters.position_B_m,
            before.spec.sensors.imu.parameters.position_B_m - moved);
  EXPECT_EQ(load_spec_text(after.resolved, "again.toml", {}, after.files).spec.digest,
            after.spec.digest);
}

TEST(Scales, MultiplyRotorsAndPacks) {
  const LoadedSpec before = load_spec(find_spec("default"));
  const LoadedSpec after = load_spec(find_spec("default"),
                                     std::vector<Override>{{"rotor.front_left.thrust_scale", "0.9"},
                                                           {"rotor.front_left.torque_scale", "1.1"},
                                                           {"pack.main.capacity_scale", "0.5"},
                                                           {"pack.main.resistance_scale", "2.0"}});
  const MultirotorParameters& a = multirotor_of(before.spec);
  const MultirotorParameters& b = multirotor_of(after.spec);
  std::size_t scaled = 0;
  while (after.spec.parts.rotors[scaled] != "front_left") ++scaled;
  for (std::size_t i = 0; i < after.spec.parts.rotors.size(); ++i) {
    const double thrust = i == scaled ? 0.9 : 1.0;
    const double torque = i == scaled ? 1.1 : 1.0;
    EXPECT_EQ(b.rotor[i].propeller.static_thrust_coefficient,
              thrust * a.rotor[i].propeller.static_thrust_coefficient);
    EXPECT_EQ(b.rotor[i].propeller.static_power_coefficient,
              torque * a.rotor[i].propeller.static_power_coefficient);
  }
  EXPECT_EQ(b.power.pack[0].capacity_ah, 0.5 * a.power.pack[0].capacity_ah);
  EXPECT_EQ(b.power.pack[0].r0_ohm, 2.0 * a.power.pack[0].r0_ohm);
  EXPECT_THROW(
      load_spec(find_spec("default"), std::vector<Override>{{"pack.main.capacity_scale", "0.0"}}),
      Error);
}

}  // namespace
}  // namespace tactus
