# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts that compile without CMake: the flags that decide bits, from the file that states them.
contract_file=$(dirname "${BASH_SOURCE[0]}")/../../cmake/floating_point_contract.cmake

# contract_flags VARIABLE: what cmake/floating_point_contract.cmake sets it to, on one line.
contract_flags() {
  local flags
  flags=$(awk -v start="^set\\\\($1( |\$)" '$0 ~ start {on=1} on {print} on && /\)/ {exit}' \
    "$contract_file" | grep -oE -- ' -{1,2}[a-z][a-z=-]*' |
    tr -s '\n ' ' ')
  if [ -z "$flags" ]; then
    echo "no $1 in cmake/floating_point_contract.cmake" >&2
    return 1
  fi
  printf '%s\n' "$flags"
}
