// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The multirotor as a type of vehicle.

#include "tactus/spec/vehicle/multirotor.h"

#include <fmt/format.h>

#include <iterator>

#include "tactus/autopilot/builtin/builtin.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/spec/vehicle/battery_levels.h"
#include "tactus/vehicle/stance.h"

namespace tactus {
namespace {

/// On its gear, wherever the spec says.
void stand_on_ground(const Spec& spec, const Multirotor& vehicle, MultirotorState& state) {
  if (vehicle.counts.gear_points == 0) {
    refuse_key("gear.positions_body_m",
               "there is no gear to stand on, and the vehicle starts on the "
               "ground; give points, or let it start in the air with initial.on_ground");
  }
  const Vec3 place_W_m = spec.initial.position_W_m;
  const Vec3 p_W = point_above(vehicle.world.ground, place_W_m.x, place_W_m.y, 0.0);
  require_air_at_start(spec, vehicle.world, p_W);
  stand(vehicle, p_W.x, p_W.y, yaw_of(spec.initial.attitude), state);
}

/// Initial polarisation that no cell can have.
void require_polarisation(const Spec& spec) {
  const PowerNetworkParameters& power = multirotor_of(spec).power;
  for (std::size_t i = 0; i < spec.parts.packs.size(); ++i) {
    const PackParameters& pack = power.pack[i];
    const double highest = pack.ocv_v[pack.ocv_count - 1];
    for (int k = 0; k < pack.rc_count; ++k) {
      if (math::abs(pack.v_rc0_v[k]) <= highest) continue;
      refuse_key(fmt::format("pack.{}.v_rc0_v", spec.parts.packs[i]),
                 fmt::format("must not exceed the open-circuit voltage, {} V", highest));
    }
  }
}

class MultirotorType final : public VehicleType {
 public:
  [[nodiscard]] const char* name() const override { return "multirotor"; }
  [[nodiscard]] const char* starter() const override { return multirotor_starter(); }
  [[nodiscard]] std::unique_ptr<VehicleDraft> draft(const TomlNode* root) const override {
    return make_multirotor_draft(root);
  }

  [[nodiscard]] VehicleCounts counts(const Spec& spec) const override {
    const MultirotorParameters& p = multirotor_of(spec);
    return {.motors = p.rotor_count,
            .servos = p.servo_count,
            .packs = p.power.pack_count,
            .buses = p.power.bus_count,
            .gear_points = spec.world.ground.present ? p.gear.count : 0};
  }
  [[nodiscard]] std::span<const PackParameters> packs(const Spec& spec) const override {
    const PowerNetworkParameters& power = multirotor_of(spec).power;
    return {power.pack, static_cast<std::size_t>(power.pack_count)};
  }
  [[nodiscard]] bool flies() const override { return true; }

  /// What has no number of its own is shown as a quadrotor.
  [[nodiscard]] std::uint8_t mav_type(const Spec& spec) const override {
    constexpr std::uint8_t kQuadrotor = 2;
    switch (multirotor_of(spec).rotor_count) {
      case 3: return 15;
      case 6: return 13;
      case 8: return 14;
      case 10: return 35;
      case 12: return 29;
      default: return kQuadrotor;
    }
  }

  void check(const Spec& spec, DurationUs longest_interval) const override {
    require_step_resolves(make_multirotor(spec), spec.solver, longest_interval);
    require_polarisation(spec);
  }

  [[nodiscard]] std::unique_ptr<Plant> plant(const Spec& spec) const override {
    return make_multirotor_plant(spec, {});
  }
  [[nodiscard]] std::vector<StateOwner> state_owners() const override {
    return multirotor_state_owners();
  }

  [[nodiscard]] std::unique_ptr<BuiltinVehicle> builtin_autopilot(
      const Spec& spec, std::shared_ptr<const FlightPlan> plan) const override {
    return std::make_unique<BuiltinAutopilot>(spec.builtin, make_multirotor(spec), std::move(plan),
                                              spec.timeline.autopilot);
  }
  [[nodiscard]] std::unique_ptr<Autopilot> external_autopilot(
      const Spec& spec, const ExternalAutopilots& external) const override {
    return external.make(spec, make_multirotor(spec));
  }

  [[nodiscard]] std::vector<std::string> notes(const Spec& spec) const override {
    std::vector<std::string> notes;
    const std::string lag = motor_lag_note(multirotor_of(spec));
    if (!lag.empty()) notes.push_back(lag);
    std::vector<std::string> levels = battery_level_notes(spec, spec.autopilot);
    notes.insert(notes.end(), std::make_move_iterator(levels.begin()),
                 std::make_move_iterator(levels.end()));
    return notes;
  }
  [[nodiscard]] SpecWarnings plausibility(const Spec& spec) const override {
    return multirotor_warnings(spec, make_multirotor(spec));
  }
  [[nodiscard]] std::optional<HoverFigures> hover(const Spec& spec) const override {
    return hover_figures(multirotor_of(spec), make_multirotor(spec));
  }
};

}  // namespace

const VehicleType& vehicle_type_of(const MultirotorParameters&) {
  static const MultirotorType type;
  return type;
}

void require_multirotor(const Spec& spec, std::string_view why) {
  if (std::holds_alternative<MultirotorParameters>(spec.vehicle)) return;
  throw Error(ExitCode::kBadInput,
              fmt::format("{} is a {}; {}", spec.name, vehicle_type(spec).name(), why));
}

Multirotor make_multirotor(const Spec& spec) {
  return make_multirotor(multirotor_of(spec), make_world(spec.world));
}

MultirotorState starting_state(const Spec& spec, const Multirotor& vehicle) {
  const InitialSpec& initial = spec.initial;
  const MultirotorLayout& at = vehicle.layout;
  MultirotorState state = vehicle.initial;
  for (int i = 0; i < vehicle.counts.rotors; ++i) {
    state.x[at.rotor_speed + i] = initial.rotor_speed_rad_s;
  }
  require_place_to_start(initial, vehicle.world, vehicle.gear);
  if (initial.on_ground) {
    stand_on_ground(spec, vehicle, state);
    return state;
  }
  require_air_at_start(spec, vehicle.world, initial.position_W_m);
  store(state.x + at.position, initial.position_W_m);
  store(state.x + at.velocity, initial.velocity_W_m_s);
  store(state.x + at.attitude, initial.attitude);
  store(state.x + at.rate, initial.rate_B_rad_s);
  return state;
}

std::unique_ptr<Plant> make_multirotor_plant(const Spec& spec, IntegrateMultirotor instead) {
  const auto vehicle = std::make_shared<const Multirotor>(make_multirotor(spec));
  return make_multirotor_plant(vehicle, spec.solver, starting_state(spec, *vehicle),
                               std::move(instead));
}

}  // namespace tactus
