// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/import/import_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/vec.h"
#include "tactus/spec/import/import_flight.h"
#include "tactus/spec/import/import_writer.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {
namespace {

class Importer : ImportWriter {
 public:
  Importer(const Files& files, const std::string& path) : ImportWriter(files, path) {}

  std::string text() {
    in.find("schema_version");
    head();
    world();
    body();
    propulsion();
    rotors();
    actuators();
    power();
    contact();
    import_flight(*this, autopilot_s_);
    notes();
    return std::move(out);
  }

 private:
  void head() {
    carry("name", "aircraft.name", std::string("aircraft"));
    put("seed", in.value("aircraft.seed", in.value("seed", std::int32_t{1})));
    table("[vehicle]");
    put("kind", std::string("multirotor"));
    table("[time]");
    carry("end_s", "timeline.t_end_s", 20.0);
    autopilot_s_ = carry("autopilot_s", "timeline.dt_autopilot_s", 0.004);
    carry("wind_s", "timeline.dt_wind_s", 0.001);
    carry("sensors_s", "estimator.dt_est_s", autopilot_s_);
    carry("physics_s", "timeline.dt_phys_s", 0.0);
    table("[log]");
    carry("period_s", "timeline.dt_log_s", 0.01);
    note("theirs logs at boundaries; a period that does not fit the autopilot's would add some");
    put("mode", std::string("interpolate"));
  }

  void world() {
    table("[world]");
    carry("latitude_deg", "home.lat_deg", 47.397742);
    carry("longitude_deg", "home.lon_deg", 8.545594);
    carry("altitude_msl_m", "home.alt_msl_m", 488.0);
    table("[world.atmosphere]");
    in.find("environment.atmosphere");
    put("altitude_kind", std::string("geopotential"));
    table("[world.gravity]");
    const std::string gravity = in.kind("environment.gravity", "uniform");
    if (gravity != "uniform" && gravity != "spherical") {
      in.refuse("environment.gravity", "must be uniform or spherical");
    }
    put("kind", gravity);
    const double uniform = carry("uniform_m_s2", "environment.gravity_mps2", 9.80665);
    const double mu = carry("mu_m3_s2", "environment.gravity_mu", 3.986004418e14);
    const double r0 = carry("radius_m", "environment.gravity_r0_m", 6371000.0);
    gravity_m_s2_ = gravity == "uniform" ? uniform : mu / (r0 * r0);
    wind();
  }

  void wind() {
    const std::string kind = in.kind("environment.wind", "ou");
    const Vec3 mean = in.value("environment.wind_mean_ned", Vec3{});
    const Vec3 sigma = in.value("environment.wind_sigma_ned", Vec3{1.5, 1.5, 0.5});
    const double tau = in.value("environment.wind_tau_s", 3.0);
    const bool turbulent = kind == "ou" || kind == "ou_wind" || kind == "turbulence";
    if (!turbulent && !is_none(kind) && kind != "constant" && kind != "const") {
      in.refuse("environment.wind", "must be none, constant or ou");
    }
    table("[wind]");
    put("mean_ned_m_s", is_none(kind) ? Vec3{} : mean);
    put("turbulence", std::string(turbulent ? "ornstein_uhlenbeck" : "none"));
    put("ou_sigma_ned_m_s", sigma);
    put("ou_time_constant_s", Vec3{tau, tau, tau});
  }

  void body() {
    if (in.kind("airframe.kind", "multirotor") != "multirotor") {
      in.refuse("airframe.kind", "must be multirotor");
    }
    table("[body]");
    mass_kg_ = carry("mass_kg", "airframe.mass_kg", 1.0);
    if (!(mass_kg_ > 0.0)) in.refuse("airframe.mass_kg", "must be greater than zero");
    const Mat3 inertia = read_inertia();
    const auto row = [&](int i) {
      return import_text(Vec3{inertia.m[i][0], inertia.m[i][1], inertia.m[i][2]});
    };
    out += fmt::format("inertia_kg_m2 = [{}, {}, {}]\n", row(0), row(1), row(2));
    carry("linear_drag_n_s_m", "airframe.linear_drag", 0.0);
    put("angular_damping_nm_s", in.value("airframe.angular_damping", Vec3{}));
    initial();
  }

  /// Diagonal with products, placed with positive sign, or a tensor nested or flat.
  Mat3 read_inertia() {
    const Vec3 d = in.value("airframe.inertia_diag_kgm2", Vec3{1.0, 1.0, 1.0});
    const Vec3 p = in.value("airframe.inertia_products_kgm2", Vec3{});
    const TomlNode* tensor = in.find("airframe.inertia_kgm2");
    if (tensor == nullptr) return {{{d.x, p.x, p.y}, {p.x, d.y, p.z}, {p.y, p.z, d.z}}};
    if (tensor->children.size() != 9) return in.value("airframe.inertia_kgm2", Mat3{});
    Mat3 m;
    for (std::size_t i = 0; i < 9; ++i) {
      m.m[i / 3][i % 3] = Original::read<double>(tensor->children[i], "airframe.inertia_kgm2");
    }
    return m;
  }

  void initial() {
    const std::string x0 = "airframe.x0.";
    table("[initial]");
    out += fmt::format("on_ground = {}\n",
                       is_none(in.kind("plant.contact", "flat_ground")) ? "false" : "true");
    put("position_ned_m", in.value(x0 + "pos_ned", Vec3{}));
    put("velocity_ned_m_s", in.value(x0 + "vel_ned", Vec3{}));
    const Vec3 rad = in.value(x0 + "euler_rad", Vec3{});
    const Vec3 deg = in.value(x0 + "euler_deg", math::kRadToDeg * rad);
    const Quat q = in.value(x0 + "q_bn", Quat{});
    if (in.find(x0 + "q_bn") == nullptr) {
      put("euler_deg", deg);
    } else if (norm(q) > 0.0) {
      const Quat unit = normalized(q);
      out += fmt::format("attitude_wxyz = [{}, {}, {}, {}]\n", to_toml(unit.w), to_toml(unit.x),
                         to_toml(unit.y), to_toml(unit.z));
    } else {
      in.refuse(x0 + "q_bn", "must not be zero");
    }
    const Vec3 rate = in.value(x0 + "ω_body", Vec3{});
    put("rate_body_rad_s", in.value(x0 + "omega_body", rate));
  }

  MotorParameters motor() {
    const std::string motor = "airframe.propulsion.motor.";
    MotorParameters m;
    table("[motor]");
    m.kv_rpm_per_v = carry("kv_rpm_per_v", motor + "kv_rpm_per_volt", 920.0);
    m.resistance_ohm = carry("resistance_ohm", motor + "r_ohm", 0.25);
    m.no_load_current_a = carry("no_load_current_a", motor + "i0_a", 0.6);
    m.viscous_friction_nm_s =
        carry("viscous_friction_nm_s", motor + "viscous_friction_nm_per_rad_s", 2e-6);
    m.rotor_inertia_kg_m2 = carry("rotor_inertia_kg_m2", motor + "j_kgm2", 1.2e-5);
    const double limit = carry("phase_current_limit_a", motor + "max_current_a", 60.0);
    put("bus_current_limit_a", limit);
    carry("efficiency", "airframe.propulsion.esc.eta", 0.98);
    carry("dead_zone", "airframe.propulsion.esc.deadzone", 0.02);
    return m;
  }

  void propulsion() {
    const std::string p = "airframe.propulsion.";
    in.find(p + "kind");
    const MotorParameters m = motor();
    if (!(m.kv_rpm_per_v > 0.0)) in.refuse(p + "motor.kv_rpm_per_volt", "must be positive");
    if (!(m.resistance_ohm > 0.0)) in.refuse(p + "motor.r_ohm", "must be positive");
    motors_ = in.tables("actuation.motors");
    if (motors_.empty()) in.refuse("actuation.motors", "there must be at least one motor");
    const double multiple = in.value(p + "thrust_calibration_mult", 2.0);
    const CalibrationTarget target{
        .thrust_n = multiple * mass_kg_ * gravity_m_s2_ / static_cast<double>(motors_.size()),
        .torque_ratio_m = in.value(p + "km_m", 0.05),
        .supply_v = in.value(p + "V_nom", 12.0),
        .density_kg_m3 = in.value(p + "rho_nom", 1.225)};
    ThrustCalibration calibration;
    try {
      calibration = calibrate_thrust(target, m);
    } catch (const Error& error) {
      in.refuse(p + "thrust_calibration_mult", error.what());
    }
    table("[propeller]");
    note(fmt::format("calibrated: {} N per rotor at {} rad/s on {} V", to_toml(target.thrust_n),
                     to_toml(calibration.full_duty_speed_rad_s), to_toml(target.supply_v)));
    put("kind", std::string("quadratic"));
    put("thrust_constant_m4", calibration.thrust_constant_m4);
    put("torque_constant_m5", target.torque_ratio_m * calibration.thrust_constant_m4);
    carry("radius_m", p + "rotor_radius_m", 0.127);
    carry("thrust_inflow_factor", p + "inflow_kT", 8.0);
    carry("torque_inflow_factor", p + "inflow_kQ", 8.0);
  }

  static std::string entry_text(const TomlNode& entry, const char* key,
                                const std::string& fallback) {
    const TomlNode* node = entry.find(key);
    return node == nullptr ? fallback : Original::read<std::string>(*node, key);
  }

  /// Their ids may hold anything; ours are keys.
  static std::string safe_id(std::string id) {
    for (char& c : id) {
      const bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
      if (!ok) c = '_';
    }
    return id;
  }

  /// Four rotors turn as (+, +, −, −), other counts alternate.
  std::vector<double> reaction_signs() {
    std::vector<double> signs;
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      const bool positive = motors_.size() == 4 ? i < 2 : i % 2 == 0;
      signs.push_back(positive ? 1.0 : -1.0);
    }
    const std::string key = "airframe.propulsion.rotor_dir";
    const TomlNode* given = in.find(key);
    if (given == nullptr) return signs;
    if (given->children.size() != signs.size()) in.refuse(key, "needs one sign per motor");
    for (std::size_t i = 0; i < signs.size(); ++i) {
      signs[i] = Original::read<double>(given->children[i], key);
    }
    return signs;
  }

  /// One output per motor or servo, numbered from 1.
  static void require_channels(const std::vector<TomlNode>& entries, const std::string& key,
                               int highest) {
    std::vector<double> channels;
    for (const TomlNode& entry : entries) {
      const TomlNode* channel = entry.find("channel");
      if (channel == nullptr) continue;
      const double number = Original::read<std::int32_t>(*channel, key + ".channel");
      if (number < 1 || number > highest) {
        refuse_value(*channel, key + ".channel", fmt::format("must lie between 1 and {}", highest));
      }
      if (std::find(channels.begin(), channels.end(), number) != channels.end()) {
        refuse_value(*channel, key + ".channel", "is given twice");
      }
      channels.push_back(number);
    }
  }

  void rotors() {
    positions_ = in.vectors("airframe.rotor_pos_body_m");
    std::vector<Vec3> axes = in.vectors("airframe.rotor_axis_body_m");
    if (axes.empty()) axes.assign(motors_.size(), {0.0, 0.0, 1.0});
    if (positions_.size() != motors_.size()) {
      in.refuse("airframe.rotor_pos_body_m", "needs one position per motor");
    }
    if (axes.size() != motors_.size()) {
      in.refuse("airframe.rotor_axis_body_m", "needs one axis per motor");
    }
    require_channels(motors_, "actuation.motors", 12);
    const std::vector<double> signs = reaction_signs();
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      const double length = norm(axes[i]);
      if (!(length > 1e-6)) in.refuse("airframe.rotor_axis_body_m", "an axis has no length");
      table("[[rotor]]");
      const std::string id = entry_text(motors_[i], "id", fmt::format("motor{}", i + 1));
      put("id", safe_id(id));
      put("position_body_m", positions_[i]);
      put("axis_body", (1.0 / length) * axes[i]);
      put("reaction_sign", std::int32_t{signs[i] > 0.0 ? 1 : -1});
      put("bus", safe_id(bus_with("motor_ids", id)));
      const double channel = number(motors_[i], "channel", static_cast<double>(i + 1));
      if (channel != static_cast<double>(i + 1)) {
        note(fmt::format("no counterpart: channel = {}; rotors take commands in this order",
                         to_toml(channel)));
      }
    }
  }

  void actuator(const char* ours, const std::string& theirs, std::size_t count) {
    const std::string kind = in.kind(theirs, "direct");
    table(fmt::format("[{}]", ours));
    if (count != 0) put("count", static_cast<std::int32_t>(count));
    put("kind", kind);
    carry("time_constant_s", theirs + ".τ", 0.05);
    carry("natural_frequency_rad_s", theirs + ".ωn", 20.0);
    carry("damping_ratio", theirs + ".ζ", 0.7);
    carry("rate_limit_per_s", theirs + ".rate_limit", math::infinity());
  }

  void actuators() {
    actuator("motor_actuator", "actuation.motor_actuators", 0);
    const std::vector<TomlNode> servos = in.tables("actuation.servos");
    require_channels(servos, "actuation.servos", 8);
    actuator("servo_actuator", "actuation.servo_actuators", servos.size());
  }

  /// The bus that lists an id, or the first bus.
  std::string bus_with(const char* list, const std::string& id) {
    const std::vector<TomlNode> buses = in.tables("power.buses");
    for (const TomlNode& bus : buses) {
      const TomlNode* ids = bus.find(list);
      for (std::size_t i = 0; ids != nullptr && i < ids->children.size(); ++i) {
        if (ids->children[i].text == id) return entry_text(bus, "id", "main");
      }
    }
    return buses.empty() ? "main" : entry_text(buses.front(), "id", "main");
  }

  void power() {
    for (const TomlNode& bus : in.tables("power.buses")) {
      table("[[bus]]");
      put("id", safe_id(entry_text(bus, "id", "main")));
      put("avionics_power_w", number(bus, "avionics_load_w", 0.0));
    }
    for (const TomlNode& pack : in.tables("power.batteries")) battery(pack);
  }

  static double number(const TomlNode& entry, const char* key, double fallback) {
    const TomlNode* node = entry.find(key);
    return node == nullptr ? fallback : Original::read<double>(*node, key);
  }

  void battery(const TomlNode& pack) {
    const std::string id = entry_text(pack, "id", "bat1");
    table("[[pack]]");
    put("id", safe_id(id));
    put("bus", safe_id(bus_with("battery_ids", id)));
    put("capacity_ah", number(pack, "capacity_ah", 5.0));
    put("soc0", number(pack, "soc0", 1.0));
    const TomlNode* soc = pack.find("ocv_soc");
    const TomlNode* volts = pack.find("ocv_v");
    out += fmt::format("ocv_soc = {}\nocv_v = {}\n", soc ? to_toml(*soc) : "[0.0, 1.0]",
                       volts ? to_toml(*volts) : "[10.8, 12.6]");
    put("r0_ohm", number(pack, "r0", 0.02));
    out += fmt::format("rc = [{{r_ohm = {}, c_farad = {}}}]\n", to_toml(number(pack, "r1", 0.01)),
                       to_toml(number(pack, "c1", 2000.0)));
    out += fmt::format("v_rc0_v = [{}]\n", to_toml(number(pack, "v1_0", 0.0)));
    put("low_soc", number(pack, "low_thr", 0.15));
    put("critical_soc", number(pack, "crit_thr", 0.10));
    put("emergency_soc", number(pack, "emerg_thr", 0.05));
    note(
        fmt::format("no counterpart: min_voltage_v = {} (a floor that created energy); see "
                    "bus.undervoltage_v",
                    to_toml(number(pack, "min_voltage_v", 9.9))));
    if (entry_text(pack, "model", "thevenin") != "thevenin") {
      note("no counterpart: model = \"ideal\"; use a small r0_ohm and a flat curve");
    }
  }

  void contact() {
    if (is_none(in.kind("plant.contact", "flat_ground"))) {
      table("[world.ground]");
      out += "present = false\n";
      return;
    }
    const std::string c = "plant.contact.";
    const double k = in.value(c + "k_n_per_m", 5000.0);
    const double mu = in.value(c + "mu", in.value(c + "μ", 0.8));
    double x = 0.1;
    double y = 0.1;
    for (const Vec3& p : positions_) {
      x = math::max(x, math::abs(p.x));
      y = math::max(y, math::abs(p.y));
    }
    table("[gear]");
    note("contact acted on the centre of mass there; here on four feet at its height, with the");
    note("same sink at rest under a Hunt-Crossley law");
    out += fmt::format("positions_body_m = [{}, {}, {}, {}]\n", import_text(Vec3{x, y, 0.0}),
                       import_text(Vec3{x, -y, 0.0}), import_text(Vec3{-x, -y, 0.0}),
                       import_text(Vec3{-x, y, 0.0}));
    const double sink_m = mass_kg_ * gravity_m_s2_ / k;
    put("stiffness_n_m15", 0.25 * k / math::sqrt(sink_m));
    put("friction", mu);
  }

  void notes() {
    const std::vector<std::string> unused = in.unused();
    if (unused.empty()) return;
    out += "\n# No counterpart:\n";
    for (const std::string& line : unused) note("  " + line);
  }

  double autopilot_s_ = 0.0;
  double gravity_m_s2_ = 0.0;
  double mass_kg_ = 0.0;
  std::vector<TomlNode> motors_;
  std::vector<Vec3> positions_;
};

}  // namespace

std::string import_spec(const Files& files, const std::string& path) {
  return Importer(files, path).text();
}

}  // namespace tactus
