// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/multirotor_flight.h"

#include <fmt/format.h>

#include <string>

#include "tactus/core/assert.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/core/fp_environment.h"
#include "tactus/vehicle/multirotor_tap.h"

namespace tactus {

template AdvanceResult advance(const MultirotorSystem& system, const SolverConfig& config,
                               SolverMemory<kMultirotorCapacity>& memory, TimeUs t0, TimeUs t1,
                               double* x, NoObserver&& observer);

namespace {

[[noreturn]] void refuse_input(TimeUs now, const std::string& field, double value,
                               const char* range) {
  throw Error(ExitCode::kRunStopped,
              fmt::format("t = {} us: plant input {} = {}: must be {}; the source that wrote it is "
                          "at fault",
                          now.us, field, value, range));
}

/// Off by more than any step leaves; NaN is told as a failure of the step.
bool has_drifted(const Quat& q) { return math::abs(norm_squared(q) - 1.0) > 3e-6; }

const char* advice(Status status) {
  switch (status) {
    case Status::kStepTooSmall: return "loosen the tolerance or use a fixed step";
    case Status::kTooManySteps: return "raise solver.max_attempts or shorten the interval";
    case Status::kOutsideAtmosphere: return "check where it was sent, or use a shorter step";
    case Status::kNoPowerSink: return "fit a pack that can be charged, or use motor mode drive";
    default: return "check the parameters and inputs that act on this entry";
  }
}

[[noreturn]] void stop(const Multirotor& vehicle, const AdvanceResult& result, const double* x) {
  TACTUS_ASSERT(result.status != Status::kOk, "an interval that failed");
  std::string where;
  if (result.index >= 0) {
    where = fmt::format(" in {} ({} at the start of the step)",
                        state_entry_name(vehicle.counts, result.index), x[result.index]);
  }
  throw Error(ExitCode::kRunStopped,
              fmt::format("t = {} us: the plant cannot be integrated further: {}{}; step {} us, "
                          "error {:.3g} of the tolerance; {}",
                          result.reached.us, to_text(result.status), where, result.step_us,
                          result.error, advice(result.status)));
}

/// A guard that fires again and again is a fault of the model, not of the user's patience.
void count_event(const Multirotor& vehicle, int guard, MultirotorFlight& flight) {
  EventWindow& window = flight.events;
  TACTUS_ASSERT(window.start <= flight.now && window.count >= 0, "a window that has begun");
  if (to_seconds(flight.now - window.start) >= 1.0) window = {flight.now, 0};
  if (++window.count <= kMaxEventsPerSecond) return;
  throw Error(
      ExitCode::kRunStopped,
      fmt::format("t = {} us: more than {} found events since t = {} us; the last: {}",
                  flight.now.us, kMaxEventsPerSecond, window.start.us, guard_name(vehicle, guard)));
}

/// The system of an interval whose start may be known and whose end is read next. Of all
/// evaluations only those of the state at the start have t = 0.
template <class Shape>
struct CachedSystem : MultirotorSystemOf<Shape> {
  using Base = MultirotorSystemOf<Shape>;
  InstantCache* cache = nullptr;
  double end_s = 0.0;

  TACTUS_FLATTEN Status derivative(double t_s, const double* x, double* dx) const {
    if (t_s == 0.0 && cache != nullptr && cache->has_derivative()) {
      copy_entries(cache->derivative(), dx, this->size());
      return Status::kOk;
    }
    return Base::derivative(t_s, x, dx);
  }

  Status derivative_at_end(double t_s, const double* x, double* dx) const {
    if (t_s != end_s || cache == nullptr) return derivative(t_s, x, dx);
    return cache->evaluate_end(x, this->size(),
                               [&](MultirotorOutputs& outputs, detail::Electrical& circuit) {
                                 return Base::outputs(t_s, x, dx, outputs, circuit, false);
                               });
  }

  void guards(double t_s, const double* x, double* g) const {
    if (cache != nullptr) {
      if (t_s == 0.0 && cache->has_guards() && this->watches.count == 0) {
        copy_entries(cache->guards(), g, this->guard_count());
        return;
      }
      // The circuit is that of the end stage where all that it depends on is the same.
      const MultirotorLayout& at = this->shape.layout();
      if (t_s == end_s && cache->has_end_of(x, at.rotor_speed, at.servo_output)) {
        Base::guards_with(cache->end_circuit(), x, g);
        return;
      }
    }
    Base::guards(t_s, x, g);
  }
};

template <class Shape>
AdvanceResult advance_as(const Multirotor& vehicle, const SolverConfig& config,
                         const MultirotorInput& held, WatchList watches, TimeUs target,
                         MultirotorFlight& flight, InstantCache* cache) {
  TACTUS_ASSERT(target >= flight.now, "an interval that goes forward");
  const CachedSystem<Shape> system{make_system<Shape>(vehicle, flight.modes, held, watches), cache,
                                   to_seconds(target - flight.now)};
  if (cache != nullptr) cache->begin_interval();
  const AdvanceResult result =
      advance(system, config, flight.memory, flight.now, target, flight.state.x);
  if (cache == nullptr) return result;
  // Attempts to locate a guard may have ended there too, with another state.
  cache->end_interval(flight.memory.step.derivative_valid && !system.depends_on_time() &&
                      cache->has_end_of(flight.state.x, 0, system.size()));
  return result;
}

template <class Shape>
void guards_as(const Multirotor& vehicle, const MultirotorInput& input,
               const MultirotorFlight& flight, double* g, detail::Electrical& e) {
  make_system<Shape>(vehicle, flight.modes, input).solve_and_guard(flight.state.x, g, e);
}

template <class Shape>
Status outputs_as(const Multirotor& vehicle, const MultirotorInput& input,
                  const MultirotorFlight& flight, double t_s, double* dx, MultirotorOutputs& out,
                  detail::Electrical& e, bool solved) {
  return make_system<Shape>(vehicle, flight.modes, input)
      .outputs(t_s, flight.state.x, dx, out, e, solved);
}

/// What the passes of settle() leave behind.
void require_settled(const Multirotor& vehicle, const MultirotorFlight& flight, const double* g,
                     int count) {
  for (int k = 0; k < count; ++k) {
    TACTUS_ASSERT(!(g[k] >= 0.0), "settled means that no guard fires");
  }
  TACTUS_ASSERT(next_restart(flight.modes) > flight.now, "no restart is due any more");
  TACTUS_ASSERT(fits(vehicle.counts, flight.modes), "modes of this vehicle");
}

/// What is made for every shape.
struct ShapedCode {
  decltype(&advance_as<RunTimeShape>) advance;
  decltype(&guards_as<RunTimeShape>) guards;
  decltype(&outputs_as<RunTimeShape>) outputs;
};
template <class Shape>
constexpr ShapedCode kCodeOf = {advance_as<Shape>, guards_as<Shape>, outputs_as<Shape>};

template <PropellerKind propeller>
using Quadrotor =
    FixedShape<MultirotorCounts{.rotors = 4, .gear_points = 4},
               RotorModels{.propeller = propeller, .upright = true}, kMultirotorCapacity>;

/// That of the shape which suits the vehicle: a quarter fewer instructions per evaluation for the
/// commonest vehicles, the same bits for all.
const ShapedCode& code_for(const Multirotor& vehicle) {
  using Quadratic = Quadrotor<PropellerKind::kQuadratic>;
  using BladeElement = Quadrotor<PropellerKind::kBladeElement>;
  TACTUS_ASSERT(vehicle.layout.size > 0 && vehicle.layout.size <= kMultirotorCapacity,
                "a vehicle from make_multirotor");
  if (Quadratic::fits(vehicle)) return kCodeOf<Quadratic>;
  if (BladeElement::fits(vehicle)) return kCodeOf<BladeElement>;
  return kCodeOf<RunTimeShape>;
}

/// With an observer of the inside of steps: of every evaluation, or of samples between.
AdvanceResult advance_observed(const Multirotor& vehicle, const SolverConfig& config,
                               const MultirotorInput& held, WatchList watches, TimeUs target,
                               MultirotorFlight& flight, MultirotorSamples* samples, RhsTap* tap) {
  const MultirotorSystem system = make_system(vehicle, flight.modes, held, watches);
  if (tap != nullptr) {
    return advance_tapped(system, config, flight.memory, flight.now, target, flight.state.x,
                          samples, *tap);
  }
  return advance(system, config, flight.memory, flight.now, target, flight.state.x,
                 Sampler<kMultirotorCapacity>{target, samples});
}

}  // namespace

void validate(const Multirotor& vehicle, const MultirotorInput& input, TimeUs now) {
  if (!all_finite(input)) {
    refuse_input(now, leaf_name(input, first_non_finite(input)), math::canonical_nan(), "finite");
  }
  const auto within = [&](const char* field, int i, double value, double low, double high,
                          const char* range) {
    if (value >= low && value <= high) return;
    refuse_input(now, fmt::format(fmt::runtime(field), i), value, range);
  };
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    within("motor_command[{}]", i, input.motor_command[i], 0.0, 1.0, "0 to 1");
    within("thrust_scale[{}]", i, input.thrust_scale[i], 0.0, kMostThrustScale, "0 to 2");
  }
  for (int i = 0; i < vehicle.counts.servos; ++i) {
    within("servo_command[{}]", i, input.servo_command[i], -1.0, 1.0, "-1 to 1");
  }
  for (int j = 0; j < vehicle.counts.packs; ++j) {
    within("pack[{}].resistance_scale", j, input.pack[j].resistance_scale, 1.0, math::infinity(),
           "at least 1");
    // A pack whose cells are gone has no voltage left; it does not turn round.
    const double empty_v = vehicle.network.pack[j].u[0][0];
    within("pack[{}].voltage_offset_v", j, input.pack[j].voltage_offset_v, -empty_v, 0.0,
           "no lower than minus the open-circuit voltage of the empty pack, and not positive");
  }
}

std::string state_entry_name(const MultirotorCounts& counts, int index) {
  TACTUS_ASSERT(index >= 0 && index < kMultirotorCapacity, "an entry of the state");
  std::string name = fmt::format("state[{}]", index);
  const MultirotorState state;
  visit_state_fields(counts, state.x, [&](const char* field, const char*, auto part) {
    const auto begin = part.data() - state.x;
    if (index >= begin && index < begin + static_cast<std::ptrdiff_t>(part.size())) {
      name = fmt::format("{}[{}]", field, index - begin);
    }
  });
  return name;
}

MultirotorFlight start_flight(const Multirotor& vehicle, const MultirotorInput& input,
                              const MultirotorState& state) {
  require_same_bits();
  for (int i = 0; i < vehicle.layout.size; ++i) {
    if (!math::is_finite(state.x[i])) {
      refuse("initial state", state_entry_name(vehicle.counts, i), state.x[i], "must be finite");
    }
  }
  const double length = norm(load_quat(state.x + vehicle.layout.attitude));
  if (!is_unit_length(length)) {
    refuse("initial state", "attitude_wxyz", "length", length, "must be a unit quaternion");
  }
  MultirotorFlight flight;
  flight.state = state;
  flight.modes = initial_modes(vehicle, input, state.x);
  TACTUS_ASSERT(fits(vehicle.counts, flight.modes), "modes of this vehicle");
  return flight;
}

bool fits(const MultirotorCounts& counts, const MultirotorModes& modes) {
  const auto beyond = [](std::uint32_t bits, int count) { return (bits >> count) != 0; };
  if (beyond(modes.rotor_stopped | modes.rotor_jammed, counts.rotors)) return false;
  if (beyond(modes.gear_touching, counts.gear_points)) return false;
  if (beyond(modes.pack_empty, counts.packs)) return false;
  if (beyond(modes.bus_down | modes.bus_escs_off | modes.bus_overvoltage | modes.bus_restarting,
             counts.buses)) {
    return false;
  }
  const std::uint32_t jammed_yet_turning = modes.rotor_jammed & ~modes.rotor_stopped;
  const std::uint32_t up_yet_restarting = modes.bus_restarting & ~modes.bus_down;
  return jammed_yet_turning == 0 && up_yet_restarting == 0;
}

int guards_at(const Multirotor& vehicle, const MultirotorInput& input,
              const MultirotorFlight& flight, double* g, detail::Electrical& circuit) {
  code_for(vehicle).guards(vehicle, input, flight, g, circuit);
  return make_system(vehicle, flight.modes, input).guard_count();
}

int settle(const Multirotor& vehicle, const MultirotorInput& input, MultirotorFlight& flight,
           PlantEventSink* sink, InstantCache* cache) {
  int events = 0;
  const auto happened = [&](PlantEvent event) {
    ++events;
    flight.memory.invalidate_derivative();
    if (cache != nullptr) cache->clear();
    if (sink != nullptr) sink->on_event(flight.now, event);
  };
  // Also in later passes: a bus without a restart delay is up again at this very instant.
  const auto apply_restarts = [&] {
    for (PlantEvent restart = apply_due_restart(vehicle, flight.now, flight.modes);
         restart.index >= 0; restart = apply_due_restart(vehicle, flight.now, flight.modes)) {
      happened(restart);
    }
  };
  const int guard_count = make_system(vehicle, flight.modes, input).guard_count();
  TACTUS_ASSERT(guard_count >= 0 && guard_count <= MultirotorSystem::kGuardCapacity - kMaxWatches,
                "guards of the plant alone");
  const auto find_guards = code_for(vehicle).guards;
  double g[MultirotorSystem::kGuardCapacity];
  detail::Electrical not_kept;
  detail::Electrical& e = cache != nullptr ? cache->new_circuit() : not_kept;
  for (int pass = 0; pass <= kMaxGuardPasses; ++pass) {
    const int before = events;
    apply_restarts();
    find_guards(vehicle, input, flight, g, e);
    for (int k = 0; k < guard_count; ++k) {
      if (!(g[k] >= 0.0)) continue;
      if (pass == kMaxGuardPasses) {
        throw Error(ExitCode::kRunStopped,
                    fmt::format("t = {} us: \"{}\" still fires after {} passes at one instant",
                                flight.now.us, guard_name(vehicle, k), kMaxGuardPasses));
      }
      happened(apply_guard(vehicle, k, flight.now, flight.state.x, flight.modes));
      count_event(vehicle, k, flight);
      find_guards(vehicle, input, flight, g, e);  // one event may silence or wake the others
    }
    if (events == before) break;
  }
  if (events > 0) require_settled(vehicle, flight, g, guard_count);
  if (cache != nullptr) cache->set_guards(g, guard_count);
  return events;
}

bool integrate(const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& held,
               WatchList watches, TimeUs end, MultirotorFlight& flight, MultirotorSamples* samples,
               RhsTap* tap, InstantCache* cache) {
  TACTUS_ASSERT(end > flight.now, "an interval that has a length");
  TACTUS_ASSERT(watches.count >= 0 && watches.count <= kMaxWatches, "watches that have room");
  TACTUS_ASSERT(watches.count == 0 || watches.watch != nullptr, "watches that are there");
  TACTUS_ASSERT(samples == nullptr || samples->period.us > 0, "samples at a period");
  const TimeUs restart = next_restart(flight.modes);
  const TimeUs target = restart < end ? restart : end;
  TACTUS_ASSERT(target > flight.now, "restarts that were due are settled before");
  TACTUS_ASSERT(!has_drifted(load_quat(flight.state.x + vehicle.layout.attitude)),
                "an interval starts with a rotation");
  const std::uint64_t steps_before = flight.memory.totals.accepted;
  const bool observed = tap != nullptr || samples != nullptr;
  if (observed && cache != nullptr) cache->clear();
  const AdvanceResult result =
      observed ? advance_observed(vehicle, config, held, watches, target, flight, samples, tap)
               : code_for(vehicle).advance(vehicle, config, held, watches, target, flight, cache);
  flight.now = result.reached;
  if (result.status != Status::kOk) stop(vehicle, result, flight.state.x);
  TACTUS_ASSERT(result.reached <= target, "its end, or an event before");
  TACTUS_ASSERT(flight.memory.totals.accepted > steps_before, "time goes on by steps");
  if (samples != nullptr) {
    samples->drop_from(flight.now);
    for (auto& sample : samples->samples) {
      double* const q = sample.x + vehicle.layout.attitude;
      store(q, normalized(load_quat(q)));
    }
  }
  return result.guard >= 0;
}

void fly(const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& input,
         TimeUs end, MultirotorFlight& flight, PlantEventSink* sink) {
  TACTUS_ASSERT(end >= flight.now, "a flight that goes forward");
  validate(vehicle, input, flight.now);
  require_step_resolves(vehicle, config, end - flight.now);
  flight.memory.invalidate_derivative();  // the caller may have changed the input
  const TimeUs start = flight.now;
  settle(vehicle, input, flight, sink);
  MultirotorInput held = input;
  while (flight.now < end) {
    // The solver's clock starts again after an event; a ramping wind goes on from where it is.
    held.wind_W_m_s = input.wind_W_m_s + to_seconds(flight.now - start) * input.wind_slope_W_m_s2;
    const bool fired = integrate(vehicle, config, held, {}, end, flight);
    if (fired || flight.now == next_restart(flight.modes)) settle(vehicle, held, flight, sink);
  }
  TACTUS_ASSERT(flight.now == end, "the end is reached exactly");
}

MultirotorOutputs outputs(const Multirotor& vehicle, const MultirotorInput& input,
                          const MultirotorFlight& flight, DurationUs since_hold,
                          InstantCache* cache, double* derivative) {
  TACTUS_ASSERT(cache == nullptr || derivative == nullptr, "one place for the derivative");
  MultirotorOutputs out;
  double not_kept[kMultirotorCapacity];
  detail::Electrical e;
  const bool solved = cache != nullptr && cache->has_guards();
  double* const dx = cache != nullptr        ? cache->new_derivative()
                     : derivative != nullptr ? derivative
                                             : not_kept;
  const Status status = code_for(vehicle).outputs(vehicle, input, flight, to_seconds(since_hold),
                                                  dx, out, solved ? cache->circuit() : e, solved);
  if (status != Status::kOk) {
    throw Error(ExitCode::kRunStopped, fmt::format("t = {} us: no outputs: {}; {}", flight.now.us,
                                                   to_text(status), advice(status)));
  }
  return out;
}

}  // namespace tactus
