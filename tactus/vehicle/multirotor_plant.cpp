// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/multirotor_plant.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <type_traits>

#include "tactus/core/assert.h"
#include "tactus/core/fields.h"
#include "tactus/plant/multirotor_watch.h"
#include "tactus/vehicle/command_delay.h"
#include "tactus/vehicle/held_input.h"
#include "tactus/vehicle/rigid_body_signals.h"

namespace tactus {
namespace {

/// What the shape of the saved state depends on.
template <class Visitor>
void visit_shape(const MultirotorCounts& n, Visitor&& visit) {
  visit("the number of rotors", n.rotors);
  visit("the number of servos", n.servos);
  visit("the number of packs", n.packs);
  visit("the number of buses", n.buses);
  visit("the number of RC pairs per pack", n.rc_pairs);
  visit("the number of gear points", n.gear_points);
  visit("the order of the motor actuators", n.motor_actuator_order);
  visit("the order of the servo actuators", n.servo_actuator_order);
  visit("the energy ledger (0: off, 1: on)", n.ledger ? 1 : 0);
}

class MultirotorPlant final : public Plant, private PlantEventSink {
 public:
  MultirotorPlant(std::shared_ptr<const Multirotor> vehicle, const SolverConfig& solver,
                  const MultirotorState& initial, IntegrateMultirotor instead)
      : vehicle_(std::move(vehicle)),
        solver_(solver),
        instead_(std::move(instead)),
        flight_(vehicle_, initial) {
    notes_.reserve(kReservedNotes);
  }

  [[nodiscard]] VehicleCounts counts() const override {
    const MultirotorCounts& n = vehicle_->counts;
    return {.motors = n.rotors,
            .servos = n.servos,
            .packs = n.packs,
            .buses = n.buses,
            .gear_points = n.gear_points};
  }

  void publish_state(Bus& bus) const override { publish_state(flight_.flight().state, bus); }

  bool hold(const Bus& bus) override {
    delay_.push(bus.time, bus.command.motor);
    read_input(bus, *vehicle_, delay_, read_);
    return flight_.hold(read_, bus.time);
  }

  void publish_outputs(Bus& bus) const override {
    publish_outputs(flight_.flight(), flight_.outputs(), flight_.since_hold(), bus);
  }

  void settle(Bus& bus) override {
    const std::uint32_t wanted = bus.faults.rotor_jam_mask;
    for (int i = 0; i < vehicle_->counts.rotors; ++i) {
      if (has_bit(wanted, i) == has_bit(flight_.flight().modes.rotor_jammed, i)) continue;
      if (has_bit(wanted, i)) {
        flight_.jam(i);
      } else {
        flight_.release(i);
      }
    }
    if (flight_.settle(this)) bus.loads.impact_speed_m_s = impact_speed_m_s_;
  }

  TimeUs advance(TimeUs end, WatchList watches, const Bus& bus,
                 IntervalObserver* observer) override {
    TACTUS_ASSERT(bus.time == flight_.flight().now, "plant and bus at one instant");
    end = std::min(end, next_delayed_command(bus.faults));
    const TimeUs start = flight_.flight().now;
    const bool is_sampled = observer != nullptr && observer->period.us != 0;
    samples_.samples.clear();
    if (is_sampled) samples_.period = observer->period;
    MultirotorSamples* const samples = is_sampled ? &samples_ : nullptr;
    RhsTap* const tap = observer != nullptr ? observer->tap : nullptr;
    flight_.advance(solver_, watches, end, samples, tap, instead_);
    if (is_sampled) show_samples(start, bus, *observer);
    return flight_.flight().now;
  }

  void check_caches(TimeUs /*now*/) const override { flight_.check_caches(); }

  [[nodiscard]] std::optional<Watch> watch_for(const BusLeaf& leaf) const override;

  void require_step_resolves(DurationUs longest_interval) const override {
    tactus::require_step_resolves(*vehicle_, solver_, longest_interval);
  }

  void add_state(Digest& digest) const override {
    const MultirotorFlight& flight = flight_.flight();
    digest.add(
        std::span<const double>(flight.state.x, static_cast<std::size_t>(vehicle_->layout.size)));
    // Whole numbers without gaps between them: the bytes of its fields in their order.
    static_assert(std::has_unique_object_representations_v<MultirotorModes>);
    digest.add_bytes(std::as_bytes(std::span(&flight.modes, 1)));
  }

  [[nodiscard]] const SolverTotals& totals() const override {
    return flight_.flight().memory.totals;
  }

  [[nodiscard]] std::vector<BusLeaf> state_leaves() const override {
    return flight_leaves(vehicle_->counts);
  }
  [[nodiscard]] const void* state_block() const override { return &flight_.flight(); }

  void take_notes(std::vector<Note>& notes) override {
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    notes_.clear();
  }

  [[nodiscard]] std::unique_ptr<Plant> clone() const override {
    auto copy = std::make_unique<MultirotorPlant>(*this);
    copy->notes_.reserve(kReservedNotes);
    return copy;
  }

  void save(StateWriter& to) const override;
  void load(StateReader& from) override;
  void require_at(TimeUs now, const StateReader& from) const override {
    if (flight_.flight().now != now) from.refuse("holds a plant of another instant than its own");
  }

 private:
  static constexpr std::size_t kReservedNotes = 64;
  static constexpr int kAutopilotBus = 0;  ///< feeds the autopilot

  void on_event(TimeUs time, PlantEvent event) override {
    notes_.push_back({time, to_text(event.kind), event.index});
    if (event.kind == PlantEventKind::kTouchdown) note_impact(event.index);
    if (event.kind != PlantEventKind::kBrownOut && event.kind != PlantEventKind::kUndervoltage) {
      return;
    }
    TACTUS_ASSERT(time == flight_.flight().now, "an event of the instant of the flight");
    const PowerBusParameters& bus = vehicle_->network.bus[kAutopilotBus].parameters;
    if (event.index == kAutopilotBus && bus.autopilot == AutopilotBrownOut::kStops) {
      autopilot_stopped_ = true;
    }
  }

  void note_impact(int point) {
    TACTUS_ASSERT(point >= 0 && point < vehicle_->counts.gear_points, "a point of the gear");
    const double speed_m_s = closing_speed_m_s(vehicle_->world, motion_in(flight_.flight().state),
                                               vehicle_->gear.position_B_m[point]);
    impact_speed_m_s_ = math::max(impact_speed_m_s_, speed_m_s);
  }

  [[nodiscard]] RigidBodyEntries motion_in(const MultirotorState& state) const {
    const MultirotorLayout& at = vehicle_->layout;
    return {state.x + at.position, state.x + at.velocity, state.x + at.attitude, state.x + at.rate};
  }

  [[nodiscard]] TimeUs next_delayed_command(const Faults& faults) const {
    TimeUs next(std::numeric_limits<std::uint64_t>::max());
    for (int i = 0; i < vehicle_->counts.rotors; ++i) {
      if (faults.motor_delay_us[i] == 0) continue;
      next = std::min(next, delay_.next_after(flight_.flight().now, faults.motor_delay_us[i]));
    }
    return next;
  }

  void publish_state(const MultirotorState& state, Bus& bus) const {
    const MultirotorLayout& at = vehicle_->layout;
    const double* const x = state.x;
    publish_motion(vehicle_->world, motion_in(state), bus.truth);
    for (int i = 0; i < vehicle_->counts.rotors; ++i) {
      bus.esc[i].speed_rad_s = x[at.rotor_speed + i];
    }
    for (int j = 0; j < vehicle_->counts.packs; ++j) bus.battery[j].remaining = x[at.charge + j];
  }

  void publish_outputs(const MultirotorFlight& flight, const MultirotorOutputs& out,
                       DurationUs since_hold, Bus& bus) const {
    const MultirotorCounts& n = vehicle_->counts;
    const MultirotorInput& held = flight_.held();
    bus.truth.acceleration_W_m_s2 = out.acceleration_W_m_s2;
    bus.truth.angular_acceleration_B_rad_s2 = out.angular_acceleration_B_rad_s2;
    bus.truth.specific_force_B_m_s2 = out.specific_force_B_m_s2;
    bus.truth.air_velocity_B_m_s = out.air_velocity_B_m_s;
    bus.environment.density_kg_m3 = out.air.density_kg_m3;
    bus.environment.pressure_pa = out.air.pressure_pa;
    bus.environment.temperature_k = out.air.temperature_k;
    bus.environment.wind_W_m_s = held.wind_W_m_s + to_seconds(since_hold) * held.wind_slope_W_m_s2;
    publish_power(flight, out.power, bus);
    for (int i = 0; i < n.rotors; ++i) {
      bus.esc[i].current_a = out.power.motor_current_a[i];
      bus.loads.thrust_n[i] = out.thrust_n[i];
      bus.loads.torque_nm[i] = out.rotor_torque_nm[i];
      bus.loads.duty[i] = out.duty[i];
    }
    for (int i = 0; i < n.servos; ++i) {
      bus.loads.servo_output[i] = n.servo_actuator_order == 0
                                      ? held.servo_command[i]
                                      : flight.state.x[vehicle_->layout.servo_output + i];
    }
    for (int k = 0; k < n.gear_points; ++k) bus.loads.gear_force_n[k] = out.gear_force_n[k];
    bus.loads.gear_touching_mask = flight.modes.gear_touching;
    bus.loads.impact_speed_m_s = impact_speed_m_s_;
  }

  void publish_power(const MultirotorFlight& flight, const PowerSolution& power, Bus& bus) const {
    const PowerNetwork& network = vehicle_->network;
    for (int b = 0; b < network.bus_count; ++b) {
      bus.power.bus_v[b] = power.bus_v[b];
      bus.power.bus_current_a[b] = power.load_current_a[b];
      for (int k = 0; k < network.bus[b].pack_count; ++k) {
        const int j = network.bus[b].pack[k];
        const PackState state = detail::pack_state(RunTimeShape{vehicle_.get()}, flight.state.x, j);
        bus.battery[j] = battery_status(network.pack[j], state, flight_.held().pack[j],
                                        has_bit(flight.modes.pack_empty, j), power.bus_v[b],
                                        power.pack_current_a[j]);
      }
    }
    bus.power.bus_down_mask = flight.modes.bus_down;
    const bool down =
        has_bit(flight.modes.bus_down, kAutopilotBus) &&
        network.bus[kAutopilotBus].parameters.autopilot != AutopilotBrownOut::kKeepsRunning;
    bus.power.autopilot_powered = !down && !autopilot_stopped_;
  }

  void show_samples(TimeUs start, const Bus& bus, IntervalObserver& observer) {
    for (const auto& sample : samples_.samples) {
      Bus seen = bus;
      seen.time = sample.time;
      MultirotorFlight at_sample = flight_.flight();
      at_sample.now = sample.time;
      std::copy(std::begin(sample.x), std::end(sample.x), at_sample.state.x);
      publish_state(at_sample.state, seen);
      TACTUS_ASSERT(sample.time > start && sample.time < flight_.flight().now,
                    "a sample inside of the interval");
      const DurationUs since_hold = sample.time - start;
      publish_outputs(at_sample, outputs(*vehicle_, flight_.held(), at_sample, since_hold),
                      since_hold, seen);
      observer.sample(sample.time, seen);
    }
  }

  std::shared_ptr<const Multirotor> vehicle_;
  SolverConfig solver_;
  IntegrateMultirotor instead_;
  HeldFlight flight_;
  MultirotorInput read_;  ///< the newest, whether it is held or not
  CommandDelay delay_;
  double impact_speed_m_s_ = 0.0;
  bool autopilot_stopped_ = false;
  std::vector<Note> notes_;
  MultirotorSamples samples_;
};

void MultirotorPlant::save(StateWriter& to) const {
  to.begin("multirotor");
  visit_shape(vehicle_->counts, [&](const char*, int count) { to.add(count); });
  flight_.save(to);
  delay_.save(to);
  to.add(impact_speed_m_s_);
  to.add(autopilot_stopped_);
  flight_.save_settled(to);
}

void MultirotorPlant::load(StateReader& from) {
  from.begin("multirotor");
  visit_shape(vehicle_->counts,
              [&](const char* what, int count) { from.require_same(what, count); });
  flight_.load(from);
  delay_.load(from);
  if (delay_.latest() > flight_.flight().now) {
    from.refuse("holds a command of an instant after its own");
  }
  impact_speed_m_s_ = from.get<double>();
  autopilot_stopped_ = from.get<bool>();
  flight_.load_settled(from);
}

std::optional<Watch> MultirotorPlant::watch_for(const BusLeaf& leaf) const {
  if (const std::optional<Watch> watch = rigid_body_watch(leaf)) return watch;
  const Bus bus;
  const auto offset_of = [&bus](const double& field) {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&field) -
                                    reinterpret_cast<const std::byte*>(&bus));
  };
  for (int i = 0; i < vehicle_->counts.rotors; ++i) {
    if (leaf.offset == offset_of(bus.esc[i].speed_rad_s)) {
      return Watch{WatchQuantity::kRotorSpeed, i};
    }
  }
  for (int j = 0; j < vehicle_->counts.packs; ++j) {
    if (leaf.offset == offset_of(bus.battery[j].remaining)) {
      return Watch{WatchQuantity::kStateOfCharge, j};
    }
  }
  for (int b = 0; b < vehicle_->counts.buses; ++b) {
    if (leaf.offset == offset_of(bus.power.bus_v[b])) return Watch{WatchQuantity::kBusVoltage, b};
  }
  return std::nullopt;
}

}  // namespace

std::vector<BusLeaf> flight_leaves(const MultirotorCounts& counts) {
  const MultirotorFlight flight;
  std::vector<BusLeaf> leaves;
  const auto offset_in = [&flight](const void* part) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(part) -
                                    reinterpret_cast<const std::byte*>(&flight));
  };
  visit_state_fields(counts, flight.state.x, [&](const char* name, const char* unit, auto part) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      leaves.push_back({fmt::format("state.{}[{}]", name, i), unit, "", offset_in(&part[i]),
                        BusLeaf::Kind::kReal});
    }
  });
  for_each_leaf(flight.modes, [&](const LeafPath& path, const auto& value) {
    leaves.push_back({"modes." + path.text(), path.unit, path.meaning, offset_in(&value),
                      leaf_kind<std::remove_cvref_t<decltype(value)>>()});
  });
  return leaves;
}

std::unique_ptr<Plant> make_multirotor_plant(std::shared_ptr<const Multirotor> vehicle,
                                             const SolverConfig& solver,
                                             const MultirotorState& initial,
                                             IntegrateMultirotor instead) {
  return std::make_unique<MultirotorPlant>(std::move(vehicle), solver, initial, std::move(instead));
}

}  // namespace tactus
