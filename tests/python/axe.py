"""What axe-core finds in the page that a browser shows. ASSAY_AXE is its file; empty: nothing is looked for."""
import os

AXE = os.environ.get("ASSAY_AXE", "")


def faults(browser):
    """All of them, in light and dark, with where they are."""
    found = []
    if not AXE:
        return found
    with open(AXE) as file:
        browser.run(file.read() + "; 0")
    for dark in (False, True):
        browser.dark(dark)
        found += browser.run("""axe.run(document, {preload: false}).then((result) => result.violations.map((one) =>
            one.id + ' (' + one.impact + '): ' + one.nodes.slice(0, 3).map((node) => node.target + ' ' + node.html.slice(0, 90)).join(' | ')))""")
    browser.dark(False)
    return found
