// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/import/import_flight.h"

#include <filesystem>
#include <vector>

#include "tactus/core/math.h"
#include "tactus/core/time.h"

namespace tactus {
namespace {

void estimator(ImportWriter& w, double autopilot_s) {
  const std::string e = "estimator.";
  const bool truth = is_none(w.in.kind(e + "kind", "noisy_delayed"));
  w.table("[estimator]");
  w.put("kind", std::string(truth ? "truth" : "noisy"));
  w.put("position_sigma_ned_m", w.in.value(e + "pos_sigma_m", Vec3{0.02, 0.02, 0.02}));
  w.put("velocity_sigma_ned_m_s", w.in.value(e + "vel_sigma_mps", Vec3{0.05, 0.05, 0.05}));
  w.put("attitude_sigma_rad", Vec3{0.0, 0.0, w.in.value(e + "yaw_sigma_rad", 0.01)});
  w.put("rate_sigma_body_rad_s", w.in.value(e + "rate_sigma_rad_s", Vec3{0.005, 0.005, 0.005}));
  w.put("rate_bias_sigma_body_rad_s",
        w.in.value(e + "rate_bias_sigma_rad_s", Vec3{0.001, 0.001, 0.001}));
  w.carry("rate_bias_time_constant_s", e + "bias_tau_s", 50.0);
  w.carry("delay_s", e + "delay_s", 2.0 * autopilot_s);
}

/// The first name that is given counts.
void tolerance(ImportWriter& w, const char* ours, const std::vector<std::string>& rtol,
               double rtol_default, const std::vector<std::string>& atol, double atol_default) {
  const auto first = [&w](const std::vector<std::string>& names, double fallback) {
    for (auto it = names.rbegin(); it != names.rend(); ++it) fallback = w.in.value(*it, fallback);
    return fallback;
  };
  w.table(fmt::format("[solver.{}]", ours));
  w.put("rtol", first(rtol, rtol_default));
  w.put("atol", first(atol, atol_default));
}

/// Theirs are seconds, 0 or infinity: not set.
void steps(ImportWriter& w, const std::string& p) {
  for (const char* name : {"h_min", "h_max", "h_init"}) {
    const double seconds = w.in.value(p + name, 0.0);
    if (!(seconds > 0.0 && math::is_finite(seconds))) continue;
    const DurationUs step = duration_from_seconds(math::max(seconds, 1e-6), p + name);
    w.out += fmt::format("{}_us = {}\n", name, step.us);
  }
  for (const char* name : {"safety", "min_factor", "max_factor"}) {
    if (w.in.find(p + name) != nullptr) w.carry(name, p + name, 0.0);
  }
}

/// Adaptive methods only; fixed ones have no fields there.
void solver(ImportWriter& w) {
  const std::string p = "plant.integrator.";
  const std::string method = w.in.kind("plant.integrator", "rk45");
  w.table("[solver]");
  w.put("method", method);
  const bool adaptive = method == "rk23" || method == "rk45";
  if (!adaptive) return;
  const double rtol = method == "rk23" ? 1e-6 : 1e-7;
  w.carry("attitude_atol_rad", p + "atol_att", w.in.value(p + "atol_att_rad", 1e-6));
  steps(w, p);
  tolerance(w, "position", {p + "rtol_pos"}, rtol, {p + "atol_pos"}, 1e-6);
  tolerance(w, "velocity", {p + "rtol_vel"}, rtol, {p + "atol_vel"}, 1e-6);
  tolerance(w, "rate", {p + "rtol_omega", p + "rtol_ω"}, rtol, {p + "atol_omega", p + "atol_ω"},
            1e-6);
  if (!w.in.value(p + "plant_error_control", false)) return;
  const double off = math::infinity();
  tolerance(w, "actuator", {p + "rtol_act"}, 0.0, {p + "atol_act"}, off);
  tolerance(w, "actuator_rate", {p + "rtol_actdot"}, 0.0, {p + "atol_actdot"}, off);
  tolerance(w, "rotor", {p + "rtol_rotor"}, 0.0, {p + "atol_rotor"}, off);
  tolerance(w, "charge", {p + "rtol_soc"}, 0.0, {p + "atol_soc"}, off);
  tolerance(w, "polarisation", {p + "rtol_v1"}, 0.0, {p + "atol_v1"}, off);
}

void event(ImportWriter& w, const char* action, const std::string& theirs, double fallback) {
  w.table("[[event]]");
  w.put("id", std::string(action));
  w.carry("at_s", theirs, fallback);
  w.put("do", std::string(action));
}

}  // namespace

void import_flight(ImportWriter& w, double autopilot_s) {
  estimator(w, autopilot_s);
  solver(w);
  w.table("[autopilot]");
  w.put("kind", std::string("builtin"));
  if (const TomlNode* mission = w.in.find("px4.mission_path")) {
    // The original resolves inherited paths against the file that was opened.
    const std::filesystem::path folder = std::filesystem::path(w.in.file()).parent_path();
    const std::string text = Original::read<std::string>(*mission, "px4.mission_path");
    w.put("mission", w.in.files().absolute((folder / text).string()));
  }
  event(w, "arm", "scenario.arm_time_s", 1.0);
  event(w, "mission", "scenario.mission_time_s", 2.0);
}

}  // namespace tactus
