/* Funnels: what each condition lets through after those before it. */
#include "query/query.h"

#include "tests/tap.h"
#include "tests/unit/query_post.h"

enum { POSTS = 8 };

/* Post i has tag a when bit 0 is set, the word when bit 1 is, score 1 when bit 2 is. */
static void make_posts(struct post *posts)
{
    for (int i = 0; i < POSTS; i++) {
        posts[i] = post_empty();
        posts[i].item.tags = (i & 1) != 0 ? STR("<a>") : STR("<b>");
        posts[i].texts[QUERY_PROSE] = (i & 2) != 0 ? STR("a word") : STR("nothing");
        posts[i].item.score = (i & 4) != 0;
        post_ready(&posts[i]);
    }
}

static const struct {
    const char *name, *query;
    const char *table; /* condition:together, a line each */
} rows[] = {
    {"three conditions", "[a] word score:1", "[a]:4\nprose:word:2\nscore:1:1\n"},
    {"in written order, whatever the cost", "word score:1 [a]",
     "prose:word:4\nscore:1:2\n[a]:1\n"},
    {"a group is one condition", "([a] or word) score:1",
     "[a] or prose:word:6\nscore:1:3\n"},
    {"not", "score:1 -([a] word)", "score:1:4\nnot ([a] and prose:word):3\n"},
    {"nobody passes", "[a] [b] word", "[a]:4\n[b]:0\nprose:word:0\n"},
    {"the same condition twice", "word word", "prose:word:4\nprose:word:4\n"},
    {"an or has one row", "[a] or word", "[a] or prose:word:6\n"},
    {"everything", "", "*:8\n"},
};

static void add_table(const struct query_funnel *funnel, struct buf *out)
{
    for (size_t i = 0; i < funnel->count; i++)
        buf_add_format(out, "%.*s:%lld\n", STR_ARG(funnel->rows[i].condition),
                       (long long)funnel->rows[i].together);
}

static struct query_compiled *compile(const char *query, struct arena *arena)
{
    struct query_node *node;
    struct query_compiled *compiled = NULL;
    struct err err = {0};

    CHECK(query_parse(str_from(query), arena, &node, &err) &&
          query_compile(node, (struct query_options){0}, &compiled, &err));
    return compiled;
}

static void check_row(const char *query, const char *table, struct post *posts)
{
    struct arena arena = {0};
    struct query_compiled *compiled = compile(query, &arena);
    struct query_scratch *scratch = query_scratch_open(compiled);
    struct query_funnel funnel = query_funnel_begin(compiled, &arena);
    struct buf out = {0};

    for (int i = 0; i < POSTS; i++) {
        bool passes = post_holds(compiled, scratch, &posts[i].asked);
        CHECK(post_passes(&funnel, compiled, scratch, &posts[i].asked) == passes);
        CHECK((funnel.passed == funnel.count) == passes);
    }
    add_table(&funnel, &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, table);
    CHECK(funnel.posts == POSTS);
    buf_free(&out);
    query_scratch_close(scratch);
    query_free(compiled);
    arena_free(&arena);
}

/* A row that depends on a regex that gave up makes the count fail; one behind a condition
 * that is not met does not depend on it. */
static void check_given_up(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_compiled *compiled = compile("score:1 /((a+)+)\\1\\d/", &arena);
    struct query_scratch *scratch = query_scratch_open(compiled);
    struct query_funnel funnel = query_funnel_begin(compiled, &arena);
    struct post post = post_empty();
    bool passes = true;

    post.texts[QUERY_PROSE] = STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
    post.item.score = 2;
    post_ready(&post);
    tap_case("given up: not asked behind a condition that is not met");
    CHECK(query_funnel_add(&funnel, compiled, scratch, &post.asked, &passes, &err));
    CHECK(!passes && funnel.posts == 1);
    tap_case("given up: asked behind one that is met, it makes the count fail");
    post.item.score = 1;
    CHECK(!query_funnel_add(&funnel, compiled, scratch, &post.asked, &passes, &err));
    CHECK(funnel.posts == 1 && err.kind == ERR_INPUT);
    query_scratch_close(scratch);
    query_free(compiled);
    arena_free(&arena);
}

int main(void)
{
    struct post posts[POSTS];

    make_posts(posts);
    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("funnel: %s", rows[i].name);
        check_row(rows[i].query, rows[i].table, posts);
    }
    check_given_up();
    return tap_done();
}
