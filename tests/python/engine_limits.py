"""Servers that meet a limit of theirs, or that say nothing: told by name, nothing half-written, and it goes on
afterwards. Prints TAP. usage: engine_limits.py ASSAY FOLDER"""

import http.server
import os
import re
import shutil
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

from clickhouse import Server, differences, run, study, whole_seconds
from tap import check, done

# Somebody whose questions may take a second, and give few rows at once; who may read and change no settings, be they
# as they should be or not.
HASTY = """<reader><readonly>1</readonly><skip_unavailable_shards>0</skip_unavailable_shards></reader>
<cut><readonly>1</readonly><skip_unavailable_shards>0</skip_unavailable_shards><max_result_rows>100</max_result_rows>
<result_overflow_mode>break</result_overflow_mode></cut><hasty><max_execution_time>1</max_execution_time><timeout_overflow_mode>break</timeout_overflow_mode>
<max_block_size>16</max_block_size><preferred_block_size_bytes>0</preferred_block_size_bytes></hasty></profiles>"""
USER = "".join(f"""<{who}><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>{who}</profile>
<quota>default</quota></{who}>""" for who in ("reader", "cut")) + """<hasty><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>hasty</profile>
<quota>default</quota></hasty></users>"""
ASKING = {"CLICKHOUSE_USER": "hasty", "CLICKHOUSE_PASSWORD": "secret"}
SLOW = "sleepEachRow(0.02) = 0"
SETS = {"all": "score:-100..", "words": "prose:error"}


class Silent(http.server.BaseHTTPRequestHandler):
    """Hands on what is asked, but for questions of some kind, which it leaves without an answer."""
    behind, left, after, met, short, heard = 0, None, 0, 0, False, []

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        Silent.heard.append(asked)
        if Silent.left and re.search(Silent.left, asked[:4000]):
            Silent.met += 1
            if Silent.met > Silent.after:
                time.sleep(20)
                return
        try:
            status, answer = 200, urllib.request.urlopen(urllib.request.Request(
                f"http://127.0.0.1:{Silent.behind}{self.path}", data=asked)).read()
        except urllib.error.HTTPError as error:
            status, answer = error.code, error.read()
        if Silent.short and b" AS s0" in asked:  # one row less, and the rest is whole
            answer = answer[:answer.rindex(b"\1]\1[") + 2]
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        try:
            self.wfile.write(answer)
        except OSError:
            pass

    def log_message(self, *_):
        pass


def reading(server, source, truth):
    """Somebody who may change no settings."""
    who = [{"CLICKHOUSE_USER": it, "CLICKHOUSE_PASSWORD": "secret"} for it in ("reader", "cut")]
    folder = study("reads", f"  clickhouse: http://127.0.0.1:{server.http}/default/posts\n", SETS)
    came = run(folder, **who[1])
    check("readonly = 1, and answers would be cut short: told by name", came.returncode == 3 and
          f"127.0.0.1:{server.http}" in came.stderr and "result_overflow_mode to 'break'" in came.stderr and
          "readonly = 2" in came.stderr and not parts(folder), came.stderr)
    came = run(folder, **who[0])
    check("readonly = 1: whoever may only read can study what a server holds", came.returncode == 0 and
          not differences(truth, folder), came.stderr, differences(truth, folder)[:5])
    folder = study("reads-store", source, SETS, None, (), [f"clickhouse://127.0.0.1:{server.http}/default"])
    came = run(folder, **who[0])
    check("but keep nothing there", came.returncode == 3 and "readonly mode" in came.stderr and not parts(folder),
          came.stderr)
    made = subprocess.run([sys.argv[1], "ingest", folder, "--quiet"], capture_output=True, text=True)
    came = run(folder, **who[0])
    check("unless it is there already", made.returncode == came.returncode == 0 and not differences(truth, folder),
          made.stderr, came.stderr, differences(truth, folder)[:5])
    os.makedirs("reads-many")
    for name, first, count in (("a", 1, 1), ("b", 100000000, 20000)):
        with open(f"reads-many/{name}.csv", "w") as out:
            out.write("id,body\n" + "".join(f"{first + i},an error\n" for i in range(count)))
    with open("reads-many/study.yaml", "w") as out:
        out.write("study: x\nsources:\n" + "".join(f"  {it}: {{posts: {it}.csv, site: {it}.example.org}}\n" for it in "ab") +
                  f"store: ['clickhouse://127.0.0.1:{server.http}/default']\nsets: {{words: 'prose:error'}}\n"
                  "tables: {all: {of: words, columns: [count]}}\n")
    made = subprocess.run([sys.argv[1], "ingest", "reads-many", "--quiet"], capture_output=True, text=True)
    came = run("reads-many", **who[0])
    check("be it however many items whose texts are looked into", made.returncode == came.returncode == 0 and
          "20001" in open("reads-many/out/tables/all.csv").read(), made.stderr, came.stderr)


def sealed(server, truth):
    """A server behind https, with a certificate of somebody's own."""
    if not shutil.which("openssl"):
        print("# SKIP https: openssl is not installed")
        return
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem",
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], check=True,
                   capture_output=True)
    gate = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    gate.socket = context.wrap_socket(gate.socket, server_side=True)
    threading.Thread(target=gate.serve_forever, daemon=True).start()
    here = f"https://127.0.0.1:{gate.server_address[1]}/default/posts"
    folder = study("sealed", f"  clickhouse: {here}\n", SETS)
    for file in ("", "none.pem"):
        came = run(folder, SSL_CERT_FILE=file)
        check(f"https, SSL_CERT_FILE='{file}': told", came.returncode == 3 and f"{here}: cannot be asked: its certificate is "
              "not trusted: " in came.stderr and "SSL_CERT_FILE" in came.stderr and not parts(folder), came.stderr)
    came = run(folder, SSL_CERT_FILE=os.path.abspath("cert.pem"))
    check("https, with a certificate of one's own that is trusted: the same", came.returncode == 0 and
          not differences(truth, folder), came.stderr, differences(truth, folder)[:5])


def short(server, gate, source, truth):
    """An answer that lacks a row and does not show it."""
    here = f"127.0.0.1:{gate.server_address[1]}"
    folder = study("short", source, SETS, None, (), [f"clickhouse://{here}/default"])
    made = subprocess.run([sys.argv[1], "ingest", folder, "--quiet"], capture_output=True, text=True)
    Silent.short = True
    came = run(folder)
    Silent.short = False
    given = re.search(r"gave (\d+) items of (\d+) that it had counted", came.stderr)
    check("a row less than were counted: told by name", made.returncode == 0 and came.returncode == 3 and
          here in came.stderr and given and int(given[1]) + 1 == int(given[2]), made.stderr, came.stderr)
    came = run(folder)
    check("and the same in the end", came.returncode == 0 and not differences(truth, folder), came.stderr)


def lean(gate, source):
    """What a study asks a store for."""
    folder = study("lean", source, {"all": "score:-100..", "tagged": "[tensorflow] or views:100.."}, None, (),
                   [f"clickhouse://127.0.0.1:{gate.server_address[1]}/default"])
    made = subprocess.run([sys.argv[1], "ingest", folder, "--quiet"], capture_output=True, text=True)
    Silent.heard = []
    came = run(folder)
    check("a study that looks into no body is given none", made.returncode == came.returncode == 0 and
          any(b"title" in it for it in Silent.heard) and not any(b" body" in it for it in Silent.heard), made.stderr, came.stderr,
          [it[:300] for it in Silent.heard if b" body" in it])
    blocks = [it for it in Silent.heard if b"id >= " in it]
    check("a block's question names its batches, which are the server's partitions", blocks and
          all(b" AND batch >= 1 AND batch <= 1 " in it for it in blocks), blocks)


def parts(folder):
    """What may not be there after an ingest that ended."""
    return os.path.exists(os.path.join(folder, "corpus.db"))


def limited_source(server, truth):
    """The engine's own limit, in the middle of an answer: a profile that cuts answers short must not shorten one."""
    server.ask(f"CREATE VIEW slow AS SELECT * FROM posts WHERE {SLOW}")
    folder = study("limit-source", f"  clickhouse: http://127.0.0.1:{server.http}/default/slow\n", SETS)
    came = run(folder, **ASKING)
    check("max_execution_time of a source: told by name", came.returncode == 3 and
          f"http://127.0.0.1:{server.http}/default/slow: the server says: Code: 159" in came.stderr and
          "imeout exceeded" in came.stderr, came.returncode, came.stderr)
    check("and there is no corpus", not parts(folder))
    server.ask("DROP TABLE slow")
    server.ask("CREATE VIEW slow AS SELECT * FROM posts")
    came = run(folder, **ASKING)
    check("it is quick again: the same in the end", came.returncode == 0 and not differences(truth, folder), came.stderr,
          differences(truth, folder)[:5])


def limited_store(server, source, truth):
    """The same where the server holds the items: in an ingest while it counts a batch, then in a study."""
    address = f"clickhouse://127.0.0.1:{server.http}/default"
    folder = study("limit-store", source, SETS, None, (), [address])
    came = run(folder, **ASKING)
    check("a study within the limits", came.returncode == 0 and not differences(truth, folder), came.stderr)
    table = server.ask("SELECT name FROM system.tables WHERE name LIKE 'assay_%'").strip()
    server.ask(f"RENAME TABLE {table} TO {table}_aside")
    server.ask(f"CREATE VIEW {table} AS SELECT * FROM {table}_aside WHERE {SLOW}")
    path = os.path.join(folder, "study.yaml")
    text = open(path).read()
    with open(path, "w") as out:
        out.write(text.replace("sets:\n", "sets:\n  newer: 'in:all and score:1..'\n"))
    before = {name: os.path.getmtime(os.path.join(folder, "out", "numbers", name))
              for name in os.listdir(os.path.join(folder, "out", "numbers"))}
    came = run(folder, **ASKING)
    check("max_execution_time of a store: told by name", came.returncode == 3 and
          f"127.0.0.1:{server.http}" in came.stderr and "Code: 159" in came.stderr, came.returncode, came.stderr)
    after = {name: os.path.getmtime(os.path.join(folder, "out", "numbers", name))
             for name in os.listdir(os.path.join(folder, "out", "numbers"))}
    check("and what was made stays as it was", before == after, [it for it in after if after[it] != before.get(it)])
    server.ask(f"DROP TABLE {table}")
    server.ask(f"RENAME TABLE {table}_aside TO {table}")
    came = run(folder, **ASKING)
    check("it is quick again: it goes on", came.returncode == 0, came.stderr)
    other = study("limit-other", source, SETS)
    shutil.copy(path, other)
    with open(os.path.join(other, "study.yaml")) as file:
        text = file.read()
    with open(os.path.join(other, "study.yaml"), "w") as out:
        out.write(re.sub("store: .*\n", "", text))
    run(other)
    check("with the same numbers", os.path.exists(os.path.join(other, "out", "numbers", "sets.newer.csv")) and
          not differences(other, folder), differences(other, folder)[:5])


def silent(server, gate, source, truth):
    """A server that is reached and says nothing."""
    here = f"127.0.0.1:{gate.server_address[1]}"
    said = "the server said nothing for 2 seconds; ASSAY_CLICKHOUSE_SECONDS"
    stored = [f"clickhouse://{here}/default"]
    whole = f"  clickhouse: http://{here}/default/posts\n"
    cases = {  # what is left without an answer, after how many that are answered
        "columns of a source": (whole, None, b"system.columns", 0), "posts of a source": (whole, None, b"`Body`", 0),
        "answers of a source": (whole, None, b"`Body`", 1), "its census": (whole, None, b"GROUP BY", 0),
        "tables of a store": (source, stored, b"^CREATE", 0), "items sent": (source, stored, b"^INSERT", 0),
        "items counted": (source, stored, b"cityHash64", 0), "columns of a study": (source, stored, b" AS s0", 0)}
    for label, (of, store, left, after) in cases.items():
        folder = study("silent-" + label.replace(" ", "-"), of, SETS, None, (), store)
        Silent.left, Silent.after, Silent.met = left, after, 0
        begun = time.time()
        came = run(folder, ASSAY_CLICKHOUSE_SECONDS="2")
        took = time.time() - begun
        check(f"silent, {label}: told by name, and asked but once", came.returncode == 3 and here in came.stderr and
              said in came.stderr and Silent.met == after + 1, came.returncode, came.stderr, Silent.met, f"{took:.1f} s")
        check(f"silent, {label}: nothing is half-written", parts(folder) == (label == "columns of a study") and
              not os.path.exists(os.path.join(folder, "out", "numbers", "tables.all.csv")), os.listdir(folder))
        Silent.left = None
        came = run(folder, ASSAY_CLICKHOUSE_SECONDS="60")
        check(f"silent, {label}: the same in the end", came.returncode == 0 and not differences(truth, folder),
              came.stderr, differences(truth, folder)[:5])
    for wrong in ("0", "soon", "1.5"):
        came = run(study("seconds", whole, SETS), ASSAY_CLICKHOUSE_SECONDS=wrong)
        check(f"{wrong} seconds: told", came.returncode == 1 and f"ASSAY_CLICKHOUSE_SECONDS: found '{wrong}', expected a "
              "whole number of seconds from 1 on" in came.stderr, came.returncode, came.stderr)


def main():
    server = Server("one")
    server.write([server])
    path = os.path.join(server.folder, "users.xml")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as out:
        out.write(text.replace("</profiles>", HASTY).replace("</users>", USER))
    gate = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    gate.daemon_threads = True
    threading.Thread(target=gate.serve_forever, daemon=True).start()
    try:
        server.start()
        Silent.behind = server.http
        subprocess.run([sys.argv[1], "synth", "--out", "plain", "--questions", "100", "--background", "100", "--seed", "9",
                        "--quiet"], check=True)
        server.fill("default.posts", whole_seconds("plain", "dump")["Posts"])
        source = "  stackexchange: ../dump\n"
        truth = study("truth", source, SETS)
        check("the study runs", run(truth).returncode == 0)
        limited_source(server, truth)
        limited_store(server, source, truth)
        silent(server, gate, source, truth)
        reading(server, source, truth)
        short(server, gate, source, truth)
        lean(gate, source)
        sealed(server, truth)
    finally:
        server.stop()
    return done()


sys.exit(main())
