/* Threads judge the posts of a part; the calling thread, in the order of the file,
 * decides on answers, for only it knows all questions that came before. An answer is
 * brought to it unless a row of its question that is not taken is known to stand before
 * it, which holds for nearly all of them. How much is known by then differs from run to
 * run. It changes nothing: should another row of that question be taken, all its answers
 * behind the row that is not come in the second pass, those that were brought too. */
#include "dump/select.h"

#include <pthread.h>
#include <string.h>

#include "dump/internal.h"
#include "dump/value.h"

static void note_date(struct dump_select_health *health, int64_t ms)
{
    if (ms == ITEM_NONE)
        return;
    if (health->first_ms == ITEM_NONE || ms < health->first_ms)
        health->first_ms = ms;
    if (health->last_ms == ITEM_NONE || ms > health->last_ms)
        health->last_ms = ms;
}

int64_t dump_select_census_note(bool late, const struct item *post, struct str raw_tags,
                                struct dump_select_health *health, struct buf *census)
{
    if (late) {
        health->late++;
        return 0;
    }
    note_date(health, post->created_ms);
    health->no_date += post->created_ms == ITEM_NONE;
    health->questions += post->kind == ITEM_QUESTION;
    health->answers += post->kind == ITEM_ANSWER;
    health->others += post->kind != ITEM_QUESTION && post->kind != ITEM_ANSWER;
    if (post->kind != ITEM_QUESTION)
        return 0;
    struct dump_tally_noted noted = dump_tally_note(census, post, raw_tags);
    health->accepted += post->accepted != ITEM_NONE;
    health->tags_missing += raw_tags.len == 0;
    health->tags_in_angles += noted.first == '<';
    health->tags_in_bars += noted.first == '|';
    return noted.replaced;
}

void dump_select_census_merge(struct dump_select_health *into,
                              const struct dump_select_health *from)
{
    into->questions += from->questions;
    into->answers += from->answers;
    into->others += from->others;
    into->typed += from->typed;
    into->planted += from->planted;
    into->late += from->late;
    into->no_date += from->no_date;
    into->accepted += from->accepted;
    into->tags_in_angles += from->tags_in_angles;
    into->tags_in_bars += from->tags_in_bars;
    into->tags_missing += from->tags_missing;
    if (into->doubts.unreadable == 0)
        memcpy(into->doubts.first, from->doubts.first, sizeof into->doubts.first);
    into->doubts.replaced += from->doubts.replaced;
    into->doubts.unreadable += from->doubts.unreadable;
    note_date(into, from->first_ms);
    note_date(into, from->last_ms);
}

void dump_select_census_finish(struct dump_select_state *state)
{
    const int64_t *parents = (const void *)state->early_answers.ptr;
    size_t count = state->early_answers.len / sizeof *parents;

    for (size_t i = 0; i < count; i++)
        state->health.orphans += !idset_has(&state->seen, parents[i]);
    state->health.accepted_missing = idset_missing(&state->accepted, &state->ids);
}

/* Where a pass stands, as bytes: pieces of known length, one after the other. */
enum { SETS = 7 };

static void sets_of(struct dump_select_state *state, struct idset *sets[SETS])
{
    sets[0] = &state->seen;
    sets[1] = &state->matched;
    sets[2] = &state->early;
    sets[3] = &state->given;
    sets[4] = &state->ids;
    sets[5] = &state->accepted;
    sets[6] = &state->split;
}

void dump_select_state_free(struct dump_select_state *state)
{
    struct idset *sets[SETS];

    sets_of(state, sets);
    for (int i = 0; i < SETS; i++)
        idset_free(sets[i]);
    buf_free(&state->early_answers);
    buf_free(&state->late_answers);
    dump_tally_free(&state->tally);
    *state = (struct dump_select_state){0};
}

/* The plain numbers of a state, as they are packed. */
struct numbers {
    int64_t taken, taken_answers, start, start_line, rows, broken, again;
    struct dump_rows_problem first_broken;
    int64_t first_broken_line;
    struct input_hashed hashed;
    struct dump_select_health health;
};

static void add_piece(struct buf *out, struct str bytes)
{
    uint64_t len = bytes.len;

    buf_add(out, (struct str){(const char *)&len, sizeof len});
    buf_add(out, bytes);
}

static bool take_piece(struct str *rest, struct str *piece)
{
    uint64_t len;

    if (rest->len < sizeof len)
        return false;
    memcpy(&len, rest->ptr, sizeof len);
    *rest = str_slice(*rest, sizeof len, rest->len);
    if (len > rest->len)
        return false;
    *piece = str_slice(*rest, 0, len);
    *rest = str_slice(*rest, len, rest->len);
    return true;
}

void dump_select_save(const struct dump_select_state *state, struct buf *out)
{
    struct dump_select_state copy = *state; /* only to name its sets */
    struct idset *sets[SETS];
    struct buf piece = {0};
    struct numbers numbers = {.taken = state->taken,
                              .taken_answers = state->taken_answers,
                              .start = state->start,
                              .start_line = state->start_line,
                              .rows = state->scan.rows,
                              .broken = state->scan.broken,
                              .again = state->again,
                              .first_broken = state->scan.first_broken,
                              .first_broken_line = state->scan.first_broken_line,
                              .hashed = state->scan.hashed,
                              .health = state->health};

    add_piece(out, (struct str){(const char *)&numbers, sizeof numbers});
    sets_of(&copy, sets);
    for (int i = 0; i < SETS; i++) {
        buf_clear(&piece);
        idset_save(sets[i], &piece);
        add_piece(out, buf_str(&piece));
    }
    buf_clear(&piece);
    dump_tally_save(&state->tally, &piece);
    add_piece(out, buf_str(&piece));
    add_piece(out, buf_str(&state->early_answers));
    add_piece(out, buf_str(&state->late_answers));
    buf_free(&piece);
}

bool dump_select_load(struct dump_select_state *state, struct str bytes)
{
    struct idset *sets[SETS];
    struct numbers numbers;
    struct str piece;

    if (!take_piece(&bytes, &piece) || piece.len != sizeof numbers)
        return false;
    memcpy(&numbers, piece.ptr, sizeof numbers);
    sets_of(state, sets);
    for (int i = 0; i < SETS; i++)
        if (!take_piece(&bytes, &piece) || !idset_load(sets[i], piece))
            return false;
    if (!take_piece(&bytes, &piece) || !dump_tally_load(&state->tally, piece) ||
        !take_piece(&bytes, &piece))
        return false;
    buf_clear(&state->early_answers);
    buf_add(&state->early_answers, piece);
    if (!take_piece(&bytes, &piece))
        return false;
    buf_clear(&state->late_answers);
    buf_add(&state->late_answers, piece);
    state->taken = numbers.taken;
    state->taken_answers = numbers.taken_answers;
    state->start = numbers.start;
    state->start_line = numbers.start_line;
    state->scan.rows = numbers.rows;
    state->scan.broken = numbers.broken;
    state->scan.first_broken = numbers.first_broken;
    state->scan.first_broken_line = numbers.first_broken_line;
    state->scan.hashed = numbers.hashed;
    state->again = numbers.again != 0;
    state->health = numbers.health;
    return bytes.len == 0;
}

/* What a part holds, in its order; text and rows stand in the slot's buffer. */
struct event {
    int64_t row;                  /* its number in the part */
    int64_t replaced, unreadable; /* of an answer: what is counted in health already */
    int64_t id, other; /* other: accepted answer of a question, question of an answer */
    size_t begin, len; /* in the buffer; of an answer not yet decided on, in the block */
    uint8_t type;      /* ITEM_QUESTION, ITEM_ANSWER, 0: any other */
    bool taken;        /* the question meets the query; its text follows */
    bool brought;      /* the answer's row follows, unless it is late */
    bool late;         /* of an answer: all that is taken is that it is there */
    bool left;         /* of an answer: its question stands before it in the part, and is
                          not taken */
    bool again;        /* of a taken question: it stands before it in the part, and is not
                          taken there */
};

struct select_slot {
    struct dump_judge judge;
    struct buf out, events;
    struct buf census;             /* see dump_tally_note() */
    struct idset near, near_taken; /* questions of the part */
    struct buf untaken;            /* ids of questions that were passed by */
    struct buf accepted;           /* with census: their accepted answers, */
    struct buf left;               /* and ids of answers that were passed by */
    struct buf kept;               /* the row that is decoded */
    struct dump_select_health health;
    int64_t doubted; /* the number of the row that health.doubts.first is about */
    int64_t rows;
    int64_t taken;
    struct err err; /* of the first post of the part that could not be judged */
};

struct select_pass {
    const struct dump_select_job *job;
    struct dump_select_state *state;
    pthread_rwlock_t lock;   /* of state->seen and state->matched */
    struct dump_judge judge; /* of the calling thread */
    struct buf out;          /* what a part gives after answers are decided */
    struct dump_rows walk;   /* over a brought answer */
    struct buf alone;        /* which stands here */
    struct dump_judge_filter filter;
    const char *place; /* of the table, for messages */
    bool second;       /* only early answers are looked for */
};

static void clear_slot(void *context, void *memory)
{
    struct select_slot *slot = memory;

    (void)context;
    buf_clear(&slot->out);
    buf_clear(&slot->events);
    buf_clear(&slot->census);
    buf_clear(&slot->untaken);
    buf_clear(&slot->accepted);
    buf_clear(&slot->left);
    idset_free(&slot->near);
    idset_free(&slot->near_taken);
    slot->health =
        (struct dump_select_health){.first_ms = ITEM_NONE, .last_ms = ITEM_NONE};
    slot->taken = slot->rows = 0;
    slot->err.kind = ERR_NONE;
}

/* Counts doubts about the row of that number; the first in the file is kept. */
static void note_doubts(struct select_slot *slot, const struct dump_judge_doubts *doubts,
                        int64_t row)
{
    struct dump_judge_doubts *all = &slot->health.doubts;

    all->replaced += doubts->replaced;
    if (doubts->unreadable > 0 && (all->unreadable == 0 || row < slot->doubted)) {
        memcpy(all->first, doubts->first, sizeof all->first);
        slot->doubted = row;
    }
    all->unreadable += doubts->unreadable;
}

/* The two posts that Stack Exchange plants in its dumps since 2024 are nobody's. */
bool dump_select_is_planted(const struct dump_rows_row *row)
{
    struct str id = dump_rows_raw(row, DUMP_ROWS_ID);

    return id.len == 10 &&
           (str_eq(id, STR("1000000001")) || str_eq(id, STR("1000000010")));
}

/* To be filled. */
static struct event *add_event(struct select_slot *slot)
{
    void *event = buf_reserve(&slot->events, sizeof(struct event));

    slot->events.len += sizeof(struct event);
    return event;
}

/* The post is taken: its text goes to out. What the query has seen of it is counted,
 * though nothing else is wanted. */
static void make_text(const struct dump_select_job *job, struct dump_judge *judge,
                      const struct dump_rows_row *row, struct buf *out)
{
    struct item post;

    if (job->make != NULL)
        job->make(job->context, judge, row, out);
    else if (judge->needs_text)
        dump_judge_read_all(judge, row, &post);
}

/* False when the post cannot be judged, with slot->err. */
static bool work_question(const struct select_pass *pass, struct select_slot *slot,
                          const struct dump_rows_row *row, const struct item *post,
                          bool possible)
{
    const struct dump_select_job *job = pass->job;
    struct event event = {.id = post->id,
                          .other = post->accepted,
                          .type = ITEM_QUESTION,
                          .begin = slot->out.len};

    if (possible && !dump_judge_post(&slot->judge, post, &event.taken, &slot->err))
        return false;
    if (event.taken) {
        make_text(job, &slot->judge, row, &slot->out);
        slot->taken++;
    }
    event.len = slot->out.len - event.begin;
    if (job->answers) {
        event.again = event.taken && idset_has(&slot->near, event.id);
        idset_add(event.taken ? &slot->near_taken : &slot->near, event.id);
    }
    if (job->answers || job->census)
        *add_event(slot) = event;
    return true;
}

/* Answers whose question is known and not taken stay behind: those of the block among the
 * events from `first` on. But for the census nobody asks for these, and they are dropped.
 * Most stand near their question, in the same part, and are left there: see pass_by().
 */
static void bring_answers(struct select_pass *pass, struct select_slot *slot,
                          size_t first, const char *block)
{
    struct event *events = (void *)slot->events.ptr;
    size_t count = slot->events.len / sizeof *events, kept = first;
    const struct dump_select_state *state = pass->state;

    pthread_rwlock_rdlock(&pass->lock);
    for (size_t i = first; i < count; i++) {
        struct event *event = &events[i];
        if (event->type == ITEM_ANSWER) {
            if (pass->second)
                event->brought = idset_has(&state->matched, event->other) &&
                                 idset_has(&state->early, event->other);
            else
                event->brought =
                    !event->left && (!idset_has(&state->seen, event->other) ||
                                     idset_has(&state->matched, event->other));
            if (!event->brought && (pass->second || !pass->job->census))
                continue;
        }
        if (event->brought && !event->late) {
            struct str row = {block + event->begin, event->len};
            event->begin = slot->out.len;
            buf_add(&slot->out, row);
        }
        if (kept != i)
            events[kept] = *event;
        kept++;
    }
    pthread_rwlock_unlock(&pass->lock);
    slot->events.len = kept * sizeof *events;
}

/* Whether the question of an answer stands before it in the part and is not taken. Should
 * another row of it be taken elsewhere, such answers come in the second pass. */
static bool is_left(const struct select_slot *slot, int64_t question)
{
    return idset_has(&slot->near, question) && !idset_has(&slot->near_taken, question);
}

static void add_id(struct buf *ids, int64_t id)
{
    buf_add(ids, (struct str){(const char *)&id, sizeof id});
}

/* Nearly all rows are neither taken nor answer what is: of a question that cannot meet
 * the query, or an answer that is left at such a one, nothing has to be known but that,
 * and what a census counts. False when the row has to be looked at. */
static bool pass_by(struct select_slot *slot, const struct dump_rows_row *row, int64_t id)
{
    struct str type = dump_rows_raw(row, DUMP_ROWS_POST_TYPE_ID);
    int64_t question;

    if (type.len != 1)
        return false;
    if (type.ptr[0] == '0' + ITEM_QUESTION && !dump_rows_has(row, DUMP_ROWS_PARENT_ID)) {
        if (slot->taken > 0 && idset_has(&slot->near_taken, id))
            return false; /* where it stands matters to answers in this part */
        idset_add(&slot->near, id);
        add_id(&slot->untaken, id);
        return true;
    }
    /* An id that an item cannot have is in no set. */
    return type.ptr[0] == '0' + ITEM_ANSWER && dump_rows_has(row, DUMP_ROWS_PARENT_ID) &&
           dump_value_row_int(dump_rows_raw(row, DUMP_ROWS_PARENT_ID), &question) &&
           is_left(slot, question);
}

/* What a census counts of a row that is passed by. */
static void count_passed(struct select_slot *slot, const struct dump_rows_row *row,
                         int64_t id)
{
    struct dump_judge_doubts *doubts = &slot->judge.doubts;
    struct item post;

    dump_judge_read_counts(&slot->judge, row, id, &post);
    doubts->replaced += dump_select_census_note(
        false, &post, dump_rows_raw(row, DUMP_ROWS_TAGS), &slot->health, &slot->census);
    if (post.kind == ITEM_ANSWER)
        add_id(&slot->left, id);
    else if (post.accepted != ITEM_NONE)
        add_id(&slot->accepted, post.accepted);
    note_doubts(slot, doubts, slot->rows);
}

static void work_answer(struct select_slot *slot, const char *block,
                        const struct dump_rows_row *row, const struct item *post,
                        bool late)
{
    const struct dump_judge_doubts *doubts = &slot->judge.doubts;

    *add_event(slot) = (struct event){.row = slot->rows,
                                      .replaced = doubts->replaced,
                                      .unreadable = doubts->unreadable,
                                      .id = post->id,
                                      .other = post->parent,
                                      .begin = (size_t)(row->bytes.ptr - block),
                                      .len = row->bytes.len,
                                      .type = ITEM_ANSWER,
                                      .late = late,
                                      .left = is_left(slot, post->parent)};
}

/* A post without an id of its own would take that of another. */
static bool has_id(struct dump_rows *rows, const struct dump_rows_row *row, int64_t *id)
{
    struct str raw = dump_rows_raw(row, DUMP_ROWS_ID);

    if (dump_judge_read_id(row, id))
        return true;
    dump_rows_reject(rows, row, raw.ptr != NULL ? raw : row->bytes,
                     "a whole number as Id");
    return false;
}

/* Reads a row by itself, from a copy. */
static bool read_alone(struct dump_rows *walk, struct str bytes, struct buf *copy,
                       struct dump_rows_row *row)
{
    buf_clear(copy);
    buf_reserve(copy, bytes.len + DUMP_ROWS_PADDING);
    buf_add(copy, bytes);
    memset(buf_reserve(copy, DUMP_ROWS_PADDING), 0, DUMP_ROWS_PADDING);
    walk->where = DUMP_ROWS_CONTENT;
    dump_rows_block(walk, buf_str(copy), 0, false);
    return dump_rows_next(walk, row);
}

/* The same row in memory that nobody changes meanwhile. Should the file have changed
 * since the row was read there, its values are other bytes now, of which decoders make
 * something whatever they are; and that it changed is said in the end. */
static void keep_row(struct buf *copy, const struct dump_rows_row *row,
                     struct dump_rows_row *kept)
{
    buf_clear(copy);
    buf_reserve(copy, row->bytes.len + DUMP_ROWS_PADDING);
    buf_add(copy, row->bytes);
    memset(copy->ptr + copy->len, 0, DUMP_ROWS_PADDING);
    kept->present = row->present;
    for (uint64_t left = row->present; left != 0; left &= left - 1) {
        int a = __builtin_ctzll(left);
        struct str raw = row->raw[a];
        kept->raw[a] = (struct str){copy->ptr + (raw.ptr - row->bytes.ptr), raw.len};
    }
    kept->unknown = NULL; /* nobody asks for them */
    kept->unknown_count = 0;
    kept->bytes = buf_str(copy);
    kept->offset = row->offset;
}

static void work(void *context, void *memory, struct dump_rows *rows)
{
    struct select_pass *pass = context;
    const struct dump_select_job *job = pass->job;
    struct select_slot *slot = memory;
    size_t first = slot->events.len / sizeof(struct event);
    /* What is late is no repeated post, whichever came first: so it is not passed by. */
    const bool passes = !pass->second && (!job->census || job->until_ms == INT64_MAX);
    struct dump_rows_row row, kept;
    struct item post;
    int64_t id;

    for (; slot->err.kind == ERR_NONE && dump_rows_next(rows, &row); slot->rows++) {
        slot->health.typed += dump_rows_has(&row, DUMP_ROWS_POST_TYPE_ID);
        if (dump_select_is_planted(&row)) {
            slot->health.planted += !pass->second;
            continue;
        }
        bool possible =
            !pass->filter.on ||
            dump_judge_filter_passes(&pass->filter, dump_rows_raw(&row, DUMP_ROWS_TAGS));
        if (!possible && !job->answers && !job->census)
            continue;
        if (!has_id(rows, &row, &id))
            continue;
        if (!possible && passes && pass_by(slot, &row, id)) {
            if (job->census)
                count_passed(slot, &row, id);
            continue;
        }
        const struct dump_rows_row *decoded = &row;
        if (possible) { /* it may stand in the file itself */
            decoded = &kept;
            keep_row(&slot->kept, &row, &kept);
        }
        if (possible)
            dump_judge_read(&slot->judge, decoded, &post);
        else if (job->census)
            dump_judge_read_counts(&slot->judge, &row, id, &post);
        else
            dump_judge_read_ids(&slot->judge, &row, id, &post);
        bool late = job->census && post.created_ms >= job->until_ms;
        if (job->census && !pass->second) {
            int64_t replaced = dump_select_census_note(
                late, &post, dump_rows_raw(decoded, DUMP_ROWS_TAGS), &slot->health,
                &slot->census);
            slot->judge.doubts.replaced += possible ? 0 : replaced; /* else it is known */
        }
        if (late && (!job->answers || post.kind != ITEM_ANSWER))
            continue;
        if (job->answers && post.kind == ITEM_ANSWER)
            work_answer(slot, rows->begin, &row, &post, late);
        else if (!pass->second && (!job->answers || post.kind == ITEM_QUESTION) &&
                 !work_question(pass, slot, decoded, &post, possible))
            return; /* merge() ends the pass here, in the order of the file */
        if (!pass->second && !late)
            note_doubts(slot, &slot->judge.doubts, slot->rows);
    }
    if (job->answers)
        bring_answers(pass, slot, first, rows->begin);
}

/* The question stands several times, taken and not: some of its answers may have been
 * dropped. */
static void split_question(struct dump_select_state *state, int64_t question)
{
    if (!idset_add(&state->split, question))
        return;
    idset_add(&state->early, question);
    state->again = true;
}

static void merge_question(struct select_pass *pass, const struct event *event,
                           struct str text)
{
    struct dump_select_state *state = pass->state;
    bool known = !idset_add(&state->seen, event->id);
    bool taken = known && idset_has(&state->matched, event->id);

    if (!event->taken) {
        if (taken)
            split_question(state, event->id);
        return;
    }
    if (event->again || (known && !taken))
        split_question(state, event->id);
    idset_add(&state->matched, event->id);
    state->again = state->again || idset_has(&state->early, event->id);
    buf_add(&pass->out, text);
}

/* Noted in the first pass, but for those of split questions. */
static void merge_late(struct select_pass *pass, const struct event *event)
{
    struct dump_select_state *state = pass->state;
    struct dump_select_late late = {event->id, event->other};
    bool split = idset_has(&state->split, event->other);
    bool wanted = !idset_has(&state->seen, event->other) ||
                  idset_has(&state->matched, event->other);

    if (wanted && split == pass->second)
        buf_add(&state->late_answers, (struct str){(const char *)&late, sizeof late});
}

/* The row of an answer stands alone here; it is read once more. */
static void add_answer(struct select_pass *pass, struct select_slot *slot,
                       const struct event *event, struct str row_bytes)
{
    struct dump_judge_doubts *doubts = &pass->judge.doubts;
    struct dump_rows_row row;

    if (read_alone(&pass->walk, row_bytes, &pass->alone, &row)) {
        *doubts = (struct dump_judge_doubts){event->replaced, event->unreadable, ""};
        make_text(pass->job, &pass->judge, &row, &pass->out);
        doubts->replaced -= event->replaced;
        doubts->unreadable -= event->unreadable;
        note_doubts(slot, doubts, event->row);
    }
}

static void merge_answer(struct select_pass *pass, struct select_slot *slot,
                         const struct event *event, struct str row)
{
    struct dump_select_state *state = pass->state;

    if (idset_has(&state->matched, event->other)) {
        if (!pass->second && idset_has(&state->split, event->other))
            return; /* whether it was brought is chance: it comes in the second pass */
        if (!idset_add(&state->given, event->id))
            return; /* given in the first pass, or a row that stands twice */
        state->taken_answers++;
        add_answer(pass, slot, event, row);
        return;
    }
    if (!pass->second && !idset_has(&state->seen, event->other)) {
        idset_add(&state->early, event->other);
        if (pass->job->census)
            buf_add(&state->early_answers,
                    (struct str){(const char *)&event->other, sizeof event->other});
    }
}

/* The questions that were passed by are known to answers that come behind this part. */
static void merge_passed(struct dump_select_state *state, const struct select_slot *slot,
                         bool census)
{
    const int64_t *untaken = (const void *)slot->untaken.ptr,
                  *accepted = (const void *)slot->accepted.ptr,
                  *left = (const void *)slot->left.ptr;

    for (size_t i = 0; i < slot->untaken.len / sizeof *untaken; i++) {
        if (!idset_add(&state->seen, untaken[i]) &&
            idset_has(&state->matched, untaken[i]))
            split_question(state, untaken[i]);
        if (census)
            state->health.duplicates += !idset_add(&state->ids, untaken[i]);
    }
    for (size_t i = 0; i < slot->accepted.len / sizeof *accepted; i++)
        idset_add(&state->accepted, accepted[i]);
    for (size_t i = 0; i < slot->left.len / sizeof *left; i++)
        state->health.duplicates += !idset_add(&state->ids, left[i]);
}

static void merge_events(struct select_pass *pass, struct select_slot *slot)
{
    const struct event *events = (const void *)slot->events.ptr;
    size_t count = slot->events.len / sizeof *events;
    struct dump_select_state *state = pass->state;

    buf_clear(&pass->out);
    pthread_rwlock_wrlock(&pass->lock);
    for (size_t i = 0; i < count; i++) {
        const struct event *event = &events[i];
        struct str bytes =
            str_slice(buf_str(&slot->out), event->begin, event->begin + event->len);
        if (pass->job->census && !pass->second) {
            bool new = idset_add(&state->ids, event->id);
            state->health.duplicates += !new && !event->late;
            if (event->type == ITEM_QUESTION && event->other != ITEM_NONE)
                idset_add(&state->accepted, event->other);
        }
        if (event->type == ITEM_QUESTION)
            merge_question(pass, event, bytes);
        else if (event->late)
            merge_late(pass, event);
        else if (event->brought)
            merge_answer(pass, slot, event, bytes);
    }
    merge_passed(state, slot, pass->job->census);
    pthread_rwlock_unlock(&pass->lock);
}

static enum dump_scan_next merge(void *context, void *memory,
                                 const struct dump_scan_part *part, struct err *err)
{
    struct select_pass *pass = context;
    const struct dump_select_job *job = pass->job;
    struct select_slot *slot = memory;
    struct str bytes = buf_str(&slot->out);
    enum dump_scan_next next = DUMP_SCAN_GO_ON;

    if (slot->err.kind != ERR_NONE) {
        *err = slot->err;
        err_locate(err, "%s: ", pass->place);
        return DUMP_SCAN_FAIL;
    }
    if (job->answers || job->census) {
        merge_events(pass, slot);
        bytes = buf_str(&pass->out);
    }
    pass->state->taken += slot->taken;
    dump_select_census_merge(&pass->state->health, &slot->health);
    if (part->rows > 0 && pass->state->health.typed == 0) {
        err_set(err, ERR_INPUT,
                "%s: not the posts of a Stack Exchange dump: the first %lld rows have no "
                "PostTypeId",
                pass->place, (long long)part->rows);
        return DUMP_SCAN_FAIL;
    }
    dump_tally_take(&pass->state->tally, buf_str(&slot->census));
    if (job->take != NULL && bytes.len > 0)
        next = job->take(job->context, bytes, err);
    if (next == DUMP_SCAN_GO_ON && job->rest != NULL && !pass->second &&
        !job->rest(job->context, part, err))
        next = DUMP_SCAN_FAIL;
    return next;
}

static bool run(struct select_pass *pass, struct input *input, size_t member,
                struct err *err)
{
    const struct dump_select_job *job = pass->job;
    struct arena arena = {0};
    size_t count = dump_scan_slots(job->threads);
    struct select_slot *slots = arena_array(&arena, struct select_slot, count);
    void **pointers = arena_array(&arena, void *, count);
    struct dump_scan_result other = {0};
    struct query_needs needs = query_needs(job->node);

    if (job->answers)
        needs.fields |=
            1u << QUERY_FIELD_ID | 1u << QUERY_FIELD_IS | 1u << QUERY_FIELD_PARENT;
    if (job->census) /* what dump_select_census_note() looks at */
        needs.fields |= 1u << QUERY_FIELD_ID | 1u << QUERY_FIELD_IS |
                        1u << QUERY_FIELD_PARENT | 1u << QUERY_FIELD_HASACCEPTED |
                        1u << QUERY_FIELD_CREATED | 1u << QUERY_FIELD_CLOSED |
                        1u << QUERY_FIELD_SCORE | 1u << QUERY_FIELD_VIEWS |
                        1u << QUERY_FIELD_ANSWERS | 1u << QUERY_FIELD_TAG;
    for (size_t i = 0; i < count; i++) {
        dump_judge_open(&slots[i].judge, job->query, &needs);
        slots[i].judge.origin = job->origin;
        slots[i].judge.newest_ms = job->newest_ms;
        dump_judge_compare(&slots[i].judge, job->other);
        pointers[i] = &slots[i];
    }
    struct dump_scan_job scan = {.threads = job->threads,
                                 .skip_broken = job->skip_broken,
                                 .hash = job->hash && !pass->second,
                                 .map = true,
                                 .start = pass->second ? 0 : pass->state->start,
                                 .start_line = pass->second ? 0 : pass->state->start_line,
                                 .progress = job->progress,
                                 .context = pass,
                                 .slots = pointers,
                                 .clear = clear_slot,
                                 .work = work,
                                 .merge = merge};
    bool ok = dump_scan_table(input, member, &scan,
                              pass->second ? &other : &pass->state->scan, err);
    for (size_t i = 0; i < count; i++) {
        pass->state->other += slots[i].judge.other_meets;
        dump_judge_close(&slots[i].judge);
        buf_free(&slots[i].out);
        buf_free(&slots[i].events);
        buf_free(&slots[i].census);
        buf_free(&slots[i].untaken);
        buf_free(&slots[i].accepted);
        buf_free(&slots[i].left);
        idset_free(&slots[i].near);
        idset_free(&slots[i].near_taken);
        buf_free(&slots[i].kept);
    }
    arena_free(&arena);
    return ok;
}

bool dump_select_posts(struct input *input, size_t member,
                       const struct dump_select_job *job, struct dump_select_state *state,
                       struct err *err)
{
    struct select_pass pass = {
        .job = job, .state = state, .place = input_member(input, member)->place};

    if (state->start == 0)
        state->health.first_ms = state->health.last_ms = ITEM_NONE;
    struct query_needs needs = query_needs(job->node);
    pass.filter = dump_judge_filter_of(job->node);
    dump_judge_open(&pass.judge, job->query, &needs);
    pass.judge.origin = job->origin;
    pthread_rwlock_init(&pass.lock, NULL);
    bool ok = run(&pass, input, member, err);
    if (ok && job->census)
        dump_select_census_finish(state);
    if (ok && state->again && !state->scan.enough) {
        pass.second = true;
        ok = run(&pass, input, member, err);
    }
    pthread_rwlock_destroy(&pass.lock);
    dump_judge_close(&pass.judge);
    buf_free(&pass.out);
    dump_rows_free(&pass.walk);
    buf_free(&pass.alone);
    return ok;
}
