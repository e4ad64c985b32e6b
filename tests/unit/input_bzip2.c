/* bzip2 from its beginning: a pipe, and members that share a folder of a 7z archive. */
#include <fcntl.h>

#include "tests/unit/said.h"

/* The bytes through standard input as a pipe. */
static bool through_pipe(struct packed_folder *folder, struct str bytes, struct buf *out,
                         struct err *err)
{
    char command[400];
    int saved = dup(STDIN_FILENO);

    packed_write(folder, "pipe", bytes);
    snprintf(command, sizeof command, "cat '%s'", folder->last);
    FILE *pipe = popen(command, "r");
    CHECK(pipe != NULL && dup2(fileno(pipe), STDIN_FILENO) == STDIN_FILENO);
    bool ok = reading_member("-", 0, 0, 2, 50000, out, err);
    dup2(saved, STDIN_FILENO);
    close(saved);
    pclose(pipe);
    return ok;
}

int main(void)
{
    struct packed_folder folder = packed_folder();
    struct buf text = {0}, packed = {0}, out = {0};
    struct err err = {0};

    noise(&text, 700000);
    packed_bzip2(buf_str(&text), 1, &packed);
    size_t one = packed.len;
    tap_case("bzip2: a pipe");
    CHECK(through_pipe(&folder, buf_str(&packed), &out, &err));
    CHECK(str_eq(buf_str(&out), buf_str(&text)));
    tap_case("bzip2: a pipe with two streams");
    packed_bzip2(STR("more"), 9, &packed);
    buf_add(&text, STR("more"));
    CHECK(through_pipe(&folder, buf_str(&packed), &out, &err));
    CHECK(str_eq(buf_str(&out), buf_str(&text)));
    tap_case("bzip2: a pipe that is cut");
    CHECK(!through_pipe(&folder, str_slice(buf_str(&packed), 0, one - 100), &out, &err));
    CHECK_TEXT(err.text, "standard input: is cut: the bzip2 data end in the middle");
    tap_case("bzip2: a pipe with a changed byte");
    packed.ptr[one / 2] ^= 4;
    CHECK(!through_pipe(&folder, buf_str(&packed), &out, &err));
    CHECK_TEXT(err.text,
               "standard input: is damaged: its bzip2 data do not fit their checksum");
    packed.ptr[one / 2] ^= 4;
    tap_case("bzip2: a pipe with other bytes behind");
    buf_add(&packed, STR("x"));
    CHECK(!through_pipe(&folder, buf_str(&packed), &out, &err));
    CHECK(strstr(err.text, "is bzip2 followed by other bytes (0x78)") != NULL);

    tap_case("bzip2: members that share a folder");
    struct packed_member members[] = {
        {"a", STR("first")}, {"b", buf_str(&text)}, {"c", STR("third")}};
    buf_clear(&packed);
    packed_seven(PACKED_BZIP2, 0, members, 3, &packed);
    packed_write(&folder, "solid", buf_str(&packed));
    for (size_t i = 0; i < 3; i++) {
        CHECK(reading_member(folder.last, i, 0, 2, 50000, &out, &err));
        CHECK(str_eq(buf_str(&out), members[i].bytes));
    }
    CHECK(reading_member(folder.last, 1, 600000, 2, 50000, &out, &err));
    CHECK(str_eq(buf_str(&out), str_slice(buf_str(&text), 600000, text.len)));
    buf_free(&text);
    buf_free(&packed);
    buf_free(&out);
    packed_clean(&folder);
    return tap_done();
}
