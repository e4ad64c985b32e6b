/* A model's work is a list of questions: an item or a unit, a dimension, a run. Each is
 * looked up among what was asked before, by the hash of its request; what is not there is
 * sent, as many at once as the study says. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"
#include "base/map.h"
#include "base/progress.h"
#include "base/stop.h"
#include "input/json.h"
#include "item/key.h"
#include "label/models.h"
#include "model/reply.h"
#include "model/server.h"

enum {
    POLL_MS = 1000,
    PAUSE_MS = 50,
    MINUTE_MS = 60000,
    BYTES_PER_TOKEN = 4, /* about, of English text */
    ANSWER_TOKENS = 15,  /* about, of an answer that is held to the codes */
};

/* A row that was recorded. */
struct ask_known {
    int64_t id, item, run, tokens_in, tokens_out;
    struct str dimension, unit, state, reply, says;
};

/* What requests took. */
struct ask_cost {
    int64_t requests, bytes, tokens_in, tokens_out;
};

struct ask_prompt {
    struct model_prompt prompt;
    struct str hash;
};

/* A question on its way. */
struct ask_slot {
    bool busy;
    struct arena arena; /* of what follows; given back when it is answered */
    struct label_model_unit about;
    int64_t run;
    size_t dimension;
    int64_t try;
    bool plain; /* without a schema */
    LIST(struct model_prompt_turn) turns;
    const struct model_prompt *prompt;
    struct str prompt_hash;
    struct str own, hash; /* of the request: what comes behind the prompt */
    struct buf request;
    int64_t sent;       /* times */
    int64_t not_before; /* milliseconds of the clock */
    bool waiting;       /* to be sent again */
};

enum {
    BROKEN_SHOWN_MAX = 8, /* items */
    BROKEN_SENDS_MAX = 2, /* of a question after one that was given up */
};

struct ask {
    struct label *label;
    const struct label_task *task;
    const struct model_options *options;
    const struct study_model_rater *model;
    struct arena *arena;
    struct model_done *done;
    struct err *err;

    struct ask_prompt *prompts[2]; /* of each dimension; [1]: without a schema */
    struct str template;
    bool constrained; /* a schema is sent */
    bool taken;       /* the server has taken one */
    LIST(struct ask_known) known;
    struct map by_request; /* request's hash, item, run and unit: place in known plus 1 */
    struct map unschemed;  /* item, run, dimension and unit whose schema was not taken */
    struct map newest;     /* the same: id of the last row */
    struct map renewed;    /* ids of rows that are to count again */
    LIST(struct store_acts_answer) again; /* these */
    int64_t spent;                        /* requests that were ever recorded */
    struct ask_cost known_cost;           /* of those that are not sent again */
    struct label_model_unit *about;
    size_t about_count, next; /* next: question */
    struct buf text;          /* of what was read last: questions about one item or */
    char text_hash[64 + 1];   /* unit follow each other */
    struct label_model_unit text_of; /* item ITEM_NONE: of none */

    struct net_pool *pool;
    struct ask_slot *slots;
    size_t slot_count, busy;
    const char *url;
    struct model_server server;
    struct str says;     /* of itself: the hash */
    int64_t pause_until; /* all wait: a limit of rate */
    int64_t pace_until;  /* the same: `per-minute` */
    int pauses;          /* in a row */
    int rejected;        /* the same */
    int broken_in_row;   /* questions given up for want of a chat completion, since the
                            last that came */
    struct str broken;   /* the first of them: why */
    struct buf broken_items;
    struct progress progress;
    const char *what; /* it says */
};

/* What was asked before. */

/* Two items may have the same text, and the same request: each has its own answer. */
static struct str known_key(struct str request, int64_t item, int64_t run,
                            struct str unit, struct arena *arena)
{
    return arena_format(arena, "%.*s %lld %lld %.*s", STR_ARG(request), (long long)item,
                        (long long)run, STR_ARG(unit));
}

static struct str place_key(int64_t item, int64_t run, struct str dimension,
                            struct str unit, struct arena *arena)
{
    return arena_format(arena, "%lld %lld %.*s %.*s", (long long)item, (long long)run,
                        STR_ARG(dimension), STR_ARG(unit));
}

/* Whether the server knows schemas, as far as its answers tell: one that does not take a
 * request with a schema may do so for another reason, unless it takes it without. */
static void learn_schemas(struct ask *ask, const struct store_acts_answer *answer,
                          struct str place)
{
    if (!str_eq(answer->url, ask->model->url) ||
        !str_eq(answer->asked, ask->model->model) ||
        str_eq(answer->state, STR("rejected")) ||
        (str_eq(answer->state, STR("refused")) && answer->answered.len == 0))
        return; /* it was sent away, by the server or a filter before it */
    if (str_eq(answer->state, STR("unconstrained")))
        *map_put(&ask->unschemed, place) = 1;
    else if (answer->constrained)
        ask->taken = true;
    else if (map_get(&ask->unschemed, place) != NULL && !ask->taken)
        ask->constrained = false;
}

static bool take_known(void *context, const void *row, struct err *err)
{
    struct ask *ask = context;
    const struct store_acts_answer *answer = row;
    struct ask_known known = {.id = answer->id,
                              .item = answer->item,
                              .run = answer->run,
                              .tokens_in = answer->tokens_in,
                              .tokens_out = answer->tokens_out};
    struct arena *arena = ask->arena;

    (void)err;
    if (!str_eq(answer->rater, ask->model->name))
        return true;
    if (label_answer_is_broken(answer)) {
        ask->spent += answer->sent; /* nothing came, but it may have been paid for */
        return true;
    }
    known.dimension = arena_copy(arena, answer->dimension);
    known.unit = arena_copy(arena, answer->unit);
    known.state = arena_copy(arena, answer->state);
    known.reply = arena_copy(arena, answer->reply);
    known.says = arena_copy(arena, answer->says);
    list_add(&ask->known, known);
    int64_t *known_at =
        map_put(&ask->by_request, known_key(answer->request, answer->item, answer->run,
                                            answer->unit, arena));
    ask->spent += *known_at == 0; /* one that counts again was sent once */
    *known_at = (int64_t)ask->known.count;
    struct str place =
        place_key(answer->item, answer->run, answer->dimension, answer->unit, arena);
    *map_put(&ask->newest, place) = answer->id;
    learn_schemas(ask, answer, place);
    return true;
}

/* Prompts. */

static bool make_prompts(struct ask *ask, struct err *err)
{
    const struct study_codebook *codebook = ask->task->codebook;

    for (int plain = 0; plain < 2; plain++) {
        ask->prompts[plain] =
            arena_array(ask->arena, struct ask_prompt, codebook->count + 1);
        for (size_t d = 0; d < codebook->count; d++) {
            struct ask_prompt *out = &ask->prompts[plain][d];
            struct model_prompt_of of = {
                .model = ask->model,
                .codebook = codebook,
                .dimension = &codebook->dimensions[d],
                .leaves = ask->task->settings->leaves,
                .units = ask->task->settings->units,
                .constrained = !plain,
                .template = ask->template,
                .path = ask->model->template != NULL ? ask->model->template : "template"};
            if (!model_prompt_make(&of, ask->arena, &out->prompt, err))
                return false;
            out->hash = label_message_hash(out->prompt.before, ask->arena);
        }
    }
    return true;
}

/* Questions. */

/* Of a unit the item, and behind it the unit. */
static bool read_text(struct ask *ask, const struct label_model_unit *about,
                      struct err *err)
{
    struct arena arena = {0};
    struct str text, unit = {0};
    bool ok =
        label_item_text(ask->label, about->item, &arena, &text, err) &&
        (about->unit.len == 0 || label_unit_text(ask->label, about, &arena, &unit, err));

    buf_clear(&ask->text);
    ask->text_of.item = ITEM_NONE;
    if (ok) {
        ask->text_of = *about;
        buf_add(&ask->text, text);
        if (unit.len > 0)
            buf_add_format(&ask->text, "\n\n%.*s", STR_ARG(unit));
        struct str hash = label_message_hash(buf_str(&ask->text), &arena);
        memcpy(ask->text_hash, hash.ptr, sizeof ask->text_hash - 1);
    }
    arena_free(&arena);
    return ok;
}

/* Below 0: none is sent. */
static int64_t seed_of(const struct ask *ask, const struct ask_slot *slot)
{
    return ask->model->without_seed ? -1 : (int64_t)ask->model->seed + slot->run - 1;
}

static bool make_request(struct ask *ask, struct ask_slot *slot, struct err *err)
{
    const struct ask_prompt *made = &ask->prompts[slot->plain][slot->dimension];
    const struct model_prompt *prompt = &made->prompt;

    slot->prompt = prompt;
    slot->prompt_hash = made->hash;
    if ((ask->text_of.item != slot->about.item ||
         !str_eq(ask->text_of.unit, slot->about.unit)) &&
        !read_text(ask, &slot->about, err))
        return false;
    buf_clear(&slot->request);
    buf_add(&slot->request, prompt->before);
    model_prompt_request(prompt, buf_str(&ask->text), str_from(ask->text_hash),
                         slot->turns.at, slot->turns.count, seed_of(ask, slot),
                         &slot->request);
    slot->own = str_slice(buf_str(&slot->request), prompt->before.len, slot->request.len);
    slot->hash = label_message_hash(buf_str(&slot->request), &slot->arena);
    return true;
}

static void add_try(struct ask_slot *slot, struct str reply, struct str wrong)
{
    struct model_reply read;

    model_reply_read(reply, slot->prompt, &slot->arena, &read);
    list_add(&slot->turns,
             ((struct model_prompt_turn){read.content, arena_copy(&slot->arena, wrong)}));
    slot->try++;
}

static void count_end(struct ask *ask, struct str state)
{
    struct model_done *done = ask->done;

    done->answered += str_eq(state, STR("answered"));
    done->refused += str_eq(state, STR("refused"));
    done->cut += str_eq(state, STR("cut"));
    done->unreadable += str_eq(state, STR("unreadable"));
    done->rejected += str_eq(state, STR("rejected"));
}

/* The answer of a question came just now. */
static void end_question(struct ask *ask, struct str state)
{
    count_end(ask, state);
    progress_add(&ask->progress, 1, 1);
}

/* A row whose place another one has taken since, as with other settings, counts again
 * when a copy of it stands behind that one. */
static void note_renewal(struct ask *ask, const struct ask_known *known,
                         struct arena *arena)
{
    struct str key =
        place_key(known->item, known->run, known->dimension, known->unit, arena);

    if (*map_put(&ask->newest, key) > known->id)
        *map_put(&ask->renewed,
                 (struct str){(const char *)&known->id, sizeof known->id}) = 1;
}

static bool take_renewed(void *context, const void *row, struct err *err)
{
    struct ask *ask = context;
    struct store_acts_answer answer = *(const struct store_acts_answer *)row;
    struct str *const texts[] = {&answer.rater,       &answer.dimension, &answer.state,
                                 &answer.asked,       &answer.answered,  &answer.url,
                                 &answer.server,      &answer.digest,    &answer.version,
                                 &answer.fingerprint, &answer.prompt,    &answer.request,
                                 &answer.reply,       &answer.says,      &answer.unit,
                                 &answer.place,       &answer.called};
    struct str key = {(const char *)&answer.id, sizeof answer.id};

    (void)err;
    if (map_get(&ask->renewed, key) == NULL)
        return true;
    for (size_t i = 0; i < ROWS_OF(texts); i++)
        *texts[i] = arena_copy(ask->arena, *texts[i]);
    struct str *codes = arena_array(ask->arena, struct str, answer.codes.count + 1);
    for (size_t i = 0; i < answer.codes.count; i++)
        codes[i] = arena_copy(ask->arena, answer.codes.at[i]);
    answer.codes.at = codes;
    list_add(&ask->again, answer);
    return true;
}

static bool renew(struct ask *ask, struct err *err)
{
    if (ask->renewed.count == 0 || ask->options->dry)
        return true;
    bool ok = label_answers_each(ask->label, take_renewed, ask, err) &&
              label_begin(ask->label, err);
    for (size_t i = 0; ok && i < ask->again.count; i++) {
        ask->again.at[i].id = 0;
        ok = label_answer_add(ask->label, &ask->again.at[i], err);
    }
    if (ok)
        return label_commit(ask->label, err);
    label_rollback(ask->label);
    return false;
}

/* Servers need not tell tokens; of what they did not take there are none. */
static void note_cost(struct ask_cost *cost, const struct ask_slot *slot,
                      const struct ask_known *known)
{
    if (known->tokens_in == 0)
        return;
    cost->requests++;
    cost->bytes += (int64_t)slot->request.len;
    cost->tokens_in += known->tokens_in;
    cost->tokens_out += known->tokens_out;
}

/* Goes on with what is known. *open: it must be asked. */
static bool look_up(struct ask *ask, struct ask_slot *slot, bool *open, struct err *err)
{
    for (;;) {
        if (!make_request(ask, slot, err))
            return false;
        const int64_t *place =
            map_get(&ask->by_request, known_key(slot->hash, slot->about.item, slot->run,
                                                slot->about.unit, &slot->arena));
        *open = place == NULL;
        if (*open)
            return true;
        struct ask_known known = ask->known.at[*place - 1];
        note_cost(&ask->known_cost, slot, &known);
        if (str_eq(known.state, STR("unconstrained"))) {
            slot->plain = true;
            continue;
        }
        if (!str_eq(known.state, STR("unreadable")) || slot->try > ask->model->retries) {
            ask->done->known++;
            ask->progress.bytes_all--; /* no work is left */
            count_end(ask, known.state);
            note_renewal(ask, &known, &slot->arena);
            return true;
        }
        struct str reply;
        if (!label_message(ask->label, known.reply, &slot->arena, &reply, err))
            return false;
        add_try(slot, reply, known.says);
    }
}

static void free_slot(struct ask_slot *slot)
{
    list_free(&slot->turns);
    buf_free(&slot->request);
    arena_free(&slot->arena);
    *slot = (struct ask_slot){0};
}

static size_t questions(const struct ask *ask)
{
    return ask->about_count * ask->task->codebook->count * (size_t)ask->model->runs;
}

/* The next question that must be asked, in the slot; *found is false at the end. */
static bool next_question(struct ask *ask, struct ask_slot *slot, bool *found,
                          struct err *err)
{
    size_t dimensions = ask->task->codebook->count;

    for (*found = false; ask->next < questions(ask) && !*found; ask->next++) {
        size_t run = ask->next % (size_t)ask->model->runs,
               rest = ask->next / (size_t)ask->model->runs;
        free_slot(slot);
        slot->run = (int64_t)run + 1;
        slot->dimension = rest % dimensions;
        slot->about = ask->about[rest / dimensions];
        slot->try = 1;
        slot->plain = !ask->constrained;
        if (!stop_check(err) || !look_up(ask, slot, found, err))
            return false;
    }
    slot->busy = *found;
    return true;
}

/* Answers. */

static bool record(struct ask *ask, struct ask_slot *slot,
                   const struct net_answer *answer, struct str state,
                   const struct model_reply *read, struct str says, struct err *err)
{
    const struct model_prompt *prompt = slot->prompt;
    struct store_acts_answer row = {
        .at_ms = ask->options->simulated_ms,
        .rater = ask->model->name,
        .item = slot->about.item,
        .unit = slot->about.unit,
        .place = slot->about.place,
        .called = slot->about.called,
        .dimension = ask->task->codebook->dimensions[slot->dimension].id,
        .run = slot->run,
        .try = slot->try,
        .state = state,
        .codes = {read->codes, read->code_count},
        .probability = read->probability,
        .asked = ask->model->model,
        .answered = read->model,
        .url = ask->model->url,
        .server = ask->says,
        .digest = ask->server.digest,
        .fingerprint = read->fingerprint,
        .version = ask->task->version,
        .prompt = slot->prompt_hash,
        .request = slot->hash,
        .reply = label_message_hash(answer->body, &slot->arena),
        .constrained = prompt->constrained,
        .temperature = ask->model->without_temperature ? NAN : ask->model->temperature,
        .seed = seed_of(ask, slot),
        .tokens_in = read->tokens_in,
        .tokens_out = read->tokens_out,
        .seconds = answer->took,
        .sent = slot->sent,
        .says = says};

    ask->done->tokens_in += read->tokens_in;
    ask->done->tokens_out += read->tokens_out;
    return label_message_add(ask->label, row.prompt, (struct str){0}, prompt->before,
                             err) &&
           label_message_add(ask->label, row.request, row.prompt, slot->own, err) &&
           label_message_add(ask->label, row.reply, (struct str){0}, answer->body, err) &&
           label_answer_add(ask->label, &row, err);
}

/* To be sent again, after a while. */
static void wait_a_while(struct ask *ask, struct ask_slot *slot,
                         const struct net_answer *answer)
{
    bool limit = answer->status == 429 || answer->status == 503;

    slot->not_before = progress_clock_ms() +
                       (int64_t)model_server_pause_ms(&ask->server, answer, slot->sent);
    if (limit && slot->not_before > ask->pause_until)
        ask->pause_until = slot->not_before;
    slot->waiting = true;
    ask->done->resent++;
}

static bool put_back(struct ask *ask, struct ask_slot *slot,
                     const struct net_answer *answer, struct err *err)
{
    ask->spent--;
    bool schema = slot->prompt->constrained && !ask->taken && answer->status == 500;
    if (model_server_is_over(answer, slot->sent))
        return model_server_gave_up(
            &ask->server, answer,
            arena_format(&slot->arena,
                         "%s; %lld answers are there, and the next `assay label "
                         "--models` goes on from them",
                         schema ? " (if it knows no JSON schemas, `constrained: no` asks "
                                  "without)"
                                : "",
                         (long long)ask->done->answered)
                .ptr,
            &slot->arena, err);
    wait_a_while(ask, slot, answer);
    return true;
}

/* The first few are named in the end. */
static void name_broken(struct ask *ask, const struct ask_slot *slot)
{
    char shown[ITEM_KEY_SHOWN_MAX];

    if (ask->done->broken <= BROKEN_SHOWN_MAX)
        buf_add_format(&ask->broken_items, "%s%s", ask->broken_items.len > 0 ? ", " : "",
                       item_key_show(&ask->task->study->spaces, slot->about.item, shown));
    else if (ask->done->broken == BROKEN_SHOWN_MAX + 1)
        buf_add(&ask->broken_items, STR(" and others"));
}

/* No chat completion: the server's fault, or that of what is in between. What was sent
 * too often is left open for the next time; where several in a row were, with nothing
 * answered meanwhile, none will be, and that ends it. */
static bool take_broken(struct ask *ask, struct ask_slot *slot,
                        const struct net_answer *answer, const struct model_reply *read,
                        struct err *err)
{
    if (!model_server_is_over(answer, slot->sent) &&
        (ask->broken_in_row == 0 || slot->sent < BROKEN_SENDS_MAX)) {
        wait_a_while(ask, slot, answer);
        return true;
    }
    struct str body = model_server_said(answer->body, ask->arena);
    if (!record(ask, slot, answer, STR("broken"), read, read->says, err))
        return false;
    if (ask->done->broken++ == 0)
        ask->broken = body.len > 0 ? body : STR("nothing");
    progress_add(&ask->progress, 1, 1);
    name_broken(ask, slot);
    return ++ask->broken_in_row < MODEL_SERVER_REJECTED_MAX ||
           err_set(err, ERR_SYSTEM,
                   "%.*s: the server's replies are no chat completions: %.*s; %lld "
                   "answers are there, and the next `assay label --models` goes on from "
                   "them",
                   STR_ARG(ask->model->url), STR_ARG(body),
                   (long long)ask->done->answered);
}

/* The server does not take it: without a schema it may, or this item is too long. */
static bool take_rejected(struct ask *ask, struct ask_slot *slot,
                          const struct net_answer *answer, bool *again, struct err *err)
{
    struct model_reply nothing = {.probability = NAN};
    struct str says = model_server_said(answer->body, &slot->arena);
    bool schema = slot->prompt->constrained && !ask->taken;

    if (model_reply_is_filtered(answer->body)) {
        ask->rejected = 0;
        end_question(ask, STR("refused"));
        return record(ask, slot, answer, STR("refused"), &nothing, says, err);
    }
    if (!record(ask, slot, answer, schema ? STR("unconstrained") : STR("rejected"),
                &nothing, says, err))
        return false;
    *again = schema;
    slot->plain = slot->plain || schema;
    if (!schema)
        end_question(ask, STR("rejected"));
    if (!schema && ++ask->rejected >= MODEL_SERVER_REJECTED_MAX)
        return err_set(err, ERR_INPUT,
                       "%.*s: the server does not take the requests: %.*s",
                       STR_ARG(ask->model->url), STR_ARG(says));
    return true;
}

static bool take_answer(struct ask *ask, struct ask_slot *slot,
                        const struct net_answer *answer, bool *again, struct err *err)
{
    struct model_reply read;

    model_reply_read(answer->body, slot->prompt, &slot->arena, &read);
    struct str state = str_from(model_reply_word(read.state));
    if (read.state == MODEL_REPLY_BROKEN)
        return take_broken(ask, slot, answer, &read, err);
    ask->broken_in_row = 0;
    ask->taken = ask->taken || slot->prompt->constrained;
    ask->constrained = ask->constrained && (slot->prompt->constrained || ask->taken);
    ask->rejected = 0;
    if (!record(ask, slot, answer, state, &read, read.says, err))
        return false;
    *again = read.state == MODEL_REPLY_UNREADABLE && slot->try <= ask->model->retries;
    if (*again)
        add_try(slot, answer->body, read.says);
    else
        end_question(ask, state);
    return true;
}

/* The slot is free afterwards, unless it is asked again. */
static bool take(struct ask *ask, struct ask_slot *slot, const struct net_answer *came,
                 struct err *err)
{
    struct net_answer without = *came, *answer = &without;
    bool again = false, ok, open = false;

    without.body = model_server_without_key(&ask->server, came->body, &slot->arena);
    if (model_server_is_away(answer))
        return put_back(ask, slot, answer, err);
    if (answer->status == 200)
        ok = take_answer(ask, slot, answer, &again, err);
    else if (answer->status == 400 || answer->status == 413 || answer->status == 422)
        ok = take_rejected(ask, slot, answer, &again, err);
    else
        ok = model_server_refused(&ask->server, answer, &slot->arena, err);
    if (!ok || slot->waiting)
        return ok;
    if (again) {
        slot->sent = 0;
        if (!look_up(ask, slot, &open, err))
            return false;
        slot->waiting = open;
        slot->not_before = 0;
    }
    if (!again || !open)
        free_slot(slot);
    return true;
}

static bool ask_server(struct ask *ask, struct err *err)
{
    struct str text = model_server_ask(&ask->server);

    if (text.len == 0)
        return true;
    ask->says = label_message_hash(text, ask->arena);
    return label_message_add(ask->label, ask->says, (struct str){0}, text, err);
}

/* Sending. */

static bool send(struct ask *ask, struct ask_slot *slot, struct err *err)
{
    struct net_request request = {.url = ask->url,
                                  .headers = ask->server.headers,
                                  .body = buf_str(&slot->request),
                                  .packed = true,
                                  .seconds = (long)ask->model->seconds};

    slot->waiting = false;
    slot->sent++;
    ask->spent++;
    ask->done->requests += slot->sent == 1;
    if (ask->model->per_minute > 0)
        ask->pace_until = progress_clock_ms() + MINUTE_MS / ask->model->per_minute;
    ask->progress.what = ask->what;
    ask->server.away[0] = '\0';
    return net_pool_add(ask->pool, &request, slot, err);
}

static bool has_budget(const struct ask *ask)
{
    return ask->model->at_most == 0 || ask->spent < ask->model->at_most;
}

/* When: milliseconds of the clock. */
static int64_t may_send(const struct ask *ask, const struct ask_slot *slot)
{
    int64_t from =
        slot->not_before > ask->pause_until ? slot->not_before : ask->pause_until;

    return from > ask->pace_until ? from : ask->pace_until;
}

/* Milliseconds until something that waits may be sent; at most those of limit. */
static int64_t next_send_ms(const struct ask *ask, int64_t limit)
{
    int64_t now = progress_clock_ms(), first = now + limit;

    for (size_t i = 0; i < ask->slot_count; i++) {
        const struct ask_slot *slot = &ask->slots[i];
        if (slot->busy && slot->waiting && may_send(ask, slot) < first)
            first = may_send(ask, slot);
    }
    return first > now ? first - now : 0;
}

/* Fills free slots and sends what waits; *asking: something is on its way or waits. */
static bool fill(struct ask *ask, bool *asking, struct err *err)
{
    int64_t now = progress_clock_ms();

    *asking = false;
    for (size_t i = 0; i < ask->slot_count; i++) {
        struct ask_slot *slot = &ask->slots[i];
        bool found = slot->busy;
        if (!has_budget(ask) && (!slot->busy || slot->waiting)) {
            if (slot->busy) {
                ask->done->left++;
                free_slot(slot);
            }
            continue;
        }
        if (!slot->busy && !next_question(ask, slot, &found, err))
            return false;
        if (!slot->busy)
            continue;
        if (!slot->waiting && slot->sent == 0)
            slot->waiting = true;
        *asking = true;
        if (slot->waiting && now >= may_send(ask, slot) && has_budget(ask) &&
            !send(ask, slot, err))
            return false;
    }
    return true;
}

static bool on_its_way(const struct ask *ask)
{
    for (size_t i = 0; i < ask->slot_count; i++)
        if (ask->slots[i].busy && !ask->slots[i].waiting)
            return true;
    return false;
}

/* All answers that are there, in one transaction. */
static bool collect(struct ask *ask, struct err *err)
{
    struct net_answer answer;
    void *about;

    if (!on_its_way(ask)) {
        model_server_show_wait(&ask->server, &ask->progress, ask->what,
                               next_send_ms(ask, INT64_MAX / 2));
        net_pause(next_send_ms(ask, PAUSE_MS));
        return stop_check(err);
    }
    if (!net_pool_next(ask->pool, next_send_ms(ask, POLL_MS), &answer, &about))
        return stop_check(err);
    if (!label_begin(ask->label, err))
        return false;
    /* What was answered before an error is kept with it. */
    bool ok = take(ask, about, &answer, err);
    while (ok && net_pool_next(ask->pool, 0, &answer, &about))
        ok = take(ask, about, &answer, err);
    struct err later = {0};
    return label_commit(ask->label, ok ? err : &later) && ok;
}

/* Questions that nobody asks any more, unless they were answered before. */
static bool count_left(struct ask *ask, struct err *err)
{
    struct ask_slot slot = {0};
    bool found = true, ok = true;

    while (ok && found) {
        ok = next_question(ask, &slot, &found, err);
        ask->done->left += ok && found;
    }
    free_slot(&slot);
    return ok;
}

/* One question after the other, in one transaction. */
static bool simulate_all(struct ask *ask, struct err *err)
{
    struct ask_slot slot = {0};
    struct buf body = {0};
    bool found = true, ok = label_begin(ask->label, err);

    while (ok && found) {
        ok = next_question(ask, &slot, &found, err);
        while (ok && slot.busy) {
            buf_clear(&body);
            ask->options->simulate(ask->options->context, slot.about.item,
                                   ask->task->codebook->dimensions[slot.dimension].id,
                                   slot.run, &body);
            slot.sent = 1;
            ask->done->requests++;
            ok = take(ask, &slot,
                      &(struct net_answer){.status = 200, .body = buf_str(&body)}, err);
        }
    }
    free_slot(&slot);
    buf_free(&body);
    if (ok)
        return label_commit(ask->label, err);
    label_rollback(ask->label);
    return false;
}

static bool tell_broken(const struct ask *ask, struct err *err)
{
    return ask->done->broken == 0 ||
           err_set(err, ERR_SYSTEM,
                   "%.*s: to %lld question%s (about %.*s) the server gave no chat "
                   "completion, though sent up to %d times: %.*s; %lld answers are "
                   "there, and "
                   "the next `assay "
                   "label --models` asks for the rest",
                   STR_ARG(ask->model->url), (long long)ask->done->broken,
                   str_plural(ask->done->broken), STR_ARG(buf_str(&ask->broken_items)),
                   MODEL_SERVER_SENDS_MAX, STR_ARG(ask->broken),
                   (long long)ask->done->answered);
}

static bool send_all(struct ask *ask, struct err *err)
{
    bool asking = true, ok = true;

    ask->slot_count = (size_t)ask->model->parallel;
    ask->slots = arena_array(ask->arena, struct ask_slot, ask->slot_count);
    ask->url = model_server_address(ask->model->url, "/chat/completions", ask->arena);
    ask->pool = net_pool_open();
    if (ask->pool == NULL)
        ok = err_set(err, ERR_SYSTEM, "there is no memory to ask %s", ask->url);
    bool probed = false;
    while (ok && asking) {
        ok = fill(ask, &asking, err);
        if (ok && asking && !probed) {
            probed = true;
            ok = ask_server(ask, err);
        }
        if (ok && asking)
            ok = collect(ask, err);
    }
    ok = ok && count_left(ask, err) && tell_broken(ask, err);
    net_pool_close(ask->pool);
    for (size_t i = 0; i < ask->slot_count; i++)
        free_slot(&ask->slots[i]);
    return ok;
}

/* A dry run: what would be sent. */

static void keep_sample(struct ask *ask, const struct ask_slot *slot)
{
    struct input_json_tree tree = {0};
    const struct input_json *root = input_json_parse(&tree, buf_str(&slot->request)),
                            *messages = input_json_get(root, "messages");
    struct buf text = {0};

    INPUT_JSON_EACH(message, messages)
    {
        buf_add_format(&text, "[%.*s]\n",
                       STR_ARG(input_json_text(input_json_get(message, "role"))));
        buf_add(&text, input_json_text(input_json_get(message, "content")));
        buf_add_char(&text, '\n');
    }
    ask->done->sample = buf_keep(&text, ask->arena);
    input_json_free(&tree);
}

/* As the requests that were answered before, else as is usual. */
static void estimate(struct ask *ask, int64_t bytes)
{
    const struct ask_cost *known = &ask->known_cost;
    struct model_done *done = ask->done;
    double answer =
        ANSWER_TOKENS < ask->model->tokens ? ANSWER_TOKENS : (double)ask->model->tokens;
    double in = 1.0 / BYTES_PER_TOKEN;

    done->measured = known->requests;
    if (known->requests > 0) {
        in = (double)known->tokens_in / (double)known->bytes;
        answer = (double)known->tokens_out / (double)known->requests;
    }
    done->tokens_in = (int64_t)ceil(in * (double)bytes);
    done->tokens_out = (int64_t)ceil(answer * (double)done->requests);
}

static bool count_all(struct ask *ask, struct err *err)
{
    struct ask_slot slot = {0};
    int64_t bytes = 0;
    bool found = true, ok = true;

    while (ok && found) {
        ok = next_question(ask, &slot, &found, err);
        if (!ok || !found)
            continue;
        if (!has_budget(ask)) {
            ask->done->left++;
            continue;
        }
        if (ask->done->sample.len == 0)
            keep_sample(ask, &slot);
        ask->spent++;
        ask->done->requests++;
        bytes += (int64_t)slot.request.len;
        progress_add(&ask->progress, 1, 1);
    }
    free_slot(&slot);
    estimate(ask, bytes);
    return ok;
}

/* One model. */

static bool read_key(struct ask *ask, struct err *err)
{
    const struct study_model_rater *model = ask->model;

    ask->server = (struct model_server){.url = model->url,
                                        .model = model->model,
                                        .key_of = model->key,
                                        .arena = ask->arena};
    return model_server_read_key(
        &ask->server,
        arena_format(ask->arena, "the model '%.*s'", STR_ARG(model->name)).ptr, err);
}

/* What it is asked about: items, or the units in them. */
static bool find_about(struct ask *ask, struct err *err)
{
    size_t items;

    if (!label_model_about(ask->label, ask->model, ask->arena, &ask->about,
                           &ask->about_count, &items, err))
        return false;
    if (ask->task->settings->units && ask->about_count == 0)
        return err_set(
            err, ERR_INPUT,
            "there are no units yet that '%.*s' could be asked about; expected "
            "items in which people have marked and labelled them",
            STR_ARG(ask->model->name));
    ask->done->items = (int64_t)items;
    ask->done->units = ask->task->settings->units ? (int64_t)ask->about_count : 0;
    return true;
}

static bool prepare(struct ask *ask, struct err *err)
{
    const struct study_model_rater *model = ask->model;

    ask->constrained = model->constrained;
    if ((model->template != NULL &&
         !file_read(model->template, ask->arena, &ask->template, err)) ||
        !label_answers_each(ask->label, take_known, ask, err) ||
        !make_prompts(ask, err) || !find_about(ask, err))
        return false;
    if (model->template != NULL && ask->template.len == 0)
        return err_set(err, ERR_INPUT, "%s: the template is empty", model->template);
    ask->done->wanted = (int64_t)questions(ask);
    return true;
}

static bool ask_model(struct ask *ask, struct err *err)
{
    if (!prepare(ask, err))
        return err_at(err, "labelling.%.*s: ", STR_ARG(ask->task->name));
    ask->what = arena_format(ask->arena, "asking %.*s", STR_ARG(ask->model->name)).ptr;
    ask->progress = progress_begin(ask->what, ask->done->wanted, 2, ask->options->quiet);
    ask->progress.pieces = true;
    progress_turn_to(&ask->progress, ask->what);
    bool ok = ask->options->dry                ? count_all(ask, err)
              : ask->options->simulate != NULL ? simulate_all(ask, err)
                                               : read_key(ask, err) && send_all(ask, err);
    progress_end(&ask->progress);
    return ok && renew(ask, err);
}

bool model_ask(struct label *label, const struct model_options *options,
               struct arena *arena, struct model_done **out, size_t *count,
               struct err *err)
{
    const struct label_task *task = label_task(label);
    const struct study_labelling *settings = task->settings;
    bool ok = true;

    *out = arena_array(arena, struct model_done, settings->model_count + 1);
    *count = 0;
    if (settings->model_count == 0)
        return err_set(err, ERR_INPUT,
                       "labelling.%.*s has no models; a rater that is one is `{model: "
                       "NAME, url: http://localhost:8080}`",
                       STR_ARG(task->name));
    for (size_t i = 0; ok && i < settings->model_count; i++) {
        struct ask ask = {.label = label,
                          .task = task,
                          .options = options,
                          .model = &settings->models[i],
                          .arena = arena,
                          .done = &(*out)[i],
                          .text_of = {.item = ITEM_NONE},
                          .by_request = {.arena = arena},
                          .newest = {.arena = arena},
                          .renewed = {.arena = arena},
                          .unschemed = {.arena = arena}};
        ask.done->model = ask.model;
        ++*count;
        ok = ask_model(&ask, err);
        list_free(&ask.known);
        list_free(&ask.again);
        buf_free(&ask.text);
        buf_free(&ask.broken_items);
    }
    return ok;
}
