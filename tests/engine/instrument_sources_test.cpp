// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Instruments in runs: each on its own axis, of the right instant and place, with its own errors
// and faults, and part of the run's value.

#include "tactus/engine/instrument_sources.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "tactus/engine/run_state.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

using namespace tactus::testing;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t kSeed = 11;
constexpr DurationUs kImuTick{4'000};
constexpr DurationUs kMagTick{20'000};
constexpr DurationUs kBaroTick{25'000};
constexpr DurationUs kGpsTick{100'000};
constexpr DurationUs kAirTick{50'000};
constexpr DurationUs kRangeTick{30'000};
constexpr DurationUs kFlowTick{8'000};
const WorldOrigin kOrigin{};

/// Error parameters of all kinds; a fit without errors reads the truth.
struct Fit {
  int imus = 1;
  int magnetometers = 1;
  int receivers = 1;
  ImuParameters imu;
  MagnetometerParameters magnetometer;
  BarometerParameters barometer;
  GpsParameters gps;
  AirspeedParameters airspeed;
  RangeFinderParameters range_finder;
  OpticalFlowParameters optical_flow;
};

Fit perfect() {
  Fit fit;
  ImuParameters& imu = fit.imu;
  imu.gyro_noise_rad_s_sqrthz = imu.accel_noise_m_s2_sqrthz = 0.0;
  imu.gyro_bias_sigma_rad_s = imu.accel_bias_sigma_m_s2 = 0.0;
  imu.gyro_bias_walk_rad_s_sqrts = imu.accel_bias_walk_m_s2_sqrts = 0.0;
  imu.gyro_resolution_rad_s = imu.accel_resolution_m_s2 = 0.0;
  imu.vibration_gyro_rad_s = imu.vibration_accel_m_s2 = {};
  MagnetometerParameters& mag = fit.magnetometer;
  mag.noise_sigma_gauss = mag.bias_sigma_gauss = mag.resolution_gauss = 0.0;
  BarometerParameters& baro = fit.barometer;
  baro.noise_sigma_pa = baro.drift_sigma_pa = baro.lag_s = baro.resolution_pa = 0.0;
  baro.dynamic_pressure_coefficient = 0.0;
  GpsParameters& gps = fit.gps;
  gps.horizontal_wander_sigma_m = gps.horizontal_noise_sigma_m = 0.0;
  gps.vertical_wander_sigma_m = gps.vertical_noise_sigma_m = 0.0;
  gps.velocity_wander_sigma_m_s = gps.velocity_noise_sigma_m_s = 0.0;
  AirspeedParameters& air = fit.airspeed;
  air.noise_sigma_pa = air.offset_sigma_pa = air.resolution_pa = 0.0;
  RangeFinderParameters& range = fit.range_finder;
  range.noise_sigma_m = range.noise_relative = range.resolution_m = 0.0;
  range.highest_m = 200.0;
  OpticalFlowParameters& flow = fit.optical_flow;
  flow.flow_noise_rad_s_sqrthz = flow.gyro_noise_rad_s_sqrthz = flow.gyro_bias_sigma_rad_s = 0.0;
  flow.distance_noise_sigma_m = 0.0;
  flow.highest_m = 200.0;
  return fit;
}

void add_instruments(const Fit& fit, RunSetup& setup) {
  const auto axis = [&setup](Axis which, DurationUs period, int count) {
    setup.schedule.set_period(which, period);
    return InstrumentSet{count, kSeed, period};
  };
  auto& sources = setup.sources;
  const World world = make_world({});
  const auto add = [&]<class Parameters>(const Parameters& parameters, const InstrumentSet& set) {
    sources.push_back(std::make_unique<InstrumentSource<Parameters>>(parameters, set, world, 4));
  };
  add(fit.imu, axis(Axis::kImu, kImuTick, fit.imus));
  add(fit.magnetometer, axis(Axis::kMagnetometer, kMagTick, fit.magnetometers));
  add(fit.barometer, axis(Axis::kBarometer, kBaroTick, 1));
  add(fit.gps, axis(Axis::kGps, kGpsTick, fit.receivers));
  add(fit.airspeed, axis(Axis::kAirspeed, kAirTick, 1));
  add(fit.range_finder, axis(Axis::kRangeFinder, kRangeTick, 1));
  add(fit.optical_flow, axis(Axis::kOpticalFlow, kFlowTick, 1));
  setup.instruments = {fit.imus, fit.magnetometers, 1, fit.receivers, 1, 1, 1};
}

RunSetup instrumented(const Fit& fit, std::uint64_t end_us) {
  RunSetup setup = busy_setup(TimeUs(end_us));
  add_instruments(fit, setup);
  return setup;
}

/// The bus after the sensors stage of every boundary.
BusList fly_sensed(RunSetup setup) {
  tactus::Run run(std::move(setup));
  BusList sensed(Stage::kSensors);
  Observers observers;
  observers.hooks = {&sensed};
  fly(run, observers);
  return sensed;
}

TEST(Instruments, EachReadsAtItsOwnTicksAndNowhereElse) {
  const BusList log = fly_sensed(instrumented(Fit{}, 500'000));
  const Bus& last = log.entries.back().bus;
  EXPECT_EQ(last.imu[0].rate_count, 126U);
  EXPECT_EQ(last.imu[0].force_count, 126U);
  EXPECT_EQ(last.magnetometer[0].count, 26U);
  EXPECT_EQ(last.barometer[0].count, 21U);
  EXPECT_EQ(last.gps[0].count, 5U);  // one more is on its way
  EXPECT_EQ(last.airspeed[0].count, 11U);
  EXPECT_EQ(last.range_finder[0].count, 17U);
  for (std::size_t k = 1; k < log.entries.size(); ++k) {
    const auto& [due, found, bus] = log.entries[k];
    const Bus& before = log.entries[k - 1].bus;
    EXPECT_EQ(bus.imu[0].rate_count != before.imu[0].rate_count, due.on(Axis::kImu));
    EXPECT_EQ(bus.barometer[0].count != before.barometer[0].count, due.on(Axis::kBarometer));
    EXPECT_EQ(bus.magnetometer[0].count != before.magnetometer[0].count,
              due.on(Axis::kMagnetometer));
  }
  EXPECT_EQ(last.imu[1].rate_count, 0U);  // not fitted
  EXPECT_EQ(last.gps[1].count, 0U);
}

TEST(Instruments, BarometerAndMagnetometerAreNeverConstant) {
  const BusList log = fly_sensed(instrumented(Fit{}, 500'000));
  const Bus* before = nullptr;
  for (const auto& [due, found, bus] : log.entries) {
    if (!due.on(Axis::kMagnetometer) || !due.on(Axis::kBarometer)) continue;
    if (before != nullptr) {
      EXPECT_NE(bus.magnetometer[0].field_B_gauss, before->magnetometer[0].field_B_gauss);
      EXPECT_NE(bus.barometer[0].pressure_pa, before->barometer[0].pressure_pa);
    }
    before = &bus;
  }
}

TEST(Instruments, AnImuWithoutErrorsIntegratesToTheTrueMotion) {
  Fit fit = perfect();
  const BusList log = fly_sensed(instrumented(fit, 2'000'000));
  const double g = 9.80665;
  const double dt_s = to_seconds(kImuTick);
  Quat attitude;
  Vec3 velocity;
  bool started = false;
  int turns = 0;
  double farthest_rad = 0.0;
  for (const auto& [due, found, bus] : log.entries) {
    if (!due.on(Axis::kImu)) continue;
    if (started) {
      // An integration of its own: many small turns with the rate and force held.
      constexpr int kPieces = 64;
      const Vec3 piece_rad = (dt_s / kPieces) * bus.imu[0].rate_B_rad_s;
      for (int i = 0; i < kPieces; ++i) {
        const Quat middle = attitude * exp_rotation(0.5 * piece_rad);
        velocity +=
            (dt_s / kPieces) * (rotate(middle, bus.imu[0].specific_force_B_m_s2) + Vec3{0, 0, g});
        attitude = attitude * exp_rotation(piece_rad);
      }
      ++turns;
    } else {
      attitude = bus.truth.attitude;
      velocity = bus.truth.velocity_W_m_s;
      started = true;
    }
    EXPECT_LT(attitude_distance(attitude, bus.truth.attitude), 1e-6);
    EXPECT_LT(norm(velocity - bus.truth.velocity_W_m_s), 1e-6);
    farthest_rad = math::max(farthest_rad, attitude_distance(Quat{}, bus.truth.attitude));
  }
  EXPECT_EQ(turns, 500);
  EXPECT_GT(farthest_rad, 0.05);
}

TEST(Instruments, WithoutErrorsTheyReadTheWorldOfTheirInstant) {
  const BusList log = fly_sensed(instrumented(perfect(), 1'000'000));
  const LocalFrame frame = make_local_frame(kOrigin);
  std::vector<std::pair<TimeUs, Truth>> truths;
  for (const auto& [due, found, bus] : log.entries) {
    const Truth& truth = bus.truth;
    truths.emplace_back(due.time, truth);
    if (due.on(Axis::kBarometer)) {
      EXPECT_NEAR(bus.barometer[0].pressure_pa, bus.environment.pressure_pa, 1e-6);
      EXPECT_EQ(bus.barometer[0].measured_at, due.time);
    }
    if (due.on(Axis::kMagnetometer)) {
      // WMM calculators give 0.48 to 0.49 gauss for Zurich in 2026, 3.5° east and 63.5° down.
      const Vec3 field_W = rotate(truth.attitude, bus.magnetometer[0].field_B_gauss);
      EXPECT_NEAR(norm(field_W), 0.485, 0.005);
      EXPECT_NEAR(math::atan2(field_W.y, field_W.x) * math::kRadToDeg, 3.5, 0.5);
      EXPECT_NEAR(math::atan2(field_W.z, math::hypot(field_W.x, field_W.y)) * math::kRadToDeg, 63.5,
                  0.7);
    }
    if (due.on(Axis::kAirspeed)) {
      const double u = -truth.air_velocity_B_m_s.x;
      EXPECT_NEAR(bus.airspeed[0].differential_pressure_pa,
                  0.5 * bus.environment.density_kg_m3 * u * math::abs(u), 1e-9);
    }
    if (due.on(Axis::kRangeFinder)) {
      EXPECT_TRUE(bus.range_finder[0].in_range);
      EXPECT_NEAR(bus.range_finder[0].distance_m, truth.height_m / math::cos(truth.tilt_rad), 1e-9);
    }
    if (due.on(Axis::kOpticalFlow) && bus.optical_flow[0].integration.us > 0) {
      // Of the instant, where the reading is of the short interval before it.
      const OpticalFlowReading& flow = bus.optical_flow[0];
      const Vec3 v_B = rotate_inverse(truth.attitude, truth.velocity_W_m_s);
      const double dt_s = to_seconds(kFlowTick);
      EXPECT_EQ(flow.measured_at, due.time);
      EXPECT_NEAR(flow.distance_m, truth.height_m / math::cos(truth.tilt_rad), 1e-9);
      EXPECT_NEAR(flow.flow_x_rad / dt_s, truth.rate_B_rad_s.x - v_B.y / flow.distance_m, 0.05);
      EXPECT_NEAR(flow.flow_y_rad / dt_s, truth.rate_B_rad_s.y + v_B.x / flow.distance_m, 0.05);
      EXPECT_NEAR(norm(flow.turn_S_rad / dt_s - truth.rate_B_rad_s), 0.0, 0.05);
    }
    if (!due.on(Axis::kGps) || bus.gps[0].count == 0) continue;
    const GpsReading& gps = bus.gps[0];
    EXPECT_EQ(due.time - gps.measured_at, DurationUs(100'000));
    for (const auto& [time, then] : truths) {
      if (time != gps.measured_at) continue;
      const Geodetic place = ned_to_geodetic(frame, then.position_W_m);
      EXPECT_NEAR(gps.latitude_deg, place.lat_deg, 1e-10);
      EXPECT_NEAR(gps.longitude_deg, place.lon_deg, 1e-10);
      EXPECT_NEAR(gps.altitude_msl_m, kOrigin.alt_msl_m - then.position_W_m.z, 1e-9);
      EXPECT_EQ(gps.velocity_W_m_s, then.velocity_W_m_s);
    }
  }
}

TEST(Instruments, EveryInstanceHasErrorsOfItsOwn) {
  Fit two;
  two.imus = 2;
  two.magnetometers = 2;
  two.receivers = 2;
  const Bus one_each = fly_sensed(instrumented(Fit{}, 300'000)).entries.back().bus;
  const Bus both = fly_sensed(instrumented(two, 300'000)).entries.back().bus;
  EXPECT_FALSE(first_difference(one_each.imu[0], both.imu[0]));
  EXPECT_FALSE(first_difference(one_each.gps[0], both.gps[0]));
  EXPECT_FALSE(first_difference(one_each.magnetometer[0], both.magnetometer[0]));
  EXPECT_NE(both.imu[1].rate_B_rad_s, both.imu[0].rate_B_rad_s);
  EXPECT_NE(both.gps[1].latitude_deg, both.gps[0].latitude_deg);
  EXPECT_NE(both.magnetometer[1].field_B_gauss, both.magnetometer[0].field_B_gauss);
  EXPECT_EQ(both.imu[1].rate_count, both.imu[0].rate_count);
}

/// A scenario that breaks things from 200 ms on, beside the toy of busy_setup.
RunSetup broken(const Fit& fit, std::uint64_t end_us, void (*harm)(Faults&)) {
  RunSetup setup = instrumented(fit, end_us);
  setup.sources[1] = toy(scenario_info(), [harm](SourceContext& context) {
    if (context.now.us == 0) context.requests.boundary_at(TimeUs(200'000));
    if (context.now.us >= 200'000) harm(context.bus.write<Signal::kFaults>());
  });
  return setup;
}

InstrumentFault& fault_of(Faults& faults, Instrument instrument) {
  return faults.instrument[static_cast<int>(instrument)];
}

TEST(InstrumentFaults, ActOnTheirInstrumentAlone) {
  Fit fit;
  fit.imus = 2;
  const BusList whole = fly_sensed(broken(fit, 400'000, [](Faults&) {}));
  const BusList log = fly_sensed(broken(fit, 400'000, [](Faults& faults) {
    fault_of(faults, Instrument::kGyroscope1).mask = instrument_bit(InstrumentBit::kDropout);
    fault_of(faults, Instrument::kAccelerometer0).bias = {1, 0, 0};
    fault_of(faults, Instrument::kBarometer0).mask = instrument_bit(InstrumentBit::kStuck);
    fault_of(faults, Instrument::kAirspeed).every = 2;
  }));
  const Bus& last = log.entries.back().bus;
  const Bus& healthy = whole.entries.back().bus;
  EXPECT_EQ(last.imu[1].rate_count, 50U);  // the last at 196 ms
  EXPECT_EQ(last.imu[1].force_count, healthy.imu[1].force_count);
  EXPECT_EQ(last.imu[0].rate_B_rad_s, healthy.imu[0].rate_B_rad_s);
  EXPECT_NEAR(last.imu[0].specific_force_B_m_s2.x - healthy.imu[0].specific_force_B_m_s2.x, 1.0,
              1e-3);  // up to a digit
  EXPECT_EQ(last.imu[1].specific_force_B_m_s2, healthy.imu[1].specific_force_B_m_s2);
  EXPECT_EQ(last.barometer[0].count, healthy.barometer[0].count);
  EXPECT_EQ(last.barometer[0].measured_at, healthy.barometer[0].measured_at);
  EXPECT_NE(last.barometer[0].pressure_pa, healthy.barometer[0].pressure_pa);
  EXPECT_FALSE(first_difference(last.magnetometer[0], healthy.magnetometer[0]));
  EXPECT_LT(last.airspeed[0].count, healthy.airspeed[0].count);
  EXPECT_FALSE(first_difference(last.truth, healthy.truth));  // no autopilot flies by them here
}

Fit full() {
  Fit fit;
  fit.imus = kMaxImus;
  fit.magnetometers = kMaxMagnetometers;
  fit.receivers = kMaxGps;
  return fit;
}

TEST(Instruments, CopiesOfTheRunGoOnWithTheSameBits) {
  const Digest128 straight = fly_alone(instrumented(full(), 400'000));
  tactus::Run run(instrumented(full(), 400'000));
  Observers none;
  fly_validated(run, none);
  EXPECT_EQ(run.digest(), straight);
}

TEST(Instruments, SavedAndLoadedTheyGoOnWithTheSameBits) {
  const auto fresh = [](const Fit& fit) {
    RunSetup setup = bare_setup(TimeUs(400'000));
    add_instruments(fit, setup);
    return setup;
  };
  const Digest128 straight = fly_alone(fresh(full()));
  tactus::Run run(fresh(full()));
  Observers none;
  while (run.now().us < 250'000) proceed(run, none);
  const auto saved = save(run);
  tactus::Run other(fresh(full()));
  load(other, saved);
  fly(other, none);
  EXPECT_EQ(other.digest(), straight);

  tactus::Run fewer(fresh(Fit{}));
  EXPECT_NE(refusal([&] { load(fewer, saved); }, ExitCode::kBadInput).find("imu"),
            std::string::npos);
}

TEST(Instruments, AreRefusedWhenTheirAxisHasAnotherPeriod) {
  RunSetup setup = instrumented(Fit{}, 100'000);
  setup.schedule.set_period(Axis::kImu, DurationUs(1'000));
  const std::string text =
      refusal([&] { const tactus::Run run(std::move(setup)); }, ExitCode::kBadInput);
  EXPECT_NE(text.find("imu"), std::string::npos) << text;
  const auto make = [](int count) {
    return InstrumentSource<BarometerParameters>({}, {count, 1, kBaroTick}, make_world({}));
  };
  EXPECT_NE(refusal([&] { make(0); }, ExitCode::kBadInput).find("barometer.count"),
            std::string::npos);
  EXPECT_NE(refusal([&] { make(kMaxBarometers + 1); }, ExitCode::kBadInput).find("count"),
            std::string::npos);
}

}  // namespace
}  // namespace tactus
