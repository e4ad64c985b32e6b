"""A study with many groups, long names, words that nothing divides and wide tables, and one in
Cyrillic and Greek letters: what LaTeX has to fit into its columns. usage: wide_study.py FOLDER"""
import os
import sys

LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnungen"
CODE = "java.lang.reflect.InvocationTargetExceptionWrapperFactoryBeanProviderSupport"
ADDRESS = "https://example.org/a/very/long/path/without/any/blank/that/cannot/be/divided"
SET = "Donaudampfschifffahrtsgesellschaftskapitaen"
NAMES = ["Kind number %d", LONG + " %d", CODE + "%d", ADDRESS + "/%d",
         "A name of several words that goes on for much longer than a column is wide (%d)"]


def posts(tags):
    rows = ["Id,PostTypeId,Tags,CreationDate,Score,ViewCount,Title,AcceptedAnswerId,ParentId"]
    for i in range(1, 500):
        moment = "%d-%02d-%02d" % (2012 + i % 9, 1 + i % 12, 1 + i % 28)
        accepted = 10000 + i if i % 3 == 0 else ""
        rows.append("%d,1,<%s>,%s,%d,%d,T%d,%s," % (
            i, tags[i * 7 % len(tags)], moment, i % 17, i * 1000003 % 999983, i, accepted))
        if accepted:
            rows.append("%d,2,,%s 0%d:00:00,1,,,,%d" % (accepted, moment, i % 9, i))
    return "\n".join(rows) + "\n"


def wide(folder):
    tags = ["a%d" % i for i in range(33)]
    groups = ["'%s': '[%s]'" % (NAMES[k % len(NAMES)] % k, tag) for k, tag in enumerate(tags)]
    files = {
        "posts.csv": posts(tags),
        "study.yaml": f"""study: wide
title: 'A title with {LONG} that goes on'
authors: [Somebody Else, Another]
source: {{posts: posts.csv}}
sets:
  {SET}: '[a1] or [a2] or [a3] or [a4] or title:"{CODE}"'
  rest: 'not in:{SET}'
groups:
  kind: {{first-of: {{{", ".join(groups)}}}}}
  few: {{first-of: {{{", ".join(groups[:9])}}}}}
  year: created by year
questions:
  RQ1:
    asks: 'Is {ADDRESS} harder?'
    method: 'By {CODE}.'
    tables: [kinds]
    tests: [harder]
    findings: ['{LONG} are {{tables.kinds.total.count}}.']
    threats: ['{CODE}']
tables:
  kinds:
    title: 'Kinds, with {ADDRESS}'
    by: kind
    columns: [count, share, share without accepted, median minutes to accepted,
              kaplan-meier median minutes to accepted, mean views, sd views, sum views, median score,
              first quartile views, third quartile views, share accepted within 30 days]
    totals: columns
  across: {{by: few, across: year, columns: [count, share without accepted], totals: both}}
  beside: {{by: year, across: few, columns: [count]}}
  nested: {{by: [year, few], columns: [count, share of group, kaplan-meier median days to accepted]}}
  sets: {{of: [{SET}, rest], by: few, across: year, columns: [median views]}}
tests:
  harder: {{compare: [{SET}, rest], on: share without accepted, test: proportion}}
  views: {{of: rest, by: few, on: views, test: kruskal-wallis, correct: holm, title: '{CODE}'}}
figures:
  bars: {{draw: bars, table: kinds, columns: count, title: '{LONG}'}}
  funnel: {{draw: funnel, set: {SET}}}
"""}
    write(folder, files)


def letters(folder):
    write(folder, {
        "posts.csv": posts(["ошибка", "вид"]),
        "study.yaml": """study: letters
title: 'Сообщения об ошибках: что спрашивают?'
authors: [Мария Иванова, Γιώργος Παπαδόπουλος]
source: {posts: posts.csv}
groups:
  kind: {first-of: {Сообщение об ошибке: '[ошибка]', Внешний вид ελληνικά: '[вид]'}}
questions:
  RQ1: {asks: 'Какие ошибки встречаются чаще?', tables: [t], answer: 'Их {tables.t.total.count}; ё, ї.'}
tables:
  t: {title: Виды, by: kind, columns: [count, share, median views], totals: columns}
"""})


def write(folder, files):
    os.makedirs(folder)
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)


wide(os.path.join(sys.argv[1], "wide"))
letters(os.path.join(sys.argv[1], "letters"))
