# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The libraries, in the order in which data flows; each may use those before it:
#   tactus_simulation  a flight from a spec to its digest, with the built-in autopilot: no file, no
#                      socket, no thread, nothing loaded at run time; it asks `Files` for texts
#   tactus_files       the files of this machine
#   tactus_recording   logs and recordings (HDF5)
#   tactus_link        sockets, programs, MAVLink, PX4's library (dlopen)
#   tactus             what is done with flights: all of the above and flight, replay, bridge,
#                      fleet, verify
#   tactus_sweep       campaigns: many flights, and what follows from them
# All can become part of a shared library and export none of their names from it.
# Hot code is header code; the sources hold what needs strings and exceptions.

set(TACTUS_SIMULATION_FOLDERS
    core signal solver world plant vehicle sensor autopilot engine spec scenario)
set(TACTUS_APPLICATION_FOLDERS flight replay bridge fleet verify)

# What is read once at the start, waits for others or is asked after a flight need not be fast.
# Nothing of plant and engine is among it: of an inline function that several files hold, the linker
# takes any.
set(TACTUS_COLD_OPTIONS "" CACHE STRING "More compiler options for what does not step")
file(GLOB TACTUS_COLD_SOURCES CONFIGURE_DEPENDS
     tactus/bridge/*.cpp tactus/bridge/*/*.cpp tactus/fleet/*.cpp tactus/flight/*.cpp
     tactus/flight/*/*.cpp tactus/link/*/*.cpp tactus/files/*.cpp tactus/replay/*.cpp
     tactus/replay/*/*.cpp tactus/scenario/*.cpp tactus/spec/*/*.cpp
     tactus/autopilot/mission/*.cpp tactus/autopilot/parameters/*.cpp
     tactus/core/files.cpp tactus/core/json_text.cpp tactus/core/printable.cpp
     tactus/core/text*.cpp tactus/record/hdf5/*.cpp tactus/record/recording*.cpp
     tactus/record/table*.cpp)
# It is asked at every boundary.
list(REMOVE_ITEM TACTUS_COLD_SOURCES ${PROJECT_SOURCE_DIR}/tactus/flight/flight_summary.cpp)
set_source_files_properties(${TACTUS_COLD_SOURCES} PROPERTIES
                            COMPILE_OPTIONS "${TACTUS_COLD_OPTIONS}")
set_source_files_properties(tactus/files/disk_files.cpp PROPERTIES
                            COMPILE_DEFINITIONS TACTUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
set_source_files_properties(tactus/record/hdf5/hdf5_file.cpp tactus/record/hdf5/hdf5_library.cpp
                            tactus/record/hdf5/hdf5_reader.cpp PROPERTIES
                            INCLUDE_DIRECTORIES ${TACTUS_HDF5_INCLUDE_DIR})

# tactus_library(TARGET NAME FOLDERS...): tactus::NAME of the sources in these folders of tactus/.
function(tactus_library target name)
  list(TRANSFORM ARGN PREPEND tactus/ OUTPUT_VARIABLE patterns)
  list(TRANSFORM patterns APPEND /*.cpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  add_library(${target} STATIC ${sources})
  add_library(tactus::${name} ALIAS ${target})
  set_target_properties(
    ${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON
                         CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${target} PRIVATE fmt::fmt
                                          $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
  tactus_strict(${target})
  if(target STREQUAL "tactus_simulation")
    target_precompile_headers(${target} PRIVATE ${TACTUS_COMMON_HEADERS})
  else()
    target_precompile_headers(${target} REUSE_FROM tactus_simulation)
  endif()
endfunction()

tactus_library(tactus_simulation simulation ${TACTUS_SIMULATION_FOLDERS})
target_include_directories(tactus_simulation PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                    $<INSTALL_INTERFACE:include>)
target_compile_features(tactus_simulation PUBLIC cxx_std_20)
target_link_libraries(tactus_simulation PUBLIC tactus::floating_point xxhash)

tactus_library(tactus_files files files)
target_link_libraries(tactus_files PUBLIC tactus_simulation)

tactus_library(tactus_recording recording record)
target_link_libraries(tactus_recording PUBLIC tactus_files PRIVATE hdf5_serial z)

tactus_library(tactus_link link link)
target_link_libraries(tactus_link PUBLIC tactus_files)

tactus_library(tactus tactus ${TACTUS_APPLICATION_FOLDERS})
target_link_libraries(tactus PUBLIC tactus_recording tactus_link)

tactus_library(tactus_sweep sweep sweep)
target_link_libraries(tactus_sweep PUBLIC tactus PRIVATE sqlite3)

# What is loaded into programs that are to fly repeatably (docs/conductor.md): functions of the C
# library, and a header that it shares with tactus_link. Nothing of the simulation is in it.
file(GLOB conductor_sources CONFIGURE_DEPENDS tactus/conductor/*.cpp)
add_library(tactus_conductor SHARED ${conductor_sources})
set_target_properties(tactus_conductor PROPERTIES CXX_VISIBILITY_PRESET hidden
                                                  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_compile_features(tactus_conductor PRIVATE cxx_std_20)
target_include_directories(tactus_conductor PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(tactus_conductor PRIVATE _GNU_SOURCE)
# Guards of statics are among the functions that it replaces, and so are checked variants.
# Sanitizers cannot come into a program that was built without them.
target_compile_options(tactus_conductor PRIVATE -O2 -fno-rtti -fno-threadsafe-statics
                                                -U_FORTIFY_SOURCE -fno-sanitize=all)
tactus_strict(tactus_conductor)
target_link_options(tactus_conductor PRIVATE -fno-sanitize=all)
add_dependencies(tactus_link tactus_conductor)
# Where it is as seen from the program: beside it in a build, here when both are installed.
include(GNUInstallDirs)
set(TACTUS_CONDUCTOR_FOLDER ${CMAKE_INSTALL_LIBDIR}/tactus)
set_source_files_properties(
  tactus/link/net/join_conductor.cpp PROPERTIES
  COMPILE_DEFINITIONS TACTUS_CONDUCTOR_FOLDER="../${TACTUS_CONDUCTOR_FOLDER}")
