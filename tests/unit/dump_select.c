/* The pass over posts against a plain one: the same posts for any number of threads, also
 * where answers come before their questions, and when it is broken off and gone on with.
 */
#include "dump/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "synth/synth.h"
#include "tests/tap.h"
#include "tests/unit/simulated.h"

enum { POSTS_MAX = 20000 };

static char folder[] = "/tmp/assay-test-XXXXXX";
static struct arena arena;

/* The ids that were given out, and where to stop for a rest. */
struct taken {
    int64_t ids[POSTS_MAX];
    size_t count;
    int64_t rest_after; /* bytes; 0: never */
    struct dump_select_state *state;
    struct buf saved;
    size_t saved_count;
};

static void make_id(void *context, struct dump_judge *judge,
                    const struct dump_rows_row *row, struct buf *out)
{
    struct item post;

    (void)context;
    dump_judge_read_all(judge, row, &post);
    buf_add(out, (struct str){(const char *)&post.id, sizeof post.id});
}

static enum dump_scan_next take_ids(void *context, struct str bytes, struct err *err)
{
    struct taken *taken = context;

    (void)err;
    memcpy(taken->ids + taken->count, bytes.ptr, bytes.len);
    taken->count += bytes.len / sizeof *taken->ids;
    return DUMP_SCAN_GO_ON;
}

static bool save_once(void *context, const struct dump_scan_part *place, struct err *err)
{
    struct taken *taken = context;

    (void)err;
    if (taken->saved.len > 0 || taken->rest_after == 0 ||
        place->bytes < taken->rest_after)
        return true;
    taken->state->start = place->bytes;
    taken->state->start_line = place->line;
    dump_select_save(taken->state, &taken->saved);
    taken->saved_count = taken->count;
    return true;
}

static bool select_into(const char *query, int threads, struct dump_select_state *state,
                        struct taken *taken, bool census)
{
    struct err err = {0};
    struct query_node *node;
    struct query_compiled *compiled;
    struct input *input;
    size_t member;

    if (!CHECK(query_parse(str_from(query), &arena, &node, &err)) ||
        !CHECK(query_compile(node, (struct query_options){0}, &compiled, &err)) ||
        !CHECK(input_open(folder, &input, &err)) ||
        !CHECK(dump_scan_find(input, DUMP_SCAN_POSTS, &member, &err)))
        return false;
    taken->state = state;
    struct dump_select_job job = {.query = compiled,
                                  .node = node,
                                  .answers = true,
                                  .census = census,
                                  .until_ms = INT64_MAX,
                                  .threads = threads,
                                  .context = taken,
                                  .make = make_id,
                                  .take = take_ids,
                                  .rest = save_once};
    bool ok = CHECK(dump_select_posts(input, member, &job, state, &err));
    input_close(input);
    query_free(compiled);
    return ok;
}

static int by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* What a plain reading finds: questions by their tag, then all their answers. */
static size_t expected(int64_t *ids)
{
    struct err err = {0};
    struct str text;
    struct dump_rows walk = {0};
    struct dump_rows_row row;
    struct idset questions = {0};
    size_t count = 0;

    if (!CHECK(file_read(file_join(folder, "Posts.xml", &arena), &arena, &text, &err)))
        return 0;
    char *padded = arena_array(&arena, char, text.len + DUMP_ROWS_PADDING);
    memcpy(padded, text.ptr, text.len);
    for (int round = 0; round < 2; round++) {
        dump_rows_block(&walk, (struct str){padded, text.len}, 0, true);
        walk.where = DUMP_ROWS_PROLOG;
        while (dump_rows_next(&walk, &row)) {
            int64_t id = 0, parent = -1;
            char *tags = arena_c_string(&arena, dump_rows_raw(&row, DUMP_ROWS_TAGS));
            CHECK(str_to_int(dump_rows_raw(&row, DUMP_ROWS_ID), &id));
            str_to_int(dump_rows_raw(&row, DUMP_ROWS_PARENT_ID), &parent);
            bool tagged =
                strstr(tags, "&lt;keras&gt;") != NULL || strstr(tags, "|keras|") != NULL;
            if (id >= 1000000000)
                continue;
            if (round == 0 ? tagged : idset_has(&questions, parent))
                ids[count++] = id;
            if (round == 0 && tagged)
                idset_add(&questions, id);
        }
    }
    dump_rows_free(&walk);
    idset_free(&questions);
    qsort(ids, count, sizeof *ids, by_id);
    return count;
}

static void check_layout(enum synth_layout layout)
{
    static struct synth_summary summary;
    static int64_t want[POSTS_MAX];
    static struct taken first, other;
    struct synth_options options = {.folder = folder,
                                    .questions = 3000,
                                    .background = 3000,
                                    .seed = 5,
                                    .layout = layout,
                                    .confusion = -1,
                                    .threads = 1};
    struct progress progress = {.style = PROGRESS_QUIET};
    struct err err = {0};

    tap_case("layout %d: questions and answers as a plain reading finds them",
             (int)layout);
    if (!CHECK(synth_write(&options, &progress, &arena, &summary, &err)))
        return;
    size_t count = expected(want);
    struct dump_select_state state = {0};
    first.count = 0;
    select_into("[keras]", 1, &state, &first, false);
    CHECK(first.count == count && count > 500);
    CHECK((int64_t)count == state.taken + state.taken_answers);
    CHECK((state.again && layout == SYNTH_2025_COMMENT) ||
          (!state.again && layout != SYNTH_2025_COMMENT));
    dump_select_state_free(&state);

    tap_case("layout %d: the same order for 2 and 4 threads", (int)layout);
    for (int threads = 2; threads <= 4; threads += 2) {
        other.count = 0;
        select_into("[keras]", threads, &state, &other, false);
        CHECK(other.count == first.count &&
              memcmp(first.ids, other.ids, first.count * sizeof *first.ids) == 0);
        dump_select_state_free(&state);
    }
    tap_case("layout %d: broken off in the middle and gone on with", (int)layout);
    first.count = other.count = 0;
    first.saved.len = 0;
    first.rest_after = summary.files[SYNTH_POSTS].bytes / 2;
    select_into("[keras]", 2, &state, &first, true);
    struct dump_select_health health = state.health;
    int64_t cells = (int64_t)state.tally.count;
    dump_select_state_free(&state);
    if (CHECK(first.saved.len > 0) &&
        CHECK(dump_select_load(&state, buf_str(&first.saved)))) {
        memcpy(other.ids, first.ids, first.saved_count * sizeof *first.ids);
        other.count = first.saved_count;
        select_into("[keras]", 1, &state, &other, true);
        CHECK(other.count == first.count &&
              memcmp(first.ids, other.ids, first.count * sizeof *first.ids) == 0);
        CHECK(memcmp(&health, &state.health, sizeof health) == 0);
        CHECK((int64_t)state.tally.count == cells);
    }
    tap_case("layout %d: the dump's health is what was simulated", (int)layout);
    CHECK(health.questions ==
          summary.counts.questions + summary.counts.background_questions);
    CHECK(health.answers == summary.counts.answers &&
          health.others == summary.counts.wikis);
    CHECK(health.planted == summary.counts.planted && health.orphans == 0);
    CHECK(health.accepted_missing == 0 && health.duplicates == 0);
    dump_select_state_free(&state);
    qsort(first.ids, first.count, sizeof *first.ids, by_id);
    CHECK(first.count == count && memcmp(first.ids, want, count * sizeof *want) == 0);
    buf_free(&first.saved);
    first.rest_after = 0;
}

static void check_damage(void)
{
    static struct synth_summary summary;
    static struct taken taken;
    static const struct {
        const char *name;
        enum synth_damage damage;
        size_t offset; /* in struct dump_select_health */
    } rows[] = {
        {"answers without question", SYNTH_ORPHAN_ANSWERS,
         offsetof(struct dump_select_health, orphans)},
        {"accepted answers missing", SYNTH_MISSING_ACCEPTED,
         offsetof(struct dump_select_health, accepted_missing)},
        {"repeated ids", SYNTH_DUPLICATE_IDS,
         offsetof(struct dump_select_health, duplicates)},
        {"posts without a date", SYNTH_MISSING_ATTRIBUTES,
         offsetof(struct dump_select_health, no_date)},
    };
    struct progress progress = {.style = PROGRESS_QUIET};
    struct err err = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct synth_options options = {.folder = folder,
                                        .questions = 1000,
                                        .seed = 6,
                                        .damage = rows[i].damage,
                                        .confusion = -1,
                                        .threads = 1};
        struct dump_select_state state = {0};
        tap_case("health: %s are counted", rows[i].name);
        CHECK(synth_write(&options, &progress, &arena, &summary, &err));
        taken.count = 0;
        select_into("[keras]", 2, &state, &taken, true);
        int64_t found;
        memcpy(&found, (const char *)&state.health + rows[i].offset, sizeof found);
        CHECK(found == summary.counts.damaged && found > 0);
        dump_select_state_free(&state);
    }
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return puts("Bail out! no temporary folder"), 1;
    /* In the last one answers come before their questions. */
    for (int layout = TAP_RACES ? SYNTH_2025_COMMENT : 0; layout <= SYNTH_2025_COMMENT;
         layout++)
        check_layout((enum synth_layout)layout);
    check_damage();
    simulated_remove(folder, &arena);
    rmdir(folder);
    arena_free(&arena);
    return tap_done();
}
