/* labels.db: rows come back as they went in, only once, never changed; a file that is not
 * ours, of another study or newer is refused; two processes can work on it. */
#include "store/acts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"

static char folder[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;
static struct err err;

static const char *path_of(const char *name)
{
    return file_join(folder, name, &arena);
}

static struct acts *opened(const char *name, const char *study)
{
    struct acts *acts = NULL;

    err = (struct err){0};
    return acts_open(path_of(name), str_from(study), &acts, &err) ? acts : NULL;
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

static struct acts_act an_act(const char *key)
{
    return (struct acts_act){.at_ms = 42,
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
    struct acts_act last;
    char texts[300];
};

static bool take(void *context, const void *row, struct err *unused)
{
    struct seen *seen = context;

    (void)unused;
    seen->count++;
    seen->last = *(const struct acts_act *)row;
    snprintf(seen->texts, sizeof seen->texts, "%.*s|%.*s|%.*s|%.*s|%.*s|%zu|%.*s",
             STR_ARG(seen->last.kind), STR_ARG(seen->last.rater),
             STR_ARG(seen->last.dimension), STR_ARG(seen->last.memo),
             STR_ARG(seen->last.version), seen->last.codes.count,
             STR_ARG(seen->last.codes.count > 1 ? seen->last.codes.at[1] : STR("")));
    return true;
}

static void rows_come_back(void)
{
    struct acts *acts = opened("a.db", "s");
    struct acts_act act = an_act("k1"), found;
    struct seen seen = {0};
    bool there;

    tap_case("an act comes back as it went in");
    if (!CHECK(acts != NULL))
        return;
    CHECK(acts_add_act(acts, &act, &err));
    CHECK(act.id == 1 && act.at_ms == 42);
    CHECK(acts_each(acts, ACTS_ACT, 0, take, &seen, &err));
    CHECK(seen.count == 1 && seen.last.round == 1 && seen.last.item == 7);
    CHECK(seen.last.again && seen.last.unsure && seen.last.supersedes == 0);
    CHECK_NEAR(seen.last.seconds, 1.5, 0);
    CHECK_TEXT(seen.texts,
               "label|\xc3\x84nn|cause|a \"memo\"\nof two lines|0123|2|model");

    tap_case("what is missing comes back as missing; the time is set");
    struct acts_act bare = {.kind = STR("undo"), .seconds = NAN, .supersedes = 1};
    CHECK(acts_add_act(acts, &bare, &err));
    CHECK(acts_each(acts, ACTS_ACT, 1, take, &seen, &err));
    CHECK(seen.count == 2 && isnan(seen.last.seconds) && seen.last.supersedes == 1);
    CHECK(seen.last.codes.count == 0 && seen.last.at_ms > 1500000000000);

    tap_case("an act is found by its message, and no other message's is");
    CHECK(acts_find_act(acts, STR("k1"), &arena, &found, &there, &err) && there);
    CHECK(found.id == 1 && found.codes.count == 2 && str_eq(found.codes.at[0], codes[0]));
    CHECK(acts_find_act(acts, STR("k2"), &arena, &found, &there, &err) && !there);

    tap_case("a message is stored once");
    struct acts_act twice = an_act("k1");
    CHECK(!acts_add_act(acts, &twice, &err) && err.kind == ERR_SYSTEM);
    err = (struct err){0};

    tap_case("what is rolled back is not there");
    struct acts_act gone = an_act("k3");
    seen = (struct seen){0};
    CHECK(acts_begin(acts, &err) && acts_add_act(acts, &gone, &err));
    acts_rollback(acts);
    CHECK(acts_each(acts, ACTS_ACT, 2, take, &seen, &err) && seen.count == 0);

    tap_case("a second connection sees what was committed, and not what was not");
    struct acts *other = opened("a.db", "s");
    if (!CHECK(other != NULL))
        return;
    CHECK(acts_begin(acts, &err) && acts_add_act(acts, &gone, &err));
    CHECK(acts_each(other, ACTS_ACT, 2, take, &seen, &err) && seen.count == 0);
    CHECK(acts_commit(acts, &err));
    CHECK(acts_each(other, ACTS_ACT, 2, take, &seen, &err) && seen.count == 1);
    acts_close(other);
    acts_close(acts);
}

static void nothing_changes(void)
{
    static const struct {
        const char *name, *sql, *message;
    } rows[] = {
        {"an act", "UPDATE act SET codes = '[]'", "labels are never changed"},
        {"an act's removal", "DELETE FROM act", "labels are never removed"},
        {"a decision",
         "INSERT INTO decision VALUES (1,1,'','1','','','','','','');"
         "UPDATE decision SET codes = 'x'",
         "decisions are never changed"},
        {"a round", "INSERT INTO round VALUES (1,1,'','','',''); DELETE FROM round",
         "rounds are never removed"},
        {"a closed round",
         "INSERT INTO round_end VALUES (1,1,1,''); DELETE FROM round_end",
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
    struct acts *acts;

    tap_case("a file of another study is refused");
    CHECK(opened("a.db", "t") == NULL && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, "of the study 's', not those of 't'") != NULL);

    tap_case("another database is refused");
    acts = opened("other.db", "s");
    CHECK(acts != NULL);
    acts_close(acts);
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
    acts_close(acts);
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
    struct acts *acts = opened("all.db", "s");
    struct acts_codebook codebook = {.task = STR("t"), .version = STR("v")};
    struct acts_round round = {.task = STR("t"), .kind = STR("main")};
    struct acts_round_end end = {.round = 1};
    struct acts_assignment assignment = {.round = 1, .rater = STR("r"), .item = 3};
    struct acts_act act = an_act("");
    struct acts_decision decision = {.item = 1, .codes = {codes, 1}};
    struct acts_proposal proposal = {.code = STR("c")};
    struct acts_verdict verdict = {.proposal = 1, .accepted = true};
    struct acts_token token = {.person = STR("p"), .token = STR("x")};

    tap_case("a row of every table");
    CHECK(acts_add_codebook(acts, &codebook, &err) &&
          acts_add_round(acts, &round, &err) && acts_add_round_end(acts, &end, &err) &&
          acts_add_assignment(acts, &assignment, &err) &&
          acts_add_act(acts, &act, &err) && acts_add_decision(acts, &decision, &err) &&
          acts_add_proposal(acts, &proposal, &err) &&
          acts_add_verdict(acts, &verdict, &err) && acts_add_token(acts, &token, &err));
    CHECK_TEXT(err.text, "");
    for (int table = 0; table < ACTS_TABLES; table++) {
        size_t count = 0;
        CHECK(acts_each(acts, (enum acts_table)table, 0, count_row, &count, &err) &&
              count == 1);
    }
    acts_close(acts);
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
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return tap_done();
}
