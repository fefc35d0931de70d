// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// MAVLink messages as data. A message is a struct with a number `kId`, a name `kName`, a field list
// in the order of the protocol's definition and, if it has extension fields, `kBaseFields`, the
// number of fields before them. The table follows from that list at compile time: the order on the
// wire (largest type first, otherwise as listed; extensions last, as listed), the place of each
// field, and CRC_EXTRA, the checksum over names and types on which both sides must agree.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "tactus/core/fields.h"
#include "tactus/core/math.h"

namespace tactus::mavlink {

/// The nearest integer between the limits, which are those of the type; NaN: 0.
template <class Integer>
Integer nearest(double value, double low = static_cast<double>(std::numeric_limits<Integer>::min()),
                double high = static_cast<double>(std::numeric_limits<Integer>::max())) {
  if (math::is_nan(value)) return 0;
  return static_cast<Integer>(math::clamp(math::round(value), low, high));
}

enum class FieldType : std::uint8_t {
  kChar,
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kUint32,
  kInt32,
  kUint64,
  kInt64,
  kFloat,
  kDouble,
};

/// As the protocol writes it: "uint8_t", "float" …
constexpr std::string_view to_text(FieldType type) {
  constexpr std::string_view kNames[] = {"char",    "uint8_t",  "int8_t",  "uint16_t",
                                         "int16_t", "uint32_t", "int32_t", "uint64_t",
                                         "int64_t", "float",    "double"};
  return kNames[static_cast<std::size_t>(type)];
}

constexpr std::size_t size_of(FieldType type) {
  constexpr std::size_t kSizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

struct FieldTable {
  const char* name = "";
  FieldType type = FieldType::kUint8;
  std::uint8_t array_length = 0;  ///< 0: a single value
  bool extension = false;
  std::uint8_t offset = 0;  ///< in the payload

  [[nodiscard]] constexpr std::size_t bytes() const {
    return size_of(type) * (array_length == 0 ? 1u : array_length);
  }
};

inline constexpr std::size_t kMaxFields = 24;

struct MessageTable {
  const char* name = "";
  std::uint32_t id = 0;
  std::uint8_t crc_extra = 0;
  std::uint8_t base_size = 0;  ///< bytes without extensions: the payload of version 1
  std::uint8_t size = 0;       ///< bytes with extensions
  std::uint8_t field_count = 0;
  std::array<FieldTable, kMaxFields> fields;  ///< in the order of the definition
};

/// The checksum of the protocol (X.25 as CRC-16/MCRF4XX), continued by one byte.
constexpr std::uint16_t checksum(std::uint16_t crc, std::uint8_t byte) {
  const auto low = static_cast<std::uint8_t>(byte ^ (crc & 0xFFu));
  const auto mixed = static_cast<std::uint8_t>(low ^ (low << 4u));
  return static_cast<std::uint16_t>((crc >> 8u) ^ (mixed << 8u) ^ (mixed << 3u) ^ (mixed >> 4u));
}
inline constexpr std::uint16_t kChecksumStart = 0xFFFF;

namespace detail {

template <class T>
constexpr FieldType field_type() {
  if constexpr (std::same_as<T, char>) {
    return FieldType::kChar;
  } else if constexpr (std::same_as<T, float>) {
    return FieldType::kFloat;
  } else if constexpr (std::same_as<T, double>) {
    return FieldType::kDouble;
  } else {
    static_assert(std::is_integral_v<T> && !std::same_as<T, bool>, "no type of the protocol");
    constexpr int kFirst = sizeof(T) == 1 ? 1 : sizeof(T) == 2 ? 3 : sizeof(T) == 4 ? 5 : 7;
    return static_cast<FieldType>(kFirst + (std::is_signed_v<T> ? 1 : 0));
  }
}

/// Notes name, type and length of each listed field.
struct FieldCollector {
  MessageTable* table;
  int base_fields;

  template <class T>
  constexpr void operator()(const char* name, const char*, T& member, const char* = "") const {
    using Member = std::remove_cv_t<T>;
    FieldTable& field = table->fields[table->field_count];  // out of range does not compile
    (void)member;
    field.name = name;
    field.type = field_type<std::remove_cv_t<std::remove_extent_t<Member>>>();
    field.array_length = static_cast<std::uint8_t>(std::extent_v<Member>);
    field.extension = static_cast<int>(table->field_count) >= base_fields;
    ++table->field_count;
  }
};

constexpr std::uint16_t checksum_word(std::uint16_t crc, std::string_view word) {
  for (const char c : word) crc = checksum(crc, static_cast<std::uint8_t>(c));
  return checksum(crc, ' ');
}

/// Puts a field behind the others and into the checksum of the definition.
constexpr void place(FieldTable& field, std::size_t& size, std::uint16_t& crc) {
  field.offset = static_cast<std::uint8_t>(size);
  size += field.bytes();
  if (field.extension) return;
  crc = checksum_word(checksum_word(crc, to_text(field.type)), field.name);
  if (field.array_length > 0) crc = checksum(crc, field.array_length);
}

constexpr void lay_out(MessageTable& table) {
  std::size_t size = 0;
  std::uint16_t crc = checksum_word(kChecksumStart, table.name);
  for (std::size_t bytes = 8; bytes > 0; bytes /= 2) {
    for (std::size_t i = 0; i < table.field_count; ++i) {
      FieldTable& field = table.fields[i];
      if (!field.extension && size_of(field.type) == bytes) place(field, size, crc);
    }
  }
  table.base_size = static_cast<std::uint8_t>(size);
  for (std::size_t i = 0; i < table.field_count; ++i) {
    if (table.fields[i].extension) place(table.fields[i], size, crc);
  }
  table.size = static_cast<std::uint8_t>(size);
  table.crc_extra = static_cast<std::uint8_t>((crc & 0xFFu) ^ (crc >> 8u));
}

template <class M>
consteval MessageTable make_table() {
  MessageTable table;
  table.name = M::kName;
  table.id = M::kId;
  int base_fields = kMaxFields;
  if constexpr (requires { M::kBaseFields; }) base_fields = M::kBaseFields;
  M message{};
  M::visit_fields(message, FieldCollector{&table, base_fields});
  lay_out(table);
  return table;
}

}  // namespace detail

template <class M>
concept Message = HasFields<M> && requires {
  { M::kId } -> std::convertible_to<std::uint32_t>;
  { M::kName } -> std::convertible_to<const char*>;
};

/// The table of a message.
template <Message M>
inline constexpr MessageTable kTable = detail::make_table<M>();

/// All messages of mavlink_messages.h; null if there is none with this number.
const MessageTable* find_message(std::uint32_t id);

}  // namespace tactus::mavlink
