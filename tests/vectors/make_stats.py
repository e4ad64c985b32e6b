"""Makes the vectors of agreement and of simultaneous intervals that base R has not:
/usr/bin/python3 make_stats.py, in this folder. Kappa, Fleiss and Goodman by statsmodels, alpha
by NLTK (ordinal and AC1 by their formulas, in fractions). Rows as in make_stats.R."""
import random
from fractions import Fraction
from importlib.metadata import version

import numpy
from nltk.metrics.agreement import AnnotationTask
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

random.seed(20191202)
HEAD = f"# statsmodels {version('statsmodels')}; nltk {version('nltk')}; by make_stats.py"


def put(out, method, case, **fields):
    for name, values in fields.items():
        values = numpy.ravel(numpy.asarray(values, dtype=float))
        print(method, case, name, " ".join(f"{v:.17g}" for v in values), sep=",", file=out)


def begin(topic):
    out = open(f"stats_{topic}.csv", "w", encoding="ascii")
    print(HEAD, "method,case,field,values", sep="\n", file=out)
    return out


def masi(a, b):
    both, either = len(a & b), len(a | b)
    m = 1 if a == b else 0 if not both else Fraction(2, 3) if both in (len(a), len(b)) else Fraction(1, 3)
    return 1 - Fraction(both, either) * m


def alpha(ratings, distance, value=lambda label: label):
    rows = [(f"r{r}", f"i{i}", value(label)) for i, item in enumerate(ratings)
            if sum(label >= 0 for label in item) > 1
            for r, label in enumerate(item) if label >= 0]
    return float(AnnotationTask(rows, distance=distance).alpha())


def ordinal(ratings, categories):
    used = [0] * categories
    for item in ratings:
        labels = [label for label in item if label >= 0]
        if len(labels) > 1:
            for label in labels:
                used[label] += 1

    def distance(a, b):
        low, high = min(a, b), max(a, b)
        return (sum(used[low:high + 1]) - Fraction(used[a] + used[b], 2)) ** 2 if a != b else 0
    return alpha(ratings, distance)


def gwet(ratings, categories, ac1):
    """Coefficient and standard error, Gwet 2014, for infinitely many raters."""
    items = [[item.count(c) for c in range(categories)] for item in ratings
             if any(label >= 0 for label in item)]
    n, paired = len(items), sum(sum(item) > 1 for item in items)
    share = [sum(Fraction(item[c], sum(item)) for item in items) / n for c in range(categories)]
    chance = [(1 - s) / (categories - 1) if ac1 else s for s in share]
    agree = [Fraction(sum(k * (k - 1) for k in item), sum(item) * (sum(item) - 1))
             if sum(item) > 1 else None for item in items]
    observed = sum(a for a in agree if a is not None) / paired
    expected = sum(s * c for s, c in zip(share, chance))
    value = (observed - expected) / (1 - expected)
    variance = Fraction(0)
    for item, a in zip(items, agree):
        own = Fraction(n, paired) * (a - expected) / (1 - expected) if a is not None else 0
        mean = sum(k * c for k, c in zip(item, chance)) / sum(item)
        own -= 2 * (1 - value) * (mean - expected) / (1 - expected)
        variance += (own - value) ** 2
    return float(value), float(variance / (n * (n - 1))) ** 0.5


def weighted(ratings, categories, power, chance):
    """The same with weights, as matrices: Gwet 2014, chapter 3. power 0: no weights."""
    k = numpy.arange(categories)
    apart = numpy.abs(k[:, None] - k[None, :]) / (categories - 1)
    weights = 1 - apart ** power if power else numpy.eye(categories)
    counts = numpy.array([[item.count(c) for c in k] for item in ratings], dtype=float)
    counts = counts[counts.sum(axis=1) > 0]
    labels = counts.sum(axis=1)
    pairs = labels > 1
    n = len(counts)
    agree = numpy.zeros(n)
    agree[pairs] = ((counts * (counts @ weights - 1)).sum(axis=1)[pairs]
                    / (labels * (labels - 1))[pairs])
    observed = agree[pairs].mean()
    share = (counts / labels[:, None]).mean(axis=0)
    if chance == "fleiss":
        expected, by_label = share @ weights @ share, weights @ share
    elif chance == "gwet":
        factor = weights.sum() / (categories * (categories - 1))
        expected, by_label = factor * (share * (1 - share)).sum(), factor * (1 - share)
    else:
        expected = weights.sum() / categories ** 2
        by_label = numpy.full(categories, expected)
    value = (observed - expected) / (1 - expected)
    own = n / pairs.sum() * (agree - expected) / (1 - expected) * pairs
    own -= 2 * (1 - value) * (counts @ by_label / labels - expected) / (1 - expected)
    return value, numpy.sqrt(((own - value) ** 2).sum() / (n * (n - 1)))


def random_ratings(items, raters, categories, noise, missing):
    ratings = []
    for _ in range(items):
        truth = min(int(random.expovariate(0.8)), categories - 1)
        ratings.append([-1 if random.random() < missing
                        else random.randrange(categories) if random.random() < noise else truth
                        for _ in range(raters)])
    return ratings


def agreement(out):
    tables = {
        "grants": [[20, 5], [10, 15]], "perfect": [[7, 0], [0, 3]], "opposite": [[0, 5], [5, 0]],
        "ordered": [[11, 3, 1, 0], [4, 9, 5, 1], [0, 2, 14, 4], [1, 0, 3, 12]],
        "skewed": [[90, 4, 1], [3, 2, 0], [0, 1, 0]],
        "unused": [[5, 1, 0], [2, 6, 0], [0, 0, 0]],
    }
    for name, table in tables.items():
        table = numpy.array(table)
        for weights, wt in (("nominal", None), ("linear", "linear"), ("quadratic", "quadratic")):
            result = cohens_kappa(table, wt=wt)
            put(out, "cohen", f"{name} {weights}", categories=len(table), table=table,
                weights=("nominal", "linear", "quadratic").index(weights),
                kappa=result.kappa, error=result.std_kappa)
    shapes = {"two": (40, 2, 3, 0.2, 0), "three": (60, 3, 4, 0.4, 0), "six": (30, 6, 5, 0.6, 0),
              "chance": (50, 3, 3, 1, 0), "sparse": (50, 6, 4, 0.3, 0.6),
              "two sparse": (30, 2, 3, 0.3, 0.2)}
    cases = {name: (random_ratings(*shape), shape[2]) for name, shape in shapes.items()}
    # Krippendorff, "Computing Krippendorff's alpha-reliability", 2011, section C.
    observers = [[1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
                 [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0]]
    cases["krippendorff 2011"] = ([[o[i] - 1 for o in observers] for i in range(12)], 5)
    for name, (ratings, categories) in cases.items():
        fields = {}
        if all(label >= 0 for item in ratings for label in item):
            counts, _ = aggregate_raters(numpy.array(ratings), categories)
            fields["fleiss_statsmodels"] = fleiss_kappa(counts)
        fields["fleiss"], fields["fleiss_error"] = gwet(ratings, categories, False)
        fields["ac1"], fields["ac1_error"] = gwet(ratings, categories, True)
        for chance in ("fleiss", "gwet", "brennan_prediger"):
            for power, weights in enumerate(("nominal", "linear", "quadratic")):
                key = f"{chance}_{weights}"
                fields[key], fields[key + "_error"] = weighted(ratings, categories, power, chance)
        sets = [frozenset(b for b in range(3) if (c + 1) >> b & 1) for c in range(categories)]
        put(out, "ratings", name, raters=len(ratings[0]), categories=categories, labels=ratings,
            nominal=alpha(ratings, lambda a, b: a != b), ordinal=ordinal(ratings, categories),
            interval=alpha(ratings, lambda a, b: (a - b) ** 2),
            masi=alpha(ratings, masi, lambda c: sets[c]), **fields)


with begin("agreement") as file:
    agreement(file)
