// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The digest of flights, states and files: XXH3, 128 bit (Collet, xxHash 0.8), over canonical
// bytes, so that equal values give equal digests on every machine:
//   numbers little-endian in the width of their type; bool one byte; an enum as its integer;
//   every NaN as the one quiet NaN 0x7ff8000000000000; -0.0 and 0.0 stay distinct;
//   text as its length (64 bit) and its bytes; a list as its length and its elements; an optional
//   as 0 or 1 (64 bit), a variant as the number of the alternative (64 bit), and what they hold.
// It detects differences between flights; it is not meant against forgers.

#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "tactus/core/fields.h"

namespace tactus {

class StateWriter;
class StateReader;

/// 128 bits, written as 32 hexadecimal digits, `high` first (as the xxhsum tool prints them).
struct Digest128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  constexpr auto operator<=>(const Digest128&) const = default;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("high", "", self.high);
    visit("low", "", self.low);
  }
};
static_assert(lists_every_field<Digest128>());

std::string to_hex(Digest128 digest);

/// Throws Error(kBadInput) unless `text` is 32 hexadecimal digits.
Digest128 digest_from_hex(std::string_view text);

/// Streaming digest. Plain copyable state (contract C9): a copy continues on its own.
class Digest {
 public:
  Digest();

  /// double, float, bool, any integer, any enum.
  template <LeafValue T>
  void add(T value) {
    add_little_endian(canonical_bits(value), sizeof(T));
  }
  void add(TimeUs time) { add(time.us); }
  void add(DurationUs duration) { add(duration.us); }
  void add(std::span<const double> values);
  void add(std::string_view text);
  void add(const std::string& text) { add(std::string_view(text)); }
  void add(const char* text) { add(std::string_view(text)); }

  /// A field of a list: a number, text, any shape or a struct with a field list, with its mark.
  template <class T>
  void add_field(const T& field) {
    Packer packer{this};
    for_each_value(field, packer);
    packer.flush();
  }

  /// Every leaf of the field list, in its order, as far as its marks (field_marks.h) let it.
  template <HasFields T>
  void add_fields(const T& object) {
    add_field(object);
  }

  /// Bytes as they are.
  void add_bytes(std::span<const std::byte> bytes);

  /// Digest of everything added so far; more may follow.
  [[nodiscard]] Digest128 result() const;

  /// What has been added, so that another process can go on. A state that another version of the
  /// hash has written is refused.
  void save(StateWriter& to) const;
  void load(StateReader& from);

 private:
  /// Collects leaves, so that the hash is fed long pieces instead of single numbers.
  struct Packer {
    static_assert(std::endian::native == std::endian::little, "see add_little_endian");
    static constexpr std::size_t kSize = 1024;
    Digest* digest;
    std::size_t used = 0;
    std::byte bytes[kSize];

    explicit Packer(Digest* owner) : digest(owner) {}

    template <LeafValue T>
    void operator()(const T& leaf) {
      const std::uint64_t bits = canonical_bits(leaf);
      if (used + sizeof bits > kSize) flush();
      std::memcpy(bytes + used, &bits, sizeof bits);
      used += sizeof(T);
    }
    void operator()(const std::string& text) {
      flush();
      digest->add(text);
    }
    void shape(std::uint64_t number) { (*this)(number); }
    template <class Mark>
    [[nodiscard]] bool takes(const Mark& mark) const {
      if constexpr (requires { mark.in_digest(); }) return mark.in_digest();
      return true;
    }
    void flush() {
      digest->add_bytes({bytes, used});
      used = 0;
    }
  };

  void add_little_endian(std::uint64_t bits, std::size_t size);

  static constexpr std::size_t kStateSize = 576;  // XXH3_state_t, checked in the source file
  alignas(64) std::byte state_[kStateSize];
};

}  // namespace tactus
