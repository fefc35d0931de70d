// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// needs: double_px4_library

// From spec to run: start, exact instants on the real plant, and what does not fit together.

#include "tactus/scenario/assembly.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/plant/iris.h"
#include "tactus/spec/vehicle/multirotor.h"
#include "tests/support/px4_library_bench.h"

namespace tactus {
namespace {

/// An Iris on the ground in calm air, at rest.
Spec parked_iris() {
  Spec spec;
  spec.name = "test";
  multirotor_of(spec) = iris_parameters();
  spec.parts.rotors = {"r0", "r1", "r2", "r3"};
  spec.parts.packs = {"main"};
  spec.parts.buses = {"bus"};
  spec.solver = default_config(Method::kRk45);
  spec.timeline.end = DurationUs(100'000);
  spec.timeline.autopilot = DurationUs(10'000);
  spec.timeline.sensors = DurationUs(2'000);
  return spec;
}

/// The same without drag, falling freely from 20 m with its rotors stopped.
Spec falling_iris() {
  Spec spec = parked_iris();
  multirotor_of(spec) = iris_quadratic_parameters();
  multirotor_of(spec).body.linear_drag_n_s_m = 0.0;
  multirotor_of(spec).body.drag_area_m2 = {};
  spec.autopilot = AutopilotKind::kNone;
  spec.initial.on_ground = false;
  spec.initial.position_W_m = {0.0, 0.0, -20.0};
  spec.timeline.end = DurationUs(1'500'000);
  return spec;
}

Event event_of(std::string id, ActionKind kind, std::string target = "") {
  Event event;
  event.id = std::move(id);
  event.action.kind = kind;
  event.action.target = std::move(target);
  return event;
}

Event when_height_below(double height_m) {
  Event event = event_of("low", ActionKind::kMarker);
  event.trigger.kind = TriggerKind::kWhen;
  event.trigger.signal = "truth.height_m";
  event.trigger.comparison = Comparison::kBelow;
  event.trigger.threshold = height_m;
  return event;
}

/// Keeps the bus of every boundary.
class EveryBoundary final : public StageHook {
 public:
  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage /*stage*/, const BoundaryView& view) override { seen.push_back(view.bus); }
  std::vector<Bus> seen;
};

struct Flown {
  Assembly assembly;
  EveryBoundary boundaries;
  explicit Flown(const Spec& spec) : assembly(assemble(spec, {.external = external_autopilots()})) {
    Observers observers;
    observers.hooks = {&boundaries, assembly.monitor.get()};
    fly(assembly.run, observers);
  }
};

TEST(Assembly, FliesAndRepeatsBitForBit) {
  Spec spec = parked_iris();
  spec.world.wind.turbulence = TurbulenceKind::kDryden;
  spec.world.wind.mean_W_m_s = {3.0, 1.0, 0.0};
  const Flown a(spec);
  const Flown b(spec);
  EXPECT_TRUE(a.assembly.run.finished());
  EXPECT_EQ(a.assembly.run.now().us, 100'000U);
  EXPECT_EQ(a.assembly.run.digest(), b.assembly.run.digest());
  spec.seed = 2;
  EXPECT_NE(Flown(spec).assembly.run.digest(), a.assembly.run.digest());
}

TEST(Assembly, FaultBetweenTicksHoldsFromItsOwnMicrosecond) {
  Spec spec = parked_iris();
  spec.events = {event_of("fail", ActionKind::kMotorOff, "r2")};
  spec.events[0].trigger.at = TimeUs(5'000);
  const Flown flight(spec);
  bool met = false;
  for (const Bus& bus : flight.boundaries.seen) {
    EXPECT_EQ(bus.faults.motor_off_mask, bus.time.us >= 5'000 ? 4U : 0U) << bus.time.us;
    met = met || bus.time.us == 5'000;
  }
  EXPECT_TRUE(met);
}

TEST(Assembly, ArmingBetweenTicksActsAtTheNextTick) {
  Spec spec = parked_iris();
  spec.events = {event_of("arm", ActionKind::kArm)};
  spec.events[0].trigger.at = TimeUs(25'000);  // by then there is an estimate
  const Flown flight(spec);
  for (const Bus& bus : flight.boundaries.seen) {
    EXPECT_EQ(bus.high_level.armed, bus.time.us >= 25'000) << bus.time.us;
    EXPECT_EQ(bus.autopilot.armed, bus.time.us >= 30'000) << bus.time.us;
  }
}

TEST(Assembly, TakesOffAndMeetsWhatIsExpected) {
  Spec spec = parked_iris();
  spec.timeline.autopilot = DurationUs(4'000);
  spec.timeline.sensors = DurationUs(4'000);
  spec.timeline.end = DurationUs(12'000'000);
  spec.events = {event_of("arm", ActionKind::kArm), event_of("up", ActionKind::kTakeoff)};
  spec.events[0].trigger.at = TimeUs(500'000);
  spec.events[1].trigger.at = TimeUs(1'000'000);
  Expectation hover;
  hover.id = "hover";
  hover.kind = ExpectationKind::kFinal;
  hover.signal = "truth.height_m";
  hover.value = spec.builtin.takeoff_height_m;
  hover.tolerance = 0.5;
  spec.expectations = {hover};
  const FlightOutcome outcome = Flown(spec).assembly.monitor->outcome();
  EXPECT_EQ(outcome.end, FlightEnd::kInTheAir);
  EXPECT_TRUE(outcome.passed()) << outcome.results[0].message << outcome.crash_message;
}

TEST(Assembly, StepGustsHaveExactEdgesAndOthersStayWithTheWind) {
  Spec spec = parked_iris();
  spec.world.wind.gust_count = 3;
  spec.world.wind.gusts[0] = {GustShape::kStep, {4, 0, 0}, TimeUs(7'001), TimeUs(37'001)};
  spec.world.wind.gusts[1] = {GustShape::kOneMinusCosine, {0, 2, 0}, TimeUs(0), TimeUs(80'000)};
  spec.world.wind.gusts[2] = {GustShape::kStep, {1, 0, 0}, TimeUs(30'000), TimeUs(40'000)};
  ASSERT_EQ(scenario_events(spec).size(), 2U);
  const Flown flight(spec);
  double east = 0.0;
  for (const Bus& bus : flight.boundaries.seen) {
    const std::uint64_t t = bus.time.us;
    const double expected =
        (t >= 7'001 && t < 37'001 ? 4.0 : 0.0) + (t >= 30'000 && t < 40'000 ? 1.0 : 0.0);
    EXPECT_EQ(bus.disturbance.wind_W_m_s.x, expected) << t;
    EXPECT_EQ(bus.wind.velocity_W_m_s.x, 0.0);
    east = std::max(east, bus.wind.velocity_W_m_s.y);
  }
  EXPECT_NEAR(east, 2.0, 1e-12);
}

TEST(Assembly, AConditionIsFoundAndScheduledAlike) {
  for (const Method method : {Method::kRk4, Method::kRk45}) {
    Spec spec = falling_iris();
    spec.solver = default_config(method);
    spec.events = {when_height_below(15.0)};
    const Flown found(spec);
    TimeUs when;
    for (const Bus& bus : found.boundaries.seen) {
      if (bus.marker.count == 1 && when.us == 0) when = bus.time;
    }
    const double g = spec.world.gravity.uniform_m_s2;
    const double exact_us = std::sqrt(2.0 * 5.0 / g) * 1e6;
    EXPECT_NEAR(static_cast<double>(when.us), exact_us, 1.0);
    EXPECT_EQ(found.assembly.run.boundaries().found, 1U);

    Spec scheduled = spec;
    scheduled.events[0].trigger = {};
    scheduled.events[0].trigger.at = when;
    EXPECT_EQ(Flown(scheduled).assembly.run.digest(), found.assembly.run.digest());
  }
}

TEST(Assembly, AFallIsACrash) {
  Spec spec = falling_iris();
  spec.timeline.end = DurationUs(2'200'000);
  const Flown flight(spec);
  const FlightOutcome outcome = flight.assembly.monitor->outcome();
  EXPECT_TRUE(outcome.crashed());
  EXPECT_NE(outcome.crash_message.find("met the ground at 19."), std::string::npos)
      << outcome.crash_message;
}

TEST(Assembly, ObservingDoesNotChangeTheFlight) {
  Spec spec = parked_iris();
  const Digest128 digest = Flown(spec).assembly.run.digest();
  for (const std::uint64_t period : {0U, 10'000U, 50'000U}) {
    spec.log.period = DurationUs(period);
    EXPECT_EQ(Flown(spec).assembly.run.digest(), digest);
    EXPECT_TRUE(assemble(spec).notes.empty());
  }
  spec.log = {DurationUs(3'003), LogMode::kInterpolate};
  EXPECT_EQ(Flown(spec).assembly.run.digest(), digest);
  EXPECT_TRUE(assemble(spec).notes.empty());
  spec.log.mode = LogMode::kBoundary;
  ASSERT_EQ(assemble(spec).notes.size(), 1U);
  EXPECT_NE(assemble(spec).notes[0].find("log.period_s"), std::string::npos);
}

double lowest_gear_m(const Multirotor& vehicle, const MultirotorState& state) {
  const Vec3 p_W = load_vec3(state.x + vehicle.layout.position);
  const Quat q = load_quat(state.x + vehicle.layout.attitude);
  double lowest = 1e9;
  for (int k = 0; k < vehicle.counts.gear_points; ++k) {
    const Vec3 point_W = p_W + rotate(q, vehicle.gear.position_B_m[k]);
    lowest = std::min(lowest, height_m(vehicle.world, point_W));
  }
  return lowest;
}

TEST(Start, StandsOnItsGearAnywhereOnASlope) {
  Spec spec = parked_iris();
  spec.initial.position_W_m = {30.0, -20.0, -500.0};
  spec.initial.attitude = from_euler({0.3, 0.2, 2.0});
  const double slope = 0.1;
  spec.world.ground.normal_W = {std::sin(slope), 0.0, -std::cos(slope)};
  spec.world.ground.down_m = 3.0;
  const Multirotor vehicle = make_multirotor(spec);
  const MultirotorState state = starting_state(spec, vehicle);
  EXPECT_NEAR(lowest_gear_m(vehicle, state), 0.0, 1e-3);  // pressed in by the weight
  const Quat q_WB = load_quat(state.x + vehicle.layout.attitude);
  EXPECT_NEAR(dot(rotate(q_WB, {0.0, 0.0, -1.0}), vehicle.world.ground.normal_W), 1.0, 1e-5);
  EXPECT_NEAR(to_euler(q_WB).yaw_rad, 2.0, 0.01);
}

TEST(Start, InTheAirAsTheSpecSays) {
  Spec spec = falling_iris();
  spec.initial.velocity_W_m_s = {1, 2, 3};
  spec.initial.rate_B_rad_s = {0.1, 0.2, 0.3};
  spec.initial.rotor_speed_rad_s = 400.0;
  Bus bus;
  assemble(spec).run.plant().publish_state(bus);
  EXPECT_EQ(bus.truth.position_W_m, (Vec3{0, 0, -20}));
  EXPECT_EQ(bus.truth.velocity_W_m_s, (Vec3{1, 2, 3}));
  EXPECT_EQ(bus.truth.rate_B_rad_s, (Vec3{0.1, 0.2, 0.3}));
  EXPECT_EQ(bus.esc[3].speed_rad_s, 400.0);
}

TEST(Start, RoverKeepsPlaceAndHeading) {
  Spec spec = parked_iris();
  spec.vehicle = RoverParameters{};
  spec.parts = {};
  spec.initial.position_W_m = {3.0, 4.0, -7.0};
  spec.initial.attitude = from_euler({0.0, 0.0, 1.0});
  const Flown flight(spec);
  const Truth& truth = flight.boundaries.seen.front().truth;
  EXPECT_EQ(truth.position_W_m, (Vec3{3.0, 4.0, spec.world.ground.down_m}));
  EXPECT_EQ(truth.height_m, 0.0);
  EXPECT_NEAR(yaw_of(truth.attitude), 1.0, 1e-15);
  EXPECT_EQ(flight.assembly.monitor->outcome().end, FlightEnd::kOnGround);
}

TEST(Assembly, ACommandFromTheCallerReplacesTheAutopilot) {
  const Spec spec = parked_iris();
  AssembleOptions options;
  options.command_from = CommandFrom::kCaller;
  Assembly assembly = assemble(spec, options);
  Observers observers;
  Command command;
  command.motor[1] = 0.25;
  int asked = 0;
  for (Progress p = proceed(assembly.run, observers); p != Progress::kFinished;
       p = proceed(assembly.run, observers)) {
    if (p != Progress::kNeedsCommand) continue;
    give_command(assembly.run, command);
    ++asked;
  }
  EXPECT_EQ(asked, 11);
  EXPECT_EQ(assembly.run.bus().command.motor[1], 0.25);
}

Event parameter_event(std::string id, std::uint64_t at_us, std::string name, double value) {
  Event event = event_of(std::move(id), ActionKind::kParameter, std::move(name));
  event.trigger.at = TimeUs(at_us);
  event.action.value = value;
  return event;
}

/// Flown by the stand-in of the PX4 library.
Spec px4_library_iris() {
  Spec spec = parked_iris();
  spec.autopilot = AutopilotKind::kPx4Library;
  spec.timeline.autopilot = DurationUs(4'000);
  spec.external.px4_library.library = testing::px4_double();
  return spec;
}

TEST(Assembly, AnEventReachesAnExternalParameterByItsName) {
  Spec spec = px4_library_iris();
  spec.events = {parameter_event("linear", 1'000, "THR_MDL_FAC", 0.0),
                 parameter_event("light", 21'000, "MPC_THR_HOVER", 0.25),
                 parameter_event("heavy", 41'000, "MPC_THR_HOVER", 0.75)};
  const Flown flight(spec);
  for (const Bus& bus : flight.boundaries.seen) {
    const std::uint64_t t = bus.time.us;
    const int index = t < 1'000 ? -1 : t < 21'000 ? 0 : 1;
    EXPECT_EQ(bus.parameter.index, index) << t;
    if (t < 24'000) continue;
    EXPECT_EQ(bus.autopilot.hover_thrust, t < 44'000 ? 0.25 : 0.75) << t;
  }
}

TEST(Assembly, AMissingExternalParameterStopsBeforeTheFlight) {
  Spec spec = px4_library_iris();
  spec.events = {parameter_event("typo", 50'000, "MPCXY_CRUISE", 1.0)};
  try {
    const Flown flight(spec);
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("MPCXY_CRUISE"), std::string::npos) << error.what();
  }
}

void expect_refused(const Spec& spec, const std::string& word) {
  try {
    (void)assemble(spec);
    FAIL() << "must throw: " << word;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

template <class Change>
Spec changed(Change change) {
  Spec spec = parked_iris();
  change(spec);
  return spec;
}

TEST(Checks, WhatDoesNotFitTogetherIsRefused) {
  expect_refused(changed([](Spec& s) { s.timeline.end = {}; }), "time.end_s");
  expect_refused(changed([](Spec& s) { s.timeline.autopilot = {}; }), "time.autopilot_s");
  expect_refused(changed([](Spec& s) { s.timeline.sensors = {}; }), "time.sensors_s");
  expect_refused(changed([](Spec& s) {
                   s.timeline.wind = {};
                   s.world.wind.mean_W_m_s = {1, 0, 0};
                 }),
                 "time.wind_s");
  expect_refused(changed([](Spec& s) { s.estimator.delay = DurationUs(3'000); }), "delay");
  expect_refused(changed([](Spec& s) { s.world.ground.present = false; }), "on_ground");
  expect_refused(changed([](Spec& s) {
                   s.initial.on_ground = false;
                   s.initial.position_W_m = {0, 0, 5};
                 }),
                 "below the ground");
  expect_refused(changed([](Spec& s) {
                   s.solver = default_config(Method::kRk4);
                   s.timeline.sensors = s.timeline.autopilot;
                   s.estimator.delay = {};
                 }),
                 "step");
}

TEST(Checks, AMissionFarAwayIsNamed) {
  Spec spec = parked_iris();
  spec.mission_path = "missions/elsewhere.waypoints";
  spec.mission.name = "elsewhere.waypoints";
  MissionItem takeoff;
  takeoff.command = MissionCommand::kTakeoff;
  takeoff.altitude_m = 10.0;
  takeoff.latitude_deg = spec.world.origin.lat_deg + 0.6;
  takeoff.longitude_deg = spec.world.origin.lon_deg;
  takeoff.line = 3;
  spec.mission.items = {takeoff};
  expect_refused(spec, "missions/elsewhere.waypoints:3: 66.7 km");
}

TEST(Checks, ExternalParametersHaveNamesOfTheirOwn) {
  Spec spec = px4_library_iris();
  spec.events = {parameter_event("x", 0, "cruise_speed_m_s", 4.0)};
  expect_refused(spec, "event \"x\": \"cruise_speed_m_s\" is no name of a parameter of PX4");
  spec.events[0].action.target = "A_NAME_OF_17_CHARS";
  expect_refused(spec, "at most 16");
  spec.events[0].action.target = "MPC_XY_CRUISE";
  EXPECT_NO_THROW(assemble(spec, {.external = external_autopilots()}));
  spec.autopilot = AutopilotKind::kBuiltin;
  expect_refused(spec, "no parameter \"MPC_XY_CRUISE\"");
}

TEST(Checks, AProgramDoesNotReadTheEstimate) {
  Spec spec = parked_iris();
  spec.sensors.fitted = true;
  spec.events = {event_of("loss", ActionKind::kSensorFail, "gps")};
  spec.events[0].where = "loss.toml:7:1";
  EXPECT_NO_THROW(assemble(spec));
  spec.autopilot = AutopilotKind::kPx4Sitl;
  expect_refused(spec, "loss.toml:7:1: event \"loss\": \"sensor_fail\" acts on the estimate");
  expect_refused(spec, "do = \"gps_no_fix\" or \"sensor_dropout\" with instrument = \"gps0\"");
  spec.autopilot = AutopilotKind::kArdupilot;
  expect_refused(spec, "SIM_GPS1_ENABLE");
  for (const ActionKind kind :
       {ActionKind::kSensorRestore, ActionKind::kEstimatorBias, ActionKind::kEstimatorDelay}) {
    spec.events = {event_of("x", kind, kind == ActionKind::kEstimatorBias ? "position" : "gps")};
    spec.events[0].action.delay = DurationUs(2'000);
    spec.autopilot = AutopilotKind::kPx4Sitl;
    expect_refused(spec, "which \"px4-sitl\" does not read");
    spec.autopilot = AutopilotKind::kArdupilot;
    expect_refused(spec, "which \"ardupilot\" does not read");
  }
  Spec library = px4_library_iris();
  library.events = {event_of("loss", ActionKind::kSensorFail, "gps")};
  EXPECT_NO_THROW(assemble(library, {.external = external_autopilots()}));
}

TEST(Checks, EventsOfTheWrongVehicleAreRefused) {
  Spec spec = parked_iris();
  spec.events = {event_of("x", ActionKind::kParameter, "cruise_speed_m_s")};
  spec.events[0].action.value = 4.0;
  EXPECT_NO_THROW(assemble(spec));
  spec.events[0].action.value = -4.0;
  expect_refused(spec, "cruise_speed_m_s");
  spec.events[0].action.value = 4.0;
  spec.autopilot = AutopilotKind::kNone;
  expect_refused(spec, "no autopilot");
  spec.autopilot = AutopilotKind::kBuiltin;
  spec.vehicle = RoverParameters{};
  spec.parts = {};
  spec.events = {event_of("x", ActionKind::kMotorOff, "r0")};
  expect_refused(spec, "rotor");
}

}  // namespace
}  // namespace tactus
