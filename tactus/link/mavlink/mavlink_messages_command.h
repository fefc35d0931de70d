// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// MAVLink messages as data, see mavlink_messages.h. Commands, parameters and sticks.

#include <cstdint>

#include "tactus/core/fields.h"

namespace tactus::mavlink {

struct SetMode {
  static constexpr std::uint32_t kId = 11;
  static constexpr const char* kName = "SET_MODE";

  std::uint8_t target_system = 0;
  std::uint8_t base_mode = 0;
  std::uint32_t custom_mode = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("base_mode", "", self.base_mode);
    visit("custom_mode", "", self.custom_mode);
  }
};
static_assert(lists_every_field<SetMode>());

struct ParamRequestRead {
  static constexpr std::uint32_t kId = 20;
  static constexpr const char* kName = "PARAM_REQUEST_READ";

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  char param_id[16] = {};
  std::int16_t param_index = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("param_id", "", self.param_id);
    visit("param_index", "", self.param_index);
  }
};
static_assert(lists_every_field<ParamRequestRead>());

struct ParamRequestList {
  static constexpr std::uint32_t kId = 21;
  static constexpr const char* kName = "PARAM_REQUEST_LIST";

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
  }
};
static_assert(lists_every_field<ParamRequestList>());

struct ParamValue {
  static constexpr std::uint32_t kId = 22;
  static constexpr const char* kName = "PARAM_VALUE";

  char param_id[16] = {};
  float param_value = 0;
  std::uint8_t param_type = 0;
  std::uint16_t param_count = 0;
  std::uint16_t param_index = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("param_id", "", self.param_id);
    visit("param_value", "", self.param_value);
    visit("param_type", "", self.param_type);
    visit("param_count", "", self.param_count);
    visit("param_index", "", self.param_index);
  }
};
static_assert(lists_every_field<ParamValue>());

struct ParamSet {
  static constexpr std::uint32_t kId = 23;
  static constexpr const char* kName = "PARAM_SET";

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  char param_id[16] = {};
  float param_value = 0;
  std::uint8_t param_type = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("param_id", "", self.param_id);
    visit("param_value", "", self.param_value);
    visit("param_type", "", self.param_type);
  }
};
static_assert(lists_every_field<ParamSet>());

struct RcChannels {
  static constexpr std::uint32_t kId = 65;
  static constexpr const char* kName = "RC_CHANNELS";

  std::uint32_t time_boot_ms = 0;
  std::uint8_t chancount = 0;
  std::uint16_t chan_raw[18] = {};
  std::uint8_t rssi = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_boot_ms", "ms", self.time_boot_ms);
    visit("chancount", "", self.chancount);
    visit("chan1_raw", "us", self.chan_raw[0]);
    visit("chan2_raw", "us", self.chan_raw[1]);
    visit("chan3_raw", "us", self.chan_raw[2]);
    visit("chan4_raw", "us", self.chan_raw[3]);
    visit("chan5_raw", "us", self.chan_raw[4]);
    visit("chan6_raw", "us", self.chan_raw[5]);
    visit("chan7_raw", "us", self.chan_raw[6]);
    visit("chan8_raw", "us", self.chan_raw[7]);
    visit("chan9_raw", "us", self.chan_raw[8]);
    visit("chan10_raw", "us", self.chan_raw[9]);
    visit("chan11_raw", "us", self.chan_raw[10]);
    visit("chan12_raw", "us", self.chan_raw[11]);
    visit("chan13_raw", "us", self.chan_raw[12]);
    visit("chan14_raw", "us", self.chan_raw[13]);
    visit("chan15_raw", "us", self.chan_raw[14]);
    visit("chan16_raw", "us", self.chan_raw[15]);
    visit("chan17_raw", "us", self.chan_raw[16]);
    visit("chan18_raw", "us", self.chan_raw[17]);
    visit("rssi", "", self.rssi);
  }
};
static_assert(lists_every_field<RcChannels>());

struct RcChannelsOverride {
  static constexpr std::uint32_t kId = 70;
  static constexpr const char* kName = "RC_CHANNELS_OVERRIDE";
  static constexpr int kBaseFields = 10;

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t chan_raw[18] = {};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("chan1_raw", "us", self.chan_raw[0]);
    visit("chan2_raw", "us", self.chan_raw[1]);
    visit("chan3_raw", "us", self.chan_raw[2]);
    visit("chan4_raw", "us", self.chan_raw[3]);
    visit("chan5_raw", "us", self.chan_raw[4]);
    visit("chan6_raw", "us", self.chan_raw[5]);
    visit("chan7_raw", "us", self.chan_raw[6]);
    visit("chan8_raw", "us", self.chan_raw[7]);
    visit("chan9_raw", "us", self.chan_raw[8]);
    visit("chan10_raw", "us", self.chan_raw[9]);
    visit("chan11_raw", "us", self.chan_raw[10]);
    visit("chan12_raw", "us", self.chan_raw[11]);
    visit("chan13_raw", "us", self.chan_raw[12]);
    visit("chan14_raw", "us", self.chan_raw[13]);
    visit("chan15_raw", "us", self.chan_raw[14]);
    visit("chan16_raw", "us", self.chan_raw[15]);
    visit("chan17_raw", "us", self.chan_raw[16]);
    visit("chan18_raw", "us", self.chan_raw[17]);
  }
};
static_assert(lists_every_field<RcChannelsOverride>());

struct CommandInt {
  static constexpr std::uint32_t kId = 75;
  static constexpr const char* kName = "COMMAND_INT";

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t frame = 0;
  std::uint16_t command = 0;
  std::uint8_t current = 0;
  std::uint8_t autocontinue = 0;
  float param1 = 0;
  float param2 = 0;
  float param3 = 0;
  float param4 = 0;
  std::int32_t x = 0;
  std::int32_t y = 0;
  float z = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("frame", "", self.frame);
    visit("command", "", self.command);
    visit("current", "", self.current);
    visit("autocontinue", "", self.autocontinue);
    visit("param1", "", self.param1);
    visit("param2", "", self.param2);
    visit("param3", "", self.param3);
    visit("param4", "", self.param4);
    visit("x", "", self.x);
    visit("y", "", self.y);
    visit("z", "", self.z);
  }
};
static_assert(lists_every_field<CommandInt>());

struct CommandLong {
  static constexpr std::uint32_t kId = 76;
  static constexpr const char* kName = "COMMAND_LONG";

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t command = 0;
  std::uint8_t confirmation = 0;
  float param1 = 0;
  float param2 = 0;
  float param3 = 0;
  float param4 = 0;
  float param5 = 0;
  float param6 = 0;
  float param7 = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("command", "", self.command);
    visit("confirmation", "", self.confirmation);
    visit("param1", "", self.param1);
    visit("param2", "", self.param2);
    visit("param3", "", self.param3);
    visit("param4", "", self.param4);
    visit("param5", "", self.param5);
    visit("param6", "", self.param6);
    visit("param7", "", self.param7);
  }
};
static_assert(lists_every_field<CommandLong>());

struct CommandAck {
  static constexpr std::uint32_t kId = 77;
  static constexpr const char* kName = "COMMAND_ACK";
  static constexpr int kBaseFields = 2;

  std::uint16_t command = 0;
  std::uint8_t result = 0;
  std::uint8_t progress = 0;
  std::int32_t result_param2 = 0;
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("command", "", self.command);
    visit("result", "", self.result);
    visit("progress", "%", self.progress);
    visit("result_param2", "", self.result_param2);
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
  }
};
static_assert(lists_every_field<CommandAck>());

}  // namespace tactus::mavlink
