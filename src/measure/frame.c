/* One pass over the corpus. Columns grow as items come; answers are sorted to their
 * questions when all are there. */
#include "measure/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/idset.h"
#include "base/list.h"
#include "base/map.h"
#include "base/order.h"
#include "base/stop.h"
#include "measure/ends.h"
#include "query/endorsed.h"
#include "text/form.h"
#include "text/thanks.h"

enum { STOP_EVERY = 4096 };

struct own_value {
    int64_t id;
    size_t begin, len; /* in texts */
};

/* The values of a field that a source brings, ascending by item. */
struct own_field {
    struct str name;
    LIST(struct own_value) values;
    struct buf texts;
    size_t at; /* the first value that is not of an earlier item */
};

/* The items that stand in a source. */
struct own_source {
    struct str name;
    struct idset ids;
};

/* What questions have to know of their answers, in the order in which these come. */
struct answers {
    struct arena arena;
    struct measure_column_maker question, created_ms, id, owner;
};

/* Bits, until it is known how many they are. */
struct members {
    LIST(uint64_t) words;
};

struct frame_loader {
    const struct study *study;
    struct query_relations *relations; /* of all slots' queries */
    struct query_scratch **asked;      /* of each relation that asks for something */
    int64_t *newest_ms;                /* of each space */
    const struct str *given;           /* instead of the body in the corpus */
    struct own_field *fields;          /* that some slot's query names */
    struct own_source *sources;
    size_t field_count, source_count;
    struct measure_frame_slot *slots;
    size_t slot_count;
    struct query_compiled **compiled; /* of each slot with a query */
    struct query_scratch **scratch;
    size_t *at;              /* of each slot with ids: the next one */
    bool *in;                /* whether the current item is in the slot */
    struct members *members; /* of each slot */
    struct buf *passed;      /* of each slot, a byte an item: conditions that it met */
    struct arena *arena;     /* of what stays */
    struct measure_column_maker numbers[ITEM_NUMBERS];
    struct buf flags;
    struct answers answers;
    struct idset commented; /* items whose comments are there */
    size_t count;
    const struct store_row *row;  /* the current item */
    struct text_html_parts parts; /* of its body */
    unsigned wanted;              /* HTML_...: which parts queries look into */
    bool split;                   /* they are of this item */
    struct err *err;              /* why its body cannot be read */
    bool failed;
};

enum {
    FLAG_ACCEPTED = 1,
    FLAG_ANSWERED = 2,
    FLAG_CLOSED = 4,
    FLAG_SOLVABLE = 8,   /* its kind has accepted answers */
    FLAG_TALK = 16,      /* its kind has answers, and may be closed */
    FLAG_ELSEWHERE = 32, /* it has comments, which its source need not have brought */
};

static int flags_of(const struct item *item)
{
    bool solvable = item->kind == ITEM_QUESTION || item->kind == ITEM_DISCUSSION ||
                    item->kind == ITEM_TOPIC;
    bool issue = item->kind == ITEM_ISSUE || item->kind == ITEM_PULL_REQUEST;
    bool topic = item->kind == ITEM_TOPIC; /* counts its replies, whoever wrote them */
    bool talk = ((issue || item->kind == ITEM_DISCUSSION) && item->comments > 0) ||
                (topic && item->answers > 0);
    bool answered = topic ? item->accepted != ITEM_NONE
                          : item->answers != ITEM_NONE && item->answers > 0;

    return (item->accepted != ITEM_NONE ? FLAG_ACCEPTED : 0) |
           (answered ? FLAG_ANSWERED : 0) |
           (item->closed_ms != ITEM_NONE ? FLAG_CLOSED : 0) |
           (solvable ? FLAG_SOLVABLE : 0) | (solvable || issue ? FLAG_TALK : 0) |
           (talk ? FLAG_ELSEWHERE : 0);
}

static bool in_slot(void *context, struct str set)
{
    const struct frame_loader *loader = context;

    for (size_t s = 0; s < loader->slot_count; s++)
        if (str_eq(loader->slots[s].name, set))
            return loader->in[s];
    return false;
}

/* All parts of the body that any query looks into are made in one go. */
static struct str item_text(void *context, enum query_text which)
{
    struct frame_loader *loader = context;
    struct str body;

    if (which == QUERY_TITLE)
        return loader->row->item.title;
    if (!loader->split) {
        if (loader->given != NULL)
            body = *loader->given;
        else if (loader->failed || !store_row_body(loader->row, &body, loader->err)) {
            loader->failed = true;
            return (struct str){0};
        }
        loader->split = true;
        loader->parts.lead =
            loader->wanted & TEXT_HTML_PROSE ? loader->row->item.title : (struct str){0};
        text_form_split(loader->row->item.form, body, loader->wanted, &loader->parts);
    }
    return buf_str(which == QUERY_PROSE  ? &loader->parts.prose
                   : which == QUERY_CODE ? &loader->parts.code
                                         : &loader->parts.body);
}

static bool item_has_code(void *context)
{
    return ((const struct frame_loader *)context)->row->code_blocks > 0;
}

static struct str item_own(void *context, struct str name)
{
    struct frame_loader *loader = context;
    struct own_field *field = loader->fields;

    while (!str_eq(field->name, name))
        field++;
    const struct own_value *values = field->values.at;
    size_t count = field->values.count;
    while (field->at < count && values[field->at].id < loader->row->item.id)
        field->at++;
    if (field->at == count || values[field->at].id != loader->row->item.id)
        return (struct str){0};
    return str_slice(buf_str(&field->texts), values[field->at].begin,
                     values[field->at].begin + values[field->at].len);
}

static bool item_in_source(void *context, struct str name)
{
    const struct frame_loader *loader = context;

    for (size_t s = 0; s < loader->source_count; s++)
        if (str_eq(loader->sources[s].name, name))
            return idset_has(&loader->sources[s].ids, loader->row->item.id);
    return false;
}

static struct query_item asked_of(struct frame_loader *loader)
{
    const struct item *item = &loader->row->item;
    size_t space = item_space(item->id);

    return (struct query_item){.item = item,
                               .context = loader,
                               .text = item_text,
                               .has_code = item_has_code,
                               .in_set = in_slot,
                               .in_source = item_in_source,
                               .own = item_own,
                               .newest_ms = space < loader->study->spaces.count
                                                ? loader->newest_ms[space]
                                                : ITEM_NONE};
}

static void add_member(struct members *members, size_t item, bool in)
{
    if (item % 64 == 0)
        list_add(&members->words, 0);
    members->words.at[item / 64] |= (uint64_t)in << (item % 64);
}

static bool test_slots(struct frame_loader *loader, struct err *err)
{
    const struct item *item = &loader->row->item;
    struct query_item own = asked_of(loader);

    for (size_t s = 0, asked = 0; s < loader->slot_count; s++) {
        struct measure_frame_slot *slot = &loader->slots[s];
        if (slot->query != NULL) {
            uint8_t passed =
                loader->row->passed != NULL ? loader->row->passed[asked++] : STORE_OPEN;
            if (passed != STORE_OPEN)
                loader->in[s] = query_funnel_note(&slot->funnel, passed);
            else if (!query_funnel_add(&slot->funnel, loader->compiled[s],
                                       loader->scratch[s], &own, &loader->in[s], err))
                return slot->name.len > 0 ? err_at(err, "set %.*s: ", STR_ARG(slot->name))
                                          : false;
            if (slot->name.len > 0)
                buf_add_char(&loader->passed[s],
                             (char)(slot->funnel.passed < MEASURE_FRAME_PASSED_MAX
                                        ? slot->funnel.passed
                                        : MEASURE_FRAME_PASSED_MAX));
        } else {
            while (loader->at[s] < slot->id_count && slot->ids[loader->at[s]] < item->id)
                loader->at[s]++;
            loader->in[s] =
                loader->at[s] < slot->id_count && slot->ids[loader->at[s]] == item->id;
        }
        add_member(&loader->members[s], loader->count - 1, loader->in[s]);
    }
    return true;
}

static void add_answer(struct answers *answers, const struct item *item)
{
    measure_column_add(&answers->question, item->parent, &answers->arena);
    measure_column_add(&answers->created_ms, item->created_ms, &answers->arena);
    measure_column_add(&answers->id, item->id, &answers->arena);
    measure_column_add(&answers->owner, item->owner, &answers->arena);
}

static bool take_item(void *context, const struct store_row *row, struct err *err)
{
    struct frame_loader *loader = context;
    const struct item *item = &row->item;

    if (item->kind == ITEM_COMMENT) {
        idset_add(&loader->commented, item->parent);
        return true;
    }
    if (item->kind == ITEM_ANSWER) {
        if (item->parent != ITEM_NONE)
            add_answer(&loader->answers, item);
        return true;
    }
    if (loader->count++ % STOP_EVERY == 0 && !stop_check(err))
        return false;
    for (size_t i = 0; i < ITEM_NUMBERS; i++)
        measure_column_add(&loader->numbers[i], item->numbers[i], loader->arena);
    buf_add_char(&loader->flags, (char)flags_of(item));
    loader->row = row;
    loader->split = false;
    loader->err = err;
    return test_slots(loader, err) && !loader->failed;
}

static struct measure_bits bits_from(const struct buf *bytes, int mask,
                                     struct arena *arena)
{
    struct measure_bits bits = measure_bits_make(bytes->len, arena);

    for (size_t i = 0; i < bytes->len; i++)
        if (bytes->ptr[i] & mask)
            measure_bits_set(bits, i);
    return bits;
}

static void finish_items(struct frame_loader *loader, struct measure_frame *frame)
{
    frame->count = loader->count;
    for (size_t i = 0; i < ITEM_NUMBERS; i++)
        frame->numbers[i] = measure_column_end(&loader->numbers[i], frame->arena);
    frame->accepted = bits_from(&loader->flags, FLAG_ACCEPTED, frame->arena);
    frame->answered = bits_from(&loader->flags, FLAG_ANSWERED, frame->arena);
    frame->closed = bits_from(&loader->flags, FLAG_CLOSED, frame->arena);
    frame->accepted_known = bits_from(&loader->flags, FLAG_SOLVABLE, frame->arena);
    frame->closed_known = bits_from(&loader->flags, FLAG_TALK, frame->arena);
    frame->answered_known = measure_bits_make(frame->count, frame->arena);
    for (size_t i = 0; i < frame->count; i++)
        if ((loader->flags.ptr[i] & (FLAG_TALK | FLAG_ELSEWHERE)) == FLAG_TALK ||
            ((loader->flags.ptr[i] & FLAG_TALK) != 0 &&
             idset_has(&loader->commented, measure_column_at(frame->ids, i))))
            measure_bits_set(frame->answered_known, i);
    for (size_t s = 0; s < loader->slot_count; s++) {
        loader->slots[s].bits = (struct measure_bits){
            list_copy(&loader->members[s].words, frame->arena), frame->count};
        loader->slots[s].passed =
            (const uint8_t *)arena_copy(frame->arena, buf_str(&loader->passed[s])).ptr;
        list_free(&loader->members[s].words);
        buf_free(&loader->passed[s]);
    }
}

/* An answer among those to its question. */
struct answer {
    int64_t created_ms, id, owner;
};

/* By moment (without one first), then id. */
static int compare_answers(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;

    return order_then(ORDER_BY(x->created_ms, y->created_ms), ORDER_BY(x->id, y->id));
}

/* The places of answers, those to one question one behind the other. */
struct answers_sorted {
    struct measure_column created_ms, id, owner;
    uint32_t *begin; /* of item i: places[begin[i]] up to places[begin[i + 1]] */
    uint32_t *places;
    LIST(struct answer) one; /* those to one question */
};

/* Answers are counted for each question, then put where its are. */
static bool sort_answers(struct answers *answers, const struct measure_frame *frame,
                         struct answers_sorted *out, struct err *err)
{
    struct measure_column question =
        measure_column_end(&answers->question, &answers->arena);

    out->created_ms = measure_column_end(&answers->created_ms, &answers->arena);
    out->id = measure_column_end(&answers->id, &answers->arena);
    out->owner = measure_column_end(&answers->owner, &answers->arena);
    if (frame->count >= UINT32_MAX || question.count >= UINT32_MAX)
        return err_set(err, ERR_INPUT,
                       "found %zu items and %zu answers, expected fewer than %u",
                       frame->count, question.count, UINT32_MAX);
    uint32_t *of = arena_array(&answers->arena, uint32_t, question.count + 1);
    out->begin = arena_array(&answers->arena, uint32_t, frame->count + 2);
    out->places = arena_array(&answers->arena, uint32_t, question.count + 1);
    for (size_t k = 0; k < question.count; k++) {
        of[k] = (uint32_t)measure_frame_find(frame, measure_column_at(question, k));
        out->begin[of[k] + 1]++;
    }
    for (size_t i = 0; i <= frame->count; i++)
        out->begin[i + 1] += out->begin[i];
    for (size_t k = question.count; k-- > 0;)
        out->places[--out->begin[of[k] + 1]] = (uint32_t)k;
    /* Each begin now stands a place too far on. */
    memmove(out->begin, out->begin + 1, (frame->count + 1) * sizeof *out->begin);
    return true;
}

static void answers_to(struct answers_sorted *sorted, size_t item, size_t end)
{
    list_clear(&sorted->one);
    for (size_t k = sorted->begin[item]; k < end; k++) {
        size_t at = sorted->places[k];
        struct answer answer = {measure_column_at(sorted->created_ms, at),
                                measure_column_at(sorted->id, at),
                                measure_column_at(sorted->owner, at)};
        list_add(&sorted->one, answer);
    }
    if (sorted->one.count > 1)
        qsort(sorted->one.at, sorted->one.count, sizeof *sorted->one.at, compare_answers);
}

/* The columns that answers tell. */
struct answered {
    struct measure_column_maker first_ms, last_ms, accepted_ms, answers_begin, answerers;
};

static void take_answers(const struct answers_sorted *sorted, size_t i,
                         struct measure_frame *frame, struct answered *out)
{
    int64_t first = ITEM_NONE, last = ITEM_NONE,
            accepted = measure_column_at(frame->accepted_ms, i),
            created = measure_column_at(frame->created_ms, i),
            accepted_id = measure_column_at(frame->accepted_id, i);

    measure_column_add(&out->answers_begin, (int64_t)out->answerers.count, frame->arena);
    for (size_t k = 0; k < sorted->one.count; k++) {
        const struct answer *answer = &sorted->one.at[k];
        measure_bits_set(frame->answered, i);
        measure_bits_set(frame->answered_known, i);
        if (first == ITEM_NONE || (first < created && answer->created_ms >= created))
            first = answer->created_ms;
        last = answer->created_ms; /* they ascend */
        if (answer->id == accepted_id)
            accepted = answer->created_ms;
        if (answer->owner != ITEM_NONE)
            measure_column_add(&out->answerers, answer->owner, frame->arena);
    }
    measure_column_add(&out->first_ms, first, frame->arena);
    measure_column_add(&out->last_ms, last, frame->arena);
    measure_column_add(&out->accepted_ms, accepted, frame->arena);
}

static bool finish_answers(struct frame_loader *loader, struct measure_frame *frame,
                           struct err *err)
{
    struct answers_sorted sorted = {0};
    struct answered out = {0};

    if (!sort_answers(&loader->answers, frame, &sorted, err))
        return false;
    for (size_t i = 0; i < frame->count; i++) {
        answers_to(&sorted, i, sorted.begin[i + 1]);
        take_answers(&sorted, i, frame, &out);
    }
    measure_column_add(&out.answers_begin, (int64_t)out.answerers.count, frame->arena);
    frame->first_ms = measure_column_end(&out.first_ms, frame->arena);
    frame->last_ms = measure_column_end(&out.last_ms, frame->arena);
    frame->accepted_ms = measure_column_end(&out.accepted_ms, frame->arena);
    frame->answers_begin = measure_column_end(&out.answers_begin, frame->arena);
    frame->answerers = measure_column_end(&out.answerers, frame->arena);
    list_free(&sorted.one);
    return true;
}

/* When each source ended, for censoring; an item in several is of the first of them. */
struct ends {
    struct measure_frame *frame;
    const struct study *study;
    struct arena work;
    uint32_t *of; /* of each item: its source, where none is told the first; while they
                     are read plus 1. NULL: there is one source */
    int64_t *ms;  /* of each source */
};

static size_t source_of(const struct ends *ends, size_t item)
{
    return ends->of != NULL ? ends->of[item] : 0;
}

static bool take_end(void *context, int64_t id, struct str name, struct err *err)
{
    struct ends *ends = context;
    size_t s = 0, i = measure_frame_find(ends->frame, id);

    (void)err;
    if (i == ends->frame->count || ends->of[i] > 0)
        return true;
    while (s < ends->study->source_count && !str_eq(ends->study->sources[s].name, name))
        s++;
    ends->of[i] = (uint32_t)(s < ends->study->source_count ? s + 1 : 0);
    return true;
}

/* What has no `until` ended with its newest post, whether the study takes that or not:
 * until then an answer would have been seen. Tables may know of moments after it. */
static bool end_open_sources(struct ends *ends, struct err *err)
{
    const struct measure_frame *frame = ends->frame;
    const struct measure_column columns[] = {frame->created_ms, frame->last_ms,
                                             frame->accepted_ms};

    if (!measure_ends_of_sources(ends->study, frame->corpus, &ends->work, NULL, &ends->ms,
                                 err))
        return false;
    for (size_t c = 0; c < ROWS_OF(columns); c++)
        for (size_t i = 0; i < frame->count; i++) {
            size_t s = source_of(ends, i);
            int64_t at = measure_column_at(columns[c], i);
            bool open = s >= ends->study->source_count ||
                        ends->study->sources[s].until_ms == INT64_MAX;
            if (open && at > ends->ms[s])
                ends->ms[s] = at;
        }
    return true;
}

/* Whether the source tells of items of this kind at all: a question is known to have none
 * where nothing is said. */
static struct measure_bits tells(const struct ends *ends, const struct measure_bits has,
                                 enum item_field field)
{
    const struct measure_frame *frame = ends->frame;
    const struct study *study = ends->study;
    struct measure_bits known = measure_bits_make(frame->count, frame->arena);
    bool *told = arena_array(frame->arena, bool, (study->source_count + 1) * ITEM_KINDS);

    for (size_t s = 0; s < study->source_count; s++)
        for (size_t c = 0; c < study->sources[s].column_count; c++)
            told[s * ITEM_KINDS + ITEM_ROW] |=
                str_eq(study->sources[s].columns[c].key, item_field(field)->name);
    MEASURE_BITS_EACH (i, has)
        told[source_of(ends, i) * ITEM_KINDS +
             (size_t)measure_column_at(frame->kind, i)] = true;
    for (size_t i = 0; i < frame->count; i++)
        if (measure_column_at(frame->kind, i) == ITEM_QUESTION ||
            told[source_of(ends, i) * ITEM_KINDS +
                 (size_t)measure_column_at(frame->kind, i)])
            measure_bits_set(known, i);
    return known;
}

static void find_known(const struct ends *ends)
{
    struct measure_frame *frame = ends->frame;

    measure_bits_add(frame->accepted_known,
                     tells(ends, frame->accepted, ITEM_FIELD_ACCEPTED));
    measure_bits_add(frame->closed_known, tells(ends, frame->closed, ITEM_FIELD_CLOSED));
    measure_bits_add(frame->answered_known, frame->answered);
    frame->endorsed_known = measure_bits_make(frame->count, frame->arena);
    for (size_t i = 0; i < frame->count; i++) {
        size_t s = source_of(ends, i);
        int64_t kind = measure_column_at(frame->kind, i);
        if (kind == ITEM_ROW && measure_column_at(frame->answers, i) != ITEM_NONE)
            measure_bits_set(frame->answered_known, i);
        if (kind == ITEM_QUESTION && measure_column_at(frame->owner, i) != ITEM_NONE &&
            s < ends->study->source_count &&
            (ends->study->sources[s].also >> ITEM_ALSO_COMMENTS & 1))
            measure_bits_set(frame->endorsed_known, i);
    }
}

static bool take_late(void *context, int64_t answer, int64_t question, struct err *err)
{
    struct measure_frame *frame = context;
    size_t i = measure_frame_find(frame, question);

    (void)err;
    if (i == frame->count)
        return true;
    if (measure_column_at(frame->first_ms, i) == ITEM_NONE)
        measure_bits_set(frame->first_late, i);
    measure_bits_set(frame->answered_known, i);
    if (measure_column_at(frame->accepted_id, i) == answer &&
        measure_column_at(frame->accepted_ms, i) == ITEM_NONE)
        measure_bits_set(frame->accepted_late, i);
    return true;
}

/* What came after the end was not there when the source ended, also where a table or
 * another source tells of it. */
static struct measure_column cut_late(const struct ends *ends,
                                      struct measure_column event_ms,
                                      struct measure_bits late)
{
    struct measure_column_maker cut = {0};
    const struct study *study = ends->study;

    for (size_t i = 0; i < event_ms.count; i++) {
        int64_t event = measure_column_at(event_ms, i);
        size_t s = source_of(ends, i);
        if (s < study->source_count && study->sources[s].until_ms != INT64_MAX &&
            event >= ends->ms[s]) {
            event = ITEM_NONE;
            measure_bits_set(late, i);
        }
        measure_column_add(&cut, event, ends->frame->arena);
    }
    return measure_column_end(&cut, ends->frame->arena);
}

static bool ends_before(const struct study *study)
{
    for (size_t s = 0; s < study->source_count; s++)
        if (study->sources[s].until_ms != INT64_MAX)
            return true;
    return false;
}

static void set_ends(const struct ends *ends)
{
    struct measure_frame *frame = ends->frame;
    struct measure_column_maker end_ms = {0};

    for (size_t i = 0; i < frame->count; i++)
        measure_column_add(&end_ms, ends->ms[source_of(ends, i)], frame->arena);
    frame->end_ms = measure_column_end(&end_ms, frame->arena);
    frame->first_late = measure_bits_make(frame->count, frame->arena);
    frame->accepted_late = measure_bits_make(frame->count, frame->arena);
    if (ends_before(ends->study)) {
        frame->first_ms = cut_late(ends, frame->first_ms, frame->first_late);
        frame->accepted_ms = cut_late(ends, frame->accepted_ms, frame->accepted_late);
    }
}

static bool find_ends(struct measure_frame *frame, const struct study *study,
                      struct err *err)
{
    struct ends ends = {.frame = frame, .study = study};
    bool ok = true;

    if (study->source_count > 1) {
        ends.of = arena_array(&ends.work, uint32_t, frame->count + 1);
        ok = store_origins(frame->corpus, take_end, &ends, err);
        for (size_t i = 0; i < frame->count; i++)
            ends.of[i] -= ends.of[i] > 0;
    }
    ok = ok && end_open_sources(&ends, err);
    if (ok) {
        find_known(&ends);
        set_ends(&ends);
    }
    arena_free(&ends.work);
    return ok && store_late(frame->corpus, take_late, frame, err);
}

static bool take_value(void *context, int64_t id, struct str text, struct err *err)
{
    struct own_field *field = context;
    struct own_value value = {id, field->texts.len, text.len};

    (void)err;
    list_add(&field->values, value);
    buf_add(&field->texts, text);
    return true;
}

static bool take_source(void *context, int64_t id, struct str name, struct err *err)
{
    struct frame_loader *loader = context;

    (void)err;
    for (size_t s = 0; s < loader->source_count; s++)
        if (str_eq(loader->sources[s].name, name))
            idset_add(&loader->sources[s].ids, id);
    return true;
}

/* What the slots' queries name, each once. */
static struct str *names_of(const struct frame_loader *loader, struct arena *arena,
                            struct str *(*ask)(const struct query_node *, struct arena *,
                                               size_t *),
                            size_t *count)
{
    struct query_node all = {.kind = QUERY_AND};
    struct query_node **tail = &all.first;

    for (size_t s = 0; s < loader->slot_count; s++)
        if (loader->slots[s].query != NULL) {
            *tail = arena_array(arena, struct query_node, 1);
            **tail = *loader->slots[s].query;
            (*tail)->next = NULL;
            tail = &(*tail)->next;
        }
    return ask(&all, arena, count);
}

/* Before the pass: what items are called by their sources and where they stand. */
static bool load_own(struct frame_loader *loader, struct store *corpus,
                     struct arena *arena, struct err *err)
{
    struct str *fields = names_of(loader, arena, query_own_fields, &loader->field_count);
    struct str *sources = names_of(loader, arena, query_sources, &loader->source_count);

    loader->fields = arena_array(arena, struct own_field, loader->field_count + 1);
    loader->sources = arena_array(arena, struct own_source, loader->source_count + 1);
    for (size_t s = 0; s < loader->source_count; s++)
        loader->sources[s].name = sources[s];
    for (size_t f = 0; f < loader->field_count; f++) {
        loader->fields[f].name = fields[f];
        if (!store_field(corpus, fields[f], take_value, &loader->fields[f], err))
            return false;
    }
    return loader->source_count == 0 || store_origins(corpus, take_source, loader, err);
}

/* --- what queries ask of what is around an item --- */

/* Whether what hangs on items of this space are comments, whoever wrote them. */
static bool is_talk(const struct frame_loader *loader, int64_t id)
{
    const struct study *study = loader->study;

    for (size_t i = 0; i < study->spaces.count; i++)
        if (study->spaces.at[i].space == item_space(id))
            return study->sources[i].kind->knows != NULL;
    return false;
}

/* What hangs on an item is tested by every condition on such. */
static bool test_below(struct frame_loader *loader, const struct store_row *row,
                       const struct str *body, bool answer, bool comment, struct err *err)
{
    struct query_relations *relations = loader->relations;
    bool holds;

    loader->row = row;
    loader->given = body;
    loader->split = false;
    loader->err = err;
    struct query_item asked = asked_of(loader);
    for (size_t i = 0; i < relations->count; i++) {
        struct query_relation *relation = &relations->at[i];
        if (!(relation->field == QUERY_FIELD_ANSWER && answer) &&
            !(relation->field == QUERY_FIELD_COMMENT && comment))
            continue;
        if (!query_test(relation->asked, loader->asked[i], &asked, &holds, err) ||
            loader->failed)
            return false;
        if (holds)
            query_relation_add(relation, row->item.parent);
    }
    loader->given = NULL;
    return true;
}

static bool take_below(void *context, const struct store_row *row, struct err *err)
{
    return row->item.parent == ITEM_NONE ||
           test_below(context, row, NULL, row->item.kind == ITEM_ANSWER,
                      is_talk(context, row->item.id), err);
}

static bool take_comment(void *context, const struct store_comment *comment,
                         struct err *err)
{
    struct store_row row = {.item = item_empty()};

    row.item.id = comment->id;
    row.item.kind = ITEM_COMMENT;
    row.item.parent = comment->item;
    row.item.created_ms = comment->created_ms;
    row.item.score = comment->score;
    row.item.owner = comment->user;
    row.item.form = ITEM_PLAIN;
    return test_below(context, &row, &comment->text, false, true, err);
}

static void note_number(struct frame_loader *loader, enum query_field field, int64_t id,
                        int64_t value)
{
    struct query_relations *relations = loader->relations;

    for (size_t i = 0; i < relations->count; i++) {
        struct query_relation *relation = &relations->at[i];
        if (relation->field == field && value != ITEM_NONE &&
            (field == QUERY_FIELD_DUPLICATE ||
             (value >= relation->min && value <= relation->max)))
            query_relation_add(relation, id);
    }
}

static bool take_reputation(void *context, int64_t user, int64_t reputation,
                            struct err *err)
{
    (void)err;
    note_number(context, QUERY_FIELD_REPUTATION, user, reputation);
    return true;
}

static bool take_link(void *context, int64_t item, int64_t type, struct err *err)
{
    enum { DUPLICATE = 3 };

    (void)err;
    if (type == DUPLICATE)
        note_number(context, QUERY_FIELD_DUPLICATE, item, type);
    return true;
}

/* --- endorsed answers, for queries and for measures --- */

struct endorsed_reader {
    struct query_endorsed endorsed;
    struct buf work;
    const struct measure_frame *frame; /* of measures */
    int64_t *ms, *answers;
};

static bool take_thanks(void *context, const struct store_comment *comment,
                        struct err *err)
{
    struct endorsed_reader *reader = context;

    (void)err;
    if (comment->user != ITEM_NONE && text_thanks(comment->text, &reader->work))
        query_endorsed_thank(&reader->endorsed, comment->item, comment->user);
    return true;
}

static bool read_thanks(struct endorsed_reader *reader, struct store *corpus,
                        struct err *err)
{
    bool ok = store_comments(corpus, take_thanks, reader, err);

    query_endorsed_sort(&reader->endorsed);
    return ok;
}

static void close_reader(struct endorsed_reader *reader)
{
    query_endorsed_free(&reader->endorsed);
    buf_free(&reader->work);
}

static bool take_post(void *context, const struct store_row *row, struct err *err)
{
    struct endorsed_reader *reader = context;
    const struct item *item = &row->item;
    struct query_endorsed_note post = {item->id, item->parent, item->owner};
    enum item_kind kind = (enum item_kind)item->kind;

    (void)err;
    if (query_endorsed_wants(&reader->endorsed, kind, item->id, item->owner))
        query_endorsed_post(&reader->endorsed, kind, post);
    return true;
}

static bool find_endorsed(struct store *corpus, struct query_relations *relations,
                          struct err *err)
{
    struct endorsed_reader reader = {0};
    bool ok = read_thanks(&reader, corpus, err) &&
              store_scan(corpus, 1u << ITEM_QUESTION | 1u << ITEM_ANSWER, take_post,
                         &reader, err);

    if (ok)
        query_endorsed_tell(&reader.endorsed, relations);
    close_reader(&reader);
    return ok;
}

static bool take_endorsed(void *context, const struct store_row *row, struct err *err)
{
    struct endorsed_reader *reader = context;
    const struct item *answer = &row->item;
    size_t i = measure_frame_find(reader->frame, answer->parent);

    (void)err;
    if (i < reader->frame->count &&
        query_endorsed_is(&reader->endorsed, answer->id, answer->owner,
                          measure_column_at(reader->frame->owner, i)) &&
        answer->created_ms != ITEM_NONE &&
        (reader->ms[i] == ITEM_NONE || answer->created_ms < reader->ms[i])) {
        reader->ms[i] = answer->created_ms;
        reader->answers[i] = answer->id;
    }
    return true;
}

static struct measure_column of_units(const struct measure_frame *frame,
                                      struct measure_column items)
{
    struct measure_column_maker units = {0};

    for (size_t i = 0; i < frame->count; i++)
        measure_column_add(&units, measure_column_at(items, frame->item_of[i]),
                           frame->arena);
    return measure_column_end(&units, frame->arena);
}

bool measure_frame_endorsed(const struct measure_frame *frame,
                            struct measure_endorsed *out, struct err *err)
{
    struct endorsed_reader reader = {.frame = frame};
    struct measure_endorsed items;
    struct arena work = {0};

    if (frame->of_items != NULL) {
        if (!measure_frame_endorsed(frame->of_items, &items, err))
            return false;
        *out = (struct measure_endorsed){of_units(frame, items.ms),
                                         of_units(frame, items.answers)};
        return true;
    }
    *out = *frame->endorsed;
    if (out->ms.blocks != NULL)
        return true;
    reader.ms = arena_array(&work, int64_t, frame->count + 1);
    reader.answers = arena_array(&work, int64_t, frame->count + 1);
    for (size_t i = 0; i < frame->count; i++)
        reader.ms[i] = reader.answers[i] = ITEM_NONE;
    bool ok = read_thanks(&reader, frame->corpus, err) &&
              store_scan(frame->corpus, 1u << ITEM_ANSWER, take_endorsed, &reader, err);
    close_reader(&reader);
    if (ok)
        *out = *frame->endorsed = (struct measure_endorsed){
            measure_column_of(reader.ms, frame->count, frame->arena),
            measure_column_of(reader.answers, frame->count, frame->arena)};
    arena_free(&work);
    return ok;
}

/* Relative dates count from the newest item of all sources of a site. */
static bool find_newest(struct frame_loader *loader, struct store *corpus,
                        struct arena *arena, struct err *err)
{
    const struct study *study = loader->study;
    struct store_span span;

    loader->newest_ms = arena_array(arena, int64_t, study->spaces.count + 1);
    for (size_t i = 0; i < study->spaces.count; i++)
        loader->newest_ms[i] = ITEM_NONE;
    for (size_t i = 0; i < study->spaces.count; i++) {
        if (!store_source_span(corpus, i, &span, err))
            return false;
        int64_t *newest = &loader->newest_ms[study->spaces.at[i].space];
        *newest = span.last_ms > *newest ? span.last_ms : *newest;
    }
    return true;
}

/* In the order in which they ask for each other. */
static bool find_related(struct frame_loader *loader, struct store *corpus,
                         struct arena *arena, struct err *err)
{
    const struct query_relations *relations = loader->relations;

    loader->asked = arena_array(arena, struct query_scratch *, relations->count + 1);
    for (size_t i = 0; i < relations->count; i++)
        if (relations->at[i].asked != NULL) {
            loader->asked[i] = query_scratch_open(relations->at[i].asked);
            loader->wanted |= query_parts(&relations->at[i].needs);
        }
    return find_newest(loader, corpus, arena, err) &&
           (!query_relations_ask(relations, QUERY_FIELD_REPUTATION) ||
            store_reputations(corpus, take_reputation, loader, err)) &&
           (!query_relations_ask(relations, QUERY_FIELD_DUPLICATE) ||
            store_links(corpus, take_link, loader, err)) &&
           (!query_relations_ask(relations, QUERY_FIELD_HASENDORSED) ||
            find_endorsed(corpus, loader->relations, err)) &&
           (!query_relations_ask(relations, QUERY_FIELD_COMMENT) ||
            store_comments(corpus, take_comment, loader, err)) &&
           ((!query_relations_ask(relations, QUERY_FIELD_COMMENT) &&
             !query_relations_ask(relations, QUERY_FIELD_ANSWER)) ||
            store_scan(corpus, 1u << ITEM_ANSWER | 1u << ITEM_COMMENT, take_below, loader,
                       err));
}

/* What servers may test themselves is asked in the scan. */
static bool scan_items(struct frame_loader *loader, struct store *corpus,
                       struct arena *arena, struct err *err)
{
    struct store_asked *queries =
        arena_array(arena, struct store_asked, loader->slot_count + 1);
    struct store_asking asking = {.kinds = item_studied_kinds() | 1u << ITEM_ANSWER |
                                           1u << ITEM_COMMENT,
                                  .brief = 1u << ITEM_ANSWER | 1u << ITEM_COMMENT,
                                  .queries = queries,
                                  .bodies = loader->wanted != 0};

    for (size_t s = 0; s < loader->slot_count; s++)
        if (loader->slots[s].query != NULL)
            queries[asking.count++] =
                (struct store_asked){loader->slots[s].name, loader->slots[s].query};
    return store_scan_asking(corpus, &asking, take_item, loader, err);
}

/* What the texts of are looked into: servers send no others. */
static void expect_texts(const struct frame_loader *loader, struct store *corpus,
                         struct arena *arena)
{
    const struct query_node **queries =
        arena_array(arena, const struct query_node *, loader->slot_count + 1);
    size_t count = 0;

    for (size_t s = 0; s < loader->slot_count; s++)
        if (loader->slots[s].query != NULL) {
            struct query_needs needs = query_needs(loader->slots[s].query);
            if (query_parts(&needs) != 0)
                queries[count++] = loader->slots[s].query;
        }
    store_expect(corpus, queries, count);
}

static bool open_relations(struct frame_loader *loader, struct arena *arena,
                           struct err *err)
{
    const struct query_node **queries =
        arena_array(arena, const struct query_node *, loader->slot_count + 1);
    size_t count = 0;

    for (size_t s = 0; s < loader->slot_count; s++)
        if (loader->slots[s].query != NULL)
            queries[count++] = loader->slots[s].query;
    return query_relations_open(queries, count, &loader->relations, err);
}

static bool compile_slots(struct frame_loader *loader, struct arena *arena,
                          struct err *err)
{
    struct query_options how = {.relations = loader->relations};

    loader->compiled =
        arena_array(arena, struct query_compiled *, loader->slot_count + 1);
    loader->scratch = arena_array(arena, struct query_scratch *, loader->slot_count + 1);
    loader->at = arena_array(arena, size_t, loader->slot_count + 1);
    loader->in = arena_array(arena, bool, loader->slot_count + 1);
    loader->members = arena_array(arena, struct members, loader->slot_count + 1);
    loader->passed = arena_array(arena, struct buf, loader->slot_count + 1);
    for (size_t s = 0; s < loader->slot_count; s++) {
        struct measure_frame_slot *slot = &loader->slots[s];
        if (slot->query == NULL)
            continue;
        if (!query_compile(slot->query, how, &loader->compiled[s], err))
            return false;
        loader->scratch[s] = query_scratch_open(loader->compiled[s]);
        struct query_needs needs = query_needs(slot->query);
        loader->wanted |= query_parts(&needs);
        slot->funnel = query_funnel_begin(loader->compiled[s], arena);
    }
    return true;
}

static void free_answers(struct answers *answers)
{
    measure_column_free(&answers->question);
    measure_column_free(&answers->created_ms);
    measure_column_free(&answers->id);
    measure_column_free(&answers->owner);
    arena_free(&answers->arena);
}

static void close_loader(struct frame_loader *loader)
{
    for (size_t i = 0; loader->asked != NULL && i < loader->relations->count; i++)
        query_scratch_close(loader->asked[i]);
    for (size_t s = 0; loader->compiled != NULL && s < loader->slot_count; s++) {
        query_scratch_close(loader->scratch[s]);
        query_free(loader->compiled[s]);
        list_free(&loader->members[s].words);
        buf_free(&loader->passed[s]);
    }
    for (size_t f = 0; f < loader->field_count; f++) {
        list_free(&loader->fields[f].values);
        buf_free(&loader->fields[f].texts);
    }
    for (size_t s = 0; s < loader->source_count; s++)
        idset_free(&loader->sources[s].ids);
    for (size_t i = 0; i < ITEM_NUMBERS; i++)
        measure_column_free(&loader->numbers[i]);
    buf_free(&loader->flags);
    free_answers(&loader->answers);
    idset_free(&loader->commented);
    query_relations_close(loader->relations);
    text_html_parts_free(&loader->parts);
}

bool measure_frame_load(struct store *corpus, struct measure_frame_slot *slots,
                        size_t slot_count, const struct study *study, struct arena *arena,
                        struct measure_frame *out, struct err *err)
{
    struct frame_loader loader = {
        .study = study, .slots = slots, .slot_count = slot_count, .arena = arena};

    *out = (struct measure_frame){.arena = arena,
                                  .corpus = corpus,
                                  .spaces = &study->spaces,
                                  .endorsed =
                                      arena_array(arena, struct measure_endorsed, 1)};
    bool ok = open_relations(&loader, arena, err) && compile_slots(&loader, arena, err) &&
              load_own(&loader, corpus, arena, err) &&
              find_related(&loader, corpus, arena, err);
    expect_texts(&loader, corpus, arena);
    ok = ok && scan_items(&loader, corpus, arena, err);
    store_expect(corpus, NULL, 0);
    if (ok)
        finish_items(&loader, out);
    ok = ok && finish_answers(&loader, out, err);
    close_loader(&loader);
    return ok && find_ends(out, study, err);
}

size_t measure_frame_find(const struct measure_frame *frame, int64_t id)
{
    size_t low;

    ORDER_SEEK(low, frame->count, measure_column_at(frame->ids, low) < id);
    return low < frame->count && measure_column_at(frame->ids, low) == id ? low
                                                                          : frame->count;
}

/* What items are called, not counted: a field's texts, and their sources. They are read
 * when somebody asks. */
struct text_loader {
    const struct measure_frame *frame;
    struct map map; /* text to number, in order of appearance */
    uint32_t *of;
};

static bool take_text(void *context, int64_t id, struct str text, struct err *err)
{
    struct text_loader *loader = context;
    size_t i = measure_frame_find(loader->frame, id);

    (void)err;
    if (i == loader->frame->count)
        return true;
    loader->of[i] = (uint32_t)map_number(&loader->map, text) + 1;
    return true;
}

bool measure_frame_field(const struct measure_frame *frame, struct str name,
                         struct measure_frame_texts *out, struct err *err)
{
    struct text_loader loader = {frame,
                                 {.arena = frame->arena},
                                 arena_array(frame->arena, uint32_t, frame->count + 1)};

    if (frame->of_items != NULL) {
        if (!measure_frame_field(frame->of_items, name, out, err))
            return false;
        for (size_t i = 0; i < frame->count; i++)
            loader.of[i] = out->of[frame->item_of[i]];
        out->of = loader.of;
        return true;
    }
    *out = (struct measure_frame_texts){.of = loader.of};
    if (!store_field(frame->corpus, name, take_text, &loader, err))
        return false;
    size_t count = loader.map.count;
    const struct map_entry *entries = map_sorted(&loader.map, frame->arena);
    uint32_t *place = arena_array(frame->arena, uint32_t, count + 2);
    out->names = arena_array(frame->arena, struct str, count + 1);
    out->name_count = count;
    for (size_t i = 0; i < count; i++) {
        out->names[i] = entries[i].key;
        place[entries[i].value + 1] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < frame->count; i++)
        out->of[i] = place[out->of[i]];
    return true;
}

struct source_loader {
    const struct measure_frame *frame;
    struct measure_frame_source *sources;
    size_t count, room;
};

static bool take_origin(void *context, int64_t id, struct str name, struct err *err)
{
    struct source_loader *loader = context;
    struct arena *arena = loader->frame->arena;
    size_t s = 0, i = measure_frame_find(loader->frame, id);

    (void)err;
    while (s < loader->count && !str_eq(loader->sources[s].name, name))
        s++;
    if (s == loader->count) {
        if (loader->count == loader->room) {
            struct measure_frame_source *more =
                arena_array(arena, struct measure_frame_source, loader->room * 2 + 4);
            if (loader->count > 0)
                memcpy(more, loader->sources, loader->count * sizeof *more);
            loader->sources = more;
            loader->room = loader->room * 2 + 4;
        }
        loader->sources[loader->count++] = (struct measure_frame_source){
            arena_copy(arena, name), measure_bits_make(loader->frame->count, arena)};
    }
    if (i < loader->frame->count)
        measure_bits_set(loader->sources[s].bits, i);
    return true;
}

bool measure_frame_sources(const struct measure_frame *frame,
                           struct measure_frame_source **out, size_t *count,
                           struct err *err)
{
    struct source_loader loader = {.frame = frame};
    bool ok = store_origins(frame->corpus, take_origin, &loader, err);

    *out = loader.sources;
    *count = loader.count;
    return ok;
}
