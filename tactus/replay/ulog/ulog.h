// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// PX4's own log of a flight, ULog (docs.px4.io, "ULog File Format", version 1): the uORB topics
// that it holds, their samples in the order of the file, and the parameters at its start. Texts,
// sync marks and what else a log has are passed over. Everything in the file is checked: it comes
// from elsewhere.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/time.h"

namespace tactus {

enum class ULogType : std::uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat,
  kDouble,
  kBool,
  kChar,
};

std::size_t size_of(ULogType type);

/// A number, or an array of them; those of a topic within a topic have its name before theirs.
struct ULogField {
  std::string name;  ///< "xyz[1]" is an element of "xyz"
  ULogType type = ULogType::kUint8;
  std::size_t count = 1;  ///< an array of one is told by `array`
  bool array = false;
  std::size_t offset = 0;  ///< in a sample

  [[nodiscard]] std::size_t bytes() const { return size_of(type) * count; }
};

struct ULogTopic {
  std::string name;
  int instance = 0;                       ///< several sensors of a kind publish the same topic
  std::vector<ULogField> fields;          ///< without what only fills up
  std::vector<std::string_view> samples;  ///< bytes of each
  std::size_t timestamp = 0;              ///< its place in a sample
  [[nodiscard]] TimeUs time(std::size_t sample) const;
  [[nodiscard]] const ULogField* find(std::string_view field) const;
  [[nodiscard]] std::string full_name() const;
};

/// As the log writes it: the type, and the value as text.
using ULogParameters = std::map<std::string, std::string>;

class ULog {
 public:
  static bool is_one(std::string_view head);

  /// Throws Error(kBadInput) that names `file`, the place in it and what is wrong there. A log
  /// whose end was cut off is read as far as it goes.
  ULog(std::string bytes, std::string_view file);
  ULog(const ULog&) = delete;
  ULog& operator=(const ULog&) = delete;

  /// Those with samples, by name and instance.
  [[nodiscard]] const std::vector<ULogTopic>& topics() const { return topics_; }
  [[nodiscard]] const ULogTopic* find(std::string_view name, int instance) const;
  [[nodiscard]] const ULogParameters& parameters() const { return parameters_; }
  /// Its last record is not whole.
  [[nodiscard]] bool cut_off() const { return cut_off_; }

 private:
  friend class ULogReader;
  std::string bytes_;
  std::vector<ULogTopic> topics_;
  ULogParameters parameters_;
  bool cut_off_ = false;
};

/// A number of a sample as text.
std::string number_text(ULogType type, const char* bytes);

}  // namespace tactus
