"""Labelling without a slip, in real browsers: keys that are faster than the net, a pointer over many codes,
memos that are too long, notes without labels, rounds that are closed, data that are read anew, full disks,
many slow connections; and two raters at speed over a net that is slow and fails, whose every key must be
stored as it was meant. Prints TAP. usage: label_slips.py ASSAY FOLDER"""
import json
import os
import random
import resource
import socket
import sqlite3
import subprocess
import sys
import threading
import time

from browser import Browser
from tap import check, done

ASSAY, STUDY = sys.argv[1:3]
ITEMS, CODES, FAST = 130, 61, 100
DELAY, FAILING = 0.2, 0.05  # of the bad net: seconds for an answer, share of requests that fail
ITEM = "Number(document.querySelector('#post').dataset.item)"
SAVED = "document.getElementById('saved').textContent.startsWith('Saved')"
PRESSED = "[...document.querySelectorAll('.code[aria-pressed=true]')].map(one => one.dataset.code)"


def write_posts(leave_out=(), changed=()):
    with open(f"{STUDY}/posts.csv", "w") as file:
        file.write("Id,PostTypeId,CreationDate,Score,Title,Tags,Body\n")
        for i in range(1, ITEMS + 1):
            if i not in leave_out:
                file.write(f"{i},1,2018-05-01 10:00:00,1,Question {i},<x>,"
                           f"<p>How do I do step {i}{' anew' if i in changed else ''}?</p>\n")


def write_study():
    os.makedirs(STUDY, exist_ok=True)
    write_posts()
    with open(f"{STUDY}/codes.yaml", "w") as file:
        file.write("codebook: codes\ndimensions:\n  kind:\n    name: Kind\n    codes:\n")
        for c in range(CODES):  # meanings of all lengths, which once moved the list
            file.write(f"      c{c}: {{name: Code {c}, definition: {('about ' * (c * 7 % 60 + 1)).strip()}}}\n")
        file.write("  part: {name: Part, codes: {a: A, b: B}}\n")
    with open(f"{STUDY}/one.yaml", "w") as file:
        file.write("codebook: one\ncodes: {" + ", ".join(f"k{c}: K{c}" for c in range(9)) + "}\n")
    with open(f"{STUDY}/study.yaml", "w") as file:
        file.write("study: slips\nsource: {posts: posts.csv}\nsets: {x: '[x]'}\n"
                   "samples: {few: {of: x, size: 14, seed: 1}, many: {of: x, size: 100, seed: 2}}\n"
                   "codebooks: {codes: codes.yaml, one: one.yaml}\nlabelling:\n"
                   "  codes: {sample: few, raters: [anna, ben], lead: anna, arbiter: carol, names: hidden, seed: 1}\n"
                   "  one: {sample: many, raters: [anna, ben], lead: lead, seed: 3}\n")
    subprocess.run([ASSAY, "run", STUDY, "--quiet"], check=True)


class Server:
    """assay label on a task; its complaints are kept in said."""

    def __init__(self, task):
        self.process = subprocess.Popen([ASSAY, "label", STUDY, "--task", task, "--port", "0"], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, restore_signals=False)
        self.links, self.said = {}, []
        while len(self.links) < 3:
            _, person, link = self.process.stdout.readline().split()
            self.links[person] = link
        self.port = int(link.split("#")[0].rstrip("/").rsplit(":", 1)[1])
        threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True).start()

    def page(self, person, page, port=None):
        base, token = self.links[person].split("#")
        return f"{base.replace(str(self.port), str(port or self.port))}u/{token[:8]}/{page}"

    def end(self):
        self.process.terminate()
        return self.process.wait()


def acts(task, *columns, where="1", file=None):
    """What labels.db has, in the order in which it came."""
    with sqlite3.connect(f"file:{file or STUDY + '/labels.db'}?mode=ro", uri=True) as db:
        return db.execute(f"SELECT {', '.join('a.' + one for one in columns)} FROM act a JOIN round r ON r.id = a.round "
                          f"WHERE r.task = ? AND {where} ORDER BY a.id", (task,)).fetchall()


def lists(task):
    """{rater: items in the order of the list}, of the last round."""
    found = {}
    with sqlite3.connect(f"file:{STUDY}/labels.db?mode=ro", uri=True) as db:
        for rater, item in db.execute(
                "SELECT rater, item FROM assignment WHERE round = (SELECT max(id) FROM round WHERE task = ?) "
                "ORDER BY position", (task,)):
            found.setdefault(rater, []).append(item)
    return found


def opened(link, ready="document.querySelectorAll('.code').length > 0"):
    browser = Browser()
    browser.size(1280, 860)
    browser.go(link)
    if not browser.wait(ready):
        raise RuntimeError(browser.run("document.body.innerText")[:300])
    return browser


def open_round(browser, server, person):
    browser.go(server.page(person, "lead"))
    browser.wait("!document.getElementById('open-round').hidden")
    browser.run("document.getElementById('open-round').requestSubmit()")
    browser.wait("!!document.querySelector('#rounds button')")


def to_rater(browser, server, person):
    browser.go(server.page(person, "rater"))
    browser.wait("document.querySelectorAll('.code').length > 0")


def is_shown(browser, item):
    return browser.wait(f"{ITEM} === {item} && !document.getElementById('panel').inert")


# One after the other, on one page. Each takes the browser to where the next begins.

def keys_wait(browser, items):
    browser.delay(150)
    for key in "1n2n3n4np":
        browser.key(key)
    check("keys that are faster than the net are for the item that comes", is_shown(browser, items[3]))
    browser.wait(SAVED)
    browser.delay(0)
    stored = acts("codes", "item", "codes", where="a.kind = 'label'")
    wanted = [(items[i], f'["c{i}"]') for i in range(4)]
    check("and none overwrites another", stored == wanted, stored, wanted)


def add_act(browser, key):
    """The act that a key makes, once it is stored."""
    before = len(acts("codes", "id"))
    browser.key(key)
    for _ in range(100):
        if len(acts("codes", "id")) > before:
            break
        time.sleep(0.05)
    return acts("codes", "seconds")[-1][0]


def looking_time(browser, items):
    """Seconds are those that the page was looked at; what went before counts once."""
    hide = "Object.defineProperty(document, 'hidden', {{value: {}, configurable: true}}); document.dispatchEvent(new Event('visibilitychange'))"
    is_shown(browser, items[3])
    add_act(browser, "1")
    begun = time.monotonic()
    time.sleep(1.2)
    looked, most = add_act(browser, "2"), time.monotonic() - begun
    begun = time.monotonic()
    browser.run(hide.format("true"))
    time.sleep(1.5)
    browser.run(hide.format("false"))
    aside, all_of_it = add_act(browser, "4"), time.monotonic() - begun
    check("seconds are those since the last act", 1.1 < looked <= most + 0.1, looked, most)
    check("without those when the page was out of sight", 0 <= aside <= all_of_it - 1.4, aside, all_of_it)


def proposals(browser):
    """Names in any script are proposed, and their codes can be told apart."""
    names = ["\u041f\u0430\u043c\u044f\u0442\u044c \u043a\u043e\u043d\u0447\u0438\u043b\u0430\u0441\u044c", "\u8bb0\u5fc6", "\u0627\u0644\u0630\u0627\u0643\u0631\u0629"]
    for name in names:
        browser.run("document.getElementById('ask-propose').click()")
        browser.wait("document.getElementById('propose').open")
        browser.run(f"(() => {{ const form = document.getElementById('propose-form'); form.elements.name.value = {json.dumps(name)}; form.requestSubmit(); }})()")
        browser.wait("!document.getElementById('propose').open")
    with sqlite3.connect(f"file:{STUDY}/labels.db?mode=ro", uri=True) as db:
        stored = db.execute("SELECT name, code FROM proposal ORDER BY id").fetchall()
    check("codes are proposed in any script", [name for name, _ in stored] == names and
          len({code for _, code in stored}) == len(names) and all(code for _, code in stored), stored)


def going_back(browser, items):
    browser.delay(300)
    browser.key("n")
    is_shown(browser, items[4])
    for key in "5np":
        browser.key(key)
    check("an item that was left before its save ended is shown with its label",
          is_shown(browser, items[4]) and browser.run(PRESSED) == ["kind/c4"], browser.run(PRESSED))
    browser.delay(0)
    browser.wait(SAVED)


def dimension_shown(browser):
    browser.key("d")
    told = browser.run("document.getElementById('keys-for').textContent")
    for _ in range(2):
        browser.run("document.getElementById('codes').scrollTop = 1e6")
        at = browser.run("document.getElementById('keys-for').getBoundingClientRect().top")
    check("the dimension that keys are for is always in sight",
          told.startswith("Keys: Kind") and 0 < at < 800, told, at)


def pointer(browser):
    wrong = []
    for code in range(0, CODES, 5):
        place = f"document.querySelector('[data-code=\"kind/c{code}\"]')"
        browser.run(f"{place}.scrollIntoView({{block: 'center'}})")
        x, y = browser.run(f"(({{left, top}}) => [left + 60, top + 8])({place}.getBoundingClientRect())")
        browser.mouse("mouseMoved", x, y - 40)
        browser.mouse("mouseMoved", x, y)
        browser.wait("document.getElementById('meaning').textContent !== ''")
        browser.mouse("mousePressed", x, y)
        browser.mouse("mouseReleased", x, y)
        if f"kind/c{code}" not in browser.run(PRESSED):
            wrong.append((code, browser.run(PRESSED)))
    check("the code under the pointer is the one that a click gives", wrong == [], wrong)
    browser.wait(SAVED)


def long_memo(browser, items):
    at = browser.run(ITEM)
    browser.run("document.getElementById('memo').value = 'x'.repeat(70000)")
    browser.run("document.getElementById('memo').dispatchEvent(new Event('change'))")
    check("a memo that is too long is said not to be saved",
          browser.wait("!document.getElementById('refused').hidden && "
                       "document.getElementById('refused').textContent.includes('too long')"))
    browser.key("n")
    is_shown(browser, items[items.index(at) + 1])
    browser.key("2")
    check("the rest goes on", browser.wait(SAVED) and acts("codes", "codes")[-1] == ('["c1"]',))
    browser.run("document.querySelector('#refused-list button').click()")
    is_shown(browser, at)
    browser.wait("document.getElementById('memo').value.length === 70000")
    browser.run("document.getElementById('memo').value = 'short'")
    browser.run("document.getElementById('memo').dispatchEvent(new Event('change'))")
    check("it can be mended, and is then saved", browser.wait("document.getElementById('refused').hidden") and
          acts("codes", "item", "kind", "memo")[-1] == (at, "note", "short"), acts("codes", "kind")[-3:])
    browser.key("Escape")


def notes(browser, items):
    to = items[8]
    for item in items[items.index(browser.run(ITEM)) + 1:9]:
        browser.key("n")
        is_shown(browser, item)
    browser.key("m")
    browser.type("which of the two?")
    browser.key("Escape")
    browser.key("x")
    browser.key("n")
    is_shown(browser, items[9])
    browser.key("p")
    is_shown(browser, to)
    check("a memo and a flag stay without a label",
          browser.run("[document.getElementById('memo').value, document.getElementById('unsure').checked]") ==
          ["which of the two?", True])
    browser.key("6")  # a kind, and the part
    browser.key("1")
    browser.wait(SAVED)
    browser.key("m")
    browser.type(" both")
    browser.key("Escape")
    browser.wait(SAVED)
    before = len(acts("codes", "id"))
    browser.key("u")
    browser.wait("document.getElementById('memo').value === 'which of the two?'")
    browser.wait(SAVED)
    browser.call("Page.reload")
    browser.wait("document.querySelectorAll('.code').length > 0")
    check("a memo of several labels is one act, and one undo takes it back",
          acts("codes", "kind")[before - 1:] == [("note",), ("undo",)], acts("codes", "kind")[-4:])
    said = acts("codes", "memo", where=f"a.item = {to} AND a.kind = 'label'")
    check("labels have the memo that was there", said == [("which of the two?",)] * 2, said)


def item_list(browser):
    browser.key("L")
    browser.wait("document.getElementById('list').open")
    browser.wait("document.querySelectorAll('#own-items tr').length > 1")
    browser.run("document.getElementById('own-search').value = 'UNSURE which'")
    browser.run("document.getElementById('own-search').dispatchEvent(new Event('input'))")
    browser.wait("document.querySelectorAll('#own-items tr').length === 1")
    rows = browser.run("[...document.querySelectorAll('#own-items tr')].map(row => row.innerText)")
    check("one's items are listed, with state, flag and memo, and searched",
          len(rows) == 1 and "done" in rows[0] and "unsure" in rows[0] and "c5, a" in rows[0], rows)
    browser.run("document.querySelector('#own-items button').click()")
    check("and opened from there", browser.wait("document.getElementById('memo').value === 'which of the two?'"))
    browser.key("G")
    check("guidelines are a key away", browser.run("document.getElementById('guidelines').open && "
          "document.querySelectorAll('#guidelines .rule').length") == CODES + 2)
    browser.key("Escape")


def copies(browser, server):
    count = len(acts("codes", "id"))
    time.sleep(1.6)
    subprocess.run(["cp", f"{STUDY}/labels.db", f"{STUDY}/plain.db"], check=True)
    check("a plain copy of labels.db has what was said a second ago",
          len(acts("codes", "id", file=f"{STUDY}/plain.db")) == count)
    browser.key("m")
    browser.type("just now")
    browser.key("Escape")
    browser.wait(SAVED)
    subprocess.run([ASSAY, "export", "labels", STUDY, "--task", "codes", "--backup", f"{STUDY}/backup.db"], check=True)
    check("a backup has what was said this moment", acts("codes", "memo", file=f"{STUDY}/backup.db")[-1][0].endswith("just now"))
    browser.go(server.page("anna", "lead"))
    browser.wait("document.getElementById('copy').href.endsWith('/copy')")
    said = browser.run("fetch(document.getElementById('copy').href).then(a => a.text())")
    check("a lead who rates in the open round gets no copy", "must not see" in said, said[:100])


def blind(browser, server):
    browser.go(server.page("anna", "lead"))
    browser.wait("document.getElementById('finals').textContent !== ''")
    said = browser.run("fetch('../../api/' + location.pathname.split('/').at(-2) + '/lead').then(a => a.json())")
    check("a lead who rates does not see how others do in the open round",
          said["blind"] and said["finals"] is None and said["agreement"][0]["items"] == 0 and
          said["agreement"][0]["confusion"] == [], json.dumps(said["agreement"])[:300])
    check("and is told so", "shown when it is closed" in browser.run("document.getElementById('finals').textContent"))


def data_anew(anna, ben, server):
    items = lists("codes")
    gone, changed = items["ben"][6], items["ben"][0]
    ben.go(server.page("ben", "rater"))
    is_shown(ben, changed)
    write_posts(leave_out=[gone], changed=[changed])
    subprocess.run([ASSAY, "run", STUDY, "--quiet"], check=True)
    anna.go(server.page("anna", "lead"))
    check("the lead is told of an item that is gone although nobody has said anything since",
          anna.wait(f"document.getElementById('lost').textContent.includes('corpus: {gone}.')", 20),
          anna.run("document.getElementById('lost').textContent"))
    ben.key("1")
    check("a label of another text than the one on show is not saved",
          ben.wait("document.getElementById('refused').textContent.includes('another text')"),
          ben.run("document.getElementById('refused').textContent"))
    ben.run("window.confirm = () => true; document.querySelectorAll('#refused button')[2].click()")
    check("the new text is shown", ben.wait("document.getElementById('post').textContent.includes('anew')"))
    for item in items["ben"][:6]:
        is_shown(ben, item)
        for key in "21n":
            ben.key(key)
    check("an item that is gone says so, and the rater goes on", is_shown(ben, gone) and
          "gone" in ben.run("document.querySelector('#post h1').textContent"), ben.run("document.getElementById('post').innerText"))
    ben.key("3")
    ben.key("n")
    check("nothing is said of it", is_shown(ben, items["ben"][7]) and
          acts("codes", "id", where=f"a.item = {gone} AND a.rater = 'ben'") == [])
    anna.go(server.page("anna", "lead"))
    check("the lead is told which items are gone or changed",
          anna.wait(f"document.getElementById('lost').textContent.includes('corpus: {gone}.')"),
          anna.run("document.getElementById('lost').textContent"))
    return items


def closing(anna, ben, server, items):
    ben.key("1")
    ben.wait(SAVED)
    at = ben.run(ITEM)
    anna.run("window.confirm = (text) => { window.asked = text; return true; }; document.getElementById('again').click()")
    anna.wait("!!document.querySelector('#rounds button')")
    anna.run("document.querySelector('#rounds button').click()")
    anna.wait("!document.querySelector('#rounds button')")
    asked = anna.run("window.asked")
    check("closing a round says who is not done", "ben (" in asked and "left)" in asked, asked)
    ben.key("d")
    ben.key("7")
    check("what comes after it is said to be late", ben.wait("document.getElementById('message').textContent.includes('kept apart')"))
    last = acts("codes", "kind", "item", "codes")[-1]
    check("and kept", last == ("late label", at, '["c6"]') or last == ("late label", at, '["b"]'), last)
    anna.run("document.getElementById('again').click()")
    check("and shown to the lead", anna.wait("!document.getElementById('late').hidden && "
                                             "document.getElementById('late-list').textContent.includes('ben')"))


def overrule(browser):
    """Where raters differ in one dimension and agree in the other, that can be decided as well."""
    agreed = "[...document.querySelectorAll('#others button')].find((one) => one.textContent.endsWith(', agreed'))"
    for _ in range(12):
        browser.wait("!document.getElementById('panel').inert")
        if browser.run(f"{agreed} !== undefined"):
            break
        item = browser.run("document.getElementById('panel').innerText + document.getElementById('post').innerText")
        browser.key("n")
        browser.wait(f"document.getElementById('panel').innerText + document.getElementById('post').innerText !== {json.dumps(item)}")
    at = browser.run(ITEM)
    browser.run(f"{agreed}.click()")
    browser.wait("document.getElementById('post').textContent.includes('Raters agree here')")
    dimension = browser.run("document.getElementById('dimension').textContent").lower()
    browser.key("/")
    browser.type("code 7" if dimension == "kind" else "b")
    for key in ("Enter", "o", "m"):
        browser.key(key)
    browser.type("both overlooked it")
    for key in ("Escape", "s"):
        browser.key(key)
    browser.wait("document.getElementById('before').textContent.startsWith('Decided')")
    with sqlite3.connect(f"file:{STUDY}/labels.db?mode=ro", uri=True) as db:
        last = db.execute("SELECT item, dimension, text FROM decision ORDER BY id DESC").fetchone()
    check("what raters agree on in another dimension can be overruled", last == (at, dimension, "both overlooked it"), last, at, dimension)


def walk_list(browser):
    """Arrow keys walk through the list of codes, to any of them; Enter or the button takes one, a pointer at once."""
    chosen = "document.getElementById('chosen').textContent"
    before = browser.run(chosen)
    browser.run("document.getElementById('code').focus()")
    for _ in range(7):
        browser.key("ArrowDown")
    browser.key("ArrowUp")
    at = browser.run("document.getElementById('code').value")
    check("arrow keys reach every code of the list, and take none", at == "c5" and browser.run(chosen) == before, at, browser.run(chosen))
    browser.run("document.getElementById('decision').reason.value = 'slip'; document.getElementById('decision').requestSubmit()")
    told = browser.run("document.getElementById('message').textContent")
    check("what the list stands at is not left out in silence", "stands at Code 5, which is not taken" in told, told)
    browser.key("Enter")
    check("Enter takes it", browser.wait(f"{chosen}.includes('Code 5')") and browser.run("document.getElementById('code').value") == "", browser.run(chosen))
    browser.key("ArrowDown")
    browser.run("document.getElementById('take').click()")
    check("and so does the button", "Code 0" in browser.run(chosen), browser.run(chosen))
    browser.run("""(() => { const list = document.getElementById('code'); list.dispatchEvent(new PointerEvent('pointerdown'));
      list.value = 'c42'; list.dispatchEvent(new Event('change')); })()""")
    check("what a pointer chooses is taken at once", "Code 42" in browser.run(chosen), browser.run(chosen))
    browser.run("document.getElementById('post').focus()")


def arbiter(server):
    browser = opened(server.links["carol"], "document.querySelectorAll('.card').length === 2")
    told = browser.run("fetch('../../api/' + location.pathname.split('/').at(-2) + '/dispute/0').then(a => a.text())")
    check("with names: hidden the arbiter's page is not sent any", "anna" not in told and "ben" not in told and
          '"rater":"A"' in told, told[:300])
    first = browser.run(ITEM)
    browser.delay(150)
    for key in "n1bs":
        browser.key(key)
    browser.wait("document.getElementById('message').textContent.startsWith('Saved')")
    browser.delay(0)
    with sqlite3.connect(f"file:{STUDY}/labels.db?mode=ro", uri=True) as db:
        decided = [item for (item,) in db.execute("SELECT item FROM decision")]
    check("the arbiter's keys are for the dispute that comes", len(decided) == 1 and decided[0] != first, decided, first)
    for _ in range(12):  # to a dispute over the dimension with many codes
        browser.wait("!document.getElementById('panel').inert")
        if browser.run("document.getElementById('panel').innerText.startsWith('Kind')"):
            break
        before = browser.run("document.getElementById('panel').innerText + document.getElementById('post').innerText")
        browser.key("n")
        browser.wait(f"document.getElementById('panel').innerText + document.getElementById('post').innerText !== {json.dumps(before)}")
    browser.key("/")
    browser.type("code 42")
    browser.key("Enter")
    chosen = browser.run("document.getElementById('chosen').textContent")
    check("the arbiter finds codes by typing", "Code 42" in chosen, chosen)
    walk_list(browser)
    browser.key("G")
    check("and has the guidelines a key away", browser.run("document.getElementById('guidelines')?.open && "
          "document.querySelectorAll('#guidelines .rule').length") == CODES + 2)
    browser.key("Escape")
    overrule(browser)
    browser.close()


def full_disk(anna, server):
    pid = server.process.pid
    anna.go(server.page("lead", "lead"))
    ben = opened(server.links["ben"], "document.querySelector('#post h1')?.textContent === 'No round is open'")
    open_round(anna, server, "lead")
    check("a page that waits wakes when a round is opened", ben.wait("document.querySelectorAll('.code').length > 0"))
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
    ben.key("1")
    check("a disk that takes nothing is told to the rater",
          ben.wait("document.getElementById('saved').textContent.startsWith('Not saved: cannot use')"),
          ben.run("document.getElementById('saved').textContent"))
    anna.run("document.getElementById('again').click()")
    check("to the lead", anna.wait("document.getElementById('trouble').textContent.startsWith('Nothing can be saved')"))
    check("and to the terminal", any("nothing can be saved" in line for line in server.said), server.said)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
    check("what was kept is saved when it is mended", ben.wait(SAVED) and len(acts("one", "id")) == 1)
    ben.close()


def slow_connections(server):
    held = []
    for _ in range(850):
        one = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
        held.append(one)
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: localhost:9999\r\nConnection: close\r\n\r\n")
        answer = b""
        try:
            while part := one.recv(4096):
                answer += part
        except OSError:
            pass
    check("850 connections that trickle keep nobody out, nor does the port of a tunnel",
          answer.startswith(b"HTTP/1.1 200") and time.monotonic() - begun < 3, answer[:60])
    for one in held:
        one.close()


# The bad net: a proxy that takes its time and loses requests on the way there or back.

class BadNet:
    def __init__(self, port):
        self.port, self.rng, self.lost = port, random.Random(5), 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    @staticmethod
    def message(stream):
        """A whole request or answer; empty at the end."""
        data = b""
        while b"\r\n\r\n" not in data:
            part = stream.recv(65536)
            if not part:
                return b""
            data += part
        head, body = data.split(b"\r\n\r\n", 1)
        length = [int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        while length and len(body) < length[0]:
            body += stream.recv(65536)
        return head + b"\r\n\r\n" + body

    def serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self.port)) as server:
            try:
                while request := self.message(client):
                    fails = b" /api/" in request.split(b"\r\n")[0] and self.rng.random() < FAILING
                    there = self.rng.random() < 0.5
                    self.lost += fails
                    time.sleep(DELAY / 2)
                    if fails and not there:
                        return
                    server.sendall(request)
                    answer = self.message(server)
                    time.sleep(DELAY / 2)
                    if fails:
                        return
                    client.sendall(answer)
            except OSError:
                pass


def label_fast(link, port, keys, failures):
    try:
        token = link.split("#")[1]
        browser = opened(f"http://127.0.0.1:{port}/#{token}")
        for key in keys:
            browser.key(key)
            browser.key("n")
        end = browser.wait("document.querySelector('#post h1').textContent === 'All done'", 120)
        rest = browser.wait(f"localStorage.getItem('assay-queue-{token[:8]}') === null", 30)
        if not end or not rest:
            failures.append(browser.run("document.body.innerText")[:300])
        failures += [one for one in browser.complaints() if "ERR_" not in one]
        browser.close()
    except Exception as error:  # told by the case below
        failures.append(repr(error))


def at_speed(server):
    rng, net, failures = random.Random(1), BadNet(server.port), []
    meant = {name: [str(rng.randrange(9) + 1) for _ in range(FAST)] for name in ("anna", "ben")}
    meant["ben"][0] = "1"  # which has been given
    threads = [threading.Thread(target=label_fast, args=(server.links[name], net.listener.getsockname()[1],
                                                         meant[name][name == "ben":], failures)) for name in meant]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("two raters came to their end over a net that is slow and fails", failures == [] and net.lost > 10, failures, net.lost)
    items, stored = lists("one"), {}
    for rater, item, codes in acts("one", "rater", "item", "codes", where="a.kind = 'label'"):
        stored.setdefault(rater, {}).setdefault(item, []).append(json.loads(codes)[0])
    for name in meant:
        wanted = {item: [f"k{int(key) - 1}"] for item, key in zip(items[name], meant[name])}
        wrong = {item: (codes, stored.get(name, {}).get(item)) for item, codes in wanted.items()
                 if stored.get(name, {}).get(item) != codes}
        check(f"all {FAST} labels of {name} are what was meant, each stored once", wrong == {}, wrong)


def main():
    write_study()
    server = Server("codes")
    anna = opened(server.links["anna"], "document.getElementById('when').textContent !== ''")
    open_round(anna, server, "anna")
    ben = opened(server.links["ben"])
    to_rater(anna, server, "anna")
    items = lists("codes")["anna"]
    keys_wait(anna, items)
    looking_time(anna, items)
    proposals(anna)
    going_back(anna, items)
    dimension_shown(anna)
    pointer(anna)
    long_memo(anna, items)
    notes(anna, items)
    item_list(anna)
    copies(anna, server)
    blind(anna, server)
    items = data_anew(anna, ben, server)
    closing(anna, ben, server, items)
    arbiter(server)
    ben.close()
    check("the server ends well, and leaves a copy", server.end() == 0 and os.path.exists(f"{STUDY}/labels-copy.db"), server.said)
    modes = {name: oct(os.stat(f"{STUDY}/{name}").st_mode & 0o777) for name in ("labels.db", "labels-copy.db", ".assay-links")}
    check("what is private is private", set(modes.values()) == {"0o600"}, modes)
    server = Server("one")
    anna.go(server.links["lead"])
    anna.wait("document.getElementById('when')?.textContent")
    full_disk(anna, server)
    slow_connections(server)
    at_speed(server)
    lost = [one for one in anna.complaints() if "413" not in one and "400" not in one and "500" not in one]
    check("no browser complained", lost == [], lost)
    anna.close()
    server.end()
    sys.exit(done())


if __name__ == "__main__":
    main()
