// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// State as bytes, and back: numbers one after the other, little-endian, in the width of their type,
// so that every machine reads what another wrote. No struct is copied as it lies in memory.
//
//   writer.add_fields("wind", state_);          reader.get_fields("wind", state_);
//   writer.add(count_);                         count_ = reader.get<int>();
//
// A part starts with its name and a hash of its field list (names and types of all leaves). What
// reads something else than was written stops with Error(kBadInput) that names both.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tactus/core/fields.h"
#include "tactus/core/random.h"

namespace tactus {

namespace detail {

constexpr std::uint64_t mix_layout(std::uint64_t hash, std::uint64_t value) {
  return mix_bits(hash ^ value);
}

constexpr std::uint64_t path_hash(const LeafPath* path) {
  std::uint64_t hash = 0;
  for (; path != nullptr; path = path->parent) {
    hash = mix_layout(hash, path->name == nullptr ? path->index : stream_hash(path->name));
  }
  return hash;
}

template <LeafValue T>
constexpr std::uint64_t leaf_type() {
  const std::uint64_t kind = std::is_floating_point_v<T> ? 1
                             : std::is_same_v<T, bool>   ? 2
                             : std::is_enum_v<T>         ? 3
                             : std::is_signed_v<T>       ? 4
                                                         : 5;
  return 16 * kind + sizeof(T);
}

}  // namespace detail

/// Names and types of all leaves in list order. For structs without run-time lengths.
template <HasFields T>
std::uint64_t layout_hash() {
  static const std::uint64_t hash = [] {
    std::uint64_t sum = 0;
    const T object{};
    for_each_leaf(object, [&sum](const LeafPath& path, const auto& leaf) {
      using Leaf = std::remove_cvref_t<decltype(leaf)>;
      sum = detail::mix_layout(detail::mix_layout(sum, detail::path_hash(&path)),
                               detail::leaf_type<Leaf>());
    });
    return sum;
  }();
  return hash;
}

class StateWriter {
 public:
  void clear() { bytes_.clear(); }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  /// Starts a part.
  void begin(std::string_view part, std::uint64_t layout = 0);

  template <LeafValue T>
  void add(T value) {
    if constexpr (std::same_as<T, double>) {
      append(math::to_bits(value), sizeof value);
    } else {
      append(canonical_bits(value), sizeof value);
    }
  }
  void add(TimeUs time) { add(time.us); }
  void add_text(std::string_view text);
  void add_bytes(std::span<const std::byte> bytes);

  /// A part of its own.
  template <HasFields T>
  void add_fields(std::string_view part, const T& object) {
    begin(part, layout_hash<T>());
    for_each_value(object, [this](const auto& leaf) { this->add(leaf); });
  }
  void add_numbers(std::string_view part, std::span<const double> numbers);

 private:
  void append(std::uint64_t bits, std::size_t size);
  std::vector<std::byte> bytes_;
};

/// Where the state goes.
enum class Into : std::uint8_t {
  kSame,         ///< into what it was taken from, or a copy: continues with the same bits
  kOtherEvents,  ///< the same but for events that have not begun to act
  kChanged,      ///< parameters may differ too: what follows from them is made anew
};

class StateReader {
 public:
  /// The bytes must outlive the reader.
  explicit StateReader(std::span<const std::byte> bytes, Into into = Into::kSame)
      : bytes_(bytes), into_(into) {}

  [[nodiscard]] bool changed() const { return into_ == Into::kChanged; }
  [[nodiscard]] bool other_events() const { return into_ != Into::kSame; }
  [[nodiscard]] bool at_end() const { return position_ == bytes_.size(); }

  /// Throws Error(kBadInput) if another part follows, as do all below for what does not fit.
  void begin(std::string_view part, std::uint64_t layout = 0);

  template <LeafValue T>
  [[nodiscard]] T get() {
    const std::uint64_t bits = take(sizeof(T));
    if constexpr (std::same_as<T, bool>) {
      if (bits > 1) refuse("holds a flag that is neither true nor false");
      return bits == 1;
    } else if constexpr (std::is_floating_point_v<T>) {
      using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
      return __builtin_bit_cast(T, static_cast<Bits>(bits));
    } else {
      return static_cast<T>(bits);
    }
  }
  [[nodiscard]] TimeUs get_time() { return TimeUs(get<std::uint64_t>()); }
  [[nodiscard]] std::string get_text();
  void get_bytes(std::span<std::byte> bytes);
  /// A count that must not exceed `most`.
  [[nodiscard]] int get_count(int most);

  template <HasFields T>
  void get_fields(std::string_view part, T& object) {
    begin(part, layout_hash<T>());
    for_each_value(object, [this](auto& leaf) {
      leaf = this->template get<std::remove_cvref_t<decltype(leaf)>>();
    });
  }
  void get_numbers(std::string_view part, std::span<double> numbers);

  /// Reads a number that the state depends on: its shape. `what`: "rotors", "time.wind_s in us".
  template <std::integral T>
  void require_same(std::string_view what, T here) {
    const T saved = get<T>();
    if (saved != here) refuse_shape(what, std::to_string(saved), std::to_string(here));
  }
  void require_same_text(std::string_view what, std::string_view here);

  /// Throws Error(kBadInput): "the saved state REASON".
  [[noreturn]] void refuse(std::string_view reason) const;

 private:
  [[noreturn]] static void refuse_shape(std::string_view what, std::string_view saved,
                                        std::string_view here);
  [[nodiscard]] std::uint64_t take(std::size_t size);

  std::span<const std::byte> bytes_;
  Into into_;
  std::size_t position_ = 0;
};

}  // namespace tactus
