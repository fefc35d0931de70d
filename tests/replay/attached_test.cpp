// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What a script sends to a conducted autopilot comes back when the recording is flown again, with
// the program running. needs: doubles

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/net/socket.h"
#include "tactus/replay/replay.h"
#include "tactus/replay/rerun.h"
#include "tests/support/px4_bench.h"
#include "tests/support/recorded.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

constexpr std::uint16_t kTakeoff = 22, kArm = 400;
constexpr char kStanding[] = R"(
extends = "../scenarios/standby.toml"
[time]
end_s = 6.0
)";

LoadedSpec attached_spec(int instance) {
  const std::string romfs = ::testing::TempDir() + "/tactus_attached_romfs";
  std::filesystem::create_directories(romfs + "/init.d-posix");
  std::ofstream(romfs + "/init.d-posix/rcS") << "\n";
  const std::vector<Override> overrides = {
      {"autopilot.kind", "\"px4-sitl\""},
      {"autopilot.px4.binary", "\"" + testing::double_path() + "\""},
      {"autopilot.px4.romfs", "\"" + romfs + "\""},
      {"autopilot.outside.instance", std::to_string(instance)},
      {"autopilot.outside.attach", "true"}};
  return testing::load_text(kStanding, overrides);
}

/// A script that arms the vehicle and lets it take off, on its own port of PX4.
class Script {
 public:
  explicit Script(int instance)
      : px4_(static_cast<std::uint16_t>(14580 + instance)), system_(1 + instance) {}

  void command(std::uint16_t number, float first) {
    mavlink::CommandLong message;
    message.target_system = static_cast<std::uint8_t>(system_);
    message.target_component = 1;
    message.command = number;
    message.param1 = first;
    socket_.send_to(px4_, mavlink::encode(message, sender_).bytes());
  }
  /// Of PX4, so far.
  int answers() {
    std::vector<std::byte> bytes;
    while (socket_.receive(bytes, Deadline::now()) == ReceiveResult::kData) {
      parser_.feed_datagram(bytes, [this](const mavlink::Frame& frame) {
        answers_ += frame.id() == mavlink::CommandAck::kId ? 1 : 0;
      });
    }
    return answers_;
  }

 private:
  UdpSocket socket_{0, "a test"};
  UdpPeer px4_;
  int system_;
  mavlink::Sender sender_{.system = 200, .component = 190};
  mavlink::Parser parser_;
  int answers_ = 0;
};

/// `script`: whether there is one.
std::shared_ptr<const Recording> flown(bool script) {
  const int instance = testing::free_instance();
  const LoadedSpec loaded = attached_spec(instance);
  Assembly flight = assemble(loaded.spec, {.external = external_autopilots()});
  MemorySink sink;
  StreamRecorderSetup setup;
  setup.meta = recording_meta(loaded, Tier::kComponents, {});
  setup.wind_is_linear = loaded.spec.world.wind.rule == WindRule::kLinear;
  StreamRecorder recorder(setup, sink);
  Observers observers;
  observers.recorders.push_back(&recorder);
  Script visitor(instance);
  open(flight.run, observers);
  int orders = 0;
  while (!flight.run.finished()) {
    proceed(flight.run, observers);
    const double now_s = to_seconds(flight.run.now());
    if (script && orders == 0 && now_s > 1.0) visitor.command(kArm, 1.0F), ++orders;
    if (script && orders == 1 && now_s > 1.5) visitor.command(kTakeoff, 0.0F), ++orders;
  }
  EXPECT_EQ(flight.run.bus().autopilot.armed, script);
  EXPECT_EQ(visitor.answers(), orders);
  close(flight.run, observers);
  return sink.recording();
}

std::size_t outside_bytes(const Recording& recording) {
  std::size_t bytes = 0;
  for (const BlobTrack& track : recording.blobs) {
    if (track.path != "/external/outside") continue;
    for (const BlobTrack::Piece& piece : track.pieces) bytes += piece.bytes.size();
  }
  return bytes;
}

class Attached : public testing::Px4SitlTest {
 protected:
  void SetUp() override {
    if (testing::sanitized()) GTEST_SKIP() << "programs with sanitizers cannot be conducted";
    Px4SitlTest::SetUp();
    ::setenv("PX4_HIL_CLIENT", "", 1);
  }
};

TEST_F(Attached, AScriptFliesItAndTheFlightIsFlownAgainWithTheProgram) {
  const std::shared_ptr<const Recording> recording = flown(true);
  EXPECT_GT(outside_bytes(*recording), 2 * sizeof(conductor::RecordHeader));

  ReplayPlan live;
  live.mode = ReplayMode::kLive;
  live.live = {FlightPart::kAutopilot};
  const ReplayOutcome outcome = replay(recording, live);
  EXPECT_TRUE(outcome.reproduces()) << outcome.stopped;

  const RecordedFlight again = fly_again(*recording, {}, {});
  EXPECT_FALSE(again.stopped.has_value());
  EXPECT_EQ(again.recording->end.flight_digest, recording->end.flight_digest);
  EXPECT_EQ(outside_bytes(*again.recording), outside_bytes(*recording));
}

TEST_F(Attached, WithoutVisitorsItIsTheFlightThatItIsWithoutPorts) {
  const std::shared_ptr<const Recording> alone = flown(false);
  EXPECT_EQ(outside_bytes(*alone), 0U);
  LoadedSpec closed = attached_spec(0);
  closed.spec.external.attach = false;
  const RecordedFlight again =
      fly_recorded(closed, Tier::kComponents, {}, {.external = external_autopilots()});
  EXPECT_EQ(again.recording->end.flight_digest, alone->end.flight_digest);
}

}  // namespace
}  // namespace tactus
