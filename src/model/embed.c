/* Each text is looked up in the records by its hash; what is not there is sent, several
 * texts in a request and several requests at once. Where a request fails whole, its texts
 * are sent one by one, so that one of them does not keep the others away. */
#include "model/embed.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/date.h"
#include "base/file.h"
#include "base/list.h"
#include "base/lock.h"
#include "base/map.h"
#include "base/progress.h"
#include "base/stop.h"
#include "input/json.h"
#include "label/models.h"
#include "model/embedding.h"
#include "model/server.h"
#include "text/utf8.h"

enum {
    POLL_MS = 1000,
    BATCH_BYTES_MAX = 256 * 1024, /* of the texts of a request, unless there is one */
    REPLY_KEPT = 1000,            /* bytes of a reply that is no answer */
    BYTES_PER_TOKEN = 4,          /* about, of English text */
};

/* A text, once. */
struct embed_text {
    struct str text, hash, key; /* key: of the first item that has it */
    const float *vector;        /* NULL: none yet */
    bool rejected;              /* the server does not take it */
};

struct embed_slot {
    bool busy, waiting;
    struct arena arena;
    size_t *texts;
    size_t count;
    struct buf request;
    int64_t sent, not_before;
};

static const char embed_what[] = "asking for vectors";

struct embed {
    const struct model_embed_options *options;
    const struct study_embed *how;
    struct arena *arena;
    struct model_embed_done *done;
    struct model_server server;

    LIST(struct embed_text) all;
    struct map by_hash;          /* place in `all` plus 1 */
    size_t dimensions;           /* 0: not known */
    struct str answered, digest; /* of the vectors that are there; empty: never told */
    struct str other;            /* a model that others of them are of */
    struct str told;             /* what a server said of itself last: the hash */
    int64_t spent;               /* requests that were ever recorded */
    bool whole;                  /* nothing was recorded since all was there */

    LIST(size_t) queue, singles; /* singles first, the last of them before all */
    size_t next;
    struct net_pool *pool;
    const char *url;
    struct embed_slot *slots;
    size_t slot_count;
    int64_t pause_until;
    int failed; /* single texts in a row */
    struct progress progress;
};

/* Records. */

static bool is_ours(const struct embed *embed, const struct input_json *line)
{
    return str_eq(input_json_text(input_json_get(line, "asked")), embed->how->model) &&
           input_json_integer(input_json_get(line, "dimensions")) ==
               embed->how->dimensions;
}

static bool take_known(struct embed *embed, struct str hash, struct str written,
                       struct err *err)
{
    const int64_t *place = map_get(&embed->by_hash, hash);
    size_t bytes = 0;

    char *text = arena_c_string(embed->arena, written);
    unsigned char *numbers = g_base64_decode(text, &bytes);
    if (embed->dimensions == 0)
        embed->dimensions = bytes / sizeof(float);
    bool ok = bytes > 0 && bytes == embed->dimensions * sizeof(float);
    if (ok && place != NULL && embed->all.at[*place - 1].vector == NULL) {
        float *vector = arena_array(embed->arena, float, embed->dimensions);
        memcpy(vector, numbers, bytes);
        for (size_t i = 0; i < embed->dimensions; i++)
            ok = ok && isfinite(vector[i]);
        embed->all.at[*place - 1].vector = vector;
        embed->done->known++;
    }
    g_free(numbers);
    return ok || err_set(err, ERR_INPUT,
                         "found %zu bytes of a vector, expected %zu of "
                         "finite numbers",
                         bytes, embed->dimensions * sizeof(float));
}

/* A server that once does not say what it is has not become another one. */
static void note_model(struct embed *embed, struct str answered, struct str digest)
{
    if (answered.len > 0)
        embed->answered = arena_copy(embed->arena, answered);
    if (digest.len > 0)
        embed->digest = arena_copy(embed->arena, digest);
}

static bool take_answered(struct embed *embed, const struct input_json *line,
                          struct err *err)
{
    const struct input_json *texts = input_json_get(line, "texts"),
                            *vectors = input_json_get(line, "vectors"),
                            *vector = input_json_first(vectors);

    if (input_json_count(texts) == 0 ||
        input_json_count(texts) != input_json_count(vectors))
        return err_set(err, ERR_INPUT, "expected as many texts as vectors");
    INPUT_JSON_EACH(text, texts)
    {
        struct arena_mark mark = arena_mark(embed->arena);
        bool wanted = map_get(&embed->by_hash, input_json_text(text)) != NULL;
        if (!take_known(embed, input_json_text(text), input_json_text(vector), err))
            return false;
        if (!wanted)
            arena_rewind(embed->arena, mark);
        vector = input_json_next(vectors, vector);
    }
    note_model(embed, input_json_text(input_json_get(line, "answered")),
               input_json_text(input_json_get(line, "digest")));
    return true;
}

/* What a server did not take it is not asked for again, once all else was there. */
static bool take_line(struct embed *embed, const struct input_json *line,
                      struct map *refused, struct err *err)
{
    struct str state = input_json_text(input_json_get(line, "state"));
    const struct input_json *texts = input_json_get(line, "texts");

    if (!input_json_is(line, INPUT_JSON_OBJECT))
        return err_set(err, ERR_INPUT, "expected an object");
    if (input_json_get(line, "server") != NULL) {
        embed->told = label_message_hash(input_json_text(input_json_get(line, "server")),
                                         embed->arena);
        return true;
    }
    if (!is_ours(embed, line)) {
        struct str asked = input_json_text(input_json_get(line, "asked"));
        if (str_eq(state, STR("answered")) && !str_eq(asked, embed->other))
            embed->other = arena_copy(embed->arena, asked);
        return true;
    }
    embed->whole = str_eq(state, STR("whole"));
    if (embed->whole) {
        for (size_t i = 0; i < embed->all.count; i++)
            embed->all.at[i].rejected |= map_get(refused, embed->all.at[i].hash) != NULL;
        return true;
    }
    embed->spent++;
    if (str_eq(state, STR("answered")))
        return take_answered(embed, line, err);
    if (str_eq(state, STR("rejected")) && input_json_count(texts) == 1)
        *map_put(refused, input_json_text(input_json_first(texts))) = 1;
    return true;
}

/* What stands behind the last line end was not written whole. */
static bool read_records(struct embed *embed, struct err *err)
{
    const char *path = embed->options->records;
    struct map refused = {.arena = embed->arena};
    struct input_json_tree tree = {0};
    struct str bytes, rest, line;
    int64_t number = 0;
    bool ok = true;

    if (!file_exists(path))
        return true;
    if (!file_map(path, &bytes, err))
        return false;
    rest = bytes;
    while (rest.len > 0 && rest.ptr[rest.len - 1] != '\n')
        rest.len--;
    bool torn = rest.len < bytes.len;
    for (struct str lines = rest; ok && lines.len > 0;) {
        str_cut(&lines, '\n', &line);
        number++;
        const struct input_json *root = input_json_parse(&tree, line);
        ok = root != NULL ? take_line(embed, root, &refused, err)
                          : err_set(err, ERR_INPUT, "this is no json");
    }
    if (!ok)
        (void)err_at(err, "%s:%lld: ", path, (long long)number);
    if (ok && torn && !embed->options->dry)
        ok = file_write(path, rest, err);
    input_json_free(&tree);
    file_unmap(bytes);
    return ok;
}

static void add_now(struct buf *line)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    buf_add(line, STR("{\"at\":\""));
    date_add(line, (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    buf_add_char(line, '"');
}

/* Servers say any bytes; a line that is not UTF-8 could not be read again. */
static void add_text(struct buf *line, const char *name, struct str value)
{
    struct buf valid = {0};

    text_utf8_repair(value, &valid);
    buf_add_format(line, ",\"%s\":\"", name);
    buf_add_json(line, buf_str(&valid));
    buf_add_char(line, '"');
    buf_free(&valid);
}

static void add_vectors(const struct embed *embed, const struct embed_slot *slot,
                        struct buf *line)
{
    buf_add(line, STR(",\"vectors\":["));
    for (size_t i = 0; i < slot->count; i++) {
        char *text =
            g_base64_encode((const unsigned char *)embed->all.at[slot->texts[i]].vector,
                            embed->dimensions * sizeof(float));
        buf_add_format(line, "%s\"%s\"", i > 0 ? "," : "", text);
        g_free(text);
    }
    buf_add_char(line, ']');
}

/* A request and what came of it. */
static bool record(struct embed *embed, struct embed_slot *slot,
                   const struct net_answer *answer, const char *state,
                   const struct model_embedding *read, struct err *err)
{
    struct buf line = {0};
    bool answered = strcmp(state, "answered") == 0;

    add_now(&line);
    add_text(&line, "state", str_from(state));
    add_text(&line, "asked", embed->how->model);
    buf_add_format(&line, ",\"dimensions\":%lld", (long long)embed->how->dimensions);
    add_text(&line, "answered", read->model);
    add_text(&line, "url", embed->how->url);
    add_text(&line, "digest", embed->server.digest);
    add_text(&line, "request", label_message_hash(buf_str(&slot->request), &slot->arena));
    add_text(&line, "reply", label_message_hash(answer->body, &slot->arena));
    buf_add_format(&line, ",\"tokens\":%lld,\"seconds\":%.3f,\"sent\":%lld",
                   (long long)read->tokens, answer->took, (long long)slot->sent);
    if (!answered) {
        add_text(&line, "says", read->says);
        add_text(&line, "said", text_utf8_cut(answer->body, REPLY_KEPT));
    }
    buf_add(&line, STR(",\"texts\":["));
    for (size_t i = 0; i < slot->count; i++)
        buf_add_format(&line, "%s\"%.*s\"", i > 0 ? "," : "",
                       STR_ARG(embed->all.at[slot->texts[i]].hash));
    buf_add_char(&line, ']');
    if (answered)
        add_vectors(embed, slot, &line);
    buf_add(&line, STR("}\n"));
    bool ok = file_append(embed->options->records, buf_str(&line), err);
    buf_free(&line);
    embed->done->tokens += read->tokens;
    embed->whole = false;
    return ok;
}

static bool record_end(struct embed *embed, struct err *err)
{
    struct buf line = {0};

    if (embed->whole)
        return true;
    add_now(&line);
    add_text(&line, "state", STR("whole"));
    add_text(&line, "asked", embed->how->model);
    buf_add_format(&line, ",\"dimensions\":%lld}\n", (long long)embed->how->dimensions);
    bool ok = file_append(embed->options->records, buf_str(&line), err);
    buf_free(&line);
    return ok;
}

/* What the server says of itself; whose weights are others than before, its vectors do
 * not go with those that are there. */
static bool ask_server(struct embed *embed, struct err *err)
{
    struct str text = model_server_ask(&embed->server);
    struct buf line = {0};

    if (embed->digest.len > 0 && embed->server.digest.len > 0 &&
        !str_eq(embed->digest, embed->server.digest))
        return err_set(err, ERR_INPUT,
                       "%.*s: the weights of '%.*s' are %.*s, and the vectors of %s came "
                       "from %.*s: those of two models cannot be compared; remove that "
                       "file to begin again",
                       STR_ARG(embed->how->url), STR_ARG(embed->how->model),
                       STR_ARG(embed->server.digest), embed->options->records,
                       STR_ARG(embed->digest));
    if (text.len == 0 || str_eq(label_message_hash(text, embed->arena), embed->told))
        return true;
    add_now(&line);
    add_text(&line, "url", embed->how->url);
    add_text(&line, "server", text);
    buf_add(&line, STR("}\n"));
    bool ok = file_append(embed->options->records, buf_str(&line), err);
    buf_free(&line);
    return ok;
}

/* Texts. */

static void take_texts(struct embed *embed, const struct model_embed_texts *texts,
                       size_t *of)
{
    const struct study_embed *how = embed->how;
    struct str prefix = embed->options->question ? how->question_prefix : how->prefix;

    for (size_t i = 0; i < texts->count; i++) {
        struct str text = str_trim(texts->texts[i]);
        size_t end = 0;
        uint32_t code;
        for (int64_t c = 0; c < how->characters && end < text.len; c++)
            end += text_utf8_read(text, end, &code);
        of[i] = SIZE_MAX;
        if (text.len == 0) {
            embed->done->empty++;
            continue;
        }
        embed->done->cut += end < text.len;
        text =
            arena_format(embed->arena, "%.*s%.*s", STR_ARG(prefix), (int)end, text.ptr);
        struct str hash = label_message_hash(text, embed->arena);
        int64_t *place = map_put(&embed->by_hash, hash);
        if (*place == 0) {
            list_add(
                &embed->all,
                ((struct embed_text){.text = text, .hash = hash, .key = texts->keys[i]}));
            *place = (int64_t)embed->all.count;
        }
        of[i] = (size_t)*place - 1;
    }
    embed->done->different = (int64_t)embed->all.count;
}

static void queue_texts(struct embed *embed)
{
    for (size_t i = 0; i < embed->all.count; i++) {
        embed->done->rejected += embed->all.at[i].rejected;
        if (embed->all.at[i].vector == NULL && !embed->all.at[i].rejected)
            list_add(&embed->queue, i);
    }
}

/* Requests. */

static void free_slot(struct embed_slot *slot)
{
    buf_free(&slot->request);
    arena_free(&slot->arena);
    *slot = (struct embed_slot){0};
}

/* The next texts of the queue. */
static void fill_slot(struct embed *embed, struct embed_slot *slot)
{
    size_t room = (size_t)embed->how->batch, bytes = 0;

    free_slot(slot);
    slot->texts = arena_array(&slot->arena, size_t, room);
    struct str *texts = arena_array(&slot->arena, struct str, room);
    if (embed->singles.count > 0) {
        slot->texts[slot->count++] = embed->singles.at[--embed->singles.count];
        room = 1;
    }
    while (slot->count < room && embed->next < embed->queue.count) {
        size_t at = embed->queue.at[embed->next];
        bytes += embed->all.at[at].text.len;
        if (slot->count > 0 && bytes > BATCH_BYTES_MAX)
            break;
        slot->texts[slot->count++] = at;
        embed->next++;
    }
    for (size_t i = 0; i < slot->count; i++)
        texts[i] = embed->all.at[slot->texts[i]].text;
    slot->busy = slot->waiting = slot->count > 0;
    if (slot->busy)
        model_embedding_request(embed->how, texts, slot->count, &slot->request);
}

static bool has_budget(const struct embed *embed)
{
    return embed->how->at_most == 0 || embed->spent < embed->how->at_most;
}

static bool put_back(struct embed *embed, struct embed_slot *slot,
                     const struct net_answer *answer, struct err *err)
{
    embed->spent--;
    if (model_server_is_over(answer, slot->sent))
        return model_server_gave_up(&embed->server, answer,
                                    "; what came is kept, and the next call goes on from "
                                    "there",
                                    &slot->arena, err);
    slot->not_before = progress_clock_ms() +
                       (int64_t)model_server_pause_ms(&embed->server, answer, slot->sent);
    if ((answer->status == 429 || answer->status == 503) &&
        slot->not_before > embed->pause_until)
        embed->pause_until = slot->not_before;
    slot->waiting = true;
    embed->done->resent++;
    return true;
}

/* Of several texts it may be one; of one it is that. */
static bool take_failed(struct embed *embed, struct embed_slot *slot,
                        const struct net_answer *answer, const char *state,
                        const struct model_embedding *read, struct err *err)
{
    struct embed_text *first = &embed->all.at[slot->texts[0]];

    if (!record(embed, slot, answer, state, read, err))
        return false;
    if (slot->count > 1) {
        for (size_t i = slot->count; i-- > 0;)
            list_add(&embed->singles, slot->texts[i]);
        return true;
    }
    bool rejected = strcmp(state, "rejected") == 0;
    embed->done->rejected += rejected;
    embed->done->unusable += !rejected;
    if (embed->done->first.len == 0) {
        embed->done->first = first->key;
        embed->done->why = arena_copy(embed->arena, read->says);
    }
    progress_add(&embed->progress, 1, 1);
    if (++embed->failed >= MODEL_SERVER_REJECTED_MAX)
        return err_set(err, ERR_INPUT, "%.*s: the server %s: %.*s",
                       STR_ARG(embed->how->url),
                       rejected ? "does not take the requests" : "gives no vectors",
                       STR_ARG(read->says));
    return true;
}

static bool take_answer(struct embed *embed, struct embed_slot *slot,
                        const struct net_answer *answer, struct err *err)
{
    struct model_embedding read;

    if (!model_embedding_read(answer->body, slot->count, embed->dimensions, &slot->arena,
                              &read))
        return take_failed(embed, slot, answer, "unusable", &read, err);
    if (embed->dimensions > 0 && embed->answered.len > 0 && read.model.len > 0 &&
        !str_eq(embed->answered, read.model))
        return err_set(err, ERR_INPUT,
                       "%.*s: the server answers as '%.*s', and the vectors of %s came "
                       "from '%.*s': those of two models cannot be compared; remove that "
                       "file to begin again",
                       STR_ARG(embed->how->url), STR_ARG(read.model),
                       embed->options->records, STR_ARG(embed->answered));
    embed->dimensions = read.dimensions;
    note_model(embed, read.model, embed->server.digest);
    embed->failed = 0;
    float *kept = arena_array(embed->arena, float, slot->count *read.dimensions);
    memcpy(kept, read.at, slot->count * read.dimensions * sizeof *kept);
    for (size_t i = 0; i < slot->count; i++)
        embed->all.at[slot->texts[i]].vector = kept + i * read.dimensions;
    progress_add(&embed->progress, (int64_t)slot->count, (int64_t)slot->count);
    return record(embed, slot, answer, "answered", &read, err);
}

static bool take(struct embed *embed, struct embed_slot *slot,
                 const struct net_answer *came, struct err *err)
{
    struct net_answer answer = *came;
    struct model_embedding nothing = {0};
    bool ok;

    answer.body = model_server_without_key(&embed->server, came->body, &slot->arena);
    if (model_server_is_away(&answer))
        return put_back(embed, slot, &answer, err);
    if (answer.status == 200) {
        ok = take_answer(embed, slot, &answer, err);
    } else if (answer.status == 400 || answer.status == 413 || answer.status == 422) {
        nothing.says = model_server_said(answer.body, &slot->arena);
        ok = take_failed(embed, slot, &answer, "rejected", &nothing, err);
    } else {
        ok = model_server_refused(&embed->server, &answer, &slot->arena, err);
    }
    free_slot(slot);
    return ok;
}

/* Fills free slots and sends what waits; *asking: something is on its way or waits. */
static bool fill(struct embed *embed, bool *asking, struct err *err)
{
    int64_t now = progress_clock_ms();

    *asking = false;
    for (size_t i = 0; i < embed->slot_count; i++) {
        struct embed_slot *slot = &embed->slots[i];
        if (!slot->busy && has_budget(embed))
            fill_slot(embed, slot);
        if (slot->busy && slot->waiting && !has_budget(embed)) {
            embed->done->left += (int64_t)slot->count;
            free_slot(slot);
        }
        if (!slot->busy)
            continue;
        *asking = true;
        if (!slot->waiting || now < slot->not_before || now < embed->pause_until)
            continue;
        struct net_request request = {.url = embed->url,
                                      .headers = embed->server.headers,
                                      .body = buf_str(&slot->request),
                                      .packed = true,
                                      .seconds = (long)embed->how->seconds};
        slot->waiting = false;
        embed->progress.what = embed_what;
        slot->sent++;
        embed->spent++;
        embed->done->requests += slot->sent == 1;
        if (!net_pool_add(embed->pool, &request, slot, err))
            return false;
    }
    return true;
}

static bool collect(struct embed *embed, struct err *err)
{
    struct net_answer answer;
    void *about;
    bool on_its_way = false;
    int64_t now = progress_clock_ms(), from = INT64_MAX;

    for (size_t i = 0; i < embed->slot_count; i++) {
        const struct embed_slot *slot = &embed->slots[i];
        on_its_way |= slot->busy && !slot->waiting;
        if (slot->busy && slot->not_before < from)
            from = slot->not_before;
    }
    if (!on_its_way) {
        from = from > embed->pause_until ? from : embed->pause_until;
        model_server_show_wait(&embed->server, &embed->progress, embed_what, from - now);
        net_pause(50);
    } else if (net_pool_next(embed->pool, POLL_MS, &answer, &about) &&
               !take(embed, about, &answer, err)) {
        return false;
    }
    return stop_check(err);
}

static bool send_all(struct embed *embed, struct err *err)
{
    bool asking = true, ok = ask_server(embed, err);

    embed->slot_count = (size_t)embed->how->parallel;
    embed->slots = arena_array(embed->arena, struct embed_slot, embed->slot_count);
    embed->url = model_server_address(embed->how->url, "/embeddings", embed->arena);
    embed->pool = net_pool_open();
    if (embed->pool == NULL)
        ok = err_set(err, ERR_SYSTEM, "there is no memory to ask %s", embed->url);
    while (ok && asking) {
        ok = fill(embed, &asking, err);
        if (ok && asking)
            ok = collect(embed, err);
    }
    embed->done->left +=
        (int64_t)(embed->queue.count - embed->next + embed->singles.count);
    net_pool_close(embed->pool);
    for (size_t i = 0; i < embed->slot_count; i++)
        free_slot(&embed->slots[i]);
    return ok;
}

/* A dry run: what would be sent. */
static void count_all(struct embed *embed)
{
    struct embed_slot slot = {0};

    while (has_budget(embed)) {
        fill_slot(embed, &slot);
        if (!slot.busy)
            break;
        embed->spent++;
        embed->done->requests++;
        for (size_t i = 0; i < slot.count; i++)
            embed->done->tokens +=
                (int64_t)(embed->all.at[slot.texts[i]].text.len / BYTES_PER_TOKEN + 1);
    }
    embed->done->left +=
        (int64_t)(embed->queue.count - embed->next + embed->singles.count);
    free_slot(&slot);
}

/* A question is compared with the vectors that are there: those of another model alone
 * are none that it could be compared with. */
static bool goes_with_records(const struct embed *embed, struct err *err)
{
    const struct study_embed *how = embed->how;

    if (!embed->options->question || embed->dimensions > 0 || embed->other.len == 0 ||
        str_eq(embed->other, how->model))
        return true;
    return err_set(
        err, ERR_INPUT,
        "%s: the vectors came from '%.*s', and that of the question would come "
        "from '%.*s': those of two models cannot be compared",
        embed->options->records, STR_ARG(embed->other), STR_ARG(how->model));
}

static bool ask(struct embed *embed, struct err *err)
{
    const struct study_embed *how = embed->how;
    const char *who =
        arena_format(embed->arena, "the model '%.*s'", STR_ARG(how->model)).ptr;

    if (!read_records(embed, err) || !goes_with_records(embed, err))
        return false;
    queue_texts(embed);
    if (embed->options->dry) {
        count_all(embed);
        return true;
    }
    if (embed->queue.count == 0)
        return true;
    embed->server = (struct model_server){
        .url = how->url, .model = how->model, .key_of = how->key, .arena = embed->arena};
    if (!model_server_read_key(&embed->server, who, err))
        return false;
    embed->progress =
        progress_begin(embed_what, (int64_t)embed->queue.count, 2, embed->options->quiet);
    embed->progress.pieces = true;
    bool ok = send_all(embed, err);
    progress_end(&embed->progress);
    return ok && (embed->done->left > 0 || record_end(embed, err));
}

/* One at a time: two would ask for everything twice. */
static bool ask_locked(struct embed *embed, struct err *err)
{
    struct lock lock = {-1};
    const char *path = arena_format(embed->arena, "%s.lock", embed->options->records).ptr;
    bool ok = (embed->options->dry ||
               lock_take(path, "a call that asks for vectors", &lock, err)) &&
              ask(embed, err);

    lock_release(&lock);
    return ok;
}

bool model_embed(const struct model_embed_options *options,
                 const struct model_embed_texts *texts, struct arena *arena,
                 struct model_embed_done *out, struct err *err)
{
    struct embed embed = {.options = options,
                          .how = options->how,
                          .arena = arena,
                          .done = out,
                          .by_hash = {.arena = arena}};
    size_t *of = arena_array(arena, size_t, texts->count + 1);

    *out = (struct model_embed_done){
        .at = arena_array(arena, const float *, texts->count + 1)};
    take_texts(&embed, texts, of);
    bool ok = ask_locked(&embed, err);
    for (size_t i = 0; i < texts->count; i++)
        if (of[i] != SIZE_MAX)
            out->at[i] = embed.all.at[of[i]].vector;
    out->dimensions = embed.dimensions;
    out->model = embed.answered;
    list_free(&embed.all);
    list_free(&embed.queue);
    list_free(&embed.singles);
    return ok;
}

/* The result. */

/* As NumPy writes it: the head ends with a line end, at a multiple of 64 bytes. */
static void add_head(size_t rows, size_t dimensions, struct buf *out)
{
    struct buf head = {0};

    buf_add_format(&head,
                   "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %zu), }",
                   rows, dimensions);
    while ((head.len + 10 + 1) % 64 != 0)
        buf_add_char(&head, ' ');
    buf_add_char(&head, '\n');
    buf_add(out, STR("\x93NUMPY\x01"));
    buf_add_char(out, '\0');
    buf_add_char(out, (char)(head.len & 255));
    buf_add_char(out, (char)(head.len >> 8));
    buf_add(out, buf_str(&head));
    buf_free(&head);
}

static void add_array_row(const float *vector, size_t dimensions, struct buf *out)
{
    for (size_t i = 0; i < dimensions; i++) {
        uint32_t bits;
        memcpy(&bits, &vector[i], sizeof bits);
        for (unsigned shift = 0; shift < 32; shift += 8)
            buf_add_char(out, (char)(bits >> shift & 255));
    }
}

/* Nine digits tell every 32-bit number apart. */
static void add_json_row(struct str key, const float *vector, size_t dimensions,
                         struct buf *out)
{
    buf_add(out, STR("{\"id\":\""));
    buf_add_json(out, key);
    buf_add(out, STR("\",\"vector\":["));
    for (size_t i = 0; i < dimensions; i++)
        buf_add_format(out, "%s%.9g", i > 0 ? "," : "", (double)vector[i]);
    buf_add(out, STR("]}\n"));
}

bool model_embed_write(const struct model_embed_texts *texts,
                       const struct model_embed_done *done, const char *file,
                       const char *keys, struct err *err)
{
    struct file_out *out;
    struct buf row = {0}, names = {0};
    size_t rows = 0;

    for (size_t i = 0; i < texts->count; i++)
        rows += done->at[i] != NULL;
    if (rows == 0)
        return err_set(err, ERR_INPUT, "%s: there is no vector to be written", file);
    if (!file_out_open(file, &out, err))
        return false;
    if (keys != NULL)
        add_head(rows, done->dimensions, &row);
    bool ok = true;
    for (size_t i = 0; ok && i < texts->count; i++) {
        if (done->at[i] == NULL)
            continue;
        if (keys != NULL)
            add_array_row(done->at[i], done->dimensions, &row);
        else
            add_json_row(texts->keys[i], done->at[i], done->dimensions, &row);
        buf_add_format(&names, "%.*s\n", STR_ARG(texts->keys[i]));
        ok = file_out_write(out, buf_str(&row), err);
        buf_clear(&row);
    }
    if (ok && (keys == NULL || file_write(keys, buf_str(&names), err)))
        ok = file_out_commit(out, err);
    else
        file_out_discard(out), ok = false;
    buf_free(&row);
    buf_free(&names);
    return ok;
}
