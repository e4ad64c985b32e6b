"""A study over several sites against a computation from the dumps alone: every set, funnel,
sample, cell and test, with items that are told apart by site and number. Nothing but the
standard library, and each statistic from its definition. Prints TAP.

usage: sites_counts.py labels STUDY DATA    writes STUDY/labels.csv
       sites_counts.py compare STUDY DATA   STUDY/study.yaml must be JSON"""

import csv
import html
import itertools
import json
import math
import re
import sqlite3
import statistics
import sys
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

from tap import check, done

EPOCH, DAY = datetime(1970, 1, 1), 86400000
UNITS = {"minutes": 60000, "days": DAY}

# The dumps.


def ms_of(text):
    return round((datetime.fromisoformat(text) - EPOCH) / timedelta(milliseconds=1))


def rows(path):
    for _, element in ElementTree.iterparse(path):
        if element.tag == "row":
            yield element.attrib
        element.clear()


def number(row, name):
    return int(row[name]) if row.get(name, "") != "" else None


BLOCK = r"p|li|br|div|blockquote|pre|h[1-6]|td|th|tr|table|ul|ol|hr|dl|dt|dd"


def plain(markup):
    markup = re.sub(rf"</?(?:{BLOCK})\b[^>]*>", "\n", markup)
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


class Post:
    """A question of a site, with what its answers say."""

    def __init__(self, source, site, row):
        self.source, self.site, self.id = source, site, int(row["Id"])  # the first source of its site
        self.sources = set()
        self.created = ms_of(row["CreationDate"])
        self.closed = row.get("ClosedDate") is not None
        self.numbers = {name: number(row, column) for name, column in
                        (("score", "Score"), ("views", "ViewCount"), ("answers", "AnswerCount"),
                         ("comments", "CommentCount"))}
        self.owner, self.accepted = number(row, "OwnerUserId"), number(row, "AcceptedAnswerId")
        self.tags = set(re.findall(r"[^<>|]+", row.get("Tags", "")))
        self.title, self.body = row.get("Title", ""), row.get("Body", "")
        text = re.sub(r"<pre\b.*?</pre>", "\n", self.body, flags=re.S)
        self.prose = (self.title + "\n" + plain(text)).lower()
        self.answerers, self.first, self.accepted_at, self.end = set(), None, None, None

    @property
    def year(self):
        return (EPOCH + timedelta(milliseconds=self.created)).year

    def wait(self, text):
        """(milliseconds, whether it happened); None when it cannot be known."""
        if "accepted" in text:
            event, has = self.accepted_at, self.accepted is not None
        else:
            event, has = self.first, self.first is not None or bool(self.numbers["answers"])
        if event is None and has:
            return None
        wait = (self.end if event is None else event) - self.created
        return (wait, event is not None) if wait >= 0 else None

    def value(self, text):
        if " to " not in text:
            return self.numbers[text]
        wait = self.wait(text)
        return wait[0] / UNITS[text.split()[0]] if wait and wait[1] else None


def read_dump(path, source, site, until):
    """Questions by number, and (number, question, moment, user) of their answers."""
    path = path if path.is_file() else path / "Posts.xml"
    questions, answers, last = {}, [], None
    for row in rows(path):
        created = ms_of(row["CreationDate"])
        if until is not None and created >= until:
            continue
        last = created if last is None else max(last, created)
        if row["PostTypeId"] == "1":
            questions[int(row["Id"])] = Post(source, site, row)
        elif row["PostTypeId"] == "2":
            answers.append((int(row["Id"]), int(row["ParentId"]), created, number(row, "OwnerUserId")))
    for question in questions.values():
        question.end = last if until is None else until
    return questions, [answer for answer in answers if answer[1] in questions]


def add_answers(questions, answers):
    for answer, parent, created, owner in answers:
        question = questions[parent]
        question.first = created if question.first is None else min(question.first, created)
        if owner is not None:
            question.answerers.add(owner)
        if answer == question.accepted:
            question.accepted_at = created


def read_sources(definition, data):
    """Questions by site and number: what stands in several sources of a site is one item, as the
    first of them has it, with the answers of all. And the numbers of stored posts by source."""
    sites, stored, first = {}, {}, {}
    for source, given in definition["sources"].items():
        until = ms_of(given["until"]) + DAY if "until" in given else None
        space = first.setdefault(given["site"], source)
        known = sites.setdefault(space, {})
        questions, answers = read_dump(path_of(given, data), space, given["site"], until)
        for number_of, question in questions.items():
            known.setdefault(number_of, question).sources.add(source)
        add_answers(known, answers)
        stored[source] = set(questions) | {answer[0] for answer in answers}
    return [q for known in sites.values() for _, q in sorted(known.items())], stored, len(first)


def path_of(source, data):
    return Path(source["stackexchange"].replace("$data", str(data)))


class Study:
    def __init__(self, folder, data):
        self.folder, self.data = Path(folder), Path(data)
        self.definition = json.loads((self.folder / "study.yaml").read_text())
        self.items, self.stored, spaces = read_sources(self.definition, data)
        self.several = spaces > 1
        self.by_key = {self.key(q): q for q in self.items}
        self.sets = {name: [q for q in self.items if all(test(q) for test in SETS[name])]
                     for name in self.definition["sets"]}
        self.given = self.read_labels()

    def path_of(self, source):
        return path_of(source, self.data)

    def key(self, q):
        return f"{q.source}:{q.id}" if self.several else str(q.id)

    def out(self, path):
        return self.folder / "out" / path

    def csv(self, path):
        return list(csv.DictReader(open(self.out(path), newline="")))

    def read_labels(self):
        """Code by key; labels are keyed by the item's key or by a link to it."""
        given, sites = {}, {q.site: q.source for q in self.items}
        if "labels" not in self.definition:
            return given
        for row in csv.DictReader(open(self.folder / "labels.csv", newline="")):
            link = re.fullmatch(r"https://([^/]+)/(?:q|questions)/(\d+)(?:/.*)?", row["id"])
            key = f"{sites[link[1]]}:{link[2]}" if link else row["id"]
            given[key] = row["kind"]
        return given

    def groups(self, name, items):
        """(name, items) in order; years without any at both ends are left out."""
        if name == "site":
            sites = [(s, [q for q in items if s in q.sources]) for s in self.definition["sources"]]
            return [(s, there) for s, there in sites if there]
        if name == "year":
            years = [q.year for q in items]
            return [(str(y), [q for q in items if q.year == y]) for y in range(min(years), max(years) + 1)] \
                if items else []
        if name == "kind":
            return [(k, [q for q in items if self.given.get(self.key(q)) == k])
                    for k in sorted(set(self.given.values()))]
        if name == "said":
            said = {row["id"]: row["code"] for row in self.csv("labelling/kind/final.csv")}
            return [(k.capitalize(), [q for q in items if said.get(self.key(q)) == k])
                    for k in ("red", "green", "blue")]
        talk = [q for q in items if "discussion" in q.tags]
        helped = [q for q in items if "discussion" not in q.tags and q.tags & {"support", "bug"}]
        return [("talk", talk), ("help", helped),
                ("else", [q for q in items if not q.tags & {"discussion", "support", "bug"}])]


SETS = {
    "all": [lambda q: True],
    "meta": [lambda q: bool(q.tags & {"discussion", "support", "feature-request"})],
    "learning": [lambda q: re.search(r"(?<!\w)(network|learning(?!\w))", q.prose) is not None],
    "liked": [lambda q: q.numbers["score"] >= 5,
              lambda q: q.numbers["views"] is not None and q.numbers["views"] >= 100,
              lambda q: q.accepted is not None],
    "period": [lambda q: ms_of("2014-01-01") <= q.created < ms_of("2016-09-16"),
               lambda q: "bug" not in q.tags],
    "low": [lambda q: q.id <= 200, lambda q: not 50 <= q.id <= 99],
    "who": [lambda q: q.owner == 8],
}


# Statistics, from their definitions.


def chi_square_upper(x, df):
    """The upper regularised gamma function Q(df / 2, x / 2): by its series, else by Lentz's
    continued fraction."""
    a, x = df / 2, x / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a)) if x > 0 else 0
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-17:
            n += 1
            term *= x / n
            total += term
        return 1 - front * total
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for i in range(1, 10000):
        b += 2
        d = 1 / ((-i * (i - a)) * d + b or tiny)
        c = b + (-i * (i - a)) / c or tiny
        h *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return front * h


def two_sided(z):
    return math.erfc(abs(z) / math.sqrt(2))


def ranked(values):
    """Middle ranks, and the sum of t^3 - t over ties."""
    order, ranks, ties = sorted(range(len(values)), key=lambda i: values[i]), [0.0] * len(values), 0
    for _, same in itertools.groupby(enumerate(order), key=lambda p: values[p[1]]):
        same = list(same)
        middle = sum(place + 1 for place, _ in same) / len(same)
        ties += len(same) ** 3 - len(same)
        for _, i in same:
            ranks[i] = middle
    return ranks, ties


def split(values, sizes):
    at = 0
    for size in sizes:
        yield values[at:at + size]
        at += size


def kruskal(groups):
    n, sizes = sum(map(len, groups)), [len(g) for g in groups]
    ranks, ties = ranked(list(itertools.chain(*groups)))
    h = 12 / (n * (n + 1)) * sum(sum(r) ** 2 / len(r) for r in split(ranks, sizes)) - 3 * (n + 1)
    h /= 1 - ties / (n ** 3 - n)
    return h, len(groups) - 1, chi_square_upper(h, len(groups) - 1)


def dunn(groups):
    n, sizes = sum(map(len, groups)), [len(g) for g in groups]
    ranks, ties = ranked(list(itertools.chain(*groups)))
    means = [statistics.fmean(r) for r in split(ranks, sizes)]
    scale = (n * (n + 1) - ties / (n - 1)) / 12
    for i, j in itertools.combinations(range(len(groups)), 2):
        z = (means[i] - means[j]) / math.sqrt(scale * (1 / sizes[i] + 1 / sizes[j]))
        yield z, two_sided(z)


def holm(ps):
    order, adjusted, most = sorted(range(len(ps)), key=lambda i: ps[i]), [0.0] * len(ps), 0.0
    for place, i in enumerate(order):
        most = max(most, min(1.0, (len(ps) - place) * ps[i]))
        adjusted[i] = most
    return adjusted


def cliff(a, b):
    return sum((x > y) - (x < y) for x in a for y in b) / (len(a) * len(b))


def mann_whitney(a, b):
    """With ties or many values: normal, corrected for both and for continuity."""
    m, n = len(a), len(b)
    ranks, ties = ranked(a + b)
    u = sum(ranks[:m]) - m * (m + 1) / 2
    variance = m * n / 12 * (m + n + 1 - ties / ((m + n) * (m + n - 1)))
    off = u - m * n / 2
    z = (abs(off) - 0.5) / math.sqrt(variance) if off else 0
    assert ties or max(m, n) >= 50
    return u, two_sided(z)


def chi_square(table, yates):
    total, across = sum(map(sum, table)), [sum(column) for column in zip(*table)]
    chi = 0
    for row in table:
        for x, column in zip(row, across):
            expected = sum(row) * column / total
            chi += max(0, abs(x - expected) - (0.5 if yates else 0)) ** 2 / expected
    df = (len(table) - 1) * (len(across) - 1)
    return chi, df, chi_square_upper(chi, df)


def solve(matrix, x):
    """Gauss with the largest pivot."""
    rows_left = [row[:] + [value] for row, value in zip(matrix, x)]
    for i in range(len(x)):
        best = max(range(i, len(x)), key=lambda r: abs(rows_left[r][i]))
        rows_left[i], rows_left[best] = rows_left[best], rows_left[i]
        for r in range(len(x)):
            if r != i:
                factor = rows_left[r][i] / rows_left[i][i]
                rows_left[r] = [a - factor * b for a, b in zip(rows_left[r], rows_left[i])]
    return [rows_left[i][-1] / rows_left[i][i] for i in range(len(x))]


def log_rank(groups):
    """groups: lists of (time, happened)."""
    k = len(groups)
    watched = sorted((time, g, happened) for g, group in enumerate(groups) for time, happened in group)
    risk, off = [len(g) for g in groups], [0.0] * k
    covariance = [[0.0] * k for _ in range(k)]
    for _, same in itertools.groupby(watched, key=lambda w: w[0]):
        same, n = list(same), sum(risk)
        events = sum(happened for _, _, happened in same)
        for g in range(k):
            off[g] += sum(h for _, which, h in same if which == g) - events * risk[g] / n
            for h in range(k):
                if n > 1:
                    covariance[g][h] += events * (n - events) / (n - 1) * risk[g] / n * ((g == h) - risk[h] / n)
        for _, g, _ in same:
            risk[g] -= 1
    x, matrix = off[:-1], [row[:-1] for row in covariance[:-1]]
    chi = sum(a * b for a, b in zip(x, solve(matrix, x)))
    return chi, k - 1, chi_square_upper(chi, k - 1)


def wilson(x, n):
    z = statistics.NormalDist().inv_cdf(0.975)
    share, square = x / n, z * z / n
    half = z * math.sqrt(share * (1 - share) / n + square / (4 * n)) / (1 + square)
    middle = (share + square / 2) / (1 + square)
    return share, max(0.0, middle - half) if x else 0.0, min(1.0, middle + half) if x < n else 1.0


def quantile(values, share):
    values, at = sorted(values), (len(values) - 1) * share
    low = math.floor(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def kaplan_meier(waits):
    """The median; None when more than half still wait."""
    left, risk, curve = 1.0, len(waits), []
    for time, same in itertools.groupby(sorted(waits), key=lambda w: w[0]):
        same = list(same)
        events = sum(happened for _, happened in same)
        if events:
            left *= 1 - events / risk
            curve.append((time, left))
        risk -= len(same)
    for i, (time, left) in enumerate(curve):
        if abs(left - 0.5) < 1e-9 and i + 1 < len(curve):
            return (time + curve[i + 1][0]) / 2
        if left <= 0.5 + 1e-12:
            return time
    return None


# Measures: (value, low, high) of one cell; None where there is none.

CONDITIONS = {
    "with accepted": lambda q: q.accepted is not None,
    "without accepted": lambda q: q.accepted is None,
    "without answer": lambda q: q.first is None and not q.numbers["answers"],
    "closed": lambda q: q.closed,
}


def quantity(text, items):
    return [v for v in (q.value(text) for q in items) if v is not None]


def waits(text, items):
    unit = UNITS[text.split()[0]]
    known = (q.wait(text) for q in items)
    return [(w[0] / unit, w[1]) for w in known if w is not None]


def measure(text, items, whole):
    alone = lambda value: (value, None, None)
    if text == "count":
        return alone(len(items))
    if text == "share" or text.startswith("share of "):
        return wilson(len(items), whole) if whole else alone(None)
    if text.startswith("share "):
        return wilson(sum(map(CONDITIONS[text[6:]], items)), len(items)) if items else alone(None)
    if text == "distinct askers":
        count = len({(q.source, q.owner) for q in items if q.owner is not None})
        return alone(count if count or not items else None)
    if text == "distinct answerers":
        count = len({(q.source, who) for q in items for who in q.answerers})
        nobody = any(map(CONDITIONS["without answer"], items)) or not items
        return alone(count if count or nobody else None)
    if text.startswith("kaplan-meier median "):
        return alone(kaplan_meier(waits(text[20:], items)))
    kind, _, name = text.partition(" ")
    if kind == "quantile":
        share, _, name = name.partition("% ")
    values = quantity(name, items)
    if not values:
        return alone(None)
    if kind == "quantile":
        return alone(quantile(values, float(share) / 100))
    if kind == "sd":
        return alone(statistics.stdev(values) if len(values) > 1 else None)
    return alone({"sum": math.fsum, "mean": statistics.fmean, "median": statistics.median}[kind](values))


# Comparing.


def near(got, want):
    if got is None or want is None:
        return got is None and want is None
    return math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12)


def as_list(value):
    return value if isinstance(value, list) else [value]


def lay_out(study, table):
    """(path, items, the row's set, whether it is the total) in order."""
    found, names = [], as_list(table["of"])
    for name in names:
        items = study.sets[name]
        groups = [((g,), part) for g, part in study.groups(table["by"], items)] if "by" in table else []
        if len(names) > 1 or not groups:
            found.append(((name,), items, items, bool(groups)))
            groups = [((name, *path), part) for path, part in groups]
        found += [(path, part, items, False) for path, part in groups]
    if table.get("totals") in ("columns", "both"):
        everything = [q for q in study.items if any(q in study.sets[name] for name in names)]
        if "by" in table:  # only what stands in a group
            inside = {id(q) for _, part in study.groups(table["by"], everything) for q in part}
            everything = [q for q in everything if id(q) in inside]
        of = study.sets[names[0]] if len(names) == 1 else everything
        found.append((("total",), everything, of, False))
    return found


def compare_table(study, name, table):
    made = json.loads(study.out(f"tables/{name}.json").read_text())
    want = lay_out(study, table)
    got_rows = [(row["name"], row["n"]) for row in made["rows"]]
    want_rows = [(path[-1], len(items)) for path, items, _, _ in want]
    check(f"table {name}: {len(want)} rows", got_rows == want_rows, f"got {got_rows}", f"want {want_rows}")
    if got_rows != want_rows:
        return
    across = [("", None)]
    if "across" in table:
        across = [(g, {id(q) for q in part}) for g, part in study.groups(table["across"], study.items)]
        if table.get("totals") in ("rows", "both"):
            across.append(("total", {id(q) for q in study.items}))
    wrong, count = [], 0
    for (path, items, of, _), row in zip(want, made["rows"]):
        cells = iter(row["cells"])
        for (head, inside), column in itertools.product(across, table["columns"]):
            part = items if inside is None else [q for q in items if id(q) in inside]
            if "minimum-age" in table:
                part = [q for q in part if q.created <= q.end - table["minimum-age"] * DAY]
            whole = len(of) if column == "share" else len(items) if column == "share of row" else \
                sum(all(w in (str(q.year), q.source) 
                        for w in (path[-1], head) if w.isdigit() or w in study.definition["sources"]) for q in study.items)
            cell, expected, count = next(cells), measure(column, part, whole), count + 1
            got = (cell["value"], cell.get("low"), cell.get("high"))
            bounds = column.startswith("kaplan") or near(got[1], expected[1]) and near(got[2], expected[2])
            if not (near(got[0], expected[0]) and bounds):
                wrong.append(f"{'.'.join(path)} {head} {column}: got {got}, want {expected}")
    check(f"table {name}: {count} cells", not wrong, f"{len(wrong)} differ", *wrong[:6])


def compare_test(study, name, test):
    lines = study.csv(f"tests/{name}.csv")
    sides = [part for _, part in study.groups(test["by"], study.sets[test["of"]])] if "by" in test else \
        [study.sets[s] for s in test["compare"]]
    kind, on, pairs = test["test"], test["on"], []
    if kind == "log-rank":
        want = log_rank([waits(on, side) for side in sides])
    elif kind in ("chi-square", "proportion"):
        counts = [[sum(map(CONDITIONS[on[6:]], side)) for side in sides]]
        counts.append([len(side) - x for side, x in zip(sides, counts[0])])
        want = chi_square([list(pair) for pair in zip(*counts)], kind == "proportion")
    else:
        values = [quantity(on, side) for side in sides]
        if kind == "mann-whitney":
            u, p = mann_whitney(*values)
            want = (u, None, p)
            check(f"test {name}: Cliff's delta", near(float(lines[0]["effect"]), cliff(*values)), lines[0])
        else:
            want = kruskal(values)
            pairs = [(z, p, cliff(a, b)) for (z, p), (a, b) in zip(dunn(values), itertools.combinations(values, 2))]
    close = lambda text, number: (text == "" and number is None) or (
        text != "" and number is not None and math.isclose(float(text), number, rel_tol=1e-7, abs_tol=1e-300))
    got = [lines[0][c] for c in ("statistic", "df", "p")]
    check(f"test {name}: {kind}, {', '.join(str(len(s)) for s in sides)} items, p = {want[2]:.3g}",
          all(close(g, w) for g, w in zip(got, want)), f"got {got}, want {want}")
    if pairs:
        adjusted = holm([p for _, p, _ in pairs])
        good = len(lines) == len(pairs) + 1 and all(
            close(line["statistic"], z) and close(line["p"], p) and close(line["adjusted"], a) and
            close(line["effect"], d)
            for line, (z, p, d), a in zip(lines[1:], pairs, adjusted))
        check(f"test {name}: {len(pairs)} pairs after it", good, lines[1:3], pairs[:2], adjusted[:2])


def compare_sets(study):
    for name, conditions in ((n, SETS[n]) for n in study.sets):
        want = [study.key(q) for q in study.sets[name]]
        got = [row["id"] for row in study.csv(f"sets/{name}.csv")]
        check(f"set {name}: the keys of {len(want)} items, by source and number", got == want,
              [k for k in got if k not in study.by_key][:5], sorted(set(got) ^ set(want))[:8])
        left, counts = study.items, [len(study.items)]
        for condition in conditions:
            left = [q for q in left if condition(q)]
            counts.append(len(left))
        funnel = list(csv.reader(open(study.out(f"funnels/{name}.csv"), newline="")))
        # The first number is of all questions of the sources, each of which counts its own:
        # where sources of one site overlap it is more than there are items.
        overlap = any(len(q.sources) > 1 for q in study.items)
        first = 1 if overlap else 0
        check(f"funnel {name}: {counts[first:]}",
              [int(n) for _, n in funnel[1:]][first:] == counts[first:], funnel)


def compare_samples(study):
    for name, sample in study.definition.get("samples", {}).items():
        lines, frame = study.csv(f"samples/{name}.csv"), {study.key(q) for q in study.sets[sample["of"]]}
        keys = [line["id"] for line in lines]
        check(f"sample {name}: {len(keys)} keys of its frame, each once",
              len(set(keys)) == len(keys) and set(keys) <= frame, [k for k in keys if k not in frame][:5])
        if "by" in sample:
            check(f"sample {name}: each key is of its stratum", all(k.startswith(line["stratum"] + ":")
                                                                    for k, line in zip(keys, lines)))
        if sample["size"].startswith("top"):
            order = sorted(study.sets[sample["of"]], key=lambda q: -(q.numbers["views"] or -1))
            check(f"sample {name}: those with most views", keys == [study.key(q) for q in order[:len(keys)]],
                  keys[:5], [study.key(q) for q in order[:5]])
        study.sets[name] = [q for q in study.items if study.key(q) in set(keys)]


def compare_lists(study):
    """The items behind numbers: csv files of keys, and the report's pages with links."""
    wrong, lists = [], 0
    for path in sorted(study.out(".").glob("[ift]*/*/[0-9]*.csv")):  # items, funnels, tests
        lists += 1
        wrong += [f"{path}: {row['id']}" for row in csv.DictReader(open(path, newline=""))
                  if row["id"] not in study.by_key]
    check(f"{lists} lists behind numbers hold keys of items", lists > 30 and not wrong, *wrong[:4])
    listed = {path.name: {row["id"].split(":")[0] for row in csv.DictReader(open(path, newline=""))}
              for path in study.out("items/drawn").glob("*.csv")}
    check(f"each of {len(listed)} lists of a table by site holds items of one site",
          len(listed) >= len(study.definition["sources"]) and all(len(s) == 1 for s in listed.values()) and
          set().union(*listed.values()) == set(study.definition["sources"]), listed)
    inner = re.compile(r"(?<!\d)\d{13}(?!\d)")
    leaks = [str(path) for path in study.folder.rglob("*") if path.suffix in
             (".csv", ".json", ".md", ".html", ".tex", ".lock") and
             any((1 << 40) < int(n) < (len(study.definition["sources"]) << 40) and int(n) % (1 << 40) < 10 ** 7
                 for n in inner.findall(path.read_text()))]
    check("no number that assay counts items by is in any file for people", not leaks, len(leaks), *leaks[:4])
    sites = {s["site"]: name for name, s in study.definition["sources"].items()}
    pages, links, wrong, seen = 0, 0, [], set()
    for path in study.out("report").rglob("*.html"):
        pages += 1
        for host, post, text in re.findall(r'href="https?://([^/"]+)/q/(\d+)"[^>]*>(.*?)</a>', path.read_text(), re.S):
            links += 1
            q = study.by_key.get(f"{sites.get(host)}:{post}")
            shown = html.unescape(re.sub(r"<[^>]*>", "", text)).strip()
            if q is None or shown not in (study.key(q), q.title) and q.title.strip() != shown:
                wrong.append(f"{path.name}: {host} {post} '{shown}'")
            else:
                seen.add(q.source)
    check(f"{links} links of {pages} pages of the report lead to the item that they name, at its site",
          links > 100 and not wrong and seen == set(study.definition["sources"]), seen, *wrong[:5])


def compare_beside(study):
    """What `also` takes, for the sources that ask and for no other."""
    corpus = sqlite3.connect(study.folder / "corpus.db")
    for number_of, (source, given) in enumerate(study.definition["sources"].items()):
        stored, asked = study.stored[source], given.get("also", [])
        folder = study.path_of(given)
        table = lambda name: list(rows(folder / f"{name}.xml"))
        count = lambda name: corpus.execute(f"SELECT count(*) FROM {name} WHERE id >> 40 = ?", (number_of,)).fetchone()[0]
        want = {name: 0 for name in ("comment", "user", "link", "vote", "history", "badge")}
        if "comments" in asked:
            comments = [r for r in table("Comments") if int(r["PostId"]) in stored]
            want["comment"] = len(comments)
            texts = {(int(r["Id"]), int(r["PostId"]), r["Text"]) for r in comments}
            got = set(corpus.execute("SELECT id - ?1, item - ?1, text FROM comment WHERE id >> 40 = ?2",
                                     (number_of << 40, number_of)))
            check(f"{source}: {len(texts)} comments, their posts and texts", got == texts, list(got ^ texts)[:3])
        if "votes" in asked:
            want["vote"] = sum(int(r["PostId"]) in stored for r in table("Votes"))
        if "links" in asked:
            questions = {q.id for q in study.items if q.source == source}
            want["link"] = sum(int(r["PostId"]) in questions or int(r["RelatedPostId"]) in questions
                               for r in table("PostLinks"))
        got = {name: count(name) for name in want}
        if "users" in asked:
            want["user"] = got["user"]
            owners = {o for o, in corpus.execute("SELECT owner FROM item WHERE id >> 40 = ? AND owner NOT NULL",
                                                 (number_of,))}
            names = {int(r["Id"]): r["DisplayName"] for r in table("Users")}
            users = dict(corpus.execute("SELECT id, name FROM user WHERE id >> 40 = ?", (number_of,)))
            check(f"{source}: {len(users)} users, each with the name that the site knows", owners <= set(users) and
                  all(names[i & ((1 << 40) - 1)] == name for i, name in users.items()))
        check(f"{source}: what it is asked for besides posts: {want}", got == want, got)
    twins = corpus.execute("SELECT count(*) FROM (SELECT id & ((1 << 40) - 1) AS number FROM item WHERE kind = 1 "
                           "GROUP BY number HAVING count(*) > 1)").fetchone()[0]
    alike = [i for i, same in itertools.groupby(sorted(q.id for q in study.items)) if len(list(same)) > 1]
    check(f"{len(alike)} numbers are of several items", twins == len(alike) > 50, twins)


def write_labels(folder, data):
    """A kind for every third question, differing between sites, keyed in three ways."""
    items, _, _ = read_sources(json.loads((Path(folder) / "study.yaml").read_text()), data)
    sites = list(dict.fromkeys(q.source for q in items))
    with open(Path(folder) / "labels.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "kind"])
        for q in items:
            if q.id % 3 == 1:
                key = (f"{q.source}:{q.id}", f"https://{q.site}/q/{q.id}",
                       f"https://{q.site}/questions/{q.id}/a-title")[q.id // 3 % 3]
                writer.writerow([key, ("red", "green", "blue")[(q.id // 3 + sites.index(q.source)) % 3]])


def main():
    command, folder, data = sys.argv[1:]
    if command == "labels":
        write_labels(folder, data)
        return 0
    study = Study(folder, data)
    compare_sets(study)
    compare_samples(study)
    for name, table in study.definition["tables"].items():
        compare_table(study, name, table)
    for name, test in study.definition["tests"].items():
        compare_test(study, name, test)
    if "labelling" in study.definition:
        compare_lists(study)
        compare_beside(study)
    return done()


if __name__ == "__main__":
    sys.exit(main())
