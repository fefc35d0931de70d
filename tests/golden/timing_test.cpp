// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// When things happen: axes without drift, faults and gusts at their own microsecond, and what the
// autopilot sees at the first instant.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tactus/record/memory_log.h"
#include "tests/golden/flown.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using testing::all_motors;
using testing::BusList;
using testing::fly_by_hand;
using testing::quiet_iris;
using testing::RowList;
using testing::spec_of;

/// Remembers what every boundary was for.
class DueList final : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage /*stage*/, const BoundaryView& view) override { seen.push_back(view.due); }
  std::vector<Due> seen;
};

TEST(GoldenTiming, ThreeRatesStayAlignedOverTenThousandSteps) {
  Assembly flight = assemble(spec_of(quiet_iris(R"(
    time = { end_s = 20.0, physics_s = 0.002, autopilot_s = 0.01, sensors_s = 0.01, wind_s = 0.01 }
    log.period_s = 0.02
    solver.method = "rk4"
  )")));
  DueList dues;
  MemoryLog log({"autopilot.armed"});
  testing::fly_spec(flight, {&dues}, {&log});
  ASSERT_EQ(dues.seen.size(), 10'001U);
  for (std::uint64_t step = 0; step <= 10'000; ++step) {
    const Due& due = dues.seen[step];
    ASSERT_EQ(due.time.us, 2'000 * step);
    ASSERT_TRUE(due.on(Axis::kPhysics));
    ASSERT_EQ(due.on(Axis::kAutopilot), step % 5 == 0) << step;
    ASSERT_EQ(due.on(Axis::kLog), step % 10 == 0) << step;
  }
  ASSERT_EQ(log.times().size(), 1'001U);
  for (std::uint64_t row = 0; row <= 1'000; ++row) ASSERT_EQ(log.times()[row].us, 20'000 * row);
}

TEST(GoldenTiming, TenMinutesOfAutopilotTicksAreExact) {
  Assembly flight = assemble(spec_of(R"(
    extends = "../aircraft/rover.toml"
    [time]
    end_s = 600.0
    autopilot_s = 0.004
    sensors_s = 0.004
    wind_s = 0.0
    [wind]
    mean_ned_m_s = [0.0, 0.0, 0.0]
    turbulence = "none"
    [estimator]
    kind = "truth"
    delay_s = 0.0
    [log]
    period_s = 0.0
  )"));
  DueList dues;
  testing::fly_spec(flight, {&dues});
  std::uint64_t expected_us = 0;
  std::uint64_t ticks = 0;
  for (const Due& due : dues.seen) {
    if (!due.on(Axis::kAutopilot)) continue;
    ASSERT_EQ(due.time.us, expected_us);
    expected_us += 4'000;
    ++ticks;
  }
  EXPECT_EQ(ticks, 150'001U);
  EXPECT_EQ(dues.seen.back().time.us, 600'000'000U);
  EXPECT_TRUE(dues.seen.back().end);
}

constexpr char kHoveringStart[] = R"(
  time = { end_s = 0.02, autopilot_s = 0.01, sensors_s = 0.01, wind_s = 0.01 }
  initial = { on_ground = false, position_ned_m = [0.0, 0.0, -50.0], rotor_speed_rad_s = 218.0 }
)";

TEST(GoldenTiming, MotorFailsAtFiveMillisecondsBetweenTicksOfTen) {
  const auto fly_with = [](const std::string& action) {
    RowList list;
    fly_by_hand(spec_of(quiet_iris(std::string("log.period_s = 0.005\n") + kHoveringStart +
                                   "[[event]]\nid = \"x\"\nat_s = 0.005\ndo = " + action)),
                [](const Bus&) { return all_motors(0.585); }, {}, {&list});
    return list.rows;
  };
  const std::vector<RowList::Row> failed = fly_with("\"motor_off\"\nrotor = \"rear_left\"\n");
  const std::vector<RowList::Row> sound = fly_with("\"marker\"\n");
  ASSERT_EQ(failed.size(), 5U);
  ASSERT_EQ(sound.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    const EscStatus(&esc)[kMaxMotors] = failed[k].bus.esc;
    const EscStatus& same = sound[k].bus.esc[1];
    ASSERT_EQ(failed[k].time.us, 5'000 * k);
    // No current from that instant on; the speed falls afterwards, and of that rotor only.
    EXPECT_EQ(esc[1].current_a > 1.0, k == 0);
    EXPECT_EQ(esc[1].current_a == 0.0, k > 0);
    EXPECT_EQ(esc[1].speed_rad_s == same.speed_rad_s, k <= 1);
    EXPECT_EQ(esc[1].speed_rad_s<0.95 * same.speed_rad_s, k> 1);
    EXPECT_GT(esc[0].current_a, 1.0);
  }
}

/// A body with linear drag alone in a gust w of length T: after it v = w (1 − e^(−cT/m)).
TEST(GoldenTiming, AGustOfThirtyMillisecondsPushesForThirtyMilliseconds) {
  constexpr char kText[] = R"(
    time = { end_s = 2.0, autopilot_s = 0.01, sensors_s = 0.01, wind_s = 0.02 }
    world.ground.present = false
    initial = { on_ground = false }
    [body]
    angular_damping_nm_s = [0.0, 0.0, 0.0]
    [solver]
    method = "rk45"
    velocity = { rtol = 0.0, atol = 1e-12 }
    [[event]]
    id = "gust"
    do = "wind_step"
    vector = [6.0, 0.0, 0.0]
    duration_s = 0.03
    at_s = )";
  // On a tick of every axis, and between ticks.
  for (const std::uint64_t start_us : {1'000'000U, 1'004'999U, 1'011'111U}) {
    const Spec spec =
        spec_of(quiet_iris(kText + std::to_string(static_cast<double>(start_us) * 1e-6)));
    BusList boundaries(Stage::kLog);
    const auto run = fly_by_hand(spec, [](const Bus&) { return Command{}; }, {&boundaries});
    int edges = 0;
    for (const BusList::Entry& entry : boundaries.entries) {
      const std::uint64_t t = entry.bus.time.us;
      const bool blows = t >= start_us && t < start_us + 30'000;
      ASSERT_EQ(entry.bus.disturbance.wind_W_m_s.x, blows ? 6.0 : 0.0) << t;
      edges += t == start_us || t == start_us + 30'000 ? 1 : 0;
    }
    EXPECT_EQ(edges, 2);
    const double rate_per_s = 0.05 / 1.5;
    const double after = 6.0 * -std::expm1(-rate_per_s * 0.03);
    const double coasting_s = 2.0 - static_cast<double>(start_us) * 1e-6 - 0.03;
    EXPECT_NEAR(run.bus().truth.velocity_W_m_s.x, after * std::exp(-rate_per_s * coasting_s),
                1e-11);
  }
}

TEST(GoldenTiming, AGustDoesNotDisturbTheRandomWindUnderIt) {
  const auto wind_with = [](const std::string& more) {
    BusList boundaries(Stage::kLog);
    Spec spec = spec_of(
        quiet_iris("time = { end_s = 1.0, autopilot_s = 0.01, sensors_s = 0.01 }\n" + more));
    spec.world.wind.turbulence = TurbulenceKind::kOrnsteinUhlenbeck;
    fly_by_hand(spec, [](const Bus&) { return Command{}; }, {&boundaries});
    return boundaries;
  };
  const BusList calm = wind_with("");
  const BusList gusty = wind_with(
      "\n[[event]]\nid = \"gust\"\nat_s = 0.2\ndo = \"wind_step\"\n"
      "vector = [4.0, 0.0, 0.0]\nduration_s = 0.5\n");
  ASSERT_EQ(calm.entries.size(), gusty.entries.size());  // its edges are ticks
  int windy = 0;
  Vec3 last;
  int changes = 0;
  for (std::size_t k = 0; k < calm.entries.size(); ++k) {
    const Bus& bus = gusty.entries[k].bus;
    ASSERT_EQ(bus.wind.velocity_W_m_s, calm.entries[k].bus.wind.velocity_W_m_s);
    const bool blows = bus.time.us >= 200'000 && bus.time.us < 700'000;
    ASSERT_NEAR(bus.environment.wind_W_m_s.x - calm.entries[k].bus.environment.wind_W_m_s.x,
                blows ? 4.0 : 0.0, 1e-14);
    windy += blows ? 1 : 0;
    changes += bus.wind.velocity_W_m_s == last ? 0 : 1;
    last = bus.wind.velocity_W_m_s;
  }
  EXPECT_EQ(windy, 50);
  EXPECT_EQ(changes, 51);  // one per wind tick of 20 ms: the process walks on under the gust
}

TEST(GoldenTiming, GustAndDisconnectionOfTheFirstInstantAreSeenAtTheFirstInstant) {
  const Spec spec = spec_of(quiet_iris(std::string(kHoveringStart) + R"(
    [[event]]
    id = "gust"
    at_s = 0.0
    do = "wind_step"
    vector = [0.0, 5.0, 0.0]
    [[event]]
    id = "plug"
    at_s = 0.0
    do = "pack_disconnect"
    pack = "main"
  )"));
  int asked = 0;
  fly_by_hand(spec, [&](const Bus& bus) {
    if (bus.time.us == 0) {
      ++asked;
      EXPECT_EQ(bus.environment.wind_W_m_s, (Vec3{0, 5, 0}));
      EXPECT_EQ(bus.truth.air_velocity_B_m_s, (Vec3{0, 5, 0}));
      EXPECT_FALSE(bus.battery[0].connected);
      EXPECT_EQ(bus.battery[0].voltage_v, 0.0);
      EXPECT_EQ(bus.battery[0].current_a, 0.0);
      // Drag of the linear body at rest in that gust, felt by the estimator of this instant.
      EXPECT_NEAR(bus.estimate.acceleration_W_m_s2.y, 0.05 * 5.0 / 1.5, 1e-9);
    }
    return all_motors(0.5);
  });
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace tactus
