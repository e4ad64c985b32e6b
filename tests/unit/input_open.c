/* What a path is, told by its bytes; what it has; and what is said when it cannot be
 * read. */
#include <sys/stat.h>

#include "tests/tap.h"
#include "tests/unit/packed.h"
#include "tests/unit/reading.h"

static const struct {
    const char *name;
    struct str first;
    const char *format;
} kinds[] = {
    {"text", {"<posts/>", 8}, "plain"},
    {"nothing", {"", 0}, "plain"},
    {"gzip", {"\x1F\x8B\x08\x00", 4}, "gzip"},
    {"bzip2", {"BZh91AY", 7}, "bzip2"},
    {"xz",
     {"\xFD"
      "7zXZ\0\0",
      7},
     "xz"},
    {"zstd", {"\x28\xB5\x2F\xFD\x04", 5}, "zstd"},
    {"zstd, first frame to be skipped", {"\x5A\x2A\x4D\x18\x00\x00\x00\x00", 8}, "zstd"},
    {"lz4", {"\x04\x22\x4D\x18\x60", 5}, "lz4"},
    {"almost gzip", {"\x1F", 1}, "plain"},
};

static void check_kinds(struct packed_folder *folder)
{
    struct input *input;
    struct err err;

    for (size_t i = 0; i < ROWS(kinds); i++) {
        tap_case("open: %s, whatever it is called", kinds[i].name);
        const char *path = packed_write(folder, "Posts.7z", kinds[i].first);
        if (!CHECK(input_open(path, &input, &err)))
            continue;
        const struct input_member *member = input_member(input, 0);
        CHECK(input_count(input) == 1);
        CHECK(str_eq(member->name, STR("Posts.7z")));
        CHECK_TEXT(member->format, kinds[i].format);
        CHECK_TEXT(member->place, path);
        CHECK_TEXT(member->path, path);
        CHECK(member->file_size == (int64_t)kinds[i].first.len &&
              member->modified_ms > 0);
        bool plain = strcmp(kinds[i].format, "plain") == 0;
        CHECK(member->size == (plain ? member->file_size : -1));
        input_close(input);
    }
}

static void check_refused(const char *path, enum err_kind kind, const char *text)
{
    struct input *input;
    struct err err = {0};
    char want[1000];

    snprintf(want, sizeof want, text, path);
    CHECK(!input_open(path, &input, &err));
    CHECK(err.kind == kind);
    CHECK_TEXT(err.text, want);
}

static void check_refusals(struct packed_folder *folder)
{
    char path[300];

    tap_case("open: not there");
    snprintf(path, sizeof path, "%s/absent", folder->path);
    check_refused(path, ERR_SYSTEM, "cannot read %s: No such file or directory");
    tap_case("open: not allowed");
    packed_write(folder, "secret", STR("<a/>"));
    if (geteuid() == 0) {
        tap_skip("the superuser may read everything");
    } else {
        chmod(folder->last, 0);
        check_refused(folder->last, ERR_SYSTEM, "cannot read %s: Permission denied");
        chmod(folder->last, 0600);
    }
    remove(folder->last);
    tap_case("open: a 7z archive that is cut");
    packed_write(folder, "broken", STR("7z\xBC\xAF\x27\x1C\x00\x04..."));
    check_refused(folder->last, ERR_INPUT,
                  "%s: is cut: a 7z archive has at least 32 bytes");
    tap_case("open: a zip archive that is cut");
    packed_write(folder, "broken", STR("PK\x03\x04..."));
    struct input *input;
    struct err err = {0};
    CHECK(!input_open(folder->last, &input, &err) && err.kind == ERR_INPUT);
    CHECK(strstr(err.text, ": is cut or damaged: libarchive says: ") != NULL);
    remove(folder->last);
    tap_case("open: an archive without members");
    packed_write(folder, "empty",
                 STR("7z\xBC\xAF\x27\x1C\x00\x04\x8D\x9B\xD5\x0F"
                     "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"));
    check_refused(folder->last, ERR_INPUT, "%s: is an archive without members");
    remove(folder->last);
}

static void check_folder(void)
{
    struct packed_folder folder = packed_folder();
    struct packed_member members[] = {{"Badges.xml", STR("<badges/>")},
                                      {"Users.xml", STR("<users/>")}};
    struct input *input;
    struct buf bytes = {0};
    struct err err = {0};
    static const char *const names[] = {"Badges.xml", "Users.xml", "Posts.xml", "zz.7z"};

    tap_case("open: a folder without files");
    check_refused(folder.path, ERR_INPUT, "%s: is a folder without files");
    tap_case("open: a folder, with an archive and a broken one");
    packed_write(&folder, ".hidden", STR("x"));
    packed_write(&folder, "Posts.xml", STR("<posts/>"));
    packed_seven(PACKED_COPY, 0, members, 2, &bytes);
    packed_write(&folder, "ABC.7z", buf_str(&bytes));
    packed_write(&folder, "zz.7z", STR("7z\xBC\xAF\x27\x1C"));
    if (CHECK(input_open(folder.path, &input, &err))) {
        CHECK(input_count(input) == ROWS(names));
        for (size_t i = 0; i < input_count(input) && i < ROWS(names); i++)
            CHECK(str_eq(input_member(input, i)->name, str_from(names[i])));
        CHECK(strstr(input_member(input, 0)->place, "/ABC.7z/Badges.xml") != NULL);
        CHECK(strstr(input_member(input, 0)->path, "/ABC.7z") != NULL);
        CHECK(input_member(input, 1)->size == 8);
        input_close(input);
    }
    CHECK(reading_member(folder.path, 1, 0, 1, 100, &bytes, &err));
    CHECK(str_eq(buf_str(&bytes), STR("<users/>")));
    CHECK(reading_member(folder.path, 2, 0, 1, 100, &bytes, &err));
    CHECK(str_eq(buf_str(&bytes), STR("<posts/>")));
    CHECK(!reading_member(folder.path, 3, 0, 1, 100, &bytes, &err));
    CHECK(err.kind == ERR_INPUT && strstr(err.text, "zz.7z: is cut: a 7z") != NULL);
    buf_free(&bytes);
    packed_clean(&folder);
}

/* An archive in volumes, cut at every place, by its first one and in a folder. */
static void check_volumes(void)
{
    struct packed_member members[] = {{"Badges.xml", STR("<badges/>")},
                                      {"Users.xml", STR("<users/>")}};
    struct buf bytes = {0}, out = {0};
    struct err err = {0};

    packed_seven(PACKED_COPY, 0, members, 2, &bytes);
    for (size_t cut = 6; cut + 20 < bytes.len; cut += 7) {
        struct packed_folder folder = packed_folder();
        struct str whole = buf_str(&bytes);
        packed_write(&folder, "D.7z.002", str_slice(whole, cut, cut + 13));
        packed_write(&folder, "D.7z.003", str_slice(whole, cut + 13, whole.len));
        const char *path = packed_write(&folder, "D.7z.001", str_slice(whole, 0, cut));
        tap_case("volumes: cut at %zu", cut);
        CHECK(reading_member(path, 1, 0, 1, 100, &out, &err));
        CHECK(str_eq(buf_str(&out), STR("<users/>")));
        CHECK(reading_member(folder.path, 1, 0, 1, 100, &out, &err));
        CHECK(str_eq(buf_str(&out), STR("<users/>")));
        CHECK(!reading_member(folder.path, 2, 0, 1, 100, &out, &err));
        packed_clean(&folder);
    }
    buf_free(&bytes);
    buf_free(&out);
}

/* Standard input as a file and as a pipe, for the rest of the program. */
static void check_standard_input(struct packed_folder *folder)
{
    struct buf packed = {0}, out = {0};
    struct packed_member member = {"Posts.xml", STR("<posts/>")};
    struct err err;
    int ends[2];

    packed_gzip(STR("<posts/>"), &packed);
    tap_case("open: standard input is a file");
    CHECK(freopen(packed_write(folder, "packed", buf_str(&packed)), "rb", stdin) != NULL);
    for (int round = 0; round < 2; round++) {
        CHECK(reading_member("-", 0, 0, 1, 100, &out, &err));
        CHECK(str_eq(buf_str(&out), STR("<posts/>")));
    }
    tap_case("open: standard input is a pipe");
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], packed.ptr, packed.len) == (ssize_t)packed.len);
    close(ends[1]);
    CHECK(dup2(ends[0], 0) == 0);
    close(ends[0]);
    CHECK(reading_member("-", 0, 0, 1, 100, &out, &err));
    CHECK(str_eq(buf_str(&out), STR("<posts/>")));
    tap_case("open: an archive from a pipe");
    buf_clear(&packed);
    packed_seven(PACKED_COPY, 0, &member, 1, &packed);
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], packed.ptr, packed.len) == (ssize_t)packed.len);
    close(ends[1]);
    CHECK(dup2(ends[0], 0) == 0);
    close(ends[0]);
    CHECK(reading_member("-", 0, 0, 1, 100, &out, &err));
    CHECK_TEXT(err.text, "");
    CHECK(str_eq(buf_str(&out), STR("<posts/>")));
    buf_free(&packed);
    buf_free(&out);
}

int main(void)
{
    struct packed_folder folder = packed_folder();

    check_kinds(&folder);
    check_refusals(&folder);
    check_folder();
    check_volumes();
    check_standard_input(&folder);
    packed_clean(&folder);
    return tap_done();
}
