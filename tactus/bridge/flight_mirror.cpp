// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/flight_mirror.h"

#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/engine/sources.h"
#include "tactus/record/recording.h"
#include "tactus/replay/playback/held_ticks.h"
#include "tactus/scenario/assembly.h"
#include "tactus/vehicle/prescribed_plant.h"

namespace tactus {

/// Notes of an autopilot, and what it received.
struct FlightMirror::Messages {
  std::vector<Note> notes;
  std::vector<ExternalBytes> bytes;
};

struct FlightMirror::Newest {
  Bus seen;         ///< the frame, and what the scenario wanted
  SignalSet holds;  ///< of the first frame
  Command command;
  AutopilotStatus status;
  std::vector<Note> notes;  ///< of the scenario
  Messages messages;
  TimeUs boundary;                   ///< at which the run is
  std::optional<TimeUs> frame_time;  ///< of the vehicle's last frame, of its own time
  int frames_since_tick = 0;         ///< on which the autopilot ran
};

namespace {

/// Moves them. A frame that was not waited for has an instant of its own; events are reported at
/// the boundary that shows them, so that their time never goes back.
void move_notes(std::vector<Note>& from, TimeUs boundary, std::vector<Note>& to) {
  for (Note& note : from) {
    note.time = boundary;
    to.push_back(note);
  }
  from.clear();
}

/// Some signals of the newest frame, number by number: only what the vehicle has.
class Copied {
 public:
  Copied(std::shared_ptr<const Bus> from, SignalSet signals, const VehicleCounts& counts)
      : from_(std::move(from)), leaves_(leaves_of(signals, bus_leaves(counts))) {}

  void to(Bus& bus) const {
    for (const BusLeaf& leaf : leaves_) {
      std::memcpy(reinterpret_cast<std::byte*>(&bus) + leaf.offset,
                  reinterpret_cast<const std::byte*>(from_.get()) + leaf.offset,
                  size_of(leaf.kind));
    }
  }

 private:
  std::shared_ptr<const Bus> from_;
  std::vector<BusLeaf> leaves_;
};

/// Shows what the frames say of the motion; there is nothing to integrate.
class FramePlant final : public PrescribedPlant {
 public:
  FramePlant(const std::shared_ptr<const Bus>& frame, SignalSet published,
             const VehicleCounts& counts)
      : copied_(frame, published, counts), published_(published), counts_(counts) {}

  [[nodiscard]] VehicleCounts counts() const override { return counts_; }
  [[nodiscard]] SignalSet publishes() const override { return published_; }
  void publish_state(Bus& bus) const override { copied_.to(bus); }
  bool hold(const Bus& /*bus*/) override { return false; }
  void publish_outputs(Bus& /*bus*/) const override {}
  TimeUs advance(TimeUs end, WatchList /*watches*/, const Bus& /*bus*/,
                 IntervalObserver* /*observer*/) override {
    return end;
  }
  [[nodiscard]] std::unique_ptr<Plant> clone() const override {
    return std::make_unique<FramePlant>(*this);
  }

 private:
  Copied copied_;
  SignalSet published_;
  VehicleCounts counts_;
};

/// A part of a flight that is elsewhere: its signals, and the axis on which recordings have them.
struct Part {
  const char* name;
  Stage stage;
  Axis axis;
  SignalSet signals;
};

/// The scenario, then what the simulator senses, by axis.
std::vector<Part> parts_of_frames() {
  std::vector<Part> parts = {{"scenario", Stage::kScenario, Axis::kEveryBoundary, kOrders}};
  for (int i = 0; i < kAxes; ++i) {
    const auto axis = static_cast<Axis>(i);
    const SignalSet signals = SignalSet::where([axis](const SignalFacts& facts) {
      return facts.in_frames && facts.stage == Stage::kSensors && facts.axis == axis;
    });
    if (signals.bits != 0) parts.push_back({kExternalSimulator, Stage::kSensors, axis, signals});
  }
  return parts;
}

class FrameSource final : public Source {
 public:
  FrameSource(const Part& part, Copied copied, std::vector<Note>* notes, const TimeUs* boundary)
      : part_(part), copied_(std::move(copied)), notes_(notes), boundary_(boundary) {}

  [[nodiscard]] SourceInfo info() const override {
    SourceInfo info;
    info.name = part_.name;
    info.stage = part_.stage;
    info.axis = part_.axis;
    info.writes = part_.signals;
    return info;
  }
  void update(SourceContext& context) override {
    for (std::size_t i = 0; i < kSignals; ++i) {
      const auto signal = static_cast<Signal>(i);
      if (part_.signals.has(signal)) copied_.to(context.bus.write_all(signal));
    }
  }
  void take_notes(std::vector<Note>& notes) override {
    if (part_.stage == Stage::kScenario) move_notes(*notes_, *boundary_, notes);
  }
  [[nodiscard]] std::unique_ptr<Source> clone() const override { return nullptr; }

 private:
  Part part_;
  Copied copied_;
  std::vector<Note>* notes_;
  const TimeUs* boundary_;
};

}  // namespace

/// The autopilot, which the caller steps. It has had the exchange already at which the run will
/// be, so its messages are kept until then.
class FlightMirror::AutopilotMessages final : public Source {
 public:
  AutopilotMessages(const std::shared_ptr<Autopilot>& autopilot, DurationUs period,
                    std::shared_ptr<Newest> newest)
      : stands_for_(autopilot, period, SourceMode::kCaller), newest_(std::move(newest)) {
    const std::span<const std::string> received = stands_for_.external_peers();
    peers_.assign(received.begin(), received.end());
    peers_.emplace_back(kHeldTicksPeer);
  }

  [[nodiscard]] SourceInfo info() const override { return stands_for_.info(); }
  /// Its ticks: whether it ran, on the frame of this instant.
  void update(SourceContext& context) override {
    const int frames = std::exchange(newest_->frames_since_tick, 0);
    const bool of_now = frames == 1 && newest_->frame_time == context.now;
    if (!of_now) held_ = frames == 0 ? kTickNotRun : kTickOtherFrame;
  }
  void take_notes(std::vector<Note>& notes) override {
    move_notes(newest_->messages.notes, newest_->boundary, notes);
  }
  [[nodiscard]] std::span<const std::string> external_peers() const override { return peers_; }
  void take_external_bytes(std::vector<ExternalBytes>& bytes) override {
    std::vector<ExternalBytes>& received = newest_->messages.bytes;
    std::move(received.begin(), received.end(), std::back_inserter(bytes));
    received.clear();
    if (held_) bytes.push_back({peers_.size() - 1, {*held_}});
    held_.reset();
  }
  [[nodiscard]] std::unique_ptr<Source> clone() const override { return nullptr; }

 private:
  AutopilotSource stands_for_;
  std::vector<std::string> peers_;
  std::optional<std::byte> held_;
  std::shared_ptr<Newest> newest_;
};

FlightMirror::FlightMirror(const Spec& spec, std::shared_ptr<Autopilot> autopilot,
                           Observers observers)
    : spec_(&spec),
      autopilot_(std::move(autopilot)),
      observers_(std::move(observers)),
      newest_(std::make_shared<Newest>()) {
  TACTUS_ASSERT(autopilot_ != nullptr, "an autopilot is given");
}

FlightMirror::~FlightMirror() = default;

std::unique_ptr<Run> FlightMirror::make_run() const {
  AssembleOptions by_caller;
  by_caller.command_from = CommandFrom::kCaller;
  const Assembly here = assemble(*spec_, by_caller);  // as if it flew here: counts and instants
  const VehicleCounts& counts = here.run.counts();
  const std::shared_ptr<const Bus> frame(newest_, &newest_->seen);

  RunSetup setup;
  setup.schedule = here.run.schedule();
  setup.log_period = here.run.log_period();
  setup.log_interpolates = here.run.log_interpolates();
  setup.command_from = CommandFrom::kCaller;
  setup.instruments = counts.instruments;
  setup.plant = std::make_unique<FramePlant>(frame, newest_->holds & kPlantSignals, counts);
  for (const Part& part : parts_of_frames()) {
    const bool ticks =
        part.axis == Axis::kEveryBoundary || setup.schedule.period(part.axis).us != 0;
    const bool in_frame =
        part.stage == Stage::kScenario || (newest_->holds & part.signals) == part.signals;
    if (!ticks || !in_frame) continue;
    setup.sources.push_back(std::make_unique<FrameSource>(part, Copied(frame, part.signals, counts),
                                                          &newest_->notes, &newest_->boundary));
  }
  setup.sources.push_back(
      std::make_unique<AutopilotMessages>(autopilot_, spec_->timeline.autopilot, newest_));
  return std::make_unique<Run>(std::move(setup));
}

void FlightMirror::see(Vehicle& vehicle, TimeUs now) {
  TACTUS_ASSERT(!closed_, "observers that are not closed");
  if (!vehicle.has_frame()) return;
  if (run_ == nullptr) begin(vehicle);
  TACTUS_ASSERT(now >= epoch_, "an instant of the vehicle's own time");
  const TimeUs own = TimeUs() + (now - epoch_);
  // Instants between two exchanges still show the frame before.
  while (!run_->finished() && run_->now() < own) proceed_once();
  const TimeUs frame_time = TimeUs() + (vehicle.frame().time - epoch_);
  if (std::exchange(newest_->frame_time, frame_time) != frame_time) ++newest_->frames_since_tick;
  copy_signals(vehicle.frame(), newest_->seen);
  newest_->command = vehicle.command().command;
  newest_->status = vehicle.command().status;
  vehicle.take_scenario_notes(newest_->notes);
  collect(newest_->messages);
  while (!run_->finished() && run_->now() <= own) proceed_once();
}

/// If the first frame was late, instants before it show it as well, but there were no orders or
/// commands then.
void FlightMirror::begin(const Vehicle& vehicle) {
  TACTUS_ASSERT(run_ == nullptr && vehicle.has_frame(), "it begins once, with the first frame");
  epoch_ = vehicle.epoch();
  newest_->holds = vehicle.frame().holds;
  copy_signals(vehicle.frame(), newest_->seen, kFrameSignals);
  std::unique_ptr<Run> run = make_run();
  open(*run, observers_);
  run_ = std::move(run);
}

void FlightMirror::collect(Messages& messages) {
  autopilot_->take_notes(messages.notes);
  autopilot_->take_external_bytes(messages.bytes);
}

void FlightMirror::proceed_once() {
  TACTUS_ASSERT(!run_->finished(), "a run that goes on");
  failed_ = true;  // unless it goes well
  newest_->boundary = run_->now();
  const Progress progress = proceed(*run_, observers_);
  if (progress == Progress::kNeedsCommand) {
    give_command(*run_, newest_->command, newest_->status);
  }
  failed_ = false;
}

void FlightMirror::close() {
  closed_ = true;
  if (run_ == nullptr) return;
  take_final_output();
  const std::unique_ptr<Run> run = std::move(run_);
  tactus::close(*run, observers_);
}

/// A step that failed was not seen. If its autopilot has reported something, the run goes as far as
/// to that exchange, and reports it there; nothing else of a boundary that is not complete is
/// recorded.
void FlightMirror::take_final_output() {
  if (failed_ || run_->finished()) return;
  Messages last;
  collect(last);
  if (last.notes.empty() && last.bytes.empty()) return;
  try {
    while (!run_->finished() && !run_->schedule().current().on(Axis::kAutopilot)) proceed_once();
    newest_->messages = std::move(last);
    newest_->boundary = run_->now();
    proceed(*run_, observers_);
  } catch (const Error&) {  // a frame that no flight may hold: closing matters more
  }
}

}  // namespace tactus
