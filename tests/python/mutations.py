"""Proofs and models as somebody would change them who wants a false claim confirmed."""
import copy
import math


def points(proof):
    return proof.kinds("point")


def some(random, records):
    return records[random.integers(len(records))] if records else None


# Each takes a random generator, a model and a taken-apart proof, changes them, and returns False where it has nothing to change.
def repeat_a_feature(random, model, proof):
    point = some(random, [r for r in points(proof) if r["support"]])
    if not point:
        return False
    point["support"].insert(0, point["support"][0])
    point["values"].insert(0, -1e3)
    return True


def features_out_of_order(random, model, proof):
    point = some(random, [r for r in points(proof) if len(r["support"]) > 1])
    if not point:
        return False
    point["support"].reverse()
    point["values"].reverse()
    return True


def huge_value(size):
    def change(random, model, proof):
        point = some(random, [r for r in points(proof) if r["support"]])
        if not point:
            return False
        point["values"][0] = size
        return True

    change.__name__ = f"value_{size:g}"
    return change


def huge_intercept(random, model, proof):
    some(random, points(proof))["b0"] = 1.7e308
    return True


def other_values(random, model, proof):
    """Another point proves another bound, which may or may not be enough. Where q may be infinite that depends on the step that
    a checker takes towards |tau| <= lambda1, which is its own affair as long as it is a small one."""
    point = some(random, [r for r in points(proof) if r["support"]])
    if not point:
        return False
    size = 1e-12 if model["settings"]["lambda2"] == 0 < model["settings"]["lambda1"] else 1
    point["values"] = [float(v + size * random.normal()) for v in point["values"]]
    return True


def drop_a_record(random, model, proof):
    del proof.records[random.integers(len(proof.records))]
    return True


def repeat_a_record(random, model, proof):
    at = random.integers(len(proof.records))
    proof.records.insert(at, copy.deepcopy(proof.records[at]))
    return True


def swap_sides(random, model, proof):
    point = some(random, [r for r in points(proof) if r["in"] or r["out"]])
    if not point:
        return False
    point["in"], point["out"] = point["out"], point["in"]
    return True


def swap_children(random, model, proof):
    split = some(random, proof.kinds("split"))
    if not split:
        return False
    split["with"], split["without"] = split["without"], split["with"]
    return True


def decide_one_more(random, model, proof):
    point = some(random, points(proof))
    p = model["data"]["columns"]
    free = [j for j in range(p) if j not in point["in"] + point["out"]]
    if not free:
        return False
    side = "in" if random.random() < 0.5 else "out"
    point[side] = sorted([*point[side], some(random, free)])
    return True


def raise_a_diagonal(random, model, proof):
    diagonal = some(random, [r for r in proof.kinds("diagonal") if r["values"]])
    if not diagonal:
        return False
    at = random.integers(len(diagonal["values"]))
    diagonal["values"][at] = diagonal["values"][at] * 1.5 + 0.5
    return True


def leave_out_a_diagonal(random, model, proof):
    diagonal = some(random, proof.kinds("diagonal"))
    if not diagonal:
        return False
    proof.records.remove(diagonal)
    return True


def one_more_on_a_diagonal(random, model, proof):
    """As a rule the last column is missing because it is constant."""
    diagonal, last = some(random, proof.kinds("diagonal")), model["data"]["columns"] - 1
    if not diagonal or last in diagonal["support"]:
        return False
    diagonal["support"].append(last)
    diagonal["values"].append(0.0)
    return True


def infinite_end(random, model, proof):
    proof.lower_bound = math.inf
    return True


def higher_bound(random, model, proof):
    """A bound that nothing proves: halfway from the honest one to beyond the objective."""
    certificate = model["certificate"]
    certificate["objective"] *= 1 + 1e-6
    certificate["lower_bound"] = proof.lower_bound = proof.objective = certificate["objective"]
    certificate["gap"] = certificate["relative_gap"] = 0.0
    return True


def smaller_objective(random, model, proof):
    certificate = model["certificate"]
    certificate["objective"] = proof.objective = certificate["objective"] * 0.5
    certificate["lower_bound"] = proof.lower_bound = certificate["objective"]
    certificate["gap"] = certificate["relative_gap"] = 0.0
    return True


def huge_coefficient(random, model, proof):
    if not model["coefficients"]:
        return False
    model["coefficients"][0]["value"] = 1e200
    return True


def other_coefficient(random, model, proof):
    if not model["coefficients"]:
        return False
    model["coefficients"][0]["value"] *= 1.001
    return True


def swap_classes(random, model, proof):
    if not model["classes"]:
        return False
    model["classes"].reverse()
    return True


def always_what_is_not_there(random, model, proof):
    there = {c["index"] for c in model["coefficients"]} | set(model["settings"]["always"])
    missing = set(range(model["data"]["columns"])) - there
    if not missing:
        return False
    model["settings"]["always"].append(min(missing))
    return True


def always_twice(random, model, proof):
    model["settings"]["always"] = 3 * model["settings"]["always"]
    return bool(model["settings"]["always"])


def more_than_there_are(random, model, proof):
    if model["settings"]["k"] is None:
        return False
    model["settings"]["k"] = model["data"]["columns"] + 1
    return True


def fewer_than_are_used(random, model, proof):
    if model["settings"]["k"] is None or not model["coefficients"]:
        return False
    model["settings"]["k"] = sum(c["value"] != 0 for c in model["coefficients"]) - 1
    return True


def invent_verdicts(random, model, proof):
    """Every feature is in no optimum, the model's own too."""
    if "verdicts" not in model or not any(c["value"] != 0 for c in model["coefficients"]):
        return False
    model["verdicts"] = {"always": [], "never": model["data"]["columns"], "undecided": []}
    return True


MUTATIONS = [repeat_a_feature, features_out_of_order, huge_value(1e200), huge_value(1.7e308), huge_value(math.nan),
             huge_value(-math.inf), huge_intercept, other_values, drop_a_record, repeat_a_record, swap_sides, swap_children,
             decide_one_more, raise_a_diagonal, leave_out_a_diagonal, one_more_on_a_diagonal, infinite_end, higher_bound,
             smaller_objective, huge_coefficient, other_coefficient, swap_classes, always_what_is_not_there, always_twice,
             more_than_there_are, fewer_than_are_used, invent_verdicts]
RIGHT = {"honest", "always_twice"}
# Those after which a claim may still be true.
MAY_BE_RIGHT = {"other_values", "drop_a_record", "repeat_a_record", "swap_sides", "swap_children", "decide_one_more",
                "raise_a_diagonal", "leave_out_a_diagonal", "one_more_on_a_diagonal", "other_coefficient"}
