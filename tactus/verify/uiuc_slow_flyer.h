// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// APC Slow Flyer 10x4.7 in the wind tunnel: UIUC Propeller Database, volume 1 (Brandt, Deters,
// Ananda, Dantsker, Selig), static run kt0835 and forward run rd0841.
// CT = T/(ρ n² D⁴), CP = P/(ρ n³ D⁵), J = V/(n D), n in rev/s.

namespace tactus::verify {

inline constexpr double kSlowFlyerDiameter_m = 0.254;

struct TunnelPoint {
  double rpm;
  double j;
  double ct;
  double cp;
};

// clang-format off
inline constexpr TunnelPoint kSlowFlyer[] = {
    {2377, 0, 0.1059, 0.0431}, {2676, 0, 0.1079, 0.0437}, {2947, 0, 0.1079, 0.0437},
    {3234, 0, 0.1104, 0.0444}, {3494, 0, 0.1117, 0.0450}, {3762, 0, 0.1143, 0.0460},
    {4029, 0, 0.1158, 0.0466}, {4319, 0, 0.1177, 0.0474}, {4590, 0, 0.1200, 0.0484},
    {4880, 0, 0.1223, 0.0494}, {5147, 0, 0.1237, 0.0500}, {5417, 0, 0.1252, 0.0508},
    {5715, 0, 0.1263, 0.0513}, {5960, 0, 0.1278, 0.0520}, {6226, 0, 0.1286, 0.0524},
    {6528, 0, 0.1299, 0.0531}, {6512, 0.089, 0.1201, 0.0523}, {6512, 0.112, 0.1171, 0.0522},
    {6512, 0.134, 0.1129, 0.0512}, {6512, 0.155, 0.1101, 0.0511}, {6512, 0.176, 0.1059, 0.0500},
    {6512, 0.199, 0.1019, 0.0493}, {6512, 0.225, 0.0974, 0.0483}, {6512, 0.246, 0.0935, 0.0475},
    {6512, 0.266, 0.0895, 0.0465}, {6512, 0.287, 0.0865, 0.0460}, {6512, 0.308, 0.0833, 0.0454},
    {6512, 0.332, 0.0787, 0.0444}, {6512, 0.357, 0.0743, 0.0434}, {6512, 0.378, 0.0704, 0.0424},
    {6512, 0.395, 0.0669, 0.0414}, {6512, 0.420, 0.0616, 0.0398}, {6512, 0.445, 0.0562, 0.0381},
};
// clang-format on

}  // namespace tactus::verify
