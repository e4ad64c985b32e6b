"""Issues of GitHub and topics of Discourse as people save them, counted here and by assay.

usage: trackers.py ASSAY DATA
"""
import collections
import csv
import datetime
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

assay, data = sys.argv[1:]
number = 0
failed = False


def check(name, got, want):
    global number, failed
    number += 1
    if got != want:
        failed = True
        print('# got  %r' % (got,))
        print('# want %r' % (want,))
    print('%s %d - %s' % ('ok' if got == want else 'not ok', number, name))


def run(*words):
    done = subprocess.run([assay, *words], capture_output=True, text=True)
    if done.returncode != 0:
        print('# ' + done.stderr.strip().replace('\n', '\n# '))
    return done.stdout


def scanned(path, query, by):
    lines = run('scan', path, query, '--by', by).splitlines()
    return {line.rsplit('\t', 1)[0]: int(line.rsplit('\t', 1)[1]) for line in lines}


def tag(label):
    return re.sub(r'[\s\[\]<>|,;"()]+', '-', label).strip('-')


def moment(text):
    return datetime.datetime.fromisoformat(text.replace('Z', '+00:00'))


def load(path):
    files = sorted(glob.glob(path + '/*')) if os.path.isdir(path) else [path]
    for file in files:
        text = open(file, encoding='utf-8').read()
        if file.endswith('.jsonl'):
            for line in text.splitlines():
                yield json.loads(line)
        else:
            value = json.loads(text)
            yield from value if isinstance(value, list) else [value]


def repo(issue):
    return '/'.join(issue['html_url'].split('/')[3:5])


def who(thing):
    user = thing.get('user') or thing.get('author')
    return user['id'] if user else None


def is_bot(thing):
    user = thing.get('user') or thing.get('author') or {}
    name = user.get('login') or user.get('username') or ''
    return user.get('type') == 'Bot' or name.endswith('[bot]')


def responses(issue):
    """Comments by somebody else who is no bot."""
    comments = issue['comments'] if isinstance(issue['comments'], list) else []
    return [c for c in comments if who(c) != who(issue) and not is_bot(c)]


def check_issues(name, path):
    issues = list(load(path))
    count = collections.Counter
    check(name + ': by kind', scanned(path, 'not is:answer and not is:comment', 'type'),
          count('pull request' if i.get('pull_request') else 'issue' for i in issues))
    check(name + ': by repository', scanned(path, 'is:issue', 'repo'),
          count(map(repo, issues)))
    check(name + ': by state', scanned(path, 'is:issue', 'state'),
          count(i['state'] for i in issues))
    check(name + ': by reason', scanned(path, 'is:issue', 'reason'),
          count(i.get('state_reason') or '-' for i in issues))
    check(name + ': by year', scanned(path, 'is:issue', 'year'),
          count(i['created_at'][:4] for i in issues))
    check(name + ': by label', scanned(path, 'is:issue', 'tag'),
          count(tag(label['name']) for i in issues for label in i['labels']))
    check(name + ': responses', scanned(path, 'is:answer', 'type').get('answer', 0),
          sum(len(responses(i)) for i in issues))
    check(name + ': updated in 2019 or later',
          sum(scanned(path, 'is:issue and updated:2019..', 'type').values()),
          sum(i['updated_at'] >= '2019' for i in issues))
    return issues


def check_waiting(issues, path):
    """A study: time to the first response, labels by their addresses."""
    labels = data + '/issues/inexbug_labels.csv'
    with tempfile.TemporaryDirectory() as home:
        with open(home + '/study.yaml', 'w') as file:
            file.write('''study: waiting
source: {github: %s}
sets: {all: 'is:issue', answered: 'is:issue and created:2018..'}
labels: {kind: {from: %s, item: html_url, code: FINAL Classification, unknown: skip}}
groups: {kind: {labels: kind}}
tables:
  waiting: {of: [all, answered], columns: [count, median hours to first answer, count with answer]}
  kinds: {of: all, by: kind, columns: [count]}
''' % (path, labels))
        run('run', home, '--quiet')
        waiting = list(csv.reader(open(home + '/out/tables/waiting.csv')))[1:]
        kinds = dict(list(csv.reader(open(home + '/out/tables/kinds.csv')))[1:])
    for row, kept in zip(waiting, [issues, [i for i in issues if i['created_at'] >= '2018']]):
        waits = []
        for issue in kept:
            first = min((moment(c['created_at']) for c in responses(issue)), default=None)
            if first is not None:
                waits.append((first - moment(issue['created_at'])).total_seconds() / 3600)
        waits = [wait for wait in waits if wait >= 0]
        check('first responses: ' + row[0],
              [int(row[1]), round(float(row[2]), 6), int(row[3])],
              [len(kept), round(statistics.median(waits), 6), len(waits)])
    known = {}
    for issue in issues:
        for name in (repo(issue), issue['owner'] + '/' + issue['repo']):
            known['%s#%d' % (name, issue['number'])] = issue['id']
    want = collections.Counter()
    missing = collections.Counter()
    joined = {}
    absent = []
    for row in csv.DictReader(open(labels, encoding='utf-8')):
        found = re.match(r'https://github.com/([^/]+/[^/]+)/(?:issues|pull)/(\d+)',
                         row['html_url'])
        key = '%s#%s' % found.groups() if found else None
        if key in known:
            want[row['FINAL Classification']] += 1
            joined[known[key]] = ' '.join(row['FINAL Classification'].split())
        else:
            missing['empty' if not row['html_url'] else
                    'not in the file' if found else 'no address'] += 1
            absent.append((row['html_url'], key))
    check('labels by address, also those of repositories that moved',
          {name: int(count) for name, count in kinds.items()}, want)
    print('# %d labels join; of the others: %s' % (sum(want.values()), dict(missing)))
    # 378 of the 382 rows name something. The other 35 cannot be joined by any rule: the file has
    # exactly as many issues with the labelled ones' fields as join, each with the label's own
    # class; no title or number in it is that of a row that is left; and all "Unknown" are left.
    check('rows that name something', 382 - missing['empty'], 378)
    check('rows that do not join', dict(missing),
          {'empty': 4, 'no address': 1, 'not in the file': 34})
    check('the labelled issues of the file are those that join',
          sorted(i['id'] for i in issues if 'is_bot_close' in i), sorted(joined))
    check('the file has the class that the label has',
          {i['id']: i['final_classification'] for i in issues if i['id'] in joined}, joined)
    names = {'%s#%d' % (i['repo'].lower(), i['number']) for i in issues}
    titles = {i['title'].strip() for i in issues}
    check('no repository of any owner has an issue of those that are left',
          [url for url, key in absent if key and key.split('/')[1].lower() in names], [])
    check('no title of those that are left',
          [url for url, key in absent
           if not key and url and url.split(' \u00b7 ')[0] in titles], [])
    for url, key in absent:
        print('# no issue for: %s' % (url or '(empty)'))


def check_topics(name, path):
    topics = {}
    posts = set()  # one that stands on two pages is one
    for value in load(path):
        if 'post_stream' in value:
            topics[value['id']] = value
            posts.update(p['id'] for p in value['post_stream']['posts']
                         if p['post_number'] > 1 and p['post_type'] == 1)
    for value in load(path):
        for topic in value.get('topic_list', {}).get('topics', [value]):
            if 'title' in topic and 'posts_count' in topic:
                topics.setdefault(topic['id'], topic)
    count = collections.Counter
    check(name + ': topics', scanned(path, 'is:topic', 'type'), {'topic': len(topics)})
    check(name + ': posts', sum(scanned(path, 'is:answer or is:comment', 'type').values()),
          len(posts))
    check(name + ': by category', scanned(path, 'is:topic', 'category'),
          count(str(t['category_id']) for t in topics.values()))
    check(name + ': by year', scanned(path, 'is:topic', 'year'),
          count(t['created_at'][:4] for t in topics.values()))
    check(name + ': by tag', scanned(path, 'is:topic', 'tag'),
          count(tag(t) for topic in topics.values() for t in topic.get('tags') or []))
    check(name + ': views', scanned(path, 'is:topic', 'views'),
          count(str(t['views']) for t in topics.values()))
    check(name + ': likes', scanned(path, 'is:topic', 'score'),
          count(str(t['like_count']) for t in topics.values()))
    check(name + ': solved', scanned(path, 'is:topic and hasaccepted:yes', 'type'),
          count('topic' for t in topics.values() if t.get('has_accepted_answer')))


check_issues('one REST object a file', data + '/issues/silentbugs-rest')
inexbug = data + '/issues/inexbug_closed.jsonl'
check_waiting(check_issues('json lines with comments', inexbug), inexbug)
check_topics('an array of topics', data + '/forum/openai_category_14_topics.json')
check_topics('pages and lists of topics', data + '/forum/perceval-discourse')
print('1..%d' % number)
sys.exit(failed)
