// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/import/import_original.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/spec/reader/spec_inheritance.h"

namespace tactus {
namespace {

struct KnownTable {
  std::string_view name;
  std::string_view keys;  ///< separated by spaces
};

/// Every key of the format (schema_version = 1), tables and arrays of tables alike.
constexpr KnownTable kKnown[] = {
    {"", "schema_version seed"},
    {"aircraft", "name seed"},
    {"home", "lat_deg lon_deg alt_msl_m"},
    {"timeline", "t_end_s dt_autopilot_s dt_wind_s dt_log_s dt_phys_s"},
    {"environment",
     "wind wind_mean_ned wind_sigma_ned wind_tau_s atmosphere gravity "
     "gravity_mps2 gravity_mu gravity_r0_m"},
    {"scenario", "arm_time_s mission_time_s"},
    {"estimator",
     "kind pos_sigma_m vel_sigma_mps yaw_sigma_rad rate_sigma_rad_s "
     "bias_tau_s rate_bias_sigma_rad_s delay_s dt_est_s"},
    {"plant", "integrator contact"},
    {"plant.contact", "kind k_n_per_m c_n_per_mps mu μ v_eps enable_friction"},
    {"airframe",
     "kind mass_kg inertia_diag_kgm2 inertia_products_kgm2 inertia_kgm2 "
     "rotor_pos_body_m rotor_axis_body_m linear_drag angular_damping"},
    {"airframe.x0", "pos_ned vel_ned q_bn euler_deg euler_rad omega_body ω_body"},
    {"airframe.propulsion",
     "kind km_m V_nom rho_nom rotor_radius_m inflow_kT inflow_kQ "
     "thrust_calibration_mult rotor_dir"},
    {"airframe.propulsion.esc", "eta deadzone"},
    {"airframe.propulsion.motor",
     "kv_rpm_per_volt r_ohm j_kgm2 i0_a viscous_friction_nm_per_rad_s "
     "max_current_a"},
    {"actuation.motors", "id channel"},
    {"actuation.servos", "id channel"},
    {"actuation", "motors servos motor_actuators servo_actuators"},
    {"actuation.motor_actuators", "kind τ ωn ζ rate_limit"},
    {"actuation.servo_actuators", "kind τ ωn ζ rate_limit"},
    {"power", "share_mode batteries buses"},
    {"power.batteries",
     "id model capacity_ah soc0 ocv_soc ocv_v r0 r1 c1 v1_0 min_voltage_v "
     "low_thr crit_thr emerg_thr"},
    {"power.buses", "id battery_ids motor_ids servo_ids avionics_load_w"},
    {"run", "mode recording_in recording_out log_csv"},
};

std::vector<std::string> known_keys() {
  std::vector<std::string> all;
  for (const KnownTable& table : kKnown) {
    std::string_view keys = table.keys;
    while (!keys.empty()) {
      const std::string_view key = keys.substr(0, keys.find(' '));
      all.push_back(join_key(table.name, key));
      keys.remove_prefix(std::min(keys.size(), key.size() + 1));
    }
  }
  return all;
}

/// Tables that are not looked into: nothing of the first two has a counterpart, and the fields
/// of an integrator depend on its kind.
constexpr std::string_view kOpaque[] = {"px4", "sensors", "plant.integrator"};

void refuse_unknown(const TomlNode& node, const std::string& path,
                    const std::vector<std::string>& known) {
  for (const TomlNode& child : node.children) {
    const std::string key = join_key(path, child.key);
    if (std::find(std::begin(kOpaque), std::end(kOpaque), key) != std::end(kOpaque)) continue;
    if (child.is_table()) {
      refuse_unknown(child, key, known);
    } else if (child.is_array_of_tables()) {
      for (const TomlNode& entry : child.children) refuse_unknown(entry, key, known);
    } else if (std::find(known.begin(), known.end(), key) == known.end()) {
      refuse_value(child, key, did_you_mean("unknown key", key, known));
    }
  }
}

/// A spec of ours has tables that theirs never have.
void refuse_own_format(const TomlNode& root) {
  for (const char* table : {"vehicle", "body", "rotor", "autopilot", "event", "expect", "time"}) {
    const TomlNode* node = root.find(table);
    if (node == nullptr) continue;
    throw PlacedError(
        ExitCode::kBadInput, node->at, table,
        fmt::format("{}: this is a Tactus spec already, not a file of PX4Lockstep.jl", table));
  }
}

void merge_plain(TomlNode& base, const TomlNode& over) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < base.children.size(); ++i) index[base.children[i].key] = i;
  for (const TomlNode& child : over.children) {
    const auto old = index.find(child.key);
    if (old == index.end()) {
      base.children.push_back(child);
    } else if (TomlNode& same = base.children[old->second]; same.is_table() && child.is_table()) {
      merge_plain(same, child);
    } else {
      same = child;
    }
  }
}

TomlNode read_merged(const Files& files, const std::string& file) {
  InheritanceRules rules;
  rules.find = [](const TomlNode& name) {
    const std::filesystem::path folder = std::filesystem::path(name.at.file).parent_path();
    return (folder / name.text).lexically_normal().string();
  };
  rules.no_such_file = [&](const TomlNode& name) { return "there is no file " + rules.find(name); };
  rules.check = [known = known_keys()](TomlNode& own) {
    refuse_own_format(own);
    refuse_unknown(own, "", known);
  };
  rules.merge = merge_plain;
  return merged_with_extended(files, files.read(file), file, rules);
}

}  // namespace

Original::Original(const Files& files, const std::string& path)
    : files_(&files), root_(read_merged(files, path)) {}

const TomlNode* Original::find(const std::string& key) {
  used_.insert(key);
  const TomlNode* node = &root_;
  for (std::size_t from = 0; node != nullptr && from != std::string::npos;) {
    const std::size_t dot = key.find('.', from);
    node = node->find(key.substr(from, dot == std::string::npos ? dot : dot - from));
    from = dot == std::string::npos ? dot : dot + 1;
  }
  return node;
}

std::string Original::kind(const std::string& key, const std::string& fallback) {
  const TomlNode* node = find(key);
  if (node == nullptr) return fallback;
  if (node->is_table()) return kind(key + ".kind", fallback);
  std::string lower = read<std::string>(*node, key);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = "abcdefghijklmnopqrstuvwxyz"[c - 'A'];
  }
  return lower;
}

std::vector<TomlNode> Original::tables(const std::string& key) {
  const TomlNode* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array_of_tables()) refuse_value(*node, key, "must be an array of tables");
  return node->children;
}

std::vector<Vec3> Original::vectors(const std::string& key) {
  const TomlNode* node = find(key);
  std::vector<Vec3> out;
  if (node == nullptr) return out;
  if (!node->is_array()) refuse_value(*node, key, "must be an array of [x, y, z]");
  for (const TomlNode& child : node->children) out.push_back(read<Vec3>(child, key));
  return out;
}

void Original::refuse(const std::string& key, std::string_view reason) {
  if (const TomlNode* node = find(key)) refuse_value(*node, key, reason);
  throw Error(ExitCode::kBadInput, fmt::format("{}{}: {}", root_.at.prefix(), key, reason));
}

std::vector<std::string> Original::unused() const {
  std::vector<std::string> out;
  list_unused(root_, "", out);
  return out;
}

void Original::list_unused(const TomlNode& table, const std::string& path,
                           std::vector<std::string>& out) const {
  for (const TomlNode& child : table.children) {
    const std::string key = join_key(path, child.key);
    if (child.is_table()) {
      list_unused(child, key, out);
    } else if (used_.count(key) == 0) {
      out.push_back(fmt::format("{} = {}", key, to_toml(child)));
    }
  }
}

}  // namespace tactus
