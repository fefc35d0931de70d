// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// State of the double of the PX4 library, and the topics it knows.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace px4_double {

inline std::string option(const std::string& key) {
  const char* const all = std::getenv("PX4_DOUBLE");
  std::stringstream words(all == nullptr ? "" : all);
  for (std::string word; std::getline(words, word, ',');) {
    if (word.rfind(key + "=", 0) == 0) return word.substr(key.size() + 1);
  }
  return {};
}

inline unsigned number(const std::string& key, unsigned otherwise) {
  const std::string text = option(key);
  return text.empty() ? otherwise : static_cast<unsigned>(std::stoul(text));
}

struct TopicInfo {
  const char* name;
  std::uint32_t size, size_no_padding, hash;
  std::uint8_t queue;
};

constexpr TopicInfo kTopics[] = {
    {"battery_status", 168, 166, 0xfd330964, 1},
    {"vehicle_attitude", 56, 49, 0x0ac1f7cd, 1},
    {"vehicle_local_position", 192, 192, 0x5141d2f7, 1},
    {"vehicle_global_position", 72, 67, 0x923ca365, 1},
    {"vehicle_angular_velocity", 40, 40, 0x48cb9568, 1},
    {"vehicle_land_detected", 24, 20, 0x4c30e23f, 1},
    {"vehicle_status", 80, 74, 0xf779fa65, 1},
    {"vehicle_control_mode", 24, 23, 0x25a90612, 1},
    {"actuator_armed", 16, 15, 0x77773c05, 1},
    {"home_position", 64, 60, 0x159bab7e, 1},
    {"actuator_motors", 72, 66, 0xcabc4d45, 1},
    {"actuator_servos", 48, 48, 0xc5d59a9e, 1},
    {"vehicle_attitude_setpoint", 40, 40, 0x0591bb5a, 1},
    {"vehicle_rates_setpoint", 40, 33, 0x79992167, 1},
    {"mission_result", 40, 38, 0x70caef92, 1},
    {"trajectory_setpoint", 64, 64, 0xf614acde, 1},
    {"vehicle_command", 56, 55, 0xcba514af, 8},
};
constexpr int kTopicCount = static_cast<int>(std::size(kTopics));

struct LocalPosition {
  std::uint64_t timestamp, timestamp_sample, ref_timestamp;
  double ref_lat, ref_lon;
  float x, y, z, delta_xy[2], delta_z, vx, vy, vz, z_deriv, delta_vxy[2], delta_vz, ax, ay, az;
  float heading, heading_var, unaided_heading, delta_heading, tilt_var, ref_alt;
  float bottom[3], eph, epv, evh, evv, vxy_max, vz_max, hagl_min, hagl_max_z, hagl_max_xy;
  std::uint8_t xy_valid, z_valid, v_xy_valid, v_z_valid, resets[5], heading_good, xy_global;
  std::uint8_t z_global, rest[4];
};
static_assert(sizeof(LocalPosition) == 192);
struct Attitude {
  std::uint64_t timestamp, timestamp_sample;
  float q[4], delta_q_reset[4];
  std::uint8_t quat_reset_counter;
};
static_assert(sizeof(Attitude) == 56);
struct AngularVelocity {
  std::uint64_t timestamp, timestamp_sample;
  float xyz[3], xyz_derivative[3];
};
struct MissionResult {
  std::uint64_t timestamp;
  std::uint32_t mission_id, geofence_id, home_counter;
  std::int32_t seq_reached;
  std::uint16_t seq_current, seq_total, changed_index, jump_remaining;
  std::uint8_t valid, warning, finished, failure, jump_changed, execution_mode;
};
static_assert(sizeof(MissionResult) == 40);

struct Item {
  int command;
  float hold_s, acceptance_m, yaw_deg;
  double lat, lon;
  float alt;
};

struct Publisher {
  int topic;
  std::vector<unsigned char> bytes;
  bool pending;
};
struct Subscriber {
  int topic;
  unsigned seen;
};

/// What position control asks of attitude control.
struct Demand {
  float roll, pitch, thrust;
};

/// One PX4. A module runs if its period has passed since its last run.
struct Px4 {
  std::int32_t config[9];
  std::map<std::string, double> params;
  std::vector<unsigned char> latest[kTopicCount];
  unsigned generation[kTopicCount] = {};
  std::vector<Publisher> publishers;
  std::vector<Subscriber> subscribers;
  std::vector<Item> items;
  std::uint64_t last_time = 0, navigator_at = 0, position_at = 0, hold_since = 0;
  unsigned steps = 0;
  unsigned char nav_state = 0;
  bool autosave = true, returned = false;
  MissionResult mission{};
  float target[3] = {};
  Demand demand{};
  FILE* log = nullptr;
};

inline int find_topic(const char* name) {
  if (option("missing") == name) return -1;
  for (int i = 0; i < kTopicCount; ++i) {
    if (std::strcmp(kTopics[i].name, name) == 0) return i;
  }
  return -1;
}

template <class T>
T read(const Px4& px4, const char* topic) {
  T message{};
  const std::vector<unsigned char>& bytes = px4.latest[find_topic(topic)];
  if (bytes.size() == sizeof(T)) std::memcpy(&message, bytes.data(), sizeof(T));
  return message;
}

inline unsigned char byte_of(const Px4& px4, const char* topic, std::size_t offset) {
  const std::vector<unsigned char>& bytes = px4.latest[find_topic(topic)];
  return offset < bytes.size() ? bytes[offset] : std::uint8_t{0};
}

/// `values` are floats behind the time stamps.
inline void publish(Px4& px4, const char* topic, std::size_t offset,
                    const std::vector<float>& values) {
  const int i = find_topic(topic);
  px4.latest[i].assign(kTopics[i].size, 0);
  std::memcpy(px4.latest[i].data(), &px4.last_time, 8);
  std::memcpy(px4.latest[i].data() + offset, values.data(), 4 * values.size());
  ++px4.generation[i];
}

inline void log_line(const Px4& px4, const std::string& text) {
  if (px4.log != nullptr) std::fprintf(px4.log, "%s\n", text.c_str());
}

/// Where to go, once per period of the navigator.
void navigate(Px4& px4, const LocalPosition& at);
/// What position control asks for, once per period of it if a new position came.
void control_position(Px4& px4, const LocalPosition& at);
/// The motors, whenever a new position came.
void control_attitude(Px4& px4, const LocalPosition& at);

}  // namespace px4_double
