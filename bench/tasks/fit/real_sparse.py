"""Whole text collections as sparse columns: about 50 and about 500 features, raw and standardised, with intercept.

The target is the newsgroup as a number in [-10, 10], or the rating. Wanted: memory below twice the matrix.
"""

import by_ellzero
import cost_table
import word_counts
from storage import store_sparse

LAMBDA0 = {  # (collection, standardised) -> for about 50 and about 500 features
    ("news20", True): (560, 78),
    ("news20", False): (560, 68),
    ("imdb_train", True): (250, 24),
    ("imdb_train", False): (250, 22),
}
LIMIT = 100


def target(name, labels):
    return (labels - 1) / 19 * 20 - 10 if name == "news20" else labels


def run(program, folder):
    cost_table.head(f"Large and sparse, at most {LIMIT} s", cost_table.FIT)
    for name in dict.fromkeys(name for name, _ in LAMBDA0):
        if (data := word_counts.load(name)) is None:
            continue
        stored = store_sparse(folder / name, data[0], target(name, data[1]))
        for standardize in (True, False):
            for lambda0 in LAMBDA0[name, standardize]:
                told = by_ellzero.call(
                    program,
                    stored,
                    "fit",
                    (lambda0, 0.0, None),
                    intercept=True,
                    standardize=standardize,
                    time_limit=LIMIT,
                )
                kind = "standardised" if standardize else "raw"
                cost_table.row(f"{name} {kind} lambda0={lambda0}", told, cost_table.FIT)
