# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# GPU programs: tests/gpu/NAME.cu and bench/gpu/NAME.cu become gpu_test_NAME and gpu_bench_NAME.
# The flight code is the same headers as on the CPU; the flags come from tactus::floating_point.

enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
# CMake 3.25 does not know that nvcc has C++20.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)

foreach(kind IN ITEMS test bench)
  if(kind STREQUAL "test")
    file(GLOB sources CONFIGURE_DEPENDS tests/gpu/*.cu)
  else()
    file(GLOB sources CONFIGURE_DEPENDS bench/gpu/*.cu)
  endif()
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(gpu_${kind}_${name} ${source})
    target_link_libraries(gpu_${kind}_${name} PRIVATE tactus)
    if(kind STREQUAL "test" AND TACTUS_TESTS)
      add_test(NAME gpu.${name} COMMAND gpu_test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
      set_tests_properties(gpu.${name} PROPERTIES LABELS "gpu" SKIP_RETURN_CODE 77 TIMEOUT 600)
    endif()
  endforeach()
endforeach()
