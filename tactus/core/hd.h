// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include "tactus/core/fp_contract.h"  // every user of hot code proves its compiler flags

/// Marks a function that runs on the host and, when compiled by nvcc, on the device too.
/// One macro, so that the flight code exists once (contract C4: the same bits on CPU and GPU).
#if defined(__CUDACC__)
#define TACTUS_HD __host__ __device__
#else
#define TACTUS_HD
#endif

/// For rare work that would otherwise be copied into many places; nvcc inlines everything it can.
#if defined(__CUDACC__)
#define TACTUS_NOINLINE __noinline__
#else
#define TACTUS_NOINLINE __attribute__((noinline))
#endif

/// For the one entry to hot code: everything it calls is inlined into it, however many entries
/// there are. Changes no bit; nvcc inlines everything it can anyway.
#if defined(__CUDACC__)
#define TACTUS_FLATTEN
#else
#define TACTUS_FLATTEN __attribute__((flatten))
#endif

/// Before a loop over a count that the compiler knows: a device can then hold the arrays it runs
/// over in registers. Changes no bit.
#if defined(__CUDA_ARCH__)
#define TACTUS_UNROLL _Pragma("unroll")
#else
#define TACTUS_UNROLL
#endif
