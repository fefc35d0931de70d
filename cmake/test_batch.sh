#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Writes one source of several test files, which share most of what they include. Each keeps its
# names to itself: its anonymous namespace goes into one that has the name of the file. Messages and
# debuggers name the file itself. The result is touched only if it changed.
# usage: test_batch.sh RESULT SOURCE...
set -eu
result=$1
shift
for source; do
  stem=$(basename "$source" .cpp)
  printf '#line 1 "%s"\n' "$source"
  sed -e "s|^namespace {\$|namespace $stem { namespace {|" \
    -e 's|^}  // namespace$|}}  // namespace|' "$source"
done >"$result.part"
if cmp -s "$result.part" "$result"; then rm "$result.part"; else mv "$result.part" "$result"; fi
