"""Text of the first N posts' bodies without html, by lxml.html; prints the XML bytes done."""
import sys

from lxml import etree, html

done = rows = 0
for _, row in etree.iterparse(sys.argv[1], tag="row"):
    body = row.get("Body")
    done += sum(len(v) for v in row.attrib.values())
    if body:
        tree = html.fromstring("<div>" + body + "</div>")
        for pre in tree.iter("pre"):
            pre.text_content()
        tree.text_content()
    row.clear()
    while row.getprevious() is not None:
        del row.getparent()[0]
    rows += 1
    if rows == int(sys.argv[2]):
        break
print(done)
