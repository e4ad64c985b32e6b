"""Counts the dumps below a folder with the standard library and compares with assay scan.
Prints TAP. usage: scan_counts.py ASSAY FOLDER"""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

assay, folder = sys.argv[1:]
cases = 0
BLOCKS = set(
    "p li br div blockquote pre h1 h2 h3 h4 h5 h6 td th tr table ul ol hr dl dt dd".split()
)


class Prose(HTMLParser):
    """Text outside of <pre>; block elements part words."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text, self.depth = [], 0

    def handle_starttag(self, tag, attributes):
        if tag in BLOCKS:
            self.text.append("\n")
        if tag == "pre":
            self.depth += 1

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self.text.append("\n")
        if tag == "pre" and self.depth > 0:
            self.depth -= 1

    def handle_data(self, data):
        if self.depth == 0:
            self.text.append(data)


def prose_of(post):
    if "prose" not in post:  # made once a post
        parser = Prose()
        parser.feed(post.get("Body", ""))
        parser.close()
        post["prose"] = post.get("Title", "") + "\n" + "".join(parser.text)
    return post["prose"]


def has_code(post):
    return re.search(r"<pre[\s>]", post.get("Body", "")) is not None


def tags_of(post):
    return re.findall(r"[^<>|]+", post.get("Tags", ""))


def word(text):
    pattern = re.compile(r"(?<!\w)" + re.escape(text) + r"(?!\w)", re.I)
    return lambda post: pattern.search(prose_of(post)) is not None


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


def posts_in(path):
    for _, element in ElementTree.iterparse(path):
        if element.tag == "row":
            yield dict(element.attrib)
            element.clear()


for root, _, names in sorted(os.walk(folder)):
    for name in sorted(names):
        path = os.path.join(root, name)
        if not re.match(r"posts.*\.xml$", name, re.I) or "chicagoruby" in path:
            continue
        posts = list(posts_in(path))
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
