#!/usr/bin/env bash
# Chooses and proves a model of the bundled diabetes data, checks the proof, writes demo/report.html, and says how to read it all.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${ELLZERO_BIN:-build/release/bin/ellzero}
data=examples/diabetes.csv
mkdir -p demo

run() {
  echo "\$ ellzero $*"
  "$program" "$@"
  echo
}

echo "442 patients, 10 measurements: which few of them foretell how the disease goes on?"
echo
run prove "$data" -o demo/model.json --proof demo/model.proof
run verify demo/model.json "$data" --proof demo/model.proof
run report demo/model.json "$data" -o demo/report.html
cat <<'TEXT'
Each row is a chosen measurement and what one unit of it adds to the prediction. No choice of measurements and coefficients
whatever has an objective below the lower bound; where the gap is closed, the choice is the best there is. `verify` has checked
that again from the data alone. Open demo/report.html in a browser for the charts.
TEXT
