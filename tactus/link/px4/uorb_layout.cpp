// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/uorb_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"

namespace tactus {
namespace {

struct TypeInfo {
  const char* name;
  UorbType type;
  std::size_t size;
};

constexpr TypeInfo kTypes[] = {
    {"bool", UorbType::kBool, 1},       {"char", UorbType::kChar, 1},
    {"int8", UorbType::kInt8, 1},       {"uint8", UorbType::kUint8, 1},
    {"int16", UorbType::kInt16, 2},     {"uint16", UorbType::kUint16, 2},
    {"int32", UorbType::kInt32, 4},     {"uint32", UorbType::kUint32, 4},
    {"int64", UorbType::kInt64, 8},     {"uint64", UorbType::kUint64, 8},
    {"float32", UorbType::kFloat32, 4}, {"float64", UorbType::kFloat64, 8},
};

const TypeInfo* find_type(std::string_view name) {
  for (const TypeInfo& info : kTypes) {
    if (name == info.name) return &info;
  }
  return nullptr;
}

constexpr int kMaxElements = 4096;
constexpr int kMaxNesting = 4;
constexpr std::string_view kBlank = " \t\r";

[[noreturn]] void refuse(const std::string& file, int line, const std::string& why) {
  throw Error(ExitCode::kBadInput, fmt::format("{}:{}: {}", file, line, why));
}

std::string_view take_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlank), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r="));
  rest.remove_prefix(word.size());
  return word;
}

int read_number(std::string_view text, const std::string& file, int line) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || value < 1 || value > kMaxElements) {
    refuse(file, line, fmt::format("\"{}\": must be a number from 1 to {}", text, kMaxElements));
  }
  return value;
}

/// "float32[4]" and "float32" alike.
UorbFieldText split_type(std::string_view text, const std::string& file, int line) {
  UorbFieldText field;
  const std::size_t bracket = text.find('[');
  field.type = text.substr(0, bracket);
  if (bracket == std::string_view::npos) return field;
  if (!text.ends_with(']')) refuse(file, line, fmt::format("type \"{}\" lacks its ]", text));
  field.count = read_number(text.substr(bracket + 1, text.size() - bracket - 2), file, line);
  return field;
}

void read_msg_line(std::string_view text, const std::string& file, int line,
                   UorbDefinition& definition) {
  text = text.substr(0, text.find('#'));
  std::string_view rest = text;
  const std::string_view type = take_word(rest);
  if (type.empty()) return;
  const std::string_view name = take_word(rest);
  if (name.empty()) refuse(file, line, fmt::format("\"{}\": a field needs a name", type));
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlank), rest.size()));
  if (rest.starts_with('=')) {  // a constant: only one of them says something about the layout
    if (name != "ORB_QUEUE_LENGTH") return;
    rest.remove_prefix(1);
    definition.queue = read_number(take_word(rest), file, line);
    return;
  }
  if (!rest.empty()) refuse(file, line, fmt::format("\"{}\" after the name \"{}\"", rest, name));
  UorbFieldText field = split_type(type, file, line);
  field.name = name;
  definition.fields.push_back(std::move(field));
}

/// What a definition contributes to the hash, and its nested definitions.
class Layouter {
 public:
  explicit Layouter(const UorbLookup& lookup) : lookup_(&lookup) {}

  UorbLayout make(const UorbDefinition& definition, int depth) {
    if (depth > kMaxNesting) {
      throw Error(ExitCode::kBadInput,
                  fmt::format("messages are nested more than {} deep", kMaxNesting));
    }
    UorbLayout layout;
    layout.queue = definition.queue;
    std::vector<std::pair<const UorbFieldText*, UorbLayout>> nested;
    for (const UorbFieldText& field : definition.fields) {
      add_to_hash(field);
      if (find_type(field.type) != nullptr) continue;
      nested.emplace_back(&field, make((*lookup_)(field.type), depth + 1));
    }
    std::size_t end = place_plain(definition, layout);
    for (const auto& [field, inner] : nested) end = place_nested(*field, inner, end, layout);
    layout.size_no_padding = static_cast<std::uint32_t>(end);
    layout.size = static_cast<std::uint32_t>(padded(end));
    layout.hash = hash_;
    return layout;
  }

 private:
  static constexpr std::size_t padded(std::size_t end) { return (end + 7) / 8 * 8; }

  void add_to_hash(const UorbFieldText& field) {
    const std::string text = field.count == 0
                                 ? fmt::format("{} {}\n", field.type, field.name)
                                 : fmt::format("{}[{}] {}\n", field.type, field.count, field.name);
    for (const char letter : text) {
      hash_ ^= static_cast<unsigned char>(letter);
      hash_ *= 0x01000193u;
    }
  }

  static std::size_t place_plain(const UorbDefinition& definition, UorbLayout& layout) {
    std::size_t end = 0;
    for (std::size_t size = 8; size >= 1; size /= 2) {
      for (const UorbFieldText& field : definition.fields) {
        const TypeInfo* const info = find_type(field.type);
        if (info == nullptr || info->size != size) continue;
        layout.fields.push_back({field.name, info->type, field.count, end});
        end += size * static_cast<std::size_t>(std::max(field.count, 1));
      }
    }
    return end;
  }

  static std::size_t place_nested(const UorbFieldText& field, const UorbLayout& inner,
                                  std::size_t end, UorbLayout& layout) {
    end = padded(end);
    for (int i = 0; i < std::max(field.count, 1); ++i) {
      const std::string prefix =
          field.count == 0 ? field.name + "." : fmt::format("{}[{}].", field.name, i);
      for (const UorbField& part : inner.fields) {
        layout.fields.push_back({prefix + part.name, part.type, part.count, end + part.offset});
      }
      end += inner.size;
    }
    return end;
  }

  const UorbLookup* lookup_;
  std::uint32_t hash_ = 0x811c9dc5u;
};

template <class T>
void store(double value, std::byte* to) {
  T number{};
  if constexpr (std::is_floating_point_v<T>) {
    number = static_cast<T>(value);
  } else if (!math::is_nan(value)) {
    constexpr auto kLow = static_cast<double>(std::numeric_limits<T>::min());
    // 64 bits: the largest double below 2^63, which both kinds take.
    constexpr double kHigh = std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::int64_t>
                                 ? 9.2233720368547748e18
                                 : static_cast<double>(std::numeric_limits<T>::max());
    bool ok = false;
    number = static_cast<T>(math::to_int64(math::clamp(value, kLow, kHigh), ok));
    TACTUS_ASSERT(ok, "clamped to the range of the field");
  }
  std::memcpy(to, &number, sizeof(T));
}

template <class T>
double fetch(const std::byte* from) {
  T number{};
  std::memcpy(&number, from, sizeof(T));
  return static_cast<double>(number);
}

}  // namespace

UorbDefinition parse_msg(std::string_view text, const std::string& file) {
  UorbDefinition definition;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    read_msg_line(text.substr(0, end), file, line, definition);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  if (definition.fields.empty()) refuse(file, 1, "the message has no fields");
  return definition;
}

const UorbField* UorbLayout::find(std::string_view name) const {
  for (const UorbField& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

UorbLayout layout_of(const UorbDefinition& definition, const UorbLookup& lookup) {
  return Layouter(lookup).make(definition, 0);
}

UorbSlot slot_of(const UorbLayout& layout, std::string_view field, int index) {
  const UorbField* const found = layout.find(field);
  if (found == nullptr || index < 0 || index >= std::max(found->count, 1)) return {};
  for (const TypeInfo& info : kTypes) {
    if (info.type != found->type) continue;
    return {found->type, true, found->offset + info.size * static_cast<std::size_t>(index)};
  }
  return {};
}

void write_slot(const UorbSlot& slot, double value, std::span<std::byte> message) {
  if (!slot.present) return;
  std::byte* const to = message.data() + slot.offset;
  switch (slot.type) {
    case UorbType::kBool: store<std::uint8_t>(value != 0.0 ? 1.0 : 0.0, to); return;
    case UorbType::kChar:
    case UorbType::kUint8: store<std::uint8_t>(value, to); return;
    case UorbType::kInt8: store<std::int8_t>(value, to); return;
    case UorbType::kInt16: store<std::int16_t>(value, to); return;
    case UorbType::kUint16: store<std::uint16_t>(value, to); return;
    case UorbType::kInt32: store<std::int32_t>(value, to); return;
    case UorbType::kUint32: store<std::uint32_t>(value, to); return;
    case UorbType::kInt64: store<std::int64_t>(value, to); return;
    case UorbType::kUint64: store<std::uint64_t>(value, to); return;
    case UorbType::kFloat32: store<float>(value, to); return;
    case UorbType::kFloat64: store<double>(value, to); return;
  }
}

double read_slot(const UorbSlot& slot, std::span<const std::byte> message) {
  if (!slot.present) return math::canonical_nan();
  const std::byte* const from = message.data() + slot.offset;
  switch (slot.type) {
    case UorbType::kBool:
    case UorbType::kChar:
    case UorbType::kUint8: return fetch<std::uint8_t>(from);
    case UorbType::kInt8: return fetch<std::int8_t>(from);
    case UorbType::kInt16: return fetch<std::int16_t>(from);
    case UorbType::kUint16: return fetch<std::uint16_t>(from);
    case UorbType::kInt32: return fetch<std::int32_t>(from);
    case UorbType::kUint32: return fetch<std::uint32_t>(from);
    case UorbType::kInt64: return fetch<std::int64_t>(from);
    case UorbType::kUint64: return fetch<std::uint64_t>(from);
    case UorbType::kFloat32: return fetch<float>(from);
    case UorbType::kFloat64: return fetch<double>(from);
  }
  return math::canonical_nan();
}

}  // namespace tactus
