/* Bytes of files and pipes: looking ahead takes nothing away. */
#include "input/internal.h"
#include "tests/tap.h"
#include "tests/unit/packed.h"

static void check_raw(struct raw *raw, struct str want)
{
    char bytes[100];
    struct buf all = {0};
    struct err err = {0};
    size_t got = 1;

    CHECK(raw_peek(raw, bytes, 4, &got, &err) && got == (want.len < 4 ? want.len : 4));
    CHECK(memcmp(bytes, want.ptr, got) == 0);
    CHECK(raw_peek(raw, bytes, 50, &got, &err) && got == (want.len < 50 ? want.len : 50));
    do {
        CHECK(raw_read(raw, bytes, 7, &got, &err));
        buf_add(&all, (struct str){bytes, got});
    } while (got > 0);
    CHECK(str_eq(buf_str(&all), want));
    CHECK(raw->at == (int64_t)want.len);
    buf_free(&all);
}

static void check_pipe(struct str text)
{
    struct raw raw = {.name = "pipe", .size = -1};
    int ends[2];

    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], text.ptr, text.len) == (ssize_t)text.len);
    close(ends[1]);
    raw.descriptor = ends[0];
    raw.owned = true;
    raw.hash = XXH3_createState();
    XXH3_128bits_reset(raw.hash);
    check_raw(&raw, text);
    XXH128_hash_t got = XXH3_128bits_digest(raw.hash);
    CHECK(XXH128_isEqual(got, XXH3_128bits(text.ptr, text.len)));
    XXH3_freeState(raw.hash);
    raw_close(&raw);
}

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct arena arena = {0};
    struct raw raw;
    struct err err = {0};
    struct str text =
        STR("0123456789012345678901234567890123456789012345678901234567890");
    char bytes[100], buffer[FEED_BYTES];
    size_t got;

    tap_case("raw: a file");
    packed_write(&folder, "file", text);
    CHECK(raw_open(&raw, folder.last, &arena, &err));
    CHECK(raw.seekable && raw.size == (int64_t)text.len && raw.modified_ms > 0);
    check_raw(&raw, text);
    tap_case("raw: anywhere in a file");
    CHECK(raw_read_at(&raw, 10, bytes, 5, &got, &err) && got == 5);
    CHECK(memcmp(bytes, "01234", 5) == 0);
    CHECK(raw_read_at(&raw, 58, bytes, 50, &got, &err) && got == 3);
    CHECK(raw_read_at(&raw, 1000, bytes, 50, &got, &err) && got == 0);
    tap_case("raw: a feed ends where it is told to");
    struct feed feed = {.raw = &raw, .at = 3, .end = 9, .buffer = buffer};
    CHECK(feed_fill(&feed, &err) && feed.len == 6 && memcmp(buffer, "345678", 6) == 0);
    CHECK(feed_fill(&feed, &err) && feed.len == 0);
    raw_close(&raw);

    tap_case("raw: a pipe, also hashed");
    check_pipe(text);
    check_pipe(STR("abc"));
    check_pipe(STR(""));

    tap_case("raw: a folder");
    CHECK(!raw_open(&raw, folder.path, &arena, &err) && err.kind == ERR_SYSTEM);
    CHECK(strstr(err.text, "Is a directory") != NULL);
    arena_free(&arena);
    packed_clean(&folder);
    return tap_done();
}
