"""Which name is which label, for extracts.py and readers.py: tests/vectors/README.md says what counts."""

import csv
import os
import re

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors")


def labels_in(name):
    """{sample: {post: {what: names}}} of a file of labels."""
    labels = {}
    for row in csv.DictReader(open(os.path.join(VECTORS, name), encoding="utf-8")):
        own = labels.setdefault(row["sample"], {}).setdefault(row["post"], {})
        if row["what"]:
            own.setdefault(row["what"], []).append(row["name"])
    return labels


def letters(text):
    return re.sub(r"[^a-z0-9.+#]", "", text.lower())


def dotted(name):
    return re.sub(r"::|->|/|\$", ".", name).lstrip("@.")


def same_api(label, name):
    """The same name, perhaps less or more qualified."""
    label, name = dotted(label), dotted(name)
    return label == name or label.endswith("." + name) or name.endswith("." + label)


def same_version(label, name):
    product, number = label.rsplit(" ", 1)
    product2, number2 = name.rsplit(" ", 1)
    return letters(product) == letters(product2) and re.match(re.escape(number2) + r"(?![\d.]*\d)", number) is not None


def product(name):
    return letters(re.sub(r"(\s+(other|older|newer|later|higher|lower|greater) than)?\s+v?\d[\w.]*$", "", name))


LINUX = {"linux", "ubuntu", "debian", "centos", "redhat", "fedora", "linuxmint", "alpine", "raspbian", "archlinux"}


def same_system(label, name):
    return product(label) == product(name) or (letters(name) == "linux" and product(label) in LINUX)


def same_error(label, name):
    """What has no type of its own is found where the name has its words."""
    kind, _, message = label.partition(": ")
    kind2, _, message2 = name.partition(": ")
    said, name, message2 = (re.sub(r"\d+", "N", one) for one in (message, name, message2))
    return (said.lower() in name.lower() if kind == "error" else
            kind.lower() == kind2.lower() and said in message2)


def same_demand(label, name):
    return letters(dotted(label).split(".")[-1]) == letters(dotted(name).split(".")[-1])


def same_pair(label, name):
    return sorted(map(product, label.split(" with "))) == sorted(map(product, name.split(" with ")))


def same_change(label, name):
    return letters(label) == letters(name)


def value(text):
    """A number whatever its spelling; of a word what several libraries call it."""
    try:
        return float(text)
    except ValueError:
        word = re.sub("optimizer$", "", letters(text))
        return {"meansquarederror": "mse", "meanabsoluteerror": "mae"}.get(word, word)


def same_setting(label, name):
    setting, _, said = label.partition(" = ")
    setting2, _, said2 = name.partition(" = ")
    return letters(setting) == letters(setting2) and value(said) == value(said2)


def same_confused(label, name):
    return all(map(same_api, label.split(" -> "), name.split(" -> ")))


def same_rule(label, name):
    return all(map(same_api, label.split(", then "), name.split(", then ")))


# What the second reader read: of which sample, for what.
READ_TWICE = (("third", "errors"), ("third", "hardware"), ("machines", "hardware"), ("pairs-third", "confused"),
              ("versions-second", "misfits"))
