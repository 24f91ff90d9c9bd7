"""Features that Python makes when they are asked for: the bits of the matrix, exceptions, Ctrl-C, threads, bad answers."""
import gc
import math
import os
import signal
import sys
import threading
import time
import weakref

import data
import ellzero
import numpy as np
import pytest
from ellzero import sources
from ellzero.sources import Blocks, FeatureSource

RANDOM = np.random.default_rng(3)
WEIGHTS = RANDOM.integers(0, 3, 90).astype(float)  # a third of the samples is left out
QUESTIONS = {
    "fit": lambda X, y, **more: [ellzero.fit(X, y, lambda0=4.0, **more)],
    "budget": lambda X, y, **more: [ellzero.fit(X, y, k=3, **more)],
    "prove": lambda X, y, **more: [ellzero.prove(X, y, lambda0=4.0, lambda2=1.0, **more)],
    "path": lambda X, y, **more: ellzero.path(X, y, grid_size=10, max_nonzeros=6, **more),
    "choose": lambda X, y, **more: ellzero.choose(X, y, grid_size=8, folds=3, max_nonzeros=4, **more).path,
    "every_k": lambda X, y, **more: ellzero.every_k(X, y, k=3, **more) if X.shape[1] < 40 else [],
}


def matrix(dtype=np.float64, p=150):
    """A matrix with a column that is far from 0 and one that is constant, and its target."""
    X, y, _ = data.regression(n=90, p=p, noise=0.7)
    X[:, 7] += 1e6
    X[:, 9] = 3
    return X.astype(dtype), y


def blocks_of(X):
    return Blocks([np.ascontiguousarray(X[:, :11]), np.asfortranarray(X[:, 11:100]), X[:, 100:]])


class Own:
    """No subclass of anything: columns of a matrix, each time copied."""

    def __init__(self, X, before=lambda: None):
        self.X, self.before, self.shape = X, before, X.shape
        self.calls = 0

    def columns(self, indices):
        self.calls += 1
        self.before()
        return self.X[:, indices]


def same(one, other):
    """To the last bit."""
    assert len(one) == len(other) > 0
    for a, b in zip(one, other):
        assert (a.objective, a.lower_bound, a.intercept, a.status) == (b.objective, b.lower_bound, b.intercept, b.status)
        assert np.array_equal(a.coef, b.coef) and np.array_equal(a.verdict_codes, b.verdict_codes)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["all", "weighted"])
@pytest.mark.parametrize("question", [name for name in QUESTIONS if name != "every_k"])
def test_the_bits_of_the_matrix(question, weights, threads):
    X, y = matrix()
    more = {"sample_weight": weights, "threads": threads}
    whole = QUESTIONS[question](X, y, **more)
    same(QUESTIONS[question](blocks_of(X), y, **more), whole)
    if threads == 1:
        same(QUESTIONS[question](Own(X), y, **more), whole)


def test_scores_of_a_choice_have_the_same_bits():
    X, y = matrix()
    one, other = (ellzero.choose(x, y, grid_size=8, folds=3, max_nonzeros=4) for x in (X, blocks_of(X)))
    assert np.array_equal(one.score, other.score) and one.chosen == other.chosen


def test_other_types_and_losses():
    X, y = matrix(np.float32)
    same(QUESTIONS["fit"](blocks_of(X), y), QUESTIONS["fit"](X, y))
    mixed = Blocks([X[:, :50], X[:, 50:].astype(np.float64)])
    same(QUESTIONS["fit"](mixed, y), QUESTIONS["fit"](X.astype(np.float64), y))
    small, target = matrix(p=12)
    same(QUESTIONS["every_k"](Own(small), target), QUESTIONS["every_k"](small, target))
    X, classes = data.labels()
    one, other = (ellzero.fit(x, classes, loss="logistic", lambda0=2.0) for x in (X, Own(X)))
    same([one], [other])
    assert [model.nonzeros for model in ellzero.pool(Own(X), X[:, 0], k=1)] == [1]


def test_blocks_that_are_mapped_are_kept_from_proofs(tmp_path):
    X, y = matrix()
    np.save(tmp_path / "X.npy", np.asfortranarray(X))
    mapped = Blocks([X[:, :60], np.load(tmp_path / "X.npy", mmap_mode="r")[:, 60:]])
    whole = QUESTIONS["prove"](X, y)
    same(QUESTIONS["prove"](mapped, y), whole)
    with pytest.raises(ValueError, match="the file that holds X"):
        ellzero.prove(mapped, y, lambda0=4.0, proof=tmp_path / "X.npy")
    ellzero.prove(mapped, y, lambda0=4.0, lambda2=1.0, proof=tmp_path / "proof.ez")
    assert ellzero.verify(whole[0], X, y, proof=tmp_path / "proof.ez").confirmed  # the data is the same
    assert ellzero.verify(whole[0], mapped, y, proof=tmp_path / "proof.ez").confirmed


def test_predictions_and_checks():
    X, y = matrix()
    result = ellzero.fit(blocks_of(X), y, k=3)
    assert np.allclose(result.linear_predictor(blocks_of(X)), result.linear_predictor(X), rtol=1e-13)
    assert ellzero.verify(result, Own(X), y).objective == pytest.approx(result.objective, rel=1e-9)
    with pytest.raises(ellzero.NumericalError):
        ellzero.verify(result, Own(X + 0.1), y, time_limit=0)
    with pytest.raises(ValueError, match="support: feature"):
        result.linear_predictor(Own(X[:, :1]))


def test_what_blocks_refuse():
    X, _ = matrix()
    for wrong, words in (([], "blocks: there are none"), ([X, X[:5]], r"blocks\[1\]: has 5 rows; expected 90"),
                         ([X[0]], r"blocks\[0\]: has 1 dimensions")):
        with pytest.raises(ValueError, match=words):
            Blocks(wrong)
    with pytest.raises(TypeError, match=r"blocks\[0\]: type is"):
        Blocks([np.array([["a"]])])
    with pytest.raises(TypeError, match="abstract"):
        FeatureSource()


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("question", ["fit", "prove", "path", "choose"])
@pytest.mark.parametrize("at", [1, 2, 9, 30])
def test_what_a_source_raises_comes_out(question, at, threads):
    X, y = matrix()
    mine = RuntimeError("enough")

    def complain():
        if source.calls >= at:
            raise mine

    source = Own(X, complain)
    with pytest.raises(RuntimeError) as caught:
        QUESTIONS[question](source, y, threads=threads)
    assert caught.value is mine
    assert any(entry.name == "complain" for entry in caught.traceback)
    source.before = lambda: None
    same(QUESTIONS["fit"](source, y), QUESTIONS["fit"](X, y))  # and nothing is broken


def test_each_thread_may_raise_and_the_first_is_seen():
    X, y = matrix(p=600)
    raised = []

    def complain():
        raised.append(ValueError(len(raised)))
        time.sleep(0.01)  # others come in
        raise raised[-1]

    with pytest.raises(ValueError) as caught:
        ellzero.fit(Own(X, complain), y, k=2, threads=4)
    assert any(caught.value is one for one in raised)


def test_nobody_is_asked_after_an_exception():
    X, y = matrix()
    walk = Own(X)
    ellzero.path(walk, y, grid_size=8, max_nonzeros=4)
    at = walk.calls + 500  # folds are well under way, each by a thread

    def complain_once():
        if source.calls == at:
            raise RuntimeError("enough")

    source = Own(X, complain_once)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(10)  # what is raised comes out before another thread is let in
    try:
        with pytest.raises(RuntimeError, match="enough"):
            QUESTIONS["choose"](source, y, threads=4)
    finally:
        sys.setswitchinterval(interval)
    assert source.calls <= at + 8  # those that had begun


def nothing(found):
    return None


def poisoned(found):
    found = found.copy()
    found[5, 0] = np.nan
    return found


def crooked(found):
    """Rows that begin at no multiple of 8 bytes."""
    return np.zeros(found.shape, np.dtype([("a", "i4"), ("x", "f8")]))["x"]


ANSWERS = [
    (nothing, r"columns\(\): type is NoneType; expected a numpy array of float64 or float32"),
    (lambda found: found.tolist(), r"columns\(\): type is list"),
    (lambda found: found.astype(int), r"columns\(\): type is ndarray of int64"),
    (lambda found: found.astype(">f8"), r"columns\(\): type is ndarray of >f8"),
    (crooked, r"columns\(\): type is ndarray of float64; expected .* aligned"),
    (lambda found: found.T, r"columns\(\): shape is \(64, 90\); expected \(90, 64\)"),
    (lambda found: found[:, :-1], r"columns\(\): shape is \(90, 63\)"),
    (lambda found: found[:, 0], r"columns\(\): shape is \(90\)"),
    (poisoned, r"X: row 5, column \d+ is nan; expected a finite number"),
]


@pytest.mark.parametrize("spoil, words", ANSWERS)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["all", "weighted"])
def test_wrong_answers(spoil, words, weights):
    X, y = matrix(p=64)

    class Wrong(Own):
        def columns(self, indices):
            return spoil(super().columns(indices))

    for threads in (1, 4):
        with pytest.raises(ValueError, match=words):
            ellzero.fit(Wrong(X), y, k=2, sample_weight=weights, threads=threads)


def test_an_answer_that_goes_wrong_later():
    X, y = matrix()

    class Later(Own):
        def columns(self, indices):
            found = super().columns(indices)
            return poisoned(found) if self.calls > 12 else found

    with pytest.raises(ValueError, match="is nan"):
        ellzero.prove(Later(X), y, lambda0=4.0, lambda2=1.0)


@pytest.mark.parametrize("name, value, words", [
    ("shape", None, "shape: value is None"), ("shape", (90,), "shape: value is"), ("shape", (90, 0), "above 0"),
    ("shape", (90, 2.0), "shape"), ("block", 0, "block: value is 0"), ("sweep", 3, "sweep: value is 3"),
    ("dot_error", 1e-9, "expected none without sweep"), ("sweep", lambda *_: None, "dot_error: value is None"),
])
def test_wrong_sources(name, value, words):
    X, y = matrix()
    source = Own(X)
    setattr(source, name, value)
    with pytest.raises(ValueError, match=words):
        ellzero.fit(source, y, k=2)


def test_lengths_are_those_of_the_source():
    X, y = matrix()
    with pytest.raises(ValueError, match="y: length is 89; expected 90"):
        ellzero.fit(Own(X), y[:-1], k=2)


class Exact(Own):
    """Products of its own, rounded once."""

    dot_error = 2.0**-53
    sweeps = 0

    def sweep(self, indices, v):
        self.sweeps += 1
        return np.array([math.fsum(self.X[:, j] * v) for j in indices])


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["all", "weighted"])
def test_a_sweep_of_ones_own(weights):
    X, y = matrix(p=80)
    X[:, 7] -= 1e6
    source = Exact(X)
    found = ellzero.prove(source, y, lambda0=4.0, lambda2=1.0, sample_weight=weights)
    other = ellzero.prove(X, y, lambda0=4.0, lambda2=1.0, sample_weight=weights)
    assert source.sweeps > 0 and found.status == other.status == "optimal"
    assert np.array_equal(found.support, other.support)
    assert found.objective == pytest.approx(other.objective, rel=1e-12)
    ellzero.verify(found, X, y, sample_weight=weights)


def test_bounds_rest_on_dot_error():
    X, y = matrix(p=80)
    X[:, 7] -= 1e6
    bounds = []
    for dot_error in (2.0**-53, 1e-4, 1e-2):
        source = Exact(X)
        source.dot_error = dot_error
        bounds.append(ellzero.fit(source, y, lambda0=4.0, lambda2=1.0).lower_bound)
    assert bounds[0] > bounds[1] > bounds[2]


@pytest.mark.parametrize("answer, words", [
    (lambda indices, v: None, r"sweep\(\): type is NoneType; expected a numpy array of float64"),
    (lambda indices, v: np.zeros(len(indices), np.float32), r"sweep\(\): type is ndarray of float32"),
    (lambda indices, v: np.zeros((len(indices), 1)), r"sweep\(\): shape is \(64, 1\); expected \(64\)"),
    (lambda indices, v: np.full(len(indices), np.inf), r"sweep\(\): the product of column \d+ is inf"),
])
def test_wrong_products(answer, words):
    X, y = matrix(p=64)
    source = Own(X)
    source.sweep, source.dot_error = answer, 1e-9
    with pytest.raises(ValueError, match=words):
        ellzero.fit(source, y, k=2)


def interrupt_soon(started):
    started.wait()
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("question", ["fit", "choose"])
def test_ctrl_c_inside_a_source(question, threads):
    X, y = matrix()
    undisturbed = Own(X)
    QUESTIONS[question](undisturbed, y, threads=threads)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    started = threading.Event()
    sender = threading.Thread(target=interrupt_soon, args=(started,))
    sender.start()

    def slow():
        started.set()
        time.sleep(0.2)

    source = Own(X, slow)
    try:
        with pytest.raises(KeyboardInterrupt):
            QUESTIONS[question](source, y, threads=threads)
    finally:
        sender.join()
        signal.signal(signal.SIGINT, before)
    # Python tells its main thread only; that one may be waiting for others, which end what they have begun.
    assert source.calls == 1 if threads == 1 else source.calls < undisturbed.calls / 3
    source.before = lambda: None
    same(QUESTIONS["fit"](source, y), QUESTIONS["fit"](X, y))


def test_two_fits_at_once_share_a_source():
    X, y = matrix()
    source = Own(X)
    alone = {k: ellzero.fit(X, y, k=k) for k in (1, 2, 3, 4)}
    found = {}
    threads = [threading.Thread(target=lambda k=k: found.update({k: ellzero.fit(source, y, k=k, threads=2)}))
               for k in alone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same([found[k] for k in alone], list(alone.values()))


def test_a_source_may_fit_models_itself():
    X, y = matrix()
    inner = []
    source = Own(X, lambda: inner.append(ellzero.fit(X[:, :5], y, k=1, threads=2).objective))
    same([ellzero.fit(source, y, k=2, threads=2)], [ellzero.fit(X, y, k=2)])
    assert len(set(inner)) == 1


def test_garbage_is_collected_meanwhile():
    X, y = matrix()
    whole = QUESTIONS["prove"](X, y)

    class Collecting(Own):
        def columns(self, indices):
            found = super().columns(indices)
            if self.calls % 50 == 1:
                gc.collect()
            return found

    source = Collecting(X)
    gone = weakref.ref(source)
    found = ellzero.prove(source, y, lambda0=4.0, lambda2=1.0, threads=2)
    same([found], whole)
    del source
    gc.collect()
    assert gone() is None  # and nothing holds on to it


def test_an_array_that_only_the_answer_holds():
    X, y = matrix()

    class Fresh(Own):
        def columns(self, indices):
            return np.asfortranarray(super().columns(indices))

    same(QUESTIONS["path"](Fresh(X), y, threads=4), QUESTIONS["path"](X, y))


def test_a_block_of_ones_own():
    X, y = matrix()
    most = []

    class Wide(Own):
        block = 1000

        def columns(self, indices):
            most.append(len(indices))
            return super().columns(indices)

    found = ellzero.fit(Wide(X), y, k=3)
    assert max(most) == 150 and np.array_equal(found.support, ellzero.fit(X, y, k=3).support)


@pytest.mark.parametrize("name", ["L0Regressor", "L0RegressorCV", "L0Classifier", "L0ClassifierCV"])
def test_estimators_say_what_to_call(name):
    X, y = data.labels()
    model = getattr(ellzero, name)().set_params(**({} if name.endswith("CV") else {"k": 2}))
    with pytest.raises(TypeError, match=r"X: is a source of features \(Blocks\); .* use ellzero.fit"):
        model.fit(Blocks([X]), y)
    if not name.endswith("CV"):
        model.fit(X, y)
        for method in (model.predict, model.transform):
            with pytest.raises(TypeError, match="X: is a source of features"):
                method(Own(X))


class Rough(sources.FeatureSource):
    """Products that may be as wrong as asked for."""

    dot_error = 1e-12

    def __init__(self, X, error):
        self.X, self.error, self.shape = X, error, X.shape

    def columns(self, indices):
        return self.X[:, indices]

    def sweep(self, indices, v):
        return (self.X[:, indices].T @ v) * (1 + self.error)


def test_check_finds_what_is_wrong_with_a_source():
    X = np.random.default_rng(5).normal(size=(30, 90))
    sources.check(sources.from_blocks([X[:, :40], X[:, 40:]]))
    sources.check(Rough(X, 0))
    with pytest.raises(ValueError, match="sweep: the product"):
        sources.check(Rough(X, 1e-3))
    for broken, complaint in [(lambda i: X[1:, i], "shape"), (lambda i: X[:, i].astype(int), "dtype"),
                              (lambda i: X[:, i] / 0.0 * 0.0, "finite"), (lambda i: X[:, np.sort(i)], "order")]:
        source = Rough(X, 0)
        source.columns = broken
        with pytest.raises(ValueError, match=complaint), np.errstate(all="ignore"):
            sources.check(source)
