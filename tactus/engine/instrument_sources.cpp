// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/engine/instrument_sources.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"

namespace tactus {
namespace detail {

RandomStream instrument_stream(std::uint64_t seed, std::string_view kind, int index) {
  TACTUS_ASSERT(!kind.empty() && index >= 0, "a stream that has a name of its own");
  return {seed, fmt::format("{}{}", kind, index)};
}

void require_count(std::string_view kind, int count, int most) {
  require_within(kind, "count", count, 1, most);
}

SourceInfo instrument_info(Signal writes, SignalSet reads, DurationUs period) {
  const SignalFacts& facts = facts_of(writes);
  return {.name = to_text(facts.axis),
          .stage = facts.stage,
          .axis = facts.axis,
          .reads = reads | SignalSet::of(Signal::kFaults),
          .writes = SignalSet::of(writes),
          .period = period};
}

}  // namespace detail

std::vector<std::unique_ptr<Source>> make_instrument_sources(const SensorsSpec& sensors,
                                                             std::uint64_t seed,
                                                             const Schedule& schedule,
                                                             const World& world, int rotor_count) {
  std::vector<std::unique_ptr<Source>> sources;
  const VehicleCounts counts{.instruments = instrument_counts(sensors)};
  for_each_kind(
      sensors, [&]<class Parameters>(CountOf counted, const SensorKind<Parameters>& kind) {
        const int count = count_of(counts, counted);
        if (count == 0) return;
        const Axis axis = signal_counted_by(counted).axis;
        const DurationUs period = schedule.period(axis);
        if (period.us == 0) {
          refuse_key("sensors", fmt::format("fitted, but the axis \"{}\" has no period; set its "
                                            "period_s (an IMU follows time.autopilot_s)",
                                            to_text(axis)));
        }
        sources.push_back(std::make_unique<InstrumentSource<Parameters>>(
            kind.parameters, InstrumentSet{count, seed, period}, world, rotor_count));
      });
  return sources;
}

}  // namespace tactus
