// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Hostile bytes: noise, damaged frames, cuts anywhere. TACTUS_TEST_ALL gives 10 million inputs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/mavlink/mavlink_pilot.h"
#include "tests/link/mavlink_samples.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using mavlink::EncodedFrame;
using mavlink::Frame;
using mavlink::Parser;
using testing::Dice;
using testing::random_message;
using Bytes = std::vector<std::byte>;

std::size_t inputs() {
  constexpr std::size_t kQuick = 50'000, kAll = 2'500'000;  // per test; there are four
  return testing::test_all() ? kAll : kQuick;
}

EncodedFrame random_frame(Dice& dice, mavlink::Sender& sender) {
  EncodedFrame frame;
  std::size_t left = dice.below(40);
  mavlink::for_each_message([&]<class M>() {
    if (left-- == 0) frame = mavlink::encode(random_message<M>(dice), sender);
  });
  return frame;
}

void append(Bytes& bytes, const EncodedFrame& frame) {
  bytes.insert(bytes.end(), frame.bytes().begin(), frame.bytes().end());
}

std::byte random_byte(Dice& dice) { return static_cast<std::byte>(dice.roll()); }

/// Noise in which beginnings of frames are frequent.
void append_noise(Bytes& bytes, Dice& dice, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t kind = dice.below(8);
    const std::byte magic{dice.below(2) == 0 ? mavlink::kMagic1 : mavlink::kMagic2};
    bytes.push_back(kind == 0 ? magic : kind == 1 ? std::byte{0} : random_byte(dice));
  }
}

void damage(Bytes& bytes, Dice& dice) {
  for (std::size_t k = 1 + dice.below(4); k > 0 && !bytes.empty(); --k) {
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(dice.below(bytes.size()));
    switch (dice.below(4)) {
      case 0: *at = random_byte(dice); break;
      case 1: *at ^= std::byte{1} << dice.below(8); break;
      case 2: bytes.erase(at); break;
      default: bytes.insert(at, random_byte(dice)); break;
    }
  }
}

/// Frames, damaged frames and noise, one after the other.
void random_stream(Bytes& bytes, Dice& dice, mavlink::Sender& sender) {
  bytes.clear();
  for (std::size_t k = dice.below(4); k > 0; --k) {
    Bytes part;
    if (dice.below(3) == 0) {
      append_noise(part, dice, dice.below(60));
    } else {
      append(part, random_frame(dice, sender));
      if (dice.below(2) == 0) damage(part, dice);
    }
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
}

/// Decodes as what it is, so that sanitizers see every access.
void decode_any(const Frame& frame) {
  bool decoded = false;
  mavlink::for_each_message([&]<class M>() {
    M message;
    decoded = decoded || mavlink::decode(frame, message);
  });
  ASSERT_TRUE(decoded);
}

template <class Take>
void feed_in_pieces(Parser& parser, std::span<const std::byte> bytes, Dice& dice, Take take) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), 1 + dice.below(100));
    parser.feed(bytes.first(count), take);
    bytes = bytes.subspan(count);
  }
}

TEST(MavlinkFuzz, EveryByteBelongsToAFrameOrIsSkipped) {
  Dice dice(11);
  mavlink::Sender sender;
  Parser parser;
  Bytes bytes;
  std::uint64_t fed = 0, in_frames = 0;
  for (std::size_t k = 0; k < inputs(); ++k) {
    random_stream(bytes, dice, sender);
    fed += bytes.size();
    feed_in_pieces(parser, bytes, dice, [&](const Frame& frame) {
      in_frames += frame.bytes.size();
      decode_any(frame);
    });
    const std::uint64_t accounted = in_frames + parser.counts().skipped_bytes;
    ASSERT_LE(accounted, fed);
    ASSERT_LT(fed - accounted, mavlink::kMaxFrame) << "more than one unfinished frame is kept";
  }
  EXPECT_GT(parser.counts().frames, inputs() / 4);
  EXPECT_GT(parser.counts().bad_checksum, inputs() / 20);
  EXPECT_GT(parser.counts().unknown, inputs() / 20);
}

TEST(MavlinkFuzz, WhereTheStreamIsCutDoesNotMatter) {
  Dice dice(12);
  mavlink::Sender sender;
  Bytes bytes;
  for (std::size_t k = 0; k < inputs(); ++k) {
    random_stream(bytes, dice, sender);
    Parser whole, pieces;
    std::vector<std::uint64_t> a, b;
    const auto note_in = [](std::vector<std::uint64_t>& list) {
      return [&list](const Frame& frame) {
        list.push_back(frame.id() << 16u | std::uint32_t{frame.sequence} << 8u |
                       frame.bytes.size());
      };
    };
    whole.feed(bytes, note_in(a));
    feed_in_pieces(pieces, bytes, dice, note_in(b));
    ASSERT_EQ(a, b);
    ASSERT_EQ(whole.counts().skipped_bytes, pieces.counts().skipped_bytes);
    ASSERT_EQ(whole.counts().unknown, pieces.counts().unknown);
    ASSERT_EQ(whole.counts().bad_checksum, pieces.counts().bad_checksum);
  }
}

TEST(MavlinkFuzz, AGoodFrameBehindRubbishIsNeverLost) {
  Dice dice(13);
  mavlink::Sender sender;
  Parser parser;
  Bytes bytes;
  std::size_t found = 0;
  for (std::size_t k = 0; k < inputs(); ++k) {
    random_stream(bytes, dice, sender);
    const EncodedFrame good = random_frame(dice, sender);
    append(bytes, good);
    bool is_there = false;
    parser.feed_datagram(bytes, [&](const Frame& frame) {
      is_there = is_there || std::ranges::equal(frame.bytes, good.bytes());
    });
    found += is_there ? 1 : 0;
  }
  // A damaged frame whose checksum is right by chance may cover a good one: 1 in 65536.
  EXPECT_GE(found + inputs() / 65'536 + 1, inputs());
}

TEST(MavlinkFuzz, ThePilotSurvivesAnyVehicle) {
  Dice dice(14);
  mavlink::Sender vehicle{.system = 1, .component = 1};
  auto mission = std::make_shared<Mission>();
  mission->items.resize(3);
  Bytes bytes;
  std::uint64_t sent = 0;
  for (const PilotFlavour flavour : {PilotFlavour::kPx4, PilotFlavour::kArduCopter}) {
    PilotParameters parameters;
    parameters.flavour = flavour;
    MavlinkPilot pilot(parameters, mission);
    pilot.set_parameters({{"A", 1.0, true, ""}, {"B", 2.5, false, ""}});
    std::vector<VehicleText> texts;
    for (std::size_t k = 0; k < inputs() / 2; ++k) {
      random_stream(bytes, dice, vehicle);
      const TimeUs now(k * 4000);
      pilot.receive(bytes, now);
      const HighLevelCommand wanted{.armed = dice.below(4) != 0,
                                    .mode = static_cast<FlightMode>(dice.below(6)),
                                    .count = static_cast<std::uint32_t>(k / 50)};
      pilot.want(wanted, now);
      const BatteryStatus pack{.voltage_v = static_cast<double>(dice.below(100))};
      pilot.report_battery({&pack, 1}, now);
      while (!pilot.take_outgoing().empty()) ++sent;
      pilot.take_texts(texts);
      texts.clear();
      (void)pilot.status();
    }
    EXPECT_TRUE(pilot.vehicle().has_heartbeat);
  }
  EXPECT_GT(sent, inputs() / 500);
}

}  // namespace
}  // namespace tactus
