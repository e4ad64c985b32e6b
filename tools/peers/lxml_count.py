"""Questions with one of five tags, counted with lxml's iterparse."""
import sys

from lxml import etree

tags = ("<tensorflow>", "<keras>", "<pytorch>", "<theano>", "<caffe>")
count = 0
for _, row in etree.iterparse(sys.argv[1], tag="row"):
    text = row.get("Tags")
    if text and any(tag in text for tag in tags):
        count += 1
    row.clear()
    while row.getprevious() is not None:
        del row.getparent()[0]
print(count)
