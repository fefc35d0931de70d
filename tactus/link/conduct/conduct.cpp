// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/conduct/conduct.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/conduct/simulator_clock.h"
#include "tactus/link/net/outside_network.h"

namespace tactus {
namespace {

using conductor::RecordHeader;
using conductor::RecordKind;
using Message = ConductedProgram::Message;

constexpr std::int64_t kStep_ns = 1'000'000;  // of time without a simulator
constexpr DurationUs kLook{20'000};           // while nothing comes
constexpr DurationUs kAskAgain{200'000};      // a simulator that was not there when it was asked
constexpr DurationUs kLongestSilence{10'000'000};  // of what is connected and tells no time

class Conducting {
 public:
  Conducting(ConductedProgram& program, const ConductOptions& options)
      : program_(program), options_(options), network_("the conducted program") {
    program_.keep_outside(OutsideConnections::kKept);
  }

  TurnEnd run() {
    while (true) {
      const TurnEnd end = program_.turn(Deadline::after(DurationUs(0)), options_.interrupted);
      if (end != TurnEnd::kIdle) return end;
      for (Message& message : program_.take_outside()) carry(std::move(message));
      if (options_.interrupted && options_.interrupted()) return TurnEnd::kInterrupted;
      if (steps_.empty()) look();
      if (!steps_.empty()) {
        bring();
      } else if (clock_.runs() || awaits_simulator()) {
        wait(kLook);
      } else {
        pass_time();
      }
    }
  }

 private:
  void carry(Message message) {
    network_.take(message);
    const RecordKind kind = message.header.kind;
    if (kind == RecordKind::kConnect) {
      awaited_connection_ = message.header.id;
      silence_end_ = Deadline::after(DurationUs(0));
    }
    if (kind == RecordKind::kClosed) forget(message.header.id);
    if (kind == RecordKind::kDatagram && !clock_.runs() && decode_servo_packet(message.bytes)) {
      question_ = std::move(message);
      ask_again_ = Deadline::after(kAskAgain);
    }
  }

  void forget(std::uint32_t connection) {
    if (awaited_connection_ == connection) awaited_connection_.reset();
  }

  /// For a connection and what it tells, or for the answer to its first question. What happens
  /// until then would be chance if time passed.
  [[nodiscard]] bool awaits_simulator() const {
    return (awaited_connection_ && !silence_end_.passed()) || question_.has_value();
  }

  void look() {
    received_.clear();
    network_.receive(TimeUs{}, received_);
    taken_.clear();
    for (Message& message : received_) {
      const RecordHeader& header = message.header;
      if (header.kind == RecordKind::kClosed) forget(header.id);
      if (header.kind == RecordKind::kAccepted) silence_end_ = Deadline::after(kLongestSilence);
      clock_.take(std::move(message), taken_);
    }
    for (SimulatorClock::Step& step : taken_) steps_.push_back(std::move(step));
    if (clock_.runs()) question_.reset();
    if (question_ && ask_again_.passed()) {
      network_.take(*question_);
      ask_again_ = Deadline::after(kAskAgain);
    }
  }

  /// One thing after the other, each worked off before the next.
  void bring() {
    const SimulatorClock::Step step = std::move(steps_.front());
    steps_.pop_front();
    if (step.since_first_ns) {
      if (*step.since_first_ns == 0) first_ns_ = program_.limit_ns();
      program_.set_limit_ns(std::max(program_.limit_ns(), first_ns_ + *step.since_first_ns));
    }
    program_.send(step.message.header, step.message.bytes);
    paced_from_.reset();
  }

  void pass_time() {
    if (options_.speed > 0.0) {
      if (!paced_from_) paced_from_ = {Clock::now(), program_.limit_ns()};
      const auto passed = static_cast<double>(program_.limit_ns() - paced_from_->limit_ns);
      const auto due =
          paced_from_->wall + std::chrono::nanoseconds(std::llround(passed / options_.speed));
      const auto left =
          std::chrono::duration_cast<std::chrono::microseconds>(due - Clock::now()).count();
      if (left > 0) {
        wait(DurationUs(static_cast<std::uint64_t>(left)));
        look();
        if (!steps_.empty()) return;
      }
    }
    program_.set_limit_ns(program_.limit_ns() + kStep_ns);
  }

  void wait(DurationUs longest) {
    descriptors_.clear();
    network_.add_descriptors(descriptors_);
    wait_readable(descriptors_, Deadline::after(std::max(longest, DurationUs(1))),
                  options_.interrupted);
  }

  using Clock = std::chrono::steady_clock;
  struct PacedFrom {
    Clock::time_point wall;
    std::int64_t limit_ns;
  };

  ConductedProgram& program_;
  const ConductOptions& options_;
  MachineNetwork network_;
  SimulatorClock clock_;
  std::deque<SimulatorClock::Step> steps_;
  std::optional<std::uint32_t> awaited_connection_;  ///< the last that it has made
  Deadline silence_end_ = Deadline::now();           ///< it is awaited until then
  std::optional<Message> question_;
  Deadline ask_again_ = Deadline::now();
  std::int64_t first_ns_ = 0;  ///< its time when the simulator told it first
  std::optional<PacedFrom> paced_from_;
  std::vector<Message> received_;
  std::vector<SimulatorClock::Step> taken_;
  std::vector<int> descriptors_;
};

}  // namespace

TurnEnd conduct(ConductedProgram& program, const ConductOptions& options) {
  return Conducting(program, options).run();
}

}  // namespace tactus
