"""
A path, its choice and its proof
================================

Ten measurements of diabetes patients: all models from none to ten features, the one that cross-validation chooses, and how well
each is proved.
"""
# %%
# Coefficients along the path: features enter, and sometimes leave, as the price falls.
import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes

import ellzero

X, y = load_diabetes(return_X_y=True, as_frame=True)
path = ellzero.path(X, y, grid_size=40)
ellzero.plot.path(path)
plt.show()

# %%
# Which features each model uses, and which are proved to be in every best model at that price.
ellzero.plot.support_map(path)
plt.show()

# %%
# Cross-validation: the best, and the sparsest within one standard error of it.
model = ellzero.L0RegressorCV(grid_size=40).fit(X, y)
ellzero.plot.cv(model)
plt.show()

# %%
# How far each model can be from the best at its price, before any branch and bound.
ellzero.plot.gap_along_path(path)
plt.show()
