// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/fields.h"

#include <limits>

#include "tactus/core/text.h"

namespace tactus {

std::string LeafPath::text() const {
  std::string result = parent != nullptr ? parent->text() : std::string();
  if (name == nullptr) return result + "[" + format_integer(std::uint64_t{index}) + "]";
  return result.empty() ? std::string(name) : result + "." + name;
}

std::string to_text(const LeafRecord& record) {
  switch (record.kind) {
    case LeafRecord::Kind::kReal: return format_double(math::from_bits(record.bits));
    case LeafRecord::Kind::kSigned: return format_integer(static_cast<std::int64_t>(record.bits));
    case LeafRecord::Kind::kUnsigned: return format_integer(record.bits);
  }
  return "";
}

std::uint64_t ulp_distance(double a, double b) {
  if (math::is_nan(a) || math::is_nan(b)) return std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t kMagnitude = 0x7fffffffffffffffu;
  const std::uint64_t from_zero_a = math::to_bits(a) & kMagnitude;
  const std::uint64_t from_zero_b = math::to_bits(b) & kMagnitude;
  if (math::sign_bit(a) != math::sign_bit(b)) return from_zero_a + from_zero_b;
  return from_zero_a > from_zero_b ? from_zero_a - from_zero_b : from_zero_b - from_zero_a;
}

std::string Difference::text() const {
  std::string result = name + ": " + a + " and " + b;
  if (unit.empty()) return result;
  return result + " " + unit;
}

Difference detail::describe_difference(const LeafPath& path, const LeafRecord* a,
                                       const LeafRecord* b) {
  Difference difference{.name = path.text(),
                        .unit = path.unit,
                        .a = a != nullptr ? to_text(*a) : "(absent)",
                        .b = b != nullptr ? to_text(*b) : "(absent)",
                        .ulps = 0};
  if (a != nullptr && b != nullptr && a->kind == LeafRecord::Kind::kReal) {
    difference.ulps = ulp_distance(math::from_bits(a->bits), math::from_bits(b->bits));
  }
  return difference;
}

}  // namespace tactus
