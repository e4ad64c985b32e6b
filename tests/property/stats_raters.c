/* Agreement on labels that real raters gave, against values computed elsewhere: the files
 * of the folder raters/ in $ASSAY_DATA, item,rater,label, and EXPECTED.csv beside them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/map.h"
#include "input/csv.h"
#include "stats/agreement.h"
#include "tests/tap.h"
#include "tests/unit/rated.h"

enum { ITEMS_MAX = 5000, RATERS_MAX = 10 };

/* The index of a name, in order of first use. */
static size_t index_of(struct map *names, struct str name)
{
    size_t before = names->count;
    int64_t *value = map_put(names, name);

    if (names->count > before)
        *value = (int64_t)before;
    return (size_t)*value;
}

/* Only items that all raters have labelled count in EXPECTED.csv. */
static size_t keep_complete(int32_t *labels, size_t items, size_t raters)
{
    size_t kept = 0;

    for (size_t i = 0; i < items; i++) {
        bool complete = true;
        for (size_t r = 0; r < raters; r++)
            complete = complete && labels[i * RATERS_MAX + r] != STATS_AGREE_MISSING;
        for (size_t r = 0; complete && r < raters; r++)
            labels[kept * raters + r] = labels[i * RATERS_MAX + r];
        kept += complete;
    }
    return kept;
}

static bool read_ratings(const char *path, struct arena *arena,
                         struct stats_agree_ratings *ratings, struct err *err)
{
    struct map items = {.arena = arena}, raters = {.arena = arena},
               labels = {.arena = arena};
    int32_t *at = arena_array(arena, int32_t, ITEMS_MAX * RATERS_MAX);
    struct input_csv csv = {.path = path};
    struct input_csv_row row;
    struct str text;

    for (size_t i = 0; i < ITEMS_MAX * RATERS_MAX; i++)
        at[i] = STATS_AGREE_MISSING;
    if (!file_read(path, arena, &text, err))
        return false;
    input_csv_push(&csv, text, true);
    while (input_csv_next(&csv, &row, err)) {
        size_t item, rater;
        if (row.line == 1)
            continue;
        item = index_of(&items, row.fields[0]);
        rater = index_of(&raters, row.fields[1]);
        if (!CHECK(item < ITEMS_MAX && rater < RATERS_MAX))
            break;
        at[item * RATERS_MAX + rater] = (int32_t)index_of(&labels, row.fields[2]);
    }
    input_csv_free(&csv);
    *ratings = rated_dense(at, keep_complete(at, items.count, raters.count), raters.count,
                           labels.count);
    return !csv.failed;
}

static double number(struct str text)
{
    double value = NAN;

    return str_to_real(text, &value) ? value : NAN;
}

/* "1-2:0.6719 1-3:0.7101" */
static void check_pairs(struct str pairs, struct stats_agree_ratings ratings,
                        struct arena *arena)
{
    struct str pair, first, second;
    int64_t a, b;

    while (pairs.len > 0) {
        str_cut(&pairs, ' ', &pair);
        str_cut(&pair, '-', &first);
        str_cut(&pair, ':', &second);
        if (!CHECK(str_to_int(first, &a) && str_to_int(second, &b)))
            return;
        CHECK_NEAR(stats_agree_cohen(
                       stats_agree_table(ratings, (size_t)a - 1, (size_t)b - 1, arena),
                       ratings.categories, STATS_AGREE_NOMINAL, 0.95, arena)
                       .value,
                   number(pair), 0.000051);
    }
}

/* file, complete items, raters, observed agreement, Cohen, Fleiss, pairs */
static void check_row(const struct input_csv_row *row, const char *folder,
                      struct arena *arena)
{
    char name[100];
    struct stats_agree_ratings ratings;
    struct stats_agreement fleiss;
    struct err err = {0};

    snprintf(name, sizeof name, "%.*s.csv", STR_ARG(row->fields[0]));
    tap_case("raters: %s", name);
    if (!CHECK(read_ratings(file_join(folder, name, arena), arena, &ratings, &err)))
        return;
    CHECK((double)ratings.items == number(row->fields[1]));
    CHECK((double)ratings.raters == number(row->fields[2]));
    fleiss = stats_agree_fleiss(ratings, 0.95, arena);
    CHECK_NEAR(fleiss.observed, number(row->fields[3]), 0.000051);
    if (row->fields[4].len > 0)
        CHECK_NEAR(stats_agree_cohen(stats_agree_table(ratings, 0, 1, arena),
                                     ratings.categories, STATS_AGREE_NOMINAL, 0.95, arena)
                       .value,
                   number(row->fields[4]), 0.000051);
    if (row->fields[5].len > 0)
        CHECK_NEAR(fleiss.value, number(row->fields[5]), 0.000051);
    check_pairs(row->fields[6], ratings, arena);
}

int main(void)
{
    const char *data = getenv("ASSAY_DATA"), *folder, *path;
    struct arena arena = {0};
    struct input_csv_row row;
    struct input_csv csv;
    struct str text;
    struct err err = {0};
    int rows = 0;

    tap_case("raters: expected values are there");
    folder = data != NULL ? file_join(data, "raters", &arena) : NULL;
    path = folder != NULL ? file_join(folder, "EXPECTED.csv", &arena) : NULL;
    if (path == NULL || !file_exists(path)) {
        tap_skip("ASSAY_DATA has no raters/EXPECTED.csv");
        arena_free(&arena);
        return tap_done();
    }
    CHECK(file_read(path, &arena, &text, &err));
    csv = (struct input_csv){.path = path};
    input_csv_push(&csv, text, true);
    while (input_csv_next(&csv, &row, &err)) {
        if (row.line > 1)
            check_row(&row, folder, &arena);
        rows++;
    }
    tap_case("raters: all rows were read");
    CHECK(!csv.failed && rows > 10);
    input_csv_free(&csv);
    arena_free(&arena);
    return tap_done();
}
