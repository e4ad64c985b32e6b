"""Units in items, computed a second time: which units of raters are the same, agreement on them and
on their labels, final labels, tables that count units and items. Prints TAP lines without numbers.
usage: units_numbers.py make STUDY | check STUDY ASSAY"""
import collections
import csv
import io
import itertools
import json
import random
import re
import subprocess
import sys

SYMPTOMS, PARTS, RATERS = ["crash", "slow", "wrong"], ["data", "model"], ["ann", "ben", "cid"]


def check(holds, name, note=""):
    print(("ok" if holds else "not ok") + " - " + name + (f" ({note})" if note and not holds else ""))


def make(study):
    """Posts, and what three raters say of units in them; by chance, but always the same."""
    dice = random.Random(15)
    with open(study + "/posts.csv", "w") as file:
        file.write("Id,Title,Body,Tags,Score,CreationDate\n")
        for i in range(1, 61):
            file.write(f"{i},Question {i},<p>text</p>,<keras>,{i % 7},2018-01-{i % 28 + 1:02}T00:00:00\n")
    with open(study + "/study.yaml") as file:
        text = file.read().replace("raters: [ann, ben]", f"raters: [{', '.join(RATERS)}]")
    with open(study + "/study.yaml", "w") as file:
        file.write(text)
    rows = []
    for item in range(1, 61):
        truth = [(dice.randrange(1, 30), dice.choice(SYMPTOMS), dice.choice(PARTS)) for _ in range(dice.randrange(1, 4))]
        for rater in dice.sample(RATERS, dice.choice([2, 2, 3])):
            number = 0
            for line, symptom, part in truth:
                if dice.random() < 0.2 and number > 0:
                    continue
                number += 1
                first = max(1, line + dice.randrange(-1, 2))
                last = first + dice.randrange(0, 3)
                place = "" if dice.random() < 0.1 else f"body:{first}" + (f"-{last}" if last > first else "")
                if dice.random() < 0.25:
                    symptom = dice.choice(SYMPTOMS)
                rows += [[f"site:{item}", number, place, rater, "symptom", symptom],
                         [f"site:{item}", number, place, rater, "part", part]]
    with open(study + "/labels.csv", "w") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["item", "unit", "place", "rater", "dimension", "code"])
        out.writerows(rows)


def read_place(text):
    found = re.fullmatch(r"(.+):([LR]?)(\d+)(?:-[LR]?(\d+))?", text)
    if not found:
        return (text, "", 0, 0)
    return (found[1], found[2], int(found[3]), int(found[4] or found[3]))


def overlap(a, b):
    """How much of their lines they share; None: they have nothing to do with each other."""
    a, b = read_place(a), read_place(b)
    if a[0] != b[0]:
        return None
    if a[2] == 0 or b[2] == 0:
        return 1.0 if a[2] == b[2] == 0 else 0.0
    if a[1] != b[1]:
        return None
    one, two = set(range(a[2], a[3] + 1)), set(range(b[2], b[3] + 1))
    return len(one & two) / len(one | two) or None


def match(units):
    """units: (rater, name, place); groups of their numbers, in the order of their first members."""
    pairs = []
    for i, j in itertools.combinations(range(len(units)), 2):
        a, b = units[i], units[j]
        if a[0] == b[0]:
            continue
        if a[2] and b[2]:
            share = overlap(a[2], b[2])
            if share is not None:
                pairs.append((0, -share, i, j))
        elif a[1] == b[1]:
            pairs.append((1, 0, i, j))
    groups = [{i} for i in range(len(units))]
    for _, _, i, j in sorted(pairs):
        one = next(group for group in groups if i in group)
        two = next(group for group in groups if j in group)
        if one is two or {units[k][0] for k in one} & {units[k][0] for k in two}:
            continue
        groups = [group for group in groups if group is not one and group is not two] + [one | two]
    return sorted((sorted(group) for group in groups), key=min)


def kappa(pairs):
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    first, second = collections.Counter(a for a, _ in pairs), collections.Counter(b for _, b in pairs)
    expected = sum(first[c] * second[c] for c in first) / n / n
    return (observed - expected) / (1 - expected)


def alpha(units):
    """Krippendorff's, nominal; units: lists of labels."""
    units = [unit for unit in units if len(unit) > 1]
    together = collections.Counter()
    for unit in units:
        for a, b in itertools.permutations(range(len(unit)), 2):
            together[unit[a], unit[b]] += 1 / (len(unit) - 1)
    totals = collections.Counter()
    for (a, _), times in together.items():
        totals[a] += times
    n = sum(totals.values())
    differ = sum(times for (a, b), times in together.items() if a != b)
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b) / (n - 1)
    return 1 - differ / expected


def near(a, b):
    return abs(a - b) < 1e-9


def load(study):
    """Of each item its groups of units, each a list of (rater, labels by dimension)."""
    items = collections.defaultdict(dict)
    with open(study + "/labels.csv") as file:
        for row in csv.DictReader(file):
            unit = items[row["item"]].setdefault((row["rater"], row["unit"]), {"place": row["place"]})
            unit[row["dimension"]] = row["code"]
    out = {}
    for item, units in items.items():
        ordered = sorted(units.items(), key=lambda one: (RATERS.index(one[0][0]), int(one[0][1])))
        groups = match([(rater, name, unit["place"]) for (rater, name), unit in ordered])
        out[item] = [[(ordered[i][0][0], ordered[i][1]) for i in group] for group in groups]
    return out


def check_agreement(study, assay, items):
    said = json.loads(subprocess.run([assay, "agree", study, "--dimension", "symptom", "--json"],
                                     stdout=subprocess.PIPE, check=True).stdout)
    ours = said["dimensions"][0] if "dimensions" in said else said
    ours = ours.get("agreement", ours)
    everything = {"matched": 0, "first": 0, "second": 0}
    for a, b in itertools.combinations(RATERS, 2):
        both = [groups for groups in items.values()
                if {a, b} <= {rater for group in groups for rater, _ in group}]
        has = [({rater for rater, _ in group}) for groups in both for group in groups]
        first, second = sum(a in one for one in has), sum(b in one for one in has)
        matched = sum({a, b} <= one for one in has)
        everything["matched"] += matched
        everything["first"] += first
        everything["second"] += second
        found = next(one for one in ours["units"] if one.get("first") == a and one.get("second") == b)
        check((found["items"], found["first_units"], found["second_units"], found["matched"]) ==
              (len(both), first, second, matched) and near(found["f1"], 2 * matched / (first + second)),
              f"units of {a} and {b}: {matched} of {first} and {second} are the same, F1 {found['f1']:.3f}", str(found))
        pairs = [(dict(group)[a]["symptom"], dict(group)[b]["symptom"]) for groups in items.values()
                 for group in groups if {a, b} <= set(dict(group))]
        pair = next(one for one in ours["pairs"] if (one["first"], one["second"]) == (a, b))
        check(near(pair["cohen"]["value"], kappa(pairs)), f"kappa of {a} and {b} on the units that both have",
              f"{pair['cohen']} {kappa(pairs)}")
    whole = 2 * everything["matched"] / (everything["first"] + everything["second"])
    check(near(ours["units"][-1]["f1"], whole), f"F1 of all pairs: {whole:.3f}", str(ours["units"][-1]))
    expected = alpha([[unit["symptom"] for _, unit in group] for groups in items.values() for group in groups])
    check(near(ours["alpha"]["value"], expected), f"alpha of labels: {expected:.3f}", str(ours["alpha"]))
    return ours


def check_file(study, assay, ours):
    """The same from the csv alone."""
    with open(study + "/labels.csv") as file:
        rows = [row for row in csv.DictReader(file) if row["dimension"] == "symptom"]
    with open(study + "/symptom.csv", "w") as file:
        out = csv.DictWriter(file, ["item", "unit", "place", "rater", "code"], extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(rows, key=lambda row: (RATERS.index(row["rater"]))))
    said = json.loads(subprocess.run([assay, "agree", study + "/symptom.csv", "--label", "code", "--json"],
                                     stdout=subprocess.PIPE, check=True).stdout)
    check(said["units"] == ours["units"] and near(said["alpha"]["value"], ours["alpha"]["value"]),
          "agreement on a csv with units is that of the study", f"{said['units']} {ours['units']}")


def finals(items):
    """Of each item, the labels by dimension of its units: those on which all of its raters agree."""
    out = {}
    for item, groups in items.items():
        raters = {rater for group in groups for rater, _ in group}
        out[item] = []
        for group in groups:
            unit = {}
            for dimension in ("symptom", "part"):
                codes = {one[dimension] for _, one in group}
                if len(group) == len(raters) and len(codes) == 1:
                    unit[dimension] = codes.pop()
            out[item].append(unit)
    return out


def table(study, name):
    with open(f"{study}/out/tables/{name}.csv") as file:
        return list(csv.reader(file))


def check_tables(study, items):
    final = finals(items)
    units = collections.Counter(unit.get("symptom") for one in final.values() for unit in one)
    wholes = collections.Counter(code for one in final.values() for code in {unit.get("symptom") for unit in one})
    names = {"Crash": "crash", "Slow": "slow", "Wrong result": "wrong"}
    for name, expected in (("by-unit", units), ("by-item", wholes)):
        found = {names[row[0]]: int(row[1]) for row in table(study, name)[1:] if row[0] in names}
        check(found == {code: expected[code] for code in SYMPTOMS}, f"{name}: {found}", str(expected))
    total = next(row for row in table(study, "by-unit") if row[0] == "total")
    check(int(total[1]) == sum(units[code] for code in SYMPTOMS), f"the total counts units: {total[1]}", str(units))
    both = collections.Counter((unit.get("symptom"), unit.get("part")) for one in final.values() for unit in one)
    rows = table(study, "both")
    found = {(names[row[0]], head.split(":")[0].lower()): int(cell) for row in rows[1:] if row[0] in names
             for head, cell in zip(rows[0][1:], row[1:]) if head.split(":")[0] in ("Data", "Model")}
    check(found == {key: both[key] for key in found} and len(found) == 6, "two dimensions of the same units", f"{found} {both}")
    lists = io.StringIO(subprocess.run(["sh", "-c", f"cat {study}/out/items/by-unit/*.csv"], stdout=subprocess.PIPE,
                                       check=True).stdout.decode())
    check(any(re.match(r"site:\d+,\d+ body:\d+", line) for line in lists), "numbers lead to the item and the unit")
    states = collections.Counter(row[3] for row in csv.reader(open(f"{study}/out/labelling/bugs/final.symptom.csv")))
    check(states["unanimous"] == sum("symptom" in unit for one in final.values() for unit in one) and
          states["unanimous"] + states["unresolved"] == sum(len(one) for one in final.values()),
          f"states count units: {states['unanimous']} unanimous", str(states))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        known = load(sys.argv[2])
        check_file(sys.argv[2], sys.argv[3], check_agreement(sys.argv[2], sys.argv[3], known))
        check_tables(sys.argv[2], known)
