#!/usr/bin/env bash
# Checks style, names and likely bugs of the given C++ files, by default all of ours, and changes nothing.
#
# Usage: lint.sh [FILE ...]
# clang-format sees every file. clang-tidy sees the .cpp files that the preset `lint` builds, and the headers through
# them; the fuzzers are not among these, because they build the readers a second time.
set -euo pipefail
cd "$(dirname "$0")/.."
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.cpp' '*.hpp')
clang-format --dry-run --Werror "${files[@]}"

database=build/lint/compile_commands.json
[ -e $database ] || cmake --preset lint >/dev/null
built=()
for file in "${files[@]}"; do
  ! grep --quiet --fixed-strings "\"file\": \"$PWD/$file\"" $database || built+=("$file")
done
[ ${#built[@]} -gt 0 ] || exit 0

tidy() {
  set -o pipefail
  clang-tidy -p build/lint --quiet "$1" 2>&1 | sed '/warnings\? generated\.$/d'
}
export -f tidy
# shellcheck disable=SC2016  # the inner shell expands it
printf '%s\n' "${built[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'tidy "$1"' _ {}
