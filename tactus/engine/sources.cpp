// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/engine/sources.h"

#include "tactus/core/assert.h"

namespace tactus {
namespace {

/// Everything that it may know, but for its own answers.
SignalSet read_by(const Autopilot& autopilot) {
  const SignalSet given{kAutopilotMayRead.bits & ~kAutopilotWrites.bits};
  return autopilot.sees_truth() ? given | SignalSet::of(Signal::kTruth) : given;
}

}  // namespace

WindSource::WindSource(const WindParameters& parameters, std::uint64_t seed, DurationUs period)
    : parameters_(parameters), stream_(seed, kWindStream), period_(period) {
  validate(parameters_, "wind");
}

SourceInfo WindSource::info() const {
  return {.name = "wind",
          .stage = Stage::kWind,
          .axis = Axis::kWind,
          .reads = SignalSet::of(Signal::kTruth),
          .writes = SignalSet::of(Signal::kWind),
          .period = period_};
}

void WindSource::update(SourceContext& context) {
  TACTUS_ASSERT(period_.us > 0, "an axis that ticks");
  const Truth& truth = context.bus.read<Signal::kTruth>();
  const WindInput input{truth.height_m, truth.velocity_W_m_s};
  if (!started_) {
    state_ = start_wind(parameters_, stream_, input, context.now);
    started_ = true;
  }
  const WindSample sample = step_wind(parameters_, stream_, input, context.now, period_, state_);
  context.bus.write<Signal::kWind>() = {sample.value_W_m_s, sample.slope_W_m_s2, context.now};
}

std::unique_ptr<Source> WindSource::clone() const { return std::make_unique<WindSource>(*this); }

void WindSource::save(StateWriter& to) const {
  to.add_fields("wind", state_);
  to.add(started_);
}

void WindSource::load(StateReader& from) {
  from.get_fields("wind", state_);
  started_ = from.get<bool>();
}

EstimatorSource::EstimatorSource(const EstimatorParameters& parameters, std::uint64_t seed,
                                 DurationUs period)
    : stream_(seed, kEstimatorStream) {
  validate(parameters, "estimator");
  validate_delay(parameters, period, "estimator");
  estimator_ = make_estimator(parameters, period);
}

SourceInfo EstimatorSource::info() const {
  return {.name = "estimator",
          .stage = Stage::kSensors,
          .axis = Axis::kSensors,
          .reads = SignalSet::of(Signal::kTruth, Signal::kFaults),
          .writes = SignalSet::of(Signal::kEstimate),
          .period = estimator_.period};
}

void EstimatorSource::update(SourceContext& context) {
  context.bus.write<Signal::kEstimate>() =
      step_estimator(estimator_, stream_, context.bus.read<Signal::kTruth>(),
                     context.bus.read<Signal::kFaults>().estimator, context.now, state_);
}

std::unique_ptr<Source> EstimatorSource::clone() const {
  return std::make_unique<EstimatorSource>(*this);
}

void EstimatorSource::save(StateWriter& to) const { to.add_fields("estimator", state_); }
void EstimatorSource::load(StateReader& from) { from.get_fields("estimator", state_); }

LandDetectorSource::LandDetectorSource(const LandDetectorParameters& parameters, int motor_count,
                                       DurationUs period)
    : parameters_(parameters), motor_count_(motor_count), period_(period) {
  TACTUS_ASSERT(motor_count >= 0 && motor_count <= kMaxMotors, "motors that have room");
  validate(parameters_, "land_detector");
}

SourceInfo LandDetectorSource::info() const {
  return {
      .name = "land detector",
      .stage = Stage::kSensors,
      .axis = Axis::kSensors,
      .reads = SignalSet::of(Signal::kTruth, Signal::kLoads, Signal::kCommand, Signal::kAutopilot),
      .writes = SignalSet::of(Signal::kLand),
      .period = period_};
}

void LandDetectorSource::update(SourceContext& context) {
  context.bus.write<Signal::kLand>() =
      step_land_detector(parameters_, context.now, context.bus.read<Signal::kTruth>(),
                         context.bus.read<Signal::kLoads>(), context.bus.read<Signal::kCommand>(),
                         motor_count_, context.bus.read<Signal::kAutopilot>().hover_thrust, state_);
}

std::unique_ptr<Source> LandDetectorSource::clone() const {
  return std::make_unique<LandDetectorSource>(*this);
}

void LandDetectorSource::save(StateWriter& to) const { to.add_fields("land detector", state_); }
void LandDetectorSource::load(StateReader& from) { from.get_fields("land detector", state_); }

AutopilotSource::AutopilotSource(PoweredAutopilot powered, DurationUs period, SourceMode mode)
    : powered_(std::move(powered)),
      peers_(powered_.autopilot().outside_peers()),
      period_(period),
      mode_(mode) {}

AutopilotSource::AutopilotSource(std::shared_ptr<Autopilot> autopilot, DurationUs period,
                                 SourceMode mode)
    : AutopilotSource(PoweredAutopilot(std::move(autopilot)), period, mode) {}

SourceInfo AutopilotSource::info() const {
  const bool sees_truth = autopilot().sees_truth();
  return {.name = autopilot().name(),
          .stage = Stage::kAutopilot,
          .axis = Axis::kAutopilot,
          .reads = read_by(autopilot()),
          .writes = kAutopilotWrites,
          .mode = mode_,
          .period = period_,
          .sees_truth = sees_truth};
}

void AutopilotSource::update(SourceContext& context) {
  if (mode_ == SourceMode::kOutside) return;
  BusPort& bus = context.bus;
  TACTUS_ASSERT(context.now == bus.now(), "a source acts at the instant of the bus");
  const AutopilotInput input =
      autopilot_input(bus.read_all(read_by(autopilot())), context.now, autopilot().sees_truth());
  powered_.step(bus.read<Signal::kPower>().autopilot_powered, input);
  bus.write<Signal::kCommand>() = powered_.output().command;
  bus.write<Signal::kAutopilot>() = powered_.output().status;
}

std::unique_ptr<Source> AutopilotSource::clone() const {
  if (mode_ == SourceMode::kOutside) return nullptr;  // its caller steps this one only
  std::optional<PoweredAutopilot> copy = powered_.clone();
  if (!copy) return nullptr;
  return std::unique_ptr<Source>(new AutopilotSource(std::move(*copy), period_, mode_));
}

void AutopilotSource::save(StateWriter& to) const {
  if (mode_ == SourceMode::kOutside) return Source::save(to);
  powered_.save(to);
}

void AutopilotSource::load(StateReader& from) { powered_.load(from); }

}  // namespace tactus
