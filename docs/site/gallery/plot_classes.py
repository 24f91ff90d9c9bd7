"""
Two kinds of leukaemia: golub
=============================

Golub's data: 72 patients, the expression of 7,129 genes, and which of two kinds of leukaemia they have. The two need different
treatment; how few genes tell them apart?
"""
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas
from sklearn.model_selection import cross_val_score

import ellzero

file = Path(os.environ.get("ELLZERO_DATA", ".")) / "genes" / "golub.csv.gz"
if file.is_file():
    X = pandas.read_csv(file)
    y = X.pop("target")
else:
    print(f"{file} is not there: made-up data instead")
    random = np.random.default_rng(0)
    X = pandas.DataFrame(random.normal(size=(72, 500))).add_prefix("gene ")
    y = (X.iloc[:, 0] - X.iloc[:, 1] > 0).astype(int)

# %%
# Logistic loss with one to four genes, and how often they are right about patients that were left out. The genes are chosen anew in every
# fold: choosing them once, on all patients, and testing afterwards would flatter them.
for k in (1, 2, 3, 4):
    right = cross_val_score(ellzero.L0Classifier(k=k, lambda2=0.01), X, y)
    print(f"genes: {k}, right in {100 * right.mean():.0f} %")

# %%
# The model of three, and what is certain about it.
model = ellzero.L0Classifier(k=3, lambda2=0.01).fit(X, y)
print(model.results_[0])
print("probability of the first patient:", model.predict_proba(X[:1]).round(3)[0])

# %%
# The first genes as the budget grows. Coefficients are in the units of the data, where expression runs to thousands.
ellzero.plot.path(ellzero.path(X, y, loss="logistic", k=5, lambda2=0.01))
plt.show()
