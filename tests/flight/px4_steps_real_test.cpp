// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// What PX4's own integration tests of a multicopter order, step by step, with a MAVLink client of
// ours that is attached to a real conducted PX4 and waits in simulated time. Each flies several
// times and must have the same bits. TACTUS_PX4_SITL_BIN names the program (and
// TACTUS_PX4_SITL_ROMFS its start-up scripts, if they are elsewhere).
// slow: flies a real PX4 some thirty times, if there is one

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tactus/flight/external/external_autopilots.h"
#include "tactus/link/mavlink/mavlink_transfer.h"
#include "tactus/link/net/outside_network.h"
#include "tests/golden/flown.h"
#include "tests/support/scale.h"
#include "tests/support/script.h"

namespace tactus {
namespace {

using testing::Script;
using testing::ScriptClock;

constexpr std::uint16_t kOurPort = 14550;  // of a ground station
constexpr std::uint16_t kItsPort = 18570;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t kOffboard = 6U << 16U;

// MAV_CMD
constexpr std::uint16_t kReturn = 20;
constexpr std::uint16_t kLand = 21;
constexpr std::uint16_t kTakeOff = 22;
constexpr std::uint16_t kSetMode = 176;
constexpr std::uint16_t kArm = 400;

constexpr std::uint8_t kAccepted = 0;

struct SetPositionTarget {
  static constexpr std::uint32_t kId = 84;
  static constexpr const char* kName = "SET_POSITION_TARGET_LOCAL_NED";

  std::uint32_t time_boot_ms = 0;
  std::uint8_t target_system = 1;
  std::uint8_t target_component = 1;
  std::uint8_t coordinate_frame = 1;
  std::uint16_t type_mask = 0;
  float x = 0, y = 0, z = 0;
  float vx = 0, vy = 0, vz = 0;
  float afx = 0, afy = 0, afz = 0;
  float yaw = 0, yaw_rate = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("coordinate_frame", "", self.coordinate_frame);
    visit("type_mask", "", self.type_mask);
    visit("x", "m", self.x);
    visit("y", "m", self.y);
    visit("z", "m", self.z);
    visit("vx", "m/s", self.vx);
    visit("vy", "m/s", self.vy);
    visit("vz", "m/s", self.vz);
    visit("afx", "m/s/s", self.afx);
    visit("afy", "m/s/s", self.afy);
    visit("afz", "m/s/s", self.afz);
    visit("yaw", "rad", self.yaw);
    visit("yaw_rate", "rad/s", self.yaw_rate);
  }
};

template <class... Parameters>
mavlink::CommandLong order(std::uint16_t command, Parameters... parameters) {
  mavlink::CommandLong message;
  message.command = command;
  message.target_system = message.target_component = 1;
  [[maybe_unused]] float* const slots[] = {&message.param1, &message.param2, &message.param3,
                                           &message.param4, &message.param5, &message.param6,
                                           &message.param7};
  [[maybe_unused]] std::size_t i = 0;
  ((*slots[i++] = static_cast<float>(parameters)), ...);
  return message;
}

/// A ground station that is part of the flight. What it orders is told by a script.
class Client {
 public:
  using Orders = std::function<Script(Client&)>;

  explicit Client(const Orders& orders) : script_(orders(*this)) {}

  // ---- what it knows

  [[nodiscard]] const VehicleView& vehicle() const { return listener_.view(); }
  [[nodiscard]] double height_m() const { return vehicle().height_above_home_m; }
  [[nodiscard]] bool landed() const { return vehicle().landed == LandedState::kOnGround; }
  [[nodiscard]] bool is_in(FlightMode mode) const { return vehicle().mode == mode; }
  [[nodiscard]] double distance_m(double north_m, double east_m) const {
    const Vec3& at = vehicle().position_W_m;
    return std::hypot(at.x - north_m, at.y - east_m);
  }
  [[nodiscard]] bool said(const std::string& words) const {
    return texts_.find(words) != std::string::npos;
  }
  [[nodiscard]] std::string texts() const { return texts_; }
  [[nodiscard]] bool done() const { return script_.done(); }
  [[nodiscard]] std::string failure() const { return failure_; }

  // ---- what it waits for and orders

  auto until(std::function<bool()> condition, double longest_s, std::string what) {
    return clock_.until(std::move(condition), longest_s, std::move(what));
  }
  auto pass(double seconds) { return clock_.pass(seconds); }

  /// Until it is answered; the answer must be this.
  Script command(mavlink::CommandLong message, std::uint8_t expected = kAccepted) {
    answer_.reset();
    outbox_.send(message);
    co_await until([this, &message] { return answer_ && answer_->command == message.command; }, 5.0,
                   "an answer to command " + std::to_string(message.command));
    if (answer_->result != expected) {
      throw std::runtime_error("command " + std::to_string(message.command) +
                               " was answered with " + std::to_string(answer_->result));
    }
  }
  Script arm() { return command(order(kArm, 1.0)); }
  Script set_mode(float main, float sub) { return command(order(kSetMode, 1.0, main, sub)); }
  Script hold() { return set_mode(4.0F, 3.0F); }
  Script start_mission() { return set_mode(4.0F, 4.0F); }
  Script land() { return command(order(kLand, 0, 0, 0, kNaN, kNaN, kNaN, kNaN)); }
  Script go_home() { return command(order(kReturn)); }

  /// PX4 needs some seconds for its estimate and its checks.
  Script ready() {
    co_await until([this] { return can_arm_; }, 60.0, "ready");
  }
  Script take_off() {
    co_await ready();
    co_await arm();
    co_await command(order(kTakeOff, 0, 0, 0, kNaN, kNaN, kNaN, kNaN));
    co_await until([this] { return height_m() > 2.0; }, 20.0, "taken off");
    co_await until([this] { return is_in(FlightMode::kHold); }, 20.0, "hold after the take-off");
  }
  Script ends_on_the_ground(double longest_s) {
    co_await until([this] { return landed(); }, longest_s, "landed");
    co_await until([this] { return !vehicle().armed; }, 15.0, "disarmed");
  }
  Script upload(const Mission& mission) {
    upload_.emplace(PilotFlavour::kPx4, &mission, GeoPoint{47.397742, 8.545594, 488.0});
    co_await until([this] { return upload_->over(); }, 20.0, "an uploaded mission");
    if (upload_->state() != UploadState::kDone) throw std::runtime_error(upload_->refusal());
  }
  Script set_parameter(const char* name, float value) {
    mavlink::ParamSet message;
    message.target_system = message.target_component = 1;
    std::strncpy(message.param_id, name, sizeof message.param_id);
    message.param_value = value;
    message.param_type = 9;  // a real number
    parameter_.reset();
    asked_parameter_ = name;
    outbox_.send(message);
    co_await until([this] { return parameter_.has_value(); }, 5.0, std::string(name));
    if (*parameter_ != value) throw std::runtime_error(std::string(name) + " was not taken");
  }
  /// Ten times a second from now on; none: no more.
  void steer(std::optional<SetPositionTarget> target) { target_ = target; }

  // ---- the network's side

  void receive(TimeUs now, std::vector<OutsideNetwork::Message>& messages) {
    if (heartbeat_.due(now, DurationUs(1'000'000))) {
      mavlink::Heartbeat message;
      message.type = 6;
      message.autopilot = 8;
      outbox_.send(message);
    }
    if (target_ && steering_.due(now, DurationUs(100'000))) outbox_.send(*target_);
    if (upload_ && vehicle().has_heartbeat) upload_->act({}, now, DurationUs(500'000), outbox_);
    if (failure_.empty()) {
      try {
        clock_.tick(now, script_);
      } catch (const std::exception& error) {
        failure_ = error.what();
      }
    }
    for (auto frame = outbox_.take(); !frame.empty(); frame = outbox_.take()) {
      OutsideNetwork::Message message{};
      message.header.kind = conductor::RecordKind::kDatagram;
      message.header.own_port = kItsPort;
      message.header.peer_port = kOurPort;
      message.header.peer_address = UdpPeer::kThisMachine;
      message.bytes.assign(frame.begin(), frame.end());
      messages.push_back(std::move(message));
    }
    now_ = now;
  }

  void take(const OutsideNetwork::Message& message) {
    if (message.header.kind != conductor::RecordKind::kDatagram) return;
    if (message.header.peer_port != kOurPort) return;
    parser_.feed_datagram(message.bytes, [this](const mavlink::Frame& frame) { take(frame); });
  }

 private:
  void take(const mavlink::Frame& frame) {
    listener_.take(frame, now_);
    mavlink::if_is<mavlink::CommandAck>(
        frame, [this](const mavlink::CommandAck& answer) { answer_ = answer; });
    mavlink::if_is<mavlink::ParamValue>(frame, [this](const mavlink::ParamValue& value) {
      const char* const end = std::find(value.param_id, std::end(value.param_id), '\0');
      if (std::string(value.param_id, end) == asked_parameter_) parameter_ = value.param_value;
    });
    mavlink::if_is<mavlink::SysStatus>(frame, [this](const mavlink::SysStatus& status) {
      constexpr std::uint32_t kPrearmCheck = 0x10000000;
      can_arm_ = (status.onboard_control_sensors_health & kPrearmCheck) != 0;
    });
    if (upload_) {
      mavlink::if_is<mavlink::MissionRequest>(
          frame, [this](const auto& request) { upload_->take(request, {}, outbox_); });
      mavlink::if_is<mavlink::MissionRequestInt>(
          frame, [this](const auto& request) { upload_->take(request, {}, outbox_); });
      mavlink::if_is<mavlink::MissionAck>(frame,
                                          [this](const auto& answer) { upload_->take(answer); });
    }
    std::vector<VehicleText> texts;
    listener_.take_texts(texts);
    for (const VehicleText& text : texts) texts_ += text.text + "\n";
  }

  ScriptClock clock_;
  TimeUs now_;
  VehicleListener listener_{PilotFlavour::kPx4, 0};
  mavlink::Parser parser_;
  Outbox outbox_{{.system = 255, .component = 190}};
  Repeater heartbeat_, steering_;
  std::optional<mavlink::CommandAck> answer_;
  std::string asked_parameter_;
  std::optional<float> parameter_;
  bool can_arm_ = false;
  std::optional<MissionUpload> upload_;
  std::optional<SetPositionTarget> target_;
  std::string texts_;
  std::string failure_;
  Script script_;
};

class ClientNetwork final : public OutsideNetwork {
 public:
  explicit ClientNetwork(Client& client) : client_(client) {}
  void take(const Message& message) override { client_.take(message); }
  void receive(TimeUs now, std::vector<Message>& messages) override {
    client_.receive(now, messages);
  }
  void reset() override {}

 private:
  Client& client_;
};

class Px4Steps : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("TACTUS_PX4_SITL_BIN") == nullptr) {
      GTEST_SKIP() << "TACTUS_PX4_SITL_BIN is not set: no real PX4 was flown";
    }
  }

  /// Several times, with the same bits.
  static void fly(const Client::Orders& orders, const std::string& more = "") {
    const Spec spec = testing::spec_of(
        "extends = \"standby.toml\"\ntime = { end_s = 400.0 }\nautopilot = { kind = \"px4-sitl\", "
        "outside = { attach = true } }\n" +
        more);
    const int times = testing::test_all() ? 50 : 2;
    std::optional<Digest128> first;
    for (int i = 0; i < times; ++i) {
      Client client(orders);
      ExternalAutopilotOptions options;
      options.outside = [&client] { return std::make_unique<ClientNetwork>(client); };
      Assembly flight = assemble(spec, {.external = external_autopilots(std::move(options))});
      Observers observers;
      tactus::fly(flight.run, observers,
                  [&client] { return client.done() || !client.failure().empty(); });
      ASSERT_EQ(client.failure(), "") << "flight " << i << ", PX4 said:\n" << client.texts();
      ASSERT_TRUE(client.done()) << "flight " << i << ", PX4 said:\n" << client.texts();
      if (!first) first = flight.run.digest();
      ASSERT_EQ(flight.run.digest(), *first) << "flight " << i;
    }
  }
};

Mission square(double altitude_m, double size_m, bool lands) {
  constexpr double kDegPerMetre = 1.0 / 111'194.9;
  Mission mission;
  const auto add = [&](MissionCommand command, double north_m, double east_m) {
    MissionItem item;
    item.command = command;
    item.latitude_deg = 47.397742 + north_m * kDegPerMetre;
    item.longitude_deg = 8.545594 + east_m * kDegPerMetre / std::cos(47.397742 * M_PI / 180.0);
    item.altitude_m = command == MissionCommand::kLand ? 0.0 : altitude_m;
    item.param[3] = kNaN;
    mission.items.push_back(item);
  };
  add(MissionCommand::kTakeoff, 0.0, 0.0);
  add(MissionCommand::kWaypoint, size_m, 0.0);
  add(MissionCommand::kWaypoint, size_m, size_m);
  add(MissionCommand::kWaypoint, 0.0, size_m);
  if (lands) add(MissionCommand::kLand, 0.0, 0.0);
  return mission;
}

SetPositionTarget position_target(float north_m, float east_m, float down_m) {
  SetPositionTarget target;
  target.type_mask = 0b1101'1111'1000;  // position and nothing else
  target.x = north_m;
  target.y = east_m;
  target.z = down_m;
  return target;
}

SetPositionTarget velocity_target(float north_m_s, float east_m_s, float down_m_s) {
  SetPositionTarget target;
  target.type_mask = 0b1101'1100'0111;  // velocity and nothing else
  target.vx = north_m_s;
  target.vy = east_m_s;
  target.vz = down_m_s;
  return target;
}

TEST_F(Px4Steps, TakesOffAndLands) {
  fly([](Client& client) -> Script {
    co_await client.take_off();
    co_await client.land();
    co_await client.ends_on_the_ground(30.0);
  });
}

TEST_F(Px4Steps, TakesOffAndReturns) {
  fly([](Client& client) -> Script {
    co_await client.take_off();
    co_await client.go_home();
    co_await client.ends_on_the_ground(90.0);
  });
}

TEST_F(Px4Steps, ArmsAndDisarmsOnTheGround) {
  fly([](Client& client) -> Script {
    co_await client.ready();
    co_await client.arm();
    co_await client.until([&] { return client.vehicle().armed; }, 5.0, "armed");
    co_await client.command(order(kArm, 0.0));
    co_await client.until([&] { return !client.vehicle().armed; }, 5.0, "disarmed");
  });
}

TEST_F(Px4Steps, RefusesToDisarmInFlightUnlessForced) {
  fly([](Client& client) -> Script {
    co_await client.take_off();
    constexpr std::uint8_t kTemporarilyRejected = 1;
    constexpr float kForced = 21196.0F;
    co_await client.command(order(kArm, 0.0), kTemporarilyRejected);
    co_await client.pass(1.0);
    co_await client.command(order(kArm, 0.0, kForced));
    co_await client.until([&] { return !client.vehicle().armed; }, 5.0, "disarmed");
  });
}

TEST_F(Px4Steps, FliesAMissionThatLands) {
  fly([](Client& client) -> Script {
    co_await client.ready();
    co_await client.upload(square(10.0, 20.0, true));
    co_await client.arm();
    co_await client.start_mission();
    co_await client.until([&] { return client.distance_m(20.0, 20.0) < 12.0; }, 90.0, "third item");
    co_await client.ends_on_the_ground(120.0);
  });
}

TEST_F(Px4Steps, ReturnsInTheMiddleOfAMission) {
  fly([](Client& client) -> Script {
    co_await client.ready();
    co_await client.upload(square(10.0, 30.0, false));
    co_await client.arm();
    co_await client.start_mission();
    co_await client.until([&] { return client.distance_m(30.0, 30.0) < 5.0; }, 90.0, "third item");
    co_await client.go_home();
    co_await client.until([&] { return client.is_in(FlightMode::kReturn); }, 5.0, "return");
    co_await client.ends_on_the_ground(120.0);
  });
}

TEST_F(Px4Steps, PausesAMissionAndGoesOn) {
  fly([](Client& client) -> Script {
    co_await client.ready();
    co_await client.upload(square(10.0, 20.0, true));
    co_await client.arm();
    co_await client.start_mission();
    co_await client.until([&] { return client.distance_m(20.0, 0.0) < 8.0; }, 60.0, "on its way");
    co_await client.hold();
    co_await client.until([&] { return client.is_in(FlightMode::kHold); }, 5.0, "hold");
    co_await client.pass(5.0);
    co_await client.start_mission();
    co_await client.ends_on_the_ground(150.0);
  });
}

TEST_F(Px4Steps, GetsAnotherMissionInFlight) {
  fly([](Client& client) -> Script {
    co_await client.ready();
    co_await client.upload(square(10.0, 40.0, true));
    co_await client.arm();
    co_await client.start_mission();
    co_await client.until([&] { return client.height_m() > 9.0; }, 60.0, "high");
    co_await client.hold();
    co_await client.upload(square(6.0, 10.0, true));
    co_await client.start_mission();
    co_await client.ends_on_the_ground(150.0);
  });
}

TEST_F(Px4Steps, OffboardGoesToAPlace) {
  fly([](Client& client) -> Script {
    co_await client.take_off();
    client.steer(position_target(5.0F, -5.0F, -6.0F));
    co_await client.pass(1.0);
    co_await client.set_mode(6.0F, 0.0F);
    co_await client.until([&] { return client.vehicle().custom_mode == kOffboard; }, 5.0,
                          "offboard");
    co_await client.until(
        [&] { return client.distance_m(5.0, -5.0) < 0.7 && client.height_m() > 5.3; }, 30.0,
        "there");
    co_await client.land();
    client.steer(std::nullopt);
    co_await client.ends_on_the_ground(40.0);
  });
}

TEST_F(Px4Steps, OffboardHoldsAVelocity) {
  fly([](Client& client) -> Script {
    co_await client.take_off();
    client.steer(velocity_target(2.0F, 0.0F, 0.0F));
    co_await client.pass(1.0);
    co_await client.set_mode(6.0F, 0.0F);
    co_await client.pass(5.0);
    co_await client.until([&] { return std::abs(client.vehicle().velocity_W_m_s.x - 2.0) < 0.3; },
                          10.0, "2 m/s");
    co_await client.go_home();
    client.steer(std::nullopt);
    co_await client.ends_on_the_ground(90.0);
  });
}

TEST_F(Px4Steps, LeavesOffboardWhenTheSetpointsEnd) {
  fly([](Client& client) -> Script {
    co_await client.take_off();
    client.steer(position_target(0.0F, 0.0F, -5.0F));
    co_await client.pass(1.0);
    co_await client.set_mode(6.0F, 0.0F);
    co_await client.pass(3.0);
    client.steer(std::nullopt);
    co_await client.until([&] { return client.vehicle().custom_mode != kOffboard; }, 20.0,
                          "no longer offboard");
    co_await client.land();
    co_await client.ends_on_the_ground(60.0);
  });
}

TEST_F(Px4Steps, TakesAParameterAndActsOnIt) {
  fly([](Client& client) -> Script {
    co_await client.ready();
    co_await client.set_parameter("MIS_TAKEOFF_ALT", 6.5F);
    co_await client.take_off();
    co_await client.until([&] { return client.height_m() > 6.0; }, 20.0, "6.5 m high");
    co_await client.land();
    co_await client.ends_on_the_ground(60.0);
  });
}

TEST_F(Px4Steps, ReturnsWhenThePackIsCritical) {
  fly(
      [](Client& client) -> Script {
        co_await client.ready();
        co_await client.set_parameter("COM_FAIL_ACT_T", 2.0F);
        co_await client.take_off();
        co_await client.until([&] { return client.is_in(FlightMode::kReturn); }, 120.0, "return");
        co_await client.ends_on_the_ground(120.0);
      },
      R"([[pack]]
         id = "main"
         capacity_ah = 1.0
         soc0 = 0.22
         low_soc = 0.18
         critical_soc = 0.15
         emergency_soc = 0.03
      )");
}

TEST_F(Px4Steps, ComesDownWithoutGps) {
  fly(
      [](Client& client) -> Script {
        co_await client.take_off();
        co_await client.ends_on_the_ground(200.0);
      },
      R"([[event]]
         id = "gps"
         at_s = 40.0
         do = "sensor_dropout"
         instrument = "gps0"
      )");
}

TEST_F(Px4Steps, FliesThroughAGyroDropout) {
  fly(
      [](Client& client) -> Script {
        co_await client.take_off();
        co_await client.pass(20.0);
        co_await client.land();
        co_await client.ends_on_the_ground(60.0);
      },
      R"([[event]]
         id = "gyro"
         at_s = 30.0
         do = "sensor_dropout"
         instrument = "gyroscope0"
         duration_s = 0.1
      )");
}

}  // namespace
}  // namespace tactus
