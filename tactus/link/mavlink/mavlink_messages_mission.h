// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// MAVLink messages as data, see mavlink_messages.h. Mission transfer and progress.

#include <cstdint>

#include "tactus/core/fields.h"

namespace tactus::mavlink {

struct MissionRequest {
  static constexpr std::uint32_t kId = 40;
  static constexpr const char* kName = "MISSION_REQUEST";
  static constexpr int kBaseFields = 3;

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
  std::uint8_t mission_type = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("seq", "", self.seq);
    visit("mission_type", "", self.mission_type);
  }
};
static_assert(lists_every_field<MissionRequest>());

struct MissionSetCurrent {
  static constexpr std::uint32_t kId = 41;
  static constexpr const char* kName = "MISSION_SET_CURRENT";

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("seq", "", self.seq);
  }
};
static_assert(lists_every_field<MissionSetCurrent>());

struct MissionCurrent {
  static constexpr std::uint32_t kId = 42;
  static constexpr const char* kName = "MISSION_CURRENT";
  static constexpr int kBaseFields = 1;

  std::uint16_t seq = 0;
  std::uint16_t total = 0;
  std::uint8_t mission_state = 0;
  std::uint8_t mission_mode = 0;
  std::uint32_t mission_id = 0;
  std::uint32_t fence_id = 0;
  std::uint32_t rally_points_id = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("seq", "", self.seq);
    visit("total", "", self.total);
    visit("mission_state", "", self.mission_state);
    visit("mission_mode", "", self.mission_mode);
    visit("mission_id", "", self.mission_id);
    visit("fence_id", "", self.fence_id);
    visit("rally_points_id", "", self.rally_points_id);
  }
};
static_assert(lists_every_field<MissionCurrent>());

struct MissionRequestList {
  static constexpr std::uint32_t kId = 43;
  static constexpr const char* kName = "MISSION_REQUEST_LIST";
  static constexpr int kBaseFields = 2;

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t mission_type = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("mission_type", "", self.mission_type);
  }
};
static_assert(lists_every_field<MissionRequestList>());

struct MissionCount {
  static constexpr std::uint32_t kId = 44;
  static constexpr const char* kName = "MISSION_COUNT";
  static constexpr int kBaseFields = 3;

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t count = 0;
  std::uint8_t mission_type = 0;
  std::uint32_t opaque_id = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("count", "", self.count);
    visit("mission_type", "", self.mission_type);
    visit("opaque_id", "", self.opaque_id);
  }
};
static_assert(lists_every_field<MissionCount>());

struct MissionClearAll {
  static constexpr std::uint32_t kId = 45;
  static constexpr const char* kName = "MISSION_CLEAR_ALL";
  static constexpr int kBaseFields = 2;

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t mission_type = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("mission_type", "", self.mission_type);
  }
};
static_assert(lists_every_field<MissionClearAll>());

struct MissionItemReached {
  static constexpr std::uint32_t kId = 46;
  static constexpr const char* kName = "MISSION_ITEM_REACHED";

  std::uint16_t seq = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("seq", "", self.seq);
  }
};
static_assert(lists_every_field<MissionItemReached>());

struct MissionAck {
  static constexpr std::uint32_t kId = 47;
  static constexpr const char* kName = "MISSION_ACK";
  static constexpr int kBaseFields = 3;

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t type = 0;
  std::uint8_t mission_type = 0;
  std::uint32_t opaque_id = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("type", "", self.type);
    visit("mission_type", "", self.mission_type);
    visit("opaque_id", "", self.opaque_id);
  }
};
static_assert(lists_every_field<MissionAck>());

struct MissionRequestInt {
  static constexpr std::uint32_t kId = 51;
  static constexpr const char* kName = "MISSION_REQUEST_INT";
  static constexpr int kBaseFields = 3;

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
  std::uint8_t mission_type = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("seq", "", self.seq);
    visit("mission_type", "", self.mission_type);
  }
};
static_assert(lists_every_field<MissionRequestInt>());

struct MissionItemInt {
  static constexpr std::uint32_t kId = 73;
  static constexpr const char* kName = "MISSION_ITEM_INT";
  static constexpr int kBaseFields = 14;

  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
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
  std::uint8_t mission_type = 0;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("target_system", "", self.target_system);
    visit("target_component", "", self.target_component);
    visit("seq", "", self.seq);
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
    visit("mission_type", "", self.mission_type);
  }
};
static_assert(lists_every_field<MissionItemInt>());

}  // namespace tactus::mavlink
