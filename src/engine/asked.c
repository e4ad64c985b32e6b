/* Items as columns, with what servers have found out about them. Answers are rows of
 * RowBinary: numbers of eight bytes, behind a byte that says whether there is none; each
 * row begins and ends with a mark of ours, as in http.c. While a block is taken the
 * servers work on the next one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "engine/internal.h"

/* What servers hold is in many files, which are opened for each question: the more rows a
 * block has, the less. An answer has at most NET_BODY_MAX bytes. */
enum {
    TRIES = 4,
    PAUSE_MS = 300,
    MARK_BYTES = 2,
    MOVE_ROWS = 1024,
    BLOCK_BYTES = 8 << 20,
    BLOCK_ROWS = 100000,
    OPEN_ITEMS = 15000, /* come whole at once: a server reads 256 KB of a question */
};

#define MARK_BEGIN STR("\1[") /* texts have their length before them */
#define MARK_END   STR("\1]")

/* What one server is asked of a block. */
struct asked_part {
    struct engine *engine;
    struct buf sql, rows;
    int tries;
    bool there;
};

struct asked_block {
    struct engine_block block;
    struct asked_part *parts; /* of each server */
};

struct asked_row {
    int64_t numbers[ITEM_NUMBERS];
    size_t passed; /* where its bytes begin */
};

struct asked_scan {
    struct engine_items *items;
    const struct engine_asking *asking;
    const struct engine_set *sets;
    const char *columns; /* that are asked for */
    struct net_pool *pool;
    size_t server_count;
    LIST(struct asked_row) rows; /* of the block at hand */
    struct buf passed;
    struct engine_items_found found;
};

static bool is_asked(const struct asked_scan *scan, int field)
{
    return scan->asking->fields == 0 || field == ITEM_FIELD_ID ||
           (scan->asking->fields >> field & 1) != 0;
}

static const char *make_columns(const struct asked_scan *scan, struct arena *arena)
{
    struct buf sql = {0};

    buf_add(&sql, STR("SELECT '['"));
    for (int i = 0; i < ITEM_NUMBERS; i++)
        if (is_asked(scan, i))
            buf_add_format(&sql, ", %s", item_field((enum item_field)i)->column);
    for (size_t i = 0; i < scan->asking->count; i++)
        buf_add_format(&sql, ", %s AS s%zu", scan->sets[i].passed, i);
    buf_add(&sql, STR(", ']'"));
    return buf_keep(&sql, arena).ptr;
}

static int64_t block_rows(const struct asked_scan *scan)
{
    int64_t bytes = 2 * MARK_BYTES + (int64_t)scan->asking->count;

    for (int i = 0; i < ITEM_NUMBERS; i++)
        bytes += is_asked(scan, i) ? 1 + (int64_t)sizeof(int64_t) : 0;
    return BLOCK_BYTES / bytes < BLOCK_ROWS ? BLOCK_BYTES / bytes : BLOCK_ROWS;
}

/* --- asking --- */

static bool send(struct asked_scan *scan, struct asked_part *part, struct err *err)
{
    struct net_request request = engine_request(part->engine, buf_str(&part->sql));

    part->tries++;
    return net_pool_add(scan->pool, &request, part, err);
}

static bool begin_block(struct asked_scan *scan, struct engine_block range,
                        struct asked_block *block, struct err *err)
{
    bool ok = true;

    block->block = range;
    for (size_t i = 0; i < scan->server_count && ok; i++) {
        struct asked_part *part = &block->parts[i];
        part->tries = 0;
        part->there = false;
        buf_clear(&part->sql);
        buf_add_format(&part->sql, "%s FROM %.*s WHERE ", scan->columns,
                       STR_ARG(engine_table(part->engine)));
        engine_add_block(range, &part->sql);
        buf_add(&part->sql, STR(" AND "));
        engine_add_kinds(&part->sql, "kind", scan->asking->kinds);
        buf_add(&part->sql, STR(" FORMAT RowBinary"));
        ok = send(scan, part, err);
    }
    return ok;
}

static bool take_answer(struct asked_scan *scan, struct asked_part *part,
                        const struct net_answer *answer, struct err *err)
{
    struct buf said = {0};

    if (answer->why == NULL && answer->status == 200) {
        buf_clear(&part->rows);
        buf_add(&part->rows, answer->body);
        part->there = true;
        return true;
    }
    if (answer->status == 0 && answer->why != net_silence && part->tries < TRIES) {
        net_pause((long)PAUSE_MS << part->tries);
        return send(scan, part, err);
    }
    buf_add(&said, answer->status == 200 ? (struct str){0} : answer->body);
    engine_refused(part->engine, &said, answer->why, err);
    buf_free(&said);
    return false;
}

static bool await_block(struct asked_scan *scan, const struct asked_block *block,
                        struct err *err)
{
    struct net_answer answer;
    void *about;

    for (size_t i = 0; i < scan->server_count; i++)
        while (!block->parts[i].there) {
            if (!stop_check(err))
                return false;
            if (net_pool_next(scan->pool, PAUSE_MS, &answer, &about) &&
                !take_answer(scan, about, &answer, err))
                return false;
        }
    return true;
}

/* --- reading --- */

static bool take_bytes(struct str *rest, void *out, size_t size)
{
    if (rest->len < size)
        return false;
    memcpy(out, rest->ptr, size);
    *rest = str_slice(*rest, size, rest->len);
    return true;
}

static bool take_mark(struct str *rest, struct str mark)
{
    char found[MARK_BYTES];

    return take_bytes(rest, found, sizeof found) &&
           memcmp(found, mark.ptr, sizeof found) == 0;
}

static bool take_number(struct str *rest, bool always, int64_t *out)
{
    uint8_t missing = 0;

    *out = ITEM_NONE;
    return (always || take_bytes(rest, &missing, 1)) && missing <= 1 &&
           (missing == 1 || take_bytes(rest, out, sizeof *out));
}

static bool read_row(struct asked_scan *scan, struct str *rest)
{
    struct asked_row row = {.passed = scan->passed.len};
    size_t count = scan->asking->count;
    bool ok = take_mark(rest, MARK_BEGIN);

    for (int i = 0; i < ITEM_NUMBERS && ok; i++) {
        row.numbers[i] = ITEM_NONE;
        ok = !is_asked(scan, i) || take_number(rest, i == ITEM_FIELD_ID, &row.numbers[i]);
    }
    if (!ok || rest->len < count)
        return false;
    buf_add(&scan->passed, str_slice(*rest, 0, count));
    *rest = str_slice(*rest, count, rest->len);
    if (!take_mark(rest, MARK_END))
        return false;
    list_add(&scan->rows, row);
    return true;
}

static int by_id(const void *a, const void *b)
{
    const struct asked_row *left = a, *right = b;

    return (left->numbers[ITEM_FIELD_ID] > right->numbers[ITEM_FIELD_ID]) -
           (left->numbers[ITEM_FIELD_ID] < right->numbers[ITEM_FIELD_ID]);
}

/* The message of a server that fails in the middle of an answer is no row. */
static bool read_block(struct asked_scan *scan, const struct asked_block *block,
                       struct err *err)
{
    list_clear(&scan->rows);
    buf_clear(&scan->passed);
    for (size_t i = 0; i < scan->server_count; i++) {
        struct str rest = buf_str(&block->parts[i].rows);
        while (rest.len > 0) {
            struct str row = rest;
            if (read_row(scan, &rest))
                continue;
            struct buf said = {0};
            buf_add(&said, engine_own_words(row));
            engine_refused(block->parts[i].engine, &said, "its answer breaks off", err);
            buf_free(&said);
            return false;
        }
    }
    if (scan->rows.count > 1)
        qsort(scan->rows.at, scan->rows.count, sizeof *scan->rows.at, by_id);
    return true;
}

/* --- what is left open --- */

static bool is_open(const struct asked_scan *scan, const struct asked_row *row)
{
    return scan->asking->count > 0 && memchr(scan->passed.ptr + row->passed, ENGINE_OPEN,
                                             scan->asking->count) != NULL;
}

/* Those that may meet a condition that is open come whole, of the rows from `from` on as
 * far as they are not too many: up to *end. Bodies are not looked into but of these: the
 * server would otherwise begin with what it takes for cheap. */
static bool find_open(struct asked_scan *scan, struct engine_block block, size_t from,
                      size_t *end, struct err *err)
{
    struct buf where = {0};
    size_t ids = 0, i = from;

    list_clear(&scan->found.items);
    buf_add(&where, STR("PREWHERE "));
    engine_add_block(block, &where);
    for (; i < scan->rows.count && ids < OPEN_ITEMS; i++)
        if (is_open(scan, &scan->rows.at[i]))
            buf_add_format(&where, "%s%" PRId64, ids++ > 0 ? "," : " AND id IN (",
                           scan->rows.at[i].numbers[ITEM_FIELD_ID]);
    *end = i;
    bool first = true;
    for (size_t s = 0; s < scan->asking->count && ids > 0; s++)
        if (scan->sets[s].may != NULL) {
            buf_add_format(&where, "%s%s", first ? ") WHERE (" : " OR ",
                           scan->sets[s].may);
            first = false;
        }
    buf_add(&where, (struct str){")", 2});
    bool ok = ids == 0 || engine_items_find(scan->items, scan->asking->bodies, where.ptr,
                                            &scan->found, err);
    buf_free(&where);
    return ok;
}

static bool take_rows(struct asked_scan *scan, size_t from, size_t to,
                      engine_take_asked *take, void *context, struct err *err)
{
    const struct engine_item *found = scan->found.items.at,
                             *end = found + scan->found.items.count;
    bool ok = true;

    for (size_t i = from; i < to && ok; i++) {
        const struct asked_row *row = &scan->rows.at[i];
        uint8_t *passed = (uint8_t *)scan->passed.ptr + row->passed;
        struct engine_item item = {.item = item_empty()};
        bool whole = found != end && found->item.id == row->numbers[ITEM_FIELD_ID];

        if (i % MOVE_ROWS == 0)
            net_pool_move(scan->pool);
        if (whole) {
            ok = take(context, found++, true, passed, err);
            continue;
        }
        for (size_t s = 0; s < scan->asking->count; s++)
            if (passed[s] == ENGINE_OPEN)
                passed[s] = (uint8_t)scan->sets[s].open;
        memcpy(item.item.numbers, row->numbers, sizeof row->numbers);
        ok = take(context, &item, false, passed, err);
    }
    return ok;
}

static bool take_block(struct asked_scan *scan, struct engine_block block,
                       engine_take_asked *take, void *context, struct err *err)
{
    bool ok = true;

    for (size_t from = 0, end; from < scan->rows.count && ok; from = end)
        ok = find_open(scan, block, from, &end, err) &&
             take_rows(scan, from, end, take, context, err);
    return ok;
}

/* --- all of it --- */

static void open_parts(const struct asked_scan *scan, struct arena *arena,
                       struct asked_block *block)
{
    block->parts = arena_array(arena, struct asked_part, scan->server_count + 1);
    for (size_t i = 0; i < scan->server_count; i++)
        block->parts[i].engine = engine_items_server(scan->items, i);
}

static void free_parts(const struct asked_scan *scan, struct asked_block *block)
{
    for (size_t i = 0; i < scan->server_count; i++) {
        buf_free(&block->parts[i].sql);
        buf_free(&block->parts[i].rows);
    }
}

bool engine_items_ask(struct engine_items *items, const struct engine_asking *asking,
                      engine_take_asked *take, void *context, struct err *err)
{
    struct arena arena = {0};
    struct asked_scan scan = {
        .items = items,
        .asking = asking,
        .sets = engine_sets_make(asking->queries, asking->count, &arena),
        .pool = net_pool_open(),
        .server_count = engine_items_servers(items)};
    struct asked_block blocks[2];
    struct engine_blocks ranges = {0};
    bool ok = (scan.pool != NULL ||
               err_set(err, ERR_SYSTEM, "there is no memory to ask servers")) &&
              engine_items_blocks(items, asking->kinds, block_rows(&scan), &ranges, err);

    scan.columns = make_columns(&scan, &arena);
    for (size_t i = 0; i < ROWS_OF(blocks); i++)
        open_parts(&scan, &arena, &blocks[i]);
    ok = ok &&
         (ranges.at.count == 0 || begin_block(&scan, ranges.at.at[0], &blocks[0], err));
    for (size_t i = 0; i < ranges.at.count && ok; i++) {
        struct asked_block *block = &blocks[i % 2];
        ok = await_block(&scan, block, err) &&
             (i + 1 == ranges.at.count ||
              begin_block(&scan, ranges.at.at[i + 1], &blocks[(i + 1) % 2], err)) &&
             read_block(&scan, block, err) &&
             engine_items_all_there(items, scan.rows.count, ranges.rows.at[i], err) &&
             take_block(&scan, block->block, take, context, err);
    }
    net_pool_close(scan.pool);
    for (size_t i = 0; i < ROWS_OF(blocks); i++)
        free_parts(&scan, &blocks[i]);
    engine_blocks_free(&ranges);
    list_free(&scan.rows);
    buf_free(&scan.passed);
    engine_items_found_free(&scan.found);
    arena_free(&arena);
    return ok;
}
