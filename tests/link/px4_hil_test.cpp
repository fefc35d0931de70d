// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/px4_hil.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/hil_quad.h"

namespace tactus {
namespace {

using testing::HilQuad;

/// The messages of one step.
struct Sent {
  std::vector<mavlink::HilSensor> sensors;
  std::vector<mavlink::HilGps> gps;
  std::vector<mavlink::DistanceSensor> ranges;
  std::vector<mavlink::HilOpticalFlow> flows;
  std::vector<std::uint32_t> order;
  GyroNews news = GyroNews::kNone;
};

Sent send(Px4HilEncoder& encoder, const HilQuad& quad) {
  Sent sent;
  std::vector<std::byte> bytes;
  sent.news = encoder.encode(quad.input(), quad.now.us + 1'000'000, bytes);
  mavlink::Parser parser;
  parser.feed(bytes, [&sent](const mavlink::Frame& frame) {
    sent.order.push_back(frame.id());
    mavlink::HilSensor sensor;
    mavlink::HilGps gps;
    if (mavlink::decode(frame, sensor)) sent.sensors.push_back(sensor);
    mavlink::DistanceSensor range;
    if (mavlink::decode(frame, gps)) sent.gps.push_back(gps);
    if (mavlink::decode(frame, range)) sent.ranges.push_back(range);
    mavlink::HilOpticalFlow flow;
    if (mavlink::decode(frame, flow)) sent.flows.push_back(flow);
  });
  EXPECT_EQ(parser.counts().skipped_bytes, 0U);
  return sent;
}

TEST(Px4Hil, GroupsAreCompleteAndOnlyWhatIsNew) {
  Px4HilEncoder encoder;
  HilQuad quad;
  const Sent first = send(encoder, quad);
  ASSERT_EQ(first.sensors.size(), 1U);
  EXPECT_EQ(first.sensors[0].fields_updated, 0x1A00U | 0x1C0U | 0x38U | 0x7U);
  EXPECT_EQ(first.sensors[0].time_usec, 1'000'000U);
  EXPECT_EQ(first.order, (std::vector<std::uint32_t>{107, 113}));  // GPS after the clock
  quad.advance({});
  const Sent second = send(encoder, quad);
  EXPECT_EQ(second.sensors[0].fields_updated, 0x38U | 0x7U);
  EXPECT_EQ(second.sensors[0].time_usec, 1'004'000U);
  EXPECT_TRUE(second.gps.empty());
}

TEST(Px4Hil, UnitsAreThoseOfThePx4) {
  Px4HilEncoder encoder;
  HilQuad quad;
  const mavlink::HilSensor sensor = send(encoder, quad).sensors[0];
  EXPECT_NEAR(sensor.zacc, -9.81, 0.1);
  EXPECT_NEAR(sensor.abs_pressure, 956.0, 1.0);  // hPa at 488 m
  EXPECT_NEAR(sensor.zmag, 0.43, 0.02);
  EXPECT_EQ(sensor.temperature, 15.0F);
}

TEST(Px4Hil, GpsAccuracyIsInCentimetresAndTheCourseInHundredths) {
  Px4HilEncoder encoder;
  HilQuad quad;
  quad.gps[0].latitude_deg = -33.123456789;
  quad.gps[0].longitude_deg = 151.5;
  quad.gps[0].altitude_msl_m = 12.3456;
  quad.gps[0].horizontal_accuracy_m = 0.45;
  quad.gps[0].vertical_accuracy_m = 1e9;
  quad.gps[0].velocity_W_m_s = {-3.0, -4.0, 500.0};
  const mavlink::HilGps gps = send(encoder, quad).gps.at(0);
  EXPECT_EQ(gps.lat, -331234568);
  EXPECT_EQ(gps.lon, 1515000000);
  EXPECT_EQ(gps.alt, 12346);
  EXPECT_EQ(gps.eph, 45);
  EXPECT_EQ(gps.epv, 65535);
  EXPECT_EQ(gps.vel, 500);
  EXPECT_EQ(gps.vn, -300);
  EXPECT_EQ(gps.vd, 32767);   // as much as fits
  EXPECT_EQ(gps.cog, 23313);  // south-west
  EXPECT_EQ(gps.fix_type, 3);
  ++quad.gps[0].count;
  quad.gps[0].velocity_W_m_s = {};
  EXPECT_EQ(send(encoder, quad).gps.at(0).cog, 65535) << "no course without speed";
}

TEST(Px4Hil, ARangeFinderSendsItsLimitsAndItsNoise) {
  SensorsSpec sensors;
  RangeFinderParameters& finder = sensors.range_finder.parameters;
  finder.lowest_m = 0.2;
  finder.highest_m = 12.5;
  finder.noise_sigma_m = 0.02;
  finder.noise_relative = 0.01;
  Px4HilEncoder encoder(sensors);
  HilQuad quad;
  EXPECT_TRUE(send(encoder, quad).ranges.empty()) << "none fitted";
  quad.range_finder[0] = {TimeUs(0), 1, true, 3.0};
  const mavlink::DistanceSensor range = send(encoder, quad).ranges.at(0);
  EXPECT_EQ(range.min_distance, 20);
  EXPECT_EQ(range.max_distance, 1250);
  EXPECT_EQ(range.current_distance, 300);
  EXPECT_EQ(range.covariance, 25) << "of 2 cm + 1 % of 3 m";
  EXPECT_EQ(range.orientation, 25) << "down";
  EXPECT_EQ(range.signal_quality, 100);
  quad.range_finder[0] = {TimeUs(0), 2, false, 12.5};
  EXPECT_EQ(send(encoder, quad).ranges.at(0).signal_quality, 1) << "invalid";

  finder.highest_m = 1000.0;
  finder.noise_sigma_m = 1.0;
  Px4HilEncoder far(sensors);
  const mavlink::DistanceSensor beyond = send(far, quad).ranges.at(0);
  EXPECT_EQ(beyond.max_distance, 65'535) << "the most that the message can say";
  EXPECT_EQ(beyond.covariance, 255);
}

// CRC_EXTRA and length as common.xml and its generators have them.
static_assert(mavlink::kTable<mavlink::HilOpticalFlow>.crc_extra == 237);
static_assert(mavlink::kTable<mavlink::HilOpticalFlow>.size == 44);

TEST(Px4Hil, OpticalFlowGoesAsItIsMeasured) {
  Px4HilEncoder encoder;
  HilQuad quad;
  EXPECT_TRUE(send(encoder, quad).flows.empty()) << "none fitted";
  OpticalFlowReading& flow = quad.optical_flow[0];
  flow.count = 1;
  EXPECT_TRUE(send(encoder, quad).flows.empty()) << "the first tick has no interval";
  flow = {
      TimeUs(20'000), 2, DurationUs(20'000), 0.01, -0.02, {0.001, 0.002, -0.003}, 2.5, 200, 31.5};
  const Sent sent = send(encoder, quad);
  const mavlink::HilOpticalFlow message = sent.flows.at(0);
  EXPECT_EQ(sent.order.back(), 114U) << "after the clock";
  EXPECT_EQ(message.time_usec, 1'000'000U);
  EXPECT_EQ(message.sensor_id, 0);
  EXPECT_EQ(message.integration_time_us, 20'000U);
  EXPECT_EQ(message.integrated_x, 0.01F);
  EXPECT_EQ(message.integrated_y, -0.02F);
  EXPECT_EQ(message.integrated_xgyro, 0.001F);
  EXPECT_EQ(message.integrated_ygyro, 0.002F);
  EXPECT_EQ(message.integrated_zgyro, -0.003F);
  EXPECT_EQ(message.temperature, 3150) << "hundredths of a degree";
  EXPECT_EQ(message.quality, 200);
  EXPECT_EQ(message.time_delta_distance_us, 0U) << "the distance is of the same instant";
  EXPECT_EQ(message.distance, 2.5F);
  EXPECT_TRUE(send(encoder, quad).flows.empty()) << "nothing new";
  flow.count = 3;
  flow.distance_m = -1.0;
  EXPECT_EQ(send(encoder, quad).flows.at(0).distance, -1.0F) << "not known";
}

TEST(Px4Hil, ReportsWhetherAnAnswerIsDue) {
  Px4HilEncoder encoder;
  HilQuad quad;
  EXPECT_EQ(send(encoder, quad).news, GyroNews::kPrimary);
  quad.gyro_works = false;
  quad.advance({});
  const Sent none = send(encoder, quad);
  EXPECT_EQ(none.news, GyroNews::kNone);
  EXPECT_EQ(none.sensors.at(0).fields_updated & 0x38U, 0U);
  quad.advance({});
  ++quad.imu[1].rate_count;
  const Sent other = send(encoder, quad);
  EXPECT_EQ(other.news, GyroNews::kOther);
  EXPECT_EQ(other.sensors.at(1).id, 1);
  EXPECT_EQ(other.sensors.at(1).fields_updated, 0x38U);
  const Sent still = send(encoder, quad);
  EXPECT_EQ(still.sensors.size(), 1U) << "the clock moves all the same";
  EXPECT_EQ(still.sensors.at(0).fields_updated, 0U);
}

/// Sends zeros without pause until it is told to stop.
class Flood {
 public:
  Flood() : near_(*TcpStream::connect(listener_.port(), Deadline::after(DurationUs(2'000'000)))) {
    thread_ = std::thread([this] {
      const std::vector<std::byte> zeros(4096);
      while (!stop_) near_.send(zeros, Deadline::after(DurationUs(10'000)));
    });
  }
  ~Flood() {
    stop_ = true;
    thread_.join();
  }
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;

  std::unique_ptr<TcpStream> accept() {
    return std::make_unique<TcpStream>(*listener_.accept(Deadline::after(DurationUs(2'000'000))));
  }

 private:
  TcpListener listener_{0, "a test"};
  TcpStream near_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

TEST(Px4Hil, APeerThatSendsWithoutPauseEndsNoDeadlineAndNoCtrlC) {
  Flood flood;
  bool stop = false;
  Px4HilLink link(flood.accept(), [&stop] { return stop; });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(link.wait(1'000'000, Deadline::after(DurationUs(5'000'000))), HilAnswer::kLate);
  EXPECT_TRUE(link.flooded());
  EXPECT_EQ(link.wait(1'000'000, Deadline::now()), HilAnswer::kLate);
  EXPECT_LT(link.take_bytes().size(), 1U << 20U);
  stop = true;
  EXPECT_EQ(link.wait(1'000'000, Deadline::after(DurationUs(60'000'000))), HilAnswer::kInterrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Px4Hil, MotorsAreOffUnlessArmedAndFinite) {
  mavlink::HilActuatorControls controls;
  controls.controls[0] = 0.25F;
  controls.controls[1] = std::numeric_limits<float>::quiet_NaN();
  controls.controls[2] = -0.5F;
  controls.controls[3] = 1.5F;
  controls.controls[4] = 0.5F;  // no motor of this vehicle
  controls.mode = 1;
  EXPECT_FALSE(is_armed(controls));
  for (const double drive : motor_command(controls, 4).motor) EXPECT_EQ(drive, 0.0);
  controls.mode = 129;
  EXPECT_TRUE(is_armed(controls));
  const Command command = motor_command(controls, 4);
  const double expected[] = {0.25, 0.0, 0.0, 1.0, 0.0};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(command.motor[i], expected[i]) << i;
}

}  // namespace
}  // namespace tactus
