"""Random YAML as study files use it, and what PyYAML reads: yaml.txt, a line a document.

Left out is what YAML 1.1, which PyYAML knows, and 1.2 see differently (? and ! in flow
collections) and what assay refuses (anchors, tags, tabs).
usage: python3 make_yaml.py    (Debian: python3-yaml); the same version gives the same bytes
"""
import random

import yaml

DOCUMENTS = 900
SIZE_MAX = 220
WORDS = ["a", "b", "key", "two", "code:~", "score>25", '"', '""', "it's", "'", "''", "#x",
         " # c", "x#", "/a|b/", "\\", "\\d+", "[tag]", "(x)", "*", "%", "@", "`", "-", "- ",
         ": ", "x:y", ", ", "{", "}", "[", "]", "ä", "中", "😀", "1.5", "yes", "~", "null",
         "=", "<<", "|", ">", "...", "---", " ", "  ", ".", "0x1", "\\n", "\u00a0",
         "\u2003", "|x", "&", "or", "not"]
SIMPLE = ["x", "y z", "1.5", "created by year", "it's", "a/b", "95% +- 5%", "not-closed",
          "a#b", "x:y", "-1"]
KEYS = ["a", "b", "key", "two words", "x-y", "ä", "1", "a.b"]
ESCAPES = ["\\0", "\\a", "\\b", "\\t", "\\n", "\\v", "\\f", "\\r", "\\e", "\\ ", '\\"', "\\/",
           "\\\\", "\\N", "\\_", "\\L", "\\P", "\\x41", "\\xe4", "\\u00e4", "\\u4e2d",
           "\\U0001F600", "\\x00", "\\uFEFF"]
rng = random.Random(20)


def chance(share):
    return rng.random() < share


def words():
    return " ".join(rng.choice(WORDS).strip() or "x" for _ in range(rng.randint(1, 5)))


def line_break(indent):
    empty = "".join(rng.choice(["", "  ", " " * indent]) + "\n"
                    for _ in range(rng.choice([0, 0, 0, 1, 2])))
    return (rng.choice(["", "  ", " "]) + "\n" + empty +
            " " * (indent + rng.choice([0, 0, 1, 3])))


def single(indent, lines):
    text = ""
    for _ in range(rng.randint(0, 6)):
        text += rng.choice(WORDS + ["'", "'"]).replace("'", "''") if chance(.8) else "''"
        text += " " if chance(.3) else ""
        text += line_break(indent) if lines and chance(.25) else ""
    return "'" + text + "'"


def double(indent, lines):
    text = ""
    for _ in range(rng.randint(0, 6)):
        if chance(.35):
            text += rng.choice(ESCAPES)
        else:
            text += rng.choice(WORDS).replace("\\", "\\\\").replace('"', '\\"')
        text += " " if chance(.3) else ""
        if lines and chance(.2):
            text += (rng.choice(["", "\\"]) + line_break(indent) +
                     rng.choice(["", "", "\\ "]))
    return '"' + text + '"'


def plain(indent, lines):
    text = words()
    while lines and chance(.3):
        text += line_break(indent) + words()
    return text


def block(indent):
    head = rng.choice("|>") + rng.choice(["", "", "-", "+"]) + (" # c | d" if chance(.1) else "")
    deep = indent + rng.choice([1, 2, 4])
    lines = []
    for _ in range(rng.randint(0, 5)):
        if chance(.25):
            lines.append(" " * rng.choice([0, 0, rng.randint(0, deep)]))
        else:
            lines.append(" " * deep + rng.choice(["", "", "", "  ", " "]) + words() +
                         rng.choice(["", "", " "]))
    return head + "\n" + "\n".join(lines)


def scalar(indent, flow):
    kind, lines = rng.random(), chance(.35)
    if kind < .35:
        return single(indent + 1, lines)
    if kind < .6:
        return double(indent + 1, lines)
    if kind < .8 or flow:
        return rng.choice(SIMPLE) if chance(.5) else plain(indent + 1, lines)
    return block(indent)


def key(indent):
    kind = rng.random()
    if kind < .5:
        return rng.choice(KEYS) + str(rng.randint(0, 99))
    if kind < .7:
        return single(indent, False)
    return double(indent, False) if kind < .85 else words()


def flow(depth, indent):
    lines, kind, items = chance(.2), rng.random(), range(rng.randint(0, 3))

    def gap():
        return "\n" + " " * (indent + 1) if lines and chance(.4) else rng.choice(["", " "])

    if depth > 0 and kind < .25:
        return ("[" + gap() + ("," + gap()).join(flow(depth - 1, indent) for _ in items) +
                rng.choice(["", "", ","]) + gap() + "]")
    if depth > 0 and kind < .5:
        return ("{" + gap() + ("," + gap()).join(
            key(indent) + rng.choice([": ", ":  "]) + flow(depth - 1, indent)
            for _ in items) + gap() + "}")
    return scalar(indent, True)


def value(depth, indent):
    kind = rng.random()
    if depth > 0 and kind < .35:
        return "\n" + mapping(depth - 1, indent + rng.choice([1, 2, 2, 4]))
    if depth > 0 and kind < .5:
        return "\n" + sequence(depth - 1, indent + rng.choice([0, 2, 2]))
    if kind < .65:
        return " " + flow(2, indent)
    return "" if kind < .7 else " " + scalar(indent, False) + (" # c" if chance(.2) else "")


def mapping(depth, indent):
    lines = []
    for _ in range(rng.randint(1, 3)):
        if chance(.1):
            lines.append(rng.choice(["", "# c", " " * indent + "# c"]))
        lines.append(" " * indent + key(indent) + rng.choice([":", ":", " :"]) +
                     value(depth, indent))
    return "\n".join(lines)


def sequence(depth, indent):
    lines = []
    for _ in range(rng.randint(1, 3)):
        if depth > 0 and chance(.3):
            lines.append(" " * indent + "- " + mapping(depth - 1, indent + 2).lstrip(" "))
        else:
            lines.append(" " * indent + "-" + value(max(depth - 1, 0), indent))
    return "\n".join(lines)


def document():
    text = mapping(rng.randint(0, 2), 0) + rng.choice(["\n", "\n", ""])
    text = "---\n" + text if chance(.05) else text
    return text.replace("\n", "\r\n") if chance(.05) else text


def encoded(text, more=""):
    return "".join("%%%02x" % byte if byte < 33 or byte == 127 or chr(byte) in "%" + more
                   else bytes([byte]).decode("latin-1")
                   for byte in text.encode()).encode("latin-1").decode()


def tree(node):
    if isinstance(node, yaml.ScalarNode):
        return "'" + encoded(node.value, "'") + "'"
    if isinstance(node, yaml.SequenceNode):
        return "[" + ",".join(map(tree, node.value)) + "]"
    return "{" + ",".join(tree(k) + "=" + tree(v) for k, v in node.value) + "}"


def unique(node):
    """No key twice in a mapping, and none that is a collection: assay refuses these."""
    if isinstance(node, yaml.ScalarNode):
        return True
    if isinstance(node, yaml.SequenceNode):
        return all(map(unique, node.value))
    keys = [k.value for k, _ in node.value]
    return (all(isinstance(k, yaml.ScalarNode) for k, _ in node.value) and
            len(set(keys)) == len(keys) and all(unique(v) for _, v in node.value))


def main():
    written = 0
    with open("yaml.txt", "w", encoding="utf-8", newline="\n") as out:
        out.write("# PyYAML %s: document and tree, bytes as %%hex where need be\n" %
                  yaml.__version__)
        while written < DOCUMENTS:
            text = document()
            try:
                node = yaml.compose(text, Loader=yaml.BaseLoader)
            except yaml.YAMLError:
                continue
            if len(text) <= SIZE_MAX and isinstance(node, yaml.MappingNode) and unique(node):
                out.write(encoded(text) + " " + tree(node) + "\n")
                written += 1


main()
