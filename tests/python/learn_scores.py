"""Our linear classifier beside scikit-learn's TF-IDF with LinearSVC on real labelled posts.

usage: learn_scores.py ASSAY DATA [letters]     DATA/classify holds the csv files
Both learn from the same rows and are judged on the same rows: the published test file, or
5 folds in which the same text never stands on both sides. With `letters` both also look at
runs of letters, which takes longer. Prints TAP."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC

csv.field_size_limit(1 << 30)
SETS = [  # file, test file, text columns, label
    ("nlbse2024_train.csv", "nlbse2024_test.csv", "title,body", "label"),
    ("fse2020_dl_deployment.csv", None, "title,body_html,tags", "platform"),
    ("fse2020_dl_deployment.csv", None, "title,body_html,tags", "label"),
    ("liu2023_titles.csv", None, "title,tags", "label"),
    ("apicookbook_developer_need.csv", None, "title,body", "label"),
]


def load(path, label):
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(line.replace("\0", " ") for line in file))
    return [row for row in rows if row[label].strip()]


def save(path, rows, columns):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def joined(rows, text):
    return [" ".join(row[column] for column in text) for row in rows]


def splits(folder, train, test, text, label):
    rows = load(f"{folder}/{train}", label)
    if test:
        yield rows, load(f"{folder}/{test}", label)
        return
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=1)
    texts = joined(rows, text)
    for learned, asked in folds.split(texts, [row[label] for row in rows], texts):
        yield [rows[i] for i in learned], [rows[i] for i in asked]


def peer_score(learned, asked, text, label, letters):
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2)
    if letters:
        vectors = make_union(vectors, TfidfVectorizer(
            analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True, min_df=2))
    peer = make_pipeline(vectors, LinearSVC(C=0.3))
    peer.fit(joined(learned, text), [row[label].strip() for row in learned])
    truth = [row[label].strip() for row in asked]
    return f1_score(truth, peer.predict(joined(asked, text)), average="macro")


def our_score(assay, learned, asked, text, label, letters):
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("train.csv", "test.csv")]
        for file, rows in zip(files, (learned, asked)):
            save(file, rows, text + [label])
        command = [assay, "classify", "--data", files[0], "--test", files[1], "--text",
                   ",".join(text), "--label", label, "--json", "--features",
                   "all" if letters else "words"]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(out)["macro F1"][0]


def main():
    assay, folder = sys.argv[1], sys.argv[2] + "/classify"
    letters = "letters" in sys.argv[3:]
    failed = False
    for number, (train, test, columns, label) in enumerate(SETS, 1):
        text = columns.split(",")
        ours, theirs, seconds = [], [], [0.0, 0.0]
        for learned, asked in splits(folder, train, test, text, label):
            begun = time.time()
            ours.append(our_score(assay, learned, asked, text, label, letters))
            between = time.time()
            theirs.append(peer_score(learned, asked, text, label, letters))
            seconds[0] += between - begun
            seconds[1] += time.time() - between
        mean, peer = sum(ours) / len(ours), sum(theirs) / len(theirs)
        failed = failed or mean < peer
        print(f"{'ok' if mean >= peer else 'not ok'} {number} - {train} {label}: macro F1 "
              f"{mean:.3f} ({seconds[0]:.1f} s with tuning), scikit-learn {peer:.3f} "
              f"({seconds[1]:.1f} s without)", flush=True)
    print(f"1..{len(SETS)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
