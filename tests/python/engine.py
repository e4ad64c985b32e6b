"""The same studies over a dump and over ClickHouse servers that hold its posts: every output must be the
same. Then servers that are down, tables that are wrong, answers that break off. Prints TAP.
usage: engine.py ASSAY FOLDER"""

import http.server
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zlib

from clickhouse import (ASSAY, BESIDE, COLUMNS, LONG, NULLABLE, ORDERS, TEXTS, TODAY, Server, Today, differences, health,
                        random_around, random_query, run, study, whole_seconds)
from tap import check, done

ALONE = 60 if LONG else 6


def items(folder):
    """All items, and all that hangs on them."""
    base = sqlite3.connect(os.path.join(folder, "corpus.db"))
    # As src/store/schema.sql tells.
    base.create_function("sqlar_uncompress", 2, lambda packed, size:
                         packed if len(packed) == size else zlib.decompress(packed))
    tables = ["post", "comment", "user", "link", "vote", "history", "badge", "late"]
    return {table: base.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in tables}


def compare(label, tables, dump, servers, rng, count, until):
    posts = tables["Posts"]
    tags = sorted({tag for post in posts for tag in re.findall(r"[^<>|]+", post.get("Tags", "")) if len(tag) > 3})
    words = sorted({word for post in posts[:300] for word in re.findall(r"[a-zA-Z]{4,9}", post.get("Body", ""))})
    also = [word for word, table in {"comments": "Comments", "users": "Users", "links": "PostLinks", "votes": "Votes",
                                     "badges": "Badges", "history": "PostHistory"}.items() if table in tables]
    sets = {f"s{i}": random_query(rng, tags, words) for i in range(count)}
    sets = {key: query for key, query in sets.items() if "'" not in query}
    truth = study(f"{label}-dump", f"  stackexchange: {dump}\n", sets, until, also)
    came = run(truth)
    check(f"{label}: the study over the dump runs", came.returncode == 0, came.stderr)
    first, second = servers[:2]
    first.fill(f"default.{label}_posts", posts)
    first.fill(f"default.{label}_null_posts", posts, NULLABLE,
               lambda text: text.replace("><", "|").replace("<", "|").replace(">", "|"))
    first.fill(f"default.{label}_text_posts", posts, TEXTS)
    for table in set(BESIDE) & set(tables):
        name = table.lower()
        first.fill(f"default.{label}_{name}", tables[table], BESIDE[table])
        first.ask(f"CREATE VIEW {label}_null_{table} AS SELECT * FROM {label}_{name}")
        first.fill(f"default.{label}_text_{name}", tables[table],
                   {it: "String" if "Int" in kind else kind for it, kind in BESIDE[table].items()})
    for number, server in enumerate(servers[:2]):
        for table in tables:
            name = f"{label}_part_{table.lower()}"
            server.fill("default." + name, [it for it in tables[table] if int(it["Id"]) % 2 == number],
                        BESIDE.get(table, COLUMNS), order=ORDERS[table])
            server.ask(f"CREATE TABLE {name.replace('_part_', '_both_')} AS {name} "
                       f"ENGINE = Distributed(both, default, {name})")
    sources = {
            "one server": f"  clickhouse: http://127.0.0.1:{first.http}/default/{label}_posts\n",
            "a table with NULL": f"  clickhouse: http://127.0.0.1:{first.http}/default/{label}_null_posts\n",
            "a table of texts": f"  clickhouse: http://127.0.0.1:{first.http}/default/{label}_text_posts\n",
            "two shards": f"  clickhouse: http://127.0.0.1:{first.http}/default\n  table: {label}_both_posts\n"}
    if Today.LIBRARY and label == "sim":
        today = Today("today")
        servers.append(today)
        today.start()
        today.fill("default.posts", posts, TODAY, order=ORDERS["Posts"])
        for table in set(BESIDE) & set(tables):
            today.fill(f"default.{table.lower()}", tables[table], BESIDE[table], order=ORDERS[table])
        sources["today's engine"] = f"  clickhouse: http://127.0.0.1:{today.http}/default\n"
    elif label == "sim":
        print("# SKIP today's engine: ASSAY_CHDB does not name libchdb.so")
    for kind, source in sources.items():
        if label != "sim" and kind != "two shards" and not LONG:
            continue  # in the long mode
        folder = study(f"{label}-{kind.replace(' ', '-')}", source, sets, until, also)
        came = run(folder)
        check(f"{label}: {kind}: the study runs", came.returncode == 0, came.stderr)
        if came.returncode:
            continue
        wrong = differences(truth, folder)
        check(f"{label}: {kind}: {len(sets)} sets and all tables are those of the dump", not wrong, wrong[:5])
        if kind != "a table with NULL":
            check(f"{label}: {kind}: every item is that of the dump", items(truth) == items(folder))
            check(f"{label}: {kind}: the findings are those of the dump", health(truth) == health(folder),
                  [pair for pair in zip(health(truth), health(folder)) if pair[0] != pair[1]])
        again = run(folder)
        check(f"{label}: {kind}: a second run asks for nothing", again.returncode == 0 and not again.stdout.strip(),
              again.stdout, again.stderr)
    wrong = []
    for number in range(ALONE):  # so that the engine has something to leave out
        alone = {"a": random_query(rng, tags, words).replace("'", "")}
        if number % 2:
            alone = {"a": f"[{rng.choice(tags)}] and {random_around(rng, tags, words)} or score:9.."}
        left = study(f"{label}-alone-dump-{number}", f"  stackexchange: {dump}\n", alone, None, also)
        right = study(f"{label}-alone-{number}", sources["two shards"], alone, None, also)
        ended = [run(left), run(right)]
        if any(it.returncode for it in ended) or differences(left, right) or items(left) != items(right):
            wrong.append((alone, ended[1].stderr))
    check(f"{label}: {ALONE} studies of one set each", not wrong, wrong[:2])


def layouts(servers, posts, rng):
    """Tables that others have published or that programs make of a dump, as views of one table."""
    moments = [it for it, kind in COLUMNS.items() if kind == "DateTime"]
    whole = ["AcceptedAnswerId", "OwnerUserId", "FavoriteCount", "ParentId"]
    bare = "replaceAll(replaceAll(replaceAll(Tags, '><', '|'), '<', ''), '>', '')"

    def view(other):
        return ", ".join(f"{other[it]} AS {it}" if it in other else it for it in COLUMNS)

    def snake(name):
        return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    kinds = {
        "snake case, tags without bars around": ", ".join(
            f"{ {'Tags': bare, 'PostTypeId': 'toInt8(PostTypeId)'}.get(it, it)} AS {snake(it)}" for it in COLUMNS),
        "all of it text": view({it: f"toString({it})" for it in COLUMNS} | {"PostTypeId": "toString(toInt8(PostTypeId))"} |
                               {it: f"if(toString({it}) = '0', '', toString({it}))" for it in whole} |
                               {it: f"if(toUnixTimestamp({it}) = 0, '', toString({it}, 'UTC'))" for it in moments}),
        "seconds since 1970": view({it: f"toInt64(toUnixTimestamp({it}))" for it in moments}),
        "milliseconds since 1970": view({it: f"toUInt64(toUnixTimestamp({it})) * 1000" for it in moments}),
        "seconds as fractions": view({it: f"toFloat64(toUnixTimestamp({it}))" for it in moments}),
        "arrays": view({"Tags": f"arrayFilter(x -> x != '', splitByChar('|', {bare}))"}),
        "texts or NULL": view({it: f"nullIf({it}, '')" for it in ("Title", "Tags")}),
        "another zone": view({it: f"toDateTime({it}, 'America/New_York')" for it in moments})}
    today = {
        "microseconds or NULL": view({it: f"if(toUnixTimestamp({it}) = 0, NULL, toDateTime64({it}, 6, 'Asia/Tokyo'))"
                                      for it in moments}),
        "arrays of few texts": view({"Tags": f"CAST(arrayFilter(x -> x != '', splitByChar('|', {bare})) AS "
                                     "Array(LowCardinality(String)))"}),
        "few texts or NULL": view({it: f"toLowCardinality(nullIf({it}, ''))" for it in ("Title", "Tags")})}
    tags = sorted({tag for post in posts for tag in re.findall(r"[^<>|]+", post.get("Tags", "")) if len(tag) > 3})
    asked = [(query, mode) for tag in rng.sample(tags, 3) for query in (f"[{tag}]", f"not [{tag}]", f"[{tag[:4]}*] and score:0..")
             for mode in (["--ids"], ["--by", "year"])]
    asked += [(f'tag:~"{around}"', ["--count"]) for around in (f"<{tags[0]}>", f"<{tags[1]}", f"{tags[2]}>", "><")]
    asked += [("created:2016..2017", ["--by", "month"]), ("closed:yes or wiki:yes", ["--json"]), ("*", ["--by", "tag"]),
              ("hasaccepted:yes and lastactive:2016..", ["--json"]), ("id:..900 and parent:3..", ["--count"])]

    def scan(source):
        came = [subprocess.run([ASSAY, "scan", source, query, *mode, "--quiet"], capture_output=True, text=True)
                for query, mode in asked]
        return [(query, mode, it.returncode, it.stdout, it.stderr) for (query, mode), it in zip(asked, came)]
    truth = scan("simdump")
    alone = {"a": f"[{rng.choice(tags)}] and created:2015..2018"}
    here = study("layout-dump", "  stackexchange: ../simdump\n", alone)
    check("layouts: the study over the dump runs", run(here).returncode == 0)
    for number, server in enumerate([servers[0], *servers[2:]]):
        for name, columns in (kinds | today if number else kinds).items():
            table = f"layout_{re.sub('[^a-z0-9]+', '_', name)}"
            server.ask(f"CREATE VIEW {table} AS SELECT {columns} FROM {'posts' if number else 'sim_posts'}")
            source = f"http://127.0.0.1:{server.http}/default/{table}"
            wrong = [pair for pair in zip(scan(source), truth) if pair[0] != pair[1]]
            there = study(f"{table}-{number}", f"  clickhouse: {source}\n", alone)
            came = run(there)
            check(f"layouts: {name}{', today' if number else ''}: the same", not wrong and came.returncode == 0 and
                  not differences(here, there), wrong[:2], came.stderr)


def fractions(server):
    """Moments that are texts have their fractions of a second in the census as they have in the items."""
    server.ask("CREATE TABLE fractions (Id UInt32, PostTypeId UInt8, ParentId UInt32, CreationDate String, Title String, Body String, "
               "Tags String, Score Int32) ENGINE = MergeTree ORDER BY Id")
    server.ask("INSERT INTO fractions VALUES (1, 1, 0, '2017-07-14T02:40:00.5', 't', 'b', '|a|', 1), "
               "(2, 1, 0, '2017-07-14 02:40:01.679', 't', 'b', '|a|', 1)")
    folder = study("fractions", f"  clickhouse: http://127.0.0.1:{server.http}/default/fractions\n", {"a": "[a]"})
    came = run(folder)
    with open(f"{folder}/out/numbers.csv") as file:
        newest = [line for line in file if "census.newest" in line]
    check("fractions of seconds of moments that are texts", came.returncode == 0 and "1500000001679" in "".join(newest),
          newest, came.stderr)


BY = ["year", "quarter", "month", "tag", "type", "user", "score", "views", "answers", "comments", "favorites"]
AROUND = ("answer:(", "comment:(", "reputation:", "duplicate:", "hasendorsed:")


def scanned(label, posts, dump, sources, rng, count):
    """assay scan answers from a server as it does from the dump, whatever is asked of it."""
    tags = sorted({tag for post in posts for tag in re.findall(r"[^<>|]+", post.get("Tags", "")) if len(tag) > 3})
    words = sorted({word for post in posts[:300] for word in re.findall(r"[a-zA-Z]{4,9}", post.get("Body", ""))})
    wrong, asked = [], 0
    while asked < count:
        query = random_query(rng, tags, words, rng.randint(0, 3))
        if any(it in query for it in AROUND):
            continue
        if rng.random() < 0.3:
            query = f"({query}) and {rng.choice(['score:1', 'is:question', 'not is:answer', 'parent:3..', 'views:7'])}"
        mode = rng.choice([["--count"], ["--by", rng.choice(BY)], ["--by", rng.choice(BY)], ["--ids"], ["--json"],
                           ["--csv"], [], ["--count", "--answers"], ["--json", "--answers"], ["--by", "year", "--answers"],
                           ["--seeds", rng.choice(tags)]])
        tables = [it for it in sources if mode != ["--csv"] or "_null_" not in it]  # tags as they are spelled there
        came = [subprocess.run([ASSAY, "scan", it, query, *mode, "--quiet"], capture_output=True, text=True)
                for it in (dump, *tables)]
        asked += 1
        said = [(it.returncode, sorted(it.stdout.splitlines()) if "--answers" in mode else it.stdout,
                 [line for line in it.stderr.splitlines() if "exactly" in line]) for it in came]
        wrong += [(query, mode, at, said[0], other) for at, other in zip(tables, said[1:]) if other != said[0]]
    check(f"{label}: {count} scans of {len(sources)} tables say what the dump says", not wrong, *wrong[:3])


def tagged(servers):
    """Candidates for a tag set are the same whoever counts them: synonyms, capitals and decisions among them."""
    os.makedirs("tagdump")
    text = open("simdump/Posts.xml").read()
    text = re.sub(r' Tags="([^"]*)"', lambda it: it.group().replace("python", "Python") if len(it[1]) % 3 else it.group(), text)
    with open("tagdump/Posts.xml", "w") as out:
        out.write(text)
    posts = whole_seconds("tagdump", "tagged-dump")["Posts"]
    for number, server in enumerate(servers[:2]):
        server.fill("default.tag_part", [it for it in posts if int(it["Id"]) % 2 == number])
        server.ask("CREATE TABLE tag_both AS tag_part ENGINE = Distributed(both, default, tag_part)")
    servers[0].fill("default.tag_null", posts, NULLABLE, lambda it: it.replace("><", "|").replace("<", "|").replace(">", "|"))
    sources = {"bars": f"http://127.0.0.1:{servers[0].http}/default/tag_null",
               "shards": f"http://127.0.0.1:{servers[0].http}/default/tag_both"}
    if len(servers) > 2:
        servers[2].fill("default.tags_today", posts, TODAY)
        sources["today"] = f"http://127.0.0.1:{servers[2].http}/default/tags_today"
    count = {}
    for post in posts:
        for tag in re.findall(r"[^<>|]+", post.get("Tags", "").lower()):
            count[tag] = count.get(tag, 0) + 1
    often = [it for it in sorted(count, key=lambda it: -count[it]) if it not in ("tensorflow", "keras")]
    with open("synonyms.csv", "w") as out:
        out.write(f"synonym,tag\n{often[1]},{often[0]}\n{often[5]},keras\n")
    with open("decisions.csv", "w") as out:
        out.write(f"tag,accepted,who\n{often[1].upper()},yes,ann\n{often[2]},yes,ann\n{often[3]},no,ann\n")
    wrong = []
    for name, among in {"all": "", "said": f", among: 'score:0.. and not [{often[4]}]'", "words": ", among: 'prose:error'"}.items():
        truth = None
        for kind, source in {"dump": "stackexchange: ../tagged-dump", **{k: f"clickhouse: {v}" for k, v in sources.items()}}.items():
            folder = study(f"tagged-{name}-{kind}", f"  {source}\n", {"x": "[tagset:it]"}, "2018-03-31")
            with open(os.path.join(folder, "study.yaml"), "a") as out:
                out.write("synonyms: ../synonyms.csv\ntagsets:\n  it: {seeds: [tensorflow, ker*], relevance: 0.001, "
                          f"significance: 0.0005, decisions: ../decisions.csv{among}}}\n")
            came = run(folder)
            truth = truth or folder
            if came.returncode or differences(truth, folder) or differences(folder, truth):
                wrong.append((name, kind, came.stderr, differences(truth, folder)[:5]))
    check(f"tag sets: candidates of {len(sources)} tables are those of the dump", not wrong, *wrong[:3])
    text = open("tagged-all-dump/out/numbers/accepted.it.csv").read()
    found = open("tagged-all-dump/out/numbers/sets.x.csv").read()
    number = dict(re.findall(r"^,(\w+),(\d+),", text, re.M))
    check("tag sets: what accepted tags give is what [tagset:NAME] takes", number["outside"] == "0" and
          number["accepted"] == "2" and f"\n,count,{number['questions']}," in found, text, found)


class Recorder(http.server.BaseHTTPRequestHandler):
    """Hands on what is asked, and keeps it."""
    behind, asked = 0, []

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        Recorder.asked.append(asked.decode())
        try:
            status, answer = 200, urllib.request.urlopen(urllib.request.Request(
                f"http://127.0.0.1:{Recorder.behind}{self.path}", data=asked)).read()
        except urllib.error.HTTPError as error:
            status, answer = error.code, error.read()
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def counted(server, table):
    """What a server can say exactly it counts: no post is fetched for it."""
    Recorder.behind = server.http
    gate = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=gate.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{gate.server_address[1]}/default/{table}"

    def ask(query, *mode):
        Recorder.asked = []
        came = subprocess.run([ASSAY, "scan", address, query, *mode], capture_output=True, text=True)
        return came, [it for it in Recorder.asked if "`Title`" in it], [it for it in Recorder.asked if "GROUP BY" in it]

    for mode in (["--count"], ["--by", "year"], ["--by", "tag"], ["--by", "user"]):
        came, fetched, grouped = ask("is:question and ([python*] or score:2..) and not hasaccepted:yes", *mode)
        check(f"scan {' '.join(mode)}: the server counts", came.returncode == 0 and not fetched and
              len(grouped) == (mode != ["--count"]),
              came.stderr, fetched, grouped)
    came, fetched, _ = ask("[python*] and prose:error", "--count")
    check("scan: words are tested here, on what may have them", came.returncode == 0 and fetched and
          all("match(`Body`" in it and "match(`Title`" in it for it in fetched), came.stderr, fetched)
    came, fetched, _ = ask("prose:error and not score:2.. and not [pyth*] and not created:2016..", "--count")
    check("scan: what is not in a range and not tagged so is left out there, too", came.returncode == 0 and fetched and
          all(re.search(r"NOT \(ifNull.*NOT \(match.*NOT \(ifNull", it.split("WHERE", 1)[1], re.S) for it in fetched), came.stderr,
          fetched)
    came, fetched, _ = ask("score:2..", "--ids")
    check("scan: bodies are not fetched for nothing", came.returncode == 0 and fetched and
          not any("`Body`" in it for it in fetched), fetched)
    for query, mode, said in (("answer:(score:1..)", ["--count"], "around a post"),
                              ("score:1", ["--count", "--columns", "id=a"], "--columns is for a csv"),
                              ("in:x", ["--count"], "needs a study")):
        came, _, _ = ask(query, *mode)
        check(f"scan: {query} {' '.join(mode)}: refused", came.returncode == 2 and said in came.stderr, came.stderr)
    came = subprocess.run([ASSAY, "scan", address + "s", "*"], capture_output=True, text=True)
    check("scan: no such table", came.returncode == 1 and f"{address}s: there is no table" in came.stderr, came.stderr)
    came = subprocess.run([ASSAY, "scan", "http://127.0.0.1:1/default/posts", "*"], capture_output=True, text=True)
    check("scan: no such server", came.returncode == 3 and "http://127.0.0.1:1/default/posts: cannot be asked" in
          came.stderr, came.stderr)


class Broken(http.server.BaseHTTPRequestHandler):
    """A server whose answer breaks off: as told, with an exception in its middle or within a row."""
    way = "exception"

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if "system.columns" in asked:
            answer = "".join(f"[\t{name}\t{kind}\t`default`.`posts`\t]\n".replace("'", "\\'")
                             for name, kind in COLUMNS.items()).encode() if "`posts`" in asked else b""
        elif "count()" in asked or "SELECT '[', max(" in asked:
            answer = b"[" + b"\t2" * self.columns(asked) + b"\t]\n"
        else:
            answer = b"[\t17\t1" if "half" in Broken.way else b""
            if Broken.way != "half a row":
                answer += b"Code: 241, e.displayText() = DB::Exception: Memory limit exceeded, e.what() = x\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    @staticmethod
    def columns(asked):
        """How many expressions a question asks for, between our marks."""
        depth = commas = 0
        for c in asked[:asked.index(", ']' FROM")]:
            depth += (c == "(") - (c == ")")
            commas += c == "," and depth == 0
        return commas

    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class Between(http.server.BaseHTTPRequestHandler):
    """Hands on what is asked, but for bodies of answers while it is broken."""
    server_port, broken, ends = 0, True, True

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        if Between.broken and b"`Body`" in asked and b") = 2" in asked:
            answer = b"Code: 1, e.displayText() = DB::Exception: not now, e.what() = x\n"
        else:
            answer = urllib.request.urlopen(urllib.request.Request(
                f"http://127.0.0.1:{Between.server_port}{self.path}", data=asked)).read()
        self.send_response(200)
        if Between.ends:
            self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET, log_message = Broken.do_GET, Broken.log_message


def goes_on(servers, posts):
    """An ingest that ended between questions and answers has the findings of both."""
    odd = [post | {"LastActivityDate": "soon"} if int(post["Id"]) % 3 == 0 else post for post in posts[:60]]
    servers[0].fill("default.odd", odd, TEXTS)
    Between.server_port = servers[0].http
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Between)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    source = f"  clickhouse: http://127.0.0.1:{server.server_address[1]}/default/odd\n"
    folder, whole = (study(name, source, {"a": "score:-100.."}) for name in ("odd-parts", "odd-whole"))
    ended = run(folder)
    Between.broken = False
    came, straight = run(folder), run(whole)
    count = sum(it["LastActivityDate"] == "soon" for it in odd)
    check("values that cannot be read are told", ended.returncode == 3 and straight.returncode == 0 and
          f"| values that are not what their attribute says | {count} |\n" in health(whole),
          ended.stderr, straight.stderr, health(whole))
    Between.ends = False
    came_endless = [run(study("odd-endless", source, {"a": "score:-100.."})), run(study(
        "odd-endless-store", "  stackexchange: ../simdump\n", {"a": "score:-100.."}, None, (),
        [f"clickhouse://127.0.0.1:{server.server_address[1]}/default"]))]
    Between.ends = True
    check("answers of which nothing tells where they end are refused: a server that dies ends them, too", all(
        it.returncode == 3 and f"127.0.0.1:{server.server_address[1]}/default" in it.stderr and
        "nothing tells where its answers end" in it.stderr for it in came_endless), *(it.stderr for it in came_endless))
    check("an ingest that goes on tells of them all", came.returncode == 0 and health(folder) == health(whole),
          came.stderr, [pair for pair in zip(health(whole), health(folder)) if pair[0] != pair[1]])


def failures(servers, posts):
    first, second = servers[:2]
    sets = {"a": "*"}
    base = f"http://127.0.0.1:{first.http}"

    def refused(label, source, expected, status, **environment):
        folder = study("fail-" + re.sub("[^a-z]+", "-", label), source, sets)
        came = run(folder, **environment)
        check(f"failing: {label}: told", came.returncode == status and expected in came.stderr,
              came.returncode, came.stderr)
        check(f"failing: {label}: no corpus", not os.path.exists(os.path.join(folder, "corpus.db")))
        return folder

    for also in ("comments", "badges"):
        folder = study(f"fail-{also}", f"  clickhouse: {base}/default/odd\n", sets, None, [also])
        came = run(folder)
        check(f"failing: no table of {also}: told", came.returncode == 1 and
              f"there is no table `default`.`{also}`, which `also` asks for" in came.stderr, came.stderr)
    refused("no such table", f"  clickhouse: {base}/default/nothing\n", "there is no table `default`.`nothing`", 1)
    first.ask("CREATE TABLE other (name String) ENGINE = Memory")
    refused("another table", f"  clickhouse: {base}/default/other\n", "has the columns name; expected", 1)
    first.ask("CREATE TABLE github_events (event_type Enum8('IssuesEvent' = 7), repo_name String, number UInt32) ENGINE = Memory")
    refused("events of GitHub", f"  clickhouse: {base}/default/github_events\n", "has events of GitHub; expected posts: issues, "
            "pull requests and discussions are made of GH Archive's own files (source: {github: ...})", 1)
    refused("no address", "  clickhouse: localhost\n", "expected an address such as http://", 1)
    refused("a password in the address", "  clickhouse: http://me:pw@localhost:1/default\n", "CLICKHOUSE_PASSWORD", 1)
    refused("nobody there", "  clickhouse: http://127.0.0.1:1/default\n", "http://127.0.0.1:1/default", 1)
    refused("a wrong password", f"  clickhouse: {base}/default/sim_posts\n", "the server says", 3, CLICKHOUSE_USER="guest",
            CLICKHOUSE_PASSWORD="wrong")
    folder = study("guest", f"  clickhouse: {base}/default/sim_posts\n", sets)
    came = run(folder, CLICKHOUSE_USER="guest", CLICKHOUSE_PASSWORD="secret")
    check("who asks is told by the environment", came.returncode == 0, came.stderr)
    check("the password is nowhere in the study's folder", not any(
        b"secret" in open(os.path.join(place, file), "rb").read()
        for place, _, files in os.walk(folder) for file in files))
    first.fill("default.twice", posts[:50] + posts[:5])
    refused("a post in two rows", f"  clickhouse: {base}/default/twice\n", "has 55 rows for 50 posts", 1)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Broken)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"  clickhouse: http://127.0.0.1:{server.server_address[1]}/default\n"
    refused("an exception within an answer", address, "Memory limit exceeded", 3)
    Broken.way = "half a row"
    refused("half a row", address, "the answer broke off after 0 rows: within a row", 3)
    Broken.way = "half a row, then an exception"
    refused("an exception within a row", address, "the server says: Code: 241, e.displayText() = DB::Exception: Memory", 3)
    second.stop()
    folder = refused("a shard is down, though the server is set to skip it",
                     f"  clickhouse: {base}/default/sim_both_posts\n", f"127.0.0.1:{second.tcp}", 3)
    second.start()
    came = run(folder)
    check("a shard that is up again: the ingest goes on", came.returncode == 0, came.stderr)
    second.stop()
    first.stop()
    came = run(folder)
    check("servers that are gone do no harm to a study that is made", came.returncode == 0, came.stderr)


def ranges(server):
    """Rows beside the posts that come by ranges of their numbers: the server reads each about once, and texts only of
    what hangs on the study's posts."""
    marks = "SELECT sum(value) FROM system.events WHERE event = 'SelectedMarks'"
    server.ask("CREATE TABLE many_posts (Id UInt32, PostTypeId UInt8, ParentId UInt32, CreationDate DateTime, Score Int32) "
               "ENGINE = MergeTree PARTITION BY tuple() ORDER BY Id")
    server.ask("INSERT INTO many_posts SELECT number + 1, 1, 0, toDateTime(1500000000), 1 FROM system.numbers LIMIT 100000")
    server.ask("CREATE TABLE many_comments (Id UInt32, PostId UInt32, Score Int32, Text String, CreationDate DateTime, "
               "UserId UInt32) ENGINE = MergeTree PARTITION BY tuple() ORDER BY Id")
    server.ask("INSERT INTO many_comments SELECT (number + 1) * 25, number % 100000 + 1, 1, 'a text', toDateTime(1500000000), 7 "
               "FROM system.numbers LIMIT 200000")
    source = f"  clickhouse: http://127.0.0.1:{server.http}/default/many_posts\n"
    before = int(server.ask(marks))
    folder = study("many", source, {"a": "comment:(score:1..) and score:1.."}, None, ["comments"])
    came = subprocess.run([ASSAY, "ingest", folder, "--quiet"], capture_output=True, text=True)
    read = int(server.ask(marks)) - before
    whole = int(server.ask("SELECT sum(marks) FROM system.parts WHERE active AND table IN ('many_posts', 'many_comments')"))
    kept = sqlite3.connect(os.path.join(folder, "corpus.db")).execute("SELECT count(*) FROM comment").fetchone()[0]
    check("comments by ranges: each is read about once for each question", came.returncode == 0 and kept == 200000 and
          read < 12 * whole, came.stderr, kept, read, whole)


def ordered(server):
    """A table in the order that ClickHouse's documentation gives it, by kind and date, whose numbers are far apart: it is
    not gone through for each run of numbers, and bodies are read once."""
    read = "SELECT sum(value) FROM system.events WHERE event = 'CompressedReadBufferBytes'"
    columns = ("Id Int32, PostTypeId Enum8('Question' = 1, 'Answer' = 2), ParentId String, CreationDate DateTime, Score Int32, "
               "ViewCount UInt32, Tags String, Title String, Body String")
    server.ask(f"CREATE TABLE far_posts ({columns}) ENGINE = MergeTree PARTITION BY toYear(CreationDate) "
               "ORDER BY (PostTypeId, toDate(CreationDate), CreationDate, Id)")
    server.ask("INSERT INTO far_posts SELECT number * 1000 + 1, if(number % 2 = 0, 'Question', 'Answer'), "
               "if(number % 2 = 0, '', toString((number - 1) * 1000 + 1)), toDateTime(1500000000 + number * 500), number % 7, "
               "number % 90, if(number % 600 = 0, '|python|', '|java|'), '', concat('<p>', if(number % 1200 = 0, 'an error ', "
               "'none '), arrayStringConcat(arrayMap(x -> hex(cityHash64(number, x)), range(60))), '</p>') FROM system.numbers LIMIT 60000")
    server.ask("CREATE VIEW far_view AS SELECT * FROM far_posts")
    Recorder.behind = server.http
    gate = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=gate.serve_forever, daemon=True).start()
    at = f"http://127.0.0.1:{gate.server_address[1]}/default"
    bodies = int(server.ask("SELECT sum(column_data_uncompressed_bytes) FROM system.parts_columns WHERE active AND table = "
                            "'far_posts' AND column = 'Body'"))

    def asked(of, *command):
        Recorder.asked, before = [], int(server.ask(read))
        came = subprocess.run([ASSAY, *command, "--quiet"], capture_output=True, text=True, timeout=300)
        return came, [it for it in Recorder.asked if of in it], int(server.ask(read)) - before

    tagged = [number * 1000 + 1 for number in range(0, 60000, 600)]
    for table in ("far_posts", "far_view"):
        came, fetched, took = asked("`Title`", "scan", f"{at}/{table}", "[python] and prose:error", "--ids")
        check(f"numbers far apart: scan of {table} asks once", came.returncode == 0 and len(fetched) == 1 and
              came.stdout.split() == [str(it) for it in tagged[::2]], came.stderr, came.stdout[:200], len(fetched))
        if table == "far_posts":
            check("numbers far apart: of few questions few bodies are read", took < 2 * bodies and
                  all(it.index("PREWHERE") < it.index("match(`Tags`") if "match(`Tags`" in it else True for it in fetched),
                  took, bodies)
        source = f"  clickhouse: {at}/{table}\n"
        folder = study(f"far-{table}", source, {"a": "[python] and prose:error"})
        came, fetched, took = asked("`Title`", "ingest", folder)
        kept = [it[0] for it in items(folder)["post"]] if came.returncode == 0 else None
        check(f"numbers far apart: an ingest of {table} asks for questions once, and for their answers", came.returncode == 0
              and len(fetched) == 2 + 1 and kept == sorted(tagged + [it + 1000 for it in tagged]), came.stderr, len(fetched), kept)
    server.ask("CREATE TABLE stray_posts (Id Int64, PostTypeId UInt8, ParentId Int64, CreationDate DateTime, Score Int32, ViewCount "
               "UInt32, Tags String, Title String, Body String) ENGINE = MergeTree PARTITION BY tuple() ORDER BY Id")
    server.ask("INSERT INTO stray_posts SELECT number = 3 ? 1000000000000000 : number, number = 1 ? 1 : 2, 1, toDateTime(1500000000), 1, 1, "
               "'<a>', '', 'a word' FROM system.numbers WHERE number > 0 LIMIT 3")
    folder = study("stray", f"  clickhouse: {at}/stray_posts\n", {"a": "[a]"})
    came, fetched, took = asked("`Title`", "ingest", folder)
    check("numbers far apart: nobody counts up to that of a stray post", came.returncode == 0 and
          [it[0] for it in items(folder)["post"]] == [1, 2], came.stderr)
    came, fetched, took = asked("`Title`", "scan", f"{at}/stray_posts", "[a]", "--ids", "--answers")
    check("numbers far apart: nor does a scan", came.stdout.split() == ["1", "2"], came.stdout, came.stderr)
    came, fetched, took = asked("`Body`", "scan", f"{at}/far_posts", "prose:error and is:question", "--count")
    check("numbers far apart: a word alone, and each body is read about once", came.stdout.split() == ["50"] and
          took < 3 * bodies, came.stdout, came.stderr, took, bodies)


def bytes_of_any_kind(server):
    """Texts that are no UTF-8, as servers take them: the same as in a dump that has these bytes."""
    texts = [(b"plain", b"a word"), (b"caf\xe9", b"<p>\xff\xfe error</p>"), (b"\xf0\x9f\x98", b"<p>cut \xe2\x82 and more</p>"),
             ("\U0001f600 whole".encode(), "<p>\u65e5\u672c error</p>".encode())]
    os.makedirs("bytes")
    with open("bytes/Posts.xml", "wb") as out:
        out.write(b'<?xml version="1.0" encoding="utf-8"?>\n<posts>\n' + b"".join(
            b'  <row Id="%d" PostTypeId="1" CreationDate="2017-07-14T02:40:00.000" Score="0" ViewCount="1" Body="%s" Title="%s" '
            b'Tags="&lt;a&gt;&lt;%s&gt;" />\n' % (i + 1, body.replace(b"<", b"&lt;"), title, title.split()[0])
            for i, (title, body) in enumerate(texts)) +
            b"</posts>\n")
    server.ask("CREATE TABLE bytes (Id Int32, PostTypeId UInt8, ParentId String, CreationDate DateTime, Score Int32, ViewCount "
               "UInt32, Body String, Title String, Tags String) ENGINE = MergeTree PARTITION BY tuple() ORDER BY Id")
    server.ask("INSERT INTO bytes FORMAT TabSeparated", b"".join(b"%d\t1\t\t1500000000\t0\t1\t%s\t%s\t<a><%s>\n" % (i + 1, body, title, title.split()[0])
                                                               for i, (title, body) in enumerate(texts)))
    at = f"http://127.0.0.1:{server.http}/default/bytes"
    for asked in (["*", "--json"], ["prose:error", "--ids"], ["*", "--by", "tag"]):
        came = [subprocess.run([ASSAY, "scan", it, *asked, "--quiet"], capture_output=True) for it in ("bytes", at)]
        told = [re.findall(rb"(\d+) characters that XML forbids", it.stderr) for it in came]
        check(f"bytes that are no characters: scan {' '.join(asked)}", came[0].stdout == came[1].stdout and
              came[0].stdout.decode() and (told[0] == told[1] or "--json" not in asked), *came)
    folders = [study("bytes-dump", "  stackexchange: ../bytes\n", {"a": "*"}), study("bytes-there", f"  clickhouse: {at}\n",
                                                                                  {"a": "*"})]
    came = [run(it) for it in folders]
    found = [[line for line in health(it) if "XML forbids" in line] for it in folders]
    check("bytes that are no characters: out/health.md tells of them", not any(it.returncode for it in came) and
          found[0] == found[1] and items(folders[0]) == items(folders[1]), *came, found)
    census = [sqlite3.connect(os.path.join(it, "corpus.db")).execute("SELECT * FROM census ORDER BY 2, 3").fetchall() for it in folders]
    check("bytes that are no characters: tags are counted as they are kept", census[0] == census[1], *census)


def lacking(server, posts):
    """Columns that a table lacks are told, posts may be called anything, and a first study is made of them."""
    server.fill("default.everything", posts)
    at = f"http://127.0.0.1:{server.http}/default"
    for column in ("Body", "Tags", "CreationDate", "ViewCount", "ParentId"):
        server.ask(f"CREATE VIEW no_{column} AS SELECT {', '.join(it for it in COLUMNS if it != column)} FROM everything")

    def assay(*command, **environment):
        return subprocess.run([ASSAY, *command], capture_output=True, text=True, env=os.environ | environment)

    def told(column):
        return f"{at}/no_{column}: the table has no {column}; what is not there counts as missing\n"

    for column, asks in (("Body", ["prose:error", "--count"]), ("Body", ["*", "--json"]), ("Tags", ["[python]", "--count"]),
                         ("Tags", ["*", "--by", "tag"]), ("CreationDate", ["*", "--by", "year"]),
                         ("ViewCount", ["views:1..", "--count"]), ("ViewCount", ["*", "--by", "views"])):
        came = assay("scan", f"{at}/no_{column}", *asks, "--quiet")
        check(f"no {column}: scan {' '.join(asks)} says so", came.returncode == 0 and told(column) in came.stderr, came.stderr)
    came = assay("scan", f"{at}/no_Body", "[python] and views:1..", "--by", "year", "--quiet")
    check("no Body: a scan that asks for none says nothing", came.returncode == 0 and not came.stderr, came.stderr)
    came = assay("scan", f"{at}/no_ParentId", "*", "--count")
    check("no ParentId: told", came.returncode == 1 and "there is no ParentId" in came.stderr, came.stderr)
    folder = study("no-views", f"  clickhouse: {at}/no_ViewCount\n", {"a": "score:1.."})
    came = run(folder)
    check("no ViewCount: out/health.md says so", came.returncode == 0 and
          "| columns that are not there | ViewCount |\n" in health(folder), came.stderr)
    here = study("called-dump", "  stackexchange: ../simdump\n", {"a": "answer:(score:0..) and not answer:(prose:error)"})
    there = study("called", f"  clickhouse: {at}/everything\n", {"a": "answer:(score:0..) and not answer:(prose:error)"})
    ended = [run(here), run(there)]
    check("posts that are called otherwise: answers are found among them", not any(it.returncode for it in ended) and
          not differences(here, there), ended[1].stderr, differences(here, there)[:5])
    came = assay("scan", f"{at}/everything", "*", "--count", CLICKHOUSE_USER="", CLICKHOUSE_PASSWORD="wrong")
    check("a password alone is that of the user default", came.returncode == 3 and "user default" in came.stderr,
          came.stderr)

    came = assay("init", "first", "--source", f"{at}/everything")
    check("init: a server does not tell the site", came.returncode == 2 and "--site stackoverflow.com" in came.stderr and
          not os.path.exists("first"), came.stderr)
    count = sum(it["PostTypeId"] == "1" for it in posts)
    came = assay("init", "first", "--source", f"{at}/everything", "--site", "stackoverflow.com")
    dump = assay("init", "first-dump", "--source", "simdump", "--site", "stackoverflow.com")
    check("init: what a server holds", came.returncode == 0 and f"{at}/everything: {count} questions, " in came.stdout and
          came.stdout.splitlines()[1:3] == dump.stdout.splitlines()[1:3], came.stdout, dump.stdout, came.stderr)
    texts = [open(os.path.join(it, "study.yaml")).read() for it in ("first", "first-dump")]
    check("init: the same study as of the dump", texts[0] == texts[1].replace("study: first-dump", "study: first").replace(
        "stackexchange: '../simdump'", f"clickhouse: '{at}/everything'"), *texts)
    came = run("first")
    check("init: and it runs", came.returncode == 0, came.stderr)
    came = assay("init", "published", "--source", f"{at}/everything", "--template", "zhang2019")
    text = open("published/study.yaml").read()
    check("init: a published study of it", came.returncode == 0 and f"\n  clickhouse: '{at}/everything'\n" in text and
          "stackexchange: " not in text, came.stderr)
    came = assay("init", "second", "--source", f"{at}/no_Tags", "--site", "stackoverflow.com")
    check("init: columns that are not there are told", came.returncode == 0 and told("Tags") in came.stderr, came.stderr)
    came = assay("init", "third", "--source", f"{at}/nothing", "--site", "stackoverflow.com")
    check("init: no such table", came.returncode == 1 and f"{at}/nothing: there is no table" in came.stderr and
          not os.path.exists("third"), came.stderr)


def killed(servers, truth):
    """kill -9 at several moments of an ingest: the corpus is the same in the end."""
    first = servers[0]
    sets = {"all": "score:-100..", "words": "prose:error"}
    source = f"  clickhouse: http://127.0.0.1:{first.http}/default/sim_posts\n"
    whole = study("kill-whole", source, sets)
    begun = time.time()
    run(whole)
    took = time.time() - begun
    folder = study("kill-parts", source, sets)
    for i in range(6):
        it = subprocess.Popen([ASSAY, "ingest", folder, "--quiet"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        time.sleep(took * (i + 1) / 8)
        it.send_signal(signal.SIGKILL)
        it.wait()
    came = run(folder)
    check("killed six times: the same corpus in the end",
          came.returncode == 0 and items(folder) == items(whole), came.stderr)


def main():
    servers = [Server("one"), Server("two")]
    for server in servers:
        server.write(servers)
    try:
        for server in servers:
            server.start()
        rng = random.Random(int(os.environ.get("ASSAY_SEED", "20241")))
        subprocess.run([ASSAY, "synth", "--out", "plain", "--questions", "900", "--background", "900", "--seed", "5",
                        "--quiet"], check=True)
        tables = whole_seconds("plain", "simdump")
        posts = tables["Posts"]
        compare("sim", tables, "../simdump", servers, rng, 40, "2018-03-31")
        tables_of = [f"http://127.0.0.1:{servers[0].http}/default/sim_{it}posts" for it in ("", "null_", "text_", "both_")]
        tables_of += [f"http://127.0.0.1:{it.http}/default/posts" for it in servers[2:]]
        scanned("sim", posts, "simdump", tables_of, rng, 400 if LONG else 25)
        counted(servers[0], "sim_posts")
        layouts(servers, posts, rng)
        fractions(servers[0])
        ranges(servers[0])
        ordered(servers[0])
        bytes_of_any_kind(servers[0])
        lacking(servers[0], posts)
        tagged(servers)
        real = os.path.join(os.environ.get("ASSAY_DATA", ""), "dumps", "ai.stackexchange-sasiddiqui")
        if os.path.exists(real):
            tables = whole_seconds(real, "aidump")
            compare("ai", tables, "../aidump", servers, rng, 40, None)
            scanned("ai", tables["Posts"], "aidump", [f"http://127.0.0.1:{servers[0].http}/default/ai_both_posts"], rng,
                    100 if LONG else 4)
        else:
            print("# SKIP a real dump: ASSAY_DATA is not there")
        killed(servers, posts)
        goes_on(servers, posts)
        failures(servers, posts)
    finally:
        for server in servers:
            server.stop()
    return done()


sys.exit(main())
