"""What the studies of `assay demo` should find in its corpus, computed from truth.csv, Posts.xml,
Comments.xml, commits.csv and bugs.csv with the standard library alone: the section `expect` of studies/*/demo.yaml.

Which questions a study is about follows from their tags, everything else is counted from what
was planted in these questions. Where tags and words cannot give back exactly what was planted
(a question on Keras may also bear the tag tensorflow), `known` says why and `right` is what
they give. The corpus has a fixed seed, so the numbers change only with assay synth.

usage: demo_expectations.py write DUMP STUDIES    rewrites `expect` in STUDIES/*/demo.yaml
       demo_expectations.py check DUMP STUDIES    compares with it instead; prints TAP"""

import csv
import html
import math
import re
import statistics
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from thanks import gives_thanks

UNITS = {"minutes": 60000, "hours": 3600000, "days": 86400000}
WIDTH = 90  # of an expectation in one line


class Posts(list):
    """Questions: their tags and their prose, and `truth`, their row of truth.csv."""

    def where(self, test):
        return Posts(q for q in self if test(q))

    def planted(self, **labels):
        """Those whose labels are these, or among these."""
        return self.where(lambda q: all(
            q["truth"][k] in ([v] if isinstance(v, str) else v) for k, v in labels.items()))

    def in_year(self, year):
        return self.planted(year=str(year))

    def tagged(self, *tags):
        return self.where(lambda q: not q["tags"].isdisjoint(tags))

    def saying(self, pattern):
        """Those whose title or text outside of code blocks has it, in any case."""
        expression = re.compile(rf"\b({pattern})", re.I)
        return self.where(lambda q: expression.search(q["prose"]))

    def accepted(self):
        return self.where(lambda q: q["truth"]["accepted_answer_id"] != "")

    def median_wait(self, unit, digits, round_first=None):
        waits = [int(q["truth"]["wait_ms"]) / UNITS[unit] for q in self.accepted()]
        if round_first is not None:
            waits = [round(wait, round_first) for wait in waits]
        return f"{statistics.median(waits):.{digits}f}"

    def values(self, column):
        return [int(q["truth"][column]) for q in self]

    def median(self, column):
        return f"{statistics.median(self.values(column)):.1f}"


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def endorsed_in(dump):
    """Questions with an answer of somebody else that the asker gave thanks for."""
    owner, question, found = {}, {}, set()
    for _, row in ElementTree.iterparse(f"{dump}/Posts.xml"):
        if row.get("PostTypeId") in ("1", "2"):
            owner[row.get("Id")] = row.get("OwnerUserId")
            question[row.get("Id")] = row.get("ParentId")
        row.clear()
    for _, row in ElementTree.iterparse(f"{dump}/Comments.xml"):
        post = row.get("PostId")
        asked = question.get(post)
        if asked and row.get("UserId") and row.get("UserId") == owner.get(asked) != owner[post]:
            found |= {asked} if gives_thanks(row.get("Text")) else set()
        row.clear()
    return found


def load(dump):
    endorsed = endorsed_in(dump)
    truth = {row["id"]: row for row in rows(f"{dump}/truth.csv")}
    posts = Posts()
    posts.commits, posts.bugs = rows(f"{dump}/commits.csv"), rows(f"{dump}/bugs.csv")
    for _, row in ElementTree.iterparse(f"{dump}/Posts.xml"):
        if row.get("PostTypeId") == "1":
            outside = re.sub(r"<pre\b.*?</pre>", "\n", row.get("Body"), flags=re.S)
            posts.append({
                "tags": set(re.findall(r"[^<>|]+", row.get("Tags"))),
                "prose": row.get("Title") + "\n" + html.unescape(re.sub(r"<[^>]*>", "", outside)),
                "endorsed": row.get("Id") in endorsed,
                "truth": truth[row.get("Id")]})
        row.clear()
    return posts


def share(part, whole):
    return f"{100 * len(part) / len(whole):.2f}%"


class Expectations:
    def __init__(self):
        self.lines = ["expect:"]

    def add(self, expression, value, words, known=None, right=None, tolerance=None):
        """`known`: why the text of posts gives another value, the `right` one."""
        value = str(len(value) if isinstance(value, (list, set)) else value)
        right = str(len(right) if isinstance(right, Posts) else right)
        assert known is None or value != right, f"{expression}: nothing differs"
        if known is None:
            within = f", tolerance: {tolerance}" if tolerance else ""
            flow = f"{{value: {value}, source: '{words}'{within}}}"
            wide = len(expression) + len(flow) > WIDTH
            self.lines.append(f"  {expression}:" + ("\n    " if wide else " ") + flow)
            return
        self.lines += [f"  {expression}:", f"    value: {value}", f"    source: '{words}'",
                       f"    known: '{known}'", f"    right: {right}"]

    def text(self):
        return "\n".join(self.lines) + "\n"


KERAS = "Keras questions often also bear the tag tensorflow, and some the other way round."
PARTS = "The text tensorflow is also in the tags of Keras questions and of platforms."
WORDS = "Many questions on a platform never say these words; their tags tell."
THANKS = "A rule of words: some thanks deny, and some askers say otherwise that it helped."
READING = "Only reading tells what is no deployment: false positives, training in the browser."


SLIPS = 0.12  # of simulated raters: src/cmd/demo.c


def planted_kappa(shares):
    """Of two raters who each slip at that rate, into any other code alike."""
    others = len(shares) - 1
    observed = (1 - SLIPS) ** 2 + SLIPS ** 2 / others
    expected = sum(((1 - SLIPS) * p + SLIPS * (1 - p) / others) ** 2 for p in shares)
    return (observed - expected) / (1 - expected)


KINDS = {"implementation": "Implementation", "crash": "Program-crash",
         "anomaly": "Training-anomaly", "migration": "Model-migration",
         "performance": "Performance", "comprehension": "Comprehension",
         "installation": "Installation"}


def zhang2019(posts):
    e = Expectations()
    frameworks = {name: name.lower() for name in ("TensorFlow", "PyTorch", "Deeplearning4j")}
    questions = posts.tagged(*frameworks.values())
    e.add("sets.questions", posts.planted(framework=list(frameworks.values())),
          "questions on the three frameworks", KERAS, questions)
    e.add("tables.frameworks.TensorFlow.count", posts.planted(framework="tensorflow"),
          "questions on TensorFlow", KERAS, posts.tagged("tensorflow"))
    for name in ("PyTorch", "Deeplearning4j"):
        e.add(f"tables.frameworks.{name}.count", posts.planted(framework=frameworks[name]),
              f"questions on {name}")
    e.add("sets.resolved", questions.accepted(), "questions with an accepted answer")
    e.add("tables.endorsed.total.count-with-endorsed", questions.planted(endorsed="yes"),
          "questions whose asker says that an answer helped", THANKS,
          questions.where(lambda q: q["endorsed"]))
    e.add("tables.frameworks.total.max-views", max(questions.values("views")), "most views")
    e.add("tables.frameworks.total.median-views", questions.median("views"), "median views")
    kinds = [kind for kind, _ in Counter(q["truth"]["kind"] for q in questions).most_common()]
    for kind in kinds:
        e.add(f"tables.kinds.{kind}.share", share(questions.planted(kind=kind), questions),
              f"{kind}, of all questions")
    for kind in kinds:
        of_kind = questions.planted(kind=kind)
        e.add(f"tables.kinds.{kind}.share-with-accepted", share(of_kind.accepted(), of_kind),
              f"{kind}, with accepted answer")
    for kind in kinds:
        e.add(f"tables.kinds.{kind}.median-hours-to-accepted",
              questions.planted(kind=kind).median_wait("hours", 3), f"{kind}, median hours to answer")
    for year in (2016, 2020):
        of_year = questions.in_year(year)
        e.add(f"tables.trend.{year}.installation.share-of-row",
              share(of_year.planted(kind="installation"), of_year), f"installation, of {year}")
    e.add("tables.causes.api-misuse.total.count", questions.planted(root_cause="api-misuse"),
          "caused by misuse of an API")
    # What rests on a sample and on simulated raters comes near, by three standard errors.
    shares = [len(questions.planted(kind=kind)) / len(questions) for kind in kinds]
    e.add("labelling.kinds.cohen", f"{planted_kappa(shares):.3f}", "agreement, kappa of Cohen",
          tolerance=0.055)
    for kind in kinds:
        e.add(f"tables.estimated.{KINDS[kind]}.prediction-powered",
              share(questions.planted(kind=kind), questions), f"{kind}, estimated from 715 labels",
              tolerance="3%")
    return e


def liu2023(posts):
    e = Expectations()
    selected = posts.where(lambda q: re.search("tensorflow|pytorch|theano", " ".join(q["tags"])))
    titled = selected.planted(how_to="yes")
    not_closed = titled.accepted().planted(closed="no")
    e.add("sets.tagged", posts.planted(framework=["tensorflow", "pytorch", "theano"]),
          "questions on the three frameworks", PARTS, selected)
    e.add("sets.how-to", titled, "of them with How to in the title")
    e.add("sets.accepted", titled.accepted(), "of them with accepted answer")
    e.add("sets.not-closed", not_closed, "of them not closed")
    e.add("tables.kinds.implementation.count", not_closed.planted(kind="implementation"),
          "of them on implementation")
    phases = {"d": "Data-processing", "m": "Model-setting", "t": "Model-training",
              "p": "Model-prediction"}
    for code, name in phases.items():
        e.add(f"tables.phases.{name}.share", share(not_closed.planted(phase=code), not_closed),
              f"{name.replace('-', ' ').lower()}, of those not closed")
    for code, name in phases.items():
        e.add(f"tables.phases.{name}.median-views", not_closed.planted(phase=code).median("views"),
              f"{name.replace('-', ' ').lower()}, median views")
    for code, name in phases.items():
        e.add(f"tables.phases.{name}.median-days-to-accepted",
              not_closed.planted(phase=code).median_wait("days", 3, round_first=2),
              f"{name.replace('-', ' ').lower()}, median days to answer")
    for name in ("Data", "Layer", "Model", "Tensor"):
        e.add(f"tables.objects.{name}.count", not_closed.planted(object=name), f"object {name}")
    views, scores = not_closed.values("views"), not_closed.values("score")
    waits = not_closed.values("wait_ms")
    e.add("tests.views-score.effect", f"{statistics.correlation(views, scores):.4f}",
          "views and score, r of Pearson")
    e.add("tests.views-days.effect", f"{statistics.correlation(views, waits):.4f}",
          "views and days, r of Pearson")
    e.add("tests.views-score-ranks.effect", f"{spearman(views, scores):.4f}",
          "views and score, rho of Spearman")
    return e


def ranks(values):
    return [sum(v < x for v in values) + (values.count(x) + 1) / 2 for x in values]


def spearman(x, y):
    return statistics.correlation(ranks(x), ranks(y))


def yates(hits, sizes):
    """Chi-square of two shares with the correction of Yates, written out."""
    a, c = hits
    b, d = sizes[0] - a, sizes[1] - c
    n = a + b + c + d
    return n * (abs(a * d - b * c) - n / 2) ** 2 / ((a + b) * (c + d) * (a + c) * (b + d))


# Shares of questions with an accepted answer, as src/synth/tables.c plants them.
ACCEPTED = {kind: 0.34 for kind in KINDS} | {"performance": 0.25, "comprehension": 0.41}
ACCEPTED_DEPLOYMENT = 0.2931


def planted_share(question):
    challenge = question["truth"]["challenge"]
    if challenge == "unclear":
        return 0.0
    return ACCEPTED_DEPLOYMENT if challenge[2:3] == "." else ACCEPTED[question["truth"]["kind"]]


def solve(matrix, right):
    """By elimination; the matrix is positive definite."""
    rows = [line[:] + [value] for line, value in zip(matrix, right)]
    for i in range(len(rows)):
        for j in range(i + 1, len(rows)):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i])]
    out = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        out[i] = (rows[i][-1] - sum(rows[i][k] * out[k] for k in range(i + 1, len(rows)))) / rows[i][i]
    return out


def logistic(cells):
    """Coefficients and their standard errors by Newton's method, of cells {columns: [sum of outcomes, size]}."""
    size = len(next(iter(cells)))
    beta = [0.0] * size
    for _ in range(25):
        score, information = [0.0] * size, [[0.0] * size for _ in range(size)]
        for x, (hits, count) in cells.items():
            p = 1 / (1 + math.exp(-sum(a * b for a, b in zip(x, beta))))
            for i in range(size):
                score[i] += x[i] * (hits - count * p)
                for j in range(size):
                    information[i][j] += x[i] * x[j] * count * p * (1 - p)
        beta = [b + step for b, step in zip(beta, solve(information, score))]
    unit = [[float(i == j) for i in range(size)] for j in range(size)]
    return beta, [math.sqrt(solve(information, unit[i])[i]) for i in range(size)]


def add_regression(e, questions, deployment):
    """Odds ratios that were planted: what the regression gives for the shares that answers were drawn with. What
    was drawn comes near, by three standard errors."""
    others = [kind for kind in KINDS if kind != "implementation"]
    drawn, planted = {}, {}
    among = {q["truth"]["id"] for q in deployment}
    for q in questions:
        x = (1.0, float(q["truth"]["id"] in among)) + tuple(float(q["truth"]["kind"] == kind) for kind in others)
        for cells, outcome in ((drawn, q["truth"]["accepted_answer_id"] != ""), (planted, planted_share(q))):
            cell = cells.setdefault(x, [0.0, 0])
            cell[0] += outcome
            cell[1] += 1
    betas, errors = logistic(planted)[0], logistic(drawn)[1]
    for i, name in enumerate(["deployment"] + [f"kind-{kind}" for kind in others], 1):
        ratio = math.exp(betas[i])
        e.add(f"tables.adjusted.{name}.odds-ratio", f"{ratio:.2f}", f"odds of an accepted answer, {name}",
              tolerance=f"{ratio * math.expm1(3 * errors[i]):.2f}")


def chen2020(posts):
    e = Expectations()
    names = {"server": "C", "mobile": "D", "browser": "E-candidates"}
    base = posts.tagged("tensorflow", "keras", "pytorch", "theano", "caffe")
    words = {"server": base.saying(r"(cloud|server|serving)\b").saying("deploy"),
             "mobile": base.saying(r"(mobile|android|ios)\b"),
             "browser": base.saying(r"browser\b")}
    deployment = posts.planted(platform=list(names))
    other = base.planted(platform="")
    meant = deployment.where(
        lambda q: q["truth"]["challenge"] not in ("false-positive", "not-deployment"))
    e.add("sets.B", posts.planted(framework=["tensorflow", "keras", "pytorch", "theano", "caffe"]),
          "B, questions on the five frameworks")
    for platform, name in names.items():
        e.add(f"sets.{name}", deployment.planted(platform=platform),
              f"{name}, selected for {platform}")
    for platform, name in names.items():
        e.add(f"tables.selection.{name}.{platform}.share-of-group", "100.00%",
              f"precision of {name}: planted as {platform}")
    for platform, name in names.items():
        whole, alone = deployment.planted(platform=platform), name[0] + "-words"
        e.add(f"tables.selection.{alone}.{platform}.count", whole,
              f"{alone}, {platform} found by words alone", WORDS,
              words[platform].planted(platform=platform))
    e.add("sets.deployment", meant, "deployment, as reading would tell", READING, deployment)
    e.add("tables.platforms.browser.count - tables.challenges.browser.not-deployment.count",
          deployment.planted(platform="browser").where(
              lambda q: q["truth"]["challenge"] != "not-deployment"),
          "E, browser questions on deployment")
    e.add("sets.other", other, "other questions of B")
    for name, of in (("deployment", deployment), ("other", other)):
        e.add(f"tables.difficulty.{name}.share-without-accepted",
              share(of.planted(accepted_answer_id=""), of), f"{name}, without accepted answer")
        e.add(f"tables.difficulty.{name}.median-minutes-to-accepted", of.median_wait("minutes", 2),
              f"{name}, median minutes to answer")
    waiting = [len(side.planted(accepted_answer_id="")) for side in (deployment, other)]
    e.add("tests.accepted.statistic", f"{yates(waiting, [len(deployment), len(other)]):.3f}",
          "is it harder? chi-square with Yates")
    for platform in names:
        e.add(f"tables.platforms.{platform}.median-minutes-to-accepted",
              deployment.planted(platform=platform).median_wait("minutes", 2),
              f"{platform}, median minutes to answer")
    add_regression(e, Posts(deployment + other), deployment)
    for year in (2017, 2020):
        e.add(f"tables.trend.{year}.Mobile.count",
              deployment.planted(platform="mobile").in_year(year), f"mobile in {year}, questions")
    e.add("tables.challenges.mobile.mo.conversion.count",
          deployment.planted(challenge="mo.conversion"), "mobile: conversion of models")
    e.add("tables.challenges.server.sc.data.count", deployment.planted(challenge="sc.data"),
          "server: data processing")
    return e


def islam2019(posts):
    e = Expectations()
    commits, bugs_fixed = posts.commits, posts.bugs
    fixes = {row["commit"] for row in commits if row["says_fix"] == "yes" and int(row["parents"]) < 2}
    labelled = {field: {(row["commit"], row[field]) for row in bugs_fixed if row["commit"] in fixes}
                for field in ("bug_type", "bug_cause", "bug_effect")}
    libraries = ["caffe", "keras", "tensorflow", "theano", "torch"]
    selected = posts.tagged(*libraries)
    coded = selected.planted(code="yes")
    bugs = coded.where(lambda q: q["truth"]["bug_type"] != "")
    e.add("sets.tagged", posts.planted(framework=libraries), "questions on the five libraries")
    e.add("sets.with-code", coded, "of them with code")
    e.add("sets.scored", coded.where(lambda q: int(q["truth"]["score"]) > 5),
          "of them scored above 5")
    e.add("sets.scored-at-least", coded.where(lambda q: int(q["truth"]["score"]) >= 5),
          "scored 5 or above")
    for name, tag in (("Caffe", "caffe"), ("Theano", "theano"), ("Torch", "torch")):
        e.add(f"tables.dataset.tagged.{name}.count", posts.planted(framework=tag), f"on {name}")
    for name, tag in (("Keras", "keras"), ("TensorFlow", "tensorflow")):
        e.add(f"tables.dataset.tagged.{name}.count", posts.planted(framework=tag), f"on {name}",
              KERAS, posts.tagged(tag))
    e.add("sum(tables.types.*.total.count)", bugs, "bugs in questions with code")
    for code in ("data", "sb.logic", "sb.dataflow", "nmsb.logic", "api"):
        e.add(f"tables.types.{code}.total.share-of-column",
              share(bugs.planted(bug_type=code), bugs), f"type {code}, of all bugs")
    for code in ("ips", "si", "api-misuse"):
        e.add(f"tables.causes.{code}.share-of-column", share(bugs.planted(bug_cause=code), bugs),
              f"cause {code}, of all bugs")
    for code in ("crash", "bad-performance"):
        of_effect = bugs.planted(bug_effect=code)
        e.add(f"tables.effects.{code}.share-of-column", share(of_effect, bugs),
              f"effect {code}, of all bugs")
        e.add(f"tables.effects.{code}.median-hours-to-accepted", of_effect.median_wait("hours", 3),
              f"effect {code}, median hours to answer")
    for code in ("data-preparation", "training", "choice-of-model"):
        e.add(f"tables.stages.{code}.share-of-column", share(bugs.planted(bug_stage=code), bugs),
              f"stage {code}, of all bugs")
    e.add("sets.programs", commits, "commits of the five libraries")
    e.add("sets.fixes", fixes, "of them that say fix, no merges")
    for library in ("Caffe", "Keras", "TensorFlow", "Theano", "Torch"):
        e.add(f"tables.dataset.fixes.{library}.count",
              [row for row in commits if row["commit"] in fixes and row["library"] == library],
              f"of them on {library}")
    e.add("tables.commits-types.total.count", {commit for commit, _ in labelled["bug_type"]},
          "of them that put bugs right")
    for name, field, codes in (("types", "bug_type", ("data", "sb.logic", "nmsb.logic")),
                               ("causes", "bug_cause", ("ips", "si")),
                               ("effects", "bug_effect", ("crash", "bad-performance"))):
        for code in codes:
            e.add(f"tables.commits-{name}.{code}.share-of-column",
                  share([one for one in labelled[field] if one[1] == code], labelled[field]),
                  f"{field.replace('_', ' ')} {code}, in commits")
    return e


STUDIES = {"zhang2019": zhang2019, "liu2023": liu2023, "chen2020": chen2020, "islam2019": islam2019}


def main(action, dump, studies):
    posts, failed = load(dump), 0
    for n, (name, expectations) in enumerate(STUDIES.items(), 1):
        path = Path(studies, name, "demo.yaml")
        before = path.read_text()
        after = before.partition("\nexpect:")[0].rstrip() + "\n\n" + expectations(posts).text()
        if action == "write":
            path.write_text(after)
            continue
        for line in sorted(set(after.splitlines()) - set(before.splitlines())):
            print(f"# it should say {line}")
        failed += before != after
        verdict = "ok" if before == after else "not ok"
        print(f"{verdict} {n} - {name}/demo.yaml expects what was planted")
    if action == "check":
        print(f"1..{len(STUDIES)}")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("write", "check"):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
