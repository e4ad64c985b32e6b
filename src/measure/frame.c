/* One pass over questions and rows, one over answers. Columns grow as items come. */
#include "measure/frame.h"

#include <string.h>

#include "base/stop.h"
#include "store/items.h"

enum { NUMBERS = 9, STOP_EVERY = 4096 };

struct loader {
    struct frame_slot *slots;
    size_t slot_count;
    struct query_compiled **compiled; /* of each slot with a query */
    struct query_scratch **scratch;
    size_t *at;          /* of each slot with ids: the next one */
    bool *in;            /* whether the current item is in the slot */
    struct buf *members; /* of each slot, a byte an item until the count is known */
    struct buf *passed;  /* the same for conditions that the item met */
    struct buf numbers[NUMBERS], flags, accepted_id;
    size_t count;
};

enum { FLAG_ACCEPTED = 1, FLAG_ANSWERED = 2, FLAG_CLOSED = 4, FLAG_POST = 8 };

static bool in_slot(void *context, struct str set)
{
    const struct loader *loader = context;

    for (size_t s = 0; s < loader->slot_count; s++)
        if (str_eq(loader->slots[s].name, set))
            return loader->in[s];
    return false;
}

static void add_number(struct buf *column, int64_t value)
{
    buf_add(column, (struct str){(const char *)&value, sizeof value});
}

/* The texts are those of the store; in: asks the slots before. */
struct asking {
    const struct query_item *item;
    struct loader *loader;
};

static struct str ask_text(void *context, enum query_text which)
{
    const struct query_item *item = ((struct asking *)context)->item;

    return item->text(item->context, which);
}

static bool ask_code(void *context)
{
    const struct query_item *item = ((struct asking *)context)->item;

    return item->has_code(item->context);
}

static bool ask_set(void *context, struct str set)
{
    return in_slot(((struct asking *)context)->loader, set);
}

static void test_slots(struct loader *loader, const struct query_item *item)
{
    struct asking asking = {item, loader};
    struct query_item own = *item;

    own.context = &asking;
    own.text = ask_text;
    own.has_code = ask_code;
    own.in_set = ask_set;
    for (size_t s = 0; s < loader->slot_count; s++) {
        struct frame_slot *slot = &loader->slots[s];
        if (slot->query != NULL) {
            loader->in[s] = query_funnel_add(&slot->funnel, loader->compiled[s],
                                             loader->scratch[s], &own);
            if (slot->name.len > 0)
                buf_add_char(&loader->passed[s],
                             (char)(slot->funnel.passed < FRAME_PASSED_MAX
                                        ? slot->funnel.passed
                                        : FRAME_PASSED_MAX));
        } else {
            while (loader->at[s] < slot->id_count && slot->ids[loader->at[s]] < item->id)
                loader->at[s]++;
            loader->in[s] =
                loader->at[s] < slot->id_count && slot->ids[loader->at[s]] == item->id;
        }
        buf_add_char(&loader->members[s], (char)loader->in[s]);
    }
}

static bool take_item(void *context, const struct query_item *item,
                      const struct items_row *row, struct err *err)
{
    struct loader *loader = context;
    const int64_t numbers[NUMBERS] = {row->id,        row->created_ms, row->score,
                                      row->views,     row->answers,    row->comments,
                                      row->favorites, row->owner,      row->accepted_ms};
    bool post = row->type == CORPUS_QUESTION;
    int flags = (row->accepted != CORPUS_NONE ? FLAG_ACCEPTED : 0) |
                (row->answers != CORPUS_NONE && row->answers > 0 ? FLAG_ANSWERED : 0) |
                (row->closed_ms != CORPUS_NONE ? FLAG_CLOSED : 0) |
                (post ? FLAG_POST : 0);

    if (loader->count++ % STOP_EVERY == 0 && !stop_check(err))
        return false;
    for (size_t i = 0; i < NUMBERS; i++)
        add_number(&loader->numbers[i], numbers[i]);
    add_number(&loader->accepted_id, row->accepted);
    buf_add_char(&loader->flags, (char)flags);
    test_slots(loader, item);
    return true;
}

static int64_t *column_of(struct buf *buf, struct arena *arena)
{
    int64_t *column = arena_array(arena, int64_t, buf->len / sizeof *column + 1);

    if (buf->len > 0)
        memcpy(column, buf->ptr, buf->len);
    buf_free(buf);
    return column;
}

static struct bits bits_from(const struct buf *bytes, int mask, struct arena *arena)
{
    struct bits bits = bits_make(bytes->len, arena);

    for (size_t i = 0; i < bytes->len; i++)
        if (bytes->ptr[i] & mask)
            bits_set(bits, i);
    return bits;
}

static void finish_items(struct loader *loader, struct frame *frame)
{
    int64_t **const columns[NUMBERS] = {
        &frame->ids,       &frame->created_ms, &frame->score,
        &frame->views,     &frame->answers,    &frame->comments,
        &frame->favorites, &frame->owner,      &frame->accepted_ms};

    frame->count = loader->count;
    for (size_t i = 0; i < NUMBERS; i++)
        *columns[i] = column_of(&loader->numbers[i], frame->arena);
    frame->accepted = bits_from(&loader->flags, FLAG_ACCEPTED, frame->arena);
    frame->answered = bits_from(&loader->flags, FLAG_ANSWERED, frame->arena);
    frame->closed = bits_from(&loader->flags, FLAG_CLOSED, frame->arena);
    frame->posts = bits_from(&loader->flags, FLAG_POST, frame->arena);
    /* A table that gives accepted answers of its rows makes them known. */
    bits_add(frame->posts, frame->accepted);
    for (size_t s = 0; s < loader->slot_count; s++) {
        loader->slots[s].bits = bits_from(&loader->members[s], 1, frame->arena);
        loader->slots[s].passed =
            (const uint8_t *)arena_copy(frame->arena, buf_str(&loader->passed[s])).ptr;
    }
}

struct answers {
    struct frame *frame;
    const int64_t *accepted_id;
    size_t item; /* of the answer before: questions ascend */
    struct buf answerers;
};

static bool take_answer(void *context, const struct items_answer *answer, struct err *err)
{
    struct answers *answers = context;
    struct frame *frame = answers->frame;
    size_t i = answers->item;

    (void)err;
    while (i < frame->count && frame->ids[i] < answer->question)
        frame->answers_begin[++i] = answers->answerers.len / sizeof(int64_t);
    answers->item = i;
    if (i == frame->count || frame->ids[i] != answer->question)
        return true;
    bits_set(frame->answered, i);
    if (frame->first_ms[i] == FRAME_NONE)
        frame->first_ms[i] = answer->created_ms;
    if (answer->created_ms > frame->last_ms[i])
        frame->last_ms[i] = answer->created_ms;
    if (answer->id == answers->accepted_id[i])
        frame->accepted_ms[i] = answer->created_ms;
    if (answer->owner != CORPUS_NONE)
        add_number(&answers->answerers, answer->owner);
    return true;
}

static bool load_answers(struct frame *frame, const int64_t *accepted_id, struct err *err)
{
    struct answers answers = {.frame = frame, .accepted_id = accepted_id};

    frame->answers_begin = arena_array(frame->arena, size_t, frame->count + 1);
    frame->first_ms = arena_array(frame->arena, int64_t, frame->count + 1);
    frame->last_ms = arena_array(frame->arena, int64_t, frame->count + 1);
    for (size_t i = 0; i < frame->count; i++)
        frame->first_ms[i] = frame->last_ms[i] = FRAME_NONE;
    bool ok = items_answers(frame->corpus, take_answer, &answers, err);
    while (ok && answers.item < frame->count)
        frame->answers_begin[++answers.item] = answers.answerers.len / sizeof(int64_t);
    frame->answerers = column_of(&answers.answerers, frame->arena);
    return ok;
}

/* When each source ended, for censoring; an item in several is of the first of them. */
struct ends {
    struct frame *frame;
    const struct study *study;
    size_t *of;  /* of each item: its source plus 1; 0: not known */
    int64_t *ms; /* of each source */
};

static bool take_end(void *context, int64_t id, struct str name, struct err *err)
{
    struct ends *ends = context;
    size_t s = 0, i = frame_find(ends->frame, id);

    (void)err;
    if (i == ends->frame->count || ends->of[i] > 0)
        return true;
    while (s < ends->study->source_count && !str_eq(ends->study->sources[s].name, name))
        s++;
    ends->of[i] = s < ends->study->source_count ? s + 1 : 0;
    return true;
}

/* What has no `until` ended with its newest post, whether the study takes that or not:
 * until then an answer would have been seen. Tables may know of moments after it. */
static bool end_open_sources(struct ends *ends, struct err *err)
{
    const struct frame *frame = ends->frame;
    const int64_t *const columns[] = {frame->created_ms, frame->last_ms,
                                      frame->accepted_ms};
    size_t sources = ends->study->source_count;

    for (size_t s = 0; s <= sources; s++)
        ends->ms[s] = FRAME_NONE;
    for (size_t s = 0; s < sources; s++)
        if (!items_last_post(frame->corpus,
                             sources > 1 ? ends->study->sources[s].name : STR(""),
                             &ends->ms[s], err))
            return false;
    for (size_t c = 0; c < ROWS_OF(columns); c++)
        for (size_t i = 0; i < frame->count; i++)
            if (columns[c][i] > ends->ms[ends->of[i]])
                ends->ms[ends->of[i]] = columns[c][i];
    for (size_t s = 0; s < sources; s++)
        if (ends->study->sources[s].until_ms != INT64_MAX)
            ends->ms[s] = ends->study->sources[s].until_ms;
    return true;
}

static bool find_ends(struct frame *frame, const struct study *study, struct err *err)
{
    struct ends ends = {frame, study, arena_array(frame->arena, size_t, frame->count + 1),
                        arena_array(frame->arena, int64_t, study->source_count + 1)};

    if (study->source_count > 1 && !items_origins(frame->corpus, take_end, &ends, err))
        return false;
    for (size_t i = 0; i < frame->count; i++)
        ends.of[i] -= ends.of[i] > 0;
    if (!end_open_sources(&ends, err))
        return false;
    frame->end_ms = arena_array(frame->arena, int64_t, frame->count + 1);
    for (size_t i = 0; i < frame->count; i++)
        frame->end_ms[i] = ends.ms[ends.of[i]];
    return true;
}

static bool compile_slots(struct loader *loader, struct arena *arena, struct err *err)
{
    loader->compiled =
        arena_array(arena, struct query_compiled *, loader->slot_count + 1);
    loader->scratch = arena_array(arena, struct query_scratch *, loader->slot_count + 1);
    loader->at = arena_array(arena, size_t, loader->slot_count + 1);
    loader->in = arena_array(arena, bool, loader->slot_count + 1);
    loader->members = arena_array(arena, struct buf, loader->slot_count + 1);
    loader->passed = arena_array(arena, struct buf, loader->slot_count + 1);
    for (size_t s = 0; s < loader->slot_count; s++) {
        struct frame_slot *slot = &loader->slots[s];
        if (slot->query == NULL)
            continue;
        if (!query_compile(slot->query, (struct query_options){0}, &loader->compiled[s],
                           err))
            return false;
        loader->scratch[s] = query_scratch_open(loader->compiled[s]);
        slot->funnel = query_funnel_begin(loader->compiled[s], false, arena);
    }
    return true;
}

static void close_loader(struct loader *loader)
{
    for (size_t s = 0; s < loader->slot_count; s++) {
        query_scratch_close(loader->scratch[s]);
        query_free(loader->compiled[s]);
        buf_free(&loader->members[s]);
        buf_free(&loader->passed[s]);
    }
    for (size_t i = 0; i < NUMBERS; i++)
        buf_free(&loader->numbers[i]);
    buf_free(&loader->flags);
    buf_free(&loader->accepted_id);
}

bool frame_load(struct corpus *corpus, struct frame_slot *slots, size_t slot_count,
                const struct study *study, struct arena *arena, struct frame *out,
                struct err *err)
{
    struct loader loader = {.slots = slots, .slot_count = slot_count};

    *out = (struct frame){.arena = arena, .corpus = corpus};
    bool ok =
        compile_slots(&loader, arena, err) && items_each(corpus, take_item, &loader, err);
    if (ok) {
        finish_items(&loader, out);
        ok =
            load_answers(out, (const int64_t *)(const void *)loader.accepted_id.ptr, err);
    }
    close_loader(&loader);
    return ok && find_ends(out, study, err);
}

size_t frame_find(const struct frame *frame, int64_t id)
{
    size_t low = 0, high = frame->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (frame->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < frame->count && frame->ids[low] == id ? low : frame->count;
}
