/* Plain files in parts of one size, plain pipes, and stored members. */
#include "input/internal.h"
#include "tests/unit/said.h"

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0};
    struct input *input;
    struct input_stream *stream;
    struct input_stream_options options = {.start = 7};
    struct input_part part;
    struct err err = {0};
    bool more;

    noise(&text, PLAIN_PART_BYTES * 2 + 100);
    tap_case("plain: sizes around those of a part");
    for (size_t len = PLAIN_PART_BYTES - 1; len <= PLAIN_PART_BYTES + 1; len++)
        gives(&folder, str_slice(buf_str(&text), 0, len),
              str_slice(buf_str(&text), 0, len));
    gives(&folder, STR(""), STR(""));

    tap_case("plain: where the parts are");
    packed_write(&folder, "plain", buf_str(&text));
    CHECK(input_open(folder.last, &input, &err));
    CHECK(input_stream_open(input, 0, &options, &stream, &err));
    CHECK(input_stream_parallel(stream) && input_stream_plain(stream));
    CHECK(input_stream_size(stream) == (int64_t)text.len - 7);
    struct input_reader *reader = input_reader_open(stream);
    for (int i = 0; i < 3; i++) {
        CHECK(input_part_next(reader, &part, &more, &err) && more);
        CHECK(part.number == i && part.again);
        CHECK(part.from == 7 + (int64_t)i * PLAIN_PART_BYTES);
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
    return tap_done();
}
