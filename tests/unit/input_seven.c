/* 7z archives, their headers and streams. */
#include "input/internal.h"

#include "tests/tap.h"
#include "tests/unit/said.h"

/* Headers of 7z archives: what they list, and every way in which they can be wrong. */

static void list(struct packed_folder *folder, struct str bytes, bool ok,
                 const char *text)
{
    struct arena arena = {0};
    struct input_member_list members = {.arena = &arena};
    struct input_raw raw;
    struct err err = {0};

    CHECK(input_raw_open(&raw, packed_write(folder, "list", bytes), &arena, &err));
    CHECK(input_seven_list(&raw, &members, &err) == ok);
    if (!ok)
        CHECK(err.kind == ERR_INPUT);
    if (text != NULL) {
        const char *behind = strstr(err.text, "/list");
        CHECK_TEXT(behind != NULL ? behind + 5 : err.text, text);
    }
    input_raw_close(&raw);
    list_free(&members.members);
    arena_free(&arena);
}

/* An archive around a header given by hand. */
static void make(struct str header, struct buf *out)
{
    struct buf start = {0};

    packed_little(&start, 0, 8);
    packed_little(&start, header.len, 8);
    packed_little(&start, crc32_z(0, (const Bytef *)header.ptr, header.len), 4);
    buf_clear(out);
    buf_add(out, STR("7z\xBC\xAF\x27\x1C\x00\x04"));
    packed_little(out, crc32_z(0, (const Bytef *)start.ptr, start.len), 4);
    buf_add(out, buf_str(&start));
    buf_add(out, header);
    buf_free(&start);
}

static const struct {
    const char *name;
    struct str header;
    bool ok;
} headers[] = {
    {"nothing in it", {"\x01\x00", 2}, true},
    {"an unknown beginning", {"\x02\x00", 2}, false},
    {"ends at once", {"\x01", 1}, false},
    {"more files than bytes",
     {"\x01\x05\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F\x00\x00", 13},
     false},
    {"more packed streams than bytes",
     {"\x01\x04\x06\x00\xC0\xFF\xFF\x09\x00\x00\x00", 11},
     false},
    {"more folders than bytes",
     {"\x01\x04\x07\x0B\xC0\xFF\xFF\x00\x00\x00\x00", 11},
     false},
    {"a folder without coders",
     {"\x01\x04\x07\x0B\x01\x00\x00\x0C\x00\x00\x00\x00", 12},
     false},
    {"a coder with a reserved flag",
     {"\x01\x04\x07\x0B\x01\x00\x01\x81\x21\x0C\x00\x00\x00\x00", 14},
     false},
    {"a folder without packed bytes",
     {"\x01\x04\x07\x0B\x01\x00\x01\x01\x00\x0C\x05\x00\x00\x00", 14},
     false},
    {"a file without a stream that has none",
     {"\x01\x05\x01\x11\x05\x00"
      "a\0\0\0\x00\x00",
      12},
     false},
    {"an empty file",
     {"\x01\x05\x01\x0E\x01\x80\x0F\x01\x80\x11\x05\x00"
      "a\0\0\0\x00\x00",
      18},
     true},
    {"a folder of the file system",
     {"\x01\x05\x01\x0E\x01\x80\x11\x05\x00"
      "a\0\0\0\x00\x00",
      15},
     true},
    {"a name without end",
     {"\x01\x05\x01\x0E\x01\x80\x0F\x01\x80\x11\x03\x00"
      "a\0\x00\x00",
      16},
     true},
    {"names kept elsewhere",
     {"\x01\x05\x01\x11\x05\x01"
      "a\0\0\0\x00\x00",
      12},
     false},
    {"a packed header without streams", {"\x17\x00", 2}, false},
};

/* Names in two- and four-byte letters, an empty file between the others. */
static void check_names(struct packed_folder *folder)
{
    struct packed_member members[] = {{"\xFF", STR("first")}, {"b", STR("second")}};
    struct buf packed = {0};
    struct input *input;
    struct err err = {0};

    tap_case("seven: names");
    packed_seven(PACKED_COPY, 0, members, 2, &packed);
    packed_write(folder, "names", buf_str(&packed));
    CHECK(input_open(folder->last, &input, &err));
    CHECK(str_eq(input_member(input, 0)->name, STR("\xC3\xBF")));
    CHECK(str_eq(input_member(input, 1)->name, STR("b")));
    CHECK(input_member(input, 0)->size == 5 && input_member(input, 1)->size == 6);
    CHECK_TEXT(input_member(input, 1)->format, "7z Copy");
    input_close(input);
    buf_free(&packed);
}

/* libarchive packs the header itself, as 7-Zip does. */
static void check_packed_header(struct packed_folder *folder)
{
    static char names[60][40];
    struct packed_member members[60];
    struct buf packed = {0}, out = {0};
    struct err err = {0};

    tap_case("seven: a header that is packed");
    for (size_t i = 0; i < ROWS(members); i++) {
        snprintf(names[i], sizeof names[i], "a-rather-long-name-for-a-file-%zu", i);
        members[i] = (struct packed_member){names[i], str_from(names[i])};
    }
    packed_archive(folder, "7zip", "lzma2", members, ROWS(members), &packed);
    packed_write(folder, "packed.7z", buf_str(&packed));
    for (size_t i = 0; i < ROWS(members); i += 7) {
        CHECK(reading_member(folder->last, i, 0, 1, 1000, &out, &err));
        CHECK_TEXT(err.text, "");
        CHECK(str_eq(buf_str(&out), members[i].bytes));
    }
    buf_free(&packed);
    buf_free(&out);
}

static void test_seven(void)
{
    struct packed_folder folder = packed_folder();
    struct packed_member member = {"Posts.xml", STR("<posts><row Id=\"1\"/></posts>")};
    struct buf packed = {0};

    check_names(&folder);
    check_packed_header(&folder);
    for (size_t i = 0; i < ROWS(headers); i++) {
        tap_case("seven: %s", headers[i].name);
        make(headers[i].header, &packed);
        list(&folder, buf_str(&packed), headers[i].ok,
             headers[i].ok ? NULL : ": is damaged: its 7z header makes no sense");
    }
    buf_clear(&packed);
    packed_seven(PACKED_LZMA, 0, &member, 1, &packed);
    tap_case("seven: cut at every byte");
    list(&folder, buf_str(&packed), true, NULL);
    for (size_t len = 32; len < packed.len; len += 3) {
        char text[200];
        snprintf(text, sizeof text,
                 ": is cut: the file has %zu bytes, and its 7z archive %zu", len,
                 packed.len);
        list(&folder, str_slice(buf_str(&packed), 0, len), false, text);
    }
    tap_case("seven: the header changed at every byte");
    for (size_t at = 8; at < packed.len; at++) {
        bool header = at < 32 || at >= packed.len - 100;
        packed.ptr[at] ^= 1;
        if (header)
            list(&folder, buf_str(&packed), false, NULL);
        packed.ptr[at] ^= 1;
    }
    tap_case("seven: locked members");
    /* The same with AES instead of LZMA as the coder. */
    struct buf locked = {0};
    packed_seven(PACKED_COPY, 0, &member, 1, &locked);
    size_t header = 32 + member.bytes.len;
    struct buf changed = {0};
    for (size_t i = header; i < locked.len; i++) {
        if (memcmp(locked.ptr + i, "\x0B\x01\x00\x01\x01\x00\x0C", 7) == 0) {
            buf_add(&changed, STR("\x0B\x01\x00\x01\x04\x06\xF1\x07\x01\x0C"));
            i += 6;
        } else {
            buf_add_char(&changed, locked.ptr[i]);
        }
    }
    make(buf_str(&changed), &packed);
    said(&folder, buf_str(&packed),
         "/Posts.xml: is locked with a password; unpack it first");
    buf_free(&changed);
    buf_free(&locked);
    buf_free(&packed);
    packed_clean(&folder);
}

/* Numbers and bits of 7z headers, as 7zFormat.txt has them, and their end. */

static const struct {
    const char *name, *bytes;
    size_t len;
    uint64_t number;
    bool wrong;
} numbers[] = {
    {"one byte", "\x7F", 1, 127, false},
    {"two bytes: the lower one follows", "\x81\x02", 2, 0x102, false},
    {"three", "\xC1\x02\x03", 3, 0x10302, false},
    {"nine", "\xFF\x01\x00\x00\x00\x00\x00\x00\x80", 9, 0x8000000000000001, false},
    {"cut", "\xC1\x02", 2, 0, true},
    {"nothing", "", 0, 0, true},
};

static struct input_seven_header header_of(const char *bytes, size_t len)
{
    return (struct input_seven_header){(const unsigned char *)bytes,
                                       (const unsigned char *)bytes + len, false};
}

static void test_seven_header(void)
{
    struct arena arena = {0};
    struct input_seven_header header;

    for (size_t i = 0; i < ROWS(numbers); i++) {
        header = header_of(numbers[i].bytes, numbers[i].len);
        uint64_t number = input_seven_header_number(&header);
        tap_case("number: %s", numbers[i].name);
        CHECK(header.wrong == numbers[i].wrong);
        CHECK(numbers[i].wrong || number == numbers[i].number);
        CHECK(input_seven_header_left(&header) == 0);
    }
    tap_case("bits, highest first, and all of them at once");
    header = header_of("\xA0\x01", 2);
    const bool *bits = input_seven_header_bits(&header, 3, &arena);
    CHECK(bits[0] && !bits[1] && bits[2]);
    bits = input_seven_header_defined(&header, 9, &arena);
    CHECK(bits[0] && bits[8] && !header.wrong);
    tap_case("a count that cannot be, and a property that is another");
    header = header_of("\x05\x00", 2);
    CHECK(input_seven_header_count(&header, 0) == 0 && header.wrong);
    header = header_of("\x05\x00", 2);
    CHECK(input_seven_header_count(&header, 4) == 5 && !header.wrong);
    header = header_of("\x09", 1);
    input_seven_header_expect(&header, INPUT_SEVEN_HEADER_SIZE);
    CHECK(!header.wrong);
    input_seven_header_expect(&header, INPUT_SEVEN_HEADER_CRC);
    CHECK(header.wrong);
    tap_case("once wrong, always wrong");
    CHECK(input_seven_header_byte(&header) == 0 && input_seven_header_crc(&header) == 0);
    CHECK(input_seven_header_size(&header) == 0 && header.wrong);
    arena_free(&arena);
}

/* Streams of a 7z header: folders, their methods, and the members in them. Broken ones
 * are in input_seven. */

/* One packed stream of 10 bytes at 32; one folder, copied, that holds 10 bytes. */
#define PACKED "\x06\x00\x01\x09\x0A\x00"
#define FOLDER "\x07\x0B\x01\x00\x01\x01\x00\x0C\x0A\x00"
/* Two members in it, the first of 4 bytes. */
#define MEMBERS "\x08\x0D\x02\x09\x04\x00"

static struct input_seven_streams taken(struct str bytes, struct arena *arena,
                                        bool *wrong)
{
    struct input_seven_header header = {(const unsigned char *)bytes.ptr,
                                        (const unsigned char *)bytes.ptr + bytes.len,
                                        false};
    struct input_seven_streams seven = {.arena = arena, .name = "a.7z"};

    input_seven_streams_take(&seven, &header);
    *wrong = header.wrong;
    return seven;
}

static void test_seven_streams(void)
{
    struct arena arena = {0};
    bool wrong;

    tap_case("a folder with one member");
    struct input_seven_streams seven = taken(STR(PACKED FOLDER "\x00"), &arena, &wrong);
    if (CHECK(!wrong && seven.folder_count == 1 && seven.stream_count == 1)) {
        CHECK(seven.folders[0].layout.method == INPUT_SEVEN_COPY);
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
}

int main(void)
{
    test_seven();
    test_seven_header();
    test_seven_streams();
    return tap_done();
}
