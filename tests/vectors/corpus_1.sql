-- A corpus of schema 1, as an older assay made it: a question with an accepted answer, another
-- without a date or a score, a comment, a link, a census.
PRAGMA application_id = 1634956129; -- "assa"
PRAGMA user_version = 1;
CREATE TABLE post (
    id INTEGER PRIMARY KEY,
    type INTEGER NOT NULL,
    parent INTEGER,
    accepted INTEGER,
    created_ms INTEGER,
    closed_ms INTEGER,
    score INTEGER,
    views INTEGER,
    answers INTEGER,
    comments INTEGER,
    favorites INTEGER,
    owner INTEGER,
    tags TEXT,
    title TEXT,
    body TEXT NOT NULL,
    prose TEXT NOT NULL,
    code TEXT NOT NULL,
    code_blocks INTEGER NOT NULL,
    license TEXT NOT NULL
);
CREATE TABLE tag (
    post INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (post, name)
) WITHOUT ROWID;
CREATE TABLE comment (
    id INTEGER PRIMARY KEY,
    post INTEGER NOT NULL,
    created_ms INTEGER,
    score INTEGER,
    user INTEGER,
    text TEXT NOT NULL
);
CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    created_ms INTEGER,
    reputation INTEGER,
    name TEXT
);
CREATE TABLE link (
    id INTEGER PRIMARY KEY,
    post INTEGER NOT NULL,
    related INTEGER NOT NULL,
    type INTEGER NOT NULL,
    created_ms INTEGER
);
CREATE TABLE census (
    year INTEGER NOT NULL,
    tag TEXT NOT NULL,
    questions INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    answered INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    views INTEGER NOT NULL,
    score INTEGER NOT NULL,
    PRIMARY KEY (year, tag)
) WITHOUT ROWID;
CREATE TABLE health (
    finding TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE state (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

INSERT INTO post (id, type, parent, accepted, created_ms, closed_ms, score, views, answers,
    comments, favorites, owner, tags, title, body, prose, code, code_blocks, license) VALUES
    (1, 1, NULL, 2, 1400000000000, 1400000005000, 5, 60, 1, 1, 2, 70, '<a><C++>', 'How',
     '<p>x</p><pre>y</pre>', 'How' || char(10) || 'x', 'y', 1, 'CC BY-SA 3.0'),
    (2, 2, 1, NULL, 1400000001000, NULL, -3, NULL, NULL, 0, NULL, -1, NULL, NULL, '<p>so</p>',
     'so', '', 0, 'CC BY-SA 3.0'),
    (7, 1, NULL, 99, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', 'Why', '', 'Why', '', 0,
     '');
INSERT INTO tag VALUES (1, 'a'), (1, 'c++');
INSERT INTO comment VALUES (30, 2, 1400000002000, 1, 71, 'thanks');
INSERT INTO user VALUES (70, 1300000000000, 15, 'A'), (71, NULL, NULL, NULL);
INSERT INTO link VALUES (40, 7, 1, 3, 1400000003000);
INSERT INTO census VALUES (2014, '', 9, 4, 6, 1, 600, 50), (2014, 'a', 3, 1, 2, 0, 90, 7);
INSERT INTO health VALUES ('rows', '3');
INSERT INTO state VALUES ('key', 'engine 1'), ('dump-id', '0123456789abcdef');
CREATE INDEX post_parent ON post (parent, created_ms, id, owner, score) WHERE parent NOT NULL;
CREATE INDEX tag_name ON tag (name);
CREATE VIRTUAL TABLE post_text USING fts5 (title, prose, content = 'post', content_rowid = 'id');
