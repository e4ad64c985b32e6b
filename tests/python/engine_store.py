"""A corpus on ClickHouse servers, one and two, against the same corpus in corpus.db: every output must be the same.
Then servers that go away, an ingest that is killed, items that are lost. Prints TAP.
usage: engine_store.py ASSAY FOLDER"""

import http.server
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

from clickhouse import (ASSAY, LONG, Server, Today, differences, health, random_around, random_query, run, study,
                        whole_seconds)
from tap import check, done

ALSO = ["comments", "users", "links"]


def words_of(posts):
    tags = sorted({tag for post in posts for tag in re.findall(r"[^<>|]+", post.get("Tags", "")) if len(tag) > 3})
    words = sorted({word for post in posts[:300] for word in re.findall(r"[a-zA-Z]{4,9}", post.get("Body", ""))})
    return tags, words


def address(server):
    return f"clickhouse://127.0.0.1:{server.http}/default"


def tables(server):
    return server.ask("SELECT name FROM system.tables WHERE name LIKE 'assay_%'").split()


def report(folder):
    """What readers see: the report, which shows items with their texts."""
    came = subprocess.run([ASSAY, "report", folder, "--quiet"], capture_output=True, text=True)
    pages = {}
    for place, _, files in os.walk(os.path.join(folder, "out")):
        for file in files:
            path = os.path.join(place, file)
            if file != "health.md":
                pages[os.path.relpath(path, folder)] = open(path, "rb").read()
    return came.returncode, pages


def compare(label, dump, posts, servers, rng):
    tags, words = words_of(posts)
    sets = {f"s{i}": random_query(rng, tags, words) for i in range(40)}
    sets |= {f"a{i}": f"[{rng.choice(tags)}] and {random_around(rng, tags, words)}" for i in range(4)}
    sets = {key: query for key, query in sets.items() if "'" not in query}
    source = f"  stackexchange: {dump}\n"
    truth = study(f"{label}-sqlite", source, sets, None, ALSO)
    came = run(truth)
    check(f"{label}: the study runs", came.returncode == 0, came.stderr)
    made = report(truth)
    kept = {"1": servers[:1], "2": servers[:2]}
    if Today.LIBRARY and label == "sim":
        servers.append(Today("today"))
        servers[-1].start()
        kept["today's"] = servers[-1:]
    elif label == "sim":
        print("# SKIP today's engine: ASSAY_CHDB does not name libchdb.so")
    for count, used in kept.items():
        folder = study(f"{label}-{count}", source, sets, None, ALSO, [address(it) for it in used])
        came = run(folder)
        check(f"{label}: {count} servers: the study runs", came.returncode == 0, came.stderr)
        if came.returncode:
            continue
        wrong = differences(truth, folder)
        check(f"{label}: {count} servers: {len(sets)} sets and all tables are the same", not wrong, wrong[:5])
        check(f"{label}: {count} servers: so are the findings", health(truth) == health(folder),
              [pair for pair in zip(health(truth), health(folder)) if pair[0] != pair[1]])
        status, pages = report(folder)
        wrong = sorted(page for page in made[1].keys() | pages.keys() if made[1].get(page) != pages.get(page))
        check(f"{label}: {count} servers: so is the report with the texts of its items",
              status == made[0] == 0 and not wrong, wrong[:5])
        if label == "sim":
            came = subprocess.run([ASSAY, "export", "package", folder, "--out", folder + ".package", "--quiet"],
                                  capture_output=True, text=True)
            text = came.returncode == 0 and open(os.path.join(folder + ".package", "study.yaml")).read()
            check(f"{label}: {count} servers: a package names none of them", came.returncode == 0 and
                  "clickhouse" not in text and "store: [here" in text, came.stderr, text)
        again = run(folder)
        check(f"{label}: {count} servers: a second run does nothing",
              again.returncode == 0 and not again.stdout.strip(), again.stdout, again.stderr)
    wrong = []
    for number in range(20 if LONG else 4):
        alone = {"a": random_query(rng, tags, words).replace("'", "")}
        left = study(f"{label}-alone-sqlite-{number}", source, alone, None, ALSO)
        right = study(f"{label}-alone-{number}", source, alone, None, ALSO, [address(it) for it in servers[:2]])
        ended = [run(left), run(right)]
        if any(it.returncode for it in ended) or differences(left, right):
            wrong.append((alone, ended[1].stderr))
    check(f"{label}: studies of one set each, two servers", not wrong, wrong[:2])


def ingest(folder):
    return subprocess.run([ASSAY, "ingest", folder, "--quiet"], capture_output=True, text=True)


def late(server, truth, sets, source):
    """What a killed ingest had sent arrives while the next one is at work: here five rows, of a batch that the
    next will have, for which the server takes three seconds."""
    folder = study("late", source, sets, None, (), [address(server)])
    held = set(tables(server))
    it = subprocess.Popen([ASSAY, "ingest", folder, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not set(tables(server)) - held:
        time.sleep(0.01)
    it.send_signal(signal.SIGKILL)
    it.wait()
    table, = set(tables(server)) - held
    part = [os.path.join(place, file) for place, _, files in os.walk(folder) for file in files if file.endswith(".part")]
    base = sqlite3.connect(part[0])
    batch = base.execute("SELECT ifnull(max(number), 0) + 1 FROM batch").fetchall()[0][0]
    base.close()
    sql = (f"INSERT INTO `default`.`{table}` (batch, block, id, kind) SELECT toInt64({batch}), toInt64(1), "
           "toInt64(number + 1), toInt64(1) FROM (SELECT number FROM system.numbers LIMIT 5) WHERE sleepEachRow(0.6) = 0")
    sending = threading.Thread(target=lambda: server.ask(sql))
    sending.start()
    time.sleep(0.5)
    came = run(folder)
    sending.join()
    shutil.rmtree(os.path.join(folder, "out"))  # so that the servers are asked once more
    again = run(folder)
    check("what a killed ingest had sent arrives late: the same in the end", came.returncode == again.returncode == 0 and
          not differences(truth, folder), came.stderr, again.stderr, differences(truth, folder)[:5])


def failures(servers, sets, source):
    both = [address(it) for it in servers[:2]]
    first, second = servers[:2]
    truth = study("fail-truth", source, sets)
    run(truth)
    folder = study("fail-kill", source, sets, None, (), both)
    begun = time.time()
    ingest(study("fail-time", source, sets, None, (), both))
    took = time.time() - begun
    for i in range(6):
        it = subprocess.Popen([ASSAY, "ingest", folder, "--quiet"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        time.sleep(took * (i + 1) / 8)
        it.send_signal(signal.SIGKILL)
        it.wait()
    came = run(folder)
    check("killed six times: the same in the end", came.returncode == 0 and not differences(truth, folder),
          came.stderr, differences(truth, folder)[:5])
    late(first, truth, sets, source)
    held = set(tables(first))
    os.remove(os.path.join(folder, "corpus.db"))
    folder = study("fail-down", source, sets, None, (), both)
    second.stop()
    came = run(folder)
    check("a server is down: told by name", came.returncode == 3 and f"127.0.0.1:{second.http}" in came.stderr,
          came.returncode, came.stderr)
    check("and there is no corpus", not os.path.exists(os.path.join(folder, "corpus.db")))
    second.start()
    came = run(folder)
    check("it is up again: the same in the end", came.returncode == 0 and not differences(truth, folder), came.stderr)
    second.stop()
    came = run(folder)
    check("without it a study that is made is made", came.returncode == 0, came.stderr)
    with open(os.path.join(folder, "study.yaml")) as file:
        text = file.read()
    with open(os.path.join(folder, "study.yaml"), "w") as file:
        file.write(text.replace("sets:\n", "sets:\n  newer: 'in:all and score:1..'\n"))
    came = run(folder)
    check("but nothing new can be asked: told by name", came.returncode == 3 and
          f"127.0.0.1:{second.http}" in came.stderr, came.returncode, came.stderr)
    second.start()
    came = run(folder)
    check("until it is up again", came.returncode == 0, came.stderr)
    fresh = set(tables(second)) - held
    check("tables of a corpus that was given up are gone", len(fresh) == 1, fresh)
    for name in fresh:
        batch = second.ask(f"SELECT max(batch) FROM {name}").strip()
        second.ask(f"ALTER TABLE {name} DROP PARTITION {batch}")
    with open(os.path.join(folder, "study.yaml"), "w") as file:
        file.write(text.replace("sets:\n", "sets:\n  newest: 'in:all and score:2..'\n"))
    came = run(folder)
    check("items that are lost are an error", came.returncode == 1 and "items are missing" in came.stderr,
          came.returncode, came.stderr)
    folder = study("fail-address", source, sets, None, (), ["http://localhost:8123/x"])
    came = run(folder)
    check("an address that is none is told with its place", came.returncode == 1 and
          "expected the address of a database" in came.stderr and "study.yaml:" in came.stderr, came.stderr)


class Listener(http.server.BaseHTTPRequestHandler):
    """A server of somebody else, who would like to know a password."""
    heard = []

    def do_POST(self):
        Listener.heard.append(dict(self.headers))
        self.send_response(200)
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_):
        pass


def change(folder, old, new):
    path = os.path.join(folder, "study.yaml")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace(old, new))


def strangers(servers, sets, source):
    """A corpus.db that names another server than the study does: nobody is asked, nothing is told."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    other = f"clickhouse://127.0.0.1:{server.server_address[1]}/default"
    who = {"CLICKHOUSE_USER": "default", "CLICKHOUSE_PASSWORD": ""}
    folder = study("stranger", source, sets, None, (), [address(servers[0])])
    came = run(folder, **who)
    check("strangers: a corpus is made", came.returncode == 0, came.stderr)

    def rename(file):
        base = sqlite3.connect(os.path.join(folder, file))
        base.execute("UPDATE state SET value = CAST(replace(CAST(value AS TEXT), ?, ?) AS BLOB) WHERE name = 'servers'",
                     (address(servers[0]), other))
        base.commit()
        base.close()
    shutil.copy(os.path.join(folder, "corpus.db"), os.path.join(folder, "kept.db"))
    rename("corpus.db")
    change(folder, "sets:\n", "sets:\n  more: 'in:all and score:1..'\n")
    for command in (["run", folder, "--quiet"], ["report", folder, "--quiet"], ["ask", folder, "an error"],
                    ["export", "package", folder, "--out", folder + ".package", "--quiet"]):
        came = subprocess.run([ASSAY, *command], capture_output=True, text=True,
                              env=os.environ | {"CLICKHOUSE_USER": "me", "CLICKHOUSE_PASSWORD": "secret"})
        check(f"strangers: {command[0]}: told, with what to do", came.returncode == 1 and
              f"has its items at {other}, found {address(servers[0])}" in came.stderr and "remove" in came.stderr,
              came.returncode, came.stderr)
    change(folder, f"store: [{address(servers[0])}]\n", "")
    os.rename(os.path.join(folder, "kept.db"), os.path.join(folder, "corpus.db.part"))
    rename("corpus.db.part")
    came = run(folder, CLICKHOUSE_USER="me", CLICKHOUSE_PASSWORD="secret")
    check("strangers: nor is one that was not finished", came.returncode == 0, came.stderr)
    check("strangers: nobody was asked", not Listener.heard, Listener.heard)


def replaced(servers, source):
    """Tables of a corpus that another replaces go; those of which it only has the name stay."""
    both = [address(it) for it in servers[:2]]
    before = [set(tables(it)) for it in servers[:2]]
    folder = study("replaced", source, {"a": "score:5.."}, None, (), both)
    ended = [run(folder)]
    first = [set(tables(it)) - held for it, held in zip(servers, before)]
    copy = folder + "-copy"
    shutil.copytree(folder, copy)
    for it in (copy, folder):
        change(it, "score:5..", "score:4..")
    ended.append(run(copy))
    second = [set(tables(it)) - held for it, held in zip(servers, before)]
    check("replaced: a copy leaves the tables of what it was copied from",
          all(len(new) == 2 and old < new for old, new in zip(first, second)), first, second)
    servers[1].stop()
    change(folder, "score:4..", "score:3..")
    told = run(folder)
    servers[1].start()
    ended.append(run(folder))
    third = [set(tables(it)) - held for it, held in zip(servers, before)]
    check("replaced: those of the corpus itself go when the new one is complete", told.returncode == 3 and
          all(len(new) == 2 and not old & new for old, new in zip(first, third)), first, third, told.stderr)
    change(folder, both[1], "here")
    change(folder, "store: [" + both[0] + ", here]", "store: [" + both[0] + "]")
    ended.append(run(folder))
    fourth = [set(tables(it)) - held for it, held in zip(servers, before)]
    check("replaced: where the study has no server nothing is dropped", len(fourth[0]) == 2 and
          third[1] == fourth[1], third, fourth)
    change(folder, "store: [" + both[0] + "]", "store: [" + ", ".join(both) + "]")
    ended.append(run(folder))
    fifth = [set(tables(it)) - held for it, held in zip(servers, before)]
    check("replaced: but once it has it again", all(len(it) == 2 for it in fifth) and not third[1] & (
        fifth[1] - second[1]), fifth)
    check("replaced: all studies run", not any(it.returncode for it in ended), [it.stderr for it in ended])


def main():
    servers = [Server("one"), Server("two")]
    for server in servers:
        server.write(servers)
    try:
        for server in servers:
            server.start()
        rng = random.Random(int(os.environ.get("ASSAY_SEED", "20251")))
        subprocess.run([ASSAY, "synth", "--out", "plain", "--questions", "900", "--background", "900", "--seed", "6",
                        "--quiet"], check=True)
        posts = whole_seconds("plain", "whole")["Posts"]
        compare("sim", "../plain", posts, servers, rng)
        real = os.path.join(os.environ.get("ASSAY_DATA", ""), "dumps", "ai.stackexchange-sasiddiqui")
        if os.path.exists(real):
            compare("ai", real, whole_seconds(real, "ai")["Posts"], servers, rng)
        else:
            print("# SKIP a real dump: ASSAY_DATA is not there")
        failures(servers, {"all": "score:-100..", "words": "prose:error"}, "  stackexchange: ../plain\n")
        strangers(servers, {"all": "score:-100..", "words": "prose:error"}, "  stackexchange: ../plain\n")
        replaced(servers, "  stackexchange: ../plain\n")
    finally:
        for server in servers:
            server.stop()
    return done()


sys.exit(main())
