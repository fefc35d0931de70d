// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Recorder backends. A recording keeps, for every signal, the instants at which it changed and its
// values there; between two of them the value holds (the signals carry their own slope where they
// have one). Together with the instants that no axis explains it is all that replay_source.h needs.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tactus/core/bus.h"
#include "tactus/core/digest.h"
#include "tactus/engine/observer.h"

namespace tactus {

/// Type of a signal on the bus; an array for batteries and speed controllers.
template <Signal signal>
using SignalValue = std::remove_cvref_t<decltype(detail::signal_of<signal>(std::declval<Bus&>()))>;

template <Signal signal>
struct SignalSample {
  TimeUs time;
  SignalValue<signal> value;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_us", "us", self.time);
    visit("value", "", self.value);
  }
};

template <Signal signal>
using SignalTrack = std::vector<SignalSample<signal>>;

/// Calls f.template operator()<signal>() for every signal, in the order of the bus.
template <class F>
constexpr void for_each_signal(F&& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (f.template operator()<static_cast<Signal>(i)>(), ...);
  }
  (std::make_index_sequence<kSignals>{});
}

struct MemoryRecording {
  VehicleCounts counts;
  std::vector<TimeUs> instants;  ///< boundaries that were scheduled by a source or found
  TimeUs end;                    ///< the last boundary
  Digest128 flight_digest;
  bool complete = false;

  template <Signal signal>
  [[nodiscard]] const SignalTrack<signal>& track() const {
    return std::get<static_cast<std::size_t>(signal)>(tracks_);
  }
  template <Signal signal>
  [[nodiscard]] SignalTrack<signal>& track() {
    return std::get<static_cast<std::size_t>(signal)>(tracks_);
  }

 private:
  template <std::size_t... i>
  static auto make_tracks(std::index_sequence<i...>)
      -> std::tuple<SignalTrack<static_cast<Signal>(i)>...>;
  decltype(make_tracks(std::make_index_sequence<kSignals>{})) tracks_;
};

/// Keeps everything in memory.
class MemoryRecorder final : public Recorder {
 public:
  void begin(const Bus& initial, const VehicleCounts& counts) override;
  void boundary(const BoundaryView& view, SignalSet written) override;
  void end(Digest128 flight_digest, bool complete) override;

  /// What was recorded so far; a run that is flown later with this recorder starts a new one.
  [[nodiscard]] std::shared_ptr<const MemoryRecording> recording() const { return recording_; }

 private:
  std::shared_ptr<MemoryRecording> recording_ = std::make_shared<MemoryRecording>();
};

/// Keeps nothing: shows what recording itself costs.
class NullRecorder final : public Recorder {
 public:
  void begin(const Bus& /*initial*/, const VehicleCounts& /*counts*/) override {}
  void boundary(const BoundaryView& /*view*/, SignalSet /*written*/) override {}
  void end(Digest128 /*flight_digest*/, bool /*complete*/) override {}
};

}  // namespace tactus
