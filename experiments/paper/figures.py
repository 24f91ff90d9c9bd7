#!/usr/bin/env python3
"""Draws the figures, laid out as in the paper, from OUT/results/*.csv: PNG, SVG and a CSV of exactly what is plotted.

Usage: figures.py [OUT]     (by default the folder of this file: the figures of docs/paper.md)

A line is the mean over replications, its band the standard error. Running time is the smaller of the library's own
seconds and the processor time of the whole program: on a busy machine the clock counts the others' work as well.
"""

import csv
import statistics
import sys
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib import ticker  # noqa: E402
import protocol  # noqa: E402

TIME, GAP, NONZEROS = ("running time, s", "time"), ("duality gap", "gap"), ("nonzeros", "nonzeros")
ABOVE = ("P above the best, %", "above")  # not in the paper, whose plots of P hide what small differences there are
ROWS = {
    "simulation": [TIME, GAP, NONZEROS, ("PSSR", "pssr"), ("estimation error", "error"), ABOVE],
    "text": [TIME, ("primal objective", "objective"), GAP, NONZEROS, ABOVE],
    "ablation": [TIME, ("sweeps over all features", "sweeps"), ABOVE],
}
LOG = {"time", "gap", "sweeps", "above"}
LOWEST = {"gap": 1e-7, "above": 1e-5}  # what is closed is drawn here; the methods stop at a gap of 1e-6
STYLES = {
    "PrimDual": ("#d62728", "o", "-"), "DualAst": ("#ff7f0e", "s", "-"), "Dual-IHT": ("#8c6d31", "^", "-"),
    "CDSS": ("#2ca02c", "D", "-"), "engine": ("#1f77b4", "v", "-"), "proof": ("#9467bd", "P", "--"),
    "engine, quick": ("#17becf", "X", "-"), "floor": ("black", "", ":"),
    "adding, safe": ("#d62728", "o", "-"), "adding, heuristic": ("#ff7f0e", "s", "-"),
    "adding, no screening": ("#8c6d31", "^", "-"), "all features, safe": ("#1f77b4", "v", "--"),
    "all features, heuristic": ("#17becf", "D", "--"), "all features, no screening": ("#9467bd", "P", "--"),
}
NAMES = {"engine": "engine (ellzero fit)", "engine, quick": "engine, --effort quick", "proof": "proof (ellzero prove)", "floor": "floor: best P $-$ max D"}


def read(path):
    """Rows as dictionaries of numbers, with what is derived from the runs of one instance together."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    instances = defaultdict(list)
    for row in rows:
        for key in row.keys() - {"experiment", "column", "method", "status"}:
            row[key] = float(row[key]) if row[key] != "" else None
        row["n"] = int(row["n"])
        row["time"] = min(row["seconds"], row["cpu"]) if row["cpu"] > 0 else row["seconds"]
        instances[row["column"], row["n"], row["replication"]].append(row)
    for (column, n, replication), runs in instances.items():
        comparable = [run for run in runs if run["method"] != "Dual-IHT"]  # Dual-IHT solves another problem
        best = min(run["objective"] for run in comparable)
        for run in runs:
            run["above"] = 100 * (run["objective"] - best) / abs(best)
        for run in runs:
            if run["method"] == "engine":
                rows.append({"column": column, "n": n, "replication": replication, "method": "floor",
                             "gap": max(best - run["lower_bound"], 0), "status": "", "own_rule": None})
    return rows


def summary(experiment, rows, measures):
    """One row per column of plots, n and method: mean and standard error of every measure."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["column"], row["n"], row["method"]].append(row)
    order = [*experiment.methods, "floor"]
    labels = list(experiment.columns)
    for column, n, method in sorted(groups, key=lambda g: (labels.index(g[0]), order.index(g[2]), g[1])):
        runs = groups[column, n, method]
        line = {"column": column, "method": method, "n": n, "replications": len(runs),
                "stopped_by_limit": sum(run["status"] == "time_limit" for run in runs),
                "own_rule_met": "" if method == "floor" else int(sum(run["own_rule"] for run in runs))}
        for measure in measures:
            values = [run[measure] for run in runs if run.get(measure) is not None]
            if values:
                line[measure] = statistics.fmean(values)
                line[f"{measure}_se"] = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
        yield line


def plot_cell(axes, lines, measure):
    lowest = LOWEST.get(measure)
    ours = [line[measure] for line in lines if line["method"] == "engine" and measure in line]
    highest = 1.5 * max(ours) if measure == "objective" else float("inf")  # what has diverged leaves the plot
    for method in dict.fromkeys(line["method"] for line in lines):
        points = [line for line in lines if line["method"] == method and measure in line]
        if not points:
            continue
        color, marker, dash = STYLES[method]
        x = [p["n"] for p in points]
        clip = (lambda v: max(v, lowest)) if lowest else (lambda v: v)
        y = [clip(p[measure]) for p in points]
        axes.plot(x, y, dash, color=color, marker=marker, markersize=4, linewidth=1.4, label=NAMES.get(method, method),
                  markerfacecolor="white" if dash == "--" else color)
        if max(y) > highest:
            continue
        se = [p[f"{measure}_se"] for p in points]
        low = [clip(v - e) if measure not in LOG else max(clip(v - e), 0.3 * v) for v, e in zip(y, se)]
        axes.fill_between(x, low, [v + e for v, e in zip(y, se)], color=color, alpha=0.15, linewidth=0)
    if measure in LOG:
        axes.set_yscale("log")
        axes.yaxis.set_minor_formatter(ticker.NullFormatter())
        low, high = axes.get_ylim()
        if high / low < 30:  # less than two powers of ten show: label more than those
            axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda v, _: f"{v:g}"))
    if axes.get_ylim()[1] > 1.1 * highest:
        axes.set_ylim(0, highest)
    axes.grid(True, which="major", alpha=0.3)
    axes.tick_params(labelsize=8)


def draw(experiment, out):
    rows = read(out / "results" / f"{experiment.name}.csv")
    if not rows:
        return
    kind = experiment.name.split("_")[0]
    measures = ROWS.get(kind, ROWS["text"])
    lines = list(summary(experiment, rows, [key for _, key in measures]))
    columns = [c for c in experiment.columns if any(line["column"] == c for line in lines)]
    figure, grid = plt.subplots(len(measures), len(columns), squeeze=False, sharex=True,
                                figsize=(max(3.3 * len(columns) + 0.6, 5), 2.0 * len(measures) + 1.1), layout="constrained")
    for k, (label, key) in enumerate(measures):
        for c, column in enumerate(columns):
            axes = grid[k][c]
            plot_cell(axes, [line for line in lines if line["column"] == column], key)
            if key == "nonzeros" and kind == "simulation":
                axes.axhline(90, color="gray", linewidth=0.8, linestyle=(0, (1, 2)), label="true nonzeros")
            if k == 0:
                counts = {line["replications"] for line in lines if line["column"] == column}
                low, high = min(counts), max(counts)
                many = f"{low}" if low == high else f"{low} to {high}"
                axes.set_title(f"{column}   ({many} replication{'s' if high > 1 else ''})", fontsize=10)
            if c == 0:
                axes.set_ylabel(label, fontsize=9)
            if k == len(measures) - 1:
                axes.set_xlabel("n", fontsize=9)
                axes.set_xticks(sorted({line["n"] for line in lines}))
    handles = {}
    for axes in grid.flat:
        handles.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
    wide = {1: 2, 2: 3}.get(len(columns), 5)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=wide, fontsize=8, frameon=False)
    figure.suptitle(experiment.title, fontsize=12)
    folder = out / "figures"
    folder.mkdir(exist_ok=True)
    for ending in ("png", "svg"):
        metadata = {"Date": None} if ending == "svg" else None
        figure.savefig(folder / f"{experiment.name}.{ending}", dpi=130, metadata=metadata)
    plt.close(figure)
    with open(folder / f"{experiment.name}.csv", "w", newline="") as file:
        fields = list(dict.fromkeys(key for line in lines for key in line))
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in line.items()} for line in lines)


def draw_all(out):
    plt.rcParams["svg.fonttype"] = "none"
    plt.rcParams["svg.hashsalt"] = "ellzero"  # the same figure is the same file
    for experiment in protocol.EXPERIMENTS:
        draw(experiment, out)


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else protocol.HERE)
