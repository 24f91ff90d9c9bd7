#!/usr/bin/env bash
# Fits the bundled diabetes data (442 patients, 10 measurements) with five features and says how to read the table.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${ELLZERO_BIN:-build/release/bin/ellzero}

echo "\$ ellzero fit examples/diabetes.csv --target target --k 5 --lambda2 0.05"
"$program" fit examples/diabetes.csv --target target --k 5 --lambda2 0.05
cat <<'TEXT'

Each row is a chosen measurement and what one unit of it adds to the prediction; no choice of five whatever has an
objective below the lower bound, so the gap is the most that any other choice could still gain.
TEXT
