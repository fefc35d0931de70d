// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

template <class T>
double load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

template <std::size_t size>
void copy_bytes(const std::byte*& from, std::byte*& to) {
  std::memcpy(to, from, size);
  from += size;
  to += size;
}

/// Returns where the copy ends. Runs are short: calling memcpy would cost more than the copy.
std::byte* copy_run(const std::byte* from, std::size_t size, std::byte* to) {
  for (; size >= 32; size -= 32) copy_bytes<32>(from, to);
  if ((size & 16) != 0) copy_bytes<16>(from, to);
  if ((size & 8) != 0) copy_bytes<8>(from, to);
  if ((size & 4) != 0) copy_bytes<4>(from, to);
  if ((size & 2) != 0) copy_bytes<2>(from, to);
  if ((size & 1) != 0) copy_bytes<1>(from, to);
  return to;
}

/// The same of doubles, with every NaN as the one of digests.
std::byte* copy_canonical(const std::byte* from, std::size_t size, std::byte* to) {
  for (const std::byte* const end = from + size; from != end; from += sizeof(double)) {
    const std::uint64_t bits = canonical_bits(load<double>(from));
    std::memcpy(to, &bits, sizeof bits);
    to += sizeof bits;
  }
  return to;
}

/// The element that a leaf belongs to and how many elements the vehicle has: "esc[3].speed_rad_s"
/// is one of `motors`.
bool exists(const std::string& name, const VehicleCounts& counts) {
  struct Array {
    std::string_view prefix;
    int count;
  };
  const Array arrays[] = {
      {"faults.motor_stuck[", counts.motors},
      {"faults.thrust_scale[", counts.motors},
      {"faults.motor_delay_us[", counts.motors},
      {"faults.servo_stuck[", counts.servos},
      {"faults.pack[", counts.packs},
      {"faults.instrument[", counts.instruments.any() ? kInstrumentCount : 0},
      {"battery[", counts.packs},
      {"power.bus_v[", counts.buses},
      {"power.bus_current_a[", counts.buses},
      {"esc[", counts.motors},
      {"loads.thrust_n[", counts.motors},
      {"loads.torque_nm[", counts.motors},
      {"loads.duty[", counts.motors},
      {"loads.servo_output[", counts.servos},
      {"loads.gear_force_n[", counts.gear_points},
      {"imu[", counts.instruments.imus},
      {"magnetometer[", counts.instruments.magnetometers},
      {"barometer[", counts.instruments.barometers},
      {"gps[", counts.instruments.gps},
      {"airspeed[", counts.instruments.airspeeds},
      {"range_finder[", counts.instruments.range_finders},
      {"command.motor[", counts.motors},
      {"command.servo[", counts.servos},
  };
  for (const Array& array : arrays) {
    if (!name.starts_with(array.prefix)) continue;
    const std::size_t begin = array.prefix.size();
    const std::string index = name.substr(begin, name.find(']') - begin);
    return parse_uint64(index, name) < static_cast<std::uint64_t>(array.count);
  }
  return true;
}

}  // namespace

std::size_t size_of(BusLeaf::Kind kind) {
  switch (kind) {
    case BusLeaf::Kind::kReal:
    case BusLeaf::Kind::kU64: return 8;
    case BusLeaf::Kind::kI32:
    case BusLeaf::Kind::kU32: return 4;
    case BusLeaf::Kind::kBool:
    case BusLeaf::Kind::kU8: return 1;
  }
  return 0;
}

const char* to_text(Signal signal) {
  switch (signal) {
    case Signal::kHighLevel: return "high_level";
    case Signal::kParameter: return "parameter";
    case Signal::kMarker: return "marker";
    case Signal::kFaults: return "faults";
    case Signal::kDisturbance: return "disturbance";
    case Signal::kWind: return "wind";
    case Signal::kTruth: return "truth";
    case Signal::kEnvironment: return "environment";
    case Signal::kBattery: return "battery";
    case Signal::kPower: return "power";
    case Signal::kEsc: return "esc";
    case Signal::kLoads: return "loads";
    case Signal::kImu: return "imu";
    case Signal::kMagnetometer: return "magnetometer";
    case Signal::kBarometer: return "barometer";
    case Signal::kGps: return "gps";
    case Signal::kAirspeed: return "airspeed";
    case Signal::kRangeFinder: return "range_finder";
    case Signal::kEstimate: return "estimate";
    case Signal::kLand: return "land";
    case Signal::kCommand: return "command";
    case Signal::kAutopilot: return "autopilot";
  }
  return "unknown";
}

std::string to_text(SignalSet signals) {
  std::string text;
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    if (!signals.has(signal)) continue;
    if (!text.empty()) text += ", ";
    text += to_text(signal);
  }
  return text;
}

SignalSet signals_from_text(std::string_view text) {
  SignalSet signals;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    for (std::size_t i = 0; i < kSignals; ++i) {
      const auto signal = static_cast<Signal>(i);
      if (text.substr(begin, end - begin) == to_text(signal)) {
        signals = signals | SignalSet::of(signal);
      }
    }
    begin = end + 2;
  }
  return signals;
}

void BusPort::refuse(const char* what, Signal signal) const {
  throw Error(ExitCode::kRunStopped,
              fmt::format("t = {} us: source \"{}\" wants to {} {} without having declared it; its "
                          "info() must list every signal it uses",
                          bus_->time.us, owner_, what, to_text(signal)));
}

double BusLeaf::value(const Bus& bus) const {
  const std::byte* const from = reinterpret_cast<const std::byte*>(&bus) + offset;
  switch (kind) {
    case Kind::kReal: return load<double>(from);
    case Kind::kBool: return load<bool>(from);
    case Kind::kU8: return load<std::uint8_t>(from);
    case Kind::kI32: return load<std::int32_t>(from);
    case Kind::kU32: return load<std::uint32_t>(from);
    case Kind::kU64: return load<std::uint64_t>(from);
  }
  return 0.0;
}

std::string to_text(const VehicleCounts& counts) {
  std::string text;
  int listed = 0;
  for_each_count(counts, [&](const char* one, const char* many, int count, int /*most*/) {
    constexpr int kAlwaysTold = 5;
    if (++listed > kAlwaysTold && count == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
  });
  return text;
}

std::vector<BusLeaf> bus_leaves(const VehicleCounts& counts) {
  const Bus bus;
  std::vector<BusLeaf> leaves;
  for_each_leaf(bus, [&](const LeafPath& path, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    const std::ptrdiff_t offset =
        reinterpret_cast<const std::byte*>(&value) - reinterpret_cast<const std::byte*>(&bus);
    std::string name = path.text();
    if (name == "version" || !exists(name, counts)) return;
    leaves.push_back({std::move(name), path.unit, path.meaning, static_cast<std::size_t>(offset),
                      leaf_kind<T>()});
  });
  return leaves;
}

std::vector<BusLeaf> leaves_of(Signal signal, const std::vector<BusLeaf>& leaves) {
  const std::string name = to_text(signal);
  std::vector<BusLeaf> own;
  for (const BusLeaf& leaf : leaves) {
    if (leaf.name.starts_with(name + ".") || leaf.name.starts_with(name + "[")) own.push_back(leaf);
  }
  return own;
}

std::vector<BusLeaf> leaves_of(SignalSet signals, const std::vector<BusLeaf>& leaves) {
  std::vector<BusLeaf> own;
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    if (!signals.has(signal)) continue;
    for (BusLeaf& leaf : leaves_of(signal, leaves)) own.push_back(std::move(leaf));
  }
  return own;
}

BusDigest::BusDigest(const VehicleCounts& counts) {
  for (const BusLeaf& leaf : bus_leaves(counts)) {
    const std::size_t size = size_of(leaf.kind);
    // Everything else was found finite when it was written (engine/validator.h).
    const bool may_be_nan =
        leaf.kind == BusLeaf::Kind::kReal && leaf.name.starts_with("autopilot.");
    const bool joins = !spans_.empty() && spans_.back().may_be_nan == may_be_nan &&
                       spans_.back().offset + spans_.back().size == leaf.offset;
    if (joins) {
      spans_.back().size += size;
    } else {
      spans_.push_back({leaf.offset, size, may_be_nan});
    }
  }
}

void BusDigest::add(const Bus& bus, Digest& digest) const {
  static_assert(std::endian::native == std::endian::little, "a digest is over little-endian bytes");
  const std::byte* const from = reinterpret_cast<const std::byte*>(&bus);
  std::byte packed[sizeof(Bus)];
  std::byte* to = packed;
  for (const Span& span : spans_) {
    to = span.may_be_nan ? copy_canonical(from + span.offset, span.size, to)
                         : copy_run(from + span.offset, span.size, to);
  }
  digest.add_bytes({packed, to});
}

BusLeaf find_leaf(const std::vector<BusLeaf>& leaves, std::string_view name,
                  std::string_view where) {
  std::vector<std::string> names;
  for (const BusLeaf& leaf : leaves) {
    if (leaf.name == name) return leaf;
    names.push_back(leaf.name);
  }
  throw Error(
      ExitCode::kBadInput,
      fmt::format("{}: there is no signal \"{}\"; did you mean \"{}\"? `tactus spec signals` "
                  "lists them all",
                  where, name, nearest_text(name, names)));
}

}  // namespace tactus
