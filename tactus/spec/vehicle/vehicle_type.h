// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What a type of vehicle gives: its name and keys, its parts, its plant, its built-in autopilot,
// and the texts about it. One object per type, without state:
// multirotor.cpp, rover.cpp, ball.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/autopilot/builtin/builtin_vehicle.h"
#include "tactus/plant/battery.h"
#include "tactus/plant/contact.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/model/spec.h"
#include "tactus/spec/model/spec_warning.h"
#include "tactus/spec/schema/schema.h"
#include "tactus/spec/schema/spec_places.h"
#include "tactus/spec/vehicle/external_autopilots.h"
#include "tactus/spec/vehicle/hover_figures.h"
#include "tactus/vehicle/plant.h"
#include "tactus/vehicle/state_owner.h"
#include "tactus/world/world.h"

namespace tactus {

/// A vehicle as it is written in a spec: what its keys are bound to.
class VehicleDraft {
 public:
  virtual ~VehicleDraft() = default;

  /// Adds its tables and lists; those that name no owner are of the rigid body. Entries of lists
  /// are named after the ids in `root`. The schema is valid as long as the draft lives.
  virtual void add_keys(SchemaTable& schema, const TomlNode& root) = 0;

  /// Once all keys are read: gives `spec` its vehicle and the ids of its parts. Throws Error if
  /// parts do not fit together.
  virtual void finish(const SchemaTable& schema, const SpecPlaces& places, Spec& spec) = 0;

  /// In body axes, from where positions are written. `finish` has moved its own parts by it.
  [[nodiscard]] virtual Vec3 center_of_mass_m() const { return {}; }
};

class VehicleType {
 public:
  virtual ~VehicleType() = default;

  /// As vehicle.kind names it.
  [[nodiscard]] virtual const char* name() const = 0;
  /// A commented spec to start from, after the common head.
  [[nodiscard]] virtual const char* starter() const = 0;
  /// With as many entries as the lists of `root` have; null: one in each, for the schema alone.
  [[nodiscard]] virtual std::unique_ptr<VehicleDraft> draft(const TomlNode* root) const = 0;

  /// Of the vehicle alone; vehicle_counts() adds the instruments.
  [[nodiscard]] virtual VehicleCounts counts(const Spec& spec) const = 0;
  /// Battery packs, in the order of their ids.
  [[nodiscard]] virtual std::span<const PackParameters> packs(const Spec& /*spec*/) const {
    return {};
  }
  /// What its servo channels move, if it has no motors.
  [[nodiscard]] virtual const char* servo_names() const { return "actuators"; }
  /// Off the ground; else it drives.
  [[nodiscard]] virtual bool flies() const = 0;
  /// Whether a hard or tilted touch of the ground ends its flight.
  [[nodiscard]] virtual bool can_crash() const { return flies(); }
  /// MAV_TYPE.
  [[nodiscard]] virtual std::uint8_t mav_type(const Spec& spec) const = 0;

  /// Throws Error that names the parameter, its value and the reason. `longest_interval`: between
  /// two boundaries, which a fixed step must resolve.
  virtual void check(const Spec& spec, DurationUs longest_interval) const = 0;
  /// At the start of the flight. Throws Error that names the key if it cannot start there.
  [[nodiscard]] virtual std::unique_ptr<Plant> plant(const Spec& spec) const = 0;
  /// Of its state. A name that several types have belongs to the same part in all.
  [[nodiscard]] virtual std::vector<StateOwner> state_owners() const = 0;

  /// Throws Error that names the key if there is none, or it cannot fly this vehicle.
  [[nodiscard]] virtual std::unique_ptr<BuiltinVehicle> builtin_autopilot(
      const Spec& spec, std::shared_ptr<const FlightPlan> plan) const = 0;
  /// The same for the PX4 library and external programs: made for multirotors, so any other type
  /// refuses.
  [[nodiscard]] virtual std::unique_ptr<Autopilot> external_autopilot(
      const Spec& spec, const ExternalAutopilots& external) const;

  /// Sentences for the user about a flight; nothing is wrong.
  [[nodiscard]] virtual std::vector<std::string> notes(const Spec& /*spec*/) const { return {}; }
  /// What is allowed and most likely not meant.
  [[nodiscard]] virtual SpecWarnings plausibility(const Spec& /*spec*/) const { return {}; }
  /// What it needs to hover; none: it does not.
  [[nodiscard]] virtual std::optional<HoverFigures> hover(const Spec& /*spec*/) const {
    return std::nullopt;
  }
};

/// All types, in the order of VehicleSpec.
std::span<const VehicleType* const> vehicle_types();
/// Their names, in the same order.
std::span<const char* const> vehicle_type_names();
/// That of a spec.
const VehicleType& vehicle_type(const Spec& spec);

/// Counts of a spec: parts of its vehicle, and the instruments that are fitted.
VehicleCounts vehicle_counts(const Spec& spec);

/// Owner of a number of any plant's state: "state.rotor_speed_rad_s[1]"; kUnknown: no type has it.
Component owner_of_state(std::string_view leaf);

/// Refuses to start on ground that is not there, or in the air with the body or a point of contact
/// in the ground.
void require_place_to_start(const InitialSpec& initial, const World& world,
                            const GearParameters& contact);

/// Refuses a start where the air is not known.
void require_air_at_start(const Spec& spec, const World& world, Vec3 position_W_m);

}  // namespace tactus
