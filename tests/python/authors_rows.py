"""What authors published of their posts and labels, as a dump and as tables of labels that a study
made from a template takes in. usage: authors_rows.py chen|islam|liu DATA
FOLDER"""
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


def islam(data, folder):
    """Their 391 posts as a dump, with the tags of the libraries that they stand under; their 142
    commits as a table by hash; and each of the 972 rows as a bug of its item."""
    posts, commits, bugs = {}, {}, []
    imported = {"Caffe": "caffe", "Keras": "keras", "TF": "tensorflow", "Theano": "theano", "Torch": "torch"}
    for row in rows(data + "/islam2019/bugs_all.csv"):
        commit = re.search(r"/(?:commit|blob)/([0-9a-f]{40})", row["item"])
        key = "github:" + commit[1] if commit else "stackoverflow:" + row["item"]
        library = imported[row["library"]]
        if commit:
            commits[commit[1]] = library
        elif library not in posts.setdefault(row["item"], []):
            posts[row["item"]].append(library)
        bugs.append((key, row["bug_type"], row["root_cause"], row["effect"]))
    write_dump(os.path.join(folder, "Posts.xml"),
               [{"Id": post, "PostTypeId": 1, "CreationDate": "2018-01-01T00:00:00.000", "Score": 6,
                 "Body": "<pre><code>x</code></pre>", "Title": "?",
                 "Tags": "".join(f"<{tag}>" for tag in tags)} for post, tags in posts.items()])
    write(os.path.join(folder, "commits.csv"), ["hash", "title", "imports", "endings", "merge"],
          [(commit, "fix", library, "py", "no") for commit, library in commits.items()])
    write(os.path.join(folder, "bugs.csv"), ["item", "type", "cause", "effect"], bugs)


{"chen": chen, "islam": islam, "liu": liu}[sys.argv[1]](sys.argv[2], sys.argv[3])
