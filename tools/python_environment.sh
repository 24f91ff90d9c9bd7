#!/usr/bin/env bash
# Makes a Python environment with the packages of a requirements file, and prints the CMake flags that build for it.
#
# Usage: python_environment.sh FOLDER REQUIREMENTS
# Without a package index it says so, prints the flag that leaves the Python package out, and ends well.
set -euo pipefail
folder=$1
requirements=$2
stamp="$folder/installed.txt"

install() {
  { [ -x "$folder/bin/pip" ] || "${PYTHON:-python3}" -m venv --clear "$folder"; } &&
    "$folder/bin/pip" install --quiet --disable-pip-version-check --retries 2 --timeout 60 -r "$requirements" >&2 &&
    cp "$requirements" "$stamp"
}

if ! cmp --silent "$requirements" "$stamp" && ! install; then
  echo "Python packages could not be installed: the Python package is neither built nor tested." >&2
  echo "-DELLZERO_PYTHON=OFF"
  exit 0
fi
echo "-DELLZERO_PYTHON=ON -DPython_EXECUTABLE=$(cd "$folder" && pwd)/bin/python"
