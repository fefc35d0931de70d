// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Conversations of a ground station: commands, parameters and the mission. All timing is by the
// simulated time that is passed in.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/autopilot/mission/mission.h"
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/core/time.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/mavlink/mavlink_vehicle.h"

namespace tactus {

/// Frames that wait to be carried away, one per datagram.
class Outbox {
 public:
  explicit Outbox(mavlink::Sender sender) : sender_(sender) {}

  template <mavlink::Message M>
  void send(const M& message) {
    send_as(message, sender_);
  }
  template <mavlink::Message M>
  void send_as(const M& message, mavlink::Sender& sender) {
    frames_.push_back(mavlink::encode(message, sender));
  }
  /// Empty: no more. Valid until the next call.
  std::span<const std::byte> take();

 private:
  mavlink::Sender sender_;
  std::vector<mavlink::EncodedFrame> frames_;
  std::size_t taken_ = 0;
};

/// True at once, then every period of simulated time.
class Repeater {
 public:
  bool due(TimeUs now, DurationUs period);
  void restart() { last_.reset(); }

 private:
  std::optional<TimeUs> last_;
};

/// A place on the Earth.
struct GeoPoint {
  double latitude_deg = 0.0;
  double longitude_deg = 0.0;
  double altitude_msl_m = 0.0;
};

/// Whom a message is for.
struct Address {
  std::uint8_t system = 1;
  std::uint8_t component = 1;
};

/// A COMMAND_LONG that is repeated until it is answered and accepted. An answer names the command
/// only, so those that an abandoned command still owes are not counted for the next one.
class CommandSlot {
 public:
  /// Sends when due.
  void ask(mavlink::CommandLong command, Address to, TimeUs now, DurationUs repeat, Outbox& outbox);
  /// Another command may take its place.
  void abandon();
  /// The result (0: accepted), if it answers what was asked.
  std::optional<std::uint8_t> take(const mavlink::CommandAck& answer);
  [[nodiscard]] bool waits() const { return waits_; }
  /// How often the present command was sent.
  [[nodiscard]] int tries() const { return tries_; }

 private:
  std::uint16_t command_ = 0;
  bool active_ = false;
  bool waits_ = false;
  int tries_ = 0;
  int unanswered_ = 0;  ///< of this command number, counted over all that was asked
  int stale_ = 0;       ///< of them, those owed to an earlier asking
  Repeater repeat_;
};

/// PARAM_SET with readback, or PARAM_REQUEST_READ to see that there is one, a few at a time. PX4
/// takes a value only with its parameter's own type, integer or real, and may be silent otherwise:
/// a whole number is offered as both.
class ParameterUpload {
 public:
  ParameterUpload(PilotFlavour flavour, const std::vector<EmittedParameter>& parameters);

  /// One more. It takes the place of an earlier value that is still on its way.
  void add(const EmittedParameter& parameter);
  /// One that the vehicle has already, if it has one of that name: it is only asked for.
  void look_for(const std::string& name);
  void act(Address to, TimeUs now, DurationUs repeat, Outbox& outbox);
  void take(const mavlink::ParamValue& message);
  [[nodiscard]] bool waits() const;
  [[nodiscard]] bool done() const { return first_open_ == settings_.size(); }
  /// "NAME = 3 (it says 2)" or "NAME = 3 (no answer)", of those that were not taken; "NAME (no such
  /// parameter)" of those that were looked for.
  [[nodiscard]] std::vector<std::string> refused() const;
  /// The same as one sentence, once all are done; empty: all were taken.
  [[nodiscard]] std::string refusal() const;
  /// "NAME, NAME": sent several times, and still on the way.
  [[nodiscard]] std::string unconfirmed() const;

 private:
  struct Setting {
    EmittedParameter wanted;
    bool look = false;  ///< only asked for
    int tries = 0;
    bool closed = false;
    bool answered = false;
    bool taken = false;
    double answer = 0.0;
    bool integer = false;  ///< how it is sent to PX4
    Repeater repeat;
  };
  void give_up(Setting& setting);
  void choose_type(Setting& setting) const;
  void learn_type(Setting& setting, std::uint8_t type) const;
  void send(const Setting& setting, Address to, Outbox& outbox) const;
  [[nodiscard]] mavlink::ParamSet message_of(const Setting& setting, Address to) const;
  [[nodiscard]] bool is_taken(const Setting& setting) const;
  [[nodiscard]] double value_of(const mavlink::ParamValue& message) const;

  PilotFlavour flavour_;
  std::vector<Setting> settings_;
  std::size_t first_open_ = 0;
};

enum class UploadState : std::uint8_t { kNone, kNotStarted, kRunning, kDone, kRefused };

/// MISSION_COUNT, then items as the vehicle asks for them, then its MISSION_ACK.
class MissionUpload {
 public:
  /// No mission: state kNone. Throws Error(kBadInput) if it cannot be carried.
  MissionUpload(PilotFlavour flavour, const Mission* mission, const GeoPoint& home);

  void act(Address to, TimeUs now, DurationUs repeat, Outbox& outbox);
  void take(const mavlink::MissionRequest& message, Address to, Outbox& outbox);
  void take(const mavlink::MissionRequestInt& message, Address to, Outbox& outbox);
  void take(const mavlink::MissionAck& message);

  [[nodiscard]] UploadState state() const { return state_; }
  [[nodiscard]] bool over() const {
    return state_ != UploadState::kNotStarted && state_ != UploadState::kRunning;
  }
  /// Of state kRefused: the vehicle's reason (MAV_MISSION_RESULT), the item it asked for last or
  /// without end.
  [[nodiscard]] std::string refusal() const;

 private:
  void answer(std::uint16_t sequence, Address to, Outbox& outbox);

  std::vector<mavlink::MissionItemInt> items_;
  std::vector<int> requests_;  ///< for each of them
  UploadState state_ = UploadState::kNone;
  Repeater repeat_;
  int quiet_ = 0;  ///< repeats since the vehicle last asked
  int tries_ = 0;
  int failures_ = 0;
  int refusals_ = 0;
  std::uint8_t result_ = 0;
  std::int32_t last_asked_ = -1;
};

/// What is sent for the items of a mission. ArduPilot gets a home in front of them. PX4 knows no
/// item "here", so it gets the place of the item before, at first `home`. Terrain is flat in our
/// world: heights above it become heights above home. Throws Error(kBadInput) if there are too
/// many.
std::vector<mavlink::MissionItemInt> mission_messages(PilotFlavour flavour, const Mission& mission,
                                                      const GeoPoint& home);

}  // namespace tactus
