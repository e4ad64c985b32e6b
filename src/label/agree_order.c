/* Which code stands before which. */
#include <math.h>
#include <stdlib.h>

#include "label/agree.h"

struct numbered {
    double number;
    size_t code;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered *one = a, *two = b;

    return one->number < two->number ? -1 : one->number > two->number;
}

/* Codes that are the same number, such as 1 and 1.0, share a place. */
static void order_by_number(struct agree_data *data, struct arena *arena)
{
    size_t count = data->code_count, *places = arena_array(arena, size_t, count + 1);
    struct numbered *codes = arena_array(arena, struct numbered, count + 1);
    double *numbers = arena_array(arena, double, count + 1);
    struct str *names = arena_array(arena, struct str, count + 1);
    size_t made = 0;

    for (size_t i = 0; i < count; i++) {
        codes[i].code = i;
        if (!str_to_real(data->codes[i].path, &codes[i].number))
            return;
    }
    qsort(codes, count, sizeof *codes, compare_numbered);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || codes[i].number != codes[i - 1].number) {
            numbers[made] = codes[i].number;
            names[made++] = data->codes[codes[i].code].path;
        }
        places[codes[i].code] = made - 1;
    }
    if (made > 2) /* of two, one order is as good as the other */
        data->order = (struct agree_order){places, numbers, names, made};
}

static size_t find_code(const struct agree_data *data, struct str text)
{
    for (size_t i = 0; i < data->code_count; i++)
        if (str_eq(data->codes[i].path, text))
            return i;
    for (size_t i = 0; i < data->code_count; i++)
        if (str_eq(data->codes[i].name, text))
            return i;
    return AGREE_NONE;
}

static bool order_by_list(struct agree_data *data, struct str list, struct arena *arena,
                          struct err *err)
{
    size_t *places = arena_array(arena, size_t, data->code_count + 1), found = 0;
    struct str *names = arena_array(arena, struct str, list.len / 2 + 1), one;
    size_t count = 0;

    for (size_t i = 0; i < data->code_count; i++)
        places[i] = AGREE_NONE;
    for (bool more = true; more;) {
        more = str_cut(&list, ',', &one);
        one = str_trim(one);
        if (one.len == 0)
            return err_set(err, ERR_USAGE, "the order of labels has an empty place");
        for (size_t i = 0; i < count; i++)
            if (str_eq(names[i], one))
                return err_set(err, ERR_USAGE,
                               "the order of labels has '%.*s' for the second time",
                               STR_ARG(one));
        size_t code = find_code(data, one);
        if (code != AGREE_NONE) {
            places[code] = count;
            found++;
        }
        names[count++] = one;
    }
    if (count < 2)
        return err_set(err, ERR_USAGE, "an order of labels has two at least");
    if (found == 0)
        return err_set(err, ERR_USAGE, "no label is in the order that was given");
    data->order = (struct agree_order){places, NULL, names, count};
    return true;
}

bool agree_set_order(struct agree_data *data, struct str list, struct arena *arena,
                     struct err *err)
{
    data->order = (struct agree_order){0};
    if (list.len > 0)
        return order_by_list(data, list, arena, err);
    order_by_number(data, arena);
    return true;
}
