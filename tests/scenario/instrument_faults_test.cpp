// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Faults of single instruments: how they reach the bus, compose, end, and what is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/scenario/assembly.h"
#include "tactus/sensor/instrument.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tests/spec/spec_samples.h"
#include "tests/support/scenario_player.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

const InstrumentFault& fault_of(const Bus& bus, Instrument instrument) {
  return bus.faults.instrument[static_cast<int>(instrument)];
}

Action biased(const char* instrument, Vec3 bias) {
  Action action = plain(ActionKind::kSensorBias, instrument);
  action.vector = bias;
  return action;
}

Action delayed(const char* instrument, std::uint64_t us) {
  Action action = plain(ActionKind::kSensorDelay, instrument);
  action.delay = DurationUs(us);
  return action;
}

Action intermittent(const char* instrument, std::uint64_t on_us, std::uint64_t off_us) {
  Action action = plain(ActionKind::kSensorIntermittent, instrument);
  action.on = DurationUs(on_us);
  action.off = DurationUs(off_us);
  return action;
}

std::string refusal_of(const Action& action) {
  try {
    const Player player({at_time("x", 0, action)});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

TEST(InstrumentFaults, ReachOneInstrumentAndNoOther) {
  Player player({at_time("1", 0, plain(ActionKind::kSensorStuck, "gyroscope1")),
                 at_time("2", 0, plain(ActionKind::kSensorDropout, "gps0")),
                 at_time("3", 0, plain(ActionKind::kSensorGarbage, "barometer0")),
                 at_time("8", 0, plain(ActionKind::kGpsNoFix, "gps0")),
                 at_time("4", 0, biased("accelerometer0", {1, 2, 3})),
                 at_time("5", 0, plain(ActionKind::kSensorNoise, "gyroscope0", 4.0)),
                 at_time("6", 0, delayed("accelerometer1", 12'000)),
                 at_time("7", 0, plain(ActionKind::kSensorSlow, "gps0", 5.0))});
  player.step();
  const Bus& bus = player.bus;
  EXPECT_EQ(fault_of(bus, Instrument::kGyroscope1).mask, instrument_bit(InstrumentBit::kStuck));
  EXPECT_EQ(fault_of(bus, Instrument::kGps0).mask,
            instrument_bit(InstrumentBit::kDropout) | instrument_bit(InstrumentBit::kNoFix));
  EXPECT_EQ(fault_of(bus, Instrument::kBarometer0).mask, instrument_bit(InstrumentBit::kGarbage));
  EXPECT_EQ(fault_of(bus, Instrument::kAccelerometer0).bias, (Vec3{1, 2, 3}));
  EXPECT_EQ(fault_of(bus, Instrument::kGyroscope0).noise_scale, 4.0);
  EXPECT_EQ(fault_of(bus, Instrument::kAccelerometer1).delay_us, 12'000U);
  EXPECT_EQ(fault_of(bus, Instrument::kGps0).every, 5U);
  EXPECT_EQ(bus.faults.estimator.sensor_mask, 0U);
  for (const Instrument whole :
       {Instrument::kGyroscope2, Instrument::kAccelerometer2, Instrument::kMagnetometer0,
        Instrument::kGps1, Instrument::kAirspeed, Instrument::kRangeFinder}) {
    EXPECT_FALSE(first_difference(fault_of(bus, whole), InstrumentFault{})) << name_of(whole);
  }
}

TEST(InstrumentFaults, ComposeAndLeaveNothingBehind) {
  Player player({at_time("a", 1'000, lasting(biased("gps0", {1, 0, 0.1}), 10'000)),
                 at_time("b", 5'000, lasting(biased("gps0", {2, 0, 0.2}), 10'000)),
                 at_time("c", 1'000, lasting(plain(ActionKind::kSensorNoise, "gps0", 3.0), 10'000)),
                 at_time("d", 5'000, lasting(plain(ActionKind::kSensorNoise, "gps0", 2.0), 10'000)),
                 at_time("e", 1'000, lasting(delayed("gps0", 200'000), 10'000)),
                 at_time("f", 5'000, lasting(delayed("gps0", 100'000), 10'000)),
                 at_time("g", 1'000, lasting(plain(ActionKind::kSensorSlow, "gps0", 2.0), 10'000)),
                 at_time("h", 5'000, lasting(plain(ActionKind::kSensorSlow, "gps0", 7.0), 10'000)),
                 at_time("i", 1'000, lasting(plain(ActionKind::kSensorDropout, "gps0"), 4'000)),
                 at_time("j", 3'000, lasting(plain(ActionKind::kSensorDropout, "gps0"), 4'000))});
  player.play();
  for (const Bus& seen : player.seen) {
    const std::uint64_t t = seen.time.us;
    const bool first = t >= 1'000 && t < 11'000;
    const bool second = t >= 5'000 && t < 15'000;
    const InstrumentFault& fault = fault_of(seen, Instrument::kGps0);
    EXPECT_EQ(fault.bias.x, (first ? 1.0 : 0.0) + (second ? 2.0 : 0.0)) << t;
    EXPECT_EQ(fault.noise_scale, (first ? 3.0 : 1.0) * (second ? 2.0 : 1.0)) << t;
    EXPECT_EQ(fault.delay_us, first ? 200'000U : second ? 100'000U : 0U) << t;
    EXPECT_EQ(fault.every, second ? 7U : first ? 2U : 1U) << t;
    EXPECT_EQ(has(fault, InstrumentBit::kDropout), t >= 1'000 && t < 7'000) << t;
  }
  EXPECT_FALSE(first_difference(player.bus.faults, Faults{}));
  EXPECT_EQ(player.source.records()[9].ended, 1U);
}

TEST(InstrumentFaults, IntermittentIsAPatternOfDropouts) {
  Player player({at_time("flaky", 10'001, lasting(intermittent("gps0", 3'000, 2'000), 12'000))});
  player.play();
  const auto silent = [](const Bus& bus) {
    return has(fault_of(bus, Instrument::kGps0), InstrumentBit::kDropout);
  };
  EXPECT_EQ(player.changes(silent), (Times{10'001, 12'001, 15'001, 17'001, 20'001, 22'001}));
}

TEST(InstrumentFaults, RestoreEndsAllFaultsOfItsInstrument) {
  Player player({at_time("a", 1'000, plain(ActionKind::kSensorStuck, "gyroscope0")),
                 at_time("b", 1'000, lasting(biased("gyroscope0", {1, 1, 1}), 90'000)),
                 at_time("c", 1'000, intermittent("gyroscope0", 3'000, 2'000)),
                 at_time("d", 1'000, plain(ActionKind::kSensorStuck, "gyroscope1")),
                 at_time("e", 1'000, plain(ActionKind::kSensorFail, "gyroscope")),
                 at_time("f", 7'000, plain(ActionKind::kInstrumentRestore, "gyroscope0")),
                 at_time("g", 9'000, plain(ActionKind::kSensorRestore, "gyroscope"))});
  player.play();
  EXPECT_FALSE(first_difference(fault_of(player.bus, Instrument::kGyroscope0), InstrumentFault{}));
  EXPECT_TRUE(has(fault_of(player.bus, Instrument::kGyroscope1), InstrumentBit::kStuck));
  const auto estimator = [](const Bus& bus) { return bus.faults.estimator.sensor_mask; };
  EXPECT_EQ(player.changes(estimator), (Times{1'000, 9'000}));
  EXPECT_FALSE(has(fault_of(player.seen.back(), Instrument::kGyroscope0), InstrumentBit::kDropout));
}

TEST(InstrumentFaults, SurviveSavingAndLoading) {
  const std::vector<Event> events = {
      at_time("a", 1'000, lasting(biased("gps0", {1, 0, 0}), 50'000)),
      at_time("b", 1'000, plain(ActionKind::kSensorSlow, "gps0", 3.0)),
      at_time("c", 1'000, intermittent("gps0", 3'000, 2'000))};
  Player player(events);
  while (player.bus.time.us < 20'000) player.step();
  StateWriter writer;
  player.source.save(writer);
  Player other(events);
  StateReader reader(writer.bytes());
  other.source.load(reader);
  other.schedule = player.schedule;
  other.boundary = player.boundary;
  other.bus = player.bus;
  player.play();
  other.play();
  const Bus& expected = player.bus;
  EXPECT_FALSE(first_difference(other.bus.faults, expected.faults));
  EXPECT_EQ(fault_of(other.bus, Instrument::kGps0).every, 3U);
}

TEST(InstrumentFaults, WhatCannotBeIsRefusedWithItsPlace) {
  const std::string missing = refusal_of(plain(ActionKind::kSensorStuck, "gps1"));
  EXPECT_TRUE(missing.starts_with("test.toml:1:1")) << missing;
  EXPECT_NE(missing.find("\"gps1\" is not fitted"), std::string::npos) << missing;
  EXPECT_NE(missing.find("barometer0, gps0"), std::string::npos) << missing;
  EXPECT_NE(refusal_of(plain(ActionKind::kSensorStuck, "gyroscope")).find("no instrument"),
            std::string::npos);
  EXPECT_NE(refusal_of(delayed("gps0", 300'001)).find("at most 300ms"), std::string::npos);
  for (const double value : {0.0, 2.5, 1e7}) {
    EXPECT_NE(refusal_of(plain(ActionKind::kSensorSlow, "gps0", value)).find("value"),
              std::string::npos);
  }
  EXPECT_NE(refusal_of(plain(ActionKind::kSensorNoise, "gps0", -1.0)).find("value"),
            std::string::npos);
  EXPECT_NE(refusal_of(lasting(plain(ActionKind::kInstrumentRestore, "gps0"), 10)).find("at once"),
            std::string::npos);
}

// ---- as written in a spec

std::string with_event(const std::string& keys, const std::string& sensors) {
  return kSmallSpec + sensors + "[[event]]\nid = \"e\"\nat_s = 1.0\n" + keys;
}

const std::string kFitted = "[sensors]\nfitted = true\n";

TEST(InstrumentFaultsInASpec, EveryActionHasItsKeys) {
  const std::string lines[] = {"do = \"sensor_stuck\"\n",
                               "do = \"sensor_dropout\"\n",
                               "do = \"sensor_garbage\"\n",
                               "do = \"sensor_bias\"\nvector = [1.0, 0.0, 0.0]\n",
                               "do = \"sensor_noise\"\nvalue = 10.0\n",
                               "do = \"sensor_delay\"\nlag_s = 0.02\n",
                               "do = \"sensor_slow\"\nvalue = 4\n",
                               "do = \"sensor_intermittent\"\non_s = 1.0\noff_s = 0.5\n"};
  for (const std::string& line : lines) {
    const std::string text =
        with_event(line + "instrument = \"gyroscope0\"\nduration_s = 2.0\n", kFitted);
    const Spec spec = load_spec_text(text, "t.toml").spec;
    ASSERT_EQ(spec.events.size(), 1U);
    EXPECT_EQ(spec.events[0].action.target, "gyroscope0");
    EXPECT_EQ(spec.events[0].action.duration, DurationUs(2'000'000));
    EXPECT_NE(error_of(with_event(line, kFitted)).find("instrument: is missing"),
              std::string::npos);
    const std::string two = "instrument = \"gyroscope0\"\nrotor = \"left\"\n";
    EXPECT_NE(error_of(with_event(line + two, kFitted)).find("cannot be combined"),
              std::string::npos);
  }
  const std::string surplus = "do = \"sensor_stuck\"\ninstrument = \"gps0\"\nvalue = 1.0\n";
  EXPECT_NE(error_of(with_event(surplus, kFitted)).find("does not use it"), std::string::npos);
  load_spec_text(with_event("do = \"instrument_restore\"\ninstrument = \"gps0\"\n", kFitted), "t");
}

TEST(InstrumentFaultsInASpec, AnInstrumentThatIsNotFittedIsNamedWithItsLine) {
  const std::string keys = "do = \"sensor_stuck\"\ninstrument = \"gps1\"\n";
  for (const std::string& sensors : {std::string(), kFitted}) {
    const std::string text = with_event(keys, sensors);
    const std::string error = error_of(text);
    const auto line =
        1 + std::count(text.begin(),
                       text.begin() + static_cast<std::ptrdiff_t>(text.find("instrument")), '\n');
    EXPECT_TRUE(error.starts_with("t.toml:" + std::to_string(line) + ":")) << error;
    EXPECT_NE(error.find("is not fitted"), std::string::npos) << error;
    EXPECT_NE(error.find(sensors.empty() ? "carries none" : "gps0"), std::string::npos) << error;
  }
  load_spec_text(with_event(keys, kFitted + "[sensors.gps]\ncount = 2\n"), "t.toml");
}

// ---- in a flight

const std::string kFlight = "extends = \"iris\"\n[time]\nend_s = 3.0\n" + kFitted;

TEST(InstrumentFaultsInAFlight, ReachTheReadings) {
  const std::string text = kFlight + R"(
[[event]]
id = "silent"
at_s = 1.5
do = "sensor_dropout"
instrument = "gps0"
duration_s = 1.0
[[event]]
id = "late"
at_s = 1.0
do = "sensor_delay"
instrument = "barometer0"
lag_s = 0.09
)";
  Assembly assembly = assemble(load_spec_text(text, "t.toml").spec);
  Observers none;
  fly(assembly.run, none);
  const Bus& bus = assembly.run.bus();
  EXPECT_EQ(bus.gps[0].count, 20U);  // 31 ticks, one is on its way, ten are lost
  EXPECT_EQ(bus.barometer[0].measured_at, TimeUs(2'900'000));
  EXPECT_EQ(bus.barometer[0].count, 151U - 5U);
  EXPECT_EQ(bus.magnetometer[0].count, 151U);
}

TEST(InstrumentFaultsInAFlight, ADelayThatDoesNotFitIsRefusedWithItsPlace) {
  const std::string text = kFlight +
                           "[[event]]\nid = \"late\"\nat_s = 1.0\ndo = \"sensor_delay\"\n"
                           "instrument = \"gyroscope0\"\nlag_s = 1.0\n";
  const Spec spec = load_spec_text(text, "t.toml").spec;
  try {
    (void)assemble(spec);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("t.toml:6:")) << what;
    EXPECT_NE(what.find("at most 124ms"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace tactus
