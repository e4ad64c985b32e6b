/* Items come back from the classifier's file, as arrays that quantify.h takes; each row
 * of the table is a class in a subset of them. */
#include "run/shares.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "input/csv.h"
#include "learn/quantify.h"
#include "study/keys.h"

enum { FIRST_CLASS = 4 /* column of items.csv */, RESAMPLES = 500 };

struct shares {
    const struct shares_inputs *inputs;
    struct arena *arena;
    struct quantify_items items;
    size_t *places; /* of each item in the frame */
    struct str *classes, *names;
    struct bits *truly; /* of each class; where the truth is known */
    struct str *few;    /* subsets with too few labels */
    size_t few_count;
    struct table *out;
};

/* Reading back. */

static struct str name_of(const struct shares *shares, struct str id)
{
    const struct labels *labels = shares->inputs->labels;

    for (size_t c = 0; c < labels->code_count; c++)
        if (str_eq(labels->codes[c].id, id))
            return labels->codes[c].name;
    return id;
}

static void read_heads(struct shares *shares, const struct csv_row *row)
{
    size_t classes = row->count - FIRST_CLASS;

    shares->items.classes = classes;
    shares->classes = arena_array(shares->arena, struct str, classes + 1);
    shares->names = arena_array(shares->arena, struct str, classes + 1);
    for (size_t k = 0; k < classes; k++) {
        shares->classes[k] = arena_copy(shares->arena, row->fields[FIRST_CLASS + k]);
        shares->names[k] = name_of(shares, shares->classes[k]);
    }
}

/* "0 3": numbers of classes. */
static bool read_classes(struct shares *shares, struct str text, uint8_t *is)
{
    struct str one;
    int64_t number;
    size_t count = 0;

    for (bool more = text.len > 0; more; count++) {
        more = str_cut(&text, ' ', &one);
        if (!str_to_int(one, &number) || number < 0 ||
            (size_t)number >= shares->items.classes)
            return false;
        is[number] = 1;
    }
    shares->items.several = shares->items.several || count > 1;
    return true;
}

struct columns {
    struct buf places, role, truth, said, probabilities;
};

static bool read_item(struct shares *shares, const struct csv_row *row,
                      struct columns *columns, uint8_t *is)
{
    size_t classes = shares->items.classes;
    uint8_t role = str_eq(row->fields[1], STR("drawn"))    ? QUANTIFY_DRAWN
                   : str_eq(row->fields[1], STR("chosen")) ? QUANTIFY_CHOSEN
                                                           : QUANTIFY_UNLABELLED;
    int64_t id;

    if (!str_to_int(row->fields[0], &id))
        return false;
    size_t place = frame_find(shares->inputs->frame, id);
    if (place == shares->inputs->frame->count)
        return false;
    buf_add(&columns->places, (struct str){(const char *)&place, sizeof place});
    buf_add_char(&columns->role, (char)role);
    for (size_t s = 0; s < 2; s++) {
        memset(is, 0, classes);
        if (!read_classes(shares, row->fields[2 + s], is))
            return false;
        buf_add(s == 0 ? &columns->truth : &columns->said,
                (struct str){(const char *)is, classes});
    }
    for (size_t k = 0; k < classes; k++) {
        double probability;
        if (!str_to_real(row->fields[FIRST_CLASS + k], &probability))
            return false;
        buf_add(&columns->probabilities,
                (struct str){(const char *)&probability, sizeof probability});
    }
    return true;
}

static void *taken(struct buf *from, struct arena *arena)
{
    void *copy = arena_array(arena, max_align_t, from->len / sizeof(max_align_t) + 1);

    if (from->len > 0)
        memcpy(copy, from->ptr, from->len);
    buf_free(from);
    return copy;
}

static bool read_items(struct shares *shares, struct err *err)
{
    const char *path = shares->inputs->items;
    struct csv csv = {.path = path};
    struct csv_row row;
    struct columns columns = {0};
    uint8_t *is = NULL;
    struct str text;
    bool ok = file_read(path, shares->arena, &text, err);

    if (!ok)
        return false;
    csv_push(&csv, text, true);
    for (bool head = true; ok && csv_next(&csv, &row, err); head = false) {
        if (head && row.count >= FIRST_CLASS) {
            read_heads(shares, &row);
            is = arena_array(shares->arena, uint8_t, shares->items.classes + 1);
        } else if (head || !read_item(shares, &row, &columns, is)) {
            ok = err_set(err, ERR_INPUT, "%s:%lld: not as assay writes it", path,
                         (long long)row.line);
        }
    }
    ok = ok && !csv.failed;
    shares->items.count = columns.role.len;
    shares->places = taken(&columns.places, shares->arena);
    shares->items.role = taken(&columns.role, shares->arena);
    shares->items.truth = taken(&columns.truth, shares->arena);
    shares->items.said = taken(&columns.said, shares->arena);
    shares->items.probabilities = taken(&columns.probabilities, shares->arena);
    csv_free(&csv);
    return ok;
}

/* The table. */

static size_t method_count(const struct shares *shares)
{
    return QUANTIFY_METHODS + (shares->inputs->truth != NULL);
}

static void add_heads(struct shares *shares)
{
    size_t count = 1 + method_count(shares);
    struct study_column *columns = arena_array(shares->arena, struct study_column, count);
    struct table *out = shares->out;

    out->heads = arena_array(shares->arena, struct table_head, count);
    for (size_t h = 0; h < count; h++) {
        struct buf slug = {0};
        struct str name = h == 0                  ? STR("labelled")
                          : h <= QUANTIFY_METHODS ? str_from(quantify_names[h - 1])
                                                  : STR("truth");
        measure_slug(name, &slug);
        columns[h] = (struct study_column){
            .text = name,
            .name = name,
            .slug = arena_copy(shares->arena, buf_str(&slug)),
            .measure = {.kind = h == 0 ? MEASURE_COUNT : MEASURE_SHARE},
            .digits = -1,
            .round_first = -1};
        out->heads[h] = (struct table_head){
            .name = name, .path = columns[h].slug, .column = &columns[h]};
        buf_free(&slug);
    }
    out->head_count = count;
}

static struct cell *add_row(struct shares *shares, struct str name, size_t parent,
                            int64_t n, bool leaf)
{
    struct table *out = shares->out;
    struct table_row *row = &out->rows[out->row_count];
    struct buf slug = {0}, path = {0};

    measure_slug(name, &slug);
    if (parent != STUDY_NONE)
        buf_add_format(&path, "%.*s.", STR_ARG(out->rows[parent].path));
    buf_add(&path, buf_str(&slug));
    *row = (struct table_row){.name = name,
                              .slug = arena_copy(shares->arena, buf_str(&slug)),
                              .path = arena_copy(shares->arena, buf_str(&path)),
                              .level =
                                  parent == STUDY_NONE ? 0 : out->rows[parent].level + 1,
                              .parent = parent,
                              .n = n,
                              .leaf = leaf};
    buf_free(&slug);
    buf_free(&path);
    struct cell *cells = &out->cells[out->row_count++ * out->head_count];
    for (size_t h = 0; h < out->head_count; h++)
        cells[h] = (struct cell){.value = NAN,
                                 .undefined = "it is the sum of what is below it",
                                 .low = NAN,
                                 .high = NAN,
                                 .n = n};
    return cells;
}

static struct cell cell_of(const struct quantify_share *share, int64_t n, bool few)
{
    return (struct cell){.value = share->estimate,
                         .undefined =
                             isnan(share->estimate) ? "too few labelled items" : NULL,
                         .low = share->low,
                         .high = share->high,
                         .n = n,
                         .small = few};
}

/* Of each class, the items that truly have it. */
static void find_truth(struct shares *shares)
{
    const struct labels *truth = shares->inputs->truth;
    size_t classes = shares->items.classes;

    shares->truly = arena_array(shares->arena, struct bits, classes + 1);
    for (size_t k = 0; k < classes && truth != NULL; k++) {
        shares->truly[k] = bits_make(shares->inputs->frame->count, shares->arena);
        for (size_t e = 0; e < truth->count; e++) {
            const struct labels_code *code = &truth->codes[labels_at_level(
                truth, truth->entries[e].code, shares->inputs->level)];
            if (str_eq(code->id, shares->classes[k]) ||
                str_eq(code->name, shares->names[k]))
                bits_set(shares->truly[k], truth->entries[e].item);
        }
    }
}

static double true_share(const struct shares *shares, size_t class, const uint8_t *in)
{
    int64_t count = 0, all = 0;

    for (size_t i = 0; i < shares->items.count; i++)
        if (in[i]) {
            all++;
            count += bits_has(shares->truly[class], shares->places[i]);
        }
    return all > 0 ? (double)count / (double)all : NAN;
}

static int64_t labelled_with(const struct shares *shares, size_t class, const uint8_t *in)
{
    const struct quantify_items *items = &shares->items;
    int64_t count = 0;

    for (size_t i = 0; i < items->count; i++)
        count += in[i] && items->role[i] == QUANTIFY_DRAWN &&
                 items->truth[i * items->classes + class];
    return count;
}

/* The classes in the items of the subset. */
static void add_classes(struct shares *shares, struct str what, struct bits subset,
                        size_t parent)
{
    const struct quantify_items *items = &shares->items;
    uint8_t *in = arena_array(shares->arena, uint8_t, items->count + 1);

    for (size_t i = 0; i < items->count; i++)
        in[i] = bits_has(subset, shares->places[i]);
    struct quantify found =
        quantify_shares(items, in,
                        (struct quantify_options){shares->inputs->table->confidence,
                                                  RESAMPLES, shares->inputs->seed},
                        shares->arena);
    if (found.few)
        shares->few[shares->few_count++] = what;
    for (size_t k = 0; k < items->classes; k++) {
        struct cell *cells =
            add_row(shares, shares->names[k], parent, (int64_t)found.items, true);
        cells[0] = (struct cell){.value = (double)labelled_with(shares, k, in),
                                 .low = NAN,
                                 .high = NAN,
                                 .n = (int64_t)found.labelled};
        for (size_t m = 0; m < QUANTIFY_METHODS; m++)
            cells[1 + m] = cell_of(&found.of[m][k], (int64_t)found.labelled, found.few);
        if (shares->inputs->truth != NULL)
            cells[1 + QUANTIFY_METHODS] =
                cell_of(&(struct quantify_share){true_share(shares, k, in), NAN, NAN},
                        (int64_t)found.items, false);
    }
}

/* A set that was not classified as a whole has no estimate. */
static bool check_set(const struct shares *shares, const struct shares_set *set,
                      struct err *err)
{
    int64_t known = 0, all = bits_count(set->bits);

    for (size_t i = 0; i < shares->items.count; i++)
        known += bits_has(set->bits, shares->places[i]);
    return known == all || shares->items.count == 0 ||
           err_set(
               err, ERR_INPUT,
               "tables.%.*s: %lld of the %lld items of '%.*s' were not classified; add "
               "it to `predict` of the classifier",
               STR_ARG(shares->inputs->table->name), (long long)(all - known),
               (long long)all, STR_ARG(set->name));
}

static void add_set(struct shares *shares, const struct shares_set *set)
{
    const struct groups *groups = shares->inputs->groups;
    size_t above = STUDY_NONE;

    if (shares->inputs->set_count > 1) {
        above = shares->out->row_count;
        add_row(shares, set->name, STUDY_NONE, bits_count(set->bits), false);
    }
    if (groups == NULL) {
        add_classes(shares, set->name, set->bits, above);
        return;
    }
    for (size_t v = 0; v < groups->count; v++) {
        struct bits subset = bits_and(set->bits, groups->values[v].bits, shares->arena);
        size_t row = shares->out->row_count;
        if (bits_count(subset) == 0)
            continue;
        add_row(shares, groups->values[v].name, above, bits_count(subset), false);
        add_classes(shares, groups->values[v].name, subset, row);
    }
}

static void add_note(struct shares *shares, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_note(struct shares *shares, const char *format, ...)
{
    char text[1000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    shares->out->notes[shares->out->note_count++] =
        arena_copy(shares->arena, str_from(text));
}

/* Each method's assumption stands under the table. */
static void add_notes(struct shares *shares)
{
    struct buf few = {0};

    shares->out->notes = arena_array(shares->arena, struct str, QUANTIFY_METHODS + 4);
    for (size_t i = 0; i < shares->few_count; i++)
        buf_add_format(&few, "%s%.*s", i > 0 ? ", " : "", STR_ARG(shares->few[i]));
    if (shares->few_count > 0)
        add_note(shares,
                 "Fewer than %d labels drawn at random, too few to rely on: %.*s.",
                 QUANTIFY_FEW, STR_ARG(buf_str(&few)));
    if (shares->inputs->unresolved > 0)
        add_note(
            shares,
            "%zu of %zu labelled items have no final label, such as those that raters "
            "differ in and nobody has decided; they are left out. Hard items are "
            "likely among them, so the rest may be no random sample.",
            shares->inputs->unresolved, shares->inputs->asked);
    for (size_t m = 0; m < QUANTIFY_METHODS; m++)
        add_note(shares, "%s: %s", quantify_names[m], quantify_assumptions[m]);
    if (shares->inputs->truth != NULL)
        add_note(shares, "truth: what was planted in the simulated corpus.");
    buf_free(&few);
}

bool shares_table(const struct shares_inputs *inputs, struct arena *arena,
                  struct table *out, struct err *err)
{
    struct shares shares = {.inputs = inputs, .arena = arena, .out = out};
    size_t subsets =
        inputs->set_count * (1 + (inputs->groups != NULL ? inputs->groups->count : 1));

    *out = (struct table){.name = inputs->table->name, .title = inputs->table->title};
    if (!read_items(&shares, err))
        return false;
    size_t rows = subsets * (1 + shares.items.classes);
    find_truth(&shares);
    add_heads(&shares);
    out->rows = arena_array(arena, struct table_row, rows + 1);
    out->cells = arena_array(arena, struct cell, (rows + 1) * out->head_count);
    shares.few = arena_array(arena, struct str, subsets + 1);
    for (size_t s = 0; s < inputs->set_count; s++) {
        if (!check_set(&shares, &inputs->sets[s], err))
            return false;
        add_set(&shares, &inputs->sets[s]);
    }
    add_notes(&shares);
    return true;
}
