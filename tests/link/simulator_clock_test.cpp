// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What time the messages of a simulator tell, and that it does not matter how TCP has cut them.

#include "tactus/link/conduct/simulator_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tests/link/mavlink_samples.h"

namespace tactus {
namespace {

using conductor::RecordKind;
using Bytes = std::vector<std::byte>;
using Step = SimulatorClock::Step;
using Message = SimulatorClock::Message;

constexpr std::uint32_t kConnection = 0x80000001;
constexpr std::int64_t kMs_ns = 1'000'000;

Bytes bytes_of(std::string_view text) {
  Bytes bytes;
  for (const char letter : text) bytes.push_back(static_cast<std::byte>(letter));
  return bytes;
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::uint16_t checksum(const Bytes& bytes, std::size_t end) {
  std::uint16_t crc = mavlink::kChecksumStart;
  for (std::size_t i = 1; i < end; ++i) {
    crc = mavlink::checksum(crc, std::to_integer<std::uint8_t>(bytes[i]));
  }
  return mavlink::checksum(crc, mavlink::kTable<mavlink::HilSensor>.crc_extra);
}

template <class M>
Bytes frame(const M& message) {
  mavlink::Sender sender;
  const mavlink::EncodedFrame encoded = mavlink::encode(message, sender);
  return {encoded.bytes().begin(), encoded.bytes().end()};
}

Bytes sensor(std::uint64_t time_us) {
  mavlink::HilSensor message;
  message.time_usec = time_us;
  message.zacc = -9.8F;
  message.fields_updated = 0x1FFF;
  message.id = 3;  // so that no zeros at its end are cut off
  return frame(message);
}

/// The same as version 1, which has no fields beyond the first ones.
Bytes sensor_1(std::uint64_t time_us) {
  const Bytes two = sensor(time_us);
  constexpr std::uint8_t kPayload = 64;
  Bytes one{std::byte{mavlink::kMagic1}, std::byte{kPayload}, two[4], two[5], two[6], two[7]};
  one.insert(one.end(), two.begin() + mavlink::kHeader2,
             two.begin() + mavlink::kHeader2 + kPayload);
  const std::uint16_t crc = checksum(one, one.size());
  one.push_back(static_cast<std::byte>(crc));
  one.push_back(static_cast<std::byte>(crc >> 8U));
  return one;
}

Bytes signed_sensor(std::uint64_t time_us) {
  Bytes bytes = sensor(time_us);
  bytes[2] = std::byte{mavlink::kSignedFlag};
  const std::size_t end = bytes.size() - mavlink::kChecksumBytes;
  const std::uint16_t crc = checksum(bytes, end);
  bytes[end] = static_cast<std::byte>(crc);
  bytes[end + 1] = static_cast<std::byte>(crc >> 8U);
  // A signature may hold bytes with which frames begin.
  return bytes + Bytes(mavlink::kSignatureBytes, std::byte{mavlink::kMagic2});
}

Message record(RecordKind kind, std::uint32_t id, Bytes bytes = {}) {
  Message message{};
  message.header.kind = kind;
  message.header.id = id;
  message.bytes = std::move(bytes);
  return message;
}

/// Its datagrams and what comes by its connections.
class Bench {
 public:
  std::vector<Step> stream(Bytes bytes, std::uint32_t id = kConnection) {
    return take(record(RecordKind::kStream, id, std::move(bytes)));
  }
  std::vector<Step> datagram(std::string_view text) {
    return take(record(RecordKind::kDatagram, 0, bytes_of(text)));
  }
  std::vector<Step> close(std::uint32_t id = kConnection) {
    return take(record(RecordKind::kClosed, id));
  }

  SimulatorClock clock;

 private:
  std::vector<Step> take(Message message) {
    std::vector<Step> steps;
    clock.take(std::move(message), steps);
    return steps;
  }
};

/// The times of the steps that tell one.
std::vector<std::int64_t> times_ms(const std::vector<Step>& steps) {
  std::vector<std::int64_t> times;
  for (const Step& step : steps) {
    if (step.since_first_ns) times.push_back(*step.since_first_ns / kMs_ns);
  }
  return times;
}

bool same(const std::vector<Step>& a, const std::vector<Step>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].message.bytes != b[i].message.bytes || a[i].since_first_ns != b[i].since_first_ns ||
        a[i].message.header.kind != b[i].message.header.kind) {
      return false;
    }
  }
  return true;
}

std::vector<Step> joined(std::vector<Step> a, std::vector<Step> b) {
  for (Step& step : b) a.push_back(std::move(step));
  return a;
}

using Times = std::vector<std::int64_t>;

TEST(SimulatorClock, EveryMessageIsAStepAndSensorsTellTheTime) {
  Bench bench;
  EXPECT_TRUE(bench.stream(frame(mavlink::Heartbeat{})).size() == 1 && !bench.clock.runs());
  const std::vector<Step> steps = bench.stream(sensor(5'000'000) + frame(mavlink::HilGps{}) +
                                               sensor_1(5'004'000) + signed_sensor(5'008'000));
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(times_ms(steps), (Times{0, 4, 8}));
  EXPECT_FALSE(steps[1].since_first_ns.has_value());
  EXPECT_TRUE(bench.clock.runs());
}

TEST(SimulatorClock, HowTheStreamIsCutDoesNotMatter) {
  const Bytes all = frame(mavlink::Heartbeat{}) + sensor(1'000'000) + signed_sensor(1'004'000) +
                    sensor_1(1'008'000) + frame(mavlink::HilGps{}) + sensor(1'012'000);
  const std::vector<Step> whole = Bench().stream(all);
  EXPECT_EQ(whole.size(), 6U);
  for (std::size_t first = 0; first <= all.size(); ++first) {
    const auto cut = all.begin() + static_cast<std::ptrdiff_t>(first);
    Bench bench;
    const std::vector<Step> begin = bench.stream({all.begin(), cut});
    EXPECT_TRUE(same(joined(begin, bench.stream({cut, all.end()})), whole)) << first;
  }
  Bench bench;
  std::vector<Step> one_by_one;
  for (const std::byte byte : all) one_by_one = joined(one_by_one, bench.stream({byte}));
  EXPECT_TRUE(same(one_by_one, whole));
  testing::Dice dice(7);
  for (int round = 0; round < 200; ++round) {
    Bench pieces;
    std::vector<Step> steps;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.size(), at + 1 + dice.below(90));
      steps = joined(steps, pieces.stream({all.begin() + static_cast<std::ptrdiff_t>(at),
                                           all.begin() + static_cast<std::ptrdiff_t>(end)}));
      at = end;
    }
    EXPECT_TRUE(same(steps, whole));
  }
}

TEST(SimulatorClock, NothingOfAnyStreamIsLost) {
  testing::Dice dice(3);
  for (int round = 0; round < 300; ++round) {
    Bytes all;
    while (all.size() < 900) {
      const std::size_t what = dice.below(4);
      if (what == 0) all = all + sensor(1'000 * dice.below(1'000'000));
      if (what == 1) all.push_back(std::byte{mavlink::kMagic2});
      for (std::size_t i = dice.below(40); what == 2 && i > 0; --i) {
        all.push_back(static_cast<std::byte>(dice.roll()));
      }
      if (what == 3) all = all + frame(mavlink::Heartbeat{});
    }
    Bench bench;
    std::vector<Step> steps = bench.stream(all);
    steps = joined(std::move(steps), bench.close());
    ASSERT_GE(steps.size(), 2U);
    EXPECT_EQ(steps.back().message.header.kind, RecordKind::kClosed);
    steps.pop_back();
    Bytes seen;
    for (const Step& step : steps) {
      EXPECT_EQ(step.message.header.kind, RecordKind::kStream);
      EXPECT_FALSE(step.message.bytes.empty());
      seen = seen + step.message.bytes;
    }
    EXPECT_EQ(seen, all);
  }
}

TEST(SimulatorClock, SenselessBytesPassAndTheNextMessageIsFound) {
  Bench bench;
  const std::vector<Step> steps =
      bench.stream(bytes_of("hello") + sensor(2'000'000) + bytes_of("?") + sensor(2'004'000));
  EXPECT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0].message.bytes, bytes_of("hello"));
  EXPECT_EQ(times_ms(steps), (Times{0, 4}));
  Bytes wrong = sensor(9'000'000);
  wrong.back() ^= std::byte{1};
  EXPECT_EQ(times_ms(bench.stream(wrong + sensor(2'008'000))), (Times{8})) << "a wrong checksum";
}

TEST(SimulatorClock, TheRestOfAClosedConnectionComesBeforeItsEnd) {
  Bench bench;
  const Bytes whole = sensor(1'000'000);
  const Bytes part(whole.begin(), whole.begin() + 20);
  EXPECT_EQ(bench.stream(whole + part).size(), 1U);
  const std::vector<Step> last = bench.close();
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(last[0].message.header.kind, RecordKind::kStream);
  EXPECT_EQ(last[0].message.bytes, part);
  EXPECT_EQ(last[1].message.header.kind, RecordKind::kClosed);
  EXPECT_FALSE(bench.clock.runs());
}

TEST(SimulatorClock, OnlyTheFirstSourceTellsTheTimeUntilItCloses) {
  constexpr std::uint32_t kOther = kConnection + 1;
  Bench bench;
  EXPECT_EQ(times_ms(bench.stream(sensor(1'000'000))), (Times{0}));
  EXPECT_EQ(times_ms(bench.stream(sensor(7'000'000), kOther)), Times{});
  EXPECT_EQ(times_ms(bench.datagram("\n{\"timestamp\":3.5}\n")), Times{});
  EXPECT_EQ(times_ms(bench.stream(sensor(1'004'000))), (Times{4}));
  EXPECT_EQ(bench.close(kOther).size(), 1U);
  EXPECT_TRUE(bench.clock.runs());
  EXPECT_EQ(bench.close().size(), 1U);
  EXPECT_FALSE(bench.clock.runs());
  EXPECT_EQ(times_ms(bench.stream(sensor(9'000'000), kOther)), (Times{0})) << "a new beginning";
}

TEST(SimulatorClock, AnswersForArdupilotTellTheTime) {
  PhysicsReply reply;
  std::string text;
  const auto answer = [&](double time_s) {
    reply.timestamp_s = time_s;
    encode_physics_reply(reply, text);
    return text;
  };
  Bench bench;
  EXPECT_EQ(times_ms(bench.datagram("hello")), Times{});
  EXPECT_EQ(times_ms(bench.datagram(answer(2.5))), (Times{0}));
  EXPECT_EQ(times_ms(bench.datagram(answer(2.501))), (Times{1}));
  EXPECT_EQ(times_ms(bench.datagram("{\"timestamp\":2.502,\"imu\":{}}")), (Times{2}))
      << "what cannot be flown has a time all the same";
  EXPECT_EQ(times_ms(bench.datagram("{\"timestamp\":\"soon\"}")), Times{});
  EXPECT_EQ(times_ms(bench.datagram("{\"timestamp\":-4.0}")), Times{});
  EXPECT_EQ(times_ms(bench.datagram("{\"timestamp\":1e300}")), Times{});
  EXPECT_EQ(times_ms(bench.datagram(answer(2.503))), (Times{3}));
}

TEST(SimulatorClock, AClockThatIsSetGoesOnFromThere) {
  Bench bench;
  constexpr std::uint64_t kCalendar_us = 1'700'000'000'000'000;
  EXPECT_EQ(times_ms(bench.stream(sensor(0) + sensor(4'000) + sensor(kCalendar_us) +
                                  sensor(kCalendar_us + 4'000))),
            (Times{0, 4, 4, 8}));
  EXPECT_EQ(times_ms(bench.stream(sensor(UINT64_MAX))), Times{}) << "no time at all";
  EXPECT_EQ(times_ms(bench.stream(sensor(kCalendar_us + 2'000))), (Times{6})) << "one from before";
  EXPECT_EQ(times_ms(bench.stream(sensor(kCalendar_us + 12'000))), (Times{16}));
}

}  // namespace
}  // namespace tactus
