"""One study over a dump, repositories, issues of GitHub and topics of a forum: simulated issues and
topics, labels for its sample, its numbers computed without assay, and its pages in a browser.
usage: kinds.py simulate DATA
       kinds.py label STUDY LABELS
       kinds.py check ASSAY DATA STUDY LABELS
       kinds.py look STUDY LINKS FOLDER"""
import collections
import csv
import json
import os
import random
import re
import subprocess
import sys
import time
from xml.etree import ElementTree

SYMPTOMS = {"crash": "Crash", "wrong": "Wrong result", "slow": "Slow", "build": "Installation", "other": "No trouble"}
ISSUES = [("crash", "Training crashes with a shape error"), ("crash", "Loader fails on an empty folder"),
          ("wrong", "Accuracy is wrong after loading weights"), ("slow", "Prediction is slow on one core"),
          ("build", "Installation fails with the newest compiler"), ("other", "Add an example for images"),
          ("wrong", "Loss becomes NaN after the first epoch"), ("other", "Document the file format")]
TOPICS = [("crash", "Why does the kernel crash when I call fit?"), ("slow", "Slow training with a generator"),
          ("wrong", "Model predicts the wrong class every time"), ("build", "Error when I install it in a notebook"),
          ("other", "Which optimizer do you like?"), ("wrong", "Loss is not going down"),
          ("crash", "Out of memory error on my card"), ("other", "A small tutorial on layers")]


def day(number):
    return f"{2015 + number % 5}-{1 + number % 12:02}-{1 + number % 27:02}T10:{number % 60:02}:00Z"


def simulate(data):
    """Texts of our own, written the way people write there."""
    rng = random.Random(7)
    os.makedirs(f"{data}/issues")
    os.makedirs(f"{data}/forum")
    for i in range(24):
        kind, title = ISSUES[i % len(ISSUES)]
        body = (f"### What happens\n\n{title}, with **version 1.{i}**.\n\n```python\nmodel.fit(x, y, batch_size={8 + i})\n"
                f"```\n\n- [x] I have looked at open issues\n- [ ] I can help\n\nSee `train.py` and #{max(i, 1)}.\n"
                "<!-- thank you -->\n### Anything else\n\n_No response_\n")
        url = f"https://api.github.com/repos/example/layers/issues/{i + 1}"
        issue = {"url": url, "html_url": f"https://github.com/example/layers/issues/{i + 1}", "number": i + 1,
                 "id": 1000 + i, "title": title, "state": "closed" if i % 3 else "open", "created_at": day(i),
                 "closed_at": day(i + 1) if i % 3 else None, "labels": [{"name": kind}], "locked": False,
                 "user": {"login": f"user{i % 7}", "id": 50 + i % 7, "type": "User"}, "comments": 1, "body": body,
                 "author_association": "NONE", "reactions": {"total_count": rng.randrange(9)}}
        comment = {"id": 9000 + i, "url": url.replace("/issues/", "/issues/comments/"), "issue_url": url,
                   "html_url": issue["html_url"] + f"#issuecomment-{9000 + i}", "created_at": day(i)[:11] + "15:00:00Z",
                   "user": {"login": "keeper", "id": 99, "type": "User"}, "body": "Can you show the whole traceback?"}
        with open(f"{data}/issues/{i + 1}.json", "w", encoding="utf-8") as file:
            json.dump([issue, comment], file)
    topics = []
    for i in range(24):
        kind, title = TOPICS[i % len(TOPICS)]
        first = {"id": 5000 + 2 * i, "topic_id": 700 + i, "post_number": 1, "created_at": day(i + 3), "user_id": 20 + i % 5,
                 "username": f"person{i % 5}", "reads": 9, "actions_summary": [{"id": 2, "count": i % 4}],
                 "cooked": f"<p>{title} I use release 0.{i}.</p><pre><code>net = build(size={i})\nnet.run()</code></pre>"}
        reply = {**first, "id": 5001 + 2 * i, "post_number": 2, "created_at": day(i + 3)[:11] + "18:30:00Z",
                 "user_id": 77, "username": "helper", "cooked": "<p>What does the log say?</p>"}
        topics.append({"id": 700 + i, "title": title, "fancy_title": title, "slug": "topic", "posts_count": 2,
                       "reply_count": 1, "created_at": day(i + 3), "views": 40 + i, "like_count": i % 4, "tags": [kind],
                       "category_id": 3, "has_accepted_answer": False, "post_stream": {"posts": [first, reply]},
                       "highest_post_number": 2, "closed": False, "archived": False, "user_id": 20 + i % 5})
    for topic in topics:
        with open(f"{data}/forum/{topic['id']}.json", "w", encoding="utf-8") as file:
            json.dump(topic, file)


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def label(study, labels):
    """Two raters who agree on all but every fifth item, and an arbiter who sides with the first."""
    with open(labels, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["item", "rater", "code"])
        codes = list(SYMPTOMS)
        for i, row in enumerate(rows(f"{study}/out/samples/read.csv")):
            out.writerow([row["id"], "ann", codes[i % 5]])
            out.writerow([row["id"], "ben", codes[(i + (i % 5 == 4)) % 5]])


done, failed = 0, 0


def tell(holds, name, note=""):
    global done, failed
    done, failed = done + 1, failed + (not holds)
    print(("ok" if holds else "not ok") + f" {done} - kinds: {name}" + (f" ({note})" if note and not holds else ""))
    sys.stdout.flush()


def files(folder):
    for path, _, names in os.walk(folder, followlinks=True):
        for name in sorted(names):
            yield os.path.join(path, name)


def objects(folder):
    for path in files(folder):
        with open(path, encoding="utf-8") as file:
            one = json.load(file)
        yield from one if isinstance(one, list) else [one]


def check(assay, data, study, labels):
    questions = sum(row.get("PostTypeId") == "1" for _, row in ElementTree.iterparse(
        next(path for path in files(f"{data}/questions") if path.endswith("Posts.xml"))))
    commits = int(subprocess.run([assay, "scan", f"{data}/commits", "*", "--count", "--quiet"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, check=True).stdout)
    want = {"questions": questions, "commits": commits,
            "issues": len({one["html_url"] for one in objects(f"{data}/issues") if "title" in one}),
            "forum": len({one["id"] for one in objects(f"{data}/forum") if "title" in one})}
    found = {row["group2"]: int(row["count"]) for row in rows(f"{study}/out/tables/found.csv") if row["group1"] == "all" and row["group2"]}
    tell(found == want, "every source has all of its items", f"{found} {want}")
    sample = [row["id"] for row in rows(f"{study}/out/samples/read.csv")]
    by = collections.Counter(key.split(":")[0] for key in sample)
    trouble = {row["group2"]: int(row["count"]) for row in rows(f"{study}/out/tables/found.csv") if row["group1"] == "trouble" and row["group2"]}
    tell(by == {name: min(6, count) for name, count in trouble.items() if count}, "a sample by source", f"{by} {trouble}")
    said = {(row["item"], row["rater"]): row["code"] for row in rows(labels)}
    final = {row["id"]: row["code"] for row in rows(f"{study}/out/labelling/symptoms/final.csv") if row["code"]}
    agreed = {item: said[item, "ann"] for item in sample if said[item, "ann"] == said[item, "ben"]}
    tell(final == agreed, "labels of all kinds of items are imported", f"{len(final)} of {len(agreed)}")
    counted = collections.Counter((SYMPTOMS[code], item.split(":")[0]) for item, code in agreed.items())
    table = {(row["group1"], name.split(":")[0]): int(value) for row in rows(f"{study}/out/tables/symptoms.csv")
             for name, value in row.items() if name.endswith("count") and value not in ("", "0")}
    tell(table == dict(counted), "and counted by source", f"{table} {dict(counted)}")
    tell(os.path.getsize(f"{study}/out/figures/years.svg") > 1000, "figures are drawn")


def look(study, links, folder):
    from browser import Browser
    with open(links) as file:
        people = {line.split()[1]: line.split()[2] for line in file}
    lead = Browser()
    lead.go(people["eve"])
    lead.wait("location.pathname.startsWith('/u/')")
    lead.go(lead.run("location.origin + '/u/' + location.pathname.split('/')[2] + '/lead'"))
    lead.wait("document.getElementById('open-round')?.hidden === false")
    lead.run("document.getElementById('open-round').requestSubmit()")
    lead.wait("document.querySelectorAll('#rounds tbody tr').length === 1")
    lead.close()
    rater, seen = Browser(), {}
    rater.size(1280, 860)
    rater.go(people["ann"])
    tell(rater.wait("document.querySelectorAll('.code').length > 0"), "look: the rater's page opens")
    count = rater.run("Number(document.getElementById('count').textContent.split(' of ')[1])")
    for _ in range(count):
        kind = ("commits" if rater.run("document.querySelectorAll('.diff-line').length") else
                "issues" if rater.run("document.querySelector('#post a[href*=\"github.com/\"]') !== null") else
                "forum" if rater.run("document.querySelector('#post a[href*=\"forum.example.org\"]') !== null") else "questions")
        if kind not in seen:
            rater.size(400, 800)
            tell(rater.run("document.documentElement.scrollWidth") <= 400, f"look: {kind} fit into 400 pixels")
            rater.size(1280, 860)
            rater.run("window.scrollTo(0, 0)")
            if folder:
                rater.shot(f"{folder}/kinds-label-{kind}.png")
        seen[kind] = seen.get(kind, 0) + 1
        before = rater.run("document.querySelector('#post').dataset.item")
        rater.key("n")
        rater.wait(f"document.querySelector('#post').dataset.item !== '{before}'", 1)
    tell(set(seen) == {"questions", "commits", "issues", "forum"}, "look: items of every kind are shown", str(seen))
    tell(rater.complaints() == [], "look: the browser has nothing to complain of", str(rater.complaints()))
    rater.go("file://" + os.path.abspath(study) + "/out/report/index.html")
    rater.wait("document.querySelectorAll('figure img').length > 0")
    for width in (1280, 400):
        rater.size(width, 1400 if width > 400 else 800)
        tell(rater.run("document.documentElement.scrollWidth") <= width, f"look: the report fits into {width} pixels")
        if folder:
            rater.run("document.getElementById('figures').scrollIntoView()")
            rater.shot(f"{folder}/kinds-report-{width}.png")
    rater.close()


{"simulate": simulate, "label": label, "check": check, "look": look}[sys.argv[1]](*sys.argv[2:])
if done:
    print(f"1..{done}")
sys.exit(failed > 0)
