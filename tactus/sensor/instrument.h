// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What all instruments share besides noise.h: the way from the sample to the reader with the faults
// of the scenario on it.
//
// A model takes a sample at every tick of its axis, whatever the fault, with the fault's bias and
// noise factor in it; `deliver` decides what of it arrives:
//   delay    the sample of ⌈delay/period⌉ ticks earlier; a delay that begins stops the readings
//            until the first late one arrives, so no reading goes back in time
//   every n  only ticks 0, n, 2n … of the instrument bring a reading
//   dropout  nothing arrives and the count stands
//   stuck    the last reading comes again, counted and with a fresh time, which is wrong
//   garbage  values anywhere in the range of the instrument
// Where several act, the order is: every, dropout, stuck, garbage. Random numbers are pure
// functions of (stream, tick, channel), so neither a fault nor a deviation of zero shifts any other
// number.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tactus/core/fields.h"
#include "tactus/core/random.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"
#include "tactus/sensor/noise.h"
#include "tactus/signal/bus.h"
#include "tactus/signal/signals.h"

namespace tactus {

/// Samples on their way and the reading that stands. Copyable; a default one has seen no tick.
template <class Value, std::size_t samples>
struct InstrumentLine {
  static constexpr std::uint64_t kSamples = samples;  ///< the longest delay is one tick less

  std::uint64_t taken = 0;    ///< samples so far: the number of the next tick
  std::uint64_t arrived = 0;  ///< samples up to the last that could be read
  std::uint32_t count = 0;    ///< readings so far
  TimeUs measured_at;         ///< of the reading
  Value reading{};
  Value line[samples] = {};  ///< sample k is at k mod kSamples

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("taken", "", self.taken, "samples so far");
    visit("arrived", "", self.arrived, "samples up to the last that could be read");
    visit("count", "", self.count, "readings so far");
    visit("measured_at_us", "us", self.measured_at, "instant of the reading");
    visit("reading", "", self.reading, "last value read");
    visit("line", "", self.line, "samples on their way");
  }
};

/// Ticks from a sample to its arrival. Throws Error(kBadInput) if they do not fit into a line.
std::uint64_t delay_in_ticks(DurationUs own_delay, const InstrumentFault& fault, DurationUs period,
                             std::uint64_t line_samples);

constexpr bool has(const InstrumentFault& fault, InstrumentBit which) {
  return (fault.mask & instrument_bit(which)) != 0;
}

/// Takes the sample of the tick at `now` and updates the reading. `garbage(tick)` is called only
/// when it is wanted.
template <class Value, std::size_t samples, class MakeGarbage>
void deliver(const InstrumentFault& fault, DurationUs own_delay, DurationUs period, TimeUs now,
             const Value& sample, MakeGarbage&& garbage, InstrumentLine<Value, samples>& line) {
  const std::uint64_t delay = delay_in_ticks(own_delay, fault, period, samples);
  const std::uint64_t tick = line.taken++;
  line.line[tick % samples] = sample;
  if (tick < delay || tick - delay < line.arrived) return;
  line.arrived = tick - delay + 1;
  if (fault.every > 1 && tick % fault.every != 0) return;
  if (has(fault, InstrumentBit::kDropout)) return;
  ++line.count;
  line.measured_at = now - delay * period;
  if (has(fault, InstrumentBit::kStuck) && line.count > 1) return;
  line.reading =
      has(fault, InstrumentBit::kGarbage) ? garbage(tick) : line.line[(tick - delay) % samples];
}

// ---- on the bus

/// One tick of one instrument.
struct InstrumentTick {
  const RandomStream& stream;
  DurationUs period;
  TimeUs now;
  const InstrumentFault (&faults)[kInstrumentCount];  ///< by Instrument
  int index;                                          ///< among those of its kind

  /// Of the instruments whose first is this one.
  [[nodiscard]] const InstrumentFault& fault(Instrument first) const {
    return faults[static_cast<int>(first) + index];
  }
};

/// How instruments of a kind sit on the bus: what they write and read there, and what they know of
/// the world. Each kind has a specialisation, in its header:
///   using State = …;
///   static constexpr Signal kWrites;
///   static constexpr SignalSet kReads;                     besides the faults
///   InstrumentOnBus(const World&, int rotor_count);
///   Input input(const BusPort&) const;                     at a tick, for all of the kind
///   static Reading step(const Parameters&, const InstrumentTick&, const Input&, State&);
template <class Parameters>
struct InstrumentOnBus;

// ---- checks of parameters

void require_each_within(std::string_view where, std::string_view key, Vec3 value, double lowest,
                         double highest);

/// The longest `InstrumentFault::delay_us` that fits next to the instrument's own delay.
DurationUs longest_delay(std::uint64_t line_samples, DurationUs own_delay, DurationUs period);

}  // namespace tactus
