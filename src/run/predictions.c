/* Rows in any order become one list; codes of a lower level that count as one have the
 * sum of their probabilities. */
#include "run/predictions.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "base/near.h"
#include "base/order.h"
#include "input/csv.h"
#include "run/output.h"

struct predictions_reading {
    const struct run_predictions_of *of;
    size_t item, code, probability; /* columns */
    bool sure;                      /* there is no column of probabilities */
    LIST(struct run_prediction) rows;
    struct map seen; /* of a csv: item and code */
    int64_t unknown;
    struct str rater; /* whose answers are read */
    size_t by;        /* column */
};

static bool find_code(const struct run_predictions_of *of, struct str text, size_t *out,
                      struct err *err)
{
    const struct measure_labels *labels = of->labels;

    for (*out = 0; *out < labels->code_count; ++*out)
        if (str_eq(labels->codes[*out].id, text) ||
            str_eq(labels->codes[*out].name, text))
            return true;
    struct str *names = arena_array(of->arena, struct str, labels->code_count + 1);
    for (size_t c = 0; c < labels->code_count; c++)
        names[c] = labels->codes[c].id;
    size_t near = near_find(text, names, labels->code_count);
    if (near < labels->code_count)
        return err_set(err, ERR_INPUT,
                       "'%.*s' is no code of the labels; did you mean '%.*s'?",
                       STR_ARG(text), STR_ARG(names[near]));
    return err_set(err, ERR_INPUT,
                   "'%.*s' is no code of the labels, which it is to be compared with; "
                   "where nobody gave it, a codebook makes it known",
                   STR_ARG(text));
}

static bool read_head(void *context, const struct input_csv_row *head, struct err *err)
{
    struct predictions_reading *reading = context;

    reading->probability = input_csv_rows_find(head, STR("probability"));
    reading->sure = reading->probability == head->count;
    return input_csv_rows_need(head, STR("item"), &reading->item, err) &&
           input_csv_rows_need(head, STR("code"), &reading->code, err);
}

static bool read_probability(struct str text, double *out, struct err *err)
{
    if (text.len == 0) {
        *out = NAN;
        return true;
    }
    return (str_to_real(text, out) && *out >= 0 && *out <= 1) ||
           err_set(err, ERR_INPUT,
                   "found the probability '%.*s', expected a number from 0 to 1",
                   STR_ARG(text));
}

/* At the level of the labels; what is no item of the study is counted. */
static void keep(struct predictions_reading *reading, struct run_prediction one)
{
    const struct run_predictions_of *of = reading->of;

    one.code = measure_labels_at_level(of->labels, one.code, of->level);
    if (one.item == of->frame->count)
        reading->unknown++;
    else
        list_add(&reading->rows, one);
}

static bool read_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct predictions_reading *reading = context;
    const struct run_predictions_of *of = reading->of;
    struct run_prediction one = {.probability = NAN};
    int64_t id;

    if (!measure_labels_item(of->frame, str_trim(row->fields[reading->item]), false, &id,
                             err) ||
        !find_code(of, str_trim(row->fields[reading->code]), &one.code, err) ||
        (!reading->sure && !read_probability(str_trim(row->fields[reading->probability]),
                                             &one.probability, err)))
        return false;
    const int64_t key[] = {id, (int64_t)one.code};
    int64_t *times = map_put(&reading->seen, (struct str){(const char *)key, sizeof key});
    if (++*times > 1) /* its probability would count twice */
        return err_set(err, ERR_INPUT, "item %.*s has the code '%.*s' a second time",
                       STR_ARG(str_trim(row->fields[reading->item])),
                       STR_ARG(of->labels->codes[one.code].id));
    one.item = measure_frame_find(of->frame, id);
    keep(reading, one);
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct run_prediction *one = a, *two = b;

    return order_then(ORDER_BY(one->item, two->item), ORDER_BY(one->code, two->code));
}

/* Unknown as soon as one of them is. */
static double sum_of(double one, double two)
{
    return isnan(one) || isnan(two) ? NAN : fmin(one + two, 1);
}

static struct run_predictions collect(struct predictions_reading *reading)
{
    struct run_predictions out = {
        arena_array(reading->of->arena, struct run_prediction, reading->rows.count + 1),
        0, reading->unknown};

    if (reading->rows.count > 0)
        qsort(reading->rows.at, reading->rows.count, sizeof *reading->rows.at, compare);
    for (size_t i = 0; i < reading->rows.count; i++) {
        struct run_prediction *last = out.count > 0 ? &out.at[out.count - 1] : NULL;
        if (last != NULL && compare(last, &reading->rows.at[i]) == 0)
            last->probability = sum_of(last->probability, reading->rows.at[i].probability);
        else
            out.at[out.count++] = reading->rows.at[i];
    }
    list_free(&reading->rows);
    return out;
}

bool run_predictions_csv(const struct run_predictions_of *of, const char *path,
                         struct run_predictions *out, struct err *err)
{
    struct predictions_reading reading = {.of = of, .seen = {.arena = of->arena}};
    struct input_csv_rows to = {read_head, read_row, &reading};
    struct str text;
    bool ok = file_read(path, of->arena, &text, err) &&
              input_csv_rows_read(text, path, &to, err);

    *out = collect(&reading);
    return ok;
}

static bool read_answers_head(void *context, const struct result_table *table,
                              struct err *err)
{
    struct predictions_reading *reading = context;

    return result_column(table, "id", RESULT_ITEM, &reading->item, err) &&
           result_column(table, "rater", RESULT_TEXT, &reading->by, err) &&
           result_column(table, "code", RESULT_TEXT, &reading->code, err) &&
           result_column(table, "probability", RESULT_SHARE, &reading->probability, err);
}

static bool read_answer(void *context, const struct result_row *row,
                        const struct result_cell *cells, struct err *err)
{
    struct predictions_reading *reading = context;
    const struct run_predictions_of *of = reading->of;
    struct run_prediction one = {
        .item = measure_frame_find(of->frame, cells[reading->item].item),
        .probability = cells[reading->probability].value};

    (void)row;
    if (!str_eq(cells[reading->by].text, reading->rater))
        return true;
    if (!find_code(of, cells[reading->code].text, &one.code, err))
        return false;
    keep(reading, one);
    return true;
}

bool run_predictions_rater(const struct run_predictions_of *of, const struct study *study,
                           const struct study_labels *labels, struct str rater,
                           struct run_predictions *out, struct err *err)
{
    struct predictions_reading reading = {.of = of, .rater = rater};
    struct str dimension = labels->table, what;
    struct buf name = {0};

    /* "final.cause" of several dimensions, "final" of one */
    bool several = str_cut(&dimension, '.', &what);
    buf_add_format(&name, "answers%s%.*s", several ? "." : "",
                   several ? (int)dimension.len : 0, dimension.ptr);
    struct result_file_rows rows = {buf_str(&name), read_answers_head, read_answer,
                                    &reading};
    bool ok = run_output_read_rows(study->home, "labelling",
                                   study->labellings[labels->labelling].name, &rows, err);
    *out = collect(&reading);
    buf_free(&name);
    return ok;
}
