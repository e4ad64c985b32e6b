/* Lines of words and numbers, each beginning with what it is. Numbers have 17 digits,
 * which is all a double has, so that reading gives the same bits. */
#include "learn/model_file.h"

#include <xxhash.h>

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
