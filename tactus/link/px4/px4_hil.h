// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The instruments as PX4 wants them (MAVLink HIL over TCP), and its answers.
//
// Each step: HIL_SENSOR 0 (its time moves PX4's clock), HIL_SENSOR 1 and 2, HIL_GPS and what else
// is fitted; of each only what is new. PX4 stamps all but the first with the clock that the
// first has set. It answers every new gyroscope reading with one HIL_ACTUATOR_CONTROLS of the same
// time, and a step without one not at all.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tactus/link/net/socket.h"
#include "tactus/sensor/sensors_spec.h"

namespace tactus {

/// Whether PX4 will answer.
enum class GyroNews : std::uint8_t {
  kPrimary,  ///< it will
  kOther,    ///< it will if it has changed over to another IMU
  kNone,     ///< it will not
};

class Px4HilEncoder {
 public:
  /// `sensors`: what PX4 gets as the limits and the noise of readings.
  explicit Px4HilEncoder(const SensorsSpec& sensors = {}) : sensors_(sensors) {}

  /// Appends the messages of this step to `bytes`.
  GyroNews encode(const AutopilotInput& input, std::uint64_t px4_time_us,
                  std::vector<std::byte>& bytes);

 private:
  template <class M>
  void append(const M& message, std::vector<std::byte>& bytes);
  mavlink::HilSensor sensor(const AutopilotInput& input, int id);
  /// Whether this is not the count of the reading that was sent last.
  bool is_new(Instrument first, int index, std::uint32_t count);

  SensorsSpec sensors_;
  mavlink::Sender sender_{.system = 1, .component = 51};
  std::uint32_t sent_[kInstrumentCount] = {};  ///< counts of the readings, by Instrument
};

enum class HilAnswer : std::uint8_t {
  kAnswered,
  kNone,  ///< it has nothing more to say
  kLate,
  kClosed,
  kInterrupted,
};

/// The connection. What cannot be sent because PX4 does not read is kept up to a limit, and beyond
/// it left out by whole steps, so the stream stays in frames.
class Px4HilLink {
 public:
  Px4HilLink(std::unique_ptr<ByteStream> stream, Interrupted interrupted);

  /// Never waits.
  void send(std::span<const std::byte> messages);
  /// Until the answer for this time is there. Takes a limited number of bytes: kLate also ends a
  /// peer that sends without pause.
  HilAnswer wait(std::uint64_t px4_time_us, Deadline deadline);

  /// The newest answer.
  [[nodiscard]] const mavlink::HilActuatorControls& controls() const { return controls_; }
  [[nodiscard]] std::uint64_t answers() const { return answers_; }
  /// Whether the last wait ended at that limit.
  [[nodiscard]] bool flooded() const { return flooded_; }
  /// Answers for a time that has not come or is older than that of the one before; not used.
  [[nodiscard]] std::uint64_t wrong_times() const { return wrong_times_; }
  [[nodiscard]] const mavlink::ParserCounts& counts() const { return parser_.counts(); }
  /// All that came since the last call.
  std::vector<std::byte> take_bytes();

 private:
  void take(const mavlink::HilActuatorControls& controls, std::uint64_t px4_time_us);

  std::unique_ptr<ByteStream> stream_;
  Interrupted interrupted_;
  mavlink::Parser parser_;
  mavlink::HilActuatorControls controls_;
  std::uint64_t answers_ = 0;
  std::uint64_t wrong_times_ = 0;
  bool closed_ = false;
  bool flooded_ = false;
  std::vector<std::byte> unsent_;
  std::vector<std::byte> received_;
};

/// What of it no motor can do, by name and value; empty: nothing. It is ignored unless armed.
std::string wrong_control(const mavlink::HilActuatorControls& controls, int motor_count);
/// The motors' drives: 0 to 1, all 0 unless armed; PX4's NaN means off.
Command motor_command(const mavlink::HilActuatorControls& controls, int motor_count);
bool is_armed(const mavlink::HilActuatorControls& controls);

}  // namespace tactus
