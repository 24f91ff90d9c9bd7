"""fit() on real data: riboflavin against the best objectives seen, news20 slices in units of one sweep.

Usage: real.py [--efforts EFFORT ...] [--program BENCH_FIT]
Data comes from the folder ELLZERO_DATA (default ../shared/data beside the project); what is absent is
left out.
"""

import one_thread  # noqa: F401, I001 (first: numpy reads what it sets)

import argparse
import tempfile
from pathlib import Path

import by_ellzero
import riboflavin
from judge import Instance, judge, prepare, store
from instances import ROOT, data_folder

LAMBDA0 = (0.02, 0.05, 0.1, 0.2, 0.5)
TARGETS = {  # lambda2 -> the objective to reach at each lambda0
    0.1: (2.26748, 3.38874, 4.55547, 6.13556, 9.05677),
    0.01: (0.88775, 1.54624, 2.39588, 3.58923, 5.96431),
}
ROUNDING = 1e-5  # the targets have six digits
NEWS20 = ("text:file=news20,n=600,p=4000,seed=0", "text:file=news20,n=600,p=4000,seed=0,norm=1")


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
        for lambda0, target in zip(LAMBDA0, targets):
            name = f"riboflavin lambda0={lambda0} lambda2={lambda2}"
            instance = store(Instance(name, *data, (lambda0, 0.0, lambda2), folder))
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
    for spec in NEWS20:
        instance = prepare(spec, folder)
        for effort in efforts:
            measure(program, instance, effort)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    choices = ["quick", "default", "thorough"]
    parser.add_argument("--efforts", nargs="+", choices=choices, default=["default", "thorough"])
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "bench" / "bin" / "bench_fit")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        riboflavin_targets(options.program, options.efforts, Path(folder))
        news20_slices(options.program, options.efforts, Path(folder))


if __name__ == "__main__":
    main()
