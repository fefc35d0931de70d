// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One component of the plant, live on its recorded inputs, compared with its recorded outputs bit
// by bit. The rest of the plant stays as recorded, so a change of parameters shows in the component
// that it belongs to and in no other.
//
//   battery      from bus voltage, faults and cut-off of packs: battery.*;
//                states: charge, RC voltages
//   propulsion   from duty or command, bus voltage, air, motion: thrust, torque, motor current;
//                states: rotor speed, motor actuator
//
// Outputs (tier 1): the component's laws at every boundary at which the plant published outputs,
// that is at ticks of sensors and autopilot and at the end.
//
// States (tier 2): the recorded solver integrates over every recorded interval. At each evaluation
// the component's entries of the derivative come from its live state and from what the rest of the
// plant gave it at that very evaluation; all other entries come from the trace. Nothing is
// searched: the recorded boundaries are the ends of the intervals, and a found event leaves the
// bits of a scheduled one (guard_search.h). So of the trace only those evaluations are taken that
// lead to the end of an interval, and the ones of probes and steps taken back are passed over. An
// evaluation belongs to the one asked for if its time and all entries that are not the component's
// are the same bits. The first state that differs ends this part: from there on the component is
// in another flight.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tactus/core/time.h"
#include "tactus/record/recording.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {

enum class PlantComponent : std::uint8_t { kBattery, kPropulsion };
inline constexpr std::array kPlantComponents = {PlantComponent::kBattery,
                                                PlantComponent::kPropulsion};

const char* to_text(PlantComponent component);

struct ComponentDifference {
  TimeUs time;
  std::string leaf;  ///< "battery[0].current_a", "state.rotor_speed_rad_s[2]", or "rhs_trace.t_s":
                     ///< the solver asks for an evaluation that was not recorded
  double recorded = 0.0;
  double computed = 0.0;
  std::uint64_t ulps = 0;
};

struct ComponentOutcome {
  Tier tier = Tier::kComponents;      ///< kEvaluations: states were compared too
  std::uint64_t output_instants = 0;  ///< boundaries at which outputs were compared
  std::uint64_t state_instants = 0;   ///< the same for states
  std::uint64_t numbers = 0;
  std::uint64_t different = 0;               ///< numbers
  std::optional<ComponentDifference> first;  ///< earliest one, states before outputs

  [[nodiscard]] bool equal() const { return different == 0; }
};

/// Throws Error(kBadInput) that names the keys of other components and what to do instead.
void require_effect(const Recording& recording, PlantComponent component,
                    std::span<const Override> overrides);

/// Overrides are changes of the component's parameters; those of others have no effect. Throws
/// Error(kBadInput) if the recording holds too little, is not of a multirotor, or a change gives
/// the vehicle another state vector.
ComponentOutcome replay_component(const Recording& recording, PlantComponent component,
                                  std::span<const Override> overrides = {});

}  // namespace tactus
