// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// ULogs for tests, record by record.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tactus::testing {

template <class T>
std::string raw(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

class ULogFile {
 public:
  ULogFile() : bytes_(std::string("ULog\x01\x12\x35\x01", 8) + raw(std::uint64_t{1'000})) {
    record('B', std::string(40, '\0'));
  }

  ULogFile& record(char kind, std::string_view payload) {
    bytes_ += raw(static_cast<std::uint16_t>(payload.size())) + kind;
    bytes_ += payload;
    return *this;
  }
  ULogFile& format(std::string_view text) { return record('F', text); }
  template <class T>
  ULogFile& parameter(const std::string& key, T value) {
    return record('P', std::string(1, static_cast<char>(key.size())) + key + raw(value));
  }
  ULogFile& subscribe(std::uint16_t id, const std::string& topic, std::uint8_t instance = 0) {
    return record('A', raw(instance) + raw(id) + topic);
  }
  ULogFile& sample(std::uint16_t id, std::uint64_t time_us, const std::string& rest) {
    return record('D', raw(id) + raw(time_us) + rest);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace tactus::testing
