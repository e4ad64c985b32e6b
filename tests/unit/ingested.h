/* For tests of an ingest: sources written into a folder of our own, and what the corpus
 * then says. */
#ifndef TESTS_UNIT_INGESTED_H
#define TESTS_UNIT_INGESTED_H

#include "source/intake.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"
#include "tests/unit/stored.h"

struct ingested {
    struct packed_folder folder;
    struct arena arena;
    struct source_ingest_options options; /* the sources are set by who tests */
    struct source_ingest_result result;
    struct err err;
};

static inline const char *ingested_file(struct ingested *test, const char *name,
                                        const char *text)
{
    const char *path = packed_write(&test->folder, name, str_from(text));

    return arena_c_string(&test->arena, str_from(path));
}

static inline struct ingested ingested_begin(void)
{
    struct ingested test = {.folder = packed_folder()};

    /* So that it is taken away with the rest. */
    test.options =
        (struct source_ingest_options){.corpus = ingested_file(&test, "corpus.db", ""),
                                       .rest_bytes = 1000000,
                                       .threads = 2,
                                       .quiet = true,
                                       .descriptor = -1};
    return test;
}

/* Anew, whatever is there; the error is in test->err. */
static inline bool ingested_run(struct ingested *test,
                                const struct source_ingest_source *sources, size_t count,
                                const char *query)
{
    struct query_node *node;

    test->err = (struct err){0};
    buf_free(&test->result.health);
    test->options.sources = sources;
    test->options.source_count = count;
    if (!CHECK(query_parse(str_from(query), &test->arena, &node, &test->err)))
        return false;
    test->options.query = node;
    return source_ingest_run(&test->options, &test->result, &test->err);
}

static inline int64_t ingested_count(struct ingested *test, const char *sql)
{
    struct store *corpus;
    struct err err = {0};
    int64_t count = -1;

    if (CHECK(store_open(test->options.corpus, (struct str){0}, &corpus, &err))) {
        CHECK(stored_open_view(corpus) && store_count(corpus, sql, &count, &err));
        store_close(corpus);
    }
    return count;
}

/* Of all that the corpus says of posts. */
static inline uint64_t ingested_hash(const struct ingested *test)
{
    struct store *corpus;
    struct err err = {0};
    uint64_t hash = 0;

    if (CHECK(store_open(test->options.corpus, (struct str){0}, &corpus, &err))) {
        hash = stored_hash(corpus);
        CHECK(hash != 0);
        store_close(corpus);
    }
    return hash;
}

/* Lines of the health report are "| finding | value |". */
static inline bool ingested_found(const struct ingested *test, const char *line)
{
    struct arena arena = {0};
    bool found =
        strstr(arena_c_string(&arena, buf_str(&test->result.health)), line) != NULL;

    if (!found)
        printf("# not in the health report: %s\n", line);
    arena_free(&arena);
    return found;
}

static inline void ingested_end(struct ingested *test)
{
    static const char *const endings[] = {"-wal", "-shm", ".part", ".part-wal",
                                          ".part-shm"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char name[400];
        snprintf(name, sizeof name, "%s%s", test->options.corpus, endings[i]);
        file_remove(name);
    }
    buf_free(&test->result.health);
    packed_clean(&test->folder);
    arena_free(&test->arena);
}

/* A file of the real data, or NULL, with the case skipped. */
static inline const char *ingested_real(struct ingested *test, const char *name)
{
    const char *data = getenv("ASSAY_DATA");

    if (data != NULL && *data != '\0')
        return file_join(data, name, &test->arena);
    tap_skip("ASSAY_DATA is not set");
    return NULL;
}

#endif
