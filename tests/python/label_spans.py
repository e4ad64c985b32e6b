"""Evidence on the labelling pages, in a real browser: words are marked by mouse, keys and touch, taken away
and back, without connection, per code, in texts of every form and in diffs; and what the browser counts is
what the server does. Prints TAP. usage: label_spans.py ASSAY FOLDER [PICTURES]"""
import csv
import json
import os
import random
import sqlite3
import subprocess
import sys

from axe import AXE, faults
from browser import Browser
from tap import check, done

ASSAY, STUDY = sys.argv[1:3]
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None
SAVED = "document.getElementById('saved').textContent.startsWith('Saved')"
BODIES = [  # forms of html whose text must be the same here and there
    "<p>The <em>mo</em>del is &#128512; slow.<br>Why &amp; how?</p>\n\n<pre><code>x = 1\n  y &lt; 2\n</code></pre>\n<p>End &nbsp; here</p>",
    "<ul><li>one</li><li>two <b>bold</b><ul><li>inner</li></ul></li></ul><ol><li>first</li>\n<li>second</li></ol>",
    "<blockquote><p>quoted <code>inline()</code> text</p></blockquote><hr><h2>Head</h2>plain tail",
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2 two</td></tr></tbody></table><dl><dt>t</dt><dd>d</dd></dl>",
    "<p>caf\u00e9 \u65e5\u672c\u8a9e \U0001f469\u200d\U0001f4bb e\u0301</p><p>a<sub>1</sub><sup>2</sup> <kbd>Ctrl</kbd><del>x</del></p><img src='http://x.y/i.png' alt='pic'>",
    "<p>formula $a_1 + b^2$ and $$\\int_0^1 x\\,dx$$ done, unclosed <b>bold <i>both</p><script>no()</script>",
]


def write_study():
    os.makedirs(STUDY)
    with open(f"{STUDY}/posts.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["Id", "PostTypeId", "ParentId", "CreationDate", "Score", "Title", "Tags", "Body"])
        for i, body in enumerate(BODIES, 1):
            rows.writerow([i, 1, "", "2018-05-01 10:00:00", 1, f"Question <{i}> & more", "<x>", body])
            rows.writerow([100 + i, 2, i, "2018-05-02 10:00:00", 1, "", "", f"<p>Answer {i}</p>{body}"])
    with open(f"{STUDY}/codes.yaml", "w") as file:
        file.write("codebook: codes\nseveral: yes\ncodes: {data: Data, model: Model, api: Api}\n")
    repo = f"{STUDY}/repo"
    git = ["git", "-C", repo, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    os.makedirs(repo)
    subprocess.run(["git", "init", "-q", repo], check=True)
    for number, text in enumerate(["one\ntwo\nthree\nfour\n", "one\n2\nthree\nfour\nfive\n"]):
        with open(f"{repo}/a file.py", "w") as file:
            file.write(text)
        subprocess.run(git + ["add", "."], check=True)
        subprocess.run(git + ["commit", "-qm", f"Fix {number}\n\nBecause of `x`."], check=True)
    with open(f"{STUDY}/study.yaml", "w") as file:
        file.write("study: spans\nsources:\n  se: {posts: posts.csv}\n  repo: {git: repo}\n"
                   "sets: {x: 'is:question or is:commit'}\n"
                   "samples: {all: {of: x, size: 8, seed: 1}}\n"
                   "codebooks: {codes: codes.yaml}\nlabelling:\n"
                   "  plain: {sample: all, codebook: codes, raters: [anna, ben], lead: lead, arbiter: carol, spans: yes, seed: 1}\n"
                   "  codes: {sample: all, raters: [anna, ben], lead: lead, arbiter: carol, names: hidden, spans: per code, seed: 1}\n"
                   "tables: {same: {labelling: plain, show: spans}}\n")
    subprocess.run([ASSAY, "run", STUDY, "--quiet"], check=True)


class Server:
    def __init__(self, task):
        self.process = subprocess.Popen([ASSAY, "label", STUDY, "--task", task, "--port", "0"], text=True,
                                        stdout=subprocess.PIPE)
        SERVERS.append(self.process)
        self.links = {}
        while len(self.links) < 4:
            _, person, link = self.process.stdout.readline().split()
            self.links[person] = link

    def page(self, person, page):
        base, token = self.links[person].split("#")
        return f"{base}u/{token[:8]}/{page}"

    def end(self):
        self.process.terminate()
        return self.process.wait()


def acts(task, *columns, where="1"):
    with sqlite3.connect(f"file:{STUDY}/labels.db?mode=ro", uri=True) as db:
        return db.execute(f"SELECT {', '.join('a.' + one for one in columns)} FROM act a JOIN round r ON r.id = a.round "
                          f"WHERE r.task = ? AND {where} ORDER BY a.id", (task,)).fetchall()


def opened(link, ready="document.querySelectorAll('.code').length > 0"):
    browser = Browser()
    browser.size(1280, 860)
    browser.go(link)
    if not browser.wait(ready):
        raise RuntimeError(browser.run("document.body.innerText")[:300])
    return browser


def press(browser, key, shift=False):
    codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27}
    common = {"key": key, "code": key, "windowsVirtualKeyCode": codes.get(key, 0), "modifiers": 8 if shift else 0}
    browser.call("Input.dispatchKeyEvent", type="rawKeyDown", **common)
    browser.call("Input.dispatchKeyEvent", type="keyUp", **common)


def select(browser, first, begin, last, end):
    """From a character of one text node of the post to one of another, by number."""
    return browser.run(f"""(() => {{
      const walk = document.createTreeWalker(document.querySelector('#post'), NodeFilter.SHOW_TEXT), nodes = [];
      while (walk.nextNode()) if (walk.currentNode.parentElement.closest('.body, h1[data-title]')) nodes.push(walk.currentNode);
      const [a, b] = [nodes[{first} % nodes.length], nodes[{last} % nodes.length]];
      const [i, j] = [{begin} % (a.data.length + 1), {end} % (b.data.length + 1)];
      getSelection().setBaseAndExtent(a, i, b, j);
      return getSelection().toString();
    }})()""")


def drain(browser):
    browser.wait("Object.keys(localStorage).every(one => !one.startsWith('assay-queue'))")


def count_spans(browser):
    return browser.run("document.querySelectorAll('#span-list li').length")


def forms(browser):
    """Random selections over every form of html: what is stored is what stands there, or nothing."""
    rng, tried = random.Random(3), 0
    for _ in range(8):
        for _ in range(14):
            select(browser, rng.randrange(40), rng.randrange(60), rng.randrange(40), rng.randrange(60))
            browser.key("'")
            press(browser, "Escape")
            tried += 1
        drain(browser)
        browser.key("1")
        browser.key("n")
        browser.wait("!document.querySelector('#panel').inert")
    drain(browser)
    stored = acts("plain", "item", "place", "memo", where="a.kind = 'span' AND a.rater = 'anna'")
    refused = browser.run("[...document.querySelectorAll('#refused-list li')].map(one => one.textContent)")
    check("random selections in every form of html are taken, and stand where the server counts", len(stored) > 50 and refused == [], len(stored), tried, refused[:3])
    # The server compares quote and place by itself; here the quote with what the item's html says in words.
    check("what is stored has no blank at its ends", all(memo == memo.strip() and memo for _, _, memo in stored), stored[:3])


def by_hand(browser):
    browser.wait("document.querySelector('#post h1').textContent === 'All done'")
    browser.run("document.querySelector('#post button').click()")  # look at them again
    browser.wait("document.querySelectorAll('.code').length > 0 && !document.querySelector('#panel').hidden")
    for _ in range(9):
        browser.wait("!document.querySelector('#panel').inert")
        if browser.run("(document.querySelector('.body')?.innerText ?? '').includes('slow.')"):
            break
        item = browser_item(browser)
        browser.key("p")
        browser.wait(f"document.querySelector('#post').dataset.item !== '{item}'")
    while count_spans(browser) > 0:
        browser.run("document.querySelector('#span-list [aria-label^=\"Take away\"]').click()")
    drain(browser)
    box = browser.run("""(() => { const range = new Range(), node = document.querySelector('.body em').firstChild;
      range.selectNodeContents(document.querySelector('.body em').parentNode);
      range.setStart(node, 0); range.setEnd(node.parentNode.nextSibling, 3);
      const box = range.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })()""")
    y = (box[1] + box[3]) / 2
    browser.mouse("mouseMoved", box[0] + 1, y)
    browser.mouse("mousePressed", box[0] + 1, y)
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[2] - 1, y=y, button="left", buttons=1)
    browser.mouse("mouseReleased", box[2] - 1, y)
    shown = browser.wait("!document.getElementById('span-here').hidden")
    at = browser.run("(() => { const box = document.getElementById('span-here').getBoundingClientRect(); return [box.left + 5, box.top + 5]; })()")
    if PICTURES:
        browser.shot(f"{PICTURES}/label-spans-mouse.png")
    browser.mouse("mousePressed", *at)
    browser.mouse("mouseReleased", *at)
    drain(browser)
    last = acts("plain", "place", "memo", where="a.kind = 'span'")[-1]
    check("dragging the mouse over words offers a button that marks them", shown and last == ("body@4-9", "model"), last)
    check("the text shows it", browser.run("[...CSS.highlights.get('span-0')].map(String)") == ["model"])

    browser.run("getSelection().removeAllRanges(); scrollTo(0, 0)")
    browser.key("'")
    first = browser.run("getSelection().toString()")
    press(browser, "ArrowDown")
    press(browser, "ArrowRight")
    press(browser, "ArrowRight", shift=True)
    chosen = browser.run("getSelection().toString()")
    press(browser, "Enter")
    drain(browser)
    last = acts("plain", "place", "memo", where="a.kind = 'span'")[-1]
    check("with keys alone, word by word and line by line", first != "" and last[1] == chosen and " " in chosen, first, chosen, last)

    browser.key("u")
    drain(browser)
    check("undo takes the last one back", count_spans(browser) == 1 and acts("plain", "kind")[-1] == ("undo",))
    browser.offline(True)
    browser.run("""(() => { const node = document.querySelector('.body em').nextSibling; getSelection().setBaseAndExtent(node, 4, node, 6); })()""")
    browser.key("'")
    browser.run("document.querySelector('#span-list [aria-label=\"Take away: model\"]').click()")
    kept = count_spans(browser)
    browser.offline(False)
    drain(browser)
    browser.wait(SAVED)
    check("without connection it is kept and sent later", kept == 1 and acts("plain", "kind")[-2:] == [("span",), ("unspan",)], kept, acts("plain", "kind")[-2:])
    before = browser.run("document.querySelector('#span-list').innerText")
    item = browser.run("document.querySelector('#post').dataset.item")
    browser.key("n")
    browser.wait(f"document.querySelector('#post').dataset.item !== '{item}'")
    browser.key("p")
    browser.wait(f"document.querySelector('#post').dataset.item === '{item}'")
    check("it is there when one comes back", browser.wait("document.querySelector('#span-list').innerText === " + json.dumps(before)))


def diffs(browser):
    for _ in range(16):
        if browser.run("document.querySelectorAll('.diff [data-place]').length > 3"):
            break
        item = browser_item(browser)
        browser.key("p")
        if not browser.wait(f"document.querySelector('#post').dataset.item !== '{item}'", 1):
            for _ in range(7):
                item = browser_item(browser)
                browser.key("n")
                browser.wait(f"document.querySelector('#post').dataset.item !== '{item}'")
    browser.run("""(() => { const lines = [...document.querySelectorAll('.diff [data-place]')].filter((one) => one.dataset.place.includes(':R'));
      getSelection().setBaseAndExtent(lines[0].querySelector('code').firstChild, 0, lines[1].querySelector('code').lastChild, 1); })()""")
    browser.key("'")
    drain(browser)
    place, memo = acts("plain", "place", "memo", where="a.kind = 'span'")[-1]
    check("of a diff whole lines are marked", place.startswith("a file.py:R1") and memo.startswith("one\n"), place, memo)
    shown = browser.run("[...(CSS.highlights.get('span-0') ?? [])].map(String).join('')")
    check("and shown", "one" in shown, shown)


def touch(browser):
    """Words that a finger has selected: the button is offered, large enough, and a tap on it marks them."""
    browser.size(400, 800)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.run("scrollTo(0, 0)")
    before = len(acts("codes", "id", where="a.kind = 'span'"))
    browser.run("""(() => { const node = document.querySelector('#post h1').firstChild;
      getSelection().setBaseAndExtent(node, 9, node, 12); })()""")
    shown = browser.wait("!document.getElementById('span-here').hidden")
    box = browser.run("(() => { const box = document.getElementById('span-here').getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()")
    point = {"x": box[0] + box[2] / 2, "y": box[1] + box[3] / 2}
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[point])
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    for _ in range(40):
        if len(acts("codes", "id", where="a.kind = 'span'")) > before:
            break
        browser.wait("false", 0.1)
    last = acts("codes", "memo", where="a.kind = 'span'")[-1]
    check("by touch: the button lies on the page, is large enough for a finger, and marks what was selected",
          shown and box[0] >= 0 and box[0] + box[2] <= 400 and box[3] >= 24 and
          len(acts("codes", "id", where="a.kind = 'span'")) == before + 1 and last[0][::2] == "<>", shown, box, last)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=False)
    browser.size(1280, 860)


def looked_at(browser, name):
    if AXE:
        found = faults(browser)
        check(f"{name}: axe-core finds nothing", found == [], *found)


def per_code(server):
    browser = opened(server.links["anna"])
    select(browser, 0, 0, 0, 8)
    browser.key("'")
    told = browser.run("document.getElementById('message').textContent")
    browser.key("1")
    browser.key("2")
    browser.wait("document.querySelectorAll('#span-code option').length === 2")
    select(browser, 0, 0, 0, 8)
    browser.key("'")
    browser.run("document.getElementById('span-code').selectedIndex = 0")
    select(browser, 0, 0, 0, 8)
    browser.key("'")
    drain(browser)
    stored = acts("codes", "dimension", "codes", "memo", where="a.kind = 'span'")
    check("evidence per code needs a code, and has it", "Give a code first" in told and stored == [("codes", '["model"]', "Question"), ("codes", '["data"]', "Question")], told, stored)
    idle = "[...document.querySelectorAll('#span-list li')].filter((one) => one.textContent.includes('does not count')).length"
    browser.key("1")
    given = browser.run(f"[document.querySelectorAll('#span-list li').length, {idle}, [...CSS.highlights.get('span-0')].length]")
    browser.key("1")
    again = browser.run(f"[document.querySelectorAll('#span-list li').length, {idle}, [...CSS.highlights.get('span-0')].length]")
    drain(browser)
    check("evidence for a code that is taken back is said not to count, until the code is given again", given == [2, 1, 1] and again == [2, 0, 2], given, again)
    looked_at(browser, "evidence on the rater's page")
    touch(browser)
    browser.size(400, 800)
    looked_at(browser, "evidence on the rater's page, 400 px")
    browser.size(1280, 860)
    if PICTURES:
        browser.size(1400, 860)
        browser.shot(f"{PICTURES}/label-spans-1400.png")
        browser.size(400, 800)
        browser.run("scrollTo(0, 0)")
        browser.shot(f"{PICTURES}/label-spans-400.png")
    return browser


def colours(browser, place):
    """Those that are drawn where a range lies, which the script sets; read in a page without rules on what it loads."""
    box = browser.run(f"""(() => {{ const range = new Range(); {place}
      const box = range.getBoundingClientRect(); return {{x: box.x, y: box.y, width: box.width, height: box.height + 8, scale: 1}}; }})()""")
    data = browser.call("Page.captureScreenshot", clip=box)["data"]
    reader = Browser()
    found = reader.run(f"""(async () => {{ const image = new Image(); image.src = 'data:image/png;base64,{data}'; await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d'); canvas.drawImage(image, 0, 0);
      const all = canvas.getImageData(0, 0, image.width, image.height).data, found = new Set();
      for (let i = 0; i < all.length; i += 4) found.add('#' + [0, 1, 2].map((part) => all[i + part].toString(16).padStart(2, '0')).join(''));
      return [...found]; }})()""")
    reader.close()
    return set(found)


def arbiter(server, anna):
    ben = opened(server.links["ben"])
    items = [row[0] for row in acts("codes", "item", where="a.kind = 'label'")]
    for _ in range(9):
        if browser_item(ben) == str(items[0]):
            break
        ben.key("n")
        ben.wait("!document.querySelector('#panel').inert")
    ben.key("3")
    select(ben, 0, 3, 0, 12)
    ben.key("'")
    drain(ben)
    for browser in (anna, ben):
        browser.close()
    lead = opened(server.page("lead", "lead").replace("/lead", "/lead"), "true")
    lead.go(server.links["lead"])
    lead.wait("!!document.querySelector('#rounds button')")
    lead.run("window.confirm = () => true; [...document.querySelectorAll('#rounds button')].find((one) => /Close/.test(one.textContent)).click()")
    lead.wait("!!document.querySelector('dialog[open]')", 2)
    lead.run("document.querySelector('dialog[open] button.main')?.click()")
    closed = lead.wait("!document.getElementById('open-round').hidden", 10)
    lead.go(server.links["carol"])
    found = lead.wait("document.querySelectorAll('.card').length === 2")
    lead.size(1400, 900)
    cards = lead.run("[...document.querySelectorAll('.card')].map((one) => [...one.querySelectorAll('.span-quote')].map((span) => span.textContent))")
    shown = lead.run("[...CSS.highlights.keys()].sort().join(' ')")
    check("the arbiter sees what each rater marked, side by side and in the text",
          closed and found and sorted(map(len, cards)) == [1, 3] and shown == "span-0 span-1", closed, cards, shown)
    both = colours(lead, "const node = document.querySelector('#post h1').firstChild; range.setStart(node, 4); range.setEnd(node, 7);")
    check("words that both marked show it", {"#a06a00", "#0060a8"} <= both, sorted(both)[:20])
    looked_at(lead, "evidence on the arbiter's page")
    names = lead.run("document.body.innerText")
    check("without names where the study hides them", "anna" not in names and "ben" not in names.replace("beneath", ""))
    if PICTURES:
        lead.shot(f"{PICTURES}/label-spans-arbiter.png")
    lead.close()


def browser_item(browser):
    return browser.run("document.querySelector('#post').dataset.item")


def open_round(server):
    lead = opened(server.links["lead"], "!!document.getElementById('open-round')")
    lead.wait("!document.getElementById('open-round').hidden")
    lead.run("document.getElementById('open-round').requestSubmit()")
    lead.wait("!!document.querySelector('#rounds button')")
    lead.close()


SERVERS = []


def main():
    write_study()
    server = Server("plain")
    open_round(server)
    anna = opened(server.links["anna"])
    forms(anna)
    by_hand(anna)
    diffs(anna)
    lost = [one for one in anna.complaints() if "ERR_" not in one]
    check("the browser did not complain", lost == [], lost)
    anna.close()
    server.end()
    server = Server("codes")
    open_round(server)
    arbiter(server, per_code(server))
    server.end()
    return done()


if __name__ == "__main__":
    try:
        status = main()
    finally:
        for one in SERVERS:
            one.terminate()
    sys.exit(status)
