#!/usr/bin/env bash
# Runs every fuzzer that is built for FUZZ_SECONDS (600), two at a time; finds go to build/fuzz/finds and end it with 1.
#
# Usage: fuzz/run.sh [NAME ...]     (csv, libsvm, mtx, npy, packed, model, proof, verify, config; by default all)
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-600}
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(csv libsvm mtx npy packed model proof verify config)
mkdir -p build/fuzz/finds

fuzz() {
  local name=$1
  mkdir -p "build/fuzz/corpus/$name"
  nice "build/fuzz/bin/fuzz_$name" -max_total_time="$2" -max_len=4096 -timeout=20 -rss_limit_mb=4096 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/finds/$name-" \
    "build/fuzz/corpus/$name" "fuzz/corpus/$name" >"build/fuzz/$name.log" 2>&1
  local code=$?
  echo "$name: $(grep -o 'number_of_executed_units: [0-9]*' "build/fuzz/$name.log" || tail -1 "build/fuzz/$name.log"), exit $code"
  return $code
}
export -f fuzz
printf '%s\n' "${names[@]}" | xargs -P "${FUZZ_JOBS:-2}" -I{} bash -c 'fuzz "$@"' _ {} "$seconds" || exit 1
