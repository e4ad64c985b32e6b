/* Any bytes are the numbers of a step in a package or an error; what is read is written
 * and read again as the same, and every number is found by its own name. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "package/package.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_again(const struct result_numbers *numbers, struct arena *arena)
{
    struct buf text = {0};
    struct result_numbers again;
    struct err err = {0};

    result_numbers_csv(numbers, &text);
    bool ok = package_parse_numbers(buf_str(&text), "again", numbers->step, arena, &again,
                                    &err);
    assert(ok && again.count == numbers->count);
    for (size_t i = 0; i < again.count; i++) {
        const struct result_number *a = &again.at[i], *b = &numbers->at[i];
        assert(str_eq(a->row, b->row) && str_eq(a->column, b->column));
        assert(same(a->value, b->value) && same(a->low, b->low) &&
               same(a->high, b->high));
        assert(a->n == b->n && a->total_row == b->total_row &&
               str_eq(a->undefined, b->undefined));
    }
    buf_free(&text);
}

static void check_finding(const struct result_numbers *numbers, struct arena *arena)
{
    for (size_t i = 0; i < numbers->count && i < 20; i++) {
        struct buf pattern = {0};
        size_t count;
        /* Names that a pattern would take for something else are not slugs. */
        bool plain = true;
        buf_add(&pattern, numbers->at[i].row);
        for (size_t c = 0; c < pattern.len; c++)
            if (pattern.ptr[c] == '/')
                pattern.ptr[c] = '.';
        if (pattern.len > 0)
            buf_add_char(&pattern, '.');
        buf_add(&pattern, numbers->at[i].column);
        for (size_t c = 0; c < pattern.len; c++)
            plain =
                plain && strchr("abcdefghijklmnopqrstuvwxyz0123456789", pattern.ptr[c]);
        const struct result_number **found =
            result_numbers_find(numbers, buf_str(&pattern), arena, &count);
        bool there = false;
        for (size_t f = 0; f < count; f++)
            there = there || found[f] == &numbers->at[i];
        assert(there || !plain);
        buf_free(&pattern);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct result_numbers numbers;
    struct err err = {0};

    if (package_parse_numbers((struct str){(const char *)data, size}, "n", STR("s"),
                              &arena, &numbers, &err)) {
        check_again(&numbers, &arena);
        check_finding(&numbers, &arena);
    } else {
        assert(err.kind == ERR_INPUT && err.text[0] != '\0');
    }
    arena_free(&arena);
    return 0;
}
