/* Lines of words and numbers, each beginning with what it is. Numbers have 17 digits,
 * which is all a double has, so that reading gives the same bits. */
#include "learn/model_file.h"

#include <math.h>
#include <xxhash.h>

enum { CLASSES_MAX = 100000, MEMBERS_MAX = 16 };

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
    buf_add_format(out, " %.17g %d %d\nthresholds", weigh->letters, weigh->sublinear,
                   weigh->l2);
    for (size_t k = 0; k < model->classes; k++)
        buf_add_format(out, " %.17g", model->several ? model->thresholds[k] : 0);
    buf_add(out, STR("\nconstants"));
    for (size_t k = 0; k < model->classes; k++)
        buf_add_format(out, " %.17g", model->scorer.constants[k]);
    buf_add_format(out, "\ncolumns %zu\n", model->weigh.columns);
    for (size_t c = 0; c < model->weigh.columns; c++) {
        buf_add_format(out, "%lu %.9g",
                       (unsigned long)renumbered[model->weigh.features_of[c]],
                       (double)model->weigh.idf[c]);
        for (size_t k = 0; k < model->classes; k++)
            buf_add_format(out, " %.17g", model->scorer.weights[c * model->classes + k]);
        buf_add_char(out, '\n');
    }
}

static const struct model *members_of(const struct model *model, size_t *count)
{
    *count = model->member_count > 0 ? model->member_count : 1;
    return model->member_count > 0 ? model->members : model;
}

/* The features in use, numbered anew in their old order. */
static const uint32_t *write_table(const struct model_file *file, struct arena *arena,
                                   struct buf *out)
{
    uint32_t *numbers = arena_array(arena, uint32_t, file->table.count + 1), used = 0;
    size_t count;
    const struct model *members = members_of(&file->model, &count);

    for (size_t m = 0; m < count; m++) {
        const struct model *member = members[m].powerset ? members[m].inner : members + m;
        for (size_t c = 0; c < member->weigh.columns; c++)
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

    buf_add_format(out, "assay model %d\ntraining %016llx %lld\nclasses %zu %d\n",
                   MODEL_FILE_VERSION, (unsigned long long)file->training,
                   (long long)file->training_count, file->model.classes,
                   file->model.several);
    for (size_t k = 0; k < file->model.classes; k++) {
        buf_add(out, file->classes[k]);
        buf_add_char(out, '\n');
    }
    buf_add_format(out, "features %u %d %d %d %d %d %d\n", features->kinds,
                   features->run_max, features->letters_min, features->letters_max,
                   features->no_stop_words, features->one_part, features->body_wins);
    const uint32_t *renumbered = write_table(file, arena, out);
    buf_add_format(out, "members %zu\n", count);
    for (size_t m = 0; m < count; m++)
        write_member(members + m, renumbered, out);
}

/* The text being read, line by line. */
struct source {
    struct str rest, line;
    int64_t number; /* of the line */
};

static bool next_line(struct source *source, struct err *err)
{
    source->number++;
    if (source->rest.len == 0)
        return err_set(err, ERR_INPUT, "the model ends too early");
    str_cut(&source->rest, '\n', &source->line);
    return true;
}

static bool bad(const struct source *source, const char *expected, struct err *err)
{
    struct str shown = str_slice(source->line, 0, 40);

    return err_set(err, ERR_INPUT, "found '%.*s', expected %s", STR_ARG(shown), expected);
}

/* The next line, whose first word must be that; the rest of it stays in line. */
static bool expect(struct source *source, const char *word, struct err *err)
{
    struct str head, line;

    if (!next_line(source, err))
        return false;
    line = source->line;
    str_cut(&line, ' ', &head);
    if (!str_eq(head, str_from(word)))
        return bad(source, word, err);
    source->line = line.len > 0 ? line : (struct str){"", 0};
    return true;
}

static bool take_real(struct source *source, double *out, struct err *err)
{
    struct str word, line = source->line;

    str_cut(&line, ' ', &word);
    if (!str_to_real(word, out) || !isfinite(*out))
        return bad(source, "a number", err);
    source->line = line;
    return true;
}

static bool take_int(struct source *source, int64_t lowest, int64_t highest, int64_t *out,
                     struct err *err)
{
    struct str word, line = source->line;

    str_cut(&line, ' ', &word);
    if (!str_to_int(word, out) || *out < lowest || *out > highest)
        return bad(source, "a whole number that fits", err);
    source->line = line;
    return true;
}

static bool at_end(const struct source *source, struct err *err)
{
    return source->line.len == 0 || bad(source, "the end of the line", err);
}

/* The place of the line's first word in a list of names. */
static bool take_name(struct source *source, const char *const *names, size_t count,
                      size_t *out, struct err *err)
{
    struct str word, line = source->line;

    str_cut(&line, ' ', &word);
    for (*out = 0; *out < count; ++*out)
        if (str_eq(word, str_from(names[*out]))) {
            source->line = line;
            return true;
        }
    return bad(source, "a known name", err);
}

static bool read_head(struct source *source, struct model_file *out, struct err *err)
{
    int64_t version;
    uint64_t hash = 0;

    if (!expect(source, "assay", err))
        return false;
    if (!str_starts(source->line, STR("model ")))
        return bad(source, "'assay model' as the first words", err);
    source->line = str_slice(source->line, 6, source->line.len);
    if (!take_int(source, 0, INT64_MAX, &version, err) || !at_end(source, err))
        return false;
    if (version != MODEL_FILE_VERSION)
        return err_set(err, ERR_INPUT, "the model has version %lld, expected %d",
                       (long long)version, MODEL_FILE_VERSION);
    if (!expect(source, "training", err))
        return false;
    if (source->line.len < 17 || source->line.ptr[16] != ' ')
        return bad(source, "16 hexadecimal digits", err);
    for (size_t i = 0; i < 16; i++) {
        char c = source->line.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return bad(source, "16 hexadecimal digits", err);
        hash = hash << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    out->training = hash;
    source->line = str_slice(source->line, 17, source->line.len);
    return take_int(source, 0, INT64_MAX, &out->training_count, err) &&
           at_end(source, err);
}

/* Every count is bounded by the bytes that are left: what it counts has a line each. */
static int64_t lines_left(const struct source *source)
{
    return (int64_t)source->rest.len;
}

static bool read_classes(struct source *source, struct arena *arena,
                         struct model_file *out, struct err *err)
{
    int64_t count, several;
    int64_t most = lines_left(source) < CLASSES_MAX ? lines_left(source) : CLASSES_MAX;

    if (!expect(source, "classes", err) || !take_int(source, 1, most, &count, err) ||
        !take_int(source, 0, 1, &several, err) || !at_end(source, err))
        return false;
    struct str *names = arena_array(arena, struct str, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        if (!next_line(source, err))
            return false;
        names[i] = source->line;
    }
    out->classes = names;
    out->model.classes = (size_t)count;
    out->model.several = several != 0;
    return true;
}

static bool read_features(struct source *source, struct model_file *out, struct err *err)
{
    static const int highest[] = {(1 << FEATURES_KINDS) - 1, 3, 8, 8, 1, 1, 1};
    int64_t values[ROWS_OF(highest)];

    if (!expect(source, "features", err))
        return false;
    for (size_t i = 0; i < ROWS_OF(highest); i++)
        if (!take_int(source, 0, highest[i], values + i, err))
            return false;
    out->features = (struct features_options){
        (unsigned)values[0], (int)values[1], (int)values[2], (int)values[3],
        values[4] != 0,      values[5] != 0, values[6] != 0};
    return at_end(source, err);
}

static bool read_table(struct source *source, struct model_file *out, struct err *err)
{
    int64_t count;
    size_t part, kind;

    if (!expect(source, "names", err) ||
        !take_int(source, 0, lines_left(source), &count, err) || !at_end(source, err))
        return false;
    for (int64_t i = 0; i < count; i++) {
        bool fresh;
        if (!next_line(source, err) ||
            !take_name(source, parts_names, PARTS_COUNT, &part, err) ||
            !take_name(source, features_kinds, FEATURES_KINDS, &kind, err))
            return false;
        if (source->line.len == 0 || source->line.len > FEATURES_NAME_MAX)
            return bad(source, "a name that is not empty or too long", err);
        features_put(&out->table, (enum parts_name)part, (enum features_kind)kind,
                     source->line, &fresh);
        if (!fresh)
            return bad(source, "a feature that was not there before", err);
    }
    return true;
}

static bool read_reals(struct source *source, const char *word, double *out, size_t count,
                       struct err *err)
{
    if (!expect(source, word, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!take_real(source, out + i, err))
            return false;
    return at_end(source, err);
}

static bool read_weigh(struct source *source, struct weigh_options *out, struct err *err)
{
    int64_t sublinear, l2;

    if (!expect(source, "weigh", err))
        return false;
    for (size_t i = 0; i < PARTS_COUNT; i++)
        if (!take_real(source, out->parts + i, err))
            return false;
    if (!take_real(source, &out->letters, err) ||
        !take_int(source, 0, 1, &sublinear, err) || !take_int(source, 0, 1, &l2, err))
        return false;
    out->sublinear = sublinear != 0;
    out->l2 = l2 != 0;
    return at_end(source, err);
}

static bool read_columns(struct source *source, const struct features_table *table,
                         struct arena *arena, struct model *out, struct err *err)
{
    size_t classes = out->classes, features = table->count;
    int64_t count, feature;

    if (!expect(source, "columns", err) ||
        !take_int(source, 0, (int64_t)features, &count, err) || !at_end(source, err))
        return false;
    /* Each weight has at least two bytes of the file, so this is no more than that. */
    if ((uint64_t)count * classes > source->rest.len)
        return err_set(err, ERR_INPUT, "the model ends too early");
    uint32_t *column = arena_array(arena, uint32_t, features + 1);
    uint32_t *features_of = arena_array(arena, uint32_t, (size_t)count + 1);
    float *idf = arena_array(arena, float, (size_t)count + 1);
    uint8_t *group = arena_array(arena, uint8_t, (size_t)count + 1);
    out->scorer.weights = arena_array(arena, double, (size_t)count *classes + 1);
    for (size_t f = 0; f < features; f++)
        column[f] = WEIGH_NONE;
    for (size_t c = 0; c < (size_t)count; c++) {
        double value;
        if (!next_line(source, err) ||
            !take_int(source, 0, (int64_t)features - 1, &feature, err) ||
            !take_real(source, &value, err))
            return false;
        if (column[feature] != WEIGH_NONE)
            return bad(source, "a feature that has no weights yet", err);
        if (fabs(value) > 1e30)
            return bad(source, "a smaller number", err);
        column[feature] = (uint32_t)c;
        features_of[c] = (uint32_t)feature;
        idf[c] = (float)value;
        group[c] = weigh_group(features_entry(table, (size_t)feature));
        for (size_t k = 0; k < classes; k++)
            if (!take_real(source, out->scorer.weights + c * classes + k, err))
                return false;
        if (!at_end(source, err))
            return false;
    }
    out->weigh.columns = out->scorer.columns = (size_t)count;
    out->weigh.features = features;
    out->weigh.column = column;
    out->weigh.features_of = features_of;
    out->weigh.idf = idf;
    out->weigh.group = group;
    return true;
}

static bool read_plain(struct source *source, const struct features_table *table,
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
    if (!expect(source, "member", err) ||
        !take_name(source, model_methods, MODEL_METHODS, &method, err) ||
        !take_real(source, &out->sharpness, err) || !at_end(source, err) ||
        !read_weigh(source, &out->weigh.options, err) ||
        !read_reals(source, "thresholds", thresholds, classes, err) ||
        !read_reals(source, "constants", constants, classes, err) ||
        !read_columns(source, table, arena, out, err))
        return false;
    out->method = (enum model_method)method;
    return true;
}

static bool read_sets(struct source *source, size_t classes, struct arena *arena,
                      struct powerset *out, struct err *err)
{
    int64_t count;

    /* Each set has a line with a byte for every class. */
    if (!expect(source, "powerset", err) ||
        !take_int(source, 1, lines_left(source) / (int64_t)classes + 1, &count, err) ||
        !at_end(source, err))
        return false;
    *out = (struct powerset){(size_t)count, classes,
                             arena_array(arena, uint8_t, (size_t)count * classes)};
    for (size_t s = 0; s < out->count; s++) {
        if (!next_line(source, err))
            return false;
        if (source->line.len != classes)
            return bad(source, "a 0 or 1 for each class", err);
        for (size_t k = 0; k < classes; k++) {
            char is = source->line.ptr[k];
            if (is != '0' && is != '1')
                return bad(source, "a 0 or 1 for each class", err);
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

static bool read_member(struct source *source, const struct model_file *file,
                        struct arena *arena, struct model *out, struct err *err)
{
    size_t classes = file->model.classes;

    if (!file->model.several || !str_starts(source->rest, STR("powerset ")))
        return read_plain(source, &file->table, classes, file->model.several, arena, out,
                          err);
    struct powerset *sets = arena_array(arena, struct powerset, 1);
    struct model *inner = arena_array(arena, struct model, 1);
    if (!read_sets(source, classes, arena, sets, err) ||
        !read_plain(source, &file->table, sets->count, false, arena, inner, err))
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
static bool read_members(struct source *source, struct arena *arena,
                         struct model_file *out, struct err *err)
{
    int64_t count;

    if (!expect(source, "members", err) ||
        !take_int(source, 1, MEMBERS_MAX, &count, err) || !at_end(source, err))
        return false;
    struct model *members = arena_array(arena, struct model, (size_t)count);
    for (int64_t m = 0; m < count; m++)
        if (!read_member(source, out, arena, members + m, err))
            return false;
    if (source->rest.len > 0)
        return next_line(source, err) && bad(source, "the end of the file", err);
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
    struct source source = {.rest = text};

    *out = (struct model_file){0};
    if (read_head(&source, out, err) && read_classes(&source, arena, out, err) &&
        read_features(&source, out, err) && read_table(&source, out, err) &&
        read_members(&source, arena, out, err))
        return true;
    model_file_free(out);
    return err_at(err, "%s:%lld: ", path, (long long)source.number);
}
