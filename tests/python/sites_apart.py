"""A study over several simulated sites, whose ids overlap, is what the studies of each site say
together: sets, counts, sums, medians and users in each group and over all. Dumps, sets and
measures are drawn anew in every round. Prints TAP.

usage: sites_apart.py ASSAY FOLDER ROUNDS"""

import csv
import json
import math
import random
import statistics
import subprocess
import sys
from pathlib import Path

from sites_counts import quantity, read_sources
from tap import check, done

QUERIES = ["*", "[tensorflow] or [keras]", "prose:(model or data)", "score>=1", "hasaccepted:no views:50..",
           "created:2016..2018-06", "closed:no answers>0", "id:..700", "user:..150", "hascode:yes -[pytorch]"]
# Over all sites: added up, or taken anew from the values in all dumps.
ADDED = ["count", "count with accepted", "count closed", "sum views", "sum score", "sum answers",
         "distinct askers", "distinct answerers"]
POOLED = {"median views": statistics.median, "median score": statistics.median, "mean comments": statistics.fmean,
          "mean views": statistics.fmean, "sd views": statistics.stdev, "median minutes to first answer": statistics.median,
          "median minutes to accepted": statistics.median, "mean minutes to accepted": statistics.fmean}

def near(a, b):
    return a is None and b is None or None not in (a, b) and math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)


class Made:
    """A study that was run: tables by row and column, and sets."""

    def __init__(self, assay, folder, definition):
        self.folder = folder
        folder.mkdir()
        (folder / "study.yaml").write_text(json.dumps(definition))
        subprocess.run([assay, "run", folder, "--quiet"], check=True, stdout=subprocess.DEVNULL)

    def table(self, name):
        made = json.loads((self.folder / f"out/tables/{name}.json").read_text())
        return {row["path"]: {column["name"]: cell["value"] for column, cell in zip(made["columns"], row["cells"])}
                for row in made["rows"]}

    def set(self, name):
        return [row["id"] for row in csv.DictReader(open(self.folder / f"out/sets/{name}.csv", newline=""))]


def one_round(assay, folder, count, draw):
    names = [f"site{i}" for i in range(count)]
    sets = {f"s{i}": query for i, query in enumerate(draw.sample(QUERIES, 3))}
    columns = draw.sample(ADDED, 5) + draw.sample(list(POOLED), 3)
    for name in names:
        subprocess.run([assay, "synth", "--out", folder / name, "--questions", "400", "--background", "60",
                        "--seed", str(draw.randrange(10 ** 6)), "--quiet"], check=True)
    source = {name: {"stackexchange": f"../{name}", "site": f"{name}.example.com"} for name in names}
    both = {"take": "*", "sets": sets, "groups": {"site": "source"}}
    table = {"of": list(sets), "columns": columns}
    apart = {name: Made(assay, folder / f"study-{name}", {"study": name, "source": source[name], "take": "*",
                                                         "sets": sets, "tables": {"t": table}}) for name in names}
    joined = Made(assay, folder / "joined", {"study": "joined", "sources": source, **both, "tables": {
        "t": table, **{s: {"of": s, "by": "site", "columns": columns} for s in sets}}})
    posts = {f"{q.source}:{q.id}": q for q in read_sources({"sources": {
        name: {**source[name], "stackexchange": str(folder / name)} for name in names}}, "")[0]}
    what = f"{len(names)} sites, " + ", ".join(sets.values())
    keys = {name: [f"{site}:{i}" for site in names for i in apart[site].set(name)] for name in sets}
    check(f"{what}: sets of {', '.join(str(len(k)) for k in keys.values())} items, by site and number",
          all(joined.set(name) == keys[name] for name in sets))
    ids = [i for site in names for i in apart[site].set("s0")]
    check(f"{what}: {len(ids) - len(set(ids))} numbers stand for several items", len(set(ids)) < len(ids))
    wrong = [(s, site, c) for s in sets for site in names for c in columns
             if not near(joined.table(s)[site][c], apart[site].table("t")[s][c])]
    check(f"{what}: {len(sets) * len(names) * len(columns)} cells of single sites are those of their studies",
          not wrong, *wrong[:5])
    wrong = []
    for s in sets:
        for column in columns:
            parts = [apart[site].table("t")[s][column] for site in names]
            known = [part for part in parts if part is not None]
            if column in POOLED:
                values = quantity(column.split(" ", 1)[1], [posts[key] for key in keys[s]])
                want = POOLED[column](values) if len(values) > 1 else values[0] if values else None
            else:
                want = math.fsum(known) if known else None
            got = joined.table("t")[s][column]
            if not near(got, want):
                wrong.append(f"{s} {column}: got {got}, want {want}")
    check(f"{what}: {len(sets) * len(columns)} cells over all sites follow from them", not wrong, *wrong[:5])


def main():
    assay, folder, rounds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    for number in range(rounds):
        work = folder / f"round{number}"
        work.mkdir()
        one_round(assay, work, 2 + number % 3, random.Random(number + 1))
    return done()


if __name__ == "__main__":
    sys.exit(main())
