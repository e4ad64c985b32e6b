/* Hostile tables of several parts, at random: a file that is mapped and filtered by its
 * tags gives the same posts, broken rows, messages and census as one that is unpacked,
 * and as the same query without a filter, for any number of threads. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "dump/select.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"

/* Parts have 4 MB; of the first ones every second is mapped, and the last is not. */
enum { TABLE_BYTES = 13 << 20 };

static const int64_t UNTIL_MS = 1546300800000; /* 2019-01-01 */

static struct arena arena;

static const char *const spaces[] = {" ", " ", " ", "  ", "\n", "\r\n\t", "\t"};

static const char *const tags[] = {
    "&lt;keras&gt;",
    "&lt;python&gt;&lt;keras&gt;",
    "|keras|",
    "|python|theano|",
    "&lt;KERAS&gt;",
    "&#60;keras&#62;",
    "&#x3C;theano&#x3E;",
    "&lt;k&#101;ras&gt;",
    "&lt;keras-layer&gt;",
    "&lt;python&gt;",
    "&lt;python&gt;&lt;pandas&gt;&lt;numpy&gt;",
    "|r|",
    "keras",
    "&lt;",
    "&lt;kerax&gt;",
    "&lt;ker&nbsp;as&gt;",
    "|r|a > b|",
    "",
};

static const char *const dates[] = {
    "2018-02-28T23:59:59.999",
    "2018-02-29T00:00:00.000",
    "2018-03-31T10:00:00.000",
    "2018-03-31T10:00:01.000",
    "2018-04-31T10:00:00.000",
    "2019-01-01T00:00:00.000",
    "2019-01-01T00:00:00",
    "2019-01-01",
    "never",
    "",
};

static const char *const scores[] = {"0",          "7",  "-1", "12345678", "123456789",
                                     "&#49;&#50;", "7x", "+3", "",         " 5"};

/* What makes a row no row. */
static const char *const wrongs[] = {
    " Id=\"1\" Id=\"2\"",       " Title=\"a < b\"",      " Score=5", " =\"\"",
    " Other=\"1\" Other=\"2\"", " Body=\"&lt;keras&gt;", "/ ",       "<b/>",
};

/* What may stand between rows; rows of comments are none. */
static const char *const gaps[] = {
    "\n  ",
    "\n  ",
    "\n  ",
    "\r\n",
    "",
    "\n\n\n\n\n\n\t",
    "<!-- <row Id=\"7\" PostTypeId=\"1\" Tags=\"&lt;keras&gt;\" /> -->",
    "<?x <row Id=\"8\" PostTypeId=\"1\" Tags=\"&lt;keras&gt;\" /> ?>",
};

static const char *pick(struct rng *rng, const char *const *list, size_t count)
{
    return list[rng_below(rng, count)];
}

static void add_attribute(struct rng *rng, struct buf *out, const char *name,
                          const char *value)
{
    char quote = rng_below(rng, 10) == 0 ? '\'' : '"';
    const char *around = rng_below(rng, 20) == 0 ? " " : "";

    buf_add_format(out, "%s%s%s=%s%c%s%c", pick(rng, spaces, ROWS(spaces)), name, around,
                   around, quote, value, quote);
}

static void add_body(struct rng *rng, struct buf *out)
{
    buf_add(out, STR(" Body=\"&lt;p&gt;"));
    for (uint64_t left = rng_below(rng, 30); left > 0; left--)
        buf_add(out, STR("words of a post, one behind the other;&#xA;"));
    if (rng_below(rng, 4) == 0)
        buf_add(out, STR("Tags=&quot;&lt;keras&gt;&quot; |keras| &lt;theano&gt;"));
    buf_add(out, STR("&lt;/p&gt;\""));
}

/* The attributes of a row, in an order of their own. */
static void add_row(struct rng *rng, struct buf *out, long long id, bool named,
                    bool broken)
{
    bool question = rng_below(rng, 2) == 0;
    size_t first = rng_below(rng, 4) == 0 ? (size_t)rng_below(rng, 6) : 0;
    char number[32];

    buf_add(out, STR("<row"));
    for (size_t i = 0; i < 8; i++) {
        switch ((first + i) % 8) {
        case 0:
            snprintf(number, sizeof number, "%lld", id);
            if (rng_below(rng, 2000) == 0)
                add_attribute(rng, out, "Id", "1000000001");
            else if (named)
                add_attribute(rng, out, "Id", number);
            break;
        case 1:
            add_attribute(rng, out, "PostTypeId", question ? "1" : "2");
            break;
        case 2: /* of a question before it or behind it, or of none */
            snprintf(number, sizeof number, "%lld",
                     id + 3 - (long long)rng_below(rng, 9));
            if (!question)
                add_attribute(rng, out, "ParentId", number);
            break;
        case 3:
            add_body(rng, out);
            break;
        case 4:
            if (question || rng_below(rng, 50) == 0)
                add_attribute(rng, out, "Tags", pick(rng, tags, ROWS(tags)));
            break;
        case 5:
            if (rng_below(rng, 3) == 0)
                add_attribute(rng, out, "NewerThanThis", "x");
            break;
        case 6:
            if (rng_below(rng, 9) > 0)
                add_attribute(rng, out, "CreationDate", pick(rng, dates, ROWS(dates)));
            break;
        case 7:
            if (rng_below(rng, 9) > 0)
                add_attribute(rng, out, rng_below(rng, 4) > 0 ? "Score" : "ViewCount",
                              pick(rng, scores, ROWS(scores)));
            break;
        }
    }
    if (broken)
        buf_add(out, str_from(pick(rng, wrongs, ROWS(wrongs))));
    buf_add(out, str_from(rng_below(rng, 9) > 0 ? " />" : "><!-- none --></row >"));
}

static void make_table(uint64_t seed, bool broken, struct buf *out)
{
    struct rng rng = rng_seeded(seed);

    buf_clear(out);
    buf_add(out, STR("\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<posts>\n"));
    for (long long id = 1; out->len < TABLE_BYTES; id++) {
        add_row(&rng, out, id, !broken || rng_below(&rng, 100) > 0,
                broken && rng_below(&rng, 40) == 0);
        buf_add(out, str_from(pick(&rng, gaps, ROWS(gaps))));
    }
    buf_add(out, STR("</posts>\n"));
}

static void make(void *context, struct dump_judge *judge, const struct dump_rows_row *row,
                 struct buf *out)
{
    struct item post;

    (void)context;
    dump_judge_read_all(judge, row, &post);
    buf_add_format(out, "%lld %.*s %.*s\n", (long long)post.id, STR_ARG(post.tags),
                   STR_ARG(post.body));
}

static enum dump_scan_next take(void *context, struct str bytes, struct err *err)
{
    (void)err;
    buf_add(context, bytes);
    return DUMP_SCAN_GO_ON;
}

/* What is asked for of a pass. */
struct asked {
    const char *query;
    bool skip_broken;
    bool census;
    int64_t until_ms; /* of the census */
    bool health;      /* told; only where as much is looked at */
};

static void add_health(const struct dump_select_state *state, struct buf *out)
{
    const struct dump_select_health *health = &state->health;

    buf_add_format(out, "typed %lld, planted %lld, doubts %lld and %lld %s\n",
                   (long long)health->typed, (long long)health->planted,
                   (long long)health->doubts.replaced,
                   (long long)health->doubts.unreadable, health->doubts.first);
    buf_add_format(out, "%lld questions, %lld answers, %lld twice, %lld without a date,",
                   (long long)health->questions, (long long)health->answers,
                   (long long)health->duplicates, (long long)health->no_date);
    buf_add_format(out, " %lld late, %lld <>, %lld ||, %lld untagged, %lld to %lld\n",
                   (long long)health->late, (long long)health->tags_in_angles,
                   (long long)health->tags_in_bars, (long long)health->tags_missing,
                   (long long)health->first_ms, (long long)health->last_ms);
    dump_tally_save(&state->tally, out);
}

/* Everything that a pass comes to, as text. */
static void add_outcome(const char *path, struct asked asked, int threads,
                        struct buf *out)
{
    struct dump_select_state state = {0};
    struct query_compiled *compiled = NULL;
    struct query_node *node = NULL;
    struct input *input = NULL;
    struct err err = {0};
    size_t member;

    CHECK(query_parse(str_from(asked.query), &arena, &node, &err) &&
          query_compile(node, (struct query_options){0}, &compiled, &err));
    if (!CHECK(input_open(path, &input, &err) &&
               dump_scan_find(input, DUMP_SCAN_POSTS, &member, &err)))
        return;
    struct dump_select_job job = {.query = compiled,
                                  .node = node,
                                  .answers = true,
                                  .census = asked.census,
                                  .hash = asked.census,
                                  .until_ms = asked.until_ms,
                                  .threads = threads,
                                  .skip_broken = asked.skip_broken,
                                  .context = out,
                                  .make = make,
                                  .take = take};
    if (!dump_select_posts(input, member, &job, &state, &err)) {
        const char *message = strstr(err.text, ": byte "); /* without path and line */
        buf_add(out, str_from(message != NULL ? message : err.text));
    }
    buf_add_format(out, "taken %lld and %lld of %lld, %lld broken, first at %lld\n",
                   (long long)state.taken, (long long)state.taken_answers,
                   (long long)state.scan.rows, (long long)state.scan.broken,
                   (long long)state.scan.first_broken.offset);
    if (asked.health)
        add_health(&state, out);
    input_close(input);
    dump_select_state_free(&state);
    query_free(compiled);
}

static void check_table(struct packed_folder *folder, uint64_t seed, bool broken,
                        bool skip_broken)
{
    static const char *const filtered = "[keras] or [theano]",
                             *const plain = "[keras] or [theano] or score:999999999..";
    /* A census looks at all posts, whatever the query does. */
    const struct asked wanted[] = {{plain, skip_broken, false, INT64_MAX, false},
                                   {filtered, skip_broken, false, INT64_MAX, true},
                                   {plain, skip_broken, true, INT64_MAX, true},
                                   {plain, skip_broken, true, UNTIL_MS, true}};
    struct buf table = {0}, packed = {0}, want = {0}, got = {0};
    char path[300];

    make_table(seed, broken, &table);
    packed_gzip(buf_str(&table), &packed);
    snprintf(path, sizeof path, "%s",
             packed_write(folder, "Posts.xml.gz", buf_str(&packed)));
    packed_write(folder, "Posts.xml", buf_str(&table));
    for (size_t i = 0; i < ROWS(wanted); i++) {
        struct asked asked = wanted[i];
        buf_clear(&want);
        add_outcome(path, asked, 1, &want);
        asked.query = filtered;
        for (int threads = 1; threads <= 3; threads += 2) {
            buf_clear(&got);
            add_outcome(folder->last, asked, threads, &got);
            CHECK(str_eq(buf_str(&got), buf_str(&want)));
        }
        buf_add_char(&want, '\0');
        CHECK((strstr(want.ptr, "taken 0 ") != NULL) == (broken && !skip_broken));
        CHECK((strstr(want.ptr, "; expected ") != NULL) == (broken && !skip_broken));
    }
    buf_free(&table);
    buf_free(&packed);
    buf_free(&want);
    buf_free(&got);
}

int main(void)
{
    struct packed_folder folder = packed_folder();

    for (uint64_t seed = 1; seed <= 2; seed++) {
        tap_case("table %d, whole", (int)seed);
        check_table(&folder, seed, false, false);
        tap_case("table %d, with broken rows that are skipped", (int)seed);
        check_table(&folder, seed, true, true);
        tap_case("table %d, with broken rows, the first of which ends it", (int)seed);
        check_table(&folder, seed, true, false);
    }
    packed_clean(&folder);
    arena_free(&arena);
    return tap_done();
}
