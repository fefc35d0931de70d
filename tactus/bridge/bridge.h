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
// One step, in this order, and nobody sees a mixed instant:
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

#include "tactus/bridge/adapter_thread.h"
#include "tactus/bridge/bridge_event.h"
#include "tactus/bridge/histogram.h"
#include "tactus/bridge/simulator_adapter.h"
#include "tactus/bridge/team.h"
#include "tactus/bridge/time_mode.h"
#include "tactus/bridge/vehicle.h"
#include "tactus/link/link_parameters.h"

namespace tactus {

struct BridgeOptions {
  DurationUs step{};  ///< 0: the greatest that all exchanges are multiples of, at most 20 ms
  std::size_t threads = 1;
  std::shared_ptr<WallClock> clock = steady_wall_clock();
  std::function<bool()> interrupted{};  ///< the user wants to stop; looked at in every wait
};

enum class AdapterState : std::uint8_t { kFine, kLate, kDropped, kFree };

const char* to_text(AdapterState state);

/// What there is to tell about a simulator.
struct AdapterReport {
  std::string name;
  std::string kind;
  AdapterState state = AdapterState::kFine;
  Histogram step;  ///< wall time from the request to its frames
  Histogram wait;  ///< wall time that the bridge stood still for it
  std::uint64_t misses = 0;
  std::uint64_t recoveries = 0;
};

class Bridge {
 public:
  explicit Bridge(BridgeOptions options = {});
  ~Bridge();
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  // Names and ids are unique; what is missing or there already is Error(kBadInput). After the start
  // they are for a pause: then everybody stands at now(), and the others fly on unchanged.

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
  /// interruption, and connects everybody anew.
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
  [[nodiscard]] const std::vector<BridgeEvent>& events() const { return events_; }
  /// Those of 10 ms and more, connecting included.
  [[nodiscard]] const std::vector<BridgeWait>& long_waits() const { return long_waits_; }
  /// Of the bridge, and of each simulator as of its start or its end.
  [[nodiscard]] std::vector<std::string> warnings() const;

  /// Called after every step, and in a pause; may pause, change the mode and despawn.
  std::function<void(Bridge&)> after_step;

 private:
  struct Seat;   ///< a simulator
  struct Rider;  ///< a vehicle with its simulator
  struct Lane {
    Seat* seat = nullptr;
    std::size_t number = 0;
    std::string failure;  ///< of this step, where it does not go on
  };

  Seat& seat(const std::string& name);
  Rider& rider(VehicleId id);
  void require_pause(const std::string& who) const;
  [[nodiscard]] std::string misfit(const Vehicle& vehicle) const;
  void begin(Rider& rider);
  void take_back(const Rider& refused);
  void hand_over(Rider& moved, Seat& to);
  static void require_lockstep(const Seat& seat);
  void release(Seat& place, VehicleId id);
  void release_left(Seat& place);
  void leave(Seat& seat);
  void plan_step();
  void require_capabilities(Seat& seat);
  void require_own_step(const Seat& seat) const;
  [[nodiscard]] std::vector<VehiclePlace> places_in(const Seat& seat) const;
  bool connect_all();
  static void require_settled(const Seat& seat);
  void connect(Seat& seat);
  [[nodiscard]] std::string riders_text(const Seat& seat) const;
  bool await_connection(Seat& seat);
  void give_up_connecting();
  void collect_warnings(Seat& seat);
  void keep_warnings(Seat& seat);
  bool exchange(TimeUs time);
  void request(TimeUs time);
  void ask(Seat& seat, TimeUs time);
  void plan_lanes();
  void compute(TimeUs time);
  void compute(Lane& lane, TimeUs time);
  void collect(Seat& seat, std::uint64_t took_ns);
  void connect_again(Seat& seat);
  void look_for(Seat& seat, TimeUs time);
  void has_broken(Seat& seat);
  void wait(TimeUs time);
  void wait_for(Seat& seat, TimeUs time);
  std::string await_frames(Seat& seat, TimeUs time);
  [[nodiscard]] std::uint64_t patience_ns(const Seat& seat) const;
  [[nodiscard]] bool is_silent(const Seat& seat) const;
  [[nodiscard]] bool has_delivered(const Seat& seat) const;
  [[nodiscard]] bool in_lockstep(const Seat& seat) const;
  [[nodiscard]] bool is_waited_for() const;
  bool await(Seat& seat, DurationUs deadline);
  void take_delivery(Seat& seat);
  bool catch_up(Seat& seat, TimeUs time);
  void recovered(Seat& seat, TimeUs time);
  void missed(Seat& seat, TimeUs time, const std::string& why);
  void drop(Seat& seat, TimeUs time, const std::string& why);
  void route(TimeUs time);
  void route(Seat& seat, TimeUs time);
  static void require_sound(const SensorFrame& frame);
  void take_frames(Seat& seat, TimeUs time);
  void control();
  void send(TimeUs time);
  void send(Seat& seat, TimeUs time);
  void send(const Rider& from, const ActuatorCommand& command);
  static void require_command(const Rider& from, const ActuatorCommand& command);
  void tell_once(Seat& seat, TimeUs time, const std::string& what);
  void note(TimeUs time, std::string who, std::string what);
  void note_wait(const Seat& seat, TimeUs time, std::uint64_t ns);
  [[nodiscard]] bool is_interrupted() const;

  BridgeOptions options_;
  Team team_;
  Pace pace_;
  TimeMode mode_;
  bool paused_ = false;
  bool started_ = false;             ///< all are connected
  bool begun_ = false;               ///< time 0 has been exchanged
  std::optional<TimeUs> half_made_;  ///< interrupted in the exchange of this instant
  TimeUs now_;
  DurationUs step_{};
  std::map<std::string, std::unique_ptr<Seat>> seats_;
  std::map<VehicleId, std::unique_ptr<Rider>> riders_;
  std::vector<Lane> lanes_;  ///< of all simulators in this process
  std::vector<Rider*> due_;  ///< got a frame at this instant, by id
  std::uint64_t frames_ready_ns_ = 0;
  Histogram latency_;
  Histogram step_time_;
  std::vector<BridgeEvent> events_;
  std::vector<BridgeWait> long_waits_;
  std::vector<std::string> warnings_;
};

}  // namespace tactus
