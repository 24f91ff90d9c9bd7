#!/usr/bin/env bash
# Runs benchmarks that are built; Python peers live in a virtual environment of the build folder.
#
# Usage: bench/run.sh [kernels | fit | fit-real | convex | path | prove | cv | read | python-cv | python-call | choose] [OPTION ...]
# Options go to the task's script. Those of Python and choose run the package of build/release, as `make test` leaves it.
# Without a name: kernels, and fit with one seed instead of five.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/bench/bin
venv=build/bench/venv
export PYTHONDONTWRITEBYTECODE=1  # the tree stays clean
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r bench/requirements.txt

kernels() {
  "$bin/bench_kernels"
  "$venv/bin/python" bench/kernels/sparse_sweep.py "$bin/bench_sparse_sweep"
}

task() {
  local script=$1
  shift
  "$venv/bin/python" "bench/tasks/$script.py" --program "$bin/bench_fit" "$@"
}

python_task() {
  local script=$1 package=build/release/python
  shift
  if ! compgen -G "$package/ellzero/_core*.so" >/dev/null; then
    echo "$0: no Python package in $package; \`make test\` builds it" >&2
    exit 1
  fi
  PYTHONPATH="$package" "$venv/bin/python" "bench/tasks/$script.py" "$@"
}

name=${1:-}
[ $# -eq 0 ] || shift
case "$name" in
  kernels) kernels ;;
  fit) task fit/sim "$@" ;;
  fit-real) task fit/real "$@" ;;
  convex) task fit/convex "$@" ;;
  path) task path/path "$@" ;;
  prove) task prove/prove "$@" ;;
  cv) "$venv/bin/python" bench/tasks/select/cv.py "$@" ;;
  read) "$venv/bin/python" bench/tasks/read/read.py --program "$bin/bench_read" "$@" ;;
  python-cv) python_task python/cross_validation "$@" ;;
  python-call) python_task python/overhead "$@" ;;
  choose) python_task choose/choose "$@" ;;
  "")
    kernels
    task fit/sim --quick
    ;;
  *)
    echo "$0: no benchmark '$name'; expected one of: kernels fit fit-real convex path prove cv read python-cv python-call choose" >&2
    exit 2
    ;;
esac
