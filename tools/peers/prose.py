"""The prose of a dump's posts, title first, one a line, and 200 of its words, for searches in
text that is already decoded. usage: prose.py POSTS.XML PROSE.TXT WORDS.TXT"""
import html
import re
import sys
from collections import Counter

value = {name: re.compile(rf' {name}="([^"]*)"') for name in ("Title", "Body")}
code = re.compile(r"<pre\b.*?(?:</pre>|\Z)", re.S)
tag = re.compile(r"<[^>]*>")
words = Counter()
with open(sys.argv[1], encoding="utf-8") as rows, open(sys.argv[2], "w", encoding="utf-8") as out:
    for number, row in enumerate(rows):
        title, body = (name.search(row) for name in value.values())
        if body is None:
            continue
        text = html.unescape(tag.sub("", code.sub("\n", html.unescape(body[1]))))
        if title is not None:
            text = html.unescape(title[1]) + " " + text
        out.write(text.replace("\n", " ") + "\n")
        if number < 50000:
            words.update(re.findall(r"\b[a-z]{4,}\b", text.lower()))
ranked = sorted(words, key=lambda word: (-words[word], word))
with open(sys.argv[3], "w", encoding="utf-8") as out:
    # Neither the most frequent, which end every search at once, nor those of one post.
    out.write("\n".join(ranked[len(ranked) // 2 :][:200]) + "\n")
