"""Contender SCIP: the mixed-integer program with a rotated cone for each feature, b_j^2 <= s_j z_j.

Building the model is not timed; it takes minutes beyond a few hundred features.
"""

import numpy as np
from answers import Proof
from pyscipopt import Model, quicksum
from stopwatch import once


def solve(instance, known, gap, limit):
    model, b, z = model_of(instance)
    model.setParam("limits/time", limit)
    model.setParam("limits/gap", gap)
    _, seconds = once(model.optimize)
    coefficients = np.zeros(len(b))
    if (
        model.getNSols() > 0
    ):  # a feature is used if its indicator says so, whatever its tolerance leaves elsewhere
        coefficients = np.array([model.getVal(v) * (model.getVal(use) > 0.5) for v, use in zip(b, z)])
    return Proof(
        "scip", coefficients, model.getDualbound(), seconds, model.getNTotalNodes(), model.getStatus()
    )


def model_of(instance):
    lambda0, lambda1, lambda2 = instance.lambdas
    n, p = instance.X.shape
    model = Model()
    model.hideOutput()
    model.setParam("lp/threads", 1)
    b = [model.addVar(lb=None) for _ in range(p)]
    z = [model.addVar(vtype="B") for _ in range(p)]
    size = [model.addVar() for _ in range(p)]  # |b_j|
    s = [model.addVar() for _ in range(p)]  # b_j^2 / z_j
    r = [model.addVar(lb=None) for _ in range(n)]
    loss = model.addVar()
    for i in range(n):
        row = np.flatnonzero(instance.X[i])
        model.addCons(quicksum(float(instance.X[i, j]) * b[j] for j in row) + r[i] == float(instance.y[i]))
    model.addCons(quicksum(v * v for v in r) <= 2 * loss)
    for j in range(p):
        model.addCons(b[j] * b[j] <= s[j] * z[j])
        model.addCons(b[j] <= size[j])
        model.addCons(-b[j] <= size[j])
    cost = quicksum(lambda0 * z[j] + lambda1 * size[j] + lambda2 * s[j] for j in range(p))
    model.setObjective(loss + cost)
    return model, b, z
