/* What assay classify writes with --out: every prediction of a post by a model that has
 * not seen it, those that are wrong, and curves over all thresholds. */
#include "cmd/classify.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/order.h"

struct out_files {
    struct cmd_classify_work *work;
    const struct learn_judged *judged;
    const struct str *ids, *classes;
    struct buf text;
};

static void add_row(struct out_files *files, struct str first)
{
    buf_add_csv(&files->text, first);
}

static void add_field(struct out_files *files, struct str field)
{
    buf_add_char(&files->text, ',');
    buf_add_csv(&files->text, field);
}

static void add_real(struct out_files *files, double value)
{
    if (isnan(value))
        buf_add_char(&files->text, ',');
    else
        buf_add_format(&files->text, ",%.6f", value);
}

/* The classes of an item, by semicolons. */
static void add_classes(struct out_files *files, const struct learn_membership *of,
                        size_t item)
{
    struct buf all = {0};

    for (size_t k = 0; k < of->classes; k++)
        if (learn_membership_has(of, item, k))
            buf_add_format(&all, "%s%.*s", all.len > 0 ? ";" : "",
                           STR_ARG(files->classes[k]));
    add_field(files, buf_str(&all));
    buf_free(&all);
}

static struct str id_head(const struct out_files *files)
{
    return files->work->args->id != NULL ? STR("id") : STR("row");
}

static void fill_predictions(struct out_files *files)
{
    const struct learn_judged *judged = files->judged;
    size_t items = judged->truth.items, classes = judged->truth.classes;

    buf_add_format(&files->text, "%.*s,repetition,fold,true,predicted",
                   STR_ARG(id_head(files)));
    for (size_t k = 0; k < classes; k++)
        add_field(files, files->classes[k]);
    buf_add_char(&files->text, '\n');
    for (size_t at = 0; at < items * judged->repeats; at++) {
        add_row(files, files->ids[at % items]);
        buf_add_format(&files->text, ",%zu,", at / items + 1);
        if (judged->fold_of != NULL)
            buf_add_format(&files->text, "%zu", judged->fold_of[at] + 1);
        add_classes(files, &judged->truth, at % items);
        add_classes(files, &judged->predicted, at);
        for (size_t k = 0; k < classes; k++)
            add_real(files, judged->probabilities[at * classes + k]);
        buf_add_char(&files->text, '\n');
    }
}

static bool is_wrong(const struct learn_judged *judged, size_t at)
{
    size_t items = judged->truth.items;
    bool wrong = false;

    for (size_t k = 0; k < judged->truth.classes; k++)
        wrong = wrong || learn_membership_has(&judged->truth, at % items, k) !=
                             learn_membership_has(&judged->predicted, at, k);
    return wrong;
}

/* How far the probabilities of an item are from its labels, where they are farthest. */
static double distance_of(const struct learn_judged *judged, size_t at)
{
    size_t classes = judged->truth.classes, item = at % judged->truth.items;
    double out = 0;

    for (size_t k = 0; k < classes; k++)
        out = fmax(out, fabs(learn_membership_has(&judged->truth, item, k) -
                             judged->probabilities[at * classes + k]));
    return out;
}

/* What was wrong in any repetition, as it was in the first of these; where most speaks
 * against the labels first: these may be wrong as well. */
static void fill_misclassified(struct out_files *files)
{
    const struct learn_judged *judged = files->judged;
    size_t items = judged->truth.items, classes = judged->truth.classes;
    struct arena *arena = files->work->arena;
    double *against = arena_array(arena, double, items + 1);

    buf_add_format(&files->text,
                   "%.*s,true,predicted,probability of predicted,probability of true,"
                   "wrong in repetitions\n",
                   STR_ARG(id_head(files)));
    for (size_t at = 0; at < items * judged->repeats; at++)
        against[at % items] += distance_of(judged, at);
    const size_t *order = order_places(against, items, true, arena);
    for (size_t o = 0; o < items; o++) {
        size_t i = order[o], times = 0, at = i;
        double said = NAN, truly = NAN;
        for (size_t r = judged->repeats; r-- > 0;)
            if (is_wrong(judged, r * items + i)) {
                at = r * items + i;
                times++;
            }
        if (times == 0)
            continue;
        for (size_t k = 0; k < classes; k++) {
            double p = judged->probabilities[at * classes + k];
            if (learn_membership_has(&judged->predicted, at, k))
                said = fmax(said, p);
            if (learn_membership_has(&judged->truth, i, k))
                truly = fmax(truly, p);
        }
        add_row(files, files->ids[i]);
        add_classes(files, &judged->truth, i);
        add_classes(files, &judged->predicted, at);
        add_real(files, said);
        add_real(files, truly);
        buf_add_format(&files->text, ",%zu\n", times);
    }
}

static void fill_curves(struct out_files *files)
{
    const struct learn_judged *judged = files->judged;
    struct arena *arena = files->work->arena;
    struct arena_mark mark = arena_mark(arena);
    struct learn_score_point *points = arena_array(
        arena, struct learn_score_point, judged->truth.items * judged->repeats + 1);

    buf_add(&files->text, STR("class,threshold,recall,false positive rate,precision\n"));
    for (size_t k = 0; k < judged->truth.classes; k++) {
        size_t count;
        learn_score_areas(&judged->truth, judged->probabilities, judged->repeats, k, 0.95,
                          arena, points, &count);
        for (size_t i = 0; i < count; i++) {
            add_row(files, files->classes[k]);
            add_real(files, points[i].threshold);
            add_real(files, points[i].recall);
            add_real(files, points[i].false_alarms);
            add_real(files, points[i].precision);
            buf_add_char(&files->text, '\n');
        }
    }
    arena_rewind(arena, mark);
}

bool cmd_classify_write(struct cmd_classify_work *work, struct err *err)
{
    static const struct {
        const char *name;
        void (*fill)(struct out_files *files);
    } made[] = {{"predictions.csv", fill_predictions},
                {"misclassified.csv", fill_misclassified},
                {"curves.csv", fill_curves}};
    const char *folder = work->args->out;
    struct out_files files = {work,
                              &work->trials[0].judged,
                              work->test.count > 0 ? work->tested.ids : work->learned.ids,
                              work->learned.classes.names,
                              {0}};
    const char *created;
    bool ok = file_make_folder(folder, work->arena, &created, err);

    for (size_t i = 0; ok && i < ROWS_OF(made); i++) {
        buf_clear(&files.text);
        made[i].fill(&files);
        ok = file_write(file_join(folder, made[i].name, work->arena),
                        buf_str(&files.text), err);
    }
    buf_free(&files.text);
    return ok;
}
