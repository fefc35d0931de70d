#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# needs: example_flights
#
# What the library says of flights is what the program prints, but for the wall clock.
# usage: run.sh COMPILERS SOURCE_DIR BUILD_DIR
set -euo pipefail
build_dir=$3
export TACTUS_DATA=$2

python3 - "$build_dir/example_flights" "$build_dir/tactus" <<'PYTHON'
import json
import subprocess
import sys

library, program = sys.argv[1:]


def said_by(*command):
    # A flight that fails its expectations is told all the same.
    document = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)
    document.pop("wall_clock", None)
    return document


def require_equal(by_library, by_program):
    a, b = said_by(*by_library), said_by(*by_program)
    for key in a.keys() | b.keys():
        if a.get(key) != b.get(key):
            sys.exit(f"FAILED: {' '.join(by_program)}: {key} is {b.get(key)}, "
                     f"of the library {a.get(key)}")


for spec in ["default", "rover_square", "iris_motor_off"]:
    require_equal([library, spec], [program, "run", spec, "--json"])
require_equal([library, "free_fall", "3", "4"],
              [program, "run", "free_fall", "--seeds", "3..6", "--json"])
print("the library says what the program prints")
PYTHON
