"""Makes stats_unitize.csv: /usr/bin/python3 make_unitize.py, in this folder. Krippendorff's alpha
for unitizing (1995; Content Analysis, 2nd edition, section 11.6) by its definition: every rater's
continuum as a list of sections, units and gaps, all pairs of sections compared, in fractions. The
first case is the example that Krippendorff publishes (Measuring the reliability of qualitative text
analysis data, Quality and Quantity 38, 2004): observed .0144 and 0, expected .0532 and .0490, alpha
.7286 and 1, together .8591, with numbers rounded on the way."""
import random
from fractions import Fraction

random.seed(20041995)


def sections(units, length):
    """All of a piece as (begin, length, whether it is a unit)."""
    out, at = [], 0
    for begin, size in sorted(units):
        if begin > at:
            out.append((at, begin - at, False))
        out.append((begin, size, True))
        at = begin + size
    if at < length:
        out.append((at, length - at, False))
    return out


def distance(one, two):
    """The squared difference of two sections, as published."""
    (b1, l1, v1), (b2, l2, v2) = one, two
    if v1 and v2 and -l1 < b1 - b2 < l2:
        return (b1 - b2) ** 2 + (b1 + l1 - b2 - l2) ** 2
    if v1 and not v2 and l2 - l1 >= b1 - b2 >= 0:
        return l1 ** 2
    if not v1 and v2 and l2 - l1 <= b1 - b2 <= 0:
        return l2 ** 2
    return 0


def disagreement(units, pieces, raters):
    """Observed and expected for one category; units: (rater, piece, begin, length)."""
    total = sum(pieces)
    cut = [[sections([(b, n) for r, p, b, n in units if (r, p) == (rater, piece)], length)
            for piece, length in enumerate(pieces)] for rater in range(raters)]
    observed = sum(distance(one, two) for i in range(raters) for j in range(raters) if i != j
                   for piece in range(len(pieces)) for one in cut[i][piece] for two in cut[j][piece])
    every = [section for rater in cut for piece in rater for section in piece]
    lengths = [n for _, n, unit in every if unit]
    gaps = [n for _, n, unit in every if not unit]
    expected = sum(Fraction(len(lengths) - 1, 3) * (2 * n ** 3 - 3 * n ** 2 + n) +
                   n ** 2 * sum(gap - n + 1 for gap in gaps if gap >= n) for n in lengths)
    all_length = raters * total
    return (Fraction(observed, raters * (raters - 1) * total ** 2),
            Fraction(2, total) * expected /
            (all_length * (all_length - 1) - sum(n * (n - 1) for n in lengths)))


def put(out, case, pieces, raters, categories):
    both = [disagreement(units, pieces, raters) if units else (Fraction(0), Fraction(0))
            for units in categories]
    both.append((sum(o for o, _ in both), sum(e for _, e in both)))
    rows = [(r, c, p, b, n) for c, units in enumerate(categories) for r, p, b, n in units]
    random.shuffle(rows)
    fields = {"pieces": pieces, "raters": [raters], "categories": [len(categories)],
              "units": [value for row in rows for value in row],
              "observed": [float(o) for o, _ in both], "expected": [float(e) for _, e in both],
              "alpha": [float(1 - o / e) if e else float("nan") for o, e in both]}
    for name, values in fields.items():
        print("alpha", case, name, " ".join(f"{v:.17g}" for v in values), sep=",", file=out)


def draw(pieces, raters):
    units = []
    for rater in range(raters):
        for piece, length in enumerate(pieces):
            at = random.randrange(6)
            while True:
                size = random.randrange(1, 9)
                if at + size > length:
                    break
                if random.random() < .6:
                    units.append((rater, piece, at, size))
                at += size + random.randrange(0, 12)
    return units


with open("stats_unitize.csv", "w", encoding="ascii") as out:
    print("# Python, fractions, by make_unitize.py", "method,case,field,values", sep="\n", file=out)
    put(out, "Krippendorff 2004", [300], 2, [
        [(0, 0, 75, 70), (0, 0, 220, 30), (1, 0, 70, 80), (1, 0, 205, 20), (1, 0, 250, 20)],
        [(0, 0, 30, 60), (0, 0, 150, 50), (1, 0, 30, 60), (1, 0, 150, 50)]])
    put(out, "the same", [50], 2, [[(0, 0, 3, 9), (1, 0, 3, 9)]])
    put(out, "one marks nothing", [50, 20], 2, [[(0, 0, 3, 9), (0, 1, 0, 20)]])
    put(out, "nobody marks anything", [50], 2, [[]])
    put(out, "touching", [30], 2, [[(0, 0, 0, 10), (0, 0, 10, 10), (1, 0, 0, 20)]])
    put(out, "single characters", [9, 1], 3, [[(0, 0, 0, 1), (1, 0, 8, 1), (2, 1, 0, 1)]])
    for number in range(25):
        raters = random.randrange(2, 5)
        pieces = [random.randrange(1, 80) for _ in range(random.randrange(1, 6))]
        put(out, f"drawn {number + 1}", pieces, raters,
            [draw(pieces, raters) for _ in range(random.randrange(1, 4))])
