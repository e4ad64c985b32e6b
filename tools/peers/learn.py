"""scikit-learn beside assay classify: the same files, the same folds, one thread.
usage: learn.py split FILE TEXT LABEL ID|- FOLDS OUT   writes OUT/train-N.csv, OUT/test-N.csv
       learn.py best OUT TEXT LABEL                    macro F1 of each method, tuned inside
       learn.py svm OUT TEXT LABEL C|tune              words and LinearSVC only: time and F1
       learn.py predict TRAIN POSTS TEXT LABEL         learn from TRAIN, predict POSTS: time
       learn.py score TRAIN TEST TEXT LABEL            macro F1 of each method on TEST
Times are of reading, fitting and predicting, without the start of Python."""
import csv
import glob
import os
import sys
import time
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, StratifiedGroupKFold, StratifiedKFold
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC

warnings.filterwarnings("ignore")
csv.field_size_limit(1 << 30)


def read(path, text, label=None):
    """The columns as one text each, and the labels."""
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        rows = list(csv.DictReader(file))
    texts = [" \n".join(row[column] for column in text.split(",")) for row in rows]
    return texts, [row[label] for row in rows] if label else None


def vectors(letters):
    words = TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2))
    if not letters:
        return words
    return make_union(words, TfidfVectorizer(sublinear_tf=True, min_df=2, analyzer="char_wb",
                                             ngram_range=(3, 5)))


def methods():
    weights = [None, "balanced"]
    return {
        "LinearSVC": (LinearSVC(random_state=1), {"C": [0.1, 0.3, 1, 3], "class_weight": weights}),
        "LogisticRegression": (LogisticRegression(solver="liblinear", random_state=1),
                               {"C": [1, 3, 10, 30], "class_weight": weights}),
        "ComplementNB": (ComplementNB(), {"alpha": [0.01, 0.1, 0.3, 1]}),
    }


def tuned(method, grid):
    return GridSearchCV(method, grid, scoring="f1_macro", cv=StratifiedKFold(3, shuffle=True,
                                                                             random_state=1))


def split(path, text, label, group, folds, out):
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        rows = [row for row in csv.DictReader(file) if row[label].strip()]
    labels = [row[label] for row in rows]
    if group == "-":
        parts = StratifiedKFold(int(folds), shuffle=True, random_state=1).split(rows, labels)
    else:
        parts = StratifiedGroupKFold(int(folds), shuffle=True, random_state=1).split(
            rows, labels, [row[group] for row in rows])
    for number, (train, test) in enumerate(parts):
        for name, places in (("train", train), ("test", test)):
            with open(f"{out}/{name}-{number}.csv", "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, text.split(",") + [label], extrasaction="ignore")
                writer.writeheader()
                writer.writerows(rows[place] for place in places)


def folds_of(out, text, label):
    for number in range(len(glob.glob(f"{out}/train-*.csv"))):
        yield (read(f"{out}/train-{number}.csv", text, label),
               read(f"{out}/test-{number}.csv", text, label))


def scores(train, test, letters):
    vectoriser = vectors(letters)
    learned, asked = vectoriser.fit_transform(train[0]), vectoriser.transform(test[0])
    for name, (method, grid) in methods().items():
        said = tuned(method, grid).fit(learned, train[1]).predict(asked)
        yield name + (", letters" if letters else ""), f1_score(test[1], said, average="macro")


def best(out, text, label):
    found = {}
    for train, test in folds_of(out, text, label):
        for letters in (False, True):
            for name, value in scores(train, test, letters):
                found.setdefault(name, []).append(value)
    for name, values in found.items():
        print(f"{sum(values) / len(values):.4f} {name}")


def svm(out, text, label, strength):
    begin, values = time.process_time(), []
    for train, test in folds_of(out, text, label):
        method = LinearSVC(random_state=1)
        method = (tuned(method, methods()["LinearSVC"][1]) if strength == "tune"
                  else method.set_params(C=float(strength)))
        model = make_pipeline(vectors(False), method).fit(*train)
        values.append(f1_score(test[1], model.predict(test[0]), average="macro"))
    print(f"{time.process_time() - begin:.3f} {sum(values) / len(values):.4f}")


def predict(train, posts, text, label):
    model = make_pipeline(vectors(False), LinearSVC(random_state=1)).fit(*read(train, text, label))
    begin = time.process_time()
    said = model.predict(read(posts, text)[0])
    print(f"{time.process_time() - begin:.3f} {len(said)}")


def score(train, test, text, label):
    for letters in (False, True):
        for name, value in scores(read(train, text, label), read(test, text, label), letters):
            print(f"{value:.4f} {name}")


if __name__ == "__main__":
    {"split": split, "best": best, "svm": svm, "predict": predict, "score": score}[sys.argv[1]](
        *sys.argv[2:])
