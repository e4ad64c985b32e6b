"""Tags that belong to seed tags, counted with the standard library and compared with
assay scan --seeds: every row of both tables. Prints TAP. usage: tagsets.py ASSAY FOLDER"""

import os
import subprocess
import sys

from posts import rows_in, tags_of

assay, folder = sys.argv[1:]
CASES = [("ai.stackexchange-sasiddiqui/Posts.xml", "neural-networks,deep-learning"),
         ("chen2020-as-dump/Posts.xml", "tensorflow*,keras"),
         ("chen2020-as-dump/Posts.pipe-tags.xml", "coreml")]
RELEVANCE = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
SIGNIFICANCE = (0.001, 0.005, 0.01, 0.015, 0.02, 0.03)


def is_seed(tag, seeds):
    return any(tag == s or s.endswith("*") and tag.startswith(s[:-1]) for s in seeds)


def expected(path, seeds):
    questions = [set(tags_of(post)) for post in rows_in(path) if post.get("PostTypeId") == "1"]
    seeded = [tags for tags in questions if any(is_seed(t, seeds) for t in tags)]
    outside = [tags for tags in questions if not any(is_seed(t, seeds) for t in tags)]
    count, inside = {}, {}
    for tags in questions:
        for tag in tags:
            count[tag] = count.get(tag, 0) + 1
    for tags in seeded:
        for tag in tags:
            inside[tag] = inside.get(tag, 0) + 1
    lines = [f"{len(seeded)} of {len(questions)} questions have a seed tag"]

    def taken(relevance, significance):
        return [t for t in count if not is_seed(t, seeds) and
                inside.get(t, 0) / count[t] >= relevance and
                inside.get(t, 0) / len(seeded) >= significance]

    for tag in sorted(taken(RELEVANCE[0], SIGNIFICANCE[0]), key=lambda t: (-inside[t], t.encode())):
        lines.append("| %s | %d | %d | %.4f | %.4f | %d |" % (
            tag, count[tag], inside[tag], inside[tag] / count[tag], inside[tag] / len(seeded),
            count[tag] - inside[tag]))
    for relevance in RELEVANCE:
        for significance in SIGNIFICANCE:
            tags = set(taken(relevance, significance))
            more = sum(1 for one in outside if one & tags)
            lines.append("| %g | %g | %d | %d | %d |" % (
                relevance, significance, len(tags), more, len(seeded) + more))
    return lines


for number, (name, seeds) in enumerate(CASES, 1):
    path = os.path.join(folder, name)
    out = subprocess.run([assay, "scan", path, "--seeds", seeds, "--quiet"], capture_output=True,
                         text=True, check=True).stdout.split("\n")
    got = [line for line in out if line and not line.startswith(("| tag ", "| relevance at", "|--"))]
    want = expected(path, seeds.split(","))
    for a, b in zip(got, want):
        if a != b:
            print(f"# assay says {a}, python {b}")
            break
    print(f"{'ok' if got == want else 'not ok'} {number} - {seeds} in {name}: {len(want)} rows")
print(f"1..{len(CASES)}")
