/* Entries of packs, good and bad: what is wrong is no object, and nothing else suffers
 * from it. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "tests/made_pack.h"
#include "tests/tap.h"

enum { TREE = 2, BLOB = 3, TAG = 4, BY_PLACE = 6, BY_HASH = 7 };

static struct buf entries;
static size_t places[32], place_count;

static void add_deflated(struct str bytes)
{
    uLongf len = compressBound(bytes.len);
    char *out = buf_reserve(&entries, len);

    compress((Bytef *)out, &len, (const Bytef *)bytes.ptr, bytes.len);
    entries.len += len;
}

/* The number of the entry that begins here. */
static size_t begin(unsigned type, size_t size)
{
    unsigned byte = type << 4 | (unsigned)(size & 15);

    places[place_count] = entries.len;
    for (size >>= 4; size > 0; size >>= 7) {
        buf_add_char(&entries, (char)(byte | 128));
        byte = (unsigned)(size & 127);
    }
    buf_add_char(&entries, (char)byte);
    return place_count++;
}

static size_t plain(unsigned type, struct str bytes)
{
    size_t entry = begin(type, bytes.len);

    add_deflated(bytes);
    return entry;
}

/* A delta on the entry that begins so many bytes before it. */
static size_t on_place(size_t back, struct str script)
{
    size_t entry = begin(BY_PLACE, script.len);

    if (back >= 128)
        buf_add_char(&entries, (char)(128 | ((back >> 7) - 1)));
    buf_add_char(&entries, (char)(back & 127));
    add_deflated(script);
    return entry;
}

static size_t on(size_t base, struct str script)
{
    return on_place(entries.len - places[base], script);
}

static size_t on_hash(size_t base, struct str script)
{
    struct git_history_hash hash = made_pack_hash(base);
    size_t entry = begin(BY_HASH, script.len);

    buf_add(&entries, (struct str){(const char *)hash.bytes, sizeof hash.bytes});
    add_deflated(script);
    return entry;
}

struct wanted {
    size_t entry;
    const char *name, *text; /* text NULL: no object */
};

static void check(struct git_history_packed *packed, const struct wanted *rows,
                  size_t count)
{
    for (int once = 1; once >= 0; once--) {
        struct git_history_packed_reader *reader =
            git_history_packed_reader_open(packed, once);
        for (size_t i = 0; i < count; i++) {
            struct git_history_hash hash = made_pack_hash(rows[i].entry);
            const struct git_history_packed_object *object =
                git_history_packed_read(reader, &hash);
            char text[100] = "none";
            size_t size = 0;
            tap_case("%s%s", rows[i].name, once ? "" : ", kept");
            if (object != NULL)
                snprintf(text, sizeof text, "%.*s", STR_ARG(object->bytes));
            CHECK_TEXT(text, rows[i].text != NULL ? rows[i].text : "none");
            CHECK(object == NULL || (git_history_packed_size(reader, &hash, &size) &&
                                     size == object->bytes.len));
            git_history_packed_free(reader, object);
        }
        git_history_packed_reader_close(reader);
    }
}

static void test_entries(void)
{
    size_t blob = plain(BLOB, STR("hello, world\n"));
    size_t delta = on(blob, STR("\x0d\x0a\x90\x07\x03new"));
    size_t deeper = on(delta, STR("\x0a\x0d\x90\x07\x91\x07\x03\x03yes"));
    const struct wanted rows[] = {
        {blob, "plain", "hello, world\n"},
        {delta, "delta", "hello, new"},
        {deeper, "delta on a delta", "hello, newyes"},
        {on_hash(blob, STR("\x0d\x0a\x90\x07\x03new")), "by hash", "hello, new"},
        {plain(TAG, STR("")), "empty", ""},
        {on(blob, STR("\x0d\x0a\x90\x07\x03n")), "bytes of its own cut", NULL},
        {on(blob, STR("\x0d\x0a\x90\x07\x02ne")), "fewer than it says", NULL},
        {on(blob, STR("\x0d\x09\x90\x07\x03new")), "more than it says", NULL},
        {on(blob, STR("\x0e\x0a\x90\x07\x03new")), "base of another length", NULL},
        {on(blob, STR("\x0d\x0a\x91\x09\x07\x03new")), "copy beyond the base", NULL},
        {on(blob, STR("\x0d\x0a\x90\x07\x00\x03new")), "an operation that is none", NULL},
        {on(blob, STR("\x0d\x0a\x9f")), "operation cut", NULL},
        {on(blob, STR("\x0d")), "sizes cut", NULL},
        {on(blob, STR("\x0d\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f")), "sizes too long",
         NULL},
        {on(blob, STR("\x0d\xff\xff\xff\x7f\x90\x07")), "larger than is read", NULL},
        {on_place(0, STR("\x0d\x0a\x90\x07\x03new")), "on itself", NULL},
        {on_place(16000, STR("\x0d\x0a\x90\x07\x03new")), "on what is before the pack",
         NULL},
        {on_hash(place_count, STR("\x0d\x0d\x90\x0d")), "by hash on itself", NULL},
        {on_hash(31, STR("\x0d\x0d\x90\x0d")), "by hash on what is not there", NULL},
        {begin(5, 3), "no type", NULL},
        {begin(BLOB, 3), "no deflated bytes", NULL},
        {begin(BLOB, (size_t)40 << 30), "a length that cannot be", NULL},
    };
    size_t wrong = begin(BLOB, 12);
    add_deflated(STR("hello, world\n")); /* has 13 */
    size_t broken = plain(TREE, STR("not this one"));
    entries.ptr[entries.len - 1] ^= 1; /* of its checksum */
    size_t other = on(broken, STR("\x0c\x03\x90\x03"));
    const struct wanted more[] = {
        {wrong, "another length than it says", NULL},
        {broken, "checksum", NULL},
        {other, "on what is broken", NULL},
        {place_count, "a hash that is not there", NULL},
    };
    struct git_history_packed *packed = git_history_packed_open();
    struct buf index = {0}, pack = {0};

    made_pack(buf_str(&entries), places, place_count, &index, &pack);
    tap_case("added");
    CHECK(git_history_packed_add(packed, buf_str(&index), buf_str(&pack), false));
    check(packed, rows, ROWS_OF(rows));
    check(packed, more, ROWS_OF(more));
    git_history_packed_close(packed);

    tap_case("cut anywhere, neither index nor pack is taken");
    packed = git_history_packed_open();
    for (size_t len = 0; len < index.len; len++)
        CHECK(!git_history_packed_add(packed, str_slice(buf_str(&index), 0, len),
                                      buf_str(&pack), false));
    for (size_t len = 0; len < pack.len; len++)
        CHECK(!git_history_packed_add(packed, buf_str(&index),
                                      str_slice(buf_str(&pack), 0, len), false));
    tap_case("a place beyond 2 GB stands in a table of its own");
    struct buf far = {0};
    size_t table = index.len - 2 * GIT_HISTORY_HASH_BYTES;
    buf_add(&far, str_slice(buf_str(&index), 0, table));
    made_pack_number(&far, 0);
    made_pack_number(&far, (uint32_t)(12 + places[blob]));
    buf_add(&far, str_slice(buf_str(&index), table, index.len));
    memcpy(far.ptr + table - 4 * place_count, "\x80\0\0\0\x80\0\0\1", 8);
    CHECK(git_history_packed_add(packed, buf_str(&far), buf_str(&pack), false));
    check(packed, rows, 1);
    check(packed, &(struct wanted){1, "a place beyond that table", NULL}, 1);
    buf_free(&far);
    tap_case("an index whose counts descend");
    index.ptr[8 + 4 * 7 + 3] = 99;
    CHECK(!git_history_packed_add(packed, buf_str(&index), buf_str(&pack), false));
    git_history_packed_close(packed);
    buf_free(&index);
    buf_free(&pack);
    buf_free(&entries);
}

int main(void)
{
    test_entries();
    return tap_done();
}
