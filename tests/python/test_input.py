"""What users may hand over by mistake, or in an unusual form: an error that names the argument, or the right answer."""
import data
import ellzero
import numpy as np
import pandas
import pytest
from ellzero import _data
from scipy import sparse

X, Y, BETA = data.regression()
PLAIN = ellzero.fit(X, Y, lambda0=2.0)


def refused(match, X=X, y=Y, error=ValueError, **settings):
    with pytest.raises(error, match=match):
        ellzero.fit(X, y, **{"lambda0": 2.0, **settings})


def with_value(array, place, value):
    changed = np.array(array, dtype=float)
    changed[place] = value
    return changed


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none(value):
    refused(r"X.*3.*5", X=with_value(X, (3, 5), value))
    refused(r"X.*3.*5", X=sparse.csc_array(with_value(X, (3, 5), value)))
    refused(r"y\[4\]", y=with_value(Y, 4, value))
    refused(r"sample_weight\[4\]", sample_weight=with_value(np.ones(60), 4, value))
    refused(r"offset\[4\]", offset=with_value(np.zeros(60), 4, value))


def test_shapes():
    refused("X: has 1 dim", X=X[:, 0])
    refused("X: has 3 dim", X=X[None])
    refused("X: has 0 dim", X=5.0)
    refused("y", y=Y[:-1])
    refused("y: has 2 dim", y=np.c_[Y, Y])
    refused("y: has 0 dim", y=1.0)
    refused("sample_weight", sample_weight=np.ones(59))
    refused("sample_weight", sample_weight=np.ones(0))
    refused("offset", offset=np.ones(61))
    refused("X", X=np.empty((0, 12)), y=np.empty(0))
    refused("X", X=np.empty((60, 0)))
    refused("X", X=sparse.csc_array((60, 0)))
    assert np.array_equal(ellzero.fit(X, Y[:, None], lambda0=2.0).coef, PLAIN.coef)


def test_types():
    refused("X: type is complex128", X=X.astype(complex), error=TypeError)
    refused("X: type is <U", X=X.astype(str), error=TypeError)
    refused("X", X=[["a", 1.0], [2.0, 3.0]], y=[1, 2], error=TypeError)
    refused("y: type is", y=[{}] * 60, error=TypeError)
    refused("y: type is", y=np.array(["2020-01-01"] * 60, dtype="datetime64"), error=TypeError)
    refused("X: has masked", X=np.ma.masked_less(X, -2))
    refused("sample_weight: type", sample_weight=["a"] * 60, error=TypeError)
    refused("callback", callback=3, error=TypeError)
    refused("certify: value is 'no'; expected True or False", certify="no", error=TypeError)
    refused("certify: value is 'no'", certify="no", lambda0=None, error=TypeError)
    refused("intercept: value is 'yes'", intercept="yes", error=TypeError)
    refused("intercept: value is 1;", intercept=1, error=TypeError)
    refused("X", X=None)


ONES = [1.0] * 56


@pytest.mark.parametrize("start, match", [
    ([1, 0, 1, None], r"y\[3\]: value is None; expected a label"),
    ([1, 0, 1, float("nan")], r"y\[3\]: value is nan; expected a label"),
    (np.array([1, 0, 1, np.nan]), r"y\[3\]: value is .*nan.*; expected a label|y contains NaN"),
    (["a", "b", "a", None], r"y\[3\]: value is None; expected a label"),
    (["a", "b", "a", float("nan")], r"y\[3\]: value is nan; expected a label"),
    (["a", "b", "a", 1], r"y\[3\]: value is 1; expected a word as the labels before it"),
    ([1, 0, 1, "a"], r"y\[3\]: value is 'a'; expected a number as the labels before it"),
    (np.array([1, 0, 1, "a"], dtype=object), r"y\[3\]: value is 'a'; expected a number"),
    ([1, 0, 1, object()], r"y\[3\]: value is <object.*; expected a label, a number or a word"),
    ([1, 0, 1, [1]], r"y\[3\]: value is \[1\]; expected a label"),
    (pandas.Series([1, 0, 1, None], dtype="Int64"), r"y\[3\]: value is (<NA>|nan); expected a label|y contains NaN"),
    (pandas.Series(["a", "b", "a", None], dtype="string"), r"y\[3\]: value is .*; expected a label"),
    (pandas.Series([True, False, True, None], dtype="boolean"), r"y\[3\]: value is (<NA>|nan); expected a label"),
    (pandas.Categorical(["a", "b", "a", None]), r"y\[3\]: value is nan; expected a label"),
])
def test_labels_that_are_none(start, match):
    for run in (lambda: ellzero.fit(X[:4], start, loss="logistic", lambda0=1.0),
                lambda: ellzero.L0Classifier(k=1).fit(X[:4], start)):
        with pytest.raises(ValueError, match=match):
            run()


def test_labels_of_every_kind():
    truth = Y > 0
    expected = ellzero.fit(X, truth, loss="logistic", lambda0=1.0, lambda2=0.1)
    words = np.where(truth, "yes", "no")
    for y in (truth.astype(int), truth.astype(float), 2 * truth - 1, 1 + truth, words, words.tolist(), truth.tolist(),
              words.astype(object), truth.astype(object), words.astype(bytes), pandas.Series(words), pandas.Categorical(words),
              pandas.Series(truth, dtype="boolean"), pandas.Series(words, dtype="string"), pandas.Series(words, dtype="category"),
              [np.float32(v) for v in truth], truth[:, None]):
        assert np.array_equal(ellzero.fit(X, y, loss="logistic", lambda0=1.0, lambda2=0.1).coef, expected.coef)
    for y in (truth.tolist(), words.tolist(), pandas.Categorical(words), pandas.Series(truth, dtype="boolean")):
        model = ellzero.L0Classifier(lambda0=1.0, lambda2=0.1).fit(X, y)
        assert np.array_equal(model.coef_[0], expected.coef) and model.predict(X)[0] == y[0]
    refused("y: type is datetime64", y=np.array(["2020-01-01", "2021-01-01"] * 30, dtype="datetime64"), error=TypeError,
            loss="logistic")
    refused("y: has masked", y=np.ma.masked_less(truth.astype(int), 1), loss="logistic")


@pytest.mark.parametrize("name", ["y", "sample_weight", "offset"])
def test_vectors_with_something_else_in_them(name):
    for odd, error, match in ((None, ValueError, r"{}\[2\]: value is nan; expected a finite number"),
                              (pandas.NA, ValueError, r"{}\[2\]: value is <NA>; expected a finite number"),
                              ("a", TypeError, r"{0}: type is str, as of {0}\[2\], 'a'; expected numbers"),
                              ([], TypeError, r"{0}: type is list, as of {0}\[2\]")):
        refused(match.format(name), error=error, **{name: [1.0, 2.0, odd, 4.0, *ONES]})
    for odd, error, match in (("a", TypeError, r"sample_weight\[2\]"), (pandas.NA, ValueError, r"sample_weight\[2\]"),
                              (None, ValueError, "sample_weight"), (float("nan"), ValueError, "sample_weight")):
        for model, y in ((ellzero.L0Regressor(k=1), Y), (ellzero.L0Classifier(k=1), Y > 0)):
            with pytest.raises(error, match=match):
                model.fit(X, y, sample_weight=[1.0, 2.0, odd, 4.0, *ONES])
    refused(r"X\[3, 5\]: value is <NA>", X=pandas.DataFrame(X).astype("Float64").mask(np.arange(720).reshape(60, 12) == 41))


@pytest.mark.parametrize("name, value, error, match", [
    ("lambda0", -1, ValueError, "lambda0: value is -1"),
    ("lambda0", np.nan, ValueError, "lambda0: value is nan"),
    ("lambda1", np.inf, ValueError, "lambda1: value is inf"),
    ("lambda2", -1e-9, ValueError, "lambda2"),
    ("lambda0", "a lot", TypeError, "lambda0: value is 'a lot'; expected number"),
    ("lambda0", True, TypeError, "lambda0: value is True"),
    ("lambda0", [1, 2], TypeError, r"lambda0: value is \[1, 2\]"),
    ("k", 2.5, TypeError, "k: value is 2.5; expected whole number"),
    ("k", -1, ValueError, "k: value is -1"),
    ("k", 10**30, ValueError, "k"),
    ("seed", 10**12, ValueError, "seed: value is 1000000000000"),
    ("threads", -1, ValueError, "threads"),
    ("intercept", 1, TypeError, "intercept: value is 1; expected yes or no"),
    ("loss", "absolute", ValueError, "loss: value is absolute"),
    ("loss", 3, TypeError, "loss: value is 3"),
    ("effort", "heroic", ValueError, "effort: value is heroic"),
    ("lower", 1.0, ValueError, "lower"),
    ("upper", -1.0, ValueError, "upper"),
    ("lower", [0.0, 0.0], ValueError, "lower"),
    ("upper", "all", TypeError, "upper"),
    ("always", [12], ValueError, "always"),
    ("always", [-1], ValueError, "always"),
    ("always", ["x"], ValueError, "always: there is no feature 'x'"),
    ("always", [0.5], TypeError, "always"),
    ("gap", 2, ValueError, "gap"),
    ("time_limit", -1, ValueError, "time_limit"),
])
def test_settings_out_of_range(name, value, error, match):
    refused(match, error=error, **{"lambda0": None if name == "k" else 2.0, name: value})


def test_price_and_budget_exclude_each_other():
    refused("lambda0 and k", k=3)
    with pytest.raises(ValueError, match="k: "):
        ellzero.fit(X, Y, k=13)


def test_weights():
    refused(r"sample_weight\[0\]", sample_weight=np.r_[-1.0, np.ones(59)])
    refused("sample_weight: all are 0", sample_weight=np.zeros(60))
    counts = np.arange(60) % 3
    weighted = ellzero.fit(X, Y, lambda0=2.0, sample_weight=counts)
    repeated = ellzero.fit(np.repeat(X, counts, axis=0), np.repeat(Y, counts), lambda0=2.0)
    assert weighted.objective == pytest.approx(repeated.objective) and weighted.n == np.sum(counts > 0)


def test_broken_sparse_matrices_are_refused_before_they_are_read():
    def broken(kind, indices=None, indptr=None):
        matrix = kind(X)
        if indices is not None:
            matrix.indices[7] = indices
        if indptr is not None:
            matrix.indptr[2] = indptr
        return matrix

    for kind in (sparse.csc_matrix, sparse.csr_matrix, sparse.csc_array, sparse.csr_array):
        for index in (60, 10**6, -1):
            refused("X", X=broken(kind, indices=index))
        for pointer in (0, -5, 10**6):
            refused("X", X=broken(kind, indptr=pointer))
    coo = sparse.coo_array(X)
    coo.coords[0][3] = 60
    refused("X", X=coo)
    short = sparse.csc_array(X)
    short.indptr = short.indptr[:-1]
    refused("X", X=short)
    short = sparse.csc_array(X)
    short.data = short.data[:-1]
    refused("X", X=short)


@pytest.mark.parametrize("kind", [sparse.csc_matrix, sparse.csr_matrix, sparse.csc_array, sparse.csr_array])
def test_broken_sparse_matrices_are_refused_by_estimators_and_predictions(kind):
    broken = kind(X)
    broken.indices[7] = 10**8
    model = ellzero.L0Regressor(k=3).fit(kind(X), Y)
    for use in (model.fit, lambda X, y: model.predict(X), lambda X, y: model.transform(X),
                lambda X, y: model.results_[0].linear_predictor(X), lambda X, y: ellzero.verify(PLAIN, X, y)):
        with pytest.raises(ValueError, match="X"):
            use(broken, Y)
    lists = sparse.lil_array(X)
    lists.rows[3][0] = 10**8
    refused("X", X=lists)


def test_unsorted_and_repeated_entries_add_up():
    rows, cols = np.nonzero(np.ones_like(X))
    twice = sparse.coo_array((np.r_[X.ravel() / 2, X.ravel() / 2], (np.r_[rows, rows], np.r_[cols, cols])), X.shape)
    assert np.allclose(ellzero.fit(twice, Y, lambda0=2.0).coef, PLAIN.coef)
    columns = sparse.csc_array(X)
    for j in range(12):  # each column backwards
        part = slice(columns.indptr[j], columns.indptr[j + 1])
        columns.indices[part], columns.data[part] = columns.indices[part][::-1].copy(), columns.data[part][::-1].copy()
    before = columns.indices.copy()
    assert np.allclose(ellzero.fit(columns, Y, lambda0=2.0).coef, PLAIN.coef)
    assert np.array_equal(columns.indices, before)  # summed on a copy


def test_long_indices():
    wide = sparse.csc_array(X)
    wide.indptr, wide.indices = wide.indptr.astype(np.int64), wide.indices.astype(np.int64)
    assert np.allclose(ellzero.fit(wide, Y, lambda0=2.0).coef, PLAIN.coef)
    wide.indices = wide.indices.astype(np.int32)  # and of two kinds
    assert np.allclose(ellzero.fit(wide, Y, lambda0=2.0).coef, PLAIN.coef)


def read_only(array):
    array = array.copy(order="F")
    array.flags.writeable = False
    return array


def unaligned(a):
    return np.frombuffer(b"x" + a.tobytes(), dtype=np.uint8)[1:].view(a.dtype).reshape(a.shape)


FORMS = {
    "fortran": np.asfortranarray,
    "c": np.ascontiguousarray,
    "read-only": read_only,
    "every other row": lambda a: np.repeat(a, 2, axis=0)[::2],
    "every other column": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "backwards": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "transposed": lambda a: a.T.copy().T,
    "other byte order": lambda a: a.astype(">f8"),
    "unaligned": unaligned,
    "field of a record": lambda a: np.rec.fromarrays([a, np.zeros(a.shape, np.int8)], names="x,pad")["x"],
    "frame": pandas.DataFrame,
    "sparse frame": lambda a: pandas.DataFrame(a).astype(pandas.SparseDtype(float, 0)),
    "list": lambda a: a.tolist(),
    "matrix": lambda a: np.asmatrix(a),
    "object": lambda a: a.astype(object),
    "long double": lambda a: a.astype(np.longdouble),
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("form", FORMS)
def test_any_form_of_the_same_numbers(form):
    result = ellzero.fit(FORMS[form](X), Y, lambda0=2.0)
    assert np.allclose(result.coef, PLAIN.coef, rtol=1e-9) and result.objective == pytest.approx(PLAIN.objective)


def test_what_the_library_reads_is_aligned():
    for dense in (X, X.astype(np.float32)):
        found = _data.matrix(unaligned(dense))
        assert found.flags.aligned and found.dtype == dense.dtype and np.array_equal(found, dense)
    assert _data.vector(unaligned(Y), "y").flags.aligned
    columns = sparse.csc_matrix(X)
    columns.data, columns.indices, columns.indptr = map(unaligned, (columns.data, columns.indices, columns.indptr))
    assert all(part.flags.aligned for part in _data.matrix(columns)[2:])
    assert _data.matrix(X) is X  # no copy without need


def test_memmap_and_float32(tmp_path):
    np.save(tmp_path / "X.npy", X.astype(np.float32))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    result = ellzero.fit(mapped, Y, lambda0=2.0)
    assert np.allclose(result.coef, PLAIN.coef, rtol=1e-4)
    assert np.array_equal(result.support, PLAIN.support)
    whole = np.arange(24).reshape(8, 3) % 5
    assert np.allclose(ellzero.fit(whole, np.arange(8), k=2).coef, ellzero.fit(whole.astype(float), np.arange(8), k=2).coef)


def test_vectors_of_any_form():
    for y in (Y[::-1].copy()[::-1], np.repeat(Y, 2)[::2], Y.tolist(), pandas.Series(Y), read_only(Y), Y.astype(">f8"), unaligned(Y)):
        assert ellzero.fit(X, y, lambda0=2.0).objective == PLAIN.objective


def test_input_is_not_changed():
    copy, y, weights = X.copy(order="F"), Y.copy(), np.ones(60)
    ellzero.fit(copy, y, lambda0=2.0, sample_weight=weights)
    assert np.array_equal(copy, X) and np.array_equal(y, Y) and np.all(weights == 1)


@pytest.mark.parametrize("scale", [1e300, 1e-300, 1e150, 1e-150])
def test_huge_and_tiny_scales_are_right_or_refused(scale):
    settings = {"k": 3, "lambda2": 0.0}
    plain = ellzero.fit(X, Y, **settings)
    for change in (lambda: ellzero.fit(X * scale, Y, **settings), lambda: ellzero.fit(X, Y * scale, **settings)):
        try:
            assert np.array_equal(change().support, plain.support)
        except (ValueError, ellzero.NumericalError) as error:
            assert "X" in str(error) or "y" in str(error)


def test_columns_of_no_use_and_twins():
    extended = np.c_[X, np.zeros(60), np.full(60, 3.0), X[:, PLAIN.support[0]]]
    result = ellzero.fit(extended, Y, lambda0=2.0, lambda2=0.01)
    plain = ellzero.fit(X, Y, lambda0=2.0, lambda2=0.01)
    assert result.objective == pytest.approx(plain.objective) and np.array_equal(result.support, plain.support)
    assert result.notes


def test_degenerate_targets():
    constant = ellzero.fit(X, np.full(60, 3.0), lambda0=1.0)
    assert constant.nonzeros == 0 and constant.intercept == pytest.approx(3) and constant.gap == pytest.approx(0)
    assert np.isfinite(ellzero.fit(X[:1], Y[:1], lambda0=1.0).objective)
    for loss in ("logistic", "smoothed-hinge"):
        refused("y: has 1 class", y=np.ones(60), loss=loss)
        refused("y: has 3 class", y=np.arange(60) % 3, loss=loss)
    separated = ellzero.fit(X, X[:, 0] > 0, loss="logistic", lambda0=1e-3, lambda2=0.0, time_limit=20)
    assert np.all(np.isfinite(separated.coef)) and np.isfinite(separated.objective)


def test_bounds_and_always():
    bounded = ellzero.fit(X, Y, lambda0=2.0, lower=-0.5, upper=0.5)
    assert np.abs(bounded.coef).max() <= 0.5 and bounded.objective >= PLAIN.objective and bounded.notes
    kept = ellzero.fit(X, Y, lambda0=2.0, always=[0, 5])
    assert {0, 5} <= set(kept.support)


@pytest.mark.parametrize("name", ["k", "node_limit", "max_iterations", "seed", "grid_size"])
@pytest.mark.parametrize("value", [10**30, -(10**30)])
def test_whole_numbers_of_any_size_are_shown_as_they_are(name, value):
    refused(f"{name}: value is {value}; expected .* in 64 bits", **{"lambda0": None, name: value})


def test_more_numbers_of_any_size():
    refused(f"always: value is {10**30}", always=[10**30])
    for margin in (10**400, -(10**400), np.inf):
        with pytest.raises(ValueError, match="margin: value is "):
            ellzero.pool(X, Y, k=1, margin=margin)


def test_a_name_of_two_columns_is_none():
    frame = pandas.DataFrame(X, columns=["a", "a", *"bcdefghijk"])
    refused("always: there are several columns 'a'", X=frame, always=["a"])
    assert ellzero.fit(frame, Y, lambda0=2.0).objective == PLAIN.objective
    assert 1 in ellzero.fit(frame, Y, lambda0=2.0, always=[1]).support
    assert 2 in ellzero.fit(frame, Y, lambda0=2.0, always=["b"]).support
