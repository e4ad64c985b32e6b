-- labels.db as the version before wrote it (schema 2), from dump and tables beside it: sqlite3 .dump, and
-- the two numbers that it leaves out.
PRAGMA user_version = 2;
PRAGMA application_id = 1634956140;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE about (
    name TEXT PRIMARY KEY, -- 'study'
    value TEXT NOT NULL    -- as in the study file
) WITHOUT ROWID;
INSERT INTO about VALUES('study','one');
CREATE TABLE codebook (
    id INTEGER PRIMARY KEY,   -- in the order in which they came
    at_ms INTEGER NOT NULL,   -- when it was first used
    task TEXT NOT NULL,       -- of the study file, labelling.TASK
    version TEXT NOT NULL,    -- XXH3, 64 bits, of text, in hex
    changes INTEGER NOT NULL, -- how many changes it lists
    text TEXT NOT NULL,       -- the file
    UNIQUE (task, version)
);
INSERT INTO codebook VALUES(1,1794865241623,'kind','b1d4fb87499e4b48',0,replace('codebook: kind\ncodes: {red: Red, green: Green, blue: Blue}\n','\n',char(10)));
CREATE TABLE round (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL, -- when it was opened
    task TEXT NOT NULL,     -- of the study file
    kind TEXT NOT NULL,     -- 'pilot', 'training' or 'main'
    by TEXT NOT NULL,       -- who opened it
    source TEXT NOT NULL    -- '', or the file whose labels were imported as this round
);
INSERT INTO round VALUES(1,1794865241635,'kind','main','assay import','l.csv');
CREATE TABLE round_end (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,        -- when it was closed
    round INTEGER NOT NULL UNIQUE, -- round.id
    by TEXT NOT NULL               -- who closed it
);
INSERT INTO round_end VALUES(1,1794865241636,1,'assay import');
CREATE TABLE assignment (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,    -- round.id
    rater TEXT NOT NULL,       -- as in the study file
    position INTEGER NOT NULL, -- from 0, in the rater's own order
    item INTEGER NOT NULL,     -- post.id of corpus.db
    again INTEGER NOT NULL, score REAL,    -- 1: a second time, as a re-test of the same rater
    UNIQUE (round, rater, position)
);
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
INSERT INTO act VALUES(1,1794865241635,'label',1,'ann',29,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(2,1794865241635,'label',1,'bob',29,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(3,1794865241635,'label',1,'ann',24,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(4,1794865241635,'label',1,'bob',24,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(5,1794865241635,'label',1,'ann',9,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(6,1794865241636,'label',1,'bob',9,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(7,1794865241636,'label',1,'ann',26,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(8,1794865241636,'label',1,'bob',26,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(9,1794865241636,'label',1,'ann',7,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(10,1794865241636,'label',1,'bob',7,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(11,1794865241636,'label',1,'ann',21,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(12,1794865241636,'label',1,'bob',21,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(13,1794865241636,'label',1,'ann',31,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(14,1794865241636,'label',1,'bob',31,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
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
CREATE TABLE verdict (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,           -- when
    proposal INTEGER NOT NULL UNIQUE, -- proposal.id
    accepted INTEGER NOT NULL,        -- 1 yes, 0 no
    by TEXT NOT NULL,                 -- who
    reason TEXT NOT NULL              -- why
);
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
COMMIT;
