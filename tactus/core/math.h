// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

/// The mathematics of the simulation path, namespace tactus::math, for host and device.
///
/// Why not libm: its results differ between vendors and versions, and contract C4 asks for the
/// same bits everywhere. Every function here uses only IEEE +, -, *, / and sqrt in a written
/// order, integer operations and tables, so any compiler that keeps to IEEE 754 (with
/// -ffp-contract=off, nvcc -fmad=false) gives the same bits. No fma, no long double, no errno and
/// no rounding mode but to nearest.
///
/// Results are at most 1 ulp from the correctly rounded value over the whole domain, including
/// huge arguments and subnormals; each part states the method and its tighter bound.
///
///   math_basic.h         constants, bits, is_nan, is_finite, abs, min, max, clamp, sqrt, to_int64,
///                        floor, ceil, trunc, round, rint
///   math_exp_log.h       exp, expm1, log, log1p
///   math_pow.h           pow, cbrt, hypot
///   math_trig.h          sin, cos, sincos, tan, wrap_pi
///   math_inverse_trig.h  asin, acos, atan, atan2

#pragma once

#include "tactus/core/math_basic.h"
#include "tactus/core/math_exp_log.h"
#include "tactus/core/math_inverse_trig.h"
#include "tactus/core/math_pow.h"
#include "tactus/core/math_trig.h"
