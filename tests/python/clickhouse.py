"""ClickHouse servers for tests, tables of posts for them, random queries and studies. Not a test by itself."""

import datetime
import filecmp
import os
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree

ASSAY, FOLDER = sys.argv[1:3]
LONG = bool(os.environ.get("ASSAY_LONG"))
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

# What the documentation has today.
TODAY = {name: {"DateTime": "DateTime64(3, 'UTC')"}.get(kind, kind) for name, kind in COLUMNS.items()} | {
    "ContentLicense": "LowCardinality(String)", "ParentId": "Nullable(Int64)"}

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
# In which order the documentation has them: not by their numbers.
ORDERS = {"Posts": "(PostTypeId, toDate(CreationDate), CreationDate, Id)", "Comments": "CreationDate", "Users": "(Id, CreationDate)",
          "PostLinks": "(PostId, RelatedPostId)", "Votes": "(VoteTypeId, CreationDate, PostId)", "Badges": "UserId",
          "PostHistory": "(CreationDate, PostId)"}
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
<connect_timeout_with_failover_ms>3000</connect_timeout_with_failover_ms></default></profiles><users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></default><guest><password>secret</password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></guest></users><quotas><default/></quotas></yandex>""")

    def start(self):
        self.launch(["clickhouse-server", "--config-file=config.xml"])

    def launch(self, command):
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                return self.ask("SELECT 1")
            except OSError:
                time.sleep(0.1)
        raise SystemExit("Bail out! a server does not start")

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def ask(self, sql, data=b" "):
        address = f"http://127.0.0.1:{self.http}/?query={urllib.parse.quote(sql)}"
        return urllib.request.urlopen(urllib.request.Request(address, data=data), timeout=60).read().decode()

    def fill(self, table, posts, columns=COLUMNS, tags=lambda text: text, order="Id"):
        self.ask(f"CREATE TABLE {table} ({', '.join(f'{a} {b}' for a, b in columns.items())}) ENGINE = MergeTree "
                 f"PARTITION BY tuple() ORDER BY {order}")
        lines = []
        for post in posts:
            values = []
            for name, kind in columns.items():
                value = post.get(name)
                if kind.startswith("Enum8"):
                    value = ENUMS[name][int(value) - 1]
                elif value is None:
                    value = r"\N" if "Nullable" in kind else "" if "String" in kind else "0".zfill(
                        10 if "DateTime" in kind else 1)
                elif "DateTime64" in kind:
                    value = value.replace("T", " ")
                elif "DateTime" in kind:
                    value = str(seconds(value)).zfill(10)
                elif name == "Tags":
                    value = tags(value)
                values.append(value.replace("\\", "\\\\") if value != r"\N" else value)
            lines.append("\t".join(it.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
                                   for it in values))
        self.ask(f"INSERT INTO {table} FORMAT TabSeparated", ("\n".join(lines) + "\n").encode())


class Today(Server):
    """Today's engine, from the library that ASSAY_CHDB names (npm's @chdb/lib-linux-x64-gnu has it)."""
    LIBRARY = os.environ.get("ASSAY_CHDB")

    def start(self):
        self.launch([sys.executable, os.path.join(os.path.dirname(__file__), "chdb_server.py"), self.LIBRARY,
                     str(self.http), os.path.join(self.folder, "data")])


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


def study(name, source, sets, until=None, also=(), store=None):
    folder = os.path.join(FOLDER, name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "study.yaml"), "w") as out:
        out.write(f"study: x\nsource:\n{source}  site: stackoverflow.com\n")
        if until:
            out.write(f"  until: {until}\n")
        if also:
            out.write(f"  also: [{', '.join(also)}]\n")
        if store:
            out.write(f"store: [{', '.join(store)}]\n")
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


def health(folder):
    skipped = ("| file", "| format", "| table", "| tags ", "| left aside")
    return [line for line in open(os.path.join(folder, "out", "health.md"))
            if line.startswith("|") and not line.startswith(skipped)]
