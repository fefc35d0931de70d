// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// One field list per struct. Digest, comparison, files and bindings all walk the same list, so a
// field that is added there is added everywhere, in one order, under one name and unit.
//
//   struct Body {
//     double mass_kg = 1.5;
//     Vec3 position_W_m;
//
//     template <class Self, class Visitor>
//     static constexpr void visit_fields(Self& self, Visitor&& visit) {
//       visit("mass_kg", "kg", self.mass_kg, "total mass");
//       visit("position_ned_m", "m", self.position_W_m);
//     }
//   };
//   static_assert(lists_every_field<Body>());
//
// `Self` is Body or const Body, so one list reads and writes. A visitor is called as
// visit(name, unit, member) or visit(name, unit, member, meaning). Shapes follow from the type of
// the member: scalars (double, float, bool, integers, enums), TimeUs, DurationUs, Vec3, Quat, Mat3,
// C arrays, std::array, nested structs with a list, and std::span for what has a run-time length:
//   visit("rotor_speed_rad_s", "rad/s", std::span(self.speed, self.rotor_count));
// A span must view storage of its object. On the host also text (std::string), std::vector,
// std::map, std::optional and std::variant. Marks for digests: field_marks.h.

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tactus/core/field_marks.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/time.h"
#include "tactus/core/vec.h"

namespace tactus {

/// A value that is not divided further.
template <class T>
concept LeafValue =
    std::is_arithmetic_v<std::remove_cv_t<T>> || std::is_enum_v<std::remove_cv_t<T>>;

/// Text is a leaf, too, where no number is asked for.
template <class T>
concept TextValue = std::same_as<std::remove_cv_t<T>, std::string>;

namespace detail {

struct AnyVisitor {
  template <class T>
  TACTUS_HD constexpr void operator()(const char*, const char*, T&&, const char* = "") const {}
};

template <class T>
inline constexpr bool kIsSequence = std::is_bounded_array_v<T>;
template <class T, std::size_t n>
inline constexpr bool kIsSequence<std::array<T, n>> = true;
template <class T, std::size_t n>
inline constexpr bool kIsSequence<std::span<T, n>> = true;

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class Key, class T, class Order>
inline constexpr bool kIsList<std::map<Key, T, Order>> = true;

template <class T>
inline constexpr bool kIsPair = false;
template <class A, class B>
inline constexpr bool kIsPair<std::pair<A, B>> = true;

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;

/// What the parts do not show: how many elements, whether there is one, or which alternative.
template <class T>
concept HasShape = kIsList<T> || kIsOptional<T> || kIsVariant<T>;

template <HasShape T>
constexpr std::size_t shape_of(const T& value) {
  if constexpr (kIsList<T>) {
    return value.size();
  } else if constexpr (kIsOptional<T>) {
    return value.has_value() ? 1 : 0;
  } else {
    return value.index();
  }
}

}  // namespace detail

/// A struct with a field list.
template <class T>
concept HasFields = requires(T& object) {
  std::remove_cv_t<T>::visit_fields(object, detail::AnyVisitor{});
};

/// Where a leaf is: a chain on the stack from the leaf up to a field of the outermost struct. Text
/// is made only on request.
struct LeafPath {
  const LeafPath* parent = nullptr;
  const char* name = nullptr;  ///< null: an element of the parent, see index
  std::size_t index = 0;
  const char* unit = "";
  const char* meaning = "";

  /// "gear[2].position_body_m.x"
  [[nodiscard]] std::string text() const;
};

namespace detail {

template <class T, class F>
TACTUS_HD constexpr void walk(const LeafPath& path, T& value, F& f);

template <class F>
struct FieldWalker {
  const LeafPath* parent;
  F* f;

  template <class T>
  TACTUS_HD constexpr void operator()(const char* name, const char* unit, T&& member,
                                      const char* meaning = "") const {
    walk(LeafPath{parent, name, 0, unit, meaning}, unmarked(member), *f);
  }
};

template <class T, class F>
TACTUS_HD constexpr void walk_part(const LeafPath& path, const char* name, T& value, F& f) {
  walk(LeafPath{&path, name, 0, path.unit, path.meaning}, value, f);
}

template <class T, class F>
TACTUS_HD constexpr void walk_sequence(const LeafPath& path, T& sequence, F& f) {
  std::size_t i = 0;
  for (auto& element : sequence) {
    walk(LeafPath{&path, nullptr, i++, path.unit, path.meaning}, element, f);
  }
}

template <class T, class F>
TACTUS_HD constexpr void walk(const LeafPath& path, T& value, F& f) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (LeafValue<Plain> || TextValue<Plain>) {
    f(path, value);
  } else if constexpr (std::same_as<Plain, TimeUs> || std::same_as<Plain, DurationUs>) {
    f(path, value.us);
  } else if constexpr (std::same_as<Plain, Vec3>) {
    walk_part(path, "x", value.x, f);
    walk_part(path, "y", value.y, f);
    walk_part(path, "z", value.z, f);
  } else if constexpr (std::same_as<Plain, Quat>) {
    walk_part(path, "w", value.w, f);
    walk_part(path, "x", value.x, f);
    walk_part(path, "y", value.y, f);
    walk_part(path, "z", value.z, f);
  } else if constexpr (std::same_as<Plain, Mat3>) {
    walk_sequence(path, value.m, f);
  } else if constexpr (kIsSequence<Plain> || kIsList<Plain>) {
    walk_sequence(path, value, f);
  } else if constexpr (kIsPair<Plain>) {
    walk_part(path, "first", value.first, f);
    walk_part(path, "second", value.second, f);
  } else if constexpr (kIsOptional<Plain>) {
    if (value) walk(path, *value, f);
  } else if constexpr (kIsVariant<Plain>) {
    std::visit([&](auto& alternative) { walk(path, alternative, f); }, value);
  } else {
    static_assert(HasFields<T>, "a field must be a number, a known shape, or have a field list");
    Plain::visit_fields(value, FieldWalker<F>{&path, &f});
  }
}

}  // namespace detail

/// Calls f(const LeafPath&, leaf&) for every leaf in list order. Does not allocate.
template <HasFields T, class F>
TACTUS_HD constexpr void for_each_leaf(T& object, F&& f) {
  using Function = std::remove_reference_t<F>;
  std::remove_cv_t<T>::visit_fields(object, detail::FieldWalker<Function>{nullptr, &f});
}

namespace detail {

/// f(part) for the parts of a field one level down: elements, components or listed fields.
template <class T, class F>
TACTUS_HD constexpr void for_each_part(T& value, F& f) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::same_as<Plain, TimeUs> || std::same_as<Plain, DurationUs>) {
    f(value.us);
  } else if constexpr (std::same_as<Plain, Vec3>) {
    f(value.x);
    f(value.y);
    f(value.z);
  } else if constexpr (std::same_as<Plain, Quat>) {
    f(value.w);
    f(value.x);
    f(value.y);
    f(value.z);
  } else if constexpr (std::same_as<Plain, Mat3>) {
    f(value.m);
  } else if constexpr (kIsSequence<Plain> || kIsList<Plain>) {
    for (auto& element : value) f(element);
  } else if constexpr (kIsPair<Plain>) {
    f(value.first);
    f(value.second);
  } else if constexpr (kIsOptional<Plain>) {
    if (value) f(*value);
  } else if constexpr (kIsVariant<Plain>) {
    std::visit([&f](auto& alternative) { f(alternative); }, value);
  } else {
    static_assert(HasFields<T>, "a field must be a number, a known shape, or have a field list");
    Plain::visit_fields(
        value, [&f](const char*, const char*, auto&& member, const char* = "") { f(member); });
  }
}

template <class F>
struct ValueWalker {
  F* f;
  template <class T>
  TACTUS_HD constexpr void operator()(T&& part) const {
    using Part = std::remove_cvref_t<T>;
    if constexpr (MarkedField<Part>) {
      pass_mark(part);
    } else if constexpr (LeafValue<Part> || TextValue<Part>) {
      (*f)(part);
    } else {
      if constexpr (HasShape<Part> && requires { f->shape(std::size_t{}); }) {
        f->shape(shape_of(part));
      }
      for_each_part(part, *this);
    }
  }

 private:
  template <class Mark>
  TACTUS_HD constexpr void pass_mark(const Mark& mark) const {
    if constexpr (requires { f->takes(mark); }) {
      if (!f->takes(mark)) return;
    }
    if constexpr (requires { mark.in_digest(); }) {
      (*this)(*mark.member);
    } else {
      for_each_part(*mark.member, *this);  // without_length
    }
  }
};

}  // namespace detail

/// Calls f(leaf&) for every leaf in list order: for_each_leaf without names, for hot code. If f has
/// them, f.shape(n) is called before the parts of a list (their number), an optional (0 or 1) and a
/// variant (the alternative), and f.takes(mark) decides about a marked field.
template <class T, class F>
TACTUS_HD constexpr void for_each_value(T& object, F&& f) {
  const detail::ValueWalker<std::remove_reference_t<F>> walker{&f};
  walker(object);
}

/// No leaf is NaN or infinite. Such a leaf makes every sum that it is part of NaN or infinite: one
/// addition per number, no branches. Only if the sum is not finite, which huge numbers can do too,
/// each is visited.
template <class T>
TACTUS_HD constexpr bool all_finite(const T& value) {
  const auto for_each_real = [&value](auto&& f) {
    for_each_value(value, [&f](const auto& leaf) {
      if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(leaf)>>) {
        f(static_cast<double>(leaf));
      }
    });
  };
  double sum = 0.0;
  for_each_real([&sum](double real) { sum += real; });
  if (math::is_finite(sum)) return true;
  bool finite = true;
  for_each_real([&finite](double real) { finite = finite && math::is_finite(real); });
  return finite;
}

namespace detail {

struct LeafCounter {
  std::size_t count = 0;
  template <class T>
  TACTUS_HD constexpr void operator()(const LeafPath&, const T&) {
    ++count;
  }
};

struct NonFiniteFinder {
  std::ptrdiff_t position = 0;
  std::ptrdiff_t found = -1;
  template <class T>
  TACTUS_HD constexpr void operator()(const LeafPath&, const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      if (found < 0 && !math::is_finite(static_cast<double>(value))) found = position;
    }
    ++position;
  }
};

}  // namespace detail

/// Number of scalar leaves.
template <HasFields T>
TACTUS_HD constexpr std::size_t leaf_count(const T& object) {
  detail::LeafCounter counter;
  for_each_leaf(object, counter);
  return counter.count;
}

/// Position of the first leaf that is NaN or infinite, -1 if all are finite. For hot code; the host
/// turns the position into words with `leaf_name`.
template <HasFields T>
TACTUS_HD constexpr std::ptrdiff_t first_non_finite(const T& object) {
  detail::NonFiniteFinder finder;
  for_each_leaf(object, finder);
  return finder.found;
}

/// Name of the leaf at a position.
template <HasFields T>
std::string leaf_name(const T& object, std::ptrdiff_t position) {
  std::string name;
  std::ptrdiff_t current = 0;
  for_each_leaf(object, [&](const LeafPath& path, const auto&) {
    if (current++ == position) name = path.text();
  });
  TACTUS_ASSERT(!name.empty(), "no leaf at this position");
  return name;
}

/// The bits that stand for a value in digests and comparisons: every NaN is the same one, -0.0 and
/// 0.0 differ, integers are sign-extended, enums are their integer.
template <LeafValue T>
TACTUS_HD constexpr std::uint64_t canonical_bits(T value) {
  if constexpr (std::same_as<T, double>) {
    return math::to_bits(math::is_nan(value) ? math::canonical_nan() : value);
  } else if constexpr (std::same_as<T, float>) {
    const bool is_nan = math::is_nan(static_cast<double>(value));
    return is_nan ? 0x7fc00000u : __builtin_bit_cast(std::uint32_t, value);
  } else if constexpr (std::is_enum_v<T>) {
    return canonical_bits(static_cast<std::underlying_type_t<T>>(value));
  } else {
    static_assert(std::is_integral_v<T>, "long double is banned");
    return static_cast<std::uint64_t>(value);
  }
}

/// A leaf with its type erased, for comparison and messages.
struct LeafRecord {
  enum class Kind : std::uint8_t { kReal, kSigned, kUnsigned };
  Kind kind = Kind::kReal;
  std::uint64_t bits = 0;  ///< canonical; for kReal the bits of a double

  template <LeafValue T>
  static constexpr LeafRecord of(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      return {Kind::kReal, canonical_bits(static_cast<double>(value))};
    } else if constexpr (std::is_enum_v<T>) {
      return of(static_cast<std::underlying_type_t<T>>(value));
    } else {
      return {std::is_signed_v<T> ? Kind::kSigned : Kind::kUnsigned, canonical_bits(value)};
    }
  }
  constexpr bool operator==(const LeafRecord&) const = default;
};

/// Text of a leaf: shortest that reads back as the same value.
std::string to_text(const LeafRecord& record);

/// How many doubles apart two numbers are; 0 for -0.0 and 0.0; the maximum if either is NaN.
std::uint64_t ulp_distance(double a, double b);

/// The first leaf in which two objects differ.
struct Difference {
  std::string name;  ///< "gear[2].position_body_m.x"
  std::string unit;
  std::string a;  ///< value, or "(absent)" when a run-time length differs
  std::string b;
  std::uint64_t ulps = 0;  ///< for real numbers, see ulp_distance

  [[nodiscard]] std::string text() const;
};

namespace detail {

Difference describe_difference(const LeafPath& path, const LeafRecord* a, const LeafRecord* b);

/// The leaf at `position` of `object` exists in one of the two objects only.
template <HasFields T>
Difference describe_extra_leaf(const T& object, std::size_t position, bool is_a) {
  Difference difference;
  std::size_t current = 0;
  for_each_leaf(object, [&](const LeafPath& path, const auto& value) {
    if (current++ != position) return;
    const LeafRecord record = LeafRecord::of(value);
    difference = describe_difference(path, is_a ? &record : nullptr, is_a ? nullptr : &record);
  });
  return difference;
}

}  // namespace detail

/// Compares canonical bits leaf by leaf, in list order.
template <HasFields T>
std::optional<Difference> first_difference(const T& a, const T& b) {
  std::vector<LeafRecord> records;
  for_each_leaf(
      b, [&](const LeafPath&, const auto& value) { records.push_back(LeafRecord::of(value)); });
  std::optional<Difference> difference;
  std::size_t position = 0;
  for_each_leaf(a, [&](const LeafPath& path, const auto& value) {
    const LeafRecord record = LeafRecord::of(value);
    const std::size_t i = position++;
    if (difference || (i < records.size() && record == records[i])) return;
    difference =
        detail::describe_difference(path, &record, i < records.size() ? &records[i] : nullptr);
  });
  if (!difference && position < records.size()) {
    difference = detail::describe_extra_leaf(b, position, false);
  }
  return difference;
}

namespace detail {

struct LayoutSum {
  std::size_t end = 0;
  template <class T>
  constexpr void operator()(const char*, const char*, T&& member, const char* = "") {
    static_assert(std::is_lvalue_reference_v<T> || MarkedField<T>,
                  "a view has no storage to account for");
    using Member = std::remove_reference_t<decltype(unmarked(member))>;
    align(alignof(Member));
    end += sizeof(Member);
  }
  constexpr void align(std::size_t alignment) {
    end = (end + alignment - 1) / alignment * alignment;
  }
};

}  // namespace detail

namespace detail {

/// Declared and never defined: only where its members lie is asked, at compile time.
template <class T>
extern T unbuilt;

}  // namespace detail

/// True if the listed fields, laid out in list order, fill the struct: a static_assert next to the
/// list then fails when a member is added and not listed, or listed in another order. Limits: a
/// forgotten member that fits into padding is not noticed; a struct that lists a span cannot be
/// checked, nor one that holds text or lists and has no linkage.
template <HasFields T>
consteval bool lists_every_field() {
  detail::LayoutSum sum;
  if constexpr (std::is_trivially_destructible_v<T>) {
    T object{};
    T::visit_fields(object, sum);
  } else {  // text and lists cannot be built at compile time
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
    T::visit_fields(detail::unbuilt<T>, sum);
#ifdef __clang__
#pragma clang diagnostic pop
#endif
  }
  sum.align(alignof(T));
  return sum.end == sizeof(T);
}

}  // namespace tactus
