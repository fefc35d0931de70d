// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/ulog/ulog.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/printable.h"

namespace tactus {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are as in the file");

constexpr char kMagic[] = {'U', 'L', 'o', 'g', 0x01, 0x12, 0x35};
constexpr std::size_t kFileHead = 16;
constexpr std::size_t kRecordHead = 3;
constexpr std::size_t kFlagBytes = 8;
constexpr unsigned kDataAppended = 1;  // of the flags that a reader must know
constexpr std::size_t kMostFields = 10'000;
constexpr int kMostNested = 8;
constexpr std::string_view kPadding = "_padding";

struct TypeName {
  std::string_view name;
  std::size_t size;
};
constexpr TypeName kTypes[] = {{"int8_t", 1},  {"uint8_t", 1},  {"int16_t", 2}, {"uint16_t", 2},
                               {"int32_t", 4}, {"uint32_t", 4}, {"int64_t", 8}, {"uint64_t", 8},
                               {"float", 4},   {"double", 8},   {"bool", 1},    {"char", 1}};

std::optional<ULogType> type_named(std::string_view name) {
  const auto* const found = std::ranges::find(kTypes, name, &TypeName::name);
  if (found == std::end(kTypes)) return std::nullopt;
  return static_cast<ULogType>(found - std::begin(kTypes));
}

template <class T>
T value_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// The part up to a mark, which is taken away with it.
std::string_view cut(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

/// "float[3]": the type and how many.
struct NamedType {
  std::string_view name;
  std::size_t count = 1;
  bool array = false;
};

std::optional<NamedType> parse_type(std::string_view text) {
  NamedType type{text};
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return type;
  type.name = text.substr(0, open);
  type.array = true;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data() + open + 1, end, type.count);
  const bool good = error == std::errc() && at + 1 == end && *at == ']' && type.count > 0 &&
                    type.count <= UINT16_MAX;
  return good ? std::optional(type) : std::nullopt;
}

}  // namespace

/// One pass over the records of a file.
class ULogReader {
 public:
  ULogReader(ULog& log, std::string_view file) : log_(log), file_(file), rest_(log.bytes_) {}

  void read() {
    if (!ULog::is_one(rest_)) refuse("it does not begin as a ULog of PX4");
    if (rest_.size() < kFileHead) refuse("it ends in its head");
    rest_.remove_prefix(kFileHead);
    while (rest_.size() >= kRecordHead) {
      const auto size = value_at<std::uint16_t>(rest_.data());
      if (rest_.size() < kRecordHead + size) break;
      take(rest_[2], rest_.substr(kRecordHead, size));
      rest_.remove_prefix(kRecordHead + size);
    }
    log_.cut_off_ = !rest_.empty();
    std::erase_if(log_.topics_, [](const ULogTopic& topic) { return topic.samples.empty(); });
    std::ranges::stable_sort(log_.topics_, {}, [](const ULogTopic& topic) {
      return std::make_tuple(std::string_view(topic.name), topic.instance);
    });
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: at byte {}: {}", printable(file_),
                            log_.bytes_.size() - rest_.size(), printable(why)));
  }

  void take(char kind, std::string_view record) {
    switch (kind) {
      case 'B': take_flags(record); break;
      case 'F': take_format(record); break;
      case 'P': take_parameter(record); break;
      case 'A': take_subscription(record); break;
      case 'D': take_sample(record); break;
      default: break;
    }
  }

  /// A reader must refuse what changes the meaning of the rest.
  void take_flags(std::string_view record) const {
    if (record.size() < 2 * kFlagBytes) refuse("its flags are cut off");
    for (std::size_t i = 0; i < kFlagBytes; ++i) {
      const auto flags = static_cast<unsigned char>(record[kFlagBytes + i]);
      if ((flags & ~(i == 0 ? kDataAppended : 0U)) != 0) {
        refuse("it is of a later kind of ULog, which this program cannot read");
      }
    }
  }

  void take_format(std::string_view record) {
    const std::string_view name = cut(record, ':');
    if (name.empty()) refuse("a format without a name");
    formats_.emplace(name, record);
  }

  /// Only those at the start: later ones are changes in flight.
  void take_parameter(std::string_view record) {
    if (record.empty() || subscribed_) return;
    const auto length = static_cast<unsigned char>(record.front());
    record.remove_prefix(1);
    if (record.size() < length) refuse("a parameter is cut off");
    std::string_view key = record.substr(0, length);
    record.remove_prefix(length);
    const std::optional<ULogType> type = type_named(cut(key, ' '));
    if (!type || record.size() < tactus::size_of(*type)) refuse("a parameter without its value");
    log_.parameters_[std::string(key)] = number_text(*type, record.data());
  }

  void take_subscription(std::string_view record) {
    constexpr std::size_t kHead = 3;
    if (record.size() <= kHead) refuse("a subscription is cut off");
    subscribed_ = true;
    ULogTopic topic;
    topic.instance = static_cast<unsigned char>(record.front());
    const auto id = value_at<std::uint16_t>(record.data() + 1);
    topic.name = record.substr(kHead);
    std::size_t offset = 0;
    add_fields(topic, topic.name, "", offset, 0);
    const ULogField* const timestamp = topic.find("timestamp");
    if (!timestamp || timestamp->type != ULogType::kUint64) {
      refuse(fmt::format("topic {} has no timestamp", topic.name));
    }
    topic.timestamp = timestamp->offset;
    // One that was subscribed before goes on.
    const auto before = std::ranges::find_if(log_.topics_, [&topic](const ULogTopic& known) {
      return known.name == topic.name && known.instance == topic.instance;
    });
    by_id_[id] = static_cast<std::size_t>(before - log_.topics_.begin());
    if (before == log_.topics_.end()) log_.topics_.push_back(std::move(topic));
  }

  void take_sample(std::string_view record) {
    if (record.size() < sizeof(std::uint16_t)) refuse("a sample is cut off");
    const auto found = by_id_.find(value_at<std::uint16_t>(record.data()));
    if (found == by_id_.end()) refuse("a sample of a topic that was not subscribed");
    record.remove_prefix(sizeof(std::uint16_t));
    ULogTopic& topic = log_.topics_[found->second];
    if (record.size() < topic.timestamp + sizeof(std::uint64_t)) {
      refuse(fmt::format("a sample of {} is shorter than its timestamp", topic.name));
    }
    topic.samples.push_back(record);
  }

  /// Those of a format, and of those that it names.
  void add_fields(ULogTopic& topic, const std::string& format, const std::string& prefix,
                  std::size_t& offset, int depth) {
    const auto found = formats_.find(format);
    if (found == formats_.end() || depth > kMostNested) {
      refuse(fmt::format("format {} is not defined", format));
    }
    std::string_view rest = found->second;
    while (!rest.empty()) {
      std::string_view field = cut(rest, ';');
      if (field.empty()) continue;
      const std::optional<NamedType> type = parse_type(cut(field, ' '));
      if (!type || field.empty()) refuse(fmt::format("format {} has a field of no type", format));
      add_field(topic, *type, prefix + std::string(field), offset, depth);
    }
  }

  void add_field(ULogTopic& topic, const NamedType& type, const std::string& name,
                 std::size_t& offset, int depth) {
    if (topic.fields.size() > kMostFields) refuse(topic.name + " has too many fields");
    if (const std::optional<ULogType> number = type_named(type.name)) {
      ULogField field{name, *number, type.count, type.array, offset};
      offset += field.bytes();
      const bool fills_up = name.find(kPadding) != std::string::npos;
      if (!fills_up) topic.fields.push_back(std::move(field));
      return;
    }
    for (std::size_t i = 0; i < type.count; ++i) {
      const std::string prefix = type.array ? fmt::format("{}[{}].", name, i) : name + ".";
      add_fields(topic, std::string(type.name), prefix, offset, depth + 1);
    }
  }

  ULog& log_;
  std::string_view file_;
  std::string_view rest_;
  std::map<std::string, std::string_view, std::less<>> formats_;
  std::map<std::uint16_t, std::size_t> by_id_;
  bool subscribed_ = false;
};

std::size_t size_of(ULogType type) { return kTypes[static_cast<std::size_t>(type)].size; }

TimeUs ULogTopic::time(std::size_t sample) const {
  return TimeUs(value_at<std::uint64_t>(samples[sample].data() + timestamp));
}

const ULogField* ULogTopic::find(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &ULogField::name);
  return found == fields.end() ? nullptr : &*found;
}

std::string ULogTopic::full_name() const {
  return instance == 0 ? name : fmt::format("{}[{}]", name, instance);
}

bool ULog::is_one(std::string_view head) {
  return head.starts_with(std::string_view(kMagic, sizeof kMagic));
}

ULog::ULog(std::string bytes, std::string_view file) : bytes_(std::move(bytes)) {
  ULogReader(*this, file).read();
}

const ULogTopic* ULog::find(std::string_view name, int instance) const {
  const auto found = std::ranges::find_if(topics_, [&](const ULogTopic& topic) {
    return topic.name == name && topic.instance == instance;
  });
  return found == topics_.end() ? nullptr : &*found;
}

std::string number_text(ULogType type, const char* bytes) {
  switch (type) {
    case ULogType::kInt8: return fmt::format("{}", value_at<std::int8_t>(bytes));
    case ULogType::kBool:
    case ULogType::kUint8: return fmt::format("{}", value_at<std::uint8_t>(bytes));
    case ULogType::kInt16: return fmt::format("{}", value_at<std::int16_t>(bytes));
    case ULogType::kUint16: return fmt::format("{}", value_at<std::uint16_t>(bytes));
    case ULogType::kInt32: return fmt::format("{}", value_at<std::int32_t>(bytes));
    case ULogType::kUint32: return fmt::format("{}", value_at<std::uint32_t>(bytes));
    case ULogType::kInt64: return fmt::format("{}", value_at<std::int64_t>(bytes));
    case ULogType::kUint64: return fmt::format("{}", value_at<std::uint64_t>(bytes));
    case ULogType::kFloat: return fmt::format("{}", value_at<float>(bytes));
    case ULogType::kDouble: return fmt::format("{}", value_at<double>(bytes));
    case ULogType::kChar: return printable(std::string_view(bytes, 1));
  }
  return "?";
}

}  // namespace tactus
