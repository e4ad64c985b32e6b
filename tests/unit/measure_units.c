/* Units in place of items: what each has, which groups it stands in, and tables of them.
 */
#include "measure/units.h"

#include "tests/unit/measured.h"

static const struct measured_post posts[] = {
    {.id = 1, .kind = 1, .score = 3, .tags = "<a>"},
    {.id = 2, .kind = 1, .score = 5, .tags = "<b>"},
    {.id = 3, .kind = 1, .score = 7, .tags = "<a>"},
    {.id = 9, .kind = 2, .parent = 2, .owner = 44},
};
static const struct measured_field fields[] = {{1, "kind", "d"}, {2, "kind", "x"}};

static const struct {
    const char *name, *study, *labels;
    const char *units; /* item, name, place, score of each */
    const char *groups;
} rows[] = {
    {"units by a column, with places", "labels: {l: {from: l.csv, unit: u}}",
     "item,u,place,code\n2,1,a.py:R4,x\n1,b,,y\n2,2,,x\n2,1,a.py:R4,y\n",
     "1 b  3; 2 1 a.py:R4 5; 2 2  5; ", "x: 1 2\ny: 0 1\n"},
    {"each row is a unit", "labels: {l: {from: l.csv, unit: row}}",
     "item,code\n2,x\n1,y\n2,x\n", "1 1  3; 2 1  5; 2 2  5; ", "x: 1 2\ny: 0\n"},
    {"raters of a unit have a majority", "labels: {l: {from: l.csv, unit: u, rater: r}}",
     "item,u,r,code\n1,1,p,x\n1,1,q,x\n1,1,s,y\n1,2,p,y\n", "1 1  3; 1 2  3; ",
     "x: 0\ny: 1\n"},
    {"a unit without a code counts, and stands in no group",
     "labels: {l: {from: l.csv, unit: u}}", "item,u,code\n1,1,x\n1,2,\n",
     "1 1  3; 1 2  3; ", "x: 0\n"},
};

static void show_groups(const struct measure_groups *groups, struct buf *out)
{
    for (size_t v = 0; v < groups->count; v++) {
        struct measure_bits bits = groups->values[v].bits;
        buf_add_format(out, "%.*s:", STR_ARG(groups->values[v].name));
        for (size_t i = measure_bits_next(bits, 0); i < bits.count;
             i = measure_bits_next(bits, i + 1))
            buf_add_format(out, " %zu", i);
        buf_add_char(out, '\n');
    }
}

static void check_row(size_t at, struct buf *out)
{
    struct measured test;
    struct buf study = {0};
    struct measure_units units;

    buf_add_format(
        &study, "%s\ngroups: {g: {labels: l}, t: {all-of: [a, b]}, f: {field: kind}}\n",
        rows[at].study);
    buf_add_char(&study, '\0');
    struct measured_inputs inputs = {.posts = posts,
                                     .post_count = ROWS(posts),
                                     .fields = fields,
                                     .field_count = ROWS(fields),
                                     .study = study.ptr};
    tap_case("units: %s", rows[at].name);
    if (measured_open(&test, &inputs) &&
        CHECK(file_write(file_join(test.folder, "l.csv", &test.arena),
                         str_from(rows[at].labels), &test.err)) &&
        CHECK(measured_make_groups(&test))) {
        const struct measure_labels *labels[] = {&test.labels[0], &test.labels[0]};
        measure_units_make(&test.frame, labels, ROWS(labels), &test.arena, &units);
        for (size_t i = 0; i < units.frame.count; i++)
            buf_add_format(out, "%lld %.*s %.*s %lld; ",
                           (long long)measure_column_at(units.frame.ids, i),
                           STR_ARG(units.frame.units[i].name),
                           STR_ARG(units.frame.units[i].place),
                           (long long)measure_column_at(units.frame.score, i));
        measured_expect(out, rows[at].units);
        struct measure_groups groups = measure_units_group(
            &units, &test.study.groups[0], &test.groups[0], labels[0], &test.arena);
        show_groups(&groups, out);
        measured_expect(out, rows[at].groups);
    }
    CHECK_TEXT(test.err.text, "");
    measured_close(&test);
    buf_free(&study);
}

/* What an item has, all its units have. */
static void check_lifted(struct buf *out)
{
    const struct measured_inputs inputs = {
        .posts = posts,
        .post_count = ROWS(posts),
        .fields = fields,
        .field_count = ROWS(fields),
        .study = "labels: {l: {from: l.csv, unit: u}}\n"
                 "groups: {g: {labels: l, others: none}, t: {all-of: [a, b]}}\n"};
    struct measured test;
    struct measure_units units;
    struct measure_frame_texts texts;

    tap_case("units have the groups, fields and answerers of their items");
    if (measured_open(&test, &inputs) &&
        CHECK(file_write(file_join(test.folder, "l.csv", &test.arena),
                         STR("item,u,code\n2,1,x\n2,2,\n1,1,x\n"), &test.err)) &&
        CHECK(measured_make_groups(&test))) {
        const struct measure_labels *labels = &test.labels[0];
        measure_units_make(&test.frame, &labels, 1, &test.arena, &units);
        struct measure_groups tags = measure_units_group(
            &units, &test.study.groups[1], &test.groups[1], NULL, &test.arena);
        show_groups(&tags, out);
        measured_expect(out, "a: 0\nb: 1 2\n");
        struct measure_groups coded = measure_units_group(
            &units, &test.study.groups[0], &test.groups[0], labels, &test.arena);
        show_groups(&coded, out);
        measured_expect(out, "x: 0 1\nnone: 2\n");
        CHECK(measure_frame_field(&units.frame, STR("kind"), &texts, &test.err));
        for (size_t i = 0; i < units.frame.count; i++)
            buf_add_format(out, "%.*s ", STR_ARG(texts.names[texts.of[i] - 1]));
        measured_expect(out, "d x x ");
        CHECK(measure_column_at(units.frame.answers_begin, 1) == 0 &&
              measure_column_at(units.frame.answers_begin, 3) == 2);
        CHECK(measure_column_at(units.frame.answerers, 0) == 44 &&
              measure_column_at(units.frame.answerers, 1) == 44);
    }
    CHECK_TEXT(test.err.text, "");
    measured_close(&test);
}

int main(void)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++)
        check_row(i, &out);
    check_lifted(&out);
    buf_free(&out);
    return tap_done();
}
