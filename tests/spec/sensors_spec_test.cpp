// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// [sensors]: what is fitted by default, what is refused and where, and what comes of it in a run.

#include "tactus/spec/model/sensors_spec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/scenario/sensor_assembly.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tactus/spec/schema/instruments.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tests/spec/spec_samples.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

Spec load(const std::string& sensors) {
  return load_spec_text(kSmallSpec + sensors, "t.toml").spec;
}

DurationUs period_of(Axis axis, const Spec& spec) {
  Schedule schedule(TimeUs(1'000'000));
  schedule.set_period(Axis::kAutopilot, spec.timeline.autopilot);
  set_sensor_axes(spec.sensors, schedule);
  return schedule.period(axis);
}

constexpr Axis kSensorAxes[] = {Axis::kImu, Axis::kMagnetometer, Axis::kBarometer,
                                Axis::kGps, Axis::kAirspeed,     Axis::kRangeFinder};

TEST(SensorsSpec, NothingIsFittedUnlessItIsSaid) {
  const Spec spec = load("");
  EXPECT_FALSE(instrument_counts(spec.sensors).any());
  for (const Axis axis : kSensorAxes) EXPECT_EQ(period_of(axis, spec).us, 0U);
  RunSetup setup = bare_setup(TimeUs(1'000));
  add_sensor_sources(spec, setup);
  EXPECT_TRUE(setup.sources.empty());
  EXPECT_FALSE(setup.instruments.any());
}

TEST(SensorsSpec, FittedMeansOneOfEachThatAnAutopilotNeeds) {
  const Spec spec = load("[sensors]\nfitted = true\n");
  const InstrumentCounts expected{
      .imus = 1, .magnetometers = 1, .barometers = 1, .gps = 1, .airspeeds = 0, .range_finders = 0};
  EXPECT_EQ(instrument_counts(spec.sensors), expected);
  EXPECT_EQ(period_of(Axis::kImu, spec), spec.timeline.autopilot);
  EXPECT_EQ(period_of(Axis::kMagnetometer, spec).us, 20'000U);
  EXPECT_EQ(period_of(Axis::kBarometer, spec).us, 20'000U);
  EXPECT_EQ(period_of(Axis::kGps, spec).us, 100'000U);
  EXPECT_EQ(period_of(Axis::kAirspeed, spec).us, 0U);
  EXPECT_EQ(fitted_instruments(expected),
            "gyroscope0, accelerometer0, magnetometer0, barometer0, gps0");
}

TEST(SensorsSpec, TheImuFollowsTheAutopilotUnlessItHasAPeriod) {
  const std::string fast = "[sensors]\nfitted = true\n[time]\nautopilot_s = 0.001\n";
  EXPECT_EQ(period_of(Axis::kImu, load(fast)).us, 1'000U);
  EXPECT_EQ(period_of(Axis::kImu, load(fast + "[sensors.imu]\nperiod_s = 0.0005\n")).us, 500U);
  const std::string no_reader =
      "[sensors]\nfitted = true\n[time]\nautopilot_s = 0.0\n[autopilot]\nkind = \"none\"\n";
  EXPECT_NE(error_of(kSmallSpec + no_reader).find("sensors.imu.period_s"), std::string::npos);
}

TEST(SensorsSpec, EveryInstrumentIsFittedByItsCount) {
  const auto fits = [](const InstrumentCounts& counts) {
    std::string names;
    for (int i = 0; i < kInstrumentCount; ++i) {
      if (is_fitted(static_cast<Instrument>(i), counts)) {
        names += std::string(name_of(static_cast<Instrument>(i))) + " ";
      }
    }
    return names;
  };
  EXPECT_EQ(fits({.imus = 2}), "gyroscope0 gyroscope1 accelerometer0 accelerometer1 ");
  EXPECT_EQ(fits({.magnetometers = 2, .barometers = 1}), "magnetometer0 magnetometer1 barometer0 ");
  EXPECT_EQ(fits({.gps = 2, .airspeeds = 1, .range_finders = 1}),
            "gps0 gps1 airspeed range_finder ");
  EXPECT_EQ(fits({}), "");
  EXPECT_EQ(count_key(Instrument::kAccelerometer2), "sensors.imu.count");
  EXPECT_EQ(count_key(Instrument::kRangeFinder), "sensors.range_finder.count");
}

TEST(SensorsSpec, KeysAreThoseOfTheParameters) {
  const std::string keys = keys_text();
  for (const char* key :
       {"`sensors.fitted`", "`sensors.imu.count`", "`sensors.imu.period_s`",
        "`sensors.imu.gyro_noise_rad_s_sqrthz`", "`sensors.imu.sampling` | one of mean, point",
        "`sensors.magnetometer.hard_iron_gauss`", "`sensors.barometer.lag_s`",
        "`sensors.gps.latency_s`", "`sensors.airspeed.gain`", "`sensors.range_finder.highest_m`",
        "`world.magnetic_field.date_year`"}) {
    EXPECT_NE(keys.find(key), std::string::npos) << key;
  }
  EXPECT_EQ(keys.find("`sensors.magnetic_field"), std::string::npos);
  const Spec spec =
      load("[sensors.gps]\nlatency_s = 0.2\n[world.magnetic_field]\ndate_year = 2028\n");
  EXPECT_EQ(spec.sensors.gps.parameters.latency.us, 200'000U);
  EXPECT_EQ(spec.world.magnetic_field.date_year, 2028.0);
  EXPECT_NE(load("").digest, spec.digest);
}

TEST(SensorsSpec, WhatIsOutOfRangeIsRefusedAtItsLine) {
  const std::string first = kSmallSpec + "[sensors]\nfitted = true\n";
  const auto line = std::to_string(2 + std::count(first.begin(), first.end(), '\n'));
  const struct {
    const char* table;
    const char* key;
  } wrong[] = {{"imu", "count = 4"},
               {"imu", "gyro_range_rad_s = 0.0"},
               {"imu", "gyro_scale_error = [0.0, 2.0, 0.0]"},
               {"magnetometer", "period_s = 0.0"},
               {"barometer", "noise_sigma_pa = -1.0"},
               {"gps", "latency_s = 60.0"},
               {"airspeed", "count = 2"},
               {"range_finder", "highest_m = 0.0"}};
  for (const auto& [table, key] : wrong) {
    const std::string error =
        error_of(first + "[sensors." + std::string(table) + "]\n" + key + "\n");
    EXPECT_TRUE(error.starts_with("t.toml:" + line + ":")) << error;
    EXPECT_NE(error.find("sensors." + std::string(table) + "."), std::string::npos) << error;
  }
  EXPECT_NE(error_of(kSmallSpec + "[world.magnetic_field]\ndate_year = 1999\n")
                .find("world.magnetic_field.date_year"),
            std::string::npos);
}

TEST(SensorsSpec, ConditionsMayNameWhatIsFitted) {
  const std::string event =
      "[[event]]\nid = \"e\"\nwhen = \"gps[0].altitude_msl_m above 500\"\ndo = \"marker\"\n";
  EXPECT_NE(error_of(kSmallSpec + event).find("gps[0].altitude_msl_m"), std::string::npos);
  EXPECT_EQ(load("[sensors]\nfitted = true\n" + event).events.size(), 1U);
}

TEST(SensorAssembly, DelaysOfFaultsMustFitIntoTheLine) {
  const Spec spec = load("[sensors]\nfitted = true\n[sensors.imu]\nperiod_s = 0.001\n");
  ActionTargets targets;
  set_instrument_targets(spec, targets);
  EXPECT_EQ(targets.instruments, instrument_counts(spec.sensors));
  const auto longest = [&targets](Instrument instrument) {
    return targets.longest_instrument_delay[static_cast<int>(instrument)].us;
  };
  EXPECT_EQ(longest(Instrument::kGyroscope0), (kImuLineSamples - 1) * 1'000U);
  EXPECT_EQ(longest(Instrument::kAccelerometer0), longest(Instrument::kGyroscope0));
  EXPECT_EQ(longest(Instrument::kGps0), (kGpsLineSamples - 1) * 100'000U - 100'000U);
  EXPECT_EQ(longest(Instrument::kGyroscope1), 0U);
  EXPECT_EQ(longest(Instrument::kRangeFinder), 0U);
}

TEST(SensorAssembly, PutsTheInstrumentsOnTheBus) {
  Spec spec = load(
      "[sensors]\nfitted = true\n[sensors.imu]\ncount = 3\nperiod_s = 0.002\n[sensors.gps]\n"
      "count = 2\nperiod_s = 0.05\nlatency_s = 0.0\n[sensors.airspeed]\ncount = 1\n"
      "[sensors.range_finder]\ncount = 1\nhighest_m = 300.0\n");
  RunSetup setup = piloted_setup(TimeUs(100'000));
  set_sensor_axes(spec.sensors, setup.schedule);
  add_sensor_sources(spec, setup);
  tactus::Run run(std::move(setup));
  Observers none;
  fly(run, none);
  const Bus& bus = run.bus();
  for (const ImuReading& imu : bus.imu) EXPECT_EQ(imu.rate_count, 51U);
  EXPECT_EQ(bus.gps[1].count, 3U);
  EXPECT_EQ(bus.gps[1].fix, GpsFix::k3d);
  EXPECT_EQ(bus.magnetometer[0].count, 6U);
  EXPECT_EQ(bus.magnetometer[1].count, 0U);
  EXPECT_EQ(bus.airspeed[0].count, 6U);
  EXPECT_NEAR(bus.range_finder[0].distance_m, bus.truth.height_m, 2.0);
  EXPECT_EQ(run.counts().instruments, instrument_counts(spec.sensors));
  EXPECT_GT(bus_leaves(run.counts()).size(), bus_leaves(run.plant().counts()).size());
}

/// What flew, without what instruments read.
Truth fly_iris(const std::vector<Override>& overrides) {
  std::vector<Override> all = {{"time.end_s", "8"}};
  all.insert(all.end(), overrides.begin(), overrides.end());
  Assembly assembly = assemble(load_spec(find_spec("iris"), all).spec);
  Observers none;
  fly(assembly.run, none);
  return assembly.run.bus().truth;
}

TEST(SensorAssembly, InstrumentsWithoutAReaderChangeNoFlight) {
  const Truth without = fly_iris({});
  const Truth with = fly_iris({{"sensors.fitted", "true"},
                               {"sensors.range_finder.count", "1"},
                               {"sensors.gps.count", "2"}});
  EXPECT_FALSE(first_difference(without, with));
  EXPECT_GT(without.height_m, 1.0);
}

}  // namespace
}  // namespace tactus
