// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/engine/instrument_sources.h"

#include <fmt/format.h>

#include <span>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"

namespace tactus {
namespace {

/// The fault of instrument `index` of the kind that starts with `first`.
const InstrumentFault& fault_of(const SourceContext& context, Instrument first, int index) {
  TACTUS_ASSERT(index >= 0, "an instrument of this kind");
  return context.bus.read<Signal::kFaults>().instrument[static_cast<int>(first) + index];
}

SourceInfo info_of(Signal writes, SignalSet reads, DurationUs period) {
  const SignalFacts& facts = facts_of(writes);
  return {.name = to_text(facts.axis),
          .stage = facts.stage,
          .axis = facts.axis,
          .reads = reads | SignalSet::of(Signal::kFaults),
          .writes = SignalSet::of(writes),
          .period = period};
}

}  // namespace

namespace detail {

RandomStream instrument_stream(std::uint64_t seed, std::string_view kind, int index) {
  TACTUS_ASSERT(!kind.empty() && index >= 0, "a stream that has a name of its own");
  return {seed, fmt::format("{}{}", kind, index)};
}

void require_count(std::string_view kind, int count, int most) {
  require_within(kind, "count", count, 1, most);
}

}  // namespace detail

// ---- IMU

ImuSource::ImuSource(const ImuParameters& parameters, const InstrumentSet& set, const World& world,
                     int rotor_count)
    : imus_(parameters, set, "imu"), world_(world), rotor_count_(rotor_count) {
  TACTUS_ASSERT(rotor_count >= 0 && rotor_count <= kMaxMotors, "rotors that have room");
}

SourceInfo ImuSource::info() const {
  return info_of(Signal::kImu, SignalSet::of(Signal::kTruth, Signal::kEsc), imus_.period);
}

void ImuSource::update(SourceContext& context) {
  const Truth& truth = context.bus.read<Signal::kTruth>();
  const std::span<const EscStatus> rotors(context.bus.read<Signal::kEsc>(),
                                          static_cast<std::size_t>(rotor_count_));
  const ImuInput input{truth, gravity_at(world_, truth.position_W_m).z, rotors};
  for (int i = 0; i < imus_.count; ++i) {
    context.bus.write<Signal::kImu>()[i] =
        step_imu(imus_.parameters, imus_.stream[i], imus_.period, input,
                 fault_of(context, Instrument::kGyroscope0, i),
                 fault_of(context, Instrument::kAccelerometer0, i), context.now, imus_.state[i]);
  }
}

std::unique_ptr<Source> ImuSource::clone() const { return std::make_unique<ImuSource>(*this); }

// ---- magnetometer

MagnetometerSource::MagnetometerSource(const MagnetometerParameters& parameters,
                                       const InstrumentSet& set,
                                       const MagneticFieldParameters& field,
                                       const WorldOrigin& origin)
    : magnetometers_(parameters, set, "magnetometer"), frame_(make_local_frame(origin)) {
  validate(field, "magnetic_field");
  field_ = make_magnetic_field(field);
}

SourceInfo MagnetometerSource::info() const {
  return info_of(Signal::kMagnetometer, SignalSet::of(Signal::kTruth, Signal::kBattery),
                 magnetometers_.period);
}

void MagnetometerSource::update(SourceContext& context) {
  const Truth& truth = context.bus.read<Signal::kTruth>();
  double current_a = 0.0;
  for (const BatteryStatus& pack : context.bus.read<Signal::kBattery>()) {
    current_a += pack.current_a;
  }
  const Vec3 flux_nt = magnetic_flux_nt(field_, ned_to_geodetic(frame_, truth.position_W_m));
  const MagnetometerInput input{truth.attitude, kGaussPerNanotesla * flux_nt, current_a};
  for (int i = 0; i < magnetometers_.count; ++i) {
    context.bus.write<Signal::kMagnetometer>()[i] = step_magnetometer(
        magnetometers_.parameters, magnetometers_.stream[i], magnetometers_.period, input,
        fault_of(context, Instrument::kMagnetometer0, i), context.now, magnetometers_.state[i]);
  }
}

std::unique_ptr<Source> MagnetometerSource::clone() const {
  return std::make_unique<MagnetometerSource>(*this);
}

// ---- barometer

BarometerSource::BarometerSource(const BarometerParameters& parameters, const InstrumentSet& set)
    : barometers_(parameters, set, "barometer") {}

SourceInfo BarometerSource::info() const {
  return info_of(Signal::kBarometer, SignalSet::of(Signal::kTruth, Signal::kEnvironment),
                 barometers_.period);
}

void BarometerSource::update(SourceContext& context) {
  const BarometerInput input{context.bus.read<Signal::kEnvironment>(),
                             context.bus.read<Signal::kTruth>().air_velocity_B_m_s};
  for (int i = 0; i < barometers_.count; ++i) {
    context.bus.write<Signal::kBarometer>()[i] = step_barometer(
        barometers_.parameters, barometers_.stream[i], barometers_.period, input,
        fault_of(context, Instrument::kBarometer0, i), context.now, barometers_.state[i]);
  }
}

std::unique_ptr<Source> BarometerSource::clone() const {
  return std::make_unique<BarometerSource>(*this);
}

// ---- GPS

GpsSource::GpsSource(const GpsParameters& parameters, const InstrumentSet& set,
                     const WorldOrigin& origin)
    : receivers_(parameters, set, "gps"), frame_(make_local_frame(origin)), origin_(origin) {
  validate_latency(parameters, set.period, "gps");
}

SourceInfo GpsSource::info() const {
  return info_of(Signal::kGps, SignalSet::of(Signal::kTruth), receivers_.period);
}

void GpsSource::update(SourceContext& context) {
  const GpsInput input{context.bus.read<Signal::kTruth>(), frame_, origin_};
  for (int i = 0; i < receivers_.count; ++i) {
    context.bus.write<Signal::kGps>()[i] =
        step_gps(receivers_.parameters, receivers_.stream[i], receivers_.period, input,
                 fault_of(context, Instrument::kGps0, i), context.now, receivers_.state[i]);
  }
}

std::unique_ptr<Source> GpsSource::clone() const { return std::make_unique<GpsSource>(*this); }

// ---- airspeed

AirspeedSource::AirspeedSource(const AirspeedParameters& parameters, const InstrumentSet& set)
    : tubes_(parameters, set, "airspeed") {}

SourceInfo AirspeedSource::info() const {
  return info_of(Signal::kAirspeed, SignalSet::of(Signal::kTruth, Signal::kEnvironment),
                 tubes_.period);
}

void AirspeedSource::update(SourceContext& context) {
  const AirspeedInput input{context.bus.read<Signal::kEnvironment>(),
                            context.bus.read<Signal::kTruth>().air_velocity_B_m_s};
  for (int i = 0; i < tubes_.count; ++i) {
    context.bus.write<Signal::kAirspeed>()[i] =
        step_airspeed(tubes_.parameters, tubes_.stream[i], tubes_.period, input,
                      fault_of(context, Instrument::kAirspeed, i), context.now, tubes_.state[i]);
  }
}

std::unique_ptr<Source> AirspeedSource::clone() const {
  return std::make_unique<AirspeedSource>(*this);
}

// ---- range finder

RangeFinderSource::RangeFinderSource(const RangeFinderParameters& parameters,
                                     const InstrumentSet& set, const GroundParameters& ground)
    : finders_(parameters, set, "range_finder"), ground_(ground) {}

SourceInfo RangeFinderSource::info() const {
  return info_of(Signal::kRangeFinder, SignalSet::of(Signal::kTruth), finders_.period);
}

void RangeFinderSource::update(SourceContext& context) {
  const Truth& truth = context.bus.read<Signal::kTruth>();
  const RangeFinderInput input{truth.attitude, truth.height_m, ground_.normal_W, ground_.present};
  for (int i = 0; i < finders_.count; ++i) {
    context.bus.write<Signal::kRangeFinder>()[i] = step_range_finder(
        finders_.parameters, finders_.stream[i], finders_.period, input,
        fault_of(context, Instrument::kRangeFinder, i), context.now, finders_.state[i]);
  }
}

std::unique_ptr<Source> RangeFinderSource::clone() const {
  return std::make_unique<RangeFinderSource>(*this);
}

}  // namespace tactus
