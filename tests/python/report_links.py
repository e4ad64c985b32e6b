"""Every link of a report, without a browser: files and anchors are there, and a page of items
holds as many as it says, those that its csv begins with or is in the middle of. Prints TAP lines.
usage: report_links.py OUT-FOLDER..."""
import csv
import html
import os
import re
import sys
from functools import cache

LINK = re.compile(r'(?:href|src)="([^"]*)"')
LEAD = re.compile(r'<p class="lead">([\d,]+) ')
ITEM = re.compile(r'<tr><td>[\d,]+</td><td class="words">(?:<a [^>]*>)?([^<]+)')
COUNTED = re.compile(r"<td>([\d,]+)</td><td class=\"words\">so many items are listed here")


@cache
def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


@cache
def anchors(path):
    return set(re.findall(r'\bid="([^"]*)"', read(path)))


def target(page, link):
    """Where a link leads; None: to another site."""
    link = html.unescape(link)
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = link.partition("#")
    return os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page, anchor


def dead(page):
    for link in LINK.findall(read(page)):
        to = target(page, link)
        if to is None:
            continue
        if not os.path.isfile(to[0]):
            yield f"{page}: {link}"
        elif to[1] and to[1] not in anchors(to[0]):
            yield f"{page}: {link}: no such place"


def number(text):
    return int(text.replace(",", ""))


def ids_in(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [row[0] for row in csv.reader(file)][1:]


def wrong(page):
    """What a page of items says against what it and its csv hold."""
    text = read(page)
    lead = LEAD.search(text)
    if lead is None or "<h2>Items</h2>" not in text:
        return
    count = number(lead[1])
    shown = ITEM.findall(text)
    lists = [to[0] for link in LINK.findall(text) if (to := target(page, link)) and to[0].endswith(".csv")]
    for said in COUNTED.findall(text):
        if number(said) != count:
            yield f"{page}: {said} is not the number of its items, {count}"
    if len(shown) != min(count, 100):
        yield f"{page}: shows {len(shown)} of {count}"
    for path in lists:
        ids = ids_in(path)
        places = [ids.index(one) for one in shown if one in set(ids)]
        if len(ids) != count or len(places) != len(shown):
            yield f"{page}: {path} has {len(ids)} items, {len(places)} of those shown"
        # A sample's csv is in the order of the draw.
        elif places and "/samples/" not in path and places != list(range(places[0], places[0] + len(places))):
            yield f"{page}: the items shown are not those of {path} in their order"


def pages_of(out):
    for folder, _, files in os.walk(os.path.join(out, "report")):
        for name in sorted(files):
            if name.endswith(".html"):
                yield os.path.join(folder, name)


def main():
    for out in sys.argv[1:]:
        pages = list(pages_of(out))
        linked = {to[0] for page in pages for link in LINK.findall(read(page)) if (to := target(page, link))}
        for name, found in {
            "links lead somewhere": [one for page in pages for one in dead(page)],
            "pages hold the items that they say": [one for page in pages for one in wrong(page)],
            "pages are led to": [page for page in pages
                                 if page not in linked and not page.endswith("report/index.html")
                                 and "<p class=\"lead\">0 " not in read(page)],
        }.items():
            print(("ok" if pages and not found else "not ok") + f" - {out}: {name} ({len(pages)} pages)")
            for one in found[:10]:
                print(f"# {one}")


main()
