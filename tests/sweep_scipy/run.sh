#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# needs: tactus_sweep
#
# The arithmetic of campaigns against SciPy: distributions, intervals, correlations, percentiles,
# the Sobol' sequence.
# usage: run.sh COMPILERS SOURCE_DIR BUILD_DIR
set -euo pipefail
compiler=${1%% *} source_dir=$2 build_dir=$3
work=$build_dir/sweep_scipy
mkdir -p "$work"

python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import scipy' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [[ -z $python ]]; then
  echo "skipped: SciPy is missing (package python3-scipy)"
  exit 77
fi

# shellcheck source=tests/support/contract_flags.bash
source "$source_dir/tests/support/contract_flags.bash"
# shellcheck disable=SC2046  # one argument per flag
"$compiler" -std=c++20 -O0 $(contract_flags TACTUS_FLOATING_POINT_FLAGS) -I "$source_dir" \
  "$source_dir/tests/sweep_scipy/table.cpp" "$build_dir/libtactus_sweep.a" \
  "$build_dir/libtactus_simulation.a" -lfmt -lxxhash -o "$work/table"
"$work/table" >"$work/table.txt"
"$python" "$source_dir/tests/sweep_scipy/compare.py" "$work/table.txt"
