// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the adapters of external simulators share: one vehicle with its last command and its frame,
// and a clock. A simulator has a clock of its own; the first step_to() after connect() says which
// instant of ours its first one is. So one that was restarted goes on at the time of the bridge.
// Its world stays where it was at the first connect(): one that was not restarted is still in the
// air.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tactus/bridge/adapter/external_motion.h"
#include "tactus/bridge/adapter/frame_changes.h"
#include "tactus/bridge/adapter/simulator_adapter.h"

namespace tactus {

class ExternalAdapter : public SimulatorAdapter {
 public:
  /// Motors off: it gets no commands any more.
  void release(VehicleId vehicle) final;
  /// Its numbers are in range (validate_command): the bridge checks them for all adapters.
  void send(const ActuatorCommand& command) final;
  void step_to(TimeUs time) final;
  bool receive(SensorFrame& frame) final;
  [[nodiscard]] TimeUs now() const final { return now_; }
  void interrupt() final { interrupted_ = true; }

 protected:
  /// `instruments`: those that the protocol has.
  ExternalAdapter(const LandedVehicle& vehicle, const WorldParameters& world, SignalSet instruments)
      : tracker_(vehicle, world),
        holds_(instruments | SignalSet::of(Signal::kTruth, Signal::kEstimate, Signal::kLand)) {}

  /// "the simulator (MAVLink HIL) at 127.0.0.1:4560"
  [[nodiscard]] virtual std::string peer() const = 0;
  /// Goes there, all of its own steps on the way; false: interrupted.
  virtual bool go_to(TimeUs time) = 0;

  /// Error(kPeer) that begins with who it is.
  [[noreturn]] void fail(const std::string& what) const;
  /// A value of this instant that cannot be flown, by name and value. What came before it stands,
  /// and receive() reports; before the flight it is fail().
  void refuse_value(const std::string& what);
  /// Something came that is no answer; `why` is for messages.
  void leave_out(const std::string& why);
  /// An answer came.
  void answered();
  /// "; 12 times came what is no answer, the last: …", since the last one. Any thread.
  [[nodiscard]] std::string left_out_text() const;
  /// Forgets what was and takes the one vehicle that fits, if there is one.
  void begin(const std::vector<VehiclePlace>& vehicles);
  void forget();
  /// What only some simulators of the protocol send has come.
  void now_holds(Signal signal) { readings_.holds = readings_.holds | SignalSet::of(signal); }
  /// What changed as no vehicle changes, since connect().
  [[nodiscard]] std::vector<std::string> change_warnings() const;
  /// Our instant of what the simulator sent at the start, before it was known what time it is.
  [[nodiscard]] TimeUs start() const { return start_; }

  std::atomic<bool> interrupted_ = false;
  std::optional<VehiclePlace> vehicle_;
  ActuatorCommand command_;
  TimeUs now_;
  ExternalMotionTracker tracker_;
  SensorFrame readings_;

 private:
  void start_at(TimeUs time);

  SignalSet holds_;
  TimeUs start_;
  bool started_ = false;
  bool has_frame_ = false;
  FrameChanges changes_;
  std::string refused_;  ///< the first one since the last frame
  mutable std::mutex left_out_mutex_;
  std::uint64_t left_out_ = 0;
  std::string why_left_out_;
};

}  // namespace tactus
