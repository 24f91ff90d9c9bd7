#!/usr/bin/env bash
# Makes a Python environment with the packages of requirements files, and prints the CMake flags that build for it.
#
# Usage: python_environment.sh FOLDER REQUIREMENTS ...
# Without a package index it says so, prints the flag that leaves the Python package out, and ends well; where CI is
# set it ends with 1, because there a test that does not run must not look like one that passes.
set -euo pipefail
folder=$1
shift
requirements=$(cat "$@")
stamp="$folder/installed.txt"

install() {
  { [ -x "$folder/bin/pip" ] || "${PYTHON:-python3}" -m venv --clear "$folder"; } &&
    "$folder/bin/pip" install --quiet --disable-pip-version-check --retries 2 --timeout 60 -r <(echo "$requirements") >&2 &&
    echo "$requirements" >"$stamp"
}

if ! cmp --silent <(echo "$requirements") "$stamp" && ! install; then
  if [ -n "${CI:-}" ]; then
    echo "Python packages could not be installed." >&2
    exit 1
  fi
  echo "Python packages could not be installed: the Python package is neither built nor tested." >&2
  echo "-DELLZERO_PYTHON=OFF"
  exit 0
fi
echo "-DELLZERO_PYTHON=ON -DPython_EXECUTABLE=$(cd "$folder" && pwd)/bin/python"
