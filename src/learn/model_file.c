/* A model as text. Lines of words and numbers, each beginning with what it is. Numbers
 * have 17 digits, which is all a double has, so that reading gives the same bits. */
#include "learn/model.h"

#include <math.h>
#include <xxhash.h>

#include "learn/internal.h"

static bool model_lines_next(struct model_lines *lines, struct err *err)
{
    lines->number++;
    if (lines->rest.len == 0)
        return err_set(err, ERR_INPUT, "the model ends too early");
    str_cut(&lines->rest, '\n', &lines->line);
    return true;
}

/* Says what was found in place of that; false. */
static bool model_lines_bad(const struct model_lines *lines, const char *expected,
                            struct err *err)
{
    struct str shown = str_slice(lines->line, 0, 40);

    return err_set(err, ERR_INPUT, "found '%.*s', expected %s", STR_ARG(shown), expected);
}

bool model_lines_expect(struct model_lines *lines, const char *word, struct err *err)
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

bool model_lines_real(struct model_lines *lines, double *out, struct err *err)
{
    struct str word, line = lines->line;

    str_cut(&line, ' ', &word);
    if (!str_to_real(word, out) || !(fabs(*out) <= MODEL_LINES_MAX))
        return model_lines_bad(lines, "a number", err);
    lines->line = line;
    return true;
}

/* not below 0 */
static bool model_lines_weight(struct model_lines *lines, double *out, struct err *err)
{
    struct model_lines before = *lines;

    return model_lines_real(lines, out, err) &&
           (*out >= 0 || model_lines_bad(&before, "a number that is not below 0", err));
}

bool model_lines_int(struct model_lines *lines, int64_t lowest, int64_t highest,
                     int64_t *out, struct err *err)
{
    struct str word, line = lines->line;

    str_cut(&line, ' ', &word);
    if (!str_to_int(word, out) || *out < lowest || *out > highest)
        return model_lines_bad(lines, "a whole number that fits", err);
    lines->line = line;
    return true;
}

bool model_lines_end(const struct model_lines *lines, struct err *err)
{
    return lines->line.len == 0 || model_lines_bad(lines, "the end of the line", err);
}

bool model_lines_name(struct model_lines *lines, const char *const *names, size_t count,
                      size_t *out, struct err *err)
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
static int64_t model_lines_left(const struct model_lines *lines)
{
    return (int64_t)lines->rest.len;
}

/* Lines of words and numbers, each beginning with what it is. Numbers have 17 digits,
 * which is all a double has, so that reading gives the same bits. */

uint64_t model_file_hash(const struct str *ids, size_t count)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < count; i++)
        hash = XXH3_64bits_withSeed(ids[i].ptr, ids[i].len, hash + i);
    return hash;
}

void model_file_free(struct model_file *file)
{
    features_table_free(&file->table);
    if (file->vectors != NULL)
        vectors_free(file->vectors);
}

/* Before a member whose classes are sets: which classes each has. */
static void write_sets(const struct powerset *powerset, struct buf *out)
{
    buf_add_format(out, "powerset %zu\n", powerset->count);
    for (size_t s = 0; s < powerset->count; s++) {
        for (size_t k = 0; k < powerset->classes; k++)
            buf_add_char(out, powerset->has[s * powerset->classes + k] ? '1' : '0');
        buf_add_char(out, '\n');
    }
}

static void write_weights(const struct model *model, size_t column, struct buf *out)
{
    for (size_t k = 0; k < model->classes; k++)
        buf_add_format(out, " %.17g", model->scorer.weights[column * model->classes + k]);
    buf_add_char(out, '\n');
}

static void write_member(const struct model *model, const uint32_t *renumbered,
                         struct buf *out)
{
    if (model->powerset != NULL) {
        write_sets(model->powerset, out);
        model = model->inner;
    }
    const struct weigh_options *weigh = &model->weigh.options;

    buf_add_format(out, "member %s %.17g\nweigh", model_methods[model->method],
                   model->sharpness);
    for (size_t i = 0; i < PARTS_COUNT; i++)
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

static const struct model *members_of(const struct model *model, size_t *count)
{
    *count = model->member_count > 0 ? model->member_count : 1;
    return model->member_count > 0 ? model->members : model;
}

/* What has the weights of a member. */
static const struct model *inside(const struct model *member)
{
    return member->powerset != NULL ? member->inner : member;
}

/* The vectors, if a member uses them. */
static void write_vectors(const struct model_file *file, struct buf *out)
{
    size_t count;
    const struct model *members = members_of(&file->model, &count);
    const struct vectors *vectors = NULL;

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
        buf_add(out, features_name(&vectors->words, w));
        for (size_t k = 0; k < wide; k++)
            buf_add_format(out, " %.9g", (double)vectors->at[w * wide + k]);
        buf_add_char(out, '\n');
    }
}

/* The features in use, numbered anew in their old order. */
static const uint32_t *write_table(const struct model_file *file, struct arena *arena,
                                   struct buf *out)
{
    uint32_t *numbers = arena_array(arena, uint32_t, file->table.count + 1), used = 0;
    size_t count;
    const struct model *members = members_of(&file->model, &count);

    for (size_t m = 0; m < count; m++) {
        const struct model *member = inside(members + m);
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
        const struct features_entry *entry = features_entry(&file->table, f);
        buf_add_format(out, "%s %s ", parts_names[entry->part],
                       features_kinds[entry->kind]);
        buf_add(out, features_name(&file->table, f));
        buf_add_char(out, '\n');
    }
    return numbers;
}

void model_file_write(const struct model_file *file, struct arena *arena, struct buf *out)
{
    const struct features_options *features = &file->features;
    size_t count;
    const struct model *members = members_of(&file->model, &count);

    buf_add_format(out, "assay model %d\ntraining %016llx %lld\ntext %.*s\n",
                   MODEL_FILE_VERSION, (unsigned long long)file->training,
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

static bool read_head(struct model_lines *lines, struct model_file *out, struct err *err)
{
    int64_t version;
    uint64_t hash = 0;

    if (!model_lines_expect(lines, "assay", err))
        return false;
    if (!str_starts(lines->line, STR("model ")))
        return model_lines_bad(lines, "'assay model' as the first words", err);
    lines->line = str_slice(lines->line, 6, lines->line.len);
    if (!model_lines_int(lines, 0, INT64_MAX, &version, err) ||
        !model_lines_end(lines, err))
        return false;
    if (version != MODEL_FILE_VERSION)
        return err_set(err, ERR_INPUT, "the model has version %lld, expected %d",
                       (long long)version, MODEL_FILE_VERSION);
    if (!model_lines_expect(lines, "training", err))
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
    if (!model_lines_int(lines, 0, INT64_MAX, &out->training_count, err) ||
        !model_lines_end(lines, err) || !model_lines_expect(lines, "text", err))
        return false;
    out->text = lines->line;
    return true;
}

static bool read_classes(struct model_lines *lines, struct arena *arena,
                         struct model_file *out, struct err *err)
{
    int64_t count, several;
    int64_t most =
        model_lines_left(lines) < CLASSES_MAX ? model_lines_left(lines) : CLASSES_MAX;

    if (!model_lines_expect(lines, "classes", err) ||
        !model_lines_int(lines, 1, most, &count, err) ||
        !model_lines_int(lines, 0, 1, &several, err) || !model_lines_end(lines, err))
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

static bool read_features(struct model_lines *lines, struct model_file *out,
                          struct err *err)
{
    static const int highest[] = {(1 << FEATURES_KINDS) - 1, 3, 8, 8, 1, 1, 1};
    int64_t values[ROWS_OF(highest)];

    if (!model_lines_expect(lines, "features", err))
        return false;
    for (size_t i = 0; i < ROWS_OF(highest); i++)
        if (!model_lines_int(lines, 0, highest[i], values + i, err))
            return false;
    out->features = (struct features_options){
        (unsigned)values[0], (int)values[1], (int)values[2], (int)values[3],
        values[4] != 0,      values[5] != 0, values[6] != 0};
    return model_lines_end(lines, err);
}

static bool read_table(struct model_lines *lines, struct model_file *out, struct err *err)
{
    int64_t count;
    size_t part, kind;

    if (!model_lines_expect(lines, "names", err) ||
        !model_lines_int(lines, 0, model_lines_left(lines), &count, err) ||
        !model_lines_end(lines, err))
        return false;
    for (int64_t i = 0; i < count; i++) {
        bool fresh;
        if (!model_lines_next(lines, err) ||
            !model_lines_name(lines, parts_names, PARTS_COUNT, &part, err) ||
            !model_lines_name(lines, features_kinds, FEATURES_KINDS, &kind, err))
            return false;
        if (lines->line.len == 0 || lines->line.len > FEATURES_NAME_MAX)
            return model_lines_bad(lines, "a name that is not empty or too long", err);
        features_put(&out->table, (enum parts_name)part, (enum features_kind)kind,
                     lines->line, &fresh);
        if (!fresh)
            return model_lines_bad(lines, "a feature that was not there before", err);
    }
    return true;
}

static bool read_vector(struct model_lines *lines, struct vectors *vectors,
                        struct err *err)
{
    struct str word;
    bool fresh;

    if (!model_lines_next(lines, err))
        return false;
    str_cut(&lines->line, ' ', &word);
    if (word.len == 0 || word.len > FEATURES_NAME_MAX)
        return model_lines_bad(lines, "a word that is not empty or too long", err);
    size_t place =
        features_put(&vectors->words, PARTS_TITLE, FEATURES_WORD, word, &fresh);
    if (!fresh)
        return model_lines_bad(lines, "a word that was not there before", err);
    for (size_t k = 0; k < vectors->dimensions; k++) {
        double value;
        if (!model_lines_real(lines, &value, err))
            return false;
        vectors->at[place * vectors->dimensions + k] = (float)value;
    }
    return model_lines_end(lines, err);
}

static bool read_vectors(struct model_lines *lines, struct arena *arena,
                         struct model_file *out, struct err *err)
{
    int64_t words, wide;

    /* Each number has at least two bytes of the file. */
    if (!model_lines_expect(lines, "vectors", err) ||
        !model_lines_int(lines, 0, model_lines_left(lines) / 2, &words, err) ||
        !model_lines_int(lines, 0, VECTORS_DIMENSIONS_MAX, &wide, err) ||
        !model_lines_end(lines, err))
        return false;
    if (words * wide > model_lines_left(lines) / 2)
        return err_set(err, ERR_INPUT, "the model ends too early");
    if (words == 0)
        return true;
    out->vectors = arena_array(arena, struct vectors, 1);
    *out->vectors = vectors_new((size_t)words, (size_t)wide);
    for (int64_t w = 0; w < words; w++)
        if (!read_vector(lines, out->vectors, err))
            return false;
    vectors_enter(out->vectors, &out->table);
    out->use = vectors_use(out->vectors, &out->table, arena);
    return true;
}

static bool read_reals(struct model_lines *lines, const char *word, double *out,
                       size_t count, struct err *err)
{
    if (!model_lines_expect(lines, word, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!model_lines_real(lines, out + i, err))
            return false;
    return model_lines_end(lines, err);
}

static bool read_weigh(struct model_lines *lines, struct weigh_options *out,
                       struct err *err)
{
    int64_t sublinear, l2;

    if (!model_lines_expect(lines, "weigh", err))
        return false;
    for (size_t i = 0; i < PARTS_COUNT; i++)
        if (!model_lines_weight(lines, out->parts + i, err))
            return false;
    if (!model_lines_weight(lines, &out->letters, err) ||
        !model_lines_weight(lines, &out->vectors, err) ||
        !model_lines_int(lines, 0, 1, &sublinear, err) ||
        !model_lines_int(lines, 0, 1, &l2, err))
        return false;
    out->sublinear = sublinear != 0;
    out->l2 = l2 != 0;
    return model_lines_end(lines, err);
}

/* The weights of each dimension of the vectors, behind those of the columns. */
static bool read_dimensions(struct model_lines *lines, const struct model_file *file,
                            struct model *out, struct err *err)
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
struct columns {
    const struct features_table *table;
    uint32_t *column, *features_of;
    float *idf;
    uint8_t *group;
};

static struct columns new_columns(const struct features_table *table, size_t count,
                                  struct arena *arena)
{
    struct columns columns = {table, arena_array(arena, uint32_t, table->count + 1),
                              arena_array(arena, uint32_t, count + 1),
                              arena_array(arena, float, count + 1),
                              arena_array(arena, uint8_t, count + 1)};

    for (size_t f = 0; f < table->count; f++)
        columns.column[f] = WEIGH_NONE;
    return columns;
}

static bool read_column(struct model_lines *lines, struct columns *columns, size_t c,
                        size_t classes, double *weights, struct err *err)
{
    int64_t feature;
    double idf;

    if (!model_lines_next(lines, err) ||
        !model_lines_int(lines, 0, (int64_t)columns->table->count - 1, &feature, err) ||
        !model_lines_real(lines, &idf, err))
        return false;
    if (columns->column[feature] != WEIGH_NONE)
        return model_lines_bad(lines, "a feature that has no weights yet", err);
    columns->column[feature] = (uint32_t)c;
    columns->features_of[c] = (uint32_t)feature;
    columns->idf[c] = (float)idf;
    columns->group[c] = weigh_group(features_entry(columns->table, (size_t)feature));
    for (size_t k = 0; k < classes; k++)
        if (!model_lines_real(lines, weights + k, err))
            return false;
    return model_lines_end(lines, err);
}

static bool read_columns(struct model_lines *lines, const struct model_file *file,
                         struct arena *arena, struct model *out, struct err *err)
{
    size_t classes = out->classes, features = file->table.count;
    bool vectors = out->weigh.options.vectors > 0 && file->vectors != NULL;
    size_t wide = vectors ? file->vectors->dimensions : 0;
    int64_t count;

    if (!model_lines_expect(lines, "columns", err) ||
        !model_lines_int(lines, 0, (int64_t)features, &count, err) ||
        !model_lines_end(lines, err))
        return false;
    /* Each weight has at least two bytes of the file, so this is no more than that. */
    if (((uint64_t)count + wide) * classes > lines->rest.len)
        return err_set(err, ERR_INPUT, "the model ends too early");
    struct columns columns = new_columns(&file->table, (size_t)count, arena);
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

static bool read_plain(struct model_lines *lines, const struct model_file *file,
                       size_t classes, bool several, struct arena *arena,
                       struct model *out, struct err *err)
{
    size_t method;
    double *thresholds = arena_array(arena, double, classes);
    double *constants = arena_array(arena, double, classes);

    *out = (struct model){.classes = classes,
                          .several = several,
                          .thresholds = thresholds,
                          .scorer = {.classes = classes, .constants = constants},
                          .tuned = {.value = NAN, .macro_f1 = NAN}};
    if (!model_lines_expect(lines, "member", err) ||
        !model_lines_name(lines, model_methods, MODEL_METHODS, &method, err) ||
        !model_lines_weight(lines, &out->sharpness, err) ||
        !model_lines_end(lines, err) || !read_weigh(lines, &out->weigh.options, err) ||
        !read_reals(lines, "thresholds", thresholds, classes, err) ||
        !read_reals(lines, "constants", constants, classes, err) ||
        !read_columns(lines, file, arena, out, err))
        return false;
    out->method = (enum model_method)method;
    return true;
}

static bool read_sets(struct model_lines *lines, size_t classes, struct arena *arena,
                      struct powerset *out, struct err *err)
{
    int64_t count;

    /* Each set has a line with a byte for every class. */
    if (!model_lines_expect(lines, "powerset", err) ||
        !model_lines_int(lines, 1, model_lines_left(lines) / (int64_t)classes + 1, &count,
                         err) ||
        !model_lines_end(lines, err))
        return false;
    *out = (struct powerset){(size_t)count, classes,
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

static bool read_member(struct model_lines *lines, const struct model_file *file,
                        struct arena *arena, struct model *out, struct err *err)
{
    size_t classes = file->model.classes;

    if (!file->model.several || !str_starts(lines->rest, STR("powerset ")))
        return read_plain(lines, file, classes, file->model.several, arena, out, err);
    struct powerset *sets = arena_array(arena, struct powerset, 1);
    struct model *inner = arena_array(arena, struct model, 1);
    if (!read_sets(lines, classes, arena, sets, err) ||
        !read_plain(lines, file, sets->count, false, arena, inner, err))
        return false;
    *out = (struct model){.method = inner->method,
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
static bool read_members(struct model_lines *lines, struct arena *arena,
                         struct model_file *out, struct err *err)
{
    int64_t count;

    if (!model_lines_expect(lines, "members", err) ||
        !model_lines_int(lines, 1, MEMBERS_MAX, &count, err) ||
        !model_lines_end(lines, err))
        return false;
    struct model *members = arena_array(arena, struct model, (size_t)count);
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
    out->model.method = MODEL_AVERAGE;
    out->model.sharpness = 1;
    out->model.thresholds = halves(out->model.classes, arena);
    out->model.members = members;
    out->model.member_count = (size_t)count;
    return true;
}

bool model_file_read(struct str text, const char *path, struct arena *arena,
                     struct model_file *out, struct err *err)
{
    struct model_lines lines = {.rest = text};

    *out = (struct model_file){0};
    if (read_head(&lines, out, err) && read_classes(&lines, arena, out, err) &&
        read_features(&lines, out, err) && read_table(&lines, out, err) &&
        read_vectors(&lines, arena, out, err) && read_members(&lines, arena, out, err))
        return true;
    model_file_free(out);
    return err_at(err, "%s:%lld: ", path, (long long)lines.number);
}
