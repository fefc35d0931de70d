// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// How parts of a run reach the bus (signal_table.h), and its numbers by name.
//
// Sources reach it through a port that knows what they declared:
//   const Truth& truth = port.read<Signal::kTruth>();
//   port.write<Signal::kEstimate>() = estimate;
// A signal that was not declared stops the run with a message that names source and signal.
//
// `BusLeaf` names a single number of the bus ("truth.position_ned_m.z", "battery[0].voltage_v") for
// logs, conditions and expectations: one name everywhere.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tactus/core/assert.h"
#include "tactus/core/digest.h"
#include "tactus/signal/signal_table.h"

namespace tactus {

/// What a source may see of the bus. There is one per update, so that it knows what was reached
/// for.
class BusPort {
 public:
  BusPort(Bus& bus, SignalSet reads, SignalSet writes, const char* owner)
      : bus_(&bus), reads_(reads), writes_(writes), owner_(owner) {
    TACTUS_ASSERT(owner != nullptr, "a source that has a name");
  }
  BusPort(const BusPort&) = delete;
  BusPort& operator=(const BusPort&) = delete;

  template <Signal signal>
  [[nodiscard]] const auto& read() const {
    if (!(reads_ | writes_).has(signal)) refuse("read", signal);
    return value_of<signal>(*bus_);
  }

  template <Signal signal>
  [[nodiscard]] auto& write() {
    reach(signal);
    return value_of<signal>(*bus_);
  }

  /// The bus, for a source that writes this signal by the offsets of its leaves.
  [[nodiscard]] Bus& write_all(Signal signal) {
    reach(signal);
    return *bus_;
  }

  /// The bus, for a source that declared all of these and reads no other.
  [[nodiscard]] const Bus& read_all(SignalSet signals = SignalSet::all()) const {
    for (const SignalFacts& facts : kSignalFacts) {
      if (!signals.has(facts.signal) || (reads_ | writes_).has(facts.signal)) continue;
      refuse("read", facts.signal);
    }
    return *bus_;
  }

  [[nodiscard]] TimeUs now() const { return bus_->time; }

  /// The signals that were reached for writing: no other can have changed.
  [[nodiscard]] SignalSet reached() const { return reached_; }

 private:
  void reach(Signal signal) {
    if (!writes_.has(signal)) refuse("write", signal);
    reached_ = reached_ | SignalSet::of(signal);
  }
  [[noreturn]] void refuse(const char* what, Signal signal) const;

  Bus* bus_;
  SignalSet reads_;
  SignalSet writes_;
  SignalSet reached_;
  const char* owner_;
};

/// One number of the bus, by name. Reading it costs an offset and a switch.
struct BusLeaf {
  enum class Kind : std::uint8_t { kReal, kBool, kU8, kI32, kU32, kU64 };
  std::string name;
  std::string unit;
  std::string meaning;
  std::size_t offset = 0;
  Kind kind = Kind::kReal;

  /// Its value as a double; integers beyond 2^53 are rounded.
  [[nodiscard]] double value(const Bus& bus) const;
  /// Of a signal whose unused numbers are NaN; anything else is finite.
  [[nodiscard]] bool may_be_nan() const;
};

/// Kind of a leaf of that type.
template <class T>
consteval BusLeaf::Kind leaf_kind() {
  if constexpr (std::is_same_v<T, double>) return BusLeaf::Kind::kReal;
  if constexpr (std::is_same_v<T, bool>) return BusLeaf::Kind::kBool;
  if constexpr (std::is_enum_v<T>) {
    static_assert(sizeof(T) == 1, "enums on the bus are one byte");
    return BusLeaf::Kind::kU8;
  }
  if constexpr (std::is_same_v<T, std::uint8_t>) return BusLeaf::Kind::kU8;
  if constexpr (std::is_same_v<T, std::int32_t>) return BusLeaf::Kind::kI32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return BusLeaf::Kind::kU32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return BusLeaf::Kind::kU64;
}

/// Bytes of a leaf.
std::size_t size_of(BusLeaf::Kind kind);

/// All leaves in bus order, without `version` and without the parts that the vehicle lacks.
std::vector<BusLeaf> bus_leaves(const VehicleCounts& counts);

/// Those that belong to a signal, or to some.
std::vector<BusLeaf> leaves_of(Signal signal, const std::vector<BusLeaf>& leaves);
std::vector<BusLeaf> leaves_of(SignalSet signals, const std::vector<BusLeaf>& leaves);

/// Adds the bus to a digest: every leaf of bus_leaves(), in that order, as Digest::add would. Runs
/// of neighbouring leaves are copied in pieces of fixed sizes, which is why this is prepared.
class BusDigest {
 public:
  explicit BusDigest(const VehicleCounts& counts);
  void add(const Bus& bus, Digest& digest) const;

 private:
  /// Some bytes in the bus and in what is added to the digest, by their offsets.
  struct Piece {
    std::size_t from;
    std::size_t to;
  };
  void add_run(std::size_t from, std::size_t size);

  static constexpr std::size_t kPieceSizes = 6;
  std::vector<Piece> pieces_[kPieceSizes];  ///< of 32, 16, 8, 4, 2 and 1 bytes
  std::vector<Piece> reals_;                ///< those that may be NaN: the autopilot's report
  std::size_t size_ = 0;                    ///< of what is added
};

/// The leaf of that name. Throws Error(kBadInput) that names `where` and the nearest name.
BusLeaf find_leaf(const std::vector<BusLeaf>& leaves, std::string_view name,
                  std::string_view where);

}  // namespace tactus
