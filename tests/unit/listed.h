/* For tests of the items behind numbers. */
#ifndef TESTS_UNIT_LISTED_H
#define TESTS_UNIT_LISTED_H

#include "result/result.h"
#include "tests/tap.h"

/* "WHAT: ID ID" of the list behind a cell; "" when there is none. */
static inline void listed_expect(const struct result_table *table, size_t row,
                                 size_t column, const char *want)
{
    const struct result_list *list =
        table->cells[row * table->column_count + column].list;
    struct buf text = {0};

    if (list != NULL) {
        buf_add_format(&text, "%.*s:", STR_ARG(list->what));
        for (size_t i = 0; i < list->shown; i++)
            buf_add_format(&text, " %lld", (long long)list->ids[i]);
    }
    buf_add_char(&text, '\0');
    CHECK_TEXT(text.ptr, want);
    buf_free(&text);
}

/* A table of counts, all 1. */
static inline struct result_table listed_table(size_t columns, size_t rows,
                                               struct arena *arena)
{
    struct result_column *heads = arena_array(arena, struct result_column, columns);

    for (size_t c = 0; c < columns; c++)
        heads[c].type = RESULT_COUNT;
    struct result_table table = result_new(STR("t"), heads, columns, arena);
    for (size_t r = 0; r < rows; r++) {
        struct result_cell *cells = result_add_row(&table, STR("r"), RESULT_NONE, arena);
        for (size_t c = 0; c < columns; c++)
            cells[c] = result_count(1);
    }
    return table;
}

#endif
