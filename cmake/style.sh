# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Style checks of ./test, sourced at the root of the repository.

# cxx_files [PATTERN...]: C++ sources of the working tree, also those not yet added to git.
# Without git (a source archive) the folders are searched.
cxx_files() {
  (($#)) || set -- '*.h' '*.cpp' '*.cu'
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
      [[ ! -f $file ]] || printf '%s\n' "$file"
    done | sort -u
  else
    local pattern
    for pattern in "$@"; do
      find . -path ./build -prune -o -name "$pattern" -type f -printf '%P\n'
    done | sort -u
  fi
}

# check_format CHANGED: of every file, or of the changed ones alone.
check_format() {
  if (($1)); then changed_files; else cxx_files; fi |
    xargs --no-run-if-empty clang-format --dry-run --Werror
}

check_shell() {
  local scripts
  mapfile -t scripts < <(cxx_files '*.sh')
  shellcheck --severity=warning --external-sources run test .ci/run "${scripts[@]}"
}

# The commit that the working tree is compared with: where a branch left main, else the last commit,
# or the one before when nothing has changed since (the situation in CI).
changes_base() {
  local base
  base=$(git merge-base HEAD main 2>/dev/null || true)
  if [[ -n $base && $base != $(git rev-parse HEAD) ]]; then
    echo "$base"
  elif [[ -n $(git status --porcelain 2>/dev/null) ]]; then
    git rev-parse --verify --quiet HEAD || true
  else
    git rev-parse --verify --quiet HEAD~1 || true
  fi
}

# Without a base to compare with, every file has changed.
changed_files() {
  local base
  base=$(changes_base)
  if [[ -z $base ]]; then
    cxx_files
  else
    comm -12 <(cxx_files) \
      <({ git diff --name-only "$base"; git ls-files --others --exclude-standard; } | sort -u)
  fi
}

# tidy_files ALL: what clang-tidy reads.
tidy_files() {
  if (($1)); then cxx_files '*.h' '*.cpp'; else changed_files | grep -v '\.cu$' || true; fi
}

# tidy_one FILE: a header is checked as a source of its own, which also proves that it includes
# what it needs; included headers are not reported again.
# A file that passed is not read again until it or .clang-tidy changes.
tidy_one() {
  # The commands are g++'s: clang does not know each of its warnings.
  local file=$1 stamp flags=(-p build/tidy --extra-arg=-Wno-unknown-warning-option)
  stamp=build/tidy/$(cat .clang-tidy "$file" | sha256sum | cut -c 1-32)
  [[ ! -e $stamp ]] || return 0
  local after=()
  if [[ $file == *.h ]]; then
    flags=()
    after=(-- -x c++ -std=c++20 -ffp-contract=off -I . -I build/dev/generated)
  fi
  clang-tidy --quiet --warnings-as-errors='*' --header-filter='^$' "${flags[@]}" "$file" \
    "${after[@]}" 2> >(grep -v 'warnings\? .*generated\.$' >&2) ||
    { echo "clang-tidy: $file" >&2; return 1; }
  touch "$stamp"
}

check_tidy() {
  mkdir -p build/tidy
  # Without the precompiled headers of build/dev: clang cannot read them, and every file is to
  # include what it uses.
  sed 's/-Winvalid-pch -include [^ ]*//' build/dev/compile_commands.json \
    >build/tidy/compile_commands.json
  export -f tidy_one
  # shellcheck disable=SC2016  # expanded by the inner shell
  tidy_files "$1" | xargs --no-run-if-empty -P "$(nproc)" -I {} bash -c 'tidy_one "$1"' _ {}
}
