#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the GPU programs with nvcc alone into one folder, header-only and with static libraries, so
# that they can be copied to a machine that has a GPU and nothing else. The preset `cuda` builds the
# same programs with CMake.
# usage: build.sh SOURCE_DIR OUT_DIR [ARCHITECTURE]   (default: sm_90)
# then:  OUT_DIR/same_bits && OUT_DIR/batch

set -eu
source_dir=$1
out_dir=$2
architecture=${3:-sm_90}
mkdir -p "$out_dir/include" "$out_dir/objects"
ln -sfn /usr/include/fmt "$out_dir/include/fmt"
ln -sfn /usr/include/xxhash.h "$out_dir/include/xxhash.h"

# shellcheck source=tests/support/contract_flags.bash
source "$source_dir/tests/support/contract_flags.bash"
common_flags=$(contract_flags TACTUS_FLOATING_POINT_FLAGS)
gnu_flags=$(contract_flags TACTUS_FLOATING_POINT_FLAGS_GNU)
cuda_flags=$(contract_flags TACTUS_FLOATING_POINT_FLAGS_CUDA)
host_flags="$common_flags $gnu_flags"
flags="-std=c++20 -O3 -arch=$architecture $cuda_flags \
  -DFMT_HEADER_ONLY -I$source_dir -I$out_dir/include"
for flag in $host_flags; do flags+=" -Xcompiler=$flag"; done

find "$source_dir/tactus/core" "$source_dir/tactus/solver" "$source_dir/tactus/world" \
  "$source_dir/tactus/plant" -name '*.cpp' | while read -r file; do
  printf '%s\0%s\0' "$file" "$out_dir/objects/$(echo "${file#"$source_dir/"}" | tr / _).o"
done | xargs -0 -n 2 -P 2 sh -c "exec g++ -std=c++20 -O3 $host_flags -DFMT_HEADER_ONLY \
  -I'$source_dir' -I'$out_dir/include' -c \"\$1\" -o \"\$2\"" sh
for program in tests/gpu/same_bits bench/gpu/batch; do
  # shellcheck disable=SC2086
  nvcc $flags -Xcompiler=-static-libstdc++,-static-libgcc "$source_dir/$program.cu" \
    "$out_dir"/objects/*.o -o "$out_dir/$(basename $program)"
done
rm -rf "$out_dir/objects" "$out_dir/include"
ls -l "$out_dir"
