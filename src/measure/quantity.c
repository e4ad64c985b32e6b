/* Missing is not zero: an item without the number does not count. */
#include "measure/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/order.h"
#include "text/utf8.h"

enum { UNREADABLE_SHOWN = 40 }; /* bytes of a text that is no number */

double measure_quantity_round(double value, int digits)
{
    char text[400];

    if (digits < 0 || !isfinite(value))
        return value;
    snprintf(text, sizeof text, "%.*f", digits, value);
    (void)!str_to_real(str_from(text), &value);
    return value;
}

static const double *field_numbers(const struct measure_frame *frame,
                                   const struct measure_frame_texts *texts)
{
    double *numbers = arena_array(frame->arena, double, texts->name_count + 1);
    double *field = arena_array(frame->arena, double, frame->count + 1);

    numbers[0] = NAN;
    for (size_t t = 0; t < texts->name_count; t++)
        if (!str_to_real(str_trim(texts->names[t]), &numbers[t + 1]))
            numbers[t + 1] = NAN;
    for (size_t i = 0; i < frame->count; i++)
        field[i] = numbers[texts->of[i]];
    return field;
}

bool measure_quantity_open(const struct measure_frame *frame,
                           const struct study_measure *measure, int round_first,
                           struct measure_quantity *out, struct err *err)
{
    *out = (struct measure_quantity){
        .frame = frame, .measure = measure, .round_first = round_first};
    if (measure->quantity == STUDY_MEASURE_TO_ENDORSED)
        return measure_frame_endorsed(frame, &out->endorsed, err);
    if (measure->quantity != STUDY_MEASURE_FIELD)
        return true;
    if (!measure_frame_field(frame, measure->name, &out->texts, err))
        return false;
    out->field = field_numbers(frame, &out->texts);
    return true;
}

void measure_quantity_tell_unreadable(const struct measure_quantity *quantity,
                                      struct measure_bits items, struct buf *out)
{
    struct str first = {0};
    int64_t count = 0;

    if (quantity->field == NULL)
        return;
    MEASURE_BITS_EACH (i, items) {
        uint32_t text = quantity->texts.of[i];
        if (text == 0 || !isnan(quantity->field[i]))
            continue;
        if (count++ == 0)
            first = quantity->texts.names[text - 1];
    }
    if (count > 0)
        buf_add_format(out,
                       "%lld item%s left out: what stands there is no number, as '%.*s'.",
                       (long long)count, count == 1 ? " is" : "s are",
                       STR_ARG(text_utf8_cut(first, UNREADABLE_SHOWN)));
}

static bool asks_endorsed(const struct measure_quantity *quantity)
{
    return quantity->endorsed.ms.blocks != NULL;
}

static int64_t event_ms(const struct measure_quantity *quantity, size_t i)
{
    const struct measure_frame *frame = quantity->frame;

    return asks_endorsed(quantity) ? measure_column_at(quantity->endorsed.ms, i)
           : quantity->measure->quantity == STUDY_MEASURE_TO_FIRST
               ? measure_column_at(frame->first_ms, i)
               : measure_column_at(frame->accepted_ms, i);
}

/* The wait in milliseconds; ITEM_NONE when either moment is missing. */
static int64_t wait_ms(const struct measure_quantity *quantity, size_t i)
{
    int64_t event = event_ms(quantity, i),
            created = measure_column_at(quantity->frame->created_ms, i);

    return event == ITEM_NONE || created == ITEM_NONE ? ITEM_NONE : event - created;
}

/* An answer whose moment is unknown says nothing about the wait, nor does a source that
 * tells of no answers; but one that came after the end of the source was awaited there.
 */
static bool is_wait_unknown(const struct measure_quantity *quantity, size_t i)
{
    const struct measure_frame *frame = quantity->frame;
    bool accepted = quantity->measure->quantity == STUDY_MEASURE_TO_ACCEPTED;

    if (event_ms(quantity, i) != ITEM_NONE)
        return false;
    if (asks_endorsed(quantity))
        return !measure_bits_has(frame->endorsed_known, i);
    return !measure_bits_has(accepted ? frame->accepted_known : frame->answered_known,
                             i) ||
           (measure_bits_has(accepted ? frame->accepted : frame->answered, i) &&
            !measure_bits_has(accepted ? frame->accepted_late : frame->first_late, i));
}

bool measure_quantity_unknown(const struct measure_quantity *quantity, size_t item)
{
    const struct measure_frame *frame = quantity->frame;
    bool accepted = quantity->measure->quantity == STUDY_MEASURE_TO_ACCEPTED;

    return is_wait_unknown(quantity, item) &&
           (asks_endorsed(quantity) ||
            measure_bits_has(accepted ? frame->accepted : frame->answered, item));
}

static double exact_value(const struct measure_quantity *quantity, size_t i,
                          int64_t *negative)
{
    const struct study_measure *measure = quantity->measure;

    if (quantity->field != NULL)
        return quantity->field[i];
    if (study_measure_is_time(measure)) {
        int64_t wait = wait_ms(quantity, i);
        if (wait != ITEM_NONE && wait < 0)
            ++*negative;
        return wait == ITEM_NONE || wait < 0 ? NAN
                                             : (double)wait / (double)measure->unit_ms;
    }
    int64_t number = measure_column_at(quantity->frame->numbers[measure->field], i);
    return number == ITEM_NONE ? NAN : (double)number;
}

double measure_quantity_value(const struct measure_quantity *quantity, size_t item,
                              int64_t *negative)
{
    return measure_quantity_round(exact_value(quantity, item, negative),
                                  quantity->round_first);
}

struct stats_values measure_quantity_values(const struct measure_quantity *quantity,
                                            struct measure_bits items,
                                            struct arena *arena, int64_t *negative)
{
    double *values = arena_array(arena, double, (size_t)measure_bits_count(items) + 1);
    size_t count = 0;

    MEASURE_BITS_EACH (i, items) {
        double value = measure_quantity_value(quantity, i, negative);
        if (!isnan(value))
            values[count++] = value;
    }
    return (struct stats_values){values, count};
}

bool measure_quantity_wait(const struct measure_quantity *quantity, size_t item,
                           struct stats_survival_case *out)
{
    const struct measure_frame *frame = quantity->frame;
    int64_t created = measure_column_at(frame->created_ms, item),
            event = event_ms(quantity, item);

    if (created == ITEM_NONE || is_wait_unknown(quantity, item))
        return false;
    int64_t wait =
        (event != ITEM_NONE ? event : measure_column_at(frame->end_ms, item)) - created;
    *out = (struct stats_survival_case){
        measure_quantity_round((double)wait / (double)quantity->measure->unit_ms,
                               quantity->round_first),
        event != ITEM_NONE};
    return wait >= 0;
}

size_t measure_quantity_waits(const struct measure_quantity *quantity,
                              struct measure_bits items, struct stats_survival_case *out)
{
    size_t count = 0;

    MEASURE_BITS_EACH (i, items)
        count += measure_quantity_wait(quantity, i, &out[count]);
    return count;
}

struct known {
    LIST(int64_t) numbers;
};

static void add_known(struct known *known, int64_t number)
{
    if (number != ITEM_NONE)
        list_add(&known->numbers, number);
}

/* A site's own accounts have numbers below 0. */
static void add_person(struct known *known, int64_t number)
{
    if (number >= 0)
        add_known(known, number);
}

int64_t measure_quantity_distinct(const struct measure_quantity *quantity,
                                  struct measure_bits items)
{
    const struct measure_frame *frame = quantity->frame;
    struct known known = {0};
    int64_t distinct = 0;
    /* There is no item, or it is known that nobody answered one. */
    bool nobody = measure_bits_count(items) == 0;

    MEASURE_BITS_EACH (i, items) {
        switch (quantity->measure->quantity) {
        case STUDY_MEASURE_FIELD:
            add_known(&known,
                      quantity->texts.of[i] > 0 ? quantity->texts.of[i] : ITEM_NONE);
            break;
        case STUDY_MEASURE_ANSWERER:
            for (int64_t k = measure_column_at(frame->answers_begin, i),
                         to = measure_column_at(frame->answers_begin, i + 1);
                 k < to; k++)
                add_person(&known, measure_column_at(frame->answerers, (size_t)k));
            nobody = nobody || (measure_bits_has(frame->answered_known, i) &&
                                !measure_bits_has(frame->answered, i));
            break;
        default:
            add_person(&known, measure_column_at(frame->owner, i));
        }
    }
    order_ints(known.numbers.at, known.numbers.count);
    for (size_t i = 0; i < known.numbers.count; i++)
        distinct += i == 0 || known.numbers.at[i] != known.numbers.at[i - 1];
    list_free(&known.numbers);
    return distinct > 0 || nobody ? distinct : ITEM_NONE;
}
