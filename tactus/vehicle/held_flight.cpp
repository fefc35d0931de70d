// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/held_flight.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/vehicle/held_input.h"

namespace tactus {
namespace {

/// A state that was saved by another program, or by this one and altered.
void require_state(const Multirotor& vehicle, const MultirotorFlight& flight,
                   const StateReader& from) {
  for (int i = 0; i < vehicle.layout.size; ++i) {
    if (math::is_finite(flight.state.x[i])) continue;
    from.refuse(fmt::format("holds {} = {}, which is not finite",
                            state_entry_name(vehicle.counts, i), flight.state.x[i]));
  }
  const double length = norm(load_quat(flight.state.x + vehicle.layout.attitude));
  if (!is_unit_length(length)) {
    from.refuse(fmt::format("holds an attitude of length {}, which is no rotation", length));
  }
  if (!fits(vehicle.counts, flight.modes)) {
    from.refuse("holds a mode of a rotor, gear point, pack or bus that this vehicle does not have");
  }
  if (flight.events.start > flight.now) from.refuse("counts events since an instant after its own");
  if (!(flight.memory.step.previous_error > 0.0)) {
    from.refuse("holds an error of the last step that is not positive");
  }
}

/// Compares what is remembered with what was computed anew.
class Comparison {
 public:
  explicit Comparison(TimeUs now) : now_(now) {}

  /// `name`: of entry `index`, asked for only if it differs.
  template <class Name>
  void same(double remembered, double computed, const Name& name) const {
    if (canonical_bits(remembered) == canonical_bits(computed)) return;
    refuse(fmt::format("{} was remembered as {:.17g}, but is {:.17g} when computed anew", name(),
                       remembered, computed));
  }

  void same_circuit(const char* which, const MultirotorCounts& n,
                    const detail::Electrical& remembered, const detail::Electrical& computed) const;

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ExitCode::kRunStopped,
                fmt::format("t = {} us: {}; state, modes or input have changed without clearing "
                            "what was remembered of them, which is a fault of this program",
                            now_.us, what));
  }

 private:
  TimeUs now_;
};

void Comparison::same_circuit(const char* which, const MultirotorCounts& n,
                              const detail::Electrical& remembered,
                              const detail::Electrical& computed) const {
  const detail::Electrical& a = remembered;
  const detail::Electrical& b = computed;
  const auto entry = [&](const char* name, int index, double was, double is) {
    same(was, is, [&] { return fmt::format("{}: {}[{}]", which, name, index); });
  };
  for (int i = 0; i < n.rotors; ++i) {
    entry("duty", i, a.motor[i].duty, b.motor[i].duty);
    entry("back_emf_v", i, a.motor[i].back_emf_v, b.motor[i].back_emf_v);
    entry("lower_a", i, a.motor[i].lower_a, b.motor[i].lower_a);
    entry("upper_a", i, a.motor[i].upper_a, b.motor[i].upper_a);
    const LoadCurve& p = a.curve[i];
    const LoadCurve& q = b.curve[i];
    entry("load_curve.count", i, p.count, q.count);
    for (int k = 0; k < q.count; ++k) {
      entry("load_curve.slope_a_per_v", i, p.slope_a_per_v[k], q.slope_a_per_v[k]);
      entry("load_curve.offset_a", i, p.offset_a[k], q.offset_a[k]);
      if (k + 1 < q.count) entry("load_curve.break_v", i, p.break_v[k], q.break_v[k]);
    }
  }
  for (int j = 0; j < n.packs; ++j) {
    entry("pack.emf_v", j, a.source[j].emf_v, b.source[j].emf_v);
    entry("pack.conductance_s", j, a.source[j].conductance_s, b.source[j].conductance_s);
    entry("pack.current_a", j, a.solution.pack_current_a[j], b.solution.pack_current_a[j]);
  }
  for (int b_index = 0; b_index < n.buses; ++b_index) {
    entry("avionics_w", b_index, a.avionics_w[b_index], b.avionics_w[b_index]);
    entry("bus_v", b_index, a.solution.bus_v[b_index], b.solution.bus_v[b_index]);
    entry("bus.condition", b_index, static_cast<double>(a.solution.condition[b_index]),
          static_cast<double>(b.solution.condition[b_index]));
  }
}

}  // namespace

HeldFlight::HeldFlight(std::shared_ptr<const Multirotor> vehicle, const MultirotorState& initial)
    : vehicle_(std::move(vehicle)), flight_(start_flight(*vehicle_, held_, initial)) {
  TACTUS_ASSERT(flight_.now == held_since_, "both begin at time 0");
}

/// The one place where what is remembered ends with what it was computed from.
void HeldFlight::has_changed() {
  flight_.memory.invalidate_derivative();
  cache_.clear();
  is_settled_ = false;
}

const MultirotorOutputs& HeldFlight::outputs() const {
  if (!cache_.has_outputs()) {
    const MultirotorOutputs found =
        tactus::outputs(*vehicle_, held_, flight_, since_hold(), &cache_);
    // In a wind that ramps the solver counts from now; the outputs may count from before.
    cache_.set_outputs(found, since_hold().us == 0 || held_.wind_slope_W_m_s2 == Vec3{});
  }
  return cache_.outputs();
}

bool HeldFlight::hold(const MultirotorInput& input, TimeUs now) {
  TACTUS_ASSERT(now == flight_.now, "an input changes where the flight stands");
  if (same_input(input, held_, *vehicle_)) return false;
  held_ = input;
  held_since_ = now;
  has_changed();
  validate(*vehicle_, held_, now);
  return true;
}

void HeldFlight::jam(int rotor) {
  TACTUS_ASSERT(!has_bit(flight_.modes.rotor_jammed, rotor), "a rotor jams once");
  jam_rotor(*vehicle_, rotor, flight_.state.x, flight_.modes);
  has_changed();
}

void HeldFlight::release(int rotor) {
  TACTUS_ASSERT(has_bit(flight_.modes.rotor_jammed, rotor), "a rotor that is jammed");
  release_rotor(rotor, flight_.modes);
  has_changed();
}

bool HeldFlight::settle(PlantEventSink* sink) {
  if (is_settled_ && flight_.now != next_restart(flight_.modes)) return false;
  tactus::settle(*vehicle_, held_, flight_, sink, &cache_);
  TACTUS_ASSERT(cache_.has_guards(), "settling leaves the guards behind");
  is_settled_ = true;
  return true;
}

void HeldFlight::advance(const SolverConfig& config, WatchList watches, TimeUs end,
                         MultirotorSamples* samples, RhsTap* tap,
                         const IntegrateMultirotor& instead) {
  TACTUS_ASSERT(end > flight_.now, "an interval that has a length");
  const TimeUs start = flight_.now;
  bool has_fired = false;
  if (instead) {
    cache_.clear();
    has_fired = instead(*vehicle_, config, held_, watches, end, flight_, samples);
  } else {
    has_fired = integrate(*vehicle_, config, held_, watches, end, flight_, samples, tap, &cache_);
  }
  TACTUS_ASSERT(flight_.now > start && flight_.now <= end, "an instant within the interval");
  is_settled_ = is_settled_ && !has_fired;
}

// ---- what is remembered, against a recomputation

void HeldFlight::check_caches() const {
  check_solver_memory();
  check_instant();
  check_end_stage();
}

/// A derivative that depends on time is not carried from one interval to the next.
void HeldFlight::check_solver_memory() const {
  const bool is_carried = flight_.memory.step.derivative_valid && held_.wind_slope_W_m_s2 == Vec3{};
  if (!is_carried) return;
  double computed[kMultirotorCapacity];
  (void)tactus::outputs(*vehicle_, held_, flight_, since_hold(), nullptr, computed);
  const Comparison comparison(flight_.now);
  for (int i = 0; i < vehicle_->layout.size; ++i) {
    comparison.same(flight_.memory.derivative[i], computed[i], [&] {
      return "the solver's derivative of state." + state_entry_name(vehicle_->counts, i);
    });
  }
}

void HeldFlight::check_instant() const {
  const Comparison comparison(flight_.now);
  if (cache_.has_outputs() || cache_.has_derivative()) {
    double derivative[kMultirotorCapacity];
    const MultirotorOutputs computed =
        tactus::outputs(*vehicle_, held_, flight_, since_hold(), nullptr, derivative);
    if (cache_.has_outputs()) {
      const std::optional<Difference> difference = first_difference(cache_.outputs(), computed);
      if (difference) {
        comparison.refuse(
            fmt::format("output {} was remembered as {}, but is {} when computed anew",
                        difference->name, difference->a, difference->b));
      }
    }
    for (int i = 0; cache_.has_derivative() && i < vehicle_->layout.size; ++i) {
      comparison.same(cache_.derivative()[i], derivative[i], [&] {
        return "the derivative of state." + state_entry_name(vehicle_->counts, i);
      });
    }
  }
  if (!cache_.has_guards() && !is_settled_) return;
  double g[MultirotorSystem::kGuardCapacity];
  detail::Electrical circuit;
  const int count = guards_at(*vehicle_, held_, flight_, g, circuit);
  for (int k = 0; k < count; ++k) {
    if (cache_.has_guards()) {
      comparison.same(cache_.guards()[k], g[k],
                      [&] { return fmt::format("the guard \"{}\"", guard_name(*vehicle_, k)); });
    }
    if (is_settled_ && g[k] >= 0.0) {
      comparison.refuse(fmt::format("the guard \"{}\" fires, though all are said to be settled",
                                    guard_name(*vehicle_, k)));
    }
  }
  if (cache_.has_guards()) {
    comparison.same_circuit("the circuit", vehicle_->counts, cache_.circuit(), circuit);
  }
}

void HeldFlight::check_end_stage() const {
  if (!cache_.has_end()) return;
  MultirotorFlight there = flight_;
  copy_entries(cache_.end_state(), there.state.x, vehicle_->layout.size);
  double g[MultirotorSystem::kGuardCapacity];
  detail::Electrical circuit;
  guards_at(*vehicle_, held_, there, g, circuit);
  Comparison(flight_.now)
      .same_circuit("the circuit of the interval's last stage", vehicle_->counts,
                    cache_.end_circuit(), circuit);
}

// ---- saving

void HeldFlight::save(StateWriter& to) const {
  const auto size = static_cast<std::size_t>(vehicle_->layout.size);
  to.add(flight_.now);
  to.add_numbers("state", std::span(flight_.state.x, size));
  to.add_fields("modes", flight_.modes);
  to.add_fields("step", flight_.memory.step);
  to.add_fields("solver totals", flight_.memory.totals);
  to.add_numbers("derivative", std::span(flight_.memory.derivative, size));
  to.add_fields("event window", flight_.events);
  to.add_fields("held input", held_);
  to.add(held_since_);
}

void HeldFlight::load(StateReader& from) {
  const auto size = static_cast<std::size_t>(vehicle_->layout.size);
  cache_.clear();
  is_settled_ = false;
  flight_.now = from.get_time();
  from.get_numbers("state", std::span(flight_.state.x, size));
  from.get_fields("modes", flight_.modes);
  from.get_fields("step", flight_.memory.step);
  from.get_fields("solver totals", flight_.memory.totals);
  from.get_numbers("derivative", std::span(flight_.memory.derivative, size));
  from.get_fields("event window", flight_.events);
  from.get_fields("held input", held_);
  held_since_ = from.get_time();
  require_state(*vehicle_, flight_, from);
  if (held_since_ > flight_.now) from.refuse("holds an input since an instant after its own");
  if (from.changed()) flight_.memory.invalidate_derivative();
}

void HeldFlight::load_settled(StateReader& from) {
  is_settled_ = !from.get<bool>() && !from.changed();
}

}  // namespace tactus
