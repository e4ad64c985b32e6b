"""Computes every set, funnel, sample size and table cell of a study from the dump itself,
with the standard library alone, and compares with what assay run wrote. Prints TAP.

usage: study_counts.py prepare DUMP FOLDER      north/, south/, table.csv, labels.csv
       study_counts.py compare DUMP STUDY...    each STUDY/study.yaml must be JSON
       study_counts.py label DUMP STUDY CSV     what was planted, as labels of the sample to-read
       study_counts.py labelled DUMP STUDY CSV  its sets, from those labels and predicted.csv"""

import csv
import html
import itertools
import json
import math
import os
import random
import re
import statistics
import sys
from datetime import datetime, timedelta
from xml.etree import ElementTree

from tap import check, done

EPOCH = datetime(1970, 1, 1)
PLANTED = {1000000001, 1000000010}
END = datetime(2021, 9, 6)  # the day after `until`

# The dump.


def ms_of(text):
    return round((datetime.fromisoformat(text) - EPOCH) / timedelta(milliseconds=1))


def number(attributes, name):
    return int(attributes[name]) if attributes.get(name, "") != "" else None


def rows(path):
    for _, element in ElementTree.iterparse(path):
        if element.tag == "row" and int(element.attrib["Id"]) not in PLANTED:
            yield element.attrib
        element.clear()


BLOCK = r"p|li|br|div|blockquote|pre|h[1-6]|td|th|tr|table|ul|ol|hr|dl|dt|dd"


def plain(markup):
    markup = re.sub(rf"</?(?:{BLOCK})\b[^>]*>", "\n", markup)
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def item_of(row, source):
    """A question as the study sees it."""
    body, title = row.get("Body", ""), row.get("Title", "")
    pre = re.compile(r"<pre\b.*?</pre>", re.S)
    return {
        "id": int(row["Id"]),
        "created": ms_of(row["CreationDate"]),
        "closed": ms_of(row["ClosedDate"]) if row.get("ClosedDate") else None,
        "score": number(row, "Score"),
        "views": number(row, "ViewCount"),
        "answers": number(row, "AnswerCount"),
        "comments": number(row, "CommentCount"),
        "favorites": number(row, "FavoriteCount"),
        "owner": number(row, "OwnerUserId"),
        "accepted": number(row, "AcceptedAnswerId"),
        "tags": re.findall(r"[^<>|]+", row.get("Tags", "")),
        "title": title,
        # Words are looked for in small letters.
        "prose": (title + "\n" + plain(pre.sub("\n", body))).lower(),
        "code": "\n".join(plain(block) for block in pre.findall(body)).lower(),
        "body": plain(body),
        "hascode": re.search(r"<pre\b", body) is not None,
        "source": source,
        "answerers": set(),
        "moments": [],
        "accepted_at": None,
        "level": row.get("level"),
        "effort": row.get("effort"),
    }


def load_dump(dump):
    """Questions, each with what its answers say."""
    questions, answers = {}, []
    for row in rows(f"{dump}/Posts.xml"):
        if row["PostTypeId"] == "1":
            questions[int(row["Id"])] = item_of(row, source_of(int(row["Id"])))
        elif row["PostTypeId"] == "2":
            answers.append({k: row.get(k) for k in ("Id", "ParentId", "CreationDate", "OwnerUserId")})
    for row in answers:
        question = questions.get(int(row["ParentId"]))
        if question is None:
            continue
        question["moments"].append(ms_of(row["CreationDate"]))
        if row["OwnerUserId"]:
            question["answerers"].add(int(row["OwnerUserId"]))
        if int(row["Id"]) == question["accepted"]:
            question["accepted_at"] = question["moments"][-1]
    return [questions[i] for i in sorted(questions)]


def load_table(path):
    for row in csv.DictReader(open(path, newline="")):
        yield item_of(row | {"Id": row["number"], "CreationDate": row["day"]}, "table")


# What the study is made of besides the dump.


def source_of(question):
    return "south" if question % 3 == 0 else "north"


def prepare(dump, out):
    """Parts the dump in two by question, and invents a table of posts and labels."""
    files = {}
    for name in ("north", "south"):
        os.makedirs(f"{out}/{name}", exist_ok=True)
        files[name] = open(f"{out}/{name}/Posts.xml", "w", encoding="utf-8", newline="")
    for line in open(f"{dump}/Posts.xml", encoding="utf-8", newline=""):
        # Answers go with their question, what is no row into both.
        found = re.search(r' ParentId="(\d+)"', line) or re.search(r'<row Id="(\d+)"', line)
        for file in [files[source_of(int(found[1]))]] if found else files.values():
            file.write(line)
    for file in files.values():
        file.close()
    draw = random.Random(1)
    with open(f"{out}/table.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow("number day Title Body Tags Score ViewCount AnswerCount level effort".split())
        for i in range(200):
            table.writerow([
                2000000 + 7 * i, f"20{draw.randint(15, 20)}-0{draw.randint(1, 9)}-11 10:00:0{i % 10}",
                f'How to "fit", part {i}?', f"<p>my data set,\nnumber {i}</p><pre>x</pre>",
                draw.choice(["<keras>", "<pytorch><nlp>", "<c++>"]), draw.randint(-3, 9),
                draw.randint(1, 5000), draw.randint(0, 3), draw.choice(["a", "b", "B", "", "c d"]),
                draw.choice(["", "n/a", "1.5", "2", "30", "1e2", "-4"])])
    with open(f"{out}/labels.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "kind", "both"])
        for row in csv.DictReader(open(f"{dump}/truth.csv", newline="")):
            both = ";".join(filter(None, (row["kind"], row["second_kind"])))
            table.writerow([row["id"], row["kind"], both])


# Queries, each condition of an `and` by itself, by the rules of assay-query(7).


def word(field, *texts, ending=r"(?!\w)"):
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(t)}{ending}" for t in texts).replace(r"\ ", r"\s+"))
    starts = [t.split()[0] for t in texts]

    def holds(q):
        text = q[field].lower() if field == "title" else q[field]
        return any(s in text for s in starts) and pattern.search(text) is not None

    return holds


def begins(field, text):
    return word(field, text, ending="")


def tag(pattern):
    expression = re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."))
    return lambda q: any(expression.fullmatch(t) for t in q["tags"])


def within(field, low, high):
    return lambda q: q[field] is not None and low <= q[field] <= high


def moment(*date):
    return round((datetime(*date) - EPOCH) / timedelta(milliseconds=1))


def both(*tests):
    return lambda q: all(test(q) for test in tests)


def either(*tests):
    return lambda q: any(test(q) for test in tests)


def negated(test):
    return lambda q: not test(q)


def accepted(q):
    return q["accepted"] is not None


def is_closed(q):
    return q["closed"] is not None


def regex(field, pattern, flags=0):
    expression = re.compile(pattern, flags)
    return lambda q: expression.search(q[field]) is not None


def tagged(*names):
    return lambda q: not set(names).isdisjoint(q["tags"])


def labelled(column, *codes):
    """Has one of these labels; without codes, any."""
    found = {}

    def holds(q):
        if not found:
            found[0] = set().union(*(ids for code, ids in coded(column) if not codes or code in codes))
        return q["id"] in found[0]

    return holds


TREE = {"using": ["installation", "comprehension", "migration"], "making": ["implementation"],
        "trouble": ["crash", "anomaly", "performance"]}
inf = math.inf
dl = tagged("tensorflow", "keras", "pytorch")
torchy = either(tag("torch*"), tag("?????ch"))
deploy = begins("prose", "deploy")
how_to = lambda q: "how to" in q["title"].lower()
early_closed = both(is_closed, negated(within("closed", moment(2019, 1, 1), inf)))
phrase = either(word("prose", "data set", "learning rate"), begins("prose", "loss func"))
SETS = {
    "dl": [dl],
    "torchy": [torchy],
    "loose": [lambda q: "torch" in "".join(f"<{t}>" for t in q["tags"])],
    "mobile": [dl, word("prose", "mobile", "android", "ios")],
    "deploy": [deploy],
    "howto": [how_to, accepted, negated(is_closed)],
    "howtoword": [word("title", "how to")],
    "phrase": [phrase],
    "anycase": [regex("body", r"\bGPU\b"), negated(regex("body", r"\bgpu\b"))],
    "regex": [regex("title", r"^(how|why)\b.*\?$", re.I)],
    "popular": [within("score", 2, inf), within("views", 100, 1000), tagged("tensorflow")],
    "period": [within("created", moment(2016, 3, 1), moment(2018, 7, 16) - 1), within("score", -inf, 0)],
    "coded": [lambda q: q["hascode"], negated(is_closed), within("answers", 1, inf)],
    "closed": [is_closed, negated(within("closed", moment(2019, 1, 1), inf))],
    "unsolved": [negated(accepted), negated(within("answers", 0, 0))],
    "incode": [word("code", "model"), negated(word("prose", "model"))],
    "askers": [either(within("owner", -inf, 100), within("owner", 3000, 3100))],
    "algebra": [either(dl, torchy), negated(either(deploy, early_closed)), within("score", 1, inf)],
    "slow": [dl, labelled("both", "performance")],
    "labelled": [dl, either(labelled("both", "installation"), labelled("kind", "anomaly")),
                 negated(both(dl, labelled("both", "performance"))), within("score", 1, inf)],
    "using": [tagged("keras"), labelled("both", *TREE["using"]), negated(labelled("both", "performance"))],
    "unlabelled": [dl, negated(labelled("kind"))],
}
base = tagged("tensorflow", "keras", "pytorch", "theano", "caffe")
server = either(
    both(base, word("prose", "cloud", "server", "serving"), deploy),
    tagged("tensorflow-serving"),
    both(tagged("google-cloud-ml", "amazon-sagemaker"), deploy))
mobile = either(both(base, word("prose", "mobile", "android", "ios")), tagged("tensorflow-lite", "coreml"))
browser = either(both(base, word("prose", "browser")), tagged("tensorflow.js"))
in_tags = lambda text: lambda q: text in "".join(f"<{t}>" for t in q["tags"])
PUBLISHED = {
    "zhang": [tagged("tensorflow", "pytorch", "deeplearning4j")],
    "liu": [either(in_tags("tensorflow"), in_tags("pytorch"), in_tags("theano")), how_to, accepted,
            negated(is_closed)],
    "B": [base],
    "C-base": [base, word("prose", "cloud", "server", "serving"), deploy],
    "server": [server],
    "mobile": [mobile],
    "browser": [browser],
    "deployment": [either(server, mobile, browser)],
    "other": [base, negated(either(server, mobile, browser))],
    "islam": [tagged("caffe", "keras", "tensorflow", "theano", "torch"), lambda q: q["hascode"],
              within("score", 6, inf)],
    # What stands before the first tag cannot be counted by itself: the corpus has no more.
    "late-tag": [both(negated(is_closed), within("score", 2, inf), tagged("keras")), lambda q: q["hascode"]],
    "no-tag": [both(within("created", moment(2016, 1, 1), moment(2017, 1, 1) - 1), within("score", 3, inf))],
}


# Groups: (name, ids) in order.


def year_of(q):
    return (EPOCH + timedelta(milliseconds=q["created"])).year


def month_of(q):
    return (EPOCH + timedelta(milliseconds=q["created"])).month


def periods(items, number_of, name_of):
    members = {}
    for q in items:
        members.setdefault(number_of(q), set()).add(q["id"])
    return [(name_of(n), members.get(n, set())) for n in range(min(members), max(members) + 1)]


def first_of(items, tests, others=None):
    groups, left = [], items
    for name, test in tests.items():
        groups.append((name, {q["id"] for q in left if test(q)}))
        left = [q for q in left if not test(q)]
    return groups + ([(others, {q["id"] for q in left})] if others else [])


def all_of(items, tests):
    return [(name, {q["id"] for q in items if test(q)}) for name, test in tests.items()]


def coded(column):
    given = {}
    for row in csv.DictReader(open(f"{folder}/../labels.csv", newline="")):
        for code in filter(None, row[column].split(";")):
            given.setdefault(code, set()).add(int(row["id"]))
    return sorted(given.items())


def by_tags(items, of, most, others):
    """The most frequent tags of a set, the most frequent first."""
    counts = {}
    for q in items:
        for name in q["tags"]:
            counts[name] = counts.get(name, 0) + (q["id"] in of)
    names = sorted((n for n in counts if counts[n]), key=lambda n: (-counts[n], n.encode()))[:most]
    groups = [(name, {q["id"] for q in items if name in q["tags"]}) for name in names]
    taken = set().union(*(ids for _, ids in groups))
    return groups + ([(others, {q["id"] for q in items} - taken)] if others else [])


def make_groups(items, sets):
    ids = {q["id"] for q in items}
    topics = {"network": word("prose", "network", "layer"), "data": word("prose", "data"),
              "rate": phrase, "never": lambda q: False}
    levels = {q["id"]: {"b": "basic", "B": "basic"}.get(q["level"], q["level"]) for q in items if q["level"]}
    second = coded("both")
    tree = [(code, dict(second)[code]) for codes in TREE.values() for code in codes]
    return {
        "said": first_of(items, {"slow": lambda q: q["id"] in sets["slow"],
                                 "using": labelled("both", *TREE["using"])}, "neither"),
        "tag": by_tags(items, sets["dl"], 15, "other tags"),
        "tags": by_tags(items, ids, None, None),
        "tree": tree,
        "roots": [(name, set().union(*(ids for code, ids in tree if code in codes)))
                  for name, codes in TREE.items()],
        "framework": first_of(items, {"TensorFlow": tag("tensorflow*"), "PyTorch": tag("*torch*"),
                                      "Keras": tagged("keras")}, "neither"),
        "main": first_of(items, {t: tagged(t) for t in ("tensorflow", "keras", "pytorch")}),
        "topic": all_of(items, topics),
        "year": periods(items, year_of, str),
        "quarter": periods(items, lambda q: year_of(q) * 4 + (month_of(q) - 1) // 3,
                           lambda n: f"{n // 4}-Q{n % 4 + 1}"),
        "month": periods(items, lambda q: year_of(q) * 12 + month_of(q) - 1,
                         lambda n: f"{n // 12}-{n % 12 + 1:02}"),
        "overlap": [(name, sets[name]) for name in ("deploy", "howtoword", "popular")],
        "origin": [(s, {q["id"] for q in items if q["source"] == s}) for s in ("north", "south", "table")],
        "kind": coded("kind"),
        "second": second + [("none", ids - set().union(*(i for _, i in second)))],
        "level": [(n, {i for i, level in levels.items() if level == n})
                  for n in ("basic", "extra", "a", "c d")] + [("no level", ids - set(levels))],
    }


# Measures.


def wilson(x, n, confidence):
    z = statistics.NormalDist().inv_cdf((1 + confidence) / 2)
    share, square = x / n, z * z / n
    half = z * math.sqrt(share * (1 - share) / n + square / (4 * n)) / (1 + square)
    middle = (share + square / 2) / (1 + square)
    return share, max(0.0, middle - half) if x else 0.0, min(1.0, middle + half) if x < n else 1.0


def quantile(values, share):
    values, at = sorted(values), (len(values) - 1) * share
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def kaplan_meier(waits, confidence):
    """Median and its interval (logarithmic) of (time, happened); None where undefined."""
    z = statistics.NormalDist().inv_cdf((1 + confidence) / 2)
    left, variance, curve, risk = 1.0, 0.0, [], len(waits)
    for time, same in itertools.groupby(sorted(waits), key=lambda w: w[0]):
        same = list(same)
        events = sum(happened for _, happened in same)
        if events:
            left *= 1 - events / risk
            if risk > events:
                variance += events / (risk * (risk - events))
            spread = math.exp(z * math.sqrt(variance))
            bounds = (left / spread, min(1.0, left * spread)) if left else (None, None)
            curve.append((time, left, *bounds))
        risk -= len(same)

    def crossing(which):
        for i, step in enumerate(curve):
            if step[which] is None:
                return None
            if abs(step[which] - 0.5) < 1e-9 and i + 1 < len(curve):
                return (step[0] + curve[i + 1][0]) / 2
            if step[which] <= 0.5 + 1e-12:
                return step[0]
        return None

    return crossing(1), crossing(2), crossing(3)


UNITS = {"seconds": 1000, "minutes": 60000, "hours": 3600000, "days": 86400000}


def wait_of(q, text):
    """(milliseconds or None, whether it is known that there is no answer yet)"""
    if "accepted" in text:
        return (q["accepted_at"] - q["created"] if q["accepted_at"] is not None else None,
                q["accepted"] is None)
    return (min(q["moments"]) - q["created"] if q["moments"] else None, not q["answers"])


def rounded(value, digits):
    return value if digits is None else float(f"{value:.{digits}f}")


def value_of(q, text, digits):
    if " to " in text:
        wait, _ = wait_of(q, text)
        value = wait / UNITS[text.split()[0]] if wait is not None and wait >= 0 else None
    elif text.startswith("field "):
        try:
            value = float(q[text[6:]] or "")
        except ValueError:
            value = None
    else:
        value = q[text.replace("favourites", "favorites")]
    return None if value is None else rounded(value, digits)


CONDITIONS = {
    "accepted": accepted,
    "answer": lambda q: bool(q["moments"]) or bool(q["answers"]),
    "closed": is_closed,
}


def condition_of(text, sets):
    negate, name = re.fullmatch(r"(without |not |with |in )?(\w+)(?: answer)?", text).groups()
    if negate == "in ":
        return lambda q: q["id"] in sets[name]
    test = CONDITIONS[{"answers": "answer"}.get(name, name)]
    return negated(test) if negate in ("without ", "not ") else test


WITHIN = r"(share|count) (without |with )?(\w+)(?: answer)? within ([\d.]+) (\w+)"


def in_time(found, items, confidence):
    """Of those who could have waited so long, whom it came to in time."""
    what, negate, event, limit, unit = found.groups()
    unit = UNITS[unit.rstrip("s") + "s"]
    limit, x, n = float(limit) * unit, 0, 0
    for q in items:
        wait, still = wait_of(q, event)
        if (wait is None and not still) or (wait or 0) < 0 or q["created"] + limit > ms_of(str(END)):
            continue
        n += 1
        x += (wait is not None and wait <= limit) != (negate == "without ")
    return Cell(x) if what == "count" else Cell(*wilson(x, n, confidence)) if n else Cell(None)


AGGREGATES = {
    "sum": math.fsum, "mean": statistics.fmean, "median": statistics.median, "min": min, "max": max,
    "sd": lambda values: statistics.stdev(values) if len(values) > 1 else None,
    "first quartile": lambda values: quantile(values, 0.25),
    "third quartile": lambda values: quantile(values, 0.75),
}


def known(count, nobody):
    """So many different ones; none is a number only where there is nobody."""
    return Cell(count if count or nobody else None)


class Cell:
    """value None: undefined; low, high None: no interval."""

    def __init__(self, value, low=None, high=None):
        self.value, self.low, self.high = value, low, high


def measure(text, parts, whole, options, study):
    """One cell over lists of items, of which some may stand in several parts."""
    digits = options["round"]
    items = [q for part in parts for q in part]
    if text.startswith("rank of "):
        return measure(text[8:].removesuffix(" ascending"), parts, whole, options, study)
    found = re.fullmatch(WITHIN, text)
    if found:
        return in_time(found, items, options["confidence"])
    if text == "count":
        return Cell(len(items))
    if text.startswith("count "):
        return Cell(sum(map(condition_of(text[6:], study.sets), items)))
    if text == "share" or text.startswith("share of "):
        if whole <= 0:
            return Cell(None)
        return Cell(len(items) / whole) if len(items) > whole else Cell(
            *wilson(len(items), whole, options["confidence"]))
    if text.startswith("share "):
        x = sum(map(condition_of(text[6:], study.sets), items))
        return Cell(*wilson(x, len(items), options["confidence"])) if items else Cell(None)
    if text == "distinct askers":
        return known(len({q["owner"] for q in items} - {None}), not items)
    if text == "distinct answerers":
        return known(len(set().union(*(q["answerers"] for q in items))),
                     not all(map(condition_of("with answer", study.sets), items)) or not items)
    if text.startswith("distinct field "):
        return known(len({q[text[15:]] for q in items} - {None, ""}), not items)
    if text.startswith("kaplan-meier median "):
        return survival(text[20:], items, digits, options["confidence"])
    share = re.fullmatch(r"quantile ([\d.]+)% (.*)", text)
    kind = next((a for a in AGGREGATES if text.startswith(a + " ")), None)
    quantity = share[2] if share else text[len(kind) + 1:]
    values = [v for v in (value_of(q, quantity, digits) for q in items) if v is not None]
    if not values:
        return Cell(None)
    return Cell(quantile(values, float(share[1]) / 100) if share else AGGREGATES[kind](values))


def survival(text, items, digits, confidence):
    unit, waits = UNITS[text.split()[0]], []
    for q in items:
        wait, still = wait_of(q, text)
        if wait is None and still:
            waits.append((rounded((ms_of(str(END)) - q["created"]) / unit, digits), False))
        elif wait is not None and wait >= 0:
            waits.append((rounded(wait / unit, digits), True))
    median, low, high = kaplan_meier(waits, confidence) if waits else (None, None, None)
    return Cell(median, low, high)


# Tables.


class Row:
    def __init__(self, name, ids, parent, set_ids, year=None):
        self.name, self.ids, self.parent, self.set_ids, self.year = name, ids, parent, set_ids, year
        self.children, self.total, self.parts, self.cells = [], False, [ids], []
        self.group = None  # that it is a value of; None: it is a set, or a total
        self.set_parts = [self.set_ids]
        self.level = parent.level + 1 if parent else 0
        if parent:
            parent.children.append(self)
            self.year = self.year or parent.year


def as_list(value):
    return value if isinstance(value, list) else [] if value is None else [value]


class Study:
    def __init__(self, items, sets, definition):
        self.items, self.sets, self.definition = {q["id"]: q for q in items}, sets, definition
        self.groups = make_groups(items, sets)
        self.census = {}
        for q in items:
            # A table of posts is no census of a site.
            if q["source"] != "table":
                self.census[year_of(q)] = self.census.get(year_of(q), 0) + 1

    def add_groups(self, names, parent, ids, depth, set_ids):
        rows_made = []
        for name, members in self.groups[names[0]] if names else []:
            if (depth or names[0] == "tags") and not ids & members:
                continue
            # Codes stand below their own root alone.
            if names[0] == "tree" and parent and parent.name in TREE and name not in TREE[parent.name]:
                continue
            year = int(name) if names[0] == "year" else None
            row = Row(name, ids & members, parent, set_ids, year)
            row.group = names[0]
            rows_made.append(row)
            self.add_groups(names[1:], row, row.ids, depth + 1, set_ids)
        if names and names[0] in ("year", "quarter", "month") and not depth:
            while rows_made and not rows_made[-1].ids:
                rows_made.pop()
            while rows_made and not rows_made[0].ids:
                rows_made.pop(0)
        if parent:
            parent.children = rows_made
        return rows_made

    def lay_out(self, table):
        names, by, top = as_list(table.get("of")), as_list(table.get("by")), []
        blocks = [self.sets[name] for name in names] or [set(self.items)]
        for group, value in table.get("where", {}).items():
            blocks = [ids & dict(self.groups[group])[value] for ids in blocks]
        for name, ids in zip(names or ["all"], blocks):
            if by and len(blocks) == 1:
                top += self.add_groups(by, None, ids, 0, ids)
            else:
                row = Row(name, ids, None, ids)
                top.append(row)
                self.add_groups(by, row, ids, 0, ids)
        return top, blocks

    def whole(self, text, age, row, across, groups_across, top):
        """How many a share is a share of."""
        if text == "share of census":
            return self.census.get(row.year, 0) if row.year else sum(self.census.values())
        beside = lambda ids: ids if across is None else ids & across
        if text == "share of row":
            parts = [set().union(*groups_across) & row.ids if groups_across else row.ids]
        elif text == "share of root":
            parts = [beside(self.root_ids(row))]
        elif text == "share of group":
            parts = [beside(ids) for ids in ([row.parent.ids] if row.parent else row.set_parts)]
        elif text == "share of column":
            parts = [beside(leaf.ids) for leaf in leaves(top)
                     if row.total or not root(leaf).block or root(leaf) is root(row)]
        else:
            parts = row.set_parts
        if not age:
            return sum(map(len, parts))
        return sum(len(self.old_enough([self.items[i] for i in ids], age)) for ids in parts)

    def root_ids(self, row):
        """Whom the row's top-level code, or its topmost group, has."""
        tree, above = row.group in ("tree", "roots"), row
        if not row.group:
            return set()
        while above.parent and above.parent.group and (not tree or above.parent.group in ("tree", "roots")):
            above = above.parent
        if not tree:
            return above.ids
        name = next(name for name, codes in TREE.items() if row.name in [name, *codes])
        ids = above.parent.ids if above.parent else row.set_ids
        return ids & dict(self.groups["roots"])[name]

    def column(self, table, spec):
        spec = spec if isinstance(spec, dict) else {"measure": spec}
        return spec["measure"], {
            "round": spec.get("round-first", table.get("round-first")),
            "age": spec.get("minimum-age", table.get("minimum-age", 0)),
            "confidence": float(table.get("confidence", "95%").rstrip("%")) / 100}

    def old_enough(self, items, age):
        latest = ms_of(str(END)) - age * 86400000
        return [q for q in items if q["created"] <= latest] if age else items

    def cell(self, spec, table, row, parts, across, groups_across, top):
        text, options = self.column(table, spec)
        size = None
        if text == "share" or text.startswith("share of "):
            size = self.whole(text, options["age"], row, across, groups_across, top)
        parts = [self.old_enough(part, options["age"]) for part in parts]
        if text == "share of column" and row.total and sum(map(len, parts)) < size:
            return Cell(None)  # items over what counts them several times
        return measure(text, parts, size, options, self)

    def make(self, table):
        """The rows in the order in which they are printed, and the names across."""
        top, blocks = self.lay_out(table)
        for row in top:
            row.block = len(blocks) > 1 and bool(table.get("by"))
        all_rows = list(itertools.chain(*(descend(row) for row in top)))
        combinations = [((), None)]
        for group in as_list(table.get("across")):
            combinations = [(names + (name,), ids if before is None else before & ids)
                            for names, before in combinations for name, ids in self.groups[group]]
        groups_across = [ids for _, ids in combinations if ids is not None]
        totals = table.get("totals", "none")
        if groups_across and totals in ("rows", "both"):
            combinations.append((("total",), set().union(*groups_across)))
        if totals in ("columns", "both"):
            ids = set().union(*(leaf.ids for leaf in leaves(top)))
            row = Row("total", ids, None, blocks[0] if len(blocks) == 1 else ids)
            row.total = True
            row.set_parts = blocks if table.get("unit") == "rows" else [set().union(*blocks)]
            row.parts = [leaf.ids for leaf in leaves(top)] if table.get("unit") == "rows" else [ids]
            all_rows.append(row)
        columns = table.get("columns", ["count"])
        for row, (_, across) in itertools.product(all_rows, combinations):
            parts = [[self.items[i] for i in (ids if across is None else ids & across)] for ids in row.parts]
            row.cells += [self.cell(spec, table, row, parts, across, groups_across, top) for spec in columns]
        for h, (_, spec) in enumerate(itertools.product(combinations, columns)):
            if self.column(table, spec)[0].startswith("rank of "):
                rank(all_rows, h, self.column(table, spec)[0].endswith(" ascending"))
        return order(all_rows, table, len(combinations)), [names for names, _ in combinations]


def descend(row):
    yield row
    for child in row.children:
        yield from descend(child)


def root(row):
    return root(row.parent) if row.parent else row


def leaves(top):
    return [row for above in top for row in descend(above) if not row.children]


def rank(all_rows, h, ascending):
    for parent in {row.parent for row in all_rows}:
        siblings = [row.cells[h] for row in all_rows if row.parent is parent and not row.total]
        known = [cell for cell in siblings if cell.value is not None]
        values = [cell.value if ascending else -cell.value for cell in known]
        for cell, value in zip(known, values):
            below, same = sum(v < value for v in values), values.count(value)
            cell.value, cell.low, cell.high = below + (same + 1) / 2, None, None
    for row in all_rows:
        if row.total:
            row.cells[h] = Cell(None)


def order(all_rows, table, combinations):
    columns = [spec if isinstance(spec, str) else spec.get("name", spec["measure"])
               for spec in table.get("columns", ["count"])]
    sort, blocks = table.get("sort"), len(as_list(table.get("of"))) > 1 and bool(table.get("by"))
    down = table.get("descending", "yes") == "yes"

    def key(row):
        if sort == "name":
            return row.name.encode()
        last = (combinations - 1) * len(columns) if table.get("totals") in ("rows", "both") else 0
        value = row.cells[last + columns.index(sort)].value
        return (value is None, 0 if value is None else -value if down else value)

    def arrange(siblings, depth):
        if not (blocks and depth == 0):
            siblings = sorted(siblings, key=key) if sort else siblings
            siblings = siblings[:table.get("top", len(siblings))]
        return [r for row in siblings for r in [row] + arrange(row.children, depth + 1)]

    top = [row for row in all_rows if not row.parent and not row.total]
    return arrange(top, 0) + [row for row in all_rows if row.total]


# Comparing.


def near(got, want):
    if got is None or want is None:
        return got is None and want is None
    return math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12)


def different_cells(made, want_rows, heads):
    for row, want in zip(made["rows"], want_rows):
        for column, cell, expected in zip(made["columns"], row["cells"], want.cells):
            got = (cell["value"], cell.get("low"), cell.get("high"))
            exact = isinstance(expected.value, int) and got[0] == expected.value
            bounds = near(got[1], expected.low) and near(got[2], expected.high)
            if not ((exact or near(got[0], expected.value)) and bounds):
                yield f"{row['path']} {column['path']}: got {got}, want " \
                      f"{(expected.value, expected.low, expected.high)}"


def compare_csv(name, made):
    """The csv says what the json says: a column with intervals has their ends in two more."""
    lines = list(csv.reader(open(f"{folder}/out/tables/{name}.csv", newline="")))
    levels = 1 + max(row["level"] for row in made["rows"]) if made["rows"] else 1
    same = len(lines) == len(made["rows"]) + 1
    parts = [re.search("( low| high|)( \\([0-9.]+%\\))?$", head)[1].strip() or "value" for head in lines[0][levels:]]
    starts = [i for i, part in enumerate(parts) if part == "value"]
    same = same and len(starts) == len(made["columns"])
    for line, row in zip(lines[1:], made["rows"]):
        same = same and line[row["level"]] == row["name"]
        for cell, start, end in zip(row["cells"], starts, [*starts[1:], len(parts)]):
            same = same and {"value", *parts[start:end]} >= {"value", "low", "high"} & cell.keys()
            for part, text in zip(parts[start:end], line[levels + start:levels + end]):
                same = same and (float(text) if text and text != "inf" else None) == cell.get(part)
    check(f"tables/{name}.csv is tables/{name}.json", same)


def compare_table(study, name):
    made = json.load(open(f"{folder}/out/tables/{name}.json"))
    want, heads = study.make(study.definition["tables"][name])
    names = [(row["name"], row["level"], row["n"]) for row in made["rows"]]
    expected = [(row.name, row.level, sum(map(len, row.parts))) for row in want]
    check(f"table {name}: {len(expected)} rows", names == expected,
          f"got {[n for n in names if n not in expected][:5]}",
          f"want {[n for n in expected if n not in names][:5]}")
    across = list(dict.fromkeys(c["across"] for c in made["columns"]))
    check(f"table {name}: columns", across == [", ".join(h) for h in heads], across, heads)
    wrong = list(different_cells(made, want, heads)) if names == expected else ["rows differ"]
    check(f"table {name}: {len(want) * len(made['columns'])} cells", not wrong,
          f"{len(wrong)} differ", *wrong[:6])
    compare_csv(name, made)
    correlated = study.definition["tables"][name].get("rank-correlation")
    if correlated:
        compare_correlation(name, made, correlated)


def ranks(values):
    return [sum(v < x for v in values) + (values.count(x) + 1) / 2 for x in values]


def pearson(x, y):
    x = [a - statistics.fmean(x) for a in x]
    y = [b - statistics.fmean(y) for b in y]
    return sum(map(math.prod, zip(x, y))) / math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))


def tau_b(x, y):
    sign = lambda a: (a > 0) - (a < 0)
    pairs = list(itertools.combinations(range(len(x)), 2))
    x = [sign(x[i] - x[j]) for i, j in pairs]
    y = [sign(y[i] - y[j]) for i, j in pairs]
    return sum(map(math.prod, zip(x, y))) / math.sqrt(sum(map(abs, x)) * sum(map(abs, y)))


def compare_correlation(name, made, columns):
    names = [c["name"] for c in made["columns"]]
    pairs = [[row["cells"][names.index(c)]["value"] for c in columns] for row in made["rows"]]
    x, y = zip(*(p for p in pairs if None not in p))
    want = (len(x), pearson(ranks(x), ranks(y)), tau_b(x, y))
    found = re.search(r"over (\d+) rows: Spearman (\S+) .*tau-b (\S+) ", " ".join(made["notes"]))
    got = [float(found[i]) for i in (1, 2, 3)] if found else []
    check(f"table {name}: rank correlation",
          got and all(abs(a - b) <= 5.1e-5 for a, b in zip(got, want)), f"got {got}, want {want}")


def ids_in(path):
    return [int(row["id"]) for row in csv.DictReader(open(f"{folder}/{path}", newline=""))]


def compare_sets(items, definitions, all_questions):
    """The ids of each set, and its funnel; the sets by name."""
    sets = {}
    for name, conditions in definitions.items():
        left, counts = items, []
        for condition in conditions:
            left = [q for q in left if condition(q)]
            counts.append(len(left))
        sets[name] = {q["id"] for q in left}
        found = ids_in(f"out/sets/{name}.csv")
        check(f"set {name} has {len(left)} items", left and found == sorted(sets[name]),
              sorted(set(found) ^ sets[name])[:8])
        funnel = list(csv.reader(open(f"{folder}/out/funnels/{name}.csv", newline="")))
        check(f"funnel {name}: {counts}",
              [int(n) for _, n in funnel[1:]] == [all_questions] + counts, funnel)
    return sets


def size_of(sample, frame):
    size, share = sample["size"], float(sample.get("share", "50%").rstrip("%")) / 100
    roundings = {"up": math.ceil, "down": math.floor, "nearest": lambda n: math.floor(n + 0.5)}
    rounding = roundings[sample.get("round", "up")]
    rule = re.fullmatch(r"([\d.]+)% \+- ([\d.]+)%", size)
    if rule:
        alpha, margin = 1 - float(rule[1]) / 100, float(rule[2]) / 100
        z = lambda m: statistics.NormalDist().inv_cdf(1 - alpha / m)
        spread = max(z(2 * m) ** 2 * (m - 1) / m ** 2 for m in range(2, sample["categories"] + 1)) \
            if "categories" in sample else z(2) ** 2 * share * (1 - share)
        n0 = spread / margin ** 2
        return min(frame, rounding(n0 / (1 + (n0 - 1) / frame)) if frame else 0)
    if size.endswith("%"):
        return rounding(float(size[:-1]) / 100 * frame)
    return frame if size == "all" else min(frame, int(re.search(r"\d+", size)[0]))


def shared_out(sample, frames):
    """How many of each stratum."""
    total = size_of(sample, sum(frames))
    if sample.get("allocate") == "each":
        return [size_of(sample, frame) for frame in frames]
    if sample.get("allocate") == "equal":
        sizes = [0] * len(frames)
        while sum(sizes) < total:
            least = min(s for s, f in zip(sizes, frames) if s < f)
            sizes[next(i for i, s in enumerate(sizes) if s == least and s < frames[i])] += 1
        return sizes
    sizes = [total * frame // sum(frames) for frame in frames]
    remainders = sorted(range(len(frames)), key=lambda i: (-(total * frames[i] % sum(frames)), i))
    for i in remainders[:total - sum(sizes)]:
        sizes[i] += 1
    return sizes


def compare_sample(study, name, sample):
    rows_drawn = list(csv.DictReader(open(f"{folder}/out/samples/{name}.csv", newline="")))
    drawn = [int(row["id"]) for row in rows_drawn]
    frame = study.sets[sample["of"]]
    study.sets[name] = set(drawn)
    strata, left = [("", frame)], frame
    if "by" in sample:
        strata = []
        for group, ids in study.groups[sample["by"]]:
            strata.append((group, left & ids))
            left = left - ids
    sizes = shared_out(sample, [len(ids) for _, ids in strata])
    got = [sum(row["stratum"] == group for row in rows_drawn) for group, _ in strata]
    check(f"sample {name}: {sum(sizes)} items, {len(strata)} strata",
          got == sizes and len(drawn) == sum(sizes), f"got {got}, want {sizes}")
    members = dict(strata)
    check(f"sample {name}: each once, from its stratum of the frame", len(set(drawn)) == len(drawn) and
          all(int(row["id"]) in members[row["stratum"]] for row in rows_drawn))
    how = json.load(open(f"{folder}/out/samples/{name}.json"))
    check(f"sample {name}: what it says of itself", how["drawn"] == len(drawn) and
          how["frame"] == sum(len(ids) for _, ids in strata) and how["of"] == sample["of"], how)
    if sample["size"].startswith("top"):
        best = sorted(frame, key=lambda i: (-study.items[i]["views"], i))
        check(f"sample {name}: the largest, from the top", drawn == best[:len(drawn)])
    if sample.get("method") == "systematic":
        place = {i: k for k, i in enumerate(sorted(frame))}
        places = sorted(place[i] for i in drawn)
        steps = {b - a for a, b in zip(places, places[1:])}
        interval = len(frame) / len(drawn)
        check(f"sample {name}: at an interval of {interval:.2f}",
              steps <= {math.floor(interval), math.ceil(interval)} and places[0] < interval, steps)
    if "keep" in sample:
        kept = ids_in(f"out/samples/{sample['keep']}.csv")
        check(f"sample {name}: the kept ones first, in their order", drawn[:len(kept)] == kept)


def compare_truth(dump, study):
    """What the simulation planted."""
    truth = json.load(open(f"{dump}/truth.json"))
    planted = {int(row["id"]): row for row in csv.DictReader(open(f"{dump}/truth.csv", newline=""))}
    kinds = json.load(open(f"{folder}/out/tables/kinds.json"))
    at = next(i for i, c in enumerate(kinds["columns"]) if c["across"] == "total" and c["name"] == "count")
    check("truth: counts of kinds", {r["name"]: r["cells"][at]["value"] for r in kinds["rows"][:-1]} ==
          {name: v["count"] for name, v in truth["marginals"]["kinds"].items()})
    check("truth: all kinds", kinds["rows"][-1]["cells"][at]["value"] == truth["posts"]["questions"])
    own = [row for row in planted.values() if row["kind"]]
    check("truth: accepted, closed, code",
          [truth["questions"][k] for k in ("accepted", "closed", "code")] ==
          [sum(bool(test(study.items[int(row["id"])])) for row in own)
           for test in (accepted, is_closed, lambda q: q["hascode"])])
    waits = [int(planted[i]["wait_ms"]) / 60000 for i in study.sets["dl"] & set(planted)
             if planted[i]["wait_ms"]]
    made = json.load(open(f"{folder}/out/tables/waits.json"))
    at = [c["name"] for c in made["columns"]].index("median minutes to accepted")
    check("truth: median wait", near(made["rows"][-1]["cells"][at]["value"], statistics.median(waits)))


def compare_published(dump, items, definition):
    sets = compare_sets(items, PUBLISHED, len(items))
    check("every set of the study was compared", set(sets) == set(definition["sets"]))
    planted = list(csv.DictReader(open(f"{dump}/truth.csv", newline="")))
    for name in ("server", "mobile", "browser"):
        want = {int(row["id"]) for row in planted if row["platform"] == name}
        check(f"truth: {name} is what was planted", sets[name] == want, len(sets[name] ^ want))


def compare_everything(dump, items, definition):
    sets = compare_sets(items, SETS, sum(q["source"] != "table" for q in items))
    check("every set of the study was compared", set(sets) == set(definition["sets"]))
    study = Study(items, sets, definition)
    for name, sample in definition["samples"].items():
        compare_sample(study, name, sample)
    for name in definition["tables"]:
        compare_table(study, name)
    compare_truth(dump, study)


def write_labels(dump, path):
    planted = {row["id"]: row["kind"] for row in csv.DictReader(open(f"{dump}/truth.csv", newline=""))}
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["item", "rater", "code"])
        table.writerows([i, "ann", planted[str(i)]] for i in ids_in("out/samples/to-read.csv") if str(i) in planted)


def compare_labelled(dump, path):
    items = {q["id"]: q for q in load_dump(dump)}
    said = {int(row["item"]): row["code"] for row in csv.DictReader(open(path, newline=""))}
    guessed = {int(row["id"]): row["name"] for row in
               csv.DictReader(open(f"{folder}/out/classifiers/kinds/predicted.csv", newline=""))}
    tagged_ids = {i for i, q in items.items() if dl(q)}
    having = lambda given, codes: {i for i, code in given.items() if code in codes}
    crash, trouble = having(said, ["crash"]), having(said, TREE["trouble"])
    agree = crash & having(guessed, ["crash"])
    want = {
        "tagged": tagged_ids, "crashes": tagged_ids & crash,
        "troubles": {i for i in trouble if items[i]["score"] >= 1}, "to-keep": tagged_ids & set(said),
        "others": tagged_ids & set(said) - trouble, "predicted": tagged_ids & having(guessed, TREE["trouble"]),
        "agree": agree, "missed": crash - agree}
    for name, ids in want.items():
        found = ids_in(f"out/sets/{name}.csv")
        check(f"set {name} has {len(ids)} items", ids and found == sorted(ids), sorted(set(found) ^ ids)[:8])
    check("a sample of what was missed", sorted(ids_in("out/samples/again.csv")) == sorted(want["missed"]))
    rows_made = json.load(open(f"{folder}/out/tables/heard.json"))["rows"]
    got = [row["cells"][0]["value"] for row in rows_made if row["level"]]
    heard = [set(said), set(guessed) - set(said), set(items) - set(said) - set(guessed)]
    check("groups of who was heard", got == [
        len(want[name] & ids) for name in ("tagged", "troubles", "predicted") for ids in heard], got)


if sys.argv[1] == "prepare":
    prepare(*sys.argv[2:])
    sys.exit()
if sys.argv[1] in ("label", "labelled"):
    folder = sys.argv[3]
    if sys.argv[1] == "label":
        sys.exit(write_labels(sys.argv[2], sys.argv[4]))
    compare_labelled(sys.argv[2], sys.argv[4])
    sys.exit(done())
dump, questions = sys.argv[2], load_dump(sys.argv[2])
for folder in sys.argv[3:]:
    definition = json.load(open(f"{folder}/study.yaml"))
    if definition["study"] == "published":
        compare_published(dump, questions, definition)
    else:
        compare_everything(dump, questions + list(load_table(f"{folder}/../table.csv")), definition)
sys.exit(done())
