/* Truth and prediction of each item that was held out say which numbers it is behind. */
#include "run/classifying_behind.h"

#include "measure/evidence.h"

static const char *const shown[] = {"scores", "overall", "confusion"};

enum { SCORES, OVERALL, CONFUSION };

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

enum { COLUMN_PRECISION = 2 };

static struct buf *add_file(struct output *output, struct str classifier, size_t which)
{
    struct buf name = {0};

    buf_add_format(&name, "behind/%s.csv", shown[which]);
    buf_add_char(&name, '\0');
    struct buf *file = output_add_below(output, "classifiers", classifier, name.ptr);
    buf_free(&name);
    evidence_begin(file);
    return file;
}

void classifying_behind_nothing(struct output *output, struct str classifier)
{
    for (size_t i = 0; i < ROWS_OF(shown); i++)
        add_file(output, classifier, i);
}

static void add_reason(const struct bootstrap *of, int64_t row, int64_t column,
                       struct buf *out)
{
    if (of->undefined != NULL)
        evidence_no_interval(out, (struct evidence_place){row, column}, of->undefined);
}

static void add_score(const struct classifying_behind *it, size_t class, size_t column,
                      int64_t *ids, struct buf *out)
{
    struct buf what = {0};
    size_t count = 0;

    for (size_t i = 0; i < it->truth->items; i++)
        if ((columns[column].truly && membership_has(it->truth, i, class)) ||
            (columns[column].said && membership_has(it->said, i, class)))
            ids[count++] = it->ids[i];
    buf_add_format(&what, columns[column].what, STR_ARG(it->names[class]));
    evidence_add(out, (struct evidence_place){(int64_t) class, (int64_t)column},
                 buf_str(&what), ids, count);
    buf_free(&what);
}

static void add_scores(const struct classifying_behind *it, int64_t *ids)
{
    struct buf *out = add_file(it->output, it->classifier, SCORES);

    for (size_t k = 0; k < it->truth->classes; k++) {
        const struct bootstrap *of[] = {&it->intervals->precision[k],
                                        &it->intervals->recall[k], &it->intervals->f1[k]};
        for (size_t c = 0; c < ROWS_OF(columns); c++)
            add_score(it, k, c, ids, out);
        for (size_t s = 0; s < ROWS_OF(of); s++)
            add_reason(of[s], (int64_t)k, COLUMN_PRECISION + (int64_t)s, out);
    }
}

static void add_overall(const struct classifying_behind *it)
{
    struct buf *out = add_file(it->output, it->classifier, OVERALL);

    evidence_add(out, (struct evidence_place){EVIDENCE_ALL, EVIDENCE_ALL},
                 STR("labelled items that were held out"), it->ids, it->truth->items);
    for (size_t i = 0; i < SCORE_OVERALL; i++)
        add_reason(&it->intervals->overall[i], (int64_t)i, 0, out);
}

static void add_cell(const struct classifying_behind *it, size_t truth, size_t said,
                     int64_t *ids, struct buf *out)
{
    struct buf what = {0};
    size_t count = 0;

    for (size_t i = 0; i < it->truth->items; i++)
        if (membership_has(it->truth, i, truth) && membership_has(it->said, i, said))
            ids[count++] = it->ids[i];
    if (count == 0)
        return;
    buf_add_format(&what, "items that are truly '%.*s' and were taken for '%.*s'",
                   STR_ARG(it->names[truth]), STR_ARG(it->names[said]));
    evidence_add(out, (struct evidence_place){(int64_t)truth, (int64_t)said},
                 buf_str(&what), ids, count);
    buf_free(&what);
}

/* Items with several classes have no such table. */
static void add_confusion(const struct classifying_behind *it, int64_t *ids)
{
    struct buf *out = add_file(it->output, it->classifier, CONFUSION);
    size_t classes = it->truth->several ? 0 : it->truth->classes;

    for (size_t t = 0; t < classes; t++)
        for (size_t k = 0; k < classes; k++)
            add_cell(it, t, k, ids, out);
}

void classifying_behind_make(const struct classifying_behind *it)
{
    struct arena arena = {0};
    int64_t *ids = arena_array(&arena, int64_t, it->truth->items + 1);

    add_scores(it, ids);
    add_overall(it);
    add_confusion(it, ids);
    arena_free(&arena);
}
