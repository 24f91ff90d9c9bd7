"""What is required of fit() on the simulated instances: each with the figure seen, met or short."""

import csv
import statistics
from collections import defaultdict

from instances import ROOT

HEURISTIC = ("fastsparsegams", "abess")
RATIOS = (  # contender, at least so many times the seconds of ellzero default
    ("fastsparsegams grid, sparse", 50),
    ("fastsparsegams grid, dense", 50),
    ("fastsparsegams single, sparse", 5),
    ("fastsparsegams single, dense", 5),
    ("abess alpha", 20),
    ("abess rows", 20),
)


def report(rows):
    table = defaultdict(dict)  # instance -> contender -> row
    for row in rows:
        table[row["instance"]][row["contender"]] = row
    known = best_known()
    print("\nRequirements")
    below_peers(table, "default at or below the best peer, within 1e-7", everyone, 1e-7)
    snr20 = {spec: answers for spec, answers in table.items() if "snr=20," in spec}
    below_peers(snr20, "default below the best heuristic peer at SNR 20", heuristics, -1e-12)
    above(table, known, "default", 1e-4)
    above(table, known, "thorough", 1e-7)
    above(
        table,
        {spec: min(objectives(answers)) for spec, answers in table.items()},
        "thorough",
        1e-7,
        "anyone's best",
    )
    valid_bounds(table)
    for contender, wanted in RATIOS:
        times(table, contender, wanted)


def best_known():
    with open(ROOT / "bench" / "reference" / "best_known.csv", newline="") as file:
        return {row["instance"]: float(row["objective"]) for row in csv.DictReader(file)}


def everyone(answers):
    return objectives(answers, lambda name: not name.startswith("ellzero"))


def heuristics(answers):
    return objectives(answers, lambda name: name.startswith(HEURISTIC))


def objectives(answers, chosen=lambda name: True):
    return [row["objective"] for name, row in answers.items() if chosen(name)]


def line(text, figure, short):
    """Prints one requirement; `short` lists the instances that miss it."""
    print(f"  {'short' if short else 'met':5}  {text}: {figure}")
    for spec in short:
        print(f"         short on {spec}")


def below_peers(table, text, peers, slack):
    excess = {}
    for spec, answers in table.items():
        if others := peers(answers):
            mine = answers["ellzero default"]["objective"]
            excess[spec] = (mine - min(others), mine / min(others) - 1)
    if excess:
        worst, relative = max(excess.values())
        short = [f"{spec} by {e:.2e} ({r:.2e})" for spec, (e, r) in excess.items() if e > slack]
        line(text, f"worst {worst:+.2e} (relative {relative:+.2e}) of {len(excess)} instances", short)


def above(table, reference, effort, tolerance, name="best known"):
    excess = {
        spec: answers[f"ellzero {effort}"]["objective"] / reference[spec] - 1
        for spec, answers in table.items()
        if spec in reference
    }
    if excess:
        short = [f"{spec} by {e:.2e}" for spec, e in excess.items() if e > tolerance]
        figure = f"worst {max(excess.values()):+.2e} of {len(excess)} instances"
        line(f"{effort} within {tolerance:.0e} (relative) of {name}", figure, short)


def valid_bounds(table):
    room = {
        spec: min(objectives(answers)) / answers["ellzero default"]["lower_bound"] - 1
        for spec, answers in table.items()
    }
    short = [f"{spec} by {-r:.2e}" for spec, r in room.items() if r < -1e-12]
    line("lower bound not above anyone's answer", f"least room {min(room.values()):.2e} (relative)", short)


def times(table, contender, wanted):
    ratios = [
        answers[contender]["seconds"] / answers["ellzero default"]["seconds"]
        for answers in table.values()
        if contender in answers
    ]
    if ratios:
        median = statistics.median(ratios)
        figure = f"median {median:.1f} (from {min(ratios):.1f} to {max(ratios):.1f})"
        short = [] if median >= wanted else [f"the median of {len(ratios)} instances"]
        line(f"{contender} / ellzero default seconds >= {wanted}", figure, short)
