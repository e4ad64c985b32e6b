/* Numbers of a study that is up to date: of the corpus, its census and every step. */
#include "run/run.h"

#include "tests/unit/packaged.h"

static const struct {
    const char *step, *row, *column;
    double value;
} rows[] = {
    {"corpus", "", "questions", 4},  {"corpus", "", "answers", 0},
    {"corpus", "", "rows", 0},       {"census", "", "questions", 4},
    {"census", "", "accepted", 0},   {"sets.B", "", "count", 3},
    {"sets.none", "", "count", 0},   {"samples.two", "", "count", 2},
    {"samples.two", "", "frame", 3}, {"labels.l", "", "count", 2},
    {"tables.t", "x", "count", 1},   {"tables.f", "crash", "found", 12},
};

static const struct result_number *find(const struct result_numbers *numbers,
                                        size_t count, size_t row)
{
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < numbers[s].count; i++)
            if (str_eq(numbers[s].step, str_from(rows[row].step)) &&
                str_eq(numbers[s].at[i].row, str_from(rows[row].row)) &&
                str_eq(numbers[s].at[i].column, str_from(rows[row].column)))
                return &numbers[s].at[i];
    return NULL;
}

int main(void)
{
    struct packaged test;
    struct result_numbers *numbers;
    size_t count = 0;

    tap_case("a study is brought up to date");
    if (packaged_open(&test, packaged_study) &&
        CHECK(run_numbers(&test.study, &test.arena, &numbers, &count, &test.err))) {
        for (size_t i = 0; i < ROWS(rows); i++) {
            tap_case("%s %s %s", rows[i].step, rows[i].row, rows[i].column);
            const struct result_number *number = find(numbers, count, i);
            if (CHECK(number != NULL))
                CHECK_NEAR(number->value, rows[i].value, 0);
        }
        tap_case("a step that could not be made has none");
        file_remove(packaged_path(&test, "out/results/sets.B.result"));
        CHECK(run_numbers(&test.study, &test.arena, &numbers, &count, &test.err));
        CHECK(find(numbers, count, 5) == NULL && find(numbers, count, 6) != NULL);
        tap_case("numbers without a corpus, as in a package");
        file_remove(packaged_path(&test, "corpus.db"));
        CHECK(run_numbers(&test.study, &test.arena, &numbers, &count, &test.err));
        CHECK(find(numbers, count, 0) == NULL && find(numbers, count, 6) != NULL);
        tap_case("numbers that cannot be read");
        packaged_write(&test, "out/results/sets.B.result", "nothing of ours");
        CHECK(!run_numbers(&test.study, &test.arena, &numbers, &count, &test.err));
        CHECK(test.err.kind == ERR_INPUT);
    }
    packaged_close(&test);

    tap_case("a study without source has a corpus without numbers");
    if (packaged_open(&test, "study: s\ntables: {f: {from: f.csv}}\n") &&
        CHECK(run_numbers(&test.study, &test.arena, &numbers, &count, &test.err))) {
        CHECK(count == 3 && numbers[0].count == 0 && numbers[1].count == 0);
        CHECK(str_eq(numbers[2].step, STR("tables.f")));
    }
    packaged_close(&test);
    return tap_done();
}
