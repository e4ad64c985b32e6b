"""Two raters, the lead and the arbiter in real browsers, with the keyboard alone; posts that try
to run script; a connection that is lost; kappa against a computation of our own. Prints TAP lines.
usage: label_pages.py ASSAY STUDY LINKS [FOLDER-FOR-SCREENSHOTS]"""
import csv
import io
import json
import re
import sqlite3
import subprocess
import sys

from axe import faults
from browser import Browser

SYMPTOMS = ["crash", "crash/shape", "crash/memory", "slow", "wrong", "howto", "unclear"]
PARTS = ["data", "model", "training", "deployment", "unclear"]
ALLOWED = set("""A ARTICLE BLOCKQUOTE BR CODE DD DEL DETAILS DIV DL DT EM H1 H2 H3 HR KBD LI OL P PRE SECTION
    SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TH THEAD TR UL""".split())


def check(holds, name, note=""):
    print(("ok" if holds else "not ok") + " - " + name + (f" ({note})" if note and not holds else ""))
    sys.stdout.flush()


def read_links(path):
    with open(path) as file:
        return {line.split()[1]: line.split()[2] for line in file}


def shot(browser, name, whole=False):
    if len(sys.argv) > 4 and sys.argv[4]:
        browser.shot(f"{sys.argv[4]}/{name}.png", whole)


def shots(browser, name, whole=False):
    """Wide, narrow and dark."""
    browser.size(1400, 900)
    shot(browser, name + "-1400", whole)
    browser.dark(True)
    shot(browser, name + "-1400-dark", whole)
    browser.dark(False)
    found = faults(browser)
    check(found == [], f"{name}: axe-core finds nothing", "; ".join(found))
    browser.size(400, 800)
    check(browser.run("document.documentElement.scrollWidth") <= 400, f"{name}: fits into 400 pixels")
    shot(browser, name + "-400", whole)
    browser.run("document.getElementById('panel')?.scrollIntoView()")
    shot(browser, name + "-400-below", whole)
    browser.size(1280, 860)


def opened(link, ready):
    browser = Browser()
    browser.size(1280, 860)
    browser.go(link)
    check(browser.wait(ready), "the link opens the page", browser.run("document.body.innerText")[:200])
    return browser


def kappa(first, second):
    """Cohen (1960), from two equally long lists."""
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second)) / n
    expected = sum(first.count(c) * second.count(c) for c in set(first)) / n / n
    return (observed - expected) / (1 - expected)


ITEM = "Number(document.querySelector('#post').dataset.item)"
SAVED = "document.getElementById('saved').textContent.startsWith('Saved')"


def label_all(browser, choose, special):
    """Labels every item by keys; returns {item: symptom}. special(i) may do more at the i-th."""
    given, harmless, quiet = {}, True, True
    count = browser.run("Number(document.getElementById('count').textContent.split(' of ')[1])")
    for i in range(count):
        item = browser.run(ITEM)
        symptom, part = choose(item)
        browser.key(str(symptom + 1))
        browser.key(str(part + 1))
        special(i)
        given[item] = SYMPTOMS[symptom]
        harmless &= browser.run("document.title").endswith("ask")
        elements = browser.run("[...new Set([...document.querySelectorAll('#post *')].map(e => e.tagName))]")
        harmless &= set(elements) <= ALLOWED
        harmless &= browser.run("getComputedStyle(document.getElementById('panel')).display") != "none"
        quiet &= browser.wait(SAVED)
        if i + 1 < count:
            browser.key("n")
            quiet &= browser.wait(f"{ITEM} !== {item}")
    check(harmless, "posts run nothing, load nothing and cover nothing")
    check(quiet, "every label was saved, and the next item came")
    return given


def test_help(browser):
    browser.key("?")
    check(browser.run("document.getElementById('help').open"), "? shows the keys")
    shot(browser, "help-1400")
    browser.key("Escape")
    check(not browser.run("document.getElementById('help').open"), "Escape hides them")


def test_search(browser):
    browser.key("/")
    browser.type("memory")
    check(browser.wait("[...document.querySelectorAll('.active .code')].length === 2"),
          "/ searches codes: what matches, and what it stands below")
    browser.key("Enter")
    check(browser.wait("document.querySelector('[data-code=\"symptom/crash/memory\"]')"
                       ".getAttribute('aria-pressed') === 'true'"), "Enter takes it")
    browser.wait(SAVED)
    browser.key("u")
    check(browser.wait("document.querySelectorAll('[aria-pressed=true]').length === 0"), "u takes it back")


MARKED = "[...document.querySelectorAll('.code:has(.enter)')].map((one) => one.dataset.code)"


def test_enter(browser):
    """Enter takes the line that is marked: the first that has the words, whether codes stand below it or not."""
    for words, code in (("crash", "symptom/crash"), ("shape", "symptom/crash/shape"), ("nothing like it", None)):
        browser.key("/")
        browser.type(words)
        marked = browser.run(MARKED)
        browser.key("Enter")
        pressed = browser.run("[...document.querySelectorAll('.code[aria-pressed=true]')].map((one) => one.dataset.code)")
        wanted = [] if code is None else [code]
        check(marked == wanted and pressed == wanted, f"Enter takes the code that is marked: {words}", f"{marked} {pressed}")
        if code is not None:
            browser.wait(SAVED)
            browser.key("u")
            browser.wait("document.querySelectorAll('[aria-pressed=true]').length === 0")
    check(browser.run(MARKED) == [], "and nothing is marked when nobody searches")


def test_fold(browser):
    """Codes below a folded one are out of the way, and are found by typing."""
    browser.run("document.querySelector('.fold').click()")
    check(browser.run("!document.querySelector('[data-code=\"symptom/crash/memory\"]') && "
                      "document.querySelector('[data-code=\"symptom/slow\"] kbd').textContent") == "2",
          "a code folds, and keys go to what is shown")
    browser.key("/")
    browser.type("memory")
    check(browser.wait("!!document.querySelector('[data-code=\"symptom/crash/memory\"]')"), "what is folded is found")
    check(browser.run(MARKED) == ["symptom/crash/memory"], "and marked as what Enter takes", str(browser.run(MARKED)))
    browser.key("Escape")
    browser.run("document.querySelector('.fold').click()")
    check(browser.run("!!document.querySelector('[data-code=\"symptom/crash/memory\"]')"), "and unfolds")


def test_names(browser):
    """Screen readers: everything that can be pressed or filled in has a name."""
    nameless = browser.run("""[...document.querySelectorAll('button, input, textarea, select, progress, a')]
        .filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length))
        .map(e => e.outerHTML)""")
    check(nameless == [], "all controls have names", str(nameless))


def lose_connection(browser):
    """What is said without connection is sent later, once."""
    browser.wait(SAVED)
    browser.offline(True)
    browser.key("m")
    browser.type("without connection")
    browser.key("Escape")
    check(browser.wait("document.getElementById('saved').textContent.startsWith('Not connected')"),
          "a lost connection is shown")
    kept = json.loads(browser.run(
        "localStorage.getItem('assay-queue-' + location.pathname.split('/')[2])") or "[]")
    check(len(kept) == 1 and kept[0]["kind"] == "note" and kept[0]["body"]["memo"] == "without connection",
          "the memo is kept in the browser", str(kept))
    browser.offline(False)
    check(browser.wait(SAVED), "and sent when it is back")
    check(browser.run("localStorage.getItem('assay-queue-' + location.pathname.split('/')[2])") is None,
          "and then kept no longer")
    browser.call("Page.reload")
    browser.wait("document.querySelectorAll('.code').length > 0")
    browser.key("p")
    browser.wait("document.getElementById('memo').value !== ''", 3)
    check(browser.run("document.getElementById('memo').value") == "without connection",
          "the server has them")
    browser.key("x")
    check(browser.wait(SAVED) and browser.run("document.getElementById('unsure').checked"),
          "x is unsure, and is saved")


def pressed(browser):
    return browser.run("[...document.querySelectorAll('[aria-pressed=true]')].map(one => one.dataset.code)")


def acts(rater):
    """How many acts of each kind the log has of a rater."""
    with sqlite3.connect(f"file:{sys.argv[2]}/labels.db?mode=ro", uri=True) as db:
        return dict(db.execute("SELECT kind, count(*) FROM act WHERE rater = ? GROUP BY kind", (rater,)))


def undo_without_connection(browser):
    """A label and its undo are kept, in their order, and sent once."""
    before, stored = pressed(browser), acts("ben")
    browser.offline(True)
    browser.run("document.querySelector('[data-code^=\"symptom/\"][aria-pressed=false]').click()")
    check(pressed(browser) != before, "without connection another code is chosen")
    browser.key("u")
    check(browser.wait("document.getElementById('saved').textContent.startsWith('Not connected: 2 acts')"),
          "a label and its undo wait", browser.run("document.getElementById('saved').textContent"))
    check(pressed(browser) == before, "the undo shows at once", f"{pressed(browser)} {before}")
    browser.offline(False)
    check(browser.wait(SAVED), "both are sent when the connection is back")
    now = acts("ben")
    check(now["label"] == stored["label"] + 1 and now["undo"] == stored.get("undo", 0) + 1,
          "each of them once", f"{stored} {now}")
    check(pressed(browser) == before, "and what was said before counts again")


VECTORS = """(async () => {
  const page = await import('/web/page.js'), place = document.getElementById('post'), found = [];
  const named = new Set(['class', 'href', 'target', 'rel', 'aria-label', 'scope', 'data-item', 'data-title']);
  for (let id = %d; id < %d; id++) {
    const { item } = await page.get('item/' + id);
    page.showItem(place, item);
    await new Promise((done) => setTimeout(done, 5));
    const elements = [...place.querySelectorAll('*')];
    for (const one of elements) {
      if (!allowed.has(one.tagName)) found.push(id + ' ' + one.tagName);
      for (const { name, value } of one.attributes)
        if (!named.has(name) || (name === 'href' && !/^(https?:|mailto:)/.test(value)))
          found.push(id + ' ' + name + '=' + value);
    }
    if (window.owned !== undefined || document.title.includes('owned')) found.push(id + ' ran');
    if (place.contains(document.elementFromPoint(40, 8))) found.push(id + ' covers the page');
    if (document.getElementById('message').closest('#post')) found.push(id + ' took a name');
  }
  place.replaceChildren();
  return found;
})()"""


def test_vectors(browser, base):
    """Each post of the set `vectors` as the pages show it: nothing of it runs, loads or covers."""
    with open(f"{sys.argv[2]}/out/sets/vectors.csv") as file:
        ids = [int(row["id"]) for row in csv.DictReader(file)]
    browser.run(f"window.allowed = new Set({json.dumps(sorted(ALLOWED))})")
    browser.run("document.getElementById('look').showModal()")
    browser.events.clear()
    found = browser.run((VECTORS % (min(ids), max(ids) + 1)).replace("allowed", "window.allowed"))
    browser.run("document.getElementById('look').close()")
    check(len(ids) > 100 and found == [], f"{len(ids)} posts that attack: nothing ran, covered or took a name", str(found[:5]))
    asked = {event["params"]["request"]["url"] for event in browser.events
             if event.get("method") == "Network.requestWillBeSent"}
    check(all(url.startswith(base) for url in asked), "and nothing was loaded from elsewhere", str(asked))


def test_export(anna, ben):
    """Final labels: what both said, or what the arbiter decided."""
    told = subprocess.run([sys.argv[1], "export", "labels", sys.argv[2], "--layer", "final"],
                          capture_output=True, text=True).stdout
    finals = {int(row["item"]): row for row in csv.DictReader(io.StringIO(told)) if row["dimension"] == "symptom"}
    check(sorted(finals) == sorted(anna), "every item has a final label", told[:200])
    check(all(row["state"] == ("unanimous" if anna[item] == ben[item] else "adjudicated")
              for item, row in finals.items()), "unanimous or adjudicated, as raters said")
    check(all(row["code"] == anna[item] for item, row in finals.items()), "with the code they or the arbiter chose")


def test_tables(anna):
    """The study's tables count the final labels: what Anna said, since the arbiter agreed."""
    subprocess.run([sys.argv[1], "run", sys.argv[2], "--quiet"], check=True, stdout=subprocess.DEVNULL)
    with open(f"{sys.argv[2]}/out/labelling/kind/final.symptom.csv", newline="") as file:
        names = {row["code"]: row["name"] for row in csv.DictReader(file)}
    with open(f"{sys.argv[2]}/out/tables/symptoms.csv", newline="") as file:
        counted = {row["group1"]: int(row["count"]) for row in csv.DictReader(file) if row["count"] != "0"}
    said = {}
    for code in anna.values():
        said[names[code]] = said.get(names[code], 0) + 1
    check(counted == said, "the study's table shows the final labels", f"{counted} {said}")


def open_round(lead):
    lead.wait("!document.getElementById('open-round').hidden")
    lead.run("document.getElementById('open-round').requestSubmit()")
    check(lead.wait("document.querySelectorAll('#rounds tbody tr').length === 1"), "the lead opens a round")


def close_round(lead):
    lead.run("window.confirm = () => true; document.getElementById('again').click()")
    lead.wait("document.querySelector('#rounds button')")
    lead.run("document.querySelector('#rounds button').click()")
    check(lead.wait("!document.querySelector('#rounds button')"), "the lead closes the round")


def test_lead(lead, anna, ben):
    check(lead.wait("document.getElementById('when').textContent.startsWith('agreement as of') && "
                    "!document.getElementById('when').textContent.endsWith('renewed')"),
          "what is computed aside comes by itself", lead.run("document.getElementById('when').textContent"))
    shown = lead.run("document.querySelector('[data-dimension=symptom] .kappa').textContent")
    items = sorted(anna)
    want = kappa([anna[item] for item in items], [ben[item] for item in items])
    check(f"{want:.3f}" in shown, "the lead sees Cohen's kappa, as computed here", f"{shown}; {want:.3f}")
    told = subprocess.run([sys.argv[1], "agree", sys.argv[2], "--dimension", "symptom"],
                          capture_output=True, text=True).stdout
    value = re.search(r"Cohen's kappa +([-0-9.]+)", told)
    check(value is not None and abs(float(value[1]) - float(re.search(r"[-0-9.]+", shown)[0])) < 0.0006,
          "and as assay agree tells it", told[:200])
    check(lead.run("document.querySelectorAll('#raters tbody tr').length") == 2, "and how far raters are")
    check(lead.run("!!document.querySelector('[data-dimension=symptom] svg.curve .line')"),
          "and the saturation curve")
    lead.run("document.querySelectorAll('[data-dimension=symptom] details').forEach(d => d.open = true)")
    shots(lead, "lead", whole=True)


def test_arbiter(browser, link, anna, ben):
    browser.go(link.split("#")[0] + "u/" + link.split("#")[1][:8] + "/arbiter")
    check(browser.wait("document.querySelectorAll('.card').length === 2"), "disputes show both labels")
    count = browser.run("document.getElementById('count').textContent")
    differ = sum(anna[item] != ben[item] for item in anna)
    check(count == f"0 of {differ} settled", "as many as raters differ in", f"{count}, {differ}")
    check("anna" in browser.run("document.getElementById('said').textContent"), "with names")
    browser.run("document.getElementById('hide').click()")
    check("anna" not in browser.run("document.getElementById('said').textContent"), "or without")
    shots(browser, "arbiter")
    for i in range(differ):
        browser.key("1")
        browser.key("b")
        browser.key("m")
        browser.type("it can be read both ways")
        browser.key("Escape")
        browser.key("s")
        browser.wait(f"document.getElementById('count').textContent.startsWith('{i + 1} of')")
    count = browser.run("document.getElementById('count').textContent")
    check(count == f"{differ} of {differ} settled", "the arbiter settles all of them by keys", count)
    agreed = next(item for item in anna if anna[item] == ben[item])
    browser.run(f"document.getElementById('go').value = '{agreed}'; document.getElementById('go').dispatchEvent(new Event('change'))")
    check(browser.wait(f"{ITEM} === {agreed} && document.getElementById('post').textContent.includes('Raters agree here')"),
          "what raters agree on is found by its item")
    for key in "1as":
        browser.key(key)
    check(browser.wait("document.getElementById('message').textContent.startsWith('Say why')"), "to overrule it needs a reason")


def main():
    links = read_links(sys.argv[3])
    lead = opened(links["carol"], "document.getElementById('when').textContent !== ''")
    open_round(lead)
    anna = opened(links["anna"], "document.querySelectorAll('.code').length > 0")
    ben = opened(links["ben"], "document.querySelectorAll('.code').length > 0")
    check(anna.run("document.cookie") == "" and "#" not in anna.run("location.href"),
          "the token is neither in the address nor within reach of scripts")
    test_names(anna)
    test_help(anna)
    test_search(anna)
    test_enter(anna)
    test_fold(anna)

    shown = []

    def at_anna(i):
        if not shown and anna.run("!!document.querySelector('#post .is-accepted') && "
                                  "!!document.querySelector('#post pre')"):
            shown.append(i)
            anna.run("document.querySelector('.active .code').focus()")  # the next item has its keys all the same
            shots(anna, "rater")
            for key, name in (("G", "guidelines"), ("L", "list")):
                anna.key(key)
                anna.wait(f"document.getElementById('{name}').open")
                shots(anna, name)
                anna.key("Escape")

    def at_ben(i):
        if i == 4:
            lose_connection(ben)
            undo_without_connection(ben)

    said_anna = label_all(anna, lambda item: (item % 6, item % 4), at_anna)
    said_ben = label_all(ben, lambda item: ((item + (item % 4 == 0)) % 6, item % 4), at_ben)
    check(len(shown) == 1, "some post had code and an accepted answer, and was shown so")
    check(sorted(said_anna) == sorted(said_ben), "both have had all items")
    check(list(said_anna) != list(said_ben), "each in an own order")
    anna.key("n")
    check(anna.wait("document.querySelector('#post h1').textContent === 'All done'"), "the end is told")
    close_round(lead)
    test_lead(lead, said_anna, said_ben)
    test_vectors(lead, links["carol"].split("#")[0])
    test_arbiter(lead, links["carol"], said_anna, said_ben)
    test_export(said_anna, said_ben)
    test_tables(said_anna)
    for name, browser in (("anna", anna), ("ben", ben), ("lead", lead)):
        lost = [one for one in browser.complaints() if "ERR_INTERNET_DISCONNECTED" not in one]
        check(lost == [], f"no browser complained: {name}", str(lost))
        browser.close()
    print("ok - done")


if __name__ == "__main__":
    main()
