// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/multirotor_flight.h"

#include <fmt/format.h>

#include <cstring>
#include <string>

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
  if (to_seconds(flight.now - window.start) >= 1.0) window = {flight.now, 0};
  if (++window.count <= kMaxEventsPerSecond) return;
  throw Error(
      ExitCode::kRunStopped,
      fmt::format("t = {} us: more than {} found events since t = {} us; the last: {}",
                  flight.now.us, kMaxEventsPerSecond, window.start.us, guard_name(vehicle, guard)));
}

/// What the last stage that ended at the end of the interval was evaluated for, and has shown.
struct LastStage {
  double x[kMultirotorCapacity];
  detail::Electrical electrical;
  bool seen = false;
};

/// The system of an interval whose start may be known and whose end somebody will look at. Of all
/// evaluations only those of the state at the start have t = 0.
template <class Shape>
struct StartedSystem : MultirotorSystemOf<Shape> {
  using Base = MultirotorSystemOf<Shape>;
  KnownInstant* known = nullptr;
  LastStage* last = nullptr;
  double end_s = 0.0;

  TACTUS_FLATTEN Status derivative(double t_s, const double* x, double* dx) const {
    if (t_s == 0.0 && known != nullptr && known->has_derivative) {
      copy_entries(known->derivative, dx, this->size());
      return Status::kOk;
    }
    return Base::derivative(t_s, x, dx);
  }

  Status derivative_at_end(double t_s, const double* x, double* dx) const {
    if (t_s != end_s || known == nullptr) return derivative(t_s, x, dx);
    copy_entries(x, last->x, this->size());
    const Status status = Base::outputs(t_s, x, dx, known->outputs, last->electrical, false);
    last->seen = status == Status::kOk;
    return status;
  }

  void guards(double t_s, const double* x, double* g) const {
    if (t_s == 0.0 && known != nullptr && known->has_guards && this->watches.count == 0) {
      copy_entries(known->guards, g, this->guard_count());
      return;
    }
    if (t_s == end_s && last->seen && same_circuit(x, last->x)) {
      Base::guards_with(last->electrical, x, g);
      return;
    }
    Base::guards(t_s, x, g);
  }

 private:
  /// Whether two states agree in all that the electrical solution depends on.
  bool same_circuit(const double* x, const double* y) const {
    const MultirotorLayout& at = this->shape.layout();
    const auto entries = static_cast<std::size_t>(at.servo_output - at.rotor_speed);
    return std::memcmp(x + at.rotor_speed, y + at.rotor_speed, sizeof(double) * entries) == 0;
  }
};

template <class Shape>
AdvanceResult advance_as(const Multirotor& vehicle, const SolverConfig& config,
                         const MultirotorInput& held, WatchList watches, TimeUs target,
                         MultirotorFlight& flight, KnownInstant* known) {
  LastStage last;
  const StartedSystem<Shape> system{make_system<Shape>(vehicle, flight.modes, held, watches), known,
                                    &last, to_seconds(target - flight.now)};
  const AdvanceResult result =
      advance(system, config, flight.memory, flight.now, target, flight.state.x);
  if (known == nullptr) return result;
  known->forget();
  // Attempts to locate a guard may have ended there too, with another state.
  const auto bytes = sizeof(double) * static_cast<std::size_t>(system.size());
  known->has_outputs = last.seen && flight.memory.step.derivative_valid &&
                       !system.depends_on_time() && std::memcmp(flight.state.x, last.x, bytes) == 0;
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
  if (Quadratic::fits(vehicle)) return kCodeOf<Quadratic>;
  if (BladeElement::fits(vehicle)) return kCodeOf<BladeElement>;
  return kCodeOf<RunTimeShape>;
}

/// For somebody who looks at the inside of steps: told every evaluation, or samples between.
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
  std::string name = fmt::format("state[{}]", index);
  const MultirotorState state;
  visit_state_fields(counts, state.x, [&](const char* field, const char*, Component, auto part) {
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
  if (math::abs(length - 1.0) > 1e-6) {
    refuse("initial state", "attitude_wxyz", "length", length, "must be a unit quaternion");
  }
  MultirotorFlight flight;
  flight.state = state;
  flight.modes = initial_modes(vehicle, input, state.x);
  return flight;
}

int settle(const Multirotor& vehicle, const MultirotorInput& input, MultirotorFlight& flight,
           PlantEventSink* sink, KnownInstant* known) {
  int events = 0;
  const auto happened = [&](PlantEvent event) {
    ++events;
    if (sink != nullptr) sink->on_event(flight.now, event);
  };
  for (PlantEvent restart = apply_due_restart(vehicle, flight.now, flight.modes);
       restart.index >= 0; restart = apply_due_restart(vehicle, flight.now, flight.modes)) {
    happened(restart);
  }
  const int guard_count = make_system(vehicle, flight.modes, input).guard_count();
  const auto find_guards = code_for(vehicle).guards;
  double g[MultirotorSystem::kGuardCapacity];
  detail::Electrical of_nobody;
  detail::Electrical& e = known != nullptr ? known->electrical : of_nobody;
  for (int pass = 0; pass <= kMaxGuardPasses; ++pass) {
    const int before = events;
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
  if (events > 0) flight.memory.invalidate_derivative();
  if (known != nullptr) {
    if (events > 0) known->forget();
    copy_entries(g, known->guards, guard_count);
    known->has_guards = true;
  }
  return events;
}

bool integrate(const Multirotor& vehicle, const SolverConfig& config, const MultirotorInput& held,
               WatchList watches, TimeUs end, MultirotorFlight& flight, MultirotorSamples* samples,
               RhsTap* tap, KnownInstant* known) {
  const TimeUs restart = next_restart(flight.modes);
  const TimeUs target = restart < end ? restart : end;
  const bool observed = tap != nullptr || samples != nullptr;
  if (observed && known != nullptr) known->forget();
  const AdvanceResult result =
      observed ? advance_observed(vehicle, config, held, watches, target, flight, samples, tap)
               : code_for(vehicle).advance(vehicle, config, held, watches, target, flight, known);
  flight.now = result.reached;
  if (result.status != Status::kOk) stop(vehicle, result, flight.state.x);
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
}

MultirotorOutputs outputs(const Multirotor& vehicle, const MultirotorInput& input,
                          const MultirotorFlight& flight, DurationUs since_hold,
                          KnownInstant* known) {
  MultirotorOutputs out;
  double unwanted[kMultirotorCapacity];
  detail::Electrical e;
  const bool solved = known != nullptr && known->has_guards;
  const Status status = code_for(vehicle).outputs(vehicle, input, flight, to_seconds(since_hold),
                                                  known != nullptr ? known->derivative : unwanted,
                                                  out, solved ? known->electrical : e, solved);
  if (status != Status::kOk) {
    throw Error(ExitCode::kRunStopped, fmt::format("t = {} us: no outputs: {}; {}", flight.now.us,
                                                   to_text(status), advice(status)));
  }
  return out;
}

}  // namespace tactus
