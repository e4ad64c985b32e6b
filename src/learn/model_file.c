/* A model as text. Lines of words and numbers, each beginning with what it is. Numbers
 * have 17 digits, which is all a double has, so that reading gives the same bits. */
#include "learn/model.h"

#include <math.h>
#include <xxhash.h>

#include "learn/internal.h"

static bool model_lines_next(struct learn_model_lines *lines, struct err *err)
{
    lines->number++;
    if (lines->rest.len == 0)
        return err_set(err, ERR_INPUT, "the model ends too early");
    str_cut(&lines->rest, '\n', &lines->line);
    return true;
}

/* Says what was found in place of that; false. */
static bool model_lines_bad(const struct learn_model_lines *lines, const char *expected,
                            struct err *err)
{
    struct str shown = str_slice(lines->line, 0, 40);

    return err_set(err, ERR_INPUT, "found '%.*s', expected %s", STR_ARG(shown), expected);
}

bool learn_model_lines_expect(struct learn_model_lines *lines, const char *word,
                              struct err *err)
{
    struct str head, line;

    if (!model_lines_next(lines, err))
        return false;
    line = lines->line;
    str_cut(&line, ' ', &head);
    if (!str_eq(head, str_from(word)))
        return model_lines_bad(lines, word, err);
    lines->line = line.len > 0 ? line : (struct str){"", 0};
    return true;
}

bool learn_model_lines_real(struct learn_model_lines *lines, double *out, struct err *err)
{
    struct str word, line = lines->line;

    str_cut(&line, ' ', &word);
    if (!str_to_real(word, out) || !(fabs(*out) <= LEARN_MODEL_LINES_MAX))
        return model_lines_bad(lines, "a number", err);
    lines->line = line;
    return true;
}

/* not below 0 */
static bool model_lines_weight(struct learn_model_lines *lines, double *out,
                               struct err *err)
{
    struct learn_model_lines before = *lines;

    return learn_model_lines_real(lines, out, err) &&
           (*out >= 0 || model_lines_bad(&before, "a number that is not below 0", err));
}

bool learn_model_lines_int(struct learn_model_lines *lines, int64_t lowest,
                           int64_t highest, int64_t *out, struct err *err)
{
    struct str word, line = lines->line;

    str_cut(&line, ' ', &word);
    if (!str_to_int(word, out) || *out < lowest || *out > highest)
        return model_lines_bad(lines, "a whole number that fits", err);
    lines->line = line;
    return true;
}

bool learn_model_lines_end(const struct learn_model_lines *lines, struct err *err)
{
    return lines->line.len == 0 || model_lines_bad(lines, "the end of the line", err);
}

bool learn_model_lines_name(struct learn_model_lines *lines, const char *const *names,
                            size_t count, size_t *out, struct err *err)
{
    struct str word, line = lines->line;

    str_cut(&line, ' ', &word);
    for (*out = 0; *out < count; ++*out)
        if (str_eq(word, str_from(names[*out]))) {
            lines->line = line;
            return true;
        }
    return model_lines_bad(lines, "a known name", err);
}

/* Every count is bounded by the bytes that are left: what it counts has a line each. */
static int64_t model_lines_left(const struct learn_model_lines *lines)
{
    return (int64_t)lines->rest.len;
}

/* Lines of words and numbers, each beginning with what it is. Numbers have 17 digits,
 * which is all a double has, so that reading gives the same bits. */

uint64_t learn_model_file_hash(const struct str *ids, size_t count)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < count; i++)
        hash = XXH3_64bits_withSeed(ids[i].ptr, ids[i].len, hash + i);
    return hash;
}

void learn_model_file_free(struct learn_model_file *file)
{
    learn_features_table_free(&file->table);
    if (file->vectors != NULL)
        learn_vectors_free(file->vectors);
}

/* Before a member whose classes are sets: which classes each has. */
static void write_sets(const struct learn_powerset *powerset, struct buf *out)
{
    buf_add_format(out, "powerset %zu\n", powerset->count);
    for (size_t s = 0; s < powerset->count; s++) {
        for (size_t k = 0; k < powerset->classes; k++)
            buf_add_char(out, powerset->has[s * powerset->classes + k] ? '1' : '0');
        buf_add_char(out, '\n');
    }
}

static void write_weights(const struct learn_model *model, size_t column, struct buf *out)
{
    for (size_t k = 0; k < model->classes; k++)
        buf_add_format(out, " %.17g", model->scorer.weights[column * model->classes + k]);
    buf_add_char(out, '\n');
}

static void write_member(const struct learn_model *model, const uint32_t *renumbered,
                         struct buf *out)
{
    if (model->powerset != NULL) {
        write_sets(model->powerset, out);
        model = model->inner;
    }
    const struct learn_weigh_options *weigh = &model->weigh.options;

    buf_add_format(out, "member %s %.17g\nweigh", learn_model_methods[model->method],
                   model->sharpness);
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        buf_add_format(out, " %.17g", weigh->parts[i]);
    buf_add_format(out, " %.17g %.17g %d %d\nthresholds", weigh->letters, weigh->vectors,
                   weigh->sublinear, weigh->l2);
    for (size_t k = 0; k < model->classes; k++)
        buf_add_format(out, " %.17g", model->several ? model->thresholds[k] : 0);
    buf_add(out, STR("\nconstants"));
    for (size_t k = 0; k < model->classes; k++)
        buf_add_format(out, " %.17g", model->scorer.constants[k]);
    buf_add_format(out, "\ncolumns %zu\n", model->weigh.own_columns);
    for (size_t c = 0; c < model->weigh.own_columns; c++) {
        buf_add_format(out, "%lu %.9g",
                       (unsigned long)renumbered[model->weigh.features_of[c]],
                       (double)model->weigh.idf[c]);
        write_weights(model, c, out);
    }
    if (weigh->vectors > 0)
        for (size_t c = model->weigh.own_columns; c < model->weigh.columns; c++) {
            buf_add(out, STR("dimension"));
            write_weights(model, c, out);
        }
}

static const struct learn_model *members_of(const struct learn_model *model,
                                            size_t *count)
{
    *count = model->member_count > 0 ? model->member_count : 1;
    return model->member_count > 0 ? model->members : model;
}

/* What has the weights of a member. */
static const struct learn_model *inside(const struct learn_model *member)
{
    return member->powerset != NULL ? member->inner : member;
}

/* The vectors, if a member uses them. */
static void write_vectors(const struct learn_model_file *file, struct buf *out)
{
    size_t count;
    const struct learn_model *members = members_of(&file->model, &count);
    const struct learn_vectors *vectors = NULL;

    for (size_t m = 0; m < count; m++)
        if (inside(members + m)->weigh.options.vectors > 0)
            vectors = inside(members + m)->weigh.vectors.vectors;
    if (vectors == NULL) {
        buf_add(out, STR("vectors 0 0\n"));
        return;
    }
    size_t wide = vectors->dimensions;
    buf_add_format(out, "vectors %zu %zu\n", vectors->words.count, wide);
    for (size_t w = 0; w < vectors->words.count; w++) {
        buf_add(out, learn_features_name(&vectors->words, w));
        for (size_t k = 0; k < wide; k++)
            buf_add_format(out, " %.9g", (double)vectors->at[w * wide + k]);
        buf_add_char(out, '\n');
    }
}

/* The features in use, numbered anew in their old order. */
static const uint32_t *write_table(const struct learn_model_file *file,
                                   struct arena *arena, struct buf *out)
{
    uint32_t *numbers = arena_array(arena, uint32_t, file->table.count + 1), used = 0;
    size_t count;
    const struct learn_model *members = members_of(&file->model, &count);

    for (size_t m = 0; m < count; m++) {
        const struct learn_model *member = inside(members + m);
        for (size_t c = 0; c < member->weigh.own_columns; c++)
            numbers[member->weigh.features_of[c]] = 1;
    }
    for (size_t f = 0; f < file->table.count; f++)
        used += numbers[f];
    buf_add_format(out, "names %lu\n", (unsigned long)used);
    used = 0;
    for (size_t f = 0; f < file->table.count; f++) {
        if (numbers[f] == 0)
            continue;
        numbers[f] = used++;
        const struct learn_features_entry *entry = learn_features_entry(&file->table, f);
        buf_add_format(out, "%s %s ", learn_parts_names[entry->part],
                       learn_features_kinds[entry->kind]);
        buf_add(out, learn_features_name(&file->table, f));
        buf_add_char(out, '\n');
    }
    return numbers;
}

void learn_model_file_write(const struct learn_model_file *file, struct arena *arena,
                            struct buf *out)
{
    const struct learn_features_options *features = &file->features;
    size_t count;
    const struct learn_model *members = members_of(&file->model, &count);

    buf_add_format(out, "assay model %d\ntraining %016llx %lld\ntext %.*s\n",
                   LEARN_MODEL_FILE_VERSION, (unsigned long long)file->training,
                   (long long)file->training_count, STR_ARG(file->text));
    buf_add_format(out, "classes %zu %d\n", file->model.classes, file->model.several);
    for (size_t k = 0; k < file->model.classes; k++) {
        buf_add(out, file->classes[k]);
        buf_add_char(out, '\n');
    }
    buf_add_format(out, "features %u %d %d %d %d %d %d\n", features->kinds,
                   features->run_max, features->letters_min, features->letters_max,
                   features->no_stop_words, features->one_part, features->body_wins);
    const uint32_t *renumbered = write_table(file, arena, out);
    write_vectors(file, out);
    buf_add_format(out, "members %zu\n", count);
    for (size_t m = 0; m < count; m++)
        write_member(members + m, renumbered, out);
}

/* Every line is checked before it is believed: what is read may come from anywhere. */

enum { CLASSES_MAX = 100000, MEMBERS_MAX = 16 };

static bool read_head(struct learn_model_lines *lines, struct learn_model_file *out,
                      struct err *err)
{
    int64_t version;
    uint64_t hash = 0;

    if (!learn_model_lines_expect(lines, "assay", err))
        return false;
    if (!str_starts(lines->line, STR("model ")))
        return model_lines_bad(lines, "'assay model' as the first words", err);
    lines->line = str_slice(lines->line, 6, lines->line.len);
    if (!learn_model_lines_int(lines, 0, INT64_MAX, &version, err) ||
        !learn_model_lines_end(lines, err))
        return false;
    if (version != LEARN_MODEL_FILE_VERSION)
        return err_set(err, ERR_INPUT, "the model has version %lld, expected %d",
                       (long long)version, LEARN_MODEL_FILE_VERSION);
    if (!learn_model_lines_expect(lines, "training", err))
        return false;
    if (lines->line.len < 17 || lines->line.ptr[16] != ' ')
        return model_lines_bad(lines, "16 hexadecimal digits", err);
    for (size_t i = 0; i < 16; i++) {
        char c = lines->line.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return model_lines_bad(lines, "16 hexadecimal digits", err);
        hash = hash << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    out->training = hash;
    lines->line = str_slice(lines->line, 17, lines->line.len);
    if (!learn_model_lines_int(lines, 0, INT64_MAX, &out->training_count, err) ||
        !learn_model_lines_end(lines, err) ||
        !learn_model_lines_expect(lines, "text", err))
        return false;
    out->text = lines->line;
    return true;
}

static bool read_classes(struct learn_model_lines *lines, struct arena *arena,
                         struct learn_model_file *out, struct err *err)
{
    int64_t count, several;
    int64_t most =
        model_lines_left(lines) < CLASSES_MAX ? model_lines_left(lines) : CLASSES_MAX;

    if (!learn_model_lines_expect(lines, "classes", err) ||
        !learn_model_lines_int(lines, 1, most, &count, err) ||
        !learn_model_lines_int(lines, 0, 1, &several, err) ||
        !learn_model_lines_end(lines, err))
        return false;
    struct str *names = arena_array(arena, struct str, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        if (!model_lines_next(lines, err))
            return false;
        names[i] = lines->line;
    }
    out->classes = names;
    out->model.classes = (size_t)count;
    out->model.several = several != 0;
    return true;
}

static bool read_features(struct learn_model_lines *lines, struct learn_model_file *out,
                          struct err *err)
{
    static const int highest[] = {(1 << LEARN_FEATURES_KINDS) - 1, 3, 8, 8, 1, 1, 1};
    int64_t values[ROWS_OF(highest)];

    if (!learn_model_lines_expect(lines, "features", err))
        return false;
    for (size_t i = 0; i < ROWS_OF(highest); i++)
        if (!learn_model_lines_int(lines, 0, highest[i], values + i, err))
            return false;
    out->features = (struct learn_features_options){
        (unsigned)values[0], (int)values[1], (int)values[2], (int)values[3],
        values[4] != 0,      values[5] != 0, values[6] != 0};
    return learn_model_lines_end(lines, err);
}

static bool read_table(struct learn_model_lines *lines, struct learn_model_file *out,
                       struct err *err)
{
    int64_t count;
    size_t part, kind;

    if (!learn_model_lines_expect(lines, "names", err) ||
        !learn_model_lines_int(lines, 0, model_lines_left(lines), &count, err) ||
        !learn_model_lines_end(lines, err))
        return false;
    for (int64_t i = 0; i < count; i++) {
        bool fresh;
        if (!model_lines_next(lines, err) ||
            !learn_model_lines_name(lines, learn_parts_names, LEARN_PARTS_COUNT, &part,
                                    err) ||
            !learn_model_lines_name(lines, learn_features_kinds, LEARN_FEATURES_KINDS,
                                    &kind, err))
            return false;
        if (lines->line.len == 0 || lines->line.len > LEARN_FEATURES_NAME_MAX)
            return model_lines_bad(lines, "a name that is not empty or too long", err);
        learn_features_put(&out->table, (enum learn_parts_name)part,
                           (enum learn_features_kind)kind, lines->line, &fresh);
        if (!fresh)
            return model_lines_bad(lines, "a feature that was not there before", err);
    }
    return true;
}

static bool read_vector(struct learn_model_lines *lines, struct learn_vectors *vectors,
                        struct err *err)
{
    struct str word;
    bool fresh;

    if (!model_lines_next(lines, err))
        return false;
    str_cut(&lines->line, ' ', &word);
    if (word.len == 0 || word.len > LEARN_FEATURES_NAME_MAX)
        return model_lines_bad(lines, "a word that is not empty or too long", err);
    size_t place = learn_features_put(&vectors->words, LEARN_PARTS_TITLE,
                                      LEARN_FEATURES_WORD, word, &fresh);
    if (!fresh)
        return model_lines_bad(lines, "a word that was not there before", err);
    for (size_t k = 0; k < vectors->dimensions; k++) {
        double value;
        if (!learn_model_lines_real(lines, &value, err))
            return false;
        vectors->at[place * vectors->dimensions + k] = (float)value;
    }
    return learn_model_lines_end(lines, err);
}

static bool read_vectors(struct learn_model_lines *lines, struct arena *arena,
                         struct learn_model_file *out, struct err *err)
{
    int64_t words, wide;

    /* Each number has at least two bytes of the file. */
    if (!learn_model_lines_expect(lines, "vectors", err) ||
        !learn_model_lines_int(lines, 0, model_lines_left(lines) / 2, &words, err) ||
        !learn_model_lines_int(lines, 0, LEARN_VECTORS_DIMENSIONS_MAX, &wide, err) ||
        !learn_model_lines_end(lines, err))
        return false;
    if (words * wide > model_lines_left(lines) / 2)
        return err_set(err, ERR_INPUT, "the model ends too early");
    if (words == 0)
        return true;
    out->vectors = arena_array(arena, struct learn_vectors, 1);
    *out->vectors = learn_vectors_new((size_t)words, (size_t)wide);
    for (int64_t w = 0; w < words; w++)
        if (!read_vector(lines, out->vectors, err))
            return false;
    learn_vectors_enter(out->vectors, &out->table);
    out->use = learn_vectors_use(out->vectors, &out->table, arena);
    return true;
}

static bool read_reals(struct learn_model_lines *lines, const char *word, double *out,
                       size_t count, struct err *err)
{
    if (!learn_model_lines_expect(lines, word, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!learn_model_lines_real(lines, out + i, err))
            return false;
    return learn_model_lines_end(lines, err);
}

static bool read_weigh(struct learn_model_lines *lines, struct learn_weigh_options *out,
                       struct err *err)
{
    int64_t sublinear, l2;

    if (!learn_model_lines_expect(lines, "weigh", err))
        return false;
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        if (!model_lines_weight(lines, out->parts + i, err))
            return false;
    if (!model_lines_weight(lines, &out->letters, err) ||
        !model_lines_weight(lines, &out->vectors, err) ||
        !learn_model_lines_int(lines, 0, 1, &sublinear, err) ||
        !learn_model_lines_int(lines, 0, 1, &l2, err))
        return false;
    out->sublinear = sublinear != 0;
    out->l2 = l2 != 0;
    return learn_model_lines_end(lines, err);
}

/* The weights of each dimension of the vectors, behind those of the columns. */
static bool read_dimensions(struct learn_model_lines *lines,
                            const struct learn_model_file *file, struct learn_model *out,
                            struct err *err)
{
    size_t classes = out->classes;

    if (out->weigh.options.vectors <= 0)
        return true;
    if (file->vectors == NULL)
        return err_set(err, ERR_INPUT, "a member uses vectors, and the file has none");
    out->weigh.vectors = file->use;
    for (size_t c = out->weigh.own_columns; c < out->weigh.columns; c++)
        if (!read_reals(lines, "dimension", out->scorer.weights + c * classes, classes,
                        err))
            return false;
    return true;
}

/* What a member learned with, while it is read. */
struct model_file_columns {
    const struct learn_features_table *table;
    uint32_t *column, *features_of;
    float *idf;
    uint8_t *group;
};

static struct model_file_columns new_columns(const struct learn_features_table *table,
                                             size_t count, struct arena *arena)
{
    struct model_file_columns columns = {
        table, arena_array(arena, uint32_t, table->count + 1),
        arena_array(arena, uint32_t, count + 1), arena_array(arena, float, count + 1),
        arena_array(arena, uint8_t, count + 1)};

    for (size_t f = 0; f < table->count; f++)
        columns.column[f] = LEARN_WEIGH_NONE;
    return columns;
}

static bool read_column(struct learn_model_lines *lines,
                        struct model_file_columns *columns, size_t c, size_t classes,
                        double *weights, struct err *err)
{
    int64_t feature;
    double idf;

    if (!model_lines_next(lines, err) ||
        !learn_model_lines_int(lines, 0, (int64_t)columns->table->count - 1, &feature,
                               err) ||
        !learn_model_lines_real(lines, &idf, err))
        return false;
    if (columns->column[feature] != LEARN_WEIGH_NONE)
        return model_lines_bad(lines, "a feature that has no weights yet", err);
    columns->column[feature] = (uint32_t)c;
    columns->features_of[c] = (uint32_t)feature;
    columns->idf[c] = (float)idf;
    columns->group[c] =
        learn_weigh_group(learn_features_entry(columns->table, (size_t)feature));
    for (size_t k = 0; k < classes; k++)
        if (!learn_model_lines_real(lines, weights + k, err))
            return false;
    return learn_model_lines_end(lines, err);
}

static bool read_columns(struct learn_model_lines *lines,
                         const struct learn_model_file *file, struct arena *arena,
                         struct learn_model *out, struct err *err)
{
    size_t classes = out->classes, features = file->table.count;
    bool vectors = out->weigh.options.vectors > 0 && file->vectors != NULL;
    size_t wide = vectors ? file->vectors->dimensions : 0;
    int64_t count;

    if (!learn_model_lines_expect(lines, "columns", err) ||
        !learn_model_lines_int(lines, 0, (int64_t)features, &count, err) ||
        !learn_model_lines_end(lines, err))
        return false;
    /* Each weight has at least two bytes of the file, so this is no more than that. */
    if (((uint64_t)count + wide) * classes > lines->rest.len)
        return err_set(err, ERR_INPUT, "the model ends too early");
    struct model_file_columns columns = new_columns(&file->table, (size_t)count, arena);
    double *weights = arena_array(arena, double, ((size_t)count + wide) * classes + 1);
    for (size_t c = 0; c < (size_t)count; c++)
        if (!read_column(lines, &columns, c, classes, weights + c * classes, err))
            return false;
    out->scorer.weights = weights;
    out->scorer.columns = out->weigh.columns = (size_t)count + wide;
    out->weigh.own_columns = (size_t)count;
    out->weigh.features = features;
    out->weigh.column = columns.column;
    out->weigh.features_of = columns.features_of;
    out->weigh.idf = columns.idf;
    out->weigh.group = columns.group;
    return read_dimensions(lines, file, out, err);
}

static bool read_plain(struct learn_model_lines *lines,
                       const struct learn_model_file *file, size_t classes, bool several,
                       struct arena *arena, struct learn_model *out, struct err *err)
{
    size_t method;
    double *thresholds = arena_array(arena, double, classes);
    double *constants = arena_array(arena, double, classes);

    *out = (struct learn_model){.classes = classes,
                                .several = several,
                                .thresholds = thresholds,
                                .scorer = {.classes = classes, .constants = constants},
                                .tuned = {.value = NAN, .macro_f1 = NAN}};
    if (!learn_model_lines_expect(lines, "member", err) ||
        !learn_model_lines_name(lines, learn_model_methods, LEARN_MODEL_METHODS, &method,
                                err) ||
        !model_lines_weight(lines, &out->sharpness, err) ||
        !learn_model_lines_end(lines, err) ||
        !read_weigh(lines, &out->weigh.options, err) ||
        !read_reals(lines, "thresholds", thresholds, classes, err) ||
        !read_reals(lines, "constants", constants, classes, err) ||
        !read_columns(lines, file, arena, out, err))
        return false;
    out->method = (enum learn_model_method)method;
    return true;
}

static bool read_sets(struct learn_model_lines *lines, size_t classes,
                      struct arena *arena, struct learn_powerset *out, struct err *err)
{
    int64_t count;

    /* Each set has a line with a byte for every class. */
    if (!learn_model_lines_expect(lines, "powerset", err) ||
        !learn_model_lines_int(lines, 1, model_lines_left(lines) / (int64_t)classes + 1,
                               &count, err) ||
        !learn_model_lines_end(lines, err))
        return false;
    *out = (struct learn_powerset){(size_t)count, classes,
                                   arena_array(arena, uint8_t, (size_t)count * classes)};
    for (size_t s = 0; s < out->count; s++) {
        if (!model_lines_next(lines, err))
            return false;
        if (lines->line.len != classes)
            return model_lines_bad(lines, "a 0 or 1 for each class", err);
        for (size_t k = 0; k < classes; k++) {
            char is = lines->line.ptr[k];
            if (is != '0' && is != '1')
                return model_lines_bad(lines, "a 0 or 1 for each class", err);
            out->has[s * classes + k] = is == '1';
        }
    }
    return true;
}

static double *halves(size_t count, struct arena *arena)
{
    double *values = arena_array(arena, double, count);

    for (size_t k = 0; k < count; k++)
        values[k] = 0.5;
    return values;
}

static bool read_member(struct learn_model_lines *lines,
                        const struct learn_model_file *file, struct arena *arena,
                        struct learn_model *out, struct err *err)
{
    size_t classes = file->model.classes;

    if (!file->model.several || !str_starts(lines->rest, STR("powerset ")))
        return read_plain(lines, file, classes, file->model.several, arena, out, err);
    struct learn_powerset *sets = arena_array(arena, struct learn_powerset, 1);
    struct learn_model *inner = arena_array(arena, struct learn_model, 1);
    if (!read_sets(lines, classes, arena, sets, err) ||
        !read_plain(lines, file, sets->count, false, arena, inner, err))
        return false;
    *out = (struct learn_model){.method = inner->method,
                                .classes = classes,
                                .several = true,
                                .sharpness = 1,
                                .thresholds = halves(classes, arena),
                                .tuned = inner->tuned,
                                .powerset = sets,
                                .inner = inner};
    return true;
}

/* One member is the model; several are an average. */
static bool read_members(struct learn_model_lines *lines, struct arena *arena,
                         struct learn_model_file *out, struct err *err)
{
    int64_t count;

    if (!learn_model_lines_expect(lines, "members", err) ||
        !learn_model_lines_int(lines, 1, MEMBERS_MAX, &count, err) ||
        !learn_model_lines_end(lines, err))
        return false;
    struct learn_model *members = arena_array(arena, struct learn_model, (size_t)count);
    for (int64_t m = 0; m < count; m++)
        if (!read_member(lines, out, arena, members + m, err))
            return false;
    if (lines->rest.len > 0)
        return model_lines_next(lines, err) &&
               model_lines_bad(lines, "the end of the file", err);
    if (count == 1) {
        out->model = members[0];
        return true;
    }
    out->model.method = LEARN_MODEL_AVERAGE;
    out->model.sharpness = 1;
    out->model.thresholds = halves(out->model.classes, arena);
    out->model.members = members;
    out->model.member_count = (size_t)count;
    return true;
}

bool learn_model_file_read(struct str text, const char *path, struct arena *arena,
                           struct learn_model_file *out, struct err *err)
{
    struct learn_model_lines lines = {.rest = text};

    *out = (struct learn_model_file){0};
    if (read_head(&lines, out, err) && read_classes(&lines, arena, out, err) &&
        read_features(&lines, out, err) && read_table(&lines, out, err) &&
        read_vectors(&lines, arena, out, err) && read_members(&lines, arena, out, err))
        return true;
    learn_model_file_free(out);
    return err_at(err, "%s:%lld: ", path, (long long)lines.number);
}
