// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Power network: packs, motors and constant-power avionics on separate buses (Kirchhoff per bus).
//
//   Σ_packs (E_j − V) / R_j  =  Σ_motors I_i(V) + P / V            a diode makes its term max(0, ·)
// With L(V) = supply − motors this reads h(V) = V·L(V) − P = 0. L is continuous, piecewise linear
// and never rises (motors: load_curve.h; packs: falling lines), so on each piece L = c − g V with
// g ≥ 0, and h is a concave parabola with roots in closed form. Nothing is iterated to a tolerance.
// P / V has two solutions in general; a real bus sits on the upper one, so the *largest* root is
// meant. For P = 0 it is the limit of P → 0: the lower end where L = 0 on a whole interval.
//
// No root, `kNoOperatingPoint`: the packs cannot supply the avionics. The voltage reported is that
// of largest available power, avionics get what is there, and Kirchhoff's law and the power balance
// still hold: a continuous extension in which an event can be located. Its guard is
// `brown_out_guard_w` = P − max V·L(V). Regeneration may lift V above every E_j (diodes then
// block). `kNoSink`: L > 0 however high V gets, nothing can absorb the surplus; no real motor
// does that, V is then the last corner and Kirchhoff's law does not hold: stop the run. `kDead`: no
// pack is connected, V and all currents are zero; a speed controller on such a bus is off.
//
// Units V, A, W, S. Assumptions: no wire resistance beyond R_j, no bus capacitance (its time
// constant, ~10 µs, is far below a step). Kinks: a diode or a motor changing its piece (C⁰). Where
// two separate intervals have h > 0 (possible with motors in current limit or blocking diodes, near
// the maximum power of the packs), the largest root jumps down when the upper interval vanishes; no
// brown-out guard fires then, the undervoltage guard does if the new voltage is below the cut-off.

#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/core/hd.h"
#include "tactus/core/math.h"
#include "tactus/core/time.h"
#include "tactus/plant/battery.h"
#include "tactus/plant/load_curve.h"
#include "tactus/signal/limits.h"

namespace tactus {

/// What the speed controllers of a browned-out bus do once it is up again. While down they coast.
enum class EscBrownOut : std::uint8_t { kRestarts, kStaysOff };

/// What a brown-out does to an autopilot fed from this bus. The plant only declares it and reports
/// the brown-out; the engine, which runs the autopilot, acts on it.
enum class AutopilotBrownOut : std::uint8_t {
  kKeepsRunning,  ///< it has a supply of its own
  kRestarts,      ///< off while the bus is down, boots when it is up again
  kStops,         ///< off for the rest of the run
};

struct PowerBusParameters {
  double avionics_power_w = 0.0;
  double undervoltage_v = 6.0;
  double restart_v = 9.0;
  DurationUs restart_delay{1'000'000};
  double overvoltage_v = 0.0;
  EscBrownOut esc = EscBrownOut::kRestarts;
  AutopilotBrownOut autopilot = AutopilotBrownOut::kKeepsRunning;

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("avionics_power_w", "W", self.avionics_power_w, "constant power drawn by avionics");
    visit("undervoltage_v", "V", self.undervoltage_v, "brown-out at or below; 0 = no cut-off");
    visit("restart_v", "V", self.restart_v, "no-load voltage from which the bus may restart");
    visit("restart_delay_us", "us", self.restart_delay, "from that voltage to running loads");
    visit("overvoltage_v", "V", self.overvoltage_v, "event at or above; 0 = not watched");
    visit("esc", "", self.esc, "speed controllers after a brown-out: restart or stay off");
    visit("autopilot", "", self.autopilot, "autopilot: keeps running, restarts or stops");
  }
};
static_assert(lists_every_field<PowerBusParameters>());

struct PowerNetworkParameters {
  int bus_count = 1;
  int pack_count = 1;
  int motor_count = 4;
  PowerBusParameters bus[kMaxBuses];
  PackParameters pack[kMaxPacks];
  int pack_bus[kMaxPacks] = {};
  int motor_bus[kMaxMotors] = {};

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("bus_count", "", self.bus_count, "number of buses");
    visit("pack_count", "", self.pack_count, "number of packs");
    visit("motor_count", "", self.motor_count, "number of motors");
    visit("bus", "", self.bus, "buses");
    visit("pack", "", self.pack, "packs");
    visit("pack_bus", "", self.pack_bus, "bus of each pack");
    visit("motor_bus", "", self.motor_bus, "bus of each motor");
  }
};
static_assert(lists_every_field<PowerNetworkParameters>());

/// One bus with the indices of what hangs on it, ascending.
struct PowerBus {
  int pack_count = 0;
  int pack[kMaxPacks] = {};
  int motor_count = 0;
  int motor[kMaxMotors] = {};
  PowerBusParameters parameters;
};

/// Prepared by `make_power_network`.
struct PowerNetwork {
  int bus_count = 0;
  int pack_count = 0;
  int motor_count = 0;
  PowerBus bus[kMaxBuses];
  Pack pack[kMaxPacks];
};

enum class BusCondition : std::uint8_t { kOk, kNoOperatingPoint, kNoSink, kDead };

struct PowerSolution {
  BusCondition condition[kMaxBuses] = {};
  double bus_v[kMaxBuses] = {};
  double load_current_a[kMaxBuses] = {};  ///< motors and avionics
  double avionics_current_a[kMaxBuses] = {};
  double pack_current_a[kMaxPacks] = {};    ///< positive discharges
  double motor_current_a[kMaxMotors] = {};  ///< positive drawn from the bus

  template <class Self, class Visitor>
  static constexpr void visit_fields(Self& self, Visitor&& visit) {
    visit("condition", "", self.condition, "of each bus: ok, no_operating_point, no_sink or dead");
    visit("bus_v", "V", self.bus_v, "voltage of each bus");
    visit("load_current_a", "A", self.load_current_a, "motors and avionics of each bus");
    visit("avionics_current_a", "A", self.avionics_current_a, "avionics of each bus");
    visit("pack_current_a", "A", self.pack_current_a, "of each pack, positive discharges");
    visit("motor_current_a", "A", self.motor_current_a, "of each motor, drawn from its bus");
  }
};
static_assert(lists_every_field<PowerSolution>());

/// The part of it that the right-hand side needs, where there are buses and packs. No initialisers:
/// setting what a vehicle could have takes a good part of the time that the solution takes.
struct BusSolution {
  BusCondition condition[kMaxBuses];
  double bus_v[kMaxBuses];
  double pack_current_a[kMaxPacks];
};

/// A network of one bus, known to the compiler: everything hangs on it, in index order. Same
/// members as PowerNetwork and PowerBus, as far as the solution needs them; a device then keeps all
/// arrays in registers.
template <int packs, int motors>
struct SingleBusNetwork {
  struct Everything {
    TACTUS_HD constexpr int operator[](int index) const { return index; }
  };
  // NOLINTBEGIN(readability-identifier-naming): these stand for members of PowerBus
  struct Bus {
    static constexpr int pack_count = packs;
    static constexpr int motor_count = motors;
    Everything pack;
    Everything motor;
  };
  static constexpr int bus_count = 1;
  // NOLINTEND(readability-identifier-naming)
  Bus bus[1];
};

/// All that acts on one bus at one instant.
template <class Bus>
struct BusProblemOf {
  const Bus* bus = nullptr;
  const PackSource* source = nullptr;  ///< by pack index
  const LoadCurve* motor = nullptr;    ///< by motor index
  double avionics_w = 0.0;
};
using BusProblem = BusProblemOf<PowerBus>;

namespace detail {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// L(V) = offset_a − slope_s·V on lo_v ≤ V ≤ hi_v.
struct BusPiece {
  double offset_a = 0.0;
  double slope_s = 0.0;
  double lo_v = 0.0;
  double hi_v = kInfinity;
};

/// The piece with lo < V ≤ hi, for V > 0. Sums run in index order, so a piece has the same bits
/// however it was found.
template <class Bus>
TACTUS_HD inline BusPiece piece_below(const BusProblemOf<Bus>& problem, double v) {
  TACTUS_ASSERT(v > 0.0, "a voltage above zero");
  BusPiece piece;
  for (int n = 0; n < problem.bus->pack_count; ++n) {
    const PackSource& source = problem.source[problem.bus->pack[n]];
    if (source.diode && source.conductance_s > 0.0) {
      if (source.emf_v < v) {
        piece.lo_v = math::max(piece.lo_v, source.emf_v);
        continue;
      }
      piece.hi_v = math::min(piece.hi_v, source.emf_v);
    }
    piece.offset_a += source.conductance_s * source.emf_v;
    piece.slope_s += source.conductance_s;
  }
  for (int n = 0; n < problem.bus->motor_count; ++n) {
    const LoadCurve& curve = problem.motor[problem.bus->motor[n]];
    double offset_a = curve.offset_a[0];
    double slope_s = curve.slope_a_per_v[0];
    // Constant bounds and indices, so that a device can keep the curve in registers.
    for (int k = 1; k < LoadCurve::kMaxSegments && k < curve.count; ++k) {
      if (!(curve.break_v[k - 1] < v)) {
        piece.hi_v = math::min(piece.hi_v, curve.break_v[k - 1]);
        break;
      }
      piece.lo_v = math::max(piece.lo_v, curve.break_v[k - 1]);
      offset_a = curve.offset_a[k];
      slope_s = curve.slope_a_per_v[k];
    }
    piece.offset_a -= offset_a;
    piece.slope_s += slope_s;
  }
  return piece;
}

TACTUS_HD inline bool feeds_without_limit(const BusPiece& piece) {
  return piece.hi_v == kInfinity && piece.slope_s <= 0.0 && piece.offset_a > 0.0;
}

/// Where h is largest on the piece; not for one that feeds without limit.
TACTUS_HD inline double peak_voltage_v(const BusPiece& piece) {
  TACTUS_ASSERT(!feeds_without_limit(piece), "a piece with a largest value");
  if (piece.offset_a <= 0.0) return piece.lo_v;
  if (piece.slope_s <= 0.0) return piece.hi_v;
  return math::clamp(0.5 * piece.offset_a / piece.slope_s, piece.lo_v, piece.hi_v);
}

/// V·L(V), the power left for avionics.
TACTUS_HD inline double available_w(const BusPiece& piece, double v) {
  return v * (piece.offset_a - piece.slope_s * v);
}

/// Discriminant of V (c − g V) = P.
TACTUS_HD inline double discriminant_a2(const BusPiece& piece, double avionics_w) {
  return piece.offset_a * piece.offset_a - 4.0 * piece.slope_s * avionics_w;
}

/// Upper root of V (c − g V) = P. At P = 0 this is c / g to the last bit.
TACTUS_HD inline double upper_root_v(const BusPiece& piece, double discriminant) {
  return (piece.offset_a + math::sqrt(discriminant)) / (2.0 * piece.slope_s);
}

struct BusPoint {
  BusCondition condition = BusCondition::kOk;
  double bus_v = 0.0;
};

/// Walks the pieces from the highest voltage down. The first piece on which h gets positive holds
/// the largest root: above it h ≤ 0 everywhere, and on it h is concave, positive at its peak and
/// not at the upper end, so exactly one root lies between the two: the upper one of its parabola.
/// The clamp only catches rounding at a corner. Each pass goes below one more breakpoint: it ends.
template <class Bus>
TACTUS_HD inline BusPoint operating_point_by_walk(const BusProblemOf<Bus>& problem) {
  double best_v = 0.0;
  double best_w = 0.0;
  for (double top_v = kInfinity; top_v > 0.0;) {
    [[maybe_unused]] const double above_v = top_v;
    const BusPiece piece = piece_below(problem, top_v);
    if (feeds_without_limit(piece)) return {BusCondition::kNoSink, piece.lo_v};
    const double peak_v = peak_voltage_v(piece);
    const double peak_w = available_w(piece, peak_v);
    // Rounding leaves steps of some ulp where two pieces meet; with P = 0 and diodes blocking, one
    // of them could pass for a root.
    const double rounding_w = 1e-15 * peak_v * math::abs(piece.offset_a);
    if (peak_w > problem.avionics_w + rounding_w) {
      const double discriminant = math::max(discriminant_a2(piece, problem.avionics_w), 0.0);
      const double root_v = upper_root_v(piece, discriminant);
      return {BusCondition::kOk, math::clamp(root_v, peak_v, piece.hi_v)};
    }
    // A NaN must not look like a brown-out: it goes on as voltage and is found in the derivative.
    if (math::is_nan(peak_w)) return {BusCondition::kNoOperatingPoint, peak_w};
    if (peak_w > best_w) {
      best_w = peak_w;
      best_v = peak_v;
    }
    top_v = piece.lo_v;
    TACTUS_ASSERT(top_v < above_v, "each pass goes below one more breakpoint");
  }
  return {BusCondition::kNoOperatingPoint, best_v};
}

/// Largest root of h. The short way guesses the piece, solves, and keeps the root if it lies on
/// that piece and L ≤ 0 at its upper end. It is then the largest: on the piece it is the upper root
/// of a concave parabola, and above the piece L ≤ L(hi) ≤ 0 because L never rises, so h ≤ −P there.
/// The first guess is the piece below the highest source voltage, the next that of the root found.
template <class Bus>
TACTUS_HD inline BusPoint operating_point(const BusProblemOf<Bus>& problem) {
  double guess_v = 0.0;
  bool connected = false;
  for (int n = 0; n < problem.bus->pack_count; ++n) {
    const PackSource& source = problem.source[problem.bus->pack[n]];
    if (source.conductance_s > 0.0) {
      connected = true;
      guess_v = math::max(guess_v, source.emf_v);
    }
  }
  if (!connected) return {BusCondition::kDead, 0.0};
  for (int pass = 0; pass < 3 && guess_v > 0.0; ++pass) {
    const BusPiece piece = piece_below(problem, guess_v);
    const double discriminant = discriminant_a2(piece, problem.avionics_w);
    if (!(piece.offset_a > 0.0 && piece.slope_s > 0.0 && discriminant > 0.0)) break;
    const double root_v = upper_root_v(piece, discriminant);
    const bool on_piece = root_v >= piece.lo_v && root_v <= piece.hi_v;
    if (on_piece && piece.offset_a - piece.slope_s * piece.hi_v <= 0.0) {
      return {BusCondition::kOk, root_v};
    }
    guess_v = root_v;
  }
  return operating_point_by_walk(problem);
}

}  // namespace detail

/// Current of one pack at this bus voltage.
TACTUS_HD inline double pack_current_a(const PackSource& source, double bus_v) {
  const double current = source.conductance_s * (source.emf_v - bus_v);
  return source.diode && current < 0.0 ? 0.0 : current;
}

/// Solves every bus for its voltage and the currents of its packs. `avionics_w` is the load of each
/// bus now: zero while the bus is browned out. Solution: PowerSolution or BusSolution.
template <class Network, class Solution>
TACTUS_HD inline void solve_power_network(const Network& network,
                                          const PackSource (&source)[kMaxPacks],
                                          const LoadCurve (&motor)[kMaxMotors],
                                          const double (&avionics_w)[kMaxBuses],
                                          Solution& solution) {
  for (int b = 0; b < network.bus_count; ++b) {
    const auto& bus = network.bus[b];
    const detail::BusPoint point = detail::operating_point(
        BusProblemOf<std::remove_cvref_t<decltype(bus)>>{&bus, source, motor, avionics_w[b]});
    solution.condition[b] = point.condition;
    solution.bus_v[b] = point.bus_v;
    const bool flows = point.bus_v != 0.0;
    for (int n = 0; n < bus.pack_count; ++n) {
      const int j = bus.pack[n];
      solution.pack_current_a[j] = flows ? pack_current_a(source[j], point.bus_v) : 0.0;
    }
  }
}

/// The whole solution, without what each load draws.
template <class Network>
TACTUS_HD inline PowerSolution power_solution(const Network& network, const BusSolution& buses) {
  PowerSolution solution;
  for (int b = 0; b < network.bus_count; ++b) {
    const auto& bus = network.bus[b];
    solution.condition[b] = buses.condition[b];
    solution.bus_v[b] = buses.bus_v[b];
    for (int n = 0; n < bus.pack_count; ++n) {
      const int j = bus.pack[n];
      solution.pack_current_a[j] = buses.pack_current_a[j];
    }
  }
  return solution;
}

/// Adds what each load draws to a solution: for outputs and ledgers, not for the derivative.
TACTUS_HD inline void add_load_currents(const PowerNetwork& network,
                                        const LoadCurve (&motor)[kMaxMotors],
                                        const double (&avionics_w)[kMaxBuses],
                                        PowerSolution& solution) {
  TACTUS_ASSERT(network.bus_count >= 1 && network.bus_count <= kMaxBuses, "buses that exist");
  for (int b = 0; b < network.bus_count; ++b) {
    const PowerBus& bus = network.bus[b];
    const double bus_v = solution.bus_v[b];
    if (bus_v == 0.0) continue;  // nothing flows
    double supply_a = 0.0;
    for (int n = 0; n < bus.pack_count; ++n) supply_a += solution.pack_current_a[bus.pack[n]];
    double motors_a = 0.0;
    for (int n = 0; n < bus.motor_count; ++n) {
      const int i = bus.motor[n];
      solution.motor_current_a[i] = current_at(motor[i], bus_v);
      motors_a += solution.motor_current_a[i];
    }
    // Without an operating point the avionics get what is there, less than they ask for.
    solution.avionics_current_a[b] = solution.condition[b] == BusCondition::kNoOperatingPoint
                                         ? supply_a - motors_a
                                         : avionics_w[b] / bus_v;
    solution.load_current_a[b] = motors_a + solution.avionics_current_a[b];
  }
}

/// Mismatch of Kirchhoff's law: what the packs give minus what the loads take.
TACTUS_HD inline double bus_residual_a(const PowerBus& bus, const PowerSolution& solution,
                                       int bus_index) {
  TACTUS_ASSERT(bus_index >= 0 && bus_index < kMaxBuses, "a bus that exists");
  double supply_a = 0.0;
  for (int n = 0; n < bus.pack_count; ++n) supply_a += solution.pack_current_a[bus.pack[n]];
  return supply_a - solution.load_current_a[bus_index];
}

/// The same as the voltage it would be across the packs' resistance.
TACTUS_HD inline double bus_residual_v(const PowerBus& bus, const PackSource (&source)[kMaxPacks],
                                       const PowerSolution& solution, int bus_index) {
  double conductance_s = 0.0;
  for (int n = 0; n < bus.pack_count; ++n) conductance_s += source[bus.pack[n]].conductance_s;
  if (conductance_s == 0.0) return 0.0;
  return bus_residual_a(bus, solution, bus_index) / conductance_s;
}

// Guards: negative is quiet, zero or more fires.

/// Avionics power minus the largest that packs and motors leave for it. Reaches zero exactly where
/// the operating point is lost. Walks the pieces from `top_v` down: for guards, not for the
/// right-hand side. Above an operating point no more is left than the avionics take, so the walk
/// may start there; and it may end where more than `enough_w` is left, because how much more does
/// not decide whether the point is about to be lost. Beyond that the value may jump.
template <class Bus>
TACTUS_HD inline double brown_out_guard_w(const BusProblemOf<Bus>& problem,
                                          double top_v = detail::kInfinity,
                                          double enough_w = detail::kInfinity) {
  TACTUS_ASSERT(enough_w >= problem.avionics_w, "more than the avionics take");
  double best_w = 0.0;
  while (top_v > 0.0 && best_w <= enough_w) {
    const detail::BusPiece piece = detail::piece_below(problem, top_v);
    const double v =
        detail::feeds_without_limit(piece) ? piece.lo_v : detail::peak_voltage_v(piece);
    best_w = math::max(detail::available_w(piece, v), best_w);
    top_v = piece.lo_v;
  }
  return problem.avionics_w - best_w;
}

TACTUS_HD constexpr double undervoltage_guard_v(const PowerBusParameters& bus, double bus_v) {
  return bus.undervoltage_v - bus_v;
}

TACTUS_HD constexpr double overvoltage_guard_v(const PowerBusParameters& bus, double bus_v) {
  return bus.overvoltage_v > 0.0 ? bus_v - bus.overvoltage_v : -1.0;
}

/// Voltage of a bus with every load off; zero if no pack is connected.
TACTUS_HD inline double no_load_voltage_v(const PowerBus& bus,
                                          const PackSource (&source)[kMaxPacks]) {
  PowerBus unloaded = bus;
  unloaded.motor_count = 0;
  return detail::operating_point(BusProblem{&unloaded, source, nullptr, 0.0}).bus_v;
}

/// Fires when a browned-out bus may start its restart delay.
TACTUS_HD constexpr double restart_guard_v(const PowerBusParameters& bus, double no_load_v) {
  return no_load_v - bus.restart_v;
}

/// Throws Error naming `where`, the value and the reason when something is out of range.
void validate(const PowerNetworkParameters& p, std::string_view where);

/// Validates and prepares a network.
PowerNetwork make_power_network(const PowerNetworkParameters& p, std::string_view where);

}  // namespace tactus
