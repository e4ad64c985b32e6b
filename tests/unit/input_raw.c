/* Files and pipes as they are. */
#include "input/internal.h"

#include <signal.h>
#include <sys/resource.h>

#include "tests/tap.h"
#include "tests/unit/packed.h"
#include "tests/unit/said.h"

/* Bytes of files and pipes: looking ahead takes nothing away. */

static void check_raw(struct input_raw *raw, struct str want)
{
    char bytes[100];
    struct buf all = {0};
    struct err err = {0};
    size_t got = 1;

    CHECK(input_raw_peek(raw, bytes, 4, &got, &err) &&
          got == (want.len < 4 ? want.len : 4));
    CHECK(memcmp(bytes, want.ptr, got) == 0);
    CHECK(input_raw_peek(raw, bytes, 50, &got, &err) &&
          got == (want.len < 50 ? want.len : 50));
    do {
        CHECK(input_raw_read(raw, bytes, 7, &got, &err));
        buf_add(&all, (struct str){bytes, got});
    } while (got > 0);
    CHECK(str_eq(buf_str(&all), want));
    CHECK(raw->at == (int64_t)want.len);
    buf_free(&all);
}

static void check_pipe(struct str text)
{
    struct input_raw raw = {.name = "pipe", .size = -1};
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
    input_raw_close(&raw);
}

/* More than a pipe holds at once comes from another process. */
static struct input_raw pipe_of(struct str text)
{
    struct input_raw raw = {.name = "pipe", .size = -1, .owned = true};
    int ends[2];

    CHECK(pipe(ends) == 0);
    if (fork() == 0) {
        close(ends[0]); /* else it would wait for ever for somebody to read */
        for (ssize_t count = 0; text.len > 0 && count >= 0;) {
            count = write(ends[1], text.ptr, text.len);
            text = str_slice(text, (size_t)(count > 0 ? count : 0), text.len);
        }
        _exit(0);
    }
    close(ends[1]);
    raw.descriptor = ends[0];
    return raw;
}

static void check_spool(struct packed_folder *folder, struct arena *arena)
{
    struct buf text = {0};
    struct err err = {0};
    char first[4];
    size_t got;
    char *bytes = arena_array(arena, char, 3000000);
    struct rlimit limit, small;

    for (int i = 0; text.len < 2500000; i++)
        buf_add_int(&text, i);
    setenv("TMPDIR", folder->path, 1);
    tap_case("raw: a pipe becomes a file");
    struct input_raw raw = pipe_of(buf_str(&text));
    CHECK(input_raw_peek(&raw, first, sizeof first, &got, &err) && got == 4);
    CHECK(input_raw_spool(&raw, arena, &err) && raw.seekable);
    CHECK(raw.size == (int64_t)text.len);
    CHECK(input_raw_read_at(&raw, 0, bytes, 3000000, &got, &err));
    CHECK(str_eq((struct str){bytes, got}, buf_str(&text)));
    input_raw_close(&raw);

    tap_case("raw: a pipe that has no room as a file");
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 1000000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    raw = pipe_of(buf_str(&text));
    CHECK(!input_raw_spool(&raw, arena, &err) && err.kind == ERR_SYSTEM);
    CHECK(strstr(err.text, "cannot put pipe into a file in ") == err.text);
    CHECK(strstr(err.text, "(TMPDIR may name another folder): File too large") != NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    input_raw_close(&raw);

    tap_case("raw: a pipe and no folder for it");
    setenv("TMPDIR", "/nowhere", 1);
    raw = pipe_of(STR("x"));
    CHECK(!input_raw_spool(&raw, arena, &err) && err.kind == ERR_SYSTEM);
    CHECK_TEXT(err.text, "cannot write to /nowhere (TMPDIR): No such file or directory");
    input_raw_close(&raw);
    unsetenv("TMPDIR");
    buf_free(&text);
}

static void test_raw(void)
{
    struct packed_folder folder = packed_folder();
    struct arena arena = {0};
    struct input_raw raw;
    struct err err = {0};
    struct str text =
        STR("0123456789012345678901234567890123456789012345678901234567890");
    char bytes[100], buffer[INPUT_FEED_BYTES];
    size_t got;

    tap_case("raw: a file");
    packed_write(&folder, "file", text);
    CHECK(input_raw_open(&raw, folder.last, &arena, &err));
    CHECK(raw.seekable && raw.size == (int64_t)text.len && raw.modified_ms > 0);
    check_raw(&raw, text);
    tap_case("raw: anywhere in a file");
    CHECK(input_raw_read_at(&raw, 10, bytes, 5, &got, &err) && got == 5);
    CHECK(memcmp(bytes, "01234", 5) == 0);
    CHECK(input_raw_read_at(&raw, 58, bytes, 50, &got, &err) && got == 3);
    CHECK(input_raw_read_at(&raw, 1000, bytes, 50, &got, &err) && got == 0);
    tap_case("raw: a feed ends where it is told to");
    struct input_feed feed = {.raw = &raw, .at = 3, .end = 9, .buffer = buffer};
    CHECK(input_feed_fill(&feed, &err) && feed.len == 6 &&
          memcmp(buffer, "345678", 6) == 0);
    CHECK(input_feed_fill(&feed, &err) && feed.len == 0);
    input_raw_close(&raw);

    tap_case("raw: a pipe, also hashed");
    check_pipe(text);
    check_pipe(STR("abc"));
    check_pipe(STR(""));

    tap_case("raw: a folder");
    CHECK(!input_raw_open(&raw, folder.path, &arena, &err) && err.kind == ERR_SYSTEM);
    CHECK(strstr(err.text, "Is a directory") != NULL);
    check_spool(&folder, &arena);
    arena_free(&arena);
    packed_clean(&folder);
    tap_case("raw: nothing is left behind");
    CHECK(!file_exists(folder.path));
}

/* Plain files in parts of one size, plain pipes, and stored members. */

static void test_plain(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0};
    struct input *input;
    struct input_stream *stream;
    struct input_stream_options options = {.start = 7};
    struct input_part part;
    struct err err = {0};
    bool more;

    noise(&text, INPUT_PLAIN_PART_BYTES * 2 + 100);
    tap_case("plain: sizes around those of a part");
    for (size_t len = INPUT_PLAIN_PART_BYTES - 1; len <= INPUT_PLAIN_PART_BYTES + 1;
         len++)
        gives(&folder, str_slice(buf_str(&text), 0, len),
              str_slice(buf_str(&text), 0, len));
    gives(&folder, STR(""), STR(""));

    tap_case("plain: where the parts are");
    packed_write(&folder, "plain", buf_str(&text));
    CHECK(input_open(folder.last, &input, &err));
    CHECK(input_stream_open(input, 0, &options, &stream, &err));
    CHECK((stream->codec->next != NULL) && input_stream_plain(stream));
    CHECK(input_stream_size(stream) == (int64_t)text.len - 7);
    struct input_reader *reader = input_reader_open(stream);
    for (int i = 0; i < 3; i++) {
        CHECK(input_part_next(reader, &part, &more, &err) && more);
        CHECK(part.number == i && part.again);
        CHECK(part.from == 7 + (int64_t)i * INPUT_PLAIN_PART_BYTES);
    }
    CHECK(part.to == (int64_t)text.len);
    CHECK(input_part_next(reader, &part, &more, &err) && !more);
    input_reader_close(reader);
    input_stream_close(stream);

    tap_case("plain: a file that became shorter while it was read");
    CHECK(input_stream_open(input, 0, &options, &stream, &err));
    CHECK(truncate(folder.last, 1000) == 0);
    CHECK(!reading_stream(stream, 1, 1000, &packed, &err));
    CHECK(err.kind == ERR_INPUT && strstr(err.text, "plain: is cut: ") != NULL);
    input_stream_close(stream);
    input_close(input);

    tap_case("plain: stored in an archive");
    struct packed_member members[] = {{"a", STR("first")}, {"b", buf_str(&text)}};
    buf_clear(&packed);
    packed_seven(PACKED_COPY, 0, members, 2, &packed);
    packed_write(&folder, "stored", buf_str(&packed));
    buf_clear(&packed);
    CHECK(reading_member(folder.last, 1, 0, 2, 1000, &packed, &err));
    CHECK(str_eq(buf_str(&packed), buf_str(&text)));
    CHECK(reading_member(folder.last, 0, 0, 2, 1000, &packed, &err));
    CHECK(str_eq(buf_str(&packed), STR("first")));
    buf_free(&text);
    buf_free(&packed);
    packed_clean(&folder);
}

int main(void)
{
    test_raw();
    test_plain();
    return tap_done();
}
