-- corpus.db: the items that a study takes from its sources. Rebuilt by `assay ingest`; open it
-- with sqlite3, Python, R or Datasette as you like, but labels and results live elsewhere.
-- Times are milliseconds since 1970-01-01 UTC. NULL is missing, never 0.
--
-- The id of an item, a comment, a user ... is its number in its source plus 2^40 times the
-- number of the source; sources of one site count as the first of them. So in a study with one
-- source ids are those of the site.

-- What is studied: questions with their answers, rows of tables, whatever developers write.
CREATE TABLE item (
    id INTEGER PRIMARY KEY, -- see above
    kind INTEGER NOT NULL,  -- 1 question, 2 answer, 9 row of a table; see the table kind
    parent INTEGER,         -- of an answer: its question
    accepted INTEGER,       -- of a question: its accepted answer, which may be missing; 0: not
                            -- known which one, see accepted_ms
    created_ms INTEGER,     -- when it was written
    closed_ms INTEGER,      -- when it was closed
    score INTEGER,          -- up votes minus down votes
    views INTEGER,          -- of a question
    answers INTEGER,        -- as its source counts them
    comments INTEGER,       -- as its source counts them
    favorites INTEGER,      -- as its source counts them
    owner INTEGER,          -- who wrote it; NULL: deleted user
    accepted_ms INTEGER,    -- when its accepted answer was written, where a table tells this and
                            -- not which answer it is; accepted is then 0
    wiki_ms INTEGER,        -- since when it is a community wiki; 0: it is, unknown since when
    lastactive_ms INTEGER,  -- when something last happened to it
    tags TEXT NOT NULL,     -- <a><b>, whatever spelling the source had
    title TEXT NOT NULL,    -- plain text
    license TEXT NOT NULL,  -- as its source says; where that says nothing what follows from the
                            -- date of a post: CC BY-SA 2.5, 3.0 or 4.0, and (by its date)
                            -- behind it; '': none. Where the state licenses-unmarked is
                            -- there the corpus is of an older assay, which did not set (by
                            -- its date): one that a post of its date has may be of either
    code_blocks INTEGER NOT NULL, -- how many stand in its text
    form INTEGER NOT NULL,  -- of its text: 0 html, 1 Markdown, 2 plain, 3 diff
    sum INTEGER NOT NULL    -- XXH3 of the columns before it: damage is noticed
);

-- The texts of items, apart, so that a pass over the numbers need not touch them.
CREATE TABLE text (
    id INTEGER PRIMARY KEY, -- item.id
    body TEXT NOT NULL,     -- as it was written; '' where it is packed, as all are that are not
                            -- from an older corpus
    pack INTEGER,           -- pack.number; NULL: it is not packed
    place INTEGER,          -- in the unpacked bytes of the pack: how many stand before it,
    len INTEGER,            -- and how many it has
    sum INTEGER NOT NULL    -- XXH3 of id and text
);

-- Texts, some 64 KB of them one behind the other: a zlib stream, or the bytes themselves where
-- they are as many as len says. (Corpora of schema 5 had frames of zstd, which stay in one that
-- was made then.)
CREATE TABLE pack (
    number INTEGER PRIMARY KEY, -- from 1
    len INTEGER NOT NULL,       -- bytes when unpacked
    bytes BLOB NOT NULL         -- packed
);

-- Both together, for people. The shell sqlite3 brings sqlar_uncompress() along; elsewhere it is
-- a line, such as in Python
--   database.create_function('sqlar_uncompress', 2, lambda packed, size:
--       packed if len(packed) == size else zlib.decompress(packed))
CREATE VIEW post AS SELECT item.*, CASE WHEN pack IS NULL THEN body ELSE CAST(substr(
    sqlar_uncompress((SELECT bytes FROM pack WHERE number = text.pack),
                     (SELECT pack.len FROM pack WHERE number = text.pack)),
    place + 1, text.len) AS TEXT) END AS body FROM item JOIN text ON text.id = item.id;

-- What the numbers in item.kind mean.
CREATE TABLE kind (
    number INTEGER PRIMARY KEY, -- item.kind
    name TEXT NOT NULL          -- such as 'question'
);

-- Keys that are not a number, or one too large: as the source has them.
CREATE TABLE key (
    id INTEGER PRIMARY KEY, -- item.id
    text TEXT NOT NULL      -- the key
);

-- Other keys that items go by, such as those of a repository that moved.
CREATE TABLE alias (
    id INTEGER NOT NULL, -- item.id
    text TEXT NOT NULL,  -- the key
    PRIMARY KEY (id, text)
) WITHOUT ROWID;

-- In which sources an item that is studied stands; answers go with their question. Filled when
-- there are several sources or one with a name.
CREATE TABLE origin (
    item INTEGER NOT NULL,   -- item.id
    source INTEGER NOT NULL, -- source.number
    PRIMARY KEY (item, source)
) WITHOUT ROWID;

-- Answers to stored questions that were written after the end of their source (until). They are
-- left out; but at that end their questions were without them, whatever item.accepted says.
CREATE TABLE late (
    answer INTEGER PRIMARY KEY, -- see item.id
    question INTEGER NOT NULL   -- item.id
);

-- Fields that a source brings of its own.
CREATE TABLE field (
    item INTEGER NOT NULL, -- item.id
    name TEXT NOT NULL,    -- as in the study file
    value TEXT NOT NULL,   -- as it stands in the source; an empty one has no row here
    PRIMARY KEY (item, name)
) WITHOUT ROWID;

-- Comments on stored items, on request.
CREATE TABLE comment (
    id INTEGER PRIMARY KEY, -- see above
    item INTEGER NOT NULL,  -- what it stands under
    created_ms INTEGER,     -- when it was written
    score INTEGER,          -- votes
    user INTEGER,           -- who wrote it; NULL: deleted user
    text TEXT NOT NULL      -- Markdown
);

-- Who wrote stored items, comments or changes, on request.
CREATE TABLE user (
    id INTEGER PRIMARY KEY, -- item.owner
    created_ms INTEGER,     -- when the account was made
    reputation INTEGER,     -- at the time of the dump
    name TEXT               -- never leaves this file
);

-- Links from or to stored questions, on request.
CREATE TABLE link (
    id INTEGER PRIMARY KEY,   -- see above
    item INTEGER NOT NULL,    -- the question that links
    related INTEGER NOT NULL, -- the question it links to
    type INTEGER NOT NULL,    -- 1 mentions it, 3 is a duplicate of it
    created_ms INTEGER        -- when
);

-- Votes on stored items, on request.
CREATE TABLE vote (
    id INTEGER PRIMARY KEY, -- see above
    item INTEGER NOT NULL,  -- a stored item
    type INTEGER,           -- 1 accepted, 2 up, 3 down, ... as in the dump
    created_ms INTEGER      -- the day
);

-- Changes of stored items, without their texts, on request.
CREATE TABLE history (
    id INTEGER PRIMARY KEY, -- see above
    item INTEGER NOT NULL,  -- a stored item
    type INTEGER,           -- 1 to 3 first version, 4 to 6 edit, 10 closed, ... as in the dump
    created_ms INTEGER,     -- when
    user INTEGER            -- who did it; NULL: unknown or deleted
);

-- Badges of who wrote stored items, comments or changes, on request.
CREATE TABLE badge (
    id INTEGER PRIMARY KEY, -- see above
    user INTEGER NOT NULL,  -- whose it is
    name TEXT NOT NULL,     -- such as 'Student'
    created_ms INTEGER      -- when it was earned
);

-- What the study names as its sources.
CREATE TABLE source (
    number INTEGER PRIMARY KEY, -- from 0, in the order of the study file
    name TEXT NOT NULL,         -- as in the study file; '' when it has none
    kind TEXT NOT NULL,         -- such as 'dump', 'posts' or 'rows'
    settings TEXT NOT NULL,     -- site, end, mapping and extra columns, a line each
    first_ms INTEGER,           -- when the oldest of all its posts was written, stored or not;
                                -- NULL also: made by an older assay
    last_ms INTEGER             -- and the newest
);

-- The files that were read for a source.
CREATE TABLE source_file (
    source INTEGER NOT NULL, -- source.number
    number INTEGER NOT NULL, -- from 0, in the order in which they are first read
    path TEXT NOT NULL,      -- as it was opened
    hash TEXT NOT NULL,      -- XXH3, 128 bits, of the file as it lies on the disk
    PRIMARY KEY (source, number)
) WITHOUT ROWID;

-- Of all questions of the dumps, whether stored or not; in a study without dumps, of its tables
-- of posts. A question counts once for each source that holds it. tag '' stands for all
-- questions.
CREATE TABLE census (
    source INTEGER NOT NULL,    -- source.number
    year INTEGER NOT NULL,      -- of the question
    tag TEXT NOT NULL,          -- a tag, or '' for every question once
    questions INTEGER NOT NULL, -- how many
    accepted INTEGER NOT NULL,  -- of these, with an accepted answer
    answered INTEGER NOT NULL,  -- of these, with any answer
    closed INTEGER NOT NULL,    -- of these, closed
    views INTEGER NOT NULL,     -- sum over them
    score INTEGER NOT NULL,     -- sum over them
    PRIMARY KEY (source, year, tag)
) WITHOUT ROWID;

-- What the sources were like: one row a finding of the health report.
CREATE TABLE health (
    finding TEXT PRIMARY KEY, -- such as 'answers without question'
    value TEXT NOT NULL       -- a number or a word
) WITHOUT ROWID;

-- What was appended together, in one transaction: how many rows, and the sum of their sums.
CREATE TABLE batch (
    number INTEGER PRIMARY KEY, -- from 1
    items INTEGER NOT NULL,     -- rows of item
    item_sum INTEGER NOT NULL,
    texts INTEGER NOT NULL,     -- rows of text
    text_sum INTEGER NOT NULL
);

-- The same of the other tables, when the corpus was complete.
CREATE TABLE seal (
    name TEXT PRIMARY KEY,     -- of a table
    row_count INTEGER NOT NULL,
    sum INTEGER NOT NULL       -- sum of XXH3 of its rows
) WITHOUT ROWID;

-- How far an ingest has come, and on what it rests; also what a later one compares with.
CREATE TABLE state (
    name TEXT PRIMARY KEY, -- such as 'key'
    value BLOB NOT NULL    -- text, or packed bytes while an ingest is under way
) WITHOUT ROWID;
