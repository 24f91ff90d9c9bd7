"""Ways to choose a sparse linear model, as their users would by default: each takes X, y and returns intercept, coefficients."""
import numpy as np


def ellzero(X, y):
    import ellzero
    model = ellzero.choose(X, y).model
    return model.intercept, _dense(X, model.support, model.coefficients)


def ellzero_estimator(X, y):
    import ellzero
    return _fitted(ellzero.L0Regressor(), X, y)


def lasso(X, y):
    from sklearn.linear_model import LassoCV
    return _fitted(LassoCV(cv=5), X, y)


def elastic_net(X, y):
    from sklearn.linear_model import ElasticNetCV
    return _fitted(ElasticNetCV(cv=5, l1_ratio=[0.1, 0.5, 0.9, 1]), X, y)


def celer(X, y):
    from celer import LassoCV
    return _fitted(LassoCV(cv=5), X, y)


def relaxed_lasso(X, y):
    """100 values of the Lasso's path; at each the fit (1 - g) Lasso + g least squares on its support."""
    from sklearn.linear_model import lasso_path
    from sklearn.model_selection import KFold
    shares = (0, 0.5, 1)
    alphas = lasso_path(X - X.mean(0), y - y.mean())[0]

    def members(X, y):
        mean, centre = X.mean(0), y.mean()
        Z = X - mean
        for beta in lasso_path(Z, y - centre, alphas=alphas)[1].T:
            used = np.flatnonzero(beta)
            least_squares = np.zeros_like(beta)
            if used.size:
                least_squares[used] = np.linalg.lstsq(Z[:, used], y - centre, rcond=None)[0]
            for g in shares:
                b = (1 - g) * beta + g * least_squares
                yield centre - mean @ b, b

    errors = np.zeros(len(alphas) * len(shares))
    for train, test in KFold(5, shuffle=True, random_state=0).split(X):
        for m, (b0, b) in enumerate(members(X[train], y[train])):
            errors[m] += ((y[test] - b0 - X[test] @ b)**2).sum()
    best = errors.argmin()
    return next(model for m, model in enumerate(members(X, y)) if m == best)


def abess(X, y):
    from abess import LinearRegression
    return _fitted(LinearRegression(cv=5), X, y)


def fastsparsegams(X, y):
    """Of L0Learn's rows with a ridge, the one whose cross-validation is best. It crashes now and then: then the empty model."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context
    with ProcessPoolExecutor(1, get_context("fork")) as apart:
        try:
            return apart.submit(_fastsparsegams, X, y).result()
        except BrokenProcessPool:
            return y.mean(), np.zeros(X.shape[1])


def _fastsparsegams(X, y):
    import fastsparsegams
    found = fastsparsegams.cvfit(np.asfortranarray(X), y, penalty="L0L2", num_folds=5, num_gamma=5,
                                 max_support_size=min(100, *X.shape))
    row = min(range(len(found.gamma)), key=lambda g: np.min(found.cv_means[g]))
    place = int(np.argmin(found.cv_means[row]))
    b = found.coeff(lambda_0=found.lambda_0[row][place], gamma=found.gamma[row]).toarray().ravel()
    return b[0], b[1:]


def _fitted(model, X, y):
    model.fit(X, y)
    return float(model.intercept_), np.asarray(model.coef_, float).ravel()


def _dense(X, support, values):
    b = np.zeros(X.shape[1])
    b[list(support)] = values
    return b
