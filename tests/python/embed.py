"""Vectors from a server of our own that answers well, badly, slowly, cut off: what is recorded,
what is asked again, what is refused; killed and gone on with; without a server. Then what uses
them: near duplicates, classifiers, topics and ask. Cosines are computed again here.
usage: embed.py ASSAY FOLDER"""
import base64
import gzip
import hashlib
import json
import math
import os
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from model_server import Server
from tap import check, done

ASSAY, FOLDER = sys.argv[1:]
ITEMS = 50
SECRET = "sk-very-secret-4711"
WORDS = ["alpha", "beta", "gamma", "delta"]


def body(i):
    return f"{WORDS[i % 4]} goes wrong {'twice' if i in (3, 7) else str(i) + ' times'}"


def text_of(i):
    """As a server gets it."""
    return f"Trouble with {WORDS[i % 4]}\n\n{body(i)}" if i != ITEMS else ""


def vector(text):
    """Near those of the same word; seven numbers."""
    own = hashlib.sha256(text.encode()).digest()
    return [4.0 if k < 4 and WORDS[k] in text else own[k] / 1000 for k in range(7)]


def study(url, more="", file="v.jsonl", extra=""):
    os.makedirs(FOLDER, exist_ok=True)
    with open(f"{FOLDER}/posts.csv", "w") as out:
        out.write("Id,PostTypeId,AcceptedAnswerId,Tags,CreationDate,Title,Body\n")
        for i in range(1, ITEMS + 1):
            title, text = ("", "") if i == ITEMS else (f"Trouble with {WORDS[i % 4]}",
                                                       f"<p>{body(i)}</p>")
            out.write(f"{i},1,{i + 1000},<x>,2011-01-01,{title},{text}\n")
    with open(f"{FOLDER}/study.yaml", "w") as out:
        out.write(f"""study: embed
source: {{posts: posts.csv}}
sets: {{all: '[x]'}}
vectors:
  toy: {{file: {file}, near: 0.999, embed: {{model: toy, url: '{url}'{more}}}}}
{extra}""")


def run(*arguments, env=None, timeout=120):
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(env or {})})


def fresh(server, more="", **kinds):
    subprocess.run(["rm", "-rf", FOLDER])
    server.plan = lambda request, n: {}
    server.vector = vector
    server.asked.clear()
    server.tries = server.most = 0
    server.key = None
    study(server.url, more, **kinds)


def records():
    with open(f"{FOLDER}/v.jsonl.records") as lines:
        return [json.loads(line) for line in lines]


def read(name="v.jsonl"):
    with open(f"{FOLDER}/{name}") as lines:
        return {r["id"]: [single(x) for x in r["vector"]] for r in map(json.loads, lines)}


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def expected():
    return {str(i): [single(x) for x in vector(text_of(i))] for i in range(1, ITEMS)}


def bytes_of(name):
    with open(f"{FOLDER}/{name}", "rb") as file:
        return file.read()


def well():
    server = Server()
    fresh(server, ", batch: 8, parallel: 3")
    waits = run("run", FOLDER)
    check("a run waits for vectors that are not there",
          waits.returncode == 0 and "vectors.toy" in waits.stdout + waits.stderr and
          "see assay embed" in waits.stdout + waits.stderr, waits.stdout, waits.stderr)
    dry = run("embed", FOLDER, "--dry-run")
    check("a dry run says what it would take, and asks nothing",
          dry.returncode == 0 and server.tries == 0 and "it would take 6 requests" in dry.stdout and
          "1 items without a text" in dry.stdout, dry.stdout, dry.stderr)
    server.plan = lambda request, n: {"sleep": 0.03, "data": lambda d: d[::-1]}
    one = run("embed", FOLDER)
    texts = [t for r in server.asked for t in r["input"]]
    different = {text_of(i) for i in range(1, ITEMS)}
    check("texts are sent once, in batches, several at a time, as title and body",
          one.returncode == 0 and sorted(texts) == sorted(different) and len(different) == 48 and
          len(server.asked) == 6 and 2 <= server.most <= 3 and
          all(r["model"] == "toy" for r in server.asked), one.stderr, server.most, len(texts))
    check("vectors are taken by their index, whatever their order", read() == expected(), read())
    lines = [r for r in records() if r.get("state") == "answered"]
    requests = {hashlib.sha256(json.dumps(r, separators=(",", ":")).encode()).hexdigest()
                for r in server.asked}
    check("what the record of a request has",
          {r["request"] for r in lines} == requests and
          {(r["asked"], r["answered"], r["digest"], r["url"], r["sent"]) for r in lines} ==
          {("toy", "toy-2", "sha256:feed", server.url, 1)} and
          sum(r["tokens"] for r in lines) == 480 and
          all(len(r["reply"]) == 64 and r["seconds"] >= 0.03 and r["at"] for r in lines) and
          any("/v1/models" in r.get("server", "") for r in records()), lines[0])
    known = {t: struct.unpack("<7f", base64.b64decode(v)) for r in lines
             for t, v in zip(r["texts"], r["vectors"])}
    check("vectors are kept by the hash of their text",
          all(known[hashlib.sha256(text_of(i).encode()).hexdigest()] ==
              tuple(expected()[str(i)]) for i in range(1, ITEMS)))
    before, kept = bytes_of("v.jsonl"), bytes_of("v.jsonl.records")
    server.stop()
    os.remove(f"{FOLDER}/v.jsonl")
    again = run("embed", FOLDER)
    check("a second call needs no server, and gives the same bytes",
          again.returncode == 0 and bytes_of("v.jsonl") == before and
          bytes_of("v.jsonl.records") == kept and "0 requests" in again.stderr, again.stderr)
    made = run("run", FOLDER)
    near = bytes_of("out/vectors/toy/near.csv").decode().split()[1:]
    pairs = {tuple(line.split(",")[:2]) for line in near}
    vectors = expected()
    wanted = set()
    for i in range(1, ITEMS):
        for k in range(i + 1, ITEMS):
            a, b = vectors[str(i)], vectors[str(k)]
            cosine = (sum(x * y for x, y in zip(a, b)) /
                      math.sqrt(sum(x * x for x in a) * sum(x * x for x in b)))
            if cosine >= 0.999:
                wanted.add((str(i), str(k)))
    check("near duplicates are those of Python", made.returncode == 0 and pairs == wanted and
          ("3", "7") in pairs, made.stderr, pairs ^ wanted)


def arrays():
    server = Server()
    fresh(server, file="v.npy, keys: v.keys")
    made = run("embed", FOLDER, "--quiet")
    raw = bytes_of("v.npy")
    length = raw[8] + 256 * raw[9]
    keys = bytes_of("v.keys").decode().split()
    numbers = struct.unpack(f"<{7 * len(keys)}f", raw[10 + length:])
    check("with a file for keys it is an array as NumPy reads it",
          made.returncode == 0 and (10 + length) % 64 == 0 and raw[:8] == b"\x93NUMPY\x01\x00" and
          f"'shape': ({len(keys)}, 7)".encode() in raw and
          {k: list(numbers[7 * i:7 * i + 7]) for i, k in enumerate(keys)} == expected(),
          made.stderr)
    ran = run("run", FOLDER)
    check("and a run reads it", ran.returncode == 0 and "49 of 50 items have a vector" in
          ran.stdout + ran.stderr, ran.stdout, ran.stderr)
    server.stop()


def badly():
    server = Server()
    bad = {
        "of another length": (lambda d: d[:-1] + [{**d[-1], "embedding": [1.0]}], "1 numbers"),
        "with null": (lambda d: [{**e, "embedding": [None] * 7} for e in d], "null"),
        "without an index": (lambda d: [{"embedding": e["embedding"]} for e in d], "no index"),
        "with an index twice": (lambda d: [{**e, "index": 0} for e in d], "there twice"),
        "beyond the texts": (lambda d: [{**e, "index": 99} for e in d], "another index"),
        "too few": (lambda d: d[:-1], "vectors, expected"),
        "as text": (lambda d: [{**e, "embedding": "AAAA"} for e in d], "a string"),
        "in base64 that are none": (lambda d: [{**e, "embedding": base64.b64encode(
            struct.pack("<7f", *[float("nan")] * 7)).decode()} for e in d], "is none, expected a finite"),
        "too large": (lambda d: [{**e, "embedding": [1e300] * 7} for e in d], "too large"),
    }
    for name, (data, says) in bad.items():
        fresh(server, ", batch: 8, parallel: 1")
        # The first batch is bad; its texts are then sent one by one, and are well.
        server.plan = lambda request, n, d=data: {"data": d} if n == 1 else {}
        made = run("embed", FOLDER, "--quiet")
        wrong = [r for r in records() if r.get("state") == "unusable"]
        check(f"vectors {name} are no answer, and its texts are asked for one by one",
              made.returncode == 0 and read() == expected() and len(wrong) == 1 and
              says in wrong[0]["says"] and sum(len(r["input"]) == 1 for r in server.asked) == 8,
              made.stderr, wrong)
    fresh(server)
    server.plan = lambda request, n: {"data": lambda d: [{**e, "embedding": base64.b64encode(
        struct.pack("<7f", *e["embedding"])).decode()} for e in d], "bytes": gzip.compress,
        "headers": [("Content-Encoding", "gzip")]}
    made = run("embed", FOLDER, "--quiet")
    check("vectors in base64, packed, are read", made.returncode == 0 and read() == expected(), made.stderr)
    fresh(server, ", batch: 8, parallel: 1")
    server.plan = lambda request, n: {"raw": b'{"data":[{"index":0,"embedding":[NaN]}]}'}
    made = run("embed", FOLDER, "--quiet")
    check("a server that never gives vectors ends it, with the place of what is wrong",
          made.returncode == 1 and "gives no vectors" in made.stderr and
          not os.path.exists(f"{FOLDER}/v.jsonl") and server.tries == 6, made.stderr, server.tries)
    server.plan = lambda request, n: {}
    made = run("embed", FOLDER, "--quiet")
    check("and once it does, the next call asks again", made.returncode == 0 and
          read() == expected(), made.stderr)
    fresh(server, ", batch: 8, parallel: 1")
    server.plan = lambda request, n: ({"status": 400, "error": {"error": {
        "message": "input is too long"}}} if any("13 times" in t for t in request["input"]) else {})
    made = run("embed", FOLDER)
    want = {k: v for k, v in expected().items() if k != "13"}
    check("a text that is not taken keeps no other away, and is told",
          made.returncode == 0 and read() == want and "no vector for 13: input is too long" in
          made.stderr, made.stderr)
    server.stop()
    made = run("embed", FOLDER)
    check("and is not asked for again", made.returncode == 0 and read() == want, made.stderr)
    server = Server()
    fresh(server, ", batch: 8, parallel: 1")
    server.plan = lambda request, n: ({"raw": b"<html>caf\xe9 \xff</html>"} if n == 1 else
                                      {"status": 400, "body": b"caf\xe9"} if n == 2 else {})
    made = run("embed", FOLDER, "--quiet")
    again = run("embed", FOLDER, "--quiet")
    check("what a server says need not be text, and the records can be read again",
          made.returncode == 0 and again.returncode == 0 and
          sum("caf\ufffd" in r.get("said", "") for r in records()) == 2, made.stderr, again.stderr)
    fresh(server, ", batch: 8, parallel: 2, seconds: 1")
    server.plan = lambda request, n: {1: {"cut": 40}, 2: {"status": 500}, 3: {"sleep": 1.5},
                                      4: {"status": 429, "headers": [("Retry-After", "1")]}
                                      }.get(n, {})
    made = run("embed", FOLDER)
    check("cut off, failing, too slow and limited it is sent again",
          made.returncode == 0 and read() == expected() and "4 sent again" in made.stderr,
          made.stderr)
    fresh(server, ", batch: 8, parallel: 1")
    run("embed", FOLDER, "--quiet")
    with open(f"{FOLDER}/posts.csv", "a") as out:
        out.write("99,1,1099,<x>,2011-01-01,New,<p>new</p>\n")
    server.plan = lambda request, n: {"model": "toy-3"}
    made = run("embed", FOLDER)
    check("a server that answers as another model is refused",
          made.returncode == 1 and "answers as 'toy-3'" in made.stderr and "'toy-2'" in made.stderr,
          made.stderr)
    server.plan, server.vector = (lambda request, n: {}), (lambda text: [1.0, 2.0])
    made = run("embed", FOLDER)
    check("and one whose vectors have another length",
          "expected 7 as all others" in made.stderr and "99" not in read(), made.stderr)
    fresh(server, ", batch: 8, parallel: 1")
    run("embed", FOLDER, "--quiet")
    with open(f"{FOLDER}/posts.csv", "a") as out:
        out.write("98,1,1098,<x>,2011-01-01,New,<p>new</p>\n")
    # It once does not say what it is; then it is another one.
    server.digest, server.plan = None, (lambda request, n: {"model": ""})
    silent = run("embed", FOLDER)
    with open(f"{FOLDER}/posts.csv", "a") as out:
        out.write("99,1,1099,<x>,2011-01-01,Newer,<p>newer</p>\n")
    server.digest, server.plan = "sha256:feed", (lambda request, n: {"model": "toy-3"})
    named = run("embed", FOLDER)
    server.digest, server.plan = "sha256:beef", (lambda request, n: {})
    weighed = run("embed", FOLDER)
    server.digest = "sha256:feed"
    check("one that once does not say what it is may not become another one by that",
          silent.returncode == 0 and named.returncode == 1 and "answers as 'toy-3'" in named.stderr
          and weighed.returncode == 1 and "sha256:beef" in weighed.stderr, silent.stderr,
          named.stderr, weighed.stderr)
    fresh(server, ", batch: 8, at-most: 3")
    made = run("embed", FOLDER)
    check("a budget holds over calls", made.returncode == 0 and server.tries == 3 and
          "24 texts not asked for" in made.stderr and len(read()) >= 24 and
          run("embed", FOLDER).returncode == 0 and server.tries == 3, made.stderr)
    with open(f"{FOLDER}/v.jsonl.records", "a") as out:
        out.write('{"state":"answered","asked":"toy","dimensions":0,"texts":["a"],"vectors":["A"]}\n')
    made = run("embed", FOLDER)
    check("damaged records are told with their place",
          made.returncode == 1 and "v.jsonl.records:" in made.stderr and "bytes of a vector" in
          made.stderr, made.stderr)
    server.stop()
    fresh(server)
    with open(f"{FOLDER}/v.jsonl", "w") as out:
        out.write('{"id":"1","vector":[1]}\n')
    made = run("embed", FOLDER)
    check("a file of somebody else's is not written over",
          made.returncode == 1 and "name another file" in made.stderr, made.stderr)


def secret():
    server = Server()
    fresh(server, ", key: TOY_KEY")
    server.key = SECRET
    made = run("embed", FOLDER)
    check("a key that is not set is asked for by name", made.returncode == 1 and
          "environment variable TOY_KEY" in made.stderr and server.tries == 0, made.stderr)
    wrong = run("embed", FOLDER, env={"TOY_KEY": "sk-wrong-key-1"})
    check("a wrong key is told, and not shown", wrong.returncode == 1 and
          "does not let us in" in wrong.stderr and "sk-wrong" not in wrong.stderr, wrong.stderr)
    made = run("embed", FOLDER, env={"TOY_KEY": SECRET})
    found = subprocess.run(["grep", "-rl", SECRET, FOLDER], capture_output=True, text=True)
    check("the key is used and stored nowhere",
          made.returncode == 0 and read() == expected() and found.stdout == "", found.stdout,
          made.stderr)
    server.stop()


def killed():
    server = Server()
    fresh(server, ", batch: 2, parallel: 2")
    server.plan = lambda request, n: {"sleep": 0.02}
    kills = 0
    for _ in range(40):
        program = subprocess.Popen([ASSAY, "embed", FOLDER, "--quiet"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        begun = server.tries
        while server.tries < begun + 5 and program.poll() is None:
            time.sleep(0.005)
        if program.poll() is not None:
            break
        program.send_signal(signal.SIGKILL)
        program.wait()
        kills += 1
    # A line that was not written whole, as a kill in the middle of writing leaves it.
    with open(f"{FOLDER}/v.jsonl.records", "a") as out:
        out.write('{"at":"2026-01-01T00:00:00","state":"answered","as')
    made = run("embed", FOLDER, "--quiet")
    texts = [t for r in server.asked for t in r["input"]]
    lines = records()
    check(f"killed {kills} times it goes on where it was, and loses nothing that came",
          kills >= 3 and made.returncode == 0 and read() == expected() and
          len(texts) <= 48 + 4 * kills and all("at" in r for r in lines), kills, len(texts),
          made.stderr)
    server.stop()


def used():
    server = Server()
    fresh(server, ", question-prefix: 'query: '")
    run("embed", FOLDER, "--quiet")
    run("run", FOLDER)
    asked = server.tries
    found = run("ask", FOLDER, "--item", "5", "--vectors", "toy", "--any", "--json", "--quiet")
    alike = json.loads(found.stdout)["alike"] if found.returncode == 0 else []
    vectors = expected()

    def nearest(own, without=None):
        def cosine(b):
            return (sum(x * y for x, y in zip(own, b)) /
                    math.sqrt(sum(x * x for x in own) * sum(x * x for x in b)))
        ranked = sorted(((cosine(v), -int(k)) for k, v in vectors.items() if k != without),
                        reverse=True)
        return [(-k, round(c, 4)) for c, k in ranked[:5]]
    check("of an item the nearest by vectors are those of Python, and no server is asked",
          found.returncode == 0 and server.tries == asked and
          [(int(a["item"]), a["cosine"]) for a in alike] == nearest(vectors["5"], "5"),
          found.stderr, alike, nearest(vectors["5"], "5"))
    question = "beta is broken"
    found = run("ask", FOLDER, question, "--vectors", "toy", "--any", "--json", "--quiet")
    alike = json.loads(found.stdout)["alike"] if found.returncode == 0 else []
    own = [single(x) for x in vector("query: " + question)]
    check("of a text the vector comes from the server, with the prefix of questions",
          found.returncode == 0 and server.asked[-1]["input"] == ["query: " + question] and
          [(int(a["item"]), a["cosine"]) for a in alike] == nearest(own), found.stderr, alike)
    text = run("ask", FOLDER, question, "--vectors", "toy", "--any", "--quiet")
    server.stop()
    again = run("ask", FOLDER, question, "--vectors", "toy", "--any", "--quiet")
    check("asked again it needs no server", again.returncode == 0 and again.stdout == text.stdout and
          "alike      by the vectors toy (cosine):" in again.stdout, again.stderr)
    with open(f"{FOLDER}/q.jsonl", "w") as out:
        out.write(json.dumps({"id": "q", "vector": own}) + "\n")
    given = run("ask", FOLDER, question, "--vectors", "toy", "--given", f"{FOLDER}/q.jsonl", "--any",
                "--quiet")
    check("or from a file", given.returncode == 0 and given.stdout == text.stdout, given.stderr)
    server = Server()
    server.vector = vector
    other = "gamma is broken"
    moved = run("ask", FOLDER, other, "--vectors", "toy", "--any", "--quiet", "--embed", server.url,
                "--embed-model", "toy")
    check("from another server a question is sent as the study says",
          moved.returncode == 0 and server.asked[-1]["input"] == ["query: " + other], moved.stderr,
          server.asked)
    check("what a server says of itself is written down when it is new",
          sum("server" in r for r in records()) == 1 and
          sum(r.get("state") == "answered" for r in records()) >= 4, [list(r) for r in records()])
    asked = server.tries
    with open(f"{FOLDER}/many.csv", "w") as out:
        out.write("id,body\n" + "".join(f"q{i},alpha is broken {i % 9} times\n" for i in range(12)))
    many = ["ask", FOLDER, "--in", f"{FOLDER}/many.csv", "--text", "body", "--id", "id", "--vectors",
            "toy", "--any", "--json", "--quiet", "--embed", server.url, "--embed-model", "toy"]
    found = run(*many)
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    alone = run("ask", FOLDER, "alpha is broken 5 times", *many[8:])
    check("many questions go into one request, equal ones once, and are what each is alone",
          found.returncode == 0 and len(lines) == 12 and server.tries == asked + 1 and
          len(server.asked[-1]["input"]) == 9 and alone.returncode == 0 and
          lines[5]["alike"] == json.loads(alone.stdout)["alike"] != [], found.stderr, server.tries)
    with open(f"{FOLDER}/many.csv") as table:
        piped = subprocess.run([ASSAY, *many[:3], "/dev/stdin", *many[4:]], input=table.read(),
                               capture_output=True, text=True)
    check("through a pipe, which can be read once, too",
          piped.returncode == 0 and piped.stdout == found.stdout, piped.stderr, piped.stdout[:300])
    asked = server.tries
    wrong = run("ask", FOLDER, "delta is broken", "--vectors", "toy", "--any", "--embed", server.url,
                "--embed-model", "toy-large")
    check("a question of another model than the items is not compared with them",
          wrong.returncode == 1 and server.tries == asked and "'toy-large'" in wrong.stderr and
          "v.jsonl.records: the vectors came from 'toy'" in wrong.stderr, wrong.stderr)
    server.stop()
    wrong = run("ask", FOLDER, question, "--vectors", "toi", "--any")
    check("vectors that the study has not are told", wrong.returncode == 2 and
          "did you mean 'toy'?" in wrong.stderr, wrong.stderr)
    server = Server()
    server.vector = vector
    with open(f"{FOLDER}/rows.csv", "w") as out, open(f"{FOLDER}/in.csv", "w") as new:
        out.write("id,text,kind\n")
        new.write("id,text\n")
        for i in range(1, 49):
            out.write(f"{i},{body(i)} and more text,{'odd' if i % 2 else 'even'}\n")
        for i in range(101, 105):
            new.write(f"{i},{body(i)} again\n")
    command = ["classify", "--data", f"{FOLDER}/rows.csv", "--text", "text", "--label", "kind",
               "--id", "id", "--vectors", f"{FOLDER}/rows.jsonl", "--folds", "3", "--in",
               f"{FOLDER}/in.csv", "--embed", server.url, "--embed-model", "toy"]
    made = run(*command)
    check("classify asks for the vectors of all its tables", made.returncode == 0 and
          len(read("rows.jsonl")) == 52 and "--vectors used in" in made.stdout, made.stderr,
          made.stdout)
    server.stop()
    again = run(*command)
    check("and gives the same without a server", again.returncode == 0 and
          again.stdout == made.stdout, again.stderr)
    with open(f"{FOLDER}/rows.jsonl") as lines:
        few = [l for l in lines if not l.startswith('{"id":"10')]
    with open(f"{FOLDER}/few.jsonl", "w") as out:
        out.writelines(few)
    silent = run(*command[:10], f"{FOLDER}/few.jsonl", *command[11:14], f"{FOLDER}/in.csv")
    check("posts of --in without a vector are told", silent.returncode == 0 and
          "4 of 4 posts of" in silent.stdout + silent.stderr, silent.stdout[-600:], silent.stderr)
    server = Server()
    server.vector = vector
    topics = run("topics", f"{FOLDER}/rows.csv", "--text", "text", "--id", "id", "--k", "4",
                 "--min-posts", "2", "--vectors", f"{FOLDER}/t.jsonl", "--embed", server.url,
                 "--embed-model", "toy", "--quiet")
    check("topics are clusters of vectors that were asked for", topics.returncode == 0 and
          len(read("t.jsonl")) == 48 and "k-means" in topics.stdout, topics.stderr)
    server.stop()


def interrupted():
    """Density compares every two vectors, which takes far longer than is waited here."""
    os.makedirs(FOLDER, exist_ok=True)
    with open(f"{FOLDER}/many.csv", "w") as out, open(f"{FOLDER}/many.jsonl", "w") as to:
        out.write("id,text\n")
        for i in range(12000):
            out.write(f"{i},{WORDS[i % 4]} and {WORDS[i % 3]}\n")
            to.write(json.dumps({"id": str(i), "vector": [(i * k * 7919 % 997) - 498
                                                          for k in range(1, 33)]}) + "\n")
    program = subprocess.Popen([ASSAY, "topics", f"{FOLDER}/many.csv", "--text", "text", "--id", "id",
                                "--vectors", f"{FOLDER}/many.jsonl", "--clusters", "density",
                                "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               # What runs in the background of a shell inherits that ^C is ignored.
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    time.sleep(4)
    busy = program.poll() is None
    program.send_signal(signal.SIGINT)
    begin = time.time()
    try:
        out, err = program.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        program.kill()
        out, err = program.communicate()
    check("clustering by density can be interrupted", busy and program.returncode > 0 and out == "" and
          "stopped by ^C" in err, busy, program.returncode, time.time() - begin, out[:200], err)


well()
arrays()
badly()
secret()
killed()
used()
interrupted()
done()
