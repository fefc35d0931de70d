// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Many vehicles, many simulators, one clock.
//
//   Bridge bridge;
//   bridge.register_adapter("left", adapter);
//   bridge.spawn(std::move(vehicle), "left");
//   bridge.run_until(TimeUs(60'000'000));
//
// One step, in this order, so that all see the same instant:
//   request   every simulator is asked for the next instant, all at the same time
//   wait      until each has delivered all its frames, or its deadline has passed
//   route     frames go to vehicles by id
//   control   the control loops that are due, in the order of ids (on several threads if wanted)
//   send      commands go to the simulators
//   advance   time goes on by exactly the step
// Before the first step every simulator delivers its frames of time 0 and every control loop runs
// once. Simulators are ordered by name and vehicles by id, so the result depends neither on the
// order of registration, nor on that of arrival, nor on threads.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/parameters/link_parameters.h"
#include "tactus/bridge/adapter/simulator_adapter.h"
#include "tactus/bridge/adapter_report.h"
#include "tactus/bridge/bridge_log.h"
#include "tactus/bridge/histogram.h"
#include "tactus/bridge/session_state.h"
#include "tactus/bridge/simulator_session.h"
#include "tactus/bridge/thread_pool.h"
#include "tactus/bridge/vehicle.h"
#include "tactus/flight/pace/time_mode.h"

namespace tactus {

struct BridgeOptions {
  DurationUs step{};  ///< 0: the greatest that all exchanges are multiples of, at most 20 ms
  std::size_t threads = 1;
  std::shared_ptr<WallClock> clock = steady_wall_clock();
  std::function<bool()> interrupted{};  ///< the user wants to stop; asked in every wait
};

class Bridge {
 public:
  explicit Bridge(BridgeOptions options = {});
  ~Bridge();
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  // Names and ids are unique; what is missing or there already is Error(kBadInput). After the start
  // they are for a pause: then all stand at now(), and the others fly on unchanged.

  /// After the start: simulators of this process only, because others have clocks of their own.
  void register_adapter(const std::string& name, std::shared_ptr<SimulatorAdapter> adapter,
                        const LinkParameters& link = {});
  /// Refused while a vehicle is assigned to it.
  void unregister_adapter(const std::string& name);
  [[nodiscard]] SimulatorAdapter& adapter(const std::string& name);
  [[nodiscard]] std::vector<std::string> adapters() const;

  /// After the start the simulator must take it in (SimulatorAdapter::admit); its own time begins
  /// at now(), with its first exchange.
  Vehicle& spawn(VehicleSetup setup, const std::string& adapter);
  /// Also between two steps without a pause. Its id may be used again. Throws what closing its
  /// files throws; it is gone all the same.
  void despawn(VehicleId id);
  /// To another simulator. Before the start that is all: it must know the vehicle by then
  /// (BuiltinAdapter::add). After the start it must take it over in flight
  /// (SimulatorAdapter::take_over): built-in ones do so from each other, and the flight keeps its
  /// bits. If it is refused, the vehicle stays where it was.
  void assign(VehicleId id, const std::string& adapter);
  [[nodiscard]] Vehicle& vehicle(VehicleId id);
  [[nodiscard]] std::vector<VehicleId> vehicles() const;
  /// Of the simulator that it is assigned to.
  [[nodiscard]] AdapterState simulator_state(VehicleId id) const;
  /// It was late, or wrong, and is not back.
  [[nodiscard]] bool simulator_is_missing(VehicleId id) const;

  /// Checks that all fits together, connects, and exchanges at time 0. Throws Error(kBadInput) or
  /// Error(kPeer). As long as not all are connected, it may be called again after an error or an
  /// interruption, and connects all anew.
  void start();
  /// Starts if that has not been done. Throws Error(kPeer) that says who, since when and what it
  /// was waiting for; time has not advanced then, and the bridge is over: only stop() is left.
  /// Neither has it if `interrupted` ended a wait, but then the next call goes on with the same
  /// step.
  void step();
  /// Steps until the time is reached, every flight is over, or `interrupted` says so.
  void run_until(TimeUs end);
  void stop();

  /// Keeps the time; also while running, from a callback.
  void set_time_mode(const TimeMode& mode);
  [[nodiscard]] const TimeMode& time_mode() const { return mode_; }
  void set_paused(bool paused);
  [[nodiscard]] bool paused() const { return paused_; }

  [[nodiscard]] TimeUs now() const { return now_; }
  [[nodiscard]] std::uint64_t sim_time_us() const { return now_.us; }
  [[nodiscard]] DurationUs step_size() const { return step_; }
  [[nodiscard]] bool finished() const;

  /// From all frames being there to the command being sent, per vehicle and exchange.
  [[nodiscard]] const Histogram& latency() const { return latency_; }
  /// Wall time of whole steps, without pacing.
  [[nodiscard]] const Histogram& step_time() const { return step_time_; }
  [[nodiscard]] std::vector<AdapterReport> reports() const;
  [[nodiscard]] const std::vector<BridgeEvent>& events() const { return log_.events(); }
  /// Those of 10 ms and more, connecting included.
  [[nodiscard]] const std::vector<BridgeWait>& long_waits() const { return log_.long_waits(); }
  /// Of the bridge, and of each simulator as of its start or its end.
  [[nodiscard]] std::vector<std::string> warnings() const;

  /// Called after every step, and in a pause; may pause, change the mode and despawn.
  std::function<void(Bridge&)> after_step;

 private:
  /// A vehicle with the simulator that it is assigned to.
  struct VehicleSlot {
    std::unique_ptr<Vehicle> vehicle;
    SimulatorSession* session = nullptr;
    bool is_fresh = false;  ///< got a frame at this instant

    [[nodiscard]] std::string who() const;
  };
  /// What a simulator of this process computes on one thread.
  struct SimulatorTask {
    SimulatorSession* session = nullptr;
    std::size_t number = 0;
    std::string failure;  ///< of this step, where it does not go on
  };
  enum class Life : std::uint8_t {
    kNotStarted,
    kConnected,  ///< all are
    kFlying,     ///< time 0 has been exchanged
    kOver,       ///< stopped, or an error has ended it
  };
  static constexpr Transition<Life> kLifeTransitions[] = {
      {Life::kNotStarted, Life::kConnected},
      {Life::kConnected, Life::kFlying},
      {Life::kConnected, Life::kOver},
      {Life::kFlying, Life::kOver},
      {Life::kOver, Life::kOver},
  };

  // bridge.cpp: the step
  bool exchange(TimeUs time);
  void exchange_all(const ExchangeInstant& instant);
  [[nodiscard]] ExchangeInstant instant_at(TimeUs time) const;
  void request(const ExchangeInstant& instant);
  void plan_tasks();
  void compute(TimeUs time);
  static void compute(SimulatorTask& task, TimeUs time);
  void wait(const ExchangeInstant& instant);
  [[nodiscard]] bool is_awaited(const ExchangeInstant& instant) const;
  void control();
  void send(const ExchangeInstant& instant);

  // bridge_frames.cpp: what comes from simulators and goes to them, checked
  void route(const ExchangeInstant& instant);
  void route(SimulatorSession& session, const ExchangeInstant& instant);
  void take_frames(SimulatorSession& session, const ExchangeInstant& instant);
  void take_frame(const SimulatorSession& session, const SensorFrame& frame, bool is_strict,
                  TimeUs time);
  void require_complete(const SimulatorSession& session, TimeUs time) const;
  static void require_sound(const SensorFrame& frame);
  static void require_command(const VehicleSlot& from, const ActuatorCommand& command);
  static void give(const VehicleSlot& from, const ActuatorCommand& command);

  // bridge_start.cpp: whether all fits together, and connecting
  void plan_step();
  [[nodiscard]] std::string misfit(const Vehicle& vehicle) const;
  void require_capabilities(SimulatorSession& session);
  bool connect_all();
  void give_up_connecting();

  // bridge_members.cpp: who is there
  [[noreturn]] static void refuse(const std::string& message);
  [[nodiscard]] SimulatorSession& session(const std::string& name) const;
  [[nodiscard]] VehicleSlot& slot(VehicleId id) const;
  [[nodiscard]] bool has_started() const { return life_.state() != Life::kNotStarted; }
  void require_pause(const std::string& who) const;
  void begin(VehicleSlot& slot);
  void take_back(const VehicleSlot& refused);
  void hand_over(VehicleSlot& moved, SimulatorSession& to);
  [[nodiscard]] std::vector<VehiclePlace> places_in(const SimulatorSession& session) const;
  [[nodiscard]] std::string vehicles_text(const SimulatorSession& session) const;

  BridgeOptions options_;
  BridgeLog log_;
  SessionContext context_;
  ThreadPool pool_;
  Pace pace_;
  TimeMode mode_;
  bool paused_ = false;
  StateMachine<Life> life_{Life::kNotStarted, kLifeTransitions};
  std::optional<TimeUs> half_made_;  ///< interrupted in the exchange of this instant
  TimeUs now_;
  DurationUs step_{};
  std::map<std::string, std::unique_ptr<SimulatorSession>> sessions_;
  std::map<VehicleId, std::unique_ptr<VehicleSlot>> slots_;
  std::vector<SimulatorTask> tasks_;  ///< of all simulators in this process
  std::vector<VehicleSlot*> due_;     ///< got a frame at this instant, by id
  std::uint64_t frames_ready_ns_ = 0;
  Histogram latency_;
  Histogram step_time_;
  std::vector<std::string> warnings_;  ///< of the bridge itself
};

}  // namespace tactus
