"""Contender ellzero: bench_fit runs fit() in a process of its own, which does its own timing."""

import json
import subprocess

import numpy as np
from judge import Answer


def call(program, folder, what, lambdas, **settings):
    """Runs `what`, fit or root, on the arrays of a folder. -> what bench_fit tells; lambda2 None is its default"""
    named = dict(zip(("lambda0", "lambda1", "lambda2"), lambdas)) | settings
    words = [f"{name}={text(value)}" for name, value in named.items() if value is not None]
    return json.loads(subprocess.check_output([program, folder, what, *words], text=True))


def text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else repr(float(value))


def solve(program, instance, effort):
    told = call(program, instance.folder, "fit", instance.lambdas, effort=effort)
    coefficients = np.zeros(instance.X.shape[1])
    coefficients[told.pop("support")] = told.pop("coefficients")
    return Answer(f"ellzero {effort}", coefficients, told["seconds"], told["status"], told)
