#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# First the checker proves that it finds planted violations, then it reads the tree.
set -euo pipefail
source_dir=$2
python3 "$source_dir/tests/tidy/tidy_selftest.py"
exec python3 "$source_dir/tests/tidy/tidy.py" "$source_dir"
