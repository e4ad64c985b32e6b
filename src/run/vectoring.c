/* Vectors that another program made, as a step: who has one, and whose are alike. Other
 * steps read the file by themselves. */
#include "run/vectoring.h"

#include <math.h>

#include "base/file.h"
#include "base/list.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "input/vectors.h"
#include "run/needs.h"
#include "run/output.h"
#include "run/steps.h"
#include "stats/cluster.h"

bool run_vectoring_read(const struct study_vectors *from,
                        const struct measure_frame *frame, struct arena *arena,
                        struct run_vectors *out, struct err *err)
{
    struct input_vectors read;
    const struct str **keys = arena_array(arena, const struct str *, frame->count + 1);

    *out =
        (struct run_vectors){.at = arena_array(arena, const float *, frame->count + 1)};
    if (!input_vectors_read(from->file, from->keys, arena, &read, err))
        return false;
    for (size_t i = 0; i < read.count; i++) {
        int64_t id;
        const char *path = from->keys != NULL ? from->keys : from->file;
        bool known = item_key_read(frame->spaces, read.keys[i], &id, err);
        if (!known && !item_key_possible(frame->spaces, read.keys[i]))
            return err_at(err, "%s: vector %zu: ", path, i + 1);
        if (!known)
            *err = (struct err){0};
        size_t item = known ? measure_frame_find(frame, id) : frame->count;
        if (item == frame->count) {
            out->unknown++;
            continue;
        }
        if (keys[item] != NULL)
            return err_set(err, ERR_INPUT,
                           "%s: vector %zu: '%.*s' is the same item as '%.*s', which has "
                           "a vector already",
                           path, i + 1, STR_ARG(read.keys[i]), STR_ARG(*keys[item]));
        keys[item] = read.keys + i;
        out->at[item] = read.at + i * read.dimensions;
    }
    out->dimensions = read.dimensions;
    out->rows = read.count;
    out->hash = read.hash;
    return true;
}

void run_vectoring_add_files(struct run_listing *listing, struct run_step *step,
                             size_t index)
{
    if (index == STUDY_NONE)
        return;
    const struct study_vectors *vectors = &listing->study->vectors[index];
    if (vectors->embed != NULL && !file_exists(vectors->file)) {
        step->lacks = arena_format(listing->arena,
                                   "for vectors.%.*s, which are not there yet; see assay "
                                   "embed",
                                   STR_ARG(vectors->name));
        return;
    }
    run_steps_add_file(listing, step, vectors->file);
    if (vectors->keys != NULL)
        run_steps_add_file(listing, step, vectors->keys);
}

/* Items with vectors of length 1, in the order of the frame. */
struct vectoring_work {
    const struct study_vectors *of;
    const struct measure_frame *frame;
    struct run_output *output;
    struct run_vectors vectors;
    struct arena arena;
    size_t *items;
    float *units;
    size_t count, without, zero;
    int threads;
    struct run_output_list pairs;
    size_t pair_count;
};

struct vectoring_pair {
    size_t a, b; /* places in items */
    double cosine;
};

struct vectoring_slot {
    LIST(struct vectoring_pair) found;
};

enum { PIECE = 64, PAIRS_MAX = 1000000 };

static void compare_piece(void *context, size_t piece, void *slot_of)
{
    const struct vectoring_work *work = context;
    struct vectoring_slot *slot = slot_of;
    size_t wide = work->vectors.dimensions, end = (piece + 1) * PIECE;

    list_clear(&slot->found);
    for (size_t a = piece * PIECE; a < end && a < work->count; a++)
        for (size_t b = a + 1; b < work->count; b++) {
            double cosine =
                stats_dot(work->units + a * wide, work->units + b * wide, wide);
            if (cosine >= work->of->near)
                list_add(&slot->found, ((struct vectoring_pair){a, b, fmin(cosine, 1)}));
        }
}

static bool take_piece(void *context, size_t piece, void *slot_of, struct err *err)
{
    struct vectoring_work *work = context;
    const struct vectoring_slot *slot = slot_of;

    (void)piece;
    for (size_t i = 0; i < slot->found.count; i++) {
        struct vectoring_pair pair = slot->found.at[i];
        if (++work->pair_count > PAIRS_MAX)
            return err_set(
                err, ERR_INPUT,
                "more than %d pairs have a cosine of %g or more: these vectors "
                "tell little apart; expected a higher `near`",
                PAIRS_MAX, work->of->near);
        run_output_list_add(
            &work->pairs,
            (struct result_cell[]){
                result_item(measure_column_at(work->frame->ids, work->items[pair.a])),
                result_item(measure_column_at(work->frame->ids, work->items[pair.b])),
                result_number(pair.cosine)});
    }
    return stop_check(err);
}

/* Every two items, once. */
static bool compare(struct vectoring_work *work, struct err *err)
{
    size_t slots = parallel_slots(work->threads);
    struct vectoring_slot *own = arena_array(&work->arena, struct vectoring_slot, slots);
    void **at = arena_array(&work->arena, void *, slots);

    for (size_t i = 0; i < slots; i++)
        at[i] = own + i;
    bool ok = parallel_run(&(struct parallel_job){.pieces = work->count / PIECE + 1,
                                                  .threads = work->threads,
                                                  .context = work,
                                                  .slots = at,
                                                  .make = compare_piece,
                                                  .take = take_piece},
                           err);
    for (size_t i = 0; i < slots; i++)
        list_free(&own[i].found);
    return ok;
}

static bool add_near(struct vectoring_work *work, struct err *err)
{
    static const struct result_column columns[] = {
        {.type = RESULT_ITEM, .name = STR_INIT("id")},
        {.type = RESULT_ITEM, .name = STR_INIT("like")},
        {RESULT_REAL, 4, STR_INIT("cosine"), .interval = false}};

    work->pairs = run_output_list(work->output, STR("near"), columns, ROWS_OF(columns),
                                  run_output_add_own(work->output, STR("near"), ".csv"));
    bool ok = isnan(work->of->near) || compare(work, err);
    run_output_list_end(&work->pairs);
    return ok;
}

static void add_missing(struct vectoring_work *work, struct measure_bits items)
{
    static const struct result_column column = {.type = RESULT_ITEM,
                                                .name = STR_INIT("id")};
    struct run_output_list list =
        run_output_list(work->output, STR("missing"), &column, 1,
                        run_output_add_own(work->output, STR("missing"), ".csv"));

    MEASURE_BITS_EACH (i, items) {
        struct result_cell cell = result_item(measure_column_at(work->frame->ids, i));
        if (work->vectors.at[i] == NULL) {
            run_output_list_add(&list, &cell);
            work->without++;
        }
    }
    run_output_list_end(&list);
}

static void add_coverage(struct vectoring_work *work)
{
    static const struct result_column column = {.type = RESULT_COUNT,
                                                .name = STR_INIT("count")};
    const struct {
        const char *name;
        size_t count;
    } rows[] = {{"items", work->count + work->zero + work->without},
                {"with a vector", work->count + work->zero},
                {"without a vector", work->without},
                {"whose vector is 0", work->zero},
                {"vectors of the file", work->vectors.rows},
                {"of no item of the corpus", work->vectors.unknown},
                {"dimensions", work->vectors.dimensions},
                {"pairs that are near duplicates", work->pair_count}};
    struct result_table table =
        result_from("coverage", "vectors", &column, 1, &work->output->arena);

    for (size_t i = 0; i < ROWS_OF(rows); i++)
        if (i + 1 < ROWS_OF(rows) || !isnan(work->of->near))
            *result_add_row(&table, str_from(rows[i].name), RESULT_NONE,
                            &work->output->arena) = result_count((int64_t)rows[i].count);
    result_add_note(&table,
                    arena_format(&work->output->arena, "SHA-256 of the file: %.*s.",
                                 STR_ARG(work->vectors.hash)),
                    &work->output->arena);
    table.numbers = true;
    run_output_shown(work->output, &table, "vectors");
}

static void take_units(struct vectoring_work *work, struct measure_bits items)
{
    size_t wide = work->vectors.dimensions, room = (size_t)measure_bits_count(items);

    work->items = arena_array(&work->arena, size_t, room + 1);
    work->units = arena_array(&work->arena, float, room *wide + 1);
    MEASURE_BITS_EACH (i, items) {
        if (work->vectors.at[i] == NULL)
            continue;
        work->items[work->count] = i;
        if (stats_unit(work->vectors.at[i], wide, work->units + work->count * wide))
            work->count++;
        else
            work->zero++;
    }
}

static void list_vectors(struct run_listing *listing, struct run_step *step)
{
    const struct study_vectors *vectors = &listing->study->vectors[step->index];

    step->corpus = true;
    step->whole = vectors->of.len == 0;
    run_steps_need_source(listing, step, vectors->of);
    run_vectoring_add_files(listing, step, step->index);
    run_steps_name(listing, step, vectors->name, vectors->node);
}

/* Fills output with out/vectors/NAME/: coverage.csv, missing.csv, near.csv. */
static bool make_vectors(struct run_needs *needs, const struct run_step *step,
                         struct run_output *output, struct err *err)
{
    struct vectoring_work work = {.of = &needs->study->vectors[step->index],
                                  .frame = &needs->frame,
                                  .output = output,
                                  .threads = needs->options->threads};
    struct measure_bits items;

    if (!run_needs_frame(needs, err))
        return false;
    items = measure_bits_all(needs->frame.count, needs->arena);
    bool ok = (work.of->of.len == 0 || run_needs_set(needs, work.of->of, &items, err)) &&
              run_vectoring_read(work.of, work.frame, &work.arena, &work.vectors, err);
    if (ok) {
        add_missing(&work, items);
        take_units(&work, items);
        ok = add_near(&work, err);
    }
    if (ok) {
        add_coverage(&work);
        buf_add_format(&output->says, "%zu of %zu items have a vector of %zu dimensions",
                       work.count + work.zero, work.count + work.zero + work.without,
                       work.vectors.dimensions);
        if (!isnan(work.of->near))
            buf_add_format(&output->says, ", %zu near duplicate pairs", work.pair_count);
    }
    arena_free(&work.arena);
    return ok || err_at(err, "vectors.%.*s: ", STR_ARG(work.of->name));
}

const struct run_kind run_kind_vectors = {
    .name = "vectors",
    .counted = offsetof(struct study, vectors_count),
    .engine = 1,
    .list = list_vectors,
    .make = make_vectors,
};
