"""A report in a real browser, opened from disk: numbers lead to exactly the items behind them, as
a page and as a csv; tables sort and can be searched; it works without script, in 400 pixels and
in the dark; axe-core finds no serious fault. Prints TAP lines.
usage: report_pages.py OUT-FOLDER AXE-SCRIPT [FOLDER-FOR-SCREENSHOTS]   (AXE-SCRIPT may be "")"""
import csv
import json
import os
import sys

from browser import Browser

OUT = os.path.realpath(sys.argv[1])
AXE = sys.argv[2]
SHOTS = sys.argv[3] if len(sys.argv) > 3 else ""
INDEX = f"file://{OUT}/report/index.html"
LOADED = "document.readyState === 'complete'"


def check(holds, name, note=""):
    print(("ok" if holds else "not ok") + " - " + name + (f" ({note})" if note and not holds else ""))
    sys.stdout.flush()


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


def opened(browser, url):
    browser.go(url)
    wanted = json.dumps(url.split("#")[0])
    return browser.wait(f"{LOADED} && location.href.split('#')[0] === {wanted}")


def shot(browser, name):
    if SHOTS:
        browser.shot(f"{SHOTS}/{name}.png")


def table_rows(table):
    """The link texts of a table's cells, by row name; what the csv says is compared with them."""
    return f"""[...document.querySelectorAll('#table-{table} tbody tr')].map((row) =>
        [row.cells[0].textContent, ...[...row.cells].slice(1).map((cell) => cell.textContent)])"""


def follow(browser, table, row, column):
    """Clicks a number; the page's lead, numbers, ids and values."""
    opened(browser, INDEX)
    found = browser.run(f"""(() => {{
        const rows = [...document.querySelectorAll('#table-{table} tbody tr')];
        const row = rows.find((one) => one.cells[0].textContent === {json.dumps(row)});
        const link = row?.cells[{column}].querySelector('a');
        link?.click();
        return link?.href;
    }})()""")
    if not found or not browser.wait(f"{LOADED} && location.href === {json.dumps(found)}"):
        return None
    return browser.run("""({
        lead: document.querySelector('.lead').textContent,
        target: document.querySelector(':target')?.textContent ?? '',
        whole: document.querySelector(':target a')?.href ?? '',
        csv: [...document.querySelectorAll('main a')].find((a) => a.href.endsWith('.csv'))?.href,
        items: [...document.querySelectorAll('table.numbers tbody tr')].map((row) =>
            [...row.cells].map((cell) => cell.textContent)),
        links: [...document.querySelectorAll('table.numbers tbody a')].map((a) => a.href),
    })""")


def csv_of(page):
    return rows_of(page["csv"].removeprefix("file://"))


def check_numbers(browser):
    made = rows_of(f"{OUT}/tables/difficulty.csv")
    shown = [i for i, head in enumerate(made[0]) if not head.endswith((" low", " high"))]
    keras = next([row[i] for i in shown] for row in made if row[0] == "Keras")
    count = int(keras[1])

    page = follow(browser, "difficulty", "Keras", 1)
    check(page is not None and page["lead"].startswith(f"{count} items"), "a count leads to so many items")
    check(len(csv_of(page)) == count + 1, "whose csv holds all of them")
    check(page["links"] and all(link.startswith("https://ai.example.com/q/") for link in page["links"]),
          "which lead to the site of their source", page["links"][:1])
    everyone = {row[0] for row in csv_of(page)[1:]}

    page = follow(browser, "difficulty", "Keras", 3)
    without = round(float(keras[3]) * count)
    check(page is not None and f"{without} of {count}" in page["target"],
          "a share names its numerator and denominator", page and page["target"])
    ids = {row[0] for row in csv_of(page)[1:]}
    hard = {row[0] for row in rows_of(f"{OUT}/sets/hard.csv")[1:]}
    check(len(ids) == without and ids == everyone & hard, "its items are exactly those of the numerator")
    opened(browser, page["whole"])
    check(browser.run("document.querySelector('.lead').textContent").startswith(f"{count} items"),
          "and the denominator leads to all items of the row")

    page = follow(browser, "difficulty", "Keras", 4)
    values = sorted(float(row[1]) for row in csv_of(page)[1:])
    middle = len(values) // 2
    median = values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2
    check(len(values) == count - without and abs(median - float(keras[4])) < 1e-9,
          "a median leads to its values, of which it is the median")
    shown = [float(row[3].replace(",", "")) for row in page["items"]]
    check(shown == sorted(shown) and shown[0] <= median <= shown[-1], "in their order, it among them")
    shot(browser, "number")


def check_tables(browser):
    opened(browser, INDEX)
    check(browser.run(table_rows("difficulty"))[-1][0] == "total", "the total stands at the end")
    button = "document.querySelectorAll('#table-difficulty thead button')"
    browser.run(f"{button}[1].click()")
    counts = [int(row[1].replace(",", "")) for row in browser.run(table_rows("difficulty"))]
    check(counts[:-1] == sorted(counts[:-1], reverse=True), "a click sorts from the largest", counts)
    check(browser.run("document.querySelectorAll('#table-difficulty th')[1].getAttribute('aria-sort')")
          == "descending", "and tells so")
    browser.run(f"{button}[1].click()")
    counts = [int(row[1].replace(",", "")) for row in browser.run(table_rows("difficulty"))]
    check(counts[:-1] == sorted(counts[:-1]) and counts[-1] == sum(counts[:-1]),
          "another the other way, the total staying at the end", counts)
    browser.run(f"{button}[0].focus()")
    browser.key("Enter")
    names = [row[0] for row in browser.run(table_rows("difficulty"))]
    check(names[:-1] == sorted(names[:-1]) and names[-1] == "total", "names by the keyboard", names)
    check(browser.run("document.querySelectorAll('#table-wide thead button').length") == 0,
          "rows below others stay below them")

    drawn = "[...document.querySelectorAll('#table-months tbody tr')].filter((row) => row.offsetHeight > 0).length"
    rows = browser.run("document.querySelectorAll('#table-months tbody tr').length")
    check(rows > 30 and browser.run(drawn) == 30, "a table of more than 30 rows is folded", rows)
    browser.run("document.querySelector('#table-months button.fold').click()")
    check(browser.run(drawn) == rows, "and unfolds when it is asked to", browser.run(drawn))
    browser.run("document.querySelector('#table-months button.fold').click()")
    check(browser.run("getComputedStyle(document.querySelector('nav')).position") == "sticky",
          "the contents stay in sight")

    visible = "[...document.querySelectorAll('#table-months tbody tr')].filter((row) => !row.hidden).length"
    before = browser.run(visible)
    browser.run("document.querySelector('#table-months input.search').focus()")
    browser.type("2019-")
    after = browser.run(visible)
    check(0 < after < before and after <= 12, "a search leaves the rows that hold it", f"{before} {after}")


def check_keyboard(browser):
    """The Tab key reaches contents, then headings to sort, then numbers, each visibly."""
    opened(browser, INDEX)
    browser.run("document.querySelector('#table-difficulty thead button').focus()")
    kinds = []
    for _ in range(5):
        browser.key("Tab")
        kinds.append(browser.run("document.activeElement.tagName"))
    check(kinds == ["BUTTON", "BUTTON", "BUTTON", "BUTTON", "A"], "Tab goes from headings to numbers", kinds)
    check(browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid",
          "and shows where it is")
    browser.key("Enter")
    check(browser.wait("location.pathname.includes('/rows/difficulty/')"), "Enter follows the number")


def check_without_script(browser):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    opened(browser, INDEX)
    check(browser.run("document.querySelectorAll('thead button, input.search').length") == 0,
          "without script there is nothing that needs it")
    check(browser.run("document.querySelector('#table-difficulty tbody td a').href").endswith("0.html#c0"),
          "and numbers are links")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


CONTRAST = """(() => {
    const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
        .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (node) => {
        for (; node; node = node.parentElement) {
            const colour = parts(getComputedStyle(node).backgroundColor);
            if (colour.length === 3 || colour[3] > 0) return colour;
        }
        return [255, 255, 255];
    };
    let least = 21;
    for (const node of document.querySelectorAll('h1, h2, p, a, th, td, summary, figcaption, button')) {
        const [a, b] = [light(parts(getComputedStyle(node).color)), light(behind(node))];
        least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
    }
    return least;
})()"""


def check_looks(browser, pages):
    for name, url in pages.items():
        browser.size(400, 800)
        opened(browser, url)
        check(browser.run("document.documentElement.scrollWidth") <= 400, f"{name}: fits into 400 pixels")
        shot(browser, f"{name}-400")
        browser.size(1280, 900)
        for dark in (False, True):
            browser.dark(dark)
            least = browser.run(CONTRAST)
            check(least >= 4.5, f"{name}: {'dark' if dark else 'light'} texts have contrast", least)
            shot(browser, f"{name}-{'dark' if dark else 'light'}")
        browser.dark(False)
    opened(browser, INDEX)
    check(browser.run("[...document.images].every((one) => one.naturalWidth > 0 && one.alt.length > 40)"),
          "figures are there and are told in words")


def check_access(browser, pages):
    """No serious or critical fault in light and dark."""
    with open(AXE) as file:
        axe = file.read()
    for name, url in pages.items():
        for dark in (False, True):
            browser.dark(dark)
            opened(browser, url)
            browser.run(axe + "; 0")
            found = browser.run("""axe.run(document, {preload: false}).then((result) =>
                result.violations.filter((one) => ['serious', 'critical'].includes(one.impact))
                    .map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.target).join(' ')))""")
            check(found == [], f"{name}: axe-core finds nothing serious, {'dark' if dark else 'light'}",
                  "; ".join(found))
    browser.dark(False)


def check_handbook(browser):
    """Its search finds titles and what is pasted, without a server; a hit leads to its place."""
    opened(browser, f"file://{OUT}/handbook/index.html")
    title = browser.run("handbook.find((entry) => entry[0].includes('#'))[1]")
    found = browser.run(f"""(() => {{
        const input = document.querySelector('#search input');
        input.value = {json.dumps(title)};
        input.dispatchEvent(new Event('input'));
        const hit = document.querySelector('#search li a'), text = hit.textContent, href = hit.href;
        input.value = 'xyzzy';
        input.dispatchEvent(new Event('input'));
        return [text, href, document.querySelector('#search li').textContent];
    }})()""")
    check(found[0] == title and found[2] == "nothing found", "handbook: search finds a title, and says of nothing so",
          str(found))
    browser.go(found[1])
    check(browser.wait(f"{LOADED} && document.querySelector('article:target h3')?.textContent === {json.dumps(title)}"),
          "handbook: what is found leads to its place")
    browser.go(f"file://{OUT}/handbook/index.html")
    check(browser.wait(LOADED), "handbook: its first page again")
    check(browser.run("""(() => {
        const entry = (title) => ({heads: wordsOf(title), words: new Set()});
        const answers = (title, word) => wordsOf(word).length === 1 && weigh(entry(title), wordsOf(word)[0]) > 0;
        return [answers('如何加载模型文件', '模型'), answers('モデルを変換する', '変換'), answers('Größe', 'GRÖSSE'),
            answers('Mo\u0308bius', 'm\u00f6b'), answers('मॉडल लोड', 'लोड'), !answers('loader', 'oad'), !answers('模型', '型号')];
    })()""") == [True] * 7, "handbook: search knows writing without spaces, accents however typed, beginnings alone")
    leads = browser.run("""handbook.filter((entry) => entry[0].includes('#')).map((entry) => entry[0])""")
    browser.go(f"file://{OUT}/handbook/pages/keras.html")
    check(browser.wait(LOADED) and browser.run("""[...document.querySelectorAll('ul.names li[id]')]
        .map((item) => 'pages/keras.html#' + item.id)""") == [lead for lead in leads if lead.startswith("pages/keras.html")][
            browser.run("document.querySelectorAll('article[id]').length"):] != [],
          "handbook: open questions are found, too")
    check(browser.run("""[...document.querySelectorAll('a[href]')].filter((link) => link.protocol === 'file:')
        .every((link) => link.pathname.includes('/handbook/'))"""), "handbook: its own links stay in its folder")


def main():
    browser = Browser()
    pages = {"index": INDEX, "number": f"file://{OUT}/report/rows/difficulty/1.html#c2",
             "sample": f"file://{OUT}/report/samples/read.html",
             "handbook": f"file://{OUT}/handbook/index.html",
             "handbook page": f"file://{OUT}/handbook/pages/keras.html"}
    try:
        browser.size(1280, 900)
        check_numbers(browser)
        check_tables(browser)
        check_keyboard(browser)
        check_without_script(browser)
        check_handbook(browser)
        check_looks(browser, pages)
        if AXE:
            check_access(browser, pages)
        requests = [event["params"]["request"]["url"] for event in browser.events
                    if event.get("method") == "Network.requestWillBeSent"]
        check(requests and all(url.startswith(("file://", "data:")) for url in requests),
              "nothing is asked of the network", [url for url in requests if not url.startswith("file:")])
        check(browser.complaints() == [], "the browser complains of nothing", browser.complaints())
        check(True, "done")
    finally:
        browser.close()


main()
