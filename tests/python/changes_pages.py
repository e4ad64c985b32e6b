"""What commits changed, on the labelling pages and in a report. Prints TAP lines.
usage: changes_pages.py STUDY LINKS [FOLDER-FOR-SCREENSHOTS]"""
import os
import sys
import time

from browser import Browser


done, failed = 0, 0


def check(holds, name, note=""):
    global done, failed
    done, failed = done + 1, failed + (not holds)
    print(("ok" if holds else "not ok") + f" {done} - changes: " + name + (f" ({note})" if note and not holds else ""))
    sys.stdout.flush()


def shot(browser, name):
    if len(sys.argv) > 3 and sys.argv[3]:
        browser.shot(f"{sys.argv[3]}/{name}.png")


LINE = "[...document.querySelectorAll('.diff-line')]"


def check_diff(browser, where, most):
    places = browser.run(LINE + ".map((one) => one.dataset.place)")
    check(len(places) > 10 and all(places), f"{where}: every line has a place", str(places[:5]))
    check({"a.py:R1", "a.py:L2", "a.py:R2", "a.py:R3", 'b<i>"x.py:R11', "new name.txt:R41", "0é—ü.txt:R1"} <= set(places), f"{where}: places are those of the files", str(places[:20]))
    check(len(places) == len(set(places)), f"{where}: no place twice")
    check(len(places) <= most, f"{where}: no more lines than a page bears", str(len(places)))
    check(browser.run(LINE + """.every((one) => one.dataset.place.endsWith(
        (one.classList.contains('diff-deleted') ? 'L' : 'R') +
        one.querySelectorAll('.diff-numbers span')[one.classList.contains('diff-deleted') ? 0 : 1].textContent))"""),
          f"{where}: numbers beside the lines are those of their places")
    check(browser.run("window.owned") is None, f"{where}: nothing of it ran")
    check(browser.run("document.querySelectorAll('.diff script, .diff img').length") == 0,
          f"{where}: nothing of it became an element")
    text = browser.run("document.querySelector('.diff').innerText")
    check("more bytes" in text and "file" in text and "too much for a page" in text,
          f"{where}: what was left out is told")
    check("\u202e" not in text and "<U+202E>" in text and "\x1b" not in text,
          f"{where}: characters that cannot be seen are shown")
    check(browser.run("""(() => { const added = getComputedStyle(document.querySelector('.diff-added')).backgroundColor,
        deleted = getComputedStyle(document.querySelector('.diff-deleted')).backgroundColor;
        return added !== deleted && !added.includes('rgba(0, 0, 0, 0)'); })()"""), f"{where}: colours tell lines apart")


def check_narrow(browser, where, name):
    browser.size(400, 800)
    check(browser.run("document.documentElement.scrollWidth") <= 400, f"{where}: fits into 400 pixels",
          str(browser.run("document.documentElement.scrollWidth")))
    check(browser.run("""[...document.querySelectorAll('.diff-scroll')].some((one) => one.scrollWidth > 800)"""),
          f"{where}: long lines scroll alone")
    browser.run("document.querySelector('.diff').scrollIntoView()")
    shot(browser, name + "-400")
    browser.dark(True)
    shot(browser, name + "-400-dark")
    browser.size(1280, 900)
    browser.run("document.querySelector('.diff').scrollIntoView()")
    shot(browser, name + "-1280-dark")
    browser.dark(False)
    shot(browser, name + "-1280")


def show(browser, title):
    """The item of that title; they come in no order that a test should rest on."""
    for _ in range(10):
        if title in (browser.run("document.querySelector('#post h1').textContent") or ""):
            return True
        browser.key("n")
        time.sleep(0.3)
    return False


with open(sys.argv[2]) as file:
    links = {line.split()[1]: line.split()[2] for line in file}
lead = Browser()
lead.go(links["eve"])
lead.wait("location.pathname.startsWith('/u/')")
lead.go(lead.run("location.origin + '/u/' + location.pathname.split('/')[2] + '/lead'"))
lead.wait("document.getElementById('open-round')?.hidden === false")
lead.run("document.getElementById('open-round').requestSubmit()")
check(lead.wait("document.querySelectorAll('#rounds tbody tr').length === 1"), "the lead opens a round")
lead.close()
rater = Browser()
rater.size(1280, 900)
rater.go(links["ann"])
check(rater.wait("document.querySelector('#post h1') && document.querySelectorAll('.code').length > 0"),
      "the rater's page opens", rater.run("document.body.innerText")[:300])
check(show(rater, "everything"), "the hostile commit is shown", rater.run("document.body.innerText")[:300])
check_diff(rater, "label", 5000)
check_narrow(rater, "label", "label")
check(show(rater, "merge") and "No changes to show: it is a merge" in rater.run("document.body.innerText"),
      "label: a merge says that it has none")
check(show(rater, "It fails") and rater.run("document.querySelectorAll('.body ol li').length") == 2 and
      rater.run("document.querySelector('.body pre').textContent.trim()") == "f(1)" and
      rater.run("window.owned") is None, "label: Markdown of an issue is shown as it is meant")
check([one for one in rater.complaints() if "favicon" not in one] == [], "label: the browser has nothing to complain of",
      str(rater.complaints()))
folder = os.path.join(os.path.abspath(sys.argv[1]), "out/report")
found = {}
for name in os.listdir(folder + "/items"):
    with open(f"{folder}/items/{name}", encoding="utf-8") as file:
        text = file.read()
    for title in ("everything", "merge", "It fails"):
        if f"{title}</h1>" in text:
            found[title] = f"file://{folder}/items/{name}"
check(len(found) == 3, "report: there are pages of items", str(found))
rater.go(found["everything"])
rater.wait("document.querySelector('.diff')")
check_diff(rater, "report", 1000)
check_narrow(rater, "report", "report-item")
rater.go(found["merge"])
check(rater.wait("document.body.innerText.includes('None to show: it is a merge')"), "report: a merge says that it has none")
rater.go(found["It fails"])
check(rater.wait("document.querySelectorAll('.text ol li').length === 2") and rater.run("window.owned") is None,
      "report: Markdown of an issue is shown as it is meant")
rater.go(f"file://{folder}/sets/all.html")
check(rater.wait("document.querySelectorAll('td a[href^=\"../items/\"]').length === 5"), "report: lists lead to them",
      rater.run("document.body.innerText")[:300])
rater.close()
print(f"1..{done}")
sys.exit(failed > 0)
