/* Truth and prediction of each item that was held out say which numbers it is behind. */
#include "run/classifying_behind.h"

/* Of the table of scores: what each column counts or rests on. */
static const struct {
    const char *what;
    bool truly, said; /* both: one of them is enough */
} columns[] = {
    {"items that are truly '%.*s'", true, false},            /* items */
    {"items that were taken for '%.*s'", false, true},       /* predicted */
    {"items that were taken for '%.*s'", false, true},       /* precision */
    {"items that are truly '%.*s'", true, false},            /* recall */
    {"items that are or were taken for '%.*s'", true, true}, /* F1 */
};

/* The items that `is` says yes to are behind a cell. */
static void add(const struct run_classifying_behind *it, struct result_evidence evidence,
                bool (*is)(const struct run_classifying_behind *it, size_t item,
                           size_t row, size_t column),
                struct result_table *out)
{
    size_t room = 1;

    for (size_t i = 0; i < it->truth->items; i++)
        room += is(it, i, evidence.row, evidence.column);
    int64_t *ids = arena_array(it->arena, int64_t, room);
    for (size_t i = 0; i < it->truth->items; i++)
        if (is(it, i, evidence.row, evidence.column))
            ids[evidence.count++] = it->ids[i];
    evidence.ids = ids;
    result_add_evidence(out, &evidence, it->arena);
}

static bool is_scored(const struct run_classifying_behind *it, size_t item, size_t class,
                      size_t column)
{
    return (columns[column].truly && learn_membership_has(it->truth, item, class)) ||
           (columns[column].said && learn_membership_has(it->said, item, class));
}

static bool is_confused(const struct run_classifying_behind *it, size_t item,
                        size_t truth, size_t said)
{
    return learn_membership_has(it->truth, item, truth) &&
           learn_membership_has(it->said, item, said);
}

static void add_score(const struct run_classifying_behind *it, size_t class,
                      size_t column, struct result_table *out)
{
    struct buf what = {0};

    buf_add_format(&what, columns[column].what, STR_ARG(it->names[class]));
    add(it, (struct result_evidence){class, column, buf_str(&what), NULL, 0}, is_scored,
        out);
    buf_free(&what);
}

void run_classifying_behind_scores(const struct run_classifying_behind *it,
                                   struct result_table *out)
{
    for (size_t k = 0; k < it->truth->classes; k++)
        for (size_t c = 0; c < ROWS_OF(columns); c++)
            add_score(it, k, c, out);
}

void run_classifying_behind_overall(const struct run_classifying_behind *it,
                                    struct result_table *out)
{
    result_add_evidence(
        out,
        &(struct result_evidence){RESULT_NONE, RESULT_NONE,
                                  STR("labelled items that were held out"), it->ids,
                                  it->truth->items},
        it->arena);
}

static void add_cell(const struct run_classifying_behind *it, size_t truth, size_t said,
                     struct result_table *out)
{
    struct buf what = {0};

    buf_add_format(&what, "items that are truly '%.*s' and were taken for '%.*s'",
                   STR_ARG(it->names[truth]), STR_ARG(it->names[said]));
    add(it, (struct result_evidence){truth, said, buf_str(&what), NULL, 0}, is_confused,
        out);
    buf_free(&what);
}

void run_classifying_behind_confusion(const struct run_classifying_behind *it,
                                      struct result_table *out)
{
    size_t classes = it->truth->several ? 0 : it->truth->classes;

    for (size_t t = 0; t < classes; t++)
        for (size_t k = 0; k < classes; k++)
            add_cell(it, t, k, out);
}
