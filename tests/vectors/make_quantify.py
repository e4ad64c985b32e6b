"""Makes learn_quantify.csv: /usr/bin/python3 make_quantify.py, in this folder. The published
formulas in numpy, written from the papers: PPI++ for a mean (Angelopoulos, Duchi and Zrnic 2023,
section 6; what ppi_py's ppi_mean_pointestimate and ppi_mean_ci do with lam=None), EMQ (Saerens,
Latinne and Decaestecker 2002; as QuaPy's EMQ, run until it stays), adjusted counts by inverting
the matrix (Forman 2008; QuaPy's ACC and PACC where the solution is within 0 .. 1), or by the
largest likelihood where there is nothing to invert (scipy.optimize.minimize), the inverse power
law by scipy.optimize.least_squares, means over strata with a common regression
(Cochran 1977, 5.4 and 7.10), intervals of prediction-powered shares of a finite set as
assay-measure(7) has them (tests/python/powered.py), and bias-corrected temperature scaling (Alexandari, Kundaje and
Shrikumar 2020) by scipy.optimize.minimize. Rows as in make_stats.R."""
import sys
from importlib.metadata import version

import numpy
from scipy.optimize import least_squares, minimize
from scipy.special import log_softmax
from scipy.stats import norm

sys.path.insert(0, "../python")
import powered as in_manual

rng = numpy.random.default_rng(20231101)
HEAD = f"# numpy {version('numpy')}; scipy {version('scipy')}; by make_quantify.py"


def put(out, method, case, **fields):
    for name, values in fields.items():
        values = numpy.ravel(numpy.asarray(values, dtype=float))
        print(method, case, name, " ".join(f"{v:.17g}" for v in values), sep=",", file=out)


def ppi(y, f, g):
    """Estimate, lambda and standard error of the mean of y: f are its predictions, g those
    of unlabelled items."""
    n, m = len(y), len(g)
    covariance = numpy.cov(y, f, bias=True)[0, 1]
    both = numpy.var(numpy.concatenate([f, g]))
    lam = min(max(covariance / ((1 + n / m) * both), 0), 1)
    estimate = lam * g.mean() + (y - lam * f).mean()
    error = numpy.sqrt((lam * g).var() / m + (y - lam * f).var() / n)
    return estimate, lam, error


def put_ppi(out, case, n, m, share, noise, harm=False):
    y = (rng.random(n + m) < share).astype(float)
    y[:6], y[6:12] = 1, 0
    f = numpy.clip((1 - y if harm else y) * 0.9 + 0.05 + noise * rng.normal(size=n + m), 0, 1)
    y, f, g = y[:n], f[:n], f[n:]
    estimate, lam, error = ppi(y, f, g)
    z = norm.ppf(0.975)
    share, _, size, _ = in_manual.one_rate(list(y), list(f), list(g))
    low, high = in_manual.wilson(share, size)
    put(out, "ppi", case, truth=y, predicted=f, unlabelled=g, estimate=estimate, lam=lam,
        error=error, low=estimate - z * error, high=estimate + z * error, set_low=low,
        set_high=high)


def emq(probabilities, prior):
    shares = prior.copy()
    for _ in range(100000):
        weighted = probabilities * (shares / prior)
        after = (weighted / weighted.sum(axis=1, keepdims=True)).mean(axis=0)
        if abs(after - shares).max() < 1e-13:
            break
        shares = after
    return after


def put_emq(out, case, classes, items, prior, share):
    truth = rng.choice(classes, size=items, p=share)
    density = numpy.exp(rng.normal(size=(items, classes)))
    density[numpy.arange(items), truth] *= 6
    joint = density * prior
    probabilities = joint / joint.sum(axis=1, keepdims=True)
    put(out, "emq", case, prior=prior, probabilities=probabilities,
        shares=emq(probabilities, prior))


def put_adjusted(out, case, confusion, counts):
    rates = confusion / confusion.sum(axis=1, keepdims=True)
    shares = numpy.linalg.solve(rates.T, counts / counts.sum())
    assert shares.min() > 0
    put(out, "adjusted", case, confusion=confusion, counts=counts, shares=shares)


def put_more(out, case, confusion, counts):
    """More outcomes than classes, such as none: the shares that make the counts most likely."""
    rates = confusion / confusion.sum(axis=1, keepdims=True)

    def loss(x):
        return -(counts * numpy.log(numpy.r_[x, 1 - x.sum()] @ rates)).sum() / counts.sum()
    start = numpy.full(len(confusion) - 1, 1 / len(confusion))
    best = minimize(loss, start, method="Nelder-Mead",
                    options={"xatol": 1e-13, "fatol": 1e-16, "maxiter": 100000})
    shares = numpy.r_[best.x, 1 - best.x.sum()]
    assert shares.min() > 0
    put(out, "adjusted", case, confusion=confusion, counts=counts, shares=shares)


def put_curve(out, case, labels, scores):
    def off(x):
        return x[0] - x[1] * labels ** -x[2] - scores
    best = min((least_squares(off, [a, b, c], bounds=([-9, 0, 0.01], [1, 1e6, 3]), xtol=1e-15,
                              ftol=1e-15, gtol=1e-15, x_scale="jac")
                for a in (0.6, 0.95) for b in (1, 10) for c in (0.3, 0.6, 1.2)),
               key=lambda fit: fit.cost)
    put(out, "curve", case, labels=labels, scores=scores, law=best.x,
        squares=2 * best.cost)


def put_strata(out, case, sizes, labelled, shares, noise):
    """The mean of y over strata from labels alone, and with predictions f whose common slope
    minimises the variance: as a finite population, with the variance of what is left. The slope
    costs one degree of freedom besides those of the means."""
    random = numpy.random.default_rng(5)
    y = [(random.random(size) < share).astype(float) for size, share in zip(sizes, shares)]
    f = [numpy.clip(0.8 * one + 0.1 + noise * random.normal(size=len(one)), 0, 1) for one in y]
    weight = numpy.array(sizes) / sum(sizes)
    taken = numpy.array(labelled)
    part = weight ** 2 * (1 - taken / numpy.array(sizes)) / taken
    drawn = [one[:n] for one, n in zip(y, labelled)]
    guess = [one[:n] for one, n in zip(f, labelled)]
    slope = (sum(p * numpy.cov(a, b)[0, 1] for p, a, b in zip(part, drawn, guess))
             / sum(p * b.var(ddof=1) for p, b in zip(part, guess)))
    assert 0 < slope < sum(sizes) / (sum(sizes) - sum(labelled))
    left = [a - slope * b for a, b in zip(drawn, guess)]
    alone = sum(w * a.mean() for w, a in zip(weight, drawn))
    powered = sum(w * (r.mean() + slope * b.mean()) for w, r, b in zip(weight, left, f))
    free = sum(labelled) - len(sizes)
    _, low, high, _ = in_manual.over_strata([(list(a), list(b), list(c[n:])) for a, b, c, n in
                                             zip(drawn, guess, f, labelled)])
    put(out, "strata", case, sizes=sizes, labelled=labelled, truth=numpy.concatenate(drawn),
        predicted=numpy.concatenate(guess),
        unlabelled=numpy.concatenate([b[n:] for b, n in zip(f, labelled)]),
        alone=alone, alone_error=numpy.sqrt(sum(p * a.var(ddof=1) for p, a in zip(part, drawn))),
        powered=powered, slope=slope,
        powered_error=numpy.sqrt(sum(p * r.var(ddof=1) for p, r in zip(part, left))
                                 * free / (free - 1)), low=low, high=high)


def put_calibration(out, case, classes, items, slope, bias):
    """softmax(a log p + b) with the least weighted loss, and a penalty of 0.001 / 2 on the
    squares of a - 1 and b."""
    random = numpy.random.default_rng(6)
    truth = random.integers(classes, size=items)
    logs = numpy.log(random.dirichlet(numpy.ones(classes), size=items))
    logs[numpy.arange(items), truth] += 1
    logs = log_softmax((logs - bias) / slope, axis=1)
    weights = random.choice([0.5, 1.0, 2.0], size=items)

    def loss(x):
        fitted = log_softmax(x[0] * logs + x[1:], axis=1)
        return (-(weights * fitted[numpy.arange(items), truth]).sum()
                + 0.0005 * ((x[0] - 1) ** 2 + (x[1:] ** 2).sum()))
    best = minimize(loss, numpy.r_[1, numpy.zeros(classes)], method="BFGS",
                    options={"gtol": 1e-7, "maxiter": 10000})
    put(out, "calibration", case, truth=truth, weights=weights, logarithms=logs, slope=best.x[0],
        bias=best.x[1:])


with open("learn_quantify.csv", "w", encoding="ascii") as out:
    print(HEAD, "method,case,field,values", sep="\n", file=out)
    put_ppi(out, "good predictions", 60, 400, 0.3, 0.1)
    put_ppi(out, "bad predictions", 60, 400, 0.3, 0.9)
    put_ppi(out, "predictions that mislead", 40, 100, 0.5, 0.1, harm=True)
    put_ppi(out, "half of the set is labelled", 80, 80, 0.4, 0.3)
    put_ppi(out, "a rare class", 100, 900, 0.04, 0.2)
    put_emq(out, "two classes", 2, 60, numpy.array([0.5, 0.5]), [0.2, 0.8])
    put_emq(out, "three classes", 3, 80, numpy.array([0.6, 0.3, 0.1]), [0.2, 0.3, 0.5])
    put_emq(out, "no shift", 3, 80, numpy.array([0.2, 0.3, 0.5]), [0.2, 0.3, 0.5])
    put_adjusted(out, "counts", numpy.array([[80., 20, 0], [10, 70, 20], [5, 15, 80]]),
                 numpy.array([300., 420, 280]))
    put_adjusted(out, "two classes", numpy.array([[40., 10], [12, 88]]),
                 numpy.array([410., 590]))
    put_adjusted(out, "sums of probabilities",
                 numpy.array([[31.5, 6.25, 2.25], [8.1, 40.3, 1.6], [1.25, 2.5, 16.25]]),
                 numpy.array([120.5, 200.25, 79.25]))
    put_more(out, "some without a prediction",
             numpy.array([[30., 5, 2, 8], [4, 20, 6, 2], [3, 7, 25, 15]]),
             numpy.array([120., 90, 70, 60]))
    labels = numpy.array([60., 120, 180, 240, 300])
    put_curve(out, "exactly the law", labels, 0.8 - 2.5 * labels ** -0.6)
    put_curve(out, "with noise", labels, numpy.array([0.42, 0.51, 0.545, 0.575, 0.586]))
    put_curve(out, "steep and then flat", labels, numpy.array([0.30, 0.58, 0.66, 0.69, 0.70]))
    put_curve(out, "no end in sight: a is 1", labels,
              numpy.array([0.40, 0.45, 0.50, 0.55, 0.60]))
    put_strata(out, "two at rates of 1 and 5", [300, 60], [30, 30], [0.2, 0.7], 0.3)
    put_strata(out, "three with one labelled throughout", [120, 30, 90], [24, 30, 30],
               [0.3, 0.6, 0.1], 0.5)
    put_calibration(out, "two classes", 2, 60, 0.5, numpy.array([0.4, -0.4]))
    put_calibration(out, "four classes: too sure", 4, 120, 2.5, numpy.array([0.5, 0, -1, 0.2]))
