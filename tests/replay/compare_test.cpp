// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: sundials_arkode sundials_nvecserial fmt

// What a comparison of integrators must know by itself: zero from equal, the order of a method, the
// answer of an integrator that others wrote.

#include "tactus/replay/compare/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/extra/sundials_integration.h"
#include "tactus/record/stream_recorder.h"
#include "tactus/scenario/assembly.h"
#include "tests/golden/flown.h"

namespace tactus {
namespace {

// ---- tracks

TrackRow row_at(std::uint64_t time_us) {
  TrackRow row;
  row.time = TimeUs(time_us);
  row.position_W_m = {1.0, 2.0, -3.0};
  row.velocity_W_m_s = {0.5, 0.0, 0.1};
  row.attitude = from_euler({0.1, -0.2, 2.0});
  for (double& speed : row.rotor_speed_rad_s) speed = 400.0;
  row.bus_v[0] = 12.0;
  row.bus_current_a[0] = 20.0;
  return row;
}

TEST(TrackErrors, AreZeroForTheSameTrack) {
  const Track track{row_at(0), row_at(20'000), row_at(20'001)};
  const TrackErrors errors = track_errors(track, track);
  EXPECT_EQ(errors.rows, 3U);
  for (const ErrorColumn& column : kErrorColumns) {
    EXPECT_EQ((errors.*column.error).max, 0.0) << column.quantity;
    EXPECT_EQ((errors.*column.error).rms, 0.0) << column.quantity;
  }
}

TEST(TrackErrors, AreWhatTheirDefinitionsSay) {
  const Track reference{row_at(0), row_at(10)};
  Track other = reference;
  other[1].position_W_m = other[1].position_W_m + Vec3{3.0, 0.0, 4.0};
  other[1].velocity_W_m_s.y += 0.25;
  other[1].rate_B_rad_s = {0.0, 0.6, -0.8};
  // The other sign of a quaternion is the same attitude.
  other[0].attitude = -other[0].attitude;
  other[1].attitude = -(other[1].attitude * exp_rotation({0.0, 1e-9, 0.0}));
  other[1].rotor_speed_rad_s[2] += 7.0;
  other[1].rotor_speed_rad_s[1] -= 8.0;
  other[1].bus_v[0] -= 0.5;
  other[1].bus_current_a[0] += 2.0;
  const TrackErrors errors = track_errors(reference, other);
  const double half = std::sqrt(0.5);  // one of two rows differs
  const auto expect = [&](const ErrorSize& size, double max, double within) {
    EXPECT_NEAR(size.max, max, within);
    EXPECT_NEAR(size.rms, max * half, within);
  };
  expect(errors.position_m, 5.0, 1e-14);
  expect(errors.velocity_m_s, 0.25, 1e-15);
  expect(errors.attitude_rad, 1e-9, 1e-15);
  expect(errors.rate_rad_s, 1.0, 1e-15);
  expect(errors.rotor_speed_rad_s, 8.0, 1e-12);
  expect(errors.bus_v, 0.5, 1e-15);
  expect(errors.bus_current_a, 2.0, 1e-14);
}

// What comes after it must not hide it.
TEST(TrackErrors, ShowWhatIsNoNumber) {
  const Track reference{row_at(0), row_at(10), row_at(20)};
  Track other = reference;
  other[1].position_W_m.x = std::nan("");
  other[2].position_W_m.x += 5.0;
  other[1].rotor_speed_rad_s[0] = std::nan("");
  other[1].rotor_speed_rad_s[1] += 1.0;
  const TrackErrors errors = track_errors(reference, other);
  for (const ErrorSize& size : {errors.position_m, errors.rotor_speed_rad_s}) {
    EXPECT_TRUE(std::isnan(size.max));
    EXPECT_EQ(size.max_at, TimeUs(10));
  }
  EXPECT_EQ(errors.bus_v.max, 0.0);
}

TEST(TrackErrors, AreTakenWhereBothTracksHaveARow) {
  const Track reference{row_at(0), row_at(7), row_at(8), row_at(1'000'000), row_at(1'000'003)};
  Track other{row_at(7), row_at(9), row_at(1'000'000), row_at(2'000'000)};
  other[0].bus_v[0] += 1.0;
  other[1].bus_v[0] += 100.0;  // no such row in the reference
  other[3].bus_v[0] += 100.0;
  const TrackErrors errors = track_errors(reference, other);
  EXPECT_EQ(errors.rows, 2U);
  EXPECT_DOUBLE_EQ(errors.bus_v.max, 1.0);
  EXPECT_DOUBLE_EQ(errors.bus_v.rms, std::sqrt(0.5));
  EXPECT_EQ(track_errors(reference, {}).rows, 0U);
}

// ---- flights

struct Flown {
  Spec spec;
  std::shared_ptr<const Recording> recording;
  Track track;  ///< of the live flight
};

/// Commands that turn and lift the vehicle, held over each tick.
Command swaying(const Bus& bus) {
  const double t_s = to_seconds(bus.time);
  Command command = testing::all_motors(0.6 + 0.02 * std::sin(3.0 * t_s));
  command.motor[0] += 0.01 * std::sin(7.0 * t_s);
  command.motor[1] -= 0.01 * std::sin(5.0 * t_s);
  return command;
}

Flown record(const std::string& more, const testing::Pilot& pilot) {
  Flown flown;
  flown.spec = testing::spec_of(testing::quiet_iris(more));
  MemorySink memory;
  StreamRecorder recorder(StreamRecorderSetup{}, memory);
  TrackLog log;
  Observers observers{{}, {&log}, {&recorder}};
  AssembleOptions options;
  options.command_from = CommandFrom::kCaller;
  Run run = std::move(assemble(flown.spec, options).run);
  open(run, observers);
  while (!run.finished()) {
    if (proceed(run, observers) == Progress::kNeedsCommand) give_command(run, pilot(run.bus()));
  }
  close(run, observers);
  flown.recording = memory.recording();
  flown.track = log.track();
  return flown;
}

constexpr char kInTheAir[] = R"(
  time = { end_s = 2.0 }
  initial = { on_ground = false, position_ned_m = [0.0, 0.0, -50.0], rotor_speed_rad_s = 215.0 }
)";

TrackErrors between(const PlantReplay& a, const PlantReplay& b) {
  return track_errors(a.track, b.track);
}

TEST(Compare, TheRecordedIntegratorFliesTheRecordedTrack) {
  const Flown flown = record(kInTheAir, swaying);
  const PlantReplay again =
      replay_plant(flown.spec, flown.recording, {"again", flown.spec.solver, {}});
  EXPECT_EQ(again.stopped, "");
  const TrackErrors errors = track_errors(flown.track, again.track);
  EXPECT_EQ(errors.rows, flown.track.size());
  for (const ErrorColumn& column : kErrorColumns) {
    EXPECT_EQ((errors.*column.error).max, 0.0) << column.quantity;
  }
}

TEST(Compare, ShowsTheOrderOfAMethod) {
  const Flown flown = record(kInTheAir, swaying);
  const IntegrationComparison comparison = compare_integrations(
      flown.spec, flown.recording, reference_integration(1e-12),
      {with_step(Method::kRk4, DurationUs(2'000)), with_step(Method::kRk4, DurationUs(1'000)),
       with_step(Method::kEuler, DurationUs(250)), with_step(Method::kEuler, DurationUs(125))});
  const auto error = [&](std::size_t i) { return comparison.flights[i].errors.position_m.max; };
  EXPECT_NEAR(error(0) / error(1), 16.0, 3.0);
  EXPECT_NEAR(error(2) / error(3), 2.0, 0.1);
  EXPECT_LT(error(1), 1e-6);
}

TEST(Compare, SundialsAndATightRk45AreOneFlight) {
  const Flown flown = record(kInTheAir, swaying);
  const PlantReplay sundials =
      replay_plant(flown.spec, flown.recording, cli::sundials_integration(1e-12));
  const PlantReplay rk45 = replay_plant(flown.spec, flown.recording, reference_integration(1e-12));
  ASSERT_EQ(sundials.stopped, "");
  const TrackErrors errors = between(sundials, rk45);
  EXPECT_EQ(errors.rows, flown.track.size());
  EXPECT_LT(errors.position_m.max, 1e-9);
  EXPECT_LT(errors.attitude_rad.max, 1e-9);
  EXPECT_LT(errors.rotor_speed_rad_s.max, 1e-6);
  EXPECT_GT(errors.position_m.max, 0.0);  // two integrators, not one twice
}

TEST(Compare, SundialsFindsTouchdownsAndStops) {
  const Flown flown = record(
      R"(
        time = { end_s = 2.0 }
        initial = { on_ground = false, position_ned_m = [0.0, 0.0, -0.5], rotor_speed_rad_s = 99.0 }
      )",
      [](const Bus&) { return testing::all_motors(0.0); });
  const PlantReplay sundials =
      replay_plant(flown.spec, flown.recording, cli::sundials_integration(1e-12));
  const PlantReplay rk45 = replay_plant(flown.spec, flown.recording, reference_integration(1e-12));
  ASSERT_EQ(sundials.stopped, "");
  EXPECT_GT(sundials.totals.events, 5U);  // four gear points touch, four rotors stop
  EXPECT_EQ(sundials.totals.events, rk45.totals.events);
  const TrackErrors errors = between(sundials, rk45);
  EXPECT_LT(errors.position_m.max, 1e-7);
  EXPECT_LT(errors.attitude_rad.max, 1e-7);
}

TEST(Compare, TheLogAxisMayHaveAnyShape) {
  // Rows between boundaries, none of them at the end, which has a row of its own.
  const Flown flown = record(R"(
    log = { period_s = 0.0031, mode = "interpolate" }
    time = { end_s = 1.000001 }
    initial = { on_ground = false, position_ned_m = [0.0, 0.0, -50.0], rotor_speed_rad_s = 215.0 }
  )",
                             swaying);
  ASSERT_EQ(flown.track.size(), 324U);
  EXPECT_EQ(flown.track.back().time.us, 1'000'001U);
  const IntegrationComparison comparison =
      compare_integrations(flown.spec, flown.recording, cli::sundials_integration(1e-12),
                           {with_tolerance(Method::kRk45, 1e-10)});
  const TrackErrors& errors = comparison.flights[0].errors;
  EXPECT_EQ(errors.rows, 324U);
  EXPECT_LT(errors.position_m.max, 1e-7);
}

TEST(Compare, WhatCannotFlyIsALineAndNotTheEnd) {
  const Flown flown = record(kInTheAir, swaying);
  SolverConfig hopeless = default_config(Method::kRk45);
  hopeless.max_attempts = 1;
  hopeless.h_max_us = 100;
  const IntegrationComparison comparison =
      compare_integrations(flown.spec, flown.recording, reference_integration(),
                           {with_step(Method::kRk4, DurationUs(4'000)),
                            {"hopeless", hopeless, {}},
                            with_tolerance(Method::kRk45, 1e-8)});
  ASSERT_EQ(comparison.flights.size(), 3U);
  EXPECT_NE(comparison.flights[0].flight.stopped.find("use at most"), std::string::npos);
  EXPECT_EQ(comparison.flights[0].errors.rows, 0U);
  EXPECT_NE(comparison.flights[1].flight.stopped, "");
  EXPECT_EQ(comparison.flights[1].errors.rows, 1U);
  EXPECT_EQ(comparison.flights[2].flight.stopped, "");
}

TEST(Compare, StopsAtTheGivenInstant) {
  const Flown flown = record(kInTheAir, swaying);
  CompareOptions options;
  options.end = TimeUs(510'000);
  double clock_s = 0.0;
  options.clock_s = [&] { return clock_s += 0.5; };
  const PlantReplay replay =
      replay_plant(flown.spec, flown.recording, reference_integration(), options);
  EXPECT_EQ(replay.track.back().time.us, 510'000U);
  EXPECT_DOUBLE_EQ(replay.wall_s, 0.5);
  EXPECT_GT(replay.totals.accepted, 100U);
}

TEST(Compare, NeedsALog) {
  Flown flown = record(kInTheAir, swaying);
  flown.spec.log.period = DurationUs(0);
  EXPECT_THROW(compare_integrations(flown.spec, flown.recording, reference_integration(), {}),
               Error);
}

// ---- spans

TEST(Compare, RefusesWhatIsNotWithinTheRecording) {
  const Flown flown = record(kInTheAir, swaying);
  const auto compared = [&](std::uint64_t end_us, std::uint64_t segment_us) {
    CompareOptions options;
    if (end_us != 0) options.end = TimeUs(end_us);
    options.segment = DurationUs(segment_us);
    return compare_integrations(flown.spec, flown.recording, reference_integration(), {}, options);
  };
  const std::uint64_t end_us = flown.recording->end.time.us;
  EXPECT_THROW(compared(end_us + 1, 0), Error);
  EXPECT_THROW(compared(0, 1), Error);
  EXPECT_THROW(compared(0, end_us + 1), Error);
  EXPECT_THROW(compared(end_us / 2, end_us), Error);
  EXPECT_EQ(compared(end_us / 2, 0).reference.track.back().time.us, end_us / 2);
}

// ---- segments

CompareOptions in_segments(std::uint64_t length_us) {
  CompareOptions options;
  options.segment = DurationUs(length_us);
  return options;
}

void expect_same(const PlantReplay& a, const PlantReplay& b) {
  EXPECT_EQ(a.track.size(), b.track.size());
  EXPECT_EQ(a.totals.evaluations, b.totals.evaluations);
  EXPECT_EQ(a.totals.accepted, b.totals.accepted);
  const TrackErrors errors = track_errors(a.track, b.track);
  EXPECT_EQ(errors.rows, a.track.size());
  for (const ErrorColumn& column : kErrorColumns) {
    EXPECT_EQ((errors.*column.error).max, 0.0) << column.quantity;
  }
}

TEST(Segments, AsLongAsTheFlightAreThePlainComparison) {
  const Flown flown = record(kInTheAir, swaying);
  const auto compared = [&](const CompareOptions& options) {
    return compare_integrations(flown.spec, flown.recording, reference_integration(),
                                {with_step(Method::kRk4, DurationUs(1'000))}, options);
  };
  const IntegrationComparison plain = compared({});
  const IntegrationComparison whole = compared(in_segments(2'000'000));
  EXPECT_TRUE(whole.cuts.empty());
  expect_same(plain.reference, whole.reference);
  expect_same(plain.flights[0].flight, whole.flights[0].flight);
  EXPECT_EQ(whole.segment_of(TimeUs(7)).to.us, 2'000'000U);
}

TEST(Segments, BeginWhereTheRecordedFlightWas) {
  const Flown flown = record(kInTheAir, swaying);
  const CompareOptions options = in_segments(200'000);
  const std::vector<SegmentStart> starts = segment_starts(flown.spec, flown.recording, options);
  ASSERT_EQ(starts.size(), 9U);
  EXPECT_EQ(starts[0].at.us, 200'000U);
  EXPECT_EQ(starts[8].at.us, 1'800'000U);
  // The integrator of the recording goes on as if nothing had happened.
  const PlantReplay again =
      replay_plant(flown.spec, flown.recording, {"again", flown.spec.solver, {}}, options, starts);
  ASSERT_EQ(again.stopped, "");
  const TrackErrors errors = track_errors(flown.track, again.track);
  EXPECT_EQ(errors.rows, flown.track.size());
  EXPECT_EQ(errors.position_m.max, 0.0);
  EXPECT_EQ(errors.attitude_rad.max, 0.0);
  EXPECT_EQ(errors.rotor_speed_rad_s.max, 0.0);
  // Euler does not: its error grows within a segment and is gone in the next one.
  const PlantReplay euler = replay_plant(
      flown.spec, flown.recording, with_step(Method::kEuler, DurationUs(250)), options, starts);
  const auto error_at = [&](std::uint64_t time_us) {
    const auto at = [&](const Track& track) {
      return std::find_if(track.begin(), track.end(),
                          [&](const TrackRow& row) { return row.time.us == time_us; });
    };
    return norm(at(euler.track)->position_W_m - at(flown.track)->position_W_m);
  };
  EXPECT_GT(error_at(400'000), 5.0 * error_at(240'000));
  EXPECT_GT(error_at(400'000), 5.0 * error_at(420'000));
}

TEST(Segments, AreCutAtBoundariesThatEveryIntegratorHas) {
  const Flown flown = record(kInTheAir, swaying);  // the autopilot ticks every 4 ms
  const std::vector<SegmentStart> starts =
      segment_starts(flown.spec, flown.recording, in_segments(333'333));
  ASSERT_EQ(starts.size(), 5U);  // the sixth would begin at the end
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_GE(starts[i].at.us, (i + 1) * 333'333U);
    EXPECT_LE(starts[i].at.us, (i + 1) * 333'333U + 4'000U);
  }
  // Shorter than any interval: every boundary is a cut, and none is one twice.
  const std::vector<SegmentStart> all = segment_starts(flown.spec, flown.recording, in_segments(1));
  EXPECT_GT(all.size(), 490U);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i - 1].at.us, all[i].at.us);
}

TEST(Segments, KeepTheOrderOfAMethodAndCountOnlyItsOwnWork) {
  const Flown flown = record(kInTheAir, swaying);
  const IntegrationComparison comparison = compare_integrations(
      flown.spec, flown.recording, reference_integration(1e-12),
      {with_step(Method::kRk4, DurationUs(2'000)), with_step(Method::kRk4, DurationUs(1'000))},
      in_segments(100'000));
  const std::vector<ComparedFlight>& flights = comparison.flights;
  EXPECT_NEAR(flights[0].errors.position_m.max / flights[1].errors.position_m.max, 16.0, 4.0);
  const PlantReplay plain =
      replay_plant(flown.spec, flown.recording, with_step(Method::kRk4, DurationUs(1'000)));
  EXPECT_EQ(flights[1].flight.totals.accepted, plain.totals.accepted);
  EXPECT_EQ(flights[1].errors.rows, plain.track.size());
  const TimeUs worst = flights[1].errors.position_m.max_at;
  const IntegrationComparison::Segment segment = comparison.segment_of(worst);
  EXPECT_LT(segment.from.us, worst.us);
  EXPECT_LE(worst.us, segment.to.us);
  EXPECT_EQ((segment.to - segment.from).us, 100'000U);
}

TEST(Segments, AreBlindToThePast) {
  // A rotor that fails turns the vehicle over: what differs before grows without bounds after.
  const Flown flown = record(
      R"(
        time = { end_s = 2.0 }
        initial.on_ground = false
        initial.position_ned_m = [0.0, 0.0, -50.0]
        initial.rotor_speed_rad_s = 215.0
        [[event]]
        id = "fails"
        at_s = 0.5
        do = "motor_off"
        rotor = "front_right"
      )",
      swaying);
  const auto error = [&](const CompareOptions& options) {
    return compare_integrations(flown.spec, flown.recording, reference_integration(1e-12),
                                {with_step(Method::kRk4, DurationUs(1'000))}, options)
        .flights[0]
        .errors.position_m.max;
  };
  EXPECT_GT(error({}), 10.0 * error(in_segments(100'000)));
}

TEST(Segments, KnowFlightsWithTouchdownsAndConditions) {
  // The crossing makes a boundary long before the event acts, and nothing else tells of it.
  const Flown flown = record(
      R"(
        time = { end_s = 2.0 }
        initial = { on_ground = false, position_ned_m = [0.0, 0.0, -0.5], rotor_speed_rad_s = 99.0 }
        [[event]]
        id = "low"
        when = "truth.height_m below 0.4"
        delay_s = 0.0503
        do = "marker"
      )",
      [](const Bus&) { return testing::all_motors(0.0); });
  const IntegrationComparison comparison = compare_integrations(
      flown.spec, flown.recording, cli::sundials_integration(1e-12),
      {with_tolerance(Method::kRk45, 1e-12), {"recorded", flown.spec.solver, {}}},
      in_segments(20'000));
  EXPECT_GT(comparison.cuts.size(), 90U);
  for (const ComparedFlight& line : comparison.flights) {
    EXPECT_EQ(line.flight.stopped, "");
    EXPECT_LT(line.errors.position_m.max, 1e-6);
  }
}

TEST(Segments, NeedTheRecordedFlight) {
  Flown flown = record(kInTheAir, swaying);
  multirotor_of(flown.spec).body.mass_kg *= 1.001;  // not the vehicle that was recorded
  EXPECT_THROW(segment_starts(flown.spec, flown.recording, in_segments(500'000)), Error);
}

TEST(Sweep, HasARecordedMethodAsItWasRecorded) {
  SolverConfig recorded = default_config(Method::kRk23);
  recorded.h_max_us = 777;
  const std::vector<Integration> sweep =
      default_sweep(recorded, {Method::kEuler, Method::kRk4, Method::kRk23, Method::kRk45});
  ASSERT_EQ(sweep.size(), 4U);
  EXPECT_EQ(sweep[0].solver.step_us, 250U);
  EXPECT_EQ(sweep[1].solver.step_us, 1'000U);
  EXPECT_EQ(sweep[2].solver.h_max_us, 777U);
  EXPECT_EQ(sweep[3].solver.position.rtol, 1e-9);
}

TEST(Sweep, AReferenceAt1e7HasTheSettingsOfThePriorArt) {
  const SolverConfig solver = reference_integration(1e-7).solver;
  for (const Tolerance& tolerance : {solver.position, solver.velocity, solver.rate}) {
    EXPECT_EQ(tolerance.rtol, 1e-7);
    EXPECT_EQ(tolerance.atol, 1e-7);
  }
  EXPECT_EQ(solver.attitude_atol_rad, 1e-7);
  EXPECT_DOUBLE_EQ(solver.rotor.atol, 1e-2);
  EXPECT_DOUBLE_EQ(solver.charge.atol, 1e-6);
  EXPECT_DOUBLE_EQ(solver.polarisation.atol, 1e-3);
  EXPECT_EQ(solver.h_min_us, 1U);
  EXPECT_EQ(solver.h_max_us, 20'000U);
}

}  // namespace
}  // namespace tactus
