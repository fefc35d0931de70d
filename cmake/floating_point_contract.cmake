# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The floating-point contract: the only file with flags that decide bits.
#
# Hot code is header code, so it is compiled where it is included. The flags therefore belong to
# the interface of the library: everything that links tactus::tactus gets them through the target
# tactus::floating_point, inside this project and after find_package(tactus).
#
# Why each flag:
#   -fno-fast-math and the five that follow
#       undo whatever the environment or a parent project asked for: no reassociation, no x*(1/y)
#       for x/y, no "NaN does not happen", no "-0 is 0". They stand after CMAKE_CXX_FLAGS on the
#       command line, so they win. -fno-fast-math alone would not undo a single
#       -ffinite-math-only given by name to g++.
#   -ffp-contract=off
#       a*b+c is rounded twice, on every machine. g++ contracts to a fused multiply-add by default
#       wherever the target has one (aarch64 always, x86-64 with -march=native); clang++ does it
#       within an expression. It comes last because clang's -fno-fast-math resets it.
#   g++: -fno-tree-vectorize -fno-tree-slp-vectorize
#       the vectoriser of g++ 12.2 (Debian 12) fuses neighbouring a*b-c and d*e+f into vfmaddsub
#       even with -ffp-contract=off; cross and quaternion products have that form. Loop
#       vectorisation gains nothing on vectors of three, so it is off for every g++.
#   nvcc: -fmad=false (ptxas fuses otherwise, also when PTX is compiled later by the driver: the
#       flag makes the PTX itself say mul.rn and add.rn), -ftz=false -prec-div=true -prec-sqrt=true
#       (the defaults, stated because --use_fast_math changes them), --expt-relaxed-constexpr
#       (device code may call constexpr functions of the standard library, e.g. std::array).
#
# What is not here, on purpose:
#   -fexcess-precision=standard, -mfpmath=sse: only the x87 unit has excess precision; 32-bit x86
#       is refused below. g++ 12 does not accept the first for C++ anyway.
#   -frounding-math: the contract is round-to-nearest; it is checked at run start, not assumed away.
#   -march, -O: any value gives the same bits with the flags below.

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
  message(FATAL_ERROR "The floating-point contract is stated for g++ and clang++, not for "
                      "${CMAKE_CXX_COMPILER_ID}: use -DCMAKE_CXX_COMPILER=g++ or clang++.")
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|aarch64|arm64)$"
   OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "The floating-point contract holds on 64-bit x86 and ARM, not on "
                      "${CMAKE_SYSTEM_PROCESSOR}.")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/refuse_fast_math.cmake)

set(TACTUS_FLOATING_POINT_FLAGS
    -fno-fast-math
    -fno-unsafe-math-optimizations
    -fno-associative-math
    -fno-reciprocal-math
    -fno-finite-math-only
    -fsigned-zeros
    -ffp-contract=off)
set(TACTUS_FLOATING_POINT_FLAGS_GNU -fno-tree-vectorize -fno-tree-slp-vectorize)
set(TACTUS_FLOATING_POINT_FLAGS_CUDA -fmad=false -ftz=false -prec-div=true -prec-sqrt=true
                                     --expt-relaxed-constexpr)
# The host compiler of nvcc is g++.
foreach(flag IN LISTS TACTUS_FLOATING_POINT_FLAGS TACTUS_FLOATING_POINT_FLAGS_GNU)
  list(APPEND TACTUS_FLOATING_POINT_FLAGS_CUDA -Xcompiler=${flag})
endforeach()

add_library(tactus_floating_point INTERFACE)
add_library(tactus::floating_point ALIAS tactus_floating_point)
set_target_properties(tactus_floating_point PROPERTIES EXPORT_NAME floating_point)
target_compile_options(
  tactus_floating_point
  INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${TACTUS_FLOATING_POINT_FLAGS}>"
            "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${TACTUS_FLOATING_POINT_FLAGS_GNU}>"
            "$<$<COMPILE_LANGUAGE:CUDA>:${TACTUS_FLOATING_POINT_FLAGS_CUDA}>")
