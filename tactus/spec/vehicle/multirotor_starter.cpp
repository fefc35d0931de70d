// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/vehicle/multirotor.h"

namespace tactus {
namespace {

constexpr char kStarter[] = R"([vehicle]
kind = "multirotor"

[body]
mass_kg = 1.5
inertia_diagonal_kg_m2 = [0.029, 0.029, 0.055]   # or the tensor: inertia_kg_m2 = [[…], […], […]]
drag_area_m2 = [0.012, 0.012, 0.030]             # CdA along x (front), y (right), z (down)

[motor]                     # of all rotors; a rotor may differ: motor = { kv_rpm_per_v = 900 }
kv_rpm_per_v = 850.0
resistance_ohm = 0.18
rotor_inertia_kg_m2 = 4.7e-5  # motor bell and propeller: about 0.2 times radius_m to the 4th
bus_current_limit_a = 20.0

[propeller]
radius_m = 0.127            # the defaults are an APC Slow Flyer 10x4.7

# Positions from the centre of mass: x front, y right, z down. reaction_sign is the sign of the
# torque on the body about the rotor's axis, which points down: 1 turns the nose right.
[[rotor]]
id = "front_right"
position_body_m = [0.15, 0.20, 0.0]
reaction_sign = 1

[[rotor]]
id = "rear_left"
position_body_m = [-0.15, -0.20, 0.0]
reaction_sign = 1

[[rotor]]
id = "front_left"
position_body_m = [0.15, -0.20, 0.0]
reaction_sign = -1

[[rotor]]
id = "rear_right"
position_body_m = [-0.15, 0.20, 0.0]
reaction_sign = -1

[[bus]]
id = "main"
avionics_power_w = 6.0

[[pack]]
id = "pack"
bus = "main"
capacity_ah = 5.0
cell_count = 3
ocv_soc = [0.0, 0.1, 0.5, 0.9, 1.0]      # open-circuit curve
ocv_v = [9.8, 11.1, 11.5, 12.3, 12.6]
r0_ohm = 0.035

[gear]
positions_body_m = [[0.1, 0.12, 0.12], [-0.1, -0.12, 0.12], [0.1, -0.12, 0.12], [-0.1, 0.12, 0.12]]

[time]
end_s = 30.0
autopilot_s = 0.004
sensors_s = 0.004
wind_s = 0.02

[wind]
mean_ned_m_s = [2.0, 0.0, 0.0]
turbulence = "dryden"

# [sensors]                 # instruments, for autopilots that read them: see docs/sensors.md
# fitted = true             # an IMU, a magnetometer, a barometer and a GPS receiver

[solver]
method = "rk45"

[autopilot]
kind = "builtin"
takeoff_height_m = 5.0
# mission = "square.plan"   # beside this file, or a shipped one. Then: do = "mission"

[[event]]
id = "arm"
at_s = 1.0
do = "arm"

[[event]]
id = "takeoff"
at_s = 2.0
do = "takeoff"

[[event]]
id = "land"
at_s = 15.0
do = "land"

# [[event]]                 # a fault, found by a condition: see docs/faults.md
# id = "fault"
# when = "truth.height_m above 4"
# do = "thrust_loss"
# rotor = "front_left"
# value = 0.2

# What must hold decides the exit code of `tactus run`.
[[expect]]
id = "lands"
kind = "land_by"
by_s = 30.0
)";

}  // namespace

const char* multirotor_starter() { return kStarter; }

}  // namespace tactus
