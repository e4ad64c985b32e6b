"""Two raters and the arbiter mark, label and settle units of items in real browsers, by keyboard
and mouse. Prints TAP lines without numbers. usage: units_pages.py STUDY LINKS [FOLDER-FOR-SCREENSHOTS]"""
import sqlite3
import sys
import time

from browser import Browser


def check(holds, name, note=""):
    print(("ok" if holds else "not ok") + " - " + name + (f" ({note})" if note and not holds else ""))
    sys.stdout.flush()


def shots(browser, name):
    for width, height in ((1400, 900), (400, 800)):
        browser.size(width, height)
        check(browser.run("document.documentElement.scrollWidth") <= width, f"{name}: fits into {width} pixels",
              str(browser.run("document.documentElement.scrollWidth")))
        if len(sys.argv) > 3 and sys.argv[3]:
            browser.shot(f"{sys.argv[3]}/{name}-{width}.png")
            browser.run("document.getElementById('panel')?.scrollIntoView()")
            if width == 400:
                browser.shot(f"{sys.argv[3]}/{name}-{width}-below.png")
    browser.size(1400, 900)


def opened(link, ready):
    browser = Browser()
    browser.size(1400, 900)
    browser.go(link)
    check(browser.wait(ready), "the link opens the page", browser.run("document.body.innerText")[:300])
    return browser


def show(browser, title):
    """The item of that title; they come in no order that a test should rest on."""
    for key in "nnnppppp":
        if browser.wait(f"(document.querySelector('#post h1')?.textContent ?? '').includes({title!r})", 0.7):
            return True
        browser.key(key)
    return False


def saved(browser):
    return browser.wait("localStorage.length === 0 || ![...Object.keys(localStorage)].some((key) => "
                        "key.startsWith('assay-queue'))") and browser.wait(
                            "document.getElementById('saved').textContent.startsWith('Saved')")


def press(browser, key, shift=False):
    codes = {"ArrowDown": 40, "ArrowUp": 38, "Enter": 13, "Escape": 27}
    for kind in ("rawKeyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, modifiers=8 if shift else 0,
                     windowsVirtualKeyCode=codes[key])


def move_to(browser, place, shift=False):
    """With arrows, from where the cursor of lines is."""
    lines = "[...document.querySelectorAll('#post [data-place]')]"
    at, to = browser.run(f"[{lines}.indexOf(document.activeElement), "
                         f"{lines}.findIndex((one) => one.dataset.place === {place!r})]")
    check(at >= 0 and to >= 0, f"the cursor is on a line, and {place} is one", f"{at} {to}")
    for _ in range(abs(to - at)):
        press(browser, "ArrowDown" if to > at else "ArrowUp", shift)


def place_by_keys(browser, first, last=None):
    browser.key(";")
    browser.wait("document.querySelector('#post').classList.contains('placing')")
    move_to(browser, first)
    if last:
        move_to(browser, last, shift=True)
    press(browser, "Enter")


def place_by_mouse(browser, place):
    browser.run("document.getElementById('place-unit').click()")
    x, y = browser.run(f"""(() => {{ const line = document.querySelector('[data-place="{place}"]');
        line.scrollIntoView({{block: 'center'}});
        const box = line.getBoundingClientRect(); return [box.left + 30, box.top + 5]; }})()""")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def units(browser):
    return browser.run("[...document.querySelectorAll('.unit')].map((one) => one.textContent)")


def rows(sql):
    with sqlite3.connect(sys.argv[1] + "/labels.db") as db:
        return db.execute(sql).fetchall()


def label_commit_as_ann(ann):
    check(show(ann, "fix several"), "ann: the commit is shown")
    check(units(ann) == ["unit 1"], "an item begins with one unit", str(units(ann)))
    place_by_keys(ann, "net.py:R10")
    check(units(ann) == ["net.py:R10"], "a line of the diff is marked by keys", str(units(ann)))
    ann.key("1")
    ann.key("2")
    check(units(ann) == ["net.py:R10 \u2713"], "a unit that is labelled in all dimensions is ticked", str(units(ann)))
    ann.key("+")
    place_by_keys(ann, "net.py:R40", "net.py:R41")
    check(units(ann)[1:] == ["net.py:R40-R41"], "several lines are marked with Shift", str(units(ann)))
    ann.key("3")
    ann.key("2")
    ann.key("+")
    ann.run("document.getElementById('unit-name').focus()")
    ann.type("the reading")
    ann.key("Enter")
    check(ann.wait("document.querySelectorAll('.unit')[2].textContent === 'the reading'"), "a unit is named",
          str(units(ann)))
    ann.key("2")
    ann.key("1")
    check(saved(ann), "what ann did is saved")
    check(ann.run("document.querySelectorAll('.in-unit').length") == 3, "lines of units are shown as such",
          str(ann.run("document.querySelectorAll('.in-unit').length")))
    shots(ann, "rater")
    ann.key("-")
    check(len(units(ann)) == 2, "a unit is removed")
    ann.key("u")
    check(ann.wait("document.querySelectorAll('.unit').length === 3"), "and comes back by an undo")
    check(saved(ann) and units(ann)[2] == "the reading \u2713", "with its labels", str(units(ann)))
    ann.key("[")
    check(ann.run("document.querySelector('.unit[aria-pressed=true]').textContent").startswith("net.py:R40"),
          "keys go from unit to unit")


def label_question(rater, second):
    check(show(rater, "Two problems"), "the question is shown")
    place_by_mouse(rater, "body:1")
    rater.key("1")
    rater.key("2")
    rater.key("+")
    place_by_mouse(rater, second)
    rater.key("2")
    rater.key("2")
    check(saved(rater) and units(rater)[1] == f"{second} \u2713", "paragraphs of a text are marked with the mouse",
          str(units(rater)))


def label_one(rater):
    check(show(rater, "One problem"), "the last item is shown")
    rater.key("3")
    rater.key("2")
    check(saved(rater), "one unit needs no mark")


def label_commit_as_ben(ben):
    check(show(ben, "fix several"), "ben: the commit is shown")
    place_by_keys(ben, "net.py:R10")
    ben.key("1")
    ben.key("2")
    ben.key("+")
    place_by_keys(ben, "net.py:R41", "net.py:R42")
    ben.key("1")
    ben.key("2")
    check(saved(ben), "what ben did is saved")


def settle(eve):
    ready = "document.querySelector('.unit-table') !== null && document.querySelector('#post h1') !== null"
    check(eve.wait(ready, 20), "the arbiter sees units side by side", eve.run("document.body.innerText")[:300])
    shots(eve, "arbiter")
    texts = eve.run("document.querySelector('.unit-table').innerText")
    check("\u2014" in texts or "ann" in texts, "with what is not matched", texts)
    seen = set()
    for _ in range(12):
        if eve.run("document.getElementById('message').textContent").startswith("Saved. All"):
            break
        title = eve.run("document.getElementById('dimension').textContent")
        lone = eve.run("document.querySelectorAll('#said .card').length") == 1
        seen.add((title, lone))
        before = eve.run("document.getElementById('count').textContent")
        if lone and "the reading" not in eve.run("document.querySelector('.unit-table [aria-current]').textContent"):
            eve.key("z")
        else:
            eve.key("1")
            eve.key("a")
            eve.key("s")
        eve.wait(f"document.getElementById('count').textContent !== {before!r}")
        time.sleep(0.1)
    check(eve.run("document.getElementById('message').textContent").startswith("Saved. All"), "all disputes are settled",
          eve.run("document.getElementById('message').textContent + document.getElementById('count').textContent"))
    check(any(lone for _, lone in seen) and any(not lone for _, lone in seen),
          "units that one rater has, and labels that differ", str(seen))


def main():
    with open(sys.argv[2]) as file:
        links = {line.split()[1]: line.split()[2] for line in file}
    lead = opened(links["eve"], "location.pathname.startsWith('/u/')")
    lead.go(lead.run("location.origin + '/u/' + location.pathname.split('/')[2] + '/lead'"))
    lead.wait("document.getElementById('open-round')?.hidden === false")
    lead.run("document.getElementById('open-round').requestSubmit()")
    check(lead.wait("document.querySelectorAll('#rounds tbody tr').length === 1"), "the lead opens a round")
    ready = "document.querySelectorAll('.unit').length > 0"
    ann, ben = opened(links["ann"], ready), opened(links["ben"], ready)
    label_commit_as_ann(ann)
    label_question(ann, "body:3")
    label_one(ann)
    check(ann.run("document.getElementById('count').textContent") == "3 of 3", "ann is done",
          ann.run("document.getElementById('count').textContent"))
    label_commit_as_ben(ben)
    label_question(ben, "body:2")
    label_one(ben)
    check(ben.run("document.getElementById('count').textContent") == "3 of 3", "ben is done",
          ben.run("document.getElementById('count').textContent"))
    check(all(unit for (unit,) in rows("SELECT unit FROM act")), "every act names its unit")
    check(rows("SELECT count(*) FROM act WHERE kind = 'remove'") == [(1,)], "what was removed stays in the log")
    lead.run("window.confirm = () => true; document.getElementById('again').click()")
    lead.wait("document.querySelector('#rounds button')")
    lead.run("document.querySelector('#rounds button').click()")
    check(lead.wait("!document.querySelector('#rounds button')"), "the lead closes the round")
    check(lead.wait("(document.getElementById('agreement')?.innerText ?? '').includes('F1 0.')", 20),
          "the lead sees how far raters mark the same units", lead.run("document.body.innerText")[:800])
    shots(lead, "lead")
    lead.run("document.querySelector('.columns ol button').click()")
    check(lead.wait("document.getElementById('look').open"), "and can look at what is disputed")
    lead.go(lead.run("location.origin + '/u/' + location.pathname.split('/')[2] + '/arbiter'"))
    settle(lead)
    for name, browser in (("eve", lead), ("ann", ann), ("ben", ben)):
        complaints = [one for one in browser.complaints() if "favicon" not in one]
        check(complaints == [], f"{name}: the browser has nothing to complain of", str(complaints))
        browser.close()


main()
