// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/ulog/ulog.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tactus/core/error.h"
#include "tactus/replay/ulog/ulog_diff.h"
#include "tests/support/ulog_file.h"

namespace tactus {
namespace {

using namespace std::string_view_literals;
using testing::raw;
using testing::ULogFile;

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// Two topics, one of which holds another format, an array, a text and what fills up.
ULogFile head() {
  ULogFile file;
  file.format("part:float x;uint8_t[2] flags;uint8_t[2] _padding0;");
  file.format("attitude:uint64_t timestamp;float[3] rate;part[2] part;char[4] name;");
  file.format("battery:uint64_t timestamp;double voltage;");
  file.parameter("float MPC_XY_CRUISE", 5.0F).parameter("int32_t NAV_ACC_RAD", 2);
  file.subscribe(7, "attitude").subscribe(8, "battery").subscribe(9, "battery", 1);
  return file;
}

std::string attitude(float y, std::string_view fill = "\0\0"sv, float part = 1.0F,
                     std::string_view name = "abc\0"sv) {
  const std::string one = raw(part) + "\x01\x02" + std::string(fill);
  return raw(1.0F) + raw(y) + raw(3.0F) + one + one + std::string(name);
}

std::string refusal(const std::string& bytes) {
  try {
    const ULog log(bytes, "a.ulg");
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
}

ULogDiff difference(const ULogFile& a, const ULogFile& b) {
  return diff_ulogs(ULog(a.bytes(), "a.ulg"), ULog(b.bytes(), "b.ulg"));
}

TEST(ULog, TopicsFieldsSamplesAndParameters) {
  ULogFile file = head();
  file.sample(7, 2000, attitude(2.0F)).sample(9, 2500, raw(15.5)).sample(7, 3000, attitude(2.5F));
  const ULog log(file.bytes(), "a.ulg");
  ASSERT_EQ(log.topics().size(), 2U) << "those with samples";
  const ULogTopic* const topic = log.find("attitude", 0);
  ASSERT_NE(topic, nullptr);
  ASSERT_EQ(topic->samples.size(), 2U);
  EXPECT_EQ(topic->time(1), TimeUs(3000));
  const ULogField* const rate = topic->find("rate");
  ASSERT_NE(rate, nullptr);
  EXPECT_EQ(rate->offset, 8U);
  EXPECT_EQ(rate->count, 3U);
  EXPECT_EQ(topic->find("part[1].x")->offset, 28U);
  EXPECT_EQ(topic->find("part[1]._padding0"), nullptr);
  EXPECT_EQ(number_text(rate->type, topic->samples[1].data() + rate->offset + 4), "2.5");
  EXPECT_EQ(log.find("battery", 0), nullptr);
  EXPECT_EQ(log.find("battery", 1)->full_name(), "battery[1]");
  EXPECT_EQ(log.parameters().at("MPC_XY_CRUISE"), "5");
  EXPECT_EQ(log.parameters().at("NAV_ACC_RAD"), "2");
  EXPECT_FALSE(log.cut_off());
}

TEST(ULog, OneThatWasCutOffIsReadAsFarAsItGoes) {
  ULogFile file = head();
  file.sample(8, 2000, raw(15.0)).sample(8, 3000, raw(14.0));
  const ULog log(file.bytes().substr(0, file.bytes().size() - 5), "a.ulg");
  EXPECT_TRUE(log.cut_off());
  EXPECT_EQ(log.find("battery", 0)->samples.size(), 1U);
}

TEST(ULog, WhatItDoesNotNeedIsPassedOver) {
  ULogFile file = head();
  file.record('L', "6\0\0\0\0\0\0\0\0hello").record('O', "xx").record('I', "?").record('S', "");
  file.sample(8, 2000, raw(15.0));
  EXPECT_EQ(ULog(file.bytes(), "a.ulg").topics().size(), 1U);
}

TEST(ULog, WrongOnesAreRefusedWithTheirPlace) {
  EXPECT_TRUE(has(refusal(""), "a.ulg: at byte 0: it does not begin as a ULog"));
  EXPECT_TRUE(has(refusal(std::string("ULog\x01\x12\x35", 7)), "it ends in its head"));
  std::string flags(40, '\0');
  flags[8] = 2;
  EXPECT_TRUE(has(refusal(ULogFile().record('B', flags).bytes()), "a later kind of ULog"));
  EXPECT_TRUE(has(refusal(ULogFile().subscribe(1, "nothing").bytes()), "nothing is not defined"));
  EXPECT_TRUE(has(refusal(head().sample(99, 0, "").bytes()), "was not subscribed"));
  EXPECT_TRUE(has(refusal(head().record('D', raw(std::uint16_t{8}) + "x").bytes()), "shorter"));
  EXPECT_TRUE(has(refusal(ULogFile().record('A', "x").bytes()), "a subscription is cut off"));
  EXPECT_TRUE(has(refusal(ULogFile().record('P', "\x09int32_t").bytes()), "a parameter is cut"));
  EXPECT_TRUE(has(refusal(ULogFile().format("t:float x;").subscribe(1, "t").bytes()),
                  "topic t has no timestamp"));
  EXPECT_TRUE(has(refusal(ULogFile().format("t:t a;").subscribe(1, "t").bytes()),
                  "format t is not defined"))
      << "it holds itself";
  for (const char* const type : {"float[", "float[0]", "float[x]", "float[99999]", "float[3"}) {
    const ULogFile file = ULogFile().format("t:uint64_t timestamp;" + std::string(type) + " x;");
    EXPECT_TRUE(has(refusal(ULogFile(file).subscribe(1, "t").bytes()), "a field of no type"))
        << type;
  }
}

/// Any byte may be another one: it is read or refused.
TEST(ULog, DamageDoesNoHarm) {
  ULogFile file = head();
  file.sample(7, 2000, attitude(2.0F)).sample(8, 2000, raw(15.0));
  int refused = 0;
  for (std::size_t at = 0; at < file.bytes().size(); ++at) {
    for (const char byte : {'\0', '\x7f', '\xff', '['}) {
      std::string damaged = file.bytes();
      damaged[at] = byte;
      refused += refusal(damaged).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(ULogDiff, EqualLogsAreEqual) {
  ULogFile a = head();
  a.sample(7, 2000, attitude(2.0F)).sample(8, 2500, raw(15.5));
  const ULogDiff found = difference(a, a);
  EXPECT_TRUE(found.equal());
  EXPECT_EQ(found.compared, 2U);
  EXPECT_TRUE(found.notes.empty());
  EXPECT_TRUE(has(to_text(found, "a", "b"), "equal in 2 topics"));
}

TEST(ULogDiff, TheFirstTopicAndFieldAreNamed) {
  ULogFile a = head();
  ULogFile b = head();
  for (ULogFile* file : {&a, &b}) file->sample(8, 1'500'000, raw(15.5));
  a.sample(8, 1'700'000, raw(15.4)).sample(7, 1'600'000, attitude(2.0F));
  b.sample(8, 1'700'000, raw(15.3)).sample(7, 1'600'000, attitude(2.25F));
  const ULogDiff found = difference(a, b);
  ASSERT_EQ(found.topics.size(), 2U);
  EXPECT_EQ(found.topics[0].topic, "attitude");
  EXPECT_EQ(found.topics[0].field, "rate[1]");
  EXPECT_EQ(found.topics[0].a, "2");
  EXPECT_EQ(found.topics[0].b, "2.25");
  EXPECT_EQ(found.topics[1].field, "voltage");
  EXPECT_EQ(found.topics[1].equal, 1U);
  const std::string text = to_text(found, "a", "b");
  EXPECT_TRUE(has(text, "attitude.rate[1] at 1.6s of PX4's clock (t = 600ms of a flight")) << text;
  EXPECT_TRUE(has(ulog_diff_json(found, "a", "b"), "\"px4_t_us\": 1600000"));
}

TEST(ULogDiff, WhatFillsUpAndWhatFollowsATextDoNotCount) {
  ULogFile a = head();
  ULogFile b = head();
  a.sample(7, 2000, attitude(2.0F, "\1\2"sv, 1.0F, "a\0xy"sv));
  b.sample(7, 2000, attitude(2.0F, "\3\4"sv, 1.0F, "a\0zz"sv));
  EXPECT_TRUE(difference(a, b).equal());
  b = head();
  b.sample(7, 2000, attitude(2.0F, "\1\2"sv, 1.5F, "a\0xy"sv));
  EXPECT_EQ(difference(a, b).topics.at(0).field, "part[0].x");
}

TEST(ULogDiff, ASampleThatOnlyOneHas) {
  ULogFile a = head();
  ULogFile b = head();
  a.sample(8, 2000, raw(15.5)).sample(8, 3000, raw(15.5));
  b.sample(8, 2000, raw(15.5)).sample(8, 4000, raw(15.5));
  const ULogDiff found = difference(a, b);
  ASSERT_EQ(found.topics.size(), 1U);
  EXPECT_EQ(found.topics[0].time, TimeUs(3000));
  EXPECT_EQ(found.topics[0].field, "");
  EXPECT_EQ(found.topics[0].a, "a sample");
  EXPECT_EQ(found.topics[0].b, "");
  a = head();
  a.sample(8, 2000, raw(15.5));
  const ULogDiff shorter = difference(a, b);
  EXPECT_EQ(shorter.topics.at(0).time, TimeUs(4000));
  EXPECT_EQ(shorter.topics.at(0).equal, 1U);
}

TEST(ULogDiff, LogsOfTwoBuildsAreComparedInWhatBothHave) {
  ULogFile a = head();
  ULogFile b;
  b.format("battery:uint64_t timestamp;float current;double voltage;");
  b.format("extra:uint64_t timestamp;");
  b.parameter("int32_t NAV_ACC_RAD", 10);
  b.subscribe(1, "battery").subscribe(2, "extra");
  a.sample(8, 2000, raw(15.5)).sample(7, 2000, attitude(1.0F));
  b.sample(1, 2000, raw(1.0F) + raw(15.5)).sample(2, 2000, "");
  const ULogDiff found = difference(a, b);
  EXPECT_TRUE(found.topics.empty()) << "the voltage is the same, wherever it stands";
  const std::string text = to_text(found, "a", "b");
  EXPECT_TRUE(has(text, "only the first has the topics attitude")) << text;
  EXPECT_TRUE(has(text, "only the second has the topics extra")) << text;
  EXPECT_TRUE(has(text, "battery.current")) << text;
  EXPECT_TRUE(has(text, "parameters: NAV_ACC_RAD = 2 and 10")) << text;
}

}  // namespace
}  // namespace tactus
