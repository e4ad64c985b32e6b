/* Each stratum's items are put into the order in which the method prefers them; the
 * sample is the front of each. */
#include "sample/draw.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/list.h"
#include "base/rng.h"

/* Products of two counts. */
__extension__ typedef unsigned __int128 wide;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t sum_of(const int64_t *numbers, size_t count)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    return sum;
}

enum { OPEN = -1 }; /* a stratum that has no size yet */

/* What the strata without a size are to share, and how many items they have. */
struct draw_rest {
    int64_t total, frame;
};

static int64_t part_of(struct draw_rest rest, int64_t frame)
{
    return (int64_t)((wide)rest.total * (wide)frame / (wide)rest.frame);
}

static int64_t remainder_of(struct draw_rest rest, int64_t frame)
{
    return (int64_t)((wide)rest.total * (wide)frame % (wide)rest.frame);
}

static struct draw_rest rest_of(int64_t total, const int64_t *frames, size_t strata,
                                const int64_t *sizes)
{
    struct draw_rest rest = {total, 0};

    for (size_t i = 0; i < strata; i++) {
        if (sizes[i] == OPEN)
            rest.frame += frames[i];
        else
            rest.total -= sizes[i];
    }
    rest.total = most(rest.total, 0);
    return rest;
}

/* Gives the minimum to strata whose part is below it. That leaves less for the others, so
 * again until none is below. */
static struct draw_rest settle_minimums(int64_t total, int64_t minimum,
                                        const int64_t *frames, size_t strata,
                                        int64_t *sizes)
{
    for (;;) {
        struct draw_rest rest = rest_of(total, frames, strata, sizes);
        bool settled = true;
        for (size_t i = 0; i < strata; i++) {
            int64_t floor = least(minimum, frames[i]);
            if (sizes[i] != OPEN || (rest.frame > 0 && part_of(rest, frames[i]) >= floor))
                continue;
            sizes[i] = floor;
            settled = false;
        }
        if (settled)
            return rest;
    }
}

struct share {
    size_t stratum;
    int64_t remainder;
};

static int by_remainder(const void *a, const void *b)
{
    const struct share *x = a, *y = b;

    if (x->remainder != y->remainder)
        return x->remainder > y->remainder ? -1 : 1;
    return (x->stratum > y->stratum) - (x->stratum < y->stratum);
}

static void share_by_frame(int64_t total, int64_t minimum, const int64_t *frames,
                           size_t strata, struct arena *arena, int64_t *sizes)
{
    struct share *shares = arena_array(arena, struct share, strata + 1);
    size_t open = 0;

    for (size_t i = 0; i < strata; i++)
        sizes[i] = OPEN;
    struct draw_rest rest = settle_minimums(total, minimum, frames, strata, sizes);
    int64_t left = rest.total;
    for (size_t i = 0; i < strata; i++) {
        if (sizes[i] != OPEN)
            continue;
        sizes[i] = part_of(rest, frames[i]);
        left -= sizes[i];
        shares[open++] = (struct share){i, remainder_of(rest, frames[i])};
    }
    qsort(shares, open, sizeof *shares, by_remainder);
    /* The remainders add up to `left` whole items, each being less than one: at least
     * `left` of them are not 0, and those strata have an item more to give. */
    for (size_t i = 0; i < open && left > 0; i++, left--)
        sizes[shares[i].stratum]++;
}

/* What the strata give when each gives `level` or all it has. */
static int64_t given_at(int64_t level, const int64_t *frames, size_t strata)
{
    int64_t given = 0;

    for (size_t i = 0; i < strata; i++)
        given += least(level, frames[i]);
    return given;
}

static void share_equally(int64_t total, int64_t minimum, const int64_t *frames,
                          size_t strata, int64_t *sizes)
{
    int64_t low = 0, high = total; /* the highest level that gives at most the total */

    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        if (given_at(middle, frames, strata) <= total)
            low = middle;
        else
            high = middle - 1;
    }
    int64_t level = most(low, minimum);
    int64_t left = total - given_at(level, frames, strata);
    for (size_t i = 0; i < strata; i++) {
        sizes[i] = least(level, frames[i]);
        if (left > 0 && sizes[i] < frames[i]) {
            sizes[i]++;
            left--;
        }
    }
}

void sample_allocate(const struct sample_allocate_rule *rule, const int64_t *frames,
                     size_t strata, struct arena *arena, int64_t *sizes)
{
    int64_t total = sample_size_of(&rule->size, sum_of(frames, strata));

    assert(rule->minimum >= 0);
    switch (rule->method) {
    case SAMPLE_ALLOCATE_PROPORTIONAL:
        share_by_frame(total, rule->minimum, frames, strata, arena, sizes);
        break;
    case SAMPLE_ALLOCATE_EQUAL:
        share_equally(total, rule->minimum, frames, strata, sizes);
        break;
    case SAMPLE_ALLOCATE_OWN:
        for (size_t i = 0; i < strata; i++)
            sizes[i] = most(sample_size_of(&rule->size, frames[i]),
                            least(rule->minimum, frames[i]));
        break;
    }
}

/* Products of two counts. */
__extension__ typedef unsigned __int128 wide;

/* Who comes first: earlier items, those the method wants, those it passed over. */
enum turn { TURN_KEPT, TURN_WANTED, TURN_PASSED };

struct row {
    int64_t id;
    uint64_t order; /* within the turn; until it is known the key */
    uint32_t stratum;
    uint8_t turn;
};

/* A run of rows: one stratum. */
struct rows {
    struct row *at;
    size_t count;
};

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_id(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static int by_stratum_and_id(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int strata = compare(x->stratum, y->stratum);

    return strata != 0 ? strata : by_id(a, b);
}

static int by_preference(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int turns = (x->turn > y->turn) - (x->turn < y->turn);
    int orders = compare(x->order, y->order);

    return turns != 0 ? turns : orders != 0 ? orders : by_id(a, b);
}

/* Most come in their order: then no room is needed beside them. */
static void sort(struct rows rows, int (*order)(const void *, const void *))
{
    size_t sorted = 1;

    while (sorted < rows.count && order(&rows.at[sorted - 1], &rows.at[sorted]) < 0)
        sorted++;
    if (sorted < rows.count)
        qsort(rows.at, rows.count, sizeof *rows.at, order);
}

/* Lets the row at a place of the heap, whose last comes first, sink to where it belongs.
 */
static void sink(struct rows heap, size_t place)
{
    for (size_t below; (below = 2 * place + 1) < heap.count; place = below) {
        below += below + 1 < heap.count &&
                 by_preference(&heap.at[below], &heap.at[below + 1]) < 0;
        if (by_preference(&heap.at[place], &heap.at[below]) >= 0)
            return;
        struct row row = heap.at[place];
        heap.at[place] = heap.at[below];
        heap.at[below] = row;
    }
}

/* Puts the first `size` rows by preference at the front, in that order. No two are equal.
 */
static void prefer(struct rows rows, size_t size)
{
    struct rows front = {rows.at, size};

    if (size == 0)
        return;
    for (size_t place = size / 2; place-- > 0;)
        sink(front, place);
    for (size_t i = size; i < rows.count; i++)
        if (by_preference(&rows.at[i], &rows.at[0]) < 0) {
            struct row row = rows.at[i];
            rows.at[i] = rows.at[0];
            rows.at[0] = row;
            sink(front, 0);
        }
    qsort(front.at, front.count, sizeof *front.at, by_preference);
}

/* By id, ascending: the draw must not depend on the order in which they came. */
static struct rows rows_of(const struct sample_draw_frame *frame, struct arena *arena)
{
    struct rows rows = {arena_array(arena, struct row, frame->count + 1), frame->count};

    for (size_t i = 0; i < frame->count; i++)
        rows.at[i] = (struct row){
            .id = frame->ids[i],
            .stratum = frame->strata != NULL ? (uint32_t)frame->strata[i] : 0,
            .order = frame->keys != NULL ? (uint64_t)frame->keys[i] : 0,
            .turn = TURN_WANTED,
        };
    sort(rows, by_id);
    for (size_t i = 1; i < rows.count; i++)
        assert(rows.at[i].id != rows.at[i - 1].id);
    return rows;
}

static void set_orders(struct rows rows, const struct sample_draw_rule *rule)
{
    for (size_t i = 0; i < rows.count; i++) {
        struct row *row = &rows.at[i];
        struct rng rng = rng_stream(rule->seed, rule->stream, (uint64_t)row->id);
        /* Flipping all bits but the sign's turns the largest signed key into 0. */
        row->order = rule->method == SAMPLE_DRAW_TOP ? row->order ^ (uint64_t)INT64_MAX
                                                     : rng_next(&rng);
    }
}

static bool keep_earlier(struct rows rows, struct sample_draw_earlier earlier,
                         struct arena *arena, struct sample_draw *out, struct err *err)
{
    out->gone = arena_array(arena, int64_t, earlier.count + 1);
    for (size_t i = 0; i < earlier.count; i++) {
        struct row wanted = {.id = earlier.ids[i]};
        struct row *row = bsearch(&wanted, rows.at, rows.count, sizeof wanted, by_id);
        if (row == NULL) {
            out->gone[out->gone_count++] = wanted.id;
            continue;
        }
        if (row->turn == TURN_KEPT)
            return err_set(err, ERR_INPUT, "%lld stands twice in the earlier sample",
                           (long long)wanted.id);
        row->turn = TURN_KEPT;
        row->order = i;
        out->kept++;
    }
    return true;
}

/* The rows, ordered by id, that a walk at equal steps does not touch are passed over. */
static void walk(struct rows stratum, size_t number, size_t size,
                 const struct sample_draw_rule *rule)
{
    /* Not the stream that the items' numbers come from. */
    struct rng rng = rng_stream(rule->seed, ~rule->stream, number);
    uint64_t start = rng_below(&rng, stratum.count);

    for (size_t i = 0; i < stratum.count; i++)
        stratum.at[i].turn = TURN_PASSED;
    for (size_t k = 0; k < size; k++)
        stratum.at[(start + (wide)k * stratum.count) / size].turn = TURN_WANTED;
}

static size_t count_kept(struct rows stratum)
{
    size_t kept = 0;

    for (size_t i = 0; i < stratum.count; i++)
        kept += stratum.at[i].turn == TURN_KEPT;
    return kept;
}

/* Puts the stratum's sample at its front; the result is how many they are. */
static size_t draw_stratum(struct rows stratum, const struct sample_draw_rule *rule)
{
    size_t number = stratum.at[0].stratum, kept = count_kept(stratum);

    assert(number < rule->strata && rule->sizes[number] >= 0);
    uint64_t asked = (uint64_t)rule->sizes[number];
    size_t size = asked < stratum.count ? (size_t)asked : stratum.count;
    if (rule->method == SAMPLE_DRAW_SYSTEMATIC)
        walk(stratum, number, size, rule);
    size = size > kept ? size : kept;
    prefer(stratum, size);
    return size;
}

/* The sampled rows of all strata, with where each stands in the list. */
struct draw_place {
    const struct row *row;
    size_t rank, size; /* within its stratum's sample */
};

static int by_draw_order(const void *a, const void *b)
{
    const struct draw_place *x = a, *y = b;

    if ((x->row->turn == TURN_KEPT) != (y->row->turn == TURN_KEPT))
        return x->row->turn == TURN_KEPT ? -1 : 1;
    if (x->row->turn == TURN_KEPT)
        return compare(x->row->order, y->row->order);
    /* The middle of the item's slot, (rank + 1/2) / size, without its rounding. */
    wide here = (wide)(2 * x->rank + 1) * y->size,
         there = (wide)(2 * y->rank + 1) * x->size;
    if (here != there)
        return here < there ? -1 : 1;
    return compare(x->row->stratum, y->row->stratum);
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void list(struct draw_place *places, size_t count, struct arena *arena,
                 struct sample_draw *out)
{
    if (count > 0)
        qsort(places, count, sizeof *places, by_draw_order);
    out->count = count;
    out->items = arena_array(arena, struct sample_draw_item, count + 1);
    out->ascending = arena_array(arena, int64_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        out->items[i] =
            (struct sample_draw_item){places[i].row->id, places[i].row->stratum};
        out->ascending[i] = places[i].row->id;
    }
    qsort(out->ascending, count, sizeof *out->ascending, by_number);
}

bool sample_draw(const struct sample_draw_frame *frame,
                 const struct sample_draw_rule *rule, struct sample_draw_earlier earlier,
                 struct arena *arena, struct sample_draw *out, struct err *err)
{
    struct rows rows = rows_of(frame, arena);
    LIST(struct draw_place) places = {0};
    size_t end;

    *out = (struct sample_draw){0};
    assert(rule->method != SAMPLE_DRAW_TOP || frame->keys != NULL);
    if (rule->method == SAMPLE_DRAW_SYSTEMATIC && earlier.count > 0)
        return err_set(err, ERR_INPUT,
                       "a systematic sample cannot be topped up, since its interval "
                       "depends on its size; draw it anew, or use a simple one");
    set_orders(rows, rule);
    if (!keep_earlier(rows, earlier, arena, out, err))
        return false;
    sort(rows, by_stratum_and_id);
    for (size_t begin = 0; begin < rows.count; begin = end) {
        for (end = begin + 1; end < rows.count; end++)
            if (rows.at[end].stratum != rows.at[begin].stratum)
                break;
        struct rows stratum = {rows.at + begin, end - begin};
        size_t size = draw_stratum(stratum, rule);
        for (size_t rank = 0; rank < size; rank++) {
            struct draw_place place = {&stratum.at[rank], rank, size};
            list_add(&places, place);
        }
    }
    list(places.at, places.count, arena, out);
    list_free(&places);
    return true;
}

uint64_t sample_draw_frame_hash(const struct sample_draw_frame *frame,
                                struct arena *arena)
{
    struct rows rows = rows_of(frame, arena);
    XXH3_state_t *state = XXH3_createState();

    if (state == NULL)
        arena_exhausted();
    XXH3_64bits_reset(state);
    for (size_t i = 0; i < rows.count; i++) {
        unsigned char bytes[8];
        for (int b = 0; b < 8; b++)
            bytes[b] = (unsigned char)((uint64_t)rows.at[i].id >> 8 * b);
        XXH3_64bits_update(state, bytes, sizeof bytes);
    }
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash;
}
