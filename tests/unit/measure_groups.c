/* Ways to part a set: the values in their order, and the items of each. */
#include "measure/groups.h"

#include <string.h>

#include "tests/unit/measured.h"

enum { NONE = MEASURED_NONE, YEAR = MEASURED_YEAR, DAY = 24 * 60 };

static const struct measured_post posts[] = {
    {.id = 1, .kind = 1, .created = 0, .tags = "<a>"},
    {.id = 2, .kind = 1, .created = 59 * DAY, .tags = "<a><b>"}, /* the first of March */
    {.id = 3, .kind = 1, .created = 2 * YEAR - 1, .tags = "<b>"},
    {.id = 4, .kind = 1, .created = 2 * YEAR, .tags = "<c>"},
    {.id = 5, .kind = 1, .created = NONE, .tags = "<a>"},
};

static const struct measured_field fields[] = {
    {1, "kind", "d"}, {2, "kind", "x"}, {3, "kind", "data"}, {4, "kind", "c"}};

#define CODEBOOK \
    "codebook: c\ncodes:\n  top: {name: Top, codes: {one: One, two: Two}}\n  lone: " \
    "Lone\n" \
    "special: {unclear: Unclear}\n"

static const struct {
    const char *name, *study, *groups;
    const char *labels; /* l.csv; NULL: none */
} rows[] = {
    {"years, the empty one between too", "groups: {g: created by year}",
     "2018: 1 2\n2019: 3\n2020: 4\n", NULL},
    {"quarters", "groups: {g: created by quarter}",
     "2018-Q1: 1 2\n2018-Q2:\n2018-Q3:\n2018-Q4:\n2019-Q1:\n2019-Q2:\n2019-Q3:\n"
     "2019-Q4: 3\n2020-Q1: 4\n",
     NULL},
    {"who has no date belongs to others",
     "groups: {g: {sets: [early], others: rest}}\n"
     "sets: {early: 'created:..2018'}",
     "early: 1 2\nrest: 3 4 5\n", NULL},
    {"first of: an item stands in one", "groups: {g: {first-of: {B: '[b]', A: '[a]'}}}",
     "B: 2 3\nA: 1 5\n", NULL},
    {"all of: an item may stand in several",
     "groups: {g: {all-of: {B: '[b]', A: '[a]'}}}", "B: 2 3\nA: 1 2 5\n", NULL},
    {"a list of tags", "groups: {g: {all-of: [c, a, absent]}}",
     "c: 4\na: 1 2 5\nabsent:\n", NULL},
    {"sets overlap", "groups: {g: {sets: [x, y]}}\nsets: {x: '[a]', y: 'in:x and [b]'}",
     "x: 1 2 5\ny: 2\n", NULL},
    {"a field, in the order of bytes", "groups: {g: {field: kind}}",
     "c: 4\nd: 1\ndata: 3\nx: 2\n", NULL},
    {"a field with names: same name, same group",
     "groups: {g: {field: kind, names: {x: Other, d: Data, data: Data, no: Never}, "
     "others: none}}",
     "Other: 2\nData: 1 3\nNever:\nc: 4\nnone: 5\n", NULL},
    {"labels as given: leaves that nobody gave are there, special codes are not",
     "labels: {l: {from: l.csv, codebook: c}}\ncodebooks: {c: b.yaml}\n"
     "groups: {g: {labels: l}}",
     "One: 1\nTwo: 2\nLone:\nUnclear: 3\n", "item,code\n1,one\n2,two\n3,unclear\n"},
    {"labels: what stands above others, given itself, is a value",
     "labels: {l: {from: l.csv, codebook: c}}\ncodebooks: {c: b.yaml}\n"
     "groups: {g: {labels: l}}",
     "Top: 2\nOne: 1\nTwo:\nLone:\n", "item,code\n1,one\n2,top\n"},
    {"labels at the top level: an item once in each",
     "labels: {l: {from: l.csv, codebook: c}}\ncodebooks: {c: b.yaml}\n"
     "groups: {g: {labels: l, level: 1}}",
     "Top: 1 2\nLone: 1\n", "item,code\n1,one\n1,two\n1,lone\n2,two\n"},
    {"labels below the tree stay what they are",
     "labels: {l: {from: l.csv, codebook: c}}\ncodebooks: {c: b.yaml}\n"
     "groups: {g: {labels: l, level: 2}}",
     "One: 1\nTwo:\nLone: 2\n", "item,code\n1,one\n2,lone\n"},
    {"labels without a codebook", "labels: {l: {from: l.csv}}\ngroups: {g: {labels: l}}",
     "A: 2\nb: 1 2\n", "item,code\n1,b\n2,A\n2,b\n"},
};

static void show(const struct measured *test, struct buf *out)
{
    const struct measure_groups *groups = &test->groups[0];

    for (size_t v = 0; v < groups->count; v++) {
        buf_add_format(out, "%.*s:", STR_ARG(groups->values[v].name));
        measured_ids(test, groups->values[v].bits, out);
        buf_add_char(out, '\n');
    }
}

static bool write_inputs(struct measured *test, const char *labels)
{
    return labels == NULL || (file_write(file_join(test->folder, "l.csv", &test->arena),
                                         str_from(labels), &test->err) &&
                              file_write(file_join(test->folder, "b.yaml", &test->arena),
                                         STR(CODEBOOK), &test->err));
}

static void check_row(size_t i, struct buf *out)
{
    struct measured test;
    struct measured_inputs inputs = {.posts = posts,
                                     .post_count = ROWS(posts),
                                     .fields = fields,
                                     .field_count = ROWS(fields),
                                     .study = rows[i].study};

    if (measured_open(&test, &inputs) && CHECK(write_inputs(&test, rows[i].labels)) &&
        CHECK(measured_make_groups(&test)))
        show(&test, out);
    CHECK_TEXT(test.err.text, "");
    measured_expect(out, rows[i].groups);
    measured_close(&test);
}

/* An item stands under each member of a list, and a member is one value however often. */
static void check_list(struct buf *out)
{
    static const struct measured_field lists[] = {
        {1, "files", "b.c\na.c"}, {2, "files", "a.c"}, {3, "files", "c.c\nb.c"}};
    const struct measured_inputs inputs = {
        .posts = posts,
        .post_count = ROWS(posts),
        .fields = lists,
        .field_count = ROWS(lists),
        .study = "groups: {g: {field: files, names: {c.c: other}}}"};
    struct measured test;

    tap_case("groups: a list");
    if (measured_open(&test, &inputs)) {
        test.study.groups[0].list = true;
        CHECK(measured_make_groups(&test));
        show(&test, out);
    }
    measured_expect(out, "other: 3\na.c: 1 2\nb.c: 1 3\n");
    measured_close(&test);
}

static void check_refusal(const char *study, const struct measured_post *of, size_t count,
                          const char *text)
{
    struct measured test;
    struct measured_inputs inputs = {.posts = of, .post_count = count, .study = study};

    if (measured_open(&test, &inputs))
        CHECK(!measured_make_groups(&test));
    CHECK_TEXT(test.err.text, text);
    measured_close(&test);
}

int main(void)
{
    const struct measured_post far[] = {
        {.id = 1, .kind = 1, .created = 0},
        {.id = 2, .kind = 1, .created = INT64_C(1000) * YEAR}};
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("groups: %s", rows[i].name);
        check_row(i, &out);
    }
    check_list(&out);
    tap_case("no items: no periods");
    struct measured test;
    if (measured_open(
            &test, &(struct measured_inputs){.study = "groups: {g: created by month}"}) &&
        CHECK(measured_make_groups(&test)))
        CHECK(test.groups[0].count == 0);
    measured_close(&test);
    tap_case("a field that nobody has is refused");
    check_refusal("groups: {g: {field: kimd}}", posts, ROWS(posts),
                  "group g: no item has a field 'kimd'; see `fields` of the source");
    tap_case("a wrong date does not make thousands of empty groups");
    check_refusal("groups: {g: created by month}", far, ROWS(far),
                  "group g: found 11993 values, expected at most 10000");
    buf_free(&out);
    return tap_done();
}
