/* From sets and groups to a frame with strata, and back to ids. */
#include "run/sampling.h"

#include <math.h>
#include <stddef.h>

#include "base/file.h"
#include "base/list.h"
#include "input/csv.h"
#include "run/needs.h"
#include "sample/draw.h"

static int64_t key_of(const struct measure_frame *frame, enum sample_size_key key,
                      size_t i)
{
    const struct measure_column columns[] = {[SAMPLE_SIZE_VIEWS] = frame->views,
                                             [SAMPLE_SIZE_SCORE] = frame->score,
                                             [SAMPLE_SIZE_ANSWERS] = frame->answers,
                                             [SAMPLE_SIZE_COMMENTS] = frame->comments,
                                             [SAMPLE_SIZE_FAVORITES] = frame->favorites,
                                             [SAMPLE_SIZE_CREATED] = frame->created_ms};

    return measure_column_at(columns[key], i);
}

/* The first group that has an item is the last to be written. */
size_t *run_sampling_strata(const struct measure_groups *strata, size_t items,
                            size_t none, struct arena *arena)
{
    size_t *stratum = arena_array(arena, size_t, items + 1);

    for (size_t i = 0; strata != NULL && i < items; i++)
        stratum[i] = none;
    for (size_t v = strata != NULL ? strata->count : 0; v-- > 0;) {
        struct measure_bits bits = strata->values[v].bits;
        for (size_t i = measure_bits_next(bits, 0); i < items;
             i = measure_bits_next(bits, i + 1))
            stratum[i] = v;
    }
    return stratum;
}

struct frame_columns {
    int64_t *ids, *keys;
    size_t *strata;
    size_t count;
};

static struct frame_columns columns_of(const struct run_sampling_inputs *inputs,
                                       struct arena *arena, struct run_sampling *out)
{
    size_t room = (size_t)measure_bits_count(inputs->of) + 1;
    struct frame_columns columns = {arena_array(arena, int64_t, room),
                                    arena_array(arena, int64_t, room),
                                    arena_array(arena, size_t, room), 0};
    const size_t *strata =
        run_sampling_strata(inputs->strata, inputs->of.count, out->stratum_count, arena);

    for (size_t i = measure_bits_next(inputs->of, 0); i < inputs->of.count;
         i = measure_bits_next(inputs->of, i + 1)) {
        size_t stratum = strata[i];
        if (stratum == out->stratum_count) {
            out->outside++;
            continue;
        }
        columns.ids[columns.count] = measure_column_at(inputs->frame->ids, i);
        columns.keys[columns.count] = key_of(inputs->frame, inputs->sample->size.key, i);
        columns.strata[columns.count++] = stratum;
        out->frames[stratum]++;
    }
    return columns;
}

static void share_out(const struct study_sample *sample, struct arena *arena,
                      struct run_sampling *out)
{
    struct sample_allocate_rule rule = {
        .method = sample->allocate == STUDY_EQUAL  ? SAMPLE_ALLOCATE_EQUAL
                  : sample->allocate == STUDY_EACH ? SAMPLE_ALLOCATE_OWN
                                                   : SAMPLE_ALLOCATE_PROPORTIONAL,
        .size = sample->size};

    sample_allocate(&rule, out->frames, out->stratum_count, arena, out->sizes);
}

/* work: what grows with the frame, and is given back. */
static bool draw_from(const struct run_sampling_inputs *inputs, struct arena *arena,
                      struct arena *work, struct run_sampling *out, struct err *err)
{
    const struct study_sample *sample = inputs->sample;
    struct frame_columns columns = columns_of(inputs, work, out);
    struct sample_draw drawn;

    share_out(sample, arena, out);
    struct sample_draw_frame frame = {columns.count, columns.ids, columns.strata,
                                      columns.keys};
    struct sample_draw_rule rule = {
        .method = sample->size.kind == SAMPLE_SIZE_TOP ? SAMPLE_DRAW_TOP
                  : sample->systematic                 ? SAMPLE_DRAW_SYSTEMATIC
                                                       : SAMPLE_DRAW_SIMPLE,
        .seed = sample->seed,
        .strata = out->stratum_count,
        .sizes = out->sizes};
    struct sample_draw_earlier earlier = {inputs->keep.ids, inputs->keep.count};
    struct arena_mark mark = arena_mark(work);
    out->frame = (int64_t)columns.count;
    out->frame_hash = sample_draw_frame_hash(&frame, work);
    arena_rewind(work, mark);
    if (!sample_draw(&frame, &rule, earlier, work, &drawn, err))
        return err_at(err, "sample %.*s: ", STR_ARG(sample->name));
    out->kept = drawn.kept;
    out->gone = drawn.gone_count;
    out->count = drawn.count;
    out->ids = arena_array(arena, int64_t, drawn.count + 1);
    out->strata = arena_array(arena, size_t, drawn.count + 1);
    for (size_t i = 0; i < drawn.count; i++) {
        out->ids[i] = drawn.items[i].id;
        out->strata[i] = drawn.items[i].stratum;
    }
    return true;
}

bool run_sampling_draw(const struct run_sampling_inputs *inputs, struct arena *arena,
                       struct run_sampling *out, struct err *err)
{
    struct arena work = {0};

    *out = (struct run_sampling){.stratum_count =
                                     inputs->strata != NULL ? inputs->strata->count : 1};
    out->frames = arena_array(arena, int64_t, out->stratum_count + 1);
    out->sizes = arena_array(arena, int64_t, out->stratum_count + 1);
    out->stratum_names = arena_array(arena, struct str, out->stratum_count + 1);
    for (size_t v = 0; inputs->strata != NULL && v < out->stratum_count; v++)
        out->stratum_names[v] = inputs->strata->values[v].name;
    bool ok = draw_from(inputs, arena, &work, out, err);
    arena_free(&work);
    return ok;
}

/* Samples that a file names. */

struct list_reader {
    const struct run_sampling_inputs *inputs;
    struct run_sampling *out;
    struct measure_bits taken;
    size_t column;
    LIST(int64_t) ids;
    struct buf missed;
};

static bool read_list_head(void *context, const struct input_csv_row *head,
                           struct err *err)
{
    struct list_reader *reader = context;

    return input_csv_rows_need(head, reader->inputs->sample->list_item, &reader->column,
                               err);
}

static void miss(struct list_reader *reader, int64_t *count, struct str text)
{
    enum { NAMED_MAX = 5, NAME_BYTES_MAX = 80 };

    ++*count;
    if (reader->out->absent + reader->out->beside > NAMED_MAX)
        return;
    buf_add(&reader->missed, reader->missed.len > 0 ? STR(", ") : STR(""));
    buf_add(&reader->missed, str_slice(text, 0, NAME_BYTES_MAX));
}

static bool read_list_row(void *context, const struct input_csv_row *row, struct err *err)
{
    struct list_reader *reader = context;
    const struct measure_frame *frame = reader->inputs->frame;
    struct str text = str_trim(row->fields[reader->column]);
    int64_t id;

    if (text.len == 0)
        return true;
    if (!measure_labels_item(frame, text, true, &id, err))
        return false;
    size_t item = id == ITEM_NONE ? frame->count : measure_frame_find(frame, id);
    if (item == frame->count)
        miss(reader, &reader->out->absent, text);
    else if (!measure_bits_has(reader->inputs->of, item))
        miss(reader, &reader->out->beside, text);
    else if (!measure_bits_has(reader->taken, item)) {
        measure_bits_set(reader->taken, item);
        list_add(&reader->ids, id);
    }
    return true;
}

bool run_sampling_list(const struct run_sampling_inputs *inputs, struct arena *arena,
                       struct run_sampling *out, struct err *err)
{
    enum { FILE_BYTES_MAX = 1 << 30 };
    struct list_reader reader = {.inputs = inputs,
                                 .out = out,
                                 .taken = measure_bits_make(inputs->of.count, arena)};
    struct input_csv_rows csv = {read_list_head, read_list_row, &reader};
    const char *path = inputs->sample->list;
    struct arena file = {0};
    struct str text;

    *out = (struct run_sampling){.stratum_count = 1};
    bool ok = file_read_max(path, FILE_BYTES_MAX, &file, &text, err) &&
              input_csv_rows_read(text, path, &csv, err);
    out->stratum_names = arena_array(arena, struct str, 1);
    out->count = reader.ids.count;
    out->ids = arena_array(arena, int64_t, out->count + 1);
    out->strata = arena_array(arena, size_t, out->count + 1);
    for (size_t i = 0; i < out->count; i++)
        out->ids[i] = reader.ids.at[i];
    out->frame = measure_bits_count(inputs->of);
    out->missed = buf_keep(&reader.missed, arena);
    list_free(&reader.ids);
    arena_free(&file);
    return ok;
}

static void add_strata(struct buf *json, const struct run_sampling *drawn)
{
    buf_add(json, STR(",\n\"strata\":["));
    for (size_t v = 0; v < drawn->stratum_count; v++) {
        buf_add(json, v > 0 ? STR(",\n{\"name\":\"") : STR("\n{\"name\":\""));
        buf_add_json(json, drawn->stratum_names[v]);
        buf_add_format(json, "\",\"frame\":%lld,\"size\":%lld}",
                       (long long)drawn->frames[v], (long long)drawn->sizes[v]);
    }
    buf_add_char(json, ']');
}

static void add_how(struct buf *json, const struct study_sample *sample,
                    const struct run_sampling *drawn)
{
    struct sample_size_rule rule = sample->size.rule;
    struct buf size = {0};

    if (rule.confidence == 0)
        rule.confidence = 0.95;
    sample_size_add(&size, &sample->size);
    buf_add(json, STR("{\"sample\":\""));
    buf_add_json(json, sample->name);
    buf_add(json, STR("\",\n\"of\":\""));
    buf_add_json(json, sample->of);
    buf_add(json, STR("\",\n\"size\":\""));
    buf_add_json(json, buf_str(&size));
    if (!study_sample_is_chosen(sample))
        buf_add_format(json, "\",\n\"seed\":%llu", (unsigned long long)sample->seed);
    else
        buf_add_char(json, '"');
    if (sample->list == NULL)
        buf_add_format(json, ",\n\"frame_hash\":\"%016llx\"",
                       (unsigned long long)drawn->frame_hash);
    else
        buf_add_format(json, ",\n\"absent\":%lld,\n\"beside\":%lld",
                       (long long)drawn->absent, (long long)drawn->beside);
    buf_add_format(json,
                   ",\n\"drawn\":%zu,\n\"frame\":%lld,\n\"outside\":%lld,\n"
                   "\"kept\":%zu,\n\"gone\":%zu",
                   drawn->count, (long long)drawn->frame, (long long)drawn->outside,
                   drawn->kept, drawn->gone);
    double margin = sample_size_margin(&rule, (int64_t)drawn->count, drawn->frame);
    if (!study_sample_is_chosen(sample) && study_sample_is_even(sample) &&
        !isnan(margin)) {
        buf_add(json, STR(",\n\"confidence\":"));
        result_numbers_print(rule.confidence, json);
        buf_add(json, STR(",\n\"margin\":"));
        result_numbers_print(margin, json);
    }
    if (sample->by != STUDY_NONE)
        add_strata(json, drawn);
    buf_add(json, STR("}\n"));
    buf_free(&size);
}

void run_sampling_write(struct run_output *output, const struct study_sample *sample,
                        const struct run_sampling *drawn)
{
    struct buf *csv = run_output_add_named(output, "samples", sample->name, ".csv");

    buf_add(csv, STR("id,stratum\n"));
    for (size_t i = 0; i < drawn->count; i++) {
        item_key_add_csv(csv, output->spaces, drawn->ids[i]);
        buf_add_char(csv, ',');
        buf_add_csv(csv, drawn->stratum_names[drawn->strata[i]]);
        buf_add_char(csv, '\n');
    }
    add_how(run_output_add_named(output, "samples", sample->name, ".json"), sample,
            drawn);
    struct result_table numbers = {.name = STR("numbers")};
    result_add_number(&numbers, RESULT_COUNT, STR("count"), STR(""),
                      result_count((int64_t)drawn->count), &output->arena);
    result_add_number(&numbers, RESULT_COUNT, STR("frame"), STR(""),
                      result_count(drawn->frame), &output->arena);
    result_add_evidence(&numbers,
                        &(struct result_evidence){0, 0, STR("items that were drawn"),
                                                  drawn->ids, drawn->count},
                        &output->arena);
    run_output_result(output, &numbers);
    buf_add_format(&output->says, "%zu of %lld item%s", drawn->count,
                   (long long)drawn->frame, str_plural(drawn->frame));
    if (drawn->kept > 0)
        buf_add_format(&output->says, ", %zu of them kept", drawn->kept);
    if (drawn->gone > 0)
        buf_add_format(&output->says, ", %zu no longer in the frame", drawn->gone);
    if (drawn->absent > 0)
        buf_add_format(&output->says, ", %lld of its list not in the corpus",
                       (long long)drawn->absent);
    if (drawn->beside > 0)
        buf_add_format(&output->says, ", %lld of its list not in %.*s",
                       (long long)drawn->beside, STR_ARG(sample->of));
}

static void list_sample(struct run_listing *listing, struct run_step *step)
{
    const struct study_sample *sample = &listing->study->samples[step->index];

    step->corpus = sample->size.kind == SAMPLE_SIZE_TOP || sample->by != STUDY_NONE;
    run_steps_need_source(listing, step, sample->of);
    if (sample->list != NULL)
        run_steps_add_file(listing, step, sample->list);
    if (sample->keep != STUDY_NONE)
        run_steps_need(listing, step, &run_kind_sample, sample->keep);
    if (sample->by != STUDY_NONE)
        run_steps_need_group(listing, step, sample->by);
    run_steps_name(listing, step, sample->name, sample->node);
}

static bool make_sample(struct run_needs *needs, const struct run_step *step,
                        struct run_output *output, struct err *err)
{
    const struct study_sample *sample = &needs->study->samples[step->index];
    struct run_sampling_inputs inputs = {.sample = sample, .frame = &needs->frame};

    if (!run_needs_frame(needs, err))
        return false;
    struct run_sampling *drawn = &needs->samples[step->index];
    if (!run_needs_set(needs, sample->of, &inputs.of, err))
        return err_at(err, "sample %.*s: ", STR_ARG(sample->name));
    if (sample->by != STUDY_NONE) {
        if (!run_needs_group(needs, sample->by, err))
            return false;
        inputs.strata = &needs->groups[sample->by];
    }
    if (sample->keep != STUDY_NONE) {
        struct str kept = needs->study->samples[sample->keep].name;
        struct measure_bits ignored;
        if (!run_needs_set(needs, kept, &ignored, err))
            return err_at(err, "sample %.*s: ", STR_ARG(sample->name));
        inputs.keep = needs->samples[sample->keep];
    }
    if (!(sample->list != NULL ? run_sampling_list
                               : run_sampling_draw)(&inputs, needs->arena, drawn, err))
        return false;
    run_sampling_write(output, sample, drawn);
    return true;
}

const struct run_kind run_kind_sample = {
    .name = "samples",
    .counted = offsetof(struct study, sample_count),
    .engine = 4,
    .list = list_sample,
    .make = make_sample,
};
