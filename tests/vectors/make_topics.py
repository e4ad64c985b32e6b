"""Coherence, rank-biased overlap, matching, digamma, held-out perplexity and relevance of small
random cases, for the tests of topic/. Written from the definitions, with windows as sets and
sums over all topics; SciPy gives the assignment and digamma, scikit-learn tf-idf and the
factors of non-negative matrices."""
import math
import random

import numpy
import scipy
from scipy.optimize import linear_sum_assignment
from scipy.special import digamma
import sklearn
from sklearn.decomposition import NMF
from sklearn.feature_extraction.text import TfidfTransformer

random.seed(20)
rows = []


def show(values):
    return " ".join(repr(float(v)) if isinstance(v, float) else str(v) for v in values)


def add(method, name, **fields):
    for field, values in fields.items():
        rows.append(f"{method},{name},{field},{show(values)}")


def windows(document, size):
    if not document:
        return []
    if len(document) <= size:
        return [set(document)]
    return [set(document[i:i + size]) for i in range(len(document) - size + 1)]


def npmi(found, a, b):
    n = len(found)
    pa = sum(a in w for w in found) / n
    pb = sum(b in w for w in found) / n
    both = sum(a in w and b in w for w in found) / n
    return math.log((both + 1e-12) / (pa * pb)) / -math.log(both + 1e-12)


def coherence(documents, words):
    sets = [set(d) for d in documents if d]
    pairs = [(words[i], words[j]) for i in range(len(words)) for j in range(i)]
    umass = [math.log((sum(a in s and b in s for s in sets) + 1) / sum(b in s for s in sets))
             for a, b in pairs]
    short = [w for d in documents for w in windows(d, 10)]
    far = [w for d in documents for w in windows(d, 110)]
    vectors = numpy.array([[npmi(far, a, b) for b in words] for a in words])
    whole = vectors.sum(axis=0)
    cosines = [v @ whole / (numpy.linalg.norm(v) * numpy.linalg.norm(whole)) for v in vectors]
    return (sum(umass) / len(umass), sum(npmi(short, a, b) for a, b in pairs) / len(pairs),
            float(sum(cosines)) / len(cosines))


for name, documents, most, vocabulary, topics, top in [
        ("short documents", 40, 12, 30, 3, 5), ("long documents", 12, 400, 60, 4, 10),
        ("two words", 30, 8, 10, 2, 2), ("windows cross words of 64 bits", 4, 900, 80, 2, 8)]:
    while True:
        texts = [[min(int(random.expovariate(5 / vocabulary)), vocabulary - 1)
                  for _ in range(random.randrange(most + 1))] for _ in range(documents)]
        there = sorted({w for t in texts for w in t})
        sets = [set(t) for t in texts if t]
        there = [w for w in there if any(w not in s for s in sets)]
        if len(there) >= top:
            break
    words = [random.sample(there, top) for _ in range(topics)]
    found = [coherence(texts, w) for w in words]
    add("coherence", name, lengths=[len(t) for t in texts], at=[w for t in texts for w in t],
        vocabulary=[vocabulary], words=[w for t in words for w in t], topics=[topics],
        umass=[f[0] for f in found], npmi=[f[1] for f in found], c_v=[f[2] for f in found])


def overlap(a, b, p=0.9):
    depth = len(a)
    agreement = [len(set(a[:d]) & set(b[:d])) / d for d in range(1, depth + 1)]
    return (agreement[-1] * p ** depth +
            (1 - p) / p * sum(x * p ** d for d, x in enumerate(agreement, 1)))


for size in (1, 2, 5, 10, 20):
    for pool in (size, 2 * size + 1):
        a, b = random.sample(range(pool), size), random.sample(range(pool), size)
        add("overlap", f"{size} of {pool}", a=a, b=b, overlap=[overlap(a, b)])

for size in (1, 2, 3, 7, 20, 40):
    likeness = numpy.random.RandomState(size).rand(size, size)
    to = linear_sum_assignment(-likeness)
    add("match", f"{size} topics", likeness=[float(x) for x in likeness.ravel()],
        best=[float(likeness[to].sum())])

points = [1e-4, 0.01, 0.3, 1.0, 1.5, 2.0, 9.99, 10.0, 123.456, 1e6]
add("digamma", "points", x=points, digamma=[float(digamma(x)) for x in points])

for topics, vocabulary, documents in [(2, 6, 4), (5, 20, 10)]:
    state = numpy.random.RandomState(topics)
    # Tests hold probabilities as floats: these are floats exactly.
    phi = state.dirichlet([0.3] * vocabulary, size=topics).astype(numpy.float32)
    phi = numpy.maximum(phi, numpy.float32(1e-6)).astype(float)
    alpha = state.rand(topics) + 0.05
    texts = [[int(w) for w in state.randint(vocabulary, size=state.randint(12))]
             for _ in range(documents)]
    total = places = 0
    for text in texts:
        if len(text) < 2:
            continue
        theta = numpy.full(topics, 1 / topics)
        for _ in range(50):
            expected = alpha.copy()
            for w in text[0::2]:
                expected += theta * phi[:, w] / (theta * phi[:, w]).sum()
            theta = expected / expected.sum()
        for w in text[1::2]:
            total += math.log((theta * phi[:, w]).sum())
            places += 1
    add("perplexity", f"{topics} topics", phi=[float(x) for x in phi.T.ravel()],
        alpha=[float(x) for x in alpha], lengths=[len(t) for t in texts],
        at=[w for t in texts for w in t], vocabulary=[vocabulary],
        perplexity=[math.exp(-total / places)])
    counts = numpy.bincount([w for t in texts for w in t], minlength=vocabulary)
    if (counts == 0).any():
        texts.append([int(w) for w in numpy.flatnonzero(counts == 0)])
        counts = numpy.bincount([w for t in texts for w in t], minlength=vocabulary)
    relevance = 0.6 * numpy.log(phi) + 0.4 * numpy.log(phi / (counts / counts.sum()))
    order = numpy.argsort(-relevance, axis=1, kind="stable")[:, :4]
    add("relevance", f"{topics} topics", phi=[float(x) for x in phi.T.ravel()],
        lengths=[len(t) for t in texts], at=[w for t in texts for w in t],
        vocabulary=[vocabulary], words=[int(w) for w in order.ravel()],
        relevance=[float(relevance[k, w]) for k in range(topics) for w in order[k]])

for documents, vocabulary, topics, iterations, tolerance in [
        (12, 9, 3, 200, 1e-4), (12, 9, 3, 4, 0.0), (40, 25, 5, 500, 1e-7), (30, 6, 6, 50, 1e-4)]:
    state = numpy.random.RandomState(documents + topics)
    texts = [[int(w) for w in numpy.minimum(state.exponential(vocabulary / 4, size=state.randint(20)),
                                            vocabulary - 1)] for _ in range(documents)]
    texts.append(list(range(vocabulary)))
    counts = numpy.array([numpy.bincount(t, minlength=vocabulary) for t in texts])
    weights = TfidfTransformer().fit_transform(counts).toarray()
    begin = [numpy.abs(state.randn(len(texts), topics)), numpy.abs(state.randn(topics, vocabulary))]
    model = NMF(n_components=topics, init="custom", solver="cd", tol=tolerance, max_iter=iterations)
    found = model.fit_transform(weights, W=begin[0].copy(), H=begin[1].copy())
    add("nmf", f"{len(texts)} by {vocabulary} in {topics} and {iterations}",
        lengths=[len(t) for t in texts], at=[w for t in texts for w in t], vocabulary=[vocabulary],
        topics=[topics], iterations=[iterations], tolerance=[tolerance],
        weights=[float(x) for x in weights.ravel()],
        begin_documents=[float(x) for x in begin[0].ravel()],
        begin_words=[float(x) for x in begin[1].T.ravel()],
        documents=[float(x) for x in found.ravel()],
        words=[float(x) for x in model.components_.T.ravel()],
        distance=[float(model.reconstruction_err_)], made=[int(model.n_iter_)])

with open("topic.csv", "w") as out:
    out.write(f"definitions in make_topics.py; NumPy {numpy.__version__}; SciPy {scipy.__version__}; "
              f"scikit-learn {sklearn.__version__}\n")
    out.write("method,case,field,values\n")
    out.write("\n".join(rows) + "\n")
