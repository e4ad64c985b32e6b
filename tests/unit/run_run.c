/* Whole runs: what is there in the end, what is taken away, how a run that failed goes
 * on, and what damaged files do. Which step runs why is in run_steps. */
#include "tests/unit/studied.h"

static void check_whole(struct studied *test)
{
    tap_case("everything is made once");
    CHECK(studied_run(test));
    studied_told(test,
                 "made corpus\nmade sets.x\nmade sets.y\nmade sets.z\nmade labels.l\n"
                 "made samples.p\nmade tables.t\nmade tables.u\nmade tables.v\n"
                 "made tables.w\n");
    CHECK_TEXT(studied_read(test, "out/sets/y.csv"), "id\n2\n3\n");
    CHECK_TEXT(studied_read(test, "out/tables/t.csv"), "group1,count\nA,2\nB,1\n");
    CHECK_TEXT(studied_read(test, "out/tables/w.csv"), "group1,count\nOne,1\nTwo,1\n");
    CHECK_TEXT(studied_read(test, "out/tables/u.csv"), "group1,count\np,2\n");
    tap_case("and not again");
    CHECK(studied_run(test));
    studied_told(test, "");
}

static void check_removed(struct studied *test)
{
    tap_case("the files of a step that is no more are taken away, with empty folders");
    CHECK(file_exists(studied_path(test, "out/items/t/0.csv")) &&
          file_exists(studied_path(test, "out/items/v/0.csv")));
    studied_write(test, "out/items/v/mine.csv", "mine");
    studied_write(test, "out/tables/mine.csv", "mine");
    studied_write(test, "study.yaml",
                  STUDIED_HEAD STUDIED_SETS STUDIED_GROUPS STUDIED_LABELS STUDIED_SAMPLES
                  "tables:\n  u: {of: p}\n  w: {of: x, by: c}\n");
    CHECK(studied_run(test));
    CHECK(!file_exists(studied_path(test, "out/tables/t.csv")));
    CHECK(!file_exists(studied_path(test, "out/tables/v.json")));
    CHECK(!file_exists(studied_path(test, "out/items/t")));
    CHECK(!file_exists(studied_path(test, "out/items/v/0.csv")));
    CHECK(file_exists(studied_path(test, "out/tables/u.csv")));
    tap_case("and nothing else");
    CHECK_TEXT(studied_read(test, "out/tables/mine.csv"), "mine");
    CHECK_TEXT(studied_read(test, "out/items/v/mine.csv"), "mine");
    CHECK(strstr(studied_read(test, "assay.lock"), "tables.t") == NULL);
}

/* A run that fails on the way keeps what it has made, and remembers what is to be taken
 * away. */
static void check_failing(struct studied *test)
{
    tap_case("a run that fails goes on where it was");
    studied_write(test, "study.yaml",
                  STUDIED_HEAD
                  "sets:\n  x: '[x] or [z]'\n  y: 'in:x and score:1..'\n" STUDIED_GROUPS
                      STUDIED_LABELS STUDIED_SAMPLES
                  "tables:\n  w: {of: x, by: c, where: {g: nothing}}\n");
    CHECK(!studied_run(test));
    CHECK_TEXT(test->err.text, "table w: the group g has no value 'nothing'");
    CHECK_TEXT(studied_read(test, "out/sets/x.csv"), "id\n1\n2\n3\n4\n");
    CHECK(file_exists(studied_path(test, "out/sets/z.csv")));
    studied_write(test, "study.yaml",
                  STUDIED_HEAD
                  "sets:\n  x: '[x] or [z]'\n  y: 'in:x and score:1..'\n" STUDIED_GROUPS
                      STUDIED_LABELS STUDIED_SAMPLES
                  "tables:\n  w: {of: x, by: c, where: {g: A}}\n");
    CHECK(studied_run(test));
    studied_told(test, "made tables.w\n");
    CHECK(!file_exists(studied_path(test, "out/sets/z.csv")));
    CHECK(!file_exists(studied_path(test, "out/tables/u.csv")));
}

static void check_damage(struct studied *test)
{
    tap_case("a lock that is none of ours: nothing runs, nothing is taken away");
    studied_write(test, "assay.lock", "lock: 1\nsteps: {a: b}\n");
    CHECK(!studied_run(test));
    CHECK(strstr(test->err.text, "assay.lock:2:") != NULL);
    CHECK(file_exists(studied_path(test, "out/sets/x.csv")));
    file_remove(studied_path(test, "assay.lock"));
    tap_case("labels that are gone are named");
    file_remove(studied_path(test, "l.csv"));
    CHECK(!studied_run(test) && strstr(test->err.text, "l.csv") != NULL);
    tap_case("a source that is gone is not missed while the corpus is there");
    studied_write(test, "l.csv", STUDIED_CSV);
    file_remove(studied_path(test, "p.csv"));
    CHECK(studied_run(test));
    tap_case("without the corpus it is named");
    file_remove(studied_path(test, "corpus.db"));
    CHECK(!studied_run(test) && strstr(test->err.text, "p.csv") != NULL);
}

/* Which questions a dump's corpus holds follows from all sets: a table of all items must
 * see a change of any. */
static void check_whole_corpus(void)
{
    struct studied test;

    tap_case("a table of all items follows the corpus");
    if (!studied_begin(&test))
        return;
    studied_write(&test, "Posts.xml",
                  "<posts>\n<row Id=\"1\" PostTypeId=\"1\" Tags=\"&lt;x&gt;\" "
                  "CreationDate=\"2019-01-01T00:00:00.000\" Title=\"t\" Body=\"b\" />\n"
                  "<row Id=\"2\" PostTypeId=\"1\" Tags=\"&lt;y&gt;\" "
                  "CreationDate=\"2019-01-02T00:00:00.000\" Title=\"t\" Body=\"b\" />\n"
                  "</posts>\n");
    studied_write(&test, "study.yaml",
                  "study: s\nsource: {stackexchange: Posts.xml}\nsets: {x: '[x]'}\n"
                  "tables: {all: {columns: count}, some: {of: x}}\n");
    CHECK(studied_run(&test));
    CHECK_TEXT(studied_read(&test, "out/tables/all.csv"), "group1,count\nall,1\n");
    studied_write(
        &test, "study.yaml",
        "study: s\nsource: {stackexchange: Posts.xml}\nsets: {x: '[x]', y: '[y]'}\n"
        "tables: {all: {columns: count}, some: {of: x}}\n");
    CHECK(studied_run(&test));
    studied_told(&test, "made corpus\nmade sets.y\nmade tables.all\n");
    CHECK_TEXT(studied_read(&test, "out/tables/all.csv"), "group1,count\nall,2\n");
    studied_end(&test);
}

int main(void)
{
    struct studied test;

    if (studied_begin(&test)) {
        studied_fill(&test);
        check_whole(&test);
        check_removed(&test);
        check_failing(&test);
        check_damage(&test);
        studied_end(&test);
    }
    check_whole_corpus();
    return tap_done();
}
