// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/engine/sources.h"

namespace tactus {

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

AutopilotSource::AutopilotSource(std::shared_ptr<Autopilot> autopilot, DurationUs period,
                                 SourceMode mode)
    : autopilot_(std::move(autopilot)),
      peers_(autopilot_->outside_peers()),
      period_(period),
      mode_(mode) {}

SourceInfo AutopilotSource::info() const {
  constexpr SignalSet kReads = SignalSet::of(
      Signal::kEstimate, Signal::kLand, Signal::kHighLevel, Signal::kParameter, Signal::kBattery,
      Signal::kPower, Signal::kEsc, Signal::kImu, Signal::kMagnetometer, Signal::kBarometer,
      Signal::kGps, Signal::kAirspeed, Signal::kRangeFinder);
  const bool sees_truth = autopilot_->sees_truth();
  return {.name = autopilot_->name(),
          .stage = Stage::kAutopilot,
          .axis = Axis::kAutopilot,
          .reads = sees_truth ? kReads | SignalSet::of(Signal::kTruth) : kReads,
          .writes = SignalSet::of(Signal::kCommand, Signal::kAutopilot),
          .mode = mode_,
          .period = period_,
          .sees_truth = sees_truth};
}

void AutopilotSource::update(SourceContext& context) {
  if (mode_ == SourceMode::kOutside) return;
  BusPort& bus = context.bus;
  if (bus.read<Signal::kPower>().autopilot_powered) {
    if (!powered_) {
      autopilot_->restart();
      output_ = {};
    }
    powered_ = true;
    const AutopilotInput input{context.now,
                               bus.read<Signal::kEstimate>(),
                               bus.read<Signal::kLand>(),
                               bus.read<Signal::kHighLevel>(),
                               bus.read<Signal::kParameter>(),
                               bus.read<Signal::kBattery>(),
                               bus.read<Signal::kEsc>(),
                               bus.read<Signal::kImu>(),
                               bus.read<Signal::kMagnetometer>(),
                               bus.read<Signal::kBarometer>(),
                               bus.read<Signal::kGps>(),
                               bus.read<Signal::kAirspeed>(),
                               bus.read<Signal::kRangeFinder>(),
                               autopilot_->sees_truth() ? &bus.read<Signal::kTruth>() : nullptr};
    autopilot_->step(input, output_);
  } else {
    powered_ = false;
    output_ = {};
  }
  bus.write<Signal::kCommand>() = output_.command;
  bus.write<Signal::kAutopilot>() = output_.status;
}

std::unique_ptr<Source> AutopilotSource::clone() const {
  if (mode_ == SourceMode::kOutside) return nullptr;  // nobody would step the copy
  std::unique_ptr<Autopilot> copy = autopilot_->clone();
  if (copy == nullptr) return nullptr;
  auto source = std::make_unique<AutopilotSource>(std::move(copy), period_);
  source->output_ = output_;
  source->powered_ = powered_;
  return source;
}

void AutopilotSource::save(StateWriter& to) const {
  if (mode_ == SourceMode::kOutside) return Source::save(to);
  to.add_fields("command", output_.command);
  to.add_fields("autopilot status", output_.status);
  to.add(powered_);
  autopilot_->save(to);
}

void AutopilotSource::load(StateReader& from) {
  from.get_fields("command", output_.command);
  from.get_fields("autopilot status", output_.status);
  powered_ = from.get<bool>();
  autopilot_->load(from);
}

}  // namespace tactus
