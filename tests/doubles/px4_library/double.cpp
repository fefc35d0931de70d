// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Stands in for libpx4_lockstep (C interface version 3) in tests: same functions, return codes,
// topics and habits, and a small controller that takes off, flies waypoints and lands. It shares no
// code with Tactus; layouts and hashes are written down here a second time.
// PX4_DOUBLE in the environment makes it misbehave, a list like "version=4,step=-4@100":
//   version=N config=N          what it calls its interface version and the size of its config
//   hash=TOPIC size=TOPIC       another message hash or size for one topic; missing=TOPIC: unknown
//   create=0                    creates nothing
//   step=R@N                    the N-th step (from 1) returns R
//   mission=reject              calls every mission invalid
//   nan=K                       motor K is NaN
//   servos=1                    asks servos 0 to 3 for 0.25, NaN, 1.5 and -1.5
//   slow_us=N                   every step takes so long
//   log=FILE                    appends what it is asked to do

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/doubles/px4_library/px4.h"

// C linkage: the namespace is not part of these names.
#define DOUBLE_EXPORT extern "C" __attribute__((visibility("default")))

namespace px4_double {
namespace {

Px4* live = nullptr;

bool is_whole(const std::string& name) { return name == "CA_AIRFRAME" || name == "CA_ROTOR_COUNT"; }

/// A module's turn: its period is measured from its last run, and 0 means "never".
bool due(std::int32_t rate_hz, std::uint64_t now, std::uint64_t& last) {
  const std::uint64_t period = rate_hz > 0 ? 1000000U / static_cast<unsigned>(rate_hz) : 0;
  if (last != 0 && now - last < period) return false;
  last = now;
  return true;
}

bool is_known(const std::string& name) {
  return name.rfind("CA_ROTOR", 0) == 0 || name.rfind("MC_", 0) == 0 ||
         name.rfind("MPC_", 0) == 0 || is_whole(name);
}

int set_parameter(Px4* px4, const char* name, double value, bool integer) {
  if (px4 == nullptr) return -1;
  const auto found = px4->params.find(name);
  const std::string text = name;
  if (!is_known(text)) return -2;
  if (is_whole(text) != integer) return -3;
  // The real one never comes back from here.
  if (px4->autosave && (found == px4->params.end() || found->second != value)) std::abort();
  px4->params[name] = value;
  log_line(*px4, "param " + text);
  return 0;
}

int get_parameter(Px4* px4, const char* name, double& value) {
  if (px4 == nullptr) return -1;
  const auto found = px4->params.find(name);
  if (!is_known(name)) return -2;
  value = found == px4->params.end() ? 0.0 : found->second;
  return 0;
}

}  // namespace

DOUBLE_EXPORT std::uint32_t px4_lockstep_abi_version() { return number("version", 3); }

DOUBLE_EXPORT void px4_lockstep_sizes(std::uint32_t* in, std::uint32_t* out,
                                      std::uint32_t* config) {
  *in = *out = 0;
  *config = number("config", 36);
}

DOUBLE_EXPORT void* px4_lockstep_create(const std::int32_t* config) {
  if (live != nullptr || option("create") == "0" || config[1] != 0) {
    std::printf("ERROR [px4_lockstep] not created\n");
    return nullptr;
  }
  std::printf("ERROR [parameters] param not found: SYS_CTRL_ALLOC\nINFO  [px4_lockstep] created\n");
  live = new Px4;
  std::copy(config, config + 9, live->config);
  live->params = {{"MPC_THR_HOVER", 0.5}, {"CA_ROTOR_COUNT", 0.0}, {"CA_AIRFRAME", 0.0}};
  live->mission.seq_reached = -1;
  const std::string log = option("log");
  if (!log.empty()) live->log = std::fopen(log.c_str(), "a");
  log_line(*live, "create");
  return live;
}

DOUBLE_EXPORT void px4_lockstep_destroy(void* handle) {
  auto* const px4 = static_cast<Px4*>(handle);
  if (px4 == nullptr) return;
  log_line(*px4, "destroy");
  if (px4->log != nullptr) std::fclose(px4->log);
  delete px4;
  live = nullptr;
}

#ifndef PX4_DOUBLE_WITHOUT_AUTOSAVE
DOUBLE_EXPORT void param_control_autosave(bool enable) {
  if (live == nullptr) return;
  live->autosave = enable;
  log_line(*live, enable ? "autosave on" : "autosave off");
}
#endif

DOUBLE_EXPORT int px4_lockstep_param_set_i32(void* px4, const char* name, std::int32_t value) {
  return set_parameter(static_cast<Px4*>(px4), name, value, true);
}
DOUBLE_EXPORT int px4_lockstep_param_set_f32(void* px4, const char* name, float value) {
  return set_parameter(static_cast<Px4*>(px4), name, value, false);
}
DOUBLE_EXPORT int px4_lockstep_param_get_i32(void* px4, const char* name, std::int32_t* value) {
  double read = 0.0;
  const int result = get_parameter(static_cast<Px4*>(px4), name, read);
  *value = static_cast<std::int32_t>(read);
  return result;
}
DOUBLE_EXPORT int px4_lockstep_param_get_f32(void* px4, const char* name, float* value) {
  double read = 0.0;
  const int result = get_parameter(static_cast<Px4*>(px4), name, read);
  *value = static_cast<float>(read);
  return result;
}
DOUBLE_EXPORT int px4_lockstep_control_alloc_update_params(void* handle) {
  if (handle == nullptr) return -1;
  log_line(*static_cast<Px4*>(handle), "allocator");
  return 0;
}

DOUBLE_EXPORT int px4_lockstep_orb_topic_metadata(void* handle, const char* topic,
                                                  const char** fields, std::uint32_t* size,
                                                  std::uint32_t* size_no_padding,
                                                  std::uint32_t* hash, std::uint8_t* queue) {
  if (handle == nullptr) return -1;
  const int i = find_topic(topic);
  if (i < 0) return -2;
  *fields = nullptr;
  *size = kTopics[i].size + (option("size") == topic ? 8U : 0U);
  *size_no_padding = kTopics[i].size_no_padding;
  *hash = kTopics[i].hash ^ (option("hash") == topic ? 1U : 0U);
  *queue = kTopics[i].queue;
  return -3;
}

DOUBLE_EXPORT int px4_lockstep_orb_create_publisher_ex(void* handle, const char* topic,
                                                       std::int32_t priority, std::uint32_t,
                                                       std::int32_t instance, std::int32_t* id,
                                                       std::int32_t* given, std::uint32_t* size) {
  auto* const px4 = static_cast<Px4*>(handle);
  const int i = find_topic(topic);
  if (px4 == nullptr || i < 0) return px4 == nullptr ? -1 : -2;
  if (priority > 0) return -5;
  *id = static_cast<std::int32_t>(px4->publishers.size());
  *given = -1;
  *size = kTopics[i].size;
  px4->publishers.push_back({i, {}, false});
  log_line(*px4, "publisher " + std::string(topic) + " " + std::to_string(instance));
  return 0;
}

DOUBLE_EXPORT int px4_lockstep_orb_queue_publish(void* handle, std::int32_t id, const void* message,
                                                 std::uint32_t size) {
  auto* const px4 = static_cast<Px4*>(handle);
  Publisher& publisher = px4->publishers.at(static_cast<std::size_t>(id));
  if (size != kTopics[publisher.topic].size) return -4;
  const auto* const bytes = static_cast<const unsigned char*>(message);
  publisher.bytes.assign(bytes, bytes + size);
  publisher.pending = true;
  if (px4->log != nullptr) log_line(*px4, std::string("told ") + kTopics[publisher.topic].name);
  return 0;
}

DOUBLE_EXPORT int px4_lockstep_orb_create_subscriber(void* handle, const char* topic, std::uint32_t,
                                                     std::int32_t* id, std::uint32_t* size) {
  auto* const px4 = static_cast<Px4*>(handle);
  const int i = find_topic(topic);
  if (px4 == nullptr || i < 0) return px4 == nullptr ? -1 : -2;
  *id = static_cast<std::int32_t>(px4->subscribers.size());
  *size = kTopics[i].size;
  px4->subscribers.push_back({i, 0});
  log_line(*px4, "subscriber " + std::string(topic));
  return 0;
}

DOUBLE_EXPORT int px4_lockstep_orb_check(void* handle, std::int32_t id, std::int32_t* updated) {
  auto* const px4 = static_cast<Px4*>(handle);
  const Subscriber& subscriber = px4->subscribers.at(static_cast<std::size_t>(id));
  *updated = px4->generation[subscriber.topic] != subscriber.seen ? 1 : 0;
  return 0;
}

DOUBLE_EXPORT int px4_lockstep_orb_copy(void* handle, std::int32_t id, void* message,
                                        std::uint32_t size) {
  auto* const px4 = static_cast<Px4*>(handle);
  Subscriber& subscriber = px4->subscribers.at(static_cast<std::size_t>(id));
  const std::vector<unsigned char>& bytes = px4->latest[subscriber.topic];
  if (bytes.empty()) return -1;
  if (size != bytes.size()) return -4;
  std::memcpy(message, bytes.data(), size);
  subscriber.seen = px4->generation[subscriber.topic];
  return 0;
}

DOUBLE_EXPORT int px4_lockstep_load_mission_qgc_wpl(void* handle, const char* path) {
  auto* const px4 = static_cast<Px4*>(handle);
  std::ifstream file(path);
  std::string line;
  if (!file) return -2;
  if (!std::getline(file, line)) return -3;
  px4->items.clear();
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Item item{};
    int seq = 0, current = 0, frame = 0, go_on = 0;
    float pass = 0;
    words >> seq >> current >> frame >> item.command >> item.hold_s >> item.acceptance_m >> pass >>
        item.yaw_deg >> item.lat >> item.lon >> item.alt >> go_on;
    log_line(*px4, (words.fail() ? "dropped " : "item ") + line);
    if (words.fail()) continue;
    if (item.acceptance_m <= 0) item.acceptance_m = 1;
    px4->items.push_back(item);
  }
  std::printf("INFO  [px4_lockstep] mission loaded: %zu items\n", px4->items.size());
  return px4->items.empty() ? -4 : 0;
}

DOUBLE_EXPORT int px4_lockstep_step_uorb(void* handle, std::uint64_t time_us) {
  auto* const px4 = static_cast<Px4*>(handle);
  if (px4 == nullptr) return -1;
  log_line(*px4, "step " + std::to_string(time_us));
  if (time_us < px4->last_time) std::printf("time went backwards\n");
  px4->last_time = time_us;
  ++px4->steps;
  const std::string failure = option("step");
  const std::size_t at_sign = failure.find('@');
  if (at_sign != std::string::npos && std::stoul(failure.substr(at_sign + 1)) == px4->steps) {
    return std::stoi(failure);
  }
  if (const unsigned slow = number("slow_us", 0); slow > 0) usleep(slow);
  bool moved = false;
  bool turned = false;
  for (Publisher& publisher : px4->publishers) {
    if (!publisher.pending) continue;
    px4->latest[publisher.topic].swap(publisher.bytes);
    ++px4->generation[publisher.topic];
    publisher.pending = false;
    moved = moved || publisher.topic == find_topic("vehicle_local_position");
    turned = turned || publisher.topic == find_topic("vehicle_angular_velocity");
  }
  const auto at = read<LocalPosition>(*px4, "vehicle_local_position");
  if (due(px4->config[3], time_us, px4->navigator_at)) navigate(*px4, at);
  // A module without news when it is due waits for its next turn.
  if (due(px4->config[4], time_us, px4->position_at) && moved) control_position(*px4, at);
  if (turned) control_attitude(*px4, at);
  return 0;
}

}  // namespace px4_double
