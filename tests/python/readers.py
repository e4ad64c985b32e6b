"""How far two readers agree on what posts name, from their labels alone. Prints TAP.
usage: readers.py

A check of documentation, not of code: what docs/quality.md says is computed again from the files of labels.
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


def told():
    """The table of docs/quality.md: by its first column, names of both and kappa as they are written there."""
    with open(os.path.join(VECTORS, "..", "..", "docs", "quality.md"), encoding="utf-8") as file:
        lines = file.read().partition("| what, sample, posts |")[2].partition("\n\n")[0].splitlines()[2:]
    return {cells[1]: tuple(cells[2:4]) for cells in ([cell.strip() for cell in line.split("|")] for line in lines)}


def check(row, both, either, of_posts):
    found = (f"{both} of {either}" if either else "none in either",
             "undefined" if of_posts is None else f"{of_posts:.2f}".removeprefix("0"))
    print(f"# {row}: {found[0]}, kappa {found[1]}")
    tap.check(f"docs/quality.md: {row}", TOLD.get(row) == found, (TOLD.get(row), found))


TOLD = told()
labels, twice = labels_in("extracts.csv"), labels_in("extracts_second_reader.csv")
for sample, what in READ_TWICE:
    one, two = ({post: own[sample][post].get(what, []) for post in twice[sample]} for own in (labels, twice))
    both, first, second = compare(what, one, two)
    check(f"{what}, {sample}, {len(two)}", both, first + second - both,
          kappa([(bool(one[post]), bool(two[post])) for post in two]))

titles, titles_twice = ({row["item"]: row for row in csv.DictReader(open(os.path.join(VECTORS, name), encoding="utf-8"))}
                        for name in ("phrases.csv", "phrases_second_reader.csv"))
for part in ("verb", "object"):
    same = [bool(set(titles[item][part].split("|")) & set(row[part].split("|"))) for item, row in titles_twice.items()]
    check(f"{part}s of titles, {len(same)}", sum(same), len(same),
          kappa([(titles[item][part] != "", row[part] != "") for item, row in titles_twice.items()]))
tap.check("docs/quality.md: no other row", len(TOLD) == len(READ_TWICE) + 2, sorted(TOLD))
sys.exit(tap.done())
