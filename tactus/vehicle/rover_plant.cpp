// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/rover_plant.h"

#include <fmt/format.h>

#include <span>
#include <string>

#include "tactus/core/bits.h"
#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/solver/advance.h"
#include "tactus/solver/sampler.h"

namespace tactus {
namespace {

/// The same rover, with a tap that gets every evaluation.
struct TappedRover : RoverSystem {
  TimeUs from;
  RhsTap* tap;

  Status derivative(double t_s, const double* x, double* dx) const {
    const Status status = RoverSystem::derivative(t_s, x, dx);
    constexpr std::size_t kSize = RoverLayout::kSize;
    tap->evaluated({from, t_s, std::span(x, kSize), std::span<const double>(dx, kSize), {}, {}});
    return status;
  }
};

class RoverPlant final : public Plant {
 public:
  RoverPlant(const RoverParameters& parameters, const World& world, const SolverConfig& solver,
             const RoverStart& start)
      : solver_(solver), world_(world), air_(air_at(world, Vec3{})) {
    require_same_bits();
    validate(parameters, "rover");
    system_.parameters = parameters;
    x_[RoverLayout::kPosition] = start.position_W_m.x;
    x_[RoverLayout::kPosition + 1] = start.position_W_m.y;
    x_[RoverLayout::kPosition + 2] = start.position_W_m.z;
    x_[RoverLayout::kHeading] = start.heading_rad;
  }

  [[nodiscard]] VehicleCounts counts() const override { return {.servos = 2}; }

  void publish_state(Bus& bus) const override { publish_state(x_, bus); }
  void publish_outputs(Bus& bus) const override { publish_outputs(x_, bus.time, bus); }

  bool hold(const Bus& bus) override {
    const auto drive = [&bus](int wheel) {
      return has_bit(bus.faults.servo_stuck_mask, wheel) ? bus.faults.servo_stuck[wheel]
                                                         : bus.command.servo[wheel];
    };
    const RoverInput input{drive(0), drive(1)};
    const Vec3 wind_W_m_s = bus.wind.velocity_W_m_s + bus.disturbance.wind_W_m_s;
    const bool same_wind = wind_W_m_s == wind_W_m_s_ &&
                           bus.wind.slope_W_m_s2 == wind_slope_W_m_s2_ &&
                           bus.wind.since == wind_since_;
    wind_W_m_s_ = wind_W_m_s;
    wind_slope_W_m_s2_ = bus.wind.slope_W_m_s2;
    wind_since_ = bus.wind.since;
    if (input.left_command == system_.input.left_command &&
        input.right_command == system_.input.right_command) {
      return !same_wind;
    }
    validate(input, "rover command");
    system_.input = input;
    memory_.invalidate_derivative();
    return true;
  }

  void settle(Bus& bus) override { bus.loads.gear_touching_mask = 1; }

  TimeUs advance(TimeUs end, WatchList watches, const Bus& bus,
                 IntervalObserver* observer) override {
    system_.watches = watches;
    samples_.samples.clear();
    const bool is_sampled = observer != nullptr && observer->period.us != 0;
    if (is_sampled) samples_.period = observer->period;
    RhsTap* const tap = observer != nullptr ? observer->tap : nullptr;
    const AdvanceResult result =
        tap != nullptr ? integrate(TappedRover{system_, bus.time, tap}, bus.time, end, is_sampled)
                       : integrate(system_, bus.time, end, is_sampled);
    system_.watches = {};
    if (result.status != Status::kOk) {
      throw Error(ExitCode::kRunStopped,
                  fmt::format("t = {} us: the rover cannot be integrated further: {}; step {} us",
                              result.reached.us, to_text(result.status), result.step_us));
    }
    samples_.drop_from(result.reached);
    if (is_sampled) show_samples(bus, *observer);
    return result.reached;
  }

  [[nodiscard]] std::optional<Watch> watch_for(const BusLeaf& leaf) const override {
    const std::string_view axes = "xyz";
    for (int i = 0; i < 2; ++i) {
      const char axis = axes[static_cast<std::size_t>(i)];
      if (leaf.name == fmt::format("truth.position_ned_m.{}", axis)) {
        return Watch{WatchQuantity::kPosition, i};
      }
      if (leaf.name == fmt::format("truth.velocity_ned_m_s.{}", axis)) {
        return Watch{WatchQuantity::kVelocity, i};
      }
    }
    if (leaf.name == "truth.rate_body_rad_s.z") return Watch{WatchQuantity::kRate, 2};
    if (leaf.name == "truth.speed_m_s") return Watch{WatchQuantity::kSpeed, 0};
    return std::nullopt;
  }

  void require_step_resolves(DurationUs longest_interval) const override {
    if (is_adaptive(solver_.method)) return;
    const std::uint64_t step_us = solver_.step_us == 0 || solver_.step_us > longest_interval.us
                                      ? longest_interval.us
                                      : solver_.step_us;
    if (static_cast<double>(step_us) * 1e-6 <= 1.8 * system_.parameters.wheel_time_constant_s) {
      return;
    }
    refuse_key(
        "solver.step_us", fmt::format("{}", step_us),
        fmt::format("too long for rover.wheel_time_constant_s = {}; use a shorter step or an "
                    "adaptive method",
                    system_.parameters.wheel_time_constant_s));
  }

  void add_state(Digest& digest) const override { digest.add(std::span<const double>(x_)); }
  [[nodiscard]] const SolverTotals& totals() const override { return memory_.totals; }
  [[nodiscard]] std::vector<BusLeaf> state_leaves() const override {
    std::vector<BusLeaf> leaves;
    for (std::size_t i = 0; i < RoverLayout::kSize; ++i) {
      leaves.push_back({fmt::format("state.{}", RoverLayout::kNames[i]), RoverLayout::kUnits[i], "",
                        i * sizeof(double), BusLeaf::Kind::kReal});
    }
    return leaves;
  }
  [[nodiscard]] const void* state_block() const override { return x_; }
  void take_notes(std::vector<Note>& /*notes*/) override {}
  [[nodiscard]] std::unique_ptr<Plant> clone() const override {
    return std::make_unique<RoverPlant>(*this);
  }

  void save(StateWriter& to) const override {
    to.begin("rover");
    to.add_numbers("state", x_);
    to.add_fields("step", memory_.step);
    to.add_fields("solver totals", memory_.totals);
    to.add_numbers("derivative", memory_.derivative);
    to.add_fields("held input", system_.input);
    for (const Vec3& v : {wind_W_m_s_, wind_slope_W_m_s2_}) {
      for (const double number : {v.x, v.y, v.z}) to.add(number);
    }
    to.add(wind_since_);
  }

  void load(StateReader& from) override {
    from.begin("rover");
    from.get_numbers("state", x_);
    from.get_fields("step", memory_.step);
    from.get_fields("solver totals", memory_.totals);
    from.get_numbers("derivative", memory_.derivative);
    from.get_fields("held input", system_.input);
    for (Vec3* const v : {&wind_W_m_s_, &wind_slope_W_m_s2_}) {
      for (double* const number : {&v->x, &v->y, &v->z}) *number = from.get<double>();
    }
    wind_since_ = from.get_time();
    if (from.changed()) memory_.invalidate_derivative();
  }

 private:
  template <class System>
  AdvanceResult integrate(const System& system, TimeUs start, TimeUs end, bool is_sampled) {
    if (!is_sampled) return tactus::advance(system, solver_, memory_, start, end, x_);
    return tactus::advance(system, solver_, memory_, start, end, x_,
                           Sampler<RoverLayout::kSize>{end, &samples_});
  }

  void publish_state(const double* x, Bus& bus) const {
    Truth& truth = bus.truth;
    truth.position_W_m = {x[RoverLayout::kPosition], x[RoverLayout::kPosition + 1],
                          x[RoverLayout::kPosition + 2]};
    truth.velocity_W_m_s = rover_velocity(system_.parameters, x);
    truth.attitude = from_euler({0.0, 0.0, x[RoverLayout::kHeading]});
    truth.rate_B_rad_s = {0.0, 0.0, rover_motion(system_.parameters, x).turn_rate_rad_s};
    truth.speed_m_s = norm(truth.velocity_W_m_s);
    truth.height_m = 0.0;
  }

  void publish_outputs(const double* x, TimeUs now, Bus& bus) const {
    double dx[RoverLayout::kSize];
    system_.derivative(0.0, x, dx);
    const RoverMotion motion = rover_motion(system_.parameters, x);
    const double forward_m_s2 = 0.5 * (dx[RoverLayout::kLeftSpeed] + dx[RoverLayout::kRightSpeed]);
    const Vec3 a_B{forward_m_s2, motion.speed_m_s * motion.turn_rate_rad_s, 0.0};
    const Vec3 wind_W_m_s = wind_W_m_s_ + to_seconds(now - wind_since_) * wind_slope_W_m_s2_;
    Truth& truth = bus.truth;
    truth.acceleration_W_m_s2 = rotate(truth.attitude, a_B);
    truth.angular_acceleration_B_rad_s2 = {
        0.0, 0.0,
        (dx[RoverLayout::kLeftSpeed] - dx[RoverLayout::kRightSpeed]) / system_.parameters.track_m};
    truth.specific_force_B_m_s2 = a_B - gravity_at(world_, truth.position_W_m);
    truth.air_velocity_B_m_s = rotate(conjugate(truth.attitude), wind_W_m_s - truth.velocity_W_m_s);
    bus.environment = {air_.density_kg_m3, air_.pressure_pa, air_.temperature_k, wind_W_m_s};
    bus.loads.servo_output[0] = system_.input.left_command;
    bus.loads.servo_output[1] = system_.input.right_command;
    bus.loads.gear_touching_mask = 1;
  }

  void show_samples(const Bus& bus, IntervalObserver& observer) const {
    for (const auto& sample : samples_.samples) {
      Bus seen = bus;
      seen.time = sample.time;
      publish_state(sample.x, seen);
      publish_outputs(sample.x, sample.time, seen);
      observer.sample(sample.time, seen);
    }
  }

  SolverConfig solver_;
  World world_;
  AirState air_;
  RoverSystem system_;
  double x_[RoverLayout::kSize] = {};
  SolverMemory<RoverSystem::kCapacity> memory_;
  Vec3 wind_W_m_s_;  ///< at wind_since_, then along its slope
  Vec3 wind_slope_W_m_s2_;
  TimeUs wind_since_;
  StateSamples<RoverLayout::kSize> samples_;
};

}  // namespace

std::unique_ptr<Plant> make_rover_plant(const RoverParameters& parameters, const World& world,
                                        const SolverConfig& solver, const RoverStart& start) {
  return std::make_unique<RoverPlant>(parameters, world, solver, start);
}

}  // namespace tactus
