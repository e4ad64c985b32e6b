"""Kaplan-Meier medians, log-rank tests, shares within a time and tags from Posts.xml itself, with the standard library alone,
against what assay run wrote. Whoever still waits is censored at the newest post of the dump, of
whatever type; or with UNTIL at the end of that day, and whatever came later was not there yet. A
first answer that is older than its question is none. Prints TAP.
usage: survival.py POSTS OUT [UNTIL]"""

import csv
import re
import sys
from collections import Counter
from datetime import datetime, timedelta
from fractions import Fraction
from xml.etree import ElementTree

from tap import check, done

HOUR = timedelta(hours=1)
GROUPS = {"nets": {"neural-networks"}, "goals": {"agi", "philosophy"}}

posts = {row.get("Id"): row for row in ElementTree.parse(sys.argv[1]).getroot()}
moments = {key: datetime.fromisoformat(row.get("CreationDate")) for key, row in posts.items()}
end = max(moments.values())
late = end + HOUR
if len(sys.argv) > 3:
    end = late = datetime.fromisoformat(sys.argv[3]) + 24 * HOUR
first, older = {}, set()
for key, row in posts.items():
    question = row.get("ParentId")
    if row.get("PostTypeId") == "2" and question in posts and moments[key] < late:
        if moments[key] < moments[question]:
            older.add(question)
        else:
            first[question] = min(first.get(question, end), moments[key])


def questions(tags):
    return [
        key
        for key, row in posts.items()
        if row.get("PostTypeId") == "1"
        and moments[key] < late
        and tags & set(re.findall(r"[^<>|]+", row.get("Tags", "")))
    ]


def waits(tags, event, before=None):
    """(hours, whether it came) of each question; what came before the question is left out. Of
    those asked before a moment, if it is given."""
    found = []
    for key in questions(tags):
        if before is not None and moments[key] > before:
            continue
        accepted = posts[key].get("AcceptedAnswerId")
        if event == "accepted" and accepted is not None and accepted not in posts:
            continue  # it is not known when
        if event == "first" and key in older and key not in first:
            continue
        at = moments.get(accepted) if event == "accepted" else first.get(key)
        if at is not None and at >= late:
            at = None
        wait = ((at if at is not None else end) - moments[key]) / HOUR
        if wait >= 0:
            found.append((wait, at is not None))
    return found


def median(cases_of):
    """Where the curve passes one half; the middle of the time that it stays there, as in R."""
    share, at_risk, reached = Fraction(1), len(cases_of), None
    for time in sorted({time for time, _ in cases_of}):
        events = sum(1 for t, came in cases_of if t == time and came)
        share *= 1 - Fraction(events, at_risk)
        at_risk -= sum(1 for t, _ in cases_of if t == time)
        if events and share < Fraction(1, 2):
            return time if reached is None else (reached + time) / 2
        if events and share == Fraction(1, 2):
            reached = time
    return reached


def log_rank(one, two):
    observed = expected = variance = 0.0
    for time in sorted({t for t, came in one + two if came}):
        n1 = sum(1 for t, _ in one if t >= time)
        n = n1 + sum(1 for t, _ in two if t >= time)
        d1 = sum(1 for t, came in one if came and t == time)
        d = d1 + sum(1 for t, came in two if came and t == time)
        observed += d1
        expected += d * n1 / n
        if n > 1:
            variance += d * (n1 / n) * (1 - n1 / n) * (n - d) / (n - 1)
    return (observed - expected) ** 2 / variance


def close(text, value):
    if value is None:
        return text in ("", "undefined", "-")
    return text not in ("", None) and abs(float(text) - value) <= 1e-6 * max(1, abs(value))


def numbers(step):
    with open(f"{sys.argv[2]}/numbers/{step}.csv", newline="") as file:
        return list(csv.DictReader(file))


cells = numbers("tables.waits")
for group, tags in GROUPS.items():
    found = {cell["column"]: cell["value"] for cell in cells if cell["row"] == group}
    check(f"{group}: count", close(found["count"], len(questions(tags))), found)
    for event, words in (("accepted", "accepted"), ("first", "first-answer")):
        value = median(waits(tags, event))
        got = found[f"kaplan-meier-median-hours-to-{words}"]
        check(f"{group}: median hours to {words}, {value}", close(got, value), got)
    old = sum(1 for key in questions(tags) if moments[key] <= end - timedelta(days=30))
    check(f"{group}: {old} are 30 days old", close(found["old"], old), found["old"])
    for event, hours, column in (("accepted", 10, "share-accepted-within-600-minutes"),
                                 ("accepted", 720, "share-accepted-within-30-days"),
                                 ("first", 1, "share-answered-within-1-hour")):
        cases = waits(tags, event, end - hours * HOUR)
        value = sum(1 for wait, came in cases if came and wait <= hours) / len(cases) if cases else None
        check(f"{group}: {column} of {len(cases)}, {value}", close(found[column], value), found[column])
asked = [set(re.findall(r"[^<>|]+", posts[key].get("Tags", ""))) for key in
         questions(set().union(*(re.findall(r"[^<>|]+", row.get("Tags", "")) for row in posts.values())))]
counts = Counter(tag for tags in asked for tag in tags)
most = sorted(counts, key=lambda tag: (-counts[tag], tag))[:12]
want = [(tag, counts[tag]) for tag in most] + [("rest", sum(1 for tags in asked if not tags & set(most)))]
with open(f"{sys.argv[2]}/tables/tags.csv", newline="") as file:
    got = [(row["group1"], int(row["count"])) for row in csv.DictReader(file)]
check(f"the 12 most frequent of {len(counts)} tags and the rest, {want[0]} to {want[-1]}", got == want, got)
for event in ("accepted", "first"):
    value = log_rank(*(waits(tags, event) for tags in GROUPS.values()))
    got = [row["value"] for row in numbers(f"tests.{event}") if row["column"] == "statistic"]
    check(f"log-rank of waits to {event}, {value:.6f}", len(got) == 1 and close(got[0], value), got)
sys.exit(done())
