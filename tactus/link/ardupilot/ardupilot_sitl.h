// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An unmodified ArduPilot (ArduCopter SITL) as the autopilot of a flight, over its JSON interface.
//
// One tick of the autopilot's axis is one frame of ArduPilot, at time t:
//   1. what the flight asks for (arm, mode, mission, parameters) goes to it over MAVLink;
//   2. the motion at t is the answer to its last servo packet: its clock moves on by a period;
//   3. it computes, and sends the next packet: the motors' command from t on;
//   4. its telemetry of this frame is read.
// Everything it gets depends on simulated time alone, so the flight does not depend on how fast
// either side is. It makes barometer, compass and GPS itself, from the true motion; gyroscope and
// accelerometer are ours if the vehicle has an IMU, and its battery is ours.
// The program starts at the first tick and ends with this object. Started by the user ("wait"), it
// is expected on UDP port 9002 + 10·instance, and its MAVLink on 14550 + 10·instance:
//   arducopter --model JSON:127.0.0.1 --serial0 udpclient:127.0.0.1:14550 …

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/mission/mission.h"
#include "tactus/autopilot/parameters/link_parameters.h"
#include "tactus/autopilot/parameters/parameter_change.h"
#include "tactus/link/ardupilot/ardupilot_exchange.h"
#include "tactus/link/ardupilot/ardupilot_start.h"
#include "tactus/link/mavlink/mavlink_pilot.h"
#include "tactus/link/net/conducted_program.h"
#include "tactus/link/net/kept_bytes.h"
#include "tactus/link/net/late_answers.h"
#include "tactus/link/net/outside_network.h"
#include "tactus/link/net/process.h"
#include "tactus/link/net/socket.h"
#include "tactus/link/net/work_folder.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/signal/bus.h"

namespace tactus {

/// The flight as ArduPilot must know it.
struct ArdupilotFlight {
  std::vector<EmittedParameter> emitted;  ///< see ardupilot_parameters()
  std::vector<std::string> named{};  ///< of them those that a user wrote: ArduPilot must know them
  std::vector<std::string> changeable;     ///< ParameterChange::index counts these names
  std::shared_ptr<const Mission> mission;  ///< may be null
  WorldOrigin home;
  double heading_rad = 0.0;
  DurationUs period;  ///< of the autopilot's axis
  InstrumentCounts instruments;
  double takeoff_altitude_m = 5.0;  ///< of FlightMode::kTakeoff
};

class ArdupilotSitl final : public Autopilot {
 public:
  /// Only checks: nothing is started before the first step. Throws Error that names what is wrong
  /// with the parameters, a file, or an aircraft that is no frame of ArduPilot.
  ArdupilotSitl(const ArdupilotParameters& parameters, const LinkParameters& link,
                const Multirotor& vehicle, ArdupilotFlight flight, Interrupted interrupted = {},
                ConductedSurroundings surroundings = {});
  ~ArdupilotSitl() override;
  ArdupilotSitl(const ArdupilotSitl&) = delete;
  ArdupilotSitl& operator=(const ArdupilotSitl&) = delete;

  [[nodiscard]] const char* name() const override { return "ardupilot"; }
  /// Throws Error(kPeer) if ArduPilot ends, restarts or is late and the policy is to fail, or if it
  /// does not take a parameter or the mission. When the user wants to stop it returns early and
  /// leaves `output` as it was.
  void step(const AutopilotInput& input, AutopilotOutput& output) override;
  [[nodiscard]] bool sees_truth() const override { return true; }
  [[nodiscard]] std::vector<std::string> external_peers() const override;
  void take_external_bytes(std::vector<ExternalBytes>& bytes) override;
  void take_notes(std::vector<Note>& notes) override;
  /// A console that cannot be kept; answers that were late; bytes that no recording has.
  [[nodiscard]] std::vector<std::string> warnings() const override;
  [[nodiscard]] ProgramFacts program_facts() const override { return facts_; }
  /// A new process that keeps its saved parameters. Throws Error(kPeer) if the user started it.
  void restart() override;
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }

  /// Entry k is the rotor of ArduPilot's motor k + 1.
  [[nodiscard]] const std::vector<int>& motor_order() const { return motor_order_; }
  [[nodiscard]] const ArdupilotSettings& settings() const { return settings_; }
  /// What it says over MAVLink.
  [[nodiscard]] const MavlinkPilot& pilot() const { return pilot_; }
  /// Of the program that we started; none before the first step.
  [[nodiscard]] std::optional<pid_t> process_id() const {
    return process_ == nullptr ? std::nullopt : std::optional(process_->pid());
  }
  /// Zeros before the first step.
  [[nodiscard]] ExchangeCounts exchange_counts() const;

 private:
  enum class Link : std::uint8_t { kNotStarted, kLockstep, kFreeRunning, kDropped };

  void start(TimeUs now);
  void open_sockets();
  void start_process();
  void conduct();
  [[nodiscard]] std::int64_t limit_ns(DurationUs since_start);
  void end_process();
  void note_program();
  bool await(TimeUs now, DurationUs longest_wait);
  void missed(TimeUs now, const std::string& what);
  void back(TimeUs now);
  [[nodiscard]] bool asked_to_stop() const { return interrupted_ && interrupted_(); }
  [[nodiscard]] bool alive();
  [[nodiscard]] std::string who();
  [[nodiscard]] std::string console_text();
  [[nodiscard]] std::string left_out_text() const;
  [[nodiscard]] std::string how_to_start() const;
  void send_orders(const AutopilotInput& input);
  void receive_telemetry(TimeUs now);
  void take_parameter(const ParameterChange& change);
  void check_uploads(TimeUs now);
  void check_place(TimeUs now);
  void answer(const AutopilotInput& input);
  [[nodiscard]] std::string wrong_pulse() const;
  bool take_packet(TimeUs now, AutopilotOutput& output);
  void keep_packet();
  void report(TimeUs now, bool commanded, AutopilotStatus& status);
  void note(TimeUs now, const char* what);

  ArdupilotParameters parameters_;
  LinkParameters link_;
  ArdupilotFlight flight_;
  Interrupted interrupted_;
  int packs_ = 0;
  ArdupilotSettings settings_;
  std::vector<int> motor_order_;
  double pwm_min_us_ = 1000.0;
  double pwm_max_us_ = 2000.0;
  double hover_thrust_ = 0.0;

  Link state_ = Link::kNotStarted;
  bool connected_ = false;  ///< a packet has come
  bool ended_ = false;      ///< its process did
  bool late_ = false;
  LateAnswers late_answers_;
  bool silent_ = false;                 ///< it has had its whole deadline
  bool placed_ = false;                 ///< it stands where this flight begins
  bool restarted_ = false;              ///< it was switched off and on before
  TimeUs started_at_;                   ///< its clock counts from here
  TimeUs received_at_;                  ///< of its last packet
  std::optional<TimeUs> turned_at_;     ///< when a motor last had a command
  std::int32_t flown_item_ = -1;        ///< of the mission, while armed
  std::unique_ptr<WorkFolder> folder_;  ///< none before the first start
  std::function<void(const std::string&)> tell_;
  Attachment attachment_;
  std::unique_ptr<ConductedProgram> conducted_;  ///< ArduPilot, unless it is free
  std::unique_ptr<ArdupilotExchange> exchange_;
  std::unique_ptr<ArdupilotTelemetry> telemetry_;
  std::unique_ptr<ChildProcess> free_;    ///< ArduPilot, if it is free
  ChildProcess* process_ = nullptr;       ///< it, or the conducted one
  std::optional<std::int64_t> start_ns_;  ///< virtual time at its first question
  NamedChanges changes_;
  MavlinkPilot pilot_;
  JsonClock clock_;
  std::string text_;
  std::vector<std::byte> packet_bytes_;    ///< for the recording
  KeptBytes telemetry_bytes_;              ///< for the recording
  std::vector<std::byte> settings_bytes_;  ///< for the recording
  ProgramFacts facts_;
  std::vector<std::byte> facts_bytes_;  ///< for the recording
  std::vector<VehicleText> texts_;
  TextNotes text_notes_{"ArduPilot"};
  std::vector<Note> notes_;
};

}  // namespace tactus
