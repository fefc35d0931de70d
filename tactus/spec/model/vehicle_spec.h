// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Every type of vehicle, by its parameters. A new type is an alternative and a line here, and its
// own files beside; everything else asks vehicle_type.h.

#include <string>
#include <variant>
#include <vector>

#include "tactus/core/fields.h"
#include "tactus/plant/ball.h"
#include "tactus/plant/multirotor_model.h"
#include "tactus/plant/rover.h"

namespace tactus {

class VehicleType;

/// Its position is part of the spec digest: new types come last.
using VehicleSpec = std::variant<MultirotorParameters, RoverParameters, BallParameters>;

/// Each is defined in the file of its type.
const VehicleType& vehicle_type_of(const MultirotorParameters&);
const VehicleType& vehicle_type_of(const RoverParameters&);
const VehicleType& vehicle_type_of(const BallParameters&);

/// Ids of the parts that events, reports and notes name, in their order. What a type does not
/// have is empty.
struct PartIds {
  std::vector<std::string> rotors;
  std::vector<std::string> packs;
  std::vector<std::string> buses;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("rotors", "", self.rotors);
    visit("packs", "", self.packs);
    visit("buses", "", self.buses);
  }
};
static_assert(lists_every_field<PartIds>());

}  // namespace tactus
