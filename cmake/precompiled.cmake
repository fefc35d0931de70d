# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Half of the time of a build went into reading the same headers of others again and again: here
# each is read once per set of flags. Ours are not among them, so that a change in one rebuilds what
# includes it and nothing else, and so that no name reaches a file that did not ask for it. A file
# still includes what it uses: clang-tidy and the presets clang and release compile without this.
# tests/same_bits reads the list below, too.

set(TACTUS_COMMON_HEADERS
    <algorithm>
    <array>
    <chrono>
    <cmath>
    <cstdint>
    <filesystem>
    <functional>
    <memory>
    <optional>
    <span>
    <string>
    <string_view>
    <vector>
    <fmt/format.h>)

# tactus_precompile(NAME OPTIONS LIBRARIES HEADERS...): headers that targets with these options and
# libraries share by target_precompile_headers(TARGET REUSE_FROM NAME).
function(tactus_precompile name options libraries)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/empty.cpp CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/generated/empty.cpp)
  target_link_libraries(${name} PRIVATE ${libraries})
  tactus_strict(${name})
  target_compile_options(${name} PRIVATE ${options})
  target_precompile_headers(${name} PRIVATE ${TACTUS_COMMON_HEADERS} ${ARGN})
endfunction()
