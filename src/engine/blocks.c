/* Which rows of a table are asked for, and how many at once. A table may have its rows in
 * any order, so that each question may be one to all of it: few are asked, of runs of
 * numbers whose rows the server has counted, and a body is read last. */
#include <stdlib.h>
#include <string.h>

#include "engine/internal.h"

#define RUN_NUMBERS (INT64_C(1) << ENGINE_RUN_BITS)

bool engine_take_run(void *context, const struct str *fields, struct err *err)
{
    struct engine_runs *runs = context;
    struct engine_run run;
    int64_t *const numbers[ENGINE_RUN_COLUMNS] = {&run.number, &run.rows, &run.first,
                                                  &run.last};
    bool ok = true;

    for (size_t i = 0; i < ENGINE_RUN_COLUMNS; i++)
        ok = ok && str_to_int(fields[i], numbers[i]);
    if (!ok || run.number < INT64_MIN / RUN_NUMBERS ||
        run.number >= INT64_MAX / RUN_NUMBERS)
        return err_set(err, ERR_SYSTEM, "the server answered with a row that is none");
    list_add(&runs->at, run);
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct engine_run *left = a, *right = b;

    return (left->number > right->number) - (left->number < right->number);
}

void engine_blocks_make(struct engine_runs *runs, int64_t most, struct engine_blocks *out)
{
    const struct engine_run *run = runs->at.at;

    if (runs->at.count > 1)
        qsort(runs->at.at, runs->at.count, sizeof *runs->at.at, by_number);
    for (size_t i = 0; i < runs->at.count;) {
        struct engine_block block = {.from = run[i].number * RUN_NUMBERS,
                                     .first = run[i].first};
        int64_t rows = 0;
        for (; i < runs->at.count && (rows == 0 || rows + run[i].rows <= most ||
                                      run[i].number == run[i - 1].number);
             i++) {
            rows += run[i].rows;
            if (run[i].first < block.first)
                block.first = run[i].first;
            if (run[i].last > block.last)
                block.last = run[i].last;
            block.to = (run[i].number + 1) * RUN_NUMBERS;
        }
        list_add(&out->at, block);
        list_add(&out->rows, rows);
    }
    list_free(&runs->at);
}

void engine_blocks_free(struct engine_blocks *blocks)
{
    list_free(&blocks->at);
    list_free(&blocks->rows);
}

/* --- which rows --- */

/* Views and tables in memory refuse it. */
static bool find_sifts(struct engine_posts *posts, struct err *err)
{
    static const char *const one[] = {"1"};
    struct err refused = {0};
    struct buf rest = {0};

    buf_add_format(&rest, "FROM %.*s PREWHERE %s < 0 LIMIT 0", STR_ARG(posts->table),
                   engine_number(&posts->columns[ENGINE_ID], posts->arena));
    bool sifts = engine_ask(posts->engine, one, ROWS_OF(one), buf_str(&rest), NULL, NULL,
                            &refused);
    buf_free(&rest);
    if (!sifts && strstr(refused.text, "Code: 182") == NULL) {
        *err = refused;
        return false;
    }
    posts->sifts = sifts ? ENGINE_SIFTS : ENGINE_SIFTS_NOT;
    return true;
}

/* " AND (one OR another)", unless there are none. */
static void add_queries(const struct engine_posts *posts,
                        const struct engine_rows_wanted *wanted, struct buf *sql)
{
    for (size_t i = 0; i < wanted->query_count; i++) {
        buf_add(sql, i > 0 ? STR(" OR ") : STR(" AND ("));
        engine_add_condition(posts, wanted->queries[i], sql);
    }
    if (wanted->query_count > 0)
        buf_add_char(sql, ')');
}

bool engine_add_from(struct engine_posts *posts, const struct engine_rows_wanted *wanted,
                     bool lean, struct buf *sql, struct err *err)
{
    struct engine_posts bare = *posts;
    struct buf conditions = {0}, whole = {0};

    if (posts->sifts == ENGINE_SIFTS_UNKNOWN && !find_sifts(posts, err))
        return false;
    bool sifts = posts->sifts == ENGINE_SIFTS;
    bare.columns[ENGINE_BODY].name = NULL;
    add_queries(lean || sifts ? &bare : posts, wanted, &conditions);
    add_queries(posts, wanted, &whole);
    buf_add_format(sql, "FROM %.*s %s %.*s%.*s", STR_ARG(posts->table),
                   sifts ? "PREWHERE" : "WHERE", STR_ARG(wanted->range),
                   STR_ARG(buf_str(&conditions)));
    if (sifts && !lean && !str_eq(buf_str(&conditions), buf_str(&whole)))
        buf_add_format(sql, " WHERE 1%.*s", STR_ARG(buf_str(&whole)));
    buf_free(&conditions);
    buf_free(&whole);
    return true;
}

bool engine_find_blocks(struct engine_posts *posts, const char *id,
                        const struct engine_rows_wanted *wanted, int64_t most,
                        struct engine_blocks *out, struct err *err)
{
    const char *const expressions[ENGINE_RUN_COLUMNS] = {
        arena_format(posts->arena, "bitShiftRight(toInt64(%s), %d) AS run", id,
                     ENGINE_RUN_BITS)
            .ptr,
        "toInt64(count())", "0", "0"};
    struct engine_runs runs = {0};
    struct buf rest = {0};
    bool ok = engine_add_from(posts, wanted, true, &rest, err);

    buf_add(&rest, STR(" GROUP BY run"));
    ok = ok && engine_ask(posts->engine, expressions, ROWS_OF(expressions),
                          buf_str(&rest), engine_take_run, &runs, err);
    buf_free(&rest);
    engine_blocks_make(&runs, most, out);
    return ok;
}
