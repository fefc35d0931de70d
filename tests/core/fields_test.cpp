// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace tactus {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

enum class Mode : std::uint8_t { kOff, kOn };

struct Gear {
  Vec3 position_B_m;
  double stiffness_n_m = 1e3;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("position_B_m", "m", self.position_B_m, "contact point");
    visit("stiffness_n_m", "N/m", self.stiffness_n_m);
  }
};
static_assert(lists_every_field<Gear>());

struct Vehicle {
  double mass_kg = 1.5;
  bool armed = false;
  Mode mode = Mode::kOff;
  std::int32_t count = -3;
  TimeUs t;
  Quat q_WB;
  Mat3 inertia_kg_m2;
  double rotor_speed_rad_s[4] = {};
  std::array<Gear, 2> gear;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("mass_kg", "kg", self.mass_kg, "total mass");
    visit("armed", "", self.armed);
    visit("mode", "", self.mode);
    visit("count", "", self.count);
    visit("t_us", "us", self.t);
    visit("q_WB", "", self.q_WB);
    visit("inertia_kg_m2", "kg m2", self.inertia_kg_m2);
    visit("rotor_speed_rad_s", "rad/s", self.rotor_speed_rad_s);
    visit("gear", "", self.gear);
  }
};
static_assert(lists_every_field<Vehicle>());
static_assert(leaf_count(Vehicle{}) == 5 + 4 + 9 + 4 + 2 * 4);

struct Forgetful {
  double listed = 0.0;
  double forgotten = 0.0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("listed", "", self.listed);
  }
};
static_assert(!lists_every_field<Forgetful>());

/// A state vector whose length is known at run time only.
struct StateVector {
  double storage[12] = {};
  std::size_t count = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("x", "", std::span(self.storage, self.count));
  }
};

static_assert(HasFields<Vehicle> && HasFields<const Vehicle>);
static_assert(!HasFields<Vec3> && !HasFields<double>);

std::vector<std::string> names_of(const auto& object) {
  std::vector<std::string> names;
  for_each_leaf(object, [&](const LeafPath& path, const auto&) { names.push_back(path.text()); });
  return names;
}

TEST(Fields, LeavesAreNamedInListOrder) {
  const std::vector<std::string> names = names_of(Vehicle{});
  ASSERT_EQ(names.size(), leaf_count(Vehicle{}));
  EXPECT_EQ(names[0], "mass_kg");
  EXPECT_EQ(names[4], "t_us");
  EXPECT_EQ(names[5], "q_WB.w");
  EXPECT_EQ(names[9], "inertia_kg_m2[0][0]");
  EXPECT_EQ(names[14], "inertia_kg_m2[1][2]");
  EXPECT_EQ(names[18], "rotor_speed_rad_s[0]");
  EXPECT_EQ(names[22], "gear[0].position_B_m.x");
  EXPECT_EQ(names.back(), "gear[1].stiffness_n_m");
  EXPECT_EQ(leaf_name(Vehicle{}, 22), "gear[0].position_B_m.x");
}

TEST(Fields, UnitAndMeaningReachTheLeaf) {
  std::string unit;
  std::string meaning;
  const Gear gear;
  for_each_leaf(gear, [&](const LeafPath& path, const auto&) {
    if (path.text() != "position_B_m.z") return;
    unit = path.unit;
    meaning = path.meaning;
  });
  EXPECT_EQ(unit, "m");
  EXPECT_EQ(meaning, "contact point");
}

TEST(Fields, TheSameListWrites) {
  Vehicle vehicle;
  double next = 1.0;
  for_each_leaf(vehicle, [&](const LeafPath&, auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, double>) value = next++;
  });
  EXPECT_EQ(vehicle.mass_kg, 1.0);
  EXPECT_EQ(vehicle.q_WB, (Quat{2.0, 3.0, 4.0, 5.0}));
  EXPECT_EQ(vehicle.gear[1].stiffness_n_m, 26.0);
}

TEST(Fields, RunTimeLength) {
  StateVector state;
  state.count = 3;
  EXPECT_EQ(names_of(state), (std::vector<std::string>{"x[0]", "x[1]", "x[2]"}));
  state.storage[7] = kInf;
  EXPECT_EQ(first_non_finite(state), -1);
  state.count = 8;
  EXPECT_EQ(first_non_finite(state), 7);
  for_each_leaf(state, [](const LeafPath&, double& value) { value = 2.0; });
  EXPECT_EQ(state.storage[7], 2.0);
  EXPECT_EQ(state.storage[8], 0.0);
}

// Wherever it is, it is found and named.
TEST(Fields, FirstNonFinite) {
  EXPECT_EQ(first_non_finite(Vehicle{}), -1);
  const auto count = static_cast<std::ptrdiff_t>(leaf_count(Vehicle{}));
  for (std::ptrdiff_t bad = 0; bad < count; ++bad) {
    for (const double value : {std::nan(""), kInf, -kInf}) {
      Vehicle vehicle;
      std::ptrdiff_t current = 0;
      bool is_real = false;
      for_each_leaf(vehicle, [&](const LeafPath&, auto& leaf) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(leaf)>, double>) {
          if (current >= bad) leaf = value;
          is_real = is_real || current == bad;
        }
        ++current;
      });
      EXPECT_TRUE(!is_real || first_non_finite(vehicle) == bad) << bad;
    }
  }
}

TEST(Fields, AllFiniteMeansEveryOne) {
  const double huge = std::numeric_limits<double>::max();
  EXPECT_TRUE(all_finite(Vehicle{}));
  const double fine[] = {huge, huge, -huge, 5e-324, -0.0};
  EXPECT_TRUE(all_finite(fine)) << "a sum that overflows is no reason";
  for (std::size_t i = 0; i < std::size(fine); ++i) {
    for (const double value : {std::nan(""), kInf, -kInf}) {
      double bad[std::size(fine)];
      std::copy(std::begin(fine), std::end(fine), bad);
      bad[i] = value;
      EXPECT_FALSE(all_finite(bad)) << i << " " << value;
      bad[(i + 1) % std::size(fine)] = -value;
      EXPECT_FALSE(all_finite(bad)) << i << " " << value;
    }
  }
}

TEST(Fields, EqualObjectsHaveNoDifference) {
  Vehicle a;
  Vehicle b;
  EXPECT_FALSE(first_difference(a, b));
  a.mass_kg = std::nan("1");
  b.mass_kg = -std::nan("2");
  EXPECT_FALSE(first_difference(a, b)) << "all NaN are one value";
}

TEST(Fields, DifferenceNamesLeafValuesAndUlps) {
  Vehicle a;
  Vehicle b;
  b.gear[1].position_B_m.z = 0x1p-1074;
  auto difference = first_difference(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->name, "gear[1].position_B_m.z");
  EXPECT_EQ(difference->ulps, 1u);
  EXPECT_EQ(difference->text(), "gear[1].position_B_m.z: 0 and 5e-324 m");
  b.count = 7;
  difference = first_difference(a, b);
  EXPECT_EQ(difference->text(), "count: -3 and 7") << "the first one in list order";
  b.mode = Mode::kOn;
  EXPECT_EQ(first_difference(a, b)->text(), "mode: 0 and 1");
}

TEST(Fields, SignOfZeroIsADifference) {
  Gear a;
  Gear b;
  b.position_B_m.x = -0.0;
  const auto difference = first_difference(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->b, "-0");
  EXPECT_EQ(difference->ulps, 0u);
}

TEST(Fields, DifferentLengthsDiffer) {
  StateVector a;
  StateVector b;
  a.count = 2;
  b.count = 3;
  EXPECT_EQ(first_difference(a, b)->text(), "x[2]: (absent) and 0");
  EXPECT_EQ(first_difference(b, a)->text(), "x[2]: 0 and (absent)");
}

TEST(UlpDistance, CountsDoublesBetween) {
  EXPECT_EQ(ulp_distance(1.0, std::nextafter(1.0, 2.0)), 1u);
  EXPECT_EQ(ulp_distance(-1.0, std::nextafter(-1.0, 0.0)), 1u);
  EXPECT_EQ(ulp_distance(1.0, 2.0), std::uint64_t{1} << 52);
  EXPECT_EQ(ulp_distance(-0x1p-1074, 0x1p-1074), 2u);
  EXPECT_EQ(ulp_distance(-0.0, 0.0), 0u);
  EXPECT_EQ(ulp_distance(std::nan(""), 1.0), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace tactus
