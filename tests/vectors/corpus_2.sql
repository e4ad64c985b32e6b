-- What schema 2 adds to corpus_1.sql: sources with a name, and rows of tables, which were posts
-- of type 100. Those of `bugs` have ids of their own; those of `logs` have none and are numbered
-- from 3 * 2^40 on. Row 600 stands in two tables.
PRAGMA user_version = 2;
ALTER TABLE post ADD COLUMN accepted_ms INTEGER;
CREATE TABLE source (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    settings TEXT NOT NULL
);
CREATE TABLE source_file (
    source INTEGER NOT NULL,
    number INTEGER NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (source, number)
) WITHOUT ROWID;
CREATE TABLE origin (
    post INTEGER NOT NULL,
    source INTEGER NOT NULL,
    PRIMARY KEY (post, source)
) WITHOUT ROWID;
CREATE TABLE field (
    post INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (post, name)
) WITHOUT ROWID;
CREATE TABLE vote (
    id INTEGER PRIMARY KEY,
    post INTEGER NOT NULL,
    type INTEGER,
    created_ms INTEGER
);
CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    post INTEGER NOT NULL,
    type INTEGER,
    created_ms INTEGER,
    user INTEGER
);
CREATE TABLE badge (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER
);

UPDATE post SET accepted = 0, accepted_ms = 1400000009000 WHERE id = 7;
INSERT INTO post (id, type, created_ms, score, tags, title, body, prose, code, code_blocks, license)
VALUES
    (500, 100, 1500000000000, 4, '<bug>', 'crash', 'it <crashed>', '', '', 0, 'MIT'),
    (600, 100, NULL, NULL, '', 'hang', '', '', '', 0, ''),
    (3298534883329, 100, NULL, NULL, '', 'log one', 'a', '', '', 0, ''),
    (3298534883330, 100, NULL, NULL, '', 'log two', 'b', '', '', 0, '');
INSERT INTO source VALUES (0, 'so', 'dump', 'until 5'), (1, 'more', 'posts', ''),
    (2, 'bugs', 'rows', 'id=Id'), (3, 'logs', 'rows', '');
INSERT INTO source_file VALUES (0, 0, 'd/Posts.xml', 'aa'), (2, 0, 'b.csv', 'bb');
INSERT INTO origin VALUES (1, 0), (7, 0), (7, 1), (500, 2), (600, 2), (600, 3),
    (3298534883329, 3), (3298534883330, 3);
INSERT INTO field VALUES (7, 'os', 'linux'), (500, 'os', 'mac'), (500, 'level', 'high'),
    (3298534883330, 'os', 'bsd');
INSERT INTO vote VALUES (50, 1, 2, 1400000006000);
INSERT INTO history VALUES (60, 1, 10, 1400000005000, 70);
INSERT INTO badge VALUES (80, 70, 'Student', 1400000007000);
