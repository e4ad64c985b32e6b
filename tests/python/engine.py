"""The same studies over a dump and over ClickHouse servers that hold its posts: every output must be the
same. Then servers that are down, tables that are wrong, answers that break off. Prints TAP.
usage: engine.py ASSAY FOLDER"""

import datetime
import filecmp
import http.server
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree

from tap import check, done

ASSAY, FOLDER = sys.argv[1:3]
LONG = bool(os.environ.get("ASSAY_LONG"))
ALONE = 60 if LONG else 6
# As ClickHouse's documentation lays the table out, but for DateTime64, which old servers lack: what is
# missing is 0, '' or 1970. ParentId is text in one published version.
KINDS = ["Question", "Answer", "Wiki", "TagWikiExcerpt", "TagWiki", "ModeratorNomination", "WikiPlaceholder",
         "PrivilegeWiki"]
COLUMNS = {
    "Id": "Int32",
    "PostTypeId": "Enum8(" + ", ".join(f"'{name}' = {i + 1}" for i, name in enumerate(KINDS)) + ")",
    "AcceptedAnswerId": "UInt32", "CreationDate": "DateTime", "Score": "Int32", "ViewCount": "UInt32",
    "Body": "String", "OwnerUserId": "Int32", "LastActivityDate": "DateTime", "Title": "String",
    "Tags": "String", "AnswerCount": "UInt16", "CommentCount": "UInt8", "FavoriteCount": "UInt8",
    "ContentLicense": "String", "ParentId": "String", "CommunityOwnedDate": "DateTime",
    "ClosedDate": "DateTime"}
NULLABLE = {name: kind if name in ("Id", "PostTypeId") else f"Nullable({kind})".replace(
    "Nullable(String)", "String") for name, kind in COLUMNS.items()} | {"ParentId": "Nullable(Int64)"}

TEXTS = {name: "String" if kind in ("DateTime", "Int32", "UInt32") and name != "Id" else kind
         for name, kind in COLUMNS.items()}

# The tables beside the posts, in the same spirit.
BESIDE = {
    "Comments": {"Id": "UInt32", "PostId": "UInt32", "Score": "UInt16", "Text": "String", "CreationDate": "DateTime",
                 "UserId": "Int32", "UserDisplayName": "String"},
    "Users": {"Id": "Int32", "Reputation": "String", "CreationDate": "DateTime", "DisplayName": "String"},
    "PostLinks": {"Id": "UInt64", "CreationDate": "DateTime", "PostId": "Int32", "RelatedPostId": "Int32",
                  "LinkTypeId": "Enum8('Linked' = 1, 'Duplicate' = 3)"},
    "Votes": {"Id": "UInt32", "PostId": "Int32", "VoteTypeId": "UInt8", "CreationDate": "DateTime"},
    "Badges": {"Id": "UInt32", "UserId": "Int32", "Name": "String", "Date": "DateTime"},
    "PostHistory": {"Id": "UInt64", "PostHistoryTypeId": "UInt8", "PostId": "Int32", "CreationDate": "DateTime",
                    "UserId": "Int32"}}
ENUMS = {"PostTypeId": KINDS, "LinkTypeId": ["Linked", "", "Duplicate"]}


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


class Server:
    def __init__(self, name):
        self.folder = os.path.join(FOLDER, name)
        self.http, self.tcp = free_port(), free_port()
        self.process = None
        os.makedirs(self.folder)

    def write(self, others):
        shards = "".join(f"<shard><replica><host>127.0.0.1</host><port>{it.tcp}</port></replica></shard>"
                         for it in others)
        with open(os.path.join(self.folder, "config.xml"), "w") as out:
            out.write(f"""<yandex><logger><level>none</level><log>{self.folder}/log</log></logger>
<http_port>{self.http}</http_port><tcp_port>{self.tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
<path>{self.folder}/data/</path><tmp_path>{self.folder}/tmp/</tmp_path><users_config>users.xml</users_config>
<mark_cache_size>10485760</mark_cache_size><default_profile>default</default_profile>
<default_database>default</default_database><timezone>Asia/Kolkata</timezone>
<remote_servers><both>{shards}</both></remote_servers></yandex>""")
        with open(os.path.join(self.folder, "users.xml"), "w") as out:
            out.write("""<yandex><profiles><default><skip_unavailable_shards>1</skip_unavailable_shards>
<connect_timeout_with_failover_ms>200</connect_timeout_with_failover_ms></default></profiles><users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></default><guest><password>secret</password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></guest></users><quotas><default/></quotas></yandex>""")

    def start(self):
        self.process = subprocess.Popen(["clickhouse-server", "--config-file=config.xml"], cwd=self.folder,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                return self.ask("SELECT 1")
            except OSError:
                time.sleep(0.1)
        raise SystemExit("Bail out! clickhouse-server does not start")

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def ask(self, sql, data=b" "):
        address = f"http://127.0.0.1:{self.http}/?query={urllib.parse.quote(sql)}"
        return urllib.request.urlopen(urllib.request.Request(address, data=data), timeout=60).read().decode()

    def fill(self, table, posts, columns=COLUMNS, tags=lambda text: text):
        self.ask(f"CREATE TABLE {table} ({', '.join(f'{a} {b}' for a, b in columns.items())}) ENGINE = MergeTree "
                 "PARTITION BY tuple() ORDER BY Id")
        lines = []
        for post in posts:
            values = []
            for name, kind in columns.items():
                value = post.get(name)
                if kind.startswith("Enum8"):
                    value = ENUMS[name][int(value) - 1]
                elif value is None:
                    value = r"\N" if "Nullable" in kind else "" if kind == "String" else "0".zfill(
                        10 if kind == "DateTime" else 1)
                elif "DateTime" in kind:
                    value = str(seconds(value)).zfill(10)
                elif name == "Tags":
                    value = tags(value)
                values.append(value.replace("\\", "\\\\") if value != r"\N" else value)
            lines.append("\t".join(it.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
                                   for it in values))
        self.ask(f"INSERT INTO {table} FORMAT TabSeparated", ("\n".join(lines) + "\n").encode())


def seconds(text):
    return int(datetime.datetime.fromisoformat(text[:19] + "+00:00").timestamp())


def whole_seconds(folder, out):
    """The dump as tables without milliseconds can hold it: also no 0 favourites, which they take for none."""
    tables = {}
    os.makedirs(out, exist_ok=True)
    for table in ("Posts", *BESIDE):
        path = os.path.join(folder, table + ".xml")
        if not os.path.exists(path):
            continue
        text = open(path, encoding="utf-8-sig").read()
        text = re.sub(r'(T\d\d:\d\d:\d\d)\.\d+"', r'\1.000"', text)
        text = text.replace(' FavoriteCount="0"', "")
        with open(os.path.join(out, table + ".xml"), "w") as file:
            file.write(text)
        tables[table] = [it.attrib for it in ElementTree.fromstring(text.encode())]
    return tables


def random_around(rng, tags, words):
    """A condition on what is around a question."""
    text = rng.choice([
        lambda: f"answer:(score:{rng.randint(-1, 3)}..)", lambda: f"answer:(prose:{rng.choice(words)})",
        lambda: f"answer:(not body:{rng.choice(words)} and created:{rng.randint(2010, 2018)}..)",
        lambda: f"answer:(code:{rng.choice(words)} or reputation:{rng.randint(1, 900)}..)",
        lambda: f"comment:({rng.choice(words)} or thanks)", lambda: f"comment:(score:{rng.randint(0, 3)}..)",
        lambda: f"comment:(not {rng.choice(words)} and user:{rng.randint(1, 200)}..)",
        lambda: f"reputation:{rng.randint(1, 300)}..{rng.randint(300, 3000)}", lambda: "duplicate:yes",
        lambda: "hasendorsed:yes"])()
    return f"not {text}" if rng.random() < 0.3 else text


def random_query(rng, tags, words, depth=0):
    if depth < 3 and rng.random() < 0.55:
        join = rng.choice([" and ", " or "])
        return "(" + join.join(random_query(rng, tags, words, depth + 1) for _ in range(rng.randint(2, 3))) + ")"
    text = rng.choice([
        lambda: f"[{rng.choice(tags)}]", lambda: f"[{rng.choice(tags)[:4]}*]",
        lambda: f"[*{rng.choice(tags)[-4:]}*]",
        lambda: f"{rng.choice(['title', 'prose', 'body', 'code'])}:{rng.choice(words)}",
        lambda: f"{rng.choice(['title', 'prose', 'body'])}:{rng.choice(words)[:4]}*",
        lambda: f'prose:~"{rng.choice(words)} "', lambda: f"title:/{rng.choice(words)}/i",
        lambda: f"score:{rng.randint(-2, 3)}..", lambda: f"score:..{rng.randint(-1, 4)}",
        lambda: f"views:{rng.randint(10, 400)}..{rng.randint(400, 3000)}", lambda: f"answers:{rng.randint(0, 2)}",
        lambda: f"created:{rng.randint(2008, 2016)}..{rng.randint(2016, 2024)}",
        lambda: f"hasaccepted:{rng.choice(['yes', 'no'])}", lambda: f"closed:{rng.choice(['yes', 'no'])}",
        lambda: f"wiki:{rng.choice(['yes', 'no'])}", lambda: f"hascode:{rng.choice(['yes', 'no'])}",
        lambda: f"lastactive:{rng.randint(2015, 2021)}..", lambda: f"created:{rng.randint(100, 900)}d..",
        lambda: f"user:{rng.randint(1, 60)}", lambda: f"id:{rng.randint(1, 4000)}..",
        lambda: f"comments:{rng.randint(0, 3)}..", lambda: f"favorites:{rng.randint(1, 3)}.."])()
    if rng.random() < 0.15:
        text = random_around(rng, tags, words)
    return f"not {text}" if rng.random() < 0.3 else text


def study(name, source, sets, until=None, also=()):
    folder = os.path.join(FOLDER, name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "study.yaml"), "w") as out:
        out.write(f"study: x\nsource:\n{source}  site: stackoverflow.com\n")
        if until:
            out.write(f"  until: {until}\n")
        if also:
            out.write(f"  also: [{', '.join(also)}]\n")
        out.write("sets:\n" + "".join(f"  {key}: '{query}'\n" for key, query in sets.items()))
        out.write("groups:\n  year: created by year\n")
        out.write(f"""tables:
  all: {{of: [{', '.join(sets)}], columns: [count, share without accepted, median minutes to accepted,
         kaplan-meier median hours to accepted, median views, mean score, distinct asker, share of census]}}
  years: {{of: [{', '.join(list(sets)[:3])}], by: year, columns: [count, share of census, median answers]}}
""")
    return folder


def run(folder, **environment):
    return subprocess.run([ASSAY, "run", folder, "--quiet"], capture_output=True, text=True,
                          env=os.environ | environment)


def differences(left, right):
    """Files below out/ that differ, but for the names of sources."""
    found = []
    for place, _, files in os.walk(os.path.join(left, "out")):
        for file in files:
            one = os.path.join(place, file)
            other = one.replace(left, right, 1)
            if file == "health.md" or "/report" in one:
                continue
            if not os.path.exists(other) or not filecmp.cmp(one, other, shallow=False):
                found.append(os.path.relpath(one, left))
    return found


def items(folder):
    """All items, and all that hangs on them."""
    base = sqlite3.connect(os.path.join(folder, "corpus.db"))
    tables = ["post", "comment", "user", "link", "vote", "history", "badge", "late"]
    return {table: base.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in tables}


def health(folder):
    skipped = ("| file", "| format", "| table", "| tags ", "| left aside")
    return [line for line in open(os.path.join(folder, "out", "health.md"))
            if line.startswith("|") and not line.startswith(skipped)]


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
    first, second = servers
    first.fill(f"default.{label}_posts", posts)
    first.fill(f"default.{label}_null_posts", posts, NULLABLE,
               lambda text: text.replace("><", "|").replace("<", "|").replace(">", "|"))
    first.fill(f"default.{label}_text_posts", posts, TEXTS)
    for table in set(BESIDE) & set(tables):
        name = table.lower()
        first.fill(f"default.{label}_{name}", tables[table], BESIDE[table])
        for kind in ("null", "text"):
            first.ask(f"CREATE VIEW {label}_{kind}_{table} AS SELECT * FROM {label}_{name}")
    for number, server in enumerate(servers):
        for table in tables:
            name = f"{label}_part_{table.lower()}"
            server.fill("default." + name, [it for it in tables[table] if int(it["Id"]) % 2 == number],
                        BESIDE.get(table, COLUMNS))
            server.ask(f"CREATE TABLE {name.replace('_part_', '_both_')} AS {name} "
                       f"ENGINE = Distributed(both, default, {name})")
    sources = {
            "one server": f"  clickhouse: http://127.0.0.1:{first.http}/default/{label}_posts\n",
            "a table with NULL": f"  clickhouse: http://127.0.0.1:{first.http}/default/{label}_null_posts\n",
            "a table of texts": f"  clickhouse: http://127.0.0.1:{first.http}/default/{label}_text_posts\n",
            "two shards": f"  clickhouse: http://127.0.0.1:{first.http}/default\n  table: {label}_both_posts\n"}
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


class Broken(http.server.BaseHTTPRequestHandler):
    """A server whose answer breaks off: as told, with an exception in its middle or within a row."""
    way = "exception"

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.send_response(200)
        self.end_headers()
        if "system.columns" in asked:
            rows = "".join(f"[\t{name}\t{kind}\t`default`.`posts`\t]\n".replace("'", "\\'")
                           for name, kind in COLUMNS.items())
            self.wfile.write(rows.encode() if "`posts`" in asked else b"")
        elif "count()" in asked or "SELECT '[', max(" in asked:
            self.wfile.write(b"[" + b"\t2" * self.columns(asked) + b"\t]\n")
        elif Broken.way == "exception":
            self.wfile.write(b"Code: 241, e.displayText() = DB::Exception: Memory limit exceeded, e.what() = x\n")
        else:
            self.wfile.write(b"[\t17\t1")

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
    server_port, broken = 0, True

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        if Between.broken and b"`Body`" in asked and b") = 2" in asked:
            answer = b"Code: 1, e.displayText() = DB::Exception: not now, e.what() = x\n"
        else:
            answer = urllib.request.urlopen(urllib.request.Request(
                f"http://127.0.0.1:{Between.server_port}{self.path}", data=asked)).read()
        self.send_response(200)
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
    check("an ingest that goes on tells of them all", came.returncode == 0 and health(folder) == health(whole),
          came.stderr, [pair for pair in zip(health(whole), health(folder)) if pair[0] != pair[1]])


def failures(servers, posts):
    first, second = servers
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
    refused("half a row", address, "the server says: [", 3)
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


def killed(servers, truth):
    """kill -9 at several moments of an ingest: the corpus is the same in the end."""
    first, _ = servers
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
        rng = random.Random(20241)
        subprocess.run([ASSAY, "synth", "--out", "plain", "--questions", "900", "--background", "900", "--seed", "5",
                        "--quiet"], check=True)
        tables = whole_seconds("plain", "simdump")
        posts = tables["Posts"]
        compare("sim", tables, "../simdump", servers, rng, 40, "2018-03-31")
        real = os.path.join(os.environ.get("ASSAY_DATA", ""), "dumps", "ai.stackexchange-sasiddiqui")
        if os.path.exists(real):
            compare("ai", whole_seconds(real, "aidump"), "../aidump", servers, rng, 40, None)
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
