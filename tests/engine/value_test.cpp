// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// A run is a value: a copy continues with the same bits, a paused one waits for its command, and
// the validator finds the source that breaks this.

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

constexpr TimeUs kEnd{400'000};

class EveryMethod : public ::testing::TestWithParam<Method> {
 protected:
  [[nodiscard]] static SolverConfig solver() {
    return solver_for(GetParam(), GetParam() == Method::kEuler ? 250 : 1'000);
  }
};

TEST_P(EveryMethod, ACopyInFlightContinuesWithTheSameBits) {
  for (const WindRule rule : {WindRule::kHold, WindRule::kLinear}) {
    const Digest128 expected = fly_alone(busy_setup(kEnd, solver(), rule));
    tactus::Run original(busy_setup(kEnd, solver(), rule));
    Observers none;
    while (original.now() < TimeUs(121'000)) proceed(original, none);
    tactus::Run copy = original;
    tactus::Run assigned(bare_setup(TimeUs(1'000)));
    assigned = original;
    // The copies fly first: what they do must not reach the original.
    for (tactus::Run* run : {&copy, &assigned, &original}) {
      fly(*run, none);
      EXPECT_EQ(run->digest(), expected);
      EXPECT_EQ(run->boundaries().total, copy.boundaries().total);
      EXPECT_EQ(run->plant().totals().evaluations, copy.plant().totals().evaluations);
    }
  }
}

TEST_P(EveryMethod, AValidatedFlightIsTheSameFlight) {
  tactus::Run run(busy_setup(kEnd, solver()));
  Observers none;
  fly_validated(run, none);
  EXPECT_EQ(run.digest(), fly_alone(busy_setup(kEnd, solver())));
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         ::testing::Values(Method::kEuler, Method::kRk4, Method::kRk23,
                                           Method::kRk45, Method::kLieRk4),
                         [](const auto& method) { return to_text(method.param); });

TEST(Value, TheDigestFeelsEverySource) {
  // Or the equalities above would say nothing.
  const Digest128 all = fly_alone(busy_setup(kEnd));
  EXPECT_NE(all, fly_alone(busy_setup(kEnd, solver_for(Method::kLieRk4))));
  EXPECT_NE(all, fly_alone(busy_setup(kEnd, solver_for(Method::kRk4), WindRule::kLinear)));
  // Not the land detector, the last: in the air it says what the bus says without it.
  for (std::size_t left_out = 0; left_out < 4; ++left_out) {
    RunSetup setup = busy_setup(kEnd);
    setup.sources.erase(setup.sources.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_NE(all, fly_alone(std::move(setup))) << left_out;
  }
}

/// A busy flight with conditions and a scenario that acts on outputs of the plant.
RunSetup feeling_setup() {
  RunSetup setup = busy_setup(kEnd);
  SourceInfo info = scenario_info(SignalSet::of(Signal::kParameter));
  info.wants_outputs = true;
  setup.sources.push_back(
      toy(info,
          [](SourceContext& context) {
            context.bus.write<Signal::kParameter>().value =
                context.bus.read<Signal::kTruth>().acceleration_W_m_s2.z;
          },
          {{WatchQuantity::kTilt, 0, 1.0, 0.01}, {WatchQuantity::kSpeed, 0, 1.0, 0.1}}));
  return setup;
}

TEST(Value, ARunThatIsCopiedAtEveryBoundaryIsTheSameRun) {
  tactus::Run plain(feeling_setup());
  tactus::Run moving(feeling_setup());
  Observers none;
  fly(plain, none);
  while (!moving.finished()) {
    proceed(moving, none);
    moving = tactus::Run(static_cast<const tactus::Run&>(moving));
  }
  EXPECT_EQ(moving.digest(), plain.digest());
  EXPECT_EQ(moving.boundaries().total, plain.boundaries().total);
  EXPECT_EQ(moving.boundaries().instants, plain.boundaries().instants);
  EXPECT_EQ(moving.boundaries().found, plain.boundaries().found);
  EXPECT_GE(plain.boundaries().found, 2U);
}

/// Contract C4 word by word.
class DigestHook : public StageHook {
 public:
  explicit DigestHook(const tactus::Run& run) : run_(run) {
    for (const BusLeaf& leaf : bus_leaves(run.counts())) names_.insert(leaf.name);
  }
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage, const BoundaryView& view) override {
    if (!view.due.on(Axis::kAutopilot) && !view.due.end) return;
    for_each_leaf(run_.bus(), [this](const LeafPath& path, const auto& leaf) {
      if (names_.contains(path.text())) digest.add(leaf);
    });
    run_.plant().add_state(digest);
    ++terms;
  }
  Digest digest;
  int terms = 0;

 private:
  const tactus::Run& run_;
  std::set<std::string> names_;
};

TEST(Value, TheDigestIsBusAndStateAtEveryAutopilotTickAndTheEnd) {
  RunSetup setup = feeling_setup();
  setup.schedule.end_at(TimeUs(399'001));
  tactus::Run run(std::move(setup));
  DigestHook hook(run);
  Observers observers;
  observers.hooks = {&hook};
  fly(run, observers);
  EXPECT_EQ(hook.digest.result(), run.digest());
  EXPECT_EQ(hook.terms, 399'001 / 4'000 + 1 + 1);
}

class OneOfAKind : public ToySource {
 public:
  using ToySource::ToySource;
  [[nodiscard]] std::unique_ptr<Source> clone() const override { return nullptr; }
};

TEST(Value, ASourceThatCannotBeCopiedIsNamed) {
  RunSetup setup = piloted_setup(kEnd);
  SourceInfo info = scenario_info();
  info.name = "an external process";
  setup.sources.push_back(std::make_unique<OneOfAKind>(info, [](SourceContext&) {}));
  tactus::Run run(std::move(setup));
  Observers none;
  for (const auto& action : std::vector<std::function<void()>>{
           [&] { const tactus::Run copy = run; }, [&] { fly_validated(run, none); }}) {
    const std::string text = refusal(action, ExitCode::kBadInput);
    EXPECT_NE(text.find("\"an external process\""), std::string::npos) << text;
  }
  fly(run, none);
  EXPECT_TRUE(run.finished()) << "it can be flown, only not copied";
}

TEST(Value, ValidationFindsStateOutsideOfASource) {
  RunSetup setup = bare_setup(TimeUs(40'000));
  setup.schedule.set_period(Axis::kAutopilot, DurationUs(4'000));
  int calls = 0;  // shared by the run and its copies
  setup.sources.push_back(toy(autopilot_info(), [&calls](SourceContext& context) {
    context.bus.write<Signal::kCommand>().motor[1] = context.now.us < 12'000 ? 0.5 : ++calls * 1e-3;
  }));
  tactus::Run run(std::move(setup));
  RowList sink;
  Observers observers;
  observers.sinks = {&sink};
  const std::string text = refusal([&] { fly_validated(run, observers); }, ExitCode::kRunStopped);
  EXPECT_NE(text.find("command.motor[1]"), std::string::npos) << text;
  EXPECT_NE(text.find("16000 us"), std::string::npos) << text;
  EXPECT_EQ(sink.ended, 1);
  EXPECT_FALSE(sink.complete);
}

/// A busy run whose command comes from the caller.
RunSetup caller_setup() {
  RunSetup setup = busy_setup(kEnd);
  setup.sources.erase(setup.sources.begin());
  setup.command_from = CommandFrom::kCaller;
  return setup;
}

TEST(CommandFromCaller, TheSameCommandsGiveTheSameFlight) {
  tactus::Run inside(busy_setup(kEnd));
  WrittenList inside_record;
  Observers inside_observers;
  inside_observers.recorders = {&inside_record};
  fly(inside, inside_observers);

  tactus::Run run(caller_setup());
  WrittenList record;
  Observers observers;
  observers.recorders = {&record};
  std::vector<std::uint64_t> paused_us;
  open(run, observers);
  while (!run.finished()) {
    if (proceed(run, observers) != Progress::kNeedsCommand) continue;
    paused_us.push_back(run.now().us);
    run = tactus::Run(static_cast<const tactus::Run&>(run));  // a copy waits as well
    give_command(run, wiggle(run.now(), run.bus().estimate));
  }
  close(run, observers);
  EXPECT_EQ(run.digest(), inside.digest());
  ASSERT_EQ(paused_us.size(), kEnd.us / 4'000 + 1);
  for (std::size_t k = 0; k < paused_us.size(); ++k) EXPECT_EQ(paused_us[k], 4'000 * k);
  EXPECT_EQ(record.begun, 1);
  EXPECT_EQ(record.ended, 1);
  EXPECT_TRUE(record.complete);
  EXPECT_EQ(record.times, inside_record.times);
  EXPECT_EQ(record.written, inside_record.written) << "a pause must not hide who wrote";
}

TEST(CommandFromCaller, APausedRunIsAValueToo) {
  tactus::Run run(caller_setup());
  Observers none;
  const auto answer = [](tactus::Run& waiting) {
    give_command(waiting, wiggle(waiting.now(), waiting.bus().estimate));
  };
  while (run.now() < TimeUs(100'000)) {
    if (proceed(run, none) == Progress::kNeedsCommand) answer(run);
  }
  while (proceed(run, none) != Progress::kNeedsCommand) {
  }
  tactus::Run copy = run;
  for (tactus::Run* each : {&copy, &run}) {
    answer(*each);
    while (!each->finished()) {
      if (proceed(*each, none) == Progress::kNeedsCommand) answer(*each);
    }
  }
  EXPECT_EQ(copy.digest(), run.digest());
  EXPECT_EQ(run.digest(), fly_alone(busy_setup(kEnd)));
}

TEST(CommandFromCaller, ABadCommandStopsTheRunWhereItIsGiven) {
  tactus::Run run(caller_setup());
  Observers none;
  ASSERT_EQ(proceed(run, none), Progress::kNeedsCommand);
  Command command;
  command.motor[2] = 1.25;
  const std::string text = refusal([&] { give_command(run, command); }, ExitCode::kRunStopped);
  for (const char* part : {"t = 0 us", "caller", "command.motor[2]", "1.25"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(CommandFromCaller, FlyIsRefused) {
  tactus::Run run(caller_setup());
  Observers none;
  const std::string text = refusal([&] { fly(run, none); }, ExitCode::kRunStopped);
  EXPECT_NE(text.find("give_command"), std::string::npos) << text;
}

TEST(CommandFromCaller, AFinishedRunStaysFinished) {
  tactus::Run run(piloted_setup(TimeUs(8'000)));
  Observers none;
  fly(run, none);
  const Digest128 digest = run.digest();
  EXPECT_EQ(proceed(run, none), Progress::kFinished);
  EXPECT_EQ(run.digest(), digest);
  EXPECT_EQ(run.boundaries().total, 3U);
}

}  // namespace
}  // namespace tactus
