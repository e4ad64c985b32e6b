/* Tables of the study file that are computed from items. */
#include "tests/unit/refused.h"

static const struct refused_row wrong[] = {
    {"a value of each item is no column",
     REFUSED_HEAD "tables: {t: {columns: [views]}}\n",
     "s.yaml:3:24: 'views' is a value of each item; say which of them"},
    {"a measure in a set that is none",
     REFUSED_HEAD "tables: {t: {columns: [share in b]}}\n",
     "s.yaml:3:24: in:b is not a set\n"},
    {"no columns", REFUSED_HEAD "tables: {t: {columns: []}}\n",
     "expected at least one column\n"},
    {"two columns of one name", REFUSED_HEAD "tables: {t: {columns: [count, count]}}\n",
     "s.yaml:3:31: two columns are called 'count'; give one a name"},
    {"sorted by no column",
     REFUSED_HEAD "tables: {t: {columns: [count], sort: counts}}\n",
     "s.yaml:3:38: 'counts' is not a column of the table; did you mean 'count'?\n"},
    {"ranks of which group across",
     REFUSED_HEAD
     "groups: {y: created by year}\ntables: {t: {across: y, columns: [count, share], "
     "rank-correlation: [count, share]}}\n",
     "`rank-correlation` does not go with `across`: which of the groups?"},
    {"one column to correlate", REFUSED_HEAD "tables: {t: {rank-correlation: [count]}}\n",
     "s.yaml:3:33: expected two columns, found 1\n"},
    {"totals of nothing", REFUSED_HEAD "tables: {t: {totals: rows}}\n",
     "s.yaml:3:14: totals of rows need `across`: there is nothing to add up\n"},
    {"where without such a group", REFUSED_HEAD "tables: {t: {where: {k: x}}}\n",
     "s.yaml:3:22: 'k' is not a name under groups:"},
};

static const char text[] = REFUSED_HEAD
    "sets: {server: '[x]'}\n"
    "groups:\n  year: created by year\n  f: {first-of: {K: '[k]'}}\n"
    "  l: {labels: codes}\n"
    "samples: {q: {of: server, size: 10, seed: 8}}\nlabels: {codes: {from: l.csv}}\n"
    "tables:\n  t: {of: [server, q], by: [year, f], across: l, totals: both, unit: "
    "rows,\n"
    "      columns: [count, {measure: median views, name: V, digits: 1, round-first: "
    "2}],\n"
    "      round-first: 3, minimum-age: 30, sort: V, where: {f: K}, top: 4, small: 9,\n"
    "      confidence: 90%}\n"
    "  u: {by: year, columns: [count, {measure: median views, name: V}],\n"
    "      rank-correlation: [count, V]}\n";

static void check_table(const struct study_table *table)
{
    tap_case("a table");
    CHECK(table->of_count == 2 && table->by_count == 2 && table->across[0] == 2);
    CHECK(table->totals == (STUDY_TOTAL_ROWS | STUDY_TOTAL_COLUMNS) && table->unit_rows);
    CHECK(table->columns[0].round_first == 3 && table->columns[1].round_first == 2);
    CHECK(table->columns[0].digits == -1 && table->columns[1].digits == 1);
    CHECK(table->columns[1].minimum_age_days == 30 && table->sort == 1 &&
          table->descending);
    CHECK(table->top == 4 && table->small == 9 && table->confidence == 0.9);
    CHECK(table[1].ranked[0] == 0 && table[1].ranked[1] == 1);
    CHECK(table->where[0].group == 1 && str_eq(table->where[0].value, STR("K")));
}

int main(void)
{
    struct arena arena = {0};
    struct study study;

    refused_check(wrong, ROWS(wrong));
    if (refused_not(text, &arena, &study))
        check_table(study.tables);
    arena_free(&arena);
    return tap_done();
}
