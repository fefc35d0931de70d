// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tests/doubles/ardupilot_client/reply_text.h"

#include <strings.h>
#include <cstdlib>
#include <cstring>

namespace ardupilot_double {

namespace {

/// Behind the key and the two characters that should be its quote and colon; null: not there.
const char* value_of(const char* line, const char* section, const char* key) {
  const char* at = std::strstr(line, section);
  if (at == nullptr) return nullptr;
  if (*section != '\0') at += std::strlen(section) + 1;
  at = std::strstr(at, key);
  if (at == nullptr || std::strlen(at) < std::strlen(key) + 2) return nullptr;
  return at + std::strlen(key) + 2;
}

template <class Number, std::size_t n>
bool numbers(const char* at, std::array<Number, n>& to) {
  if (at == nullptr) return false;
  for (std::size_t i = 0; i < n; ++i) {
    at += std::strcspn(at, "-0123456789");
    if (*at == '\0') return false;
    to[i] = static_cast<Number>(std::strtod(at, nullptr));
    at += std::strcspn(at, ",]");
    if (i + 1 < n && *at != ',') return false;
    if (*at == ',') ++at;
  }
  return true;
}

void number_if(const char* at, float& to) {
  if (at != nullptr) to = std::strtof(at, nullptr);
}

const char* read_line(const char* line, Motion& m) {
  const char* const timestamp = value_of(line, "", "timestamp");
  if (timestamp == nullptr) return "timestamp";
  m.timestamp_s = std::strtod(timestamp, nullptr);
  if (!numbers(value_of(line, "imu", "gyro"), m.gyro)) return "imu/gyro";
  if (!numbers(value_of(line, "imu", "accel_body"), m.accel)) return "imu/accel_body";
  if (!numbers(value_of(line, "", "velocity"), m.velocity)) return "velocity";
  if (!numbers(value_of(line, "", "quaternion"), m.quaternion)) return "quaternion";
  numbers(value_of(line, "", "position"), m.position);
  number_if(value_of(line, "", "rng_1"), m.range_m);
  number_if(value_of(line, "battery", "voltage"), m.battery_v);
  number_if(value_of(line, "battery", "current"), m.battery_a);
  if (const char* at = value_of(line, "", "no_time_sync")) {
    m.no_time_sync = strncasecmp(at, "true", 4) == 0 || std::strtol(at, nullptr, 10) != 0;
  }
  return nullptr;
}

}  // namespace

bool ReplyText::add(const char* bytes, std::size_t size, Motion& motion, std::string& why) {
  buffer_.append(bytes, size);
  const std::size_t end = buffer_.rfind('\n');
  if (end == std::string::npos || end == 0) {
    why = "no whole line";
    return false;
  }
  const std::size_t begin = buffer_.rfind('\n', end - 1);
  if (begin == std::string::npos) {
    why = "no newline before the line";
    return false;
  }
  const std::string line = buffer_.substr(begin + 1, end - begin - 1);
  buffer_.erase(0, end);
  const char* const missing = read_line(line.c_str(), motion);
  if (missing != nullptr) why = std::string("no ") + missing;
  return missing == nullptr;
}

}  // namespace ardupilot_double
