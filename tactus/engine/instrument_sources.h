// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Instruments on the bus: one source per kind, on its own axis, for all instruments of that kind.
// They share parameters; instance i draws from the random stream of its name ("imu0", "gps1"), so
// another instrument, fitted or removed, changes no number of the rest.

#include <cstdint>
#include <memory>
#include <string_view>

#include "tactus/core/random.h"
#include "tactus/engine/source.h"
#include "tactus/plant/contact.h"
#include "tactus/sensor/airspeed.h"
#include "tactus/sensor/barometer.h"
#include "tactus/sensor/gps.h"
#include "tactus/sensor/imu.h"
#include "tactus/sensor/magnetometer.h"
#include "tactus/sensor/range_finder.h"
#include "tactus/signal/limits.h"
#include "tactus/world/geodesy.h"
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

/// All instruments of one kind: plain data.
template <class Parameters, class State, int most>
struct Instruments {
  Parameters parameters;
  const char* kind;
  int count;
  DurationUs period;
  RandomStream stream[most];
  State state[most] = {};

  Instruments(const Parameters& given, const InstrumentSet& set, const char* name)
      : parameters(given), kind(name), count(set.count), period(set.period) {
    require_count(kind, count, most);
    validate(parameters, kind);
    for (int i = 0; i < count; ++i) stream[i] = instrument_stream(set.seed, kind, i);
  }

  void save(StateWriter& to) const {
    to.add(count);
    for (int i = 0; i < count; ++i) to.add_fields(kind, state[i]);
  }
  void load(StateReader& from) {
    from.require_same(kind, count);
    for (int i = 0; i < count; ++i) from.get_fields(kind, state[i]);
  }
};

}  // namespace detail

class ImuSource final : public Source {
 public:
  /// `rotor_count`: of those that shake it.
  ImuSource(const ImuParameters& parameters, const InstrumentSet& set, const World& world,
            int rotor_count);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override { imus_.save(to); }
  void load(StateReader& from) override { imus_.load(from); }

 private:
  detail::Instruments<ImuParameters, ImuState, kMaxImus> imus_;
  World world_;
  int rotor_count_;
};

class MagnetometerSource final : public Source {
 public:
  MagnetometerSource(const MagnetometerParameters& parameters, const InstrumentSet& set,
                     const MagneticFieldParameters& field, const WorldOrigin& origin);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override { magnetometers_.save(to); }
  void load(StateReader& from) override { magnetometers_.load(from); }

 private:
  detail::Instruments<MagnetometerParameters, MagnetometerState, kMaxMagnetometers> magnetometers_;
  MagneticField field_;
  LocalFrame frame_;
};

class BarometerSource final : public Source {
 public:
  BarometerSource(const BarometerParameters& parameters, const InstrumentSet& set);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override { barometers_.save(to); }
  void load(StateReader& from) override { barometers_.load(from); }

 private:
  detail::Instruments<BarometerParameters, BarometerState, kMaxBarometers> barometers_;
};

class GpsSource final : public Source {
 public:
  GpsSource(const GpsParameters& parameters, const InstrumentSet& set, const WorldOrigin& origin);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override { receivers_.save(to); }
  void load(StateReader& from) override { receivers_.load(from); }

 private:
  detail::Instruments<GpsParameters, GpsState, kMaxGps> receivers_;
  LocalFrame frame_;
};

class AirspeedSource final : public Source {
 public:
  AirspeedSource(const AirspeedParameters& parameters, const InstrumentSet& set);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override { tubes_.save(to); }
  void load(StateReader& from) override { tubes_.load(from); }

 private:
  detail::Instruments<AirspeedParameters, AirspeedState, kMaxAirspeeds> tubes_;
};

class RangeFinderSource final : public Source {
 public:
  RangeFinderSource(const RangeFinderParameters& parameters, const InstrumentSet& set,
                    const GroundParameters& ground);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override { finders_.save(to); }
  void load(StateReader& from) override { finders_.load(from); }

 private:
  detail::Instruments<RangeFinderParameters, RangeFinderState, kMaxRangeFinders> finders_;
  GroundParameters ground_;
};

}  // namespace tactus
