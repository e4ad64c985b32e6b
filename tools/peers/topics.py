"""scikit-learn beside assay topics: the same words, one thread.
usage: topics.py words PROSE.TXT OUT.CSV COUNT  the first posts' words in lower case: column text
       topics.py count FILE.CSV                 seconds of counting words for each post
       topics.py lda FILE.CSV TOPICS            online LDA, ten passes over nine tenths of the
            posts: their words, seconds of a pass, perplexity of the last tenth as assay has it
            (shares of topics from every other word, the rest foreseen), seconds in all
Times are processor time, without the start of Python and reading."""
import csv
import os
import re
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer

PASSES = 10
csv.field_size_limit(1 << 30)


def words(prose, path, count):
    with open(prose, encoding="utf-8") as lines, open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["text"])
        for number, line in enumerate(lines):
            if number == count:
                break
            out.writerow([" ".join(re.findall(r"[a-z][a-z0-9]+", line.lower()))])


def read(path):
    with open(path, newline="") as file:
        return [row["text"] for row in csv.DictReader(file)]


def count(path):
    texts = read(path)
    begun = time.process_time()
    CountVectorizer(token_pattern=r"\S+").fit_transform(texts)
    print(round(time.process_time() - begun, 3))


def lda(path, topics):
    texts = read(path)
    split = CountVectorizer(min_df=5, max_df=0.5, token_pattern=r"\S+")
    counts = split.fit_transform(texts)
    order = numpy.random.RandomState(1).permutation(len(texts))
    held, learned = order[:len(texts) // 10], order[len(texts) // 10:]
    begun = time.process_time()
    model = LatentDirichletAllocation(topics, learning_method="online", max_iter=PASSES,
                                      random_state=1, n_jobs=1).fit(counts[learned])
    took = time.process_time() - begun
    phi = model.components_ / model.components_.sum(axis=1)[:, None]
    total = places = 0
    for d in held:
        text = [split.vocabulary_[w] for w in texts[d].split() if w in split.vocabulary_]
        if len(text) < 2:
            continue
        theta, shown = numpy.full(topics, 1 / topics), phi[:, text[0::2]]
        for _ in range(50):
            expected = theta[:, None] * shown
            theta = model.doc_topic_prior_ + (expected / expected.sum(axis=0)).sum(axis=1)
            theta /= theta.sum()
        total += numpy.log(theta @ phi[:, text[1::2]]).sum()
        places += len(text) // 2
    print(int(counts[learned].sum()), round(took / PASSES, 3),
          round(float(numpy.exp(-total / places)), 1), round(took, 1))


if sys.argv[1] == "words":
    words(sys.argv[2], sys.argv[3], int(sys.argv[4]))
elif sys.argv[1] == "count":
    count(sys.argv[2])
else:
    lda(sys.argv[2], int(sys.argv[3]))
