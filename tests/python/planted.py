"""How much of what `assay synth --plant` planted the steps of a study find. Prints TAP lines with the
counts before them. usage: planted.py ASSAY STUDY-FOLDER PLANTED-CSV"""
import csv
import json
import subprocess
import sys

from planted_names import same

ASSAY, STUDY, PLANTED = sys.argv[1:4]


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def check(name, found, of, least):
    print(f"# {name}: {found} of {of}")
    print(("ok" if of > 0 and found >= least * of else "not ok") + f" - {name}: at least {100 * least:.0f}%")


def names(step):
    found = {}
    for row in rows_of(f"{STUDY}/out/extracts/{step}/items.csv"):
        found.setdefault(row["id"], set()).add(row["code"])
    return found


planted = {}
for row in rows_of(PLANTED):
    planted.setdefault(row["what"], []).append(row)

demand = names("demand")
lacking = planted["lacking"]
check("missing operators found", sum(row["planted"] in demand.get(row["id"], ()) for row in lacking),
      len(lacking), 0.65)
operators = {row["planted"] for row in lacking}
said = {(row["id"], row["planted"]) for row in lacking}
claimed = [(item, name) for item, all_names in demand.items() for name in all_names if name in operators]
check("planted operators said of the right posts", sum(pair in said for pair in claimed), len(claimed), 0.95)

changes = names("changes")
check("settings that answers change", sum(row["planted"] in changes.get(row["id"], ())
                                          for row in planted["setting"]), len(planted["setting"]), 0.7)


# One wording in seven or so is of a kind that the extractors are not known to find.
for what, least in (("errors", 0.6), ("versions", 0.75), ("misfits", 0.6), ("hardware", 0.8), ("systems", 0.7),
                    ("apis", 0.75), ("confused", 0.7), ("rules", 0.9)):
    found = names(what)
    missed = sorted({row["as"].replace("\n", "; ") for row in planted[what]
                     if not any(same(row["planted"], one) for one in found.get(row["id"], ()))})
    print(f"# of {what} missed: {missed}")
    check(f"planted {what}", sum(any(same(row["planted"], one) for one in found.get(row["id"], ()))
                                 for row in planted[what]), len(planted[what]), least)

verbs = {row["id"]: row["verb"] for row in rows_of(f"{STUDY}/out/phrases/verbs/main.csv")}
check("synonyms as verbs of their titles", sum(verbs.get(row["id"]) == row["as"] for row in planted["synonym"]),
      len(planted["synonym"]), 0.9)

# A pair counts where both verbs are in titles; either may be merged into the other.
found = set(verbs.values())
pairs = {frozenset((row["planted"], row["as"])) for row in planted["synonym"] if {row["planted"], row["as"]} <= found}
proposed = {frozenset((row["from"], row["into"])) for row in rows_of(f"{STUDY}/out/phrases/verbs/proposals.csv")
            if row["level"] == "action"}
print(f"# of synonyms not proposed: {sorted(' '.join(sorted(pair)) for pair in pairs - proposed)}")
check("pairs of synonyms that are proposed to be merged", len(pairs & proposed), len(pairs), 0.5)

first = hits = 0
for row in planted["duplicate"]:
    answer = json.loads(subprocess.run([ASSAY, "ask", STUDY, "--item", row["id"], "--top", "5", "--json", "--quiet"],
                                       capture_output=True, text=True, check=True).stdout)
    nearest = [str(item["item"]) for item in answer["nearest"]]
    first += nearest[:1] == [row["planted"]]
    hits += row["planted"] in nearest
print(f"# as the nearest: {first}")
check("questions asked before, among the five nearest", hits, len(planted["duplicate"]), 0.5)
