/* Figures of the study file: what each kind needs. */
#include <string.h>

#include "study/study.h"
#include "tests/tap.h"

#define BEFORE \
    "study: s\nsource: {posts: p.csv}\nsets: {a: '[x]', b: '[y]'}\ngroups: {year: " \
    "created " \
    "by year}\ntables: {t: {of: a, by: year, columns: [count, median " \
    "views]}, u: {of: [a, b], by: year, columns: [count, share without accepted]}}" \
    "\nfigures:\n" \
    "  f: "

static const struct {
    const char *name, *figure, *problem; /* problem NULL: fine */
} rows[] = {
    {"bars of a table", "{draw: bars, table: t}", NULL},
    {"bars without a table", "{draw: bars}",
     "'bars' shows a table: the key 'table' is missing"},
    {"a funnel of a set", "{draw: funnel, set: a}", NULL},
    {"a funnel without one", "{draw: funnel}",
     "'funnel' shows a set: the key 'set' is missing"},
    {"boxes of items", "{draw: box, of: [a, b], on: views}", NULL},
    {"boxes of nothing", "{draw: box, of: a}",
     "'box' shows a quantity of items: the key 'on' is missing"},
    {"boxes of a median", "{draw: box, on: median views}",
     "'box' shows each item's value: `on` must be such as 'minutes to accepted'"},
    {"survival of views", "{draw: survival, on: views}",
     "'survival' shows a time such as 'days to accepted'"},
    {"survival of a time", "{draw: survival, on: days to accepted, by: year}", NULL},
    {"a scatter of two columns",
     "{draw: scatter, table: t, columns: [count, median views]}", NULL},
    {"a scatter of one", "{draw: scatter, table: t, columns: [count]}",
     "'scatter' needs `columns` with two columns"},
    {"labels, a height, an order",
     "{draw: bars, table: t, labels: {count: many, y: n}, "
     "height: 7.5, order: largest, limits: [0, 9]}",
     NULL},
    {"too high", "{draw: bars, table: t, height: 70}",
     "expected a number from 2 to 24, found '70'"},
    {"one limit", "{draw: bars, table: t, limits: [0]}",
     "`limits` are two numbers, as [0, 100]; found 1"},
    {"limits the wrong way", "{draw: lines, table: t, limits: [5, 2]}",
     "`limits` go from a lower number to a higher one; found 5 and 2"},
    {"limits of bars without 0", "{draw: bars, table: t, limits: [2, 5]}",
     "bars begin at 0, which the limits 2 and 5 leave out"},
    {"limits of a log scale", "{draw: box, of: a, on: views, log: yes, limits: [0, 5]}",
     "a logarithmic scale begins above 0; found 0"},
    {"limits of a tree", "{draw: tree, table: t, limits: [0, 5]}",
     "'tree' has no axis that could have `limits`"},
    {"a tree by sets and years", "{draw: tree, table: u}", NULL},
    {"a tree by one group", "{draw: tree, table: t}",
     "7:7: 'tree' shows a table by several groups, such as labels with `level: 1` and "
     "with `level: 2`; 't' is by one, which 'bars' shows"},
    {"two units on one axis", "{draw: lines, table: u}",
     "7:7: the columns 'count' and 'share-without-accepted' have different units and "
     "cannot share an axis; choose with `columns:`"},
    {"one of them", "{draw: lines, table: u, columns: count}", NULL},
    {"bars on a log scale", "{draw: bars, table: t, log: yes}",
     "a logarithmic scale has no 0 for bars to begin at"},
    {"bins of a histogram", "{draw: histogram, of: a, on: views, bins: 20}", NULL},
    {"bins of bars", "{draw: bars, table: t, bins: 20}",
     "`bins` are those of a histogram, not of 'bars'"},
    {"no bins", "{draw: histogram, of: a, on: views, bins: 0}",
     "expected a whole number from 2 to 200, found '0'"},
    {"an order by a word that is none", "{draw: bars, table: t, order: size}",
     "expected largest, smallest, name, or a list of names as [a, b], found 'size'"},
    {"an order of curves by size", "{draw: ecdf, of: [a, b], on: views, order: largest}",
     "a curve has no size to order by; `order` of 'ecdf' is name or a list"},
    {"an order of a funnel", "{draw: funnel, set: a, order: name}",
     "'funnel' has no `order` of its own"},
    {"colours", "{draw: bars, table: t, palette: [blue, '#a0B1c2', a0b1c2]}", NULL},
    {"greys", "{draw: bars, table: t, palette: greys}", NULL},
    {"no colour", "{draw: bars, table: t, palette: [blue, red]}",
     "7:45: expected a colour as \"#0072B2\", or blue"},
    {"an unknown kind", "{draw: bar, table: t}",
     "unknown value 'bar'; did you mean 'bars'?"},
    {"an unknown table", "{draw: bars, table: tt}", "'tt' is not a name under tables"},
};

int main(void)
{
    struct arena arena = {0};
    struct study_options options = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf text = {0}, problems = {0};
        struct err err = {0};
        struct study study;
        tap_case("figure: %s", rows[i].name);
        buf_add_format(&text, BEFORE "%s\n", rows[i].figure);
        bool ok = study_parse(buf_str(&text), "s.yaml", &options, &arena, &study,
                              &problems, &err);
        buf_add_char(&problems, '\0');
        CHECK(ok == (rows[i].problem == NULL));
        if (rows[i].problem == NULL)
            CHECK_TEXT(problems.ptr, "");
        else if (!CHECK(strstr(problems.ptr, rows[i].problem) != NULL))
            CHECK_TEXT(problems.ptr, rows[i].problem);
        buf_free(&text);
        buf_free(&problems);
    }
    tap_case("a figure is read");
    struct buf problems = {0};
    struct err err = {0};
    struct study study;
    CHECK(study_parse(STR(BEFORE
                          "{draw: scatter, table: t, columns: [median views, count], "
                          "title: T, width: two, log: yes, patterns: yes}\n"),
                      "s.yaml", &options, &arena, &study, &problems, &err));
    const struct study_figure *figure = &study.figures[0];
    CHECK(figure->kind == STUDY_SCATTER && figure->table == 0 && figure->two_columns &&
          figure->log_scale && figure->patterns && str_eq(figure->title, STR("T")));
    tap_case("columns stand as in addresses");
    CHECK(figure->column_count == 2 && str_eq(figure->columns[0], STR("median-views")));
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
