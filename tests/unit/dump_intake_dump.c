/* Posts of dumps: the same content for any number of threads and resting places, several
 * dumps in one source, texts as a judge makes them. */
#include "tests/unit/ingested.h"

#include "tests/unit/simulated.h"

static bool simulate(struct ingested *test, enum synth_layout layout)
{
    static struct synth_summary summary;
    struct synth_options options = {.folder = test->folder.path,
                                    .questions = 700,
                                    .background = 700,
                                    .seed = 5,
                                    .layout = layout,
                                    .confusion = -1,
                                    .threads = 1};
    struct progress progress = {.style = PROGRESS_QUIET};

    return CHECK(synth_write(&options, &progress, &test->arena, &summary, &test->err));
}

static void check_same(void)
{
    static const struct {
        int threads;
        int64_t rest_bytes;
    } ways[] = {{1, 1 << 30}, {1, 1}, {3, 1}, {4, 100000}};
    struct ingested test = ingested_begin();
    const char *path = test.folder.path;
    struct source_ingest_source source = {.kind = &source_stackexchange,
                                          .paths = &path,
                                          .path_count = 1,
                                          .until_ms = INT64_MAX};
    uint64_t first = 0;

    simulate(&test, SYNTH_2025_COMMENT);
    for (size_t i = 0; i < ROWS(ways); i++) {
        tap_case("%d threads, a rest each %lld bytes: the same corpus", ways[i].threads,
                 (long long)ways[i].rest_bytes);
        file_remove(test.options.corpus);
        test.options.threads = ways[i].threads;
        test.options.rest_bytes = ways[i].rest_bytes;
        CHECK(ingested_run(&test, &source, 1, "[keras] or [pytorch] code:import"));
        CHECK(test.result.stored.questions > 50 && test.result.stored.answers > 30);
        uint64_t hash = ingested_hash(&test);
        CHECK(i == 0 || hash == first);
        first = hash;
    }
    simulated_remove(path, &test.arena);
    ingested_end(&test);
}

static void check_several(void)
{
    struct ingested test = ingested_begin();
    const char *const paths[] = {
        ingested_file(&test, "a.xml",
                      "<posts><row Id=\"1\" PostTypeId=\"1\" Title=\"T &amp; U\" "
                      "Tags=\"|x|Y|\" CreationDate=\"2014-01-01\" Body=\"&lt;p&gt;a "
                      "&amp;lt; b&lt;/p&gt;&lt;pre&gt;c&lt;/pre&gt;\"/></posts>"),
        ingested_file(&test, "b.xml",
                      "<posts><row Id=\"2\" PostTypeId=\"1\" CreationDate=\"2014-01-02\" "
                      "Body=\"\"/><row Id=\"3\" PostTypeId=\"1\" "
                      "CreationDate=\"2014-02-01\"/></posts>")};
    struct source_ingest_source source = {.name = STR("two"),
                                          .kind = &source_stackexchange,
                                          .paths = paths,
                                          .path_count = 2,
                                          .until_ms = 1391212800000}; /* 2014-02-01 */
    char line[600];

    tap_case("two dumps in a source, up to its end");
    CHECK(ingested_run(&test, &source, 1, "*"));
    CHECK_TEXT(test.err.text, "");
    CHECK(test.result.stored.questions == 2 && test.result.stored.census_questions == 2);
    CHECK(ingested_count(&test, "SELECT count(*) FROM source_file") == 2);
    CHECK(ingested_count(&test, "SELECT count(*) FROM origin") == 2);
    snprintf(line, sizeof line, "| two: %s: posts after the end of the study | 1 |",
             paths[1]);
    CHECK(ingested_found(&test, line));

    tap_case("a post as it is stored");
    CHECK(ingested_count(
              &test,
              "SELECT count(*) FROM post WHERE id = 1 AND title = 'T & U' AND tags = "
              "'<x><Y>' AND body = '<p>a &lt; b</p><pre>c</pre>' AND "
              "code_blocks = 1 AND accepted IS NULL AND "
              "accepted_ms IS NULL AND license = 'CC BY-SA 3.0 (by its date)'") == 1);
    ingested_end(&test);
}

/* Question 1 is taken, question 2 is not. After the end come answers 11 and 12 of
 * question 1, one of them before it in the file, and 13 of question 2. */
static const struct {
    const char *name, *file, *text;
    const struct source_kind *kind;
} lates[] = {
    {"a dump", "Posts.xml",
     "<posts><row Id=\"11\" PostTypeId=\"2\" ParentId=\"1\" "
     "CreationDate=\"2014-02-03\"/><row Id=\"10\" PostTypeId=\"2\" ParentId=\"1\" "
     "CreationDate=\"2014-01-03\"/><row Id=\"1\" PostTypeId=\"1\" Tags=\"|a|\" "
     "AcceptedAnswerId=\"12\" CreationDate=\"2014-01-01\"/><row Id=\"2\" "
     "PostTypeId=\"1\" AcceptedAnswerId=\"99\" CreationDate=\"2014-01-01\"/><row "
     "Id=\"12\" PostTypeId=\"2\" ParentId=\"1\" CreationDate=\"2014-02-02\"/><row "
     "Id=\"13\" PostTypeId=\"2\" ParentId=\"2\" CreationDate=\"2014-02-02\"/></posts>",
     &source_stackexchange},
    {"a table", "posts.csv",
     "Id,ParentId,Tags,AcceptedAnswerId,CreationDate\n11,1,,,2014-02-03\n"
     "10,1,,,2014-01-03\n1,,<a>,12,2014-01-01\n2,,,99,2014-01-01\n"
     "12,1,,,2014-02-02\n13,2,,,2014-02-02\n",
     &source_posts},
};

static void check_late(void)
{
    for (size_t i = 0; i < ROWS(lates); i++) {
        struct ingested test = ingested_begin();
        const char *path = ingested_file(&test, lates[i].file, lates[i].text);
        struct source_ingest_source source = {.kind = lates[i].kind,
                                              .paths = &path,
                                              .path_count = 1,
                                              .until_ms = 1391212800000}; /* 2014-02-01 */
        tap_case("%s: answers of after its end are known to be there", lates[i].name);
        CHECK(ingested_run(&test, &source, 1, "[a]"));
        CHECK_TEXT(test.err.text, "");
        CHECK(test.result.stored.questions == 1 && test.result.stored.answers == 1);
        CHECK(ingested_count(&test, "SELECT count(*) FROM item WHERE id IN (1, 10)") ==
              2);
        CHECK(ingested_count(&test, "SELECT group_concat(answer || question, '') = "
                                    "'111121' FROM late") == 1);
        CHECK(ingested_found(&test, "| posts after the end of the study | 3 |"));
        CHECK(ingested_found(&test, "| accepted answers missing | 1 |"));
        CHECK(ingested_found(&test, "| repeated ids | 0 |"));
        ingested_end(&test);
    }
}

static void check_empty(void)
{
    struct ingested test = ingested_begin();
    const char *path = ingested_file(&test, "Posts.xml", "<posts>\n</posts>\n");
    struct source_ingest_source source = {.kind = &source_stackexchange,
                                          .paths = &path,
                                          .path_count = 1,
                                          .until_ms = INT64_MAX};

    tap_case("a dump without posts is refused");
    CHECK(!ingested_run(&test, &source, 1, "*") && test.err.kind == ERR_INPUT);
    CHECK(strstr(test.err.text, "Posts.xml: has no posts") != NULL);
    ingested_end(&test);
}

int main(void)
{
    check_same();
    check_several();
    check_late();
    check_empty();
    return tap_done();
}
