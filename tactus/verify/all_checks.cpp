// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <iterator>
#include <utility>

#include "tactus/verify/check.h"

namespace tactus::verify {

std::vector<Check> all_checks(const IndependentIntegrator& independent) {
  std::vector<Check> all;
  for (std::vector<Check> checks :
       {motion_checks(), plant_checks(), rotor_checks(), published_checks(), order_checks(),
        independent_checks(independent), law_checks(), charge_law_checks(), contact_checks(),
        environment_checks()}) {
    std::move(checks.begin(), checks.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace tactus::verify
