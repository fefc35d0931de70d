// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/component/component_replay.h"

#include <fmt/format.h>

#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/fields.h"
#include "tactus/record/recording_meta.h"
#include "tactus/replay/component/component_laws.h"
#include "tactus/replay/component/rhs_trace.h"
#include "tactus/replay/playback/override_effect.h"
#include "tactus/replay/playback/recorded_boundaries.h"
#include "tactus/spec/vehicle/multirotor.h"
#include "tactus/vehicle/held_input.h"

namespace tactus {
namespace {

const ComponentLaws& laws_of(PlantComponent component) {
  return component == PlantComponent::kBattery ? battery_laws() : propulsion_laws();
}

/// The recorded vehicle with the parameters of one component from the changed one.
Multirotor vehicle_with(const ComponentLaws& laws, const Spec& recorded, const Spec& changed) {
  Multirotor vehicle = make_multirotor(recorded);
  const Multirotor other = make_multirotor(changed);
  if (!(vehicle.counts == other.counts)) {
    throw Error(ExitCode::kBadInput,
                "the changes give the vehicle other rotors, packs or actuator states than were "
                "recorded; a component is replayed with the states that it had");
  }
  laws.take_parameters(other, vehicle);
  return vehicle;
}

/// Counts what is compared and keeps the earliest difference.
class Tally {
 public:
  explicit Tally(ComponentOutcome& outcome) : outcome_(&outcome) {}

  /// `name` is asked only if the numbers differ.
  template <class Name>
  bool same(TimeUs time, double recorded, double computed, Name name) {
    ++outcome_->numbers;
    if (canonical_bits(recorded) == canonical_bits(computed)) return true;
    ++outcome_->different;
    if (!outcome_->first || time < outcome_->first->time) {
      outcome_->first = {time, name(), recorded, computed, ulp_distance(recorded, computed)};
    }
    return false;
  }

 private:
  ComponentOutcome* outcome_;
};

// ---- outputs

void compare_outputs(const Recording& recording, const ComponentLaws& laws,
                     const Multirotor& vehicle, ComponentOutcome& outcome) {
  std::vector<BusLeaf> leaves = bus_leaves(recording.meta.counts);
  std::erase_if(leaves, [&](const BusLeaf& leaf) { return !laws.owns_output(leaf.name); });
  Tally tally(outcome);
  RecordedBoundaries boundaries(recording, vehicle.counts);
  while (boundaries.next()) {
    Bus computed = boundaries.bus();
    laws.outputs(vehicle, boundaries.flight(), computed);
    ++outcome.output_instants;
    for (const BusLeaf& leaf : leaves) {
      tally.same(computed.time, leaf.value(boundaries.bus()), leaf.value(computed),
                 [&] { return leaf.name; });
    }
  }
}

// ---- states

/// The multirotor with one component live and the rest from the trace. Its guards are only asked
/// whether a step of the shortest length lies across one.
struct TracedMultirotor : MultirotorSystem {
  const ComponentLaws* laws;
  RhsTraceReader* trace;
  double* missing_s;  ///< NaN, or the first evaluation asked for that was not recorded

  Status derivative(double t_s, const double* x, double* dx) const {
    if (!math::is_nan(*missing_s)) return Status::kInvalidArgument;  // shorter steps do not help
    if (!trace->find(t_s, x)) {
      *missing_s = t_s;
      return Status::kInvalidArgument;
    }
    trace->derivative(dx);
    if (math::is_nan(dx[0])) return Status::kNonFiniteDerivative;
    Coupling coupling;
    trace->bus_v(coupling.bus_v);
    coupling.angular_acceleration_B_rad_s2 = load_vec3(dx + vehicle->layout.rate);
    laws->rates(*this, t_s, x, coupling, dx);
    return Status::kOk;
  }
};

/// The plant's flights keep dense output, and the derivative at the end of a step with it.
struct KeepDense {
  void operator()(const DenseOutput& /*step*/) const {}
};

/// advance() that ends at a given instant and finds no events.
AdvanceResult advance_through(const TracedMultirotor& system, const SolverConfig& config,
                              SolverMemory<kMultirotorCapacity>& memory, TimeUs t0, TimeUs t1,
                              double* x) {
  KeepDense keep;
  switch (config.method) {
    case Method::kEuler:
      return detail::advance_unguarded<Method::kEuler>(system, config, memory, t0, t1, x, keep);
    case Method::kRk4:
      return detail::advance_unguarded<Method::kRk4>(system, config, memory, t0, t1, x, keep);
    case Method::kRk23:
      return detail::advance_unguarded<Method::kRk23>(system, config, memory, t0, t1, x, keep);
    case Method::kRk45:
      return detail::advance_unguarded<Method::kRk45>(system, config, memory, t0, t1, x, keep);
    case Method::kLieRk4: break;
  }
  return detail::advance_unguarded<Method::kLieRk4>(system, config, memory, t0, t1, x, keep);
}

/// One component in flight, everything else as recorded.
class LiveStates {
 public:
  LiveStates(const Recording& recording, const ComponentLaws& laws, const Multirotor& vehicle,
             const SolverConfig& solver, ComponentOutcome& outcome)
      : laws_(&laws),
        vehicle_(&vehicle),
        solver_(solver),
        complete_(recording.end.complete),
        boundaries_(recording, vehicle.counts),
        live_(entries(laws, vehicle.layout)),
        trace_(recording, vehicle.counts, live_),
        outcome_(&outcome) {}

  void compare() {
    if (!boundaries_.next()) return;
    flight_.now = boundaries_.bus().time;
    take_recorded(EntrySet{}.set());
    hold();
    while (true) {
      trace_.begin_interval(flight_.now);
      // The last interval of a run that was stopped may be cut short.
      if (!complete_ && trace_.is_last_interval()) return;
      if (!boundaries_.next()) return;
      const TimeUs end = boundaries_.bus().time;
      require_recorded(end > flight_.now, "boundaries that are not in the order of time");
      if (!integrate(end)) return;
      settle_at_boundary();
      if (!same_states()) return;
      take_recorded(~live_);
    }
  }

 private:
  static EntrySet entries(const ComponentLaws& laws, const MultirotorLayout& at) {
    EntrySet own;
    for (int i = 0; i < at.size; ++i) {
      own[static_cast<std::size_t>(i)] = laws.owns_entry(at, i);
    }
    return own;
  }

  void require_recorded(bool is_sound, const char* what) const {
    if (is_sound) return;
    throw Error(ExitCode::kBadInput,
                fmt::format("t = {} us: the recording holds {}", boundaries_.bus().time.us, what));
  }

  /// Modes, and these entries of the state.
  void take_recorded(const EntrySet& which) {
    const MultirotorFlight& recorded = boundaries_.flight();
    require_recorded(fits(vehicle_->counts, recorded.modes), "modes of a part that does not exist");
    flight_.modes = recorded.modes;
    for (std::size_t i = 0; i < static_cast<std::size_t>(vehicle_->layout.size); ++i) {
      if (which[i]) flight_.state.x[i] = recorded.state.x[i];
    }
  }

  void hold() {
    const Bus& bus = boundaries_.bus();
    require_recorded(bus.wind.since <= bus.time, "a wind that begins later");
    require_recorded(bus.time >= delay_.latest(), "an instant before the one ahead of it");
    delay_.push(bus.time, bus.command.motor);
    MultirotorInput input;
    read_input(bus, *vehicle_, delay_, input);
    if (!same_input(input, held_, *vehicle_)) held_ = input;
  }

  /// False: the solver did not come through on what was recorded.
  bool integrate(TimeUs end) {
    if (trace_.starts_anew()) flight_.memory.invalidate_derivative();
    double missing_s = math::canonical_nan();
    const TracedMultirotor system{make_system(*vehicle_, flight_.modes, held_), laws_, &trace_,
                                  &missing_s};
    const AdvanceResult result =
        advance_through(system, solver_, flight_.memory, flight_.now, end, flight_.state.x);
    flight_.now = end;
    if (result.status == Status::kOk) return true;
    if (math::is_nan(missing_s)) {
      throw Error(ExitCode::kDifferent,
                  fmt::format("t = {} us: on its recorded inputs the component cannot be "
                              "integrated: {}",
                              result.reached.us, to_text(result.status)));
    }
    Tally(*outcome_).same(end, trace_.time_of_next().value_or(math::canonical_nan()), missing_s,
                          [] { return "rhs_trace.t_s"; });
    return false;
  }

  /// What the plant does at a boundary, by its own functions.
  void settle_at_boundary() {
    settle(*vehicle_, held_, flight_);
    hold();
    const std::uint32_t jammed = boundaries_.bus().faults.rotor_jam_mask;
    for (int i = 0; i < vehicle_->counts.rotors; ++i) {
      if (has_bit(jammed, i) == has_bit(flight_.modes.rotor_jammed, i)) continue;
      if (has_bit(jammed, i)) {
        jam_rotor(*vehicle_, i, flight_.state.x, flight_.modes);
      } else {
        release_rotor(i, flight_.modes);
      }
    }
    settle(*vehicle_, held_, flight_);
  }

  bool same_states() {
    ++outcome_->state_instants;
    Tally tally(*outcome_);
    bool same = true;
    for (int i = 0; i < vehicle_->layout.size; ++i) {
      if (!live_[static_cast<std::size_t>(i)]) continue;
      const bool equal =
          tally.same(flight_.now, boundaries_.flight().state.x[i], flight_.state.x[i],
                     [&] { return "state." + state_entry_name(vehicle_->counts, i); });
      same = same && equal;
    }
    return same;
  }

  const ComponentLaws* laws_;
  const Multirotor* vehicle_;
  SolverConfig solver_;
  bool complete_;
  RecordedBoundaries boundaries_;
  EntrySet live_;
  RhsTraceReader trace_;
  ComponentOutcome* outcome_;
  MultirotorFlight flight_;
  MultirotorInput held_;
  CommandDelay delay_;
};

}  // namespace

const char* to_text(PlantComponent component) {
  return component == PlantComponent::kBattery ? "battery" : "propulsion";
}

void require_effect(const Recording& recording, PlantComponent component,
                    std::span<const Override> overrides) {
  ActingOwners acting;
  acting.add(component == PlantComponent::kBattery ? Component::kBattery : Component::kPropulsion);
  require_effect(overrides, recorded_spec(recording, overrides).spec, recording, acting);
}

ComponentOutcome replay_component(const Recording& recording, PlantComponent component,
                                  std::span<const Override> overrides) {
  require_one_spec(recording);
  require_plant(recording);
  const Spec recorded = recorded_spec(recording).spec;
  require_multirotor(recorded, fmt::format("it has no {}", to_text(component)));
  const Spec changed = recorded_spec(recording, overrides).spec;
  const ComponentLaws& laws = laws_of(component);
  const Multirotor vehicle = vehicle_with(laws, recorded, changed);
  ComponentOutcome outcome;
  if (recording.meta.tier >= Tier::kEvaluations) {
    outcome.tier = Tier::kEvaluations;
    LiveStates(recording, laws, vehicle, recorded.solver, outcome).compare();
  }
  compare_outputs(recording, laws, vehicle, outcome);
  return outcome;
}

}  // namespace tactus
