/* A model as text. Lines of words and numbers, each beginning with what it is. Numbers
 * have 17 digits, which is all a double has, so that reading gives the same bits. */
#include "learn/model.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "learn/internal.h"

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

static void write_dimensions(const struct learn_model *model, size_t from, size_t to,
                             struct buf *out)
{
    for (size_t c = from; c < to; c++) {
        buf_add(out, STR("dimension"));
        write_weights(model, c, out);
    }
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
    buf_add_format(out, " %.17g %.17g %d %d", weigh->letters, weigh->vectors,
                   weigh->sublinear, weigh->l2);
    if (weigh->select > 0)
        buf_add_format(out, " %zu", weigh->select);
    buf_add(out, STR("\nthresholds"));
    for (size_t k = 0; k < model->classes; k++)
        buf_add_format(out, " %.17g", model->several ? model->thresholds[k] : 0);
    for (int which = 0; which < 2 && model->several; which++) {
        buf_add_format(out, "\n%s", which == 0 ? "slopes" : "biases");
        for (size_t k = 0; k < model->classes; k++)
            buf_add_format(out, " %.17g",
                           which == 0 ? model->slopes[k] : model->biases[k]);
    }
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
        write_dimensions(model, model->weigh.own_columns,
                         learn_weigh_given(&model->weigh), out);
    if (weigh->given > 0) {
        buf_add_format(out, "given %.17g\n", weigh->given);
        write_dimensions(model, learn_weigh_given(&model->weigh), model->weigh.columns,
                         out);
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

size_t learn_model_given(const struct learn_model *model)
{
    size_t count, given = 0;
    const struct learn_model *members = members_of(model, &count);

    for (size_t m = 0; m < count; m++)
        if (inside(members + m)->weigh.options.given > 0)
            given = inside(members + m)->weigh.given;
    return given;
}

/* The vectors, if a member uses them, and how long those of posts are. */
static void write_vectors(const struct learn_model_file *file, struct buf *out)
{
    size_t count, given = learn_model_given(&file->model);
    const struct learn_model *members = members_of(&file->model, &count);
    const struct learn_vectors *vectors = NULL;

    for (size_t m = 0; m < count; m++)
        if (inside(members + m)->weigh.options.vectors > 0)
            vectors = inside(members + m)->weigh.vectors.vectors;
    size_t wide = vectors != NULL ? vectors->dimensions : 0;
    size_t words = vectors != NULL ? vectors->words.count : 0;
    buf_add_format(out, "vectors %zu %zu", words, wide);
    if (given > 0)
        buf_add_format(out, " %zu", given);
    buf_add_char(out, '\n');
    for (size_t w = 0; w < words; w++) {
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

/* Every line is checked before it is believed: what is read may come from anywhere. After
 * the first mistake nothing more is read, and whatever is asked for is the least there
 * could be. */

enum { CLASSES_MAX = 100000, MEMBERS_MAX = 16 };

/* No number of a model is larger; so no sum or product of them gets out of bounds. */
static const double number_max = 1e9;

struct lines {
    struct str rest, line; /* lines to come; what is left of this one */
    int64_t number;        /* of the line */
    bool failed;
    struct err *err;
};

static void end_early(struct lines *lines)
{
    if (!lines->failed)
        err_set(lines->err, ERR_INPUT, "the model ends too early");
    lines->failed = true;
}

/* Says what was found in place of that. */
static void refuse(struct lines *lines, struct str found, const char *expected)
{
    struct str shown = str_slice(found, 0, 40);

    if (!lines->failed)
        err_set(lines->err, ERR_INPUT, "found '%.*s', expected %s", STR_ARG(shown),
                expected);
    lines->failed = true;
}

static void next_line(struct lines *lines)
{
    if (lines->failed)
        return;
    lines->number++;
    if (lines->rest.len == 0)
        end_early(lines);
    str_cut(&lines->rest, '\n', &lines->line);
}

static struct str next_word(struct lines *lines)
{
    struct str word;

    str_cut(&lines->line, ' ', &word);
    return word;
}

/* The next line, whose first word must be that. */
static void expect(struct lines *lines, const char *word)
{
    next_line(lines);
    struct str line = lines->line;
    if (!str_eq(next_word(lines), str_from(word)))
        refuse(lines, line, word);
}

static double real(struct lines *lines)
{
    struct str line = lines->line;
    double value = 0;

    if (!str_to_real(next_word(lines), &value) || !(fabs(value) <= number_max))
        refuse(lines, line, "a number");
    return lines->failed ? 0 : value;
}

static double weight(struct lines *lines)
{
    struct str line = lines->line;
    double value = real(lines);

    if (value < 0)
        refuse(lines, line, "a number that is not below 0");
    return lines->failed ? 0 : value;
}

static int64_t whole(struct lines *lines, int64_t lowest, int64_t highest)
{
    struct str line = lines->line;
    int64_t value = lowest;

    if (!str_to_int(next_word(lines), &value) || value < lowest || value > highest)
        refuse(lines, line, "a whole number that fits");
    return lines->failed ? lowest : value;
}

static size_t name(struct lines *lines, const char *const *names, size_t count)
{
    struct str line = lines->line, word = next_word(lines);

    for (size_t i = 0; i < count; i++)
        if (str_eq(word, str_from(names[i])))
            return i;
    refuse(lines, line, "a known name");
    return 0;
}

static void end_line(struct lines *lines)
{
    if (lines->line.len > 0)
        refuse(lines, lines->line, "the end of the line");
}

/* A line with one number, bounded by the bytes that are left: what it counts has a line
 * each. */
static size_t count_of(struct lines *lines, const char *word, int64_t lowest,
                       int64_t highest)
{
    expect(lines, word);
    int64_t count = whole(lines, lowest, highest);
    end_line(lines);
    return (size_t)count;
}

static int64_t bytes_left(const struct lines *lines)
{
    return (int64_t)lines->rest.len;
}

static void read_head(struct lines *lines, struct learn_model_file *out)
{
    uint64_t hash = 0;

    expect(lines, "assay");
    if (!str_starts(lines->line, STR("model ")))
        refuse(lines, lines->line, "'assay model' as the first words");
    next_word(lines);
    int64_t version = whole(lines, 0, INT64_MAX);
    end_line(lines);
    if (version != LEARN_MODEL_FILE_VERSION && !lines->failed) {
        err_set(lines->err, ERR_INPUT, "the model has version %lld, expected %d",
                (long long)version, LEARN_MODEL_FILE_VERSION);
        lines->failed = true;
    }
    expect(lines, "training");
    struct str line = lines->line, digits = next_word(lines);
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            refuse(lines, line, "16 hexadecimal digits");
        hash = hash << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    if (digits.len != 16)
        refuse(lines, line, "16 hexadecimal digits");
    out->training = hash;
    out->training_count = whole(lines, 0, INT64_MAX);
    end_line(lines);
    expect(lines, "text");
    out->text = lines->line;
}

static void read_classes(struct lines *lines, struct arena *arena,
                         struct learn_model_file *out)
{
    expect(lines, "classes");
    int64_t left = bytes_left(lines);
    size_t count = (size_t)whole(lines, 1, left < CLASSES_MAX ? left : CLASSES_MAX);
    out->model.several = whole(lines, 0, 1) != 0;
    end_line(lines);
    struct str *names = arena_array(arena, struct str, count);
    for (size_t i = 0; i < count; i++) {
        next_line(lines);
        names[i] = lines->line;
    }
    out->classes = names;
    out->model.classes = count;
}

static void read_features(struct lines *lines, struct learn_model_file *out)
{
    expect(lines, "features");
    out->features.kinds = (unsigned)whole(lines, 0, (1 << LEARN_FEATURES_KINDS) - 1);
    out->features.run_max = (int)whole(lines, 0, 3);
    out->features.letters_min = (int)whole(lines, 0, 8);
    out->features.letters_max = (int)whole(lines, 0, 8);
    out->features.no_stop_words = whole(lines, 0, 1) != 0;
    out->features.one_part = whole(lines, 0, 1) != 0;
    out->features.body_wins = whole(lines, 0, 1) != 0;
    end_line(lines);
}

static void read_table(struct lines *lines, struct learn_model_file *out)
{
    size_t count = count_of(lines, "names", 0, bytes_left(lines));

    for (size_t i = 0; i < count && !lines->failed; i++) {
        bool fresh = true;
        next_line(lines);
        size_t part = name(lines, learn_parts_names, LEARN_PARTS_COUNT);
        size_t kind = name(lines, learn_features_kinds, LEARN_FEATURES_KINDS);
        if (lines->line.len == 0 || lines->line.len > LEARN_FEATURES_NAME_MAX)
            refuse(lines, lines->line, "a name that is not empty or too long");
        if (!lines->failed)
            learn_features_put(&out->table, (enum learn_parts_name)part,
                               (enum learn_features_kind)kind, lines->line, &fresh);
        if (!fresh)
            refuse(lines, lines->line, "a feature that was not there before");
    }
}

static void read_reals(struct lines *lines, double *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = real(lines);
    end_line(lines);
}

static void read_vector(struct lines *lines, struct learn_vectors *vectors)
{
    bool fresh = true;
    size_t place = 0;

    next_line(lines);
    struct str word = next_word(lines);
    if (word.len == 0 || word.len > LEARN_FEATURES_NAME_MAX)
        refuse(lines, lines->line, "a word that is not empty or too long");
    if (!lines->failed)
        place = learn_features_put(&vectors->words, LEARN_PARTS_TITLE,
                                   LEARN_FEATURES_WORD, word, &fresh);
    if (!fresh)
        refuse(lines, lines->line, "a word that was not there before");
    for (size_t k = 0; k < vectors->dimensions; k++)
        vectors->at[place * vectors->dimensions + k] = (float)real(lines);
    end_line(lines);
}

static void read_vectors(struct lines *lines, struct arena *arena,
                         struct learn_model_file *out)
{
    /* Each number has at least two bytes of the file. */
    expect(lines, "vectors");
    int64_t room = bytes_left(lines) / 2, words = whole(lines, 0, room);
    int64_t wide = whole(lines, 0, LEARN_VECTORS_DIMENSIONS_MAX);
    if (lines->line.len > 0)
        out->given = (size_t)whole(lines, 1, room);
    end_line(lines);
    if (words * wide > room)
        end_early(lines);
    if (words == 0 || lines->failed)
        return;
    out->vectors = arena_array(arena, struct learn_vectors, 1);
    *out->vectors = learn_vectors_new((size_t)words, (size_t)wide);
    for (int64_t w = 0; w < words && !lines->failed; w++)
        read_vector(lines, out->vectors);
    if (lines->failed)
        return;
    learn_vectors_enter(out->vectors, &out->table);
    out->use = learn_vectors_use(out->vectors, &out->table, arena);
}

static void read_weigh(struct lines *lines, struct learn_weigh_options *out)
{
    expect(lines, "weigh");
    for (size_t i = 0; i < LEARN_PARTS_COUNT; i++)
        out->parts[i] = weight(lines);
    out->letters = weight(lines);
    out->vectors = weight(lines);
    out->sublinear = whole(lines, 0, 1) != 0;
    out->l2 = whole(lines, 0, 1) != 0;
    if (lines->line.len > 0) /* features were selected */
        out->select = (size_t)whole(lines, 1, INT64_MAX);
    end_line(lines);
}

/* The weights of each dimension of the vectors, behind those of the columns. */
static void read_dimensions(struct lines *lines, const struct learn_model_file *file,
                            struct learn_model *out)
{
    if (out->weigh.options.vectors <= 0 || lines->failed)
        return;
    if (file->vectors == NULL) {
        err_set(lines->err, ERR_INPUT, "a member uses vectors, and the file has none");
        lines->failed = true;
        return;
    }
    out->weigh.vectors = file->use;
    for (size_t c = out->weigh.own_columns; c < out->weigh.columns; c++) {
        expect(lines, "dimension");
        read_reals(lines, out->scorer.weights + c * out->classes, out->classes);
    }
}

/* The same of the posts' own vectors, whose number the file's head has said. */
static void read_given(struct lines *lines, const struct learn_model_file *file,
                       struct arena *arena, struct learn_model *out)
{
    size_t before = out->weigh.columns, classes = out->classes;

    if (file->given == 0 || lines->failed || !str_starts(lines->rest, STR("given ")))
        return;
    expect(lines, "given");
    out->weigh.options.given = weight(lines);
    end_line(lines);
    if ((uint64_t)file->given * classes > lines->rest.len)
        end_early(lines);
    if (lines->failed)
        return;
    double *weights = arena_array(arena, double, (before + file->given) * classes + 1);
    memcpy(weights, out->scorer.weights, before * classes * sizeof *weights);
    for (size_t c = before; c < before + file->given; c++) {
        expect(lines, "dimension");
        read_reals(lines, weights + c * classes, classes);
    }
    out->scorer.weights = weights;
    out->weigh.given = file->given;
    out->scorer.columns = out->weigh.columns = before + file->given;
}

static void read_columns(struct lines *lines, const struct learn_model_file *file,
                         struct arena *arena, struct learn_model *out)
{
    size_t classes = out->classes, features = file->table.count;
    bool vectors = out->weigh.options.vectors > 0 && file->vectors != NULL;
    size_t wide = vectors ? file->vectors->dimensions : 0;
    size_t count = count_of(lines, "columns", 0, (int64_t)features);

    /* Each weight has at least two bytes of the file, so this is no more than that. */
    if ((uint64_t)(count + wide) * classes > lines->rest.len)
        end_early(lines);
    if (lines->failed)
        return;
    uint32_t *column = arena_array(arena, uint32_t, features + 1);
    uint32_t *features_of = arena_array(arena, uint32_t, count + 1);
    float *idf = arena_array(arena, float, count + 1);
    uint8_t *group = arena_array(arena, uint8_t, count + 1);
    double *weights = arena_array(arena, double, (count + wide) * classes + 1);
    for (size_t f = 0; f < features; f++)
        column[f] = LEARN_WEIGH_NONE;
    for (size_t c = 0; c < count && !lines->failed; c++) {
        next_line(lines);
        size_t feature = (size_t)whole(lines, 0, (int64_t)features - 1);
        idf[c] = (float)real(lines);
        if (column[feature] != LEARN_WEIGH_NONE)
            refuse(lines, lines->line, "a feature that has no weights yet");
        column[feature] = (uint32_t)c;
        features_of[c] = (uint32_t)feature;
        group[c] = learn_weigh_group(learn_features_entry(&file->table, feature));
        read_reals(lines, weights + c * classes, classes);
    }
    out->scorer.weights = weights;
    out->scorer.columns = out->weigh.columns = count + wide;
    out->weigh.own_columns = count;
    out->weigh.features = features;
    out->weigh.column = column;
    out->weigh.features_of = features_of;
    out->weigh.idf = idf;
    out->weigh.group = group;
    read_dimensions(lines, file, out);
    read_given(lines, file, arena, out);
}

/* Models that were written before had one slope for all classes, and were taken to be as
 * likely as not to have a class at its threshold. */
static void read_slopes(struct lines *lines, const double *thresholds,
                        struct arena *arena, struct learn_model *out)
{
    double *slopes = arena_array(arena, double, out->classes);
    double *biases = arena_array(arena, double, out->classes);

    if (str_starts(lines->rest, STR("slopes "))) {
        expect(lines, "slopes");
        read_reals(lines, slopes, out->classes);
        expect(lines, "biases");
        read_reals(lines, biases, out->classes);
    } else {
        for (size_t k = 0; k < out->classes; k++) {
            slopes[k] = out->sharpness;
            biases[k] = -out->sharpness * thresholds[k];
        }
    }
    out->slopes = slopes;
    out->biases = biases;
}

static void read_plain(struct lines *lines, const struct learn_model_file *file,
                       size_t classes, bool several, struct arena *arena,
                       struct learn_model *out)
{
    double *thresholds = arena_array(arena, double, classes);
    double *constants = arena_array(arena, double, classes);

    *out = (struct learn_model){.classes = classes,
                                .several = several,
                                .thresholds = thresholds,
                                .scorer = {.classes = classes, .constants = constants},
                                .tuned = {.value = NAN, .macro_f1 = NAN}};
    expect(lines, "member");
    out->method =
        (enum learn_model_method)name(lines, learn_model_methods, LEARN_MODEL_METHODS);
    out->sharpness = weight(lines);
    end_line(lines);
    read_weigh(lines, &out->weigh.options);
    expect(lines, "thresholds");
    read_reals(lines, thresholds, classes);
    if (several)
        read_slopes(lines, thresholds, arena, out);
    expect(lines, "constants");
    read_reals(lines, constants, classes);
    read_columns(lines, file, arena, out);
}

static void read_sets(struct lines *lines, size_t classes, struct arena *arena,
                      struct learn_powerset *out)
{
    /* Each set has a line with a byte for every class. */
    expect(lines, "powerset");
    size_t count = (size_t)whole(lines, 1, bytes_left(lines) / (int64_t)classes + 1);
    end_line(lines);
    *out = (struct learn_powerset){count, classes,
                                   arena_array(arena, uint8_t, count * classes)};
    for (size_t s = 0; s < count && !lines->failed; s++) {
        next_line(lines);
        if (lines->line.len != classes)
            refuse(lines, lines->line, "a 0 or 1 for each class");
        for (size_t k = 0; k < classes && !lines->failed; k++) {
            char is = lines->line.ptr[k];
            if (is != '0' && is != '1')
                refuse(lines, lines->line, "a 0 or 1 for each class");
            out->has[s * classes + k] = is == '1';
        }
    }
}

static double *halves(size_t count, struct arena *arena)
{
    double *values = arena_array(arena, double, count);

    for (size_t k = 0; k < count; k++)
        values[k] = 0.5;
    return values;
}

static void read_member(struct lines *lines, const struct learn_model_file *file,
                        struct arena *arena, struct learn_model *out)
{
    size_t classes = file->model.classes;

    if (!file->model.several || !str_starts(lines->rest, STR("powerset "))) {
        read_plain(lines, file, classes, file->model.several, arena, out);
        return;
    }
    struct learn_powerset *sets = arena_array(arena, struct learn_powerset, 1);
    struct learn_model *inner = arena_array(arena, struct learn_model, 1);
    read_sets(lines, classes, arena, sets);
    read_plain(lines, file, sets->count, false, arena, inner);
    *out = (struct learn_model){.method = inner->method,
                                .classes = classes,
                                .several = true,
                                .sharpness = 1,
                                .thresholds = halves(classes, arena),
                                .tuned = inner->tuned,
                                .powerset = sets,
                                .inner = inner};
}

/* One member is the model; several are a mean. */
static void read_members(struct lines *lines, struct arena *arena,
                         struct learn_model_file *out)
{
    size_t count = count_of(lines, "members", 1, MEMBERS_MAX);
    struct learn_model *members = arena_array(arena, struct learn_model, count);

    for (size_t m = 0; m < count && !lines->failed; m++)
        read_member(lines, out, arena, members + m);
    if (lines->rest.len > 0) {
        next_line(lines);
        refuse(lines, lines->line, "the end of the file");
    }
    if (count == 1) {
        out->model = members[0];
        return;
    }
    if (!lines->failed)
        out->model = learn_model_mean(members, count, arena);
}

bool learn_model_file_read(struct str text, const char *path, struct arena *arena,
                           struct learn_model_file *out, struct err *err)
{
    struct lines lines = {.rest = text, .err = err};

    *out = (struct learn_model_file){0};
    read_head(&lines, out);
    read_classes(&lines, arena, out);
    read_features(&lines, out);
    read_table(&lines, out);
    read_vectors(&lines, arena, out);
    read_members(&lines, arena, out);
    if (!lines.failed)
        return true;
    learn_model_file_free(out);
    return err_at(err, "%s:%lld: ", path, (long long)lines.number);
}
