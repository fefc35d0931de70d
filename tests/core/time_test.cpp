// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// link: rapidcheck

#include "tactus/core/time.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "tactus/core/error.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "(no error)";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string parse_message(const char* text) {
  return message_of([&] { (void)parse_duration(text, "log.period"); });
}

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

TEST(Time, OnlyMeaningfulArithmeticCompiles) {
  static_assert(Addable<TimeUs, DurationUs> && Addable<DurationUs, DurationUs>);
  static_assert(!Addable<TimeUs, TimeUs> && !Addable<TimeUs, int>);
  static_assert(!std::is_convertible_v<std::uint64_t, TimeUs>);
  static_assert(!std::is_convertible_v<TimeUs, DurationUs>);
  static_assert(std::is_trivially_copyable_v<TimeUs> && std::is_trivially_copyable_v<DurationUs>);
  static_assert(sizeof(TimeUs) == 8);
}

TEST(Time, Arithmetic) {
  static_assert(TimeUs(5) + DurationUs(7) == TimeUs(12));
  static_assert(TimeUs(12) - TimeUs(5) == DurationUs(7));
  static_assert(TimeUs(12) - DurationUs(5) == TimeUs(7));
  static_assert(DurationUs(4000) * 250 == DurationUs(1'000'000));
  static_assert(DurationUs(10) / DurationUs(4) == 2);
  static_assert(DurationUs(10) % DurationUs(4) == DurationUs(2));
  static_assert(TimeUs(1) < TimeUs(2) && DurationUs(2) >= DurationUs(2));
  TimeUs t(1);
  t += DurationUs(2);
  EXPECT_EQ(t, TimeUs(3));
}

TEST(TimeDeathTest, LeavingTheRangeAborts) {
  EXPECT_DEATH((void)(TimeUs(kMax) + DurationUs(1)), "time.h:[0-9]+: assertion failed: time over");
  EXPECT_DEATH((void)(TimeUs(1) - TimeUs(2)), "negative");
  EXPECT_DEATH((void)(DurationUs(1) - DurationUs(2)), "negative");
  EXPECT_DEATH((void)(DurationUs(kMax / 2 + 1) * 2), "overflow");
  EXPECT_DEATH((void)(DurationUs(1) / DurationUs(0)), "zero");
  EXPECT_DEATH((void)(DurationUs(1) % DurationUs(0)), "zero");
  EXPECT_EQ(DurationUs(kMax / 2) * 2, DurationUs(kMax - 1));
}

TEST(Seconds, AreDerivedByOneProduct) {
  EXPECT_EQ(to_seconds(TimeUs(8'300'000)), 8'300'000 * 1e-6);
  EXPECT_EQ(to_seconds(DurationUs(0)), 0.0);
}

TEST(Seconds, FamousDecimalsConvert) {
  EXPECT_EQ(duration_from_seconds(8.3, "t"), DurationUs(8'300'000));
  EXPECT_EQ(duration_from_seconds(10.3, "t"), DurationUs(10'300'000));
  EXPECT_EQ(duration_from_seconds(11.9, "t"), DurationUs(11'900'000));
  EXPECT_EQ(duration_from_seconds(0.0, "t"), DurationUs(0));
  EXPECT_EQ(duration_from_seconds(1e-6, "t"), DurationUs(1));
  EXPECT_EQ(duration_from_seconds(0.1 + 0.2, "t"), DurationUs(300'000));
  EXPECT_EQ(duration_from_seconds(kMaxSeconds, "t"), DurationUs(100'000'000'000'000));
}

// A stride that is odd and prime to 10 visits every pattern of digits; `--all` visits every value.
TEST(Seconds, EveryMillisecondUpToTwoMillionSecondsConverts) {
  const std::uint64_t stride = testing::scaled(20) > 1 ? 1 : 997;
  for (std::uint64_t ms = 0; ms <= 2'000'000'000; ms += stride) {
    const double seconds = static_cast<double>(ms) / 1000.0;
    if (duration_from_seconds(seconds, "t").us != ms * 1000) FAIL() << ms;
  }
}

TEST(Seconds, WhatIsNotAWholeMicrosecondIsRefused) {
  const std::string message =
      message_of([] { (void)duration_from_seconds(0.0000015, "wind.period_s"); });
  EXPECT_EQ(message,
            "wind.period_s: 1.5e-06 s is not a whole number of microseconds; the nearest legal "
            "values are 0.000001 s and 0.000002 s.");
  EXPECT_TRUE(contains(message_of([] { (void)duration_from_seconds(1.0 / 3.0, "k"); }),
                       "0.333333 s and 0.333334 s"));
  EXPECT_TRUE(
      contains(message_of([] { (void)duration_from_seconds(1e-300, "k"); }), "0 s and 0.000001 s"));
}

TEST(Seconds, NegativeNonFiniteAndHugeAreRefused) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, -1e-300, kInf, -kInf, std::nan(""), 1.0000001e8, 1e300}) {
    EXPECT_THROW((void)duration_from_seconds(bad, "k"), Error) << bad;
  }
}

TEST(Seconds, RoundTripThroughTheDerivedSeconds) {
  const bool holds = rc::check("duration_from_seconds inverts to_seconds", [] {
    const auto us = *rc::gen::inRange<std::uint64_t>(0, 100'000'000'000'001);
    RC_ASSERT(duration_from_seconds(to_seconds(DurationUs(us)), "t") == DurationUs(us));
  });
  EXPECT_TRUE(holds);
}

TEST(DurationText, Units) {
  EXPECT_EQ(parse_duration("4ms", "k"), DurationUs(4000));
  EXPECT_EQ(parse_duration("8.3s", "k"), DurationUs(8'300'000));
  EXPECT_EQ(parse_duration("250us", "k"), DurationUs(250));
  EXPECT_EQ(parse_duration("1.5min", "k"), DurationUs(90'000'000));
  EXPECT_EQ(parse_duration("2h", "k"), DurationUs(7'200'000'000));
  EXPECT_EQ(parse_duration("0.0009765625h", "k"), DurationUs(3'515'625));
  EXPECT_EQ(parse_duration("007.50000000000000000000000ms", "k"), DurationUs(7500));
  EXPECT_EQ(parse_duration("0s", "k"), DurationUs(0));
  EXPECT_EQ(parse_duration("18446744073709551615us", "k"), DurationUs(kMax));
}

TEST(DurationText, ErrorsSayWhatToDo) {
  EXPECT_EQ(parse_message("1.5us"),
            "log.period: \"1.5us\" is not a whole number of microseconds; the nearest legal values "
            "are 1us and 2us.");
  EXPECT_TRUE(contains(parse_message("0.3333ms"), "333us and 334us"));
  EXPECT_TRUE(contains(parse_message("4"), "log.period: \"4\" has no unit: write a number"));
  EXPECT_TRUE(contains(parse_message("4 ms"), "unknown unit \" ms\""));
  EXPECT_TRUE(contains(parse_message("4sec"), "use us, ms, s, min or h"));
  EXPECT_TRUE(contains(parse_message("1e3s"), "unknown unit"));
  for (const char* bad : {"", "s", "-4ms", "+4ms", ".5s", "5.s", "nan", "inf", "0x1s", "1,5s"}) {
    EXPECT_NE(parse_message(bad), "(no error)") << bad;
  }
  for (const char* bad : {"18446744073709551616us", "18446744073709551615.5us",
                          "99999999999999999999999h", "5124095577h"}) {
    EXPECT_TRUE(contains(parse_message(bad), "too long")) << bad;
  }
}

TEST(DurationText, Readable) {
  EXPECT_EQ(to_text(DurationUs(0)), "0s");
  EXPECT_EQ(to_text(DurationUs(250)), "250us");
  EXPECT_EQ(to_text(DurationUs(1500)), "1.5ms");
  EXPECT_EQ(to_text(DurationUs(4000)), "4ms");
  EXPECT_EQ(to_text(DurationUs(8'300'000)), "8.3s");
  EXPECT_EQ(to_text(DurationUs(12'345'678)), "12.345678s");
  EXPECT_EQ(to_text(TimeUs(60'000'000)), "60s");
}

TEST(DurationText, ExactSeconds) {
  EXPECT_EQ(exact_seconds(DurationUs(0)), "0.000000");
  EXPECT_EQ(exact_seconds(DurationUs(1)), "0.000001");
  EXPECT_EQ(exact_seconds(DurationUs(8'300'000)), "8.300000");
  EXPECT_EQ(exact_seconds(DurationUs(~std::uint64_t{0})), "18446744073709.551615");
}

TEST(DurationText, RoundTrip) {
  const bool holds = rc::check("parse_duration inverts to_text", [] {
    const auto digits = *rc::gen::inRange(0, 64);
    const DurationUs duration(*rc::gen::arbitrary<std::uint64_t>() >> digits);
    RC_ASSERT(parse_duration(to_text(duration), "k") == duration);
  });
  EXPECT_TRUE(holds);
}

TEST(DurationText, AgreesWithTheConversionOfSeconds) {
  const bool holds = rc::check("text and double of the same decimal agree", [] {
    const auto ms = *rc::gen::inRange<std::uint64_t>(0, 2'000'000'001);
    const std::string text = to_text(DurationUs(ms * 1000));
    RC_ASSERT(parse_duration(text, "k") ==
              duration_from_seconds(static_cast<double>(ms) / 1000.0, "k"));
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace tactus
