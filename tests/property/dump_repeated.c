/* Posts that stand several times in a dump, with other tags, other parents or another
 * date: what a pass takes, and in which order, is what the rule says (see dump/select.h),
 * for any number of threads, however late the merge comes, and when it is broken off. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "dump/select.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"

enum {
    ROWS_MAX = 400,
    QUESTIONS = 40,
    ANSWERS = 120,
    FIRST_ANSWER = 1000,
    SEEDS = TAP_RACES ? 10 : 40,
    UNTIL_DAY = 20, /* of a month; rows are from its days 1 to 28 */
};

static struct arena arena;
static struct packed_folder folder;

struct row {
    int64_t id, parent; /* parent 0: a question */
    int64_t score;      /* the number of the row; below 0: a question that is not taken */
    int day;
};

static struct row rows[ROWS_MAX];
static size_t row_count;

static int64_t below(struct rng *rng, int64_t bound)
{
    return (int64_t)rng_below(rng, (uint64_t)bound);
}

/* A third of the ids stands more than once. Rows of a question follow each other closely
 * at times, as when a dump was put together from two. */
static void draw_rows(struct rng *rng)
{
    row_count = 0;
    while (row_count < ROWS_MAX) {
        bool near = row_count > 0 && below(rng, 4) == 0;
        struct row *row = &rows[row_count];
        row->day = 1 + (int)below(rng, 28);
        row->parent = 0;
        row->id = 1 + below(rng, QUESTIONS);
        if (near && rows[row_count - 1].parent == 0)
            row->id = rows[row_count - 1].id;
        else if (below(rng, 3) > 0) {
            row->parent = near ? rows[row_count - 1].parent : 1 + below(rng, QUESTIONS);
            row->id = FIRST_ANSWER + below(rng, ANSWERS);
        }
        row_count++;
        row->score = row->parent > 0 || below(rng, 2) == 0 ? (int64_t)row_count
                                                           : -(int64_t)row_count;
    }
}

static void write_rows(struct rng *rng, bool frames)
{
    struct buf table = {0}, packed = {0};

    buf_add(&table, STR("<posts>\n"));
    for (size_t i = 0; i < row_count; i++) {
        const struct row *row = &rows[i];
        buf_add_format(&table,
                       "  <row Id=\"%lld\" PostTypeId=\"%d\" Score=\"%lld\" "
                       "CreationDate=\"2020-01-%02dT00:00:00.000\" Body=\"",
                       (long long)row->id, row->parent > 0 ? 2 : 1, (long long)row->score,
                       row->day);
        for (int64_t left = below(rng, 100); left > 0; left--)
            buf_add_char(&table, 'x');
        if (row->parent > 0)
            buf_add_format(&table, "\" ParentId=\"%lld\" />\n", (long long)row->parent);
        else
            buf_add_format(&table, "\" Tags=\"&lt;%s&gt;\" />\n",
                           row->score > 0 ? "keras" : "theano");
    }
    buf_add(&table, STR("</posts>\n"));
    /* Frames of unknown size are parts of their own. */
    for (size_t done = 0; frames && done < table.len;) {
        size_t some = 1 + (size_t)below(rng, 1500);
        packed_zstd(str_slice(buf_str(&table), done, done + some), false, &packed);
        done += some;
    }
    packed_write(&folder, frames ? "Posts.xml.zst" : "Posts.xml",
                 frames ? buf_str(&packed) : buf_str(&table));
    buf_free(&table);
    buf_free(&packed);
}

/* --- the rule --- */

/* Whether a row of the question among the first `count` is taken, or is not taken. */
static bool stands(int64_t question, bool taken, size_t count, int until)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].parent == 0 && rows[i].id == question && rows[i].day < until &&
            (rows[i].score > 0) == taken)
            return true;
    return false;
}

static void add_post(const struct row *row, struct buf *out)
{
    buf_add_format(out, "%lld %lld\n", (long long)row->id, (long long)row->score);
}

static void add_late(int64_t answer, int64_t question, struct buf *out)
{
    buf_add_format(out, "late %lld of %lld\n", (long long)answer, (long long)question);
}

static void expect(int until, struct buf *out)
{
    struct idset given = {0};

    for (int second = 0; second < 2; second++)
        for (size_t i = 0; i < row_count; i++) {
            const struct row *row = &rows[i];
            bool now = second || (stands(row->parent, true, i, until) &&
                                  !stands(row->parent, false, i, until));
            if (row->day >= until)
                continue;
            if (row->parent == 0 ? row->score > 0 && !second
                                 : now && stands(row->parent, true, row_count, until) &&
                                       idset_add(&given, row->id))
                add_post(row, out);
        }
    idset_free(&given);
    for (int64_t answer = FIRST_ANSWER; answer < FIRST_ANSWER + ANSWERS; answer++)
        for (int64_t question = 1; question <= QUESTIONS; question++)
            for (size_t i = 0; i < row_count; i++)
                if (rows[i].id == answer && rows[i].parent == question &&
                    rows[i].day >= until && stands(question, true, row_count, until)) {
                    add_late(answer, question, out);
                    break;
                }
}

/* --- the pass --- */

struct taken {
    struct buf posts, saved;
    struct dump_select_state *state;
    int64_t rest_after; /* bytes; -1: never */
    size_t posts_saved;
    bool delay;
};

static void delay(const struct taken *taken, int64_t number)
{
    if (taken->delay && number % 3 == 0)
        nanosleep(&(struct timespec){.tv_nsec = 20000 + number % 7 * 20000}, NULL);
}

static void make(void *context, struct dump_judge *judge, const struct dump_rows_row *row,
                 struct buf *out)
{
    struct item post;

    dump_judge_read_all(judge, row, &post);
    delay(context, post.score);
    add_post(&(struct row){.id = post.id, .score = post.score}, out);
}

static enum dump_scan_next take(void *context, struct str bytes, struct err *err)
{
    struct taken *taken = context;

    (void)err;
    delay(taken, (int64_t)taken->posts.len);
    buf_add(&taken->posts, bytes);
    return DUMP_SCAN_GO_ON;
}

static bool save_once(void *context, const struct dump_scan_part *place, struct err *err)
{
    struct taken *taken = context;

    (void)err;
    if (taken->rest_after < 0 || place->bytes <= taken->rest_after ||
        taken->saved.len > 0)
        return true;
    taken->state->start = place->bytes;
    taken->state->start_line = place->line;
    dump_select_save(taken->state, &taken->saved);
    taken->posts_saved = taken->posts.len;
    return true;
}

static int by_answer(const void *a, const void *b)
{
    const struct dump_select_late *x = a, *y = b;

    if (x->answer != y->answer)
        return x->answer < y->answer ? -1 : 1;
    return (x->question > y->question) - (x->question < y->question);
}

/* As an ingest stores them: those of questions that were taken, each once. */
static void add_late_answers(const struct dump_select_state *state, struct buf *out)
{
    size_t count = state->late_answers.len / sizeof(struct dump_select_late);
    struct dump_select_late *late =
        arena_array(&arena, struct dump_select_late, count + 1);

    if (count == 0)
        return;
    memcpy(late, state->late_answers.ptr, count * sizeof *late);
    qsort(late, count, sizeof *late, by_answer);
    for (size_t i = 0; i < count; i++)
        if (idset_has(&state->matched, late[i].question) &&
            (i == 0 || by_answer(&late[i - 1], &late[i]) != 0))
            add_late(late[i].answer, late[i].question, out);
}

struct asked {
    const char *query;
    bool census;
};

static void pass(const struct asked *asked, int threads, struct taken *taken,
                 struct dump_select_state *state)
{
    struct query_node *node;
    struct query_compiled *compiled = NULL;
    struct input *input = NULL;
    struct err err = {0};

    CHECK(query_parse(str_from(asked->query), &arena, &node, &err) &&
          query_compile(node, (struct query_options){0}, &compiled, &err));
    struct dump_select_job job = {.query = compiled,
                                  .node = node,
                                  .newest_ms = ITEM_NONE,
                                  .answers = true,
                                  .census = asked->census,
                                  .until_ms = INT64_C(1577836800000) +
                                              (UNTIL_DAY - 1) * INT64_C(86400000),
                                  .threads = threads,
                                  .context = taken,
                                  .make = make,
                                  .take = take,
                                  .rest = save_once};
    taken->state = state;
    CHECK(input_open(folder.last, &input, &err));
    CHECK(dump_select_posts(input, 0, &job, state, &err));
    CHECK_TEXT(err.text, "");
    add_late_answers(state, &taken->posts);
    input_close(input);
    query_free(compiled);
}

/* What one thread makes of a file. */
struct alone {
    struct buf posts;
    struct dump_select_health health;
};

/* How often something else came than the rule says, and than one thread says. */
struct wrong {
    size_t rule, alone;
};

static void compare(const struct asked *asked, int threads, int64_t rest_after,
                    struct str want, struct alone *alone, struct wrong *wrong)
{
    struct taken taken = {.rest_after = rest_after, .delay = threads > 1};
    struct dump_select_state state = {0};

    pass(asked, threads, &taken, &state);
    if (threads == 1) {
        buf_clear(&alone->posts);
        buf_add(&alone->posts, buf_str(&taken.posts));
        alone->health = state.health;
    }
    wrong->rule += !str_eq(buf_str(&taken.posts), want);
    wrong->alone += !str_eq(buf_str(&taken.posts), buf_str(&alone->posts)) ||
                    memcmp(&alone->health, &state.health, sizeof state.health) != 0;
    dump_select_state_free(&state);
    if (rest_after >= 0 && CHECK(taken.saved.len > 0) &&
        CHECK(dump_select_load(&state, buf_str(&taken.saved)))) {
        taken.posts.len = taken.posts_saved;
        taken.rest_after = -1;
        pass(asked, threads, &taken, &state);
        wrong->rule += !str_eq(buf_str(&taken.posts), want);
    }
    dump_select_state_free(&state);
    buf_free(&taken.posts);
    buf_free(&taken.saved);
}

static void tell(const char *what, const struct asked *asked, const struct wrong *wrong)
{
    tap_case("%s of %s, %s: what the rule says", asked->census ? "ingest" : "scan",
             asked->query, what);
    if (!CHECK(wrong->rule == 0 && wrong->alone == 0))
        printf("# of %d dumps %zu are not as the rule says, %zu not as one thread says\n",
               (int)SEEDS, wrong->rule, wrong->alone);
}

static void check(const struct asked *asked)
{
    static const char *const names[] = {"one part", "1 thread", "2 threads", "3 threads"};
    struct wrong wrong[4] = {{0}}, broken_off = {0};
    struct buf want = {0};
    struct alone alone = {0};

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct rng rng = rng_seeded(seed);
        draw_rows(&rng);
        buf_clear(&want);
        expect(asked->census ? UNTIL_DAY : 100, &want);
        write_rows(&rng, false);
        compare(asked, 1, -1, buf_str(&want), &alone, &wrong[0]);
        write_rows(&rng, true);
        for (int threads = 1; threads <= 3; threads++)
            compare(asked, threads, -1, buf_str(&want), &alone, &wrong[threads]);
        if (asked->census)
            compare(asked, 2, below(&rng, 30000), buf_str(&want), &alone, &broken_off);
        arena_free(&arena);
    }
    for (size_t i = 0; i < ROWS(wrong); i++)
        tell(names[i], asked, &wrong[i]);
    if (asked->census)
        tell("broken off", asked, &broken_off);
    buf_free(&want);
    buf_free(&alone.posts);
}

int main(void)
{
    static const struct asked asked[] = {
        {"[keras]", false}, {"[keras]", true}, {"score>0", false}, {"score>0", true}};

    folder = packed_folder();
    for (size_t i = 0; i < ROWS(asked); i++)
        check(&asked[i]);
    packed_clean(&folder);
    arena_free(&arena);
    return tap_done();
}
