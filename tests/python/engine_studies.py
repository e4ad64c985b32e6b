"""Random studies, of one source and of several: whatever a study asks for, outputs and messages are the same from
corpus.db, from one ClickHouse server and from two. Then a server that is killed in the middle of an answer: told by name, nothing half-written, and
the study goes on when it is up again. Prints TAP. usage: engine_studies.py ASSAY FOLDER"""

import filecmp
import json
import os
import random
import re
import socket
import subprocess
import sys
import threading
from xml.etree import ElementTree

from clickhouse import ASSAY, FOLDER, LONG, Server, differences, random_around, random_query, run, whole_seconds
from tap import check, done

ALSO = ["comments", "users", "links"]
PERIODS = ["year", "quarter", "month"]
QUANTITIES = ["views", "score", "answers", "comments", "favorites", "minutes to accepted", "hours to first answer",
              "days to accepted"]
CONDITIONS = ["with accepted", "without accepted", "with answer", "without answer", "closed", "not closed"]


class Random:
    """A study as random as the file's grammar has it, most of them sound."""

    def __init__(self, rng, tags, words, labels, sources=None):
        self.rng, self.tags, self.words, self.labels = rng, tags, words, labels
        self.sources, self.sets = sources, {}
        self.quantities = QUANTITIES + (["stars"] if sources and "rows" in sources else [])
        for i in range(rng.randint(2, 6)):
            self.sets[f"s{i}"] = self.query()
        self.groups = {f"g{i}": self.group() for i in range(rng.randint(1, 4))}
        self.samples = {f"p{i}": self.sample() for i in range(rng.randint(0, 2))}
        self.tables = {f"t{i}": self.table() for i in range(rng.randint(1, 4))}
        self.tests = {f"e{i}": self.test() for i in range(rng.randint(0, 3))}

    def query(self):
        rng = self.rng
        text = random_query(rng, self.tags, self.words, rng.randint(0, 3))
        if rng.random() < 0.2:
            text = f"{text} and {random_around(rng, self.tags, self.words)}"
        if self.sets and rng.random() < 0.5:
            named = rng.choice(list(self.sets))
            text = rng.choice([f"in:{named} and {text}", f"not in:{named} or {text}", f"({text}) and not in:{named}"])
        if self.labels and rng.random() < 0.15:
            text = f"({text}) and label:kind/{rng.choice('abc')}"
        if self.sources and rng.random() < 0.5:
            text = f"({text}) {rng.choice(['and', 'or'])} {'not ' if rng.random() < 0.2 else ''}{self.of_source()}"
        return text

    def of_source(self):
        """A condition that only items of some sources can meet, or that tells sources apart."""
        rng, name = self.rng, self.rng.choice(list(self.sources))
        own = {"issues": ["is:issue", "state:closed", "state:open and comments:1.."],
               "commits": ["is:commit", "merge:no", "message:fix*", "path:*.py"],
               "rows": [f"stars:{rng.randint(0, 40)}..", f"level:{rng.choice('xyz')}"]}
        return rng.choice([f"source:{name}", f"id:{name}:{rng.randint(1, 900)}", "title:(crash* or wrong or fix*)",
                           *own.get(name, [])])

    def group(self):
        rng = self.rng
        queries = {f"v{i}": self.query() for i in range(rng.randint(2, 3))}
        return rng.choice([
            lambda: f"created by {rng.choice(PERIODS)}", lambda: {"first-of": queries, "others": "none"},
            lambda: {"all-of": queries}, lambda: {"tags": rng.randint(2, 8)}, lambda: "source",
            lambda: {"sets": rng.sample(list(self.sets), 2)},
            lambda: {"labels": "kind"} if self.labels else {"first-of": rng.sample(self.tags, 3)}])()

    def sample(self):
        rng = self.rng
        made = {"of": rng.choice(list(self.sets)), "size": rng.choice(["20", "95% +- 5%", "30%", "top 9 by views"]),
                "seed": rng.randint(1, 99)}
        if rng.random() < 0.3 and not made["size"].startswith("top"):
            made["by"] = rng.choice(list(self.groups))
        return made

    def measure(self):
        rng = self.rng
        return rng.choice([
            lambda: "count", lambda: f"count {rng.choice(CONDITIONS)}", lambda: f"share {rng.choice(CONDITIONS)}",
            lambda: f"share in {rng.choice(list(self.sets))}", lambda: "share", lambda: "share of census",
            lambda: f"{rng.choice(['sum', 'mean', 'median', 'sd', 'min', 'max'])} {rng.choice(self.quantities)}",
            lambda: f"quantile {rng.choice([10, 12.5, 90])}% {rng.choice(self.quantities)}",
            lambda: f"median {rng.choice(self.quantities)}", lambda: f"sum {rng.choice(QUANTITIES[:5])}",
            lambda: f"kaplan-meier median {rng.choice(QUANTITIES[5:])}",
            lambda: f"distinct {rng.choice(['askers', 'answerers'])}",
            lambda: f"share {rng.choice(['accepted', 'answered'])} within {rng.randint(1, 90)} days",
            lambda: "rank of count"])()

    def table(self):
        rng = self.rng
        of = list(self.sets) + list(self.samples)
        made = {"of": rng.sample(of, rng.randint(1, min(3, len(of)))),
                "columns": sorted({self.measure() for _ in range(rng.randint(1, 6))} | {"count"})}
        if rng.random() < 0.7:
            made["by"] = rng.sample(list(self.groups), rng.randint(1, min(2, len(self.groups))))
        if rng.random() < 0.2:
            made["across"] = rng.choice(list(self.groups))
        if rng.random() < 0.4:
            made["totals"] = rng.choice(["columns", "rows", "both"]) if "across" in made else "columns"
        return made

    def test(self):
        rng = self.rng
        two = rng.sample(list(self.sets), 2)
        return rng.choice([
            lambda: {"test": "proportion", "compare": two, "on": f"share {rng.choice(CONDITIONS)}"},
            lambda: {"test": "mann-whitney", "compare": two, "on": rng.choice(self.quantities)},
            lambda: {"test": "welch", "compare": two, "on": rng.choice(self.quantities)},
            lambda: {"test": "log-rank", "compare": two, "on": rng.choice(QUANTITIES[5:])},
            lambda: {"test": "kruskal-wallis", "of": two[0], "by": rng.choice(list(self.groups)),
                     "on": rng.choice(self.quantities)}])()

    def write(self, name, dump, stores=()):
        folder = os.path.join(FOLDER, name)
        os.makedirs(folder)
        made = {"study": "x", "sources": self.sources} if self.sources else {
            "study": "x", "source": {"stackexchange": dump, "site": "stackoverflow.com", "also": ALSO}}
        if self.labels:
            made["labels"] = {"kind": {"from": self.labels, "item": "id", "code": "kind", "unknown": "skip"}}
        made |= {key: value for key, value in (("sets", self.sets), ("groups", self.groups), (
            "samples", self.samples), ("tables", self.tables), ("tests", self.tests)) if value}
        if stores:
            made["store"] = list(stores)  # behind all that messages may be about
        with open(os.path.join(folder, "study.yaml"), "w") as out:
            json.dump(made, out, indent=1)
        return folder


def address(port):
    return f"clickhouse://127.0.0.1:{port}/default"


def said(came, folder):
    return came.returncode, came.stderr.replace(folder, "FOLDER")


def known(folder, posts, prefix=""):
    """What studies may ask for, and labels of some posts."""
    tags = sorted({tag for post in posts for tag in re.findall(r"[^<>|]+", post.get("Tags", "")) if len(tag) > 3})
    words = sorted({word for post in posts[:300] for word in re.findall(r"[a-zA-Z]{4,9}", post.get("Body", ""))})
    path = os.path.join(FOLDER, f"labels-{folder}.csv")
    with open(path, "w") as out:
        out.write("id,kind\n" + "".join(f"{prefix}{post['Id']},{'abc'[int(post['Id']) % 3]}\n" for post in posts
                                        if post["PostTypeId"] == "1" and int(post["Id"]) % 2))
    return tags, words, path


def simulate(server, posts):
    """Sources to put together: two sites, a part of the first with scores of its own, the second on a server,
    commits, issues, topics of a forum, and rows of a csv."""
    subprocess.run([ASSAY, "synth", "--out", "other", "--questions", "300", "--background", "200", "--repositories", "3",
                    "--commits", "20", "--seed", "10", "--quiet"], check=True)
    subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "kinds.py"), "simulate", "saved"], check=True)
    server.fill("default.posts", whole_seconds("other", "other-whole")["Posts"])
    root = ElementTree.Element("posts")
    for post in posts:
        if int(post["Id"]) % 3:
            ElementTree.SubElement(root, "row", post | {"Score": str(int(post["Score"]) + 2)})
    os.makedirs("part")
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write("part/Posts.xml", "utf-8", xml_declaration=True)
    with open("rows.csv", "w") as out:
        out.write("id,title,body,level,stars\n" + "".join(
            f"{7000 + i},Bug {i},It fails with error {i % 7},{'xyz'[i % 3]},{i * 37 % 90}\n" for i in range(120)))
    return {"plain": {"stackexchange": "../whole", "site": "stackoverflow.com", "also": ALSO},
            "part": {"stackexchange": "../part", "site": "stackoverflow.com"},
            "other": {"stackexchange": "../other", "site": "ai.stackexchange.com", "also": ALSO},
            "served": {"clickhouse": f"http://127.0.0.1:{server.http}/default", "site": "cs.stackexchange.com"},
            "commits": {"git": "../other/repositories"}, "issues": {"github": "../saved/issues"},
            "forum": {"discourse": "../saved/forum", "site": "forum.example.org"},
            "rows": {"rows": "../rows.csv", "columns": {"id": "id"}, "fields": {"level": "level", "stars": "stars"}}}


def compare(label, dump, posts, servers, rng, count, sources=None):
    """With sources each study has some of them, in any order."""
    tags, words, labels = known(label, posts)
    called = known(label + "-sites", posts, "plain:")[2]  # where items of several sites are told apart
    stores = [address(it.http) for it in servers]
    wrong, sound, seen = [], 0, set()
    for number in range(count):
        some = sources and {name: sources[name] for name in sorted(
            ["plain", *rng.sample(list(sources)[1:], rng.randint(1, 3))], key=lambda _: rng.random())}
        labelled = labels if set(some or ()) <= {"plain", "part"} else called
        study = Random(rng, tags, words, labelled if rng.random() < 0.5 else None, some)
        truth = study.write(f"{label}-{number}-here", dump)
        want = run(truth)
        sound += want.returncode == 0
        seen |= set(some or ()) if want.returncode == 0 else set()
        if want.returncode and LONG:
            print(f"# {number}: {want.stderr[:300]}")
        for used in (1, 2):
            folder = study.write(f"{label}-{number}-{used}", dump, stores[:used])
            came = run(folder)
            if said(came, folder) != said(want, truth):
                wrong.append((number, used, said(came, folder), said(want, truth)))
            elif want.returncode == 0 and (differences(truth, folder) or differences(folder, truth)):
                wrong.append((number, used, differences(truth, folder)[:4], differences(folder, truth)[:4]))
    check(f"{label}: {count} random studies, one server and two: the same outputs and messages", not wrong, *wrong[:3])
    check(f"{label}: at least half of them are sound", sound * 2 >= count, sound)
    print(f"# {label}: {sound} of {count} studies are sound" + (f", with {', '.join(sorted(seen))}" if some else ""))


def shared(server, sources):
    """Items that two sources share are not asked for one by one."""
    study = Random(random.Random(1), ["python"], ["error"], None, {name: sources[name] for name in ("plain", "part")})
    study.sets, study.groups, study.samples, study.tests = {"s0": "score:-100.."}, {}, {}, {}
    study.tables = {"t0": {"of": "s0", "columns": ["count"]}}
    asked = [int(server.ask("SELECT value FROM system.events WHERE event = 'Query'"))]
    came = run(study.write("shared", None, [address(server.http)]))
    asked.append(int(server.ask("SELECT value FROM system.events WHERE event = 'Query'")))
    check("items that two sources share: few questions", came.returncode == 0 and asked[1] - asked[0] < 100, came.stderr, asked)
    print(f"# shared: {asked[1] - asked[0]} questions")


class Gate:
    """Stands before a server and kills it once so many bytes have come from it."""

    def __init__(self, server):
        self.server, self.left, self.passed = server, None, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                behind = socket.create_connection(("127.0.0.1", self.server.http))
            except OSError:
                client.close()
                continue
            threading.Thread(target=self.pass_on, args=(client, behind, False), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(behind, client, True), daemon=True).start()

    def pass_on(self, one, other, counted):
        try:
            while piece := one.recv(1 << 14):
                if counted:
                    self.passed += len(piece)
                    if self.left is not None:
                        self.left -= len(piece)
                        if self.left < 0:
                            self.left = None
                            self.server.stop()
                            break
                other.sendall(piece)
        except OSError:
            pass
        for it in (one, other):
            try:
                it.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def killed(servers, dump, posts, rng):
    """A server dies when a part of what it has to say has been said: during the ingest, then during the run."""
    tags, words, _ = known("killed", posts)
    gate = Gate(servers[1])
    stores = [address(servers[0].http), address(gate.port)]
    rounds = 12 if LONG else 2
    wrong, times = [], 0
    for number in range(rounds):
        study = Random(rng, tags, words, None)
        study.sets = {"s0": "score:-9..", "s1": f"prose:{rng.choice(words)}", "s2": f"in:s0 and [{rng.choice(tags)}]"}
        study.groups, study.samples, study.tests = {"g0": "created by year"}, {}, {}
        study.tables = {"t0": {"of": ["s0", "s1", "s2"], "by": "g0", "columns": ["count", "median views", "sum score"]}}
        truth = study.write(f"killed-{number}-here", dump)
        whole = study.write(f"killed-{number}-whole", dump, stores)
        gate.passed = 0
        ended = [run(truth).returncode, run(whole).returncode]
        all_bytes = gate.passed
        folder = study.write(f"killed-{number}", dump, stores)
        for part in sorted(rng.random() * 0.95 for _ in range(4)):
            gate.left = int(all_bytes * part)
            came = run(folder)
            if came.returncode == 0:  # what was done before is not asked again
                break
            times += 1
            made = [os.path.join(place, file) for place, _, files in os.walk(os.path.join(folder, "out")) for file in files]
            torn = [it for it in made if not os.path.exists(it.replace(folder, truth, 1)) or not filecmp.cmp(
                it, it.replace(folder, truth, 1), shallow=False)]
            torn = [it for it in torn if os.path.basename(it) != "health.md"]
            if came.returncode != 3 or f"127.0.0.1:{gate.port}" not in came.stderr or torn:
                wrong.append((part, came.returncode, came.stderr, torn))
            if servers[1].process is None:
                servers[1].start()
        gate.left = None
        if servers[1].process is None:
            servers[1].start()
        came = run(folder)
        if any(ended) or came.returncode or differences(truth, folder):
            wrong.append((ended, came.returncode, came.stderr, differences(truth, folder)[:4]))
    check(f"killed in the middle of an answer ({times} times): told by name, nothing half-written, and it goes on",
          not wrong and times >= rounds, times, *wrong[:3])


def main():
    servers = [Server("one"), Server("two")]
    for server in servers:
        server.write(servers)
    seed = int(os.environ.get("ASSAY_SEED", "733"))
    rng = random.Random(seed)
    try:
        for server in servers:
            server.start()
        subprocess.run([ASSAY, "synth", "--out", "plain", "--questions", "500", "--background", "300", "--seed", "9",
                        "--quiet"], check=True)
        posts = whole_seconds("plain", "whole")["Posts"]
        compare("sim", "../plain", posts, servers, rng, 120 if LONG else 6)
        sources = simulate(servers[0], posts)
        compare("several", None, posts, servers, rng, 60 if LONG else 5, sources)
        shared(servers[0], sources)
        real = os.path.join(os.environ.get("ASSAY_DATA", ""), "dumps", "ai.stackexchange-sasiddiqui")
        if os.path.exists(real):
            compare("ai", real, whole_seconds(real, "ai")["Posts"], servers, rng, 40 if LONG else 1)
        else:
            print("# SKIP a real dump: ASSAY_DATA is not there")
        killed(servers, "../plain", posts, rng)
    finally:
        for server in servers:
            server.stop()
    return done()


sys.exit(main())
