/* The report: coefficients of the whole, of parts, of pairs of raters, and what else the
 * labels tell about the work. */
#include "label/agree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "label/agree_table.h"
#include "label/agree_whole.h"

enum {
    TABLE_CODES_MAX = 1000,
    FEW_ITEMS = 30,
};

/* Many labels of one kind, and kappa says less than the eye. */
static bool is_paradox(const struct label_agree_measures *measures)
{
    return measures->observed >= 0.8 && measures->fleiss.value < 0.6 &&
           measures->ac1.value - measures->fleiss.value > 0.2;
}

static struct label_agree_measures measures_of(const struct label_agree_table *table,
                                               bool units, double level,
                                               struct arena *arena)
{
    struct label_agree_measures measures = {
        .items = table->shared,
        .labels = table->labels,
        .raters = table->raters,
        .observed = label_agree_table_observed(&table->ratings),
        .sets = table->several};

    if (table->shared == 0 ||
        table->ratings.categories > LABEL_AGREE_TABLE_CATEGORIES_MAX) {
        const char *why = table->shared > 0 ? "there are too many different labels"
                          : units           ? "no unit has two labels"
                                            : "no item has two labels";
        measures.cohen = measures.fleiss = measures.alpha =
            label_agree_table_undefined(why);
        measures.ac1 = measures.brennan_prediger = label_agree_table_undefined(why);
        return measures;
    }
    measures.cohen = label_agree_table_cohen(table, STATS_AGREE_NOMINAL, level, arena);
    measures.fleiss = stats_agree_fleiss(table->ratings, level, arena);
    measures.alpha = stats_agree_alpha(table->ratings,
                                       label_agree_table_distance(table, arena), arena);
    measures.ac1 = stats_agree_ac1(table->ratings, level, arena);
    measures.brennan_prediger = stats_agree_many(
        table->ratings, STATS_AGREE_BRENNAN_PREDIGER, STATS_AGREE_NOMINAL, level, arena);
    if (measures.items < FEW_ITEMS)
        measures.warning = measures.few =
            units ? "fewer than 30 units: the coefficients are rough"
                  : "fewer than 30 items: the coefficients are rough";
    if (is_paradox(&measures))
        measures.warning = "labels agree often but kappa is low, as one label is much "
                           "more frequent than others (prevalence paradox): see AC1";
    return measures;
}

static struct label_agree_measures measure(const struct label_agree_table_view *view,
                                           double level, struct arena *arena)
{
    struct arena_mark mark = arena_mark(arena);
    struct label_agree_table table = label_agree_table_of(view, arena);
    struct label_agree_measures measures =
        measures_of(&table, view->data->whole_of != NULL, level, arena);

    arena_rewind(arena, mark);
    return measures;
}

/* The whole; alpha has no interval but that of resampling. */
static struct label_agree_measures
measure_whole(const struct label_agree_table_view *whole, double level,
              const struct label_agree_estimate *alpha, struct arena *arena)
{
    struct label_agree_measures measures = measure(whole, level, arena);

    if (alpha->undefined == NULL) {
        measures.alpha.interval_undefined = NULL;
        measures.alpha.std_error = alpha->std_error;
        measures.alpha.low = alpha->low;
        measures.alpha.high = alpha->high;
    }
    return measures;
}

struct label_agree_measures label_agree_measure(const struct label_agree_data *data,
                                                const struct label_agree_options *options,
                                                struct arena *arena)
{
    struct label_agree_table_view whole = label_agree_table_whole(data, arena);
    struct label_agree_estimate alpha =
        label_agree_whole_estimate(&whole, LABEL_AGREE_ALPHA, options, arena);

    return measure_whole(&whole, options->level, &alpha, arena);
}

/* Checkpoints: an item counts from its last label on. */

struct completion {
    size_t item, at;
    bool shared; /* by two raters or more */
};

static int compare_completions(const void *a, const void *b)
{
    const struct completion *one = a, *two = b;

    return one->at < two->at ? -1 : one->at > two->at;
}

/* Items with labels in the order in which they were done; *done says how many of them
 * are shared. */
static struct completion *completed(const struct label_agree_data *data,
                                    struct arena *arena, size_t *count, size_t *done)
{
    struct completion *all = arena_array(arena, struct completion, data->item_count + 1);
    size_t *given = arena_array(arena, size_t, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++) {
        size_t item = data->labels[i].item;
        all[item] = (struct completion){item, i, ++given[item] > 1};
    }
    *count = *done = 0;
    for (size_t i = 0; i < data->item_count; i++)
        if (given[i] > 0) {
            *done += all[i].shared;
            all[(*count)++] = all[i];
        }
    qsort(all, *count, sizeof *all, compare_completions);
    return all;
}

static void add_checkpoints(const struct label_agree_table_view *whole,
                            const struct label_agree_options *options,
                            struct arena *arena, struct label_agree_report *report)
{
    const struct label_agree_data *data = whole->data;
    static const double usual[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    size_t count, done, marked = 0, shared = 0, rows = options->checkpoint_count;
    const double *shares = options->checkpoints;
    struct completion *order = completed(data, arena, &count, &done);
    bool *items = arena_array(arena, bool, data->item_count + 1);
    size_t planned = data->planned > 0 ? data->planned : done;
    struct label_agree_table_view view = *whole;

    if (rows == 0) {
        shares = usual;
        rows = ROWS_OF(usual);
    }
    report->checkpoints = arena_array(arena, struct label_agree_part, rows);
    view.items = items;
    for (size_t i = 0; i < rows; i++) {
        /* 10% of 30 items are 3, whatever 0.1 is in binary. */
        size_t wanted = (size_t)ceil(shares[i] * (double)planned - 1e-9);
        if (wanted == 0 || wanted > done || (shared == wanted && shares == usual))
            continue; /* not reached; or nothing new, where nobody asked for it */
        for (; marked < count && (shared < wanted || wanted == done); marked++) {
            items[order[marked].item] = true;
            shared += order[marked].shared;
        }
        report->checkpoints[report->checkpoint_count++] = (struct label_agree_part){
            .share = shares[i], .measures = measure(&view, options->level, arena)};
    }
}

static void add_levels(const struct label_agree_table_view *whole,
                       const struct label_agree_options *options, struct arena *arena,
                       struct label_agree_report *report)
{
    const struct label_agree_data *data = whole->data;
    struct label_agree_table_view view = *whole;
    int deepest = 1;

    for (size_t i = 0; i < data->label_count; i++)
        for (size_t c = 0; c < data->labels[i].code_count; c++)
            if (data->codes[data->labels[i].codes[c]].level > deepest)
                deepest = data->codes[data->labels[i].codes[c]].level;
    report->levels = arena_array(arena, struct label_agree_part, (size_t)deepest);
    for (int level = 1; deepest > 1 && level <= deepest; level++) {
        view.level = level;
        report->levels[report->level_count++] = (struct label_agree_part){
            .level = level, .measures = measure(&view, options->level, arena)};
    }
}

/* How many labels have each code or one below it. */
static void count_given(const struct label_agree_data *data, int64_t *given,
                        struct arena *arena)
{
    size_t *counted = arena_array(arena, size_t, data->code_count + 1); /* label + 1 */

    for (size_t i = 0; i < data->label_count; i++)
        for (size_t c = 0; c < data->labels[i].code_count; c++)
            for (size_t code = data->labels[i].codes[c];
                 code != LABEL_AGREE_NONE && counted[code] != i + 1;
                 code = data->codes[code].parent) {
                counted[code] = i + 1;
                given[code]++;
            }
}

static void add_codes(const struct label_agree_table_view *whole,
                      const struct label_agree_options *options, struct arena *arena,
                      struct label_agree_report *report)
{
    const struct label_agree_data *data = whole->data;
    struct label_agree_table_view view = *whole;
    int64_t *given = arena_array(arena, int64_t, data->code_count + 1);

    count_given(data, given, arena);
    report->codes = arena_array(arena, struct label_agree_part, data->code_count + 1);
    for (size_t c = 0; c < data->code_count; c++) {
        if (given[c] == 0)
            continue;
        view.code = c;
        report->codes[report->code_count++] =
            (struct label_agree_part){.code = c,
                                      .given = given[c],
                                      .measures = measure(&view, options->level, arena)};
    }
}

/* Pairs of raters. */

/* Who has labelled items together with whom: memory goes with raters and labels, not
 * with all pairs there could be. */
struct meeting {
    const struct label_agree_table_view *whole, *by_rater;
    size_t *begin;    /* of each item: its first label in whole */
    size_t *met;      /* of each rater: by whom last, plus 1 */
    size_t *partners; /* of one rater: those that come later */
};

static struct meeting begin_meeting(const struct label_agree_table_view *whole,
                                    const struct label_agree_table_view *by_rater,
                                    struct arena *arena)
{
    const struct label_agree_data *data = whole->data;
    struct meeting it = {whole, by_rater,
                         arena_array(arena, size_t, data->item_count + 1),
                         arena_array(arena, size_t, data->rater_count + 1),
                         arena_array(arena, size_t, data->rater_count + 1)};

    for (size_t i = whole->label_count; i-- > 0;)
        it.begin[data->labels[whole->labels[i]].item] = i;
    return it;
}

static int compare_raters(const void *a, const void *b)
{
    size_t one = *(const size_t *)a, two = *(const size_t *)b;

    return one < two ? -1 : one > two;
}

/* The raters after this one that share an item with it, ascending. */
static size_t find_partners(struct meeting *it, size_t rater)
{
    const struct label_agree_label *labels = it->whole->data->labels;
    const struct label_agree_table_view *own = &it->by_rater[rater];
    size_t count = 0;

    for (size_t i = 0; i < own->label_count; i++) {
        size_t item = labels[own->labels[i]].item;
        for (size_t l = it->begin[item]; l < it->whole->label_count; l++) {
            const struct label_agree_label *other = &labels[it->whole->labels[l]];
            if (other->item != item)
                break;
            if (other->rater <= rater || it->met[other->rater] == rater + 1)
                continue;
            it->met[other->rater] = rater + 1;
            it->partners[count++] = other->rater;
        }
    }
    qsort(it->partners, count, sizeof *it->partners, compare_raters);
    return count;
}

static void count_confusions(const struct label_agree_table_view *pair, int64_t *table)
{
    const struct label_agree_data *data = pair->data;

    for (size_t i = 0; table != NULL && i + 1 < pair->label_count; i++) {
        const struct label_agree_label *first = &data->labels[pair->labels[i]],
                                       *second = &data->labels[pair->labels[i + 1]];
        if (first->item == second->item && first->code_count == 1 &&
            second->code_count == 1)
            table[first->codes[0] * data->code_count + second->codes[0]]++;
    }
}

/* Of what is made here only the counts stay: there may be many pairs. */
static struct label_agree_pair pair_of(const struct label_agree_table_view *by_rater,
                                       size_t first, size_t second, double level,
                                       struct arena *arena)
{
    size_t codes = by_rater->data->code_count;
    struct label_agree_pair pair = {.first = first, .second = second};

    if (codes <= TABLE_CODES_MAX)
        pair.table = arena_array(arena, int64_t, codes * codes + 1);
    struct arena_mark mark = arena_mark(arena);
    struct label_agree_table_view both =
        label_agree_table_pair(&by_rater[first], &by_rater[second], arena);
    count_confusions(&both, pair.table);
    pair.measures = measure(&both, level, arena);
    arena_rewind(arena, mark);
    return pair;
}

static void add_pairs(const struct label_agree_table_view *whole,
                      const struct label_agree_options *options, struct arena *arena,
                      struct label_agree_report *report)
{
    const struct label_agree_table_view *by_rater =
        label_agree_table_by_rater(whole, arena);
    struct meeting meeting = begin_meeting(whole, by_rater, arena);
    size_t raters = whole->data->rater_count, count = 0;

    for (size_t a = 0; a < raters; a++)
        count += find_partners(&meeting, a);
    memset(meeting.met, 0, raters * sizeof *meeting.met);
    report->pairs = arena_array(arena, struct label_agree_pair, count + 1);
    for (size_t a = 0; a < raters; a++) {
        size_t partners = find_partners(&meeting, a);
        for (size_t p = 0; p < partners; p++)
            report->pairs[report->pair_count++] =
                pair_of(by_rater, a, meeting.partners[p], options->level, arena);
    }
}

/* Items one by one: when the codes were all known, which took long, which are disputed.
 */

static void add_saturation(const struct label_agree_data *data, struct arena *arena,
                           struct label_agree_report *report)
{
    bool *codes = arena_array(arena, bool, data->code_count + 1);
    bool *items = arena_array(arena, bool, data->item_count + 1);
    struct label_agree_step now = {0, 0};

    report->saturation =
        arena_array(arena, struct label_agree_step, data->code_count + 2);
    for (size_t i = 0; i < data->label_count; i++) {
        const struct label_agree_label *label = &data->labels[i];
        size_t before = now.codes;
        now.items += !items[label->item];
        items[label->item] = true;
        for (size_t c = 0; c < label->code_count; c++) {
            now.codes += !codes[label->codes[c]];
            codes[label->codes[c]] = true;
        }
        if (now.codes > before)
            report->saturation[report->saturation_count++] = now;
    }
    size_t count = report->saturation_count;
    if (count > 0 && report->saturation[count - 1].items < now.items)
        report->saturation[report->saturation_count++] = now;
}

static int by_seconds(const void *a, const void *b)
{
    const struct label_agree_item *one = a, *two = b;

    if (one->seconds != two->seconds)
        return one->seconds > two->seconds ? -1 : 1;
    return one->item < two->item ? -1 : one->item > two->item;
}

static int by_disagreement(const void *a, const void *b)
{
    const struct label_agree_item *one = a, *two = b;

    if (one->disagreement != two->disagreement)
        return one->disagreement > two->disagreement ? -1 : 1;
    return one->item < two->item ? -1 : one->item > two->item;
}

/* Of every item that has labels. */
static struct label_agree_item *single_items(const struct label_agree_table_view *whole,
                                             struct arena *arena, size_t *count)
{
    const struct label_agree_data *data = whole->data;
    struct label_agree_table table = label_agree_table_of(whole, arena);
    struct label_agree_item *items =
        arena_array(arena, struct label_agree_item, table.ratings.items + 1);
    double *timed = arena_array(arena, double, data->item_count + 1);
    double *seconds = arena_array(arena, double, data->item_count + 1);

    for (size_t i = 0; i < data->label_count; i++) {
        const struct label_agree_label *label = &data->labels[i];
        if (isnan(label->seconds))
            continue;
        timed[label->item]++;
        seconds[label->item] += label->seconds;
    }
    *count = table.ratings.items;
    for (size_t i = 0; i < *count; i++) {
        size_t item = table.items[i];
        items[i] = (struct label_agree_item){
            item, timed[item] > 0 ? seconds[item] / timed[item] : NAN,
            1 - label_agree_table_equal_pairs(&table.ratings, i)};
    }
    return items;
}

static struct label_agree_item *sorted_items(const struct label_agree_item *items,
                                             size_t count, bool seconds, size_t top,
                                             struct arena *arena, size_t *chosen_count)
{
    struct label_agree_item *list =
        arena_array(arena, struct label_agree_item, count + 1);

    *chosen_count = 0;
    for (size_t i = 0; i < count; i++)
        if (seconds ? !isnan(items[i].seconds) : items[i].disagreement > 0)
            list[(*chosen_count)++] = items[i];
    qsort(list, *chosen_count, sizeof *list, seconds ? by_seconds : by_disagreement);
    if (*chosen_count > top)
        *chosen_count = top;
    return list;
}

static void add_items(const struct label_agree_table_view *whole, size_t top,
                      struct arena *arena, struct label_agree_report *report)
{
    size_t count;

    add_saturation(whole->data, arena, report);
    struct label_agree_item *items = single_items(whole, arena, &count);
    report->slowest =
        sorted_items(items, count, true, top, arena, &report->slowest_count);
    report->disputed =
        sorted_items(items, count, false, top, arena, &report->disputed_count);
}

/* Units. */

struct str label_agree_whole(const struct label_agree_data *data, size_t item)
{
    return data->whole_of != NULL ? data->wholes[data->whole_of[item]]
                                  : data->items[item];
}

const char *label_agree_counted(bool units)
{
    return units ? "units" : "items";
}

static void finish_units(struct label_agree_units *units)
{
    int64_t all = units->first_units + units->second_units;

    units->f1 = all > 0 ? 2.0 * (double)units->matched / (double)all : NAN;
}

/* has: of each rater, then of each unit, whether the rater has it; any: the same of
 * items. */
static struct label_agree_units compare_units(const struct label_agree_data *data,
                                              const bool *has, const bool *any,
                                              size_t first, size_t second)
{
    struct label_agree_units out = {.first = first, .second = second};
    const bool *has_first = has + first * data->item_count,
               *has_second = has + second * data->item_count;
    const bool *any_first = any + first * data->whole_count,
               *any_second = any + second * data->whole_count;

    for (size_t i = 0; i < data->whole_count; i++)
        out.items += any_first[i] && any_second[i];
    for (size_t i = 0; i < data->item_count; i++) {
        if (!any_first[data->whole_of[i]] || !any_second[data->whole_of[i]])
            continue;
        out.first_units += has_first[i];
        out.second_units += has_second[i];
        out.matched += has_first[i] && has_second[i];
    }
    finish_units(&out);
    return out;
}

static void add_units(const struct label_agree_data *data, struct arena *arena,
                      struct label_agree_report *report)
{
    size_t raters = data->rater_count;
    bool *has = arena_array(arena, bool, raters * data->item_count + 1);
    bool *any = arena_array(arena, bool, raters * data->whole_count + 1);
    struct label_agree_units all = {.first = LABEL_AGREE_NONE,
                                    .second = LABEL_AGREE_NONE};

    for (size_t i = 0; i < data->label_count; i++) {
        const struct label_agree_label *label = &data->labels[i];
        has[label->rater * data->item_count + label->item] = true;
        any[label->rater * data->whole_count + data->whole_of[label->item]] = true;
    }
    report->units = arena_array(arena, struct label_agree_units, raters * raters / 2 + 2);
    for (size_t a = 0; a < raters; a++)
        for (size_t b = a + 1; b < raters; b++) {
            struct label_agree_units pair = compare_units(data, has, any, a, b);
            if (pair.items == 0)
                continue;
            all.items += pair.items;
            all.first_units += pair.first_units;
            all.second_units += pair.second_units;
            all.matched += pair.matched;
            report->units[report->unit_count++] = pair;
        }
    finish_units(&all);
    report->units[report->unit_count++] = all;
}

/* Parts. */

static struct label_agree_among among_of(const struct label_agree_data *data, size_t part,
                                         const struct label_agree_options *options,
                                         struct arena *arena)
{
    struct label_agree_label *labels =
        arena_array(arena, struct label_agree_label, data->label_count + 1);
    bool *seen = arena_array(arena, bool, data->item_count + 1);
    struct label_agree_among out = {.name = data->parts[part]};
    struct label_agree_data own = *data;

    for (size_t i = 0; i < data->label_count; i++) {
        if (data->part_of[i] != part)
            continue;
        labels[out.labels++] = data->labels[i];
        out.items += !seen[data->labels[i].item];
        seen[data->labels[i].item] = true;
    }
    own.labels = labels;
    own.label_count = out.labels;
    out.measures = label_agree_measure(&own, options, arena);
    return out;
}

static void add_among(const struct label_agree_data *data,
                      const struct label_agree_options *options, struct arena *arena,
                      struct label_agree_report *report)
{
    struct label_agree_options how = {.level = options->level, .seed = options->seed};

    report->among_count = data->part_count;
    report->among = arena_array(arena, struct label_agree_among, data->part_count + 1);
    for (size_t i = 0; i < data->part_count; i++)
        report->among[i] = among_of(data, i, &how, arena);
}

struct label_agree_report label_agree_report(const struct label_agree_data *data,
                                             const struct label_agree_options *options,
                                             struct arena *arena)
{
    struct label_agree_report report = {
        .data = data, .chosen = options->chosen, .choice = options->choice};
    struct label_agree_table_view whole = label_agree_table_whole(data, arena);

    for (int i = 0; i < LABEL_AGREE_COEFFICIENTS; i++) {
        struct label_agree_options how = *options;
        if (i != LABEL_AGREE_ALPHA && !options->resample_all)
            how.resamples = 0;
        report.estimates[i] = label_agree_whole_estimate(
            &whole, (enum label_agree_coefficient)i, &how, arena);
    }
    report.all = measure_whole(&whole, options->level,
                               &report.estimates[LABEL_AGREE_ALPHA], arena);
    add_checkpoints(&whole, options, arena, &report);
    add_levels(&whole, options, arena, &report);
    add_codes(&whole, options, arena, &report);
    add_pairs(&whole, options, arena, &report);
    add_items(&whole, options->top, arena, &report);
    if (data->whole_of != NULL)
        add_units(data, arena, &report);
    add_among(data, options, arena, &report);
    return report;
}
