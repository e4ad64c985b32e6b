/* Each row of the table is a class in a subset of the items, which a classifier has left
 * in its result. */
#include "run/shares.h"

#include <math.h>
#include <stdarg.h>

#include "base/list.h"
#include "learn/quantify.h"
#include "run/output.h"

/* What the classifier left of each item, in arrays that quantify.h takes. */
struct shares_items {
    struct learn_quantify_items known; /* points at the lists */
    struct str *classes;               /* ids of their codes */
    LIST(size_t) places;               /* of each item in the frame */
    LIST(size_t) stratum;
    LIST(uint8_t) role;
    LIST(uint8_t) truth;
    LIST(uint8_t) said;
    LIST(uint8_t) silent;
    LIST(double) probabilities;
};

struct shares_reading {
    const struct measure_frame *frame;
    struct arena *arena;
    struct shares_items *out;
};

static bool is_column(const struct result_table *table, size_t c, const char *name,
                      enum result_type type)
{
    return c < table->column_count && table->columns[c].type == type &&
           (name == NULL || str_eq(table->columns[c].name, str_from(name)));
}

static bool read_head(void *context, const struct result_table *table, struct err *err)
{
    struct shares_reading *reading = context;
    size_t classes =
        table->column_count < RUN_SHARES_CLASSES
            ? 0
            : (table->column_count - RUN_SHARES_CLASSES) / RUN_SHARES_COLUMNS;
    bool ok = is_column(table, RUN_SHARES_ID, "id", RESULT_ITEM) &&
              is_column(table, RUN_SHARES_ROLE, "role", RESULT_TEXT) &&
              is_column(table, RUN_SHARES_STRATUM, "stratum", RESULT_COUNT) &&
              table->column_count == RUN_SHARES_CLASSES + classes * RUN_SHARES_COLUMNS;

    reading->out->known.classes = classes;
    reading->out->classes = arena_array(reading->arena, struct str, classes + 1);
    for (size_t k = 0; k < classes; k++) {
        size_t c = RUN_SHARES_CLASSES + k * RUN_SHARES_COLUMNS;
        ok = ok && is_column(table, c + RUN_SHARES_TRULY, NULL, RESULT_COUNT) &&
             is_column(table, c + RUN_SHARES_SAID, NULL, RESULT_COUNT) &&
             is_column(table, c + RUN_SHARES_PROBABILITY, NULL, RESULT_SHARE);
        reading->out->classes[k] = arena_copy(reading->arena, table->columns[c].name);
    }
    return ok || err_set(err, ERR_INPUT, "expected the columns of a classifier's items");
}

/* Missing: not known. There are no more strata than items. */
static bool read_stratum(struct shares_reading *reading, double number)
{
    if (isnan(number))
        number = 0;
    if (number < 0 || number != floor(number) || number >= (double)reading->frame->count)
        return false;
    size_t stratum = (size_t)number;
    if (stratum >= reading->out->known.strata)
        reading->out->known.strata = stratum + 1;
    list_add(&reading->out->stratum, stratum);
    return true;
}

static bool is_flag(double value)
{
    return value == 0 || value == 1 || isnan(value);
}

static bool read_item(struct shares_reading *reading, const struct result_cell *cells)
{
    struct shares_items *out = reading->out;
    struct str role = cells[RUN_SHARES_ROLE].text;
    size_t place = measure_frame_find(reading->frame, cells[RUN_SHARES_ID].item);
    size_t truly = 0, said = 0, silent = 0;

    if (place == reading->frame->count ||
        !read_stratum(reading, cells[RUN_SHARES_STRATUM].value))
        return false;
    list_add(&out->places, place);
    list_add(&out->role, str_eq(role, STR("drawn"))    ? LEARN_QUANTIFY_DRAWN
                         : str_eq(role, STR("chosen")) ? LEARN_QUANTIFY_CHOSEN
                                                       : LEARN_QUANTIFY_UNLABELLED);
    for (size_t k = 0; k < out->known.classes; k++) {
        const struct result_cell *of =
            &cells[RUN_SHARES_CLASSES + k * RUN_SHARES_COLUMNS];
        if (!is_flag(of[RUN_SHARES_TRULY].value) || !is_flag(of[RUN_SHARES_SAID].value))
            return false;
        list_add(&out->truth, of[RUN_SHARES_TRULY].value == 1);
        list_add(&out->said, of[RUN_SHARES_SAID].value == 1);
        bool none = isnan(of[RUN_SHARES_SAID].value);
        list_add(&out->probabilities, none ? 0 : of[RUN_SHARES_PROBABILITY].value);
        silent += none;
        truly += of[RUN_SHARES_TRULY].value == 1;
        said += of[RUN_SHARES_SAID].value == 1;
    }
    list_add(&out->silent, silent > 0);
    out->known.several = out->known.several || truly > 1 || said > 1;
    return silent == 0 || silent == out->known.classes;
}

static bool read_row(void *context, const struct result_row *row,
                     const struct result_cell *cells, struct err *err)
{
    (void)row;
    return read_item(context, cells) ||
           err_set(err, ERR_INPUT, "no item as a classifier leaves it");
}

static bool read_items(const struct run_shares_inputs *inputs, struct arena *arena,
                       struct shares_items *out, struct err *err)
{
    struct shares_reading reading = {inputs->frame, arena, out};
    struct result_file_rows rows = {STR("items"), read_head, read_row, &reading};
    bool ok = run_output_read_rows(inputs->folder, "classifiers", inputs->classifier,
                                   &rows, err);

    out->known.count = out->role.count;
    out->known.role = out->role.at;
    out->known.truth = out->truth.at;
    out->known.said = out->said.at;
    out->known.silent = out->silent.at;
    out->known.stratum = out->stratum.at;
    out->known.probabilities = out->probabilities.at;
    return ok;
}

static void free_items(struct shares_items *items)
{
    list_free(&items->places);
    list_free(&items->stratum);
    list_free(&items->role);
    list_free(&items->truth);
    list_free(&items->said);
    list_free(&items->silent);
    list_free(&items->probabilities);
}

/* The last one where the truth is known. */
enum {
    COLUMN_LABELLED,
    FIRST_METHOD,
    COLUMN_TRUTH = FIRST_METHOD + LEARN_QUANTIFY_METHODS
};

/* How shares by the method rest on labelled items; NULL: they are computed from them. */
static const char *rests_of(enum learn_quantify_method method)
{
    static const char corrected[] =
        "it rests on these labels and on all others that were drawn, in the set or not, "
        "and on predictions for the whole set";
    static const char *const words[LEARN_QUANTIFY_METHODS] = {
        [LEARN_QUANTIFY_POWERED] = "it rests on these labels, and on predictions for the "
                                   "whole set",
        [LEARN_QUANTIFY_ADJUSTED] = corrected,
        [LEARN_QUANTIFY_PROBABLE] = corrected,
        [LEARN_QUANTIFY_EM] = corrected};

    return words[method];
}

/* An estimate without an interval says why. */
static void explain_interval(struct result_cell *cell)
{
    if (cell->undefined == NULL && (isnan(cell->low) || isnan(cell->high)))
        cell->no_interval = "what was labelled does not suffice for one";
}

void run_shares_begin(struct run_shares *shares, struct str name, bool truth)
{
    size_t count = 1 + LEARN_QUANTIFY_METHODS + truth;
    struct result_column *columns =
        arena_array(shares->arena, struct result_column, count);

    for (size_t c = 0; c < count; c++) {
        bool method = c > 0 && c <= LEARN_QUANTIFY_METHODS;
        const char *rests = method ? rests_of((enum learn_quantify_method)(c - 1)) : NULL;
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
    shares->out.numbers = shares->out.apart = shares->out.reasons = true;
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

/* Adjusted counts are undefined although each class has labels: the classes that are
 * never predicted among these, or what else makes predictions tell nothing. */
static void add_adjusted_note(struct run_shares *shares)
{
    const struct learn_quantify_items *items = shares->items;
    struct buf never = {0};

    for (size_t k = 0; k < items->classes; k++) {
        bool predicted = false;
        for (size_t i = 0; i < items->count && !predicted; i++)
            predicted = items->role[i] == LEARN_QUANTIFY_DRAWN &&
                        items->said[i * items->classes + k];
        if (!predicted)
            buf_add_format(&never, "%s%.*s", never.len > 0 ? ", " : "",
                           STR_ARG(shares->names[k]));
    }
    if (never.len > 0)
        add_note(
            shares,
            "The adjusted count is undefined, since different shares lead to the same "
            "predictions. Never predicted for a labelled item: %.*s.",
            STR_ARG(buf_str(&never)));
    else
        add_note(shares,
                 "The adjusted count is undefined, since different shares lead to "
                 "the same predictions: classes are mistaken in the same way.");
    buf_free(&never);
}

static struct result_cell cell_of(const struct learn_quantify_share *share, int64_t n,
                                  bool few, const char *why)
{
    return (struct result_cell){.value = share->estimate,
                                .undefined = !isnan(share->estimate)    ? NULL
                                             : share->undefined != NULL ? share->undefined
                                                                        : why,
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

/* "A (30 of 400, 4 of them labelled)", if there are any. */
static void add_silent(struct buf *to, struct str what,
                       const struct learn_quantify *found)
{
    if (found->silent > 0)
        buf_add_format(to, "%s%.*s (%zu of %zu, %zu of them labelled)",
                       to->len > 0 ? ", " : "", STR_ARG(what), found->silent,
                       found->items, found->silent_labelled);
}

struct learn_quantify run_shares_add(struct run_shares *shares, struct str what,
                                     const uint8_t *in, size_t parent)
{
    const struct learn_quantify_items *items = shares->items;

    struct learn_quantify found =
        learn_quantify_shares(items, in, shares->confidence, shares->arena);

    if (found.few)
        buf_add_format(&shares->few, "%s%.*s", shares->few.len > 0 ? ", " : "",
                       STR_ARG(what));
    shares->weighted = shares->weighted || found.strata > 1;
    add_part(&shares->joined, what, found.joined, found.items);
    add_part(&shares->unknown, what, found.unknown, found.items);
    add_silent(&shares->silent, what, &found);
    if (found.items > 0 && found.labelled == found.items)
        buf_add_format(&shares->known, "%s%.*s", shares->known.len > 0 ? ", " : "",
                       STR_ARG(what));
    for (size_t k = 0; k < items->classes; k++) {
        struct result_cell *cells =
            add_row(shares, shares->names[k], parent, (int64_t)found.items);
        cells[0] = result_count(labelled_with(items, k, in));
        cells[0].n = (int64_t)found.labelled;
        for (size_t m = 0; m < LEARN_QUANTIFY_METHODS; m++) {
            const char *why = m == LEARN_QUANTIFY_PLAIN ? "nothing is predicted"
                              : found.unknown > 0
                                  ? "a stratum has too few labelled items"
                                  : "no item of it was drawn and labelled";
            shares->singular = shares->singular ||
                               (m == LEARN_QUANTIFY_ADJUSTED &&
                                found.of[m][k].undefined == learn_quantify_same_said);
            /* A plain count rests on all predictions, and on no label. */
            size_t behind =
                m == LEARN_QUANTIFY_PLAIN ? found.items - found.silent : found.labelled;
            cells[1 + m] = cell_of(&found.of[m][k], (int64_t)behind, found.few, why);
            explain_interval(&cells[1 + m]);
        }
    }
    return found;
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
                 "Strata were drawn one by one: a label counts for the items of its "
                 "stratum that it stands for.");
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

static void add_silent_note(struct run_shares *shares)
{
    if (shares->silent.len > 0)
        add_note(
            shares,
            "Items without a prediction: %.*s. The plain count is of the others. For "
            "adjusted counts they are a prediction of their own, as frequent in each "
            "class as among its labelled items; for EM each has the shares of "
            "labelled ones without a prediction; prediction-powered shares are valid "
            "whatever is predicted, for these no class.",
            STR_ARG(buf_str(&shares->silent)));
    if (shares->known.len > 0)
        add_note(shares,
                 "Every item is labelled, so that the share is known, and all but the "
                 "plain count are this share: %.*s.",
                 STR_ARG(buf_str(&shares->known)));
}

/* Each method's assumption stands under the table. */
static void add_method_notes(struct run_shares *shares)
{
    add_silent_note(shares);
    add_strata_notes(shares);
    if (shares->singular)
        add_adjusted_note(shares);
    for (size_t m = 0; m < LEARN_QUANTIFY_METHODS; m++)
        add_note(shares, "%s: %s", learn_quantify_names[m],
                 learn_quantify_assumptions[m]);
}

static void free_shares(struct run_shares *shares)
{
    buf_free(&shares->few);
    buf_free(&shares->unknown);
    buf_free(&shares->joined);
    buf_free(&shares->silent);
    buf_free(&shares->known);
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
    struct shares_items read;
    struct str *names;          /* of classes */
    struct measure_bits *truly; /* of each class; where the truth is known */
    bool missed;                /* some codes have no labelled item */
    struct run_shares table;
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
            count += measure_bits_has(shares->truly[class], shares->read.places.at[i]);
        }
    return all > 0 ? (double)count / (double)all : NAN;
}

/* The items behind numbers: the column says which, labelled ones, those taken for the
 * class, or those that it was planted in. */

enum which { LABELLED, LABELLED_SO, SAID, TRULY };

static bool is_behind(const struct shares_study *shares, enum which which, size_t class,
                      size_t i)
{
    const struct learn_quantify_items *items = &shares->read.known;
    bool drawn = items->role[i] == LEARN_QUANTIFY_DRAWN;

    switch (which) {
    case LABELLED:
        return drawn;
    case LABELLED_SO:
        return drawn && items->truth[i * items->classes + class];
    case SAID:
        return items->said[i * items->classes + class];
    default:
        return measure_bits_has(shares->truly[class], shares->read.places.at[i]);
    }
}

static void add_list(struct shares_study *shares, struct result_evidence at,
                     enum which which, size_t class, const uint8_t *in)
{
    static const char *const words[] = {
        [LABELLED] = "labelled items that were drawn",
        [LABELLED_SO] = "labelled items that were drawn and have the code",
        [SAID] = "items that the classifier takes for it",
        [TRULY] = "items that it was planted in"};
    size_t room = 1;

    for (size_t i = 0; i < shares->read.known.count; i++)
        room += in[i] && is_behind(shares, which, class, i);
    int64_t *ids = arena_array(shares->arena, int64_t, room);
    for (size_t i = 0; i < shares->read.known.count; i++)
        if (in[i] && is_behind(shares, which, class, i))
            ids[at.count++] =
                measure_column_at(shares->inputs->frame->ids, shares->read.places.at[i]);
    at.what = str_from(words[which]);
    at.ids = ids;
    result_add_evidence(&shares->table.out, &at, shares->arena);
}

/* The row is the class in the items for which `in` is not 0. */
static void add_behind(struct shares_study *shares, size_t row, size_t class,
                       const uint8_t *in)
{
    add_list(shares, (struct result_evidence){.row = row, .column = RESULT_NONE},
             LABELLED, class, in);
    add_list(shares, (struct result_evidence){.row = row, .column = COLUMN_LABELLED},
             LABELLED_SO, class, in);
    add_list(shares,
             (struct result_evidence){.row = row,
                                      .column = FIRST_METHOD + LEARN_QUANTIFY_PLAIN},
             SAID, class, in);
    if (shares->inputs->truth != NULL)
        add_list(shares, (struct result_evidence){.row = row, .column = COLUMN_TRUTH},
                 TRULY, class, in);
}

/* Whether a code is one of the classes, or below one: raters stayed above it. */
static bool is_covered(const struct shares_study *shares, size_t code)
{
    const struct measure_labels_code *codes = shares->inputs->labels->codes;
    size_t classes = shares->read.known.classes;

    while (code != STUDY_NONE &&
           str_find(codes[code].id, shares->read.classes, classes) == classes)
        code = codes[code].parent;
    return code != STUDY_NONE;
}

/* Codes that no labelled item has: no classifier knows them, but labels tell how frequent
 * they can be at most. */
static void add_missed(struct shares_study *shares, const struct learn_quantify *found,
                       size_t parent)
{
    const struct measure_labels *labels = shares->inputs->labels;
    int level = shares->inputs->level;

    for (size_t c = 0; c < labels->code_count && found->labelled > 0; c++) {
        const struct measure_labels_code *code = &labels->codes[c];
        if (code->special || measure_labels_at_level(labels, c, level) != c ||
            !(code->leaf || code->level == level) || is_covered(shares, c))
            continue;
        struct result_cell *cells =
            add_row(&shares->table, code->name, parent, (int64_t)found->items);
        struct stats_interval most = stats_interval_wilson_finite(
            0, (int64_t)found->labelled, (int64_t)found->items, shares->table.confidence);
        cells[0] = result_count(0);
        cells[0].n = (int64_t)found->labelled;
        for (size_t m = 0; m < LEARN_QUANTIFY_METHODS; m++)
            cells[FIRST_METHOD + m].undefined = "no labelled item has it";
        if (found->strata > 1 || found->unknown > 0)
            continue; /* how few it has depends on the stratum */
        cells[FIRST_METHOD + LEARN_QUANTIFY_LABELLED] = cell_of(
            &(struct learn_quantify_share){most.estimate, most.low, most.high, NULL},
            (int64_t)found->labelled, found->few, NULL);
        shares->missed = true;
    }
}

/* The classes in the items of the subset. */
static void add_classes(struct shares_study *shares, struct str what,
                        struct measure_bits subset, size_t parent)
{
    const struct learn_quantify_items *items = &shares->read.known;
    uint8_t *in = arena_array(shares->arena, uint8_t, items->count + 1);
    size_t first = shares->table.out.row_count;

    for (size_t i = 0; i < items->count; i++)
        in[i] = measure_bits_has(subset, shares->read.places.at[i]);
    struct learn_quantify found = run_shares_add(&shares->table, what, in, parent);
    int64_t count = (int64_t)found.items;
    for (size_t k = 0; k < items->classes; k++) {
        if (shares->inputs->truth != NULL)
            shares->table.out
                .cells[(first + k) * shares->table.out.column_count + COLUMN_TRUTH] =
                cell_of(&(struct learn_quantify_share){true_share(shares, k, in), NAN,
                                                       NAN, NULL},
                        count, false, false);
        add_behind(shares, first + k, k, in);
    }
    add_missed(shares, &found, parent);
}

/* A set that was not classified as a whole has no estimate. */
static bool check_set(const struct shares_study *shares, const struct run_shares_set *set,
                      struct err *err)
{
    int64_t known = 0, all = measure_bits_count(set->bits);

    for (size_t i = 0; i < shares->read.known.count; i++)
        known += measure_bits_has(set->bits, shares->read.places.at[i]);
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

    if (shares->inputs->set_count > 1)
        above = run_shares_above(&shares->table, set->name, STUDY_NONE,
                                 measure_bits_count(set->bits));
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
    if (shares->missed)
        add_note(table, "No labelled item has a code with 0 labels: the end of its "
                        "interval is what labels leave possible.");
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
    bool ok = read_items(inputs, arena, &shares.read, err);
    size_t classes = shares.read.known.classes;

    shares.names = arena_array(arena, struct str, classes + 1);
    for (size_t k = 0; k < classes; k++)
        shares.names[k] = name_of(&shares, shares.read.classes[k]);
    if (ok) {
        find_truth(&shares);
        shares.table = (struct run_shares){.items = &shares.read.known,
                                           .names = shares.names,
                                           .confidence = inputs->table->confidence,
                                           .arena = arena};
        run_shares_begin(&shares.table, inputs->table->name, inputs->truth != NULL);
        shares.table.out.title = inputs->table->title;
        shares.table.out.corner =
            inputs->groups != NULL ? STR("group, class") : STR("class");
        ok = add_sets(&shares, err);
    }
    if (ok)
        add_notes(&shares);
    free_shares(&shares.table);
    free_items(&shares.read);
    *out = shares.table.out;
    return ok;
}
