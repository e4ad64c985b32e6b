/* The three verbs: append, scan, fetch. The columns of an item are those of the table of
 * fields; what is written has a sum beside it, and what is read is compared with it. */
#include <string.h>
#include <xxhash.h>

#include "store/internal.h"

/* Behind the fields of an item: the columns that only the store has. */
enum {
    CODE_BLOCKS = ITEM_FIELD_BODY, /* the body stands in a table of its own */
    FORM,
    SUM,
    COLUMNS
};

/* "id, kind, ..., license": the names of an item's columns, but for the body's. */
static void add_columns(struct buf *sql)
{
    for (int i = 0; i < ITEM_FIELD_BODY; i++)
        buf_add_format(sql, "%sitem.%s", i > 0 ? ", " : "",
                       item_field((enum item_field)i)->column);
    buf_add(sql, STR(", item.code_blocks, item.form, item.sum"));
}

/* Numbers that schema 4 added count where they are there, so that items of schema 3 keep
 * their sums. */
static uint64_t sum_of_item(const struct item *item, int64_t code_blocks)
{
    enum { OLDER = ITEM_FIELD_WIKI };
    int64_t numbers[OLDER + 2];
    uint64_t sum;

    memcpy(numbers, item->numbers, OLDER * sizeof *numbers);
    numbers[OLDER] = code_blocks;
    numbers[OLDER + 1] = (int64_t)item->form;
    sum = XXH3_64bits(numbers, sizeof numbers);
    for (int i = OLDER; i < ITEM_NUMBERS; i++)
        if (item->numbers[i] != ITEM_NONE) {
            int64_t number[] = {i, item->numbers[i]};
            sum = XXH3_64bits_withSeed(number, sizeof number, sum);
        }
    for (int i = 0; i < ITEM_FIELD_BODY - ITEM_NUMBERS; i++)
        sum = XXH3_64bits_withSeed(item->texts[i].ptr != NULL ? item->texts[i].ptr : "",
                                   item->texts[i].len, sum);
    return sum;
}

/* --- append --- */

/* Tags in one spelling, whatever the source had; most have it. */
static struct str spell_tags(struct str tags, struct buf *out)
{
    if (tags.len == 0 || tags.ptr[0] == '<')
        return tags;
    buf_clear(out);
    for (size_t i = 0; i < tags.len;) {
        size_t begin = i;
        while (i < tags.len && tags.ptr[i] != '|')
            i++;
        if (i > begin) {
            buf_add_char(out, '<');
            buf_add(out, str_slice(tags, begin, i));
            buf_add_char(out, '>');
        }
        i++;
    }
    return buf_str(out);
}

static bool insert_item(struct store *corpus, const struct item *item,
                        int64_t code_blocks, uint64_t sum, struct err *err)
{
    sqlite3_stmt *statement = store_ready(corpus, STORE_ITEM, err);

    if (statement == NULL)
        return false;
    for (int i = 0; i < ITEM_NUMBERS; i++)
        store_bind_number(statement, i + 1, item->numbers[i]);
    for (int i = ITEM_NUMBERS; i < ITEM_FIELD_BODY; i++)
        store_bind_text(statement, i + 1, item->texts[i - ITEM_NUMBERS]);
    store_bind_number(statement, CODE_BLOCKS + 1, code_blocks);
    store_bind_number(statement, FORM + 1, (int64_t)item->form);
    sqlite3_bind_int64(statement, SUM + 1, (int64_t)sum);
    return store_step(corpus, statement, err);
}

static bool find_known(struct store *corpus, int64_t id, int64_t *known_ms,
                       struct err *err)
{
    sqlite3_stmt *statement = store_ready(corpus, STORE_KNOWN, err);

    if (statement == NULL)
        return false;
    store_bind_number(statement, 1, id);
    bool ok = sqlite3_step(statement) == SQLITE_ROW || store_failed(corpus, err);
    if (ok)
        *known_ms = store_number(statement, 0);
    sqlite3_reset(statement);
    return ok;
}

bool store_append(struct store *corpus, const struct item *item, int64_t code_blocks,
                  bool *added, int64_t *known_ms, struct err *err)
{
    struct item stored = *item;

    stored.tags = spell_tags(item->tags, &corpus->tags);
    uint64_t sum = sum_of_item(&stored, code_blocks),
             text_sum = store_text_sum(item->id, item->body);
    if (corpus->servers.items != NULL) {
        struct engine_item sent = {stored, code_blocks, sum, text_sum};
        if (!store_servers_append(corpus, &sent, added, known_ms, err))
            return false;
        if (!*added)
            return true;
    } else {
        bool ok = insert_item(corpus, &stored, code_blocks, sum, err);
        *added = ok && sqlite3_changes(corpus->db) > 0;
        if (!ok)
            return false;
        if (!*added)
            return find_known(corpus, item->id, known_ms, err);
    }
    corpus->items.rows++;
    corpus->items.sum += sum;
    corpus->bodies.rows++;
    corpus->bodies.sum += text_sum;
    return corpus->servers.items != NULL ||
           store_text_add(corpus, item->id, item->body, text_sum, err);
}

/* --- scan --- */

static void read_item(sqlite3_stmt *row, struct store_row *out)
{
    out->item = (struct item){.form = (enum item_form)sqlite3_column_int(row, FORM)};
    for (int i = 0; i < ITEM_NUMBERS; i++)
        out->item.numbers[i] = store_number(row, i);
    for (int i = ITEM_NUMBERS; i < ITEM_FIELD_BODY; i++)
        out->item.texts[i - ITEM_NUMBERS] = store_column(row, i);
    out->code_blocks = sqlite3_column_int64(row, CODE_BLOCKS);
}

bool store_damaged_item(struct store *corpus, int64_t id, struct err *err)
{
    char what[60];

    sqlite3_snprintf(sizeof what, what, "item %lld is not as it was written",
                     (long long)id);
    return store_damaged_items(corpus, what, err);
}

bool store_row_body(const struct store_row *row, struct str *body, struct err *err)
{
    struct store_scanning *scan = row->scan;
    int64_t id = row->item.id;

    if (scan->corpus->servers.items != NULL)
        return store_servers_body(scan, id, body, err);
    sqlite3_stmt *statement = store_ready(scan->corpus, STORE_BODY, err);

    if (statement == NULL)
        return false;
    store_bind_number(statement, 1, id);
    int code = sqlite3_step(statement);
    if (code == SQLITE_DONE)
        return store_damaged_item(scan->corpus, id, err);
    if (code != SQLITE_ROW)
        return store_failed(scan->corpus, err);
    bool sound;
    return store_text_read(scan->corpus, statement, 0, id, &scan->corpus->texts.body,
                           body, &sound, err) &&
           (sound || store_damaged_item(scan->corpus, id, err));
}

bool store_sound(const struct item *item, int64_t code_blocks, uint64_t sum)
{
    return sum_of_item(item, code_blocks) == sum;
}

struct item store_handed(const struct store *corpus, const struct item *item)
{
    struct item handed = *item;

    if (corpus->unmarked)
        handed.license = item_license_unmarked(item);
    return handed;
}

bool store_take_row(struct store_scanning *scan, const struct item *item,
                    int64_t code_blocks, uint64_t sum, struct err *err)
{
    struct store_row row = {store_handed(scan->corpus, item), code_blocks, scan, NULL};

    if (!store_sound(item, code_blocks, sum) || item->kind <= 0 ||
        item->kind >= ITEM_KINDS || item->id <= scan->last)
        return store_damaged_item(scan->corpus, item->id, err);
    scan->last = item->id;
    scan->total.rows++;
    scan->total.sum += sum;
    return !(scan->kinds >> item->kind & 1) || scan->take(scan->context, &row, err);
}

static bool take_row(void *context, sqlite3_stmt *row, struct err *err)
{
    struct store_row read;

    read_item(row, &read);
    return store_take_row(context, &read.item, read.code_blocks,
                          (uint64_t)sqlite3_column_int64(row, SUM), err);
}

static bool take_total(void *context, sqlite3_stmt *row, struct err *err)
{
    struct store_total *total = context;

    (void)err;
    total->rows += sqlite3_column_int64(row, 0);
    total->sum += (uint64_t)sqlite3_column_int64(row, 1);
    return true;
}

bool store_written(struct store *corpus, struct store_total *out, struct err *err)
{
    *out = corpus->items;
    return store_each(corpus, store_prepare(corpus, "SELECT items, item_sum FROM batch"),
                      take_total, out, err);
}

/* All of it is read, whatever is wanted: so that a row that is lost is noticed. */
static bool scan_database(struct store_scanning *scan, struct err *err)
{
    struct store *corpus = scan->corpus;
    struct store_total written;
    struct buf sql = {0};

    buf_add(&sql, STR("SELECT "));
    add_columns(&sql);
    buf_add(&sql, STR(" FROM item ORDER BY id"));
    buf_add_char(&sql, '\0');
    bool ok = store_each(corpus, store_prepare(corpus, sql.ptr), take_row, scan, err) &&
              store_written(corpus, &written, err);
    buf_free(&sql);
    return ok && ((scan->total.rows == written.rows && scan->total.sum == written.sum) ||
                  store_damaged_items(corpus, STORE_ITEMS_MISSING, err));
}

bool store_scan(struct store *corpus, unsigned kinds, store_take *take, void *context,
                struct err *err)
{
    struct store_scanning scan = {.corpus = corpus,
                                  .kinds = kinds,
                                  .take = take,
                                  .context = context,
                                  .last = INT64_MIN};

    return corpus->servers.items != NULL ? store_servers_scan(&scan, err)
                                         : scan_database(&scan, err);
}

bool store_scan_asking(struct store *corpus, const struct store_asking *asking,
                       store_take *take, void *context, struct err *err)
{
    struct store_scanning scan = {
        .corpus = corpus, .take = take, .context = context, .last = INT64_MIN};
    bool asked = false;

    if (corpus->servers.items != NULL && !store_servers_ask(&scan, asking, &asked, err))
        return false;
    return asked || store_scan(corpus, asking->kinds, take, context, err);
}

/* --- fetch --- */

struct fetch {
    struct store *corpus;
    store_take_item *take;
    void *context;
    bool heads;      /* without bodies */
    struct buf body; /* of the item at hand, where it was packed */
};

bool store_check_item(struct store *corpus, const struct item *item, int64_t code_blocks,
                      uint64_t sum, uint64_t text_sum, struct err *err)
{
    return (store_sound(item, code_blocks, sum) &&
            store_text_sum(item->id, item->body) == text_sum) ||
           store_damaged_item(corpus, item->id, err);
}

static bool take_item(void *context, sqlite3_stmt *row, struct err *err)
{
    struct fetch *fetch = context;
    struct store_row taken = {0};
    bool sound = true;

    read_item(row, &taken);
    if (!fetch->heads && !store_text_read(fetch->corpus, row, COLUMNS, taken.item.id,
                                          &fetch->body, &taken.item.body, &sound, err))
        return false;
    if (!sound || sum_of_item(&taken.item, taken.code_blocks) !=
                      (uint64_t)sqlite3_column_int64(row, SUM))
        return store_damaged_item(fetch->corpus, taken.item.id, err);
    taken.item = store_handed(fetch->corpus, &taken.item);
    return fetch->take(fetch->context, &taken.item, err);
}

/* A statement for items, with their texts unless heads do, and a condition that has an
 * id for ?1. */
static sqlite3_stmt *prepare_items(struct store *corpus, bool heads,
                                   const char *condition)
{
    struct buf sql = {0};

    buf_add(&sql, STR("SELECT "));
    add_columns(&sql);
    buf_add_format(&sql, "%s WHERE %s",
                   heads ? " FROM item"
                         : ", text.body, text.pack, text.place, text.len, text.sum FROM "
                           "item LEFT JOIN text ON text.id = item.id",
                   condition);
    buf_add_char(&sql, '\0');
    sqlite3_stmt *statement = store_prepare_kept(corpus, sql.ptr);
    buf_free(&sql);
    return statement;
}

static bool fetch_items(struct fetch fetch, const int64_t *ids, size_t count,
                        struct err *err)
{
    struct store *corpus = fetch.corpus;

    if (corpus->servers.items != NULL)
        return store_servers_fetch(corpus, ids, count, fetch.heads, fetch.take,
                                   fetch.context, err);
    sqlite3_stmt *statement = prepare_items(corpus, fetch.heads, "item.id = ?1");
    bool ok = statement != NULL || store_failed(corpus, err);
    /* While a statement is at work the file stays locked for readers: it is not locked
     * and looked at anew for each item. */
    sqlite3_stmt *held =
        count > 1 ? store_prepare_kept(corpus, "SELECT id FROM item") : NULL;

    if (held != NULL)
        sqlite3_step(held);
    for (size_t i = 0; i < count && ok; i++) {
        sqlite3_reset(statement);
        sqlite3_bind_int64(statement, 1, ids[i]);
        int code = sqlite3_step(statement);
        if (code == SQLITE_ROW)
            ok = take_item(&fetch, statement, err);
        else if (code != SQLITE_DONE)
            ok = store_failed(corpus, err);
    }
    store_give_back(corpus, held);
    store_give_back(corpus, statement);
    buf_free(&fetch.body);
    return ok;
}

bool store_fetch(struct store *corpus, const int64_t *ids, size_t count,
                 store_take_item *take, void *context, struct err *err)
{
    return fetch_items((struct fetch){.corpus = corpus, .take = take, .context = context},
                       ids, count, err);
}

bool store_fetch_heads(struct store *corpus, const int64_t *ids, size_t count,
                       store_take_item *take, void *context, struct err *err)
{
    return fetch_items(
        (struct fetch){.corpus = corpus, .take = take, .context = context, .heads = true},
        ids, count, err);
}

bool store_answers_to(struct store *corpus, int64_t question, store_take_item *take,
                      void *context, struct err *err)
{
    struct fetch fetch = {.corpus = corpus, .take = take, .context = context};

    if (corpus->servers.items != NULL)
        return store_servers_answers(corpus, question, take, context, err);
    sqlite3_stmt *statement =
        prepare_items(corpus, false, "item.parent = ?1 ORDER BY score DESC, item.id");

    if (statement != NULL)
        sqlite3_bind_int64(statement, 1, question);
    bool ok = store_each(corpus, statement, take_item, &fetch, err);
    buf_free(&fetch.body);
    return ok;
}
