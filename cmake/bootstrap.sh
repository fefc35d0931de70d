# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Shared by ./run and ./test: packages and quiet builds. Sourced with the working directory at the
# root of the repository. Everything it says goes to stderr; stdout belongs to the program.

say() { printf 'tactus: %s\n' "$*" >&2; }

# Exit code 3 is tactus::ExitCode::kEnvironment.
die() { say "$1"; exit "${2:-3}"; }

# missing_packages GROUP...: those of packages.txt that are not installed, one per line.
missing_packages() {
  local wanted installed
  wanted=$(awk -v groups=" $* " -v machine="$(dpkg --print-architecture 2>/dev/null)" '
    $1 !~ /^#/ && NF >= 2 && index(groups, " " $1 " ") && !index($0, "[!" machine "]") {
      print $2
    }' packages.txt | sort -u)
  # dpkg-query fails when it does not know a package; that one is simply not in its output.
  # shellcheck disable=SC2086  # one argument per package
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    awk '$1 == "installed" { print $2 }' | sort -u || true)
  comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed")
}

# install_packages NO_INSTALL GROUP...: says what is missing and installs it; with NO_INSTALL = 1,
# or without permission, it says how and stops.
install_packages() {
  local no_install=$1
  shift
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian machine: taking it that the packages of packages.txt are there"
    return
  fi
  local missing become=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  local command="apt-get install --yes --no-install-recommends ${missing[*]}"
  local by_hand="apt-get update && $command"
  ((EUID == 0)) || by_hand="sudo apt-get update && sudo $command"

  if ((no_install)); then
    die "packages are missing and --no-install was given. Install them with:
  $by_hand"
  fi
  if ((EUID != 0)); then
    # Without a terminal sudo cannot ask for a password.
    if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      become=(sudo)
    else
      die "packages are missing and there is no permission to install them. Install them with:
  $by_hand"
    fi
  fi
  say "installing ${#missing[@]} packages (packages.txt says why): ${missing[*]}"
  become+=(env DEBIAN_FRONTEND=noninteractive)
  "${become[@]}" apt-get update --quiet=2 >&2 || say "apt-get update failed; trying what is known"
  # shellcheck disable=SC2086  # the command is a list of words
  "${become[@]}" $command --quiet=2 >&2 || die "the installation failed. By hand:
  $by_hand"
}

# forget_other_path PRESET: CMake refuses a cache that was made for another path (a moved or copied
# checkout); without it the preset is configured anew.
forget_other_path() {
  local cache=build/$1/CMakeCache.txt home
  [[ -f $cache ]] || return 0
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache")
  [[ $home != "$(pwd -P)" && $home != "$PWD" ]] || return 0
  say "build/$1 was made for $home: configuring it again"
  rm -rf "$cache" "build/$1/CMakeFiles" "build/$1/build.ninja"
}

# show_build PRESET: copies the output of ninja to stdout and tells on stderr how far it is: on a
# terminal in a line that is written over and wiped at the end, elsewhere in a line now and then.
show_build() {
  local preset=$1 line text next=$((SECONDS + 15)) terminal=0
  [[ ! -t 2 ]] || terminal=1
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]] || continue
    text="building $preset: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    if ((terminal)); then
      printf '\r\e[2Ktactus: %s' "$text" >&2
    elif ((SECONDS >= next)); then
      say "$text"
      next=$((SECONDS + 15))
    fi
  done
  ((!terminal)) || printf '\r\e[2K' >&2
}

# configure_preset PRESET: configures if it never was, or if sources or tests have come or gone
# since.
# A build folder that cannot be written (read-only, another user's) ends the script.
configure_preset() {
  local preset=$1 log=build/$1.log
  mkdir -p "build/$preset" 2>/dev/null || die "cannot write to $PWD/build"
  [[ -w build/$preset ]] && { : >"$log"; } 2>/dev/null || die "cannot write to $PWD/build"
  forget_other_path "$preset"
  if [[ -f build/$preset/build.ninja ]]; then
    cmake --build "build/$preset" --target build.ninja >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    return
  fi
  local launcher=()
  # ccache does not keep what was compiled with precompiled headers.
  ! command -v ccache >/dev/null ||
    launcher=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON)
  say "configuring and building $preset (build/$preset); the first time takes a while"
  cmake --preset "$preset" "${launcher[@]}" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
}

# build_preset PRESET TARGET...: silent unless it fails or takes a while.
build_preset() {
  local preset=$1 log=build/$1.log
  configure_preset "$preset" || return 1
  NINJA_STATUS='[%f/%t] ' cmake --build "build/$preset" --target "${@:2}" 2>&1 |
    show_build "$preset" >"$log" || { cat "$log" >&2; return 1; }
}
