"""Counts the dumps below a folder with the standard library and compares with assay scan.
Prints TAP. usage: scan_counts.py ASSAY FOLDER"""

import os
import re
import subprocess
import sys

from posts import has_code, has_word, prose_of, rows_in, tags_of

assay, folder = sys.argv[1:]
cases = 0


def word(text):
    return lambda post: has_word(prose_of(post), text)


def tagged(tag):
    return lambda post: tag in tags_of(post)


def check(path, query, want):
    global cases
    cases += 1
    done = subprocess.run([assay, "scan", path, query, "--count"], capture_output=True, text=True)
    got = done.stdout.strip() if done.returncode == 0 else done.stderr.strip()[:200]
    same = got == str(want)
    if not same:
        print(f"# assay says {got}, python {want}")
    name = os.path.relpath(path, folder)
    print(f"{'ok' if same else 'not ok'} {cases} - scan {name} '{query}' = {want}")


for root, _, names in sorted(os.walk(folder)):
    for name in sorted(names):
        path = os.path.join(root, name)
        if not re.match(r"posts.*\.xml$", name, re.I) or "chicagoruby" in path:
            continue
        posts = list(rows_in(path))
        counts = {}
        for post in posts:
            for tag in tags_of(post):
                counts[tag] = counts.get(tag, 0) + 1
        common = sorted(counts, key=lambda tag: (-counts[tag], tag))[:10]
        queries = {
            "is:question": lambda p: p.get("PostTypeId") == "1",
            "is:answer": lambda p: p.get("PostTypeId") == "2",
            "hasaccepted:yes": lambda p: "AcceptedAnswerId" in p,
            "score>5": lambda p: int(p.get("Score", 0)) > 5,
            "hascode:yes": has_code,
            "closed:yes": lambda p: "ClosedDate" in p,
            "created:2016..2018": lambda p: p.get("CreationDate", "")[:4] in "2016 2017 2018".split(),
            **{f"[{tag}]": tagged(tag) for tag in common},
            **{f"prose:{w}": word(w) for w in ("model", "the", "android", "ios", "data", "error")},
            'prose:"how to"': lambda p: re.search(r"(?<!\w)how\s+to(?!\w)", prose_of(p), re.I),
            "prose:deploy*": lambda p: re.search(r"(?<!\w)deploy", prose_of(p), re.I),
            'title:~"how to"': lambda p: "how to" in p.get("Title", "").lower(),
        }
        for query, holds in queries.items():
            check(path, query, sum(bool(holds(post)) for post in posts))
print(f"1..{cases}")
