/* A table a server. Partitions are batches, which a server drops as a whole; what is sent
 * at once is a numbered block, so that one whose answer was lost is not sent twice. */
#include "engine/items.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "engine/internal.h"
#include "net/net.h"

enum {
    SERVERS_MAX = 64,
    SEND_BYTES = 8 << 20,
    SENDS_MAX = 3,         /* on their way to one server */
    MOVE_BYTES = 64 << 10, /* are gathered between looks at those */
    TRIES = 4,
    PAUSE_MS = 500,
    ARRIVING_PAUSE_MS = 200,
    ARRIVING_PAUSES = 3000, /* ten minutes */
    BLOCK_ITEMS = 20000,    /* read at once */
    FETCH_IDS = 500,
    FETCH_HEADS = 10000,
    MORE = 3, /* columns behind those of the fields: code_blocks, form, sum */
    COLUMNS = ITEM_FIELD_BODY + MORE,
    COLUMNS_WHOLE = COLUMNS + 2, /* and the body with its sum */
};

struct items_block {
    int64_t number, batch;
    struct buf sql;
    int tries;
    struct items_server *server;
    struct items_block *next;
};

struct items_server {
    struct engine *engine;
    struct items_block *block; /* that is being filled; NULL: none */
    int on_the_way;
    int64_t rows; /* of the batch */
    uint64_t sum;
};

struct engine_items {
    struct arena arena; /* holds the struct itself */
    struct items_server servers[SERVERS_MAX];
    size_t server_count;
    struct net_pool *pool;      /* NULL: nothing was appended yet */
    struct items_block *blocks; /* that are filled or on their way */
    struct items_block *spare;  /* others, to be used again */
    int64_t next_block;
    size_t gathered; /* bytes since what is on its way was looked at */
    const char *columns[COLUMNS_WHOLE];
    const char *hash; /* of the rows that are asked for, but for their bodies */
};

/* It has arrived; its memory is that of a later one. */
static void free_block(struct engine_items *items, struct items_block *block)
{
    struct items_block **at = &items->blocks;

    while (*at != block)
        at = &(*at)->next;
    *at = block->next;
    buf_free(&block->sql);
    block->next = items->spare;
    items->spare = block;
}

/* A number that no item has stands for a missing one. */
static const char *hash_of_rows(struct engine_items *items)
{
    struct buf sql = {0};

    buf_add(&sql, STR("toInt64(sum(cityHash64("));
    for (size_t i = 0; i < COLUMNS; i++)
        buf_add_format(&sql,
                       i > ITEM_FIELD_ID && i < ITEM_NUMBERS
                           ? "%sifNull(%s, toInt64(-9223372036854775807))"
                           : "%s%s",
                       i > 0 ? ", " : "", items->columns[i]);
    buf_add(&sql, STR(", text_sum)))"));
    return buf_keep(&sql, &items->arena).ptr;
}

bool engine_items_open(struct str servers, struct str name, struct engine_items **out,
                       struct err *err)
{
    static const struct str begin = STR_INIT("clickhouse://");
    struct arena arena = {0};
    struct engine_items *items = arena_array(&arena, struct engine_items, 1);
    struct str address;
    bool ok = true;

    items->arena = arena;
    for (int i = 0; i < ITEM_FIELD_BODY; i++)
        items->columns[i] = item_field((enum item_field)i)->column;
    items->columns[ITEM_FIELD_BODY] = "code_blocks";
    items->columns[ITEM_FIELD_BODY + 1] = "form";
    items->columns[ITEM_FIELD_BODY + 2] = "sum";
    items->columns[COLUMNS] = "body";
    items->columns[COLUMNS + 1] = "text_sum";
    items->hash = hash_of_rows(items);
    while (ok && servers.len > 0) {
        str_cut(&servers, ' ', &address);
        if (address.len == 0)
            continue;
        ok = str_starts(address, begin) && items->server_count < SERVERS_MAX
                 ? engine_open(
                       arena_format(&items->arena, "http://%.*s/%.*s",
                                    STR_ARG(str_slice(address, begin.len, address.len)),
                                    STR_ARG(name))
                           .ptr,
                       &items->servers[items->server_count].engine, err)
                 : err_set(err, ERR_INPUT,
                           "found '%.*s', expected the address of a server's database "
                           "such as clickhouse://localhost:8123/assay",
                           STR_ARG(address));
        items->server_count += ok;
    }
    *out = items;
    if (!ok)
        engine_items_close(items);
    return ok;
}

void engine_items_close(struct engine_items *items)
{
    if (items == NULL)
        return;
    net_pool_close(items->pool);
    while (items->blocks != NULL)
        free_block(items, items->blocks);
    for (size_t i = 0; i < items->server_count; i++)
        engine_close(items->servers[i].engine);
    struct arena arena = items->arena;
    arena_free(&arena);
}

size_t engine_items_servers(const struct engine_items *items)
{
    return items->server_count;
}

struct engine *engine_items_server(const struct engine_items *items, size_t server)
{
    return items->servers[server].engine;
}

/* --- tables --- */

static bool do_all(struct engine_items *items, const char *before, const char *behind,
                   struct err *err)
{
    struct buf sql = {0};
    bool ok = true;

    for (size_t i = 0; i < items->server_count && ok; i++) {
        struct engine *engine = items->servers[i].engine;
        buf_clear(&sql);
        buf_add_format(&sql, "%s %.*s %s", before, STR_ARG(engine_table(engine)), behind);
        ok = engine_do(engine, buf_str(&sql), err);
    }
    buf_free(&sql);
    return ok;
}

bool engine_items_create(struct engine_items *items, struct err *err)
{
    struct buf columns = {0};

    buf_add(&columns, STR("(batch Int64, block Int64"));
    for (size_t i = 0; i < COLUMNS_WHOLE; i++) {
        bool text = (i >= ITEM_NUMBERS && i < ITEM_FIELD_BODY) || i == COLUMNS,
             always = i == ITEM_FIELD_ID || i >= ITEM_NUMBERS;
        buf_add_format(&columns, ", %s %s", items->columns[i],
                       text     ? "String"
                       : always ? "Int64"
                                : "Nullable(Int64)");
    }
    buf_add(&columns, STR(") ENGINE = MergeTree PARTITION BY batch ORDER BY id SETTINGS "
                          "index_granularity = 1024"));
    const char *behind = buf_keep(&columns, &items->arena).ptr;
    return do_all(items, "CREATE TABLE IF NOT EXISTS", behind, err);
}

bool engine_items_drop(struct engine_items *items, struct err *err)
{
    return do_all(items, "DROP TABLE IF EXISTS", "", err);
}

static bool ask(const struct items_server *server, const char *const *expressions,
                size_t count, const char *rest, engine_take_fields *take, void *context,
                struct err *err)
{
    struct buf sql = {0};

    buf_add_format(&sql, "FROM %.*s %s", STR_ARG(engine_table(server->engine)), rest);
    bool ok =
        engine_ask(server->engine, expressions, count, buf_str(&sql), take, context, err);
    buf_free(&sql);
    return ok;
}

/* Sums over the rows that meet a condition. */
static bool ask_totals(const struct items_server *server, const char *where,
                       const char *hashing, int64_t *rows, uint64_t *sum, uint64_t *hash,
                       struct err *err)
{
    const char *const expressions[] = {"toInt64(count())", "toInt64(sum(sum))", hashing};
    int64_t found[ROWS_OF(expressions)];

    if (!engine_ask_numbers(server->engine, engine_table(server->engine), expressions,
                            ROWS_OF(expressions), str_from(where), found, err))
        return false;
    *rows = found[0];
    *sum = (uint64_t)found[1];
    *hash = (uint64_t)found[2];
    return true;
}

struct items_batches {
    LIST(int64_t) numbers;
};

static bool take_batch(void *context, const struct str *fields, struct err *err)
{
    struct items_batches *batches = context;
    int64_t number;

    if (!str_to_int(fields[0], &number))
        return err_set(err, ERR_SYSTEM, "the server has a batch '%.*s'",
                       STR_ARG(fields[0]));
    list_add(&batches->numbers, number);
    return true;
}

/* What a program that was killed had sent may still be on its way into the table, where
 * it would stand among what is sent now. A server that does not show what it does is not
 * waited for: what is too much is seen when a batch is settled. */
static bool await_arriving(const struct items_server *server, struct err *err)
{
    static const char *const expressions[] = {"toInt64(count())"};
    struct arena arena = {0};
    struct buf where = {0};
    struct err ignored = {0};
    int64_t arriving = 1;
    bool ok = true;

    struct str insert =
        arena_format(&arena, "INSERT INTO %.*s (", STR_ARG(engine_table(server->engine)));
    buf_add(&where, STR("position(query, "));
    engine_add_text(&where, insert);
    buf_add(&where, STR(") = 1"));
    for (int i = 0; i < ARRIVING_PAUSES && arriving > 0 && ok; i++) {
        if (i > 0)
            net_pause(ARRIVING_PAUSE_MS);
        ok = stop_check(err);
        if (ok && !engine_ask_numbers(server->engine, STR("system.processes"),
                                      expressions, ROWS_OF(expressions), buf_str(&where),
                                      &arriving, &ignored))
            arriving = 0;
    }
    buf_free(&where);
    arena_free(&arena);
    return ok;
}

bool engine_items_forget(struct engine_items *items, int64_t last, struct err *err)
{
    static const char *const expressions[] = {"batch"};
    struct arena arena = {0};
    bool ok = true;

    for (size_t i = 0; i < items->server_count && ok; i++)
        ok = await_arriving(&items->servers[i], err);
    for (size_t i = 0; i < items->server_count && ok; i++) {
        const struct items_server *server = &items->servers[i];
        struct items_batches batches = {0};
        ok = ask(
            server, expressions, 1,
            arena_format(&arena, "WHERE batch > %" PRId64 " GROUP BY batch", last).ptr,
            take_batch, &batches, err);
        for (size_t b = 0; b < batches.numbers.count && ok; b++)
            ok =
                engine_do(server->engine,
                          arena_format(&arena, "ALTER TABLE %.*s DROP PARTITION %" PRId64,
                                       STR_ARG(engine_table(server->engine)),
                                       batches.numbers.at[b]),
                          err);
        list_free(&batches.numbers);
    }
    arena_free(&arena);
    return ok;
}

/* --- append --- */

static bool send(struct engine_items *items, struct items_block *block, struct err *err)
{
    struct net_request request =
        engine_request(block->server->engine, buf_str(&block->sql));

    block->tries++;
    if (!net_pool_add(items->pool, &request, block, err))
        return false;
    block->server->on_the_way++;
    return true;
}

/* Nobody knows whether a block whose answer was lost has arrived, but the server. */
static bool send_again(struct engine_items *items, struct items_block *block,
                       const struct net_answer *answer, struct err *err)
{
    struct arena arena = {0};
    int64_t rows;
    uint64_t sum, hash;
    struct buf said = {0};

    buf_add(&said, answer->body);
    if (answer->why == NULL || answer->why == net_silence || answer->why == net_endless ||
        block->tries >= TRIES) {
        engine_refused(block->server->engine, &said, answer->why, err);
        buf_free(&said);
        return false;
    }
    buf_free(&said);
    net_pause(PAUSE_MS);
    const char *where = arena_format(&arena, "batch = %" PRId64 " AND block = %" PRId64,
                                     block->batch, block->number)
                            .ptr;
    bool ok = ask_totals(block->server, where, items->hash, &rows, &sum, &hash, err);
    arena_free(&arena);
    if (!ok)
        return false;
    if (rows == 0)
        return send(items, block, err);
    free_block(items, block);
    return true; /* whether it is whole is seen when the batch is settled */
}

/* Waits until no more than so many are on their way to the server. */
static bool await(struct engine_items *items, const struct items_server *server, int most,
                  struct err *err)
{
    struct net_answer answer;
    void *about;

    while (server->on_the_way > most) {
        if (!stop_check(err))
            return false;
        if (!net_pool_next(items->pool, PAUSE_MS, &answer, &about))
            continue;
        struct items_block *block = about;
        block->server->on_the_way--;
        if (answer.why == NULL && answer.status == 200 && answer.body.len == 0)
            free_block(items, block);
        else if (!send_again(items, block, &answer, err))
            return false;
    }
    return true;
}

static bool send_filled(struct engine_items *items, struct items_server *server,
                        struct err *err)
{
    struct items_block *block = server->block;

    server->block = NULL;
    return block == NULL ||
           (send(items, block, err) && await(items, server, SENDS_MAX - 1, err));
}

static void begin_block(struct engine_items *items, struct items_server *server,
                        int64_t batch)
{
    struct items_block *block = items->spare;

    if (items->pool == NULL && (items->pool = net_pool_open()) == NULL)
        arena_exhausted();
    if (block != NULL)
        items->spare = block->next;
    else
        block = arena_array(&items->arena, struct items_block, 1);
    *block = (struct items_block){.number = ++items->next_block,
                                  .batch = batch,
                                  .server = server,
                                  .next = items->blocks};
    items->blocks = server->block = block;
    buf_add_format(&block->sql, "INSERT INTO %.*s (batch, block",
                   STR_ARG(engine_table(server->engine)));
    for (size_t i = 0; i < COLUMNS_WHOLE; i++)
        buf_add_format(&block->sql, ", %s", items->columns[i]);
    buf_add(&block->sql, STR(") FORMAT RowBinary\n"));
}

/* As RowBinary has them: a text behind its length, seven bits a byte; a number of eight
 * bytes, where it may be missing behind a byte that says so. */
static void add_text(struct buf *out, struct str text)
{
    enum { BITS = 7, MORE_FOLLOWS = 0x80 };
    size_t rest = text.len;

    for (; rest >= MORE_FOLLOWS; rest >>= BITS)
        buf_add_char(out, (char)(rest | MORE_FOLLOWS));
    buf_add_char(out, (char)rest);
    buf_add(out, text);
}

static void add_number(struct buf *out, int64_t number)
{
    buf_add(out, (struct str){(const char *)&number, sizeof number});
}

static void add_nullable(struct buf *out, int64_t number)
{
    buf_add_char(out, number == ITEM_NONE);
    if (number != ITEM_NONE)
        add_number(out, number);
}

bool engine_items_append(struct engine_items *items, int64_t batch,
                         const struct engine_item *item, struct err *err)
{
    struct items_server *server =
        &items->servers[(uint64_t)item->item.id % items->server_count];

    if (server->block == NULL)
        begin_block(items, server, batch);
    struct buf *out = &server->block->sql;
    size_t before = out->len;
    add_number(out, batch);
    add_number(out, server->block->number);
    add_number(out, item->item.id);
    for (int i = ITEM_FIELD_ID + 1; i < ITEM_NUMBERS; i++)
        add_nullable(out, item->item.numbers[i]);
    for (int i = 0; i < ITEM_FIELD_BODY - ITEM_NUMBERS; i++)
        add_text(out, item->item.texts[i]);
    add_number(out, item->code_blocks);
    add_number(out, (int64_t)item->item.form);
    add_number(out, (int64_t)item->sum);
    add_text(out, item->item.body);
    add_number(out, (int64_t)item->text_sum);
    server->rows++;
    server->sum += item->sum;
    items->gathered += out->len - before;
    if (items->gathered >= MOVE_BYTES) { /* servers shall not wait while others work */
        items->gathered = 0;
        net_pool_move(items->pool);
    }
    return out->len < SEND_BYTES || send_filled(items, server, err);
}

bool engine_items_send(struct engine_items *items, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; i < items->server_count && ok; i++)
        ok = send_filled(items, &items->servers[i], err);
    for (size_t i = 0; i < items->server_count && ok; i++)
        ok = await(items, &items->servers[i], 0, err);
    return ok;
}

bool engine_items_settle(struct engine_items *items, int64_t batch, uint64_t *hash,
                         struct err *err)
{
    struct arena arena = {0};
    const char *where = arena_format(&arena, "batch = %" PRId64, batch).ptr;
    bool ok = engine_items_send(items, err);

    *hash = 0;
    for (size_t i = 0; i < items->server_count && ok; i++) {
        struct items_server *server = &items->servers[i];
        int64_t rows = 0;
        uint64_t sum = 0, part = 0;
        ok = server->rows == 0 ||
             ask_totals(server, where, items->hash, &rows, &sum, &part, err);
        *hash += part;
        if (ok && (rows != server->rows || sum != server->sum))
            ok = err_set(err, ERR_SYSTEM,
                         "%s: has %lld items of those that were sent to it, expected "
                         "%lld: start again, and it goes on from there",
                         engine_shown(server->engine), (long long)rows,
                         (long long)server->rows);
        server->rows = 0;
        server->sum = 0;
    }
    arena_free(&arena);
    return ok;
}

/* --- reading --- */

static bool read_columns(const struct str *fields, size_t columns,
                         struct engine_item *out)
{
    int64_t more[MORE] = {0}, text_sum = 0;
    bool ok = true;

    *out = (struct engine_item){.item = item_empty()};
    for (int i = 0; i < ITEM_NUMBERS; i++)
        ok = ok && (str_eq(fields[i], STR("\\N")) ||
                    str_to_int(fields[i], &out->item.numbers[i]));
    for (int i = ITEM_NUMBERS; i < ITEM_FIELD_BODY; i++)
        out->item.texts[i - ITEM_NUMBERS] = fields[i];
    for (int i = 0; i < MORE; i++)
        ok = ok && str_to_int(fields[ITEM_FIELD_BODY + i], &more[i]);
    if (columns == COLUMNS_WHOLE) {
        out->item.body = fields[COLUMNS];
        ok = ok && str_to_int(fields[COLUMNS + 1], &text_sum);
    }
    out->code_blocks = more[0];
    out->item.form = (enum item_form)more[1];
    out->sum = (uint64_t)more[2];
    out->text_sum = (uint64_t)text_sum;
    return ok;
}

static bool keep_item(void *context, const struct str *fields, struct err *err)
{
    struct engine_items_found *found = context;
    struct engine_item item;

    if (!read_columns(fields, found->whole ? COLUMNS_WHOLE : COLUMNS, &item))
        return err_set(err, ERR_SYSTEM, "the server answered with a row that is none");
    for (size_t i = 0; i < ITEM_TEXTS; i++)
        item.item.texts[i] = arena_copy(&found->arena, item.item.texts[i]);
    list_add(&found->items, item);
    return true;
}

static int by_id(const void *a, const void *b)
{
    const struct engine_item *left = a, *right = b;

    return (left->item.id > right->item.id) - (left->item.id < right->item.id);
}

bool engine_items_find(struct engine_items *items, bool whole, const char *where,
                       struct engine_items_found *found, struct err *err)
{
    bool ok = true;

    found->whole = whole;
    list_clear(&found->items);
    arena_rewind(&found->arena, (struct arena_mark){0});
    for (size_t i = 0; i < items->server_count && ok; i++)
        ok = ask(&items->servers[i], items->columns, whole ? COLUMNS_WHOLE : COLUMNS,
                 where, keep_item, found, err);
    if (ok && found->items.count > 1)
        qsort(found->items.at, found->items.count, sizeof *found->items.at, by_id);
    return ok;
}

void engine_items_found_free(struct engine_items_found *found)
{
    list_free(&found->items);
    arena_free(&found->arena);
}

void engine_add_kinds(struct buf *out, const char *kind_of, unsigned kinds)
{
    buf_add_format(out, "%s IN (-1", kind_of); /* so that there is one */
    for (int kind = 1; kind < ITEM_KINDS; kind++)
        if (kinds >> kind & 1)
            buf_add_format(out, ",%d", kind);
    buf_add_char(out, ')');
}

/* A server opens every part whose items begin below a block: those behind it are told by
 * their batches, which are its partitions. */
void engine_add_block(struct engine_block block, struct buf *sql)
{
    buf_add_format(sql, "id >= %" PRId64 " AND id < %" PRId64, block.from, block.to);
    if (block.last > 0)
        buf_add_format(sql, " AND batch >= %" PRId64 " AND batch <= %" PRId64,
                       block.first, block.last);
}

static const char *in_block(struct engine_block block, unsigned kinds,
                            struct arena *arena)
{
    struct buf where = {0};

    buf_add(&where, STR("WHERE "));
    engine_add_block(block, &where);
    buf_add(&where, STR(" AND "));
    engine_add_kinds(&where, "kind", kinds);
    return buf_keep(&where, arena).ptr;
}

/* How many items there are in each run of ids. */
static bool find_runs(struct engine_items *items, unsigned kinds, struct engine_runs *out,
                      struct err *err)
{
    static const char *const expressions[ENGINE_RUN_COLUMNS] = {
        "run", "toInt64(count())", "min(batch)", "max(batch)"};
    struct arena arena = {0};
    struct buf rest = {0};
    bool ok = true;

    buf_add(&rest, STR("WHERE "));
    engine_add_kinds(&rest, "kind", kinds);
    buf_add_format(&rest, " GROUP BY bitShiftRight(id, %d) AS run", ENGINE_RUN_BITS);
    const char *behind = buf_keep(&rest, &arena).ptr;
    for (size_t i = 0; i < items->server_count && ok; i++)
        ok = ask(&items->servers[i], expressions, ROWS_OF(expressions), behind,
                 engine_take_run, out, err);
    arena_free(&arena);
    return ok;
}

bool engine_items_blocks(struct engine_items *items, unsigned kinds, int64_t most,
                         struct engine_blocks *out, struct err *err)
{
    struct engine_runs runs = {0};
    bool ok = find_runs(items, kinds, &runs, err);

    engine_blocks_make(&runs, most, out);
    return ok;
}

bool engine_items_all_there(const struct engine_items *items, size_t found,
                            int64_t expected, struct err *err)
{
    const char *first = engine_shown(items->servers[0].engine);

    if ((int64_t)found == expected)
        return true;
    return items->server_count == 1
               ? err_set(err, ERR_SYSTEM,
                         "%s: gave %zu items of %lld that it had counted", first, found,
                         (long long)expected)
               : err_set(err, ERR_SYSTEM,
                         "%s and %zu more servers: gave %zu items of %lld that they had "
                         "counted",
                         first, items->server_count - 1, found, (long long)expected);
}

bool engine_items_scan(struct engine_items *items, unsigned kinds,
                       struct engine_block *block, engine_take_item *take, void *context,
                       struct err *err)
{
    struct engine_blocks blocks = {0};
    struct engine_items_found found = {0};
    bool ok = engine_items_blocks(items, kinds, BLOCK_ITEMS, &blocks, err);

    for (size_t i = 0; i < blocks.at.count && ok; i++) {
        struct arena arena = {0};
        *block = blocks.at.at[i];
        ok = stop_check(err) &&
             engine_items_find(items, false, in_block(*block, kinds, &arena), &found,
                               err) &&
             engine_items_all_there(items, found.items.count, blocks.rows.at[i], err);
        arena_free(&arena);
        for (size_t f = 0; f < found.items.count && ok; f++)
            ok = take(context, &found.items.at[f], err);
    }
    engine_blocks_free(&blocks);
    engine_items_found_free(&found);
    return ok;
}

struct ids_taking {
    engine_take_id *take;
    void *context;
};

static bool take_id(void *context, const struct str *fields, struct err *err)
{
    const struct ids_taking *taking = context;
    int64_t id, beside = ITEM_NONE;

    if (!str_to_int(fields[0], &id) ||
        (!str_eq(fields[1], STR("\\N")) && !str_to_int(fields[1], &beside)))
        return err_set(err, ERR_SYSTEM, "the server answered with a row that is none");
    taking->take(taking->context, id, beside);
    return true;
}

static bool ask_ids(struct engine_items *items, const char *beside,
                    struct engine_block block, unsigned kinds, engine_take_id *take,
                    void *context, struct err *err)
{
    const char *const expressions[] = {"id", beside};
    struct ids_taking taking = {take, context};
    struct arena arena = {0};
    const char *where = in_block(block, kinds, &arena);
    bool ok = true;

    for (size_t i = 0; i < items->server_count && ok; i++)
        ok = ask(&items->servers[i], expressions, ROWS_OF(expressions), where, take_id,
                 &taking, err);
    arena_free(&arena);
    return ok;
}

bool engine_items_ids(struct engine_items *items, struct engine_block block,
                      unsigned kinds, engine_take_id *take, void *context,
                      struct err *err)
{
    return ask_ids(items, "owner", block, kinds, take, context, err);
}

bool engine_items_moments(struct engine_items *items, struct engine_block block,
                          engine_take_id *take, void *context, struct err *err)
{
    return ask_ids(items, "created_ms", block, ~0u, take, context, err);
}

/* --- texts --- */

struct bodies_taking {
    engine_take_item *take;
    void *context;
};

static bool take_body(void *context, const struct str *fields, struct err *err)
{
    const struct bodies_taking *taking = context;
    struct engine_item item = {.item = item_empty()};
    int64_t sum;

    if (!str_to_int(fields[0], &item.item.id) || !str_to_int(fields[2], &sum))
        return err_set(err, ERR_SYSTEM, "the server answered with a row that is none");
    item.item.body = fields[1];
    item.text_sum = (uint64_t)sum;
    return taking->take(taking->context, &item, err);
}

/* The columns that conditions look at, named as ours. Ids have that of their source in
 * them, moments are numbers: conditions on these are left to the reader. */
struct engine_posts engine_items_as_posts(struct arena *arena)
{
    static const struct {
        enum engine_column column;
        enum item_field field;
        bool number;
    } same[] = {
        {ENGINE_SCORE, ITEM_FIELD_SCORE, true}, {ENGINE_VIEWS, ITEM_FIELD_VIEWS, true},
        {ENGINE_TAGS, ITEM_FIELD_TAGS, false},  {ENGINE_TITLE, ITEM_FIELD_TITLE, false},
        {ENGINE_BODY, ITEM_FIELD_BODY, false},
    };
    struct engine_posts posts = {.arena = arena};

    for (size_t i = 0; i < ROWS_OF(same); i++) {
        const char *name = item_field(same[i].field)->column;
        posts.columns[same[i].column] = (struct engine_found){
            .name = name, .value = name, .nullable = same[i].number};
    }
    return posts;
}

bool engine_items_bodies(struct engine_items *items, struct engine_block block,
                         unsigned kinds, const struct query_node *const *queries,
                         size_t count, engine_take_item *take, void *context,
                         struct err *err)
{
    static const char *const expressions[] = {"id", "body", "text_sum"};
    struct bodies_taking taking = {take, context};
    struct arena arena = {0};
    struct engine_posts posts = engine_items_as_posts(&arena);
    struct buf where = {0};
    bool ok = true;

    buf_add(&where, str_from(in_block(block, kinds, &arena)));
    for (size_t i = 0; i < count; i++) {
        buf_add_format(&where, i > 0 ? " OR " : " AND (form != %d OR ", (int)ITEM_HTML);
        engine_add_condition(&posts, queries[i], &where);
    }
    if (count > 0)
        buf_add_char(&where, ')');
    const char *behind = buf_keep(&where, &arena).ptr;
    for (size_t i = 0; i < items->server_count && ok; i++)
        ok = ask(&items->servers[i], expressions, ROWS_OF(expressions), behind, take_body,
                 &taking, err);
    arena_free(&arena);
    return ok;
}

/* --- fetch --- */

bool engine_items_fetch(struct engine_items *items, const int64_t *ids, size_t count,
                        bool heads, engine_take_item *take, void *context,
                        struct err *err)
{
    struct engine_items_found found = {0};
    struct buf where = {0};
    size_t most = heads ? FETCH_HEADS : FETCH_IDS;
    bool ok = true;

    for (size_t done = 0; done < count && ok; done += most) {
        size_t end = done + most < count ? done + most : count;
        buf_clear(&where);
        buf_add(&where, STR("PREWHERE id IN ("));
        for (size_t i = done; i < end; i++)
            buf_add_format(&where, "%s%" PRId64, i > done ? "," : "", ids[i]);
        buf_add(&where, (struct str){")", 2});
        ok = engine_items_find(items, !heads, where.ptr, &found, err);
        for (size_t i = done; i < end && ok; i++) {
            struct engine_item key = {.item.id = ids[i]};
            const struct engine_item *item =
                found.items.count == 0
                    ? NULL
                    : bsearch(&key, found.items.at, found.items.count, sizeof key, by_id);
            ok = item == NULL || take(context, item, err);
        }
    }
    buf_free(&where);
    engine_items_found_free(&found);
    return ok;
}

bool engine_items_answers(struct engine_items *items, int64_t question,
                          engine_take_item *take, void *context, struct err *err)
{
    struct engine_items_found found = {0};
    struct arena arena = {0};
    bool ok = engine_items_find(
        items, true, arena_format(&arena, "WHERE parent = %" PRId64, question).ptr,
        &found, err);

    for (size_t i = 0; i < found.items.count && ok; i++)
        ok = take(context, &found.items.at[i], err);
    engine_items_found_free(&found);
    arena_free(&arena);
    return ok;
}

/* --- counts --- */

struct kinds_counted {
    int64_t *kinds;
    uint64_t sum, hash;
    bool hashed;
};

static bool take_kind(void *context, const struct str *fields, struct err *err)
{
    struct kinds_counted *counted = context;
    int64_t kind, count, sum, hash = 0;

    if (!str_to_int(fields[0], &kind) || !str_to_int(fields[1], &count) ||
        !str_to_int(fields[2], &sum) ||
        (counted->hashed && !str_to_int(fields[3], &hash)) || kind <= 0 ||
        kind >= ITEM_KINDS)
        return err_set(err, ERR_INPUT, "the server has items of a kind '%.*s'",
                       STR_ARG(fields[0]));
    counted->kinds[kind] += count;
    counted->sum += (uint64_t)sum;
    counted->hash += (uint64_t)hash;
    return true;
}

bool engine_items_count(struct engine_items *items, int64_t kinds[ITEM_KINDS],
                        uint64_t *sum, uint64_t *hash, struct err *err)
{
    const char *const expressions[] = {"kind", "toInt64(count())", "toInt64(sum(sum))",
                                       items->hash};
    struct kinds_counted counted = {.kinds = kinds, .hashed = hash != NULL};
    bool ok = true;

    memset(kinds, 0, ITEM_KINDS * sizeof *kinds);
    for (size_t i = 0; i < items->server_count && ok; i++)
        ok = ask(&items->servers[i], expressions, ROWS_OF(expressions) - !counted.hashed,
                 "GROUP BY kind", take_kind, &counted, err);
    *sum = counted.sum;
    if (hash != NULL)
        *hash = counted.hash;
    return ok;
}
