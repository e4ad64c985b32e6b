"""How much of what the demo's corpus has planted for each kind of extract the demo's studies find, as they
stand: names that too few items have, or too few beside others, are not told. Prints TAP lines with the counts
before them. usage: demo_recall.py DEMO-FOLDER"""
import csv
import sys

from planted_names import same

DEMO = sys.argv[1]

# Extract, its study, the set that it is of, what was planted, and how much is found at least.
EXTRACTS = (("demand", "zhang2019", "questions", "lacking", 0.5), ("messages", "zhang2019", "questions", "errors", 0.7),
            ("changes", "zhang2019", "questions", "setting", 0.9), ("confused", "zhang2019", "questions", "confused", 0.7),
            ("rules", "zhang2019", "questions", "rules", 0.9), ("misfits", "zhang2019", "questions", "misfits", 0.55),
            ("versions", "chen2020", "B", "versions", 0.75), ("hardware", "chen2020", "B", "hardware", 0.9),
            ("systems", "chen2020", "B", "systems", 0.65), ("apis", "islam2019", "with-code", "apis", 0.7),
            ("settings", "islam2019", "with-code", "setting", 0.7))


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(key):
    return key.split(":")[-1]


planted = rows_of(f"{DEMO}/dump/planted.csv")
for extract, study, of, what, least in EXTRACTS:
    found = {}
    for row in rows_of(f"{DEMO}/{study}/out/extracts/{extract}/items.csv"):
        found.setdefault(number(row["id"]), set()).add(row["code"])
    items = {number(row["id"]) for row in rows_of(f"{DEMO}/{study}/out/sets/{of}.csv")}
    there = [row for row in planted if row["what"] == what and row["id"] in items]

    def is_found(row):
        names = found.get(row["id"], ())
        if extract == "settings":  # "momentum raised": the question has some value of it
            return any(name.split(" = ")[0] == row["planted"].split()[0] for name in names)
        return any(same(row["planted"], name) for name in names)

    count = sum(map(is_found, there))
    print(f"# {study}, {extract}: {count} of {len(there)}")
    print(("ok" if there and count >= least * len(there) else "not ok") + f" - {extract}: at least {100 * least:.0f}%")
