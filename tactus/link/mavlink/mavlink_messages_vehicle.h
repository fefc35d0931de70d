// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// MAVLink messages as data, see mavlink_messages.h. Who is there and how it is: mode, health,
// power, texts.

#include <cstdint>

#include "tactus/core/fields.h"

namespace tactus::mavlink {

struct Heartbeat {
  static constexpr std::uint32_t kId = 0;
  static constexpr const char* kName = "HEARTBEAT";

  std::uint8_t type = 0;
  std::uint8_t autopilot = 0;
  std::uint8_t base_mode = 0;
  std::uint32_t custom_mode = 0;
  std::uint8_t system_status = 0;
  std::uint8_t mavlink_version = 3;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("type", "", self.type);
    visit("autopilot", "", self.autopilot);
    visit("base_mode", "", self.base_mode);
    visit("custom_mode", "", self.custom_mode);
    visit("system_status", "", self.system_status);
    visit("mavlink_version", "", self.mavlink_version);
  }
};
static_assert(lists_every_field<Heartbeat>());

struct SysStatus {
  static constexpr std::uint32_t kId = 1;
  static constexpr const char* kName = "SYS_STATUS";
  static constexpr int kBaseFields = 13;

  std::uint32_t onboard_control_sensors_present = 0;
  std::uint32_t onboard_control_sensors_enabled = 0;
  std::uint32_t onboard_control_sensors_health = 0;
  std::uint16_t load = 0;
  std::uint16_t voltage_battery = 0;
  std::int16_t current_battery = 0;
  std::int8_t battery_remaining = 0;
  std::uint16_t drop_rate_comm = 0;
  std::uint16_t errors_comm = 0;
  std::uint16_t errors_count1 = 0;
  std::uint16_t errors_count2 = 0;
  std::uint16_t errors_count3 = 0;
  std::uint16_t errors_count4 = 0;
  std::uint32_t onboard_control_sensors_present_extended = 0;
  std::uint32_t onboard_control_sensors_enabled_extended = 0;
  std::uint32_t onboard_control_sensors_health_extended = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("onboard_control_sensors_present", "", self.onboard_control_sensors_present);
    visit("onboard_control_sensors_enabled", "", self.onboard_control_sensors_enabled);
    visit("onboard_control_sensors_health", "", self.onboard_control_sensors_health);
    visit("load", "d%", self.load);
    visit("voltage_battery", "mV", self.voltage_battery);
    visit("current_battery", "cA", self.current_battery);
    visit("battery_remaining", "%", self.battery_remaining);
    visit("drop_rate_comm", "c%", self.drop_rate_comm);
    visit("errors_comm", "", self.errors_comm);
    visit("errors_count1", "", self.errors_count1);
    visit("errors_count2", "", self.errors_count2);
    visit("errors_count3", "", self.errors_count3);
    visit("errors_count4", "", self.errors_count4);
    visit("onboard_control_sensors_present_extended", "",
          self.onboard_control_sensors_present_extended);
    visit("onboard_control_sensors_enabled_extended", "",
          self.onboard_control_sensors_enabled_extended);
    visit("onboard_control_sensors_health_extended", "",
          self.onboard_control_sensors_health_extended);
  }
};
static_assert(lists_every_field<SysStatus>());

struct SystemTime {
  static constexpr std::uint32_t kId = 2;
  static constexpr const char* kName = "SYSTEM_TIME";

  std::uint64_t time_unix_usec = 0;
  std::uint32_t time_boot_ms = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("time_unix_usec", "us", self.time_unix_usec);
    visit("time_boot_ms", "ms", self.time_boot_ms);
  }
};
static_assert(lists_every_field<SystemTime>());

struct BatteryStatus {
  static constexpr std::uint32_t kId = 147;
  static constexpr const char* kName = "BATTERY_STATUS";
  static constexpr int kBaseFields = 9;

  std::uint8_t id = 0;
  std::uint8_t battery_function = 0;
  std::uint8_t type = 0;
  std::int16_t temperature = 0;
  std::uint16_t voltages[10] = {};
  std::int16_t current_battery = 0;
  std::int32_t current_consumed = 0;
  std::int32_t energy_consumed = 0;
  std::int8_t battery_remaining = 0;
  std::int32_t time_remaining = 0;
  std::uint8_t charge_state = 0;
  std::uint16_t voltages_ext[4] = {};
  std::uint8_t mode = 0;
  std::uint32_t fault_bitmask = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("id", "", self.id);
    visit("battery_function", "", self.battery_function);
    visit("type", "", self.type);
    visit("temperature", "cdegC", self.temperature);
    visit("voltages", "mV", self.voltages);
    visit("current_battery", "cA", self.current_battery);
    visit("current_consumed", "mAh", self.current_consumed);
    visit("energy_consumed", "hJ", self.energy_consumed);
    visit("battery_remaining", "%", self.battery_remaining);
    visit("time_remaining", "s", self.time_remaining);
    visit("charge_state", "", self.charge_state);
    visit("voltages_ext", "mV", self.voltages_ext);
    visit("mode", "", self.mode);
    visit("fault_bitmask", "", self.fault_bitmask);
  }
};
static_assert(lists_every_field<BatteryStatus>());

struct AutopilotVersion {
  static constexpr std::uint32_t kId = 148;
  static constexpr const char* kName = "AUTOPILOT_VERSION";
  static constexpr int kBaseFields = 11;

  std::uint64_t capabilities = 0;
  std::uint32_t flight_sw_version = 0;
  std::uint32_t middleware_sw_version = 0;
  std::uint32_t os_sw_version = 0;
  std::uint32_t board_version = 0;
  std::uint8_t flight_custom_version[8] = {};
  std::uint8_t middleware_custom_version[8] = {};
  std::uint8_t os_custom_version[8] = {};
  std::uint16_t vendor_id = 0;
  std::uint16_t product_id = 0;
  std::uint64_t uid = 0;
  std::uint8_t uid2[18] = {};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("capabilities", "", self.capabilities);
    visit("flight_sw_version", "", self.flight_sw_version);
    visit("middleware_sw_version", "", self.middleware_sw_version);
    visit("os_sw_version", "", self.os_sw_version);
    visit("board_version", "", self.board_version);
    visit("flight_custom_version", "", self.flight_custom_version);
    visit("middleware_custom_version", "", self.middleware_custom_version);
    visit("os_custom_version", "", self.os_custom_version);
    visit("vendor_id", "", self.vendor_id);
    visit("product_id", "", self.product_id);
    visit("uid", "", self.uid);
    visit("uid2", "", self.uid2);
  }
};
static_assert(lists_every_field<AutopilotVersion>());

struct ExtendedSysState {
  static constexpr std::uint32_t kId = 245;
  static constexpr const char* kName = "EXTENDED_SYS_STATE";

  std::uint8_t vtol_state = 0;
  std::uint8_t landed_state = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("vtol_state", "", self.vtol_state);
    visit("landed_state", "", self.landed_state);
  }
};
static_assert(lists_every_field<ExtendedSysState>());

struct Statustext {
  static constexpr std::uint32_t kId = 253;
  static constexpr const char* kName = "STATUSTEXT";
  static constexpr int kBaseFields = 2;

  std::uint8_t severity = 0;
  char text[50] = {};
  std::uint16_t id = 0;
  std::uint8_t chunk_seq = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("severity", "", self.severity);
    visit("text", "", self.text);
    visit("id", "", self.id);
    visit("chunk_seq", "", self.chunk_seq);
  }
};
static_assert(lists_every_field<Statustext>());

}  // namespace tactus::mavlink
