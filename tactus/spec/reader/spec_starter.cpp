// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_starter.h"

#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {
namespace {

constexpr char kHead[] =
    R"(# A spec for Tactus. Only what differs from the defaults has to be given.
# All keys:            tactus spec keys
# Check this file:     tactus spec check FILE
# With all defaults:   tactus spec show FILE
# Signals for `when`:  tactus spec signals FILE

# extends = "iris.toml"     # start from another spec, here a shipped one; this file then says
#                           # what differs
name = "my_vehicle"
description = "one line for people"
seed = 1                    # of all random numbers

)";

}  // namespace

std::string starter_spec(std::string_view kind) {
  for (const VehicleType* type : vehicle_types()) {
    if (kind == type->name()) return std::string(kHead) + type->starter();
  }
  const std::vector<std::string> names(vehicle_type_names().begin(), vehicle_type_names().end());
  throw Error(ExitCode::kBadInput, did_you_mean("there is no such kind of vehicle", kind, names));
}

}  // namespace tactus
