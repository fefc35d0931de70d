# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Writes generated/cli/common/commit.h at build time, only when the commit changed, so that
# `tactus --version` never shows a stale one and nothing is rebuilt for it otherwise.
# The commit is provenance: no digest depends on it.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  add_custom_target(
    tactus_commit
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D
            OUTPUT=${PROJECT_BINARY_DIR}/generated/cli/common/commit.h -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/cli/common/commit.h
    COMMENT "")
  add_dependencies(tactus_reports tactus_commit)
  target_include_directories(tactus_reports PRIVATE ${PROJECT_BINARY_DIR}/generated)
  return()
endif()

execute_process(
  COMMAND git describe --always --dirty --abbrev=12 --exclude *
  WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
  RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
     "#pragma once\n\ninline constexpr char kCommit[] = \"${commit}\";\n")
