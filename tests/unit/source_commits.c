/* Commits as items: the same for any number of threads, and nothing compared that nobody
 * asks for. */
#include "source/commits.h"

#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tap.h"

enum { COMMITS = 700 }; /* more than a batch */

static char home[200];

static void must(int status)
{
    if (status != 0) {
        printf("Bail out! libgit2: %s\n", git_error_last()->message);
        exit(1);
    }
}

/* A history in which each commit changes one of seven files; the trees of some are not
 * there. */
static void make_repository(void)
{
    git_repository *repository;
    git_reference *reference;
    git_odb *odb;
    git_oid id = {{0}}, blob;
    struct buf text = {0};

    must(git_repository_init(&repository, home, 1));
    must(git_repository_odb(&odb, repository));
    for (int i = 0; i < COMMITS; i++) {
        git_treebuilder *builder;
        git_oid tree;
        char content[40], name[40];
        int len = snprintf(content, sizeof content, "line %d\n", i);
        snprintf(name, sizeof name, "file%d.%s", i % 7, i % 2 == 0 ? "c" : "py");
        must(git_blob_create_from_buffer(&blob, repository, content, (size_t)len));
        must(git_treebuilder_new(&builder, repository, NULL));
        must(git_treebuilder_insert(NULL, builder, name, &blob, GIT_FILEMODE_BLOB));
        must(git_treebuilder_write(&tree, builder));
        git_treebuilder_free(builder);
        if (i % 100 == 50)
            memset(tree.id, i, sizeof tree.id);
        buf_clear(&text);
        buf_add_format(&text, "tree %s\n", git_oid_tostr_s(&tree));
        if (i > 0)
            buf_add_format(&text, "parent %s\n", git_oid_tostr_s(&id));
        buf_add_format(&text,
                       "author A%d%s <a%d@example.org> %d +0000\n"
                       "committer C <c@example.org> %d +0000\n\ncommit %d\n",
                       i % 5, i % 5 == 4 ? "[bot]" : "", i % 5, 1400000000 + i * 1000,
                       1400000000 + i * 1000, i);
        must(git_odb_write(&id, odb, text.ptr, text.len, GIT_OBJECT_COMMIT));
    }
    must(git_reference_create(&reference, repository, "refs/heads/main", &id, 1, NULL));
    git_reference_free(reference);
    git_odb_free(odb);
    git_repository_free(repository);
    buf_free(&text);
}

static bool show(void *context, const struct item *item, struct err *err)
{
    struct buf *out = context;

    (void)err;
    buf_add_format(out, "%lld %.*s %.*s", (long long)item->id, STR_ARG(item->key),
                   STR_ARG(item->title));
    for (size_t i = 0; i < SOURCE_COMMITS_FIELDS; i++)
        buf_add_format(out, "|%.*s", STR_ARG(item->extra[i]));
    buf_add_char(out, '\n');
    return true;
}

struct outcome {
    struct buf text;
    struct source_commits_counts counts;
    struct git_history_findings findings;
};

static struct outcome run(const char *query, unsigned fields, int64_t count_max,
                          int threads)
{
    struct arena arena = {0};
    struct query_own own = source_commits_own(&arena);
    struct progress progress = progress_begin("", 0, STDERR_FILENO, true);
    const char *path = home;
    struct outcome outcome = {0};
    struct query_node *node;
    struct source_commits_job job = {.fields = fields,
                                     .first_id = 1,
                                     .until_ms = INT64_MAX,
                                     .count_max = count_max,
                                     .threads = threads,
                                     .progress = &progress,
                                     .context = &outcome.text,
                                     .take = show};
    struct query_compiled *compiled = NULL;
    struct err err = {0};

    if (CHECK(query_parse_with(str_from(query), &own, &arena, &node, &err) &&
              query_compile(node, (struct query_options){0}, &compiled, &err) &&
              git_history_open(&path, 1, &job.history, &err))) {
        job.node = node;
        job.query = compiled;
        CHECK(source_commits_run(&job, &outcome.counts, &err));
        outcome.findings = git_history_findings(job.history);
    }
    git_history_close(job.history);
    query_free(compiled);
    arena_free(&arena);
    return outcome;
}

static void check_taken(const char *query, int64_t taken, int64_t absent)
{
    struct outcome outcome = run(query, 0, 0, 2);

    tap_case("taken: %s", query);
    CHECK(outcome.counts.commits == COMMITS);
    CHECK(outcome.counts.taken == taken);
    CHECK(outcome.findings.count[GIT_HISTORY_ABSENT_OBJECTS] == absent);
    buf_free(&outcome.text);
}

int main(void)
{
    static const unsigned all = (1u << SOURCE_COMMITS_FIELDS) - 1;
    char command[300];

    snprintf(home, sizeof home, "%s/assay-commits-XXXXXX",
             getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    if (mkdtemp(home) == NULL)
        return 1;
    git_libgit2_init();
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
    make_repository();
    struct outcome one = run("title:commit and not path:*.py", all, 0, 1);
    for (int threads = 2; threads < 6; threads += 3) {
        struct outcome several = run("title:commit and not path:*.py", all, 0, threads);
        tap_case("threads: %d and 1 give the same items, counts and findings", threads);
        CHECK(one.text.len > 0 && one.text.len == several.text.len &&
              memcmp(one.text.ptr, several.text.ptr, one.text.len) == 0);
        CHECK(memcmp(&one.counts, &several.counts, sizeof one.counts) == 0);
        CHECK(memcmp(&one.findings, &several.findings, sizeof one.findings) == 0);
        buf_free(&several.text);
    }
    buf_free(&one.text);
    /* Seven commits have no tree, and seven no tree to compare theirs with. */
    check_taken("*", COMMITS, 0);
    check_taken("title:nothing and path:*", 0, 0);
    check_taken("path:* and created:2000", 0, 0);
    check_taken("files:0..", COMMITS - 14, 14);
    check_taken("odd-changes:absent", 14, 14);
    check_taken("odd-changes:unknown", 14, 14);
    check_taken("added:12 or deleted:12", 2, 14);
    check_taken("lines:1", 1, 14); /* the first; all others add one and delete one */
    check_taken("copy:yes", 0, 14);
    check_taken("merge:yes or fork:yes or odd:*", 0, 0);
    tap_case("limit: it ends when so many are taken");
    struct outcome few = run("bot:yes", 0, 3, 2);
    CHECK(few.counts.taken == 3 && few.counts.commits < COMMITS);
    buf_free(&few.text);
    git_libgit2_shutdown();
    snprintf(command, sizeof command, "rm -r '%s'", home);
    tap_case("all is taken away again");
    CHECK(system(command) == 0);
    return tap_done();
}
