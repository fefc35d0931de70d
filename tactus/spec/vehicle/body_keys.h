// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Keys that several types of vehicle have: the inertia tensor and points of contact.

#include "tactus/core/vec.h"
#include "tactus/plant/contact.h"
#include "tactus/spec/schema/table_builder.h"

namespace tactus {

/// Lets a table that has the key inertia_kg_m2 give the diagonal instead.
inline void add_inertia_diagonal(SchemaTable& table, Vec3& diagonal_kg_m2) {
  for (SchemaKey& key : table.keys) {
    if (key.name == "inertia_kg_m2") key.group = "inertia";
  }
  TableBuilder(table)
      .add("inertia_diagonal_kg_m2", "kg*m^2", &diagonal_kg_m2,
           "the same without products of inertia")
      .group = "inertia";
}

inline SchemaTable gear_table(const char* name, const char* meaning, GearParameters& gear) {
  SchemaTable table{.name = name, .meaning = meaning, .owner = Component::kContact};
  TableBuilder b(table);
  b.add("positions_body_m", "m", ListSlot<Vec3>{gear.position_B_m, &gear.count, kMaxGearPoints},
        "points in body axes from the centre of mass");
  b.fields(gear, {"count", "position_body_m"});
  return table;
}

}  // namespace tactus
