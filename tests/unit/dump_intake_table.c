/* Posts and rows from tables: which are taken, what is found out about the file, and real
 * ones. */
#include "tests/unit/ingested.h"

/* What is stored is shown as kind/id/parent/accepted/accepted_ms;... by id. */
#define SHOWN \
    "group_concat(kind || '/' || id || '/' || ifnull(parent, '') || '/' || " \
    "ifnull(accepted, '') || '/' || ifnull(accepted_ms, ''), ';')"

static const struct {
    const char *name;
    const struct source_kind *kind;
    const char *first, *second; /* two files; NULL: one */
    const char *mapping;
    const char *query;
    int64_t until_ms; /* 0: none */
    const char *stored;
    const char *findings[4]; /* of the health report */
    const char *error;       /* after the path; NULL: none */
} rows[] = {
    {"questions by the query, with their answers",
     &source_posts,
     "Id,PostTypeId,ParentId,Title,AcceptedAnswerId\n1,1,,how to,3\n2,1,,why,\n3,2,1,,\n"
     "4,2,2,,\n5,2,77,,\n",
     NULL,
     NULL,
     "title:how",
     0,
     "1/1//3/;2/3/1//",
     {"| questions | 2 |", "| answers | 3 |", "| answers without question | 1 |",
      "| accepted answers missing | 0 |"},
     NULL},
    {"answers before their question",
     &source_posts,
     "Id,ParentId,Title\n3,1,\n4,2,\n1,,how\n2,,why\n",
     NULL,
     NULL,
     "title:how",
     0,
     "1/1///;2/3/1//",
     {"| answers without question | 0 |"},
     NULL},
    {"answers in another file",
     &source_posts,
     "Id,ParentId\n3,1\n4,2\n",
     "Id,Title\n1,how\n2,why\n",
     NULL,
     "title:how",
     0,
     "1/1///;2/3/1//",
     {"| answers without question | 0 |"},
     NULL},
    {"repeated ids: the first counts",
     &source_posts,
     "Id,Title\n1,how\n1,why\n2,why\n",
     NULL,
     NULL,
     "*",
     0,
     "1/1///;1/2///",
     {"| repeated ids | 1 |", "| questions | 2 |"},
     NULL},
    {"posts from the end of the study on",
     &source_posts,
     "Id,Title,Created,ParentId\n1,a,1970-01-01,\n2,b,1970-01-03,\n3,,1970-01-03,1\n"
     "4,c,,\n",
     NULL,
     NULL,
     "*",
     2 * 86400000,
     "1/1///;1/4///",
     {"| posts after the end of the study | 2 |", "| posts without a date | 1 |",
      "| first post | 1970-01-01T00:00:00.000 |"},
     NULL},
    {"only ids: they are questions",
     &source_posts,
     "Id\n7\n8\n",
     NULL,
     NULL,
     "*",
     0,
     "1/7///;1/8///",
     {"| questions | 2 |"},
     NULL},
    {"other posts are not taken",
     &source_posts,
     "Id,PostTypeId\n7,1\n8,5\n",
     NULL,
     NULL,
     "*",
     0,
     "1/7///",
     {"| other posts | 1 |"},
     NULL},
    {"when the accepted answer was written",
     &source_posts,
     "Id,Title,answered\n1,a,1970-01-02\n2,b,\n3,c,1970-01-03\n",
     NULL,
     "accepted-at=answered",
     "hasaccepted:yes",
     0,
     "1/1//0/86400000;1/3//0/172800000",
     {"| questions with an accepted answer | 2 |", "| accepted answers missing | 0 |",
      "| stored: accepted answers missing | 0 |"},
     NULL},
    {"an accepted answer from before the question",
     &source_posts,
     "Id,Title,Created,answered\n1,a,1970-01-05,1970-01-02\n",
     NULL,
     "accepted-at=answered",
     "*",
     0,
     "1/1//0/86400000",
     {"| stored: negative waits | 1 |"},
     NULL},
    {"an accepted answer that is missing",
     &source_posts,
     "Id,AcceptedAnswerId\n1,2\n",
     NULL,
     NULL,
     "*",
     0,
     "1/1//2/",
     {"| accepted answers missing | 1 |", "| stored: accepted answers missing | 1 |"},
     NULL},
    {"json with answers in their question",
     &source_posts,
     "{\"Id\":1,\"Title\":\"how\",\"answers\":[{\"Id\":3}]}\n{\"Id\":2,\"Title\":"
     "\"why\"}",
     NULL,
     NULL,
     "title:how",
     0,
     "1/1///;2/3/1//",
     {"| questions | 2 |"},
     NULL},

    {"rows, whatever the query says",
     &source_rows,
     "a,b\nx,y\nz,\n",
     "a,b\nw,v\n",
     NULL,
     "title:never",
     0,
     "9/1///;9/2///;9/3///",
     {"| rows | 3 |", "| stored: rows of tables | 3 |"},
     NULL},
    {"rows with ids",
     &source_rows,
     "n\n70\n5\n70\n",
     NULL,
     "id=n",
     "*",
     0,
     "9/5///;9/70///",
     {"| rows | 2 |", "| repeated ids | 1 |"},
     NULL},
    {"rows up to the end of the study",
     &source_rows,
     "d\n1970-01-01\n\n1970-01-03\n",
     NULL,
     "created=d",
     "*",
     86400000,
     "9/1///;9/2///",
     {"| rows after the end of the study | 1 |"},
     NULL},

    {"a wrong value",
     &source_posts,
     "Id,Score\n1,x\n",
     NULL,
     NULL,
     "*",
     0,
     NULL,
     {NULL},
     ":2: column 'Score': found 'x', expected a number"},
    {"rows with keys that are no numbers from 0 on",
     &source_rows,
     "n\n7\n-1\nABC-7\n-1\n",
     NULL,
     "id=n",
     "*",
     0,
     "9/7///;9/274877906946///;9/274877906947///",
     {"| repeated ids | 1 |"},
     NULL},
    {"a negative id",
     &source_posts,
     "Id,Title\n-1,x\n",
     NULL,
     NULL,
     "*",
     0,
     NULL,
     {NULL},
     ":2: column 'Id': found '-1', expected an id that is not negative"},
    {"XML",
     &source_posts,
     "<posts></posts>",
     NULL,
     NULL,
     "*",
     0,
     NULL,
     {NULL},
     ":1: found XML, expected csv or json"},
    {"json as rows",
     &source_rows,
     "{\"Id\":1}",
     NULL,
     NULL,
     "*",
     0,
     NULL,
     {NULL},
     ":1: found json, expected csv"},
};

static void check_rows(void)
{
    struct ingested test = ingested_begin();

    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *paths[] = {
            ingested_file(&test, "first", rows[i].first),
            ingested_file(&test, "second", rows[i].second != NULL ? rows[i].second : "")};
        struct source_ingest_source source = {
            .kind = rows[i].kind,
            .paths = paths,
            .path_count = rows[i].second != NULL ? 2 : 1,
            .mapping = rows[i].mapping,
            .until_ms = rows[i].until_ms > 0 ? rows[i].until_ms : INT64_MAX};
        char sql[2000], error[600];
        tap_case("table: %s", rows[i].name);
        file_remove(test.options.corpus);
        bool ok = ingested_run(&test, &source, 1, rows[i].query);
        snprintf(error, sizeof error, "%s%s", paths[0],
                 rows[i].error != NULL ? rows[i].error : "");
        CHECK_TEXT(test.err.text, rows[i].error != NULL ? error : "");
        if (!CHECK(ok == (rows[i].error == NULL)) || !ok)
            continue;
        snprintf(sql, sizeof sql,
                 "SELECT " SHOWN " = '%s' FROM (SELECT * FROM item ORDER BY id)",
                 rows[i].stored);
        CHECK(ingested_count(&test, sql) == 1);
        for (size_t f = 0; f < 4 && rows[i].findings[f] != NULL; f++)
            CHECK(ingested_found(&test, rows[i].findings[f]));
    }
    ingested_end(&test);
}

/* Several sources: answers of an earlier one's questions, ids of rows, the census. */
static void check_sources(void)
{
    struct ingested test = ingested_begin();
    const char *questions =
        ingested_file(&test, "q.csv", "Id,Title,Tags\n1,how,a\n2,why,a\n");
    const char *answers = ingested_file(&test, "a.csv", "Id,ParentId\n3,1\n4,2\n");
    const char *table = ingested_file(&test, "r.csv", "n\nx\ny\n");
    const char *dump = ingested_file(
        &test, "Posts.xml",
        "<posts><row Id=\"5\" PostTypeId=\"1\" Title=\"how\" Tags=\"&lt;a&gt;\" "
        "CreationDate=\"2014-01-01\"/></posts>");
    const struct source_ingest_source sources[] = {
        {.kind = &source_posts,
         .paths = &questions,
         .path_count = 1,
         .until_ms = INT64_MAX},
        {.kind = &source_posts,
         .paths = &answers,
         .path_count = 1,
         .until_ms = INT64_MAX},
        {.kind = &source_rows,
         .paths = &table,
         .path_count = 1,
         .until_ms = INT64_MAX,
         .space = 2},
        {.kind = &source_stackexchange,
         .paths = &dump,
         .path_count = 1,
         .until_ms = INT64_MAX},
    };
    struct source_ingest_source swapped[] = {sources[2], sources[0]};

    tap_case("sources: answers of an earlier source's questions come along");
    CHECK(ingested_run(&test, sources, 3, "title:how"));
    CHECK(test.result.stored.questions == 1 && test.result.stored.answers == 1);
    CHECK(ingested_count(&test,
                         "SELECT count(*) FROM item WHERE (id, parent) = (3, 1)") == 1);
    tap_case("sources: rows without ids have some that no post has");
    CHECK(test.result.stored.rows == 2);
    CHECK(ingested_count(&test, "SELECT min(id) FROM item WHERE kind = 9") ==
          (INT64_C(2) << 40) + 1);
    tap_case("sources: without a dump the census is of tables");
    CHECK(test.result.stored.census_questions == 2);

    tap_case("sources: with a dump the census is of it alone");
    CHECK(ingested_run(&test, sources, 4, "title:how"));
    CHECK(test.result.stored.census_questions == 1 && test.result.stored.questions == 2);

    tap_case("sources: rows without ids may be first of several");
    swapped[0].space = 0;
    swapped[1].space = 1;
    CHECK(ingested_run(&test, swapped, 2, "*"));
    CHECK(ingested_count(&test, "SELECT count(*) FROM item WHERE (id, kind) IN ((1, 9), "
                                "(2, 9))") == 2);
    CHECK(ingested_count(&test, "SELECT min(id) FROM item WHERE kind = 1") ==
          item_id(1, 1));

    tap_case("sources: a table without rows is none");
    const char *empty = ingested_file(&test, "e.csv", "Id,Title\n");
    struct source_ingest_source nothing = {
        .kind = &source_posts, .paths = &empty, .path_count = 1, .until_ms = INT64_MAX};
    CHECK(!ingested_run(&test, &nothing, 1, "*") && test.err.kind == ERR_INPUT);
    CHECK(strstr(test.err.text, "e.csv: has no rows") != NULL);

    tap_case("sources: a folder is no table");
    const char *folder = test.folder.path;
    struct source_ingest_source whole = {
        .kind = &source_rows, .paths = &folder, .path_count = 1, .until_ms = INT64_MAX};
    CHECK(!ingested_run(&test, &whole, 1, "*") && test.err.kind == ERR_INPUT);
    CHECK(strstr(test.err.text, "files, expected one table") != NULL);
    ingested_end(&test);
}

/* Chen's posts stand in three files, five of them in two. */
static void check_chen(void)
{
    struct ingested test = ingested_begin();
    static const struct str names[] = {STR_INIT("server"), STR_INIT("mobile"),
                                       STR_INIT("browser")};
    static const char *const files[] = {"chen2020/dl_server_post.txt",
                                        "chen2020/dl_mobile_post.txt",
                                        "chen2020/dl_browser_post.txt"};
    const char *paths[3];
    struct source_ingest_source sources[3];

    tap_case("real: Chen's three files");
    for (size_t i = 0; i < 3; i++) {
        paths[i] = ingested_real(&test, files[i]);
        sources[i] = (struct source_ingest_source){.name = names[i],
                                                   .kind = &source_posts,
                                                   .paths = &paths[i],
                                                   .path_count = 1,
                                                   .until_ms = INT64_MAX};
        if (paths[i] == NULL)
            goto done;
    }
    CHECK(ingested_run(&test, sources, 3, "*"));
    CHECK_TEXT(test.err.text, "");
    CHECK(test.result.stored.questions == 3018);
    CHECK(ingested_count(&test, "SELECT count(*) FROM origin") == 3023);
    CHECK(ingested_count(&test, "SELECT count(*) FROM origin WHERE source = 0") == 1325);
    CHECK(ingested_count(&test, "SELECT count(*) FROM origin WHERE source = 1") == 1533);
    CHECK(ingested_count(&test, "SELECT count(*) FROM origin WHERE source = 2") == 165);
    CHECK(ingested_count(&test, "SELECT count(*) FROM item WHERE kind = 2 AND NOT EXISTS "
                                "(SELECT 1 FROM item q WHERE q.id = item.parent)") == 0);
    CHECK(ingested_count(&test,
                         "SELECT count(*) FROM item WHERE kind = 1 AND answers != "
                         "(SELECT count(*) FROM item a WHERE a.parent = item.id)") == 0);
done:
    ingested_end(&test);
}

/* The numbers were computed from the same file with Python's csv module. */
static void check_liu(void)
{
    struct ingested test = ingested_begin();
    const struct source_ingest_field fields[] = {{STR("action"), STR("action")},
                                                 {STR("object"), STR("object")},
                                                 {STR("phase"), STR("level1_code")}};

    tap_case("real: Liu's posts, with the moment of the answer and three fields");
    const char *path = ingested_real(&test, "liu2023/posts.csv");
    struct source_ingest_source source = {.name = STR("liu"),
                                          .kind = &source_posts,
                                          .paths = &path,
                                          .path_count = 1,
                                          .mapping = "id=post_id, accepted-at=answered",
                                          .fields = fields,
                                          .field_count = 3,
                                          .until_ms = INT64_MAX};
    if (path == NULL)
        goto done;
    CHECK(ingested_run(&test, &source, 1, "*"));
    CHECK_TEXT(test.err.text, "");
    CHECK(test.result.stored.questions == 2401);
    CHECK(ingested_count(&test, "SELECT count(*) FROM item WHERE accepted = 0 AND "
                                "accepted_ms NOT NULL") == 2401);
    CHECK(ingested_count(&test, "SELECT sum(accepted_ms / 1000) FROM item") ==
          INT64_C(3734551256595));
    CHECK(ingested_count(&test, "SELECT count(*) FROM field WHERE name = 'action'") ==
          2401);
    CHECK(ingested_count(&test,
                         "SELECT count(*) FROM field WHERE (name, value) = ('phase', "
                         "'d')") == 1124);
    CHECK(ingested_found(&test, "| stored: accepted answers missing | 0 |"));
done:
    ingested_end(&test);
}

static void check_islam(void)
{
    struct ingested test = ingested_begin();
    const struct source_ingest_field fields[] = {{STR("source"), STR("source")},
                                                 {STR("cause"), STR("root_cause")}};

    tap_case("real: Islam's labelled rows");
    const char *path = ingested_real(&test, "islam2019/bugs_all.csv");
    struct source_ingest_source source = {.kind = &source_rows,
                                          .paths = &path,
                                          .path_count = 1,
                                          .mapping = "title=title, body=body_if_known",
                                          .fields = fields,
                                          .field_count = 2,
                                          .until_ms = INT64_MAX};
    if (path == NULL)
        goto done;
    CHECK(ingested_run(&test, &source, 1, "*"));
    CHECK_TEXT(test.err.text, "");
    CHECK(test.result.stored.rows == 972 && test.result.stored.questions == 0);
    CHECK(ingested_count(&test, "SELECT count(*) FROM field WHERE (name, value) = "
                                "('source', 'Github')") == 557);
    CHECK(ingested_count(&test, "SELECT count(*) FROM field WHERE (name, value) = "
                                "('source', 'SO')") == 415);
    CHECK(ingested_count(&test,
                         "SELECT count(*) FROM item WHERE id BETWEEN 1 AND 972 AND "
                         "license = ''") == 972);
done:
    ingested_end(&test);
}

static void check_sede(void)
{
    struct ingested test = ingested_begin();
    const char *paths[2] = {NULL, NULL};

    tap_case("real: questions and answers of the Data Explorer, a file each");
    paths[0] = ingested_real(&test, "sede/QueryResults-Answers.csv");
    if (paths[0] == NULL)
        goto done;
    paths[1] = ingested_real(&test, "sede/QueryResults-Questions.csv");
    struct source_ingest_source source = {.kind = &source_posts,
                                          .paths = paths,
                                          .path_count = 2,
                                          .mapping = "id=Id#1, created=CreationDate#1",
                                          .until_ms = INT64_MAX};
    CHECK(ingested_run(&test, &source, 1, "*"));
    CHECK_TEXT(test.err.text, "");
    CHECK(test.result.stored.questions == 100 && test.result.stored.answers == 274);
    CHECK(ingested_found(&test, "| answers without question | 0 |"));

    tap_case("real: questions with their answers in one file");
    paths[0] = ingested_real(&test, "sede/posts_rxjs5_withAnswers.csv");
    source.path_count = 1;
    source.mapping = NULL;
    CHECK(ingested_run(&test, &source, 1, "*"));
    CHECK(test.result.stored.questions == 1500 && test.result.stored.answers == 965);
done:
    ingested_end(&test);
}

int main(void)
{
    check_rows();
    check_sources();
    check_chen();
    check_liu();
    check_islam();
    check_sede();
    return tap_done();
}
