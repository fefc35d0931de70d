// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/instruments.h"

#include <fmt/format.h>

#include <string_view>

#include "tactus/scenario/schema_enums.h"

namespace tactus {
namespace {

/// Instruments of one kind follow each other in the enumeration.
struct Kind {
  Instrument first;
  int InstrumentCounts::*count;
  std::string_view table;
};
constexpr Kind kKinds[] = {
    {Instrument::kGyroscope0, &InstrumentCounts::imus, "imu"},
    {Instrument::kAccelerometer0, &InstrumentCounts::imus, "imu"},
    {Instrument::kMagnetometer0, &InstrumentCounts::magnetometers, "magnetometer"},
    {Instrument::kBarometer0, &InstrumentCounts::barometers, "barometer"},
    {Instrument::kGps0, &InstrumentCounts::gps, "gps"},
    {Instrument::kAirspeed, &InstrumentCounts::airspeeds, "airspeed"},
    {Instrument::kRangeFinder, &InstrumentCounts::range_finders, "range_finder"},
};

const Kind& kind_of(Instrument instrument) {
  const Kind* last = kKinds;
  for (const Kind& kind : kKinds) {
    if (kind.first <= instrument) last = &kind;
  }
  return *last;
}

}  // namespace

bool is_fitted(Instrument instrument, const InstrumentCounts& counts) {
  const Kind& kind = kind_of(instrument);
  return static_cast<int>(instrument) - static_cast<int>(kind.first) < counts.*kind.count;
}

std::string fitted_instruments(const InstrumentCounts& counts) {
  std::string names;
  for (int i = 0; i < kInstrumentCount; ++i) {
    const auto instrument = static_cast<Instrument>(i);
    if (!is_fitted(instrument, counts)) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(instrument));
  }
  return names.empty() ? "none" : names;
}

std::string count_key(Instrument instrument) {
  return fmt::format("sensors.{}.count", kind_of(instrument).table);
}

}  // namespace tactus
