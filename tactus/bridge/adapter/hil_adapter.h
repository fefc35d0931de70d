// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An external simulator that speaks PX4's MAVLink HIL over TCP (jMAVSim, Gazebo Classic, AirSim);
// we take PX4's side. docs/bridge_adapters.md describes its use.
//
//   it → us   HIL_SENSOR (id 0 moves the clock), HIL_STATE_QUATERNION, HIL_GPS
//   us → it   SET_MESSAGE_INTERVAL and HEARTBEAT at the start, then one HIL_ACTUATOR_CONTROLS for
//             each HIL_SENSOR: it goes on by one step of its own for each, so we hold it by silence
//
// Until the first reply such simulators run freely. So connect() replies once, waits until all is
// quiet, and makes a few slow steps with motors off; from them it learns the simulator's step and
// how often the state comes. The instant after them is the start of the flight.
//
// An instant is complete with its HIL_SENSOR 0 and, if one is due, its HIL_STATE_QUATERNION. All
// else that comes behind that HIL_SENSOR belongs to the next instant, however the stream was cut
// into packets, so what a vehicle sees never depends on wall time.

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tactus/bridge/adapter/external_adapter.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/net/socket.h"
#include "tactus/sensor/land_detector.h"
#include "tactus/world/world.h"

namespace tactus {

/// Known errors of simulators. None is assumed: the user names those of a simulator.
enum class HilQuirk : std::uint8_t {
  kAltitudeIsDown,  ///< "altitude_is_down": HIL_STATE_QUATERNION.alt is the position down (jMAVSim)
};

const char* to_text(HilQuirk quirk);
/// Throws Error(kBadInput) that lists the names.
HilQuirk parse_hil_quirk(std::string_view name);

/// Of HIL_ACTUATOR_CONTROLS.
inline constexpr int kHilChannels = 16;

struct HilOptions {
  std::uint16_t port = 4560;  ///< 4560 + instance; 0 with `listens`: any free one
  bool listens = false;       ///< the simulator connects to us, not we to it
  std::vector<HilQuirk> quirks;
  WorldParameters world;              ///< gravity and slope of the ground
  std::optional<WorldOrigin> origin;  ///< none: where it stands at the start
  LandedVehicle vehicle{.flies = true, .motors = 4};
  ChannelMap channels;  ///< of kHilChannels
  DurationUs connect_deadline{30'000'000};
};

class HilAdapter final : public ExternalAdapter {
 public:
  /// Throws Error(kBadInput) if the channels are wrong, Error(kEnvironment) if it cannot listen.
  explicit HilAdapter(const HilOptions& options);

  [[nodiscard]] const char* kind() const override { return "hil"; }
  /// Its own step is known once it is connected.
  [[nodiscard]] SimulatorCapabilities capabilities() const override;
  void connect(const std::vector<VehiclePlace>& vehicles) override;
  void disconnect() override;
  [[nodiscard]] std::string waits_for() const override;
  [[nodiscard]] std::vector<std::string> warnings() const override;

  /// Where we listen or connect to.
  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Message {
    std::variant<mavlink::HilSensor, mavlink::HilGps, mavlink::HilStateQuaternion> content;
    std::string wrong;  ///< the value that cannot be flown, see mavlink_limits.h; mostly empty

    /// HIL_SENSOR 0, which moves the clock; else null.
    [[nodiscard]] const mavlink::HilSensor* clock() const;
    [[nodiscard]] std::uint64_t stamp_us() const;
  };
  enum class Awaits : std::uint8_t { kNothing, kSensor, kState };
  enum class Received : std::uint8_t { kMessage, kSilence, kInterrupted };

  /// What went otherwise than it should, so far.
  struct Counts {
    std::uint64_t duplicates = 0;
    std::uint64_t jumps = 0;
    std::uint64_t late_states = 0;
  };

  [[noreturn]] void fail_back(std::uint64_t from_us, std::uint64_t to_us) const;
  [[nodiscard]] std::string peer() const override;
  bool go_to(TimeUs time) override;

  // The start.
  void meet(Deadline deadline);
  void open(Deadline deadline);
  void begin_session(DurationUs state_interval);
  void settle(Deadline deadline);
  void learn(Deadline deadline);
  bool hear_quietly(DurationUs silence, Deadline deadline);
  void check_step(const std::vector<VehiclePlace>& vehicles) const;
  void compare_altitudes();

  // The stream.
  template <class M>
  void transmit(const M& message);
  void reply();
  Received next(Deadline deadline, Message& message);
  Received read_some(Deadline deadline);
  void check_waits();
  bool hear_one(TimeUs target);

  // Its messages.
  void accept(const Message& sensor);
  void take_readings(const Message& message);
  void take_state(const mavlink::HilStateQuaternion& state, std::string wrong);
  void check_time(std::uint64_t stamp_us, TimeUs target);
  void take_behind(const Message& message);
  [[nodiscard]] bool state_is_due() const;
  [[nodiscard]] TimeUs time_of(std::uint64_t stamp_us) const;

  HilOptions options_;
  bool altitude_is_down_ = false;
  std::optional<TcpListener> listener_;
  std::optional<TcpStream> stream_;
  std::atomic<Awaits> awaits_ = Awaits::kNothing;

  mavlink::Sender sender_;
  mavlink::Parser parser_;
  std::vector<std::byte> bytes_;
  std::deque<Message> messages_;    ///< received and not yet taken
  std::vector<Message> behind_;     ///< of the next instant
  std::uint64_t bytes_waited_ = 0;  ///< since the last new instant
  int standing_ = 0;                ///< HIL_SENSORs in a row that brought no new time

  DurationUs own_step_{};
  DurationUs state_interval_{};
  std::optional<std::uint64_t> epoch_us_;  ///< its stamp at the start
  std::uint64_t sensor_us_ = 0;            ///< its newest stamp
  std::uint64_t state_us_ = 0;
  bool has_sensor_ = false;
  bool closed_ = false;  ///< by the simulator
  bool has_state_ = false;
  bool has_origin_ = false;  ///< that of the first connection
  Counts counts_;
  std::string altitude_hint_;  ///< empty: they agree
};

}  // namespace tactus
