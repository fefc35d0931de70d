// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <iterator>

#include "cli/verify/check.h"

namespace tactus::verify {

std::vector<Check> all_checks() {
  std::vector<Check> all;
  for (const auto theme :
       {motion_checks, plant_checks, rotor_checks, published_checks, order_checks,
        independent_checks, law_checks, charge_law_checks, contact_checks, environment_checks}) {
    std::vector<Check> checks = theme();
    std::move(checks.begin(), checks.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace tactus::verify
