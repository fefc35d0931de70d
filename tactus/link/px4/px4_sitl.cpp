// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_sitl.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/link/net/conducted_link.h"

namespace tactus {
namespace {

constexpr std::uint64_t kPx4Start_us = 1'000'000;  // its time at the start of a run

// Wall time of one step while a free PX4 starts, and simulated time until that is over.
constexpr DurationUs kSilentStep{50'000};
constexpr DurationUs kLongestStart{5'000'000};
constexpr DurationUs kLongestSilence{60'000'000};  // simulated time until the first answer

constexpr DurationUs kStartWait{1'000'000};  // for an answer while parts are being started
constexpr DurationUs kLateWait{20'000};      // of policy hold, until it answers again
constexpr DurationUs kOtherGyroWait{20'000};
constexpr DurationUs kNoGyroWait{2'000};
constexpr DurationUs kOrderWait{60'000};  // for the answer to a command, clock held
constexpr DurationUs kExitWait{500'000};  // between the end of a connection and of its program
constexpr std::size_t kConsoleLines = 12;
constexpr char kOutsider[] =
    "a process that Tactus did not start has talked to PX4 over its local socket; that is not "
    "recorded, and the flight depends on it";
constexpr int kMostDatagrams = 1000;                       // taken at once
constexpr std::size_t kMostBytes = std::size_t{1} << 20U;  // likewise
constexpr int kStepsWithoutGyro = 25;                      // an IMU may be slower than PX4's steps

PilotParameters pilot_parameters(const Px4SitlParameters& parameters, const Px4Flight& flight) {
  PilotParameters pilot;
  pilot.flavour = PilotFlavour::kPx4;
  pilot.home = {flight.home.lat_deg, flight.home.lon_deg, flight.home.alt_msl_m};
  pilot.vehicle_system = static_cast<std::uint8_t>(1 + parameters.instance);
  return pilot;
}

std::int64_t nanoseconds(std::uint64_t time_us) {
  return static_cast<std::int64_t>(time_us) * 1000;
}

DurationUs shorter(DurationUs a, DurationUs limit) {
  return limit.us == 0 || a < limit ? a : limit;
}

}  // namespace

Px4Sitl::Px4Sitl(const Px4SitlParameters& parameters, const LinkParameters& link, Px4Flight flight,
                 Interrupted interrupted, ConductedSurroundings surroundings)
    : parameters_(parameters),
      ports_(px4_ports(parameters.instance)),
      limits_(link),
      flight_(std::move(flight)),
      interrupted_(std::move(interrupted)),
      tell_(std::move(surroundings.tell)),
      attachment_(std::move(surroundings.network)),
      encoder_(flight_.sensors),
      changes_(flight_.changeable),
      pilot_(pilot_parameters(parameters, flight_), flight_.mission) {
  validate(parameters, "autopilot");
  // A PX4 that the user has started gets them over MAVLink.
  if (parameters.wait) pilot_.set_parameters(flight_.parameters);
  // One that Tactus starts says nothing of names that it does not know.
  if (!parameters.wait) pilot_.look_for_parameters(flight_.named);
}

Px4Sitl::~Px4Sitl() = default;

void Px4Sitl::step(const AutopilotInput& input, AutopilotOutput& output) {
  now_ = input.now;
  if (phase_ == Phase::kOff) start(input.now);
  if (const auto changed = changes_.take(input.parameter)) pilot_.change_parameter(*changed);
  if (link_) {
    exchange(input);
  } else if (!asked_to_stop()) {
    late_.count(input.now, false, LateAnswers::Clock::now());
  }
  if (exchanges_telemetry()) {
    exchange_telemetry(input);
    note_texts(input.now);
    check_uploads(input.now);
  }
  if (conducted_) attachment_.carry(*conducted_);
  if (hil_bytes_.left_out() || telemetry_.left_out()) text_notes_.add(now_, kLeftOut, notes_);
  output.command = command_;
  output.status = pilot_.status();
  output.status.armed = armed_;
}

// ---- start

void Px4Sitl::start(TimeUs now) {
  boot_deadline_ = Deadline::after(limits_.connect_deadline);
  started_at_ = now;
  answered_at_ = now;
  if (auto stream = parameters_.free ? start_free() : start_conducted()) {
    link_.emplace(std::move(stream), interrupted_);
    phase_ = Phase::kSilent;
  } else if (asked_to_stop()) {
    end_program();
  } else if (has_ended()) {
    fail(fmt::format("ended before it connected to TCP port {}", ports_.hil));
  } else {
    fail(fmt::format("did not connect to TCP port {} within {} of wall time", ports_.hil,
                     to_text(limits_.connect_deadline)));
  }
}

/// The connection that PX4 makes; null: it makes none.
std::unique_ptr<ByteStream> Px4Sitl::start_free() {
  TcpListener listener(ports_.hil, "PX4 (MAVLink HIL)");
  mavlink_ = std::make_unique<UdpSocket>(ports_.own, "PX4 (MAVLink)");
  if (!parameters_.wait) {
    free_ = std::make_unique<ChildProcess>(px4_process(parameters_, flight_.parameters));
    process_ = free_.get();
  }
  const Interrupted stop = [this] { return asked_to_stop() || (process_ && !process_->running()); };
  std::optional<TcpStream> stream = listener.accept(boot_deadline_, stop);
  return stream ? std::make_unique<TcpStream>(std::move(*stream)) : nullptr;
}

std::unique_ptr<ByteStream> Px4Sitl::start_conducted() {
  constexpr std::uint64_t kSeed = 1;  // of what PX4 takes for chance
  if (parameters_.wait) {
    conducted_ = std::make_unique<ConductedProgram>("PX4", kSeed);
    const std::string& folder = conducted_->open_for_joining();
    if (tell_) tell_(joining_text("PX4", folder));
  } else {
    conducted_ =
        std::make_unique<ConductedProgram>(px4_process(parameters_, flight_.parameters), kSeed);
  }
  process_ = conducted_->child();
  attachment_.begin(*conducted_);
  mavlink_ = std::make_unique<ConductedPort>(*conducted_, ports_.own, true);
  const auto connection = conducted_->accept(ports_.hil, boot_deadline_, interrupted_);
  if (!connection) return nullptr;
  start_ns_ = conducted_->limit_ns();
  return std::make_unique<ConductedStream>(*conducted_, *connection);
}

/// False also for one that the user is still to start, or started free.
bool Px4Sitl::has_ended() const {
  return conducted_ ? !conducted_->running() : process_ && !process_->running();
}

void Px4Sitl::end_program() {
  mavlink_.reset();
  process_ = nullptr;
  free_.reset();
  conducted_.reset();
}

void Px4Sitl::restart() {
  if (parameters_.wait && phase_ != Phase::kOff) {
    throw Error(
        ExitCode::kPeer,
        "PX4 lost its supply and must start again, but only you can do that: you started it "
        "(autopilot.outside.wait = true). Leave its start to Tactus (autopilot.px4.binary) for "
        "flights that lose power");
  }
  close_link();
  end_program();
  encoder_ = Px4HilEncoder(flight_.sensors);
  pilot_.restart();
  command_ = {};
  armed_ = false;
  steps_without_gyro_ = 0;
  phase_ = Phase::kOff;
}

// ---- the exchange of one step

/// Wall time that a step lasts at least.
DurationUs Px4Sitl::step_length() const {
  if (!parameters_.free) return DurationUs(0);
  if (phase_ == Phase::kSilent) return kSilentStep;
  return phase_ == Phase::kStarting ? flight_.period : DurationUs(0);
}

void Px4Sitl::exchange(const AutopilotInput& input) {
  const DurationUs length = step_length();
  const Deadline step_end = length.us == 0 ? Deadline::now() : Deadline::after(length);
  messages_.clear();
  const std::uint64_t px4_time_us = input.now.us + kPx4Start_us;
  const GyroNews news = encoder_.encode(input, px4_time_us, messages_);
  if (conducted_) {
    conducted_->set_limit_ns(start_ns_ + nanoseconds(px4_time_us));
    attachment_.bring(*conducted_, input.now);
  }
  link_->send(messages_);
  if (phase_ == Phase::kSilent || phase_ == Phase::kStarting) {
    exchange_at_start(input.now, news, step_end);
  } else {
    exchange_in_flight(input.now, news);
  }
}

void Px4Sitl::exchange_at_start(TimeUs now, GyroNews news, Deadline step_end) {
  const bool silent = phase_ == Phase::kSilent;
  const bool too_long = boot_deadline_.passed();
  // Another program may hold the connection.
  if (has_ended()) {
    fail(fmt::format("ended while it started, at t = {}", to_text(now)));
  }
  Deadline wait_end = step_end;
  if (!parameters_.free) {
    wait_end = Deadline::after(limits_.exchange_deadline);
  } else if (!silent) {
    wait_end = Deadline::after(
        news == GyroNews::kPrimary ? shorter(kStartWait, limits_.exchange_deadline) : kNoGyroWait);
  }
  const bool due = !parameters_.free || (too_long && !silent && news == GyroNews::kPrimary);
  take_answer(link_->wait(now.us + kPx4Start_us, wait_end), now, due);
  const DurationUs since = now - started_at_;
  if (phase_ == Phase::kSilent && link_->answers() > 0) {
    phase_ = Phase::kStarting;
  } else if (phase_ == Phase::kSilent && parameters_.free && too_long) {
    fail(fmt::format("connected, but did not answer within {} of wall time (HIL_ACTUATOR_CONTROLS)",
                     to_text(limits_.connect_deadline)));
  } else if (phase_ == Phase::kSilent && since > kLongestSilence) {
    fail(fmt::format("connected, but did not answer within {} of its time (HIL_ACTUATOR_CONTROLS)",
                     to_text(kLongestSilence)));
  }
  if (phase_ != Phase::kStarting && phase_ != Phase::kSilent) return;
  wait_until(step_end, interrupted_);
  if (phase_ == Phase::kSilent) return;
  if (pilot_.vehicle().has_heartbeat || since >= kLongestStart) phase_ = Phase::kFlying;
}

void Px4Sitl::exchange_in_flight(TimeUs now, GyroNews news) {
  // A conducted one is late only if it hangs, whatever it gets.
  const bool due = (news == GyroNews::kPrimary || !parameters_.free) && phase_ == Phase::kFlying;
  Deadline deadline = Deadline::after(limits_.exchange_deadline);
  if (phase_ == Phase::kLate) deadline = Deadline::after(kLateWait);
  if (parameters_.free && news == GyroNews::kOther) deadline = Deadline::after(kOtherGyroWait);
  if (parameters_.free && news == GyroNews::kNone) deadline = Deadline::after(kNoGyroWait);
  if (phase_ == Phase::kFreeRunning) deadline = Deadline::now();
  steps_without_gyro_ = news == GyroNews::kNone ? steps_without_gyro_ + 1 : 0;
  if (steps_without_gyro_ == kStepsWithoutGyro) note(now, "PX4 gets no gyroscope reading");
  const LateAnswers::Clock::time_point since = LateAnswers::Clock::now();
  const HilAnswer answer = link_->wait(now.us + kPx4Start_us, deadline);
  const bool in_time = take_answer(answer, now, due);
  const bool was_due = news == GyroNews::kPrimary && answer != HilAnswer::kNone;
  if (in_time || (was_due && !asked_to_stop())) late_.count(now, in_time, since);
}

/// Whether one that can be flown came in time.
bool Px4Sitl::take_answer(HilAnswer answer, TimeUs now, bool due) {
  std::string wrong;
  if (link_->answers() > 0) {
    const mavlink::HilActuatorControls& controls = link_->controls();
    wrong = wrong_control(controls, flight_.motor_count);
    if (wrong.empty()) {
      command_ = motor_command(controls, flight_.motor_count);
      armed_ = is_armed(controls);
    }
  }
  if (!wrong.empty() && answer != HilAnswer::kClosed) {
    be_wrong(now, wrong);
  } else if (answer == HilAnswer::kAnswered) {
    answered_at_ = now;
    if (phase_ == Phase::kLate) {
      phase_ = Phase::kFlying;
      note(now, "PX4 answers again");
    }
  } else if (answer == HilAnswer::kClosed) {
    be_gone(now);
  } else if (answer == HilAnswer::kLate && due) {
    be_late(now);
  }
  return wrong.empty() && answer == HilAnswer::kAnswered;
}

// ---- what can go wrong

std::string Px4Sitl::who() const {
  return process_ ? fmt::format("PX4 (process {})", process_->pid()) : "PX4 (started by you)";
}

void Px4Sitl::fail(const std::string& what) {
  std::string text = fmt::format("{} {}", who(), what);
  if (process_) {
    const std::string end = process_->exit_text();
    if (!end.empty()) text += fmt::format("; it {}", end);
    const std::string console = process_->console_tail(kConsoleLines);
    text += console.empty() ? "; it printed nothing"
                            : fmt::format(". The end of its console:\n{}", console);
  } else {
    text += "; look at its console";
  }
  if (conducted_) text += conducted_->stop_text();
  drop();
  throw Error(ExitCode::kPeer, text);
}

void Px4Sitl::be_late(TimeUs now) {
  miss(now,
       fmt::format(
           "{} at t = {}: awaited HIL_ACTUATOR_CONTROLS of its time {} us; its last answer in time "
           "was at t = {}, the newest has its time {} us ({} answers had a wrong time, {} frames a "
           "wrong checksum, {} bytes were no message)",
           link_->flooded() ? std::string("sends without pause, but no answer")
                            : fmt::format("did not answer within {} of wall time",
                                          to_text(limits_.exchange_deadline)),
           to_text(now), now.us + kPx4Start_us, to_text(answered_at_), link_->controls().time_usec,
           link_->wrong_times(), link_->counts().bad_checksum, link_->counts().skipped_bytes));
}

/// Its last command that could be flown holds.
void Px4Sitl::be_wrong(TimeUs now, const std::string& what) {
  text_notes_.add(now, "sends " + what, notes_);
  if (phase_ == Phase::kLate || phase_ == Phase::kFreeRunning) return;
  miss(now, fmt::format("has sent what cannot be flown at t = {}: {}", to_text(now), what));
}

/// An answer that could be flown did not come; `why` is for the policy that ends the run.
void Px4Sitl::miss(TimeUs now, const std::string& why) {
  note(now, "PX4 late");
  switch (limits_.late) {
    case LatePolicy::kFail: fail(why);
    case LatePolicy::kHold: phase_ = Phase::kLate; break;
    case LatePolicy::kDrop: drop(); break;
    case LatePolicy::kFreeRunning: phase_ = Phase::kFreeRunning; break;
  }
}

void Px4Sitl::be_gone(TimeUs now) {
  note(now, "PX4 gone");
  if (process_) {
    // The connection ends a moment before the program does; its exit status is worth the wait.
    const Interrupted ended = [this] { return !process_->running(); };
    wait_until(Deadline::after(kExitWait), ended);
  }
  const bool was_up = phase_ != Phase::kSilent && phase_ != Phase::kStarting;
  if (limits_.late == LatePolicy::kFail || !was_up) {
    fail(fmt::format("closed the connection at t = {}; {}", to_text(now),
                     phase_ == Phase::kSilent
                         ? "it had not answered before"
                         : "its last answer was at t = " + to_text(answered_at_)));
  }
  if (limits_.late == LatePolicy::kDrop) {
    drop();
    return;
  }
  close_link();
  phase_ = Phase::kGone;
}

void Px4Sitl::keep_bytes() {
  if (!link_) return;
  hil_bytes_.add(link_->take_bytes(), now_);
}

/// What came last is still to be recorded.
void Px4Sitl::close_link() {
  keep_bytes();
  link_.reset();
}

void Px4Sitl::drop() {
  close_link();
  end_program();
  command_ = {};
  armed_ = false;
  phase_ = Phase::kDropped;
}

void Px4Sitl::note(TimeUs now, const char* what) {
  notes_.push_back({now, what, 0, NoteFrom::kAutopilot});
}

// ---- commands and telemetry

bool Px4Sitl::exchanges_telemetry() const {
  return mavlink_ && phase_ != Phase::kSilent && phase_ != Phase::kOff && phase_ != Phase::kDropped;
}

void Px4Sitl::exchange_telemetry(const AutopilotInput& input) {
  receive_telemetry(input.now, Deadline::now());
  pilot_.report_battery(
      std::span(input.battery).first(static_cast<std::size_t>(flight_.pack_count)), input.now);
  pilot_.want(input.high_level, input.now);
  if (!send_orders() || pilot_.idle()) return;
  // Answers that need no simulated time come now, so that they belong to this step.
  const Deadline deadline =
      Deadline::after(parameters_.free ? shorter(kOrderWait, limits_.exchange_deadline)
                                       : limits_.exchange_deadline);
  for (int i = 0; i < kMostDatagrams && !pilot_.idle() && !asked_to_stop(); ++i) {
    if (!receive_telemetry(input.now, deadline)) break;
    send_orders();
  }
}

/// False: nothing came.
bool Px4Sitl::receive_telemetry(TimeUs now, Deadline deadline) {
  std::size_t bytes = 0;
  for (int i = 0; i < kMostDatagrams && bytes < kMostBytes && !asked_to_stop(); ++i) {
    UdpPeer from;
    const auto result = mavlink_->receive(datagram_, deadline, interrupted_, &from);
    if (result != ReceiveResult::kData) break;
    bytes += datagram_.size();
    if (from.port != ports_.mavlink) continue;  // of another program
    telemetry_.add(datagram_, now);
    pilot_.receive(datagram_, now);
    deadline = Deadline::now();
  }
  return bytes > 0;
}

void Px4Sitl::note_texts(TimeUs now) {
  texts_.clear();
  pilot_.take_texts(texts_);
  for (const VehicleText& text : texts_) text_notes_.add(now, text.text, notes_);
  if (!pilot_.refusal().empty()) text_notes_.add(now, "refuses " + pilot_.refusal(), notes_);
  const std::string open = pilot_.parameter_upload().unconfirmed();
  if (!open.empty()) text_notes_.add(now, "has not confirmed the parameters " + open, notes_);
}

void Px4Sitl::check_uploads(TimeUs now) {
  const std::string refusal = pilot_.upload_refusal();
  if (refusal.empty()) return;
  // One that no longer answers is left to the policy.
  if (phase_ != Phase::kFlying && phase_ != Phase::kStarting) return;
  fail(fmt::format("cannot fly this flight at t = {}: {}", to_text(now), refusal));
}

bool Px4Sitl::send_orders() {
  bool sent = false;
  for (auto order = pilot_.take_outgoing(); !order.empty(); order = pilot_.take_outgoing()) {
    mavlink_->send_to(ports_.mavlink, order);
    sent = true;
  }
  return sent;
}

// ---- for the recording

std::vector<std::string> Px4Sitl::external_peers() const {
  std::vector<std::string> peers = {"px4_hil", "px4_telemetry"};
  if (attachment_.attached()) peers.emplace_back(kOutsidePeer);
  return peers;
}

void Px4Sitl::take_external_bytes(std::vector<ExternalBytes>& bytes) {
  keep_bytes();
  const auto give = [&bytes](std::size_t peer, std::vector<std::byte> received) {
    if (!received.empty()) bytes.push_back({peer, std::move(received)});
  };
  give(0, hil_bytes_.take());
  give(1, telemetry_.take());
  give(2, attachment_.take_bytes());
}

std::vector<std::string> Px4Sitl::warnings() const {
  std::vector<std::string> list;
  const std::vector<std::string> peers = external_peers();
  for (std::string text :
       {process_ ? process_->console_failure() : std::string(), late_.text("PX4", limits_.late),
        conducted_ && conducted_->has_outsider() ? std::string(kOutsider) : std::string(),
        hil_bytes_.left_out_text(peers[0]), telemetry_.left_out_text(peers[1])}) {
    if (!text.empty()) list.push_back(std::move(text));
  }
  return list;
}

void Px4Sitl::take_notes(std::vector<Note>& notes) {
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  notes_.clear();
}

void Px4Sitl::save(StateWriter& /*to*/) const {
  throw Error(ExitCode::kBadInput,
              "autopilot \"px4-sitl\" cannot be saved: its state is in another program");
}

void Px4Sitl::load(StateReader& /*from*/) {
  throw Error(ExitCode::kBadInput,
              "autopilot \"px4-sitl\" cannot be loaded: its state is in another program");
}

}  // namespace tactus
