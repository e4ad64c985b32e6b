-- corpus.db: the posts that a study takes from its sources. Rebuilt by `assay ingest`; open
-- it with sqlite3, Python, R or Datasette as you like, but labels and results live elsewhere.
-- Times are milliseconds since 1970-01-01 UTC. NULL is missing, never 0.
--
-- A section for each version of the schema, in their order: a new corpus runs all of them, an
-- older one those it lacks. A section that has been published is never changed.

-- schema 1

-- What is studied: questions with their answers, and rows of tables.
CREATE TABLE post (
    id INTEGER PRIMARY KEY,   -- as on the site
    type INTEGER NOT NULL,    -- 1 question, 2 answer, 100 a row of a table: an item of its own
    parent INTEGER,           -- of an answer: its question
    accepted INTEGER,         -- of a question: its accepted answer, which may be missing; 0: not
                              -- known which one, see accepted_ms
    created_ms INTEGER,       -- when it was asked or answered
    closed_ms INTEGER,        -- when it was closed
    score INTEGER,            -- up votes minus down votes
    views INTEGER,            -- of a question
    answers INTEGER,          -- as the dump counts them
    comments INTEGER,         -- as the dump counts them
    favorites INTEGER,        -- as the dump counts them
    owner INTEGER,            -- user id of asker or answerer; NULL: deleted user
    tags TEXT,                -- of a question: <a><b>, whatever spelling the dump had
    title TEXT,               -- of a question, plain text
    body TEXT NOT NULL,       -- html as posted
    prose TEXT NOT NULL,      -- title and body without code blocks, plain text
    code TEXT NOT NULL,       -- code blocks, plain text
    code_blocks INTEGER NOT NULL, -- how many
    license TEXT NOT NULL     -- that a table tells or the date: CC BY-SA 2.5, 3.0 or 4.0; '': none
);

-- Which question carries which tag.
CREATE TABLE tag (
    post INTEGER NOT NULL, -- a question
    name TEXT NOT NULL,    -- the tag, in lower case
    PRIMARY KEY (post, name)
) WITHOUT ROWID;

-- Comments on stored posts, on request.
CREATE TABLE comment (
    id INTEGER PRIMARY KEY, -- as on the site
    post INTEGER NOT NULL,  -- the post it stands under
    created_ms INTEGER,     -- when it was written
    score INTEGER,          -- votes
    user INTEGER,           -- user id of its writer; NULL: deleted user
    text TEXT NOT NULL      -- Markdown
);

-- Who wrote stored posts, comments or changes, on request.
CREATE TABLE user (
    id INTEGER PRIMARY KEY, -- as on the site
    created_ms INTEGER,     -- when the account was made
    reputation INTEGER,     -- at the time of the dump
    name TEXT               -- never leaves this file
);

-- Links from or to stored questions, on request; type 3 says that post is a duplicate of related.
CREATE TABLE link (
    id INTEGER PRIMARY KEY,   -- as on the site
    post INTEGER NOT NULL,    -- the question that links
    related INTEGER NOT NULL, -- the question it links to
    type INTEGER NOT NULL,    -- 1 mentioned, 3 duplicate
    created_ms INTEGER        -- when
);

-- Of all questions of the dumps, whether stored or not; in a study without dumps, of its tables
-- of posts. A question counts once for each source that holds it. tag '' stands for all questions.
CREATE TABLE census (
    year INTEGER NOT NULL,      -- of the question
    tag TEXT NOT NULL,          -- a tag, or '' for every question once
    questions INTEGER NOT NULL, -- how many
    accepted INTEGER NOT NULL,  -- of these, with an accepted answer
    answered INTEGER NOT NULL,  -- of these, with any answer
    closed INTEGER NOT NULL,    -- of these, closed
    views INTEGER NOT NULL,     -- sum over them
    score INTEGER NOT NULL,     -- sum over them
    PRIMARY KEY (year, tag)
) WITHOUT ROWID;

-- What the sources were like: one row a finding of the health report.
CREATE TABLE health (
    finding TEXT PRIMARY KEY, -- such as 'answers without question'
    value TEXT NOT NULL       -- a number or a word
) WITHOUT ROWID;

-- How far an ingest has come, and on what it rests; also what a later one compares with.
CREATE TABLE state (
    name TEXT PRIMARY KEY, -- such as 'key'
    value BLOB NOT NULL    -- text, or packed bytes while an ingest is under way
) WITHOUT ROWID;

-- schema 2

-- post.accepted_ms: when the accepted answer was written, of a question from a table that tells
-- this and not which answer it is; accepted is then 0, so that `accepted NOT NULL` holds as for
-- any accepted answer. NULL otherwise: look at the answer itself.
ALTER TABLE post ADD COLUMN accepted_ms INTEGER;

-- What the study names as its sources.
CREATE TABLE source (
    number INTEGER PRIMARY KEY, -- from 0, in the order of the study file
    name TEXT NOT NULL,         -- as in the study file; '' when it has none
    kind TEXT NOT NULL,         -- 'dump', 'posts' or 'rows'
    settings TEXT NOT NULL      -- end, mapping and extra columns, a line each
);

-- The files that were read for a source.
CREATE TABLE source_file (
    source INTEGER NOT NULL, -- source.number
    number INTEGER NOT NULL, -- from 0, in the order in which they are first read
    path TEXT NOT NULL,      -- as it was opened
    hash TEXT NOT NULL,      -- XXH3, 128 bits, of the file as it lies on the disk
    PRIMARY KEY (source, number)
) WITHOUT ROWID;

-- In which sources a question or a row of a table stands; answers go with their question. Filled
-- when there are several sources or one with a name.
CREATE TABLE origin (
    post INTEGER NOT NULL,   -- post.id
    source INTEGER NOT NULL, -- source.number
    PRIMARY KEY (post, source)
) WITHOUT ROWID;

-- Extra columns of a table that the study keeps with each item.
CREATE TABLE field (
    post INTEGER NOT NULL, -- post.id
    name TEXT NOT NULL,    -- as in the study file
    value TEXT NOT NULL,   -- as it stands in the table; an empty one has no row here
    PRIMARY KEY (post, name)
) WITHOUT ROWID;

-- Votes on stored posts, on request.
CREATE TABLE vote (
    id INTEGER PRIMARY KEY, -- as on the site
    post INTEGER NOT NULL,  -- a stored post
    type INTEGER,           -- 1 accepted, 2 up, 3 down, ... as in the dump
    created_ms INTEGER      -- the day
);

-- Changes of stored posts, without their texts, on request.
CREATE TABLE history (
    id INTEGER PRIMARY KEY, -- as on the site
    post INTEGER NOT NULL,  -- a stored post
    type INTEGER,           -- 1 to 3 first version, 4 to 6 edit, 10 closed, ... as in the dump
    created_ms INTEGER,     -- when
    user INTEGER            -- user id of who did it; NULL: unknown or deleted
);

-- Badges of who wrote stored posts, comments or changes, on request.
CREATE TABLE badge (
    id INTEGER PRIMARY KEY, -- as on the site
    user INTEGER NOT NULL,  -- whose it is
    name TEXT NOT NULL,     -- such as 'Student'
    created_ms INTEGER      -- when it was earned
);
