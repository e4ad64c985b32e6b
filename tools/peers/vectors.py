"""Vectors of the posts of a csv by scikit-learn: latent semantic analysis, a random projection
of the same weighted words, and noise, which says nothing of any post.
usage: vectors.py FILE ID TEXT KIND OUT    TEXT: columns by commas; KIND: lsa, projection, noise
       writes OUT.npy and OUT.keys; an id that is there twice is taken once; ID -: row numbers"""
import csv
import sys

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.random_projection import GaussianRandomProjection

csv.field_size_limit(1 << 30)
DIMENSIONS = 100


def posts(path, key, columns):
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        seen = {}
        for number, row in enumerate(csv.DictReader(file), 1):
            name = str(number) if key == "-" else row[key]
            seen.setdefault(name, " ".join(row[c] or "" for c in columns.split(",")))
    return list(seen), list(seen.values())


def main():
    path, key, columns, kind, out = sys.argv[1:]
    keys, texts = posts(path, key, columns)
    if kind == "noise":
        made = np.random.default_rng(1).standard_normal((len(keys), DIMENSIONS))
    else:
        words = TfidfVectorizer(sublinear_tf=True, min_df=2, stop_words="english")
        make = (TruncatedSVD(DIMENSIONS, random_state=1) if kind == "lsa" else
                GaussianRandomProjection(DIMENSIONS, random_state=1))
        made = make.fit_transform(words.fit_transform(texts))
    np.save(out + ".npy", np.asarray(made, dtype=np.float32))
    with open(out + ".keys", "w") as file:
        file.writelines(f"{name}\n" for name in keys)


main()
