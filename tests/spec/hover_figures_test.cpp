// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/vehicle/hover_figures.h"

#include <gtest/gtest.h>

#include "tactus/files/disk_files.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/vehicle/multirotor.h"

namespace tactus {
namespace {

HoverFigures figures_of(const char* name, const std::vector<Override>& changes = {}) {
  const Spec spec = load_spec(find_spec(name), changes).spec;
  return hover_figures(multirotor_of(spec), make_multirotor(spec));
}

TEST(HoverFigures, RotorsCarryTheWeight) {
  for (const char* const name : {"iris", "hexa", "octa", "heavy"}) {
    const HoverFigures figures = figures_of(name);
    ASSERT_TRUE(figures.hover) << name;
    EXPECT_NEAR(figures.hover->lift_n, figures.weight_n, 1e-6 * figures.weight_n) << name;
    EXPECT_GT(figures.thrust_to_weight(), 1.0) << name;
    EXPECT_DOUBLE_EQ(figures.endurance_s() * figures.current_a, 3600.0 * figures.charge_ah);
  }
}

TEST(HoverFigures, ChargeAndAvionicsCount) {
  const HoverFigures full = figures_of("iris");
  const HoverFigures half = figures_of("iris", {{"pack.main.soc0", "0.5"}});
  EXPECT_LT(half.endurance_s(), 0.5 * full.endurance_s()) << "less voltage, more current";
  const HoverFigures hungry = figures_of("iris", {{"bus.main.avionics_power_w", "100"}});
  EXPECT_GT(hungry.current_a, full.current_a + 5.0);
}

TEST(HoverFigures, TooHeavyHasNoHover) {
  const HoverFigures figures = figures_of("iris", {{"body.mass_kg", "9.0"}});
  EXPECT_FALSE(figures.hover);
  EXPECT_LT(figures.thrust_to_weight(), 1.0);
  EXPECT_EQ(figures.endurance_s(), 0.0);
}

}  // namespace
}  // namespace tactus
