// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Keys of a multirotor, and how rotors, packs and buses are connected.

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tactus/core/assert.h"
#include "tactus/core/text.h"
#include "tactus/spec/schema/table_builder.h"
#include "tactus/spec/vehicle/body_keys.h"
#include "tactus/spec/vehicle/multirotor.h"

namespace tactus {
namespace {

struct RotorDraft {
  RotorParameters rotor;
  std::string bus;
  double thrust_scale = 1.0;
  double torque_scale = 1.0;
};

struct PackDraft {
  PackParameters pack;
  std::string bus;
  double capacity_scale = 1.0;
  double resistance_scale = 1.0;
  int ocv_soc_count = 2;
  int ocv_v_count = 2;
  int v_rc0_count = 1;
};

SchemaTable servo_table(MultirotorParameters& p) {
  SchemaTable table{.name = "servo_actuator", .meaning = "servos"};
  TableBuilder b(table);
  b.add("count", "", &p.servo_count, "number of servos");
  b.fields(p.servo_actuator);
  return table;
}

PropellerParameters scaled(PropellerParameters propeller, double thrust, double torque) {
  propeller.thrust_constant_m4 *= thrust;
  propeller.static_thrust_coefficient *= thrust;
  propeller.advance_thrust_coefficient *= thrust;
  propeller.torque_constant_m5 *= torque;
  propeller.static_power_coefficient *= torque;
  propeller.advance_power_coefficient *= torque;
  return propeller;
}

PackParameters scaled(PackParameters pack, double capacity, double resistance) {
  pack.capacity_ah *= capacity;
  pack.r0_ohm *= resistance;
  for (int i = 0; i < pack.rc_count; ++i) pack.rc[i].r_ohm *= resistance;
  return pack;
}

SchemaTable pack_entry(PackDraft& p) {
  SchemaTable table;
  TableBuilder b(table);
  b.add("bus", "", &p.bus, "id of its bus; empty: the first one");
  b.fields(p.pack, {"ocv_count", "ocv_soc", "ocv_v", "rc_count", "rc", "v_rc0_v"});
  b.add("ocv_soc", "1", ListSlot<double>{p.pack.ocv_soc, &p.ocv_soc_count, kMaxOcvPoints},
        "state of charge of each point of the open-circuit curve, from 0 to 1");
  b.add("ocv_v", "V", ListSlot<double>{p.pack.ocv_v, &p.ocv_v_count, kMaxOcvPoints},
        "open-circuit voltage of each point");
  b.add("rc", "", ListSlot<RcPairParameters>{p.pack.rc, &p.pack.rc_count, kMaxRcPairs},
        "polarisation: resistance and capacitance of RC pairs");
  b.add("v_rc0_v", "V", ListSlot<double>{p.pack.v_rc0_v, &p.v_rc0_count, kMaxRcPairs},
        "initial voltage of each RC pair")
      .fixed_in_flight = kOnlyAtStart;
  b.add("capacity_scale", "1", real_slot(p.capacity_scale), "times the capacity");
  b.add("resistance_scale", "1", real_slot(p.resistance_scale),
        "times the series resistance and those of the RC pairs");
  return table;
}

SchemaTable bus_entry(PowerBusParameters& bus) {
  SchemaTable table;
  TableBuilder(table).fields(bus);
  return table;
}

class MultirotorDraft final : public VehicleDraft {
 public:
  explicit MultirotorDraft(const TomlNode* root) {
    const auto count = [root](const char* list) {
      return root == nullptr ? std::size_t{1} : entry_count(array_at(*root, list));
    };
    rotors_.resize(count("rotor"));
    packs_.resize(count("pack"));
    buses_.resize(count("bus"));
  }

  void add_keys(SchemaTable& schema, const TomlNode& root) override {
    add_ledger(schema);
    auto& tables = schema.tables;
    tables.push_back(table_of("body", "the whole vehicle as a rigid body", p_.body));
    add_inertia_diagonal(tables.back(), inertia_diagonal_kg_m2_);
    TableBuilder(tables.back())
        .add("center_of_mass_body_m", "m", &center_of_mass_B_m_,
             "where it is in the axes in which rotors, gear and instruments have their positions");
    const auto drives = [&tables](SchemaTable table) {
      tables.push_back(owned_by(Component::kPropulsion, std::move(table)));
    };
    drives(table_of("motor", "motor and speed controller of all rotors", motor_));
    drives(table_of("propeller", "propeller of all rotors", propeller_));
    drives(table_of("motor_actuator", "command path of the motors", p_.motor_actuator));
    drives(servo_table(p_));
    tables.push_back(gear_table("gear", "landing gear", p_.gear));
    const auto add_list = [&](Component owner, const char* name, const char* meaning, int highest,
                              auto& drafts, auto make_entry) {
      schema.lists.push_back(list_of(name, meaning, 1, highest, array_at(root, name), drafts.size(),
                                     [&](std::size_t i) { return make_entry(drafts[i]); }));
      schema.lists.back().owner = owner;
    };
    add_list(Component::kPropulsion, "rotor", "rotors", kMaxMotors, rotors_,
             [this](RotorDraft& r) { return entry(r); });
    add_list(Component::kBattery, "pack", "battery packs", kMaxPacks, packs_, pack_entry);
    add_list(Component::kBattery, "bus", "power buses", kMaxBuses, buses_, bus_entry);
  }

  void finish(const SchemaTable& schema, const SpecPlaces& places, Spec& spec) override {
    ids_ = {.rotors = ids_of(*schema.list("rotor")),
            .packs = ids_of(*schema.list("pack")),
            .buses = ids_of(*schema.list("bus"))};
    connect_power(places);
    if (places.given("body.inertia_diagonal_kg_m2")) {
      p_.body.inertia_kg_m2 = Mat3::diagonal(inertia_diagonal_kg_m2_);
    }
    spec.vehicle = about_center_of_mass();
    spec.parts = ids_;
  }

  [[nodiscard]] Vec3 center_of_mass_m() const override { return center_of_mass_B_m_; }

 private:
  /// The members themselves stay as they are written.
  [[nodiscard]] MultirotorParameters about_center_of_mass() const {
    MultirotorParameters p = p_;
    for (int i = 0; i < p.rotor_count; ++i) {
      p.rotor[i].position_B_m = p.rotor[i].position_B_m - center_of_mass_B_m_;
    }
    for (int k = 0; k < p.gear.count; ++k) {
      p.gear.position_B_m[k] = p.gear.position_B_m[k] - center_of_mass_B_m_;
    }
    return p;
  }

  void add_ledger(SchemaTable& schema) {
    const auto vehicle =
        std::find_if(schema.tables.begin(), schema.tables.end(),
                     [](const SchemaTable& table) { return table.name == "vehicle"; });
    TACTUS_ASSERT(vehicle != schema.tables.end(), "[vehicle] comes first");
    TableBuilder(*vehicle).add("ledger", "", &p_.ledger,
                               "integrate the energy ledger (multirotor)");
  }

  SchemaTable entry(RotorDraft& r) {
    SchemaTable table;
    TableBuilder b(table);
    b.fields(r.rotor, {"motor", "propeller"});
    table.keys.front().required = true;
    b.add("bus", "", &r.bus, "id of its bus; empty: the first one");
    b.add("thrust_scale", "1", real_slot(r.thrust_scale), "times the thrust of its propeller");
    b.add("torque_scale", "1", real_slot(r.torque_scale), "times the torque of its propeller");
    table.tables.push_back(table_of("motor", "where it differs from [motor]", r.rotor.motor));
    table.tables.push_back(
        table_of("propeller", "where it differs from [propeller]", r.rotor.propeller));
    for (SchemaTable& inner : table.tables) inner.sparse = true;
    table.prepare = [this, &r] {
      r.rotor.motor = motor_;
      r.rotor.propeller = propeller_;
    };
    return table;
  }

  /// Index of the bus named by `key`; an empty name is the first bus and becomes its id.
  int bus_index(const SpecPlaces& places, const std::string& key, std::string& name) const {
    if (name.empty()) name = ids_.buses.front();
    const auto it = std::find(ids_.buses.begin(), ids_.buses.end(), name);
    if (it == ids_.buses.end()) {
      places.refuse(key, did_you_mean("there is no bus of this id", name, ids_.buses));
    }
    return static_cast<int>(it - ids_.buses.begin());
  }

  void connect_power(const SpecPlaces& places) {
    PowerNetworkParameters& power = p_.power;
    p_.rotor_count = power.motor_count = static_cast<int>(rotors_.size());
    power.pack_count = static_cast<int>(packs_.size());
    power.bus_count = static_cast<int>(buses_.size());
    std::copy(buses_.begin(), buses_.end(), power.bus);
    for (std::size_t i = 0; i < rotors_.size(); ++i) {
      const RotorDraft& rotor = rotors_[i];
      const std::string path = "rotor." + ids_.rotors[i];
      require_scale(places, path + ".thrust_scale", rotor.thrust_scale);
      require_scale(places, path + ".torque_scale", rotor.torque_scale);
      p_.rotor[i] = rotor.rotor;
      p_.rotor[i].propeller = scaled(rotor.rotor.propeller, rotor.thrust_scale, rotor.torque_scale);
      power.motor_bus[i] = bus_index(places, "rotor." + ids_.rotors[i] + ".bus", rotors_[i].bus);
    }
    for (std::size_t i = 0; i < packs_.size(); ++i) {
      connect_pack(places, "pack." + ids_.packs[i], packs_[i]);
      power.pack[i] = scaled(packs_[i].pack, packs_[i].capacity_scale, packs_[i].resistance_scale);
      power.pack_bus[i] = bus_index(places, "pack." + ids_.packs[i] + ".bus", packs_[i].bus);
    }
    for (int b = 0; b < power.bus_count; ++b) {
      const std::span<const int> of_packs(power.pack_bus, packs_.size());
      if (std::find(of_packs.begin(), of_packs.end(), b) != of_packs.end()) continue;
      const std::string key = "bus." + ids_.buses[static_cast<std::size_t>(b)] + ".id";
      places.refuse(key, "no pack is on this bus; give one bus = \"…\" or remove the bus");
    }
  }

  static void require_scale(const SpecPlaces& places, const std::string& key, double scale) {
    if (!(scale > 0.0)) places.refuse(key, "must be greater than zero; 1 changes nothing");
  }

  /// Lists of a pack that must have equal lengths.
  static void connect_pack(const SpecPlaces& places, const std::string& path, PackDraft& p) {
    require_scale(places, path + ".capacity_scale", p.capacity_scale);
    require_scale(places, path + ".resistance_scale", p.resistance_scale);
    if (p.ocv_soc_count != p.ocv_v_count) {
      const std::string key = places.given(path + ".ocv_v") ? ".ocv_v" : ".ocv_soc";
      places.refuse(path + key, fmt::format("ocv_soc has {} elements and ocv_v has {}; they must "
                                            "be equal",
                                            p.ocv_soc_count, p.ocv_v_count));
    }
    p.pack.ocv_count = p.ocv_soc_count;
    if (!places.given(path + ".v_rc0_v")) p.v_rc0_count = p.pack.rc_count;
    if (p.v_rc0_count != p.pack.rc_count) {
      places.refuse(path + ".v_rc0_v", fmt::format("has {} elements, there are {} RC pairs",
                                                   p.v_rc0_count, p.pack.rc_count));
    }
  }

  MultirotorParameters p_;
  MotorParameters motor_;          ///< of rotors that say nothing else
  PropellerParameters propeller_;  ///< of rotors that say nothing else
  Vec3 inertia_diagonal_kg_m2_;
  Vec3 center_of_mass_B_m_;
  std::vector<RotorDraft> rotors_;
  std::vector<PackDraft> packs_;
  std::vector<PowerBusParameters> buses_;
  PartIds ids_;
};

}  // namespace

std::unique_ptr<VehicleDraft> make_multirotor_draft(const TomlNode* root) {
  return std::make_unique<MultirotorDraft>(root);
}

}  // namespace tactus
