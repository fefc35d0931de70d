// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The bus: one of every signal, the only coupling between the parts of a run. It is plain data, so
// it can be recorded, replayed, compared and digested as a whole.
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

#include "tactus/core/digest.h"
#include "tactus/core/fields.h"
#include "tactus/core/signals.h"

namespace tactus {

/// Changes whenever the meaning, the unit or the order of a field changes.
inline constexpr std::uint32_t kBusVersion = 2;

struct Bus {
  std::uint32_t version = kBusVersion;
  TimeUs time;
  HighLevelCommand high_level;
  ParameterChange parameter;
  Marker marker;
  Faults faults;
  Disturbance disturbance;
  WindSignal wind;
  Truth truth;
  Environment environment;
  BatteryStatus battery[kMaxPacks];
  PowerStatus power;
  EscStatus esc[kMaxMotors];
  VehicleLoads loads;
  ImuReading imu[kMaxImus];
  MagnetometerReading magnetometer[kMaxMagnetometers];
  BarometerReading barometer[kMaxBarometers];
  GpsReading gps[kMaxGps];
  AirspeedReading airspeed[kMaxAirspeeds];
  RangeReading range_finder[kMaxRangeFinders];
  Estimate estimate;
  LandStatus land;
  Command command;
  AutopilotStatus autopilot;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("version", "", self.version, "of the bus");
    visit("time_us", "us", self.time, "this instant");
    visit("high_level", "", self.high_level, "what the pilot wants");
    visit("parameter", "", self.parameter, "change of an autopilot parameter");
    visit("marker", "", self.marker, "note of the scenario");
    visit("faults", "", self.faults, "what is broken");
    visit("disturbance", "", self.disturbance, "what the scenario adds to the wind");
    visit("wind", "", self.wind, "base wind");
    visit("truth", "", self.truth, "true motion");
    visit("environment", "", self.environment, "air at the vehicle");
    visit("battery", "", self.battery, "what battery monitors report");
    visit("power", "", self.power, "buses");
    visit("esc", "", self.esc, "what speed controllers report");
    visit("loads", "", self.loads, "forces inside the vehicle");
    visit("imu", "", self.imu, "gyroscopes and accelerometers");
    visit("magnetometer", "", self.magnetometer, "magnetometers");
    visit("barometer", "", self.barometer, "barometers");
    visit("gps", "", self.gps, "satellite receivers");
    visit("airspeed", "", self.airspeed, "pitot tube");
    visit("range_finder", "", self.range_finder, "distance to the ground");
    visit("estimate", "", self.estimate, "what the autopilot believes");
    visit("land", "", self.land, "land detector");
    visit("command", "", self.command, "what the autopilot commands");
    visit("autopilot", "", self.autopilot, "what the autopilot reports");
  }
};
static_assert(lists_every_field<Bus>());

/// The signals, in the order of the bus.
enum class Signal : std::uint8_t {
  kHighLevel,
  kParameter,
  kMarker,
  kFaults,
  kDisturbance,
  kWind,
  kTruth,
  kEnvironment,
  kBattery,
  kPower,
  kEsc,
  kLoads,
  kImu,
  kMagnetometer,
  kBarometer,
  kGps,
  kAirspeed,
  kRangeFinder,
  kEstimate,
  kLand,
  kCommand,
  kAutopilot,
};
inline constexpr std::size_t kSignals = static_cast<std::size_t>(Signal::kAutopilot) + 1;

const char* to_text(Signal signal);

/// A set of signals: SignalSet::of(Signal::kTruth, Signal::kFaults).
struct SignalSet {
  std::uint32_t bits = 0;

  template <class... Signals>
  static constexpr SignalSet of(Signals... signals) {
    return {(0U | ... | (1U << static_cast<unsigned>(signals)))};
  }
  static constexpr SignalSet all() {
    return {(2U << static_cast<unsigned>(Signal::kAutopilot)) - 1U};
  }
  [[nodiscard]] constexpr bool has(Signal signal) const {
    return ((bits >> static_cast<unsigned>(signal)) & 1U) != 0;
  }
  friend constexpr SignalSet operator&(SignalSet a, SignalSet b) { return {a.bits & b.bits}; }
  friend constexpr SignalSet operator|(SignalSet a, SignalSet b) { return {a.bits | b.bits}; }
  constexpr bool operator==(const SignalSet&) const = default;
};

/// "faults, truth"
std::string to_text(SignalSet signals);
/// The way back; names that are no signal are left out.
SignalSet signals_from_text(std::string_view text);

namespace detail {

template <Signal signal, class SomeBus>
constexpr auto& signal_of(SomeBus& bus) {
  if constexpr (signal == Signal::kHighLevel) return bus.high_level;
  if constexpr (signal == Signal::kParameter) return bus.parameter;
  if constexpr (signal == Signal::kMarker) return bus.marker;
  if constexpr (signal == Signal::kFaults) return bus.faults;
  if constexpr (signal == Signal::kDisturbance) return bus.disturbance;
  if constexpr (signal == Signal::kWind) return bus.wind;
  if constexpr (signal == Signal::kTruth) return bus.truth;
  if constexpr (signal == Signal::kEnvironment) return bus.environment;
  if constexpr (signal == Signal::kBattery) return bus.battery;
  if constexpr (signal == Signal::kPower) return bus.power;
  if constexpr (signal == Signal::kEsc) return bus.esc;
  if constexpr (signal == Signal::kLoads) return bus.loads;
  if constexpr (signal == Signal::kImu) return bus.imu;
  if constexpr (signal == Signal::kMagnetometer) return bus.magnetometer;
  if constexpr (signal == Signal::kBarometer) return bus.barometer;
  if constexpr (signal == Signal::kGps) return bus.gps;
  if constexpr (signal == Signal::kAirspeed) return bus.airspeed;
  if constexpr (signal == Signal::kRangeFinder) return bus.range_finder;
  if constexpr (signal == Signal::kEstimate) return bus.estimate;
  if constexpr (signal == Signal::kLand) return bus.land;
  if constexpr (signal == Signal::kCommand) return bus.command;
  if constexpr (signal == Signal::kAutopilot) return bus.autopilot;
}

}  // namespace detail

/// What a source may see of the bus. There is one per update, so that it knows what was reached
/// for.
class BusPort {
 public:
  BusPort(Bus& bus, SignalSet reads, SignalSet writes, const char* owner)
      : bus_(&bus), reads_(reads), writes_(writes), owner_(owner) {}
  BusPort(const BusPort&) = delete;
  BusPort& operator=(const BusPort&) = delete;

  template <Signal signal>
  [[nodiscard]] const auto& read() const {
    if (!(reads_ | writes_).has(signal)) refuse("read", signal);
    return detail::signal_of<signal>(*bus_);
  }

  template <Signal signal>
  [[nodiscard]] auto& write() {
    reach(signal);
    return detail::signal_of<signal>(*bus_);
  }

  /// The bus, for a source that writes this signal by the offsets of its leaves.
  [[nodiscard]] Bus& write_all(Signal signal) {
    reach(signal);
    return *bus_;
  }

  /// The whole bus, for a source that declared every signal.
  [[nodiscard]] const Bus& read_all() const {
    for (unsigned i = 0; i <= static_cast<unsigned>(Signal::kAutopilot); ++i) {
      const auto signal = static_cast<Signal>(i);
      if (!(reads_ | writes_).has(signal)) refuse("read", signal);
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

/// How many instruments of each kind the vehicle carries.
struct InstrumentCounts {
  int imus = 0;
  int magnetometers = 0;
  int barometers = 0;
  int gps = 0;
  int airspeeds = 0;
  int range_finders = 0;

  [[nodiscard]] constexpr bool any() const { return *this != InstrumentCounts{}; }
  constexpr bool operator==(const InstrumentCounts&) const = default;
};

/// How many of each part the vehicle has; the rest of the bus is unused and left out of logs.
struct VehicleCounts {
  int motors = 0;
  int servos = 0;
  int packs = 0;
  int buses = 0;
  int gear_points = 0;
  InstrumentCounts instruments{};
};

/// Every count with its names and its limit: visit("motor", "motors", count, most).
template <class Counts, class Visitor>
constexpr void for_each_count(Counts& counts, Visitor&& visit) {
  visit("motor", "motors", counts.motors, kMaxMotors);
  visit("servo", "servos", counts.servos, kMaxServos);
  visit("pack", "packs", counts.packs, kMaxPacks);
  visit("bus", "buses", counts.buses, kMaxBuses);
  visit("gear point", "gear points", counts.gear_points, kMaxGearPoints);
  auto& carried = counts.instruments;
  visit("IMU", "IMUs", carried.imus, kMaxImus);
  visit("magnetometer", "magnetometers", carried.magnetometers, kMaxMagnetometers);
  visit("barometer", "barometers", carried.barometers, kMaxBarometers);
  visit("GPS", "GPS", carried.gps, kMaxGps);
  visit("airspeed sensor", "airspeed sensors", carried.airspeeds, kMaxAirspeeds);
  visit("range finder", "range finders", carried.range_finders, kMaxRangeFinders);
}

/// "4 motors, 0 servos, 1 pack, 1 bus, 4 gear points, 1 IMU": instruments only if there are some.
std::string to_text(const VehicleCounts& counts);

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
