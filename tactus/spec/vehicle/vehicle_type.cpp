// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/vehicle/vehicle_type.h"

#include <fmt/format.h>

#include <array>
#include <type_traits>
#include <variant>

#include "tactus/core/checks.h"

namespace tactus {
namespace {

template <class... Parameters>
auto types_of(std::type_identity<std::variant<Parameters...>>) {
  return std::array<const VehicleType*, sizeof...(Parameters)>{&vehicle_type_of(Parameters{})...};
}

}  // namespace

std::span<const VehicleType* const> vehicle_types() {
  static const auto types = types_of(std::type_identity<VehicleSpec>{});
  return types;
}

std::span<const char* const> vehicle_type_names() {
  static const auto names = [] {
    std::array<const char*, std::variant_size_v<VehicleSpec>> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = vehicle_types()[i]->name();
    return all;
  }();
  return names;
}

const VehicleType& vehicle_type(const Spec& spec) { return *vehicle_types()[spec.vehicle.index()]; }

VehicleCounts vehicle_counts(const Spec& spec) {
  VehicleCounts counts = vehicle_type(spec).counts(spec);
  counts.instruments = instrument_counts(spec.sensors);
  return counts;
}

Component owner_of_state(std::string_view leaf) {
  static const std::vector<StateOwner> owners = [] {
    std::vector<StateOwner> all;
    for (const VehicleType* type : vehicle_types()) {
      for (StateOwner& owner : type->state_owners()) all.push_back(std::move(owner));
    }
    return all;
  }();
  const std::string_view name = leaf.substr(0, leaf.find('['));
  for (const StateOwner& known : owners) {
    if (known.name == name) return known.owner;
  }
  return Component::kUnknown;
}

std::unique_ptr<Autopilot> VehicleType::external_autopilot(
    const Spec& /*spec*/, const ExternalAutopilots& /*external*/) const {
  refuse_key("autopilot.kind",
             fmt::format("this one flies multirotors only; use \"builtin\" for a {}", name()));
}

void require_place_to_start(const InitialSpec& initial, const World& world,
                            const GearParameters& contact) {
  // Springs settle by millimetres, and centimetres throw the vehicle into the air.
  constexpr double kDeepest_m = 0.01;
  if (initial.on_ground && !world.ground.present) {
    refuse_key("initial.on_ground", "there is no ground (world.ground.present); set it to false");
  }
  if (initial.on_ground || !world.ground.present) return;
  double lowest_m = height_m(world, initial.position_W_m);
  for (int k = 0; k < contact.count; ++k) {
    const Vec3 point_W = rotate(initial.attitude, contact.position_B_m[k]);
    lowest_m = math::min(lowest_m, height_m(world, initial.position_W_m + point_W) + kDeepest_m);
  }
  if (lowest_m >= 0.0) return;
  if (initial.position_W_m == Vec3{}) {  // most likely not given
    refuse_key("initial.on_ground",
               fmt::format(
                   "the vehicle would start {:.3g} m below the ground; give it a place "
                   "above with initial.position_ned_m (z counts downwards), or let it stand on the "
                   "ground",
                   -lowest_m));
  }
  refuse_key("initial.position_ned_m",
             fmt::format("the vehicle would start {:.3g} m below the ground; raise "
                         "it, or let it stand on the ground with initial.on_ground",
                         -lowest_m));
}

void require_air_at_start(const Spec& spec, const World& world, Vec3 position_W_m) {
  if (has_air(world, position_W_m)) return;
  refuse_key(spec.initial.on_ground ? "world.ground.down_m" : "initial.position_ned_m",
             fmt::format("the vehicle would start at an altitude of {} m; the air is known from {} "
                         "to {} m above mean sea level",
                         altitude_msl_m(world, position_W_m), kLowestAir_m, kHighestAir_m));
}

}  // namespace tactus
