/* Each row of the table is a class in a subset of the items. */
#include "run/shares.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "run/shares_behind.h"
#include "study/keys.h"

enum { RESAMPLES = 200 };

void run_shares_begin(struct run_shares *shares, struct str name, bool truth)
{
    size_t count = 1 + LEARN_QUANTIFY_METHODS + truth;
    struct result_column *columns =
        arena_array(shares->arena, struct result_column, count);

    for (size_t c = 0; c < count; c++) {
        bool method = c > 0 && c <= LEARN_QUANTIFY_METHODS;
        const char *rests =
            method ? run_shares_behind_rests((enum learn_quantify_method)(c - 1)) : NULL;
        struct str head = c == 0   ? STR("labelled")
                          : method ? str_from(learn_quantify_names[c - 1])
                                   : STR("truth");
        columns[c] =
            (struct result_column){.type = c == 0 ? RESULT_COUNT : RESULT_SHARE,
                                   .digits = c == 0 ? 0 : 2,
                                   .name = head,
                                   .measures = head,
                                   .interval = method,
                                   .rests = str_from(rests != NULL ? rests : "")};
    }
    shares->out = result_new(name, columns, count, shares->arena);
    shares->out.numbers = shares->out.apart = true;
}

static struct result_cell *add_row(struct run_shares *shares, struct str name,
                                   size_t parent, int64_t n)
{
    struct result_table *out = &shares->out;
    struct result_cell *cells = result_add_row(out, name, parent, shares->arena);

    out->rows[out->row_count - 1].n = n;
    for (size_t c = 0; c < out->column_count; c++) {
        cells[c].undefined = "it is the sum of what is below it";
        cells[c].n = n;
    }
    return cells;
}

size_t run_shares_above(struct run_shares *shares, struct str name, size_t parent,
                        int64_t n)
{
    add_row(shares, name, parent, n);
    return shares->out.row_count - 1;
}

static struct result_cell cell_of(const struct learn_quantify_share *share, int64_t n,
                                  bool few, bool unknown)
{
    const char *why =
        unknown ? "a stratum has too few labelled items" : "too few labelled items";

    return (struct result_cell){.value = share->estimate,
                                .undefined = isnan(share->estimate) ? why : NULL,
                                .low = share->low,
                                .high = share->high,
                                .n = n,
                                .small = few};
}

static int64_t labelled_with(const struct learn_quantify_items *items, size_t class,
                             const uint8_t *in)
{
    int64_t count = 0;

    for (size_t i = 0; i < items->count; i++)
        count += in[i] && items->role[i] == LEARN_QUANTIFY_DRAWN &&
                 items->truth[i * items->classes + class];
    return count;
}

/* "A (3 of 40)", if there are any. */
static void add_part(struct buf *to, struct str what, size_t part, size_t all)
{
    if (part > 0)
        buf_add_format(to, "%s%.*s (%zu of %zu)", to->len > 0 ? ", " : "", STR_ARG(what),
                       part, all);
}

struct learn_quantify run_shares_add(struct run_shares *shares, struct str what,
                                     const uint8_t *in, size_t parent)
{
    const struct learn_quantify_items *items = shares->items;
    struct learn_quantify found = learn_quantify_shares(
        items, in,
        (struct learn_quantify_options){shares->confidence, RESAMPLES, shares->seed},
        shares->arena);

    if (found.few)
        buf_add_format(&shares->few, "%s%.*s", shares->few.len > 0 ? ", " : "",
                       STR_ARG(what));
    shares->weighted = shares->weighted || found.strata > 1;
    add_part(&shares->joined, what, found.joined, found.items);
    add_part(&shares->unknown, what, found.unknown, found.items);
    for (size_t k = 0; k < items->classes; k++) {
        struct result_cell *cells =
            add_row(shares, shares->names[k], parent, (int64_t)found.items);
        cells[0] = result_count(labelled_with(items, k, in));
        cells[0].n = (int64_t)found.labelled;
        for (size_t m = 0; m < LEARN_QUANTIFY_METHODS; m++) {
            cells[1 + m] = cell_of(&found.of[m][k], (int64_t)found.labelled, found.few,
                                   found.unknown > 0);
            run_shares_behind_interval(&cells[1 + m]);
        }
    }
    return found;
}

static void add_note(struct run_shares *shares, const char *format, ...)
    PRINTF_LIKE(2, 3);

static void add_note(struct run_shares *shares, const char *format, ...)
{
    struct buf text = {0};
    va_list args;

    va_start(args, format);
    buf_add_arguments(&text, format, args);
    va_end(args);
    result_add_note(&shares->out, buf_str(&text), shares->arena);
    buf_free(&text);
}

static void add_few_note(struct run_shares *shares)
{
    if (shares->few.len > 0)
        add_note(shares,
                 "* Fewer than %d labels drawn at random, too few to rely on: %.*s.",
                 LEARN_QUANTIFY_FEW, STR_ARG(buf_str(&shares->few)));
}

static void add_strata_notes(struct run_shares *shares)
{
    if (shares->weighted)
        add_note(shares,
                 "Strata were drawn at different rates: a label counts for the items of "
                 "its stratum that it stands for.");
    if (shares->unknown.len > 0)
        add_note(
            shares,
            "Items of strata with fewer than two labels, or that no sample was drawn "
            "from, so that labels do not tell the share of the whole: %.*s.",
            STR_ARG(buf_str(&shares->unknown)));
    if (shares->joined.len > 0)
        add_note(shares,
                 "Items of small strata with fewer than two labels, which are counted "
                 "with those of other strata: %.*s.",
                 STR_ARG(buf_str(&shares->joined)));
}

/* Each method's assumption stands under the table. */
static void add_method_notes(struct run_shares *shares)
{
    add_strata_notes(shares);
    for (size_t m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        add_note(shares, "%s: %s", learn_quantify_names[m],
                 learn_quantify_assumptions[m]);
}

static void free_shares(struct run_shares *shares)
{
    buf_free(&shares->few);
    buf_free(&shares->unknown);
    buf_free(&shares->joined);
}

void run_shares_end(struct run_shares *shares)
{
    add_few_note(shares);
    add_method_notes(shares);
    free_shares(shares);
}

/* Of a study: sets of the frame's items, and what was planted in them. */

struct shares_study {
    const struct run_shares_inputs *inputs;
    struct arena *arena;
    struct run_shares_items read;
    struct str *names;          /* of classes */
    struct measure_bits *truly; /* of each class; where the truth is known */
    struct run_shares table;
    struct run_shares_behind behind;
};

static struct str name_of(const struct shares_study *shares, struct str id)
{
    const struct measure_labels *labels = shares->inputs->labels;

    for (size_t c = 0; c < labels->code_count; c++)
        if (str_eq(labels->codes[c].id, id))
            return labels->codes[c].name;
    return id;
}

/* Of each class, the items that truly have it. */
static void find_truth(struct shares_study *shares)
{
    const struct measure_labels *truth = shares->inputs->truth;
    size_t classes = shares->read.known.classes;

    shares->truly = arena_array(shares->arena, struct measure_bits, classes + 1);
    for (size_t k = 0; k < classes && truth != NULL; k++) {
        shares->truly[k] = measure_bits_make(shares->inputs->frame->count, shares->arena);
        for (size_t e = 0; e < truth->count; e++) {
            const struct measure_labels_code *code =
                &truth->codes[measure_labels_at_level(truth, truth->entries[e].code,
                                                      shares->inputs->level)];
            if (str_eq(code->id, shares->read.classes[k]) ||
                str_eq(code->name, shares->names[k]))
                measure_bits_set(shares->truly[k], truth->entries[e].item);
        }
    }
}

static double true_share(const struct shares_study *shares, size_t class,
                         const uint8_t *in)
{
    int64_t count = 0, all = 0;

    for (size_t i = 0; i < shares->read.known.count; i++)
        if (in[i]) {
            all++;
            count += measure_bits_has(shares->truly[class], shares->read.places[i]);
        }
    return all > 0 ? (double)count / (double)all : NAN;
}

/* The classes in the items of the subset. */
static void add_classes(struct shares_study *shares, struct str what,
                        struct measure_bits subset, size_t parent)
{
    const struct learn_quantify_items *items = &shares->read.known;
    uint8_t *in = arena_array(shares->arena, uint8_t, items->count + 1);
    size_t first = shares->table.out.row_count;

    for (size_t i = 0; i < items->count; i++)
        in[i] = measure_bits_has(subset, shares->read.places[i]);
    int64_t count = (int64_t)run_shares_add(&shares->table, what, in, parent).items;
    for (size_t k = 0; k < items->classes; k++) {
        if (shares->inputs->truth != NULL)
            shares->table.out.cells[(first + k) * shares->table.out.column_count + 1 +
                                    LEARN_QUANTIFY_METHODS] =
                cell_of(
                    &(struct learn_quantify_share){true_share(shares, k, in), NAN, NAN},
                    count, false, false);
        run_shares_behind_add(&shares->behind, first + k, k, in);
    }
}

/* A set that was not classified as a whole has no estimate. */
static bool check_set(const struct shares_study *shares, const struct run_shares_set *set,
                      struct err *err)
{
    int64_t known = 0, all = measure_bits_count(set->bits);

    for (size_t i = 0; i < shares->read.known.count; i++)
        known += measure_bits_has(set->bits, shares->read.places[i]);
    return known == all || shares->read.known.count == 0 ||
           err_set(
               err, ERR_INPUT,
               "tables.%.*s: %lld of the %lld items of '%.*s' were not classified; add "
               "it to `predict` of the classifier",
               STR_ARG(shares->inputs->table->name), (long long)(all - known),
               (long long)all, STR_ARG(set->name));
}

static void add_set(struct shares_study *shares, const struct run_shares_set *set)
{
    const struct measure_groups *groups = shares->inputs->groups;
    size_t above = STUDY_NONE;

    if (shares->inputs->set_count > 1) {
        above = run_shares_above(&shares->table, set->name, STUDY_NONE,
                                 measure_bits_count(set->bits));
    }
    if (groups == NULL) {
        add_classes(shares, set->name, set->bits, above);
        return;
    }
    for (size_t v = 0; v < groups->count; v++) {
        struct measure_bits subset =
            measure_bits_and(set->bits, groups->values[v].bits, shares->arena);
        if (measure_bits_count(subset) == 0)
            continue;
        size_t row = run_shares_above(&shares->table, groups->values[v].name, above,
                                      measure_bits_count(subset));
        add_classes(shares, groups->values[v].name, subset, row);
    }
}

static void add_notes(struct shares_study *shares)
{
    struct run_shares *table = &shares->table;

    add_few_note(table);
    if (shares->inputs->unresolved > 0)
        add_note(
            table,
            "%zu of %zu labelled items have no final label, such as those that raters "
            "differ in and nobody has decided; they are left out. Hard items are "
            "likely among them, so the rest may be no random sample.",
            shares->inputs->unresolved, shares->inputs->asked);
    if (shares->inputs->taken > 0)
        add_note(
            table,
            "%zu of %zu labelled items are from samples taken by `top`, which are no "
            "random ones: the classifier learns from them, shares do not rest on "
            "them.",
            shares->inputs->taken, shares->inputs->asked);
    add_method_notes(table);
    if (shares->inputs->truth != NULL)
        add_note(table, "truth: what was planted in the simulated corpus.");
}

/* The rows of all sets. */
static bool add_sets(struct shares_study *shares, struct err *err)
{
    for (size_t s = 0; s < shares->inputs->set_count; s++) {
        if (!check_set(shares, &shares->inputs->sets[s], err))
            return false;
        add_set(shares, &shares->inputs->sets[s]);
    }
    return true;
}

bool run_shares_table(const struct run_shares_inputs *inputs, struct arena *arena,
                      struct result_table *out, struct err *err)
{
    struct shares_study shares = {.inputs = inputs, .arena = arena};

    if (!run_shares_items_read(inputs->folder, inputs->classifier, inputs->frame, arena,
                               &shares.read, err))
        return false;
    size_t classes = shares.read.known.classes;
    shares.names = arena_array(arena, struct str, classes + 1);
    for (size_t k = 0; k < classes; k++)
        shares.names[k] = name_of(&shares, shares.read.classes[k]);
    find_truth(&shares);
    shares.table = (struct run_shares){.items = &shares.read.known,
                                       .names = shares.names,
                                       .confidence = inputs->table->confidence,
                                       .seed = inputs->seed,
                                       .arena = arena};
    run_shares_begin(&shares.table, inputs->table->name, inputs->truth != NULL);
    shares.table.out.title = inputs->table->title;
    shares.table.out.corner = inputs->groups != NULL ? STR("group, class") : STR("class");
    shares.behind =
        (struct run_shares_behind){.read = &shares.read,
                                   .frame = inputs->frame,
                                   .truly = inputs->truth != NULL ? shares.truly : NULL,
                                   .out = &shares.table.out,
                                   .arena = arena};
    bool ok = add_sets(&shares, err);
    if (ok)
        add_notes(&shares);
    free_shares(&shares.table);
    *out = shares.table.out;
    return ok;
}
