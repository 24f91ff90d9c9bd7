#!/usr/bin/env bash
# Runs the paper's experiments and draws their figures; Python lives in a virtual environment of the build folder.
#
# Usage: experiments/paper/run.sh [OPTION ...]     (options go to run.py, whose --help lists them)
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=build/paper/venv
export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r experiments/paper/requirements.txt
exec "$venv/bin/python" experiments/paper/run.py "$@"
