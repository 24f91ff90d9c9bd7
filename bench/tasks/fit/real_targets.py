"""Answers on real data: riboflavin against the best objectives seen, news20 slices in units of one sweep."""

import by_ellzero
import riboflavin
from judge import Instance, judge, prepare, store
from instances import data_folder
from real_root import RIBOFLAVIN, TEXT

TARGETS = {  # lambda2 -> the objective to reach at each lambda0
    0.1: (2.26748, 3.38874, 4.55547, 6.13556, 9.05677),
    0.01: (0.88775, 1.54624, 2.39588, 3.58923, 5.96431),
}
ROUNDING = 1e-5  # the targets have six digits


def measure(program, instance, effort):
    """Prints one line: the answer, judged from the data, and its cost. -> the objective"""
    answer = judge(instance, by_ellzero.solve(program, instance, effort))
    told = answer.numbers
    gap = (answer.objective - told["lower_bound"]) / answer.objective
    print(
        f"  {instance.spec:44} {effort:8} {answer.objective:11.6f}  gap {100 * gap:6.3f}%  "
        f"{told['nonzeros']:4} nonzeros {1e3 * answer.seconds:9.2f} ms = "
        f"{answer.seconds / told['sweep_seconds']:6.0f} sweeps of {1e6 * told['sweep_seconds']:.0f} us, "
        f"{told['sweeps']} made  {answer.status}",
        flush=True,
    )
    return answer.objective


def riboflavin_targets(program, efforts, folder):
    data = riboflavin.load()
    if data is None:
        print("riboflavin: left out, ELLZERO_DATA does not have it")
        return
    print("riboflavin, lambda1 = 0; excess over the best objective seen")
    for lambda2, targets in TARGETS.items():
        for lambda0, target in zip(RIBOFLAVIN["lambda0"], targets):
            name = f"riboflavin lambda0={lambda0} lambda2={lambda2}"
            instance = store(Instance(name, *data, (lambda0, 0.0, lambda2), folder / "riboflavin"))
            reached = {effort: measure(program, instance, effort) / target - 1 for effort in efforts}
            for effort, excess in reached.items():
                print(
                    f"  {'met' if excess <= ROUNDING else 'short':5} {effort}: {target} {100 * excess:+.4f}%"
                )


def news20_slices(program, efforts, folder):
    if not (data_folder() / "text" / "news20.bz2").exists():
        print("news20: left out, ELLZERO_DATA does not have it")
        return
    print("news20 slices, as dense arrays")
    for spec in TEXT:
        instance = prepare(spec, folder / "slice")
        for effort in efforts:
            measure(program, instance, effort)


def run(program, folder, efforts=("default", "thorough")):
    riboflavin_targets(program, efforts, folder)
    news20_slices(program, efforts, folder)
