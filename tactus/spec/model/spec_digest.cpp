// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/model/spec_digest.h"

#include <string_view>
#include <variant>

namespace tactus {
namespace {

/// The world stands where it stood when it was part of the vehicle: before the ledger. So specs
/// keep the digests that they had.
void add(Digest& digest, const MultirotorParameters& vehicle, const WorldParameters& world) {
  MultirotorParameters::visit_fields(
      vehicle, [&](std::string_view name, const char*, const auto& member, const char* = "") {
        if (name == "ledger") {
          digest.add_fields(world.ground);
          digest.add_fields(world.atmosphere);
          digest.add_fields(world.gravity);
          digest.add_fields(world.origin);
        }
        digest.add_field(member);
      });
}

/// Every spec once held a multirotor and a rover, and its digest both: the one that it does not fly
/// counts with its defaults. Types that came later add theirs alone, after these.
void add(Digest& digest, const VehicleSpec& vehicle, const WorldParameters& world) {
  digest.add(static_cast<std::uint8_t>(vehicle.index()));
  const auto* const multirotor = std::get_if<MultirotorParameters>(&vehicle);
  const auto* const rover = std::get_if<RoverParameters>(&vehicle);
  add(digest, multirotor == nullptr ? MultirotorParameters{} : *multirotor, world);
  digest.add_fields(rover == nullptr ? RoverParameters{} : *rover);
  if (multirotor != nullptr || rover != nullptr) return;
  std::visit([&digest](const auto& later) { digest.add_fields(later); }, vehicle);
}

consteval int parts_of_world() {
  int parts = 0;
  WorldParameters world;
  WorldParameters::visit_fields(
      world, [&parts](const char*, const char*, const auto&, const char*) { ++parts; });
  return parts;
}
static_assert(parts_of_world() == 6, "a new part of the world belongs into the digest, below");

}  // namespace

Digest128 event_digest(const Event& event) {
  Digest digest;
  digest.add_fields(event.trigger);
  digest.add_fields(event.action);
  return digest.result();
}

Digest128 spec_digest(const Spec& spec) {
  Digest digest;
  Spec::visit_fields(spec,
                     [&](std::string_view name, const char*, const auto& member, const char* = "") {
                       if (name == "vehicle") return add(digest, spec.vehicle, spec.world);
                       if (name == "world")
                         return;  // ground, air, gravity and origin with the vehicle
                       digest.add_field(member);
                       if (name == "solver") digest.add_fields(spec.world.wind);
                       if (name == "sensors") digest.add_fields(spec.world.magnetic_field);
                     });
  return digest.result();
}

}  // namespace tactus
