"""Labels that others published, against git and a computation of our own. Prints TAP lines without
numbers. usage: units_published.py make DATA FOLDER | places|faults DATA STUDY TOLD ASSAY"""
import collections
import csv
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

from units_numbers import alpha, check, near


def git(folder, *arguments):
    return subprocess.run(["git", "-C", folder, *arguments], stdout=subprocess.PIPE, check=True).stdout


def clone_all(data, folder):
    """Every commit of the bundles: where it is."""
    commits = {}
    for path in sorted(glob.glob(data + "/git/*.bundle")):
        to = os.path.join(folder, os.path.basename(path))
        subprocess.run(["git", "clone", "-q", "--bare", path, to], check=True, stderr=subprocess.DEVNULL)
        for commit in git(to, "rev-list", "--all").decode().split():
            commits[commit] = to
    return commits


def shown_lines(folder, commit):
    """Of each file's digest: its lines that the diff shows, as R12 and L12; None: it is a merge."""
    files, lines = {}, None
    if len(git(folder, "show", "-s", "--format=%P", commit).split()) > 1:
        return None
    text = git(folder, "-c", "core.quotePath=false", "show", "-M", "--format=", commit).decode("utf-8", "replace")
    old = new = left_old = left_new = 0
    for line in text.split("\n"):
        if left_old > 0 or left_new > 0:
            sign = line[:1] or " "
            if sign in " -":
                lines.add(f"L{old}")
                old, left_old = old + 1, left_old - 1
            if sign in " +":
                lines.add(f"R{new}")
                new, left_new = new + 1, left_new - 1
        elif line.startswith("diff --git "):
            lines = set()
        elif line.startswith(("--- a/", "+++ b/", "rename from ", "rename to ")):
            path = re.sub(r"^(--- a/|\+\+\+ b/|rename from |rename to )", "", line).rstrip("\t")
            for digest in (hashlib.md5, hashlib.sha256):
                files[digest(path.encode()).hexdigest()] = lines
            files[path] = lines
        elif line.startswith("@@ -"):
            found = re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
            old, left_old = int(found[1]), int(found[2] or 1)
            new, left_new = int(found[3]), int(found[4] or 1)
    return files


def judge(link, files):
    if files is None:
        return "no diff"
    address, _, anchor = link.partition("#")
    blob = re.search(r"/blob/[0-9a-f]+/(.+)", address)
    found = re.fullmatch(r"diff-([0-9a-f]{32}|[0-9a-f]{64})([LR]\d+)?", anchor)
    if blob:
        file, line = blob[1], "R" + anchor[1:] if anchor else None
    elif found:
        file, line = found[1], found[2]
    else:
        return "none" if anchor == "" else "no file"
    if file not in files:
        return "no file"
    return "shown" if line is None or line in files[file] else "outside"


def test_places(data, study, told, assay):
    with open(data + "/islam2019/bugs_all.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory() as folder:
        commits = clone_all(data, folder)
        ours = [(row, found[1]) for row in rows
                if (found := re.search(r"/(?:commit|blob)/([0-9a-f]{40})", row["item"])) and found[1] in commits]
        names = {os.path.basename(path)[:-7].replace("__", "/").lower() for path in glob.glob(data + "/git/*.bundle")}
        named = [row for row in rows if (found := re.match(r"https://github.com/([^/]+/[^/]+)/", row["item"]))
                 and found[1].lower() in names]
        check(len(named) > 100 and all(any(row is one for one, _ in ours) for row in named),
              f"every commit is there of the {len(named)} bugs whose links name a repository that we have")
        diffs = {commit: shown_lines(commits[commit], commit) for _, commit in ours}
        found = collections.Counter(judge(row["item"], diffs[commit]) for row, commit in ours)
    said = open(told, encoding="utf-8").read()
    check(f"of {len(ours)} units" in said, f"{len(ours)} bugs of {len({commit for _, commit in ours})} commits are imported", said)
    check(f"passed over: {len(rows) - len(ours)} rows" in said, f"{len(rows) - len(ours)} of other items are passed over", said)
    places = sum(found.values()) - found["none"]
    check(f"places in links: {places}, of which {found['shown']} are in the diff" in said,
          f"places: {places}, of which the diff shows {found['shown']}", said)
    for what, words in (("outside", "are lines that the diff of their commit does not show"),
                        ("no file", "are in no file that their commit changed"), ("no diff", "are in items without a diff")):
        check((f" {found[what]} {words}" in said) if found[what] else words not in said, f"{found[what]} {words}", said)
    check(found["shown"] > 0.95 * places, "nearly all places resolve", str(found))
    out = subprocess.run([assay, "export", "labels", study, "--data", data], stdout=subprocess.PIPE, check=True).stdout.decode()
    exported = [row for row in csv.DictReader(out.splitlines()) if row["dimension"] == "type"]
    check(len(exported) == len(ours) and len({(row["item"], row["unit"]) for row in exported}) == len(ours),
          "each of them is a unit with a label")
    check(all(re.fullmatch(r".+:[LR]\d+", row["place"]) for row in exported if not row["place"].startswith("diff-")),
          "with a file and a line")
    units = sum(int(row[1]) for row in list(csv.reader(open(study + "/out/tables/bugs.csv")))[1:])
    items = sum(int(row[1]) for row in list(csv.reader(open(study + "/out/tables/commits.csv")))[1:])
    kinds = len({(row["item"], row["code"]) for row in exported})
    check(units == len(ours) and items == kinds, f"a table counts {units} bugs, or {items} types of commits", f"{kinds}")
    check(open(study + "/out/tables/bugs.csv").read().split("\n")[1:] ==
          open(study + "/out/tables/from-file.csv").read().split("\n")[1:], "labels from the file itself give the same table")


def make_faults(data, folder):
    with open(data + "/dlfaults/labels.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kinds = {row["item"]: row["kind"] for row in rows}
    with open(folder + "/links.csv", "w", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["item", "kind"], *kinds.items()])
    with open(folder + "/codes.yaml", "w", encoding="utf-8") as file:
        file.write("codebook: faults\ncodes:\n")
        for i, name in enumerate(sorted({row["label"] for row in rows})):
            file.write(f"  f{i}: {{name: {json.dumps(name)}}}\n")


def agreement(rows):
    items = collections.defaultdict(list)
    for row in rows:
        items[row["item"]].append(row["label"])
    return sum(len(one) > 1 for one in items.values()), alpha(list(items.values()))


def test_faults(data, study, told, assay):
    path = data + "/dlfaults/labels.csv"
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check(f"{len(rows)} labels" in open(told).read(), f"{len(rows)} labels of {len({row['item'] for row in rows})} items")
    for column in ("kind", "round"):
        said = json.loads(subprocess.run([assay, "agree", path, "--by", column, "--json"], stdout=subprocess.PIPE,
                                         check=True).stdout)
        found = {part["part"]: part for part in said["parts"]}
        check(set(found) == {row[column] for row in rows}, f"agreement for each {column}", str(sorted(found)))
        for name, part in found.items():
            items, expected = agreement([row for row in rows if row[column] == name])
            check(part["items"] == items and near(part["alpha"]["value"], expected),
                  f"{column} {name}: alpha {expected:.3f} of {items} items", str(part["alpha"]))
    numbers = sorted({row["round"] for row in rows}, key=int)
    for number, name in enumerate(numbers, 1):
        said = json.loads(subprocess.run([assay, "agree", study, "--round", str(number), "--json"],
                                         stdout=subprocess.PIPE, check=True).stdout)
        ours = said["dimensions"][0] if "dimensions" in said else said
        ours = ours.get("agreement", ours)
        check(near(ours["alpha"]["value"], agreement([row for row in rows if row["round"] == name])[1]),
              f"round {name} of the study is that of the file", str(ours["alpha"]))


if sys.argv[1] == "make":
    make_faults(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "places":
    test_places(*sys.argv[2:])
else:
    test_faults(*sys.argv[2:])
