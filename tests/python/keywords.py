"""`assay keywords` of a study's labels against brute force: random words, several labels an item;
counts by scikit-learn where it is there. Prints TAP. usage: keywords.py ASSAY FOLDER"""

import collections
import csv
import io
import math
import os
import random
import subprocess
import sys

from tap import check, done

PRIOR = 500  # words that the prior of Monroe, Colaresi and Quinn is worth
assay, folder = sys.argv[1:]
draw = random.Random(4)
vocabulary = ["w" + "".join(draw.choice("bdfgklmprstz") for _ in range(5)) for _ in range(300)]
classes = {"a": vocabulary[:120], "b": vocabulary[80:220], "c": vocabulary[150:]}
items = []
for number in range(1, 201):
    of = draw.sample(sorted(classes), draw.choice((1, 1, 2)))
    words = [draw.choice(classes[draw.choice(of)]) for _ in range(draw.randint(5, 40))]
    items.append((number, words[:3], words[3:], of))
with open(os.path.join(folder, "posts.csv"), "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(("Id", "Title", "Body"))
    table.writerows((n, " ".join(title), " ".join(body)) for n, title, body, _ in items)
with open(os.path.join(folder, "labels.csv"), "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(("item", "code"))
    table.writerows((n, code) for n, _, _, of in items for code in of)
with open(os.path.join(folder, "study.yaml"), "w") as file:
    file.write("study: words\nsource: {posts: posts.csv}\nsets: {all: '*'}\n"
               "labels: {kinds: {from: labels.csv}}\n")


def counts_of(chosen):
    """Of each word how often it stands in the texts, and in how many."""
    texts = [" ".join(title + body) for _, title, body, _ in chosen]
    try:
        from sklearn.feature_extraction.text import CountVectorizer
    except ImportError:
        split = [text.split() for text in texts]
        return (collections.Counter(w for text in split for w in text),
                collections.Counter(w for text in split for w in set(text)))
    counter = CountVectorizer()
    matrix = counter.fit_transform(texts)
    names = counter.get_feature_names_out()
    total, posts = matrix.sum(axis=0).A1, (matrix > 0).sum(axis=0).A1
    return dict(zip(names, map(int, total))), dict(zip(names, map(int, posts)))


def expected(code):
    inside, posts = counts_of([item for item in items if code in item[3]])
    outside, _ = counts_of([item for item in items if code not in item[3]])
    n_in, n_out = sum(inside.values()), sum(outside.values())
    for word, count in inside.items():
        prior = PRIOR * (count + outside.get(word, 0)) / (n_in + n_out)
        a, b = count + prior, outside.get(word, 0) + prior
        odds = math.log(a / (n_in + PRIOR - a)) - math.log(b / (n_out + PRIOR - b))
        yield word, (count, posts[word], odds, odds / math.sqrt(1 / a + 1 / b))


for order, place in (("count", 0), ("z", 3)):
    ran = subprocess.run([assay, "keywords", folder, "--by", order, "--top", "1000"],
                         capture_output=True, text=True)
    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    check(f"by {order}: it runs", ran.returncode == 0 and len(rows) > 200, ran.stderr)
    for code in classes:
        want = dict(expected(code))
        got = [row for row in rows if row["class"] == code]
        near = all(
            (int(row["count"]), int(row["posts"])) == want[row["word"]][:2]
            and abs(float(row["log_odds"]) - want[row["word"]][2]) < 6e-5
            and abs(float(row["z"]) - want[row["word"]][3]) < 6e-3
            for row in got if row["word"] in want)
        check(f"by {order}: words of {code}", near and {row["word"] for row in got} == set(want))
        values = [want[row["word"]][place] for row in got]
        check(f"by {order}: {code} in order", values == sorted(values, reverse=True))
sys.exit(done())
