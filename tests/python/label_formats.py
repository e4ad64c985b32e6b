"""Reads what `assay export` wrote with Python's own readers: out.csv, out.wide, out.jsonl,
out.label-studio hold the same labels; a .qdc has the elements and attributes of REFI-QDA 1.5.
usage: label_formats.py STEM POSTS.json CODEBOOK.qdc"""
import csv
import json
import re
import sys
import xml.etree.ElementTree as ET

stem, posts, codebook = sys.argv[1:]
labels = {}
for row in csv.DictReader(open(stem + ".csv")):
    labels.setdefault((int(row["item"]), row["rater"], row["dimension"]), set()).add(row["code"])
assert len(labels) == 240, len(labels)

wide = {}
for row in csv.DictReader(open(stem + ".wide")):
    for head, cell in row.items():
        if head != "item" and cell:
            rater, dimension = head.split(":")
            wide[int(row["item"]), rater, dimension] = set(cell.split(";"))
assert wide == labels

lines = [json.loads(line) for line in open(stem + ".jsonl")]
assert {(o["item"], o["rater"], o["dimension"]): set(o["codes"]) for o in lines} == labels

studio = {}
for task in json.load(open(stem + ".label-studio")):
    said = [(a["completed_by"]["email"], a) for a in task["annotations"]]
    said += [(p["model_version"], p) for p in task["predictions"]]
    for rater, one in said:
        for result in one["result"]:
            if result["type"] == "choices":
                studio[task["data"]["item"], rater, result["from_name"]] = \
                    set(result["value"]["choices"])
assert studio == labels
for task in json.load(open(posts)):
    assert task["data"]["title"] == f'A "title" {task["id"]}', task["data"]
    assert task["data"]["text"] == f'<p>Text {task["id"]}</p>', task["data"]

SPACE = "{urn:QDA-XML:codebook:1.0}"
GUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
# Of each element: its attributes, and which elements it may hold, in this order.
RULES = {"CodeBook": ({"origin"}, ["Codes", "Sets"]), "Codes": (set(), ["Code"]),
         "Code": ({"guid", "name", "isCodable"}, ["Description", "Code"]),
         "Description": (set(), []), "Sets": (set(), ["Set"]),
         "Set": ({"guid", "name"}, ["Description", "MemberCode"]), "MemberCode": ({"guid"}, [])}
root = ET.parse(codebook).getroot()
assert root.tag == SPACE + "CodeBook"
for element in root.iter():
    assert element.tag.startswith(SPACE), element.tag
    attributes, within = RULES[element.tag[len(SPACE):]]
    assert set(element.attrib) == attributes, element.attrib
    places = [within.index(child.tag[len(SPACE):]) for child in element]
    assert places == sorted(places)
    assert "guid" not in attributes or GUID.fullmatch(element.get("guid"))
codes = {e.get("guid"): e for e in root.iter(SPACE + "Code")}
assert [e.get("name") for e in codes.values()] == [
    "cause", "Data <raw> & 'more'", "Parsing", "Model", "Unclear", "Its effect", "Crash", "Slow",
    "Wrong result"], [e.get("name") for e in codes.values()]
assert [e.get("name") for e in codes.values() if e.get("isCodable") == "false"] == [
    "cause", "Its effect"]
assert [codes[m.get("guid")].get("name") for m in root.iter(SPACE + "MemberCode")] == ["Unclear"]
text = codes[next(g for g, e in codes.items() if e.get("name").startswith("Data"))]
assert text.find(SPACE + "Description").text == \
    "What comes in.\nUse when: it does\nExample: one\nExample: two"
