-- corpus.db: the posts that a study takes from its sources. Rebuilt by `assay ingest`; open
-- it with sqlite3, Python, R or Datasette as you like, but labels and results live elsewhere.
-- Times are milliseconds since 1970-01-01 UTC. NULL is missing, never 0.

CREATE TABLE post (
    id INTEGER PRIMARY KEY,   -- as on the site
    type INTEGER NOT NULL,    -- 1 question, 2 answer
    parent INTEGER,           -- of an answer: its question
    accepted INTEGER,         -- of a question: its accepted answer, which may be missing
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
    license TEXT NOT NULL     -- that follows from the date: CC BY-SA 2.5, 3.0 or 4.0
);

-- Which question carries which tag.
CREATE TABLE tag (
    post INTEGER NOT NULL, -- a question
    name TEXT NOT NULL,    -- the tag, in lower case
    PRIMARY KEY (post, name)
) WITHOUT ROWID;

CREATE TABLE comment (
    id INTEGER PRIMARY KEY, -- as on the site
    post INTEGER NOT NULL,  -- the post it stands under
    created_ms INTEGER,     -- when it was written
    score INTEGER,          -- votes
    user INTEGER,           -- user id of its writer; NULL: deleted user
    text TEXT NOT NULL      -- Markdown
);

CREATE TABLE user (
    id INTEGER PRIMARY KEY, -- as on the site
    created_ms INTEGER,     -- when the account was made
    reputation INTEGER,     -- at the time of the dump
    name TEXT               -- never leaves this file
);

-- Links between questions; type 3 says that post is a duplicate of related.
CREATE TABLE link (
    id INTEGER PRIMARY KEY,   -- as on the site
    post INTEGER NOT NULL,    -- the question that links
    related INTEGER NOT NULL, -- the question it links to
    type INTEGER NOT NULL,    -- 1 mentioned, 3 duplicate
    created_ms INTEGER        -- when
);

-- Of all questions of the dump, whether stored or not. tag '' stands for all questions.
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
