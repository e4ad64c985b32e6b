/* gitformat-pack(5), version 2, without deltas; each object as a zlib stream (RFC 1950)
 * of stored blocks (RFC 1951, 3.2.4). */
#include "git/pack.h"

#include <glib.h>
#include <stdio.h>

enum { STORED_MAX = 65535 };

static void add_number(struct buf *out, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(out, (char)(number >> shift));
}

static uint32_t adler(struct str bytes)
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < bytes.len; i++) {
        a = (a + (unsigned char)bytes.ptr[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void add_stored(struct buf *out, struct str bytes)
{
    uint32_t sum = adler(bytes);

    buf_add(out, STR("\x78\x01"));
    do {
        size_t len = bytes.len < STORED_MAX ? bytes.len : STORED_MAX;
        buf_add_char(out, len == bytes.len ? 1 : 0);
        buf_add_char(out, (char)len);
        buf_add_char(out, (char)(len >> 8));
        buf_add_char(out, (char)~len);
        buf_add_char(out, (char)(~len >> 8));
        buf_add(out, str_slice(bytes, 0, len));
        bytes = str_slice(bytes, len, bytes.len);
    } while (bytes.len > 0);
    add_number(out, sum);
}

/* Four bits of the size and the type, then seven bits at a time. */
static void add_head(struct buf *out, enum git_history_pack_type type, size_t size)
{
    unsigned byte = (unsigned)type << 4 | (unsigned)(size & 15);

    for (size >>= 4; size > 0; size >>= 7) {
        buf_add_char(out, (char)(byte | 128));
        byte = (unsigned)(size & 127);
    }
    buf_add_char(out, (char)byte);
}

static void digest(GChecksum *sum, struct git_history_hash *hash)
{
    gsize len = sizeof hash->bytes;

    g_checksum_get_digest(sum, hash->bytes, &len);
    g_checksum_free(sum);
}

struct git_history_hash git_history_pack_add(struct git_history_pack *pack,
                                             enum git_history_pack_type type,
                                             struct str bytes)
{
    static const char *const names[] = {[GIT_HISTORY_PACK_COMMIT] = "commit",
                                        [GIT_HISTORY_PACK_TREE] = "tree",
                                        [GIT_HISTORY_PACK_BLOB] = "blob"};
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA1);
    struct git_history_hash hash;
    char head[40];
    int len = snprintf(head, sizeof head, "%s %zu", names[type], bytes.len);

    g_checksum_update(sum, (const guchar *)head, len + 1);
    g_checksum_update(sum, (const guchar *)bytes.ptr, (gssize)bytes.len);
    digest(sum, &hash);
    pack->known.arena = &pack->arena;
    int64_t *known =
        map_put(&pack->known, (struct str){(const char *)hash.bytes, sizeof hash.bytes});
    if (*known == 0) {
        add_head(&pack->objects, type, bytes.len);
        add_stored(&pack->objects, bytes);
        pack->count++;
    }
    *known = 1;
    return hash;
}

void git_history_pack_bundle(const struct git_history_pack *pack,
                             const struct git_history_pack_ref *refs, size_t ref_count,
                             struct buf *out)
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA1);
    struct git_history_hash hash;
    char digits[GIT_HISTORY_HASH_DIGITS];

    buf_add(out, STR("# v2 git bundle\n"));
    for (size_t i = 0; i < ref_count; i++) {
        git_history_hash_text(&refs[i].hash, digits);
        buf_add(out, (struct str){digits, sizeof digits});
        buf_add_format(out, " %s\n", refs[i].name);
    }
    buf_add_char(out, '\n');
    size_t begin = out->len;
    buf_add(out, STR("PACK"));
    add_number(out, 2);
    add_number(out, pack->count);
    buf_add(out, buf_str(&pack->objects));
    g_checksum_update(sum, (const guchar *)out->ptr + begin, (gssize)(out->len - begin));
    digest(sum, &hash);
    buf_add(out, (struct str){(const char *)hash.bytes, sizeof hash.bytes});
}

void git_history_pack_free(struct git_history_pack *pack)
{
    buf_free(&pack->objects);
    arena_free(&pack->arena);
    *pack = (struct git_history_pack){0};
}
