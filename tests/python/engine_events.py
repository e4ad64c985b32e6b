"""Events as an archive of GitHub has them, one file an hour: each item must be as its newest event says, which is
recomputed here; the same in corpus.db, on one server and on two, whatever is killed meanwhile. Prints TAP.
usage: engine_events.py ASSAY FOLDER"""

import datetime
import gzip
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

from clickhouse import ASSAY, LONG, Server, differences, health
from tap import check, done

ITEMS = 6000 if LONG else 900
HOURS = 8
REPOS = ["o/first", "o/second", "other/third"]
LABELS = ["bug", "question", "good first issue", "docs"]


def stamp(seconds):
    return datetime.datetime.fromtimestamp(1577836800 + seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def person(number):
    return {"id": number, "login": f"user{number}", "type": "User"}


class Item:
    def __init__(self, rng, number):
        self.repo, self.number, self.pull = rng.choice(REPOS), number, rng.random() < 0.3
        self.author = person(rng.randint(1, 60))
        self.created = rng.randint(0, HOURS * 3000)
        self.body = " ".join(rng.choice(["error", "fails", "when", "the", "graph", "é", "\\n"]) for _ in range(900))
        self.closed = self.merged = None
        self.labels, self.comments = [], 0

    def address(self, word, host="https://github.com/"):
        return f"{host}{self.repo}/{word}/{self.number}"

    def issue(self, now):
        made = {"url": self.address("issues", "https://api.github.com/repos/"),
                "html_url": self.address("pull" if self.pull else "issues"), "id": 1000 + self.number,
                "number": self.number, "title": f"Item {self.number}", "user": self.author,
                "labels": [{"name": it} for it in self.labels], "state": "closed" if self.closed else "open",
                "comments": self.comments, "created_at": stamp(self.created), "updated_at": stamp(now),
                "closed_at": self.closed and stamp(self.closed), "body": self.body}
        if self.pull:
            made["pull_request"] = {"url": self.address("pulls", "https://api.github.com/repos/")}
        return made

    def request(self, now):
        made = self.issue(now)
        del made["pull_request"]
        return made | {"url": self.address("pulls", "https://api.github.com/repos/"), "head": {"ref": "x"},
                       "merged": bool(self.merged), "merged_at": self.merged and stamp(self.merged),
                       "additions": self.number % 50, "draft": False}


def happen(rng):
    """(when, event) of everything, and what each item must be in the end."""
    events, truth, below = [], {}, {}
    for number in range(1, ITEMS + 1):
        item, now = Item(rng, number), 0
        now = item.created
        best = None
        for step in range(rng.randint(1, 5)):
            kind = "open" if step == 0 and rng.random() < 0.8 else rng.choice(["label", "comment", "comment", "close"])
            comment = None
            if kind == "label":
                item.labels = rng.sample(LABELS, rng.randint(1, 2))
            elif kind == "comment":
                item.comments += 1
                who = rng.choice([item.author, person(rng.randint(61, 90)), {"id": 99, "login": "help[bot]"}])
                key = f"{number * 10 + step}"
                comment = {"id": int(key), "user": who, "created_at": stamp(now), "body": f"comment {key}",
                           "html_url": item.address("pull" if item.pull else "issues") + f"#issuecomment-{key}"}
                own = who["id"] in (item.author["id"], 99)
                below[f"{item.repo}#{number}/issuecomment-{key}"] = ("comment" if own else "answer", stamp(now))
            elif kind == "close" and not item.closed:
                item.closed = now
                item.merged = now if item.pull and rng.random() < 0.5 else None
            request = item.pull and kind != "comment"
            shown = item.request(now) if request else item.issue(now)
            payload = {"action": kind, "pull_request" if request else "issue": shown}
            if comment:
                payload["comment"] = comment
            event = {"type": "IssueCommentEvent" if comment else "PullRequestEvent" if request else "IssuesEvent",
                     "payload": payload, "repo": {"id": 1, "name": item.repo}, "actor": person(1)}
            rank = (request, now)
            if best is None or rank >= best[0]:
                best = (rank, shown)
            events.append((now, event))
            now += rng.randint(60, 9000)
        truth[f"{item.repo}#{number}"] = (item.pull, best[1])
    for _ in range(ITEMS):
        events.append((rng.randint(0, HOURS * 3600), {
            "type": rng.choice(["PushEvent", "WatchEvent", "ForkEvent"]), "payload": {"size": 1},
            "repo": {"id": 1, "name": rng.choice(REPOS)}, "actor": person(2)}))
    return events, truth, below


def write(events, rng):
    """A file an hour; some events come twice, and those of a minute in any order."""
    os.makedirs("events")
    events = events + rng.sample(events, len(events) // 50)
    hours = {}
    for now, event in sorted(events, key=lambda it: (it[0] // 60, rng.random())):
        hours.setdefault(min(now // 3600, HOURS - 1), []).append(json.dumps(event | {
            "id": str(len(hours)), "public": True, "created_at": stamp(now)}))
    for hour, lines in hours.items():
        text = ("\n".join(lines) + "\n").encode()
        with (gzip.open if hour % 2 else open)(f"events/2020-01-01-{hour}.json" + (".gz" if hour % 2 else ""),
                                               "wb") as out:
            out.write(text)


def compare(truth, below):
    came = subprocess.run([ASSAY, "scan", "events", "--json", "--answers"], capture_output=True, text=True)
    found = {it["id"]: it for it in map(json.loads, came.stdout.splitlines())}
    check("scan: every item and what hangs on it, nothing else", came.returncode == 0 and
          found.keys() == truth.keys() | below.keys(), came.stderr, sorted(found.keys() ^ (truth.keys() | below.keys()))[:5])
    wrong = []
    for key, (pull, shown) in truth.items():
        it = found.get(key, {})
        want = {"type": "pr" if pull else "issue", "created": shown["created_at"][:-1] + ".000",
                "closed": shown["closed_at"] and shown["closed_at"][:-1] + ".000", "comments": shown["comments"],
                "state": shown["state"], "title": shown["title"], "body": shown["body"], "repo": key.split("#")[0],
                "owner": shown["user"]["id"], "tags": [it["name"].replace(" ", "-") for it in shown["labels"]] or None,
                "additions": shown.get("additions")}
        wrong += [(key, name, it.get(name), value) for name, value in want.items()
                  if it.get(name) != value and name != "type"]
        wrong += [(key, it.get("type"))] if ("pull" in it.get("type", "") or it.get("type") == "pr") != pull else []
    check(f"scan: {len(truth)} items are as their newest event says", not wrong, wrong[:4])
    wrong = [key for key, value in below.items()
             if (found.get(key, {}).get("type"), found.get(key, {}).get("created", "")[:19] + "Z") != value]
    check(f"scan: {len(below)} comments are what they are", not wrong, wrong[:4])


def study(name, stores=()):
    os.makedirs(name)
    with open(os.path.join(name, "study.yaml"), "w") as out:
        out.write("study: x\nsource:\n  github: ../events\n")
        if stores:
            out.write(f"store: [{', '.join(stores)}]\n")
        out.write("""sets:
  all: 'is:issue or is:pr'
  bugs: '[bug] and state:closed'
  merged: 'is:pr and merged:yes'
  waiting: 'not closed:yes and comments:1..'
  words: 'body:graph and not [docs]'
groups:
  label: {tags: 3}
tables:
  t: {of: [all, bugs, merged, waiting, words], columns: [count, share with answer, median hours to first answer,
      mean comments, distinct asker]}
  by: {of: all, by: label, columns: [count, median comments]}
""")
    return name


def run(folder):
    return subprocess.run([ASSAY, "run", folder, "--quiet"], capture_output=True, text=True)


def rows_of(server):
    names = server.ask("SELECT name FROM system.tables WHERE name LIKE 'assay_%'").split()
    return sum(int(server.ask(f"SELECT count() FROM {name}")) for name in names)


def batches(path):
    """What has been written for good: number, items and sum of each batch."""
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return base.execute("SELECT * FROM batch ORDER BY 1").fetchall()
    except sqlite3.Error:
        return []
    finally:
        base.close()


def kill_at(folder, count):
    """Kills an ingest when so many batches are there."""
    it = subprocess.Popen([ASSAY, "ingest", folder, "--checkpoint", "1", "--quiet"], stderr=subprocess.DEVNULL)
    path = os.path.join(folder, "corpus.db.part")
    while it.poll() is None and not (os.path.exists(path) and len(batches(path)) >= count):
        time.sleep(0.005)
    it.send_signal(signal.SIGKILL)
    it.wait()
    return batches(path) if os.path.exists(path) else []


def ingests(servers, items):
    both = [f"clickhouse://127.0.0.1:{it.http}/default" for it in servers]
    truth = study("here")
    came = run(truth)
    check("the study runs", came.returncode == 0, came.stderr)
    for count in (1, 2):
        folder = study(f"kept-{count}", both[:count])
        came = run(folder)
        check(f"{count} servers: all outputs are the same", came.returncode == 0 and not differences(truth, folder) and
              health(truth) == health(folder), came.stderr, differences(truth, folder)[:5])
    for name, stores in (("corpus.db", ()), ("two servers", both)):
        folder = study("killed-" + str(len(stores)), stores)
        kept = [kill_at(folder, count) for count in (1, 3)]
        came = subprocess.run([ASSAY, "ingest", folder, "--checkpoint", "1"], capture_output=True, text=True)
        made = batches(os.path.join(folder, "corpus.db"))
        check(f"{name}: killed twice, it goes on behind what is stored", came.returncode == 0 and
              "gone on with" in came.stdout and all(it == made[:len(it)] for it in kept) and
              0 < len(kept[0]) < len(kept[1]) < len(made), came.stderr, kept, made)
        came = run(folder)
        check(f"{name}: and all outputs are the same", came.returncode == 0 and not differences(truth, folder) and
              health(truth) == health(folder), came.stderr, differences(truth, folder)[:5])
    held = [rows_of(it) for it in servers]
    check("servers hold every item once for each corpus", sum(held) == items * 3, held, items)


def main():
    rng = random.Random(4711)
    events, truth, below = happen(rng)
    write(events, rng)
    compare(truth, below)
    servers = [Server("one"), Server("two")]
    for server in servers:
        server.write(servers)
    try:
        for server in servers:
            server.start()
        ingests(servers, len(truth) + len(below))
    finally:
        for server in servers:
            server.stop()
    return done()


sys.exit(main())
