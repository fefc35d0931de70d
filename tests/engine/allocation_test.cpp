// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Contract C8 for whole runs: after the start the engine, its sources and the plant do not
// allocate, found events, brown-outs and inserted instants included.

#include <gtest/gtest.h>

#include "tests/support/allocations.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

/// Counts from the end of the first boundary to the end of the last.
class AllocationHook : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage, const BoundaryView& view) override {
    if (view.boundary == 0) before = allocations;
    during = allocations - before;
  }
  void note(const Note& note) override {
    touchdowns += std::string_view(note.what) == "touchdown" ? 1 : 0;
    brown_outs += std::string_view(note.what) == "brown-out" ? 1 : 0;
  }

  long before = 0;
  long during = -1;
  int touchdowns = 0;
  int brown_outs = 0;
};

/// Up from the gear, through a brown-out, and down again.
RunSetup hop(Method method) {
  const std::uint64_t step_us = method == Method::kEuler ? 250 : 1'000;
  RunSetup setup = busy_setup(TimeUs(3'000'000), solver_for(method, step_us));
  setup.plant =
      make_multirotor_plant(quick_iris(), solver_for(method, step_us), quick_iris()->initial);
  setup.sources[0] = toy(autopilot_info(), [](SourceContext& context) {
    const double lift = context.now.us < 700'000 ? 0.75 : 0.2;
    Command& command = context.bus.write<Signal::kCommand>();
    for (int i = 0; i < 4; ++i) command.motor[i] = lift;
  });
  setup.sources[1] =
      toy(scenario_info(),
          [](SourceContext& context) {
            if (context.now.us % 4'000 == 0) {
              context.requests.boundary_at(context.now + DurationUs(7'777));
            }
            Faults& faults = context.bus.write<Signal::kFaults>();
            faults.pack[0].connected = context.now.us < 800'000 || context.now.us > 850'000;
            faults.motor_delay_us[2] = context.now.us > 1'500'000 ? 1'234 : 0;
            faults.estimator.sensor_mask = context.now.us > 1'000'000 ? 3 : 0;
          },
          {{WatchQuantity::kHeight, 0, 1.0, 0.5}, {WatchQuantity::kHeight, 0, -1.0, 0.4}});
  return setup;
}

class ARunDoesNotAllocate : public ::testing::TestWithParam<Method> {};

TEST_P(ARunDoesNotAllocate, AfterItsStart) {
  tactus::Run run(hop(GetParam()));
  AllocationHook hook;
  Observers observers;
  observers.hooks = {&hook};
  fly(run, observers);
  EXPECT_EQ(hook.during, 0);
  EXPECT_GT(hook.before, 0) << "the counter does not count";
  EXPECT_GE(hook.touchdowns, 4);
  EXPECT_EQ(hook.brown_outs, 1);
  EXPECT_GE(run.boundaries().found, 10U);
  EXPECT_GE(run.boundaries().instants, 300U);
}

INSTANTIATE_TEST_SUITE_P(Methods, ARunDoesNotAllocate,
                         ::testing::Values(Method::kEuler, Method::kRk4, Method::kRk23,
                                           Method::kRk45, Method::kLieRk4),
                         [](const auto& method) { return to_text(method.param); });

}  // namespace
}  // namespace tactus
