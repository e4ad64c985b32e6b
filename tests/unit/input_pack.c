/* Packing: the same bytes come out again, by us and by zstd or lz4 alone; frames end with
 * lines; neither threads nor the source's packing show in the file; nothing half is left.
 */
#include "input/input.h"

#include "tests/unit/said.h"

static bool pack(const char *from, const char *to, struct input_pack_options options,
                 struct input_pack_result *result, struct err *err)
{
    struct input *input;

    if (!input_open(from, &input, err))
        return false;
    bool ok = input_pack_member(input, 0, to, &options, result, err);
    input_close(input);
    return ok;
}

/* By the library's own one-shot functions, frame by frame; *ends tells whether each frame
 * but the last ends with a line. */
static void unpack_zstd(struct str packed, struct buf *out, int64_t *frames, bool *ends)
{
    *frames = 0;
    *ends = true;
    while (packed.len > 0) {
        size_t len = ZSTD_findFrameCompressedSize(packed.ptr, packed.len);
        if (ZSTD_isError(len))
            break;
        unsigned long long size = ZSTD_getFrameContentSize(packed.ptr, len);
        if (size < ZSTD_CONTENTSIZE_ERROR &&
            memcmp(packed.ptr, "\x28\xB5\x2F\xFD", 4) == 0) {
            if (out->len > 0 && out->ptr[out->len - 1] != '\n')
                *ends = false;
            char *to = buf_reserve(out, (size_t)size + 1);
            CHECK(ZSTD_decompress(to, (size_t)size, packed.ptr, len) == (size_t)size);
            out->len += (size_t)size;
            ++*frames;
        }
        packed = str_slice(packed, len, packed.len);
    }
    CHECK(packed.len == 0);
}

/* The same by lz4's own functions for frames, which check their sums. Frames without
 * bytes are not counted. */
static void unpack_lz4(struct str packed, struct buf *out, int64_t *frames, bool *ends)
{
    LZ4F_dctx *context;
    size_t before = 0, status = 0;

    *frames = 0;
    *ends = true;
    CHECK(!LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)));
    while (packed.len > 0) {
        size_t room = 100000, len = packed.len;
        char *to = buf_reserve(out, room);
        status = LZ4F_decompress(context, to, &room, packed.ptr, &len, NULL);
        if (!CHECK(!LZ4F_isError(status)))
            break;
        if (room > 0 && out->len == before && before > 0 && out->ptr[before - 1] != '\n')
            *ends = false;
        out->len += room;
        packed = str_slice(packed, len, packed.len);
        if (status == 0 && out->len > before) {
            ++*frames;
            before = out->len;
        }
    }
    CHECK(status == 0);
    LZ4F_freeDecompressionContext(context);
}

static const struct {
    const char *name;
    size_t line; /* bytes in a line; 0: no line ends */
    size_t len;
    int64_t frame;
    bool ends;
} rows[] = {
    {"lines", 100, 1000000, 65536, true},
    {"lines longer than a frame", 30000, 1000000, 10000, true},
    {"no lines", 0, 300000, 65536, true}, /* one frame */
    {"less than a frame", 100, 5000, 65536, true},
    {"one byte", 0, 1, 65536, true},
    {"nothing", 0, 0, 65536, true},
    {"frames as large as usual", 1000, 9000000, 0, true},
};

static void check_row(struct packed_folder *folder, size_t i, enum input_pack_kind kind)
{
    struct buf text = {0}, packed = {0}, out = {0};
    struct arena arena = {0};
    struct input_pack_result result;
    struct err err = {0};
    struct str first = {0}, again;
    char target[400];
    bool ends;
    int64_t frames;

    noise(&text, rows[i].len);
    for (size_t k = 0; k < text.len; k++) {
        if (text.ptr[k] == '\n')
            text.ptr[k] = ' ';
        if (rows[i].line > 0 && k % rows[i].line == rows[i].line - 1)
            text.ptr[k] = '\n';
    }
    snprintf(target, sizeof target, "%s/target", folder->path);
    for (int round = 0; round < 4; round++) {
        buf_clear(&packed);
        if (round % 2 == 0)
            buf_add(&packed, buf_str(&text));
        else
            packed_gzip(buf_str(&text), &packed);
        packed_write(folder, "source", buf_str(&packed));
        struct input_pack_options options = {
            .kind = kind, .threads = 1 + round, .level = 1, .frame_bytes = rows[i].frame};
        CHECK(pack(folder->last, target, options, &result, &err));
        CHECK_TEXT(err.text, "");
        CHECK(file_read(target, &arena, &again, &err));
        if (round == 0)
            first = again;
        CHECK(str_eq(first, again));
        CHECK(result.bytes == (int64_t)text.len && result.packed == (int64_t)again.len);
    }
    if (kind == INPUT_PACK_LZ4)
        unpack_lz4(first, &out, &frames, &ends);
    else
        unpack_zstd(first, &out, &frames, &ends);
    CHECK(str_eq(buf_str(&out), buf_str(&text)));
    CHECK(frames == result.frames || (kind == INPUT_PACK_LZ4 && text.len == 0));
    CHECK(ends == rows[i].ends);
    if (text.len > 0)
        gives(folder, first, buf_str(&text));
    remove(target);
    arena_free(&arena);
    buf_free(&text);
    buf_free(&packed);
    buf_free(&out);
}

static void check_failures(struct packed_folder *folder)
{
    struct input_pack_options options = {.threads = 2, .frame_bytes = 10000};
    struct input_pack_result result;
    struct buf text = {0}, packed = {0};
    struct err err = {0};
    char target[400];

    noise(&text, 500000);
    packed_gzip(buf_str(&text), &packed);
    packed_write(folder, "source", str_slice(buf_str(&packed), 0, packed.len - 100));
    tap_case("pack: a source that is cut leaves the old file as it was");
    snprintf(target, sizeof target, "%s", folder->last);
    packed_write(folder, "target.zst", STR("old"));
    CHECK(!pack(target, folder->last, options, &result, &err));
    CHECK(err.kind == ERR_INPUT && strstr(err.text, "is cut") != NULL);
    struct arena arena = {0};
    struct str old;
    CHECK(file_read(folder->last, &arena, &old, &err) && str_eq(old, STR("old")));
    snprintf(target, sizeof target, "%s.part", folder->last);
    CHECK(!file_exists(target));
    arena_free(&arena);
    tap_case("pack: a target that cannot be written");
    packed_write(folder, "source", buf_str(&packed));
    snprintf(target, sizeof target, "%s/absent/target.zst", folder->path);
    CHECK(!pack(folder->last, target, options, &result, &err));
    CHECK(err.kind == ERR_SYSTEM && strstr(err.text, "cannot write") != NULL);
    buf_free(&text);
    buf_free(&packed);
}

int main(void)
{
    struct packed_folder folder = packed_folder();

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("pack: %s", rows[i].name);
        check_row(&folder, i, INPUT_PACK_ZSTD);
        tap_case("pack: lz4: %s", rows[i].name);
        check_row(&folder, i, INPUT_PACK_LZ4);
    }
    check_failures(&folder);
    packed_clean(&folder);
    return tap_done();
}
