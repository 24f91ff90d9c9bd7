"""What fit() and its root bound cost on real and large data, one thread: objective, bound, sweeps, seconds, memory.

Usage: real.py [--only PART ...] [--efforts EFFORT ...] [--program BENCH_FIT]
  --only           targets (answers against the best seen), root (the relaxation alone), dense (800 MB),
                   sparse (whole text collections), classes (logistic and smoothed hinge); by default all
  --efforts        of targets; the other parts run at default effort
Data comes from the folder ELLZERO_DATA (default ../shared/data beside the project); what is absent is
left out.
"""

import one_thread  # noqa: F401, I001 (first: numpy reads what it sets)

import argparse
import tempfile
from pathlib import Path

import judge  # noqa: F401 (lets the parts import the reference instances)
import real_classes
import real_dense
import real_root
import real_sparse
import real_targets
from instances import ROOT

PARTS = {
    "targets": real_targets.run,
    "root": real_root.run,
    "dense": real_dense.run,
    "sparse": real_sparse.run,
    "classes": real_classes.run,
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    choices = ["quick", "default", "thorough"]
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--efforts", nargs="+", choices=choices, default=["default", "thorough"])
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bench" / "bin" / "bench_fit")
    options = parser.parse_args()
    for part in options.only:
        more = {"efforts": options.efforts} if part == "targets" else {}
        with tempfile.TemporaryDirectory() as folder:
            PARTS[part](options.program, Path(folder), **more)


if __name__ == "__main__":
    main()
