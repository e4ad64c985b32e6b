"""What raters see of a post, in a real browser: formulas, hostile ones too, code in the colours of its language,
images from copies, answers that fold, words of the study, a search. Prints TAP.
usage: label_reading.py ASSAY FOLDER"""
import base64
import csv
import os
import subprocess
import sys
import urllib.error
import urllib.request

from label_slips import ASSAY, STUDY, Server, open_round, opened, to_rater
from tap import check, done

PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

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


SET = "[...document.querySelectorAll('#post .math')].map(one => one.shadowRoot.querySelector('.katex') !== null && one.textContent)"
COLOURED = "[...document.querySelectorAll('%s span')].map(one => one.className.slice(5) + ' ' + one.textContent)"


def go_to(browser, item):
    for _ in range(3):
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
    check("an image of which there is a copy is shown, others are links", shown == [["[image: a plot]", 1], ["[image: another]", 0]], shown)
    asked = {event["params"]["request"]["url"] for event in browser.events if event.get("method") == "Network.requestWillBeSent"}
    check("nothing is fetched from elsewhere", all(url.startswith("http://127.0.0.1") or url.startswith("about:") for url in asked), asked)
    token = server.links["anna"].split("#")[1]

    def status(path):
        request = urllib.request.Request(f"http://127.0.0.1:{server.port}/api/{token[:8]}/image/{path}",
                                         headers={"Cookie": f"assay-{token[:8]}={token}"})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.headers["Content-Type"]
        except urllib.error.HTTPError as error:
            return error.code, ""
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
    shot(browser, "reading")
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
    lost = [one for one in anna.complaints() if "400" not in one]
    check("the browser did not complain", lost == [], lost)
    anna.close()
    check("the server ends well", server.end() == 0, server.said)
    sys.exit(done())


if __name__ == "__main__":
    main()
