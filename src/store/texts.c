/* The texts of items, packed, several together, to a third of their size. The packs are
 * zlib's, or the bytes themselves where these are not more, as SQLite's archives have
 * them: sqlite3, Python and R read them with what they bring along, and libdeflate makes
 * them of real posts a little smaller than zstd's fastest level would. */
#include <libdeflate.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "store/internal.h"

enum {
    PACK_BYTES = 64 << 10, /* and what its last text has more */
    PACK_BYTES_MAX = 1 << 30,
    LEVEL = 1,
    FEW_PACKS = 32, /* where these are all there are, they are packed harder in the end */
    FEW_LEVEL = 6,
};

uint64_t store_text_sum(int64_t id, struct str body)
{
    return XXH3_64bits_withSeed(body.ptr != NULL ? body.ptr : "", body.len, (uint64_t)id);
}

void store_text_free(struct store_texts *texts)
{
    for (size_t i = 0; i < ROWS_OF(texts->held); i++)
        buf_free(&texts->held[i].bytes);
    buf_free(&texts->pending);
    buf_free(&texts->packed);
    buf_free(&texts->body);
    libdeflate_free_compressor(texts->compressor);
    libdeflate_free_decompressor(texts->decompressor);
}

/* --- writing --- */

static struct store_texts_held *place_of(struct store_texts *texts, int64_t number)
{
    return &texts->held[(uint64_t)number % ROWS_OF(texts->held)];
}

/* Packs the bytes and stores them under that number. */
static bool write_pack(struct store *corpus, int64_t number, struct str bytes, int level,
                       struct err *err)
{
    struct store_texts *texts = &corpus->texts;
    size_t len = bytes.len;

    if (texts->level != level) {
        libdeflate_free_compressor(texts->compressor);
        texts->compressor = libdeflate_alloc_compressor(level);
        if (texts->compressor == NULL)
            arena_exhausted();
        texts->level = level;
    }
    buf_clear(&texts->packed);
    texts->packed.len = libdeflate_zlib_compress(texts->compressor, bytes.ptr, len,
                                                 buf_reserve(&texts->packed, len),
                                                 len - 1); /* 0: it is not less */
    if (texts->packed.len > 0)
        bytes = buf_str(&texts->packed);
    sqlite3_stmt *statement = store_ready(corpus, STORE_ADD_PACK, err);
    if (statement == NULL)
        return false;
    sqlite3_bind_int64(statement, 1, number);
    sqlite3_bind_int64(statement, 2, (int64_t)len);
    sqlite3_bind_blob64(statement, 3, bytes.ptr, bytes.len, SQLITE_STATIC);
    return store_step(corpus, statement, err);
}

/* A pack that is not full goes on being filled, also by another process, and is written
 * again: where packs end does not depend on when batches did. */
bool store_text_flush(struct store *corpus, struct err *err)
{
    struct store_texts *texts = &corpus->texts;

    if (texts->pending.len == texts->written)
        return true;
    if (!write_pack(corpus, texts->next, buf_str(&texts->pending), LEVEL, err))
        return false;
    place_of(texts, texts->next)->number = 0; /* what was read of it is old */
    texts->written = texts->pending.len;
    if (texts->pending.len >= PACK_BYTES) {
        buf_clear(&texts->pending);
        texts->written = 0;
        texts->next++;
    }
    return true;
}

static bool read_pack(struct store *corpus, int64_t number, struct str *out,
                      struct err *err);

/* Its number; 0: there is none. They are not counted, which would be a walk over all. */
static bool find_last(struct store *corpus, int64_t *number, struct err *err)
{
    return store_count(corpus, "SELECT ifnull(max(number), 0) FROM pack", number, err);
}

/* Where earlier batches ended: in their last pack, or behind it when that is full. */
static bool begin(struct store *corpus, struct err *err)
{
    struct store_texts *texts = &corpus->texts;
    struct str last = {0};
    int64_t number;

    if (texts->next > 0)
        return true;
    if (!find_last(corpus, &number, err) ||
        (number > 0 && !read_pack(corpus, number, &last, err)))
        return false;
    texts->next = number + 1;
    if (last.len > 0 && last.len < PACK_BYTES) {
        texts->next = number;
        buf_add(&texts->pending, last);
        texts->written = last.len;
    }
    return true;
}

bool store_text_add(struct store *corpus, int64_t id, struct str body, uint64_t sum,
                    struct err *err)
{
    struct store_texts *texts = &corpus->texts;

    if (!begin(corpus, err))
        return false;
    sqlite3_stmt *statement = store_ready(corpus, STORE_TEXT, err);
    if (statement == NULL)
        return false;
    store_bind_number(statement, 1, id);
    store_bind_text(statement, 2, (struct str){0});
    if (body.len > 0) {
        sqlite3_bind_int64(statement, 3, texts->next);
        sqlite3_bind_int64(statement, 4, (int64_t)texts->pending.len);
        sqlite3_bind_int64(statement, 5, (int64_t)body.len);
        buf_add(&texts->pending, body);
    }
    sqlite3_bind_int64(statement, 6, (int64_t)sum);
    return store_step(corpus, statement, err) &&
           (texts->pending.len < PACK_BYTES || store_text_flush(corpus, err));
}

bool store_text_settle(struct store *corpus, struct err *err)
{
    struct str bytes;
    int64_t last;

    if (!store_text_flush(corpus, err) || !find_last(corpus, &last, err))
        return false;
    for (int64_t number = 1; last <= FEW_PACKS && number <= last; number++)
        if (!read_pack(corpus, number, &bytes, err) ||
            (bytes.len > 0 && !write_pack(corpus, number, bytes, FEW_LEVEL, err)))
            return false;
    return true;
}

/* --- reading --- */

/* Packs of schema 5 are frames of zstd, whose first bytes no UTF-8 has. */
static bool is_frame(struct str packed)
{
    static const unsigned char magic[] = {0x28, 0xB5, 0x2F, 0xFD};

    return packed.len > sizeof magic && memcmp(packed.ptr, magic, sizeof magic) == 0;
}

/* Unpacks a blob of so many bytes; false: it is damaged. */
static bool unpack(struct store_texts *texts, struct str packed, int64_t len,
                   struct buf *out)
{
    buf_clear(out);
    if (len <= 0 || len > PACK_BYTES_MAX)
        return false;
    char *to = buf_reserve(out, (size_t)len);
    bool sound = true;
    if (is_frame(packed)) {
        sound = ZSTD_decompress(to, (size_t)len, packed.ptr, packed.len) == (size_t)len;
    } else if (packed.len == (size_t)len) {
        memcpy(to, packed.ptr, packed.len);
    } else {
        if (texts->decompressor == NULL &&
            (texts->decompressor = libdeflate_alloc_decompressor()) == NULL)
            arena_exhausted();
        sound = libdeflate_zlib_decompress(texts->decompressor, packed.ptr, packed.len,
                                           to, (size_t)len, NULL) == LIBDEFLATE_SUCCESS;
    }
    out->len = sound ? (size_t)len : 0;
    return sound;
}

/* The texts of a pack, one behind the other; *out is empty where it is damaged. */
static bool read_pack(struct store *corpus, int64_t number, struct str *out,
                      struct err *err)
{
    struct store_texts *texts = &corpus->texts;
    struct store_texts_held *held = place_of(texts, number);
    bool newer = number == texts->next && texts->pending.len != texts->written;

    *out = (struct str){0};
    if (held->number != number || held->bytes.len == 0 || newer) {
        if (!store_text_flush(corpus, err))
            return false;
        sqlite3_stmt *statement = store_ready(corpus, STORE_PACK, err);
        if (statement == NULL)
            return false;
        sqlite3_bind_int64(statement, 1, number);
        int code = sqlite3_step(statement);
        if (code != SQLITE_ROW && code != SQLITE_DONE)
            return store_failed(corpus, err);
        struct str packed = {0};
        if (code == SQLITE_ROW) {
            packed.ptr = sqlite3_column_blob(statement, 1);
            packed.len = (size_t)sqlite3_column_bytes(statement, 1);
        }
        held->number = number;
        bool sound =
            packed.len > 0 &&
            unpack(texts, packed, sqlite3_column_int64(statement, 0), &held->bytes);
        if (!sound)
            buf_clear(&held->bytes);
        sqlite3_reset(statement);
    }
    *out = buf_str(&held->bytes);
    return true;
}

bool store_text_read(struct store *corpus, sqlite3_stmt *row, int column, int64_t id,
                     struct buf *copy, struct str *body, bool *sound, struct err *err)
{
    enum { BODY, PACK, PLACE, LEN, SUM };
    struct str pack;

    *body = store_column(row, column + BODY);
    if (sqlite3_column_type(row, column + PACK) != SQLITE_NULL) {
        uint64_t place = (uint64_t)sqlite3_column_int64(row, column + PLACE),
                 len = (uint64_t)sqlite3_column_int64(row, column + LEN);
        if (!read_pack(corpus, sqlite3_column_int64(row, column + PACK), &pack, err))
            return false;
        *sound = body->len == 0 && place <= pack.len && len <= pack.len - place;
        if (!*sound)
            return true;
        buf_clear(copy);
        buf_add(copy, str_slice(pack, (size_t)place, (size_t)(place + len)));
        *body = buf_str(copy);
    }
    *sound =
        store_text_sum(id, *body) == (uint64_t)sqlite3_column_int64(row, column + SUM);
    return true;
}
