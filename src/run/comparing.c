/* Tables of what moved between two runs. A newer dump mostly holds the older one: tests
 * of change know which items are in both. */
#include "run/comparing.h"

#include <math.h>
#include <stdlib.h>

#include "base/date.h"
#include "base/file.h"
#include "base/map.h"
#include "base/order.h"
#include "base/parallel.h"
#include "input/csv.h"
#include "learn/model.h"
#include "measure/frame.h"
#include "run/classifying.h"
#include "run/labelling.h"
#include "run/moved.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/texts.h"
#include "sample/draw.h"
#include "sample/size.h"
#include "stats/adjust.h"
#include "stats/agreement.h"
#include "stats/contingency.h"
#include "stats/distribution.h"
#include "stats/interval.h"
#include "text/words.h"
#include "verify/verify.h"

enum { WORDS_SHOWN = 15, WORD_POSTS_MIN = 5 };
#define PRIOR_WORDS 500.0

/* What is known of one run. */
struct comparing_run {
    const struct run_comparing_side *side;
    struct store *corpus;     /* NULL: it has none */
    struct measure_ends ends; /* of its sources, where there is a corpus */
    struct measure_frame frame;
    struct item_spaces spaces; /* with names also where there is no corpus */
};

/* Of a source of the older run: keys that the newer run has too, those of them whose
 * items have moments in both, and those of another moment. */
struct comparing_space {
    int64_t keys, shared, moved;
    bool strangers; /* one key is not one item: these are two sites */
    bool unknown;   /* or may be: no site is named, and there are no moments */
};

enum { THEN, NOW };

/* An item to label: its key, and for which classifiers. */
struct fresh_item {
    struct str key, classifiers;
};

struct compared_runs {
    struct comparing_run runs[2];
    bool corpora; /* both have one */
    struct comparing_space *spaces;
    struct measure_bits fresh; /* items of the newer run that the older one has not */
    const struct run_comparing_fresh *sample; /* of them, to be drawn; NULL: none */
    struct map drawn; /* keys of items that are to be labelled, by the order */
    LIST(struct fresh_item) drawn_items;
    struct run_moved moved;
    struct str worded;   /* sources whose words are compared; empty: all */
    bool worded_several; /* there are more of them than one */
    struct arena *arena;
    struct result_table *out;
    size_t count;
};

/* A package has no corpus, but lists what its sets have, by keys: names of commits and
 * the like come from there. */
struct listed_names {
    const struct item_spaces *spaces;
    const int64_t *ids;
    size_t count, at;
    struct arena *arena;
    LIST(struct item_name) names;
};

static bool skip_head(void *context, const struct input_csv_row *row, struct err *err)
{
    (void)context, (void)row, (void)err;
    return true;
}

static bool take_name(void *context, const struct input_csv_row *row, struct err *err)
{
    struct listed_names *listed = context;
    struct str key = row->fields[0], source;
    int64_t number;

    (void)err;
    if (listed->at == listed->count)
        return true;
    int64_t id = listed->ids[listed->at++];
    if (listed->spaces->several)
        str_cut(&key, ':', &source);
    if (!str_to_int(key, &number) || number != item_number(id))
        list_add(&listed->names,
                 ((struct item_name){id, arena_copy(listed->arena, key)}));
    return true;
}

static int by_id(const void *a, const void *b)
{
    const struct item_name *left = a, *right = b;

    return ORDER_BY(left->id, right->id);
}

static void keep_names(struct listed_names *listed, struct item_spaces *out)
{
    struct item_name *names = list_copy(&listed->names, listed->arena);
    size_t count = 0;

    qsort(names, listed->names.count, sizeof *names, by_id);
    for (size_t i = 0; i < listed->names.count; i++)
        if (count == 0 || names[count - 1].id != names[i].id)
            names[count++] = names[i];
    out->names = names;
    out->name_count = count;
    out->by_text = item_names_by_text(names, count, listed->arena);
}

static bool read_names(struct comparing_run *run, struct arena *arena, struct err *err)
{
    const struct study *study = run->side->study;
    struct listed_names listed = {.spaces = &study->spaces, .arena = arena};
    struct input_csv_rows rows = {skip_head, take_name, &listed};
    bool ok = true;

    for (size_t i = 0; i < study->set_count && ok; i++) {
        struct str name = study->sets[i].name, text;
        const char *path =
            file_join(study->home,
                      arena_format(arena, "out/sets/%.*s.csv", STR_ARG(name)).ptr, arena);
        int64_t *ids;
        if (!file_exists(path) ||
            !run_output_there(study->home,
                              arena_format(arena, "sets.%.*s", STR_ARG(name)), arena))
            continue;
        ok = run_output_read_ids(study->home, "sets", name, arena, &ids, &listed.count,
                                 err) &&
             file_read(path, arena, &text, err);
        listed.ids = ids;
        listed.at = 0;
        ok = ok && input_csv_rows_read(text, path, &rows, err);
    }
    if (ok)
        keep_names(&listed, &run->spaces);
    list_free(&listed.names);
    return ok;
}

static bool open_run(struct comparing_run *run, struct arena *arena, struct err *err)
{
    const struct study *study = run->side->study;
    const char *path = file_join(study->home, "corpus.db", arena);

    run->spaces = study->spaces;
    if (!file_exists(path))
        return !study->spaces.texts || read_names(run, arena, err);
    return store_open(path, study->servers, &run->corpus, err) &&
           measure_frame_load(run->corpus, NULL, 0, study, arena, &run->frame, err) &&
           measure_ends_of_spaces(study, run->corpus, arena, &run->ends, err);
}

static struct str day(int64_t ms, struct arena *arena)
{
    struct buf out = {0};

    date_add_day(&out, ms);
    return buf_keep(&out, arena);
}

/* A source that had come further in the older run. */
static void find_order(struct compared_runs *comparing)
{
    const struct comparing_run *then = &comparing->runs[THEN],
                               *now = &comparing->runs[NOW];
    struct arena *arena = comparing->arena;

    for (size_t s = 0; comparing->corpora && s < then->spaces.count; s++) {
        int64_t id = item_key_elsewhere(&then->spaces, item_id(s, 1), &now->spaces);
        size_t other = id == ITEM_NONE ? now->spaces.count : item_space(id);
        if (then->spaces.at[s].space != s || other >= now->spaces.count)
            continue;
        int64_t ms[] = {then->ends.ms[s], now->ends.ms[other]};
        if (ms[THEN] == ITEM_NONE || ms[NOW] == ITEM_NONE || ms[THEN] <= ms[NOW])
            continue;
        struct str name = then->ends.name[s];
        bool several = then->ends.sites > 1;
        comparing->moved.order = arena_format(
            arena,
            "the source%s%.*s of OLD end%s on %.*s and th%s of NEW on %.*s: what is "
            "called then is the newer one",
            several ? " " : "s", several ? (int)name.len : 0, name.ptr,
            several ? "s" : "", STR_ARG(day(ms[THEN], arena)), several ? "at" : "ose",
            STR_ARG(day(ms[NOW], arena)));
        return;
    }
}

/* Whether the runs were given in the wrong order, or are of two studies. */
static void find_slips(struct compared_runs *comparing)
{
    const struct comparing_run *then = &comparing->runs[THEN],
                               *now = &comparing->runs[NOW];
    struct str names[] = {then->side->study->name, now->side->study->name};
    struct arena *arena = comparing->arena;

    find_order(comparing);
    if (!str_eq(names[THEN], names[NOW]))
        comparing->moved.others =
            arena_format(arena,
                         "OLD is a run of %.*s, NEW of %.*s: what has one name in both "
                         "is compared, and may not be one thing",
                         STR_ARG(names[THEN]), STR_ARG(names[NOW]));
}

/* Whether it can be told if the newer run has an item of the older one. */
static bool is_known(const struct compared_runs *comparing, int64_t id)
{
    size_t space = item_space(id);

    return space >= comparing->runs[THEN].spaces.count ||
           !comparing->spaces[space].unknown;
}

/* The id that an item of the older run has in the newer one; ITEM_NONE: it is not called
 * anything there. */
static int64_t id_now(const struct compared_runs *comparing, int64_t id)
{
    const struct comparing_run *runs = comparing->runs;
    size_t space = item_space(id);

    return !is_known(comparing, id) ||
                   (space < runs[THEN].spaces.count && comparing->spaces[space].strangers)
               ? ITEM_NONE
               : item_key_elsewhere(&runs[THEN].spaces, id, &runs[NOW].spaces);
}

/* Where the item is in the newer run's frame; its count: nowhere. */
static size_t item_now(const struct compared_runs *comparing, int64_t id)
{
    return measure_frame_find(&comparing->runs[NOW].frame, id_now(comparing, id));
}

/* Whether both studies say of which site a source's items are, or need not, since their
 * keys are more than numbers. */
static bool is_told(const struct compared_runs *comparing, size_t space)
{
    const struct comparing_run *then = &comparing->runs[THEN],
                               *now = &comparing->runs[NOW];
    const struct study_source *source = &then->side->study->sources[space];
    int64_t id = item_key_elsewhere(&then->spaces, item_id(space, 1), &now->spaces);

    return source->kind->text_keys || id == ITEM_NONE || now->spaces.count == 0 ||
           (source->site_told && now->side->study->sources[item_space(id)].site_told);
}

/* Where no site is named, two sources of different ones have the same numbers; but a
 * post keeps the moment at which it was written. */
static void find_strangers(struct compared_runs *comparing)
{
    const struct measure_frame *then = &comparing->runs[THEN].frame,
                               *now = &comparing->runs[NOW].frame;

    for (size_t i = 0; i < then->count; i++) {
        int64_t id = measure_column_at(then->ids, i),
                created_ms = measure_column_at(then->created_ms, i);
        size_t item = item_now(comparing, id);
        struct comparing_space *space = &comparing->spaces[item_space(id)];
        if (item == now->count)
            continue;
        space->keys++;
        int64_t now_ms = measure_column_at(now->created_ms, item);
        if (created_ms == ITEM_NONE || now_ms == ITEM_NONE)
            continue;
        space->shared++;
        space->moved += created_ms != now_ms;
    }
    for (size_t s = 0; s < comparing->runs[THEN].spaces.count; s++) {
        struct comparing_space *space = &comparing->spaces[s];
        space->strangers = 2 * space->moved > space->shared;
        space->unknown = comparing->runs[THEN].spaces.at[s].space == s &&
                         space->shared == 0 && (space->keys > 0 || !comparing->corpora) &&
                         !is_told(comparing, s);
    }
}

static void find_fresh(struct compared_runs *comparing)
{
    const struct measure_frame *then = &comparing->runs[THEN].frame;
    size_t count = comparing->runs[NOW].frame.count;
    struct measure_bits known = measure_bits_make(count, comparing->arena);

    for (size_t i = 0; i < then->count; i++) {
        size_t item = item_now(comparing, measure_column_at(then->ids, i));
        if (item < count)
            measure_bits_set(known, item);
    }
    comparing->fresh = measure_bits_make(count, comparing->arena);
    for (size_t i = 0; i < count; i++)
        if (!measure_bits_has(known, i))
            measure_bits_set(comparing->fresh, i);
}

/* p NAN: there was nothing to test. */
static void add_test(struct compared_runs *comparing, const char *table, size_t row,
                     struct str what, struct str then, struct str now, double p)
{
    struct run_moved_test test = {table, row, what, then, now, p};

    if (!isnan(p))
        list_add(&comparing->moved.tests, test);
}

static void keep(struct compared_runs *comparing, struct result_table table)
{
    if (table.row_count > 0)
        comparing->out[comparing->count++] = table;
}

/* Sets. */

static bool has_id(const int64_t *ids, size_t count, int64_t id)
{
    size_t place;

    ORDER_SEEK(place, count, ids[place] < id);
    return place < count && ids[place] == id;
}

static struct result_cell share_cell(int64_t x, int64_t n)
{
    return result_number(n > 0 ? (double)x / (double)n : NAN);
}

static struct result_cell no_p(const char *why)
{
    struct result_cell cell = result_number(NAN);

    cell.undefined = why;
    return cell;
}

/* Says why p are missing, as far as that is known. */
static void tell_no_p(struct result_table *table, size_t column, struct arena *arena)
{
    struct map whys = {.arena = arena};

    for (size_t i = 0; i < table->row_count; i++) {
        const char *why = table->cells[i * table->column_count + column].undefined;
        size_t count = whys.count;
        if (why != NULL && why[0] != '\0' && map_number(&whys, str_from(why)) == count)
            result_add_note(table, arena_format(arena, "Without p: %s.", why), arena);
    }
}

/* Whether two shares differ. Of the same items by McNemar's exact test; else by Fisher's
 * where there are few, if it can be told of which one group has what the other has not.
 */
static struct result_cell p_of_change(const struct stats_contingency_overlap *runs,
                                      struct arena *arena)
{
    struct stats_contingency_chi_square test = stats_contingency_overlapping(runs);
    int64_t gone = runs->shared[THEN] - runs->twice,
            come = runs->shared[NOW] - runs->twice;
    bool unchanged = gone == 0 && come == 0;

    if (!unchanged && runs->both == runs->n[THEN] && runs->both == runs->n[NOW])
        return result_number(stats_contingency_mcnemar(come, gone));
    if (test.undefined != NULL)
        return result_number(NAN);
    if (!test.rough)
        return result_number(test.p);
    if (!unchanged ||
        (runs->both > 0 && runs->both != runs->n[THEN] && runs->both != runs->n[NOW]))
        return no_p("few items are in one run alone, few of those in both have changed, "
                    "and no exact test is of such runs");
    /* Who is within the other stays whole; of the other what is in it alone. */
    size_t outer = runs->both == runs->n[THEN] ? NOW : THEN;
    int64_t x[] = {runs->x[THEN], runs->x[NOW]}, n[] = {runs->n[THEN], runs->n[NOW]};
    x[outer] -= runs->twice;
    n[outer] -= runs->both;
    int64_t cells[] = {x[0], n[0] - x[0], x[1], n[1] - x[1]};
    struct stats_contingency_fisher exact =
        stats_contingency_fisher((struct stats_contingency){cells, 2, 2},
                                 (struct stats_contingency_options){0}, arena);
    return result_number(exact.undefined == NULL ? exact.p : NAN);
}

static struct str percent(double share, struct arena *arena)
{
    return arena_format(arena, "%.1f%%", 100 * share);
}

/* Of a set's items: those whose answer may be accepted, without one, and half the time
 * that the others took. */
struct difficulty {
    int64_t known, without;
    double median; /* hours; NAN: none */
};

static struct difficulty difficulty_of(const struct comparing_run *run,
                                       const int64_t *ids, size_t count,
                                       struct arena *arena)
{
    const struct measure_frame *frame = &run->frame;
    double *hours = arena_array(arena, double, count + 1);
    struct difficulty out = {.median = NAN};
    size_t took = 0;

    for (size_t i = 0; i < count && run->corpus != NULL; i++) {
        size_t item = measure_frame_find(frame, ids[i]);
        if (item == frame->count || !measure_bits_has(frame->accepted_known, item))
            continue;
        out.known++;
        out.without += !measure_bits_has(frame->accepted, item);
        if (measure_bits_has(frame->accepted, item) &&
            measure_column_at(frame->accepted_ms, item) != ITEM_NONE &&
            measure_column_at(frame->accepted_ms, item) >=
                measure_column_at(frame->created_ms, item))
            hours[took++] = (double)(measure_column_at(frame->accepted_ms, item) -
                                     measure_column_at(frame->created_ms, item)) /
                            3600000;
    }
    order_reals(hours, took);
    if (took > 0)
        out.median = (hours[(took - 1) / 2] + hours[took / 2]) / 2;
    return out;
}

/* Whether a run has made a step; one that waits for labels has nothing to show. */
static bool is_made(const struct compared_runs *comparing, size_t run, const char *kind,
                    struct str name)
{
    return run_output_there(
        comparing->runs[run].side->study->home,
        arena_format(comparing->arena, "%s.%.*s", kind, STR_ARG(name)), comparing->arena);
}

static bool read_set(const struct comparing_run *run, struct str name,
                     struct arena *arena, int64_t **ids, size_t *count, struct err *err)
{
    if (!run_output_read_ids(run->side->study->home, "sets", name, arena, ids, count,
                             err))
        return false;
    order_ints(*ids, *count);
    return true;
}

/* Whether a frame's item may have an accepted answer, and has none. */
static bool is_without(const struct measure_frame *frame, size_t item, bool *known)
{
    *known = item < frame->count && measure_bits_has(frame->accepted_known, item);
    return *known && !measure_bits_has(frame->accepted, item);
}

/* Of a set's items in both runs: those without accepted answer in each. */
static void add_shared(const struct compared_runs *comparing, const int64_t *then,
                       size_t then_count, const int64_t *now, size_t now_count,
                       struct stats_contingency_overlap *out)
{
    const struct comparing_run *runs = comparing->runs;

    for (size_t i = 0; i < then_count && comparing->corpora; i++) {
        int64_t id = id_now(comparing, then[i]);
        bool known[2];
        if (!has_id(now, now_count, id))
            continue;
        bool without[] = {
            is_without(&runs[THEN].frame, measure_frame_find(&runs[THEN].frame, then[i]),
                       &known[THEN]),
            is_without(&runs[NOW].frame, measure_frame_find(&runs[NOW].frame, id),
                       &known[NOW])};
        if (!known[THEN] || !known[NOW])
            continue;
        out->both++;
        out->shared[THEN] += without[THEN];
        out->shared[NOW] += without[NOW];
        out->twice += without[THEN] && without[NOW];
    }
}

/* What makes it doubtful that items of one key are the same. */
static void add_doubts(struct compared_runs *comparing, struct result_table *table)
{
    const struct item_spaces *then = &comparing->runs[THEN].spaces;
    struct arena *arena = comparing->arena;

    for (size_t s = 0; s < then->count; s++) {
        const struct comparing_space *space = &comparing->spaces[s];
        struct str of = then->several
                            ? arena_format(arena, " of %.*s", STR_ARG(then->at[s].name))
                            : (struct str){0};
        if (space->strangers)
            result_add_note(
                table,
                arena_format(arena,
                             "%lld of %lld items%.*s with one key were not written at "
                             "one moment: the runs are of different sites, so no item "
                             "is taken for the same. The key site of a source says "
                             "which it is.",
                             (long long)space->moved, (long long)space->shared,
                             STR_ARG(of)),
                arena);
        else if (space->unknown)
            result_add_note(
                table,
                arena_format(arena,
                             "Which items%.*s are in both is not known: a study does not "
                             "say of which site they are, %s. The key site of a source "
                             "says which it is.",
                             STR_ARG(of),
                             comparing->corpora ? "and they have no moments to compare"
                                                : "and one of the runs has no corpus"),
                arena);
    }
}

static bool compare_sets(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items then")},
        {.type = RESULT_COUNT, .name = STR_INIT("now")},
        {.type = RESULT_COUNT, .name = STR_INIT("in both")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("without accepted then")},
        {.type = RESULT_SHARE, .digits = 1, .name = STR_INIT("without accepted now")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p (Holm)")},
        {.type = RESULT_REAL, .digits = 1, .name = STR_INIT("median hours then")},
        {.type = RESULT_REAL, .digits = 1, .name = STR_INIT("median hours now")}};
    const struct study *old = comparing->runs[THEN].side->study,
                       *new = comparing->runs[NOW].side->study;
    struct arena *arena = comparing->arena;
    struct result_table table =
        result_from("sets", "set", columns, ROWS_OF(columns), arena);

    for (size_t s = 0; s < old->set_count; s++) {
        struct str name = old->sets[s].name;
        int64_t *ids[2], both = 0;
        size_t counts[2];
        bool known = true;
        if (study_find_set(new, name) == STUDY_NONE ||
            !is_made(comparing, THEN, "sets", name) ||
            !is_made(comparing, NOW, "sets", name))
            continue;
        for (size_t r = 0; r < 2; r++)
            if (!read_set(&comparing->runs[r], name, arena, &ids[r], &counts[r], err))
                return false;
        for (size_t i = 0; i < counts[0]; i++) {
            known &= is_known(comparing, ids[THEN][i]);
            both += has_id(ids[NOW], counts[NOW], id_now(comparing, ids[THEN][i]));
        }
        struct difficulty then = difficulty_of(&comparing->runs[THEN], ids[THEN],
                                               counts[THEN], arena),
                          now = difficulty_of(&comparing->runs[NOW], ids[NOW],
                                              counts[NOW], arena);
        struct stats_contingency_overlap runs = {.x = {then.without, now.without},
                                                 .n = {then.known, now.known}};
        add_shared(comparing, ids[THEN], counts[THEN], ids[NOW], counts[NOW], &runs);
        struct result_cell p = p_of_change(&runs, arena);
        if (then.known > 0 && now.known > 0)
            add_test(
                comparing, "sets", table.row_count,
                arena_format(arena, "set %.*s: without accepted answer", STR_ARG(name)),
                percent((double)then.without / (double)then.known, arena),
                percent((double)now.without / (double)now.known, arena), p.value);
        struct result_cell *cells = result_add_row(&table, name, RESULT_NONE, arena);
        cells[0] = result_count((int64_t)counts[0]);
        cells[1] = result_count((int64_t)counts[1]);
        cells[2] = known ? result_count(both) : result_number(NAN);
        cells[3] = share_cell(then.without, then.known);
        cells[4] = share_cell(now.without, now.known);
        cells[5] = p;
        cells[7] = result_number(then.median);
        cells[8] = result_number(now.median);
    }
    result_add_note(
        &table,
        STR("Tests of shares know which items are in both runs, and are without Yates' "
            "correction. p (Holm): corrected for all tests of this comparison."),
        arena);
    tell_no_p(&table, 5, arena);
    add_doubts(comparing, &table);
    keep(comparing, table);
    return true;
}

/* Numbers of tables. */

static const struct result_numbers *same_step(const struct run_comparing_side *side,
                                              struct str step)
{
    for (size_t i = 0; i < side->count; i++)
        if (str_eq(side->numbers[i].step, step))
            return &side->numbers[i];
    return NULL;
}

static struct str shown(const struct result_number *number, struct arena *arena)
{
    struct buf out = {0};

    if (number == NULL)
        return STR("-");
    result_numbers_show(number, number->value, &out);
    if (!isnan(number->low)) {
        buf_add(&out, STR(" ("));
        result_numbers_show(number, number->low, &out);
        buf_add(&out, STR(" to "));
        result_numbers_show(number, number->high, &out);
        buf_add_char(&out, ')');
    }
    return buf_keep(&out, arena);
}

/* Of how many items a share is; -1: it is weighted or corrected, and not of any. */
static int64_t items_counted(const struct result_number *share)
{
    double items = share->value * (double)share->n;

    return share->n > 0 && fabs(items - round(items)) < 1e-6 ? llround(items) : -1;
}

/* The items of a list, ascending, once they have been asked for. */
struct listed {
    int64_t *ids;
    size_t count;
    bool asked, known;
    /* Of the older run: what its items are called in the newer one, ascending; those of
     * them that a list of that run has, too. NULL: not asked for yet. */
    int64_t *now, *both;
    size_t now_count, both_count;
    const struct listed *other; /* that list */
};

/* A number's cell, with its column and the lists of its table. */
struct compared_cell {
    const struct result_cell *cell;
    size_t column;
    struct listed *lists;
};

static bool take_listed(void *context, const struct input_csv_row *row, struct err *err)
{
    struct listed_names *listed = context;
    struct item_name item = {.id = ITEM_NONE};

    if (!item_key_read(listed->spaces, row->fields[0], &item.id, err))
        return false;
    list_add(&listed->names, item);
    return true;
}

/* Longer lists are whole in their csv alone; a package may not have it. */
static bool read_listed(const struct comparing_run *run, const struct result_list *list,
                        struct listed *out, struct arena *arena)
{
    struct listed_names rows = {.spaces = &run->spaces, .arena = arena};
    struct input_csv_rows to = {skip_head, take_listed, &rows};
    struct str path = arena_format(arena, "out/%.*s", STR_ARG(list->csv)), text;
    const char *file = file_join(run->side->study->home, path.ptr, arena);
    struct err err = {0};
    bool ok = list->csv.len > 0 && file_exists(file) &&
              file_read(file, arena, &text, &err) &&
              input_csv_rows_read(text, file, &to, &err) &&
              (int64_t)rows.names.count == list->count;

    out->count = ok ? rows.names.count : 0;
    out->ids = arena_array(arena, int64_t, out->count + 1);
    for (size_t i = 0; i < out->count; i++)
        out->ids[i] = rows.names.at[i].id;
    list_free(&rows.names);
    return ok;
}

/* NULL: which items they are is not known, or they are not whole items. */
static struct listed *items_of(const struct comparing_run *run,
                               const struct compared_cell *of,
                               const struct result_list *list, struct arena *arena)
{
    if (list == NULL || list->units != NULL)
        return NULL;
    struct listed *out = &of->lists[list->number];
    if (!out->asked) {
        out->asked = true;
        if (list->from == 0 && (int64_t)list->shown == list->count) {
            out->known = true;
            out->count = list->shown;
            out->ids = arena_array(arena, int64_t, out->count + 1);
            for (size_t i = 0; i < out->count; i++)
                out->ids[i] = list->ids[i];
        } else {
            out->known = read_listed(run, list, out, arena);
        }
        order_ints(out->ids, out->count);
    }
    return out->known ? out : NULL;
}

static void find_now(const struct compared_runs *comparing, struct listed *list,
                     struct arena *work)
{
    if (list->now != NULL)
        return;
    list->now = arena_array(work, int64_t, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        int64_t id = id_now(comparing, list->ids[i]);
        if (id != ITEM_NONE)
            list->now[list->now_count++] = id;
    }
    order_ints(list->now, list->now_count);
}

/* Many shares are of the same items: those are matched once. */
static void find_both(const struct compared_runs *comparing, struct listed *then,
                      const struct listed *now, struct arena *work)
{
    if (then->other == now)
        return;
    find_now(comparing, then, work);
    then->other = now;
    then->both = arena_array(work, int64_t, then->now_count + 1);
    then->both_count = 0;
    for (size_t i = 0, j = 0; i < then->now_count; i++) {
        while (j < now->count && now->ids[j] < then->now[i])
            j++;
        if (j < now->count && now->ids[j] == then->now[i])
            then->both[then->both_count++] = then->now[i];
    }
}

/* What two counted shares have in common; nothing where that is not known, so that the
 * test takes them for independent and finds too little. */
static void add_in_both(const struct compared_runs *comparing,
                        const struct compared_cell cells[2], struct arena *work,
                        struct stats_contingency_overlap *out)
{
    struct listed *have[2], *all[2];
    struct stats_contingency_overlap found = *out;

    for (size_t r = 0; r < 2; r++) {
        const struct result_cell *cell = cells[r].cell;
        if (cell == NULL || !cell->counted)
            return;
        /* Nobody needs no list. */
        have[r] = out->x[r] == 0
                      ? arena_array(work, struct listed, 1)
                      : items_of(&comparing->runs[r], &cells[r], cell->list, work);
        all[r] = items_of(&comparing->runs[r], &cells[r], cell->whole, work);
        if (have[r] == NULL || all[r] == NULL || (int64_t)have[r]->count != out->x[r] ||
            (int64_t)all[r]->count != out->n[r])
            return;
    }
    find_both(comparing, all[THEN], all[NOW], work);
    find_now(comparing, have[THEN], work);
    const int64_t *both = all[THEN]->both;
    size_t count = all[THEN]->both_count;
    found.both = (int64_t)count;
    for (size_t i = 0; i < have[NOW]->count; i++)
        found.shared[NOW] += has_id(both, count, have[NOW]->ids[i]);
    for (size_t i = 0; i < have[THEN]->now_count; i++) {
        int64_t id = have[THEN]->now[i];
        if (!has_id(both, count, id))
            continue;
        found.shared[THEN]++;
        found.twice += has_id(have[NOW]->ids, have[NOW]->count, id);
    }
    *out = found;
}

/* Two shares of counted items are tested. */
static struct result_cell p_of(const struct compared_runs *comparing,
                               const struct result_number *then,
                               const struct result_number *now,
                               const struct compared_cell cells[2], struct arena *work)
{
    if (then->type != RESULT_SHARE || isnan(then->value) || isnan(now->value))
        return result_number(NAN);
    int64_t counts[] = {items_counted(then), items_counted(now)};
    if (counts[0] < 0 || counts[1] < 0)
        return result_number(NAN);
    struct stats_contingency_overlap runs = {.x = {counts[0], counts[1]},
                                             .n = {then->n, now->n}};
    add_in_both(comparing, cells, work, &runs);
    return p_of_change(&runs, work);
}

/* Whether neither's interval has anything of the other's. */
static bool lie_apart(const struct result_number *then, const struct result_number *now)
{
    return then->low > now->high || now->low > then->high;
}

/* A number for people: the table, the row and what it is. */
static struct str told(const struct study *study, const struct result_numbers *numbers,
                       const struct result_number *number, struct arena *arena)
{
    struct str name = str_slice(numbers->step, STR("tables.").len, numbers->step.len);
    size_t table = STUDY_FIND(study->tables, study->table_count, name);
    struct buf out = {0};

    if (table != STUDY_NONE && study->tables[table].title.len > 0)
        name = study->tables[table].title;
    buf_add_format(&out, "%.*s: ", STR_ARG(name));
    size_t above = number->row.len - str_last(number->row, '/').len;
    if (above > 0)
        buf_add_format(&out, "%.*s/",
                       STR_ARG(result_numbers_names(
                           numbers, str_slice(number->row, 0, above - 1), arena)));
    if (number->label.len > 0)
        buf_add_format(&out, "%.*s, ", STR_ARG(number->label));
    buf_add(&out, number->heading);
    return buf_keep(&out, arena);
}

static bool looks_the_same(const struct result_number *then,
                           const struct result_number *now)
{
    struct buf values[2] = {0};

    result_numbers_show(then, then->value, &values[0]);
    result_numbers_show(now, now->value, &values[1]);
    bool same = str_eq(buf_str(&values[0]), buf_str(&values[1]));
    buf_free(&values[0]);
    buf_free(&values[1]);
    return same;
}

/* Tables of regressions hold logarithms, errors, p values, measures of fit: no two of
 * them are so many times each other. */
static bool is_of_regression(const struct study *study, struct str step)
{
    struct str name = str_slice(step, STR("tables.").len, step.len);

    for (size_t i = 0; i < study->table_count && str_starts(step, STR("tables.")); i++)
        if (str_eq(study->tables[i].name, name))
            return study->tables[i].maker == STUDY_BY_REGRESSION;
    return false;
}

/* How many times the first the second is, of what can be so many times: not of a p value,
 * a place or a moment, nor across 0. */
static double times_of(const struct result_number *then, const struct result_number *now)
{
    bool counted = then->type == RESULT_COUNT || then->type == RESULT_REAL ||
                   then->type == RESULT_SHARE || then->type == RESULT_DURATION;
    double times = now->value / then->value;

    return counted && then->type == now->type && then->value != 0 && times >= 0 ? times
                                                                                : NAN;
}

/* Whether one of the groups is of when or where items were read: what a year that is over
 * or a source that did not grow is of all there is falls with every item that is read
 * elsewhere. */
static bool is_of_reading(const struct study *study, const size_t *groups, size_t count)
{
    for (size_t g = 0; g < count; g++)
        if (study->groups[groups[g]].grouping <= STUDY_GROUPING_SOURCE)
            return true;
    return false;
}

static bool is_closed(const struct study *study, const struct study_table *table,
                      size_t column)
{
    if (table == NULL || table->maker != STUDY_NO_MAKER || table->column_count == 0)
        return false;
    const struct study_measure *measure =
        &table->columns[column % table->column_count].measure;
    bool by = is_of_reading(study, table->by, table->by_count),
         across = is_of_reading(study, table->across, table->across_count);
    if (measure->kind != STUDY_MEASURE_SHARE)
        return false;
    switch (measure->whole) {
    case STUDY_MEASURE_OF_SET:
        return by || across;
    case STUDY_MEASURE_OF_ROOT:
    case STUDY_MEASURE_OF_COLUMN:
        return by;
    case STUDY_MEASURE_OF_PARENT:
        return table->by_count > 0 &&
               is_of_reading(study, table->by + table->by_count - 1, 1);
    case STUDY_MEASURE_OF_ROW:
        return across;
    default:
        return false;
    }
}

/* What a step's numbers are compared with, and which of them are of periods that are cut
 * in its runs. */
struct compared_step {
    struct str step;
    const struct result_numbers *numbers[2];
    struct measure_unfinished unfinished[2];
    const struct study_table *table; /* NULL: none */
    bool *cut;                       /* whether any such number was told */
};

/* The ends of sources that a number lacks something behind; empty: it lacks nothing. */
static struct str ends_of(const struct compared_step *of, size_t run,
                          const struct result_number *number)
{
    const struct measure_unfinished *unfinished = &of->unfinished[run];
    size_t at = number == NULL ? 0 : (size_t)(number - of->numbers[run]->at);

    return number == NULL || measure_ends_state(unfinished, at) == MEASURE_ENDS_WHOLE
               ? (struct str){0}
               : unfinished->ends[at];
}

/* Whether a number is of a period that was not over in one of the runs, or not on the
 * same day: then its change is that of the days it has. NULL: a run does not have it. */
static bool is_cut(const struct compared_step *of, const struct result_number *then,
                   const struct result_number *now)
{
    if (of->unfinished[THEN].last.len > 0 &&
        str_eq(of->unfinished[THEN].ended, of->unfinished[NOW].ended))
        return false;
    return !str_eq(ends_of(of, THEN, then), ends_of(of, NOW, now));
}

/* A number with the day up to which its period goes, if that is cut. */
static struct str shown_until(const struct compared_step *of, size_t run,
                              const struct result_number *number, bool cut,
                              struct arena *arena)
{
    struct str value = shown(number, arena), ends = ends_of(of, run, number);

    if (!cut || ends.len == 0)
        return value;
    *of->cut = true;
    return arena_format(arena, "%.*s, %s %.*s", STR_ARG(value),
                        of->unfinished[run].last.len > 0 ? "until" : "with",
                        STR_ARG(of->unfinished[run].last.len > 0
                                    ? ends
                                    : measure_ends_show(ends, arena)));
}

/* Numbers that look the same in both are not told, but have been tested. NULL: a run does
 * not have it. */
static void add_number(struct compared_runs *comparing, struct result_table *table,
                       const struct compared_step *of, const struct result_number *then,
                       const struct result_number *now,
                       const struct compared_cell cells[2], struct arena *work)
{
    struct arena *arena = comparing->arena;
    const struct study *study = comparing->runs[THEN].side->study;
    struct str step = of->step;
    bool both = then != NULL && now != NULL, same = both && looks_the_same(then, now),
         cut = is_cut(of, then, now);
    bool closed = both && then->type == RESULT_SHARE && cells[THEN].cell != NULL &&
                  is_closed(study, of->table, cells[THEN].column);
    struct result_cell p = result_number(NAN);
    struct buf address = {0};

    if (both && !cut && closed)
        p = no_p("what a period or a source is of all there is changes with whatever "
                 "else is read");
    else if (both && !cut)
        p = p_of(comparing, then, now, cells, work);
    if (!isnan(p.value) || (both && !same && !cut && !closed && lie_apart(then, now))) {
        struct run_moved_test test = {"numbers",
                                      same ? RESULT_NONE : table->row_count,
                                      told(study, of->numbers[THEN], then, arena),
                                      shown(then, arena),
                                      shown(now, arena),
                                      p.value};
        list_add(&comparing->moved.tests, test);
    }
    if (same)
        return;
    result_numbers_address(step, then != NULL ? then : now, &address);
    struct result_cell *row =
        result_add_row(table, buf_keep(&address, arena), RESULT_NONE, arena);
    row[0] = result_text(shown_until(of, THEN, then, cut, arena));
    row[1] = result_text(shown_until(of, NOW, now, cut, arena));
    if (both && !cut) {
        row[2] = result_number(is_of_regression(study, step) ? NAN : times_of(then, now));
        row[3] = p;
    }
}

/* The cells of a step's numbers, in their order: see result_numbers_from(). A package may
 * have numbers alone: then there are none. */
static struct compared_cell *cells_of(const struct comparing_run *run,
                                      const struct result_numbers *numbers,
                                      struct arena *work)
{
    struct compared_cell *out =
        arena_array(work, struct compared_cell, numbers->count + 1);
    struct str name = str_slice(numbers->step, STR("tables.").len, numbers->step.len);
    struct result *result = arena_array(work, struct result, 1);
    struct err err = {0};
    size_t count = 0;

    if (!run_output_read(run->side->study->home, "tables", name, work, result, &err))
        return out;
    for (size_t t = 0; t < result->count; t++) {
        const struct result_table *table = &result->tables[t];
        struct listed *lists = arena_array(work, struct listed, table->list_count + 1);
        for (size_t i = 0; i < table->row_count * table->column_count && table->numbers;
             i++)
            if (result_is_number(table->columns[i % table->column_count].type) &&
                count < numbers->count)
                out[count++] = (struct compared_cell){&table->cells[i],
                                                      i % table->column_count, lists};
    }
    return out;
}

/* The table of a step, and its periods that are cut in its runs. */
static bool find_cut(struct compared_runs *comparing, struct compared_step *out,
                     struct err *err)
{
    struct str name = str_slice(out->step, STR("tables.").len, out->step.len);
    const struct study *old = comparing->runs[THEN].side->study;
    size_t place = STUDY_FIND(old->tables, old->table_count, name);

    out->table = place != STUDY_NONE ? &old->tables[place] : NULL;
    for (size_t r = 0; r < 2 && comparing->corpora; r++) {
        const struct study *study = comparing->runs[r].side->study;
        size_t table = STUDY_FIND(study->tables, study->table_count, name);
        if (table != STUDY_NONE &&
            !run_needs_unfinished(study, comparing->runs[r].corpus, &study->tables[table],
                                  out->numbers[r], comparing->arena, &out->unfinished[r],
                                  err))
            return false;
    }
    return true;
}

static void compare_step(struct compared_runs *comparing, struct result_table *table,
                         const struct compared_step *of,
                         const struct result_numbers *then,
                         const struct result_numbers *now)
{
    struct arena work = {0};
    struct map places = {.arena = &work}, seen[2] = {places, places};
    bool *met = arena_array(&work, bool, now->count + 1);
    const struct compared_cell *cells[] = {cells_of(&comparing->runs[THEN], then, &work),
                                           cells_of(&comparing->runs[NOW], now, &work)};

    for (size_t i = 0; i < now->count; i++)
        map_number(&places, result_numbers_key(now->step, &now->at[i], &seen[NOW]));
    for (size_t i = 0; i < then->count; i++) {
        const int64_t *place =
            map_get(&places, result_numbers_key(then->step, &then->at[i], &seen[THEN]));
        struct compared_cell both[2] = {cells[THEN][i]};
        if (place != NULL) {
            met[*place] = true;
            both[NOW] = cells[NOW][*place];
        }
        add_number(comparing, table, of, &then->at[i],
                   place != NULL ? &now->at[*place] : NULL, both, &work);
    }
    for (size_t i = 0; i < now->count; i++)
        if (!met[i])
            add_number(comparing, table, of, NULL, &now->at[i], NULL, &work);
    arena_free(&work);
}

static bool compare_numbers(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("then")},
        {.type = RESULT_TEXT, .name = STR_INIT("now")},
        {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("times")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p (Holm)")}};
    const struct run_comparing_side *old = comparing->runs[THEN].side;
    struct result_table table =
        result_from("numbers", "number", columns, ROWS_OF(columns), comparing->arena);
    bool cut = false;

    for (size_t s = 0; s < old->count; s++) {
        const struct result_numbers *then = &old->numbers[s],
                                    *now =
                                        same_step(comparing->runs[NOW].side, then->step);
        struct compared_step of = {
            .step = then->step, .numbers = {then, now}, .cut = &cut};
        if (!str_starts(then->step, STR("tables.")) || now == NULL)
            continue;
        if (!find_cut(comparing, &of, err))
            return false;
        compare_step(comparing, &table, &of, then, now);
    }
    if (cut)
        result_add_note(&table,
                        STR("Until a day: the year, quarter or month was not over when "
                            "the sources of that run ended, so that it is not compared."),
                        comparing->arena);
    tell_no_p(&table, 3, comparing->arena);
    keep(comparing, table);
    return true;
}

/* Findings: each as it was written, with the numbers of the newer run. */

/* Whether it says what a number was: {address = 34.5%}. */
static bool says_value(struct str text)
{
    bool inside = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '{' || text.ptr[i] == '}')
            inside = text.ptr[i] == '{';
        else if (inside && text.ptr[i] == '=')
            return true;
    }
    return false;
}

enum { WRONG_THEN, CHANGED, NOT_TOLD, NO_VALUE, HOLDS, VERDICTS };

/* Those of one verdict, so that what no longer holds comes first. */
static void add_finding(struct compared_runs *comparing, struct result_table *table,
                        struct str question, struct str text, size_t verdict)
{
    static const struct str verdicts[] = {[WRONG_THEN] = STR_INIT("was wrong then"),
                                          [CHANGED] = STR_INIT("its numbers changed"),
                                          [NOT_TOLD] = STR_INIT("cannot be told"),
                                          [NO_VALUE] = STR_INIT("says no value"),
                                          [HOLDS] = STR_INIT("holds")};
    const struct run_comparing_side *now = comparing->runs[NOW].side,
                                    *then = comparing->runs[THEN].side;
    size_t count, changed = 0, wrong = 0, slips = 0;
    const struct verify_piece *pieces =
        verify_fill(now->study, now->numbers, now->count, text, comparing->arena, &count);
    const struct verify_piece *before = verify_fill(
        then->study, then->numbers, then->count, text, comparing->arena, &count);
    struct buf filled = {0};

    for (size_t i = 0; i < count; i++) {
        changed += pieces[i].was.len > 0;
        wrong += pieces[i].wrong.len > 0;
        if (pieces[i].wrong.len > 0)
            buf_add_format(&filled, "? (%.*s)", STR_ARG(pieces[i].wrong));
        else
            buf_add(&filled, pieces[i].text);
        /* What the older run itself gives is what it was, whatever was written. */
        bool slip = before[i].was.len > 0 && before[i].wrong.len == 0;
        slips += slip;
        if (slip)
            buf_add_format(&filled, " (was %.*s, not %.*s as written)",
                           STR_ARG(before[i].text), STR_ARG(before[i].was));
        else if (pieces[i].was.len > 0)
            buf_add_format(&filled, " (was %.*s)", STR_ARG(pieces[i].was));
    }
    size_t is = wrong > 0           ? NOT_TOLD
                : slips > 0         ? WRONG_THEN
                : changed > 0       ? CHANGED
                : !says_value(text) ? NO_VALUE
                                    : HOLDS;
    struct str said = buf_keep(&filled, comparing->arena);
    if (is != verdict)
        return;
    struct result_cell *cells =
        result_add_row(table, question, RESULT_NONE, comparing->arena);
    cells[0] = result_text(verdicts[is]);
    cells[1] = result_text(said);
}

static void compare_findings(struct compared_runs *comparing)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("now")},
        {.type = RESULT_TEXT, .name = STR_INIT("finding")}};
    const struct study *old = comparing->runs[THEN].side->study;
    struct result_table table =
        result_from("findings", "question", columns, ROWS_OF(columns), comparing->arena);

    for (size_t v = 0; v < VERDICTS; v++)
        for (size_t q = 0; q < old->question_count; q++) {
            const struct study_question *question = &old->questions[q];
            if (question->answer.len > 0)
                add_finding(comparing, &table, question->name, question->answer, v);
            for (size_t f = 0; f < question->finding_count; f++)
                add_finding(comparing, &table, question->name, question->findings[f], v);
        }
    keep(comparing, table);
}

/* Topics: each with the one of the newer run that shares most of the words it is named
 * by. */

static size_t shared_words(struct str a, struct str b)
{
    struct buf first = {0}, second = {0};
    struct text_words_reader words = text_words_open(a, 0, &first);
    struct str one, two;
    size_t shared = 0;

    while (text_words_next(&words, &one)) {
        struct text_words_reader others = text_words_open(b, 0, &second);
        bool found = one.len < 3; /* a topic's number */
        while (!found && text_words_next(&others, &two))
            if (str_eq(one, two)) {
                shared++;
                found = true;
            }
    }
    buf_free(&first);
    buf_free(&second);
    return shared;
}

static bool topics_of(const struct comparing_run *run, struct str name,
                      struct arena *arena, const struct result_table **out,
                      struct err *err)
{
    struct result *result = arena_array(arena, struct result, 1);

    if (!run_output_read(run->side->study->home, "topics", name, arena, result, err))
        return false;
    *out = result_find(result, STR("topics"));
    return true;
}

static void match_topics(struct compared_runs *comparing, struct result_table *table,
                         const struct result_table *then, const struct result_table *now)
{
    bool *taken = arena_array(comparing->arena, bool, now->row_count + 1);

    for (size_t t = 0; t < then->row_count; t++) {
        size_t best = now->row_count, most = 0;
        for (size_t n = 0; n < now->row_count; n++) {
            size_t shared = shared_words(then->rows[t].name, now->rows[n].name);
            if (!taken[n] && shared > most) {
                most = shared;
                best = n;
            }
        }
        struct result_cell *cells =
            result_add_row(table, then->rows[t].name, RESULT_NONE, comparing->arena);
        cells[0] =
            result_text(best < now->row_count ? now->rows[best].name : STR("gone"));
        cells[1] = result_count((int64_t)most);
        if (best < now->row_count)
            taken[best] = true;
    }
    for (size_t n = 0; n < now->row_count; n++)
        if (!taken[n]) {
            struct result_cell *cells =
                result_add_row(table, STR("new"), RESULT_NONE, comparing->arena);
            cells[0] = result_text(now->rows[n].name);
            cells[1] = result_count(0);
        }
}

static bool compare_topics(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_TEXT, .name = STR_INIT("now")},
        {.type = RESULT_COUNT, .name = STR_INIT("shared words")}};
    const struct study *old = comparing->runs[THEN].side->study,
                       *new = comparing->runs[NOW].side->study;
    struct result_table table =
        result_from("topics", "topic then", columns, ROWS_OF(columns), comparing->arena);

    for (size_t i = 0; i < old->topics_count; i++) {
        const struct result_table *then, *now;
        struct str name = old->topics[i].name;
        if (STUDY_FIND(new->topics, new->topics_count, name) == STUDY_NONE ||
            !is_made(comparing, THEN, "topics", name) ||
            !is_made(comparing, NOW, "topics", name))
            continue;
        if (!topics_of(&comparing->runs[THEN], name, comparing->arena, &then, err) ||
            !topics_of(&comparing->runs[NOW], name, comparing->arena, &now, err))
            return false;
        if (then != NULL && now != NULL)
            match_topics(comparing, &table, then, now);
    }
    keep(comparing, table);
    return true;
}

/* Words that became typical: log-odds ratios with an informative prior (Monroe, Colaresi
 * and Quinn, "Fightin' words", Political Analysis 16, 2008), over the posts that have a
 * word; those of the older run against those that only the newer one has. */

struct counted {
    struct map names;
    struct arena arena;
    LIST(int64_t) posts[2];
    LIST(size_t) last; /* the post that counted it last */
    struct buf lower;
    size_t post, side;
    int64_t totals[2];
};

static bool count_words(void *context, const struct run_texts_block *block,
                        struct err *err)
{
    struct counted *counted = context;
    static const unsigned parts[] = {LEARN_PARTS_TITLE, LEARN_PARTS_PROSE};

    (void)err;
    for (size_t i = 0; i < block->count; i++) {
        counted->post++;
        for (size_t p = 0; p < ROWS_OF(parts); p++) {
            struct text_words_reader words = text_words_open(
                block->posts[i].at[parts[p]], TEXT_WORDS_CODE, &counted->lower);
            struct str word;
            while (text_words_next(&words, &word)) {
                if (word.len < 2 || word.len > 40 || learn_stopwords_has(word))
                    continue;
                size_t before = counted->names.count,
                       place = map_number(&counted->names, word);
                if (place == before) {
                    list_add(&counted->posts[0], 0);
                    list_add(&counted->posts[1], 0);
                    list_add(&counted->last, 0);
                }
                if (counted->last.at[place] == counted->post)
                    continue;
                counted->last.at[place] = counted->post;
                counted->posts[counted->side].at[place]++;
                counted->totals[counted->side]++;
            }
        }
    }
    return true;
}

static double odds_of(const struct counted *counted, size_t word)
{
    double all = (double)(counted->totals[0] + counted->totals[1]),
           prior = PRIOR_WORDS *
                   (double)(counted->posts[0].at[word] + counted->posts[1].at[word]) /
                   all,
           odds[2], variance = 0;

    for (size_t r = 0; r < 2; r++) {
        double count = (double)counted->posts[r].at[word] + prior,
               total = (double)counted->totals[r] + PRIOR_WORDS;
        odds[r] = log(count / (total - count));
        variance += 1 / count;
    }
    return (odds[1] - odds[0]) / sqrt(variance);
}

static void list_words(struct compared_runs *comparing, const struct counted *counted)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("posts then")},
        {.type = RESULT_COUNT, .name = STR_INIT("new posts")},
        {.type = RESULT_REAL, .digits = 1, .name = STR_INIT("z")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p (Holm, words)")}};
    struct arena *arena = comparing->arena;
    size_t words = counted->names.count;
    const struct map_entry *sorted = map_sorted(&counted->names, arena);
    double *z = arena_array(arena, double, words + 1),
           *p = arena_array(arena, double, words + 1);
    struct result_table table =
        result_from("words", "word", columns, ROWS_OF(columns), arena);

    for (size_t i = 0; i < words; i++) {
        size_t place = (size_t)sorted[i].value;
        z[i] = counted->posts[0].at[place] + counted->posts[1].at[place] < WORD_POSTS_MIN
                   ? NAN
                   : odds_of(counted, place);
        p[i] = isnan(z[i]) ? NAN : stats_normal_two_sided(z[i]);
        comparing->moved.words += !isnan(z[i]);
    }
    const double *holm = stats_adjust_holm((struct stats_values){p, words}, arena);
    for (int way = 0; way < 2; way++) {
        const size_t *order = order_places(z, words, way == 0, arena);
        for (size_t i = 0; i < words && i < WORDS_SHOWN && !isnan(z[order[i]]); i++) {
            size_t place = (size_t)sorted[order[i]].value;
            if ((way == 0) != (z[order[i]] > 0) || holm[order[i]] >= RUN_MOVED_LEVEL)
                break;
            struct buf word = {0};
            text_words_show(sorted[order[i]].key, &word);
            struct result_cell *cells =
                result_add_row(&table, buf_keep(&word, arena), RESULT_NONE, arena);
            buf_free(&word);
            cells[0] = result_count(counted->posts[0].at[place]);
            cells[1] = result_count(counted->posts[1].at[place]);
            cells[2] = result_number(z[order[i]]);
            cells[3] = result_number(holm[order[i]]);
        }
    }
    result_add_note(
        &table,
        arena_format(arena,
                     "Words of titles and prose; z above 0: typical of items that only "
                     "the newer run has, below 0: of the older run. Of %lld words that "
                     "at least %d posts have, those whose p is below %.2f after Holm's "
                     "correction for that many; at most %d each way.",
                     (long long)comparing->moved.words, (int)WORD_POSTS_MIN,
                     RUN_MOVED_LEVEL, (int)WORDS_SHOWN),
        arena);
    if (comparing->worded.len > 0)
        result_add_note(&table,
                        arena_format(arena,
                                     "Only of sources that have items then and new ones: "
                                     "%.*s.",
                                     STR_ARG(comparing->worded)),
                        arena);
    if (comparing->worded_several)
        result_add_note(&table,
                        STR("Sources are taken together: one that grew more than others "
                            "brings its own words."),
                        arena);
    keep(comparing, table);
}

/* The items of both sides whose words are compared: of sources that have some on each
 * side. A source that did not grow, or that is new, would tell its own words. */
static void find_sources_of_words(struct compared_runs *comparing,
                                  struct measure_bits out[2])
{
    const struct comparing_run *then = &comparing->runs[THEN],
                               *now = &comparing->runs[NOW];
    size_t spaces = now->spaces.count + 1, used = 0, all = 0;
    size_t *to = arena_array(comparing->arena, size_t, then->spaces.count + 1);
    bool *has[2];
    struct buf names = {0};

    for (size_t r = 0; r < 2; r++) {
        has[r] = arena_array(comparing->arena, bool, spaces);
        out[r] = measure_bits_make(comparing->runs[r].frame.count, comparing->arena);
    }
    /* Where no item is in both, a source is the one of its name, or none. */
    for (size_t s = 0; s <= then->spaces.count; s++) {
        to[s] = spaces - 1;
        for (size_t t = 0; t < now->spaces.count && s < then->spaces.count; t++)
            if (str_eq(then->spaces.at[s].name, now->spaces.at[t].name))
                to[s] = now->spaces.at[t].space;
    }
    for (size_t i = 0; i < then->frame.count; i++) {
        int64_t id = measure_column_at(then->frame.ids, i),
                there = item_key_elsewhere(&then->spaces, id, &now->spaces);
        if (there != ITEM_NONE && item_space(id) <= then->spaces.count)
            to[item_space(id)] = item_space(there);
    }
    for (size_t i = 0; i < then->frame.count; i++)
        has[THEN][to[item_space(measure_column_at(then->frame.ids, i))]] = true;
    MEASURE_BITS_EACH (i, comparing->fresh)
        has[NOW][item_space(measure_column_at(now->frame.ids, i))] = true;
    for (size_t i = 0; i < then->frame.count; i++) {
        size_t space = to[item_space(measure_column_at(then->frame.ids, i))];
        if (has[NOW][space])
            measure_bits_set(out[THEN], i);
    }
    MEASURE_BITS_EACH (i, comparing->fresh)
        if (has[THEN][item_space(measure_column_at(now->frame.ids, i))])
            measure_bits_set(out[NOW], i);
    for (size_t s = 0; s < now->spaces.count; s++) {
        bool both = has[THEN][s] && has[NOW][s];
        all += has[THEN][s] || has[NOW][s];
        used += both;
        if (both)
            buf_add_format(&names, "%s%.*s", used > 1 ? ", " : "",
                           STR_ARG(now->spaces.at[s].name));
    }
    comparing->worded = used < all ? buf_keep(&names, comparing->arena) : (struct str){0};
    comparing->worded_several = used > 1;
    comparing->moved.no_words = used == 0 && all > 0;
    buf_free(&names);
}

static bool compare_words(struct compared_runs *comparing, struct err *err)
{
    struct counted counted = {.post = 0};
    unsigned parts = 1u << LEARN_PARTS_TITLE | 1u << LEARN_PARTS_PROSE;
    const struct comparing_run *runs = comparing->runs;
    struct measure_bits items[2];

    if (!comparing->corpora)
        return true;
    counted.names.arena = &counted.arena;
    find_sources_of_words(comparing, items);
    bool ok =
        run_texts_each(&runs[THEN].frame, items[THEN], parts, count_words, &counted, err);
    counted.side = NOW;
    ok = ok &&
         run_texts_each(&runs[NOW].frame, items[NOW], parts, count_words, &counted, err);
    if (ok && counted.totals[0] > 0 && counted.totals[1] > 0)
        list_words(comparing, &counted);
    list_free(&counted.posts[0]);
    list_free(&counted.posts[1]);
    list_free(&counted.last);
    buf_free(&counted.lower);
    arena_free(&counted.arena);
    return ok;
}

/* Labels that still name an item, and what it takes to see whether a classifier still
 * fits. */

/* Items, by their ids of the older run, that the newer one has with the same text: what
 * was edited since has to be read again. ids: each once. */
static bool count_same_texts(struct compared_runs *comparing, const int64_t *ids,
                             size_t count, int64_t *out, struct err *err)
{
    const struct comparing_run *runs = comparing->runs;
    unsigned all = (1u << LEARN_PARTS_COUNT) - 1;
    struct arena arena = {0};
    struct learn_parts *texts[2];
    int64_t *now = arena_array(&arena, int64_t, count + 1);
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        now[i] = id_now(comparing, ids[i]);
    for (size_t r = 0; r < 2 && ok; r++) {
        texts[r] = arena_array(&arena, struct learn_parts, count + 1);
        ok = run_texts_read(runs[r].corpus, r == THEN ? ids : now, count, all, &arena,
                            texts[r], err);
    }
    *out = 0;
    for (size_t i = 0; i < count && ok; i++) {
        bool same = true;
        for (size_t p = 0; p < LEARN_PARTS_COUNT; p++)
            same = same && (p == LEARN_PARTS_TAGS ||
                            str_eq(texts[THEN][i].at[p], texts[NOW][i].at[p]));
        *out += same;
    }
    arena_free(&arena);
    return ok;
}

static bool add_labels(struct compared_runs *comparing, struct result_table *table,
                       struct str name, const int64_t *ids, size_t count, struct err *err)
{
    struct result_cell *cells =
        result_add_row(table, name, RESULT_NONE, comparing->arena);
    int64_t *there = arena_array(comparing->arena, int64_t, count + 1), same = 0;
    const struct measure_frame *then = &comparing->runs[THEN].frame;
    size_t there_count = 0, items = 0;
    bool known = comparing->corpora;

    for (size_t i = 0; i < count; i++) {
        known &= is_known(comparing, ids[i]);
        if (i > 0 && ids[i] == ids[i - 1]) /* an item with several codes */
            continue;
        if (comparing->corpora &&
            measure_frame_find(then, ids[i]) == then->count) /* passed over then, too */
            continue;
        items++;
        if (comparing->corpora &&
            item_now(comparing, ids[i]) < comparing->runs[NOW].frame.count)
            there[there_count++] = ids[i];
    }
    if (comparing->corpora &&
        !count_same_texts(comparing, there, there_count, &same, err))
        return false;
    cells[0] = result_count((int64_t)items);
    cells[1] = known ? result_count((int64_t)there_count) : result_number(NAN);
    cells[2] = known ? result_count(same) : result_number(NAN);
    return true;
}

/* What raters of the study said, as far as it is final. */
static bool compare_labelling(struct compared_runs *comparing, struct result_table *table,
                              size_t index, struct err *err)
{
    const struct study *old = comparing->runs[THEN].side->study;
    struct run_labelling_final *finals;
    size_t all, count = 0;

    if (!run_labelling_first(old, index, comparing->arena, &finals, &all, err))
        return false;
    int64_t *ids = arena_array(comparing->arena, int64_t, all + 1);
    for (size_t i = 0; i < all; i++)
        if (finals[i].coded)
            ids[count++] = finals[i].item;
    order_ints(ids, count);
    return add_labels(comparing, table, old->labellings[index].name, ids, count, err);
}

static bool compare_labels(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items labelled then")},
        {.type = RESULT_COUNT, .name = STR_INIT("still there")},
        {.type = RESULT_COUNT, .name = STR_INIT("with the same text")}};
    const struct study *old = comparing->runs[THEN].side->study;
    struct arena *arena = comparing->arena;
    struct result_table table =
        result_from("labels", "labels", columns, ROWS_OF(columns), arena);

    for (size_t i = 0; i < old->label_count; i++) {
        struct str name = old->labels[i].name;
        int64_t *ids;
        size_t count;
        if (!is_made(comparing, THEN, "labels", name))
            continue;
        if (!run_output_read_ids(old->home, "labels", name, arena, &ids, &count, err))
            return false;
        order_ints(ids, count);
        if (!add_labels(comparing, &table, name, ids, count, err))
            return false;
    }
    for (size_t i = 0; i < old->labelling_count; i++)
        if (is_made(comparing, THEN, "labelling", old->labellings[i].name) &&
            !compare_labelling(comparing, &table, i, err))
            return false;
    result_add_note(
        &table,
        comparing->corpora
            ? STR("Labels of items with the same text are usable as they are; "
                  "the others that are still there were edited since.")
            : STR("Which are still usable is not known: one of the runs has "
                  "no corpus."),
        arena);
    keep(comparing, table);
    return true;
}

/* How many words of a post a classifier has never seen is what it drifts by: words as it
 * reads them. */
struct unknown {
    const struct learn_model_file *file;
    unsigned parts;
    struct buf plain, lower;
    int64_t words, unknown;
};

static void count_unknown_in(struct unknown *unknown, const struct learn_parts *post,
                             unsigned part)
{
    const struct learn_features_options *options = &unknown->file->features;
    struct text_words_reader words = text_words_open(
        learn_parts_words(post, part, &unknown->plain), TEXT_WORDS_CODE, &unknown->lower);
    struct str word;

    while (text_words_next(&words, &word)) {
        if (word.len > LEARN_FEATURES_NAME_MAX ||
            (options->no_stop_words && learn_stopwords_has(word)))
            continue;
        unknown->words++;
        unknown->unknown +=
            learn_features_look_up(&unknown->file->table, options->one_part ? 0 : part,
                                   LEARN_FEATURES_WORD,
                                   learn_features_word(word)) == SIZE_MAX;
    }
}

static bool count_unknown(void *context, const struct run_texts_block *block,
                          struct err *err)
{
    struct unknown *unknown = context;

    (void)err;
    for (size_t i = 0; i < block->count; i++)
        for (unsigned part = 0; part < LEARN_PARTS_COUNT; part++)
            if (unknown->parts >> part & 1)
                count_unknown_in(unknown, &block->posts[i], part);
    return true;
}

/* NAN where it does not go by words. */
static bool unknown_share(const struct comparing_run *run, struct measure_bits items,
                          const struct learn_model_file *file, unsigned parts,
                          double *out, struct err *err)
{
    struct unknown unknown = {.file = file, .parts = parts};
    bool ok = (file->features.kinds >> LEARN_FEATURES_WORD & 1) == 0 ||
              run_texts_each(&run->frame, items, parts, count_unknown, &unknown, err);

    *out = unknown.words > 0 ? (double)unknown.unknown / (double)unknown.words : NAN;
    buf_free(&unknown.plain);
    buf_free(&unknown.lower);
    return ok;
}

/* The items of a run that a classifier is meant for: in its sets, or all where it has
 * none; of the newer run those that the older one has not. */
static bool meant_items(const struct compared_runs *comparing, size_t r,
                        const struct study_classifier *classifier,
                        struct measure_bits *out, struct err *err)
{
    const struct comparing_run *run = &comparing->runs[r];
    struct arena *arena = comparing->arena;
    struct measure_bits in = measure_bits_make(run->frame.count, arena);
    bool some = false;

    for (size_t p = 0; p < classifier->predict_count; p++) {
        struct str name = classifier->predict[p];
        int64_t *ids;
        size_t count;
        if (study_find_set(run->side->study, name) == STUDY_NONE ||
            !is_made(comparing, r, "sets", name))
            continue;
        if (!read_set(run, name, arena, &ids, &count, err))
            return false;
        for (size_t i = 0; i < count; i++) {
            size_t item = measure_frame_find(&run->frame, ids[i]);
            if (item < run->frame.count)
                measure_bits_set(in, item);
        }
        some = true;
    }
    *out = some ? in : measure_bits_all(run->frame.count, arena);
    if (r == NOW)
        *out = measure_bits_and(*out, comparing->fresh, arena);
    return true;
}

/* The labels of the newer run that are like those a classifier of the older one learned
 * from; STUDY_NONE: there are none yet. */
static size_t labels_now(const struct compared_runs *comparing,
                         const struct study_classifier *classifier)
{
    const struct study *old = comparing->runs[THEN].side->study,
                       *new = comparing->runs[NOW].side->study;
    size_t own = STUDY_FIND(new->classifiers, new->classifier_count, classifier->name),
           labels = own != STUDY_NONE ? new->classifiers[own].train
                                      : STUDY_FIND(new->labels, new->all_label_count,
                                                   old->labels[classifier->train].name);

    if (labels == STUDY_NONE)
        return labels;
    size_t labelling = new->labels[labels].labelling;
    bool made =
        labelling != STUDY_NONE
            ? is_made(comparing, NOW, "labelling", new->labellings[labelling].name)
            : is_made(comparing, NOW, "labels", new->labels[labels].name);
    return made ? labels : STUDY_NONE;
}

/* What a model of the older run says of new items that have been labelled since. */
struct fresh_judged {
    int64_t labelled, right;
    bool unjudged; /* the model needs vectors of items, which are not compared */
    double kappa;  /* NAN: undefined, or items have several classes */
};

/* The number of a class among those that labels have and those that the model has. */
static size_t class_number(const struct run_classifying_labelled *labelled,
                           const struct learn_model_file *file, size_t class)
{
    for (size_t k = 0; k < labelled->class_count; k++)
        if (str_eq(labelled->ids[k], file->classes[class]))
            return k;
    return labelled->class_count + class;
}

/* `items`: which of the labelled ones; said: by the model, items x its classes. */
static void judge_items(const struct run_classifying_labelled *labelled,
                        const struct learn_model_file *file, const size_t *items,
                        const uint8_t *said, struct arena *arena,
                        struct fresh_judged *out)
{
    size_t classes = file->model.classes, all = labelled->class_count + classes;
    int64_t *table = arena_array(arena, int64_t, (all + 1) * (all + 1));
    uint8_t *both = arena_array(arena, uint8_t, 2 * all + 1);

    for (size_t i = 0; i < (size_t)out->labelled; i++) {
        size_t one[2] = {all, all};
        memset(both, 0, 2 * all);
        for (size_t k = 0; k < labelled->class_count; k++)
            if (learn_membership_has(&labelled->truth, items[i], k))
                both[one[0] = k] = 1;
        for (size_t c = 0; c < classes; c++)
            if (said[i * classes + c] != 0)
                both[all + (one[1] = class_number(labelled, file, c))] = 1;
        out->right += memcmp(both, both + all, all) == 0;
        table[one[0] * (all + 1) + one[1]]++;
    }
    struct stats_agreement kappa =
        stats_agree_cohen(table, all + 1, STATS_AGREE_NOMINAL, 0.95, arena);
    out->kappa = labelled->truth.several || kappa.undefined != NULL ? NAN : kappa.value;
}

static bool judge_fresh(const struct compared_runs *comparing,
                        const struct study_classifier *classifier,
                        const struct learn_model_file *file, unsigned parts,
                        struct measure_bits meant, struct fresh_judged *out,
                        struct err *err)
{
    const struct comparing_run *now = &comparing->runs[NOW];
    const struct study *study = now->side->study;
    struct arena *arena = comparing->arena;
    size_t labels = labels_now(comparing, classifier), count = 0;

    *out = (struct fresh_judged){.kappa = NAN};
    if (labels == STUDY_NONE)
        return true;
    struct run_needs needs = {
        .study = study,
        .arena = arena,
        .frame = now->frame,
        .labels = arena_array(arena, struct measure_labels, study->all_label_count + 1),
        .labels_made = arena_array(arena, bool, study->all_label_count + 1)};
    if (!run_needs_labels(&needs, labels, err))
        return false;
    struct run_classifying_labelled labelled = run_classifying_labelled_list(
        &needs.labels[labels], classifier->level, NULL, arena);
    size_t *items = arena_array(arena, size_t, labelled.item_count + 1);
    int64_t *ids = arena_array(arena, int64_t, labelled.item_count + 1);
    for (size_t i = 0; i < labelled.item_count; i++)
        if (measure_bits_has(meant, labelled.items[i])) {
            items[count] = i;
            ids[count++] = measure_column_at(now->frame.ids, labelled.items[i]);
        }
    out->labelled = (int64_t)count;
    out->unjudged = file->given > 0;
    if (count == 0 || out->unjudged)
        return true;
    size_t classes = file->model.classes;
    struct learn_parts *texts = arena_array(arena, struct learn_parts, count);
    uint8_t *said = arena_array(arena, uint8_t, count * classes + 1);
    double *probabilities = arena_array(arena, double, count *classes + 1);
    struct learn_apply apply = {&file->model, file->features, &file->table,
                                parallel_cores()};
    if (!run_texts_read(now->corpus, ids, count, parts, arena, texts, err) ||
        !learn_apply_model(&apply,
                           (struct learn_apply_posts){.count = count, .parts = texts},
                           arena, said, probabilities, err))
        return false;
    judge_items(&labelled, file, items, said, arena, out);
    return true;
}

/* The items to label, in the order in which they were drawn. */
static bool draw_fresh(struct compared_runs *comparing, struct str classifier,
                       struct measure_bits meant, int64_t size, struct err *err)
{
    const struct comparing_run *now = &comparing->runs[NOW];
    struct arena *arena = comparing->arena;
    size_t count = (size_t)measure_bits_count(meant), at = 0;
    int64_t *ids = arena_array(arena, int64_t, count + 1);
    struct sample_draw drawn;

    MEASURE_BITS_EACH (i, meant)
        ids[at++] = measure_column_at(now->frame.ids, i);
    struct sample_draw_frame frame = {.count = count, .ids = ids};
    struct sample_draw_rule rule = {.method = SAMPLE_DRAW_SIMPLE,
                                    .seed = comparing->sample->seed,
                                    .strata = 1,
                                    .sizes = &size};
    if (!sample_draw(&frame, &rule, (struct sample_draw_earlier){0}, arena, &drawn, err))
        return false;
    for (size_t i = 0; i < drawn.count; i++) {
        struct str key = item_key(&now->spaces, drawn.items[i].id, arena);
        size_t place = map_number(&comparing->drawn, key);
        if (place == comparing->drawn_items.count) {
            struct fresh_item item = {key, classifier};
            list_add(&comparing->drawn_items, item);
        } else {
            struct fresh_item *item = &comparing->drawn_items.at[place];
            item->classifiers = arena_format(
                arena, "%.*s %.*s", STR_ARG(item->classifiers), STR_ARG(classifier));
        }
    }
    return true;
}

/* Each once, with the classifiers that it was drawn for. */
static void write_fresh(struct compared_runs *comparing)
{
    struct buf *out = comparing->sample->out;

    buf_add(out, STR("item,classifiers\n"));
    for (size_t i = 0; i < comparing->drawn_items.count; i++) {
        buf_add_csv(out, comparing->drawn_items.at[i].key);
        buf_add_char(out, ',');
        buf_add_csv(out, comparing->drawn_items.at[i].classifiers);
        buf_add_char(out, '\n');
    }
}

static const struct result_number *accuracy_then(const struct compared_runs *comparing,
                                                 struct str classifier)
{
    const struct run_comparing_side *then = comparing->runs[THEN].side;
    const struct result_numbers *numbers =
        result_numbers_of(then->numbers, then->count, "classifiers", classifier);

    for (size_t i = 0; numbers != NULL && i < numbers->count; i++)
        if (numbers->at[i].row.len == 0 && str_eq(numbers->at[i].column, STR("accuracy")))
            return &numbers->at[i];
    return NULL;
}

enum {
    FIT_UNKNOWN_THEN,
    FIT_UNKNOWN_NOW,
    FIT_NEW,
    FIT_TO_LABEL,
    FIT_LABELLED,
    FIT_RIGHT_THEN,
    FIT_RIGHT_NOW,
    FIT_P,
    FIT_HOLM,
    FIT_KAPPA,
};

static void add_rightness(const struct compared_runs *comparing, struct str classifier,
                          const struct fresh_judged *judged, struct result_cell *cells)
{
    const struct result_number *then = accuracy_then(comparing, classifier);
    int64_t right = then != NULL && !isnan(then->value) ? items_counted(then) : -1;
    struct stats_interval now = stats_interval_wilson(
        judged->right, judged->unjudged ? 0 : judged->labelled, 0.95);
    struct result_cell p = result_number(NAN);

    if (right >= 0 && judged->labelled > 0 && !judged->unjudged)
        p = p_of_change(
            &(struct stats_contingency_overlap){.x = {right, judged->right},
                                                .n = {then->n, judged->labelled}},
            comparing->arena);
    cells[FIT_LABELLED] = result_count(judged->labelled);
    cells[FIT_RIGHT_THEN] = then != NULL
                                ? result_estimate(then->value, then->low, then->high)
                                : result_number(NAN);
    cells[FIT_RIGHT_NOW] = now.undefined == NULL
                               ? result_estimate(now.estimate, now.low, now.high)
                               : result_number(NAN);
    cells[FIT_P] = p;
    cells[FIT_KAPPA] = result_number(judged->kappa);
    if (judged->unjudged)
        cells[FIT_RIGHT_NOW].undefined = cells[FIT_P].undefined =
            cells[FIT_KAPPA].undefined =
                "it learned from vectors of items, and the older model is applied to "
                "texts alone";
}

static bool add_fit(struct compared_runs *comparing, struct result_table *table,
                    const struct study_classifier *classifier,
                    const struct learn_model_file *file, struct err *err)
{
    const struct comparing_run *runs = comparing->runs;
    const struct sample_size_rule rule = {.confidence = 0.95, .margin = 0.05};
    struct arena *arena = comparing->arena;
    unsigned parts = run_texts_parts(classifier->features, classifier->feature_count,
                                     (1u << LEARN_PARTS_COUNT) - 1);
    struct measure_bits before, meant;
    struct fresh_judged judged;
    double then, now;

    if (!meant_items(comparing, THEN, classifier, &before, err) ||
        !meant_items(comparing, NOW, classifier, &meant, err) ||
        !unknown_share(&runs[THEN], before, file, parts, &then, err) ||
        !unknown_share(&runs[NOW], meant, file, parts, &now, err) ||
        !judge_fresh(comparing, classifier, file, parts, meant, &judged, err))
        return false;
    int64_t count = measure_bits_count(meant), size = sample_size_needed(&rule, count);
    struct result_cell *cells =
        result_add_row(table, classifier->name, RESULT_NONE, arena);
    cells[FIT_UNKNOWN_THEN] = result_number(then);
    cells[FIT_UNKNOWN_NOW] = result_number(now);
    cells[FIT_NEW] = result_count(count);
    cells[FIT_TO_LABEL] = result_count(size);
    add_rightness(comparing, classifier->name, &judged, cells);
    if (!isnan(cells[FIT_P].value))
        add_test(comparing, "classifiers", table->row_count - 1,
                 arena_format(arena, "classifier %.*s: right", STR_ARG(classifier->name)),
                 percent(cells[FIT_RIGHT_THEN].value, arena),
                 percent(cells[FIT_RIGHT_NOW].value, arena), cells[FIT_P].value);
    if (judged.unjudged)
        result_add_note(table,
                        arena_format(arena, "%.*s is not compared with labels: %s.",
                                     STR_ARG(classifier->name),
                                     cells[FIT_RIGHT_NOW].undefined),
                        arena);
    return comparing->sample == NULL ||
           draw_fresh(comparing, classifier->name, meant, size, err);
}

/* One whose model was not kept, such as predictions from elsewhere, is left out. */
static bool add_classifier(struct compared_runs *comparing, struct result_table *table,
                           const struct study_classifier *classifier, struct err *err)
{
    struct arena *arena = comparing->arena;
    const char *path = file_join(
        comparing->runs[THEN].side->study->home,
        arena_format(arena, "out/classifiers/%.*s/model", STR_ARG(classifier->name)).ptr,
        arena);
    struct learn_model_file file;
    struct str text;

    if (!file_exists(path))
        return true;
    if (!file_read(path, arena, &text, err) ||
        !learn_model_file_read(text, path, arena, &file, err))
        return false;
    bool ok = add_fit(comparing, table, classifier, &file, err);
    learn_model_file_free(&file);
    return ok;
}

static bool compare_classifiers(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        [FIT_UNKNOWN_THEN] = {.type = RESULT_SHARE,
                              .digits = 1,
                              .name = STR_INIT("words unknown to it then")},
        [FIT_UNKNOWN_NOW] = {.type = RESULT_SHARE,
                             .digits = 1,
                             .name = STR_INIT("in new items")},
        [FIT_NEW] = {.type = RESULT_COUNT, .name = STR_INIT("new items")},
        [FIT_TO_LABEL] = {.type = RESULT_COUNT, .name = STR_INIT("to label")},
        [FIT_LABELLED] = {.type = RESULT_COUNT, .name = STR_INIT("labelled")},
        [FIT_RIGHT_THEN] = {.type = RESULT_SHARE,
                            .digits = 1,
                            .interval = true,
                            .name = STR_INIT("right then")},
        [FIT_RIGHT_NOW] = {.type = RESULT_SHARE,
                           .digits = 1,
                           .interval = true,
                           .name = STR_INIT("right on those labelled")},
        [FIT_P] = {.type = RESULT_P, .digits = 4, .name = STR_INIT("p")},
        [FIT_HOLM] = {.type = RESULT_P, .digits = 4, .name = STR_INIT("p (Holm)")},
        [FIT_KAPPA] = {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("kappa")}};
    const struct study *old = comparing->runs[THEN].side->study;
    struct result_table table = result_from("classifiers", "classifier", columns,
                                            ROWS_OF(columns), comparing->arena);

    if (!comparing->corpora)
        return comparing->sample == NULL ||
               err_set(err, ERR_INPUT,
                       "--fresh: one of the runs has no corpus, so that nobody knows "
                       "which items are new");
    for (size_t i = 0; i < old->classifier_count; i++)
        if (!add_classifier(comparing, &table, &old->classifiers[i], err))
            return false;
    if (comparing->sample != NULL && table.row_count == 0)
        return err_set(err, ERR_INPUT,
                       "--fresh: the older run has no classifier that could still fit");
    if (comparing->sample != NULL)
        write_fresh(comparing);
    result_add_note(
        &table,
        STR("To label: a random sample of the new items that tells the share on which "
            "the classifier is right to 5 percentage points, with 95% confidence; "
            "--fresh draws it. Labelled: new items that the newer run has labels of, "
            "which the older model is compared with; they tell of all new items as far "
            "as they were drawn at random. Right then: on items that were held out."),
        comparing->arena);
    keep(comparing, table);
    return true;
}

/* Trends: a set that grows less than its site loses ground. */

enum { TREND_YEARS = 10000 };

static bool take_year(void *context, const struct store_census *census, struct err *err)
{
    int64_t *years = context;

    (void)err;
    if (census->tag.len == 0 && census->year >= 0 && census->year < TREND_YEARS)
        years[census->year] += census->questions;
    return true;
}

/* Of both runs, by year. */
struct trend_years {
    int64_t **census[2]; /* of each source */
    bool *of[2];         /* spaces that the set's items are in, in either run */
    const bool *in[2];   /* the same; all spaces where it has no items */
    int64_t *site[2];    /* of those */
    int64_t *items[2];
    struct str sources; /* their names; empty: the study has but one space */
    bool several;       /* spaces */
    int64_t *set[2];    /* the set's ids, ascending */
    size_t set_count[2];
    bool others; /* some of the set's items are no questions, which alone are counted of
                    the site */
};

static bool is_of(const struct comparing_run *run, const bool *spaces, int64_t id)
{
    size_t space = item_space(id);

    return space < run->spaces.count && spaces[space];
}

/* A space that one run's items are in is one of the other run, too. */
static void share_spaces(const struct comparing_run *from, const bool *spaces,
                         const struct comparing_run *to, bool *out)
{
    for (size_t s = 0; s < from->spaces.count; s++) {
        int64_t id = spaces[s]
                         ? item_key_elsewhere(&from->spaces, item_id(s, 1), &to->spaces)
                         : ITEM_NONE;
        if (id != ITEM_NONE && item_space(id) < to->spaces.count)
            out[item_space(id)] = true;
    }
}

/* What the set is counted among: the questions of the sources that its items are of, and
 * of all where it has none. */
static void find_sites(const struct compared_runs *comparing, struct trend_years *years)
{
    const struct comparing_run *runs = comparing->runs;
    struct arena *arena = comparing->arena;
    struct buf names = {0};
    bool any = false;

    for (size_t r = 0; r < 2; r++) {
        years->of[r] = arena_array(arena, bool, runs[r].spaces.count + 1);
        years->site[r] = arena_array(arena, int64_t, TREND_YEARS);
        for (size_t i = 0; i < years->set_count[r]; i++)
            if (item_space(years->set[r][i]) < runs[r].spaces.count)
                any = years->of[r][item_space(years->set[r][i])] = true;
    }
    share_spaces(&runs[THEN], years->of[THEN], &runs[NOW], years->of[NOW]);
    share_spaces(&runs[NOW], years->of[NOW], &runs[THEN], years->of[THEN]);
    for (size_t r = 0; r < 2; r++) {
        bool *in = arena_array(arena, bool, runs[r].spaces.count + 1);
        for (size_t s = 0; s < runs[r].spaces.count; s++)
            in[s] = !any || years->of[r][s];
        years->in[r] = in;
    }
    for (size_t r = 0; r < 2; r++)
        for (size_t s = 0; s < runs[r].side->study->source_count; s++) {
            if (any && !years->of[r][runs[r].spaces.at[s].space])
                continue;
            for (size_t y = 0; y < TREND_YEARS; y++)
                years->site[r][y] += years->census[r][s][y];
        }
    size_t spaces = 0;
    for (size_t s = 0; s < runs[NOW].spaces.count; s++) {
        size_t space = runs[NOW].spaces.at[s].space;
        if (any && !years->of[NOW][space])
            continue;
        spaces += space == s;
        buf_add_format(&names, "%s%.*s", names.len > 0 ? ", " : "",
                       STR_ARG(runs[NOW].spaces.at[s].name));
    }
    years->several = spaces > 1;
    years->sources = buf_keep(&names, arena);
    if (!runs[NOW].spaces.several)
        years->sources.len = 0;
}

/* items and all: of both runs. */
static void fill_trend(struct result_cell *cells, const int64_t items[2],
                       const int64_t all[2], bool others)
{
    for (size_t r = 0; r < 2; r++) {
        bool known = !others && all[r] > 0;
        cells[r] = result_count(items[r]);
        cells[2 + r] = known ? result_count(all[r]) : result_number(NAN);
        cells[4 + r] =
            result_number(known ? 1000 * (double)items[r] / (double)all[r] : NAN);
    }
}

/* What the set's sources lack of a year, in a run: "until 2021-06-30". */
static struct str lacking(const struct comparing_run *run, const bool *spaces,
                          struct str year, struct arena *arena)
{
    struct measure_table_period period = {year, STUDY_GROUPING_YEAR, {0}};
    const struct measure_table_period *periods[] = {&period, NULL};
    struct buf ends = {0};
    enum measure_ends_state state =
        measure_ends_judge(&run->ends, spaces, periods, arena, &ends);
    struct str shown = measure_ends_show(buf_str(&ends), arena);

    buf_free(&ends);
    if (state != MEASURE_ENDS_CUT && state != MEASURE_ENDS_LACKS)
        return (struct str){0};
    /* Where there is one, it goes without a name. */
    while (run->ends.sites < 2 && !str_starts(shown, STR("until ")))
        shown = str_slice(shown, 1, shown.len);
    return shown;
}

static void add_year(const struct compared_runs *comparing, struct result_table *table,
                     const struct trend_years *years, size_t year, size_t parent)
{
    struct arena *arena = comparing->arena;
    const int64_t items[] = {years->items[THEN][year], years->items[NOW][year]},
                  all[] = {years->site[THEN][year], years->site[NOW][year]};

    struct str name = arena_format(arena, "%zu", year), lacks[2];
    for (size_t r = 0; r < 2; r++)
        lacks[r] = lacking(&comparing->runs[r], years->in[r], name, arena);
    for (size_t r = 0; r < 2 && !str_eq(lacks[THEN], lacks[NOW]); r++)
        if (lacks[r].len > 0)
            name = arena_format(arena, "%.*s, %s %.*s", STR_ARG(name),
                                r == THEN ? "then" : "now", STR_ARG(lacks[r]));
    fill_trend(result_add_row(table, name, parent, arena), items, all, years->others);
}

/* Whether no later item can meet the query. */
static bool is_dated(const struct query_node *query)
{
    if (query->kind == QUERY_RANGE)
        return query->field == QUERY_FIELD_CREATED && query->max != INT64_MAX;
    if (query->kind == QUERY_NOT) /* created:2019.., which goes on for ever */
        return query->first->kind == QUERY_RANGE &&
               query->first->field == QUERY_FIELD_CREATED &&
               query->first->max == INT64_MAX;
    if (query->kind != QUERY_AND && query->kind != QUERY_OR)
        return false;
    for (const struct query_node *child = query->first; child != NULL;
         child = child->next)
        if (is_dated(child) == (query->kind == QUERY_AND))
            return query->kind == QUERY_AND;
    return query->kind == QUERY_OR;
}

/* The set among all questions of its site: as many of these are taken to be in both runs
 * as of the items that the runs have. */
static struct result_cell p_of_trend(const struct compared_runs *comparing,
                                     const struct trend_years *years,
                                     const int64_t all[2])
{
    const struct measure_frame *then = &comparing->runs[THEN].frame,
                               *now = &comparing->runs[NOW].frame;
    struct stats_contingency_overlap runs = {.n = {all[THEN], all[NOW]}};
    int64_t known = 0, items = 0;

    for (size_t r = 0; r < 2; r++)
        runs.x[r] = (int64_t)years->set_count[r];
    if (years->others || all[THEN] < runs.x[THEN] || all[NOW] < runs.x[NOW])
        return result_number(NAN);
    for (size_t i = 0; i < years->set_count[THEN]; i++) {
        int64_t id = id_now(comparing, years->set[THEN][i]);
        runs.shared[THEN] += measure_frame_find(now, id) < now->count;
        runs.twice += has_id(years->set[NOW], years->set_count[NOW], id);
    }
    for (size_t i = 0; i < years->set_count[NOW]; i++) {
        size_t item = measure_frame_find(now, years->set[NOW][i]);
        runs.shared[NOW] +=
            item < now->count && !measure_bits_has(comparing->fresh, item);
    }
    for (size_t i = 0; i < then->count; i++)
        items += is_of(&comparing->runs[THEN], years->of[THEN],
                       measure_column_at(then->ids, i));
    for (size_t i = 0; i < now->count; i++)
        known +=
            !measure_bits_has(comparing->fresh, i) &&
            is_of(&comparing->runs[NOW], years->of[NOW], measure_column_at(now->ids, i));
    double in_both = items > 0 ? (double)all[THEN] * (double)known / (double)items : 0;
    runs.both = llround(fmin(in_both, (double)all[NOW]));
    bool fits = runs.both >= runs.shared[THEN] + runs.shared[NOW] - runs.twice;
    for (size_t r = 0; r < 2; r++)
        fits &= runs.n[r] - runs.both >= runs.x[r] - runs.shared[r];
    if (!fits)
        return no_p("the items of the runs do not tell how many questions of the site "
                    "are in both");
    return p_of_change(&runs, comparing->arena);
}

static bool add_trend(struct compared_runs *comparing, struct result_table *table,
                      struct str name, struct trend_years *years, struct err *err)
{
    struct arena *arena = comparing->arena;
    int64_t items[2] = {0}, all[2] = {0};

    years->others = false;
    for (size_t r = 0; r < 2; r++) {
        const struct measure_frame *frame = &comparing->runs[r].frame;
        if (!read_set(&comparing->runs[r], name, arena, &years->set[r],
                      &years->set_count[r], err))
            return false;
        years->items[r] = arena_array(arena, int64_t, TREND_YEARS);
        for (size_t i = 0; i < years->set_count[r]; i++) {
            size_t item = measure_frame_find(frame, years->set[r][i]);
            if (item == frame->count)
                continue;
            int64_t created_ms = measure_column_at(frame->created_ms, item);
            if (created_ms != ITEM_NONE)
                years->items[r][date_year(created_ms)]++;
            years->others |= measure_column_at(frame->kind, item) != ITEM_QUESTION;
        }
        items[r] = (int64_t)years->set_count[r];
    }
    find_sites(comparing, years);
    for (size_t r = 0; r < 2; r++)
        for (size_t y = 0; y < TREND_YEARS; y++)
            all[r] += years->site[r][y];
    size_t parent = table->row_count;
    struct result_cell *cells = result_add_row(table, name, RESULT_NONE, arena);
    size_t set = study_find_set(comparing->runs[NOW].side->study, name);
    struct result_cell p =
        set != STUDY_NONE && is_dated(comparing->runs[NOW].side->study->sets[set].written)
            ? no_p("the set takes no later items, so that its share of all falls")
            : p_of_trend(comparing, years, all);
    fill_trend(cells, items, all, years->others);
    cells[6] = p;
    if (!isnan(p.value))
        add_test(comparing, "trends", parent,
                 arena_format(arena, "set %.*s: of 1,000 questions of %s%s%.*s",
                              STR_ARG(name),
                              years->sources.len == 0 ? "the site"
                              : years->several        ? "its sources"
                                                      : "its source",
                              years->sources.len > 0 ? " " : "", STR_ARG(years->sources)),
                 arena_format(arena, "%.2f", cells[4].value),
                 arena_format(arena, "%.2f", cells[5].value), p.value);
    for (size_t y = 0; y < TREND_YEARS; y++)
        if (years->items[THEN][y] + years->items[NOW][y] > 0)
            add_year(comparing, table, years, y, parent);
    return true;
}

static bool compare_trends(struct compared_runs *comparing, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_COUNT, .name = STR_INIT("items then")},
        {.type = RESULT_COUNT, .name = STR_INIT("items now")},
        {.type = RESULT_COUNT, .name = STR_INIT("questions of the site then")},
        {.type = RESULT_COUNT, .name = STR_INIT("questions of the site now")},
        {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("per 1,000 then")},
        {.type = RESULT_REAL, .digits = 2, .name = STR_INIT("per 1,000 now")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p")},
        {.type = RESULT_P, .digits = 4, .name = STR_INIT("p (Holm)")}};
    const struct study *old = comparing->runs[THEN].side->study;
    struct arena *arena = comparing->arena;
    struct result_table table =
        result_from("trends", "set", columns, ROWS_OF(columns), arena);
    struct trend_years years = {.several = false};
    struct buf sources = {0};
    bool others = false;

    if (!comparing->corpora)
        return true;
    for (size_t r = 0; r < 2; r++) {
        const struct comparing_run *run = &comparing->runs[r];
        size_t count = run->side->study->source_count;
        years.census[r] = arena_array(arena, int64_t *, count + 1);
        for (size_t i = 0; i < count; i++) {
            years.census[r][i] = arena_array(arena, int64_t, TREND_YEARS);
            if (!store_census(run->corpus, (int64_t)i, take_year, years.census[r][i],
                              err))
                return false;
        }
    }
    for (size_t s = 0; s < old->set_count; s++) {
        struct str name = old->sets[s].name;
        if (study_find_set(comparing->runs[NOW].side->study, name) == STUDY_NONE ||
            !is_made(comparing, THEN, "sets", name) ||
            !is_made(comparing, NOW, "sets", name))
            continue;
        if (!add_trend(comparing, &table, name, &years, err))
            return false;
        others |= years.others;
        if (years.sources.len > 0)
            buf_add_format(&sources, "%s%.*s of %.*s", sources.len > 0 ? "; " : "",
                           STR_ARG(name), STR_ARG(years.sources));
    }
    if (sources.len > 0) {
        table.columns[2].name = STR("questions of its sources then");
        table.columns[3].name = STR("questions of its sources now");
        result_add_note(&table,
                        arena_format(arena,
                                     "Its sources are those that items of the "
                                     "set are of: %.*s.",
                                     STR_ARG(buf_str(&sources))),
                        arena);
    }
    buf_free(&sources);
    result_add_note(&table,
                    STR("Per 1,000: items among all questions that its sources have of "
                        "the year, whatever they are about; of a set as a whole among "
                        "those of all years, which is tested. As many of these are "
                        "taken to be in both runs as of the items that the runs have."),
                    arena);
    tell_no_p(&table, 6, arena);
    if (others)
        result_add_note(&table,
                        STR("A set with commits, issues, topics or rows has no such "
                            "number: of these the sources have no count by year."),
                        arena);
    keep(comparing, table);
    return true;
}

/* Nothing may have moved: then there is no table of it. */
static void put_summary_first(struct compared_runs *comparing)
{
    struct result_table *out = comparing->out;

    if (out[1].row_count > 0)
        return;
    for (size_t i = 2; i < comparing->count; i++)
        out[i - 1] = out[i];
    comparing->count--;
}

bool run_comparing(const struct run_comparing_side *old,
                   const struct run_comparing_side *new,
                   const struct run_comparing_fresh *fresh, struct arena *arena,
                   struct result_table *out, size_t *count, struct err *err)
{
    struct compared_runs comparing = {.runs = {{.side = old}, {.side = new}},
                                      .spaces = arena_array(arena, struct comparing_space,
                                                            old->study->source_count + 1),
                                      .sample = fresh,
                                      .drawn = {.arena = arena},
                                      .arena = arena,
                                      .out = out,
                                      .count = 2};
    bool ok = open_run(&comparing.runs[THEN], arena, err) &&
              open_run(&comparing.runs[NOW], arena, err);

    comparing.corpora =
        comparing.runs[THEN].corpus != NULL && comparing.runs[NOW].corpus != NULL;
    if (ok) {
        find_slips(&comparing);
        find_strangers(&comparing);
    }
    if (ok && comparing.corpora)
        find_fresh(&comparing);
    ok = ok && compare_sets(&comparing, err) && compare_trends(&comparing, err) &&
         compare_numbers(&comparing, err);
    if (ok)
        compare_findings(&comparing);
    ok = ok && compare_topics(&comparing, err) && compare_words(&comparing, err) &&
         compare_labels(&comparing, err) && compare_classifiers(&comparing, err);
    if (ok) {
        run_moved_tables(&comparing.moved, out + 2, comparing.count - 2, arena, &out[0],
                         &out[1]);
        add_doubts(&comparing, &out[0]);
        put_summary_first(&comparing);
    }
    list_free(&comparing.moved.tests);
    list_free(&comparing.drawn_items);
    store_close(comparing.runs[THEN].corpus);
    store_close(comparing.runs[NOW].corpus);
    *count = comparing.count;
    return ok;
}
