/* From sets and groups to a frame with strata, and back to ids. */
#include "run/sampling.h"

#include "sample/draw.h"

static int64_t key_of(const struct measure_frame *frame, enum sample_size_key key,
                      size_t i)
{
    const int64_t *const columns[] = {[SAMPLE_SIZE_VIEWS] = frame->views,
                                      [SAMPLE_SIZE_SCORE] = frame->score,
                                      [SAMPLE_SIZE_ANSWERS] = frame->answers,
                                      [SAMPLE_SIZE_COMMENTS] = frame->comments,
                                      [SAMPLE_SIZE_FAVORITES] = frame->favorites,
                                      [SAMPLE_SIZE_CREATED] = frame->created_ms};

    return columns[key][i];
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
        columns.ids[columns.count] = inputs->frame->ids[i];
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

bool run_sampling_draw(const struct run_sampling_inputs *inputs, struct arena *arena,
                       struct run_sampling *out, struct err *err)
{
    const struct study_sample *sample = inputs->sample;
    struct sample_draw drawn;

    *out = (struct run_sampling){.stratum_count =
                                     inputs->strata != NULL ? inputs->strata->count : 1};
    out->frames = arena_array(arena, int64_t, out->stratum_count + 1);
    out->sizes = arena_array(arena, int64_t, out->stratum_count + 1);
    out->stratum_names = arena_array(arena, struct str, out->stratum_count + 1);
    for (size_t v = 0; inputs->strata != NULL && v < out->stratum_count; v++)
        out->stratum_names[v] = inputs->strata->values[v].name;
    struct frame_columns columns = columns_of(inputs, arena, out);
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
    if (!sample_draw(&frame, &rule, earlier, arena, &drawn, err))
        return err_at(err, "sample %.*s: ", STR_ARG(sample->name));
    out->frame = (int64_t)columns.count;
    out->frame_hash = sample_draw_frame_hash(&frame, arena);
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
