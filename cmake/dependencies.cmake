# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Everything comes from Debian packages; packages.txt says which and why.

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

# Debian ships these without a CMake package: link by name, but say so early when missing.
function(tactus_require_library name)
  if(TARGET ${name})
    return() # of our own: tactus_sweep
  endif()
  find_library(TACTUS_LIBRARY_${name} NAMES ${name})
  if(NOT TACTUS_LIBRARY_${name})
    message(FATAL_ERROR "lib${name} is missing: install the packages listed in packages.txt "
                        "(./test does it).")
  endif()
endfunction()
tactus_require_library(xxhash)
tactus_require_library(z)
tactus_require_library(sqlite3)

# HDF5 of a single process: Debian keeps one for each MPI beside it, and find_package(HDF5) takes
# any. One source file includes its header.
tactus_require_library(hdf5_serial)
find_path(TACTUS_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)

# A source names the extra libraries it needs in a comment near its top: `// link: mpfr gmp`.
function(tactus_link_named target)
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} lines LIMIT_COUNT 12 REGEX "^// link: ")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^// link: *" "" names "${line}")
      separate_arguments(names)
      foreach(name IN LISTS names)
        if(NOT TARGET ${name})  # one of our own
          tactus_require_library(${name})
        endif()
      endforeach()
      target_link_libraries(${target} PRIVATE ${names})
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endforeach()
endfunction()
