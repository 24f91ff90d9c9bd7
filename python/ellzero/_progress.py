"""Callbacks to hand to a computation: one that remembers its progress, one that shows it as a bar."""
from __future__ import annotations

from typing import Any

import numpy as np

from ellzero._results import Progress


class History:
    """A callback that remembers; `ellzero.plot.gap_over_time` draws it.

    Attributes
    ----------
    events : list of Progress
        In the order of time.

    Examples
    --------
    >>> import numpy as np, ellzero
    >>> X = np.random.default_rng(0).normal(size=(40, 10))
    >>> history = ellzero.History()
    >>> result = ellzero.prove(X, X[:, 0] - X[:, 3], lambda0=0.1, callback=history)
    >>> history.events[-1].objective >= result.lower_bound
    True
    """

    def __init__(self) -> None:
        self.events: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        self.events.append(progress)

    def column(self, name: str) -> np.ndarray:
        """One attribute of all events."""
        return np.array([getattr(event, name) for event in self.events])


class ProgressBar:
    """A callback that shows stage, gap and models, folds or nodes as a bar of tqdm; a context, so that the bar ends.

    Examples
    --------
    ``with ellzero.ProgressBar() as bar: ellzero.prove(X, y, k=10, callback=bar)``
    """

    def __init__(self, **options: Any) -> None:
        from tqdm.auto import tqdm

        self._bar = tqdm(**{"unit": "", "total": None, **options})

    def __call__(self, progress: Progress) -> None:
        self._bar.set_description(progress.stage, refresh=False)
        known = np.isfinite(progress.objective)
        shown = f"objective {progress.objective:.6g}, gap {progress.gap:.2g}, {progress.nonzeros} features" if known else ""
        self._bar.set_postfix_str(shown, refresh=False)
        self._bar.total = progress.points or None
        self._bar.n = progress.point if progress.points else progress.nodes
        self._bar.update(0)

    def close(self) -> None:
        self._bar.close()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
