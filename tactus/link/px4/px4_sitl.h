// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Unmodified PX4 SITL, in lockstep: the simulated instruments go to it over MAVLink HIL (TCP), and
// each step waits for its answer. Commands, mission, battery and telemetry go over MAVLink (UDP).
//
// One step at time t, for PX4 t + 1 s (it must not be 0 there):
//   1. send the instruments; wait for the actuators of exactly this time
//   2. read telemetry
//   3. send what is due (battery, parameters, arm, mode, mission …); wait a moment for answers,
//      clock held
//
// PX4 runs under the conductor (docs/conductor.md): after each message it has done all that it can
// do at this time, so that nothing depends on how fast anything is. It answers or has nothing to
// say; what is late then hangs. With `free` it runs as it likes, and waits end by wall time.
//
// Boot: PX4 sleeps in simulated time while it starts, and does not answer. So the clock goes on
// without answers until the first one; a free one gets some wall time for each step, and then goes
// at real time until its MAVLink is up.
//
// A missing answer is met by the policy of LinkParameters once its deadline has passed:
//   fail          Error(kPeer): who, since when, what was awaited, the end of its console
//   hold          last command; later steps wait 20 ms only, until it answers again
//   drop          PX4 is ended, motors off
//   free_running  no more waiting; answers are used as they come
// No answer is due in a step without a new gyroscope reading: the last command stays. A PX4 that
// never came up is an error whatever the policy. Nothing waits longer than its deadline, and all
// waits check `interrupted`.
//
// What PX4 says to the pilot, and orders that it refuses, become notes. A mission or parameters
// that it refuses in lockstep are Error(kPeer).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/mission/mission.h"
#include "tactus/autopilot/parameters/emitted_parameters.h"
#include "tactus/autopilot/parameters/link_parameters.h"
#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/link/mavlink/mavlink_pilot.h"
#include "tactus/link/mavlink/mavlink_vehicle.h"
#include "tactus/link/net/conducted_program.h"
#include "tactus/link/net/kept_bytes.h"
#include "tactus/link/net/late_answers.h"
#include "tactus/link/net/outside_network.h"
#include "tactus/link/net/process.h"
#include "tactus/link/net/socket.h"
#include "tactus/link/px4/px4_hil.h"
#include "tactus/link/px4/px4_process.h"
#include "tactus/sensor/sensors_spec.h"
#include "tactus/world/geodesy.h"

namespace tactus {

/// What the flight decides about PX4.
struct Px4Flight {
  std::vector<EmittedParameter> parameters;  ///< set before it starts: px4_parameters()
  std::vector<std::string> named{};        ///< of them those that a user wrote: PX4 must know them
  std::vector<std::string> changeable;     ///< ParameterChange::index counts these names
  std::shared_ptr<const Mission> mission;  ///< may be null
  WorldOrigin home;                        ///< where items "here" of the mission are at first
  int motor_count = 4;
  int pack_count = 1;
  SensorsSpec sensors;
  DurationUs period{4'000};  ///< of the autopilot's axis and the IMU's
};

class Px4Sitl final : public Autopilot {
 public:
  /// Starts nothing. Throws Error if a parameter or a file is wrong.
  Px4Sitl(const Px4SitlParameters& parameters, const LinkParameters& link, Px4Flight flight,
          Interrupted interrupted = {}, ConductedSurroundings surroundings = {});
  ~Px4Sitl() override;

  [[nodiscard]] const char* name() const override { return "px4-sitl"; }
  /// The first one starts PX4. Throws Error: kPeer, or kEnvironment if a port is taken.
  void step(const AutopilotInput& input, AutopilotOutput& output) override;
  [[nodiscard]] std::vector<std::string> external_peers() const override;
  void take_external_bytes(std::vector<ExternalBytes>& bytes) override;
  void take_notes(std::vector<Note>& notes) override;
  /// PX4 is ended; the next step starts it again. Throws Error(kPeer) if the user started it.
  void restart() override;
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

  /// A console that cannot be kept; answers that were late; bytes that no recording has; a process
  /// that has talked to PX4 besides us.
  [[nodiscard]] std::vector<std::string> warnings() const override;
  [[nodiscard]] const MavlinkPilot& pilot() const { return pilot_; }
  /// Null before the first step, and if the user started it.
  [[nodiscard]] const ChildProcess* process() const { return process_; }

 private:
  enum class Phase : std::uint8_t {
    kOff,
    kSilent,       ///< connected; does not answer yet
    kStarting,     ///< answers; its other parts are being started
    kFlying,       ///
    kLate,         ///< policy hold: sent no answer that can be flown
    kFreeRunning,  ///< policy free_running: did so once
    kGone,         ///< has ended; its last command stays
    kDropped,      ///< policy drop
  };

  void start(TimeUs now);
  std::unique_ptr<ByteStream> start_free();
  std::unique_ptr<ByteStream> start_conducted();
  [[nodiscard]] bool has_ended() const;
  void end_program();
  void exchange(const AutopilotInput& input);
  void exchange_at_start(TimeUs now, GyroNews news, Deadline step_end);
  void exchange_in_flight(TimeUs now, GyroNews news);
  bool take_answer(HilAnswer answer, TimeUs now, bool due);
  void be_late(TimeUs now);
  void be_wrong(TimeUs now, const std::string& what);
  void miss(TimeUs now, const std::string& why);
  void be_gone(TimeUs now);
  void keep_bytes();
  void close_link();
  void drop();
  void exchange_telemetry(const AutopilotInput& input);
  void note_texts(TimeUs now);
  void check_uploads(TimeUs now);
  bool receive_telemetry(TimeUs now, Deadline deadline);
  bool send_orders();
  void note(TimeUs now, const char* what);
  [[nodiscard]] DurationUs step_length() const;
  [[nodiscard]] bool exchanges_telemetry() const;
  [[nodiscard]] bool asked_to_stop() const { return interrupted_ && interrupted_(); }
  [[nodiscard]] std::string who() const;
  [[noreturn]] void fail(const std::string& what);

  Px4SitlParameters parameters_;
  Px4Ports ports_;
  LinkParameters limits_;
  Px4Flight flight_;
  Interrupted interrupted_;

  Phase phase_ = Phase::kOff;
  TimeUs now_;  ///< of the last step
  TimeUs started_at_;
  Deadline boot_deadline_ = Deadline::now();
  std::function<void(const std::string&)> tell_;
  Attachment attachment_;
  std::unique_ptr<ConductedProgram> conducted_;  ///< PX4, unless it is free
  std::optional<Px4HilLink> link_;
  std::unique_ptr<DatagramLink> mavlink_;
  std::unique_ptr<ChildProcess> free_;  ///< PX4, if it is free; ends before the sockets close
  ChildProcess* process_ = nullptr;     ///< either of them
  std::int64_t start_ns_ = 0;           ///< virtual time of a conducted PX4 when it connected
  Px4HilEncoder encoder_;
  NamedChanges changes_;
  MavlinkPilot pilot_;
  Command command_;
  bool armed_ = false;
  TimeUs answered_at_;
  LateAnswers late_;
  int steps_without_gyro_ = 0;
  std::vector<std::byte> messages_;
  std::vector<std::byte> datagram_;
  KeptBytes hil_bytes_;  ///< not yet recorded
  KeptBytes telemetry_;
  std::vector<VehicleText> texts_;
  TextNotes text_notes_{"PX4"};
  std::vector<Note> notes_;
};

}  // namespace tactus
