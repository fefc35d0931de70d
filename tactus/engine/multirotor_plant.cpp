// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/engine/multirotor_plant.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "tactus/core/fields.h"
#include "tactus/engine/command_delay.h"
#include "tactus/plant/multirotor_watch.h"

namespace tactus {
namespace {

bool same_input(const MultirotorInput& a, const MultirotorInput& b) {
  bool same = a.motor_off_mask == b.motor_off_mask && a.wind_W_m_s == b.wind_W_m_s &&
              a.wind_slope_W_m_s2 == b.wind_slope_W_m_s2;
  for (int i = 0; i < kMaxMotors; ++i) {
    same =
        same && a.motor_command[i] == b.motor_command[i] && a.thrust_scale[i] == b.thrust_scale[i];
  }
  for (int i = 0; i < kMaxServos; ++i) same = same && a.servo_command[i] == b.servo_command[i];
  for (int j = 0; j < kMaxPacks; ++j) {
    same = same && a.pack[j].connected == b.pack[j].connected &&
           a.pack[j].resistance_scale == b.pack[j].resistance_scale &&
           a.pack[j].voltage_offset_v == b.pack[j].voltage_offset_v;
  }
  return same;
}

class MultirotorPlant final : public Plant, private PlantEventSink {
 public:
  MultirotorPlant(std::shared_ptr<const Multirotor> vehicle, const SolverConfig& solver,
                  const MultirotorState& initial)
      : vehicle_(std::move(vehicle)),
        solver_(solver),
        flight_(start_flight(*vehicle_, held_, initial)) {
    notes_.reserve(kReservedNotes);
  }

  [[nodiscard]] VehicleCounts counts() const override {
    const MultirotorCounts& n = vehicle_->counts;
    return {n.rotors, n.servos, n.packs, n.buses, n.gear_points};
  }

  void publish_state(Bus& bus) const override { publish_state(flight_.state, bus); }

  bool hold(const Bus& bus) override {
    delay_.push(bus.time, bus.command.motor);
    MultirotorInput input = input_from(bus);
    if (same_input(input, held_)) return false;
    held_ = input;
    held_since_ = bus.time;
    validate(*vehicle_, held_, bus.time);
    flight_.memory.invalidate_derivative();
    unsettled_ = true;
    return true;
  }

  void publish_outputs(Bus& bus) const override {
    publish_outputs(flight_, flight_.now - held_since_, bus);
  }

  void settle(Bus& bus) override {
    const std::uint32_t wanted = bus.faults.rotor_jam_mask;
    for (int i = 0; i < vehicle_->counts.rotors; ++i) {
      if (has_bit(wanted, i) == has_bit(flight_.modes.rotor_jammed, i)) continue;
      if (has_bit(wanted, i)) {
        jam_rotor(*vehicle_, i, flight_.state.x, flight_.modes);
      } else {
        release_rotor(i, flight_.modes);
      }
      flight_.memory.invalidate_derivative();
      unsettled_ = true;
    }
    if (!unsettled_ && flight_.now != next_restart(flight_.modes)) return;
    tactus::settle(*vehicle_, held_, flight_, this);
    unsettled_ = false;
    bus.loads.impact_speed_m_s = impact_speed_m_s_;
  }

  TimeUs advance(TimeUs end, WatchList watches, const Bus& bus, Looking* looking) override {
    end = std::min(end, next_delayed_command(bus.faults));
    const TimeUs start = flight_.now;
    const bool looks = looking != nullptr && looking->period.us != 0;
    samples_.samples.clear();
    if (looks) samples_.period = looking->period;
    const bool fired =
        integrate(*vehicle_, solver_, held_, watches, end, flight_, looks ? &samples_ : nullptr);
    unsettled_ = unsettled_ || fired;
    if (looks) show_samples(start, bus, *looking);
    return flight_.now;
  }

  [[nodiscard]] std::optional<Watch> watch_for(const BusLeaf& leaf) const override;

  void require_step_resolves(DurationUs longest_interval) const override {
    tactus::require_step_resolves(*vehicle_, solver_, longest_interval);
  }

  void add_state(Digest& digest) const override {
    digest.add(
        std::span<const double>(flight_.state.x, static_cast<std::size_t>(vehicle_->layout.size)));
    digest.add_fields(flight_.modes);
  }

  [[nodiscard]] const SolverTotals& totals() const override { return flight_.memory.totals; }

  void take_notes(std::vector<PlantNote>& notes) override {
    notes.assign(notes_.begin(), notes_.end());
    notes_.clear();
  }

  [[nodiscard]] std::unique_ptr<Plant> clone() const override {
    auto copy = std::make_unique<MultirotorPlant>(*this);
    copy->notes_.reserve(kReservedNotes);
    return copy;
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
    const PowerBusParameters& bus = vehicle_->network.bus[kAutopilotBus].parameters;
    if (event.index == kAutopilotBus && bus.autopilot == AutopilotBrownOut::kStops) {
      autopilot_stopped_ = true;
    }
  }

  /// How fast a gear point met the ground, along the ground's normal.
  void note_impact(int point) {
    const MultirotorLayout& at = vehicle_->layout;
    const double* const x = flight_.state.x;
    const Vec3 r_B = vehicle_->gear.position_B_m[point];
    const Mat3 r_WB = rotation_matrix(load_quat(x + at.attitude));
    const Vec3 v_W = load_vec3(x + at.velocity) + r_WB * cross(load_vec3(x + at.rate), r_B);
    const double down_m_s = -dot(vehicle_->ground.normal_W, v_W);
    impact_speed_m_s_ = math::max(impact_speed_m_s_, down_m_s);
  }

  [[nodiscard]] MultirotorInput input_from(const Bus& bus) const {
    const Faults& faults = bus.faults;
    MultirotorInput input;
    for (int i = 0; i < vehicle_->counts.rotors; ++i) {
      const double commanded = faults.motor_delay_us[i] == 0
                                   ? bus.command.motor[i]
                                   : delay_.at(bus.time, i, faults.motor_delay_us[i]);
      input.motor_command[i] =
          has_bit(faults.motor_stuck_mask, i) ? faults.motor_stuck[i] : commanded;
      input.thrust_scale[i] = faults.thrust_scale[i];
    }
    for (int i = 0; i < vehicle_->counts.servos; ++i) {
      input.servo_command[i] =
          has_bit(faults.servo_stuck_mask, i) ? faults.servo_stuck[i] : bus.command.servo[i];
    }
    for (int j = 0; j < vehicle_->counts.packs; ++j) input.pack[j] = faults.pack[j];
    input.motor_off_mask = faults.motor_off_mask;
    input.wind_W_m_s = bus.wind.velocity_W_m_s +
                       to_seconds(bus.time - bus.wind.since) * bus.wind.slope_W_m_s2 +
                       bus.disturbance.wind_W_m_s;
    input.wind_slope_W_m_s2 = bus.wind.slope_W_m_s2;
    return input;
  }

  [[nodiscard]] TimeUs next_delayed_command(const Faults& faults) const {
    TimeUs next(std::numeric_limits<std::uint64_t>::max());
    for (int i = 0; i < vehicle_->counts.rotors; ++i) {
      if (faults.motor_delay_us[i] == 0) continue;
      next = std::min(next, delay_.next_after(flight_.now, faults.motor_delay_us[i]));
    }
    return next;
  }

  void publish_state(const MultirotorState& state, Bus& bus) const {
    const MultirotorLayout& at = vehicle_->layout;
    const double* const x = state.x;
    Truth& truth = bus.truth;
    truth.position_W_m = load_vec3(x + at.position);
    truth.velocity_W_m_s = load_vec3(x + at.velocity);
    truth.attitude = load_quat(x + at.attitude);
    truth.rate_B_rad_s = load_vec3(x + at.rate);
    truth.height_m = height_m(vehicle_->ground, truth.position_W_m);
    truth.speed_m_s = norm(truth.velocity_W_m_s);
    truth.tilt_rad = tilt_rad(truth.attitude);
    for (int i = 0; i < vehicle_->counts.rotors; ++i) {
      bus.esc[i].speed_rad_s = x[at.rotor_speed + i];
    }
    for (int j = 0; j < vehicle_->counts.packs; ++j) bus.battery[j].remaining = x[at.charge + j];
  }

  void publish_outputs(const MultirotorFlight& flight, DurationUs since_hold, Bus& bus) const {
    const MultirotorCounts& n = vehicle_->counts;
    const MultirotorOutputs out = outputs(*vehicle_, held_, flight, since_hold);
    bus.truth.acceleration_W_m_s2 = out.acceleration_W_m_s2;
    bus.truth.angular_acceleration_B_rad_s2 = out.angular_acceleration_B_rad_s2;
    bus.truth.specific_force_B_m_s2 = out.specific_force_B_m_s2;
    bus.truth.air_velocity_B_m_s = out.air_velocity_B_m_s;
    bus.environment.density_kg_m3 = out.air.density_kg_m3;
    bus.environment.pressure_pa = out.air.pressure_pa;
    bus.environment.temperature_k = out.air.temperature_k;
    bus.environment.wind_W_m_s =
        held_.wind_W_m_s + to_seconds(since_hold) * held_.wind_slope_W_m_s2;
    publish_power(flight, out.power, bus);
    for (int i = 0; i < n.rotors; ++i) {
      bus.esc[i].current_a = out.power.motor_current_a[i];
      bus.loads.thrust_n[i] = out.thrust_n[i];
      bus.loads.torque_nm[i] = out.rotor_torque_nm[i];
      bus.loads.duty[i] = out.duty[i];
    }
    for (int i = 0; i < n.servos; ++i) {
      bus.loads.servo_output[i] = n.servo_actuator_order == 0
                                      ? held_.servo_command[i]
                                      : flight.state.x[vehicle_->layout.servo_output + i];
    }
    for (int k = 0; k < n.gear_points; ++k) bus.loads.gear_force_n[k] = out.gear_force_n[k];
    bus.loads.gear_touching_mask = flight.modes.gear_touching;
    bus.loads.impact_speed_m_s = impact_speed_m_s_;
  }

  /// A pack behind a diode that blocks stands at its own voltage, below that of the bus.
  [[nodiscard]] double terminal_v(const MultirotorFlight& flight, const PowerSolution& power,
                                  int bus, int pack) const {
    const Pack& model = vehicle_->network.pack[pack];
    if (!model.diode || power.pack_current_a[pack] > 0.0) return power.bus_v[bus];
    const PackState state = detail::pack_state(RunTimeShape{vehicle_.get()}, flight.state.x, pack);
    return pack_source(model, state, held_.pack[pack]).emf_v;
  }

  void publish_power(const MultirotorFlight& flight, const PowerSolution& power, Bus& bus) const {
    const PowerNetwork& network = vehicle_->network;
    for (int b = 0; b < network.bus_count; ++b) {
      bus.power.bus_v[b] = power.bus_v[b];
      bus.power.bus_current_a[b] = power.load_current_a[b];
      for (int k = 0; k < network.bus[b].pack_count; ++k) {
        const int j = network.bus[b].pack[k];
        const double soc = flight.state.x[vehicle_->layout.charge + j];
        BatteryStatus& status = bus.battery[j];
        status.connected = held_.pack[j].connected && !has_bit(flight.modes.pack_empty, j);
        status.voltage_v = held_.pack[j].connected ? terminal_v(flight, power, b, j) : 0.0;
        status.current_a = power.pack_current_a[j];
        status.warning = battery_warning(network.pack[j], soc);
      }
    }
    bus.power.bus_down_mask = flight.modes.bus_down;
    const bool down =
        has_bit(flight.modes.bus_down, kAutopilotBus) &&
        network.bus[kAutopilotBus].parameters.autopilot != AutopilotBrownOut::kKeepsRunning;
    bus.power.autopilot_powered = !down && !autopilot_stopped_;
  }

  void show_samples(TimeUs start, const Bus& bus, Looking& looking) {
    for (const auto& sample : samples_.samples) {
      Bus seen = bus;
      seen.time = sample.time;
      MultirotorFlight at_sample = flight_;
      at_sample.now = sample.time;
      std::copy(std::begin(sample.x), std::end(sample.x), at_sample.state.x);
      publish_state(at_sample.state, seen);
      publish_outputs(at_sample, sample.time - start, seen);
      looking.look(sample.time, seen);
    }
  }

  std::shared_ptr<const Multirotor> vehicle_;
  SolverConfig solver_;
  MultirotorInput held_;
  TimeUs held_since_;
  MultirotorFlight flight_;
  CommandDelay delay_;
  double impact_speed_m_s_ = 0.0;
  bool autopilot_stopped_ = false;
  bool unsettled_ = true;  ///< input, modes or a guard changed since the last settle
  std::vector<PlantNote> notes_;
  MultirotorSamples samples_;
};

std::optional<Watch> MultirotorPlant::watch_for(const BusLeaf& leaf) const {
  struct Named {
    const char* name;
    WatchQuantity quantity;
    int index;
  };
  static constexpr Named kNamed[] = {
      {"truth.position_ned_m.x", WatchQuantity::kPosition, 0},
      {"truth.position_ned_m.y", WatchQuantity::kPosition, 1},
      {"truth.position_ned_m.z", WatchQuantity::kPosition, 2},
      {"truth.velocity_ned_m_s.x", WatchQuantity::kVelocity, 0},
      {"truth.velocity_ned_m_s.y", WatchQuantity::kVelocity, 1},
      {"truth.velocity_ned_m_s.z", WatchQuantity::kVelocity, 2},
      {"truth.rate_body_rad_s.x", WatchQuantity::kRate, 0},
      {"truth.rate_body_rad_s.y", WatchQuantity::kRate, 1},
      {"truth.rate_body_rad_s.z", WatchQuantity::kRate, 2},
      {"truth.height_m", WatchQuantity::kHeight, 0},
      {"truth.speed_m_s", WatchQuantity::kSpeed, 0},
      {"truth.tilt_rad", WatchQuantity::kTilt, 0},
  };
  for (const Named& named : kNamed) {
    if (leaf.name == named.name) return Watch{named.quantity, named.index};
  }
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

std::unique_ptr<Plant> make_multirotor_plant(std::shared_ptr<const Multirotor> vehicle,
                                             const SolverConfig& solver,
                                             const MultirotorState& initial) {
  return std::make_unique<MultirotorPlant>(std::move(vehicle), solver, initial);
}

}  // namespace tactus
