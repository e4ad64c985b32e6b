"""Tags that belong to seed tags, counted with the standard library and compared with
assay scan --seeds and with the steps tagsets and accepted of a study: every row. Prints
TAP. usage: tagsets.py ASSAY FOLDER [DUMP:SEEDS...]"""

import csv
import os
import subprocess
import sys
import tempfile

from posts import rows_in, tags_of

assay, folder = sys.argv[1:3]
CASES = [("ai.stackexchange-sasiddiqui/Posts.xml", "neural-networks,deep-learning"),
         ("chen2020-as-dump/Posts.xml", "tensorflow*,keras"),
         ("chen2020-as-dump/Posts.pipe-tags.xml", "coreml")]
if len(sys.argv) > 3:
    CASES = [tuple(case.split(":")) for case in sys.argv[3:]]
RELEVANCE = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
SIGNIFICANCE = (0.001, 0.005, 0.01, 0.015, 0.02, 0.03)
number = 0


def is_seed(tag, seeds):
    return any(tag == s or s.endswith("*") and tag.startswith(s[:-1]) for s in seeds)


class Counted:
    """All that the tables say, from the tags of each question."""

    def __init__(self, path, seeds, keep=lambda post: True):
        self.seeds = seeds
        self.questions = [set(tags_of(post)) for post in rows_in(path)
                          if post.get("PostTypeId") == "1" and keep(post)]
        self.seeded = [q for q in self.questions if any(is_seed(t, seeds) for t in q)]
        self.outside = [q for q in self.questions if not any(is_seed(t, seeds) for t in q)]
        self.count, self.inside = {}, {}
        for among, into in ((self.questions, self.count), (self.seeded, self.inside)):
            for tags in among:
                for tag in tags:
                    into[tag] = into.get(tag, 0) + 1

    def taken(self, relevance, significance):
        found = [t for t in self.count if not is_seed(t, self.seeds) and
                 self.inside.get(t, 0) / self.count[t] >= relevance and
                 self.inside.get(t, 0) / len(self.seeded) >= significance]
        return sorted(found, key=lambda t: (-self.inside[t], t.encode()))

    def adds(self, tags):
        return sum(1 for q in self.outside if q & set(tags))

    def candidates(self, relevance, significance):
        above = []
        for tag in self.taken(relevance, significance):
            new = self.adds(above + [tag]) - self.adds(above)
            above.append(tag)
            yield (tag, self.count[tag], self.inside[tag], self.inside[tag] / self.count[tag],
                   self.inside[tag] / len(self.seeded), self.count[tag] - self.inside[tag], new)

    def thresholds(self, relevances, significances):
        for relevance in relevances:
            for significance in significances:
                tags = self.taken(relevance, significance)
                more = self.adds(tags)
                yield relevance, significance, len(tags), more, len(self.seeded) + more


def tell(name, got, want):
    global number
    number += 1
    for a, b in zip(got, want):
        if a != b:
            print(f"# assay says {a}, python {b}")
            break
    print(f"{'ok' if got == want else 'not ok'} {number} - {name}: {len(want)} rows")


def scan(path, seeds):
    counted = Counted(path, seeds.split(","))
    want = [f"{len(counted.seeded)} of {len(counted.questions)} questions have a seed tag"]
    want += ["| %s | %d | %d | %.4f | %.4f | %d | %d |" % row
             for row in counted.candidates(RELEVANCE[0], SIGNIFICANCE[0])]
    want += ["| %g | %g | %d | %d | %d |" % row
             for row in counted.thresholds(RELEVANCE, SIGNIFICANCE)]
    out = subprocess.run([assay, "scan", path, "--seeds", seeds, "--quiet"], capture_output=True,
                         text=True, check=True).stdout.split("\n")
    got = [line for line in out if line and not line.startswith(("| tag ", "| relevance at", "|--"))]
    tell(f"scan {path} for {seeds}", got, want)


def read(home, name):
    with open(os.path.join(home, "out", name), newline="") as file:
        return list(csv.reader(file))[1:]


def numbers(home, step):
    return {row[1]: row[2] for row in read(home, f"numbers/{step}.csv")}


def run(home):
    subprocess.run([assay, "run", home, "--quiet"], capture_output=True, check=True)


def close(rows):
    return [tuple(round(float(x), 9) if i else x for i, x in enumerate(row)) for row in rows]


def study(path, seeds):
    """With thresholds of its own, among questions with a score; then every other candidate
    is accepted, and the set must be what seeds and accepted tags select."""
    counted = Counted(path, seeds.split(","), lambda post: int(post["Score"]) >= 0)
    wanted = list(counted.candidates(0.12, 0.002))
    with tempfile.TemporaryDirectory() as home:
        with open(os.path.join(home, "study.yaml"), "w") as out:
            out.write("study: s\nsource: {stackexchange: %s}\ntagsets:\n  it: {seeds: [%s], "
                      "relevance: 0.12, significance: 0.002, among: 'score:0..', decisions: d.csv}\n"
                      "sets: {all: '[tagset:it] and score:0..'}\n" % (os.path.abspath(path), seeds))
        run(home)
        tell("candidates of a study", close(read(home, "tagsets/it/candidates.csv")), close(wanted))
        rows = [row[1:] for row in close(read(home, "tagsets/it/thresholds.csv"))]
        want = counted.thresholds(sorted(RELEVANCE + (0.12,)), sorted(SIGNIFICANCE + (0.002,)))
        tell("thresholds of a study", rows, [tuple(round(float(x), 9) for x in w) for w in want])
        tell("at first the set is the seeds", [numbers(home, "sets.all")["count"]],
             [str(len(counted.seeded))])
        with open(os.path.join(home, "d.csv"), "w") as out:
            out.write("tag,accepted\n")
            for place, row in enumerate(wanted):
                out.write(f"{row[0]},{'no' if place % 2 else 'yes'}\n")
        run(home)
        accepted = [row[0] for row in wanted[::2]]
        all_of_it = str(len(counted.seeded) + counted.adds(accepted))
        tell("what accepted tags add is known without the dump",
             [numbers(home, "accepted.it")["questions"], numbers(home, "sets.all")["count"]],
             [all_of_it, all_of_it])
        above, want = [], []
        for tag in accepted:
            want.append((tag, counted.adds(above + [tag]) - counted.adds(above)))
            above.append(tag)
        got = [(row[0], int(row[7])) for row in read(home, "accepted/it/verdicts.csv")
               if row[1] == "accepted"]
        tell("what each of them adds beyond those above", got, want)


for name, seeds in CASES:
    scan(os.path.join(folder, name), seeds)
    study(os.path.join(folder, name), seeds)
print(f"1..{number}")
