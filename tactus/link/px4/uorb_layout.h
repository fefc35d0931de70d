// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How a uORB message of PX4 lies in memory, from the text of its .msg definition. The library
// carries no layouts, only a size and a hash per topic; both follow from the definition, so that a
// definition of another PX4 version is noticed before a byte is exchanged.
//
//   memory  fields sorted by size of their element, largest first, ties in .msg order; nested
//           messages last, each on an 8-byte boundary; the whole padded to 8 bytes
//   hash    32-bit FNV-1a over "type[n] name\n" of every field in .msg order; constants left out;
//           the fields of a nested message follow its own line
// Little-endian, as every machine that PX4's simulation runs on.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactus {

enum class UorbType : std::uint8_t {
  kBool,
  kChar,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat32,
  kFloat64,
};

/// A field as the .msg file writes it.
struct UorbFieldText {
  std::string type;  ///< "float32", or the name of another message
  int count = 0;     ///< of an array; 0: not an array
  std::string name;
};

struct UorbDefinition {
  std::vector<UorbFieldText> fields;  ///< in .msg order
  int queue = 1;
};

/// Reads a .msg file. Throws Error(kBadInput), "file:line: …".
UorbDefinition parse_msg(std::string_view text, const std::string& file);

/// A field of a plain type; those of nested messages are called "current.lat", "esc[2].rpm".
struct UorbField {
  std::string name;
  UorbType type = UorbType::kUint8;
  int count = 0;
  std::size_t offset = 0;
};

struct UorbLayout {
  std::vector<UorbField> fields;  ///< in memory order
  std::uint32_t size = 0;
  std::uint32_t size_no_padding = 0;
  std::uint32_t hash = 0;
  int queue = 1;

  /// Null if there is no such field.
  [[nodiscard]] const UorbField* find(std::string_view name) const;
};

/// Gives the definition of a nested message.
using UorbLookup = std::function<UorbDefinition(const std::string& message)>;

/// Throws Error(kBadInput) for messages that contain themselves.
UorbLayout layout_of(const UorbDefinition& definition, const UorbLookup& lookup);

/// Where one number of a message is; one that is absent ignores what is written and reads NaN.
struct UorbSlot {
  UorbType type = UorbType::kUint8;
  bool present = false;
  std::size_t offset = 0;
};

/// Element `index` of a field. Absent if there is no such field or it has fewer elements.
UorbSlot slot_of(const UorbLayout& layout, std::string_view field, int index = 0);

/// A number that does not fit an integer field becomes the nearest one that does; NaN becomes 0.
void write_slot(const UorbSlot& slot, double value, std::span<std::byte> message);
double read_slot(const UorbSlot& slot, std::span<const std::byte> message);

/// For time stamps, which a double does not hold.
inline void write_slot_us(const UorbSlot& slot, std::uint64_t time_us,
                          std::span<std::byte> message) {
  if (!slot.present || slot.type != UorbType::kUint64) return;
  std::memcpy(message.data() + slot.offset, &time_us, sizeof(time_us));
}

}  // namespace tactus
