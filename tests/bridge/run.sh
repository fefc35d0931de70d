#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A simulator of one's own needs nothing but the public header: the example flies, and the library
# knows nothing of it.
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
echo "$said"
