/* labels.db: rows come back as they went in, only once, never changed; a file that is not
 * ours, of another study, newer or damaged is refused; two processes can work on it. */
#include "store/acts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/acts_layout.h"
#include "tests/tap.h"

static char folder[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;
static struct err err;

static const char *path_of(const char *name)
{
    return file_join(folder, name, &arena);
}

static struct store_acts *opened(const char *name, const char *study)
{
    struct store_acts *acts = NULL;

    err = (struct err){0};
    return store_acts_open(path_of(name), str_from(study), &acts, &err) ? acts : NULL;
}

/* Changes bytes of the file's head: SQLite keeps its user_version at 60 and its
 * application_id at 68, high byte first. */
static void patch(const char *name, size_t at, unsigned char value)
{
    struct str text;

    CHECK(file_read(path_of(name), &arena, &text, &err));
    char *bytes = arena_array(&arena, char, text.len);
    memcpy(bytes, text.ptr, text.len);
    memset(bytes + at, 0, 4);
    bytes[at + 3] = (char)value;
    CHECK(file_write(path_of(name), (struct str){bytes, text.len}, &err));
}

/* What the program sqlite3 says to a statement. */
static const char *sql(const char *name, const char *statement)
{
    char command[1000], said[300] = "";

    snprintf(command, sizeof command, "sqlite3 '%s' \"%s\" 2>&1", path_of(name),
             statement);
    FILE *pipe = popen(command, "r");
    size_t len = fread(said, 1, sizeof said - 1, pipe);
    said[len] = '\0';
    pclose(pipe);
    return arena_c_string(&arena, str_from(said));
}

static struct str codes[] = {STR_INIT("data/parse"), STR_INIT("model")};

static struct store_acts_act an_act(const char *key)
{
    return (struct store_acts_act){.at_ms = 42,
                                   .kind = STR("label"),
                                   .round = 1,
                                   .rater = STR("\xc3\x84nn"),
                                   .item = 7,
                                   .again = true,
                                   .dimension = STR("cause"),
                                   .codes = {codes, 2},
                                   .memo = STR("a \"memo\"\nof two lines"),
                                   .unsure = true,
                                   .seconds = 1.5,
                                   .version = STR("0123"),
                                   .client_key = str_from(key),
                                   .source = STR("")};
}

struct seen {
    size_t count;
    struct store_acts_act last;
    char texts[300];
};

static bool take(void *context, const void *row, struct err *unused)
{
    struct seen *seen = context;

    (void)unused;
    seen->count++;
    seen->last = *(const struct store_acts_act *)row;
    snprintf(seen->texts, sizeof seen->texts, "%.*s|%.*s|%.*s|%.*s|%.*s|%zu|%.*s",
             STR_ARG(seen->last.kind), STR_ARG(seen->last.rater),
             STR_ARG(seen->last.dimension), STR_ARG(seen->last.memo),
             STR_ARG(seen->last.version), seen->last.codes.count,
             STR_ARG(seen->last.codes.count > 1 ? seen->last.codes.at[1] : STR("")));
    return true;
}

static void rows_come_back(void)
{
    struct store_acts *acts = opened("a.db", "s");
    struct store_acts_act act = an_act("k1"), found;
    struct seen seen = {0};
    bool there;

    tap_case("an act comes back as it went in");
    if (!CHECK(acts != NULL))
        return;
    CHECK(store_acts_add(acts, STORE_ACTS_ACT, &act, &err));
    CHECK(act.id == 1 && act.at_ms == 42);
    CHECK(store_acts_each(acts, STORE_ACTS_ACT, 0, take, &seen, &err));
    CHECK(seen.count == 1 && seen.last.round == 1 && seen.last.item == 7);
    CHECK(seen.last.again && seen.last.unsure && seen.last.supersedes == 0);
    CHECK_NEAR(seen.last.seconds, 1.5, 0);
    CHECK_TEXT(seen.texts,
               "label|\xc3\x84nn|cause|a \"memo\"\nof two lines|0123|2|model");

    tap_case("what is missing comes back as missing; the time is set");
    struct store_acts_act bare = {.kind = STR("undo"), .seconds = NAN, .supersedes = 1};
    CHECK(store_acts_add(acts, STORE_ACTS_ACT, &bare, &err));
    CHECK(store_acts_each(acts, STORE_ACTS_ACT, 1, take, &seen, &err));
    CHECK(seen.count == 2 && isnan(seen.last.seconds) && seen.last.supersedes == 1);
    CHECK(seen.last.codes.count == 0 && seen.last.at_ms > 1500000000000);

    tap_case("an act is found by its message, and no other message's is");
    CHECK(store_acts_find_act(acts, STR("k1"), &arena, &found, &there, &err) && there);
    CHECK(found.id == 1 && found.codes.count == 2 && str_eq(found.codes.at[0], codes[0]));
    CHECK(store_acts_find_act(acts, STR("k2"), &arena, &found, &there, &err) && !there);

    tap_case("a message is stored once");
    struct store_acts_act twice = an_act("k1");
    CHECK(!store_acts_add(acts, STORE_ACTS_ACT, &twice, &err) && err.kind == ERR_SYSTEM);
    err = (struct err){0};

    tap_case("what is rolled back is not there");
    struct store_acts_act gone = an_act("k3");
    seen = (struct seen){0};
    CHECK(store_acts_begin(acts, &err) &&
          store_acts_add(acts, STORE_ACTS_ACT, &gone, &err));
    store_acts_rollback(acts);
    CHECK(store_acts_each(acts, STORE_ACTS_ACT, 2, take, &seen, &err) && seen.count == 0);

    tap_case("a second connection sees what was committed, and not what was not");
    struct store_acts *other = opened("a.db", "s");
    if (!CHECK(other != NULL))
        return;
    CHECK(store_acts_begin(acts, &err) &&
          store_acts_add(acts, STORE_ACTS_ACT, &gone, &err));
    CHECK(store_acts_each(other, STORE_ACTS_ACT, 2, take, &seen, &err) &&
          seen.count == 0);
    CHECK(store_acts_commit(acts, &err));
    CHECK(store_acts_each(other, STORE_ACTS_ACT, 2, take, &seen, &err) &&
          seen.count == 1);
    store_acts_close(other);
    store_acts_close(acts);
}

static void nothing_changes(void)
{
    static const struct {
        const char *name, *sql, *message;
    } rows[] = {
        {"an act", "UPDATE act SET codes = '[]'", "labels are never changed"},
        {"an act's removal", "DELETE FROM act", "labels are never removed"},
        {"a decision",
         "INSERT INTO decision VALUES (1,1,'','1','','','','','','',1,NULL,NULL);"
         "UPDATE decision SET codes = 'x'",
         "decisions are never changed"},
        {"a round", "INSERT INTO round VALUES (1,1,'','','','',1); DELETE FROM round",
         "rounds are never removed"},
        {"a closed round",
         "INSERT INTO round_end VALUES (1,1,1,'',1); DELETE FROM round_end",
         "rounds stay closed"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("not even SQL changes: %s", rows[i].name);
        if (system("sqlite3 -version >/dev/null 2>&1") != 0)
            tap_skip("sqlite3 is not installed");
        else
            CHECK(strstr(sql("a.db", rows[i].sql), rows[i].message) != NULL);
    }
}

static void files_are_checked(void)
{
    struct store_acts *acts;

    tap_case("a file of another study is refused");
    CHECK(opened("a.db", "t") == NULL && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "of the study 's', not those of 't'") != NULL);

    tap_case("another database is refused");
    acts = opened("other.db", "s");
    CHECK(acts != NULL);
    store_acts_close(acts);
    patch("other.db", 68, 1);
    CHECK(opened("other.db", "s") == NULL && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "found another database") != NULL);

    tap_case("bytes that are no database are refused");
    CHECK(file_write(path_of("noise.db"), STR("this is not a database, but long enough"),
                     &err));
    CHECK(opened("noise.db", "s") == NULL && err.kind == ERR_INPUT);

    tap_case("a newer schema is refused");
    acts = opened("new.db", "s");
    CHECK(acts != NULL);
    store_acts_close(acts);
    patch("new.db", 60, 99);
    CHECK(opened("new.db", "s") == NULL && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "schema 99, made by a newer assay") != NULL);

    tap_case("a folder that is not there is the machine's");
    CHECK(opened("absent/a.db", "s") == NULL && err.kind == ERR_SYSTEM);
}

/* Every table has its columns: a row of each can be written and read. */
static bool count_row(void *context, const void *row, struct err *unused)
{
    (void)row, (void)unused;
    ++*(size_t *)context;
    return true;
}

static void every_table(void)
{
    struct store_acts *acts = opened("all.db", "s");
    struct store_acts_codebook codebook = {.task = STR("t"), .version = STR("v")};
    struct store_acts_round round = {.task = STR("t"), .kind = STR("main")};
    struct store_acts_round_end end = {.round = 1};
    struct store_acts_assignment assignment = {.round = 1, .rater = STR("r"), .item = 3};
    struct store_acts_act act = an_act("");
    struct store_acts_decision decision = {.item = 1, .codes = {codes, 1}};
    struct store_acts_proposal proposal = {.code = STR("c")};
    struct store_acts_verdict verdict = {.proposal = 1, .accepted = true};
    struct store_acts_token token = {.person = STR("p"), .token = STR("x")};
    struct store_acts_import import = {.source = STR("l.csv"), .hash = STR("x")};
    struct store_acts_message message = {.hash = STR("h"), .text = STR("x")}, found;
    struct store_acts_answer answer = {
        .task = STR("t"), .item = 3, .run = 1, .codes = {codes, 1}, .temperature = 0.5};
    bool there = false;

    tap_case("a row of every table");
    CHECK(store_acts_add(acts, STORE_ACTS_CODEBOOK, &codebook, &err) &&
          store_acts_add(acts, STORE_ACTS_ROUND, &round, &err) &&
          store_acts_add(acts, STORE_ACTS_ROUND_END, &end, &err) &&
          store_acts_add(acts, STORE_ACTS_ASSIGNMENT, &assignment, &err) &&
          store_acts_add(acts, STORE_ACTS_ACT, &act, &err) &&
          store_acts_add(acts, STORE_ACTS_DECISION, &decision, &err) &&
          store_acts_add(acts, STORE_ACTS_PROPOSAL, &proposal, &err) &&
          store_acts_add(acts, STORE_ACTS_VERDICT, &verdict, &err) &&
          store_acts_add(acts, STORE_ACTS_TOKEN, &token, &err) &&
          store_acts_add(acts, STORE_ACTS_IMPORT, &import, &err) &&
          store_acts_add(acts, STORE_ACTS_MESSAGE, &message, &err) &&
          store_acts_add(acts, STORE_ACTS_ANSWER, &answer, &err));
    CHECK_TEXT(err.text, "");
    for (int table = 0; table < STORE_ACTS_TABLES; table++) {
        size_t count = 0;
        CHECK(store_acts_each(acts, (enum store_acts_table)table, 0, count_row, &count,
                              &err) &&
              count == 1);
    }
    tap_case("a message is found by its hash");
    CHECK(store_acts_find_message(acts, STR("h"), &arena, &found, &there, &err) &&
          there && str_eq(found.text, STR("x")));
    CHECK(store_acts_find_message(acts, STR("i"), &arena, &found, &there, &err) &&
          !there);
    store_acts_close(acts);
}

/* Runs SQL on a file behind assay's back. */
static bool change(const char *name, const char *statements)
{
    sqlite3 *db = NULL;
    bool ok = sqlite3_open(path_of(name), &db) == SQLITE_OK &&
              sqlite3_exec(db, statements, NULL, NULL, NULL) == SQLITE_OK;

    sqlite3_close(db);
    return ok;
}

static void make_acts(const char *name, int count)
{
    struct store_acts *acts = opened(name, "s");
    char key[20];

    for (int i = 0; i < count; i++) {
        snprintf(key, sizeof key, "k%d", i + 1);
        struct store_acts_act act = an_act(key);
        CHECK(store_acts_add(acts, STORE_ACTS_ACT, &act, &err));
    }
    store_acts_close(acts);
}

/* Reads all acts; "" or what is wrong. */
static const char *read_acts(const char *name, size_t *count)
{
    struct store_acts *acts = opened(name, "s");

    *count = 0;
    if (acts != NULL && store_acts_each(acts, STORE_ACTS_ACT, 0, count_row, count, &err))
        CHECK(err.text[0] == '\0');
    store_acts_close(acts);
    return err.text;
}

static void damage_is_told(void)
{
    static const struct {
        const char *name, *sql, *message;
        size_t right; /* rows that come before it is noticed */
    } rows[] = {
        {"another code", "UPDATE act SET codes = '[\"x\"]' WHERE id = 3",
         "damaged: row 3 of its table 'act' is not as it was written; restore it from a "
         "backup",
         2},
        {"another time", "UPDATE act SET seconds = 1.25 WHERE id = 2", "row 2 of", 1},
        {"another item", "UPDATE act SET item = 8 WHERE id = 5", "row 5 of", 4},
        {"the checksum itself", "UPDATE act SET checksum = 1 WHERE id = 4", "row 4 of",
         3},
        {"no checksum", "UPDATE act SET checksum = NULL WHERE id = 4", "row 4 of", 3},
        {"a row taken out", "DELETE FROM act WHERE id = 3",
         "row 4 of its table 'act' is not as it was written, or rows before it are "
         "missing",
         2},
        {"the first row taken out", "DELETE FROM act WHERE id = 1", "row 2 of", 0},
        {"the last row taken out", "DELETE FROM act WHERE id = 5",
         "its table 'act' ends with row 4, and row 5 should be its last", 4},
        {"all rows taken out", "DELETE FROM act",
         "its table 'act' ends with row 0, and row 5 should be its last", 0},
        {"a row put in",
         "INSERT INTO act SELECT 6, at_ms, kind, round, rater, item, "
         "again, dimension, codes, memo, unsure, seconds, version, "
         "supersedes, 'k6', source, checksum, unit, place, seen FROM act WHERE id = 5",
         "row 6 of", 5},
        {"two rows swapped",
         "UPDATE act SET id = 9 WHERE id = 2; UPDATE act SET id = 2 WHERE id = 3; "
         "UPDATE act SET id = 3 WHERE id = 9",
         "row 2 of", 1},
        {"another end", "UPDATE newest SET checksum = 7 WHERE name = 'act'",
         "row 5 of its table 'act', the last, is not the one", 5},
        {"no end", "DELETE FROM newest WHERE name = 'act'",
         "its table 'newest' does not say where the table 'act' ends", 0},
        {"no study", "DELETE FROM about", "does not say which study it is of", 0},
    };
    char name[20], statements[600];
    size_t count;

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("damage is told: %s", rows[i].name);
        snprintf(name, sizeof name, "damaged-%zu.db", i);
        make_acts(name, 5);
        CHECK_TEXT(read_acts(name, &count), "");
        CHECK(count == 5);
        snprintf(statements, sizeof statements,
                 "DROP TRIGGER act_kept; DROP TRIGGER act_stays; %s", rows[i].sql);
        CHECK(change(name, statements));
        const char *told = read_acts(name, &count);
        CHECK(strstr(told, rows[i].message) != NULL && err.kind == ERR_INPUT);
        CHECK(count == rows[i].right);
    }

    tap_case(
        "damage of a row that a message brought is told when the message comes again");
    struct store_acts_act act;
    bool found;
    struct store_acts *acts = opened("damaged-0.db", "s");
    CHECK(store_acts_find_act(acts, STR("k2"), &arena, &act, &found, &err) && found);
    CHECK(!store_acts_find_act(acts, STR("k3"), &arena, &act, &found, &err));
    CHECK(strstr(err.text, "row 3 of its table 'act'") != NULL);
    store_acts_close(acts);

    tap_case("what is gone while it is open is told");
    make_acts("open.db", 3);
    acts = opened("open.db", "s");
    CHECK(store_acts_each(acts, STORE_ACTS_ACT, 3, count_row, &count, &err));
    CHECK(change("open.db", "DROP TRIGGER act_stays; DELETE FROM act WHERE id = 3; "
                            "UPDATE newest SET id = 2 WHERE name = 'act'"));
    CHECK(!store_acts_each(acts, STORE_ACTS_ACT, 3, count_row, &count, &err));
    CHECK(strstr(err.text, "row 3 of its table 'act' is gone") != NULL);
    store_acts_close(acts);
}

/* A file as an older schema made it: the sections up to it, and rows. */
static bool make_older(const char *name, int number, const char *rows)
{
    extern const unsigned char store_labels_sql[];
    extern const size_t store_labels_sql_len;
    char *schema = arena_array(&arena, char, store_labels_sql_len + 1);

    memcpy(schema, store_labels_sql, store_labels_sql_len);
    char head[40], about[200];
    snprintf(head, sizeof head, "-- schema %d\n", number + 1);
    char *end = strstr(schema, head);
    if (!CHECK(end != NULL))
        return false;
    *end = '\0';
    snprintf(about, sizeof about,
             "INSERT INTO about VALUES ('study', 's');"
             "PRAGMA application_id = 1634956140; PRAGMA user_version = %d",
             number);
    return change(name, schema) && change(name, rows) && change(name, about);
}

#define SCHEMA_3_ROWS \
    "INSERT INTO newest VALUES ('act',2,-5659963589500158589)," \
    "('assignment',0,6311338250788060228),('codebook',0,0)," \
    "('decision',0,-6438185418393544667),('proposal',0,7845892132956556269)," \
    "('round',1,3641458093675158688),('round_end',1,4261715968266494569)," \
    "('token',0,-5898650166254967271),('verdict',0,-3314688043692978907);" \
    "INSERT INTO round VALUES (1,1794885287570,'t','main','assay import','l.csv'," \
    "3641458093675158688);" \
    "INSERT INTO round_end VALUES (1,1794885287570,1,'assay import'," \
    "4261715968266494569);" \
    "INSERT INTO act VALUES (1,1794885287570,'label',1,'ann',11,0,'t','[\"a\"]',''," \
    "0,NULL,'85ddcbae11a7507c',NULL,NULL,'l.csv',-5598615800668307172)," \
    "(2,1794885287570,'label',1,'bob',5,0,'t','[\"b\"]','',0,NULL," \
    "'85ddcbae11a7507c',NULL,NULL,'l.csv',-5659963589500158589);"

/* Rows as schema 3 wrote them, with their checksums, which must hold for ever. */
static void units_come_later(void)
{
    struct seen seen = {0};
    uint64_t before, after;
    size_t count;

    tap_case("a file without units keeps its checksums and its digest");
    if (!CHECK(make_older("three.db", 3, SCHEMA_3_ROWS)))
        return;
    CHECK(store_acts_digest(path_of("three.db"), STR("t"), &before, &err));
    struct store_acts *acts = opened("three.db", "s");
    CHECK_TEXT(err.text, "");
    if (!CHECK(acts != NULL))
        return;
    CHECK(store_acts_each(acts, STORE_ACTS_ACT, 0, take, &seen, &err) && seen.count == 2);
    struct store_acts_act more = an_act("k5");
    more.unit = STR("2");
    more.place = STR("a.py:R4");
    CHECK(store_acts_digest(path_of("three.db"), STR("t"), &after, &err) &&
          before == after);
    CHECK(store_acts_add(acts, STORE_ACTS_ACT, &more, &err) && more.id == 3);
    store_acts_close(acts);

    tap_case("rows with units are under checksums, too");
    CHECK_TEXT(read_acts("three.db", &count), "");
    CHECK(count == 3);
    CHECK(change("three.db", "DROP TRIGGER act_kept; UPDATE act SET place = 'a.py:R5' "
                             "WHERE id = 3"));
    CHECK(strstr(read_acts("three.db", &count), "row 3 of its table 'act' is not") !=
          NULL);
}

static void older_files(void)
{
    static const char rows[] =
        "INSERT INTO round VALUES (1,1,'t','main','x','');"
        "INSERT INTO act VALUES (1,1,'label',1,'ann',7,0,'d','[\"a\"]','m',0,NULL,'v',"
        "NULL,NULL,''), (2,2,'label',1,'ann',8,0,'d','[\"a\",\"b\"]','',1,2.5,'v',"
        "NULL,'k2',''), (4,3,'undo',1,'ann',8,0,'d','[]','',0,NULL,'v',2,'k4','');"
        "INSERT INTO token VALUES (1,1,'t','ann','x');";
    struct seen seen = {0};
    size_t count;

    tap_case("an older file gets checksums, and keeps everything, gaps too");
    if (!CHECK(make_older("older.db", 2, rows)))
        return;
    struct store_acts *acts = opened("older.db", "s");
    CHECK_TEXT(err.text, "");
    if (!CHECK(acts != NULL))
        return;
    CHECK(store_acts_each(acts, STORE_ACTS_ACT, 0, take, &seen, &err) && seen.count == 3);
    CHECK(seen.last.id == 4 && seen.last.supersedes == 2 && isnan(seen.last.seconds));
    for (int table = 0; table < STORE_ACTS_TABLES; table++)
        CHECK(store_acts_each(acts, (enum store_acts_table)table, 0, count_row, &count,
                              &err));
    struct store_acts_act more = an_act("k5");
    CHECK(store_acts_add(acts, STORE_ACTS_ACT, &more, &err) && more.id == 5);
    store_acts_close(acts);
    CHECK_TEXT(read_acts("older.db", &count), "");
    CHECK(count == 4);

    tap_case("from then on nothing can be changed or taken out");
    CHECK(!change("older.db", "UPDATE act SET codes = '[]'"));
    CHECK(!change("older.db", "DELETE FROM act"));
    CHECK(change("older.db", "DROP TRIGGER act_stays; DELETE FROM act WHERE id = 2"));
    CHECK(strstr(read_acts("older.db", &count), "row 4 of its table 'act'") != NULL);

    tap_case("an older file that is damaged gets no checksums");
    CHECK(make_older("broken.db", 2, rows));
    CHECK(change("broken.db", "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET "
                              "rootpage = (SELECT rootpage FROM sqlite_schema WHERE "
                              "name = 'token') WHERE name = 'act'"));
    CHECK(strstr(read_acts("broken.db", &count), "damaged") != NULL);
}

int main(void)
{
    char command[100];

    if (!CHECK(mkdtemp(folder) != NULL))
        return tap_done();
    rows_come_back();
    nothing_changes();
    files_are_checked();
    every_table();
    damage_is_told();
    older_files();
    units_come_later();
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return tap_done();
}
