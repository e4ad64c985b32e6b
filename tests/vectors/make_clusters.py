"""Makes stats_cluster.csv: /usr/bin/python3 make_clusters.py, in this folder. Partitions by
scikit-learn, of points that lie in clumps, so that every run finds the same: KMeans with ten
starts, and DBSCAN by cosine. Clusters are numbered by size, then by their first row; -1: none."""
import numpy as np
import sklearn
from sklearn.cluster import DBSCAN, KMeans

rng = np.random.default_rng(20260101)


def numbered(labels):
    groups = [g for g in set(labels) if g >= 0]
    groups.sort(key=lambda g: (-np.sum(labels == g), np.argmax(labels == g)))
    return [groups.index(g) if g >= 0 else -1 for g in labels]


def clumps(sizes, wide, spread, alone):
    centres = rng.standard_normal((len(sizes), wide)) * 4
    rows = np.concatenate([c + rng.standard_normal((n, wide)) * spread
                           for c, n in zip(centres, sizes)] +
                          [rng.standard_normal((alone, wide))])
    rows = rows[rng.permutation(len(rows))]
    return np.round(rows / np.linalg.norm(rows, axis=1, keepdims=True), 6).astype(np.float32)


with open("stats_cluster.csv", "w") as out:
    out.write(f"# NumPy {np.__version__}, scikit-learn {sklearn.__version__}\n")
    out.write("method,case,field,values\n")
    for case, (sizes, wide, spread, alone) in {"four clumps": ((20, 15, 10, 8), 8, 0.3, 0),
                                               "with rows alone": ((18, 12, 9), 12, 0.4, 9)}.items():
        rows = clumps(sizes, wide, spread, alone)
        means = KMeans(len(sizes), n_init=10, random_state=1).fit(rows)
        dense = DBSCAN(eps=0.06, min_samples=4, metric="cosine").fit(rows)
        for field, values in (("wide", [wide]), ("clusters", [len(sizes)]),
                              ("rows", [f"{v:.6f}" for v in rows.ravel()]),
                              ("means", numbered(means.labels_) if alone == 0 else []),
                              ("within", [f"{means.inertia_:.9g}"] if alone == 0 else []),
                              ("density", numbered(dense.labels_))):
            out.write(f"cluster,{case},{field},{' '.join(map(str, values))}\n")
