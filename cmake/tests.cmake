# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests are found, not listed:
#   tests/FOLDER/NAME_test.cpp  one ctest entry FOLDER.NAME (labels: unit FOLDER), which runs
#                               `test_FOLDER NAME`: one program per folder, one process per file
#   tests/FOLDER/run.sh         one ctest entry FOLDER, called as `run.sh COMPILERS SOURCE BUILD`
#                               (COMPILERS: one argument, the compilers found, space separated)
#   tests/cli/NAME.sh           one ctest entry cli.NAME, called with the path of the program
#   tests/doubles/NAME/*.cpp    stand-ins for programs of others: `double_NAME`, or, if NAME ends in
#                               _library, the module `double_NAME.so`. Tests find their folder in
#                               the environment variable TACTUS_DOUBLES.
# Notes in comments of these files, each on a line of its own:
#   link: NAMES           libraries that the program of this file is linked with
#   slow: WHY             not part of `./test --quick` (the others have the label quick)
#   needs: TARGETS        what it runs besides its own program: `./test --filter` builds this before
# A script that cannot run on this machine exits 77: the entry counts as skipped, never as passed.
# So does a test that says "TACTUS_… is not set": it needs a real program, and that is its path.
# No limit on wall time is ever asserted; the ctest timeout only keeps a hang from lasting forever.

find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
set(TACTUS_TEST_TIMEOUT_S 5000)

# What is tested is optimised; what tests it need not be, which halves the time of the build. Not
# where the tested code is in headers: there it is compiled with the test.
set(TACTUS_HEADER_FOLDERS core signal solver world plant vehicle golden)

# Tests that compare numbers and do little with memory, text or threads: under sanitizers they are
# run by `./test --all` only, the others (label sanitize) by `./test --sanitize` as well. What they
# test is watched all the same, in the flights of the others.
set(TACTUS_NUMERIC_FOLDERS solver world plant vehicle golden)

# Files of one folder include much the same: so many are compiled together (cmake/test_batch.sh).
set(TACTUS_TEST_BATCH 8)

# No debug information: a failed check names its line without, and the library keeps its own.
set(test_libraries tactus GTest::gtest)
set(test_options -g0)
set(test_options_O0 -g0 -O0)
tactus_precompile(test_headers "${test_options}" "${test_libraries}" <gtest/gtest.h>)
tactus_precompile(test_headers_O0 "${test_options_O0}" "${test_libraries}" <gtest/gtest.h>)

find_program(TACTUS_FAST_LINKER ld.lld)
if(TACTUS_FAST_LINKER)
  add_link_options(-fuse-ld=lld)
endif()

add_custom_target(unit_tests)
add_custom_target(sanitize_tests)
add_custom_target(quick_tests)
add_custom_target(doubles)

# tactus_note(RESULT SOURCE NOTE): the text of a note in the comments of SOURCE, or "".
function(tactus_note result source note)
  file(STRINGS ${source} line LIMIT_COUNT 1 REGEX "^(//|#) ${note}: ")
  string(REGEX REPLACE "^(//|#) ${note}: *" "" line "${line}")
  set(${result} "${line}" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

# tactus_entry(NAME SOURCE TARGETS LABELS PROPERTIES...): what every ctest entry has. The targets
# that it runs, these and what it needs, are written to test_targets.txt, where ./test finds them.
set(test_targets "")
function(tactus_entry name source targets labels)
  tactus_note(needs ${source} needs)
  separate_arguments(needs)
  list(APPEND targets ${needs})
  tactus_note(slow ${source} slow)
  if(NOT slow)
    list(APPEND labels quick)
    if(targets)
      add_dependencies(quick_tests ${targets})
    endif()
  endif()
  set_tests_properties(
    ${name} PROPERTIES LABELS "${labels}" TIMEOUT ${TACTUS_TEST_TIMEOUT_S}
                       ENVIRONMENT TACTUS_DOUBLES=${doubles_folder} ${ARGN})
  string(REPLACE ";" " " targets "${targets}")
  set(test_targets "${test_targets}${name} ${targets}\n" PARENT_SCOPE)
endfunction()

set(doubles_folder ${PROJECT_BINARY_DIR}/doubles)
file(GLOB doubles CONFIGURE_DEPENDS LIST_DIRECTORIES true tests/doubles/*)
foreach(folder IN LISTS doubles)
  cmake_path(GET folder FILENAME name)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(name MATCHES "_library$")
    # Loaded by dlopen like the real one, and like it without a line of ours inside.
    add_library(double_${name} MODULE ${sources})
    set_target_properties(double_${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden)
    target_include_directories(double_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  else()
    add_executable(double_${name} ${sources})
    target_link_libraries(double_${name} PRIVATE tactus)
  endif()
  set_target_properties(double_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${doubles_folder}
                                                  LIBRARY_OUTPUT_DIRECTORY ${doubles_folder})
  tactus_link_named(double_${name} ${sources})
  tactus_strict(double_${name})
  add_dependencies(doubles double_${name})
endforeach()
add_dependencies(unit_tests doubles)
add_dependencies(sanitize_tests doubles)

# tactus_test_program(TARGET FOLDER SOURCES...): a program of the tests of these files.
add_library(test_main OBJECT tests/support/main.cpp)
target_link_libraries(test_main PRIVATE ${test_libraries})
tactus_strict(test_main)
function(tactus_test_program target folder)
  set(level _O0)
  if(folder IN_LIST TACTUS_HEADER_FOLDERS)
    set(level "")
  endif()
  list(LENGTH ARGN count)
  math(EXPR batches "(${count} + ${TACTUS_TEST_BATCH} - 1) / ${TACTUS_TEST_BATCH}")
  foreach(batch RANGE 1 ${batches})
    math(EXPR begin "(${batch} - 1) * ${count} / ${batches}")
    math(EXPR length "${batch} * ${count} / ${batches} - ${begin}")
    list(SUBLIST ARGN ${begin} ${length} sources)
    set(result ${PROJECT_BINARY_DIR}/generated/tests/${target}_${batch}.cpp)
    add_custom_command(
      OUTPUT ${result}
      COMMAND ${PROJECT_SOURCE_DIR}/cmake/test_batch.sh ${result} ${sources}
      DEPENDS cmake/test_batch.sh ${sources}
      VERBATIM)
    list(APPEND results ${result})
  endforeach()
  add_executable(${target} ${results})
  target_link_libraries(${target} PRIVATE test_main ${test_libraries})
  tactus_link_named(${target} ${ARGN})
  tactus_strict(${target})
  target_compile_options(${target} PRIVATE ${test_options${level}})
  target_precompile_headers(${target} REUSE_FROM test_headers${level})
  add_dependencies(unit_tests ${target})
endfunction()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated/tests)
file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true tests/*)
foreach(folder IN LISTS folders)
  file(GLOB tests CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  cmake_path(GET folder FILENAME folder)
  list(APPEND all_tests ${tests})
  foreach(test IN LISTS tests)
    set(labels unit ${folder})
    if(NOT folder IN_LIST TACTUS_NUMERIC_FOLDERS)
      list(APPEND labels sanitize)
    endif()
    cmake_path(GET test STEM stem)
    string(REGEX REPLACE "_test$" "" name ${stem})
    # Tests read reference data by paths relative to the root of the repository.
    add_test(NAME ${folder}.${name} COMMAND test_${folder} ${name}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    tactus_entry(
      ${folder}.${name} ${test} test_${folder} "${labels}"
      SKIP_REGULAR_EXPRESSION "TACTUS_[A-Z0-9_]+ is not set")
  endforeach()
  if(tests)
    tactus_test_program(test_${folder} ${folder} ${tests})
    if(NOT folder IN_LIST TACTUS_NUMERIC_FOLDERS)
      add_dependencies(sanitize_tests test_${folder})
    endif()
  endif()
endforeach()

# Never built: how each test file is compiled by itself, for clang-tidy and editors.
add_library(tests_by_file OBJECT EXCLUDE_FROM_ALL ${all_tests})
target_link_libraries(tests_by_file PRIVATE ${test_libraries})
tactus_strict(tests_by_file)

set(compilers "")
foreach(name IN ITEMS g++ clang++ aarch64-linux-gnu-g++)
  find_program(TACTUS_COMPILER_${name} ${name})
  if(TACTUS_COMPILER_${name})
    string(APPEND compilers " ${name}")
  endif()
endforeach()
string(STRIP "${compilers}" compilers)

file(GLOB scripts CONFIGURE_DEPENDS tests/*/run.sh)
foreach(script IN LISTS scripts)
  cmake_path(GET script PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  add_test(NAME ${folder} COMMAND ${script} "${compilers}" ${PROJECT_SOURCE_DIR}
                                  ${PROJECT_BINARY_DIR})
  # The longest entries are among these: they begin first, so that no processor waits for them.
  tactus_entry(${folder} ${script} "" "script;${folder}" SKIP_RETURN_CODE 77 COST 1000)
endforeach()

# What ./run builds on a machine without the extras.
tactus_program(tactus_without_extras 0 0)

file(GLOB scripts CONFIGURE_DEPENDS tests/cli/*.sh)
foreach(script IN LISTS scripts)
  cmake_path(GET script STEM name)
  add_test(NAME cli.${name} COMMAND ${script} $<TARGET_FILE:tactus_cli>
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  tactus_entry(cli.${name} ${script} tactus_cli "script;cli" SKIP_RETURN_CODE 77)
endforeach()

# bench/NAME.cpp becomes bench_NAME; examples/NAME.cpp becomes example_NAME.
add_custom_target(bench)
file(GLOB benches CONFIGURE_DEPENDS bench/*.cpp)
foreach(source IN LISTS benches)
  cmake_path(GET source STEM name)
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(bench_${name} PRIVATE tactus benchmark::benchmark fmt::fmt)
  tactus_link_named(bench_${name} ${source})
  tactus_strict(bench_${name})
  add_dependencies(bench bench_${name})
endforeach()

file(GLOB examples CONFIGURE_DEPENDS examples/*.cpp)
foreach(source IN LISTS examples)
  cmake_path(GET source STEM name)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE tactus)
  tactus_link_named(example_${name} ${source})
  tactus_strict(example_${name})
endforeach()

file(WRITE ${PROJECT_BINARY_DIR}/test_targets.txt "${test_targets}")
