"""The items behind numbers of the demo's first study against labels that assay export wrote, sets
and what was planted: exactly those, in Python. Prints TAP lines.
usage: demo_evidence.py DEMO-FOLDER SAID-CSV FINAL-CSV"""
import csv
import os
import re
import sys

DEMO, SAID, FINAL = sys.argv[1:4]
OUT = os.path.join(DEMO, "zhang2019", "out")
ROW = re.compile(r'<tr[^>]*><th scope="row"[^>]*>(.*?)</th>(.*?)</tr>')
CELL = re.compile(r"<td[^>]*>(.*?)</td>")
# Of codebooks/kinds.yaml: what raters see, and the code behind it.
CODES = {"Implementation": "implementation", "Program crash": "crash", "Training anomaly": "training",
         "Model migration": "migration", "Performance": "performance", "Comprehension": "comprehension",
         "Installation": "installation"}


def check(holds, name, note=""):
    print(("ok" if holds else "not ok") + " - " + name + (f" ({note})" if note and not holds else ""))


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ids_of(path):
    return {row["id"] for row in rows_of(path)}


def behind(cell):
    """The ids of the csv of the page that a number leads to; none without a link."""
    link = re.search(r'href="([^"#]*)', cell)
    if link is None:
        return set()
    page = os.path.join(OUT, "report", link[1])
    with open(page, encoding="utf-8") as file:
        path = re.search(r'<a href="([^"]*\.csv)">All as csv', file.read())[1]
    return ids_of(os.path.normpath(os.path.join(os.path.dirname(page), path)))


def table(name):
    with open(os.path.join(OUT, "tables", f"{name}.html"), encoding="utf-8") as file:
        return {row[0]: CELL.findall(row[1]) for row in ROW.findall(file.read())}


def check_raters():
    said = {}
    for row in rows_of(SAID):
        if row["again"] == "0" and row["kind"] in ("pilot", "main"):
            said.setdefault(row["item"], {})[row["rater"]] = row["code"]
    pairs = {item: sorted(by.values()) for item, by in said.items() if len(by) == 2}
    names = list(table("mixed-up"))
    wrong = [(one, two) for one, cells in table("mixed-up").items() for two, cell in zip(names, cells)
             if behind(cell) != {item for item, codes in pairs.items()
                                 if codes == sorted([CODES[one], CODES[two]])}]
    check(len(names) == 7 and not wrong, "what raters took for what: the items with these two labels", wrong)
    everyone = [behind(cells[0]) for cells in table("agreement").values()]
    check(everyone == [set(pairs)], "agreement: the items that both have labelled")
    states = {state: {row["item"] for row in rows_of(FINAL) if row["state"] == state} for state in table("settled")}
    check({state: behind(cells[0]) for state, cells in table("settled").items()} == states,
          "states: the items in each")


def check_classifier():
    final = {row["item"]: row["code"] for row in rows_of(FINAL)}
    scores = table("scores")
    held_out = next(behind(cells[0]) for cells in table("overall").values())
    check(len(held_out) == sum(len(behind(cells[0])) for cells in scores.values()) and held_out <= set(final),
          "scores: each item that was held out is of one class")
    check(all(behind(cells[0]) == {item for item in held_out if final[item] == CODES[name]}
              for name, cells in scores.items()), "scores: the items that are truly of the class")
    sample = ids_of(os.path.join(OUT, "samples", "labelled.csv"))
    check(all(behind(cells[0]) == {item for item in sample if final[item] == CODES[name]}
              for name, cells in table("estimated").items()), "shares: the labelled items of the class")


def check_funnel():
    with open(os.path.join(OUT, "report", "index.html"), encoding="utf-8") as file:
        rows = [(name, CELL.findall(cells)) for name, cells in ROW.findall(file.read().split("<h3>Samples")[0])]
    sets = {name: ids_of(os.path.join(OUT, "sets", f"{name}.csv")) for name in ("open", "questions", "resolved", "answered")}
    taken = {re.sub("<[^>]*>", "", name): behind(cells[1]) for name, cells in rows if len(cells) == 2 and cells[1]}
    check(taken == {"not in:resolved": sets["resolved"], "hasaccepted:yes": sets["open"],
                    "hasaccepted:yes or hasendorsed:yes": sets["questions"] - sets["answered"]},
          "funnels: the items that a condition took out", {key: len(found) for key, found in taken.items()})
    first = [behind(cells[0]) for name, cells in rows if "[tensorflow]" in name]
    check(first == [sets["questions"]] * 4, "funnels: the items that a condition left")


def check_test():
    truth = {row["id"]: row["kind"] for row in rows_of(os.path.join(DEMO, "dump", "truth.csv"))}
    resolved = ids_of(os.path.join(OUT, "sets", "resolved.csv"))
    with open(os.path.join(OUT, "tests", "hours.html"), encoding="utf-8") as file:
        sides = re.findall(r'<a href="[^"]*">([a-z]+): median [\d.]+ \(n = (\d+)\)', text := file.read())
    found = {name: behind(link) for (name, _), link in zip(sides, re.findall(r"<a [^>]*>", text))}
    check(len(sides) == 7 and all(len(found[name]) == int(count) for name, count in sides)
          and all(found[name] <= {item for item in resolved if truth[item] == name} for name in found),
          "a test: the items of each side, as many as it compares", {key: len(one) for key, one in found.items()})


check_raters()
check_classifier()
check_funnel()
check_test()
check(True, "done")
