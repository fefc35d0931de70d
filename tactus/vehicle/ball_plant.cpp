// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/vehicle/ball_plant.h"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>

#include "tactus/core/checks.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/solver/advance.h"
#include "tactus/solver/sampler.h"
#include "tactus/vehicle/rigid_body_watch.h"

namespace tactus {
namespace {

/// Touchdown speed for which a fixed step must resolve the contact.
constexpr double kDesignImpactSpeed_m_s = 10.0;

/// The same ball, with a tap that is told of every evaluation.
struct TappedBall : BallSystem {
  TimeUs from;
  RhsTap* tap;

  Status derivative(double t_s, const double* x, double* dx) const {
    const Status status = BallSystem::derivative(t_s, x, dx);
    const auto entries = static_cast<std::size_t>(size());
    tap->evaluated({from, t_s, {x, entries}, std::span<const double>(dx, entries), {}, {}});
    return status;
  }
};

/// What changes in flight, apart from the solver's memory.
struct BallFlight {
  double x[BallLayout::kCapacity] = {};
  std::uint32_t touching = 0;
};

class BallPlant final : public Plant {
 public:
  BallPlant(const Ball& ball, const SolverConfig& solver, const BallStart& start)
      : ball_(std::make_shared<const Ball>(ball)), solver_(solver) {
    require_same_bits();
    store(flight_.x + BallLayout::kPosition, start.position_W_m);
    store(flight_.x + BallLayout::kVelocity, start.velocity_W_m_s);
    store(flight_.x + BallLayout::kAttitude, start.attitude);
    store(flight_.x + BallLayout::kRate, start.rate_B_rad_s);
    flip_contacts([](int) {});  // what touches at the start does so silently
  }

  [[nodiscard]] VehicleCounts counts() const override { return {.gear_points = ball_->points}; }
  void publish_state(Bus& bus) const override { publish_state(flight_.x, bus); }
  void publish_outputs(Bus& bus) const override { publish_outputs(flight_.x, bus.time, bus); }

  bool hold(const Bus& bus) override {
    const Vec3 wind_W_m_s = bus.wind.velocity_W_m_s + bus.disturbance.wind_W_m_s;
    if (wind_W_m_s == wind_W_m_s_ && bus.wind.slope_W_m_s2 == wind_slope_W_m_s2_ &&
        bus.wind.since == wind_since_) {
      return false;
    }
    wind_W_m_s_ = wind_W_m_s;
    wind_slope_W_m_s2_ = bus.wind.slope_W_m_s2;
    wind_since_ = bus.wind.since;
    memory_.invalidate_derivative();
    return true;
  }

  void settle(Bus& bus) override {
    flip_contacts([&](int point) {
      const bool touches = has_bit(flight_.touching, point);
      notes_.push_back({bus.time, touches ? "touchdown" : "liftoff", point});
      if (touches) impact_speed_m_s_ = math::max(impact_speed_m_s_, closing_speed_m_s(point));
    });
    bus.loads.impact_speed_m_s = impact_speed_m_s_;
  }

  TimeUs advance(TimeUs end, WatchList watches, const Bus& bus,
                 IntervalObserver* observer) override {
    BallSystem system = system_at(bus.time);
    system.watches = watches;
    samples_.samples.clear();
    const bool is_sampled = observer != nullptr && observer->period.us != 0;
    if (is_sampled) samples_.period = observer->period;
    RhsTap* const tap = observer != nullptr ? observer->tap : nullptr;
    const AdvanceResult result =
        tap != nullptr ? integrate(TappedBall{system, bus.time, tap}, bus.time, end, is_sampled)
                       : integrate(system, bus.time, end, is_sampled);
    if (result.status != Status::kOk) {
      throw Error(ExitCode::kRunStopped,
                  fmt::format("t = {} us: the ball cannot be integrated further: {}; step {} us",
                              result.reached.us, to_text(result.status), result.step_us));
    }
    samples_.drop_from(result.reached);
    if (is_sampled) show_samples(bus, *observer);
    return result.reached;
  }

  [[nodiscard]] std::optional<Watch> watch_for(const BusLeaf& leaf) const override {
    return rigid_body_watch(leaf);
  }

  void require_step_resolves(DurationUs longest_interval) const override {
    if (is_adaptive(solver_.method) || ball_->points == 0) return;
    const std::uint64_t step_us = solver_.step_us == 0 || solver_.step_us > longest_interval.us
                                      ? longest_interval.us
                                      : solver_.step_us;
    const BallParameters& p = ball_->parameters;
    const ContactRates rates = contact_rates(p.contact, p.mass_kg, kDesignImpactSpeed_m_s);
    const bool euler = solver_.method == Method::kEuler;
    const double step_s = to_seconds(DurationUs(step_us));
    if (step_s * rates.normal_rad_s <= (euler ? 0.125 : 1.0) &&
        step_s * rates.friction_per_s <= (euler ? 1.8 : 2.5)) {
      return;
    }
    refuse("solver", "step_us", static_cast<double>(step_us),
           "too long for the contact of the ball; use a shorter step or an adaptive method");
  }

  void add_state(Digest& digest) const override {
    digest.add(state());
    digest.add(flight_.touching);
  }
  [[nodiscard]] const SolverTotals& totals() const override { return memory_.totals; }
  [[nodiscard]] std::vector<BusLeaf> state_leaves() const override;
  [[nodiscard]] const void* state_block() const override { return &flight_; }
  void take_notes(std::vector<Note>& notes) override {
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    notes_.clear();
  }
  [[nodiscard]] std::unique_ptr<Plant> clone() const override {
    return std::make_unique<BallPlant>(*this);
  }
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

 private:
  [[nodiscard]] std::span<const double> state() const {
    return {flight_.x, static_cast<std::size_t>(BallLayout::kBristle + 2 * ball_->points)};
  }
  [[nodiscard]] BallSystem system_at(TimeUs now) const {
    return {.ball = ball_.get(),
            .touching = flight_.touching,
            .wind_W_m_s = wind_at(now),
            .wind_slope_W_m_s2 = wind_slope_W_m_s2_};
  }
  [[nodiscard]] Vec3 wind_at(TimeUs now) const {
    return wind_W_m_s_ + to_seconds(now - wind_since_) * wind_slope_W_m_s2_;
  }

  /// Points are independent of each other, so one pass settles all.
  template <class Flipped>
  void flip_contacts(Flipped flipped) {
    double g[BallSystem::kGuardCapacity];
    system_at(wind_since_).guards(0.0, flight_.x, g);
    for (int k = 0; k < ball_->points; ++k) {
      if (!(g[k] >= 0.0)) continue;
      flight_.touching ^= bit(k);
      memory_.invalidate_derivative();
      flipped(k);
    }
  }

  /// Of a point with the ground, along its normal.
  [[nodiscard]] double closing_speed_m_s(int point) const {
    const Vec3 r_B = ball_->parameters.contact.position_B_m[point];
    const Vec3 spin_W = rotate(load_quat(flight_.x + BallLayout::kAttitude),
                               cross(load_vec3(flight_.x + BallLayout::kRate), r_B));
    return -dot(ball_->world.ground.normal_W,
                load_vec3(flight_.x + BallLayout::kVelocity) + spin_W);
  }

  template <class System>
  AdvanceResult integrate(const System& system, TimeUs start, TimeUs end, bool is_sampled) {
    if (!is_sampled) return tactus::advance(system, solver_, memory_, start, end, flight_.x);
    return tactus::advance(system, solver_, memory_, start, end, flight_.x,
                           Sampler<BallLayout::kCapacity>{end, &samples_});
  }

  void publish_state(const double* x, Bus& bus) const {
    Truth& truth = bus.truth;
    truth.position_W_m = load_vec3(x + BallLayout::kPosition);
    truth.velocity_W_m_s = load_vec3(x + BallLayout::kVelocity);
    truth.attitude = load_quat(x + BallLayout::kAttitude);
    truth.rate_B_rad_s = load_vec3(x + BallLayout::kRate);
    truth.height_m = height_m(ball_->world, truth.position_W_m);
    truth.speed_m_s = norm(truth.velocity_W_m_s);
    truth.tilt_rad = tilt_rad(truth.attitude);
  }

  void publish_outputs(const double* x, TimeUs now, Bus& bus) const {
    double dx[BallLayout::kCapacity];
    BallOutputs out;
    const Status status = system_at(now).evaluate(0.0, x, dx, &out);
    if (status != Status::kOk) {
      throw Error(ExitCode::kRunStopped,
                  fmt::format("t = {} us: no outputs: {}", now.us, to_text(status)));
    }
    Truth& truth = bus.truth;
    truth.acceleration_W_m_s2 = out.acceleration_W_m_s2;
    truth.angular_acceleration_B_rad_s2 = load_vec3(dx + BallLayout::kRate);
    truth.specific_force_B_m_s2 = out.specific_force_B_m_s2;
    truth.air_velocity_B_m_s = out.air_velocity_B_m_s;
    const AirState air = air_at(ball_->world, load_vec3(x + BallLayout::kPosition));
    bus.environment = {air.density_kg_m3, air.pressure_pa, air.temperature_k, wind_at(now)};
    for (int k = 0; k < ball_->points; ++k) bus.loads.gear_force_n[k] = out.contact_force_n[k];
    bus.loads.gear_touching_mask = flight_.touching;
    bus.loads.impact_speed_m_s = impact_speed_m_s_;
  }

  void show_samples(const Bus& bus, IntervalObserver& observer) {
    for (auto& sample : samples_.samples) {
      Bus seen = bus;
      seen.time = sample.time;
      double* const q = sample.x + BallLayout::kAttitude;
      store(q, normalized(load_quat(q)));
      publish_state(sample.x, seen);
      publish_outputs(sample.x, sample.time, seen);
      observer.sample(sample.time, seen);
    }
  }

  std::shared_ptr<const Ball> ball_;
  SolverConfig solver_;
  BallFlight flight_;
  SolverMemory<BallSystem::kCapacity> memory_;
  Vec3 wind_W_m_s_;  ///< at wind_since_, then along its slope
  Vec3 wind_slope_W_m_s2_;
  TimeUs wind_since_;
  double impact_speed_m_s_ = 0.0;
  std::vector<Note> notes_;
  StateSamples<BallLayout::kCapacity> samples_;
};

std::vector<BusLeaf> BallPlant::state_leaves() const {
  struct Part {
    const char* name;
    const char* unit;
    int begin;
    int count;
  };
  const Part parts[] = {{"position_ned_m", "m", BallLayout::kPosition, 3},
                        {"velocity_ned_m_s", "m/s", BallLayout::kVelocity, 3},
                        {"attitude_wxyz", "1", BallLayout::kAttitude, 4},
                        {"rate_body_rad_s", "rad/s", BallLayout::kRate, 3},
                        {"bristle", "1", BallLayout::kBristle, 2 * ball_->points}};
  std::vector<BusLeaf> leaves;
  for (const Part& part : parts) {
    for (int i = 0; i < part.count; ++i) {
      const auto entry = static_cast<std::size_t>(part.begin + i);
      leaves.push_back({fmt::format("state.{}[{}]", part.name, i), part.unit, "",
                        entry * sizeof(double), BusLeaf::Kind::kReal});
    }
  }
  leaves.push_back({"modes.touching", "", "bit i: point i touches the ground",
                    offsetof(BallFlight, touching), leaf_kind<std::uint32_t>()});
  return leaves;
}

void BallPlant::save(StateWriter& to) const {
  to.begin("ball");
  to.add(ball_->points);
  to.add_numbers("state", state());
  to.add(flight_.touching);
  to.add_fields("step", memory_.step);
  to.add_fields("solver totals", memory_.totals);
  to.add_numbers("derivative", std::span(memory_.derivative, state().size()));
  for (const Vec3& v : {wind_W_m_s_, wind_slope_W_m_s2_}) {
    for (const double number : {v.x, v.y, v.z}) to.add(number);
  }
  to.add(wind_since_);
  to.add(impact_speed_m_s_);
}

void BallPlant::load(StateReader& from) {
  from.begin("ball");
  from.require_same("the number of points of contact", ball_->points);
  from.get_numbers("state", std::span(flight_.x, state().size()));
  flight_.touching = from.get<std::uint32_t>();
  from.get_fields("step", memory_.step);
  from.get_fields("solver totals", memory_.totals);
  from.get_numbers("derivative", std::span(memory_.derivative, state().size()));
  for (Vec3* const v : {&wind_W_m_s_, &wind_slope_W_m_s2_}) {
    for (double* const number : {&v->x, &v->y, &v->z}) *number = from.get<double>();
  }
  wind_since_ = from.get_time();
  impact_speed_m_s_ = from.get<double>();
  if (from.changed()) memory_.invalidate_derivative();
}

}  // namespace

std::unique_ptr<Plant> make_ball_plant(const Ball& ball, const SolverConfig& solver,
                                       const BallStart& start) {
  return std::make_unique<BallPlant>(ball, solver, start);
}

}  // namespace tactus
