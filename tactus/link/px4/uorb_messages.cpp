// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/px4/uorb_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/files/text_file.h"

namespace tactus {
namespace {

/// Fields in .msg order; neighbours of one type share it: "float32 x y; bool valid".
struct KnownMessage {
  const char* name;
  int queue;
  const char* fields;
};

constexpr KnownMessage kMessages[] = {
    {"VehicleAttitude", 1,
     "uint64 timestamp timestamp_sample; float32[4] q delta_q_reset; uint8 "
     "quat_reset_counter"},
    {"VehicleLocalPosition", 1,
     "uint64 timestamp timestamp_sample; bool xy_valid z_valid v_xy_valid v_z_valid; "
     "float32 x y z; float32[2] delta_xy; uint8 xy_reset_counter; float32 delta_z; uint8 "
     "z_reset_counter; float32 vx vy vz z_deriv; float32[2] delta_vxy; uint8 "
     "vxy_reset_counter; float32 delta_vz; uint8 vz_reset_counter; float32 ax ay az "
     "heading heading_var unaided_heading delta_heading; uint8 heading_reset_counter; bool "
     "heading_good_for_control; float32 tilt_var; bool xy_global z_global; uint64 "
     "ref_timestamp; float64 ref_lat ref_lon; float32 ref_alt; bool dist_bottom_valid; "
     "float32 dist_bottom dist_bottom_var delta_dist_bottom; uint8 "
     "dist_bottom_reset_counter dist_bottom_sensor_bitfield; float32 eph epv evh evv; bool "
     "dead_reckoning; float32 vxy_max vz_max hagl_min hagl_max_z hagl_max_xy"},
    {"VehicleGlobalPosition", 1,
     "uint64 timestamp timestamp_sample; float64 lat lon; float32 alt alt_ellipsoid; bool "
     "lat_lon_valid alt_valid; float32 delta_alt delta_terrain; uint8 "
     "lat_lon_reset_counter alt_reset_counter terrain_reset_counter; float32 eph epv "
     "terrain_alt; bool terrain_alt_valid dead_reckoning"},
    {"VehicleAngularVelocity", 1,
     "uint64 timestamp timestamp_sample; float32[3] xyz xyz_derivative"},
    {"VehicleLandDetected", 1,
     "uint64 timestamp; bool freefall ground_contact maybe_landed landed in_ground_effect "
     "in_descend has_low_throttle vertical_movement horizontal_movement "
     "rotational_movement close_to_ground_or_skipped_check at_rest"},
    {"VehicleStatus", 1,
     "uint64 timestamp armed_time takeoff_time; uint8 arming_state latest_arming_reason "
     "latest_disarming_reason; uint64 nav_state_timestamp; uint8 nav_state_user_intention "
     "nav_state executor_in_charge; uint32 valid_nav_states_mask can_set_nav_states_mask; "
     "uint16 failure_detector_status; uint8 hil_state vehicle_type; bool failsafe "
     "failsafe_and_user_took_over; uint8 failsafe_defer_state; bool gcs_connection_lost; "
     "uint8 gcs_connection_lost_counter; bool high_latency_data_link_lost is_vtol "
     "is_vtol_tailsitter in_transition_mode in_transition_to_fw; uint8 system_type "
     "system_id component_id; bool safety_button_available safety_off power_input_valid "
     "usb_connected open_drone_id_system_present open_drone_id_system_healthy "
     "parachute_system_present parachute_system_healthy rc_calibration_in_progress "
     "calibration_enabled pre_flight_checks_pass"},
    {"VehicleControlMode", 1,
     "uint64 timestamp; bool flag_armed flag_multicopter_position_control_enabled "
     "flag_control_manual_enabled flag_control_auto_enabled flag_control_offboard_enabled "
     "flag_control_position_enabled flag_control_velocity_enabled "
     "flag_control_altitude_enabled flag_control_climb_rate_enabled "
     "flag_control_acceleration_enabled flag_control_attitude_enabled "
     "flag_control_rates_enabled flag_control_allocation_enabled "
     "flag_control_termination_enabled; uint8 source_id"},
    {"BatteryStatus", 1,
     "uint64 timestamp; bool connected; float32 voltage_v current_a current_average_a "
     "discharged_mah remaining scale time_remaining_s temperature; uint8 cell_count source "
     "priority; uint16 capacity cycle_count average_time_to_empty manufacture_date "
     "state_of_health max_error; uint8 id; uint16 interface_error; float32[14] "
     "voltage_cell_v; float32 max_cell_voltage_delta; bool is_powering_off is_required; "
     "uint8 warning; uint16 faults; float32 full_charge_capacity_wh remaining_capacity_wh; "
     "uint16 over_discharge_count; float32 nominal_voltage internal_resistance_estimate "
     "ocv_estimate ocv_estimate_filtered volt_based_soc_estimate voltage_prediction "
     "prediction_error estimation_covariance_norm"},
    {"ActuatorArmed", 1,
     "uint64 timestamp; bool armed prearmed ready_to_arm lockdown kill termination "
     "in_esc_calibration_mode"},
    {"HomePosition", 1,
     "uint64 timestamp; float64 lat lon; float32 alt x y z roll pitch yaw; bool valid_alt "
     "valid_hpos valid_lpos manual_home; uint32 update_count"},
    {"ActuatorMotors", 1,
     "uint64 timestamp timestamp_sample; uint16 reversible_flags; float32[12] control"},
    {"ActuatorServos", 1, "uint64 timestamp timestamp_sample; float32[8] control"},
    {"VehicleAttitudeSetpoint", 1,
     "uint64 timestamp; float32 yaw_sp_move_rate; float32[4] q_d; float32[3] thrust_body"},
    {"VehicleRatesSetpoint", 1,
     "uint64 timestamp; float32 roll pitch yaw; float32[3] thrust_body; bool "
     "reset_integral"},
    {"MissionResult", 1,
     "uint64 timestamp; uint32 mission_id geofence_id home_position_counter; int32 "
     "seq_reached; uint16 seq_current seq_total; bool valid warning finished failure "
     "item_do_jump_changed; uint16 item_changed_index item_do_jump_remaining; uint8 "
     "execution_mode"},
    {"TrajectorySetpoint", 1,
     "uint64 timestamp; float32[3] position velocity acceleration jerk; float32 yaw "
     "yawspeed"},
    {"VehicleCommand", 8,
     "uint64 timestamp; float32 param1 param2 param3 param4; float64 param5 param6; "
     "float32 param7; uint32 command; uint8 target_system target_component source_system; "
     "uint16 source_component; uint8 confirmation; bool from_external"},
};

/// The short form above, as a definition.
UorbDefinition read_known(const KnownMessage& known) {
  std::string text;
  std::string_view rest = known.fields;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    std::string_view group = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const std::string_view type = group.substr(0, group.find(' '));
    group.remove_prefix(type.size() + 1);
    while (!group.empty()) {
      const std::string_view name = group.substr(0, group.find(' '));
      group.remove_prefix(std::min(name.size() + 1, group.size()));
      text += fmt::format("{} {}\n", type, name);
    }
  }
  UorbDefinition definition = parse_msg(text, known.name);
  definition.queue = known.queue;
  return definition;
}

}  // namespace

std::string message_of_topic(std::string_view topic) {
  std::string name;
  bool first = true;
  for (const char letter : topic) {
    const bool small = letter >= 'a' && letter <= 'z';
    if (letter != '_') name += first && small ? static_cast<char>(letter ^ 0x20) : letter;
    first = letter == '_';
  }
  return name;
}

UorbCatalog::UorbCatalog(std::string folder) : folder_(std::move(folder)) {
  std::error_code ignored;
  if (folder_.empty() || std::filesystem::is_directory(folder_, ignored)) return;
  throw Error(ExitCode::kEnvironment,
              fmt::format("messages \"{}\": not a folder; it should be the folder \"msg\" of the "
                          "PX4 that the library was built from",
                          folder_));
}

std::string UorbCatalog::file_of(const std::string& message) const {
  if (folder_.empty()) return {};
  std::error_code ignored;
  for (const char* const inside : {"/versioned/", "/"}) {
    std::string file = folder_ + inside + message + ".msg";
    if (std::filesystem::is_regular_file(file, ignored)) return file;
  }
  return {};
}

UorbDefinition UorbCatalog::definition(const std::string& message) const {
  const std::string file = file_of(message);
  if (!file.empty()) return parse_msg(read_text_file(file), file);
  const auto* const known =
      std::find_if(std::begin(kMessages), std::end(kMessages),
                   [&](const KnownMessage& each) { return message == each.name; });
  if (known != std::end(kMessages)) return read_known(*known);
  throw Error(ExitCode::kBadInput,
              fmt::format("message {} is not defined{}", message,
                          folder_.empty() ? "" : fmt::format(" in {}", folder_)));
}

UorbLayout UorbCatalog::layout(std::string_view topic) const {
  return layout_of(definition(message_of_topic(topic)),
                   [this](const std::string& message) { return definition(message); });
}

std::string UorbCatalog::origin(std::string_view topic) const {
  const std::string file = file_of(message_of_topic(topic));
  return file.empty() ? "Tactus" : file;
}

}  // namespace tactus
