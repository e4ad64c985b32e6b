-- labels.db: what raters said. Precious and never rebuilt; rows are only ever added, which the
-- triggers at the end enforce. Open it with sqlite3, Python, R or Datasette as you like.
-- Times are milliseconds since 1970-01-01 UTC.
--
-- A section for each version of the schema, in their order: a new file runs all of them, an
-- older one those it lacks. A section that has been published is never changed.

-- schema 1

-- Whose labels these are.
CREATE TABLE about (
    name TEXT PRIMARY KEY, -- 'study'; 'source 2': what the second source is called; 'item 7000':
                           -- which one is meant by a number of an older assay
    value TEXT NOT NULL    -- as in the study file
) WITHOUT ROWID;

-- Every version of a codebook that labels were made under, as its file was.
CREATE TABLE codebook (
    id INTEGER PRIMARY KEY,   -- in the order in which they came
    at_ms INTEGER NOT NULL,   -- when it was first used
    task TEXT NOT NULL,       -- of the study file, labelling.TASK
    version TEXT NOT NULL,    -- XXH3, 64 bits, of text, in hex
    changes INTEGER NOT NULL, -- how many changes it lists
    text TEXT NOT NULL,       -- the file
    UNIQUE (task, version)
);

-- Rounds: labels of a round count for agreement as they were when it was closed.
CREATE TABLE round (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL, -- when it was opened
    task TEXT NOT NULL,     -- of the study file
    kind TEXT NOT NULL,     -- 'pilot', 'training' or 'main'
    by TEXT NOT NULL,       -- who opened it
    source TEXT NOT NULL    -- '', or the file whose labels were imported as this round
);

-- A round that has been closed.
CREATE TABLE round_end (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,        -- when it was closed
    round INTEGER NOT NULL UNIQUE, -- round.id
    by TEXT NOT NULL               -- who closed it
);

-- Who is to label what, in which order.
CREATE TABLE assignment (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,    -- round.id
    rater TEXT NOT NULL,       -- as in the study file
    position INTEGER NOT NULL, -- from 0, in the rater's own order
    item INTEGER NOT NULL,     -- item.id of corpus.db
    again INTEGER NOT NULL,    -- 1: a second time, as a re-test of the same rater
    UNIQUE (round, rater, position)
);

-- Everything that raters did.
CREATE TABLE act (
    id INTEGER PRIMARY KEY,   -- in the order in which they came
    at_ms INTEGER NOT NULL,   -- when
    kind TEXT NOT NULL,       -- 'label'; 'undo' of the act that it supersedes; 'review': a
                              -- label renewed after the codebook changed
    round INTEGER NOT NULL,   -- round.id
    rater TEXT NOT NULL,      -- who
    item INTEGER NOT NULL,    -- what is labelled
    again INTEGER NOT NULL,   -- 1: as a re-test
    dimension TEXT NOT NULL,  -- of the codebook
    codes TEXT NOT NULL,      -- JSON array of paths in the codebook; [] for an undo
    memo TEXT NOT NULL,       -- the rater's note
    unsure INTEGER NOT NULL,  -- 1: the rater says so
    seconds REAL,             -- that it took; NULL: not known
    version TEXT NOT NULL,    -- codebook.version
    supersedes INTEGER,       -- act.id whose place it takes; NULL: none
    client_key TEXT UNIQUE,   -- of the message that brought it, so that it is stored once
    source TEXT NOT NULL      -- '', or the file it was imported from
);

-- Adjudication: what counts where raters differ. The last one on an item and dimension holds.
CREATE TABLE decision (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,  -- when
    task TEXT NOT NULL,      -- of the study file
    item INTEGER NOT NULL,   -- what is decided on
    dimension TEXT NOT NULL, -- of the codebook
    codes TEXT NOT NULL,     -- JSON array of paths in the codebook
    version TEXT NOT NULL,   -- codebook.version
    by TEXT NOT NULL,        -- who decided
    reason TEXT NOT NULL,    -- 'slip', 'ambiguous', 'gap' or 'other'
    text TEXT NOT NULL       -- the reason in words
);

-- New codes that raters asked for.
CREATE TABLE proposal (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,  -- when
    task TEXT NOT NULL,      -- of the study file
    rater TEXT NOT NULL,     -- who
    dimension TEXT NOT NULL, -- of the codebook
    parent TEXT NOT NULL,    -- path of the code above it; '': at the top
    code TEXT NOT NULL,      -- its id
    name TEXT NOT NULL,      -- for people
    text TEXT NOT NULL,      -- a definition
    item INTEGER NOT NULL    -- that called for it
);

-- What the lead said to a proposal.
CREATE TABLE verdict (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,           -- when
    proposal INTEGER NOT NULL UNIQUE, -- proposal.id
    accepted INTEGER NOT NULL,        -- 1 yes, 0 no
    by TEXT NOT NULL,                 -- who
    reason TEXT NOT NULL              -- why
);

-- What is in the links of people; whoever has it may speak for them.
CREATE TABLE token (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL, -- when it was made
    task TEXT NOT NULL,     -- of the study file
    person TEXT NOT NULL,   -- whose
    token TEXT NOT NULL,    -- 128 random bits in hex
    UNIQUE (task, person)
);

CREATE TRIGGER act_kept BEFORE UPDATE ON act
BEGIN SELECT RAISE(ABORT, 'labels are never changed'); END;
CREATE TRIGGER act_stays BEFORE DELETE ON act
BEGIN SELECT RAISE(ABORT, 'labels are never removed'); END;
CREATE TRIGGER decision_kept BEFORE UPDATE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
CREATE TRIGGER decision_stays BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are never removed'); END;
CREATE TRIGGER round_kept BEFORE UPDATE ON round
BEGIN SELECT RAISE(ABORT, 'rounds are never changed'); END;
CREATE TRIGGER round_stays BEFORE DELETE ON round
BEGIN SELECT RAISE(ABORT, 'rounds are never removed'); END;
CREATE TRIGGER round_end_kept BEFORE UPDATE ON round_end
BEGIN SELECT RAISE(ABORT, 'rounds stay closed'); END;
CREATE TRIGGER round_end_stays BEFORE DELETE ON round_end
BEGIN SELECT RAISE(ABORT, 'rounds stay closed'); END;

-- schema 2

-- A round's kind may also be 'chosen': its items were picked, such as those a classifier is
-- least sure of. Their labels may teach it, and are no sample of anything.
ALTER TABLE assignment ADD COLUMN
    score REAL; -- of a chosen round: how uncertain the item's label is; NULL: not known

CREATE TRIGGER codebook_kept BEFORE UPDATE ON codebook
BEGIN SELECT RAISE(ABORT, 'codebooks are never changed'); END;
CREATE TRIGGER codebook_stays BEFORE DELETE ON codebook
BEGIN SELECT RAISE(ABORT, 'codebooks are never removed'); END;
CREATE TRIGGER assignment_kept BEFORE UPDATE ON assignment
BEGIN SELECT RAISE(ABORT, 'who was asked what is never changed'); END;
CREATE TRIGGER assignment_stays BEFORE DELETE ON assignment
BEGIN SELECT RAISE(ABORT, 'who was asked what is never removed'); END;
CREATE TRIGGER proposal_kept BEFORE UPDATE ON proposal
BEGIN SELECT RAISE(ABORT, 'proposals are never changed'); END;
CREATE TRIGGER proposal_stays BEFORE DELETE ON proposal
BEGIN SELECT RAISE(ABORT, 'proposals are never removed'); END;
CREATE TRIGGER verdict_kept BEFORE UPDATE ON verdict
BEGIN SELECT RAISE(ABORT, 'verdicts are never changed'); END;
CREATE TRIGGER verdict_stays BEFORE DELETE ON verdict
BEGIN SELECT RAISE(ABORT, 'verdicts are never removed'); END;

-- schema 3

-- Damage is noticed: every row has a checksum, XXH3 (64 bits, as a signed number) of the
-- checksum of the row before it in its table (of the table's name for the first), of its id and
-- of its other columns in their order: numbers, and the lengths of texts before them, as eight
-- bytes with the lowest first, reals as IEEE 754, NULL as 0, '' or eight bytes of 255. So a row
-- that is missing is noticed, too, and where a table ends is said in another place.
ALTER TABLE codebook ADD COLUMN checksum INTEGER;
ALTER TABLE round ADD COLUMN checksum INTEGER;
ALTER TABLE round_end ADD COLUMN checksum INTEGER;
ALTER TABLE assignment ADD COLUMN checksum INTEGER;
ALTER TABLE act ADD COLUMN checksum INTEGER;
ALTER TABLE decision ADD COLUMN checksum INTEGER;
ALTER TABLE proposal ADD COLUMN checksum INTEGER;
ALTER TABLE verdict ADD COLUMN checksum INTEGER;
ALTER TABLE token ADD COLUMN checksum INTEGER;

-- The last row of each table.
CREATE TABLE newest (
    name TEXT PRIMARY KEY,     -- of the table
    id INTEGER NOT NULL,       -- of the row; 0: there is none
    checksum INTEGER NOT NULL  -- of the row, or of the table's name
) WITHOUT ROWID;

-- Rows of an older file are given their checksum once.
DROP TRIGGER act_kept;
DROP TRIGGER decision_kept;
DROP TRIGGER round_kept;
DROP TRIGGER round_end_kept;
DROP TRIGGER codebook_kept;
DROP TRIGGER assignment_kept;
DROP TRIGGER proposal_kept;
DROP TRIGGER verdict_kept;
CREATE TRIGGER act_kept BEFORE UPDATE ON act WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'labels are never changed'); END;
CREATE TRIGGER decision_kept BEFORE UPDATE ON decision WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
CREATE TRIGGER round_kept BEFORE UPDATE ON round WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'rounds are never changed'); END;
CREATE TRIGGER round_end_kept BEFORE UPDATE ON round_end WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'rounds stay closed'); END;
CREATE TRIGGER codebook_kept BEFORE UPDATE ON codebook WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'codebooks are never changed'); END;
CREATE TRIGGER assignment_kept BEFORE UPDATE ON assignment WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'who was asked what is never changed'); END;
CREATE TRIGGER proposal_kept BEFORE UPDATE ON proposal WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'proposals are never changed'); END;
CREATE TRIGGER verdict_kept BEFORE UPDATE ON verdict WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'verdicts are never changed'); END;

-- schema 4

-- Units in items, such as each bug that a commit fixes. The kind of an act may also be 'unit': the
-- rater marks a unit, or gives it another place or name (memo); and 'remove': the rater takes a unit
-- away. What is NULL in these columns is passed over in a row's checksum; before what is not, the
-- column's name is taken, too.
ALTER TABLE act ADD COLUMN
    unit TEXT;    -- what the rater calls it in the item; NULL: the item as a whole
ALTER TABLE act ADD COLUMN
    place TEXT;   -- of a unit that is marked: where it is, 'PART:R12-R15'; NULL: not said
ALTER TABLE decision ADD COLUMN
    unit TEXT;    -- what is decided on, by the name that a rater gave it; NULL: the item. Without a
                  -- dimension and codes: it is no unit
ALTER TABLE decision ADD COLUMN
    unit_of TEXT; -- that rater

-- schema 5

-- The kind of an act may also be 'note': a memo and a flag of the item as a whole, which stand for
-- those of its labels until a newer label comes; and 'late label', 'late note', 'late undo', 'late
-- unit', 'late remove': what came when its round had been closed, kept and without effect.
-- And 'remark': what somebody, its rater, said to the others about an item when its round was over, in
-- its memo.
ALTER TABLE act ADD COLUMN
    seen TEXT; -- which text of the item the rater saw: XXH3, 64 bits, in hex; NULL: not known

-- Links are no longer here: of a token only what it is recognised by. Of several of a person the
-- last one counts.
CREATE TABLE token_known (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL, -- when it was made
    task TEXT NOT NULL,     -- of the study file
    person TEXT NOT NULL,   -- whose
    token TEXT NOT NULL,    -- SHA-256 of it, in hex
    checksum INTEGER
);
INSERT INTO token_known SELECT id, at_ms, task, person, token, checksum FROM token;
DROP TABLE token;
ALTER TABLE token_known RENAME TO token;

-- schema 6

-- Spans: words or lines by which a rater decided. The kind of an act may also be 'span': its place is
-- 'body@120-135' (characters of a part of the item's text, see assay-labels(7)) or lines of a diff, its
-- memo what stands there, and where spans are marked per code it has a dimension and a code; and
-- 'unspan', of the same place, unit, dimension and code: the rater takes the span away.

-- Files that labels were imported from, so that one is not taken twice unawares.
CREATE TABLE import (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,   -- when
    task TEXT NOT NULL,       -- of the study file
    by TEXT NOT NULL,         -- who
    source TEXT NOT NULL,     -- the file
    hash TEXT NOT NULL,       -- XXH3, 128 bits, of what it held, in hex
    checksum INTEGER
);
CREATE TRIGGER import_kept BEFORE UPDATE ON import WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'what was imported is never changed'); END;
CREATE TRIGGER import_stays BEFORE DELETE ON import
BEGIN SELECT RAISE(ABORT, 'what was imported is never removed'); END;

-- schema 7

-- What models said: raters that are asked over HTTP. Their answers are never final labels.

-- Requests, replies and what servers say of themselves, as bytes. A request is what stands before it
-- (a message that many requests begin with: model, settings, codebook, template) and its own text.
CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE, -- SHA-256 of all of it, in hex
    before TEXT NOT NULL,      -- message.hash of what it begins with; '': nothing
    text TEXT NOT NULL,        -- the rest, as it was; of a reply any bytes (CAST(text AS BLOB))
    checksum INTEGER
);

-- Each request that a server answered, or did not answer for good.
CREATE TABLE answer (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,     -- when the answer came
    task TEXT NOT NULL,         -- of the study file
    rater TEXT NOT NULL,        -- the model's name among the raters
    item INTEGER NOT NULL,      -- item.id of corpus.db
    dimension TEXT NOT NULL,    -- of the codebook
    run INTEGER NOT NULL,       -- from 1
    try INTEGER NOT NULL,       -- from 1; a further one is told what was wrong with the one before
    state TEXT NOT NULL,        -- 'answered', 'unreadable', 'refused', 'cut' (it met the limit of
                                -- tokens), 'unconstrained' (the server knows no schemas), 'rejected'
                                -- (it does not take the request), 'broken' (no reply was a chat
                                -- completion: nothing was said, and it will be asked again)
    codes TEXT NOT NULL,        -- JSON array of paths in the codebook; [] unless answered
    probability REAL,           -- that the model gives to these codes; NULL: not told
    asked TEXT NOT NULL,        -- the model's name in the request
    answered TEXT NOT NULL,     -- and in the reply
    url TEXT NOT NULL,          -- where it was asked
    server TEXT NOT NULL,       -- message.hash of what the server says of itself; '': nothing
    fingerprint TEXT NOT NULL,  -- of the reply: system_fingerprint
    digest TEXT NOT NULL,       -- of the weights, where the server tells
    version TEXT NOT NULL,      -- codebook.version
    prompt TEXT NOT NULL,       -- message.hash of what requests begin with
    request TEXT NOT NULL,      -- message.hash
    reply TEXT NOT NULL,        -- message.hash
    constrained INTEGER NOT NULL, -- 1: held to the codes by a schema
    temperature REAL,           -- in the request; NULL: it had none
    seed INTEGER NOT NULL,      -- the same; -1: it had none
    tokens_in INTEGER NOT NULL, -- as the server counts them; 0: it does not tell
    tokens_out INTEGER NOT NULL,
    seconds REAL,               -- from request to reply
    sent INTEGER NOT NULL,      -- how often it was sent: limits of rate and broken connections
    says TEXT NOT NULL,         -- why it is no answer
    checksum INTEGER
);
CREATE TRIGGER message_kept BEFORE UPDATE ON message WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'what was asked and answered is never changed'); END;
CREATE TRIGGER message_stays BEFORE DELETE ON message
BEGIN SELECT RAISE(ABORT, 'what was asked and answered is never removed'); END;
CREATE TRIGGER answer_kept BEFORE UPDATE ON answer WHEN OLD.checksum IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'answers are never changed'); END;
CREATE TRIGGER answer_stays BEFORE DELETE ON answer
BEGIN SELECT RAISE(ABORT, 'answers are never removed'); END;

-- schema 8

-- Of a labelling with units a model is asked about the units that came out of what people marked.
ALTER TABLE answer ADD COLUMN
    unit TEXT;   -- the name of the unit in the item; NULL: the item as a whole
ALTER TABLE answer ADD COLUMN
    place TEXT;  -- where it is; NULL: not said
ALTER TABLE answer ADD COLUMN
    called TEXT; -- its words; NULL: none
