"""Makes stats_alternative.csv: /usr/bin/python3 make_alternative.py, in this folder. The alternative
annotator test of Calderon, Reichart and Dror (ACL 2025), written from the paper: each rater left out in
turn, indicators of who is as near to the others, a one-sided t test of their differences against
epsilon (scipy.stats.ttest_1samp), rejections by Benjamini and Yekutieli's procedure, winning rate and mean
advantage. Labels are numbers of codes, -1: none; rows are items, columns raters, the last one the model."""
import random

import numpy as np
import scipy
from scipy.stats import ttest_1samp

random.seed(20252501)


def near(mine, others):
    return np.mean([mine == other for other in others])


def rejected(p, q=0.05):
    order = np.argsort(p)
    m = len(p)
    limits = q * np.arange(1, m + 1) / (m * sum(1 / k for k in range(1, m + 1)))
    good = [i for i in range(m) if p[order[i]] <= limits[i]]
    return max(good) + 1 if good else 0


def test(table, epsilon):
    people = table.shape[1] - 1
    advantages, p = [], []
    for out in range(people):
        wins, differences = [], []
        for row in table:
            others = [row[r] for r in range(people) if r != out and row[r] >= 0]
            if row[out] < 0 or row[people] < 0 or not others:
                continue
            human, model = near(row[out], others), near(row[people], others)
            wins.append(model >= human)
            differences.append(int(human >= model) - int(model >= human))
        if len(wins) < 30:
            continue
        advantages.append(np.mean(wins))
        p.append(ttest_1samp(differences, epsilon, alternative="less").pvalue)
    return advantages, p, rejected(p) / len(p)


def simulate(items, people, codes, skill, model, missing):
    table = np.zeros((items, people + 1), int)
    for i in range(items):
        truth = random.randrange(codes)
        for r in range(people + 1):
            right = random.random() < (model if r == people else skill)
            table[i, r] = truth if right else random.randrange(codes)
            if random.random() < missing:
                table[i, r] = -1
    return table


def show(values):
    return " ".join(repr(float(v)) for v in values)


with open("stats_alternative.csv", "w") as out:
    out.write(f"# Python, SciPy {scipy.__version__}, by make_alternative.py\n")
    out.write("method,case,field,values\n")
    for name, *how in [("a good model", 120, 3, 4, 0.75, 0.85, 0),
                       ("one that is worse", 150, 4, 3, 0.8, 0.7, 0.1),
                       ("one that guesses", 90, 3, 5, 0.9, 0.0, 0.05),
                       ("five raters with gaps", 200, 5, 6, 0.7, 0.72, 0.3),
                       ("few items", 31, 3, 2, 0.8, 0.8, 0)]:
        table = simulate(*how)
        out.write(f"alternative,{name},raters,{table.shape[1]}\n")
        out.write(f"alternative,{name},labels,{show(table.flatten())}\n")
        for epsilon in (0.1, 0.15, 0.2):
            advantages, p, winning = test(table, epsilon)
            if epsilon == 0.1:
                out.write(f"alternative,{name},advantages,{show(advantages)}\n")
            out.write(f"alternative,{name},p{epsilon},{show(p)}\n")
            out.write(f"alternative,{name},winning{epsilon},{winning!r}\n")
