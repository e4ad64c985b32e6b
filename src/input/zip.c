/* Where the members of a zip lie that libarchive lists and cannot unpack: those packed by
 * Deflate64. Its directory is read for them alone (PKWARE's APPNOTE.TXT, 4.3 to 4.5). */
#include <string.h>

#include "input/internal.h"

enum {
    END_BYTES = 22,
    COMMENT_MAX = 65535,
    LOCATOR_BYTES = 20,
    BIG_END_BYTES = 56,
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    DEFLATE64 = 9,
    BIG_ID = 1, /* of the extra field that has 64 bits for each number */
    DIRECTORY_MAX = 1 << 30,
};

struct zip_entry {
    struct str name;
    unsigned method;
    uint32_t crc;
    uint64_t packed, size, offset;
};

static uint64_t number(const char *at, size_t bytes)
{
    uint64_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | (unsigned char)at[bytes];
    return value;
}

static bool read_whole(const struct input_raw *raw, uint64_t offset, char *to, size_t len,
                       bool *whole, struct err *err)
{
    size_t got = 0;

    *whole = false;
    if (offset > (uint64_t)raw->size)
        return true;
    if (!input_raw_read_at(raw, (int64_t)offset, to, len, &got, err))
        return false;
    *whole = got == len;
    return true;
}

/* Where the directory is; *len is 0 when there is none. */
static bool find_directory(const struct input_raw *raw, struct arena *arena,
                           uint64_t *offset, size_t *len, struct err *err)
{
    size_t room = END_BYTES + COMMENT_MAX + LOCATOR_BYTES, got;
    int64_t from = raw->size > (int64_t)room ? raw->size - (int64_t)room : 0;
    char *tail = arena_array(arena, char, room), big[BIG_END_BYTES];
    bool whole;

    *len = 0;
    if (!input_raw_read_at(raw, from, tail, room, &got, err))
        return false;
    for (size_t at = got < END_BYTES ? 0 : got - END_BYTES + 1; at-- > 0;) {
        if (memcmp(tail + at, "PK\x05\x06", 4) != 0)
            continue;
        uint64_t size = number(tail + at + 12, 4);
        *offset = number(tail + at + 16, 4);
        if (at >= LOCATOR_BYTES &&
            memcmp(tail + at - LOCATOR_BYTES, "PK\x06\x07", 4) == 0) {
            if (!read_whole(raw, number(tail + at - LOCATOR_BYTES + 8, 8), big,
                            sizeof big, &whole, err))
                return false;
            if (whole && memcmp(big, "PK\x06\x06", 4) == 0) {
                size = number(big + 40, 8);
                *offset = number(big + 48, 8);
            }
        }
        *len = size <= DIRECTORY_MAX ? (size_t)size : 0;
        return true;
    }
    return true;
}

/* Numbers that do not fit into 32 bits stand in an extra field, in this order. */
static void read_extra(struct str extra, struct zip_entry *entry)
{
    uint64_t *numbers[] = {&entry->size, &entry->packed, &entry->offset};

    while (extra.len >= 4) {
        size_t len = (size_t)number(extra.ptr + 2, 2), at = 4;
        if (len > extra.len - 4)
            return;
        for (size_t i = 0; number(extra.ptr, 2) == BIG_ID && i < ROWS_OF(numbers); i++)
            if (*numbers[i] == UINT32_MAX && at + 8 <= len + 4) {
                *numbers[i] = number(extra.ptr + at, 8);
                at += 8;
            }
        extra = str_slice(extra, 4 + len, extra.len);
    }
}

/* The entry that the directory begins with, which is cut off; false at its end. */
static bool next_entry(struct str *directory, struct zip_entry *out)
{
    const char *at = directory->ptr;

    if (directory->len < ENTRY_BYTES || memcmp(at, "PK\x01\x02", 4) != 0)
        return false;
    size_t name = (size_t)number(at + 28, 2), extra = (size_t)number(at + 30, 2),
           all = ENTRY_BYTES + name + extra + (size_t)number(at + 32, 2);
    if (all > directory->len)
        return false;
    *out = (struct zip_entry){.name = {at + ENTRY_BYTES, name},
                              .method = (unsigned)number(at + 10, 2),
                              .crc = (uint32_t)number(at + 16, 4),
                              .packed = number(at + 20, 4),
                              .size = number(at + 24, 4),
                              .offset = number(at + 42, 4)};
    read_extra((struct str){at + ENTRY_BYTES + name, extra}, out);
    *directory = str_slice(*directory, all, directory->len);
    return true;
}

/* Behind the member's own header, whose extra field may be another than the directory's.
 */
static bool place_member(const struct input_raw *raw, const struct zip_entry *entry,
                         struct input_member_packed *member, struct err *err)
{
    char local[LOCAL_BYTES];
    bool whole;

    if (!read_whole(raw, entry->offset, local, sizeof local, &whole, err))
        return false;
    if (!whole || memcmp(local, "PK\x03\x04", 4) != 0)
        return true;
    uint64_t from =
        entry->offset + LOCAL_BYTES + number(local + 26, 2) + number(local + 28, 2);
    uint64_t size = (uint64_t)raw->size;
    if (from > size || entry->packed > size - from || entry->size > INT64_MAX)
        return true;
    member->shown.format = "zip Deflate64";
    member->shown.size = member->layout.size = member->layout.folder_size =
        (int64_t)entry->size;
    member->layout.method = INPUT_SEVEN_DEFLATE64;
    member->layout.from = (int64_t)from;
    member->layout.to = (int64_t)(from + entry->packed);
    member->layout.has_crc = true;
    member->layout.crc = entry->crc;
    return true;
}

/* What is not found stays with libarchive, which says that it does not know it. */
bool input_zip_place(const struct input_raw *raw,
                     struct input_member_packed *const *members, size_t count,
                     struct err *err)
{
    struct arena arena = {0};
    struct zip_entry entry;
    uint64_t offset;
    size_t len, next = 0;
    bool whole = false;
    bool ok = find_directory(raw, &arena, &offset, &len, err);
    char *bytes = arena_array(&arena, char, len + 1);

    ok = ok && (len == 0 || read_whole(raw, offset, bytes, len, &whole, err));
    struct str rest = {bytes, whole ? len : 0};
    while (ok && next_entry(&rest, &entry))
        for (size_t i = 0; ok && entry.method == DEFLATE64 && i < count; i++) {
            /* Both lists mostly have one order. */
            struct input_member_packed *member = members[(next + i) % count];
            if (member->layout.method == INPUT_SEVEN_DEFLATE64 ||
                !str_eq(member->shown.name, entry.name))
                continue;
            ok = place_member(raw, &entry, member, err);
            next = (next + i + 1) % count;
            break;
        }
    arena_free(&arena);
    return ok;
}
