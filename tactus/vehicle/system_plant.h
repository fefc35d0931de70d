// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What small vehicles have in common: one system of equations (solver/system.h) on the bus, with
// state, solver memory, held wind, samples, events, saving and loading. `Derived` is the vehicle:
//
//   static constexpr const char* kName;                 "rover"
//   System system_at(TimeUs now) const;                 with parameters, input, modes, wind
//   void publish_state(const double* x, Bus&) const;
//   void publish_outputs(const double* x, TimeUs now, Bus&) const;
//   void save_input(StateWriter&) const;                what it holds besides the wind
//   void load_input(StateReader&);
//
// and the rest of Plant: counts, hold, settle, watch_for, require_step_resolves. `Modes` are its
// discrete states, a struct with a field list; they are part of digest, recordings and saved state.
// System::parts() names the entries of the packed state.

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/solver/advance.h"
#include "tactus/solver/config.h"
#include "tactus/solver/runge_kutta.h"
#include "tactus/solver/sampler.h"
#include "tactus/vehicle/held_wind.h"
#include "tactus/vehicle/plant.h"

namespace tactus {

/// A system with a tap that gets every evaluation.
template <class System>
struct TappedSystem : System {
  TimeUs from;
  RhsTap* tap;

  Status derivative(double t_s, const double* x, double* dx) const {
    const Status status = System::derivative(t_s, x, dx);
    const auto size = static_cast<std::size_t>(this->size());
    tap->evaluated({from, t_s, {x, size}, std::span<const double>(dx, size), {}, {}});
    return status;
  }
};

template <class Derived, class System, class Modes>
class SystemPlant : public Plant {
 public:
  void publish_state(Bus& bus) const final { self().publish_state(flight_.x, bus); }
  void publish_outputs(Bus& bus) const final { self().publish_outputs(flight_.x, bus.time, bus); }

  TimeUs advance(TimeUs end, WatchList watches, const Bus& bus, IntervalObserver* observer) final {
    TACTUS_ASSERT(bus.time < end, "an interval that has a length");
    TACTUS_ASSERT(watches.count >= 0 && watches.count <= kMaxWatches, "watches that have room");
    System system = self().system_at(bus.time);
    system.watches = watches;
    samples_.samples.clear();
    const bool is_sampled = observer != nullptr && observer->period.us != 0;
    if (is_sampled) samples_.period = observer->period;
    RhsTap* const tap = observer != nullptr ? observer->tap : nullptr;
    const AdvanceResult result =
        tap != nullptr
            ? integrate(TappedSystem<System>{system, bus.time, tap}, bus.time, end, is_sampled)
            : integrate(system, bus.time, end, is_sampled);
    if (result.status != Status::kOk) {
      throw Error(
          ExitCode::kRunStopped,
          fmt::format("t = {} us: the {} cannot be integrated further: {}; step {} us",
                      result.reached.us, Derived::kName, to_text(result.status), result.step_us));
    }
    TACTUS_ASSERT(result.reached > bus.time && result.reached <= end,
                  "its end, or an event before");
    samples_.drop_from(result.reached);
    if (is_sampled) show_samples(bus, *observer);
    return result.reached;
  }

  /// The solver's derivative; one that depends on time is not carried from interval to interval.
  void check_caches(TimeUs now) const final {
    const System system = self().system_at(wind_.since);
    if (!memory_.step.derivative_valid || system.depends_on_time()) return;
    double computed[System::kCapacity];
    system.derivative(0.0, flight_.x, computed);
    for (int i = 0; i < system.size(); ++i) {
      if (canonical_bits(memory_.derivative[i]) == canonical_bits(computed[i])) continue;
      throw Error(ExitCode::kRunStopped,
                  fmt::format("t = {} us: {}: the solver's derivative of entry {} of its state was "
                              "remembered as {:.17g}, but is {:.17g} when computed anew; state, "
                              "modes or input have changed without clearing it, which is a fault "
                              "of this program",
                              now.us, Derived::kName, i, memory_.derivative[i], computed[i]));
    }
  }

  void add_state(Digest& digest) const final {
    digest.add(state());
    for_each_value(flight_.modes, [&digest](const auto& mode) { digest.add(mode); });
  }
  [[nodiscard]] std::vector<BusLeaf> state_leaves() const final;
  [[nodiscard]] const void* state_block() const final { return &flight_; }
  [[nodiscard]] const SolverTotals& totals() const final { return memory_.totals; }
  void take_notes(std::vector<Note>& notes) final {
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    notes_.clear();
  }
  [[nodiscard]] std::unique_ptr<Plant> clone() const final {
    return std::make_unique<Derived>(self());
  }

  void save(StateWriter& to) const final {
    to.begin(Derived::kName);
    to.add_numbers("state", state());
    to.add_fields("step", memory_.step);
    to.add_fields("solver totals", memory_.totals);
    to.add_numbers("derivative", std::span(memory_.derivative, state().size()));
    self().save_input(to);
    wind_.save(to);
  }
  void load(StateReader& from) final {
    from.begin(Derived::kName);
    from.get_numbers("state", std::span(flight_.x, state().size()));
    from.get_fields("step", memory_.step);
    from.get_fields("solver totals", memory_.totals);
    from.get_numbers("derivative", std::span(memory_.derivative, state().size()));
    self().load_input(from);
    wind_.load(from);
    for (const double entry : state()) {
      if (!math::is_finite(entry)) from.refuse("holds a number that is not finite");
    }
    if (!(memory_.step.previous_error > 0.0)) {
      from.refuse("holds an error of the last step that is not positive");
    }
    if (from.changed()) memory_.invalidate_derivative();
  }

  void require_at(TimeUs now, const StateReader& from) const final {
    if (wind_.since > now) from.refuse("holds a wind that begins later");
  }

 protected:
  /// What changes in flight, apart from the solver's memory.
  struct Flight {
    double x[System::kCapacity] = {};
    Modes modes;
  };

  explicit SystemPlant(const SolverConfig& solver) : solver_(solver) { require_same_bits(); }

  [[nodiscard]] std::span<const double> state() const {
    return {flight_.x, static_cast<std::size_t>(self().system_at(wind_.since).size())};
  }

  SolverConfig solver_;
  Flight flight_;
  SolverMemory<System::kCapacity> memory_;
  HeldWind wind_;
  std::vector<Note> notes_;

 private:
  [[nodiscard]] const Derived& self() const { return static_cast<const Derived&>(*this); }
  [[nodiscard]] Derived& self() { return static_cast<Derived&>(*this); }

  template <class Integrated>
  AdvanceResult integrate(const Integrated& system, TimeUs start, TimeUs end, bool is_sampled) {
    if (!is_sampled) return tactus::advance(system, solver_, memory_, start, end, flight_.x);
    return tactus::advance(system, solver_, memory_, start, end, flight_.x,
                           Sampler<System::kCapacity>{end, &samples_});
  }

  void show_samples(const Bus& bus, IntervalObserver& observer) {
    const StateGroups groups = self().system_at(bus.time).groups();
    for (auto& sample : samples_.samples) {
      TACTUS_ASSERT(sample.time > bus.time, "a sample inside of the interval");
      Bus seen = bus;
      seen.time = sample.time;
      normalize_attitudes(groups, sample.x, false);
      self().publish_state(sample.x, seen);
      self().publish_outputs(sample.x, sample.time, seen);
      observer.sample(sample.time, seen);
    }
  }

  StateSamples<System::kCapacity> samples_;
};

template <class Derived, class System, class Modes>
std::vector<BusLeaf> SystemPlant<Derived, System, Modes>::state_leaves() const {
  std::vector<BusLeaf> leaves;
  for (const StatePart& part : self().system_at(wind_.since).parts()) {
    TACTUS_ASSERT(part.begin >= 0 && part.begin + part.count <= System::kCapacity,
                  "a part of the state");
    for (int i = 0; i < part.count; ++i) {
      const std::string index = part.count == 1 ? "" : fmt::format("[{}]", i);
      const auto entry = static_cast<std::size_t>(part.begin + i);
      leaves.push_back({fmt::format("state.{}{}", part.name, index), part.unit, "",
                        entry * sizeof(double), BusLeaf::Kind::kReal});
    }
  }
  const Flight flight;
  for_each_leaf(flight.modes, [&](const LeafPath& path, const auto& mode) {
    const auto offset =
        reinterpret_cast<const std::byte*>(&mode) - reinterpret_cast<const std::byte*>(&flight);
    leaves.push_back({"modes." + path.text(), path.unit, path.meaning,
                      static_cast<std::size_t>(offset),
                      leaf_kind<std::remove_cvref_t<decltype(mode)>>()});
  });
  return leaves;
}

}  // namespace tactus
