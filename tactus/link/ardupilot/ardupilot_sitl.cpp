// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/ardupilot/ardupilot_sitl.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <span>
#include <string_view>
#include <utility>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/link/ardupilot/ardupilot_frame.h"
#include "tactus/link/net/conducted_link.h"

namespace tactus {

namespace {

constexpr std::size_t kConsoleLines = 12;
constexpr std::size_t kJsonPeer = 0;
constexpr std::size_t kTelemetryPeer = 1;
constexpr std::size_t kSettingsPeer = 2;
constexpr std::size_t kAttachedPeer = 3;  // if there is one
/// Frames in which it notices that it shall end: its main loop takes three.
constexpr int kFramesToLeave = 50;
constexpr DurationUs kTimeToLeave{300'000};
constexpr DurationUs kSilentWait{5'000};  // of policy hold, until it asks again
// A conducted one has a network of its own, so these cannot be taken.
constexpr std::uint16_t kConductedJsonPort = 9002;
constexpr std::uint16_t kConductedMavlinkPort = 14550;
constexpr std::int64_t kLongestIdle_ns = 10'000'000'000;  // of its time, until it asks
constexpr std::uint64_t kSeed = 1;                        // of what it takes for chance
constexpr std::string_view kHoverThrust = "MOT_THST_HOVER";
/// What this link is made for; ArduPilot itself reads some of them at its start only.
constexpr std::string_view kFixedSettings[] = {"FRAME_CLASS", "FRAME_TYPE", "MOT_PWM_MIN",
                                               "MOT_PWM_MAX", "SCHED_LOOP_RATE"};
constexpr std::uint8_t kStandby = 3;  ///< MAV_STATE: it has booted
/// Of latitude and longitude. A flight may begin some way from its origin.
constexpr double kSamePlace_deg = 0.1;
/// For a range finder that sees nothing: beyond every limit of ArduPilot's.
constexpr double kOutOfRange_m = 10'000.0;

PilotParameters pilot_parameters(const ArdupilotParameters& parameters,
                                 const ArdupilotFlight& flight) {
  PilotParameters pilot;
  pilot.vehicle_system = ardupilot_system(parameters);
  pilot.flavour = PilotFlavour::kArduCopter;
  pilot.home = {flight.home.lat_deg, flight.home.lon_deg, flight.home.alt_msl_m};
  pilot.takeoff_altitude_m = flight.takeoff_altitude_m;
  return pilot;
}

/// As they are set over MAVLink.
std::vector<EmittedParameter> to_emitted(const ArdupilotSettings& settings) {
  std::vector<EmittedParameter> emitted;
  for (const auto& [name, value] : settings) {
    EmittedParameter& parameter = emitted.emplace_back();
    parameter.name = name;
    parameter.value = value;
  }
  return emitted;
}

double angle_between_deg(double a_deg, double b_deg) {
  return math::abs(math::wrap_pi((a_deg - b_deg) * math::kDegToRad)) * math::kRadToDeg;
}

/// Our rotor for each of its motors. The user's files may set much, but not another frame.
std::vector<int> rotors_of(const Multirotor& vehicle, const ArdupilotSettings& settings) {
  FrameMatch match = match_frame(vehicle);
  const double frame_class = setting_of(settings, "FRAME_CLASS", 0.0);
  const double frame_type = setting_of(settings, "FRAME_TYPE", 1.0);
  if (frame_class != match.frame->frame_class || frame_type != match.frame->frame_type) {
    throw Error(
        ExitCode::kBadInput,
        fmt::format("the aircraft is ArduPilot's {} (FRAME_CLASS {}, FRAME_TYPE {}), but its "
                    "parameters say FRAME_CLASS {:g}, FRAME_TYPE {:g}",
                    match.frame->name, match.frame->frame_class, match.frame->frame_type,
                    frame_class, frame_type));
  }
  return std::move(match.rotor);
}

void require_changeable(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(kFixedSettings, name) == std::end(kFixedSettings)) continue;
    throw Error(ExitCode::kBadInput,
                fmt::format("an event changes ArduPilot's {}, which must stay as it is in flight; "
                            "set it for the whole flight: autopilot.outside.parameters",
                            name));
  }
}

}  // namespace

ArdupilotSitl::ArdupilotSitl(const ArdupilotParameters& parameters, const LinkParameters& link,
                             const Multirotor& vehicle, ArdupilotFlight flight,
                             Interrupted interrupted, ConductedSurroundings surroundings)
    : parameters_(parameters),
      link_(link),
      flight_(std::move(flight)),
      interrupted_(std::move(interrupted)),
      packs_(vehicle.counts.packs),
      settings_(
          ardupilot_settings(parameters, flight_.emitted, flight_.instruments.range_finders > 0)),
      motor_order_(rotors_of(vehicle, settings_)),
      pwm_min_us_(setting_of(settings_, "MOT_PWM_MIN", 1000.0)),
      pwm_max_us_(setting_of(settings_, "MOT_PWM_MAX", 2000.0)),
      hover_thrust_(setting_of(settings_, kHoverThrust, 0.35)),
      tell_(std::move(surroundings.tell)),
      attachment_(std::move(surroundings.network)),
      changes_(flight_.changeable),
      pilot_(pilot_parameters(parameters_, flight_), flight_.mission) {
  check_program(parameters_);
  require_frame_rate(flight_.period, settings_);
  require_changeable(flight_.changeable);
  if (parameters_.wait) pilot_.set_parameters(to_emitted(settings_));
  if (!parameters_.wait) pilot_.look_for_parameters(flight_.named);
  if (!(pwm_max_us_ > pwm_min_us_)) {
    refuse("ArduPilot", "MOT_PWM_MAX", pwm_max_us_, "must be above MOT_PWM_MIN");
  }
}

ArdupilotSitl::~ArdupilotSitl() {
  try {
    end_process();
  } catch (const Error&) {
    // Its link broke: the process still ends, with its object.
  }
}

ExchangeCounts ArdupilotSitl::exchange_counts() const {
  return exchange_ == nullptr ? ExchangeCounts{} : exchange_->counts();
}

// ---- a tick

void ArdupilotSitl::step(const AutopilotInput& input, AutopilotOutput& output) {
  if (state_ == Link::kNotStarted) start(input.now);
  take_parameter(input.parameter);
  const LateAnswers::Clock::time_point since = LateAnswers::Clock::now();
  bool commanded = false;
  // Its question may still be missing: at the start, or after a tick in which it was late.
  if (exchange_->asked() ||
      await(input.now, connected_ ? link_.exchange_deadline : link_.connect_deadline)) {
    send_orders(input);
    if (conducted_) attachment_.bring(*conducted_, input.now);
    answer(input);
    if (await(input.now, link_.exchange_deadline)) {
      receive_telemetry(input.now);
      check_uploads(input.now);
      check_place(input.now);
      commanded = take_packet(input.now, output);
    }
  }
  if (conducted_) attachment_.carry(*conducted_);
  if (commanded || !asked_to_stop()) late_answers_.count(input.now, commanded, since);
  if (state_ == Link::kDropped) output.command = {};
  report(input.now, commanded, output.status);
}

void ArdupilotSitl::send_orders(const AutopilotInput& input) {
  // While it boots it forgets the mode that it receives.
  const bool ready = pilot_.vehicle().system_status >= kStandby;
  pilot_.want(ready ? input.high_level : HighLevelCommand{}, input.now);
  for (auto bytes = pilot_.take_outgoing(); !bytes.empty(); bytes = pilot_.take_outgoing()) {
    telemetry_->send(bytes);
  }
}

void ArdupilotSitl::receive_telemetry(TimeUs now) {
  telemetry_->receive([this, now](std::span<const std::byte> datagram) {
    pilot_.receive(datagram, now);
    telemetry_bytes_.add(datagram, now);
  });
  texts_.clear();
  pilot_.take_texts(texts_);
  for (const VehicleText& text : texts_) text_notes_.add(now, text.text, notes_);
  if (telemetry_bytes_.left_out()) text_notes_.add(now, kLeftOut, notes_);
  const std::string open = pilot_.parameter_upload().unconfirmed();
  if (!open.empty()) text_notes_.add(now, "has not confirmed the parameters " + open, notes_);
}

void ArdupilotSitl::take_parameter(const ParameterChange& change) {
  const std::optional<EmittedParameter> changed = changes_.take(change);
  if (!changed) return;
  if (changed->name == kHoverThrust) hover_thrust_ = changed->value;
  pilot_.change_parameter(*changed);
}

void ArdupilotSitl::check_uploads(TimeUs now) {
  if (state_ != Link::kLockstep) return;
  const std::string refusal = pilot_.upload_refusal();
  if (refusal.empty()) return;
  const bool of_parameters = !pilot_.parameter_upload().refusal().empty();
  throw Error(ExitCode::kPeer,
              fmt::format("{} cannot fly this flight at t = {}: {}{}", who(), to_text(now), refusal,
                          of_parameters ? how_to_start() : console_text()));
}

/// One that the user started may stand anywhere, and a mission is made of places on the Earth.
void ArdupilotSitl::check_place(TimeUs now) {
  if (!parameters_.wait || placed_ || state_ != Link::kLockstep) return;
  const VehicleView& view = pilot_.vehicle();
  if (math::is_nan(view.lat_deg)) return;
  placed_ = angle_between_deg(view.lat_deg, flight_.home.lat_deg) < kSamePlace_deg &&
            angle_between_deg(view.lon_deg, flight_.home.lon_deg) < kSamePlace_deg;
  if (placed_) return;
  throw Error(ExitCode::kPeer,
              fmt::format("{} cannot fly this flight at t = {}: it says that it is at latitude "
                          "{:.7f}, longitude {:.7f}, far from home{}",
                          who(), to_text(now), view.lat_deg, view.lon_deg, how_to_start()));
}

/// Virtual time that goes with its clock; it has gone some way before its first question.
std::int64_t ArdupilotSitl::limit_ns(DurationUs since_start) {
  const auto time_ns = static_cast<std::int64_t>(since_start.us) * 1000;
  if (!start_ns_) start_ns_ = conducted_->limit_ns();
  return std::max(conducted_->limit_ns(), *start_ns_ + time_ns);
}

void ArdupilotSitl::answer(const AutopilotInput& input) {
  const Truth& truth = *input.truth;
  const ImuReading& imu = input.imu[0];
  const bool has_imu = flight_.instruments.imus > 0;
  PhysicsReply reply;
  // Its clock is a frame ahead of ours: at 0 it would still run with the wall clock.
  const DurationUs ahead = input.now - started_at_ + flight_.period;
  reply.timestamp_s = clock_.stamp_s(TimeUs(ahead.us));
  if (conducted_) conducted_->set_limit_ns(limit_ns(ahead));
  reply.rate_B_rad_s = has_imu && imu.rate_count > 0 ? imu.rate_B_rad_s : truth.rate_B_rad_s;
  reply.specific_force_B_m_s2 =
      has_imu && imu.force_count > 0 ? imu.specific_force_B_m_s2 : truth.specific_force_B_m_s2;
  reply.position_W_m = truth.position_W_m;
  reply.attitude = truth.attitude;
  reply.velocity_W_m_s = truth.velocity_W_m_s;
  if (flight_.instruments.range_finders > 0 && input.range_finder[0].count > 0) {
    const RangeReading& range = input.range_finder[0];
    reply.range_m[0] = range.in_range ? range.distance_m : kOutOfRange_m;
  }
  double current_a = 0.0;
  for (int i = 0; i < packs_; ++i) current_a += input.battery[i].current_a;
  reply.battery_v = input.battery[0].voltage_v;
  reply.battery_a = current_a;
  encode_physics_reply(reply, text_);
  exchange_->answer(text_);
}

/// Of the channels of its motors; empty: nothing is wrong.
std::string ArdupilotSitl::wrong_pulse() const {
  for (std::size_t k = 0; k < motor_order_.size(); ++k) {
    const std::uint16_t pulse_us = exchange_->packet().pwm_us[k];
    if (kPulseLimits.holds(pulse_us)) continue;
    return wrong_value_text(fmt::format("channel {}", k + 1), std::to_string(pulse_us),
                            kPulseLimits);
  }
  return "";
}

/// False: it cannot be flown; the last command holds.
bool ArdupilotSitl::take_packet(TimeUs now, AutopilotOutput& output) {
  if (const std::string wrong = wrong_pulse(); !wrong.empty()) {
    missed(now, "has sent a servo packet that cannot be flown: " + wrong);
    keep_packet();
    return false;
  }
  if (std::exchange(late_, false)) note(now, "autopilot answers again");
  const ServoPacket& packet = exchange_->packet();
  for (std::size_t k = 0; k < motor_order_.size(); ++k) {
    const double pwm_us = packet.pwm_us[k];
    const double drive = (pwm_us - pwm_min_us_) / (pwm_max_us_ - pwm_min_us_);
    output.command.motor[motor_order_[k]] = math::clamp(drive, 0.0, 1.0);
    if (drive > 0.0) turned_at_ = now;
  }
  keep_packet();
  return true;
}

void ArdupilotSitl::keep_packet() {
  const std::vector<std::byte> bytes = encode_servo_packet(exchange_->packet());
  packet_bytes_.insert(packet_bytes_.end(), bytes.begin(), bytes.end());
}

/// `commanded`: its command of this tick has come.
void ArdupilotSitl::report(TimeUs now, bool commanded, AutopilotStatus& status) {
  const bool was_armed = status.armed;
  status = pilot_.status();
  // Its heartbeat comes once a second; motors that turn show it at once, and so do motors that
  // stop.
  const VehicleView& view = pilot_.vehicle();
  status.armed = turned_at_ == now || (view.armed && view.heartbeat_at > turned_at_);
  // Its last command holds, and so does this.
  if (!commanded) status.armed = was_armed;
  if (state_ == Link::kDropped) {
    status.armed = false;
    if (was_armed) flown_item_ = -1;  // this was no end of its mission
  }
  status.hover_thrust = hover_thrust_;
  // It does not say that a mission is over: after the last item it disarms and points to the first.
  if (status.armed) flown_item_ = status.mode == FlightMode::kMission ? status.mission_item : -1;
  if (!status.armed && flown_item_ >= 0 && flown_item_ + 1 == status.mission_count) {
    status.mission_finished = true;
    status.items_reached = std::max(status.items_reached, status.mission_count);
  }
}

// ---- waiting for it

/// One that the user has started free may be.
bool ArdupilotSitl::alive() {
  if (process_) return process_->running();
  return !parameters_.wait || !conducted_ || conducted_->running();
}

bool ArdupilotSitl::await(TimeUs now, DurationUs longest_wait) {
  if (state_ == Link::kDropped) return false;
  const bool waits = state_ == Link::kLockstep && !ended_;
  if (silent_) longest_wait = std::min(longest_wait, kSilentWait);
  const auto stop = [this] { return asked_to_stop() || !alive(); };
  const AskResult result =
      exchange_->wait(waits ? Deadline::after(longest_wait) : Deadline::now(), Interrupted(stop));
  if (result == AskResult::kAsked) {
    back(now);
    return true;
  }
  // Its last messages belong to the recording, also if this fails.
  receive_telemetry(now);
  if (result == AskResult::kRestarted) {
    silent_ = false;
    missed(now, "restarted: its frame count began again from 0");
    clock_ = {};
    started_at_ = now;
    pilot_.restart();
    telemetry_->forget();
    return state_ != Link::kDropped;
  }
  if (!alive()) {
    ended_ = true;
    missed(now, process_ ? process_->exit_text() : "has ended");
  } else if (result == AskResult::kIdle && waits) {
    missed(now, fmt::format("sent no servo packet within {} s of its time{}",
                            kLongestIdle_ns / 1'000'000'000, left_out_text()));
  } else if (result == AskResult::kTimeout && waits) {
    silent_ = true;
    missed(now, fmt::format("sent no servo packet within {} of wall time{}", to_text(longest_wait),
                            left_out_text()));
  }
  return false;
}

/// What came so far and was no question.
std::string ArdupilotSitl::left_out_text() const {
  const ExchangeCounts& counts = exchange_->counts();
  if (counts.garbage + counts.other_senders + counts.duplicates == 0) return {};
  return fmt::format(
      " ({} datagrams were no servo packets, {} of another sender, {} had an old frame count)",
      counts.garbage, counts.other_senders, counts.duplicates);
}

void ArdupilotSitl::back(TimeUs now) {
  received_at_ = now;
  connected_ = true;
  silent_ = false;
}

void ArdupilotSitl::missed(TimeUs now, const std::string& what) {
  if (link_.late == LatePolicy::kFail) {
    if (exchange_->asked()) keep_packet();
    const std::string since =
        connected_ ? fmt::format("; its last packet came at {}", to_text(received_at_))
                   : std::string("; no packet ever came");
    throw Error(ExitCode::kPeer, fmt::format("{} {} (simulated time {}{}){}", who(), what,
                                             to_text(now), since, console_text()));
  }
  if (!late_) note(now, kept_text(fmt::format("{} {}", who(), what)));
  late_ = true;
  if (link_.late == LatePolicy::kDrop) {
    state_ = Link::kDropped;
    end_process();
  } else if (link_.late == LatePolicy::kFreeRunning) {
    state_ = Link::kFreeRunning;
  }
}

std::string ArdupilotSitl::who() {
  if (process_ != nullptr) {
    return fmt::format("ArduPilot ({}, process {})", parameters_.binary, process_->pid());
  }
  return fmt::format("ArduPilot (started by the user, UDP port {})", exchange_->port());
}

std::string ArdupilotSitl::console_text() {
  if (process_ == nullptr) {
    const std::string why = conducted_ ? conducted_->stop_text() : std::string();
    return connected_ ? why : how_to_start() + why;
  }
  std::string lines = process_->console_tail(kConsoleLines);
  if (conducted_) lines += conducted_->stop_text();
  if (lines.empty()) return "; it wrote nothing";
  // A temporary folder is gone when this is read.
  if (folder_->temporary()) return "; the last lines of its console:\n" + lines;
  return "; the last lines of " + process_->folder() + "/console.txt:\n" + lines;
}

/// Nothing if it was not the user who did.
std::string ArdupilotSitl::how_to_start() const {
  if (!parameters_.wait) return {};
  return fmt::format(
      "; start it with --model JSON:127.0.0.1 -I {} --home {} and the file of `tactus params SPEC "
      "--for ardupilot --format param-file` as --defaults",
      parameters_.instance, ardupilot_home(flight_.home, flight_.heading_rad));
}

// ---- start and end

void ArdupilotSitl::start(TimeUs now) {
  clock_ = {};
  started_at_ = now;
  connected_ = ended_ = silent_ = false;
  start_ns_.reset();
  if (!parameters_.wait) {
    start_process();
  } else if (parameters_.free) {
    open_sockets();
  } else {
    conducted_ = std::make_unique<ConductedProgram>("ArduPilot", kSeed);
    const std::string& folder = conducted_->open_for_joining();
    if (tell_) tell_(joining_text("ArduPilot", folder));
    conduct();
  }
  if (!restarted_) {
    const std::string text = to_text(settings_);
    const auto bytes = std::as_bytes(std::span(text));
    settings_bytes_.assign(bytes.begin(), bytes.end());
  }
  state_ = Link::kLockstep;
}

void ArdupilotSitl::open_sockets() {
  const ArdupilotPorts ports = ardupilot_ports(parameters_);
  exchange_ = std::make_unique<ArdupilotExchange>(
      std::make_unique<UdpSocket>(ports.json, "ArduPilot (JSON)"));
  telemetry_ = std::make_unique<ArdupilotTelemetry>(
      std::make_unique<UdpSocket>(ports.mavlink, "ArduPilot (MAVLink)"));
}

void ArdupilotSitl::start_process() {
  if (parameters_.free) open_sockets();
  if (folder_ == nullptr) folder_ = std::make_unique<WorkFolder>(parameters_.folder, "ArduPilot");
  const std::string file = folder_->path() + "/tactus.parm";
  write_settings(settings_, file);
  ArdupilotStart start;
  start.settings_file = file;
  start.home = flight_.home;
  start.heading_rad = flight_.heading_rad;
  start.json_port = parameters_.free ? exchange_->port() : kConductedJsonPort;
  start.telemetry_port = parameters_.free ? telemetry_->port() : kConductedMavlinkPort;
  start.wipe = !restarted_;
  ProcessParameters process;
  process.name = "ArduPilot";
  process.command = ardupilot_command(parameters_, start);
  process.folder = folder_->path();
  if (parameters_.free) {
    free_ = std::make_unique<ChildProcess>(process);
    process_ = free_.get();
    return;
  }
  conducted_ = std::make_unique<ConductedProgram>(process, kSeed);
  process_ = conducted_->child();
  conduct();
}

void ArdupilotSitl::conduct() {
  ArdupilotPorts ports = ardupilot_ports(parameters_);
  if (!parameters_.wait) ports = {kConductedJsonPort, kConductedMavlinkPort};
  attachment_.begin(*conducted_);
  exchange_ = std::make_unique<ArdupilotExchange>(
      std::make_unique<ConductedPort>(*conducted_, ports.json, false, kLongestIdle_ns));
  telemetry_ = std::make_unique<ArdupilotTelemetry>(
      std::make_unique<ConductedPort>(*conducted_, ports.mavlink, true));
}

/// While it waits for an answer it does not notice a request to end, so it gets some.
void ArdupilotSitl::end_process() {
  if (process_ == nullptr) return;
  if (connected_ && process_->running() && !text_.empty()) {
    ::kill(process_->pid(), SIGTERM);
    PhysicsReply last = decode_physics_reply(text_).reply;
    const Deadline deadline = Deadline::after(kTimeToLeave);
    const auto ended = [this] { return !process_->running(); };
    for (int i = 0; i < kFramesToLeave && !deadline.passed(); ++i) {
      if (exchange_->wait(deadline, Interrupted(ended)) != AskResult::kAsked) break;
      last.timestamp_s += to_seconds(flight_.period);
      encode_physics_reply(last, text_);
      exchange_->answer(text_);
    }
    if (process_->running()) ::kill(-process_->pid(), SIGKILL);
  }
  process_->end();
  process_ = nullptr;
  free_.reset();  // a conducted one stays until the next: its connections are still asked
}

void ArdupilotSitl::restart() {
  if (state_ == Link::kNotStarted || state_ == Link::kDropped) return;
  if (parameters_.wait) {
    throw Error(
        ExitCode::kPeer,
        fmt::format("{} lost its supply in the simulation, but only you can restart it; let "
                    "Tactus start it (autopilot.ardupilot.binary)",
                    who()));
  }
  receive_telemetry(received_at_);
  end_process();
  pilot_.restart();
  restarted_ = true;
  state_ = Link::kNotStarted;
}

// ---- for others

std::vector<std::string> ArdupilotSitl::external_peers() const {
  std::vector<std::string> peers = {"ardupilot_json", "ardupilot_telemetry",
                                    "ardupilot_parameters"};
  if (attachment_.attached()) peers.emplace_back(kOutsidePeer);
  return peers;
}

void ArdupilotSitl::take_external_bytes(std::vector<ExternalBytes>& bytes) {
  if (!packet_bytes_.empty()) bytes.push_back({kJsonPeer, std::exchange(packet_bytes_, {})});
  std::vector<std::byte> telemetry = telemetry_bytes_.take();
  if (!telemetry.empty()) bytes.push_back({kTelemetryPeer, std::move(telemetry)});
  if (!settings_bytes_.empty()) {
    bytes.push_back({kSettingsPeer, std::exchange(settings_bytes_, {})});
  }
  std::vector<std::byte> brought = attachment_.take_bytes();
  if (!brought.empty()) bytes.push_back({kAttachedPeer, std::move(brought)});
}

void ArdupilotSitl::take_notes(std::vector<Note>& notes) {
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  notes_.clear();
}

std::vector<std::string> ArdupilotSitl::warnings() const {
  std::vector<std::string> list;
  for (std::string text : {process_ ? process_->console_failure() : std::string(),
                           late_answers_.text("ArduPilot", link_.late),
                           telemetry_bytes_.left_out_text(external_peers()[kTelemetryPeer])}) {
    if (!text.empty()) list.push_back(std::move(text));
  }
  return list;
}

void ArdupilotSitl::note(TimeUs now, const char* what) {
  notes_.push_back({now, what, 0, NoteFrom::kAutopilot});
}

}  // namespace tactus
