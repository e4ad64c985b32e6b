"""scikit-learn beside assay topics: the same words, one thread.
usage: topics.py words PROSE.TXT OUT.CSV COUNT  the first posts' words in lower case: column text
       topics.py posts OUT.CSV COUNT FILE...    so many posts as they are, from the beginning again
            when there are fewer: lines of .txt, titles and bodies of .csv; column text
       topics.py count FILE.CSV [PATTERN]       seconds of reading the csv and of counting words for
            each post, and how many posts, words and cells there are; PATTERN: what is a word
       topics.py lda FILE.CSV TOPICS            online LDA, ten passes over nine tenths of the
            posts: their words, seconds of a pass, perplexity of the last tenth as assay has it
            (shares of topics from every other word, the rest foreseen), seconds in all
       topics.py nmf-write FILE.CSV TOPICS OUT  the tf-idf of the posts and random factors, for nmf.c;
            how many posts there are
       topics.py nmf OUT ITERATIONS             so many iterations of NMF (coordinate descent) on
            them: seconds, distance
Times are processor time, without the start of Python; where nothing else is said, also without
reading."""
import csv
import itertools
import os
import re
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy
import scipy.sparse
from sklearn.decomposition import LatentDirichletAllocation, non_negative_factorization
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

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


def texts_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        if path.endswith(".txt"):
            return [line.rstrip("\n") for line in file]
        return [row["title"] + "\n" + row["body"] for row in csv.DictReader(file)]


def posts(path, count, sources):
    texts = [text.replace("\0", "") for source in sources for text in texts_of(source)]
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["text"])
        out.writerows([text] for text in itertools.islice(itertools.cycle(texts), count))


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        column = next(rows).index("text")
        return [row[column] for row in rows]


def count(path, pattern=r"(?u)\b\w\w+\b"):
    begun = time.process_time()
    texts = read(path)
    counted = time.process_time()
    counts = CountVectorizer(token_pattern=pattern).fit_transform(texts)
    ended = time.process_time()
    print(round(counted - begun, 3), round(ended - counted, 3), counts.shape[0],
          int(counts.sum()), counts.nnz)


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


def nmf_write(path, topics, out):
    weights = TfidfVectorizer(min_df=5, max_df=0.5, token_pattern=r"\S+").fit_transform(read(path))
    state, size = numpy.random.RandomState(1), numpy.sqrt(weights.mean() / topics)
    with open(out, "wb") as file:
        numpy.array([*weights.shape, weights.nnz, topics], dtype=numpy.uint64).tofile(file)
        weights.indptr.astype(numpy.uint64).tofile(file)
        weights.indices.astype(numpy.uint32).tofile(file)
        weights.data.tofile(file)
        for rows in weights.shape:
            (size * numpy.abs(state.randn(rows, topics))).tofile(file)
    print(weights.shape[0])


def nmf(path, iterations):
    with open(path, "rb") as file:
        rows, columns, cells, topics = map(int, numpy.fromfile(file, numpy.uint64, 4))
        begin = numpy.fromfile(file, numpy.uint64, rows + 1).astype(numpy.int64)
        at = numpy.fromfile(file, numpy.uint32, cells).astype(numpy.int64)
        weights = scipy.sparse.csr_matrix((numpy.fromfile(file, float, cells), at, begin),
                                          shape=(rows, columns))
        documents = numpy.fromfile(file, float, rows * topics).reshape(rows, topics)
        words = numpy.fromfile(file, float, columns * topics).reshape(columns, topics).T.copy()
    begun = time.process_time()
    w, h, _ = non_negative_factorization(weights, documents, words, n_components=topics,
                                         init="custom", solver="cd", tol=0, max_iter=iterations)
    took = time.process_time() - begun
    product = ((w.T @ w) * (h @ h.T)).sum()
    distance = numpy.sqrt(weights.multiply(weights).sum() - 2 * ((weights @ h.T) * w).sum() + product)
    print(round(took, 3), f"{distance:.9g}")


if sys.argv[1] == "words":
    words(sys.argv[2], sys.argv[3], int(sys.argv[4]))
elif sys.argv[1] == "posts":
    posts(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
elif sys.argv[1] == "count":
    count(*sys.argv[2:])
elif sys.argv[1] == "nmf-write":
    nmf_write(sys.argv[2], int(sys.argv[3]), sys.argv[4])
elif sys.argv[1] == "nmf":
    nmf(sys.argv[2], int(sys.argv[3]))
else:
    lda(sys.argv[2], int(sys.argv[3]))
