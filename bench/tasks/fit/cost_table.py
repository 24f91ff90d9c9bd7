"""Markdown tables of what an answer is worth and what it cost, in seconds, sweeps X'v and memory."""


def gap(told):
    return f"{100 * (told['objective'] - told['lower_bound']) / abs(told['objective']):.3g} %"


def relaxation_seconds(told):
    """From the data to the end of the relaxation: columns' norms are known by then, the search is not begun."""
    ends = [seconds for stage, seconds in told["stages"] if stage == "relaxation"]
    return f"{ends[0]:.3g}" if ends else "-"


COST = {
    "sweeps": lambda told: told["sweeps"],
    "seconds": lambda told: f"{told['seconds']:.3g}",
    "in sweeps": lambda told: f"{told['seconds'] / told['sweep_seconds']:.1f}",
    "one sweep, ms": lambda told: f"{1e3 * told['sweep_seconds']:.3g}",
    "matrix, MB": lambda told: f"{told['matrix_bytes'] / 1e6:.1f}",
    "peak, MB": lambda told: f"{told['peak_bytes'] / 1e6:.1f}",
    "beyond the matrix": lambda told: f"{100 * extra(told):.1f} %",
}
ROOT = {
    "lower bound": lambda told: f"{told['lower_bound']:.8g}",
    "relaxed gap": lambda told: f"{told['relaxed_gap']:.1e}",
    "relaxed nonzeros": lambda told: told["nonzeros"],
} | COST
FIT = (
    {
        "objective": lambda told: f"{told['objective']:.8g}",
        "nonzeros": lambda told: told["nonzeros"],
        "lower bound": lambda told: f"{told['lower_bound']:.8g}",
        "gap": gap,
    }
    | COST
    | {
        "of it to the bound, s": relaxation_seconds,
        "status": lambda told: told["status"],
    }
)


def extra(told):
    """Memory beyond the matrix, as a share of it: what the process grew by from the data in memory to its peak."""
    return (told["peak_bytes"] - told["bytes_before"]) / told["matrix_bytes"]


def head(title, columns):
    print(f"\n{title}\n\n| instance | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|")


def row(name, told, columns):
    print(f"| {name} | {' | '.join(str(show(told)) for show in columns.values())} |", flush=True)
