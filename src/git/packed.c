/* An object is found by its place in a pack. The last objects are kept by that place,
 * since most are deltas on one that was read a little before: a file's older version is
 * written as a delta on the newer one. */
#include "git/packed.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/file.h"
#include "base/list.h"

enum {
    CHAIN_MAX = 4095,      /* deltas on deltas: git writes no more */
    KEPT_BYTES = 48 << 20, /* in all shelves */
    SHELVES = 8,
    SLOTS = 1 << 12, /* of a shelf */
    FAN = 256,
    INDEX_HEAD = 8,
    PACK_HEAD = 12,
    DEFLATE_MOST = 1032, /* bytes that one byte can stand for */
    OFFSET_DELTA = 6,
    HASH_DELTA = 7,
    WINDOW_BYTES = 64 << 10, /* that the system maps around a byte that is touched */
    WINDOWS_MAX = 512,
};

/* Bytes that may be a file's: how much of them has been touched. */
struct bytes {
    struct str all;
    bool mapped;
    _Atomic uint64_t *touched; /* a bit for each window */
    atomic_size_t windows;
};

struct packed_pack {
    struct bytes index, data;
    uint32_t count;                          /* of objects */
    const char *fan, *hashes, *places, *far; /* parts of the index */
    size_t far_count;                        /* places beyond 2 GB */
    size_t end;                              /* of its objects */
};

/* What is given out, and what is ours about it. */
struct kept {
    struct git_history_packed_object object;
    size_t pack, place;
    unsigned users;
    bool listed;                /* is found by its place */
    struct kept *next;          /* of its slot */
    struct kept *newer, *older; /* by when it was last asked for */
};

struct delta {
    size_t place, data, size;
};

/* A part of what is kept, so that threads seldom wait for each other. */
struct packed_shelf {
    pthread_mutex_t mutex;
    struct kept *slots[SLOTS];
    struct kept *newest, *oldest;
    size_t bytes;
};

struct git_history_packed {
    struct arena arena; /* holds the struct itself */
    LIST(struct packed_pack) packs;
    struct packed_shelf shelves[SHELVES];
};

struct git_history_packed_reader {
    struct arena arena; /* holds the struct itself */
    struct git_history_packed *packed;
    bool once;
    struct libdeflate_decompressor *inflater;
    size_t last_pack;  /* in which something was found */
    struct buf script; /* the delta at hand */
    LIST(struct delta) chain;
};

/* ---- bytes */

static uint32_t number_at(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void touch(struct bytes *bytes, size_t place)
{
    size_t window = place / WINDOW_BYTES;
    uint64_t bit = 1ull << window % 64;

    if (!bytes->mapped ||
        (atomic_load_explicit(&bytes->touched[window / 64], memory_order_relaxed) &
         bit) != 0)
        return;
    if (atomic_fetch_add(&bytes->windows, 1) == WINDOWS_MAX) {
        file_map_relax(bytes->all);
        for (size_t i = 0; i <= bytes->all.len / WINDOW_BYTES / 64; i++)
            atomic_store(&bytes->touched[i], 0);
        atomic_store(&bytes->windows, 0);
    }
    atomic_fetch_or(&bytes->touched[window / 64], bit);
}

static struct bytes bytes_of(struct str all, bool mapped, struct arena *arena)
{
    size_t count = mapped ? all.len / WINDOW_BYTES / 64 + 1 : 0;

    return (struct bytes){.all = all,
                          .mapped = mapped,
                          .touched = arena_array(arena, _Atomic uint64_t, count)};
}

/* ---- the index */

bool git_history_packed_add(struct git_history_packed *packed, struct str index,
                            struct str pack, bool mapped)
{
    const size_t hash = GIT_HISTORY_HASH_BYTES;
    struct packed_pack new = {0};
    uint32_t before = 0;

    if (index.len < INDEX_HEAD + 4 * FAN + 2 * hash || pack.len < PACK_HEAD + hash ||
        memcmp(index.ptr, "\377tOc\0\0\0\2", INDEX_HEAD) != 0 ||
        memcmp(pack.ptr, "PACK\0\0\0", 7) != 0 || (pack.ptr[7] != 2 && pack.ptr[7] != 3))
        return false;
    new.fan = index.ptr + INDEX_HEAD;
    for (size_t i = 0; i < FAN; i++) {
        new.count = number_at(new.fan + 4 * i);
        if (new.count < before)
            return false;
        before = new.count;
    }
    size_t fixed = INDEX_HEAD + 4 * FAN + (hash + 8) * (size_t) new.count + 2 * hash;
    if (number_at(pack.ptr + 8) != new.count || index.len < fixed ||
        (index.len - fixed) % 8 != 0 ||
        memcmp(index.ptr + index.len - 2 * hash, pack.ptr + pack.len - hash, hash) != 0)
        return false;
    new.hashes = new.fan + 4 * FAN;
    new.places = new.hashes + (hash + 4) * (size_t) new.count;
    new.far = new.places + 4 * (size_t) new.count;
    new.far_count = (index.len - fixed) / 8;
    new.index = bytes_of(index, mapped, &packed->arena);
    new.data = bytes_of(pack, mapped, &packed->arena);
    new.end = pack.len - hash;
    list_add(&packed->packs, new);
    return true;
}

static size_t place_of(struct packed_pack *pack, size_t number)
{
    const char *at = pack->places + 4 * number;
    size_t near = number_at(at), far = near & 0x7fffffffu;

    touch(&pack->index, (size_t)(at - pack->index.all.ptr));
    if (near == far)
        return near;
    if (far >= pack->far_count)
        return 0;
    at = pack->far + 8 * far;
    touch(&pack->index, (size_t)(at - pack->index.all.ptr));
    return (size_t)number_at(at) << 32 | number_at(at + 4);
}

/* Hashes are spread evenly: every other step goes to where one is to be expected, and
 * those between halve what is left, whatever the index holds. */
static bool find_in(struct packed_pack *pack, const struct git_history_hash *hash,
                    size_t *place)
{
    unsigned first = hash->bytes[0];
    size_t low = first > 0 ? number_at(pack->fan + 4 * (first - 1)) : 0;
    size_t high = number_at(pack->fan + 4 * first);
    uint64_t wanted = number_at((const char *)hash->bytes + 1), from = 0, to = UINT32_MAX;

    for (bool guess = true; low < high; guess = !guess) {
        size_t middle = low + (high - low) / 2;
        if (guess && from <= wanted && wanted <= to)
            middle = low + (size_t)((wanted - from) * (high - low) / (to - from + 1));
        const char *at = pack->hashes + sizeof hash->bytes * middle;
        touch(&pack->index, (size_t)(at - pack->index.all.ptr));
        int order = memcmp(hash->bytes, at, sizeof hash->bytes);
        if (order == 0) {
            *place = place_of(pack, middle);
            return *place >= PACK_HEAD && *place < pack->end;
        }
        if (order < 0) {
            high = middle;
            to = number_at(at + 1);
        } else {
            low = middle + 1;
            from = number_at(at + 1);
        }
    }
    return false;
}

static bool find(struct git_history_packed_reader *reader,
                 const struct git_history_hash *hash, size_t *pack, size_t *place)
{
    struct git_history_packed *packed = reader->packed;

    for (size_t i = 0; i < packed->packs.count; i++) {
        *pack = (reader->last_pack + i) % packed->packs.count;
        if (find_in(&packed->packs.at[*pack], hash, place)) {
            reader->last_pack = *pack;
            return true;
        }
    }
    return false;
}

/* ---- what is kept */

static uint64_t mixed(size_t pack, size_t place)
{
    return (place + pack * 0x9E3779B9u) * 0x9E3779B97F4A7C15u >> 32;
}

static struct packed_shelf *shelf_of(struct git_history_packed *packed, size_t pack,
                                     size_t place)
{
    return &packed->shelves[mixed(pack, place) % SHELVES];
}

static struct kept **slot_of(struct packed_shelf *shelf, size_t pack, size_t place)
{
    return &shelf->slots[mixed(pack, place) / SHELVES % SLOTS];
}

static void unlink_age(struct packed_shelf *shelf, struct kept *kept)
{
    *(kept->newer != NULL ? &kept->newer->older : &shelf->newest) = kept->older;
    *(kept->older != NULL ? &kept->older->newer : &shelf->oldest) = kept->newer;
}

static void link_newest(struct packed_shelf *shelf, struct kept *kept)
{
    kept->newer = NULL;
    kept->older = shelf->newest;
    *(shelf->newest != NULL ? &shelf->newest->newer : &shelf->oldest) = kept;
    shelf->newest = kept;
}

static size_t size_of(const struct kept *kept)
{
    return kept->object.bytes.len + sizeof *kept;
}

static void forget_oldest(struct packed_shelf *shelf)
{
    struct kept *kept = shelf->oldest;
    struct kept **at = slot_of(shelf, kept->pack, kept->place);

    while (*at != kept)
        at = &(*at)->next;
    *at = kept->next;
    unlink_age(shelf, kept);
    shelf->bytes -= size_of(kept);
    kept->listed = false;
    if (kept->users == 0)
        list_release(kept);
}

/* Its one user is whoever made it. */
static struct kept *make(enum git_history_packed_type type, size_t size, size_t pack,
                         size_t place)
{
    size_t ignored = 0;
    struct kept *kept = list_grown(NULL, sizeof *kept + size, 1, &ignored);

    *kept = (struct kept){.object = {type, {(const char *)(kept + 1), size}},
                          .pack = pack,
                          .place = place,
                          .users = 1};
    return kept;
}

/* Two threads may make the same object at once: then both are kept for a while. */
static void keep(struct git_history_packed *packed, struct kept *kept)
{
    struct packed_shelf *shelf = shelf_of(packed, kept->pack, kept->place);
    struct kept **slot = slot_of(shelf, kept->pack, kept->place);

    if (size_of(kept) > KEPT_BYTES / SHELVES / 4)
        return;
    pthread_mutex_lock(&shelf->mutex);
    while (shelf->bytes + size_of(kept) > KEPT_BYTES / SHELVES)
        forget_oldest(shelf);
    kept->next = *slot;
    *slot = kept;
    kept->listed = true;
    link_newest(shelf, kept);
    shelf->bytes += size_of(kept);
    pthread_mutex_unlock(&shelf->mutex);
}

/* With one user more, or NULL. */
static struct kept *recall(struct git_history_packed *packed, size_t pack, size_t place)
{
    struct packed_shelf *shelf = shelf_of(packed, pack, place);

    pthread_mutex_lock(&shelf->mutex);
    struct kept *kept = *slot_of(shelf, pack, place);
    while (kept != NULL && (kept->place != place || kept->pack != pack))
        kept = kept->next;
    if (kept != NULL) {
        unlink_age(shelf, kept);
        link_newest(shelf, kept);
        kept->users++;
    }
    pthread_mutex_unlock(&shelf->mutex);
    return kept;
}

void git_history_packed_free(struct git_history_packed_reader *reader,
                             const struct git_history_packed_object *object)
{
    struct kept *kept = (struct kept *)(uintptr_t)object;

    if (kept == NULL)
        return;
    struct packed_shelf *shelf = shelf_of(reader->packed, kept->pack, kept->place);
    pthread_mutex_lock(&shelf->mutex);
    bool last = --kept->users == 0 && !kept->listed;
    pthread_mutex_unlock(&shelf->mutex);
    if (last)
        list_release(kept);
}

/* ---- entries of a pack */

/* What stands before an object's bytes. */
struct head {
    unsigned type;
    size_t size; /* of what is inflated */
    size_t base; /* of a delta: the place of what it changes */
    size_t data; /* where the deflated bytes begin */
};

/* Seven bits of each byte, the lowest first, as long as its eighth is set; false where
 * they end before, or are too many. */
static bool take_size(struct str bytes, size_t *at, unsigned shift, size_t *size)
{
    for (;; shift += 7) {
        if (*at >= bytes.len || shift > 56)
            return false;
        unsigned char c = (unsigned char)bytes.ptr[(*at)++];
        *size |= (size_t)(c & 127) << shift;
        if (c < 128)
            return true;
    }
}

static bool read_base(struct packed_pack *pack, size_t place, size_t *at,
                      struct head *head)
{
    struct str bytes = str_slice(pack->data.all, 0, pack->end);
    struct git_history_hash hash;

    if (head->type == HASH_DELTA) {
        if (bytes.len - *at < sizeof hash.bytes)
            return false;
        memcpy(hash.bytes, bytes.ptr + *at, sizeof hash.bytes);
        *at += sizeof hash.bytes;
        return find_in(pack, &hash, &head->base);
    }
    size_t back = 0;
    for (bool more = true, first = true; more; first = false) {
        if (*at >= bytes.len || back >= SIZE_MAX >> 8)
            return false;
        unsigned char c = (unsigned char)bytes.ptr[(*at)++];
        back = (first ? 0 : (back + 1) << 7) | (c & 127);
        more = c >= 128;
    }
    head->base = place - back;
    return back > 0 && back <= place - PACK_HEAD;
}

static bool read_head(struct packed_pack *pack, size_t place, struct head *head)
{
    struct str bytes = str_slice(pack->data.all, 0, pack->end);
    size_t at = place;

    touch(&pack->data, place);
    unsigned char first = (unsigned char)bytes.ptr[at++];
    *head = (struct head){.type = first >> 4 & 7, .size = first & 15};
    if ((first >= 128 && !take_size(bytes, &at, 4, &head->size)) || head->type == 0 ||
        head->type == 5 || head->size > GIT_HISTORY_PACKED_MAX)
        return false;
    if (head->type >= OFFSET_DELTA && !read_base(pack, place, &at, head))
        return false;
    head->data = at;
    return head->size / DEFLATE_MOST <= pack->end - at;
}

static bool inflate_at(struct git_history_packed_reader *reader, struct packed_pack *pack,
                       size_t data, char *out, size_t size)
{
    size_t used, made;

    if (libdeflate_zlib_decompress_ex(reader->inflater, pack->data.all.ptr + data,
                                      pack->end - data, out, size, &used,
                                      &made) != LIBDEFLATE_SUCCESS ||
        made != size)
        return false;
    for (size_t at = data; at < data + used; at += WINDOW_BYTES)
        touch(&pack->data, at);
    return true;
}

/* ---- deltas */

/* The two sizes that a delta begins with. */
static bool take_sizes(struct str script, size_t *at, size_t *from, size_t *to)
{
    *at = *from = *to = 0;
    return take_size(script, at, 0, from) && take_size(script, at, 0, to);
}

/* Copies from the base, and bytes of its own. */
static bool apply(struct str base, struct str script, size_t at, char *out, size_t size)
{
    const unsigned char *code = (const unsigned char *)script.ptr;
    size_t made = 0;

    while (at < script.len) {
        unsigned op = code[at++];
        const char *from;
        size_t len = op;
        if (op >= 128) {
            size_t begin = 0, left = script.len - at;
            len = 0;
            if ((size_t)__builtin_popcount(op & 127) > left)
                return false;
            for (unsigned i = 0; i < 4; i++)
                if (op >> i & 1)
                    begin |= (size_t)code[at++] << 8 * i;
            for (unsigned i = 0; i < 3; i++)
                if (op >> (4 + i) & 1)
                    len |= (size_t)code[at++] << 8 * i;
            len = len == 0 ? 0x10000 : len;
            if (begin > base.len || len > base.len - begin)
                return false;
            from = base.ptr + begin;
        } else {
            if (op == 0 || len > script.len - at)
                return false;
            from = script.ptr + at;
            at += len;
        }
        if (len > size - made)
            return false;
        memcpy(out + made, from, len);
        made += len;
    }
    return made == size;
}

static bool inflate_script(struct git_history_packed_reader *reader,
                           struct packed_pack *pack, size_t data, size_t size)
{
    buf_clear(&reader->script);
    char *out = buf_reserve(&reader->script, size + 1);
    reader->script.len = size;
    return inflate_at(reader, pack, data, out, size);
}

/* What a delta makes of its base, or NULL. */
static struct kept *change(struct git_history_packed_reader *reader, size_t number,
                           const struct delta *delta, const struct kept *base)
{
    struct str script;
    size_t at, from, to;

    if (!inflate_script(reader, &reader->packed->packs.at[number], delta->data,
                        delta->size))
        return NULL;
    script = buf_str(&reader->script);
    if (!take_sizes(script, &at, &from, &to) || from != base->object.bytes.len ||
        to > GIT_HISTORY_PACKED_MAX)
        return NULL;
    struct kept *made = make(base->object.type, to, number, delta->place);
    if (apply(base->object.bytes, script, at, (char *)(made + 1), to))
        return made;
    list_release(made);
    return NULL;
}

/* ---- objects */

/* What is no delta, or NULL. */
static struct kept *read_plain(struct git_history_packed_reader *reader, size_t number,
                               size_t place, const struct head *head)
{
    struct kept *made =
        make((enum git_history_packed_type)head->type, head->size, number, place);

    if (inflate_at(reader, &reader->packed->packs.at[number], head->data,
                   (char *)(made + 1), head->size))
        return made;
    list_release(made);
    return NULL;
}

static struct kept *read_at(struct git_history_packed_reader *reader, size_t number,
                            size_t place)
{
    struct git_history_packed *packed = reader->packed;
    struct kept *kept;
    struct head head;
    bool new = false;

    list_clear(&reader->chain);
    while ((kept = recall(packed, number, place)) == NULL) {
        if (!read_head(&packed->packs.at[number], place, &head))
            return NULL;
        new = head.type < OFFSET_DELTA;
        if (new)
            break;
        if (reader->chain.count == CHAIN_MAX)
            return NULL;
        list_add(&reader->chain, ((struct delta){place, head.data, head.size}));
        place = head.base;
    }
    if (new)
        kept = read_plain(reader, number, place, &head);
    for (size_t i = reader->chain.count; i > 0 && kept != NULL; i--) {
        if (new)
            keep(packed, kept);
        struct kept *made = change(reader, number, &reader->chain.at[i - 1], kept);
        git_history_packed_free(reader, &kept->object);
        kept = made;
        new = true;
    }
    if (kept != NULL && new && !reader->once)
        keep(packed, kept);
    return kept;
}

const struct git_history_packed_object *
git_history_packed_read(struct git_history_packed_reader *reader,
                        const struct git_history_hash *hash)
{
    size_t pack, place;
    struct kept *kept =
        find(reader, hash, &pack, &place) ? read_at(reader, pack, place) : NULL;

    return kept != NULL ? &kept->object : NULL;
}

bool git_history_packed_size(struct git_history_packed_reader *reader,
                             const struct git_history_hash *hash, size_t *size)
{
    size_t number, place, at, from;
    struct head head;

    if (!find(reader, hash, &number, &place))
        return false;
    struct packed_pack *pack = &reader->packed->packs.at[number];
    if (!read_head(pack, place, &head))
        return false;
    *size = head.size;
    return head.type < OFFSET_DELTA ||
           (inflate_script(reader, pack, head.data, head.size) &&
            take_sizes(buf_str(&reader->script), &at, &from, size));
}

struct git_history_packed *git_history_packed_open(void)
{
    struct arena arena = {0};
    struct git_history_packed *packed = arena_array(&arena, struct git_history_packed, 1);

    for (size_t i = 0; i < SHELVES; i++)
        pthread_mutex_init(&packed->shelves[i].mutex, NULL);
    packed->arena = arena;
    return packed;
}

void git_history_packed_close(struct git_history_packed *packed)
{
    if (packed == NULL)
        return;
    for (size_t i = 0; i < SHELVES; i++) {
        while (packed->shelves[i].oldest != NULL)
            forget_oldest(&packed->shelves[i]);
        pthread_mutex_destroy(&packed->shelves[i].mutex);
    }
    for (size_t i = 0; i < packed->packs.count; i++) {
        const struct packed_pack *pack = &packed->packs.at[i];
        if (!pack->data.mapped)
            continue;
        file_unmap(pack->index.all);
        file_unmap(pack->data.all);
    }
    list_free(&packed->packs);
    struct arena arena = packed->arena;
    arena_free(&arena);
}

struct git_history_packed_reader *
git_history_packed_reader_open(struct git_history_packed *packed, bool once)
{
    struct arena arena = {0};
    struct git_history_packed_reader *reader =
        arena_array(&arena, struct git_history_packed_reader, 1);

    reader->packed = packed;
    reader->once = once;
    reader->inflater = libdeflate_alloc_decompressor();
    if (reader->inflater == NULL)
        arena_exhausted();
    reader->arena = arena;
    return reader;
}

void git_history_packed_reader_close(struct git_history_packed_reader *reader)
{
    if (reader == NULL)
        return;
    libdeflate_free_decompressor(reader->inflater);
    list_free(&reader->chain);
    buf_free(&reader->script);
    struct arena arena = reader->arena;
    arena_free(&arena);
}
