"""The pages on which people unify verb phrases: bad requests, people who work apart, decisions that are
taken back, a server that is killed while two decide, a csv with a torn row, thousands of proposals, and the
page itself in a browser. Prints TAP. usage: merges.py ASSAY CHECKED-ASSAY FOLDER [PICTURES]"""
import asyncio
import collections
import csv
import json
import os
import random
import re
import subprocess
import sys

import browser
from axe import AXE, faults
from label_client import Person, Server
from tap import check as tap_check, done

ASSAY, CHECKED, STUDY = sys.argv[1:4]
PICTURES = sys.argv[4] if len(sys.argv) > 4 else None
DECISIONS = f"{STUDY}/decisions.csv"
HOSTILE = "How to load <script>document.title='hacked'</script><img src=x onerror=alert(1)> \"weights\" & 'more'"
VERBS = ["load", "restore", "save", "store", "print", "display", "show", "build", "create", "make"]
KILLS = 8


def check(ok, name, why=""):
    tap_check(name if ok or not why else f"{name}: {why}", bool(ok))


def write_study():
    os.makedirs(STUDY)
    with open(f"{STUDY}/posts.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["Id", "Title"])
        titles = [HOSTILE] + [f"How to {verb} my {noun} in Keras?" for verb in VERBS
                              for noun in ("model", "weights", "tensor", "image") for _ in range(3)]
        # Many objects beside the same verbs: thousands of proposals.
        things = [f"{a}{b}{c}" for a in ("zor", "bli", "qua", "fen") for b in ("ta", "mu", "re", "lo", "ki") for c in
                  ("dron", "plex", "vane", "mist", "gar", "nul", "pod", "rix", "sen", "tup", "wam", "xil")]
        titles += [f"How to {verb} a {thing}?" for thing in things for verb in 2 * VERBS[:6]]
        for number, title in enumerate(titles, 1):
            out.writerow([number, title])
    with open(f"{STUDY}/study.yaml", "w") as file:
        file.write("study: merges\ntitle: Merges <b>of</b> verbs\nsource: {posts: posts.csv}\nsets: {all: '*'}\n"
                   "phrases: {how-to: {of: all, decisions: decisions.csv, unifiers: [ann, ben], arbiter: carol}}\n"
                   "tables: {people: {phrases: how-to, show: unifiers}}\n")


def run(assay=ASSAY):
    done_ = subprocess.run([assay, "run", STUDY, "--quiet"], capture_output=True, text=True)
    return done_.returncode, done_.stderr


def rows():
    with open(DECISIONS, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ask(person, name, body=None):
    async def one():
        try:
            return await person.ask(name, body)
        finally:
            person.drop()
    return asyncio.run(one())


def all_of(person, what="gain/all/open"):
    found, at = [], 0
    while at is not None:
        status, said = ask(person, f"merges/{what}/{at}")
        assert status == 200, said
        found += said["items"]
        at = said["next"]
    return found, said


def merge(person, from_, into, verdict="accept", level="action", why="", **more):
    return ask(person, "merge", {"level": level, "from": from_, "into": into, "verdict": verdict, "why": why, **more})


def check_requests(ann):
    bad = [("merges/gain/all/open/x", None), ("merges/gain/all/open/-1", None), ("merges/loud/all/open/0", None),
           ("merges/gain/verbs/open/0", None), ("merges/gain/all/any/0", None), ("merges/", None), ("merge", []),
           ("merge", {}), ("merge", {"level": "action", "from": "load", "into": 3, "verdict": "accept"}),
           ("merge", {"level": "verb", "from": "load", "into": "get", "verdict": "accept"}),
           ("merge", {"level": "action", "from": "load", "into": "get", "verdict": "perhaps"}),
           ("merge", {"level": "action", "from": "load", "into": "load", "verdict": "accept"}),
           ("merge", {"level": "action", "from": "load", "into": " ", "verdict": "accept"}),
           ("merge", {"level": "action", "from": "", "into": "get", "verdict": "accept"}),
           ("merge", {"level": "action", "from": "load", "into": "x" * 201, "verdict": "accept"}),
           ("merge", {"level": "action", "from": "load", "into": "get", "verdict": "undo"})]
    for name, body in bad:
        status, said = ask(ann, name, body)
        check(status == 400 and said["error"], f"refused: {name} {json.dumps(body)[:60]}", f"{status} {said}")
    for name, body in (("label", {}), ("next", None), ("lead", None), ("decide", {}), ("copy", None)):
        status, _ = ask(ann, name, body)
        check(status == 403, f"of a labelling, and not for unifiers: {name}", str(status))
    check(ask(ann, "nothing")[0] == 404, "an unknown call")
    stranger = Person(ann.port, ann.token[:8] + "0" * 24)
    check(ask(stranger, "merges/gain/all/open/0")[0] == 403, "a stranger with a wrong token")
    check(rows() == [], "nothing of this is written")


def check_apart(ann, ben, carol):
    mine, said = all_of(ann)
    gains = [one["items"] * one["score"] for one in mine]
    check(len(mine) == said["left"] > 500, "hundreds of proposals come in parts", str(len(mine)))
    check(gains == sorted(gains, reverse=True), "the most gain first")
    scores = [one["score"] for one in all_of(ann, "score/object/open")[0]]
    check(scores == sorted(scores, reverse=True) and 0 < len(scores) < len(mine), "objects alone, the likeliest first")
    verbs = [one for one in mine if one["level"] == "action"]
    first, second = verbs[0], next(one for one in verbs if one["from"] != verbs[0]["from"])
    status, found = ask(ann, f"merges/name/all/open/0/{first['from']}%20{first['into']}")
    check(status == 200 and any(one["from"] == first["from"] and one["into"] == first["into"] for one in found["items"]),
          "words search the list")
    why = "they say \"the same\", twice;\na line more"
    check(merge(ann, first["from"], first["into"], why=why)[0] == 200, "a merge is accepted")
    check(merge(ann, first["from"], first["into"], why=why)[0] == 200, "sent twice")
    check(merge(ann, second["from"], second["into"], "refuse")[0] == 200, "another is refused")
    log = rows()
    check([(one["who"], one["verdict"], one["from"], one["into"]) for one in log] ==
          [("ann", "accept", first["from"], first["into"]), ("ann", "refuse", second["from"], second["into"])],
          "the csv has a row for each, once", str(log))
    check(log[0]["why"] == why.replace("\n", " ") and log[0]["when"].startswith("20"), "with why and when")
    left = all_of(ann)[0]
    check(not any(one["level"] == "action" and one["from"] == first["from"] for one in left),
          "a verb that was merged is not asked about again")
    check([(one["from"], one["verdict"]) for one in all_of(ann, "gain/all/decided")[0]] ==
          [(second["from"], "refuse"), (first["from"], "accept")], "what she decided, the newest first")
    theirs, said = all_of(ben)
    check(theirs == mine and said["done"] == 0, "the other unifier sees none of it")
    status, said = merge(ann, first["into"], first["from"])
    check(status == 400 and "lead back" in said["error"], "a merge that leads back is refused", str(said))
    status, said = merge(ann, first["from"], first["into"], "undo")
    check(status == 200 and len(rows()) == 3, "taken back by a further row")
    check(merge(ann, first["from"], first["into"], "undo")[0] == 200 and len(rows()) == 3, "and only once")
    check(all_of(ann)[0] == [one for one in mine if (one["from"], one["into"], one["level"]) !=
                             (second["from"], second["into"], "action")], "then it is asked about again")
    # After a run: what ann decided does not show in what ben is asked.
    check(merge(ann, first["from"], first["into"])[0] == 200, "accepted again")
    check(run() == (0, ""), "the study runs while the pages are open")
    check(all_of(ben)[0] == mine, "new proposals for one rest on nobody else's decisions")
    check(all(one["from"] != first["from"] or one["level"] != "action" for one in all_of(ann)[0]), "and on one's own")
    check(all_of(carol)[0] == [], "nobody differs yet")
    merge(ben, first["from"], first["into"], "refuse", why="not to me")
    disputes = all_of(carol)[0]
    check([(one["from"], one["into"], [(said["who"], said["verdict"]) for said in one["said"]]) for one in disputes] ==
          [(first["from"], first["into"], [("ann", "accept"), ("ben", "refuse")])], "the arbiter sees where they differ",
          str(disputes))
    check(merge(carol, first["from"], first["into"], why="one action")[0] == 200 and all_of(carol)[0] == [], "and settles it")
    # Under two names: the arbiter sees both, and who gave which.
    one, other = second["from"], second["into"]
    merge(ann, one, other, why="shorter")
    merge(ben, other, one)
    check([(it["from"], it["into"], [(by["who"], by["verdict"], by["from"], by["into"]) for by in it["said"]]) for it in all_of(carol)[0]]
          == [(other, one, [("ann", "accept", one, other), ("ben", "accept", other, one)])], "both names of two, to the arbiter",
          str(all_of(carol)[0]))
    check(merge(ben, other, one, "undo")[0] == 200 and merge(ann, one, other, "refuse")[0] == 200, "and both are taken back")
    check(run() == (0, ""), "and the study runs")
    with open(f"{STUDY}/out/phrases/how-to/decisions.csv", newline="") as file:
        states = [list(row.values())[-1] for row in csv.DictReader(file)]
    check(states == ["undone", "replaced", "undone", "counts", "overruled", "counts", "replaced", "undone", "undone", "refused"], "what counts follows from all rows", str(states))
    with open(f"{STUDY}/out/phrases/how-to/unifiers.csv", newline="") as file:
        people = [list(row.values())[0] for row in csv.DictReader(file)]
    check(people == ["ann and ben"], "agreement of unifiers, without the arbiter", str(people))


def check_titles(ann):
    said = ask(ann, "titles/action/load")[1]
    check(said["items"] > 5 and 0 < len(said["titles"]) <= 8, "titles that have a verb")
    check(any(one["title"] == HOSTILE for name in ("load",) for one in ask(ann, f"titles/action/{name}")[1]["titles"]),
          "a hostile title comes as it is, as text")
    check(ask(ann, "titles/action/nothing%20such")[1]["titles"] == [], "an unknown verb has none")


class Unifier(Person):
    """Decides, again when the server has gone, and knows what was confirmed."""

    def __init__(self, name, port, token, proposals):
        super().__init__(port, token)
        self.name, self.proposals, self.confirmed = name, proposals, []

    async def work(self):
        for number, one in enumerate(self.proposals):
            body = {"level": one["level"], "from": one["from"], "into": one["into"], "verdict": "refuse", "why": f"{self.name} {number}"}
            while True:
                try:
                    status, said = await asyncio.wait_for(self.ask("merge", body), 10)
                    break
                except (OSError, EOFError, asyncio.TimeoutError):
                    self.drop()
                    await asyncio.sleep(0.05)
            assert status == 200, said
            self.confirmed.append(body["why"])
        self.drop()


async def kills(server, people, rng):
    async def kill():
        for _ in range(KILLS):
            await asyncio.sleep(rng.uniform(0.02, 0.3))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
    await asyncio.wait_for(asyncio.gather(kill(), *(one.work() for one in people)), 120)


def check_kills(server, tokens):
    before = len(rows())
    people = [Unifier(name, server.port, tokens[name], all_of(Person(server.port, tokens[name]))[0][40:160]) for name in ("ann", "ben")]
    asyncio.run(kills(server, people, random.Random(3)))
    found = collections.Counter(one["why"] for one in rows()[before:])
    wanted = [why for one in people for why in one.confirmed]
    check(len(wanted) == 240 and all(found[why] == 1 for why in wanted), f"{KILLS} kills while two decide: each decision is there once",
          str([why for why in wanted if found[why] != 1][:3]))
    check(len(found) == 240, "and nothing else is")


def check_torn(server):
    whole = open(DECISIONS, "rb").read()
    server.kill()
    with open(DECISIONS, "ab") as file:
        file.write(b"2026-01-01T00:00:00,ann,action,lo")
    status, said = run()
    check(status == 1 and "decisions.csv:" in said, "a torn row is told with its place", said)
    # The failed run may or may not have left proposals: the pages open, or say that there are none.
    opened = subprocess.Popen([CHECKED, "phrases", STUDY], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    opened.stdout.readline()
    opened.kill()
    opened.communicate()
    check(open(DECISIONS, "rb").read() == whole, "and taken out when the pages are opened again")
    check(run() == (0, ""), "then the study runs")
    with open(DECISIONS, "ab") as file:
        file.write(b"2026-01-01T00:00:00,ann,action,print,,,show,accept,by hand")
    server.start()
    ann = Person(server.port, server.start_tokens["ann"])
    check(merge(ann, "store", "save", why="behind it")[0] == 200 and [one["why"] for one in rows()[-2:]] == ["by hand", "behind it"],
          "a row by hand without its end of line is kept")
    with open(DECISIONS, "a") as file:
        file.write("2026-01-01T00:00:00,ann,action,display,,,show,accept,by hand too\n")
    check(any(one["why"] == "by hand too" for one in all_of(ann, "gain/all/decided")[0]), "rows that come by hand are seen at once")
    with open(DECISIONS, "a") as file:
        file.write("nonsense\n")
    status, said = merge(ann, "build", "create")
    check(status == 400 and "decisions.csv:" in said["error"], "a csv that cannot be read is told on the page", str(said))
    text = open(DECISIONS, encoding="utf-8").read().removesuffix("nonsense\n")
    with open(DECISIONS, "w") as file:
        file.write(text)
    check(merge(ann, "build", "create")[0] == 200, "until it is mended")
    before = len(rows())
    said = [merge(ann, "load", into, why="to and fro")[0] for into in ("read", "fetch", "read", "read")]
    check(said == [200] * 4 and [one["into"] for one in rows()[before:]] == ["read", "fetch", "read"],
          "a decision that another had replaced counts again; one that stands is written once", str(rows()[before:]))
    second = subprocess.run([CHECKED, "phrases", STUDY], capture_output=True, text=True)
    check(second.returncode == 3 and "held by process" in second.stderr, "there is one server", second.stderr)


def shot(page, name):
    if PICTURES:
        os.makedirs(PICTURES, exist_ok=True)
        page.shot(f"{PICTURES}/{name}.png")


def wait(page, script):
    if not page.wait(script):
        raise RuntimeError(f"the page never comes to this: {script}")


def check_page(server, tokens):
    if browser.find() is None:
        print("ok - the page in a browser # SKIP chromium is not installed")
        return
    page = browser.Browser()
    try:
        page.size(1280, 800)
        page.go(f"http://127.0.0.1:{server.port}/#{tokens['ben']}")
        wait(page, "document.querySelectorAll('#into-titles li').length > 0 && document.querySelectorAll('#from-titles li').length > 0")
        check(page.run("document.getElementById('study').textContent") == "Merges <b>of</b> verbs", "the study's title as text")
        head = page.run("document.getElementById('into-head').textContent")
        said = re.search(r" (\d+) titles? as such(?:; (\d+) of them:)?$", head)
        listed = page.run("document.querySelectorAll('#into-titles li').length")
        check(said is not None and listed == int(said.group(2) or said.group(1)) and listed <= int(said.group(1)),
              "how many titles have the word, and how many of them are shown", head)
        check(page.run("document.querySelectorAll('#rows li').length") == 200, "two hundred at first")
        page.run("document.getElementById('more').click()")
        check(page.wait("document.querySelectorAll('#rows li').length > 200"), "and more when asked")
        tops, ends = set(), []
        for at in (0, 1, 30, 150):
            page.run(f"document.querySelectorAll('#rows button')[{at}].click()")
            wait(page, "document.querySelectorAll('#into-titles li').length > 0 && document.querySelectorAll('#from-titles li').length > 0")
            tops.add(page.run("document.getElementById('accept').getBoundingClientRect().top"))
            ends.append(page.run("document.getElementById('card').getBoundingClientRect().bottom - "
                                 "Math.max(...[...document.querySelectorAll('.titles ul')].map((one) => one.getBoundingClientRect().bottom))"))
        check(len(tops) == 1 and max(ends) < 40, "buttons stay where they are, and nothing is kept free below titles", f"{tops} {ends}")
        page.run("document.querySelector('#rows button').click()")
        before = len(rows())
        title = page.run("document.getElementById('card-title').textContent")
        page.key("w")
        page.type("by keys")
        page.key("Escape")
        page.key("a")
        wait(page, "document.getElementById('saved').textContent.startsWith('Saved') && !document.getElementById('card').hidden && "
                  f"document.getElementById('card-title').textContent !== {json.dumps(title)}")
        last = rows()[-1]
        check(len(rows()) == before + 1 and last["who"] == "ben" and last["why"] == "by keys" and
              f"{last['from']} into {last['into']}" == title, "w, words, a: accepted by keys, with why", f"{last} {title}")
        page.key("k")
        wait(page, f"document.getElementById('card-title').textContent === {json.dumps(title)}")
        page.key("u")
        wait(page, "document.getElementById('undo').hidden")
        check(rows()[-1]["verdict"] == "undo", "k, u: taken back")
        page.key("r")
        wait(page, f"document.getElementById('card-title').textContent !== {json.dumps(title)}")
        check(rows()[-1]["verdict"] == "refuse", "r: refused")
        page.key("i")
        page.type("another name")
        page.key("Escape")
        page.key("a")
        wait(page, "document.querySelector('.merge-list').textContent.includes('another name')")
        check(rows()[-1]["into"] == "another name", "i: into another name")
        page.key("/")
        page.type("load")
        wait(page, "[...document.querySelectorAll('#rows li')].length > 0 && "
                  "[...document.querySelectorAll('#rows li')].every((one) => one.textContent.includes('load'))")
        wait(page, "document.querySelectorAll('#from-titles mark, #into-titles mark').length > 0")
        check(page.run("document.title").startswith("how-to") and page.run("document.querySelector('.titles img, .titles script') === null"),
              "a hostile title is shown as text")
        shot(page, "merges")
        page.run("document.getElementById('state').value = 'decided'; document.getElementById('state').dispatchEvent(new Event('change'))")
        page.run("document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new Event('input'))")
        check(page.wait("document.querySelector('#rows li')?.textContent.includes('another name')"), "what was decided, the newest first")
        page.run("document.getElementById('search').value = 'no such word'; document.getElementById('search').dispatchEvent(new Event('input'))")
        check(page.wait("document.getElementById('count').textContent.startsWith('0 hits, of ') && document.getElementById('nothing').hidden && "
                        "document.getElementById('rows').getBoundingClientRect().height === 0"), "words that no merge has")
        page.run("document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new Event('input'))")
        wait(page, "document.querySelectorAll('#rows li').length > 0")
        page.run("document.getElementById('other').open = true; document.getElementById('free-from').value = 'print';"
                 "document.getElementById('free-into').value = 'show'; document.querySelector('#free button').click()")
        wait(page, "document.getElementById('free-from').value === ''")
        check((rows()[-1]["from"], rows()[-1]["into"]) == ("print", "show"), "a merge that nobody proposed")
        for width in (1280, 390):
            page.size(width, 800)
            wide = page.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            check(wide <= 0, f"nothing is cut at a width of {width}", str(wide))
            if AXE:
                found = faults(page)
                check(found == [], f"axe finds nothing at a width of {width}", str(found)[:600])
        shot(page, "merges-narrow")
        server.kill()
        page.key("Escape")
        page.run("document.activeElement.blur()")
        page.key("r")
        wait(page, "!document.getElementById('message').hidden")
        check("does not answer" in page.run("document.getElementById('message').textContent"), "a server that is gone is told")
        server.start()
        complaints = [one for one in page.complaints() if "Failed to load" not in one and "ERR_CONNECTION" not in one]
        check(complaints == [], "the browser complains of nothing", str(complaints))
    finally:
        page.close()


def main():
    write_study()
    early = subprocess.run([CHECKED, "phrases", STUDY], capture_output=True, text=True)
    check(early.returncode == 1 and "assay run" in early.stderr, "before a run it says what to do", early.stderr)
    os.remove(DECISIONS)
    check(run(CHECKED) == (0, ""), "the study runs before anybody has decided")
    server = Server(CHECKED, STUDY, command="phrases", last="carol")
    tokens = server.start()
    server.start_tokens = tokens
    ann, ben, carol = (Person(server.port, tokens[name]) for name in ("ann", "ben", "carol"))
    check_requests(ann)
    check_apart(ann, ben, carol)
    check_titles(ann)
    check_kills(server, tokens)
    check_torn(server)
    check_page(server, tokens)
    check(server.end() == 0, "the server ends well")
    sys.exit(done())


if __name__ == "__main__":
    main()
