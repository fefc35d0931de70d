#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
# needs: example_new_adapter
#
# A simulator of one's own needs nothing but the public header: the example flies, and the library
# knows nothing of it. Every test that docs/testing.md names for the bridge is there.
# usage: run.sh COMPILERS SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir=$2 build_dir=$3

said=$("$build_dir/example_new_adapter")
grep -Eq '^after 30 s the balloon is at (9|10)\.' <<<"$said" || {
  echo "FAILED: the example says: $said"
  exit 1
}
if grep -rqi balloon "$source_dir/tactus"; then
  echo "FAILED: the library knows the example"
  exit 1
fi
includes=$(grep -c '#include "' "$source_dir/examples/new_adapter.cpp")
[[ $includes == 1 ]] || {
  echo "FAILED: the example needs $includes headers of the library, not one"
  exit 1
}
python3 - "$source_dir" <<'PYTHON'
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
there = set()
for source in root.glob("tests/*/*.cpp"):
    for suite, name in re.findall(r"^TEST(?:_P|_F)?\(\s*(\w+),\s*(\w+)", source.read_text(), re.M):
        there |= {suite, name}
section = (root / "docs/testing.md").read_text().split("## Many simulators on one clock")[1]
rows = [row.split("|") for row in section.splitlines() if row.startswith("| ")]
named = [word for row in rows for word in re.findall(r"\b[A-Z][A-Za-z0-9]{5,}(?:…\w*)?", row[2])]
for word in named:
    begin, _, end = word.partition("…")
    if not any(name.startswith(begin) and name.endswith(end) for name in there):
        sys.exit(f"FAILED: docs/testing.md names the test {word}, which is not there")
print(f"{len(named)} tests of the bridge that docs/testing.md names are there")
PYTHON
echo "$said"
