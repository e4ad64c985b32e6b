/* Rows with damaged values, at random: a query sees the same texts whether a row is
 * judged as it stands (as `assay scan` does) or decoded (as `assay ingest` and a study
 * do); and a whole table gives the same posts, broken rows and doubts to a scan and to an
 * ingest, for any number of threads, and when it is broken off. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rng.h"
#include "dump/select.h"
#include "tests/tap.h"

static char folder[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;

static const struct str pieces[] = {
    STR_INIT("&lt;p&gt;"),
    STR_INIT("&lt;/p&gt;"),
    STR_INIT("&lt;pre&gt;"),
    STR_INIT("&lt;/pre&gt;"),
    STR_INIT("&lt;code&gt;"),
    STR_INIT("&lt;a href=&quot;"),
    STR_INIT("&quot;&gt;"),
    STR_INIT("&amp;nbsp;"),
    STR_INIT("&amp;#x1F;"),
    STR_INIT("&amp;lt;"),
    STR_INIT("&#xA;"),
    STR_INIT("tensor"),
    STR_INIT("flow "),
    STR_INIT("a"),
    STR_INIT("&#x1F;"),
    STR_INIT("&#0;"),
    STR_INIT("&#xD800;"),
    STR_INIT("&#xFFFE;"),
    STR_INIT("&#X41;"),
    STR_INIT("&nbsp;"),
    STR_INIT("&"),
    STR_INIT("&#"),
    STR_INIT("&lt"),
    STR_INIT(";"),
    STR_INIT("\x02"),
    {"\0", 1},
    STR_INIT("\n"),
    STR_INIT("\r\n"),
    STR_INIT("\t"),
    STR_INIT("\xC3\xA9"),
    STR_INIT("\xFF"),
    STR_INIT("\xE2\x82"),
    STR_INIT("\xEF\xBF\xBF"),
    STR_INIT("\xEF\xBF\xBD"),
    STR_INIT("\xED\xA0\x80"),
    STR_INIT("&#x1F600;"),
};

static const char *const numbers[] = {
    "1", "-3", "five", "12.5", "", "99999999999999999999", "&#49;"};
static const char *const dates[] = {"2014-01-21T20:58:43.500", "2014-02-30", "yesterday",
                                    ""};
static const char *const ids[] = {
    "", "x", "-1", "1.5", "99999999999999999999", "274877906944"};

static size_t below(struct rng *rng, size_t bound)
{
    return (size_t)rng_below(rng, bound);
}

static void add_text(struct rng *rng, struct buf *out, const char *name, size_t most)
{
    buf_add_format(out, " %s=\"", name);
    for (size_t left = below(rng, most + 1); left > 0; left--)
        buf_add(out, pieces[below(rng, ROWS(pieces))]);
    buf_add_char(out, '"');
}

static const char *one_of(struct rng *rng, const char *const *list, size_t count)
{
    return below(rng, 4) > 0 ? list[0] : list[below(rng, count)];
}

/* False when the row has no id that can be read. */
static bool add_row(struct rng *rng, struct buf *out, int64_t id, int64_t questions)
{
    bool question = below(rng, 3) == 0, named = below(rng, 20) > 0;

    buf_add(out, STR("  <row"));
    if (named)
        buf_add_format(out, " Id=\"%lld\"", (long long)id);
    else if (below(rng, 4) > 0)
        buf_add_format(out, " Id=\"%s\"", ids[below(rng, ROWS(ids))]);
    buf_add_format(out, " PostTypeId=\"%d\" CreationDate=\"%s\" Score=\"%s\"",
                   question ? 1 : 2, one_of(rng, dates, ROWS(dates)),
                   one_of(rng, numbers, ROWS(numbers)));
    add_text(rng, out, "Body", 20);
    if (question) {
        add_text(rng, out, "Title", 6);
        buf_add_format(out, " ViewCount=\"%s\"", one_of(rng, numbers, ROWS(numbers)));
        add_text(rng, out, "Tags", 2);
    } else { /* of a question before it or behind it, or of none */
        buf_add_format(out, " ParentId=\"%lld\"",
                       1 + (long long)below(rng, (size_t)questions));
    }
    add_text(rng, out, "ContentLicense", 2);
    buf_add(out, STR(" />\n"));
    return named;
}

static struct query_compiled *compile(const char *text, struct query_node **node)
{
    struct query_compiled *compiled = NULL;
    struct err err = {0};

    CHECK(query_parse(str_from(text), &arena, node, &err) &&
          query_compile(*node, (struct query_options){0}, &compiled, &err));
    return compiled;
}

/* The texts that a query can ask for. */
static void add_texts(struct dump_judge *judge, const struct item *post, struct buf *out)
{
    struct err err = {0};
    bool meets = false;

    CHECK(dump_judge_post(judge, post, &meets, &err));
    buf_add_format(out, "%d ", meets);
    for (int i = 0; i < QUERY_TEXTS; i++) {
        buf_add(out, dump_judge_text(judge, (enum query_text)i));
        buf_add_char(out, '\0');
    }
    buf_add(out, post->tags);
    buf_add_format(out, " %zu", dump_judge_code_blocks(judge));
}

static void check_rows(void)
{
    enum { ROUNDS = 20000 };
    struct query_node *node;
    struct query_compiled *compiled =
        compile("body:tensor or title:flow or code:a or [tensor]", &node);
    struct query_needs needs = query_needs(node);
    struct dump_judge judge;
    struct dump_rows walk = {0};
    struct dump_rows_row row;
    struct rng rng = rng_seeded(11);
    struct buf bytes = {0}, scanned = {0}, ingested = {0};
    struct item post;
    size_t wrong = 0;
    int64_t replaced = 0;

    tap_case("a query sees the same texts in a row and in the post that is stored");
    dump_judge_open(&judge, compiled, &needs);
    for (int i = 0; i < ROUNDS; i++) {
        buf_clear(&bytes);
        buf_clear(&scanned);
        buf_clear(&ingested);
        add_row(&rng, &bytes, i, ROUNDS);
        memset(buf_reserve(&bytes, DUMP_ROWS_PADDING), 0, DUMP_ROWS_PADDING);
        walk.where = DUMP_ROWS_CONTENT;
        dump_rows_block(&walk, buf_str(&bytes), 0, false);
        if (!CHECK(dump_rows_next(&walk, &row)))
            break;
        dump_judge_read(&judge, &row, &post);
        add_texts(&judge, &post, &scanned);
        dump_judge_read_all(&judge, &row, &post);
        add_texts(&judge, &post, &ingested);
        replaced += judge.doubts.replaced;
        if (!str_eq(buf_str(&scanned), buf_str(&ingested)) && wrong++ == 0)
            printf("# differs: %.*s", STR_ARG(buf_str(&bytes)));
    }
    CHECK(wrong == 0);
    CHECK(replaced > ROUNDS);
    dump_judge_close(&judge);
    dump_rows_free(&walk);
    buf_free(&bytes);
    buf_free(&scanned);
    buf_free(&ingested);
    query_free(compiled);
}

/* --- whole tables --- */

struct taken {
    struct buf posts, saved;
    struct dump_select_state *state;
    int64_t rest_after;
    size_t posts_saved;
};

static void make(void *context, struct dump_judge *judge, const struct dump_rows_row *row,
                 struct buf *out)
{
    struct item post;

    (void)context;
    dump_judge_read_all(judge, row, &post);
    buf_add_format(out, "%lld %lld %lld ", (long long)post.id, (long long)post.score,
                   (long long)post.created_ms);
    buf_add(out, post.title);
    buf_add(out, post.body);
    buf_add(out, post.license);
    buf_add_char(out, '\n');
}

static enum dump_scan_next take(void *context, struct str bytes, struct err *err)
{
    struct taken *taken = context;

    (void)err;
    buf_add(&taken->posts, bytes);
    return DUMP_SCAN_GO_ON;
}

static bool save_once(void *context, const struct dump_scan_part *place, struct err *err)
{
    struct taken *taken = context;

    (void)err;
    if (taken->rest_after == 0 || place->bytes < taken->rest_after ||
        taken->saved.len > 0)
        return true;
    taken->state->start = place->bytes;
    taken->state->start_line = place->line;
    dump_select_save(taken->state, &taken->saved);
    taken->posts_saved = taken->posts.len;
    return true;
}

static void pass(const char *query, int threads, bool census, struct taken *taken,
                 struct dump_select_state *state)
{
    struct query_node *node;
    struct query_compiled *compiled = compile(query, &node);
    struct input *input = NULL;
    struct err err = {0};
    struct dump_select_job job = {.query = compiled,
                                  .node = node,
                                  .answers = true,
                                  .census = census,
                                  .until_ms = INT64_MAX,
                                  .threads = threads,
                                  .skip_broken = true,
                                  .context = taken,
                                  .make = make,
                                  .take = take,
                                  .rest = save_once};

    taken->state = state;
    CHECK(input_open(file_join(folder, "Posts.xml", &arena), &input, &err));
    CHECK(dump_select_posts(input, 0, &job, state, &err));
    CHECK_TEXT(err.text, "");
    input_close(input);
    query_free(compiled);
}

static bool same_outcome(const struct dump_select_state *a,
                         const struct dump_select_state *b)
{
    return a->taken == b->taken && a->taken_answers == b->taken_answers &&
           a->scan.rows == b->scan.rows && a->scan.broken == b->scan.broken &&
           a->scan.first_broken.offset == b->scan.first_broken.offset &&
           a->scan.first_broken_line == b->scan.first_broken_line &&
           memcmp(&a->health, &b->health, sizeof a->health) == 0;
}

static void check_table(const char *query, uint64_t seed, int64_t count)
{
    struct rng rng = rng_seeded(seed);
    struct buf table = {0};
    struct err err = {0};
    struct taken scanned = {0}, ingested = {0}, other = {0};
    struct dump_select_state first = {0}, whole = {0}, state = {0};
    int64_t nameless = 0;

    buf_add(&table, STR("<posts>\n"));
    for (int64_t id = 1; id <= count; id++)
        nameless += !add_row(&rng, &table, id, count);
    buf_add(&table, STR("</posts>\n"));
    CHECK(file_write(file_join(folder, "Posts.xml", &arena), buf_str(&table), &err));

    tap_case("%s: an ingest takes what a scan takes", query);
    pass(query, 1, false, &scanned, &first);
    pass(query, 1, true, &ingested, &whole);
    CHECK(str_eq(buf_str(&scanned.posts), buf_str(&ingested.posts)));
    CHECK(scanned.posts.len > 0 && first.health.doubts.replaced > 0);
    tap_case("%s: rows without an id are broken", query);
    CHECK(whole.scan.broken == nameless && nameless > 0);
    CHECK(first.scan.broken == nameless);
    CHECK(whole.scan.first_broken_line > 1);
    CHECK(whole.health.doubts.unreadable >= first.health.doubts.unreadable);
    tap_case("%s: the same for three threads", query);
    pass(query, 3, false, &other, &state);
    CHECK(str_eq(buf_str(&scanned.posts), buf_str(&other.posts)));
    CHECK(same_outcome(&first, &state));
    dump_select_state_free(&state);
    buf_clear(&other.posts);
    pass(query, 3, true, &other, &state);
    CHECK(str_eq(buf_str(&ingested.posts), buf_str(&other.posts)));
    CHECK(same_outcome(&whole, &state));
    dump_select_state_free(&state);
    tap_case("%s: the same when it is broken off", query);
    buf_clear(&other.posts);
    other.rest_after = (int64_t)table.len / 2;
    pass(query, 2, true, &other, &state);
    dump_select_state_free(&state);
    if (CHECK(other.saved.len > 0) &&
        CHECK(dump_select_load(&state, buf_str(&other.saved)))) {
        other.posts.len = other.posts_saved;
        pass(query, 2, true, &other, &state);
        CHECK(str_eq(buf_str(&ingested.posts), buf_str(&other.posts)));
        CHECK(same_outcome(&whole, &state));
    }
    dump_select_state_free(&state);
    dump_select_state_free(&first);
    dump_select_state_free(&whole);
    struct buf *const all[] = {&table,          &scanned.posts,  &scanned.saved,
                               &ingested.posts, &ingested.saved, &other.posts,
                               &other.saved};
    for (size_t i = 0; i < ROWS(all); i++)
        buf_free(all[i]);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    check_rows();
    check_table("*", 1, 30000);
    check_table("body:tensor or title:flow", 2, 30000);
    check_table("score>0", 3, 30000);
    file_remove(file_join(folder, "Posts.xml", &arena));
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
