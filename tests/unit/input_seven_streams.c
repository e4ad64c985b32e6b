/* Streams of a 7z header: folders, their methods, and the members in them. Broken ones
 * are in input_seven. */
#include "input/seven_streams.h"

#include "tests/tap.h"

/* One packed stream of 10 bytes at 32; one folder, copied, that holds 10 bytes. */
#define PACKED "\x06\x00\x01\x09\x0A\x00"
#define FOLDER "\x07\x0B\x01\x00\x01\x01\x00\x0C\x0A\x00"
/* Two members in it, the first of 4 bytes. */
#define MEMBERS "\x08\x0D\x02\x09\x04\x00"

static struct seven_streams taken(struct str bytes, struct arena *arena, bool *wrong)
{
    struct seven_header header = {(const unsigned char *)bytes.ptr,
                                  (const unsigned char *)bytes.ptr + bytes.len, false};
    struct seven_streams seven = {.arena = arena, .name = "a.7z"};

    seven_streams_take(&seven, &header);
    *wrong = header.wrong;
    return seven;
}

int main(void)
{
    struct arena arena = {0};
    bool wrong;

    tap_case("a folder with one member");
    struct seven_streams seven = taken(STR(PACKED FOLDER "\x00"), &arena, &wrong);
    if (CHECK(!wrong && seven.folder_count == 1 && seven.stream_count == 1)) {
        CHECK(seven.folders[0].layout.method == SEVEN_COPY);
        CHECK(seven.folders[0].layout.from == 32 && seven.folders[0].layout.to == 42);
        CHECK(seven.streams[0].size == 10 && !seven.streams[0].has_crc);
        CHECK_TEXT(seven.folders[0].layout.format_name, "7z Copy");
    }
    tap_case("with two: the last has what is left");
    seven = taken(STR(PACKED FOLDER MEMBERS "\x00"), &arena, &wrong);
    if (CHECK(!wrong && seven.stream_count == 2))
        CHECK(seven.streams[0].size == 4 && seven.streams[1].size == 6);
    tap_case("cut anywhere it makes no sense");
    struct str whole = STR(PACKED FOLDER MEMBERS "\x00");
    for (size_t len = 0; len < whole.len; len++) {
        taken(str_slice(whole, 0, len), &arena, &wrong);
        CHECK(wrong);
    }
    arena_free(&arena);
    return tap_done();
}
