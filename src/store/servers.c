/* Items that servers hold: the verbs of the store for a corpus whose study says so. The
 * database then has all but the items and their texts: the catalogue, what hangs on
 * items, and of each batch its sums, by which a batch that servers have only in part is
 * told. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/file.h"
#include "store/internal.h"

#define STATE_SERVERS STR("servers") /* addresses, then a line with the tables' name */
#define STATE_HASH    STR("servers-hash") /* of all items, as the servers made it */
#define STATE_FILE    STR("servers-file") /* which file they were made for */
/* Which file this is, then of each corpus that it replaced what STATE_SERVERS was. */
#define STATE_REPLACED STR("servers-replaced")

void store_servers_close(struct store_servers *servers)
{
    engine_items_close(servers->items);
    idset_free(&servers->known);
    list_free(&servers->moments);
    *servers = (struct store_servers){0};
}

void store_expect(struct store *corpus, const struct query_node *const *queries,
                  size_t count)
{
    corpus->servers.expected = queries;
    corpus->servers.expected_count = count;
}

static void note_known(void *context, int64_t id, int64_t owner)
{
    (void)owner;
    idset_add(context, id);
}

/* The file may come from anywhere: no table but such as we make is asked or dropped. */
static bool is_table(struct str name)
{
    struct str begin = STR("assay_");
    size_t i = begin.len;

    if (!str_starts(name, begin) || name.len != begin.len + 16)
        return false;
    while (i < name.len && memchr("0123456789abcdef", name.ptr[i], 16) != NULL)
        i++;
    return i == name.len;
}

/* Addresses and tables' name; both empty: the database has the items. */
static bool read_place(struct store *corpus, struct str *addresses, struct str *table,
                       struct err *err)
{
    *addresses = (struct str){0};
    if (!store_get_state(corpus, STATE_SERVERS, &corpus->arena, table, err))
        return false;
    if (table->len == 0)
        return true;
    str_cut(table, '\n', addresses);
    return is_table(*table) ||
           store_damaged_items(corpus, "its items are in a table that is not of assay", err);
}

bool store_servers_open(struct store *corpus, struct str addresses, bool building,
                        struct err *err)
{
    static const struct engine_block all = {.from = INT64_MIN, .to = INT64_MAX};
    struct store_servers *servers = &corpus->servers;
    struct str said, table;
    int64_t last;

    servers->addresses = arena_copy(&corpus->arena, addresses);
    if (!read_place(corpus, &said, &table, err))
        return false;
    if (table.len == 0)
        return true;
    /* Who asks a server tells it a password: the file may not say which server. */
    if (!str_eq(said, addresses))
        return err_set(err, ERR_INPUT,
                       "%s: has its items at %.*s, found %.*s under `store` in the "
                       "study file; expected the same: correct `store`, or remove the "
                       "corpus, and 'assay ingest' makes it anew",
                       corpus->path, STR_ARG(said),
                       STR_ARG(addresses.len > 0 ? addresses : STR("no server")));
    if (!engine_items_open(addresses, table, &servers->items, err)) {
        servers->items = NULL;
        return false;
    }
    return !building ||
           (engine_items_create(servers->items, err) &&
            store_count(corpus, "SELECT ifnull(max(number), 0) FROM batch", &last, err) &&
            engine_items_forget(servers->items, last, err) &&
            engine_items_ids(servers->items, all, ~0u, note_known, &servers->known, err));
}

static struct str file_text(const struct store *corpus, struct arena *arena)
{
    return arena_format(arena, "%016llx", (unsigned long long)file_number(corpus->path));
}

/* The tables have a name that no other corpus has, whoever else uses the servers. */
bool store_servers_name(struct store *corpus, struct str addresses, struct err *err)
{
    uint64_t number;

    if (addresses.len == 0)
        return true;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return err_set(err, ERR_SYSTEM, "the machine gives no random number");
    struct str state = arena_format(&corpus->arena, "%.*s\nassay_%016llx",
                                    STR_ARG(addresses), (unsigned long long)number);
    return store_set_state(corpus, STATE_SERVERS, state, err) &&
           store_set_state(corpus, STATE_FILE, file_text(corpus, &corpus->arena), err);
}

/* --- tables that are not needed any more --- */

/* A copy of a corpus names the tables of the one that it was copied from. */
static bool is_own(struct store *corpus)
{
    struct err ignored = {0};
    struct str made;

    return file_number(corpus->path) != 0 &&
           store_get_state(corpus, STATE_FILE, &corpus->arena, &made, &ignored) &&
           str_eq(made, file_text(corpus, &corpus->arena));
}

bool store_servers_own(struct store *corpus, struct str addresses)
{
    struct err ignored = {0};
    struct str said, table;

    return read_place(corpus, &said, &table, &ignored) && table.len > 0 &&
           str_eq(said, addresses) && is_own(corpus);
}

static bool has_word(struct str words, struct str wanted)
{
    struct str word;

    while (words.len > 0) {
        str_cut(&words, ' ', &word);
        if (str_eq(word, wanted))
            return true;
    }
    return false;
}

/* Takes a table away where the study has servers. True: it is nowhere any more. */
static bool drop_table(struct str said, struct str addresses, struct str table)
{
    struct engine_items *items;
    struct err ignored = {0};
    struct str address;
    bool all = true;

    while (said.len > 0) {
        str_cut(&said, ' ', &address);
        bool gone = has_word(addresses, address) &&
                    engine_items_open(address, table, &items, &ignored);
        if (gone) {
            gone = engine_items_drop(items, &ignored);
            engine_items_close(items);
        }
        all = all && gone;
    }
    return all;
}

void store_servers_drop(const char *path, struct str addresses)
{
    struct store *corpus;
    struct err ignored = {0};
    struct str said, table;

    if (!file_exists(path) || !store_open_file(path, &corpus, &ignored))
        return;
    if (is_own(corpus) && read_place(corpus, &said, &table, &ignored) && table.len > 0)
        drop_table(said, addresses, table);
    store_close(corpus);
}

/* What the corpus has noted; empty: nothing, or it is a copy. */
static struct str replaced_by(struct store *corpus)
{
    struct err ignored = {0};
    struct str noted, file;

    if (!store_get_state(corpus, STATE_REPLACED, &corpus->arena, &noted, &ignored))
        return (struct str){0};
    str_cut(&noted, '\n', &file);
    return str_eq(file, file_text(corpus, &corpus->arena)) ? noted : (struct str){0};
}

static bool note_replaced(struct store *corpus, struct str noted, struct err *err)
{
    struct str file = file_text(corpus, &corpus->arena);

    return store_set_state(
        corpus, STATE_REPLACED,
        arena_format(&corpus->arena, "%.*s\n%.*s", STR_ARG(file), STR_ARG(noted)), err);
}

bool store_servers_replace(struct store *corpus, const char *path, struct err *err)
{
    struct store *old;
    struct err ignored = {0};
    struct str said, table;
    struct buf noted = {0};

    if (!file_exists(path) || !store_open_file(path, &old, &ignored))
        return true;
    buf_add(&noted, replaced_by(old));
    if (is_own(old) && read_place(old, &said, &table, &ignored) && table.len > 0)
        buf_add_format(&noted, "%.*s\n%.*s\n", STR_ARG(said), STR_ARG(table));
    store_close(old);
    bool ok = noted.len == 0 || note_replaced(corpus, buf_str(&noted), err);
    buf_free(&noted);
    return ok;
}

bool store_servers_bound(struct store *corpus, bool *bound, struct err *err)
{
    struct str file, replaced;
    bool ok = store_get_state(corpus, STATE_FILE, &corpus->arena, &file, err) &&
              store_get_state(corpus, STATE_REPLACED, &corpus->arena, &replaced, err);

    *bound = ok && file.len + replaced.len > 0;
    return ok;
}

void store_servers_clear(const char *path, struct str addresses)
{
    struct store *corpus;
    struct err ignored = {0};
    struct str said, table;
    struct buf left = {0};

    if (!store_open_file(path, &corpus, &ignored))
        return;
    struct str noted = replaced_by(corpus);
    bool any = noted.len > 0;
    while (noted.len > 0) {
        str_cut(&noted, '\n', &said);
        str_cut(&noted, '\n', &table);
        if (is_table(table) && !drop_table(said, addresses, table))
            buf_add_format(&left, "%.*s\n%.*s\n", STR_ARG(said), STR_ARG(table));
    }
    if (any)
        (void)!note_replaced(corpus, buf_str(&left), &ignored);
    buf_free(&left);
    store_close(corpus);
}

bool store_servers_begin(struct store *corpus, struct err *err)
{
    return corpus->servers.items == NULL ||
           store_count(corpus, "SELECT ifnull(max(number), 0) + 1 FROM batch",
                       &corpus->servers.batch, err);
}

/* --- append --- */

static void note_moment(void *context, int64_t id, int64_t ms)
{
    struct store_servers *servers = context;
    struct store_moment moment = {id, ms};

    list_add(&servers->moments, moment);
}

static int by_moment_id(const void *a, const void *b)
{
    const struct store_moment *left = a, *right = b;

    return (left->id > right->id) - (left->id < right->id);
}

static const struct store_moment *find_moment(const struct store_servers *servers,
                                              int64_t id)
{
    struct store_moment key = {.id = id};

    return servers->moments.count == 0
               ? NULL
               : bsearch(&key, servers->moments.at, servers->moments.count, sizeof key,
                         by_moment_id);
}

static bool read_moments(struct store_servers *servers, struct engine_block of,
                         struct err *err)
{
    list_clear(&servers->moments);
    servers->moments_of = of;
    if (!engine_items_send(servers->items, err) ||
        !engine_items_moments(servers->items, of, note_moment, servers, err))
        return false;
    if (servers->moments.count > 1)
        qsort(servers->moments.at, servers->moments.count, sizeof *servers->moments.at,
              by_moment_id);
    return true;
}

/* When an item that is there was written. Sources that share items mostly have them in
 * the same order: the further they go up, the more is asked for at once. */
static bool find_known(struct store_servers *servers, int64_t id, int64_t *known_ms,
                       struct err *err)
{
    enum { FEW = 64, MANY = 1 << 18 };
    struct engine_block had = servers->moments_of;
    const struct store_moment *found = NULL;
    int64_t width = had.to - had.from;

    if (id >= had.from && id < had.to)
        found = find_moment(servers, id);
    if (found == NULL) {
        width = id < had.to || width < FEW ? FEW : width < MANY ? width * 2 : MANY;
        if (!read_moments(servers, (struct engine_block){.from = id, .to = id + width}, err))
            return false;
        found = find_moment(servers, id);
    }
    if (found != NULL)
        *known_ms = found->ms;
    return true;
}

bool store_servers_append(struct store *corpus, const struct engine_item *item,
                          bool *added, int64_t *known_ms, struct err *err)
{
    struct store_servers *servers = &corpus->servers;

    *added = idset_add(&servers->known, item->item.id);
    return *added ? engine_items_append(servers->items, servers->batch, item, err)
                  : find_known(servers, item->item.id, known_ms, err);
}

/* --- scan --- */

static bool read_hash(struct store *corpus, bool *there, uint64_t *hash, struct err *err)
{
    struct str state;

    if (!store_get_state(corpus, STATE_HASH, &corpus->arena, &state, err))
        return false;
    *hash = 0;
    *there = state.len == sizeof *hash;
    if (*there)
        memcpy(hash, state.ptr, sizeof *hash);
    return true;
}

bool store_servers_settle(struct store *corpus, struct err *err)
{
    const struct store_servers *servers = &corpus->servers;
    uint64_t hash, before;
    bool there;

    if (!engine_items_settle(servers->items, servers->batch, &hash, err) ||
        !read_hash(corpus, &there, &before, err))
        return false;
    hash += before;
    return store_set_state(corpus, STATE_HASH,
                           (struct str){(const char *)&hash, sizeof hash}, err);
}

static bool take_row(void *context, const struct engine_item *item, struct err *err)
{
    return store_take_row(context, &item->item, item->code_blocks, item->sum, err);
}

/* The servers count what they have, and hash what they test themselves; rows that are
 * read whole are checked one by one. */
static bool check_all_there(struct store *corpus, struct err *err)
{
    int64_t kinds[ITEM_KINDS], rows = 0;
    struct store_total written;
    uint64_t sum, hash, hashed;

    if (corpus->servers.counted)
        return true;
    if (!engine_items_count(corpus->servers.items, kinds, &sum, &hash, err) ||
        !store_written(corpus, &written, err) ||
        !read_hash(corpus, &corpus->servers.hashed, &hashed, err))
        return false;
    for (int kind = 0; kind < ITEM_KINDS; kind++)
        rows += kinds[kind];
    if (rows != written.rows || sum != written.sum)
        return store_damaged_items(corpus, STORE_ITEMS_MISSING, err);
    if (corpus->servers.hashed && hash != hashed)
        return store_damaged_items(corpus, "items are not as they were written", err);
    corpus->servers.counted = true;
    return true;
}

bool store_servers_scan(struct store_scanning *scan, struct err *err)
{
    scan->bodies_from = INT64_MIN;
    bool ok = check_all_there(scan->corpus, err) &&
              engine_items_scan(scan->corpus->servers.items, scan->kinds, &scan->block,
                                take_row, scan, err);

    list_free(&scan->bodies);
    arena_free(&scan->arena);
    return ok;
}

static bool take_asked(void *context, const struct engine_item *item, bool whole,
                       const uint8_t *passed, struct err *err)
{
    struct store_scanning *scan = context;
    const struct item *found = &item->item;
    struct store_row row = {store_handed(scan->corpus, found), item->code_blocks, scan,
                            passed};

    if (found->kind <= 0 || found->kind >= ITEM_KINDS || found->id <= scan->last ||
        (whole && !store_sound(found, item->code_blocks, item->sum)))
        return store_damaged_item(scan->corpus, found->id, err);
    scan->last = found->id;
    scan->whole = whole ? item : NULL;
    return scan->take(scan->context, &row, err);
}

bool store_servers_ask(struct store_scanning *scan, const struct store_asking *asking,
                       bool *asked, struct err *err)
{
    struct store *corpus = scan->corpus;
    struct engine_asked *queries =
        arena_array(&scan->arena, struct engine_asked, asking->count + 1);
    struct engine_asking ask = {.kinds = asking->kinds & ~asking->brief,
                                .queries = queries,
                                .count = asking->count,
                                .bodies = asking->bodies};
    struct engine_asking brief = {.kinds = asking->kinds & asking->brief,
                                  .fields =
                                      1u << ITEM_FIELD_KIND | 1u << ITEM_FIELD_PARENT |
                                      1u << ITEM_FIELD_CREATED | 1u << ITEM_FIELD_OWNER};

    for (size_t i = 0; i < asking->count; i++)
        queries[i] =
            (struct engine_asked){asking->queries[i].name, asking->queries[i].query};
    bool ok = check_all_there(corpus, err);
    *asked = ok && corpus->servers.hashed;
    if (*asked) {
        ok = engine_items_ask(corpus->servers.items, &ask, take_asked, scan, err);
        scan->last = INT64_MIN;
        ok = ok && engine_items_ask(corpus->servers.items, &brief, take_asked, scan, err);
    }
    arena_free(&scan->arena);
    return ok;
}

static bool keep_body(void *context, const struct engine_item *item, struct err *err)
{
    struct store_scanning *scan = context;
    struct engine_item kept = *item;

    (void)err;
    kept.item.body = arena_copy(&scan->arena, item->item.body);
    list_add(&scan->bodies, kept);
    return true;
}

static int by_id(const void *a, const void *b)
{
    const struct engine_item *left = a, *right = b;

    return (left->item.id > right->item.id) - (left->item.id < right->item.id);
}

static bool read_bodies(struct store_scanning *scan, bool all, struct err *err)
{
    const struct store_servers *servers = &scan->corpus->servers;

    list_clear(&scan->bodies);
    arena_free(&scan->arena);
    scan->bodies_from = scan->block.from;
    scan->all_bodies = all || servers->expected_count == 0;
    if (!engine_items_bodies(servers->items, scan->block, scan->kinds, servers->expected,
                             scan->all_bodies ? 0 : servers->expected_count, keep_body,
                             scan, err))
        return false;
    if (scan->bodies.count > 1)
        qsort(scan->bodies.at, scan->bodies.count, sizeof *scan->bodies.at, by_id);
    return true;
}

/* Bodies come with the first that is asked for in a block: those that are expected, or,
 * when another is asked for, all. */
bool store_servers_body(struct store_scanning *scan, int64_t id, struct str *body,
                        struct err *err)
{
    struct engine_item key = {.item.id = id};
    const struct engine_item *found = NULL;

    if (scan->whole != NULL) {
        *body = scan->whole->item.body;
        return store_text_sum(id, *body) == scan->whole->text_sum ||
               store_damaged_item(scan->corpus, id, err);
    }
    if (scan->bodies_from != scan->block.from && !read_bodies(scan, false, err))
        return false;
    for (;;) {
        if (scan->bodies.count > 0)
            found = bsearch(&key, scan->bodies.at, scan->bodies.count, sizeof key, by_id);
        if (found != NULL || scan->all_bodies)
            break;
        if (!read_bodies(scan, true, err))
            return false;
    }
    if (found == NULL || store_text_sum(id, found->item.body) != found->text_sum)
        return store_damaged_item(scan->corpus, id, err);
    *body = found->item.body;
    return true;
}

/* --- fetch --- */

struct servers_fetch {
    struct store *corpus;
    store_take_item *take;
    void *context;
    bool heads; /* without bodies */
    struct arena arena;
    LIST(struct item) answers;
};

static bool take_item(void *context, const struct engine_item *item, struct err *err)
{
    struct servers_fetch *fetch = context;
    struct item handed = store_handed(fetch->corpus, &item->item);

    bool sound =
        fetch->heads
            ? store_sound(&item->item, item->code_blocks, item->sum) ||
                  store_damaged_item(fetch->corpus, item->item.id, err)
            : store_check_item(fetch->corpus, &item->item, item->code_blocks, item->sum,
                               item->text_sum, err);

    return sound && fetch->take(fetch->context, &handed, err);
}

bool store_servers_fetch(struct store *corpus, const int64_t *ids, size_t count,
                         bool heads, store_take_item *take, void *context,
                         struct err *err)
{
    struct servers_fetch fetch = {
        .corpus = corpus, .take = take, .context = context, .heads = heads};

    return engine_items_fetch(corpus->servers.items, ids, count, heads, take_item, &fetch,
                              err);
}

static bool keep_answer(void *context, const struct item *item, struct err *err)
{
    struct servers_fetch *fetch = context;
    struct item kept = *item;

    (void)err;
    for (size_t i = 0; i < ITEM_TEXTS; i++)
        kept.texts[i] = arena_copy(&fetch->arena, item->texts[i]);
    list_add(&fetch->answers, kept);
    return true;
}

/* Without a score last; ITEM_NONE is below all others. */
static int by_score(const void *a, const void *b)
{
    const struct item *left = a, *right = b;

    return left->score != right->score ? (left->score < right->score ? 1 : -1)
                                       : (left->id > right->id) - (left->id < right->id);
}

bool store_servers_answers(struct store *corpus, int64_t question, store_take_item *take,
                           void *context, struct err *err)
{
    struct servers_fetch fetch = {.corpus = corpus, .take = keep_answer};

    fetch.context = &fetch;
    bool ok =
        engine_items_answers(corpus->servers.items, question, take_item, &fetch, err);
    if (fetch.answers.count > 1)
        qsort(fetch.answers.at, fetch.answers.count, sizeof *fetch.answers.at, by_score);
    for (size_t i = 0; i < fetch.answers.count && ok; i++)
        ok = take(context, &fetch.answers.at[i], err);
    list_free(&fetch.answers);
    arena_free(&fetch.arena);
    return ok;
}

/* --- counts --- */

bool store_servers_count(struct store *corpus, int64_t kinds[ITEM_KINDS], struct err *err)
{
    uint64_t sum;

    return engine_items_count(corpus->servers.items, kinds, &sum, NULL, err);
}

struct servers_ids {
    struct idset *posts, *owners;
};

static void note_ids(void *context, int64_t id, int64_t owner)
{
    const struct servers_ids *ids = context;

    idset_add(ids->posts, item_number(id));
    if (ids->owners != NULL)
        idset_add(ids->owners, item_number(owner));
}

bool store_servers_ids(struct store *corpus, size_t space, unsigned kinds,
                       struct idset *posts, struct idset *owners, struct err *err)
{
    struct engine_block block = {.from = item_id(space, -ITEM_NUMBER_LIMIT),
                                 .to = item_id(space, ITEM_NUMBER_LIMIT)};
    struct servers_ids ids = {posts, owners};

    return engine_items_ids(corpus->servers.items, block, kinds, note_ids, &ids, err);
}

/* Questions with their accepted answers, which may stand on another server. */
struct servers_accepted {
    int64_t answer, asked_ms, accepted_ms;
};

struct servers_doubts {
    LIST(struct servers_accepted) accepted; /* by answer */
    size_t at;
    struct idset late;
    int64_t too_old, missing;
};

static bool gather_accepted(void *context, const struct engine_item *item, bool whole,
                            const uint8_t *passed, struct err *err)
{
    struct servers_doubts *doubts = context;
    const struct item *question = &item->item;

    (void)whole, (void)passed, (void)err;
    if (question->accepted != ITEM_NONE || question->accepted_ms != ITEM_NONE) {
        struct servers_accepted accepted = {question->accepted, question->created_ms,
                                            question->accepted_ms};
        list_add(&doubts->accepted, accepted);
    }
    return true;
}

/* The answer that was accepted is there, or not: NULL. */
static void compare_accepted(struct servers_doubts *doubts,
                             const struct servers_accepted *accepted,
                             const struct item *answer)
{
    int64_t ms = accepted->accepted_ms != ITEM_NONE ? accepted->accepted_ms
                 : answer != NULL                   ? answer->created_ms
                                                    : ITEM_NONE;

    doubts->too_old +=
        ms != ITEM_NONE && accepted->asked_ms != ITEM_NONE && ms < accepted->asked_ms;
    doubts->missing += answer == NULL && accepted->answer != ITEM_NONE &&
                       accepted->answer != 0 &&
                       !idset_has(&doubts->late, accepted->answer);
}

static bool match_accepted(void *context, const struct engine_item *item, bool whole,
                           const uint8_t *passed, struct err *err)
{
    struct servers_doubts *doubts = context;
    const struct servers_accepted *at = doubts->accepted.at;

    (void)whole, (void)passed, (void)err;
    for (; doubts->at < doubts->accepted.count && at[doubts->at].answer <= item->item.id;
         doubts->at++)
        compare_accepted(doubts, &at[doubts->at],
                         at[doubts->at].answer == item->item.id ? &item->item : NULL);
    return true;
}

static int by_answer(const void *a, const void *b)
{
    const struct servers_accepted *left = a, *right = b;

    return (left->answer > right->answer) - (left->answer < right->answer);
}

static bool note_late(void *context, int64_t answer, int64_t question, struct err *err)
{
    (void)question, (void)err;
    idset_add(context, answer);
    return true;
}

bool store_servers_doubts(struct store *corpus, int64_t *too_old, int64_t *missing,
                          struct err *err)
{
    struct servers_doubts doubts = {0};
    struct engine_items *items = corpus->servers.items;
    const struct engine_asking questions = {.kinds = ~0u,
                                            .fields = 1u << ITEM_FIELD_CREATED |
                                                      1u << ITEM_FIELD_ACCEPTED |
                                                      1u << ITEM_FIELD_ACCEPTED_AT},
                               answers = {.kinds = ~0u,
                                          .fields = 1u << ITEM_FIELD_CREATED};
    bool ok = store_late(corpus, note_late, &doubts.late, err) &&
              engine_items_ask(items, &questions, gather_accepted, &doubts, err);

    if (doubts.accepted.count > 1)
        qsort(doubts.accepted.at, doubts.accepted.count, sizeof *doubts.accepted.at,
              by_answer);
    ok = ok && engine_items_ask(items, &answers, match_accepted, &doubts, err);
    for (; doubts.at < doubts.accepted.count; doubts.at++)
        compare_accepted(&doubts, &doubts.accepted.at[doubts.at], NULL);
    *too_old = doubts.too_old;
    *missing = doubts.missing;
    list_free(&doubts.accepted);
    idset_free(&doubts.late);
    return ok;
}
