/* Funnels: what each condition lets through, alone and after those before it. */
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
    const char *table; /* condition:alone:together, a line each */
} rows[] = {
    {"three conditions", "[a] word score:1", "[a]:4:4\nprose:word:4:2\nscore:1:4:1\n"},
    {"in written order, whatever the cost", "word score:1 [a]",
     "prose:word:4:4\nscore:1:4:2\n[a]:4:1\n"},
    {"a group is one condition", "([a] or word) score:1",
     "[a] or prose:word:6:6\nscore:1:4:3\n"},
    {"not", "score:1 -([a] word)", "score:1:4:4\nnot ([a] and prose:word):6:3\n"},
    {"nobody passes", "[a] [b] word", "[a]:4:4\n[b]:4:0\nprose:word:4:0\n"},
    {"the same condition twice", "word word", "prose:word:4:4\nprose:word:4:4\n"},
    {"an or has one row", "[a] or word", "[a] or prose:word:6:6\n"},
    {"everything", "", "*:8:8\n"},
};

static void add_table(const struct query_funnel *funnel, struct buf *out)
{
    for (size_t i = 0; i < funnel->count; i++)
        buf_add_format(out, "%.*s:%lld:%lld\n", STR_ARG(funnel->rows[i].condition),
                       (long long)funnel->rows[i].alone,
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
    /* Counted in two parts and merged, as threads do. */
    struct query_funnel parts[2] = {query_funnel_begin(compiled, true, &arena),
                                    query_funnel_begin(compiled, true, &arena)};
    struct query_funnel brief = query_funnel_begin(compiled, false, &arena);
    struct buf out = {0};

    for (int i = 0; i < POSTS; i++) {
        bool passes = post_holds(compiled, scratch, &posts[i].asked);
        CHECK(post_passes(&parts[i % 2], compiled, scratch, &posts[i].asked) == passes);
        enum query_verdict verdict =
            query_funnel_add_cheap(&brief, compiled, scratch, &posts[i].asked);
        if (verdict == QUERY_NEEDS_TEXT)
            CHECK(post_passes(&brief, compiled, scratch, &posts[i].asked) == passes);
        else
            CHECK((verdict == QUERY_YES) == passes);
    }
    query_funnel_merge(&parts[0], &parts[1]);
    add_table(&parts[0], &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, table);
    CHECK(parts[0].posts == POSTS && brief.posts == POSTS);
    for (size_t i = 0; i < brief.count; i++) {
        CHECK(brief.rows[i].together == parts[0].rows[i].together);
        CHECK(brief.rows[i].alone == 0);
    }
    buf_free(&out);
    query_scratch_close(scratch);
    query_free(compiled);
    arena_free(&arena);
}

/* A row that depends on a regex that gave up makes the count fail, even where the query
 * is decided by another condition. */
static void check_given_up(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct query_compiled *compiled = compile("score:1 /((a+)+)\\1\\d/", &arena);
    struct query_scratch *scratch = query_scratch_open(compiled);
    struct query_funnel brief = query_funnel_begin(compiled, false, &arena);
    struct query_funnel full = query_funnel_begin(compiled, true, &arena);
    struct post post = post_empty();
    bool passes = true;

    post.texts[QUERY_PROSE] = STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
    post.item.score = 2;
    post_ready(&post);
    tap_case("given up: not asked behind a condition that is not met");
    CHECK(query_funnel_add(&brief, compiled, scratch, &post.asked, &passes, &err));
    CHECK(!passes && brief.posts == 1);
    tap_case("given up: counting each condition alone fails");
    CHECK(!query_funnel_add(&full, compiled, scratch, &post.asked, &passes, &err));
    CHECK(full.posts == 0 && err.kind == ERR_INPUT);
    tap_case("given up: so does counting behind conditions that are met");
    post.item.score = 1;
    err = (struct err){0};
    CHECK(!query_funnel_add(&brief, compiled, scratch, &post.asked, &passes, &err));
    CHECK(brief.posts == 1 && err.kind == ERR_INPUT);
    query_scratch_close(scratch);
    query_free(compiled);
    arena_free(&arena);
}

static void check_cheap(struct post *posts)
{
    struct arena arena = {0};
    struct query_compiled *compiled = compile("[a] word score:1", &arena);
    struct query_scratch *scratch = query_scratch_open(compiled);
    struct query_funnel brief = query_funnel_begin(compiled, false, &arena);
    struct query_funnel full = query_funnel_begin(compiled, true, &arena);

    tap_case("cheap: no text for a post that an earlier condition ends");
    CHECK(query_funnel_add_cheap(&brief, compiled, scratch, &posts[0].asked) == QUERY_NO);
    CHECK(brief.posts == 1 && brief.rows[0].together == 0);
    tap_case("cheap: nothing is counted when text is needed");
    CHECK(query_funnel_add_cheap(&brief, compiled, scratch, &posts[1].asked) ==
          QUERY_NEEDS_TEXT);
    CHECK(brief.posts == 1 && brief.rows[0].together == 0);
    tap_case("cheap: counting each condition alone needs the text of every post");
    CHECK(query_funnel_add_cheap(&full, compiled, scratch, &posts[0].asked) ==
          QUERY_NEEDS_TEXT);
    CHECK(full.posts == 0);
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
    check_cheap(posts);
    check_given_up();
    return tap_done();
}
