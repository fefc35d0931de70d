// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Layouts against what the real PX4 library says of its topics (sizes and hashes), and against
// offsets that its compiler gave them.

#include "tactus/link/px4/uorb_layout.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/link/px4/uorb_messages.h"

namespace tactus {
namespace {

struct KnownTopic {
  const char* name;
  std::uint32_t size, size_no_padding, hash;
  int queue;
};

/// As the library reports them.
constexpr KnownTopic kTopics[] = {
    {"battery_status", 168, 166, 0xfd330964, 1},
    {"vehicle_attitude", 56, 49, 0x0ac1f7cd, 1},
    {"vehicle_local_position", 192, 192, 0x5141d2f7, 1},
    {"vehicle_global_position", 72, 67, 0x923ca365, 1},
    {"vehicle_angular_velocity", 40, 40, 0x48cb9568, 1},
    {"vehicle_land_detected", 24, 20, 0x4c30e23f, 1},
    {"vehicle_status", 80, 74, 0xf779fa65, 1},
    {"vehicle_control_mode", 24, 23, 0x25a90612, 1},
    {"actuator_armed", 16, 15, 0x77773c05, 1},
    {"home_position", 64, 60, 0x159bab7e, 1},
    {"actuator_motors", 72, 66, 0xcabc4d45, 1},
    {"actuator_servos", 48, 48, 0xc5d59a9e, 1},
    {"vehicle_attitude_setpoint", 40, 40, 0x0591bb5a, 1},
    {"vehicle_rates_setpoint", 40, 33, 0x79992167, 1},
    {"mission_result", 40, 38, 0x70caef92, 1},
    {"trajectory_setpoint", 64, 64, 0xf614acde, 1},
    {"vehicle_command", 56, 55, 0xcba514af, 8},
};

TEST(UorbLayout, EveryTopicHasTheSizeAndTheHashOfTheRealLibrary) {
  const UorbCatalog catalog;
  for (const KnownTopic& topic : kTopics) {
    const UorbLayout layout = catalog.layout(topic.name);
    EXPECT_EQ(layout.size, topic.size) << topic.name;
    EXPECT_EQ(layout.size_no_padding, topic.size_no_padding) << topic.name;
    EXPECT_EQ(layout.hash, topic.hash) << topic.name;
    EXPECT_EQ(layout.queue, topic.queue) << topic.name;
    EXPECT_EQ(catalog.origin(topic.name), "Tactus");
  }
}

TEST(UorbLayout, LargeFieldsComeFirst) {
  const UorbLayout motors = UorbCatalog().layout("actuator_motors");
  EXPECT_EQ(motors.find("control")->offset, 16u);
  EXPECT_EQ(motors.find("control")->count, 12);
  EXPECT_EQ(motors.find("reversible_flags")->offset, 64u);  // before `control` in its .msg
  const UorbLayout local = UorbCatalog().layout("vehicle_local_position");
  EXPECT_EQ(local.find("ref_lat")->offset, 24u);
  EXPECT_EQ(local.find("x")->offset, 40u);
  EXPECT_EQ(local.find("xy_valid")->offset, 176u);
  EXPECT_EQ(local.find("no_such_field"), nullptr);
}

UorbDefinition no_message(const std::string& name) {
  throw Error(ExitCode::kBadInput, "no message " + name);
}

TEST(UorbLayout, NestedMessagesComeLastAndEnterTheHash) {
  const auto lookup = [](const std::string& name) {
    EXPECT_EQ(name, "Inner");
    return parse_msg("uint8 a\nfloat64 b\n", "Inner.msg");
  };
  const UorbLayout layout =
      layout_of(parse_msg("uint64 timestamp\nInner[2] part\nuint8 count\n", "Outer.msg"), lookup);
  EXPECT_EQ(layout.find("count")->offset, 8u);
  EXPECT_EQ(layout.find("part[0].b")->offset, 16u);
  EXPECT_EQ(layout.find("part[0].a")->offset, 24u);
  EXPECT_EQ(layout.find("part[1].b")->offset, 32u);
  EXPECT_EQ(layout.size, 48u);
  // FNV-1a of the fields in .msg order, those of the inner message behind its line.
  std::uint32_t hash = 0x811c9dc5u;
  for (const char c :
       std::string("uint64 timestamp\nInner[2] part\nuint8 a\nfloat64 b\nuint8 count\n")) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
  }
  EXPECT_EQ(layout.hash, hash);
}

TEST(UorbLayout, ReadsMsgFilesAsPx4WritesThem) {
  const UorbDefinition definition = parse_msg(
      "# Some topic\n\nuint32 MESSAGE_VERSION = 0\nuint64 timestamp\t\t# [us] time\r\n"
      "uint8 ORB_QUEUE_LENGTH = 8\nfloat32[3] xyz # body\n# TOPICS a b\n",
      "A.msg");
  ASSERT_EQ(definition.fields.size(), 2u);
  EXPECT_EQ(definition.queue, 8);
  EXPECT_EQ(definition.fields[1].type, "float32");
  EXPECT_EQ(definition.fields[1].count, 3);
  EXPECT_EQ(definition.fields[1].name, "xyz");
}

void expect_refused(const char* text, const char* part) {
  try {
    layout_of(parse_msg(text, "A.msg"), no_message);
    FAIL() << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(UorbLayout, WrongMsgFilesAreRefusedWithTheirLine) {
  expect_refused("uint64 timestamp\nfloat32[3 xyz\n", "A.msg:2: ");
  expect_refused("uint64\n", "A.msg:1: ");
  expect_refused("uint8[0] a\n", "A.msg:1: ");
  expect_refused("uint8[99999999999] a\n", "A.msg:1: ");
  expect_refused("uint8 a b\n", "A.msg:1: ");
  expect_refused("# nothing\n", "no fields");
  expect_refused("Other a\n", "no message Other");
}

TEST(UorbLayout, AMessageThatContainsItselfIsRefused) {
  const UorbLookup itself = [](const std::string&) { return parse_msg("Self a\n", "Self.msg"); };
  EXPECT_THROW(layout_of(itself("Self"), itself), Error);
}

TEST(UorbLayout, NumbersGoInAndComeOut) {
  const UorbLayout layout =
      layout_of(parse_msg("uint64 t\nfloat32[2] f\nint16 i\nuint8 u\nbool b\nfloat64 d\n", "A.msg"),
                no_message);
  std::vector<std::byte> message(layout.size);
  const auto round_trip = [&](const char* field, int index, double value) {
    const UorbSlot slot = slot_of(layout, field, index);
    write_slot(slot, value, message);
    return read_slot(slot, message);
  };
  EXPECT_EQ(round_trip("f", 1, 0.1), static_cast<double>(0.1F));
  EXPECT_EQ(round_trip("d", 0, 0.1), 0.1);
  EXPECT_EQ(round_trip("i", 0, -32000.0), -32000.0);
  EXPECT_EQ(round_trip("i", 0, 1e9), 32767.0);
  EXPECT_EQ(round_trip("u", 0, -1.0), 0.0);
  EXPECT_EQ(round_trip("u", 0, math::canonical_nan()), 0.0);
  EXPECT_EQ(round_trip("b", 0, 7.0), 1.0);
  EXPECT_TRUE(math::is_nan(round_trip("f", 0, math::canonical_nan())));
  EXPECT_FALSE(slot_of(layout, "f", 2).present);
  EXPECT_TRUE(math::is_nan(round_trip("absent", 0, 1.0)));
  write_slot_us(slot_of(layout, "t"), 0xfedcba9876543210u, message);
  std::uint64_t time = 0;
  std::memcpy(&time, message.data(), 8);
  EXPECT_EQ(time, 0xfedcba9876543210u);
}

TEST(UorbCatalog, FilesOfTheUserComeFirst) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "tactus_msg_test";
  std::filesystem::create_directories(folder / "versioned");
  std::ofstream(folder / "versioned" / "VehicleAttitude.msg") << "uint64 timestamp\nfloat32[4] q\n";
  const UorbCatalog catalog(folder.string());
  EXPECT_EQ(catalog.layout("vehicle_attitude").size, 24u);
  EXPECT_NE(catalog.origin("vehicle_attitude").find("VehicleAttitude.msg"), std::string::npos);
  EXPECT_EQ(catalog.layout("actuator_motors").hash, 0xcabc4d45u);  // still ours
  EXPECT_THROW((void)catalog.layout("no_such_topic"), Error);
  std::filesystem::remove_all(folder);
  EXPECT_THROW(UorbCatalog("no/such/folder"), Error);
}

TEST(UorbCatalog, NamesOfMessagesFollowFromTopics) {
  EXPECT_EQ(message_of_topic("vehicle_local_position"), "VehicleLocalPosition");
  EXPECT_EQ(message_of_topic("wind"), "Wind");
}

}  // namespace
}  // namespace tactus
