// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Instruments on the bus: one source per kind, on its own axis, for all instruments of that kind.
// They share parameters; instance i draws from the random stream of its name ("imu0", "gps1"), so
// another instrument, fitted or removed, changes no number of the rest. What a kind reads, writes
// and knows of the world is told by InstrumentOnBus in its header.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tactus/core/random.h"
#include "tactus/engine/source.h"
#include "tactus/sensor/instrument.h"
#include "tactus/sensor/sensors_spec.h"
#include "tactus/signal/schedule.h"
#include "tactus/world/world.h"

namespace tactus {

/// How many of a kind, from which seed and how often.
struct InstrumentSet {
  int count = 1;
  std::uint64_t seed = 1;
  DurationUs period;
};

namespace detail {

RandomStream instrument_stream(std::uint64_t seed, std::string_view kind, int index);
void require_count(std::string_view kind, int count, int most);
SourceInfo instrument_info(Signal writes, SignalSet reads, DurationUs period);

}  // namespace detail

/// All instruments of the kind that has these parameters.
template <class Parameters>
class InstrumentSource final : public Source {
 public:
  InstrumentSource(const Parameters& parameters, const InstrumentSet& set, const World& world,
                   int rotor_count = 0)
      : parameters_(parameters),
        on_bus_(world, rotor_count),
        count_(set.count),
        period_(set.period) {
    detail::require_count(kFacts.name, count_, kMost);
    validate(parameters_, kFacts.name);
    if constexpr (requires { validate_latency(parameters_, period_, kFacts.name); }) {
      validate_latency(parameters_, period_, kFacts.name);
    }
    for (int i = 0; i < count_; ++i) {
      stream_[i] = detail::instrument_stream(set.seed, kFacts.name, i);
    }
  }

  [[nodiscard]] SourceInfo info() const override {
    return detail::instrument_info(OnBus::kWrites, OnBus::kReads, period_);
  }

  void update(SourceContext& context) override {
    const auto input = on_bus_.input(context.bus);
    const Faults& faults = context.bus.read<Signal::kFaults>();
    auto& readings = context.bus.write<OnBus::kWrites>();
    for (int i = 0; i < count_; ++i) {
      const InstrumentTick tick{stream_[i], period_, context.now, faults.instrument, i};
      readings[i] = OnBus::step(parameters_, tick, input, state_[i]);
    }
  }

  [[nodiscard]] std::unique_ptr<Source> clone() const override {
    return std::make_unique<InstrumentSource>(*this);
  }

  void save(StateWriter& to) const override {
    to.add(count_);
    for (int i = 0; i < count_; ++i) to.add_fields(kFacts.name, state_[i]);
  }
  void load(StateReader& from) override {
    from.require_same(kFacts.name, count_);
    for (int i = 0; i < count_; ++i) from.get_fields(kFacts.name, state_[i]);
  }

 private:
  using OnBus = InstrumentOnBus<Parameters>;
  static constexpr const SignalFacts& kFacts = facts_of(OnBus::kWrites);
  static constexpr int kMost = most_of(kFacts.count);

  Parameters parameters_;
  OnBus on_bus_;
  int count_;
  DurationUs period_;
  RandomStream stream_[kMost];
  typename OnBus::State state_[kMost] = {};
};

/// A source for each kind that is on board, with the period of its axis. Throws Error(kBadInput) if
/// an axis has none.
std::vector<std::unique_ptr<Source>> make_instrument_sources(const SensorsSpec& sensors,
                                                             std::uint64_t seed,
                                                             const Schedule& schedule,
                                                             const World& world, int rotor_count);

}  // namespace tactus
