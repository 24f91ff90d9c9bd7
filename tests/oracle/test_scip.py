"""prove() against SCIP, which knows nothing of it, on 50 problems too large to enumerate.

Squared loss, 15 to 30 features, with lambda1, lambda2, boxes, intercept, weights and budgets in turn. Skipped
where the package pyscipopt cannot be imported. SCIP works to a tolerance, so its support is what is compared:
with the best coefficients on it, by a plain descent written here.
"""
import json
import random
import sys
import unittest
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from program import ProgramTest  # noqa: E402

try:
    from pyscipopt import Model, quicksum
except ImportError:
    Model = None


@dataclass
class Problem:
    x: list  # rows
    y: list
    weights: list
    lambda0: float
    lambda1: float
    lambda2: float
    intercept: bool
    k: int = None
    lower: list = field(default_factory=list)
    upper: list = field(default_factory=list)

    def box(self, j):
        return (self.lower[j] if self.lower else None, self.upper[j] if self.upper else None)

    def objective(self, b0, b):
        loss = sum(w * (b0 + dot(row, b) - y) ** 2 / 2 for row, y, w in zip(self.x, self.y, self.weights))
        price = 0 if self.k is not None else self.lambda0
        return loss + sum(price * (v != 0) + self.lambda1 * abs(v) + self.lambda2 * v * v for v in b)


def dot(a, b):
    return sum(u * v for u, v in zip(a, b))


def make(seed):
    rng = random.Random(seed)
    n, p = rng.randint(15, 40), rng.randint(15, 30)
    common = rng.choice([0, 0.5, 0.9])
    x = []
    for _ in range(n):
        level = rng.gauss(0, 1)
        x.append([round(common * level + rng.gauss(0, 1), 3) for _ in range(p)])
    y = [round(2 * row[0] - row[3] + 1.5 * row[7] + rng.gauss(0, 1) + 1, 4) for row in x]
    weights = [round(rng.uniform(0.3, 3), 3) for _ in range(n)] if seed % 3 == 0 else [1.0] * n
    problem = Problem(
        x, y, weights,
        lambda0=round(rng.uniform(0.5, 6), 3),
        lambda1=round(rng.choice([0, rng.uniform(0.05, 1)]), 3),
        lambda2=round(rng.uniform(0.02, 1), 3),
        intercept=seed % 2 == 0,
        k=rng.randint(2, 5) if seed % 5 == 0 else None,
    )
    if seed % 4 < 2:  # a finite box on every side, so that SCIP can do without the cone
        problem.lower = [0.0 if rng.random() < 0.2 else -round(rng.uniform(0.3, 2), 2) for _ in range(p)]
        problem.upper = [round(rng.uniform(0.3, 2), 2) for _ in range(p)]
    return problem


def scip_solution(problem):
    """-> the support of SCIP's answer, its bound, and whether it is done"""
    p = len(problem.x[0])
    model = Model()
    model.hideOutput()
    model.setParam("timing/clocktype", 1)  # of the processor
    model.setParam("limits/time", 60)
    model.setParam("numerics/feastol", 1e-8)
    b = [model.addVar(lb=problem.box(j)[0], ub=problem.box(j)[1]) for j in range(p)]
    z = [model.addVar(vtype="B") for _ in range(p)]
    size = [model.addVar() for _ in range(p)]
    square = [model.addVar() for _ in range(p)]
    b0 = model.addVar(lb=None if problem.intercept else 0, ub=None if problem.intercept else 0)
    residuals = [model.addVar(lb=None) for _ in problem.y]
    loss = model.addVar()
    for row, y, r in zip(problem.x, problem.y, residuals):
        model.addCons(quicksum(c * v for c, v in zip(row, b)) + b0 + r == y)
    model.addCons(quicksum(w * r * r for w, r in zip(problem.weights, residuals)) <= 2 * loss)
    for j in range(p):
        model.addCons(b[j] <= size[j])
        model.addCons(-b[j] <= size[j])
        if problem.lower:  # big-M, which the box makes safe
            model.addCons(b[j] * b[j] <= square[j])
            model.addCons(b[j] <= problem.upper[j] * z[j])
            model.addCons(b[j] >= problem.lower[j] * z[j])
        else:  # the perspective of b^2, which needs no bound
            model.addCons(b[j] * b[j] <= square[j] * z[j])
    if problem.k is not None:
        model.addCons(quicksum(z) <= problem.k)
    price = 0 if problem.k is not None else problem.lambda0
    costs = (price * z[j] + problem.lambda1 * size[j] + problem.lambda2 * square[j] for j in range(p))
    model.setObjective(loss + quicksum(costs))
    model.optimize()
    support = [j for j in range(p) if model.getVal(z[j]) > 0.5]
    return support, model.getDualbound(), model.getStatus() == "optimal"


def refit(problem, support):
    """-> intercept and coefficients that are best on the support"""
    b, b0 = [0.0] * len(problem.x[0]), 0.0
    residual = [-y for y in problem.y]  # u - y
    columns = {j: [row[j] for row in problem.x] for j in support}
    curvature = {j: dot(problem.weights, [v * v for v in columns[j]]) for j in support}
    for _ in range(20000):
        largest = 0.0
        if problem.intercept:
            step = -dot(problem.weights, residual) / sum(problem.weights)
            b0, residual, largest = b0 + step, [r + step for r in residual], abs(step)
        for j in support:
            c = curvature[j] * b[j] - sum(w * v * r for w, v, r in zip(problem.weights, columns[j], residual))
            size = max(abs(c) - problem.lambda1, 0) / (curvature[j] + 2 * problem.lambda2)
            low, high = problem.box(j)
            value = size if c > 0 else -size
            value = min(max(value, value if low is None else low), value if high is None else high)
            step = value - b[j]
            if step != 0:
                b[j], residual = value, [r + step * v for r, v in zip(residual, columns[j])]
            largest = max(largest, abs(step))
        if largest < 1e-11:
            break
    return b0, b


@unittest.skipIf(Model is None, "the package pyscipopt is not installed")
class AgainstScip(ProgramTest):
    def prove(self, problem):
        p = len(problem.x[0])
        rows = [row + [w, y] for row, w, y in zip(problem.x, problem.weights, problem.y)]
        data = self.write_rows(rows, names=[f"f{j}" for j in range(p)] + ["w", "y"])
        options = ["--target", "y", "--weights", "w", "--no-standardize", "--gap", 1e-9, "--threads", 1]
        options += ["--lambda1", problem.lambda1, "--lambda2", problem.lambda2]
        options += ["--lambda0", problem.lambda0] if problem.k is None else ["--k", problem.k]
        options += [] if problem.intercept else ["--no-intercept"]
        for name in ("lower", "upper"):
            if getattr(problem, name):
                options += [f"--{name}=" + ",".join(map(str, getattr(problem, name)))]
        code, out, err = self.run_program("prove", data, *options, "--format", "json")
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_both_find_the_same_optimum(self):
        compared = 0
        for seed in range(50):
            with self.subTest(seed=seed):
                problem = make(seed)
                ours = self.prove(problem)
                self.assertEqual(ours["status"], "optimal")
                support, bound, done = scip_solution(problem)
                objective = problem.objective(*refit(problem, support))
                self.assertLessEqual(ours["objective"], objective * (1 + 1e-6))
                self.assertLessEqual(ours["lower_bound"], objective * (1 + 1e-12))
                self.assertLessEqual(bound, ours["objective"] * (1 + 1e-5))
                if done:
                    self.assertLessEqual(objective, ours["objective"] * (1 + 1e-6))
                    compared += 1
        self.assertGreaterEqual(compared, 45)


if __name__ == "__main__":
    unittest.main()
