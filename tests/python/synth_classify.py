"""How hard the kinds of simulated questions are to tell apart: macro F1 of an averaged
perceptron on the words of title and prose, trained on one half and tried on the other.
usage: synth_classify.py FOLDER      prints the figure, with three digits"""

import csv
import html
import math
import re
import sys
import xml.etree.ElementTree as ElementTree

ROUNDS = 5


def words_of(post):
    body = re.sub(r"<pre.*?</pre>", " ", post["Body"], flags=re.S)
    text = post["Title"] + " " + html.unescape(re.sub(r"<[^>]+>", " ", body))
    return sorted(set(re.findall(r"[a-z0-9_.']+", text.lower())))


def read(folder):
    """(words, kind) of every question about deep learning, in the order of the ids."""
    with open(f"{folder}/truth.csv") as file:
        kinds = {row["id"]: row["kind"] for row in csv.DictReader(file) if row["kind"]}
    found = []
    for _, element in ElementTree.iterparse(f"{folder}/Posts.xml"):
        if element.tag == "row":
            if element.get("Id") in kinds:
                found.append((words_of(element.attrib), kinds[element.get("Id")]))
            element.clear()
    return found


def weights_of(words, seen, total):
    """Rare words say more; every question has the same length."""
    value = {w: math.log(total / seen[w]) for w in words if seen.get(w, 0) >= 2}
    norm = math.sqrt(sum(v * v for v in value.values())) or 1
    return {w: v / norm for w, v in value.items()}


def train(rows, labels):
    """Perceptron whose weights are the mean over all steps, kept as two sums."""
    now = {k: {} for k in labels}
    past = {k: {} for k in labels}
    step = 0
    for _ in range(ROUNDS):
        for value, kind in rows:
            step += 1
            best = max(labels, key=lambda k: sum(now[k].get(w, 0) * v
                                                 for w, v in value.items()))
            if best == kind:
                continue
            for w, v in value.items():
                for k, sign in ((kind, 1), (best, -1)):
                    now[k][w] = now[k].get(w, 0) + sign * v
                    past[k][w] = past[k].get(w, 0) + sign * v * step
    return {k: {w: x - past[k][w] / step for w, x in now[k].items()} for k in labels}


def macro_f1(pairs, labels):
    scores = []
    for label in labels:
        hit = sum(want == got == label for want, got in pairs)
        size = sum(want == label for want, _ in pairs) + sum(got == label for _, got in pairs)
        scores.append(2 * hit / size if size else 0)
    return sum(scores) / len(scores)


rows = read(sys.argv[1])
learn, trial = rows[::2], rows[1::2]
labels = sorted({kind for _, kind in rows})
seen = {}
for words, _ in learn:
    for word in words:
        seen[word] = seen.get(word, 0) + 1
model = train([(weights_of(words, seen, len(learn)), kind) for words, kind in learn], labels)
result = []
for words, kind in trial:
    value = weights_of(words, seen, len(learn))
    result.append((kind, max(labels, key=lambda k: sum(model[k].get(w, 0) * v
                                                       for w, v in value.items()))))
print(f"{macro_f1(result, labels):.3f}")
