// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What is sent to the PX4 library and what it answers, as two lists of numbers. Which number goes
// into which field of which topic is a table (px4_topics.cpp), resolved by name when a flight
// starts, so that another layout of the messages is no other code.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tactus/link/px4/px4_abi.h"
#include "tactus/link/px4/uorb_layout.h"
#include "tactus/link/px4/uorb_messages.h"
#include "tactus/signal/limits.h"

namespace tactus {

/// Numbers sent to PX4. Booleans are 0 or 1.
enum class Px4In : std::uint8_t {
  kNorth,  ///< in PX4's own projection, as are the next two
  kEast,
  kDown,
  kVelocityNorth,
  kVelocityEast,
  kVelocityDown,
  kAccelerationNorth,
  kAccelerationEast,
  kAccelerationDown,
  kHeading,
  kLatitude,
  kLongitude,
  kAltitude,
  kQw,
  kQx,
  kQy,
  kQz,
  kRateX,
  kRateY,
  kRateZ,
  kAngularAccelerationX,
  kAngularAccelerationY,
  kAngularAccelerationZ,
  kHorizontalValid,
  kVerticalValid,
  kAttitudeValid,
  kGroundContact,
  kLanded,
  kArmed,
  kArmingState,
  kNavState,
  kAuto,
  kManual,
  kPositionControl,
  kFailsafe,
  kVoltage,
  kCurrent,
  kRemaining,
  kConnected,
  kWarning,
  kReferenceLatitude,
  kReferenceLongitude,
  kReferenceAltitude,
  kReferenceTime,
  kHomeLatitude,
  kHomeLongitude,
  kHomeAltitude,
  kHomeNorth,
  kHomeEast,
  kHomeDown,
  kHomeYaw,
  kCount,
};

/// Numbers PX4 answers with; NaN until it has sent them.
enum class Px4Out : std::uint8_t {
  kMotor0,
  kServo0 = kMotor0 + kMaxMotors,
  kThrustZ = kServo0 + kMaxServos,
  kQw,
  kQx,
  kQy,
  kQz,
  kRateX,
  kRateY,
  kRateZ,
  kNorth,
  kEast,
  kDown,
  kVelocityNorth,
  kVelocityEast,
  kVelocityDown,
  kAccelerationNorth,
  kAccelerationEast,
  kAccelerationDown,
  kYaw,
  kYawRate,
  kMissionReached,
  kMissionCurrent,
  kMissionTotal,
  kMissionValid,
  kMissionFinished,
  kCommand,  ///< of the last vehicle_command
  kCount,
};

/// What is published to PX4 and read from it: how many outputs the vehicle has, and how many
/// steps lie from one run to the next of those modules that do not run at every step. All run in
/// step 0.
struct Px4Exchange {
  int motors = 0;
  int servos = 0;
  std::uint64_t navigator_steps = 1;
  std::uint64_t position_steps = 1;
};

class Px4Topics {
 public:
  /// Compares every layout with what the library says, then makes publishers and subscribers.
  /// Throws Error(kPeer) that names the topic, expected and actual.
  Px4Topics(const Px4Handle& handle, const UorbCatalog& catalog, const Px4Exchange& exchange);

  double& operator[](Px4In which) { return in_[static_cast<std::size_t>(which)]; }
  [[nodiscard]] double get(Px4Out which, int index = 0) const {
    return out_[static_cast<std::size_t>(which) + static_cast<std::size_t>(index)];
  }

  /// Whether the position is sent to PX4 in this step. Steps count from 0.
  [[nodiscard]] bool position_is_due(std::uint64_t step) const {
    return step % exchange_.position_steps == 0;
  }

  /// Hands the messages over for `step`. Topics that carry the estimate are silent until there is a
  /// new one, taken at `sample_us`, as those of a real estimator are, and positions until position
  /// control runs. A status is sent when it changes, else twice a second, as PX4's commander does
  /// it.
  void publish(const Px4Handle& handle, std::uint64_t step, std::uint64_t now_us,
               std::uint64_t sample_us);

  /// Takes what PX4 has published; `commands` gets the numbers of all vehicle_commands.
  void collect(const Px4Handle& handle, std::uint64_t step, std::vector<double>& commands);

  /// Compares one layout with what the library says of its topic. Throws as the constructor does.
  static void check(const Px4Handle& handle, const UorbCatalog& catalog, const std::string& topic,
                    const UorbLayout& layout);

 private:
  static constexpr std::uint64_t kNoSample = ~std::uint64_t{0};

  struct Row {
    UorbSlot slot;
    std::size_t index = 0;        ///< in in_ or out_
    std::uint64_t sent_bits = 0;  ///< of the number that the message holds; it starts as zeros
  };
  struct Topic {
    const char* name = "";
    std::int32_t id = -1;
    std::uint64_t every = 1;    ///< steps from one message to the next
    std::uint64_t sent_us = 0;  ///< when it was published last
    std::uint64_t sent_sample_us = kNoSample;
    bool of_estimate = false;
    bool is_command = false;
    bool asks = true;  ///< whether there is news before it copies
    UorbSlot timestamp;
    UorbSlot timestamp_sample;
    std::vector<Row> floats;  ///< nearly all that changes at every step, so apart from the rest
    std::vector<Row> others;
    std::vector<std::byte> message;
  };

  static void add_row(const UorbSlot& slot, std::size_t index, Topic& topic);
  void add_publisher(const Px4Handle& handle, const UorbCatalog& catalog, const char* name);
  void add_subscriber(const Px4Handle& handle, const UorbCatalog& catalog, const char* name);
  bool take_news(Row& row) const;
  bool take(const Px4Handle& handle, Topic& topic);

  Px4Exchange exchange_;
  std::vector<Topic> published_;
  std::vector<Topic> subscribed_;
  double in_[static_cast<std::size_t>(Px4In::kCount)] = {};
  double out_[static_cast<std::size_t>(Px4Out::kCount)];
};

}  // namespace tactus
