"""What raters see of a post, in a real browser: formulas, hostile ones too, code in the colours of its language,
images from copies, answers that fold, words of the study, a search. Prints TAP.
usage: label_reading.py ASSAY FOLDER"""
import base64
import csv
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

from axe import faults
from label_slips import ASSAY, STUDY, Server, acts, open_round, opened, to_rater
from tap import check, done

PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

MORE = range(10, 22)  # plain posts
FORMULAS = r"""<p>Let $e^{i\pi} + 1 = 0$ cost \$5, and \(a_1 \lt b\):</p>
<p>$$\begin{aligned} x &amp;= 1 \\ y &amp;= \frac{1}{2} \end{aligned}$$</p>
<p>\begin{equation} \sum_{i=1}^n i \end{equation}</p>
<p>Not <code>$HOME and $PATH</code>, nor $nosuch{$.</p>
<pre class="lang-py prettyprint-override"><code>def f(x):
    # "a comment"
    return "$x$" + 0x1F
</code></pre>
<pre><code class="language-sql">SELECT 1 -- one</code></pre>
<p><img src="https://i.example.org/a/plot.png" alt="a plot"> <img src="https://i.example.org/none.png" alt="another"></p>
<p><a href="https://i.example.org/a/plot.png"><img src="https://i.example.org/a/plot.png" alt="as on Stack Exchange"></a>
<a href="https://elsewhere.example.org/"><img src="https://i.example.org/a/plot.png" alt="a badge"></a></p>
<p>Deploying a <em>neural</em> network on mobile; curiosity.</p>"""

HOSTILE = [
    r"\href{javascript:document.title='owned'}{x}", r"\includegraphics{http://evil.example/a.png}",
    r"\htmlId{panel}{x}", r"\htmlStyle{position:fixed}{x}", r"\url{http://evil.example}",
    r"\def\a{\a\a}\a", r"\def\b#1{#1#1#1#1#1#1#1#1#1#1}\b{\b{\b{\b{\b{x}}}}}",
    r"\rule{9999em}{9999em}", r"\kern-999em\rule{20em}{20em}", r"\raisebox{-999em}{x}", "{" * 3000 + "x" + "}" * 3000,
    r"\begin{matrix}" + "&" * 4000 + r"\end{matrix}", "x" * 6000, r"\color{red;background:url(http://evil.example)}{x}",
    r"<img src=x onerror=alert(1)>", r"\text{<script>document.title='owned'</script>}",
]


def write_study():
    os.makedirs(f"{STUDY}/images/i.example.org/a")
    with open(f"{STUDY}/images/i.example.org/a/plot.png", "wb") as file:
        file.write(PIXEL)
    with open(f"{STUDY}/images/i.example.org/a/page.png", "w") as file:
        file.write("<script>alert(1)</script>")
    os.symlink("/etc/passwd", f"{STUDY}/images/i.example.org/a/link.png")
    with open(f"{STUDY}/posts.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow("Id,PostTypeId,ParentId,AcceptedAnswerId,CreationDate,Score,Title,Tags,Body".split(","))
        rows.writerow([1, 1, "", 3, "2018-05-01 10:00:00", 1, "What is $x^2$ on mobile?", "<x><python-3.x>", FORMULAS])
        escaped = [one.replace("&", "&amp;").replace("<", "&lt;") for one in HOSTILE]
        rows.writerow([2, 1, "", "", "2018-05-01 10:00:00", 1, "Hostile mobile", "<x>", "".join(f"<p>${one}$</p>" for one in escaped)])
        rows.writerow([3, 2, 1, "", "2018-05-02 10:00:00", 1, "", "", "<p>An answer with $y$ that deploys.</p><pre><code>x = None</code></pre>"])
        rows.writerow([4, 2, 1, "", "2018-05-02 10:00:00", 1, "", "", "<p>Another one.</p>"])
        for i in MORE:
            rows.writerow([i, 1, "", "", "2018-05-01 10:00:00", 1, f"Question {i}", "<x>", "<p>On mobile?</p>"])
    with open(f"{STUDY}/kinds.yaml", "w") as file:
        file.write("codebook: kinds\ncodes: {a: A, b: {name: B, codes: {c: C, d: D}}}\n")
    with open(f"{STUDY}/words.csv", "w") as file:
        file.write("class,word\na,neural network\n")
    with open(f"{STUDY}/study.yaml", "w") as file:
        file.write("study: reading\nsource: {posts: posts.csv}\n"
                   "sets: {m: 'prose:(mobile or deploy* or ios) and not prose:nowhere', x: 'in:m and [x]'}\n"
                   "codebooks: {kinds: kinds.yaml}\nlabelling:\n"
                   "  kinds: {sample: x, raters: [anna, ben], lead: lead, mathematics: yes, images: images, leaves: yes, seed: 1}\n"
                   "classifiers: {words: {train: kinds, method: keyword-weight, keywords: words.csv, seed: 1, predict: x}}\n")
    subprocess.run([ASSAY, "run", STUDY, "--quiet"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ask(server, person, name, body=None):
    """Status, type and text of an answer."""
    token = server.links[person].split("#")[1]
    base = f"http://127.0.0.1:{server.port}"
    request = urllib.request.Request(f"{base}/api/{token[:8]}/{name}", None if body is None else json.dumps(body).encode(), headers={
        "Cookie": f"assay-{token[:8]}={token}", "Origin": base, "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, "", error.read().decode()


SET = "[...document.querySelectorAll('#post .math')].map(one => one.shadowRoot.querySelector('.katex') !== null && one.textContent)"
COLOURED = "[...document.querySelectorAll('%s span')].map(one => one.className.slice(5) + ' ' + one.textContent)"


def go_to(browser, item):
    for _ in range(2 * len(MORE)):
        if browser.run("document.querySelector('#post').dataset.item") == str(item):
            return
        browser.key("n")
        browser.wait("!document.getElementById('panel').inert")


def formulas(browser):
    wanted = ["$x^2$", r"$e^{i\pi} + 1 = 0$", r"\(a_1 \lt b\)", r"$$\begin{aligned} x &= 1 \\ y &= \frac{1}{2} \end{aligned}$$",
              r"\begin{equation} \sum_{i=1}^n i \end{equation}", "$y$"]
    check("formulas are typeset, in titles and answers, too; not money, not code, not what is wrong",
          browser.wait(f"({SET}).length === {len(wanted)}") and browser.run(SET) == wanted, browser.run(SET))
    check("what was written is still its text", "$e^{i\\pi} + 1 = 0$ cost \\$5" in browser.run("document.querySelector('.body').textContent"))
    check("with fonts of this server", browser.wait("[...document.fonts].some(one => one.family.includes('KaTeX') && one.status === 'loaded')"))
    styles = browser.run("""import('../../web/math.js').then(({mathStyle}) => [['auto', 'https://stackoverflow.com/q/1'],
      ['auto', 'https://ai.stackexchange.com/q/1'], ['auto', 'https://electronics.stackexchange.com/q/1'], ['auto', ''], ['no', 'https://math.stackexchange.com/q/1'],
      ['auto', 'https://github.com/a/b/issues/1'], ['auto', 'https://ai.stackexchange.com.evil.example/']].map((one) => mathStyle(...one)))""")
    money = browser.run("""import('../../web/math.js').then(({formulas}) =>
      formulas('a $1000 computer of 2009, a $1000 one of 2019, and $x$ or $ y $.', 'dollar').map((one) => one.tex))""")
    check("sums of money are no formulas", money == ["x", " y "], money)
    check("only where posts have them", styles == [None, "dollar", "money", None, None, "strict", None], styles)


def code(browser):
    python = browser.run(COLOURED % "#post > .body pre")
    check("code has the colours of its language", python == ["word def", 'comment # "a comment"', "word return", 'text "$x$"', "number 0x1F",
                                                            "word SELECT", "number 1", "comment -- one"], python)
    check("or that of the tags", browser.run(COLOURED % ".answer pre") == ["word None"],
          browser.run(COLOURED % ".answer pre"))


def images(browser, server):
    shown = browser.run("[...document.querySelectorAll('#post a.image')].map(one => [one.textContent, one.querySelector('img')?.naturalWidth ?? 0])")
    browser.wait("document.querySelector('#post img').complete")
    check("an image of which there is a copy is shown, others are links", shown == [["[image: a plot]", 1], ["[image: another]", 0], ["[image: as on Stack Exchange]", 1],
                    ["[image: a badge]", 1]], shown)
    asked = {event["params"]["request"]["url"] for event in browser.events if event.get("method") == "Network.requestWillBeSent"}
    check("nothing is fetched from elsewhere", all(url.startswith("http://127.0.0.1") or url.startswith("about:") for url in asked), asked)

    def status(path):
        code, kind, _ = ask(server, "anna", "image/" + path)
        return code, kind if code == 200 else ""
    check("the copy is served as what it is", status("i.example.org/a/plot.png") == (200, "image/png"), status("i.example.org/a/plot.png"))
    refused = ["../study.yaml", "i.example.org/../../study.yaml", "i.example.org/%2e%2e/%2e%2e/study.yaml", "..%2fstudy.yaml", "%2fetc/passwd",
               "i.example.org//etc/passwd", "i.example.org/a/link.png", "i.example.org/a/page.png", "i.example.org/a", "", "i.example.org/a%00/plot.png",
               "i.example.org\\..\\..\\study.yaml", "i.example.org/" + "a" * 1000]
    got = {path[:40]: status(path.replace("\\", "%5c"))[0] for path in refused}
    check("nothing else is", set(got.values()) <= {400, 404}, got)


def folding(browser):
    browser.key("C")
    folded = browser.run("[...document.querySelectorAll('.answer')].map(one => one.open)")
    browser.key("C")
    check("answers fold and unfold", folded == [False, False] and
          browser.run("[...document.querySelectorAll('.answer')].map(one => one.open)") == [True, True], folded)


WORDS = "[...(CSS.highlights.get('%s') ?? [])].map(String)"


def words(browser):
    check("words are not coloured unasked", browser.run(WORDS % "study-words") == [])
    browser.key(",")
    marked = browser.run(WORDS % "study-words")
    check("then words of the set and of keyword lists, whole, across elements, and no others",
          marked == ["mobile", "Deploying", "neural network", "mobile", "deploys"], marked)
    views(browser, "reading")
    browser.key(",")
    check("and not again", browser.run(WORDS % "study-words") == [])
    browser.key("C")
    browser.key(".")
    browser.type("another one")
    found = browser.run("[document.getElementById('found').textContent, document.querySelectorAll('.answer[open]').length]")
    check("a search finds words in the post, and opens what they are in", found == ["1 of 1", 1], found)
    browser.key("Escape")
    check("Escape ends it", browser.run(WORDS % "found") == [] and browser.run("document.activeElement.id") == "post")
    browser.key("C")
    browser.key("C")


def shot(browser, name):
    """For whoever wants to look: ASSAY_SHOTS names a folder."""
    if os.environ.get("ASSAY_SHOTS"):
        browser.shot(f"{os.environ['ASSAY_SHOTS']}/{name}.png")


def views(browser, name):
    """Wide and narrow, and without faults for those who do not see the page or use no mouse."""
    found = faults(browser)
    check(f"{name}: axe-core finds nothing", found == [], *found)
    for width in (1400, 400):
        browser.size(width, 900)
        check(f"{name}: fits into {width} pixels", browser.run("document.documentElement.scrollWidth") <= width)
        shot(browser, f"{name}-{width}")
    browser.size(1280, 860)


def hostile(browser):
    go_to(browser, 2)
    browser.wait("document.querySelectorAll('#post .math').length > 0")
    browser.run("new Promise((done) => setTimeout(done, 300))")
    facts = browser.run("""(() => {
      const roots = [...document.querySelectorAll('#post .math')].map((one) => one.shadowRoot);
      const all = roots.flatMap((root) => [...root.querySelectorAll('*')]);
      const box = document.getElementById('post').getBoundingClientRect();
      return { set: roots.length, links: all.filter((one) => one.matches('a, img, script, iframe, [id], [onerror]')).length,
        title: document.title, panel: document.querySelectorAll('#panel').length,
        over: document.elementFromPoint(40, 8)?.closest('#post') !== null, beside: document.elementFromPoint(box.right + 60, 300)?.closest('#post') !== null,
        wide: document.documentElement.scrollWidth <= innerWidth };
    })()""")
    shot(browser, "hostile")
    check("hostile formulas run, load, name and cover nothing", facts["links"] == 0 and "owned" not in facts["title"] and facts["panel"] == 1 and
          not facts["over"] and not facts["beside"] and facts["wide"], facts)


def leaves(browser):
    go_to(browser, 1)
    check("where the study asks for leaves, other codes are headings", browser.run(
        "[...document.querySelectorAll('.code')].map(one => [one.textContent, one.disabled])") ==
        [["1A", False], ["B", True], ["2C", False], ["3D", False]], browser.run("[...document.querySelectorAll('.code')].map(one => [one.textContent, one.disabled])"))
    said = browser.run("""fetch('../../api/' + location.pathname.split('/').at(-2) + '/label', {method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({item: 1, dimension: 'kinds', codes: ['b'], key: 'k'})}).then((answer) => answer.json())""")
    check("and are refused", "has codes below it" in said.get("error", ""), said)
    browser.key("/")
    browser.type("b")
    marked = browser.run("[...document.querySelectorAll('.code:has(.enter)')].map(one => one.dataset.code)")
    browser.key("Enter")
    browser.wait("!!document.querySelector('.code[aria-pressed=true]')")
    pressed = browser.run("[...document.querySelectorAll('.code[aria-pressed=true]')].map(one => one.dataset.code)")
    check("a search marks and takes the first that can be given", marked == pressed == ["kinds/b/c"], marked, pressed)
    browser.key("u")
    browser.wait("!document.querySelector('.code[aria-pressed=true]') && Object.keys(localStorage).every(one => !one.startsWith('assay-queue'))")


def offline(browser):
    """What was fetched ahead can be labelled, and looked at again, without connection."""
    before = len(acts("kinds", "id"))
    to_top = "document.querySelectorAll('#own-items tr button')[0].click()"
    browser.key("L")
    browser.wait("document.querySelectorAll('#own-items tr').length > 10")
    browser.run(to_top)
    browser.wait("document.querySelector('#post > p').textContent.startsWith('Item 1 of') && !document.getElementById('panel').inert")
    browser.run("new Promise((done) => setTimeout(done, 1500))")
    browser.offline(True)
    shown = []
    for i in range(5):
        browser.wait(f"document.querySelector('#post > p').textContent.startsWith('Item {i + 1} of') && !document.getElementById('panel').inert")
        shown.append(browser.run("Number(document.querySelector('#post').dataset.item)"))
        browser.key("123"[i % 3])
        browser.key("n")
    browser.wait("document.querySelector('#post > p').textContent.startsWith('Item 6 of') && !document.getElementById('panel').inert")
    check("without connection work goes on with the items at hand", len(set(shown)) == 5, shown)
    browser.key("p")
    browser.wait("document.querySelector('#post > p').textContent.startsWith('Item 5 of') && !document.getElementById('panel').inert")
    check("and back to what was said", browser.run("[...document.querySelectorAll('.code[aria-pressed=true]')].map(one => one.dataset.code)") == ["kinds/b/c"],
          browser.run("[...document.querySelectorAll('.code[aria-pressed=true]')].map(one => one.dataset.code)"))
    browser.offline(False)
    browser.wait("document.getElementById('saved').textContent.startsWith('Saved')")
    stored = acts("kinds", "item", "codes")[before:]
    wanted = [(item, ['["a"]', '["b/c"]', '["b/d"]'][i % 3]) for i, item in enumerate(shown)]
    check("all of it is stored when the connection is back", stored == wanted, stored, wanted)


def label_all(server):
    """Both say the same of all items but 10 and 11, of which they differ."""
    for person in ("anna", "ben"):
        for item in [1, 2, *MORE]:
            code = "b/d" if item in (10, 11) and person == "ben" else "a"
            ask(server, person, "label", {"item": item, "dimension": "kinds", "codes": [code], "memo": "Größe" if item == 12 else "",
                                          "key": f"{person}-{item}"})


def rows_of(browser):
    return browser.run("[...document.querySelectorAll('#all-items tr')].map(row => row.innerText.replace(/\\s+/g, ' '))")


def search(browser, words, count):
    browser.run(f"document.getElementById('all-search').value = '{words}'; document.getElementById('all-search').dispatchEvent(new Event('input'))")
    return browser.wait(f"document.querySelectorAll('#all-items tr').length === {count} && document.getElementById('all-count').textContent.includes('hit')")


def not_yet(server):
    lead = json.loads(ask(server, "lead", "all/0")[2])
    check("of items of the open round nobody is told what others said", len(lead["items"]) == 14 and
          all(one["labels"] == [] and not one["over"] for one in lead["items"]), str(lead)[:300])
    check("nor a rater of anything", json.loads(ask(server, "anna", "all/0")[2])["items"] == [])
    codes = [ask(server, person, "thread/10")[0] for person in ("lead", "anna")] + \
        [ask(server, "anna", "remark", {"item": 10, "text": "look", "key": "r0"})[0]]
    check("and nothing can be said about them", codes == [400, 400, 400], codes)


def discussion(server):
    lead = opened(server.links["lead"], "document.getElementById('when')?.textContent")
    lead.go(server.page("lead", "items"))
    lead.wait("document.querySelectorAll('#all-items tr').length === 14")
    check("the lead sees all items with who said what", any("anna: A" in one and "ben: D" in one and "differ" in one for one in rows_of(lead)), rows_of(lead)[:3])
    check("searches them by state", search(lead, "differ", 2), rows_of(lead))
    check("by code and rater", search(lead, "b/d ben", 2), rows_of(lead))
    check("and by memo, whatever the case and letters", search(lead, "größe".upper(), 1) and rows_of(lead)[0].startswith("12"), rows_of(lead))
    views(lead, "items")
    anna = opened(server.links["anna"], "document.querySelector('#post h1')?.textContent")
    anna.go(server.page("anna", "items"))
    anna.wait("document.querySelectorAll('#all-items tr').length === 14")
    search(anna, "differ", 2)
    anna.run("document.querySelector('#all-items button').click()")
    anna.wait("document.getElementById('look').open")
    anna.run("document.getElementById('text').value = 'I took <b>it</b> for a crash'; document.getElementById('remark').requestSubmit()")
    check("a rater opens a discussion", anna.wait("document.querySelectorAll('#thread li').length === 1") and
          "You" in anna.run("document.getElementById('thread').innerText") and "<b>it</b>" in anna.run("document.getElementById('thread').innerText"))
    item = anna.run("Number(document.querySelector('#look #post').dataset.item)")
    views(anna, "thread")
    lead.run(f"location.hash = '{item}'; location.reload()")
    check("others read it", lead.wait("document.getElementById('thread').innerText.includes('anna')", 30), lead.run("[location.href, document.getElementById('message').textContent, document.getElementById('look').open]"))
    twice = [ask(server, "ben", "remark", {"item": item, "text": "So did I", "key": "r1"})[0] for _ in range(2)]
    thread = json.loads(ask(server, "anna", f"thread/{item}")[2])["remarks"]
    check("one that is sent twice is there once", twice == [200, 200] and [one["by"] for one in thread] == ["anna", "ben"], thread)
    check("an empty or endless one is refused", [ask(server, "ben", "remark", {"item": item, "text": text, "key": "r2"})[0]
                                                for text in (" ", "x" * 30000)] == [400, 400])
    told = subprocess.run([ASSAY, "export", "labels", STUDY, "--layer", "remarks"], capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(told.splitlines()))
    check("it is exported", [(row["rater"], int(row["item"])) for row in rows] == [("anna", item), ("ben", item)], told)
    check("without names, times and texts where asked", "anna" not in (anonymous := subprocess.run(
        [ASSAY, "export", "labels", STUDY, "--layer", "remarks", "--anonymous"], capture_output=True, text=True, check=True).stdout) and
        "crash" not in anonymous and "20" not in anonymous.split("\n")[1].split(",")[2], anonymous)
    for browser in (lead, anna):
        lost = [one for one in browser.complaints() if "400" not in one]
        check("no browser complained", lost == [], lost)
    anna.close()
    return lead, item


def wait_current(server):
    while not json.loads(ask(server, "lead", "lead")[2])["current"]:
        time.sleep(0.1)


def exports(server):
    own = list(csv.DictReader(ask(server, "anna", "export/own")[2].splitlines()))
    check("a rater exports what they said, and nothing else", len(own) == 14 and {row["rater"] for row in own} == {"anna"}, own[:2])
    check("the lead exports everything", ask(server, "lead", "export/final")[2].count("unanimous") == 12 and
          ask(server, "lead", "export/remarks")[2].count("\n") == 3 and ask(server, "lead", "export/nothing")[0] == 400)
    check("a rater does not", [ask(server, "anna", f"export/{layer}")[0] for layer in ("said", "final", "acts", "remarks")] == [400] * 4)


def training(server, item):
    """An item that is in a round again is not talked about, and is not told."""
    status = ask(server, "lead", "round", {"kind": "training", "items": 14, "raters": 0, "overlap": 1, "retest": 0})
    hidden = json.loads(ask(server, "anna", "all/0")[2])["items"]
    check("in a training round its items are closed again", status[0] == 200 and hidden == [] and ask(server, "anna", f"thread/{item}")[0] == 400 and
          ask(server, "ben", "remark", {"item": item, "text": "once more", "key": "r3"})[0] == 400, status, str(hidden)[:200])


def main():
    write_study()
    server = Server("kinds")
    lead = opened(server.links["lead"], "document.getElementById('when').textContent !== ''")
    open_round(lead, server, "lead")
    lead.close()
    anna = opened(server.links["anna"])
    anna.events.clear()
    to_rater(anna, server, "anna")
    go_to(anna, 1)
    formulas(anna)
    code(anna)
    images(anna, server)
    folding(anna)
    words(anna)
    hostile(anna)
    leaves(anna)
    offline(anna)
    lost = [one for one in anna.complaints() if "400" not in one and "ERR_INTERNET_DISCONNECTED" not in one]
    check("the browser did not complain", lost == [], lost)
    anna.close()
    label_all(server)
    not_yet(server)
    ask(server, "lead", "round", {"close": 1})
    wait_current(server)
    lead, item = discussion(server)
    lead.close()
    exports(server)
    training(server, item)
    check("the server ends well", server.end() == 0, server.said)
    sys.exit(done())


if __name__ == "__main__":
    main()
