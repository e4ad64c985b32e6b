"""Labels of a study over several sites, given on the pages and by csv, out and in again, and in
its package: every item is that of its own site. Prints TAP.

usage: sites_labels.py ASSAY STUDY DATA    STUDY as sites_counts.py compares it, run"""

import asyncio
import csv
import io
import json
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

from label_client import Person, Server
from sites_counts import Study, plain, rows
from tap import check, done

CODES = ["red", "green", "blue"]


def code_of(key):
    return CODES[zlib.crc32(key.encode()) % 3]


class Bench:
    def __init__(self, assay, folder, data):
        self.assay, self.folder, self.data = assay, Path(folder), data
        self.study = Study(folder, data)
        sources = self.study.definition["sources"]
        self.hosts = {given["site"]: name for name, given in sources.items()}
        self.keys = [row["id"] for row in self.study.csv("samples/read.csv")]
        self.comments = {}
        for name, given in sources.items():
            if "comments" in given.get("also", []):
                for row in rows(self.study.path_of(given) / "Comments.xml"):
                    self.comments.setdefault((name, int(row["PostId"])), []).append(row["Text"])

    def run(self, *arguments):
        done = subprocess.run([self.assay, *map(str, arguments), "--data", self.data], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def at_link(self, link):
        found = re.fullmatch(r"https://([^/]+)/q/(\d+)", link or "")
        return found and self.study.by_key.get(f"{self.hosts.get(found[1])}:{found[2]}")


def words(markup):
    return re.findall(r"\w+", plain(markup))


async def label_on_pages(bench, port, tokens):
    """ann labels every item; what is wrong with what she sees."""
    lead, ann = Person(port, tokens["lead"]), Person(port, tokens["ann"])
    status, said = await lead.ask("round", {"kind": "main", "items": len(bench.keys), "raters": 0, "overlap": 1,
                                            "retest": 0})
    check("the lead opens a round", status == 200, said)
    seen, wrong, texts, comments = [], [], 0, 0
    for place in range(len(bench.keys)):
        _, shown = await ann.ask(f"at/{place}")
        item = shown["item"]
        q = bench.at_link(item["link"])
        if q is None or item.get("key") != bench.study.key(q):
            wrong.append(f"link {item['link']} of {item.get('key')}")
            continue
        seen.append(bench.study.key(q))
        if item["title"] != q.title or set(item["tags"]) != q.tags or item["score"] != q.numbers["score"]:
            wrong.append(f"title, tags or score of {item['key']}")
        beside = sorted(bench.comments.get((q.source, q.id), []))
        comments += len(beside)
        if sorted(c["text"] for c in item["comments"]) != beside:
            wrong.append(f"comments on {item['key']}: {item['comments']}, not {beside}")
        # Images are shown as a word and their address.
        if "<img" not in q.body:
            texts += 1
            if words(item["html"]) != words(q.body):
                wrong.append(f"text of {item['key']}")
        status, said = await ann.ask("label", {"item": item["id"], "dimension": "kind", "seconds": 1, "key": f"a{place}",
                                               "codes": [code_of(bench.study.key(q))]})
        if status != 200:
            wrong.append(f"label of {item['key']}: {said}")
    check(f"ann sees {len(seen)} items, each once: {texts} texts, {comments} comments and links of their sites",
          sorted(seen) == sorted(bench.keys) and texts > 30 and comments > 5 and not wrong, len(wrong), *wrong[:5])
    status, said = await lead.ask("round", {"close": 1})
    check("the lead closes it", status == 200, said)
    lead.drop()
    ann.drop()


def import_csv(bench):
    """bob's labels by csv: by key and by link."""
    path = bench.folder / "bob.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "rater", "code"])
        for place, key in enumerate(bench.keys):
            q = bench.study.by_key[key]
            writer.writerow([key if place % 2 else f"https://{q.site}/questions/{q.id}", "bob", code_of(key)])
    status, out, err = bench.run("import", "labels", path, bench.folder)
    check("labels of a csv, by keys and by links, are taken", status == 0, out, err)
    alone = bench.folder / "alone.csv"
    alone.write_text(f"item,rater,code\n{bench.keys[0].split(':')[1]},bob,red\n")
    status, out, err = bench.run("import", "labels", alone, bench.folder)
    check("a number without its source is refused, with its line", status == 1 and "alone.csv:2" in err, status, err)
    q = next(q for key, q in bench.study.by_key.items() if key not in bench.keys and
             any(k.split(":")[1] == str(q.id) for k in bench.keys))
    alone.write_text(f"item,rater,code\n{bench.study.key(q)},bob,red\n")
    status, out, err = bench.run("import", "labels", alone, bench.folder)
    check("its twin of another site, which was not drawn, is refused", status == 1 and bench.study.key(q) in err,
          status, err)


def round_trips(bench):
    status, out, err = bench.run("export", "labels", bench.folder)
    said = {(row["item"], row["rater"]): row["code"] for row in csv.DictReader(io.StringIO(out))}
    want = {(key, rater): code_of(key) for key in bench.keys for rater in ("ann", "bob")}
    check(f"exported: {len(want)} labels under their keys", said == want, err, sorted(set(said) ^ set(want))[:5])
    for form in ("csv", "wide", "jsonl", "label-studio"):
        copy = bench.folder.parent / f"copy-{form}"
        shutil.copytree(bench.folder, copy, ignore=shutil.ignore_patterns("labels.db*", ".assay-lock"))
        file = bench.folder.parent / f"labels-{form}"
        bench.run("export", "labels", bench.folder, "--format", form, "--out", file)
        taken = bench.run("import", "labels", file, copy, "--format", form)
        again = bench.run("export", "labels", copy)
        back = {(row["item"], row["rater"]): row["code"] for row in csv.DictReader(io.StringIO(again[1]))}
        same = bench.run("export", "labels", copy, "--format", form)[1]
        if form in ("csv", "wide"):
            check(f"{form}: out, in and out again is the same file", same == file.read_text(), taken[2])
        check(f"{form}: the same labels on the same items", back == want, taken, sorted(set(back) ^ set(want))[:3])
    bench.run("export", "labels", bench.folder, "--format", "label-studio", "--with-posts", "--out",
              bench.folder.parent / "posts.json")
    tasks = json.loads((bench.folder.parent / "posts.json").read_text())
    texts = [json.dumps(task["data"], ensure_ascii=False) for task in tasks]
    check("with posts: each task has its item's title",
          len(tasks) == len(bench.keys) and all(
              any(json.dumps(bench.study.by_key[key].title, ensure_ascii=False)[1:-1] in text and f'"{key}"' in text
                  for text in texts) for key in bench.keys), texts[0])


def results(bench):
    status, out, err = bench.run("run", bench.folder, "--quiet")
    check("the study runs with its labels", status == 0, err)
    final = {row["id"]: (row["code"], row["state"]) for row in bench.study.csv("labelling/kind/final.csv")}
    check("final labels: unanimous, under their keys",
          final == {key: (code_of(key), "unanimous") for key in bench.keys}, list(final.items())[:3])
    status, out, err = bench.run("agree", bench.folder)
    check("raters agree in full", status == 0 and "1.0" in out + err, out, err)


def package(bench):
    target = bench.folder.parent / "package"
    status, out, err = bench.run("export", "package", bench.folder, "--out", target, "--with-posts", "--quiet")
    check("a package is made", status == 0, err)
    listed = list(csv.DictReader(open(target / "attribution.csv", newline="")))
    wrong = [row for row in listed if bench.at_link(row["link"]) is not bench.study.by_key.get(row["id"], 0)]
    sampled = {row["id"] for name in ("read", "plain", "top") for row in bench.study.csv(f"samples/{name}.csv")}
    check(f"attribution.csv: {len(listed)} keys with links to their sites", sampled <= {r["id"] for r in listed} and
          not wrong, *wrong[:3])
    posts = [json.loads(line) for line in (target / "posts.jsonl").read_text().splitlines()]
    keyed = {str(post["id"]): post for post in posts}
    wrong = [key for key in sampled if key not in keyed or keyed[key]["title"] != bench.study.by_key[key].title or
             keyed[key]["body"] != bench.study.by_key[key].body]
    check(f"posts.jsonl: {len(posts)} posts, title and text of their sites", not wrong and len(keyed) == len(posts),
          len(wrong), *wrong[:5])
    inner = [str(path) for path in target.rglob("*") if path.suffix in (".csv", ".json", ".jsonl", ".md", ".lock") and
             re.search(r"(?<!\d)(10995116|21990232|32985348|43980465)\d{5}(?!\d)", path.read_text())]
    check("no inner number of an item is in the package", not inner, len(inner), *inner[:4])
    status, out, err = bench.run("verify", bench.folder, "--against", target)
    check("against the study: no difference", status == 0 and out.rstrip().endswith(" 0 differences"), out[-300:], err)
    elsewhere = bench.folder.parent / "elsewhere"
    shutil.copytree(target, elsewhere)
    shutil.rmtree(elsewhere / "out")
    (elsewhere / "assay.lock").unlink()
    status, out, err = bench.run("verify", elsewhere, "--against", target)
    check("rerun elsewhere from the dumps: no difference", status == 0 and out.rstrip().endswith(" 0 differences"),
          out[-300:], err)


def main():
    bench = Bench(*sys.argv[1:])
    server = Server(bench.assay, str(bench.folder))
    server.command += ["--data", bench.data]
    try:
        tokens = server.start()
        asyncio.run(label_on_pages(bench, server.port, tokens))
    finally:
        server.end()
    import_csv(bench)
    round_trips(bench)
    results(bench)
    package(bench)
    return done()


if __name__ == "__main__":
    sys.exit(main())
