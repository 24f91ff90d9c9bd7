"""
Few genes of many: riboflavin
=============================

Bacteria that make riboflavin (vitamin B2): 71 samples, the expression of 4,088 genes, and the logarithm of the production rate. Which
few genes say most about it? With so many more genes than samples several sets of genes say much the same: a program that finds one of
them has not answered whether there is a better one. A proof has.
"""
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas

import ellzero

file = Path(os.environ.get("ELLZERO_DATA", ".")) / "genes" / "riboflavin.csv.gz"
if file.is_file():
    X = pandas.read_csv(file)
    y = X.pop("target")
else:
    print(f"{file} is not there: made-up data instead")
    random = np.random.default_rng(0)
    X = pandas.DataFrame(random.normal(size=(71, 500))).add_prefix("gene ")
    y = 0.5 * X.iloc[:, :3].sum(axis=1) + 0.3 * random.normal(size=71)

# %%
# With some ridge, a price that leaves a handful of genes is proved in seconds.
history = ellzero.History()
result = ellzero.prove(X, y, lambda0=1.0, lambda2=0.3, time_limit=10, callback=history)
print(result)
print(", ".join(result.feature_names[result.support]))

# %%
# Objective and lower bound over time: what is between them is not known yet. The model was there at once; the time went into the proof.
ellzero.plot.gap_over_time(history, result)
plt.show()

# %%
# What is proved about single genes: these are in every best model at this price, and so many in none.
print("always:", ", ".join(result.feature_names[result.verdicts == "always"]) or "none is certain")
print("never:", np.count_nonzero(result.verdicts == "never"), "of", result.p)

# %%
# Other sets of genes that are nearly as good: all that cost at most 2 percent more, none missing.
others = ellzero.pool(X, y, lambda0=1.0, lambda2=0.3, margin=0.02, size=10, time_limit=20)
for model in others:
    print(f"{model.objective:.3f}  {', '.join(model.feature_names[model.support])}")
print("complete" if others.complete else "the best ten" if others.cut else f"ended early: {others.status}")
