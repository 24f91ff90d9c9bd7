#!/usr/bin/env bash
# Checks style, names and likely bugs of the given C++ files, by default all of ours, and changes nothing.
#
# Usage: lint.sh [FILE ...]
# clang-format sees every file. clang-tidy sees the units that the preset `lint` builds, and the headers through them;
# the fuzzers are not among these, because they build the readers a second time.
set -euo pipefail
cd "$(dirname "$0")/.."
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.cpp' '*.hpp')
clang-format --dry-run --Werror "${files[@]}"

[ -e build/lint/compile_commands.json ] || cmake --preset lint >/dev/null
# A .cpp file is a unit of its own, or one of those that a unit of a unity build includes.
declare -A wanted
for file in "${files[@]}"; do wanted[$PWD/$file]=1; done
built=()
while read -r unit; do
  for file in "$unit" $(sed -n 's/^#include "\(.*\.cpp\)"$/\1/p' "$unit"); do
    [ -z "${wanted[$file]:-}" ] || { built+=("$unit"); break; }
  done
done < <(sed -n 's/^  "file": "\(.*\)",\?$/\1/p' build/lint/compile_commands.json)
[ ${#built[@]} -gt 0 ] || exit 0

tidy() {
  set -o pipefail
  clang-tidy -p build/lint --quiet "$1" 2>&1 | sed '/warnings\? generated\.$/d'
}
export -f tidy
# shellcheck disable=SC2016  # the inner shell expands it
printf '%s\n' "${built[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'tidy "$1"' _ {}
