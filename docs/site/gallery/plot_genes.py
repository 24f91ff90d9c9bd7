"""
Few genes of many
=================

Gene expression has more features than samples. Where the data is at hand (the folder in ``ELLZERO_DATA``), this is riboflavin: 71
samples of 4,088 genes; elsewhere, made-up data of that shape.
"""
import os
from pathlib import Path

import numpy as np
import pandas

import ellzero

file = Path(os.environ.get("ELLZERO_DATA", "../shared/data")) / "genes" / "riboflavin.csv.gz"
if file.is_file():
    X = pandas.read_csv(file)
    y = X.pop("target")
else:
    random = np.random.default_rng(0)
    X = pandas.DataFrame(random.normal(size=(71, 4088))).add_prefix("gene ")
    y = X.iloc[:, :5].sum(axis=1) + 0.5 * random.normal(size=71)

# %%
# With some ridge, a price that leaves a handful of genes is proved in seconds.
history = ellzero.History()
result = ellzero.prove(X, y, lambda0=1.0, lambda2=0.3, time_limit=10, callback=history)
print(result)
print(", ".join(result.feature_names[result.support]))

# %%
# Objective and lower bound over time: what is between them is not known yet.
ellzero.plot.gap_over_time(history, result)
