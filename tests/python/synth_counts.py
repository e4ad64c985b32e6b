"""Counts a simulated dump with the standard library and compares with truth.json. Prints TAP.
usage: synth_counts.py FOLDER"""

import csv
import html
import json
import re
import statistics
import sys
import xml.etree.ElementTree as ElementTree
from datetime import datetime

folder = sys.argv[1]
cases = 0


def check(name, got, want):
    global cases
    cases += 1
    if isinstance(got, dict) and got != want:  # only where they differ, and not all of it
        keys = [k for k in {**got, **want} if got.get(k) != want.get(k)][:5]
        got, want = {k: got.get(k) for k in keys}, {k: want.get(k) for k in keys}
    if got != want:
        print(f"# got {str(got)[:300]}, want {str(want)[:300]}")
    print(f"{'ok' if got == want else 'not ok'} {cases} - python: {name}")


def rows(name):
    for _, element in ElementTree.iterparse(f"{folder}/{name}"):
        if element.tag == "row":
            yield element.attrib
            element.clear()


def tags_of(post):
    return re.findall(r"[^<>|]+", post.get("Tags", ""))


def prose_of(post):
    body = re.sub(r"<pre.*?</pre>", " ", post["Body"], flags=re.S)
    return post["Title"] + " " + html.unescape(re.sub(r"<[^>]+>", "", body))


def platform_of(post):
    """Chen's three rules, applied to tags and prose."""
    tags, prose = set(tags_of(post)), prose_of(post)
    base = tags & {"tensorflow", "keras", "pytorch", "theano", "caffe"}
    deploy = re.search(r"\bdeploy", prose, re.I)
    if "tensorflow-serving" in tags or (
        deploy and tags & {"google-cloud-ml", "amazon-sagemaker"}
        or base and deploy and re.search(r"\b(cloud|server|serving)\b", prose, re.I)
    ):
        return "server"
    if tags & {"tensorflow-lite", "coreml"} or (
        base and re.search(r"\b(mobile|android|ios)\b", prose, re.I)
    ):
        return "mobile"
    if "tensorflow.js" in tags or (base and re.search(r"\bbrowser\b", prose, re.I)):
        return "browser"
    return ""


truth = json.load(open(f"{folder}/truth.json"))
labels = {int(row["id"]): row for row in csv.DictReader(open(f"{folder}/truth.csv"))}
planted = {"1000000001", "1000000010"}
posts = {int(p["Id"]): dict(p) for p in rows("Posts.xml") if p["Id"] not in planted}
questions = {i: p for i, p in posts.items() if p["PostTypeId"] == "1"}
own = {i: p for i, p in questions.items() if labels[i]["kind"]}

check("questions", len(own), truth["posts"]["questions"])
check("other questions", len(questions) - len(own), truth["posts"]["background_questions"])
check("answers", sum(p["PostTypeId"] == "2" for p in posts.values()), truth["posts"]["answers"])
check("a row of truth for every question", set(labels), set(questions))
check("accepted", sum("AcceptedAnswerId" in p for p in own.values()),
      truth["questions"]["accepted"])
check("closed", sum("ClosedDate" in p for p in own.values()), truth["questions"]["closed"])
check("code", sum("<pre" in p["Body"] for p in own.values()), truth["questions"]["code"])
check("how to", sum("how to" in p["Title"].lower() for p in own.values()),
      truth["questions"]["how_to"])
check("answers that are accepted are there and belong to their question",
      all(posts[int(p["AcceptedAnswerId"])]["ParentId"] == p["Id"]
          for p in questions.values() if "AcceptedAnswerId" in p), True)
for name in ("Posts", "Users", "Tags", "Comments", "Votes", "PostLinks"):
    check(f"rows of {name}.xml", sum(1 for _ in rows(f"{name}.xml")),
          truth["files"][f"{name}.xml"]["rows"])
counted = {}
for post in questions.values():
    for tag in tags_of(post):
        counted[tag] = counted.get(tag, 0) + 1
check("questions by tag", counted, truth["tags"])
check("Tags.xml", {t["TagName"]: int(t["Count"]) for t in rows("Tags.xml")}, truth["tags"])
for column, section in (("kind", "kinds"), ("framework", "frameworks"),
                        ("root_cause", "root-causes"), ("bug_type", "bug-types"),
                        ("bug_cause", "bug-causes"), ("bug_effect", "bug-effects"),
                        ("bug_stage", "bug-stages"), ("platform", "platforms")):
    got = {name: 0 for name in truth["marginals"][section]}
    for i in own:
        if labels[i][column]:
            got[labels[i][column]] += 1
    check(f"truth.csv: {column}", got,
          {name: v["count"] for name, v in truth["marginals"][section].items()})
check("platforms by Chen's rules are the planted ones",
      {i: platform_of(p) for i, p in own.items()}, {i: labels[i]["platform"] for i in own})


def wait_ms(question):
    answer = posts[int(question["AcceptedAnswerId"])]
    delta = datetime.fromisoformat(answer["CreationDate"]) - datetime.fromisoformat(
        question["CreationDate"])
    return round(delta.total_seconds() * 1000)


answered = {i: p for i, p in questions.items() if "AcceptedAnswerId" in p}
check("waiting times", {i: wait_ms(p) for i, p in answered.items()},
      {i: int(row["wait_ms"]) for i, row in labels.items() if row["wait_ms"]})
crash = [wait_ms(p) / 3600000 for i, p in answered.items() if labels[i]["kind"] == "crash"]
check("crash waits about 1.7 hours at the median",
      1.2 < statistics.median(crash) < 2.4, True)
endorsed = {int(c["PostId"]) for c in rows("Comments.xml")
            if int(c["PostId"]) in posts and posts[int(c["PostId"])]["PostTypeId"] == "2"
            and c.get("UserId") and c["UserId"] ==
            questions[int(posts[int(c["PostId"])]["ParentId"])].get("OwnerUserId")}
want = {i for i, row in labels.items() if row["endorsed"] == "yes" and row["asker"]}
check("endorsed answers carry a comment of the asker",
      want <= {int(posts[a]["ParentId"]) for a in endorsed}, True)
check("the options are told", (truth["options"]["questions"], truth["options"]["difficulty"],
      truth["confusion"], bool(truth["version"])), (len(own), None, 0.3, True))


def shares_hold(section):
    """Every label as often as was planted, within 4.5 standard errors."""
    labels_of = truth["marginals"][section]
    total = (truth["posts"]["questions"] if section == "platforms"
             else sum(v["count"] for v in labels_of.values()))
    return [name for name, v in labels_of.items() if total and
            abs(v["count"] - total * v["planted"]) > 4.5 * (total * v["planted"]) ** 0.5 + 1]


check("planted shares are met", {s: shares_hold(s) for s in truth["marginals"]},
      {s: [] for s in truth["marginals"]})
check("scores below 0", 0.015 < sum(int(p["Score"]) < 0 for p in own.values()) / len(own) < 0.05,
      True)
newlines = open(f"{folder}/Posts.xml", "rb").read()
check("line ends", newlines.count(b"\r\n"),
      0 if truth["layout"] == "2025-comment" else newlines.count(b"\n"))
print(f"1..{cases}")
