/* The frame: columns of a corpus, what is missing, who answered, which sets took what. */
#include "measure/frame.h"

#include <string.h>

#include "tests/unit/measured.h"
#include "tests/unit/stored.h"

enum { NONE = MEASURED_NONE };

static const struct measured_post posts[] = {
    {.id = 10,
     .kind = 1,
     .accepted = 12,
     .created = 100,
     .views = 0,
     .score = -2,
     .owner = 7,
     .tags = "<a>",
     .answers = 2},
    {.id = 11, .kind = 2, .parent = 10, .created = 130, .owner = 8},
    {.id = 12, .kind = 2, .parent = 10, .created = 160, .owner = 9},
    /* Nothing is known of it. */
    {.id = 20, .kind = 1, .created = NONE, .views = NONE, .score = NONE, .answers = NONE},
    /* Its answer has no moment, its owner is gone; the count says 0. */
    {.id = 30, .kind = 1, .created = 500, .views = 5, .tags = "<a><b>", .closed = 900},
    {.id = 31, .kind = 2, .parent = 30, .created = NONE},
    {.id = 32, .kind = 2, .parent = 30, .created = 700, .owner = 8},
    /* Accepted, but the answer is not there. */
    {.id = 40, .kind = 1, .accepted = 41, .created = 600, .tags = "<b>", .answers = 1},
    /* A row of a table that tells when an answer was accepted. */
    {.id = 50, .kind = ITEM_ROW, .accepted = 51, .created = 10, .accepted_at = 90},
    {.id = 60, .kind = ITEM_ROW, .created = NONE, .views = NONE, .answers = NONE},
    /* An answer of a question that is not there. */
    {.id = 61, .kind = 2, .parent = 55, .created = 5000},
};

static const struct measured_field fields[] = {
    {10, "kind", "z"}, {50, "kind", "b"}, {60, "kind", "z"}, {30, "other", "x"}};

static const struct measured_inputs inputs = {
    .posts = posts,
    .post_count = ROWS(posts),
    .fields = fields,
    .field_count = ROWS(fields),
    .study =
        "sets: {a: '[a]', both: 'in:a and [b]', rest: 'not in:a and created:2018..'}",
};

/* Minutes, or - where it is missing. */
static void add_minutes(struct buf *out, int64_t ms)
{
    if (ms == ITEM_NONE)
        buf_add(out, STR(" -"));
    else
        buf_add_format(out, " %lld", (long long)((ms - measured_ms(0)) / DATE_MINUTE_MS));
}

static void add_number(struct buf *out, int64_t value)
{
    if (value == ITEM_NONE)
        buf_add(out, STR(" -"));
    else
        buf_add_format(out, " %lld", (long long)value);
}

static void check_columns(const struct measured *test, struct buf *out)
{
    const struct measure_frame *frame = &test->frame;

    tap_case("columns: missing is not zero");
    for (size_t i = 0; i < frame->count; i++) {
        buf_add_format(out, "%lld:", (long long)measure_column_at(frame->ids, i));
        add_minutes(out, measure_column_at(frame->created_ms, i));
        add_minutes(out, measure_column_at(frame->first_ms, i));
        add_minutes(out, measure_column_at(frame->accepted_ms, i));
        add_number(out, measure_column_at(frame->views, i));
        add_number(out, measure_column_at(frame->score, i));
        add_number(out, measure_column_at(frame->owner, i));
        buf_add_char(out, '\n');
    }
    measured_expect(out, "10: 100 130 160 0 -2 7\n"
                         "20: - - - - - -\n"
                         "30: 500 700 - 5 0 -\n"
                         "40: 600 - - 0 0 -\n"
                         "50: 10 - 90 0 0 -\n"
                         "60: - - - - 0 -\n");
    tap_case("flags: an answer that is there counts, whatever the number says");
    measured_ids(test, frame->accepted, out);
    buf_add_char(out, '|');
    measured_ids(test, frame->answered, out);
    buf_add_char(out, '|');
    measured_ids(test, frame->closed, out);
    buf_add_char(out, '|');
    measured_expect(out, " 10 40 50| 10 30 40| 30|");
    tap_case("known: where the source tells it, or has a column for it");
    measured_ids(test, frame->accepted_known, out);
    buf_add_char(out, '|');
    measured_ids(test, frame->answered_known, out);
    buf_add_char(out, '|');
    measured_ids(test, frame->closed_known, out);
    measured_expect(out, " 10 20 30 40 50 60| 10 20 30 40 50| 10 20 30 40");
    tap_case("answerers of each item, those without an owner left out");
    for (size_t i = 0; i < frame->count; i++) {
        for (size_t k = (size_t)measure_column_at(frame->answers_begin, i);
             k < (size_t)measure_column_at(frame->answers_begin, i + 1); k++)
            add_number(out, measure_column_at(frame->answerers, k));
        buf_add_char(out, ';');
    }
    measured_expect(out, " 8 9;; 8;;;;");
    tap_case("the corpus ends with its newest moment when the study does not say");
    for (size_t i = 0; i < frame->count; i++)
        CHECK(measure_column_at(frame->end_ms, i) == measured_ms(700));
    tap_case("an id is found, or is not there");
    CHECK(measure_frame_find(frame, 10) == 0 && measure_frame_find(frame, 60) == 5);
    CHECK(measure_frame_find(frame, 9) == 6 && measure_frame_find(frame, 35) == 6 &&
          measure_frame_find(frame, 61) == 6);
}

static void check_sets(const struct measured *test, struct buf *out)
{
    tap_case("sets: a set may name an earlier one");
    for (size_t s = 0; s < 3; s++) {
        measured_ids(test, test->slots[s].bits, out);
        buf_add_char(out, ';');
    }
    measured_expect(out, " 10 30; 30; 40 50;");
    tap_case("funnels count what each condition lets through");
    CHECK(test->slots[1].funnel.count == 2);
    CHECK(test->slots[1].funnel.rows[0].together == 2 &&
          test->slots[1].funnel.rows[1].together == 1);
}

/* Slots by ids beside slots by query, in one pass. */
static void check_ids(struct measured *test, struct buf *out)
{
    const int64_t ids[] = {5, 20, 35, 40, 99};
    struct err err = {0};
    struct query_node *query;
    struct study_source source = {.until_ms = 12345};
    struct study study = {.sources = &source, .source_count = 1};
    struct measure_frame frame;

    tap_case("a set from a list of ids; ids that are not there do nothing");
    CHECK(query_parse(STR("in:given and [b]"), &test->arena, &query, &err));
    struct measure_frame_slot slots[] = {
        {.name = STR("given"), .ids = ids, .id_count = ROWS(ids)}, {.query = query}};
    CHECK(measure_frame_load(test->corpus, slots, 2, &study, &test->arena, &frame, &err));
    measured_ids(test, slots[0].bits, out);
    buf_add_char(out, ';');
    measured_ids(test, slots[1].bits, out);
    measured_expect(out, " 20 40; 40");
    tap_case("the study's own end of the corpus is kept");
    CHECK(measure_column_at(frame.end_ms, 0) == 12345 &&
          measure_column_at(frame.end_ms, frame.count - 1) == 12345);
}

/* Fields that sources bring are found while items go by. */
static void check_own(struct measured *test, struct buf *out)
{
    static const char *const queries[] = {"kind:z", "kind:b or other:x", "not kind:z",
                                          "other:5..", "kind:z or kind:b"};
    static const struct query_own own = {.any = true};
    struct study study = {0};
    struct measure_frame_slot slots[ROWS(queries)] = {{.bits = {0}}};
    struct err err = {0};
    struct measure_frame frame;

    tap_case("sets by fields that sources bring");
    for (size_t i = 0; i < ROWS(queries); i++) {
        struct query_node *query;
        CHECK(query_parse_with(str_from(queries[i]), &own, &test->arena, &query, &err));
        slots[i].query = query;
    }
    CHECK(measure_frame_load(test->corpus, slots, ROWS(slots), &study, &test->arena,
                             &frame, &err));
    for (size_t i = 0; i < ROWS(queries); i++) {
        measured_ids(test, slots[i].bits, out);
        buf_add_char(out, ';');
    }
    measured_expect(out, " 10 60; 30 50; 20 30 40 50;; 10 50 60;");
}

static void check_empty(void)
{
    struct measured test;

    tap_case("an empty corpus");
    if (measured_open(&test, &(struct measured_inputs){.study = "sets: {a: '[a]'}"})) {
        CHECK(test.frame.count == 0 && test.slots[0].bits.count == 0);
        CHECK(measure_frame_find(&test.frame, 1) == 0);
        CHECK(measure_column_at(test.frame.answers_begin, 0) == 0);
    }
    measured_close(&test);
}

/* Posts 1 and 2 are of the first source, which ends at 500; 2 and 3 of the second, which
 * has no end of its own; 3 was asked at 300 and answered at 900 and at 950. */
static bool fill_sources(struct store *corpus, struct err *err)
{
    static const int64_t origins[][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}};
    bool ok = store_begin(corpus, err);

    for (int64_t id = 1; id <= 5 && ok; id++) {
        struct item post = stored_post(id);
        post.created_ms = id < 4 ? 100 * id : 700 + 50 * id;
        post.kind = id < 4 ? ITEM_QUESTION : ITEM_ANSWER;
        post.parent = id < 4 ? ITEM_NONE : 3;
        ok = stored_append(corpus, &post, err);
    }
    for (int64_t s = 0; s < 2 && ok; s++) {
        struct store_source source = {s, s == 0 ? STR("old") : STR("new"), STR("posts"),
                                      STR("")};
        ok = store_add(corpus, STORE_SOURCE, &source, err);
    }
    for (size_t i = 0; i < ROWS(origins) && ok; i++)
        ok = store_add_origin(corpus, origins[i][0], origins[i][1], err);
    return ok && store_commit(corpus, err);
}

/* With a newest post at 2000 in one of the sources, stored or not. */
static void check_sources(size_t source, int64_t end_ms)
{
    char folder[] = "/tmp/assay-test-XXXXXX";
    struct study_source sources[] = {{.name = STR("old"), .until_ms = 500},
                                     {.name = STR("new"), .until_ms = INT64_MAX}};
    struct study study = {.sources = sources, .source_count = 2};
    struct query_node old = {
        .kind = QUERY_SOURCE, .field = QUERY_FIELD_SOURCE, .text = STR("old")};
    struct query_node new = {
        .kind = QUERY_SOURCE, .field = QUERY_FIELD_SOURCE, .text = STR("new")};
    struct measure_frame_slot slots[] = {{.query = &old}, {.query = &new}};
    struct arena arena = {0};
    struct err err = {0};
    struct store *corpus;
    struct measure_frame frame;
    bool resumed;

    if (!CHECK(mkdtemp(folder) != NULL))
        return;
    const char *path = file_join(folder, "c.db", &arena);
    if (CHECK(store_build(path, STR("k"), &corpus, &resumed, &err)) &&
        CHECK(fill_sources(corpus, &err)) &&
        CHECK(source == STUDY_NONE || store_note_span(corpus, source,
                                                 (struct store_span){1000, 2000}, &err)) &&
        CHECK(store_finish(corpus, &err)) &&
        CHECK(store_open(path, (struct str){0}, &corpus, &err)) &&
        CHECK(measure_frame_load(corpus, slots, 2, &study, &arena, &frame, &err)) &&
        CHECK(frame.count == 3)) {
        CHECK(measure_column_at(frame.end_ms, 0) == 500 &&
              measure_column_at(frame.end_ms, 1) == 500);
        CHECK(measure_column_at(frame.end_ms, 2) == end_ms);
        for (size_t i = 0; i < 3; i++) /* the second stands in both */
            CHECK(measure_bits_has(slots[0].bits, i) == (i < 2) &&
                  measure_bits_has(slots[1].bits, i) == (i > 0));
        store_close(corpus);
    }
    file_remove(path);
    CHECK(rmdir(folder) == 0);
    arena_free(&arena);
}

int main(void)
{
    struct measured test;
    struct buf out = {0};

    tap_case("a corpus is loaded");
    if (measured_open(&test, &inputs)) {
        check_columns(&test, &out);
        check_sets(&test, &out);
        check_ids(&test, &out);
        check_own(&test, &out);
    }
    measured_close(&test);
    check_empty();
    tap_case("each item's source has its own end; of several the first counts");
    check_sources(STUDY_NONE, 950);
    tap_case(
        "a source ends with its newest post, also where the corpus does not hold it");
    check_sources(1, 2000);
    tap_case("and not with that of another source");
    check_sources(0, 950);
    buf_free(&out);
    return tap_done();
}
