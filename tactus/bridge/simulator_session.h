// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One simulator of a bridge: its thread, its deadlines, its warnings, and its attempts to be
// connected again. The bridge says what is next for all; what that means for this one depends on
// its states, whose tables are in session_state.h.
//
// A simulator of another program has a thread of its own. One of this process has none: the bridge
// runs its tasks and calls collect().

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tactus/autopilot/parameters/link_parameters.h"
#include "tactus/bridge/adapter/simulator_adapter.h"
#include "tactus/bridge/adapter_report.h"
#include "tactus/bridge/adapter_thread.h"
#include "tactus/bridge/bridge_log.h"
#include "tactus/bridge/session_state.h"
#include "tactus/flight/pace/time_mode.h"

namespace tactus {

/// What all sessions of a bridge share; outlives them.
struct SessionContext {
  WallClock& clock;
  std::function<bool()> interrupted;  ///< the user wants to stop; asked in every wait
  BridgeLog& log;

  [[nodiscard]] bool is_interrupted() const { return interrupted && interrupted(); }
};

/// An instant at which all exchange.
struct ExchangeInstant {
  TimeUs time;
  TimeUs last;             ///< the one before; at the start the same
  DurationUs step{};       ///< of the bridge
  bool is_awaited = true;  ///< simulators of other programs are waited for
};

class SimulatorSession {
 public:
  SimulatorSession(std::string name, std::shared_ptr<SimulatorAdapter> adapter,
                   const LinkParameters& link, const SessionContext& context);

  [[nodiscard]] const std::string& name() const { return report_.name; }
  /// "simulator left"
  [[nodiscard]] std::string who() const { return "simulator " + name(); }
  [[nodiscard]] SimulatorAdapter& adapter() const { return *adapter_; }
  [[nodiscard]] LatePolicy late_policy() const { return link_.late; }
  [[nodiscard]] bool is_in_process() const { return in_process_ != nullptr; }
  [[nodiscard]] SessionPhase phase() const { return phase_.state(); }
  [[nodiscard]] SessionStanding standing() const { return standing_.state(); }
  [[nodiscard]] bool is_dropped() const { return standing_.is(SessionStanding::kDropped); }
  /// It was late, or wrong, and is not back.
  [[nodiscard]] bool is_missing() const;
  [[nodiscard]] AdapterState adapter_state() const;
  [[nodiscard]] AdapterReport report() const;
  /// Of this connection and of those before.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// Asks the adapter for those of this connection, unless it is at work.
  void collect_warnings();

  // ---- connection

  /// Error(kPeer): it has not returned from a connection that was given up.
  void require_settled();
  /// It cannot be held in lockstep.
  void run_free();
  /// Disconnects first if it was connected. One of this process is connected when it returns.
  void connect(const std::vector<VehiclePlace>& vehicles);
  /// False: interrupted. Throws Error with `vehicles_text` if it cannot be connected. `now` is for
  /// the log.
  bool await_connection(TimeUs now, const std::string& vehicles_text);
  /// Ends a connection under way.
  void give_up_connecting();
  /// Error(kBadInput): its own step does not divide that of the bridge. Known once connected.
  void require_own_step(DurationUs step) const;
  void disconnect();

  // ---- one exchange: request or collect, wait, frames, commands

  /// It has thrown, and it is time for the next attempt to connect it.
  [[nodiscard]] bool wants_connection() const;
  /// The bridge does not wait for it meanwhile. Only if wants_connection().
  void connect_again(const std::vector<VehiclePlace>& vehicles);
  /// Asks one of another program for the instant, unless it is at work yet or has thrown.
  void request(const ExchangeInstant& instant);
  /// Takes the frames of one of this process, whose tasks took `took_ns`.
  void collect(std::uint64_t took_ns);
  /// Until it has delivered, or its deadline has passed; one that is late or free is not waited
  /// for. Throws Error(kPeer) if it has failed and its policy is to fail.
  void wait(const ExchangeInstant& instant);
  /// It is in lockstep and has not delivered yet: the user interrupted the wait.
  [[nodiscard]] bool is_awaited(const ExchangeInstant& instant) const;
  /// Delivered at this instant; the bridge may sort them.
  [[nodiscard]] std::vector<SensorFrame>& frames() { return frames_; }
  /// Its frames must be of this instant, and complete.
  [[nodiscard]] bool is_strict(const ExchangeInstant& instant) const;
  /// All frames were right. One that was late is back in lockstep.
  void accept_frames(TimeUs time);
  /// They were wrong, which counts as a missed deadline. Throws like wait().
  void refuse_frames(const ExchangeInstant& instant, const std::string& why);
  /// One of this process failed, or a vehicle in it did. Several may, at the same instant. Only if
  /// the policy is to drop.
  void drop(TimeUs time, const std::string& why);
  /// One of this process gets the command at once; otherwise send_commands() sends it.
  void give(const ActuatorCommand& command);
  /// Throws like wait(). One that is at work gets them later.
  void send_commands(const ExchangeInstant& instant);

  // ---- vehicles come and go, while all stand still at one instant

  [[nodiscard]] InProcessSimulator& in_process() const;
  /// Error(kBadInput): it is late or free, or at work on what came before.
  void require_lockstep() const;
  void admit(const VehiclePlace& vehicle, TimeUs now);
  void take_over(VehicleId vehicle, const SimulatorSession& from);
  /// Its commands are dropped, and the adapter releases it as soon as it is not at work.
  void release(VehicleId vehicle);
  void drop_commands_of(VehicleId vehicle);
  /// Released: frames of it may still come.
  [[nodiscard]] bool has_released(VehicleId vehicle) const { return released_.contains(vehicle); }

 private:
  [[nodiscard]] bool is_in_lockstep(const ExchangeInstant& instant) const;
  [[nodiscard]] std::uint64_t wait_time_ns(DurationUs step) const;
  [[nodiscard]] bool is_silent() const;
  /// It has thrown and is not connected again yet.
  [[nodiscard]] bool has_no_connection() const {
    return phase_.is(SessionPhase::kBroken) || phase_.is(SessionPhase::kReconnecting);
  }
  [[nodiscard]] bool is_idle() const { return thread_ == nullptr || thread_->idle(); }
  bool await(DurationUs deadline);
  void await_delivery(const ExchangeInstant& instant);
  std::string await_frames(const ExchangeInstant& instant);
  void await_reconnection(const ExchangeInstant& instant);
  void take_delivery();
  bool catch_up(TimeUs time);
  void has_thrown();
  void missed(const ExchangeInstant& instant, const std::string& why);
  void apply_late_policy(const std::string& what);
  void release_in_adapter();
  void log_once(TimeUs time, const std::string& what);
  void keep_warnings();

  std::shared_ptr<SimulatorAdapter> adapter_;
  InProcessSimulator* in_process_;  ///< null: of another program
  std::unique_ptr<AdapterThread> thread_;
  LinkParameters link_;
  const SessionContext& context_;
  StateMachine<SessionPhase> phase_{SessionPhase::kUnconnected, kPhaseTransitions};
  StateMachine<SessionStanding> standing_{SessionStanding::kInStep, kStandingTransitions};
  AdapterReport report_;  ///< its state is that of standing_
  std::vector<ActuatorCommand> commands_;
  std::vector<SensorFrame> frames_;
  std::set<VehicleId> released_;
  std::vector<VehicleId> to_release_;  ///< of them: the adapter was at work and does not know yet
  std::uint64_t asked_ns_ = 0;
  std::uint64_t next_try_ns_ = 0;
  std::set<std::string> logged_;       ///< events since it is missing
  std::vector<std::string> warnings_;  ///< of this connection
  std::vector<std::string> earlier_warnings_;
};

}  // namespace tactus
