"""Prediction-powered shares as assay-measure(7) has them, computed from a classifier's items.csv in plain Python: an
implementation of its own, to compare with."""
import csv
import math
from statistics import NormalDist, fmean

FEW = 5  # labels of a class, or of all others: with fewer, predictions are not used


def products(a, b):
    at, bt = fmean(a), fmean(b)
    return math.fsum((x - at) * (y - bt) for x, y in zip(a, b))


def wilson(share, size, level=0.95):
    z = NormalDist().inv_cdf(0.5 + level / 2)
    middle, scale = share + z * z / (2 * size), 1 + z * z / size
    half = z * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return max(0, (middle - half) / scale), min(1, (middle + half) / scale)


def one_rate(labels, of_labelled, others):
    """Estimate, variance, size and lambda of a share; labels are 0 or 1, and predictions probabilities."""
    n, m = len(labels), len(others)
    every, ones = of_labelled + others, sum(labels)
    lam = 0
    if m > 0 and products(every, every) > 0 and min(ones, n - ones) >= FEW:
        lam = (products(labels, of_labelled) / n) / ((1 + n / m) * products(every, every) / (n + m))
        lam = min(max(lam, 0), 1)
    estimate = fmean(labels) + (lam * (fmean(others) - fmean(of_labelled)) if m > 0 else 0)
    slope = lam * (n + m) / m if m > 0 else 0
    left = [y - slope * f for y, f in zip(labels, of_labelled)]
    remain, alone = products(left, left) * n / (n - 2), products(labels, labels)
    worth = min((remain + 0.5) / (alone + 0.5), 1) if lam > 0 else 1
    size = n / worth * (n + m - 1) / m if m > 0 else math.inf
    return min(max(estimate, 0), 1), remain / n / n * m / (n + m), size, lam


def one_each(classes):
    """Of (labels, predictions of these, those of the others) of each class, of which each item has one: shares that add
    up to 1, each with its limits."""
    found = [one_rate(*one) for one in classes]
    missing, variance = 1 - sum(f[0] for f in found), sum(f[1] for f in found)
    out = []
    for estimate, own, size, _ in found:
        estimate = min(max(estimate + (missing * own / variance if variance > 0 else 0), 0), 1)
        out.append((estimate, *(wilson(estimate, size) if size < math.inf else (estimate, estimate))))
    return out


def over_strata(strata):
    """Estimate, low, high and slope of a share over strata, of (labels, predictions of these, those of the others)."""
    sizes = [(len(y), len(y) + len(others)) for y, _, others in strata]
    every, drawn = sum(N for _, N in sizes), sum(n for n, _ in sizes)
    ones = sum(sum(y) for y, _, _ in strata)
    weight = [N / every for _, N in sizes]
    part = [w * w * (1 - n / N) / n / max(n - 1, 1) for w, (n, N) in zip(weight, sizes)]
    squares = sum(a * products(f, f) for a, (_, f, _) in zip(part, strata))
    slope = 0
    if drawn < every and squares > 0 and min(ones, drawn - ones) >= FEW:
        slope = sum(a * products(y, f) for a, (y, f, _) in zip(part, strata)) / squares
        slope = min(max(slope, 0), every / (every - drawn))
    shares = [fmean(y) + (slope * (N - n) / N * (fmean(others) - fmean(f)) if others else 0)
              for (y, f, others), (n, N) in zip(strata, sizes)]
    left = sum(a * products(r, r) for a, r in
               ((a, [t - slope * p for t, p in zip(y, f)]) for a, (y, f, _) in zip(part, strata)))
    free = drawn - len(strata)
    left *= free / (free - 1) if slope > 0 else 1
    alone = sum(a * products(y, y) for a, (y, _, _) in zip(part, strata))
    half = max(0.5 * a * max(n - 1, 1) / n for a, (n, _) in zip(part, sizes))
    worth = min((left + half) / (alone + half), 1) if slope > 0 else 1
    below = above = 0
    for w, share, (n, N) in zip(weight, shares, sizes):
        if N > n:
            share = min(max(share, 0), 1)
            low, high = wilson(share, n * (N - 1) / (N - n) / worth)
            below, above = below + (w * (share - low)) ** 2, above + (w * (high - share)) ** 2
    estimate = min(max(sum(w * s for w, s in zip(weight, shares)), 0), 1)
    return estimate, max(estimate - math.sqrt(below), 0), min(estimate + math.sqrt(above), 1), slope


def read(path, of=None):
    """From items.csv (labels, predictions of these, those of the others) of each class, and whether each item has one;
    of: ids of the set."""
    with open(path, newline="") as file:
        rows = [r for r in csv.DictReader(file) if of is None or r["id"] in of]
    classes = [name[len("truly: "):] for name in rows[0] if name.startswith("truly: ")]
    drawn = [r for r in rows if r["role"] == "drawn"]
    rest = [r for r in rows if r["role"] != "drawn"]

    def predicted(row, name):
        return float(row["probability: " + name] or 0)  # nothing is predicted: no class
    return {name: ([float(r["truly: " + name]) for r in drawn], [predicted(r, name) for r in drawn],
                   [predicted(r, name) for r in rest]) for name in classes}
