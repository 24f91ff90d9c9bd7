"""
Best subset and lasso side by side
==================================

Twenty true features among 300, correlated neighbours: what the two choose by cross-validation.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LassoCV

import ellzero

random = np.random.default_rng(0)
n, p = 300, 300
X = random.normal(size=(n, p))
for j in range(1, p):
    X[:, j] = 0.5 * X[:, j - 1] + np.sqrt(0.75) * X[:, j]
beta = np.zeros(p)
beta[::15] = random.choice([-1.0, 1.0], 20)
y = X @ beta + 2 * random.normal(size=n)

subset = ellzero.L0RegressorCV(grid_size=30).fit(X, y)
lasso = LassoCV().fit(X, y)

# %%
# The lasso shrinks the true coefficients and lets many false ones in.
figure, axes = plt.subplots(2, 1, figsize=(7, 4.5), sharex=True, sharey=True, layout="constrained")
for ax, name, coef in zip(axes, ("best subset", "lasso"), (subset.coef_, lasso.coef_)):
    used = np.flatnonzero(coef)
    true = np.isin(used, np.flatnonzero(beta))
    ax.vlines(used, 0, coef[used], colors=np.where(true, "#1f6fb4", "#d9622b"))
    ax.set_title(f"{name}: {true.sum()} true and {(~true).sum()} false features", loc="left", fontsize=9)
    ax.axhline(0, color="black", lw=0.6)
axes[1].set_xlabel("feature")
plt.show()
