"""What authors published of their posts and labels, as a dump and as tables of labels that a study
made from a template takes in. usage: authors_rows.py chen|liu DATA FOLDER"""
import csv
import json
import os
import re
import sys
from xml.sax.saxutils import quoteattr


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, head, lines):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(head)
        out.writerows(lines)


def write_dump(path, posts):
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for post in posts:
            out.write("<row " + " ".join(f"{name}={quoteattr(str(value))}"
                                         for name, value in post.items()) + " />\n")
        out.write("</posts>\n")


def kinds_of_table_7(study):
    """The package's words for layers and models, and what the paper calls them."""
    with open(study, encoding="utf-8") as file:
        text = file.read()
    names = text[text.index("\n    names:\n"):text.index("\ntables:\n")]
    return dict(re.findall(r"^      ([^:]+): (.+)$", names, re.M))


def liu(data, folder):
    posts, kinds = [], kinds_of_table_7("studies/liu2023/rows.yaml")
    given = rows(data + "/liu2023/posts.csv")
    for number, row in enumerate(given):
        answer = 200000000 + number
        posts.append({"Id": row["post_id"], "PostTypeId": 1, "AcceptedAnswerId": answer,
                      "CreationDate": row["created"], "Score": row["score"],
                      "ViewCount": row["view_count"], "Body": "", "Title": row["title"],
                      "Tags": "".join(f"<{tag}>" for tag in row["tags"].split()), "AnswerCount": 1})
        posts.append({"Id": answer, "PostTypeId": 2, "ParentId": row["post_id"],
                      "CreationDate": row["answered"], "Score": 0, "Body": ""})
    write_dump(os.path.join(folder, "Posts.xml"), posts)
    raters = ("second-author", "third-author")
    head = ["item", "rater", "code"]
    write(os.path.join(folder, "kinds.csv"), head,
          [(row["post_id"], rater, "implementation") for row in given for rater in raters])
    write(os.path.join(folder, "implementation.csv"), head,
          [(row["post_id"], rater, row["object"] + "," + row["level1_code"])
           for row in given for rater in raters])
    write(os.path.join(folder, "phrases.csv"), ["item", "verb", "kind"],
          [(row["post_id"], row["action"], kinds.get(row["object"], row["object"])) for row in given])


def chen(data, folder):
    """The 165 posts on browsers, as the two who judged them said; the 582 labels by platform."""
    raters = ("first", "second")
    with open(data + "/chen2020/dl_browser_post.txt", encoding="utf-8") as file:
        browser = [json.loads(line)["Id"] for line in file]
    write(os.path.join(folder, "judging.csv"), ["item", "rater", "code"],
          [(post, rater, "deployment") for post in browser for rater in raters])
    for platform in ("server", "mobile", "browser"):
        write(os.path.join(folder, platform + ".csv"), ["item", "rater", "code"],
              [(row["url"], rater, row["category"])
               for row in rows(f"{data}/chen2020/category__{platform}.csv") for rater in raters])


{"chen": chen, "liu": liu}[sys.argv[1]](sys.argv[2], sys.argv[3])
