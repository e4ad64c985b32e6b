"""Whether a comment gives thanks: the rule of assay-query(7), with the words of that page, so
that the manual and the program cannot part. Word by word over lists, not by searching a text."""

import os
import re

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "man", "assay-query.7")


def lists():
    page = open(PAGE).read()
    part = page[page.index(".SS Endorsed answers"):]
    part = re.sub(r"\s+", " ", part)

    def between(before, after):
        found = re.search(re.escape(before) + r" (.*?)" + re.escape(after), part).group(1)
        return [phrase.strip().split(" ") for phrase in found.split(",")]

    return {
        "works": between("the beginning of a clause):", ". .TP"),
        "thanks": between("without any question:", ". .PP"),
        "before": between("before it in its clause:", ";"),
        "turns": between("anywhere behind it:", "."),
        "negations": between("when one of the words", " is followed"),
        "denied": between("of its sentence by one of", ";"),
        "refusals": between("when it says anywhere:", "."),
    }


LISTS = lists()
BARE = {"dont", "doesnt", "didnt", "isnt", "wasnt", "wont", "cant"}
JOINING = {"and", "so", "yes", "ok", "okay", "indeed"}


def words_of(text):
    """[(word, number of its clause, number of its sentence)], which sentences ask, and how many
    words were written."""
    text = re.sub(r'"[^"]*"|`[^`]*`', " ", text.replace("\u2019", "'"))
    text = re.sub(r"https?://[^ \t\n\r]*", " ", text)
    words, asks, clause, sentence, count = [], set(), 0, 0, 0
    for token in re.findall(r"[A-Za-z0-9\u0080-\U0010ffff][A-Za-z0-9'\u0080-\U0010ffff]*|[.!?;\n,:()-]", text):
        if token in ".!?;\n":
            asks |= {sentence} if token == "?" else set()
            sentence, clause = sentence + 1, clause + 1
        elif token in ",:()-":
            clause += 1
        else:
            count += 1
            word = re.sub("[A-Z]+", lambda m: m.group().lower(), token).rstrip("'")
            parts = [word.split("'")[0]]
            if word.endswith("n't"):
                parts = [word[:-3], "not"]
            elif word in BARE:
                parts = [word[:-2], "not"]
            words += [(part, clause, sentence) for part in parts]
            clause += word.split("'")[0] in JOINING and not word.endswith("n't")
    return words, asks, count


def stands(words, at, phrase):
    """Whether the phrase stands there, within one clause."""
    first = phrase[0].lstrip("^")
    if words[at][0] != first or at + len(phrase) > len(words):
        return False
    if phrase[0] != first and at > 0 and words[at - 1][1] == words[at][1]:
        return False
    return all(
        words[at + i][0] == word and words[at + i][1] == words[at][1]
        for i, word in enumerate(phrase) if i > 0
    )


def anywhere(words, name):
    return any(stands(words, at, phrase) for at in range(len(words)) for phrase in LISTS[name])


def gives_thanks(text):
    words, asks, count = words_of(text)
    for at in range(len(words)):
        if any(stands(words, at, p) for p in LISTS["negations"]):
            following = [w for w in words[at + 1:at + 4] if w[2] == words[at][2]]
            if any([w[0]] in LISTS["denied"] for w in following):
                return False
    if anywhere(words, "refusals"):
        return False
    for name in ("works", "thanks"):
        if name == "thanks" and (asks or count > 40):
            continue
        for at, (_, clause, sentence) in enumerate(words):
            if sentence in asks or not any(stands(words, at, p) for p in LISTS[name]):
                continue
            before = [w for w in words[max(0, at - 4):at] if w[1] == clause]
            if not anywhere(before, "before") and not anywhere(words[at:], "turns"):
                return True
    return False
