// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/schema/instruments.h"

#include <fmt/format.h>

#include <string_view>

#include "tactus/spec/schema/schema_enums.h"

namespace tactus {

bool is_fitted(Instrument instrument, const InstrumentCounts& counts) {
  const InstrumentGroup& group = group_of(instrument);
  const int index = static_cast<int>(instrument) - static_cast<int>(group.first);
  return index < count_of({.instruments = counts}, group.count);
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
  return fmt::format("sensors.{}.count", signal_counted_by(group_of(instrument).count).name);
}

}  // namespace tactus
