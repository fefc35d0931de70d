// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Messages with pseudo-random content, for tests of the MAVLink codec.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tactus/core/fields.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"

namespace tactus::testing {

/// SplitMix64: small and well spread, which is all a test needs.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t roll() {
    state_ += 0x9E37'79B9'7F4A'7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30u)) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ (z >> 27u)) * 0x94D0'49BB'1331'11EBu;
    return z ^ (z >> 31u);
  }
  /// 0 to n − 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(roll() % n); }

 private:
  std::uint64_t state_;
};

/// A third of the fields are zero, so that truncation gets its share; text is printable and ends
/// with zeros; reals are finite.
template <mavlink::Message M>
M random_message(Dice& dice) {
  M message;
  M::visit_fields(message, [&dice](const char*, const char*, auto& field, const char* = "") {
    const bool zero = dice.below(3) == 0;
    const std::size_t text_length = dice.below(sizeof(field) + 1);
    std::size_t i = 0;
    for_each_value(field, [&](auto& value) {
      using T = std::remove_cvref_t<decltype(value)>;
      if constexpr (std::is_same_v<T, char>) {
        value = i++ < text_length && !zero ? static_cast<char>('!' + dice.below(90)) : '\0';
      } else if constexpr (std::is_floating_point_v<T>) {
        value = zero ? T{0} : static_cast<T>(static_cast<std::int32_t>(dice.roll())) / T{4096};
      } else {
        value = zero ? T{0} : static_cast<T>(dice.roll());
      }
    });
  });
  return message;
}

/// Same bits in every field.
template <mavlink::Message M>
bool same_message(const M& a, const M& b) {
  return !first_difference(a, b).has_value();
}

}  // namespace tactus::testing
