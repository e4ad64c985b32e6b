/* One language, three uses: a query takes the same posts whether rows of a dump are
 * tested, it is compiled to SQL and run on the stored corpus, or stored items are tested
 * one by one. Random queries, random corpora. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rng.h"
#include "dump/intake.h"
#include "store/items.h"
#include "synth/synth.h"
#include "tests/tap.h"
#include "tests/unit/simulated.h"

enum { CORPORA = 3, QUERIES = 150, POSTS_MAX = 4000 };

static char folder[] = "/tmp/assay-test-XXXXXX";

static const char *const leaves[] = {
    "[tensorflow]",
    "[Keras]",
    "[tensor*]",
    "[*torch]",
    "tag:~tensor",
    "[python-3.x]",
    "error",
    "model",
    "prose:layer",
    "code:import",
    "code:tf",
    "body:loss",
    "title:~\"how to\"",
    "\"does not\"",
    "train*",
    "~tion",
    "/[0-9]+\\.[0-9]+/",
    "code:/def \\w+/",
    "title:/^how/i",
    "score:0",
    "score:1..",
    "score:..-1",
    "score>2",
    "views:100..1000",
    "answers:0",
    "answers:2..",
    "comments:1..3",
    "favorites:1..",
    "created:2016..2018",
    "created:2019-03",
    "created:..2017",
    "closed:yes",
    "closed:no",
    "closed:2019..",
    "hascode:yes",
    "hascode:no",
    "hasaccepted:yes",
    "hasaccepted:no",
    "is:question",
    "is:answer",
    "user:1..50",
    "user:7",
    "id:1..900",
    "id:13",
    "parent:1..500",
    "*",
    "gpu or memory",
    "(shape batch)",
};

/* A random query of a given depth, as text. */
static void add_query(struct rng *rng, int depth, struct buf *out)
{
    uint64_t dice = rng_below(rng, 10);

    if (depth == 0 || dice < 3) {
        buf_add(out, str_from(leaves[rng_below(rng, ROWS(leaves))]));
    } else if (dice < 5) {
        buf_add(out, STR("not ("));
        add_query(rng, depth - 1, out);
        buf_add_char(out, ')');
    } else {
        buf_add_char(out, '(');
        add_query(rng, depth - 1, out);
        buf_add(out, dice < 8 ? STR(") and (") : STR(") or ("));
        add_query(rng, depth - 1, out);
        buf_add_char(out, ')');
    }
}

static struct rows_row rows[POSTS_MAX];
static size_t row_count;

/* All rows of the simulated Posts.xml; the text stays in arena. */
static void read_rows(struct arena *arena)
{
    struct err err = {0};
    struct str text;
    struct rows walk = {0};

    if (!CHECK(file_read(file_join(folder, "Posts.xml", arena), arena, &text, &err)))
        return;
    char *padded = arena_array(arena, char, text.len + ROWS_PADDING);
    memcpy(padded, text.ptr, text.len);
    rows_block(&walk, (struct str){padded, text.len}, 0, true);
    for (row_count = 0; row_count < POSTS_MAX && rows_next(&walk, &rows[row_count]);)
        row_count++;
    CHECK(!walk.failed && row_count > 500);
    rows_free(&walk);
}

static bool store(struct corpus *corpus, struct judge *judge, const struct rows_row *row,
                  struct err *err)
{
    struct post post;
    struct str wrong;
    bool added;

    if (!judge_read_all(judge, row, &post, &wrong))
        return false;
    struct corpus_post stored = intake_post(judge, &post);
    return corpus_add_post(corpus, &stored, &added, err);
}

static bool compile(struct str text, struct arena *arena, struct query_node **node,
                    struct query_compiled **compiled, struct judge *judge)
{
    struct err err = {0};

    if (!CHECK(query_parse(text, arena, node, &err)) ||
        !CHECK(query_compile(*node, (struct query_options){0}, compiled, &err)))
        return false;
    struct query_needs needs = query_needs(*node);
    needs.fields |= 1u << QUERY_FIELD_ID; /* to tell which post it was */
    judge_open(judge, *compiled, &needs);
    return true;
}

static int by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Questions among `selected` that items_each() gives and the query takes. */
struct items {
    const struct query_compiled *compiled;
    struct query_scratch *scratch;
    const int64_t *selected;
    size_t selected_count, at, given;
    bool same;
};

static bool take_item(void *context, const struct query_item *item,
                      const struct items_row *row, struct err *err)
{
    struct items *items = context;
    bool taken;

    if (!query_test(items->compiled, items->scratch, item, &taken, err))
        return false;
    while (items->at < items->selected_count && items->selected[items->at] < row->id)
        items->at++;
    bool selected =
        items->at < items->selected_count && items->selected[items->at] == row->id;
    items->same = items->same && taken == selected && row->type == CORPUS_QUESTION;
    items->given++;
    return true;
}

static void compare_items(struct corpus *corpus, const struct query_compiled *compiled,
                          const int64_t *selected, size_t count)
{
    struct items items = {compiled, query_scratch_open(compiled), selected, count, 0, 0,
                          true};
    struct err err = {0};

    CHECK(items_each(corpus, take_item, &items, &err) && items.same && items.given > 400);
    query_scratch_close(items.scratch);
}

static void compare(struct corpus *corpus, struct str text)
{
    static int64_t tested[POSTS_MAX];
    struct arena arena = {0};
    struct query_node *node;
    struct query_compiled *compiled;
    struct judge judge;
    struct post post;
    struct err err = {0};
    int64_t *selected;
    size_t tested_count = 0, selected_count = 0;

    if (!compile(text, &arena, &node, &compiled, &judge))
        return;
    for (size_t i = 0; i < row_count; i++) {
        bool meets = false;
        judge_read(&judge, &rows[i], &post);
        CHECK(judge_post(&judge, &post, &meets, &err));
        if (meets)
            tested[tested_count++] = post.id;
    }
    qsort(tested, tested_count, sizeof *tested, by_id);
    CHECK(corpus_select(corpus, node, &arena, &selected, &selected_count, &err));
    bool same = tested_count == selected_count &&
                (tested_count == 0 ||
                 memcmp(tested, selected, tested_count * sizeof *tested) == 0);
    if (!CHECK(same))
        printf("# %zu tested, %zu selected: %.*s\n", tested_count, selected_count,
               STR_ARG(text));
    compare_items(corpus, compiled, selected, selected_count);
    judge_close(&judge);
    query_free(compiled);
    arena_free(&arena);
}

static void check_corpus(int number, struct arena *arena)
{
    static struct synth_summary summary;
    struct synth_options options = {.folder = folder,
                                    .questions = 600,
                                    .background = 300,
                                    .seed = (uint64_t)number + 40,
                                    .layout = (enum synth_layout)(number % 3),
                                    .confusion = -1,
                                    .threads = 1};
    struct progress progress = {.style = PROGRESS_QUIET};
    struct rng rng = rng_seeded((uint64_t)number);
    struct err err = {0};
    struct corpus *corpus;
    struct query_node *all;
    struct query_compiled *everything;
    struct judge judge;
    struct buf text = {0};
    bool resumed, ok = true;

    tap_case("corpus %d: every query takes the same posts in all ways", number);
    if (!CHECK(synth_write(&options, &progress, arena, &summary, &err)))
        return;
    read_rows(arena);
    if (!CHECK(corpus_build(file_join(folder, "c.db", arena), STR("k"), &corpus, &resumed,
                            &err)) ||
        !compile(STR("*"), arena, &all, &everything, &judge))
        return;
    CHECK(corpus_begin(corpus, &err));
    for (size_t i = 0; i < row_count && ok; i++)
        ok = CHECK(store(corpus, &judge, &rows[i], &err));
    CHECK(corpus_commit(corpus, &err));
    for (size_t i = 0; i < ROWS(leaves); i++)
        compare(corpus, str_from(leaves[i]));
    for (int i = 0; i < QUERIES; i++) {
        buf_clear(&text);
        add_query(&rng, 3, &text);
        compare(corpus, buf_str(&text));
    }
    judge_close(&judge);
    query_free(everything);
    corpus_close(corpus);
    buf_free(&text);
    static const char *const left[] = {"c.db.part", "c.db.part-wal", "c.db.part-shm"};
    for (size_t i = 0; i < ROWS(left); i++)
        file_remove(file_join(folder, left[i], arena));
}

int main(void)
{
    struct arena arena = {0};

    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    for (int i = 0; i < CORPORA; i++)
        check_corpus(i, &arena);
    simulated_remove(folder, &arena);
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
