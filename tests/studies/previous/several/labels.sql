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
INSERT INTO about VALUES('study','several');
CREATE TABLE codebook (
    id INTEGER PRIMARY KEY,   -- in the order in which they came
    at_ms INTEGER NOT NULL,   -- when it was first used
    task TEXT NOT NULL,       -- of the study file, labelling.TASK
    version TEXT NOT NULL,    -- XXH3, 64 bits, of text, in hex
    changes INTEGER NOT NULL, -- how many changes it lists
    text TEXT NOT NULL,       -- the file
    UNIQUE (task, version)
);
INSERT INTO codebook VALUES(1,1794865244230,'kind','b1d4fb87499e4b48',0,replace('codebook: kind\ncodes: {red: Red, green: Green, blue: Blue}\n','\n',char(10)));
CREATE TABLE round (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL, -- when it was opened
    task TEXT NOT NULL,     -- of the study file
    kind TEXT NOT NULL,     -- 'pilot', 'training' or 'main'
    by TEXT NOT NULL,       -- who opened it
    source TEXT NOT NULL    -- '', or the file whose labels were imported as this round
);
INSERT INTO round VALUES(1,1794865244231,'kind','main','assay import','l.csv');
CREATE TABLE round_end (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,        -- when it was closed
    round INTEGER NOT NULL UNIQUE, -- round.id
    by TEXT NOT NULL               -- who closed it
);
INSERT INTO round_end VALUES(1,1794865244232,1,'assay import');
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
INSERT INTO act VALUES(1,1794865244231,'label',1,'ann',29,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(2,1794865244231,'label',1,'bob',29,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(3,1794865244231,'label',1,'ann',7007,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(4,1794865244231,'label',1,'bob',7007,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(5,1794865244231,'label',1,'ann',12,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(6,1794865244231,'label',1,'bob',12,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(7,1794865244231,'label',1,'ann',3298534883335,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(8,1794865244231,'label',1,'bob',3298534883335,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(9,1794865244231,'label',1,'ann',3298534883333,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(10,1794865244231,'label',1,'bob',3298534883333,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(11,1794865244231,'label',1,'ann',3298534883336,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(12,1794865244231,'label',1,'bob',3298534883336,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(13,1794865244231,'label',1,'ann',3298534883337,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(14,1794865244231,'label',1,'bob',3298534883337,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(15,1794865244231,'label',1,'ann',5000002,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(16,1794865244231,'label',1,'bob',5000002,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(17,1794865244231,'label',1,'ann',7001,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(18,1794865244231,'label',1,'bob',7001,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(19,1794865244231,'label',1,'ann',5,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(20,1794865244231,'label',1,'bob',5,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(21,1794865244231,'label',1,'ann',24,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(22,1794865244231,'label',1,'bob',24,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(23,1794865244231,'label',1,'ann',5000006,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(24,1794865244231,'label',1,'bob',5000006,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(25,1794865244231,'label',1,'ann',3298534883329,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(26,1794865244231,'label',1,'bob',3298534883329,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(27,1794865244231,'label',1,'ann',7006,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(28,1794865244231,'label',1,'bob',7006,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(29,1794865244231,'label',1,'ann',16,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(30,1794865244231,'label',1,'bob',16,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(31,1794865244231,'label',1,'ann',19,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(32,1794865244231,'label',1,'bob',19,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(33,1794865244231,'label',1,'ann',3298534883332,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(34,1794865244231,'label',1,'bob',3298534883332,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(35,1794865244231,'label',1,'ann',9,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(36,1794865244231,'label',1,'bob',9,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(37,1794865244231,'label',1,'ann',26,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(38,1794865244231,'label',1,'bob',26,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(39,1794865244231,'label',1,'ann',7008,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(40,1794865244231,'label',1,'bob',7008,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(41,1794865244231,'label',1,'ann',7000,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(42,1794865244231,'label',1,'bob',7000,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(43,1794865244231,'label',1,'ann',5000004,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(44,1794865244231,'label',1,'bob',5000004,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(45,1794865244231,'label',1,'ann',18,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(46,1794865244231,'label',1,'bob',18,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(47,1794865244231,'label',1,'ann',1,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(48,1794865244231,'label',1,'bob',1,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(49,1794865244231,'label',1,'ann',4,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(50,1794865244231,'label',1,'bob',4,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(51,1794865244231,'label',1,'ann',7,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(52,1794865244231,'label',1,'bob',7,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(53,1794865244231,'label',1,'ann',7005,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(54,1794865244231,'label',1,'bob',7005,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(55,1794865244231,'label',1,'ann',7009,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(56,1794865244231,'label',1,'bob',7009,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(57,1794865244231,'label',1,'ann',7002,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(58,1794865244231,'label',1,'bob',7002,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(59,1794865244231,'label',1,'ann',3298534883331,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(60,1794865244231,'label',1,'bob',3298534883331,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(61,1794865244231,'label',1,'ann',3298534883338,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(62,1794865244231,'label',1,'bob',3298534883338,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(63,1794865244231,'label',1,'ann',5000001,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(64,1794865244231,'label',1,'bob',5000001,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(65,1794865244232,'label',1,'ann',5000005,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(66,1794865244232,'label',1,'bob',5000005,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(67,1794865244232,'label',1,'ann',5000003,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(68,1794865244232,'label',1,'bob',5000003,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(69,1794865244232,'label',1,'ann',3298534883330,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(70,1794865244232,'label',1,'bob',3298534883330,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(71,1794865244232,'label',1,'ann',21,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(72,1794865244232,'label',1,'bob',21,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(73,1794865244232,'label',1,'ann',7004,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(74,1794865244232,'label',1,'bob',7004,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(75,1794865244232,'label',1,'ann',3298534883334,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(76,1794865244232,'label',1,'bob',3298534883334,0,'kind','["green"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(77,1794865244232,'label',1,'ann',7003,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(78,1794865244232,'label',1,'bob',7003,0,'kind','["blue"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(79,1794865244232,'label',1,'ann',31,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
INSERT INTO act VALUES(80,1794865244232,'label',1,'bob',31,0,'kind','["red"]','',0,NULL,'b1d4fb87499e4b48',NULL,NULL,'l.csv');
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
