"""Pictures of paths, cross-validation, gaps and supports, as displays in scikit-learn's manner; they need matplotlib.

Each function draws at once and returns its display, which holds the numbers and can draw them again on other axes.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ellzero._progress import History
from ellzero._results import Path, Progress, Result, Selection

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

__all__ = ["CVDisplay", "GapPathDisplay", "GapTimeDisplay", "PathDisplay", "SupportDisplay",
           "cv", "gap_along_path", "gap_over_time", "path", "support_map"]

BLUE, ORANGE, GREY = "#1f6fb4", "#d9622b", "#8a8f98"
STATES = ("out", "in, undecided", "in every optimum", "in no optimum")
LINES = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#17becf", "#bcbd22", "#393b79")
COLOURS = ("#ffffff", "#9cc4e4", "#1f5f9e", "#c9ced5")


class Display:
    """What the displays have in common: axes to draw on, found or made.

    Attributes
    ----------
    ax_, figure_
        Of the last drawing.
    """

    ax_: Axes
    figure_: Figure | SubFigure | None

    def _axes(self, ax: Axes | None, size: tuple[float, float] = (7.0, 4.2)) -> Axes:
        if ax is None:
            try:
                import matplotlib.pyplot as plt
            except ImportError as error:
                raise ImportError("ellzero.plot needs matplotlib: pip install matplotlib") from error
            _, ax = plt.subplots(figsize=size, layout="constrained")
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return ax


def feature_name(names: np.ndarray | None, j: int) -> str:
    return f"x{j}" if names is None else str(names[j])


def positions(models: Sequence[Result]) -> tuple[np.ndarray, str, bool]:
    """Where models stand on an axis: by their budget k, or by lambda0 on a logarithmic one, sparse models on the left."""
    if any(model.lambda0 is None for model in models):
        return np.array([model.k for model in models], dtype=float), "budget k", False
    prices = np.array([model.lambda0 for model in models], dtype=float)
    return np.maximum(prices, np.min(prices[prices > 0], initial=1.0) / 10), r"price per feature $\lambda_0$", True


def short(value: float) -> str:
    """A number of three digits, with a power of ten only where zeros would be many."""
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.10g}" if 1e-4 <= abs(rounded) < 1e6 else f"{rounded:g}"


def apart(x: np.ndarray, logarithmic: bool, least: float) -> list[int]:
    """The first place, and every next one that is so far from the last as a share of the axis: texts there have room."""
    places = np.log(x) if logarithmic else x
    room = least * (np.ptp(places) or 1)
    shown: list[int] = []
    for i, place in enumerate(places):
        if not shown or abs(place - places[shown[-1]]) >= room:
            shown.append(i)
    return shown


def legend(ax: Axes) -> None:
    """A legend that hides the lines behind it."""
    ax.legend(frameon=True, framealpha=1, edgecolor="none", fontsize=8)


def set_positions(ax: Axes, label: str, logarithmic: bool) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    ax.set_xlabel(label)
    if not logarithmic:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    else:
        ax.set_xscale("log")
        low, high = sorted(ax.get_xlim())
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 1000 * low else (1,)))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.invert_xaxis()


def spread(places: np.ndarray, least: float) -> np.ndarray:
    """Places moved apart to a least distance, in their order, so that texts do not overlap."""
    order = np.argsort(places, kind="stable")
    moved = places[order].astype(float)
    for _ in range(200):
        gaps = np.diff(moved)
        close = gaps < least * (1 - 1e-9)
        if not close.any():
            break
        push = np.where(close, (least - gaps) / 2, 0)
        moved[:-1] -= push
        moved[1:] += push
    result = np.empty_like(moved)
    result[order] = moved
    return result


class PathDisplay(Display):
    """The coefficients of each feature along a path.

    Parameters
    ----------
    path : Path
    feature_names : sequence of str, default=None
        By default those of the frame that was fitted.
    """

    def __init__(self, path: Path, feature_names: Sequence[str] | None = None) -> None:
        self.path = path
        self.feature_names = path[0].feature_names if feature_names is None else np.asarray(feature_names)

    def plot(self, ax: Axes | None = None, *, labels: int = 10) -> PathDisplay:
        """Draws it; as many features as `labels` get their name, those that end largest first."""
        ax = self._axes(ax)
        coef = self.path.coef
        x, label, logarithmic = positions(self.path)
        used = np.flatnonzero(np.any(coef != 0, axis=0))
        named = used[np.argsort(-np.abs(coef[-1, used]), kind="stable")][:labels]
        named = named[coef[-1, named] != 0]
        colours = {j: LINES[rank % len(LINES)] for rank, j in enumerate(named)}
        if logarithmic:  # each model holds until the next price; the last one shall show as well
            x, coef = np.r_[x, x[-1] * (x[-1] / x[0]) ** 0.03], np.vstack([coef, coef[-1:]])
        for j in used:
            strong = j in colours
            ax.plot(x, coef[:, j], drawstyle="steps-post" if logarithmic else "default", color=colours.get(j, GREY),
                    alpha=1 if strong else 0.35, lw=1.6 if strong else 0.8)
        set_positions(ax, label, logarithmic)
        ax.axhline(0, color="black", lw=0.6)
        ax.set_ylabel("coefficient")
        if len(named):
            low, high = ax.get_ylim()
            places = spread(coef[-1, named], 0.05 * (high - low))
            for j, place in zip(named, places):
                ax.annotate(feature_name(self.feature_names, j), (x[-1], place), xytext=(5, 0),
                            textcoords="offset points", va="center", fontsize=8, color=colours[j],
                            annotation_clip=False)
        return self


class CVDisplay(Display):
    """The curve of cross-validation with one standard error on both sides.

    Parameters
    ----------
    selection : Selection
    """

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.x, self.label, self.logarithmic = positions(selection.path)
        self.score, self.standard_error, self.metric = selection.score, selection.standard_error, selection.metric
        self.nonzeros = np.array([model.nonzeros for model in selection.path])
        self.best, self.chosen = selection.best, selection.chosen

    @classmethod
    def from_estimator(cls, estimator: Any, ax: Axes | None = None) -> CVDisplay:
        """Of a fitted L0RegressorCV or L0ClassifierCV with one path."""
        if len(estimator.selections_) != 1:
            raise ValueError("estimator: has a path for each class; expected one, of regression or two classes")
        return cls.from_selection(estimator.selections_[0], ax)

    @classmethod
    def from_selection(cls, selection: Selection, ax: Axes | None = None) -> CVDisplay:
        """Of what `ellzero.choose` returned."""
        return cls(selection).plot(ax)

    def plot(self, ax: Axes | None = None) -> CVDisplay:
        """Draws it; the numbers on top are the features of the models."""
        ax = self._axes(ax)
        if len(self.standard_error):
            ax.fill_between(self.x, self.score - self.standard_error, self.score + self.standard_error, color=BLUE,
                            alpha=0.18, lw=0, label="one standard error")
        ax.plot(self.x, self.score, color=BLUE, marker="o", ms=3, lw=1.4)
        if self.best != self.chosen:
            ax.axvline(self.x[self.best], color=GREY, ls=":", lw=1.2,
                       label=f"best: {self.nonzeros[self.best]} features")
        ax.axvline(self.x[self.chosen], color=ORANGE, ls="--", lw=1.4,
                   label=f"chosen: {self.nonzeros[self.chosen]} features")
        set_positions(ax, self.label, self.logarithmic)
        ax.set_ylabel(f"{self.metric} of samples left out" if len(self.standard_error) else self.metric)
        legend(ax)
        shown = apart(self.x, self.logarithmic, 0.04)
        top = ax.secondary_xaxis("top")
        top.set_xticks(self.x[shown], [str(count) for count in self.nonzeros[shown]], fontsize=8)
        top.tick_params(which="minor", top=False, labeltop=False)
        top.set_xlabel("features", fontsize=8)
        return self


class GapTimeDisplay(Display):
    """Objective and lower bound of a computation as they come together.

    Parameters
    ----------
    events : sequence of Progress
        As `History` remembers them.
    result : Result, default=None
        What it ended with.
    """

    def __init__(self, events: Sequence[Progress], result: Result | None = None) -> None:
        rows = [(event.seconds, event.objective, event.lower_bound) for event in events]
        if result is not None:
            rows.append((result.seconds, result.objective, result.lower_bound))
        self.seconds, objective, bound = np.array(rows, dtype=float).reshape(-1, 3).T
        self.objective = np.fmin.accumulate(objective)
        self.lower_bound = np.fmax.accumulate(bound)

    def plot(self, ax: Axes | None = None) -> GapTimeDisplay:
        """Draws both; what is between them is not yet known."""
        ax = self._axes(ax)
        known = np.isfinite(self.objective) & np.isfinite(self.lower_bound)
        ax.fill_between(self.seconds[known], self.lower_bound[known], self.objective[known], step="post", color=GREY,
                        alpha=0.15, lw=0)
        ax.plot(self.seconds, self.objective, drawstyle="steps-post", color=ORANGE, lw=1.6, label="objective")
        ax.plot(self.seconds, self.lower_bound, drawstyle="steps-post", color=BLUE, lw=1.6, label="lower bound")
        if known.any():
            gap = 1 - self.lower_bound[known][-1] / self.objective[known][-1]
            ax.set_title(f"relative gap at the end: {100 * gap:.2g} %", fontsize=9, loc="left")
        ax.set_xlabel("seconds")
        ax.set_ylabel("objective")
        legend(ax)
        return self


class GapPathDisplay(Display):
    """The relative gap of each model of a path.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.relative_gap = np.array([model.relative_gap for model in path])

    def plot(self, ax: Axes | None = None) -> GapPathDisplay:
        """Draws it; filled points are proved optimal."""
        ax = self._axes(ax)
        x, label, logarithmic = positions(self.path)
        percent = 100 * np.maximum(self.relative_gap, 0)
        proved = np.array([model.status == "optimal" for model in self.path])
        ax.plot(x, percent, color=BLUE, lw=1.2, zorder=1)
        for these, face, text in ((proved, BLUE, "proved optimal"), (~proved, "white", "gap still open")):
            if these.any():
                ax.scatter(x[these], percent[these], s=22, color=face, edgecolors=BLUE, zorder=2, label=text)
        set_positions(ax, label, logarithmic)
        ax.set_ylabel("relative gap in %")
        ax.set_ylim(bottom=min(0, -0.03 * percent.max(initial=0)))
        legend(ax)
        return self


class SupportDisplay(Display):
    """Which features each model of a path uses, and what is proved about them.

    Parameters
    ----------
    path : Path
    feature_names : sequence of str, default=None
    """

    def __init__(self, path: Path, feature_names: Sequence[str] | None = None) -> None:
        self.path = path
        self.feature_names = path[0].feature_names if feature_names is None else np.asarray(feature_names)
        self.features = np.unique(np.concatenate([model.support for model in path])).astype(int)
        first = [next(m for m, model in enumerate(path) if j in model.support) for j in self.features]
        self.features = self.features[np.argsort(first, kind="stable")]
        self.states = np.array([self._state(model) for model in path]).reshape(len(path), -1).T

    def _state(self, model: Result) -> np.ndarray:
        inside = np.isin(self.features, model.support)
        verdicts = model.verdicts[self.features]
        return np.where(inside, np.where(verdicts == "always", 2, 1), np.where(verdicts == "never", 3, 0))

    def plot(self, ax: Axes | None = None) -> SupportDisplay:
        """Draws a row for each feature that any model uses, in the order in which they enter."""
        from matplotlib.colors import BoundaryNorm, ListedColormap
        from matplotlib.patches import Patch

        ax = self._axes(ax, (7.0, 1.6 + 0.2 * max(4, len(self.features))))
        ax.pcolormesh(self.states, cmap=ListedColormap(COLOURS), norm=BoundaryNorm(np.arange(5) - 0.5, 4),
                      edgecolors="#d5d9de", lw=0.3)
        ax.invert_yaxis()
        ax.set_yticks(np.arange(len(self.features)) + 0.5,
                      [feature_name(self.feature_names, j) for j in self.features], fontsize=8)
        x, label, _ = positions(self.path)
        shown = np.arange(0, len(x), -(-len(x) // 10))
        ax.set_xticks(shown + 0.5, [short(x[m]) for m in shown], fontsize=8)
        ax.set_xlabel(label)
        ax.tick_params(length=0)
        handles = [Patch(facecolor=colour, edgecolor="#b5bac1", label=state) for colour, state in zip(COLOURS, STATES)]
        ax.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False, fontsize=8)
        return self


def path(path: Path, ax: Axes | None = None, **options: Any) -> PathDisplay:
    """Draws the coefficients along a path."""
    return PathDisplay(path).plot(ax, **options)


def cv(fitted: Any, ax: Axes | None = None) -> CVDisplay:
    """Draws the curve of a `Selection`, or of a fitted estimator that has chosen by cross-validation."""
    return CVDisplay.from_selection(fitted, ax) if isinstance(fitted, Selection) else CVDisplay.from_estimator(fitted, ax)


def gap_over_time(history: History, result: Result | None = None, ax: Axes | None = None) -> GapTimeDisplay:
    """Draws objective and bound of a computation that `history` has watched."""
    return GapTimeDisplay(history.events, result).plot(ax)


def gap_along_path(path: Path, ax: Axes | None = None) -> GapPathDisplay:
    """Draws the relative gap of each model."""
    return GapPathDisplay(path).plot(ax)


def support_map(path: Path, ax: Axes | None = None) -> SupportDisplay:
    """Draws which features each model uses."""
    return SupportDisplay(path).plot(ax)
