"""Models as raters, with llama.cpp's library and a model of random weights: what is recorded is what the model said,
asked again here with the bytes that were kept; killed and gone on with; without a server. What it says means nothing.
usage: llama.py ASSAY FOLDER-OF-THE-LIBRARY FOLDER"""
import csv
import hashlib
import json
import os
import signal
import sqlite3
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import tiny_gguf
from llama_server import Model, Server
from tap import check, done

ASSAY, LIBRARY, WORK = sys.argv[1:]
STUDY, WEIGHTS, ITEMS, RUNS = f"{WORK}/study", f"{WORK}/tiny.gguf", 12, 3
CODES = ["crash", "hang", "slow", "unclear", "wrong"]


def run(*arguments):
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True, timeout=200)


def ask():
    return run("label", STUDY, "--models", "--quiet")


def rows(sql):
    db = sqlite3.connect(f"{STUDY}/labels.db")
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def study(url, more="", several=False):
    subprocess.run(["rm", "-rf", STUDY])
    os.makedirs(STUDY)
    with open(f"{STUDY}/kinds.yaml", "w") as out:
        out.write("codebook: kinds\ntitle: Kinds of trouble\n" + ("several: yes\n" if several else "") + "codes:\n" +
                  "".join(f"  {code}: {{definition: It is {code}}}\n" for code in CODES if code != "unclear") +
                  "special: {unclear: Unclear}\n")
    with open(f"{STUDY}/study.yaml", "w") as out:
        out.write(f"""study: llama
source: {{stackexchange: ../dump}}
sets: {{all: 'is:question and hascode:no'}}
samples: {{some: {{of: all, size: {ITEMS}, seed: 3}}}}
codebooks: {{kinds: kinds.yaml}}
labelling:
  kinds: {{sample: some, raters: [ann, bob, {{model: tiny, url: '{url}', parallel: 3{more}}}], arbiter: ann}}
tables:
  records: {{labelling: kinds, show: models}}
  self: {{labelling: kinds, show: self-agreement}}
vectors:
  tiny: {{file: v.jsonl, embed: {{model: tiny, url: '{url}', batch: 8}}}}
""")
    made = run("run", STUDY)
    assert made.returncode == 0, made.stderr


def requests():
    """By item and run: what was asked, and what was recorded of it."""
    sql = ("SELECT a.item, a.run, p.text || m.text, a.codes, a.probability, a.tokens_in, a.tokens_out, r.text, a.state "
           "FROM answer a JOIN message m ON m.hash = a.request JOIN message p ON p.hash = m.before "
           "JOIN message r ON r.hash = a.reply ORDER BY a.item, a.run, a.id")
    return [(row[0], row[1], json.loads(row[2])) + row[3:] for row in rows(sql)]


def probability(choice, code):
    """Of the tokens that the code has part in."""
    tokens = choice["logprobs"]["content"]
    text = "".join(t["token"] for t in tokens)
    begin = text.index(f'"{code}"') + 1
    total, at = 0.0, 0
    for token in tokens:
        if at < begin + len(code) and at + len(token["token"]) > begin:
            total += token["logprob"]
        at += len(token["token"])
    return 2.718281828459045 ** total


def well(model):
    server = Server(model, "tiny")
    study(server.url, f", runs: {RUNS}, temperature: 1, logprobs: yes")
    one = ask()
    check("every item is answered in every run, at the first try",
          one.returncode == 0 and len(server.asked) == ITEMS * RUNS and
          rows("SELECT state, try, constrained, count(*) FROM answer GROUP BY 1, 2, 3") ==
          [("answered", 1, 1, ITEMS * RUNS)], one.stdout, one.stderr)
    with open(WEIGHTS, "rb") as file:
        digest = "sha256:" + hashlib.sha256(file.read()).hexdigest()
    check("the record has the model as asked and as answered, and the digest of its weights",
          rows("SELECT DISTINCT asked, answered, digest FROM answer") == [("tiny", model.about, digest)],
          rows("SELECT DISTINCT asked, answered, digest FROM answer"))
    check("runs have seeds of their own",
          rows("SELECT DISTINCT run, seed, temperature FROM answer ORDER BY 1") ==
          [(r + 1, r, 1.0) for r in range(RUNS)])
    recorded = requests()
    wrong = []
    for item, number, request, codes, p, tokens_in, tokens_out, reply, _ in recorded:
        again = model.complete(request)
        content = json.loads(reply)["choices"][0]["message"]["content"]
        code = json.loads(content)["code"]
        if (again["choices"][0]["message"]["content"] != content or json.loads(codes) != [code] or
                again["usage"] != {"prompt_tokens": tokens_in, "completion_tokens": tokens_out} or
                not abs(probability(again["choices"][0], code) - p) < 1e-9 * p):
            wrong.append((item, number, again, codes, p))
    check("the bytes that were kept, sent to the model again, give what was recorded: codes, tokens, probabilities",
          len(recorded) == ITEMS * RUNS and not wrong, wrong[:1])
    said = {code for code, in rows("SELECT DISTINCT codes FROM answer")}
    check("grammars hold it to the codes, of which it says several", 1 < len(said) and
          said <= {json.dumps([c]) for c in CODES}, said)
    server.stop()
    asked = len(server.asked)
    again = ask()
    check("a second run needs no server", again.returncode == 0 and len(server.asked) == asked and
          f"{ITEMS * RUNS} of them there before; 0 requests" in again.stdout, again.stdout, again.stderr)
    made = run("run", STUDY)
    with open(f"{STUDY}/out/tables/records.csv") as file:
        records = dict(row[:2] for row in csv.reader(file))
    check("the table of records counts what the database has",
          made.returncode == 0 and records["requests"] == str(ITEMS * RUNS) and
          records["items with all runs"] == str(ITEMS) and records["weights, digest"] == digest[:7 + 12] and
          records["tokens in"].replace(",", "") == str(sum(r[5] for r in recorded)) and
          records["tokens out"].replace(",", "") == str(sum(r[6] for r in recorded)), records, made.stderr)
    with open(f"{STUDY}/out/tables/self.csv") as file:
        own = list(csv.reader(file))
    runs = {}
    for item, _, _, codes, *_ in recorded:
        runs.setdefault(item, []).append(codes)
    pairs = [a == b for codes in runs.values() for i, a in enumerate(codes) for b in codes[:i]]
    share = float(own[1][next(i for i, name in enumerate(own[0]) if "percent" in name)])
    check("agreement of its runs, as counted here", abs(share - sum(pairs) / len(pairs)) < 1e-9, own, pairs)
    return [(item, number, codes, p) for item, number, _, codes, p, *_ in recorded]


def killed(model, before):
    server = Server(model, "tiny")
    study(server.url, f", runs: {RUNS}, temperature: 1, logprobs: yes")
    kills = 0
    while kills < 3:
        process = subprocess.Popen([ASSAY, "label", STUDY, "--models", "--quiet"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wanted, end = len(server.asked) + 7, time.time() + 100
        while len(server.asked) < wanted and process.poll() is None and time.time() < end:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
    last = ask()
    server.stop()
    after = [(item, number, codes, p) for item, number, _, codes, p, *_ in requests()]
    lost = len(server.asked) - ITEMS * RUNS
    check("killed three times it goes on where it was, and the answers are those of a run that was not",
          last.returncode == 0 and after == before and 0 <= lost <= 3 * kills,
          lost, len(after), last.stdout, last.stderr)


def plain(model):
    server = Server(model, "tiny")
    study(server.url, ", constrained: no, retries: 1, tokens: 40")
    one = ask()
    server.stop()
    states = dict(rows("SELECT state, count(*) FROM answer GROUP BY 1"))
    check("a model that is not held to the codes talks on, which is recorded and makes no label",
          one.returncode == 0 and set(states) <= {"cut", "unreadable"} and
          rows("SELECT DISTINCT codes, constrained FROM answer") == [("[]", 0)] and
          rows("SELECT count(DISTINCT item) FROM answer") == [(ITEMS,)], states, one.stdout, one.stderr)
    kept = [(request, reply) for _, _, request, *_, reply, _ in requests()]
    check("and its bytes, whatever they are, are kept",
          all(model.complete(request)["choices"] == json.loads(reply)["choices"] for request, reply in kept))


def several(model):
    server = Server(model, "tiny")
    study(server.url, ", temperature: 2", several=True)
    one = ask()
    server.stop()
    answers = [json.loads(codes) for codes, in rows("SELECT codes FROM answer WHERE state = 'answered'")]
    cut = rows("SELECT count(*) FROM answer WHERE state <> 'answered'")[0][0]
    check("of several codes it gives one or more, each once",
          one.returncode == 0 and len(answers) + cut == ITEMS and any(len(a) > 1 for a in answers) and
          all(a == sorted(set(a)) and set(a) <= set(CODES) for a in answers), answers, cut, one.stdout, one.stderr)


def vectors(model):
    server = Server(model, "tiny")
    study(server.url)
    one = run("embed", STUDY)
    server.stop()
    texts = [t for r in server.asked for t in r["input"]]
    good = sorted([struct.unpack("<f", struct.pack("<f", x))[0] for x in model.embed(t)] for t in set(texts))
    with open(f"{STUDY}/v.jsonl") as lines:
        got = [json.loads(line)["vector"] for line in lines]
    single = {tuple(struct.unpack("<f", struct.pack("<f", x))[0] for x in v) for v in got}
    check("vectors are those of the model", one.returncode == 0 and texts and
          single == {tuple(v) for v in good}, one.stdout, one.stderr, len(single), len(good))


with open(WEIGHTS, "wb") as out:
    out.write(tiny_gguf.model(1))
check("the same seed gives the same weights, another one others",
      tiny_gguf.model(1) == open(WEIGHTS, "rb").read() != tiny_gguf.model(2))
simulated = run("synth", "--out", f"{WORK}/dump", "--questions", "60", "--seed", "5", "--quiet")
assert simulated.returncode == 0, simulated.stderr
tiny = Model(LIBRARY, WEIGHTS)
first = well(tiny)
killed(tiny, first)
plain(tiny)
vectors(tiny)
# Weights that like a comma.
with open(WEIGHTS, "wb") as out:
    out.write(tiny_gguf.model(5))
several(Model(LIBRARY, WEIGHTS))
sys.exit(done())
