# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests are found, not listed:
#   tests/FOLDER/NAME_test.cpp  one executable and one ctest entry FOLDER.NAME (labels: unit FOLDER,
#                               and sanitize outside of TACTUS_NUMERIC_FOLDERS)
#   tests/FOLDER/run.sh         one ctest entry FOLDER, called as `run.sh COMPILERS SOURCE BUILD`
#                               (COMPILERS: one argument, the compilers found, space separated)
#   tests/cli/NAME.sh           one ctest entry cli.NAME, called with the path of the program
#   tests/doubles/NAME/*.cpp    stand-ins for programs of others: `double_NAME`, or, if NAME ends in
#                               _library, the module `double_NAME.so`. Tests find their folder in
#                               the environment variable TACTUS_DOUBLES.
# A script that cannot run on this machine exits 77: the entry counts as skipped, never as passed.
# So does a test that says "TACTUS_… is not set": it needs a real program, and that is its path.
# No limit on wall time is ever asserted; the ctest timeout only keeps a hang from lasting forever.

find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
set(TACTUS_TEST_TIMEOUT_S 5000)

# What is tested is optimised; what tests it need not be, which halves the time of the build. Not
# where the tested code is in headers: there it is compiled with the test.
set(TACTUS_HEADER_FOLDERS core solver plant golden)

# Tests that compare numbers and do little with memory, text or threads: under sanitizers they are
# run by `./test --all` only. What they test is watched all the same, in the flights of the others.
set(TACTUS_NUMERIC_FOLDERS solver plant golden)

# No debug information: a failed check names its line without, and the library keeps its own.
set(test_libraries tactus GTest::gtest_main)
set(test_options -g0)
set(test_options_O0 -g0 -O0)
tactus_precompile(test_headers "${test_options}" "${test_libraries}" <gtest/gtest.h>)
tactus_precompile(test_headers_O0 "${test_options_O0}" "${test_libraries}" <gtest/gtest.h>)

# Hundreds of programs are linked, in a third of the time.
find_program(TACTUS_FAST_LINKER ld.lld)

add_custom_target(unit_tests)
add_custom_target(sanitize_tests)

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
  add_dependencies(unit_tests double_${name})
  add_dependencies(sanitize_tests double_${name})
endforeach()

file(GLOB tests CONFIGURE_DEPENDS tests/*/*_test.cpp)
foreach(test IN LISTS tests)
  cmake_path(GET test STEM stem)
  cmake_path(GET test PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  string(REGEX REPLACE "_test$" "" name ${stem})
  add_executable(${folder}_${stem} ${test})
  target_link_libraries(${folder}_${stem} PRIVATE ${test_libraries})
  target_link_options(${folder}_${stem} PRIVATE $<$<BOOL:${TACTUS_FAST_LINKER}>:-fuse-ld=lld>)
  tactus_link_named(${folder}_${stem} ${test})
  tactus_strict(${folder}_${stem})
  if(folder IN_LIST TACTUS_HEADER_FOLDERS)
    set(level "")
  else()
    set(level _O0)
  endif()
  target_compile_options(${folder}_${stem} PRIVATE ${test_options${level}})
  target_precompile_headers(${folder}_${stem} REUSE_FROM test_headers${level})
  set(labels unit ${folder})
  add_dependencies(unit_tests ${folder}_${stem})
  if(NOT folder IN_LIST TACTUS_NUMERIC_FOLDERS)
    list(APPEND labels sanitize)
    add_dependencies(sanitize_tests ${folder}_${stem})
  endif()
  # Tests read reference data by paths relative to the root of the repository.
  add_test(NAME ${folder}.${name} COMMAND ${folder}_${stem} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(
    ${folder}.${name}
    PROPERTIES LABELS "${labels}" TIMEOUT ${TACTUS_TEST_TIMEOUT_S}
               ENVIRONMENT TACTUS_DOUBLES=${doubles_folder}
               SKIP_REGULAR_EXPRESSION "TACTUS_[A-Z0-9_]+ is not set")
endforeach()

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
  set_tests_properties(
    ${folder} PROPERTIES LABELS "script;${folder}" SKIP_RETURN_CODE 77 COST 1000
                         TIMEOUT ${TACTUS_TEST_TIMEOUT_S})
endforeach()

# What ./run builds on a machine without the extras.
tactus_program(tactus_without_extras 0)

file(GLOB scripts CONFIGURE_DEPENDS tests/cli/*.sh)
foreach(script IN LISTS scripts)
  cmake_path(GET script STEM name)
  add_test(NAME cli.${name} COMMAND ${script} $<TARGET_FILE:tactus_cli>
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(
    cli.${name} PROPERTIES LABELS "script;cli" SKIP_RETURN_CODE 77 TIMEOUT ${TACTUS_TEST_TIMEOUT_S}
                           ENVIRONMENT TACTUS_DOUBLES=${doubles_folder})
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
