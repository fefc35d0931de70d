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
  std::size_t begin = 0;
  std::size_t end = 0;
  for (const BusLeaf& leaf : bus_leaves(counts)) {
    // Everything else was found finite when it was written (engine/validator.h).
    const bool may_be_nan =
        leaf.kind == BusLeaf::Kind::kReal && leaf.name.starts_with("autopilot.");
    if (may_be_nan || leaf.offset != end) {
      add_run(begin, end - begin);
      begin = end = leaf.offset;
    }
    end += size_of(leaf.kind);
    if (!may_be_nan) continue;
    reals_.push_back({begin, size_});
    size_ += end - begin;
    begin = end;
  }
  add_run(begin, end - begin);
}

void BusDigest::add_run(std::size_t from, std::size_t size) {
  for (std::size_t k = 0; k < kPieceSizes; ++k) {
    const std::size_t piece = std::size_t{32} >> k;
    for (; size >= piece; size -= piece) {
      pieces_[k].push_back({from, size_});
      from += piece;
      size_ += piece;
    }
  }
}

void BusDigest::add(const Bus& bus, Digest& digest) const {
  static_assert(std::endian::native == std::endian::little, "a digest is over little-endian bytes");
  const std::byte* const from = reinterpret_cast<const std::byte*>(&bus);
  std::byte packed[sizeof(Bus)];
  const auto copy = [&]<std::size_t size>(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) std::memcpy(packed + piece.to, from + piece.from, size);
  };
  copy.template operator()<32>(pieces_[0]);
  copy.template operator()<16>(pieces_[1]);
  copy.template operator()<8>(pieces_[2]);
  copy.template operator()<4>(pieces_[3]);
  copy.template operator()<2>(pieces_[4]);
  copy.template operator()<1>(pieces_[5]);
  for (const Piece& piece : reals_) {
    const std::uint64_t bits = canonical_bits(load<double>(from + piece.from));
    std::memcpy(packed + piece.to, &bits, sizeof bits);
  }
  digest.add_bytes({packed, size_});
}

BusLeaf find_leaf(const std::vector<BusLeaf>& leaves, std::string_view name,
                  std::string_view where) {
  std::vector<std::string> names;
  for (const BusLeaf& leaf : leaves) {
    if (leaf.name == name) return leaf;
    names.push_back(leaf.name);
  }
  throw Error(ExitCode::kBadInput,
              did_you_mean(fmt::format("{}: there is no signal \"{}\"", where, name), name, names) +
                  " (`tactus spec signals` lists them all)");
}

}  // namespace tactus
