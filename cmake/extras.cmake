# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Extras: libraries that bring many packages with them and that the program can do without. One is
# built in if it is found; without it the program says so where it is asked for. None is in the
# group build of packages.txt.
#
# They are looked for whenever CMake runs, and it runs again after something was installed or
# removed among the headers of the system: the next build has what is new and does without what has
# gone.

foreach(folder IN ITEMS /usr/include /usr/local/include)
  if(EXISTS ${folder})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder})
  endif()
endforeach()

# tactus_find_extra(NAME PACKAGE PROGRAM LIBRARIES...): sets TACTUS_HAS_NAME to 1 if PROGRAM
# compiles and links, and to 0 if not. The option TACTUS_NAME: AUTO, ON (it must be there), OFF.
function(tactus_find_extra name package program)
  set(TACTUS_${name} AUTO CACHE STRING "Build in ${name} (${package}): AUTO, ON or OFF")
  set(found FALSE)
  if(TACTUS_${name})
    try_compile(found SOURCE_FROM_CONTENT extra.cpp "${program}" LINK_LIBRARIES ${ARGN} NO_CACHE)
  endif()
  if(found)
    set(TACTUS_HAS_${name} 1 PARENT_SCOPE)
    message(STATUS "${name}: built in")
  elseif(TACTUS_${name} AND NOT TACTUS_${name} STREQUAL "AUTO")
    message(FATAL_ERROR "TACTUS_${name}=${TACTUS_${name}}, but ${name} is missing: install "
                        "${package}.")
  else()
    set(TACTUS_HAS_${name} 0 PARENT_SCOPE)
    message(STATUS "${name}: not built in; install ${package} to have it")
  endif()
endfunction()

# Campaigns on many machines. Debian has several MPI beside each other.
find_path(TACTUS_MPI_INCLUDE_DIR mpi.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include
          PATHS /usr/lib)
set(TACTUS_MPI_LIBRARIES "")
if(TACTUS_MPI_INCLUDE_DIR)
  add_library(tactus_openmpi INTERFACE IMPORTED)
  target_include_directories(tactus_openmpi SYSTEM INTERFACE ${TACTUS_MPI_INCLUDE_DIR})
  target_compile_definitions(tactus_openmpi INTERFACE OMPI_SKIP_MPICXX)
  target_link_libraries(tactus_openmpi INTERFACE mpi)
  set(TACTUS_MPI_LIBRARIES tactus_openmpi)
endif()
tactus_find_extra(
  MPI libopenmpi-dev
  "#include <mpi.h>
   int main() { return MPI_Init(nullptr, nullptr) + MPI_Finalize(); }"
  ${TACTUS_MPI_LIBRARIES})

# An oracle of verify and compare.
set(TACTUS_SUNDIALS_LIBRARIES sundials_arkode sundials_nvecserial)
tactus_find_extra(
  SUNDIALS libsundials-dev
  "#include <arkode/arkode_erkstep.h>
   #include <nvector/nvector_serial.h>
   int main() {
     SUNContext context = nullptr;
     if (SUNContext_Create(nullptr, &context) < 0) return 1;
     const realtype tolerance = 1e-9;
     N_Vector x = N_VNew_Serial(1, context);
     return ERKStepSetTableNum(x, ARKODE_FEHLBERG_13_7_8) +
            ERKStepSStolerances(x, tolerance, tolerance);
   }"
  ${TACTUS_SUNDIALS_LIBRARIES})
