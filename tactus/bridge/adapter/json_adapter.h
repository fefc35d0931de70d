// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An external physics program that speaks ArduPilot's JSON over UDP (ardupilot_gazebo and many
// others); we take ArduPilot's side. docs/bridge_adapters.md describes its use.
//
//   us → it   a servo packet with a count: one question
//   it → us   the motion after one step of its own: the answer
//
// We ask first, always. A question without an answer is asked again with the same count after a
// short wall time, which makes such programs repeat their answer, not step. An answer is new if its
// time stamp is; what is there before a question is old and thrown away, so answers too many never
// put us behind. One that was overtaken counts as old; if several questions in a row get old
// answers only, its clock was set back. One that is new and says what cannot be flown is an answer:
// asking again would bring the same.
//
// connect() makes a few steps with motors off to learn the program's step. The instant after them
// is the start of the flight.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tactus/bridge/adapter/external_adapter.h"
#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/net/socket.h"
#include "tactus/sensor/land_detector.h"
#include "tactus/world/world.h"

namespace tactus {

struct JsonOptions {
  std::uint16_t port = 9002;       ///< 9002 + 10 times the instance: where it listens
  int channels = 16;               ///< or 32
  std::uint16_t rate_hz = 1000;    ///< steps per second that we ask for; many ignore it
  double pulse_least_us = 1000.0;  ///< of a motor that stands
  double pulse_most_us = 2000.0;   ///< of a motor at full drive
  LandedVehicle vehicle{.flies = true, .motors = 4};
  ChannelMap channel_map;             ///< ArduPilot's motor order is that of its frame
  WorldParameters world;              ///< gravity and slope of the ground
  std::optional<WorldOrigin> origin;  ///< if it sends latitudes; none: where it stands at the start
  DurationUs ask_again{200'000};      ///< wall time
  DurationUs connect_deadline{30'000'000};
};

/// What went otherwise than it should, so far.
struct JsonCounts {
  std::uint64_t garbage = 0;        ///< datagrams that could not be read
  std::uint64_t other_senders = 0;  ///< from another sender
  std::uint64_t old = 0;  ///< answers with a time that had passed, or that were not asked for
  std::uint64_t asked_again = 0;
  std::uint64_t jumps = 0;  ///< steps longer than its own step
};

class JsonAdapter final : public ExternalAdapter {
 public:
  /// Throws Error(kBadInput) if an option is wrong.
  explicit JsonAdapter(const JsonOptions& options);

  [[nodiscard]] const char* kind() const override { return "json"; }
  /// Its own step is known once it is connected, if it is one of whole microseconds.
  [[nodiscard]] SimulatorCapabilities capabilities() const override;
  void connect(const std::vector<VehiclePlace>& vehicles) override;
  void disconnect() override;
  [[nodiscard]] std::string waits_for() const override;
  [[nodiscard]] std::vector<std::string> warnings() const override;

  [[nodiscard]] const JsonCounts& counts() const { return counts_; }

 private:
  /// What came instead of an answer.
  struct Round {
    bool unreadable = false;
    bool standing = false;
    bool gone_back = false;
  };

  [[nodiscard]] std::string peer() const override;
  bool go_to(TimeUs time) override;

  void learn(Deadline deadline);
  [[noreturn]] void fail_silent() const;
  void check_step(const std::vector<VehiclePlace>& vehicles) const;
  void ask();
  void drop_old();
  /// Until the answer is there; false: interrupted, or the deadline has passed.
  bool exchange(Deadline deadline);
  bool take_datagram(const UdpPeer& from);
  void take_answer(const DecodedReply& answer);
  void take_time(double stamp_s);
  void ignore();
  void judge_round();
  void take(const PhysicsReply& reply);
  void check_arrival(TimeUs from, TimeUs target);
  [[nodiscard]] ServoPacket packet() const;
  [[nodiscard]] std::uint16_t pulse(double share) const;
  [[nodiscard]] Vec3 position(const PhysicsReply& reply);

  JsonOptions options_;
  std::optional<UdpSocket> socket_;
  std::vector<std::byte> datagram_;
  std::optional<UdpPeer> peer_;

  std::uint32_t count_ = 0;
  bool asked_ = false;  ///< the question of this count is out
  Round round_;         ///< since the question was last sent
  int unreadable_ = 0;  ///< rounds since the last answer, like the next two
  int standing_ = 0;
  int gone_back_ = 0;
  int short_ = 0;       ///< answers in a row that went on by less than half of its step
  int ignored_ = 0;     ///< datagrams since the last answer
  double old_s_ = 0.0;  ///< stamp of the last old one
  std::string why_;     ///< what was wrong with the last unreadable one
  std::optional<double> last_s_;
  std::optional<double> epoch_s_;
  double own_step_s_ = 0.0;
  bool has_origin_ = false;  ///< that of the first connection
  JsonCounts counts_;
};

}  // namespace tactus
