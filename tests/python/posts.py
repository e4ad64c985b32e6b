"""Rows of a dump and what their text says, read with the standard library alone."""

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

BLOCKS = set(
    "p li br div blockquote pre h1 h2 h3 h4 h5 h6 td th tr table ul ol hr dl dt dd".split()
)


class Prose(HTMLParser):
    """Text outside of <pre>; block elements part words."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text, self.depth = [], 0

    def handle_starttag(self, tag, attributes):
        if tag in BLOCKS:
            self.text.append("\n")
        if tag == "pre":
            self.depth += 1

    def handle_endtag(self, tag):
        if tag in BLOCKS:
            self.text.append("\n")
        if tag == "pre" and self.depth > 0:
            self.depth -= 1

    def handle_data(self, data):
        if self.depth == 0:
            self.text.append(data)


def prose_of(post):
    if "prose" not in post:  # made once a post
        parser = Prose()
        parser.feed(post.get("Body", ""))
        parser.close()
        post["prose"] = post.get("Title", "") + "\n" + "".join(parser.text)
    return post["prose"]


def has_code(post):
    return re.search(r"<pre[\s>]", post.get("Body", "")) is not None


def tags_of(post):
    return re.findall(r"[^<>|]+", post.get("Tags", ""))


def has_word(text, word):
    return re.search(r"(?<!\w)" + re.escape(word) + r"(?!\w)", text, re.I) is not None


def rows_in(path):
    for _, element in ElementTree.iterparse(path):
        if element.tag == "row":
            yield dict(element.attrib)
            element.clear()
