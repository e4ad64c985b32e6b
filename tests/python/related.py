"""Conditions on what is around a post, and dates that count back, against brute force over
all tables of a dump: random queries in scans and in the sets of a study. Prints TAP.
usage: related.py scan ASSAY DUMP COUNT SEED
       related.py truth ASSAY DUMP PERCENT-FOUND PERCENT-RIGHT
       related.py study ASSAY DUMP COUNT SEED FOLDER [UNTIL]"""

import calendar
import csv
import datetime
import os
import random
import re
import subprocess
import sys

from posts import has_code, has_word, prose_of, rows_in, tags_of
from tap import check, done
from thanks import gives_thanks

DAY = datetime.timedelta(days=1)
PLANTED = ("1000000001", "1000000010")


def number(row, name):
    try:
        return int(row[name])
    except (KeyError, ValueError):
        return None


def moment(row, name):
    return datetime.datetime.fromisoformat(row[name]) if row.get(name) else None


class Dump:
    """All tables, with what hangs on what."""

    def __init__(self, folder, until=None):
        def table(name):
            path = os.path.join(folder, name + ".xml")
            return list(rows_in(path)) if os.path.exists(path) else []

        def early(row):
            created = moment(row, "CreationDate")
            return until is None or created is None or created < until

        posts = [row for row in table("Posts") if early(row) and row["Id"] not in PLANTED]
        self.posts = list({row["Id"]: row for row in reversed(posts)}.values())[::-1]
        self.newest = max(filter(None, (moment(row, "CreationDate") for row in self.posts)))
        self.reputation = {
            row["Id"]: number(row, "Reputation") for row in table("Users") if int(row["Id"]) >= 0
        }
        self.duplicates = {row["PostId"] for row in table("PostLinks") if row["LinkTypeId"] == "3"}
        self.comments, self.answers = {}, {}
        for row in table("Comments"):
            if early(row):
                self.comments.setdefault(row["PostId"], []).append(row)
        for row in self.posts:
            if row.get("PostTypeId") == "2" and "ParentId" in row:
                self.answers.setdefault(row["ParentId"], []).append(row)
        self.endorsed = {
            row["Id"] for row in self.posts for answer in self.answers.get(row["Id"], ())
            if row.get("PostTypeId") == "1" and row.get("OwnerUserId")
            and answer.get("OwnerUserId") != row["OwnerUserId"]
            and any(comment.get("UserId") == row["OwnerUserId"] and gives_thanks(comment.get("Text", ""))
                    for comment in self.comments.get(answer["Id"], ()))
        }
        self.tags = sorted({tag for row in self.posts for tag in tags_of(row)})
        words = re.findall(r"[a-z]{3,}", " ".join(row.get("Text", "") for row in table("Comments")[:300]))
        words += re.findall(r"[a-z]{3,}", " ".join(prose_of(row) for row in self.posts[:100]))
        self.words = sorted(set(words) - {"and", "not", "yes"})
        self.users = sorted(self.reputation)


def back(newest, count, unit):
    """The day so long before."""
    day = datetime.datetime(newest.year, newest.month, newest.day)
    if unit in "dw":
        return day - DAY * count * (7 if unit == "w" else 1)
    months = day.year * 12 + day.month - 1 - count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return datetime.datetime(year, month + 1, min(day.day, last))


class Queries:
    """Random queries: each a text and a function that tells whether a row meets it."""

    def __init__(self, dump, seed):
        self.dump, self.random = dump, random.Random(seed)

    def span(self, low, high, name, attribute):
        a, b = sorted(self.random.randint(low, high) for _ in "ab")
        text, test = self.random.choice(
            [
                (f"{name}:{a}..{b}", lambda value: a <= value <= b),
                (f"{name}:{a}..", lambda value: a <= value),
                (f"{name}>{b}", lambda value: value > b),
                (f"{name}={a}", lambda value: value == a),
            ]
        )
        return text, lambda row: number(row, attribute) is not None and test(number(row, attribute))

    def reputation(self, attribute):
        text, _ = self.span(0, 3000, "reputation", "")
        low = re.match(r"reputation:(\d+)", text)
        if not low:
            text = f"reputation:{self.random.randint(1, 200)}.."
        ends = text[len("reputation:"):].split("..")
        low, high = int(ends[0]), int(ends[1] or 10**9)

        def test(row):
            value = self.dump.reputation.get(row.get(attribute))
            return value is not None and low <= value <= high

        return text, test

    def date(self, name, attribute):
        newest, unit = self.dump.newest, self.random.choice("dwmy")
        a, b = sorted(self.random.randint(0, {"d": 900, "w": 120, "m": 30, "y": 4}[unit]) for _ in "ab")
        first, last = back(newest, b, unit), back(newest, a, unit) + DAY
        year = newest.year - self.random.randint(0, 2)
        text, test = self.random.choice(
            [
                (f"{name}:{b}{unit}..{a}{unit}", lambda at: first <= at < last),
                (f"{name}:{b}{unit}..", lambda at: first <= at),
                (f"{name}:..{a}{unit}", lambda at: at < last),
                (f"{name}:{year}", lambda at: at.year == year),
            ]
        )
        return text, lambda row: moment(row, attribute) is not None and test(moment(row, attribute))

    def flag(self, name, test):
        yes = self.random.random() < 0.7
        return f"{name}:{'yes' if yes else 'no'}", lambda row: test(row) == yes

    def word(self, text_of):
        word = self.random.choice(self.dump.words)
        return word, lambda row: has_word(text_of(row), word)

    def user(self, attribute):
        user = self.random.choice(self.dump.users or ["1"])
        return f"user:{user}", lambda row: row.get(attribute) == user

    def comment(self, depth):
        choices = [
            lambda: self.word(lambda row: row.get("Text", "")),
            lambda: self.word(lambda row: row.get("Text", "")),
            lambda: self.span(0, 4, "score", "Score"),
            lambda: self.date("created", "CreationDate"),
            lambda: self.reputation("UserId"),
            lambda: self.user("UserId"),
        ]
        return self.below("comment", choices, self.dump.comments, depth)

    def answer(self, depth):
        choices = [
            lambda: self.word(prose_of),
            lambda: self.span(-2, 8, "score", "Score"),
            lambda: self.flag("hascode", has_code),
            lambda: self.reputation("OwnerUserId"),
            lambda: self.date("created", "CreationDate"),
            lambda: self.date("lastactive", "LastActivityDate"),
            lambda: self.span(0, 3, "comments", "CommentCount"),
            lambda: self.flag("wiki", lambda row: "CommunityOwnedDate" in row),
            lambda: self.comment(depth - 1),
            lambda: self.user("OwnerUserId"),
        ]
        return self.below("answer", choices, self.dump.answers, depth)

    def below(self, name, choices, hanging, depth):
        text, test = self.join(choices, depth)
        return f"{name}:({text})", lambda row: any(test(low) for low in hanging.get(row["Id"], ()))

    def post(self, depth):
        choices = [
            lambda: self.answer(depth - 1),
            lambda: self.answer(depth - 1),
            lambda: self.comment(depth - 1),
            lambda: self.reputation("OwnerUserId"),
            lambda: self.flag("duplicate", lambda row: row["Id"] in self.dump.duplicates),
            lambda: self.flag("hasendorsed", lambda row: row["Id"] in self.dump.endorsed),
            lambda: self.flag("wiki", lambda row: "CommunityOwnedDate" in row),
            lambda: self.date("lastactive", "LastActivityDate"),
            lambda: self.date("created", "CreationDate"),
            lambda: self.word(prose_of),
            lambda: self.span(-2, 20, "score", "Score"),
            self.tag,
        ]
        return self.join(choices, depth)

    def tag(self):
        tag = self.random.choice(self.dump.tags)
        return f"[{tag}]", lambda row: tag in tags_of(row)

    def join(self, choices, depth):
        kind = self.random.choice("...&|-") if depth > 0 else "."
        if kind == ".":
            return self.random.choice(choices)()
        if kind == "-":
            text, test = self.join(choices, depth - 1)
            return f"not ({text})", lambda row: not test(row)
        (a, one), (b, two) = (self.join(choices, depth - 1) for _ in "ab")
        if kind == "&":
            return f"({a}) and ({b})", lambda row: one(row) and two(row)
        return f"({a}) or ({b})", lambda row: one(row) or two(row)


def scan(assay, folder, count, seed):
    dump = Dump(folder)
    queries = Queries(dump, seed)
    made = [("is:question and hasendorsed:yes", lambda row: row["Id"] in dump.endorsed)]
    for text, test in made + [queries.post(3) for _ in range(count)]:
        want = [row["Id"] for row in dump.posts if test(row)]
        ran = subprocess.run([assay, "scan", folder, text, "--ids", "--quiet"], capture_output=True, text=True)
        got = ran.stdout.split()
        check(
            f"{os.path.basename(folder)}: {len(want)} posts: {text}",
            ran.returncode == 0 and got == want,
            f"assay {len(got)} posts; {ran.stderr[:300]}",
            f"only one has {sorted(set(got) ^ set(want))[:5]}",
        )


def truth(_, folder, least_found, least_right):
    """How far the rule on thanks finds what is planted, in percent."""
    with open(os.path.join(folder, "truth.csv"), newline="") as file:
        planted = {row["id"] for row in csv.DictReader(file) if row["endorsed"] == "yes"}
    found = Dump(folder).endorsed
    recall = 100 * len(found & planted) / len(planted)
    precision = 100 * len(found & planted) / len(found)
    check(f"{recall:.0f}% of {len(planted)} planted are found", recall >= least_found)
    check(f"{precision:.0f}% of {len(found)} found are planted", 95 >= precision >= least_right)


def write_study(folder, dump, sets, extra):
    os.makedirs(folder)
    with open(os.path.join(folder, "study.yaml"), "w") as file:
        file.write("study: around\nsource:\n")
        file.write(f"  stackexchange: {os.path.abspath(dump)}\n  also: [comments, users, links]\n{extra}")
        file.write("sets:\n")
        for name, query in sets.items():
            file.write(f"  {name}: '{query}'\n")


def taken(folder, name):
    with open(os.path.join(folder, "out", "sets", name + ".csv"), newline="") as file:
        return {row["id"] for row in csv.DictReader(file)}


def study(assay, folder, count, seed, work, until=None):
    end = datetime.datetime.fromisoformat(until) + DAY if until else None
    dump = Dump(folder, end)
    queries = Queries(dump, seed)
    extra = f"  until: {until}\n" if until else ""
    made = {f"s{i}": queries.post(3) for i in range(count)}
    # Everything is taken for some of the sets, so a study of each alone tests the ingest.
    together = {name: f"is:question and ({text})" for name, (text, _) in made.items()}
    write_study(os.path.join(work, "together"), folder, together, extra)
    for name in list(made)[: count // 4]:
        text = made[name][0]
        write_study(os.path.join(work, name), folder, {name: "*"}, f"{extra}take: '{text}'\n")
    for place in sorted(os.listdir(work)):
        home = os.path.join(work, place)
        ran = subprocess.run([assay, "run", home], capture_output=True, text=True)
        check(f"study {place} runs", ran.returncode == 0, ran.stderr)
        for name in made if place == "together" and ran.returncode == 0 else [place]:
            text, test = made[name]
            want = {row["Id"] for row in dump.posts if row.get("PostTypeId") == "1" and test(row)}
            got = taken(home, name) if ran.returncode == 0 else set()
            check(f"{place}, {len(want)} questions: {text}", got == want, f"only one has {sorted(got ^ want)[:5]}")


mode, program, place, many, start, *rest = sys.argv[1:]
{"scan": scan, "study": study, "truth": truth}[mode](program, place, int(many), int(start), *rest)
sys.exit(done())
