# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Read by the build of Tactus and, installed, by find_package(tactus). At link time fast-math also
# sets flush-to-zero for the whole process, and no later flag takes that back, so it is refused here
# instead of being detected by every user at run start.

string(JOIN " " tactus_given_flags "${CMAKE_CXX_FLAGS}" "${CMAKE_CXX_FLAGS_RELEASE}"
       "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}" "${CMAKE_CXX_FLAGS_DEBUG}"
       "${CMAKE_CXX_FLAGS_MINSIZEREL}" "${CMAKE_EXE_LINKER_FLAGS}")
if(tactus_given_flags MATCHES "(-Ofast|-ffast-math|-funsafe-math-optimizations)")
  message(FATAL_ERROR "${CMAKE_MATCH_1} breaks the same-bits contract of Tactus: remove it from "
                      "CXXFLAGS, LDFLAGS and CMAKE_CXX_FLAGS.")
endif()
unset(tactus_given_flags)
