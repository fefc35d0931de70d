// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/mavlink/mavlink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tactus/link/mavlink/mavlink_messages.h"
#include "tests/link/mavlink_samples.h"
#include "tests/support/allocations.h"

namespace tactus::mavlink {
namespace {

using testing::Dice;
using testing::random_message;
using testing::same_message;
using Bytes = std::vector<std::byte>;

Bytes bytes_of(const EncodedFrame& frame) { return {frame.bytes().begin(), frame.bytes().end()}; }

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes raw(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Bytes read_file(const std::string& name) {
  std::ifstream file("tests/data/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name << ": tests run in the root of the repository";
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// Puts the checksum of a frame right again after its bytes were changed.
void seal(Bytes& frame, std::uint8_t crc_extra) {
  std::uint16_t crc = kChecksumStart;
  const std::size_t end = frame.size() - kChecksumBytes;
  for (std::size_t i = 1; i < end; ++i) {
    crc = checksum(crc, std::to_integer<std::uint8_t>(frame[i]));
  }
  crc = checksum(crc, crc_extra);
  frame[end] = static_cast<std::byte>(crc);
  frame[end + 1] = static_cast<std::byte>(crc >> 8u);
}

/// Version 1 of a message, without our encoder.
template <Message M>
Bytes version_1(const M& message) {
  Sender sender;
  const Bytes whole = bytes_of(encode(message, sender));
  Bytes payload(whole.begin() + kHeader2, whole.end() - kChecksumBytes);
  payload.resize(kTable<M>.base_size);
  Bytes frame = raw({kMagic1, kTable<M>.base_size, 7, 1, 1, static_cast<int>(M::kId)}) + payload;
  frame = frame + raw({0, 0});
  seal(frame, kTable<M>.crc_extra);
  return frame;
}

std::vector<Bytes> frames_in(Parser& parser, std::span<const std::byte> bytes) {
  std::vector<Bytes> found;
  parser.feed(bytes, [&](const Frame& frame) {
    found.emplace_back(frame.bytes.begin(), frame.bytes.end());
  });
  return found;
}

Heartbeat some_heartbeat() {
  Heartbeat heartbeat;
  heartbeat.type = 2;
  heartbeat.autopilot = 12;
  heartbeat.base_mode = 81;
  heartbeat.custom_mode = 0x04040000;
  heartbeat.system_status = 4;
  return heartbeat;
}

// As published with the protocol's definition.
TEST(Mavlink, CrcExtraIsThatOfTheDefinition) {
  const std::map<std::uint32_t, int> published = {
      {0, 50},    {1, 124},   {2, 137},   {11, 89},  {20, 214}, {21, 159},  {22, 220},  {23, 168},
      {24, 24},   {30, 39},   {31, 246},  {32, 185}, {33, 104}, {40, 230},  {41, 28},   {42, 28},
      {43, 132},  {44, 221},  {45, 232},  {46, 11},  {47, 153}, {51, 196},  {65, 118},  {70, 124},
      {73, 38},   {74, 20},   {75, 158},  {76, 152}, {77, 143}, {83, 22},   {85, 140},  {93, 47},
      {107, 108}, {113, 124}, {114, 237}, {115, 4},  {132, 85}, {147, 154}, {148, 178}, {230, 163},
      {242, 104}, {245, 130}, {253, 83}};
  std::size_t count = 0;
  for_each_message([&]<class M>() {
    ++count;
    ASSERT_TRUE(published.contains(M::kId)) << M::kName;
    EXPECT_EQ(kTable<M>.crc_extra, published.at(M::kId)) << M::kName;
    EXPECT_EQ(find_message(M::kId), &kTable<M>);
  });
  EXPECT_EQ(count, published.size());
  EXPECT_EQ(find_message(3), nullptr);
  EXPECT_EQ(find_message(300), nullptr);
}

TEST(Mavlink, LargeFieldsComeFirstAndExtensionsLast) {
  const MessageTable& table = kTable<HilActuatorControls>;
  EXPECT_STREQ(table.fields[1].name, "controls");
  EXPECT_EQ(table.fields[1].array_length, 16);
  EXPECT_EQ(table.fields[1].offset, 16);  // behind time_usec and flags
  EXPECT_EQ(table.fields[2].offset, 80);  // mode, the only byte
  EXPECT_EQ(table.fields[3].offset, 8);   // flags
  EXPECT_EQ(table.size, 81);
  EXPECT_EQ(kTable<HilSensor>.base_size, 64);
  EXPECT_EQ(kTable<HilSensor>.size, 65);
  EXPECT_TRUE(kTable<HilSensor>.fields[15].extension);
  EXPECT_EQ(kTable<HilGps>.fields[13].offset, 36);  // id before yaw, although yaw is larger
  EXPECT_EQ(kTable<HilGps>.fields[14].offset, 37);
}

TEST(Mavlink, EveryMessageComesBackAsItWas) {
  Dice dice(1);
  Parser parser;
  Sender sender;
  for_each_message([&]<class M>() {
    for (int k = 0; k < 200; ++k) {
      const M sent = random_message<M>(dice);
      const EncodedFrame frame = encode(sent, sender);
      int count = 0;
      parser.feed(frame.bytes(), [&](const Frame& got) {
        M received = random_message<M>(dice);  // decoding must overwrite all of it
        ASSERT_TRUE(decode(got, received)) << M::kName;
        EXPECT_TRUE(same_message(sent, received)) << first_difference(sent, received)->text();
        ++count;
      });
      ASSERT_EQ(count, 1) << M::kName;
    }
  });
  EXPECT_EQ(parser.counts().skipped_bytes, 0u);
}

TEST(Mavlink, NumbersThatAreNoNumbersTravelToo) {
  Attitude sent;
  sent.roll = std::numeric_limits<float>::quiet_NaN();
  sent.pitch = -std::numeric_limits<float>::infinity();
  sent.yaw = -0.0F;
  Sender sender;
  Parser parser;
  Attitude received;
  const EncodedFrame frame = encode(sent, sender);
  parser.feed(frame.bytes(), [&](const Frame& got) { decode(got, received); });
  EXPECT_TRUE(same_message(sent, received));
}

TEST(Mavlink, TrailingZerosAreCutDownToOneByte) {
  Sender sender{.system = 42, .component = 7, .sequence = 255};
  CommandLong command;
  EXPECT_EQ(encode(command, sender).size, kHeader2 + 1 + kChecksumBytes);
  EXPECT_EQ(sender.sequence, 0) << "the sequence wraps";
  command.confirmation = 1;  // the last byte on the wire
  const EncodedFrame whole = encode(command, sender);
  EXPECT_EQ(whole.size, kHeader2 + kTable<CommandLong>.size + kChecksumBytes);
  EXPECT_EQ(whole.data[0], std::byte{0xFD});
  EXPECT_EQ(whole.data[1], std::byte{33});
  EXPECT_EQ(whole.data[4], std::byte{0});
  EXPECT_EQ(whole.data[5], std::byte{42});
  EXPECT_EQ(whole.data[6], std::byte{7});
  EXPECT_EQ(whole.data[7], std::byte{76});
}

TEST(Mavlink, DecodeLeavesAnotherMessageAlone) {
  Sender sender;
  Parser parser;
  Attitude attitude;
  attitude.roll = 3.0F;
  const EncodedFrame frame = encode(some_heartbeat(), sender);
  parser.feed(frame.bytes(), [&](const Frame& got) { EXPECT_FALSE(decode(got, attitude)); });
  EXPECT_EQ(attitude.roll, 3.0F);
  EXPECT_EQ(parser.counts().frames, 1u);
}

TEST(Mavlink, Version1IsRead) {
  const Bytes bytes = version_1(some_heartbeat());
  EXPECT_EQ(bytes.size(), 17u);
  Parser parser;
  Heartbeat received;
  parser.feed(bytes, [&](const Frame& frame) {
    EXPECT_EQ(frame.version, 1);
    EXPECT_EQ(frame.sequence, 7);
    EXPECT_TRUE(decode(frame, received));
  });
  EXPECT_TRUE(same_message(received, some_heartbeat()));
}

TEST(Mavlink, ExtensionsAreZeroInVersion1) {
  Dice dice(5);
  HilGps sent = random_message<HilGps>(dice);
  sent.id = 3;
  sent.yaw = 9;
  Parser parser;
  HilGps received;
  received.yaw = 77;
  parser.feed(version_1(sent), [&](const Frame& frame) { EXPECT_TRUE(decode(frame, received)); });
  sent.id = 0;
  sent.yaw = 0;
  EXPECT_TRUE(same_message(sent, received));
}

TEST(Mavlink, SignatureIsSkippedAsPartOfTheFrame) {
  Sender sender;
  Bytes frame = bytes_of(encode(some_heartbeat(), sender));
  frame[2] = std::byte{kSignedFlag};
  seal(frame, kTable<Heartbeat>.crc_extra);
  // A signature full of beginnings: none of them may be read.
  const Bytes stream = frame + Bytes(kSignatureBytes, std::byte{kMagic2}) + frame +
                       Bytes(kSignatureBytes, std::byte{kMagic1});
  Parser parser;
  EXPECT_EQ(frames_in(parser, stream).size(), 2u);
  EXPECT_EQ(parser.counts().skipped_bytes, 0u);
}

TEST(Mavlink, UnknownFlagsMakeAFrameUnreadable) {
  Sender sender;
  Bytes frame = bytes_of(encode(some_heartbeat(), sender));
  frame[2] = std::byte{2};
  seal(frame, kTable<Heartbeat>.crc_extra);
  Parser parser;
  EXPECT_TRUE(frames_in(parser, frame).empty());
  EXPECT_EQ(parser.counts().skipped_bytes, frame.size());
}

TEST(Mavlink, PayloadLongerThanOurTableIsRead) {
  Sender sender;
  Bytes frame = bytes_of(encode(some_heartbeat(), sender));
  frame.insert(frame.end() - 2, std::byte{99});  // an extension of a later definition
  frame[1] = static_cast<std::byte>(std::to_integer<int>(frame[1]) + 1);
  seal(frame, kTable<Heartbeat>.crc_extra);
  Parser parser;
  Heartbeat received;
  parser.feed(frame, [&](const Frame& got) { decode(got, received); });
  EXPECT_TRUE(same_message(received, some_heartbeat()));
}

TEST(Mavlink, GoodFrameBehindOrInsideABadOneIsFound) {
  Sender sender;
  const Bytes good = bytes_of(encode(some_heartbeat(), sender));
  Bytes broken = good;
  broken[12] ^= std::byte{1};
  // Beginnings of long frames of a known and an unknown message, of both versions.
  const Bytes fakes[] = {raw({0xFD}),
                         raw({0xFE}),
                         raw({0xFD, 255, 0, 0, 1, 1, 1, 93, 0, 0}),
                         raw({0xFD, 255, 1, 0, 1, 1, 1, 0x2C, 1, 0}),
                         raw({0xFE, 81, 1, 1, 1, 93}),
                         raw({0xFD, 9, 0, 0}),
                         raw({0xFE, 200, 1, 1, 1, 200}),
                         broken,
                         raw({1, 2, 3})};
  for (const Bytes& fake : fakes) {
    Parser parser;
    const Bytes room(kMaxFrame, std::byte{0});  // until a fake must have ended
    const std::vector<Bytes> found = frames_in(parser, fake + good + good + room);
    ASSERT_EQ(found.size(), 2u) << "after " << fake.size() << " bytes";
    EXPECT_EQ(found[0], good);
    EXPECT_EQ(parser.counts().skipped_bytes, fake.size() + room.size());
  }
}

TEST(Mavlink, CountsWhatIsBadOnce) {
  Sender sender;
  const Bytes good = bytes_of(encode(some_heartbeat(), sender));
  Bytes broken = good;
  broken[12] ^= std::byte{1};
  Bytes unknown = raw({0xFD, 12, 0, 0, 1, 1, 1, 0x2C, 1, 0}) + Bytes(14, std::byte{0xFD});
  Parser parser;
  EXPECT_EQ(frames_in(parser, good + broken + good + unknown + good + good).size(), 4u);
  EXPECT_EQ(parser.counts().bad_checksum, 1u);
  EXPECT_EQ(parser.counts().unknown, 1u);
  EXPECT_EQ(parser.counts().frames, 4u);
}

TEST(Mavlink, AFrameDoesNotReachOverTheEndOfADatagram) {
  Sender sender;
  const Bytes good = bytes_of(encode(some_heartbeat(), sender));
  const Bytes begun = raw({0xFD, 255, 0, 0, 1, 1, 1, 93, 0, 0});
  Parser stream, datagram;
  EXPECT_TRUE(frames_in(stream, begun + good).empty()) << "it may still be part of a frame";
  int count = 0;
  datagram.feed_datagram(begun + good, [&](const Frame&) { ++count; });
  EXPECT_EQ(count, 1);
  datagram.feed_datagram(good, [&](const Frame&) { ++count; });
  EXPECT_EQ(count, 2);
}

TEST(Mavlink, NeitherCodingNorParsingAllocates) {
  Sender sender;
  Parser parser;
  HilSensor sensor;
  std::uint64_t seen = 0;
  const long before = allocations;
  for (int k = 0; k < 100; ++k) {
    sensor.time_usec = static_cast<std::uint64_t>(k) * 4000;
    const EncodedFrame frame = encode(sensor, sender);
    parser.feed(frame.bytes(), [&](const Frame& got) {
      HilSensor received;
      if (decode(got, received)) seen = received.time_usec;
    });
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(seen, 99u * 4000u);
}

TEST(Mavlink, TextFieldsHoldUpToTheirLength) {
  ParamValue value;
  set_text(value.param_id, "MPC_THR_HOVER");
  EXPECT_EQ(text_of(value.param_id), "MPC_THR_HOVER");
  set_text(value.param_id, "SIXTEEN_LETTERS_AND_MORE");
  EXPECT_EQ(text_of(value.param_id), "SIXTEEN_LETTERS_");
  set_text(value.param_id, "");
  EXPECT_EQ(text_of(value.param_id), "");
}

/// Decodes the frame as what it is and encodes it again.
Bytes encoded_again(const Frame& frame) {
  Bytes again;
  Sender sender{frame.system, frame.component, frame.sequence};
  for_each_message([&]<class M>() {
    M message;
    if (decode(frame, message)) again = bytes_of(encode(message, sender));
  });
  return again;
}

using Counts = std::map<std::uint32_t, int>;

/// Reads a capture, checks that every frame encodes to the same bytes, and counts messages.
Counts replay(const std::string& name, std::size_t cut_off_bytes, bool same_bytes) {
  const Bytes bytes = read_file(name);
  Parser parser;
  Counts counts;
  std::size_t frame_bytes = 0;
  parser.feed(bytes, [&](const Frame& frame) {
    ++counts[frame.id()];
    frame_bytes += frame.bytes.size();
    const Bytes original(frame.bytes.begin(), frame.bytes.end());
    if (same_bytes) {
      EXPECT_EQ(encoded_again(frame), original) << frame.message->name;
    }
  });
  EXPECT_EQ(parser.counts().skipped_bytes, 0u) << name;
  EXPECT_EQ(bytes.size() - frame_bytes, cut_off_bytes) << name;
  return counts;
}

TEST(Mavlink, CapturesOfPx4EncodeToTheSameBytes) {
  EXPECT_EQ(replay("mavlink_px4_hil_to.bin", 0, true), (Counts{{107, 59}, {113, 3}, {115, 58}}));
  EXPECT_EQ(replay("mavlink_px4_hil_from.bin", 0, true), (Counts{{0, 1}, {76, 1}, {93, 58}}));
}

TEST(Mavlink, CapturesOfJmavsimAreRead) {
  EXPECT_EQ(replay("mavlink_jmavsim_to_px4.bin", 36, false),
            (Counts{{0, 1}, {2, 1}, {107, 38}, {113, 1}, {115, 19}}));
  EXPECT_EQ(replay("mavlink_px4_to_jmavsim.bin", 62, true), (Counts{{0, 1}, {76, 1}, {93, 18}}));
}

TEST(Mavlink, CaptureSaysWhatPx4DoesFirst) {
  Parser parser;
  CommandLong wanted;
  HilActuatorControls last;
  parser.feed(read_file("mavlink_px4_hil_from.bin"), [&](const Frame& frame) {
    decode(frame, wanted);
    decode(frame, last);
  });
  EXPECT_EQ(wanted.command, 511);  // SET_MESSAGE_INTERVAL: HIL_STATE_QUATERNION at 200 Hz
  EXPECT_EQ(wanted.param1, 115.0F);
  EXPECT_EQ(wanted.param2, 5000.0F);
  EXPECT_EQ(last.mode, 129);  // armed
  EXPECT_EQ(last.flags, 1u);  // lockstep
  EXPECT_GT(last.controls[0], 0.3F);
  EXPECT_LT(last.controls[0], 0.7F);
  EXPECT_EQ(last.controls[4], 0.0F);
}

}  // namespace
}  // namespace tactus::mavlink
