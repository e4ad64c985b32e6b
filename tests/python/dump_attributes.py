"""Every attribute of a dump's rows that a corpus keeps, against Python's reader of XML:
corpus.db, attribution.csv of a package, and the pages of the report.

usage: dump_attributes.py POSTS.xml STUDY PACKAGE SITE
Prints what differs, and then "N posts, M with another licence than their date says"."""

import csv
import datetime
import glob
import html
import re
import sqlite3
import sys
import xml.etree.ElementTree
import zlib

PLANTED = {1000000001, 1000000010}
EPOCH = datetime.datetime(1970, 1, 1)
NUMBERS = {"ParentId": "parent", "AcceptedAnswerId": "accepted", "Score": "score",
           "ViewCount": "views", "AnswerCount": "answers", "CommentCount": "comments",
           "FavoriteCount": "favorites", "OwnerUserId": "owner"}
DATES = {"CreationDate": "created_ms", "ClosedDate": "closed_ms"}


def moment(text):
    if text is None:
        return None
    return (datetime.datetime.fromisoformat(text) - EPOCH) // datetime.timedelta(milliseconds=1)


MARK = " (by its date)"  # behind a licence that no row names


def license_of_date(text):
    return ("" if text is None else "CC BY-SA 2.5" if text < "2011-04-08"
            else "CC BY-SA 3.0" if text < "2018-05-02" else "CC BY-SA 4.0")


def expected(row):
    post = {"id": int(row["Id"]), "kind": int(row["PostTypeId"])}
    for attribute, column in NUMBERS.items():
        post[column] = int(row[attribute]) if attribute in row else None
    for attribute, column in DATES.items():
        post[column] = moment(row.get(attribute))
    if post["kind"] != 2:
        post["parent"] = None
    tags = [tag for tag in re.split("[<>|]", row.get("Tags", "")) if tag]
    post["tags"] = "".join("<%s>" % tag for tag in tags)
    post["title"] = row.get("Title", "")
    post["body"] = row.get("Body", "")
    post["license"] = row.get("ContentLicense") or license_of_date(row.get("CreationDate"))
    if post["license"] and not row.get("ContentLicense"):
        post["license"] += MARK
    return post


def read_dump(path):
    """What is to be stored: all questions, and the answers of these; and how many licences
    are not those of their date."""
    questions, answers, others = {}, [], 0
    for _, element in xml.etree.ElementTree.iterparse(path):
        if element.tag != "row":
            continue
        row = dict(element.attrib)
        element.clear()
        post = expected(row)
        if post["id"] in PLANTED:
            continue
        if post["kind"] == 1:
            questions.setdefault(post["id"], post)
        elif post["kind"] == 2:
            answers.append(post)
        else:
            continue
        others += post["license"].removesuffix(MARK) != license_of_date(row.get("CreationDate"))
    posts = dict(questions)
    for post in answers:
        if post["parent"] in questions:
            posts.setdefault(post["id"], post)
    return posts, others


def main():
    path, study, package, site = sys.argv[1:5]
    posts, others = read_dump(path)
    wrong = 0

    def differs(*what):
        nonlocal wrong
        wrong += 1
        if wrong <= 10:
            print("differs:", *(repr(part)[:200] for part in what))

    database = sqlite3.connect(study + "/corpus.db")
    database.row_factory = sqlite3.Row
    # As src/store/schema.sql tells.
    database.create_function("sqlar_uncompress", 2, lambda packed, size:
        packed if len(packed) == size else zlib.decompress(packed))
    stored = {row["id"]: row for row in database.execute(
        "SELECT * FROM post")}
    if set(stored) != set(posts):
        differs("ids", sorted(set(stored) ^ set(posts))[:10])
    for number in set(stored) & set(posts):
        for column, value in posts[number].items():
            if stored[number][column] != value:
                differs(number, column, stored[number][column], value)

    with open(package + "/attribution.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if {int(row["id"]) for row in rows} != {n for n in posts if posts[n]["kind"] == 1}:
        differs("items of attribution.csv", len(rows))
    for row in rows:
        license = posts[int(row["id"])]["license"]
        if row["licence"] != license.removesuffix(MARK) or \
                row["licence from"] != ("date" if license.endswith(MARK) else "row"):
            differs("attribution.csv", row)

    shown = 0
    line = re.compile(r'<a href="https://%s/q/(\d+)">\d+</a></td><td class="words">'
                      r'(.*?) <span class="soft">([^<]*)</span>' % re.escape(site), re.S)
    for page in glob.glob(study + "/out/report/**/*.html", recursive=True):
        with open(page, encoding="utf-8") as file:
            for number, title, license in line.findall(file.read()):
                post = posts[int(number)]
                shown += 1
                if html.unescape(license) != post["license"]:
                    differs(page, number, license, post["license"])
                if html.unescape(title) != post["title"]:
                    differs(page, number, title, post["title"])
    if shown == 0:
        differs("no page of the report shows a licence")
    print("%d posts, %d with another licence than their date says" % (len(posts), others))
    sys.exit(wrong > 0)


main()
