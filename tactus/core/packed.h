// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Vectors and quaternions in the packed states that solvers integrate.

#include "tactus/core/hd.h"
#include "tactus/core/quat.h"
#include "tactus/core/vec.h"

namespace tactus {

TACTUS_HD inline Vec3 load_vec3(const double* x) { return {x[0], x[1], x[2]}; }
TACTUS_HD inline Quat load_quat(const double* x) { return {x[0], x[1], x[2], x[3]}; }
TACTUS_HD inline void store(double* x, Vec3 v) {
  x[0] = v.x;
  x[1] = v.y;
  x[2] = v.z;
}
TACTUS_HD inline void store(double* x, Quat q) {
  x[0] = q.w;
  x[1] = q.x;
  x[2] = q.y;
  x[3] = q.z;
}

}  // namespace tactus
