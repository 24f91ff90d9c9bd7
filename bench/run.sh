#!/usr/bin/env bash
# Runs every benchmark that is built; Python peers live in a virtual environment of the build folder.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/bench/bin
venv=build/bench/venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r bench/requirements.txt

"$bin/bench_kernels"
"$venv/bin/python" bench/kernels/sparse_sweep.py "$bin/bench_sparse_sweep"
