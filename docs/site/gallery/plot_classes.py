"""
Two kinds of leukaemia
======================

Golub's data: 72 samples of 7,129 genes, two kinds of leukaemia; made-up data of that shape where it is not at hand.
"""
import os
from pathlib import Path

import numpy as np
import pandas
from sklearn.model_selection import cross_val_score

import ellzero

file = Path(os.environ.get("ELLZERO_DATA", "../shared/data")) / "genes" / "golub.csv.gz"
if file.is_file():
    X = pandas.read_csv(file)
    y = X.pop("target")
else:
    random = np.random.default_rng(0)
    X = pandas.DataFrame(random.normal(size=(72, 7129))).add_prefix("gene ")
    y = (X.iloc[:, 0] - X.iloc[:, 1] > 0).astype(int)

# %%
# Three genes, logistic loss, and how often they are right about samples that were left out.
model = ellzero.L0Classifier(k=3, lambda2=0.01)
print(f"right: {100 * cross_val_score(model, X, y).mean():.0f} %")
print(model.fit(X, y).results_[0])

# %%
# The first genes as the budget grows.
ellzero.plot.path(ellzero.path(X, y, loss="logistic", k=5, lambda2=0.01))
