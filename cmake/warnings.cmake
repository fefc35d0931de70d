# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause

# Those who only build the program to use it wait for less, and no warning stops them.
option(TACTUS_WARNINGS "Warnings" ON)
option(TACTUS_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

# False alarms of g++ 12. At -O3 it sees overlaps in "text" + std::string that are not there (GCC
# 105651). In precompiled headers it forgets that they are the system's, and shows what it hides
# there otherwise: overflows inside of std::string.
set(TACTUS_FALSE_ALARMS -Wno-restrict)
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  list(APPEND TACTUS_FALSE_ALARMS -Wno-array-bounds -Wno-stringop-overflow)
endif()

# Flags of our own targets only; nothing here changes a bit of a result and nothing is exported.
function(tactus_strict target)
  if(TACTUS_WARNINGS)
    target_compile_options(
      ${target}
      PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall
              -Wextra
              -Wpedantic
              -Wconversion
              -Wshadow
              $<$<CXX_COMPILER_ID:GNU>:${TACTUS_FALSE_ALARMS}>
              $<$<BOOL:${TACTUS_WERROR}>:-Werror>>)
  endif()
  # sqrt is one instruction when errno is not read
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno>)
endfunction()

if(TACTUS_SANITIZE)
  add_compile_options(-fsanitize=${TACTUS_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer
                      # the functions of a loaded library are C's: clang knows no type of them
                      $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  add_link_options(-fsanitize=${TACTUS_SANITIZE})
endif()
