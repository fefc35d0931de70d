# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause

option(TACTUS_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

# Flags of our own targets only; nothing here changes a bit of a result and nothing is exported.
function(tactus_strict target)
  target_compile_options(
    ${target}
    PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wshadow
            # g++ 12 at -O3 sees overlaps in "text" + std::string that are not there (GCC 105651)
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
            $<$<BOOL:${TACTUS_WERROR}>:-Werror>
            # sqrt is one instruction when nobody reads errno
            -fno-math-errno>)
endfunction()

if(TACTUS_SANITIZE)
  add_compile_options(-fsanitize=${TACTUS_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer
                      # the functions of a loaded library are C's: clang knows no type of them
                      $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  add_link_options(-fsanitize=${TACTUS_SANITIZE})
endif()
