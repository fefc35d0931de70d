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

void require_air_at_start(const Spec& spec, const World& world, Vec3 position_W_m) {
  if (has_air(world, position_W_m)) return;
  refuse_key(spec.initial.on_ground ? "world.ground.down_m" : "initial.position_ned_m",
             fmt::format("the vehicle would start at an altitude of {} m; the air is known from {} "
                         "to {} m above mean sea level",
                         altitude_msl_m(world, position_W_m), kLowestAir_m, kHighestAir_m));
}

}  // namespace tactus
