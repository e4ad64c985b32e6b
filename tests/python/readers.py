"""How far two readers agree on what posts name, from their labels alone. Prints TAP.
usage: readers.py

The second reader had the rules of tests/vectors/README.md and the posts, not the labels of the first. Of names:
how many both have among those that either has. Of posts, whether they have a name at all: Cohen's kappa."""

import csv
import os
import sys

import tap
from extract_names import READ_TWICE, VECTORS, labels_in, letters, same_confused, same_pair


def same_message(one, two):
    """Both quote a part of it: types are alike but for what qualifies them; without a type a word is shared."""
    kind, _, message = one.partition(": ")
    kind2, _, message2 = two.partition(": ")
    return kind.split(".")[-1] == kind2.split(".")[-1] and (
        kind != "error" or any(len(word) > 4 and word in message2.split() for word in message.split()))


def same_model(one, two):
    """Whatever the maker or the series is called."""
    return letters(one.split()[-1]) == letters(two.split()[-1])


SAME = {"errors": same_message, "hardware": same_model, "confused": same_confused, "misfits": same_pair}


def kappa(pairs):
    """None where both say the same of every post, so that nothing can be expected by chance."""
    count = len(pairs)
    first, second = (sum(pair[i] for pair in pairs) / count for i in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else (sum(a == b for a, b in pairs) / count - chance) / (1 - chance)


def compare(what, one, two):
    both, same = 0, SAME[what]
    for post in two:
        left = list(two[post])
        for name in one[post]:
            hit = next((other for other in left if same(name, other)), None)
            if hit is not None:
                left.remove(hit)
                both += 1
    return both, sum(map(len, one.values())), sum(map(len, two.values()))


AGREED = {  # names of both, of the first, of the second; kappa
    ("third", "errors"): (8, 9, 8, 1.0),
    ("third", "hardware"): (0, 0, 0, None),
    ("machines", "hardware"): (3, 4, 4, 0.834),
    ("pairs-third", "confused"): (12, 13, 13, 0.923),
    ("versions-second", "misfits"): (2, 3, 3, 0.630),
}
labels, twice = labels_in("extracts.csv"), labels_in("extracts_second_reader.csv")
for sample, what in READ_TWICE:
    one, two = ({post: own[sample][post].get(what, []) for post in twice[sample]} for own in (labels, twice))
    both, first, second = compare(what, one, two)
    of_posts = kappa([(bool(one[post]), bool(two[post])) for post in two])
    print(f"# {sample}, {what}, {len(two)} posts: {both} names of both among {first + second - both}, "
          f"{first} of the first and {second} of the second; kappa of posts "
          f"{'undefined' if of_posts is None else format(of_posts, '.3f')}")
    tap.check(f"{sample}, {what}: what docs/bench.md says of two readers",
              AGREED[sample, what] == (both, first, second, None if of_posts is None else round(of_posts, 3)),
              (both, first, second, of_posts))

titles, titles_twice = ({row["item"]: row for row in csv.DictReader(open(os.path.join(VECTORS, name), encoding="utf-8"))}
                        for name in ("phrases.csv", "phrases_second_reader.csv"))
for part, agreed in (("verb", 39), ("object", 40)):
    same = [bool(set(titles[item][part].split("|")) & set(row[part].split("|"))) for item, row in titles_twice.items()]
    of_titles = kappa([(titles[item][part] != "", row[part] != "") for item, row in titles_twice.items()])
    print(f"# {part}s of {len(same)} titles: {sum(same)} the same, kappa of there being one {of_titles:.3f}")
    tap.check(f"{part}s of titles: what docs/bench.md says of two readers", (sum(same), len(same)) == (agreed, 40) and
              of_titles == 1, (sum(same), of_titles))
sys.exit(tap.done())
