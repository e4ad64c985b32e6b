/* What a path is, told by its first bytes, and which members it has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "input/internal.h"

struct input {
    struct arena arena;
    LIST(struct input_raw *) raws; /* all that are open */
    struct input_member_list list;
};

static const struct {
    const char *bytes;
    size_t len;
    enum input_format format;
    const char *name;
} signatures[] = {
    {"\x1F\x8B", 2, INPUT_GZIP, "gzip"},
    {"BZh", 3, INPUT_BZIP2, "bzip2"},
    {"\xFD"
     "7zXZ\x00",
     6, INPUT_XZ, "xz"},
    {"\x28\xB5\x2F\xFD", 4, INPUT_ZSTD, "zstd"},
    {"7z\xBC\xAF\x27\x1C", 6, INPUT_SEVEN_ZIP, "7z"},
    {"PK\x03\x04", 4, INPUT_ZIP, "zip"},
};

static enum input_format recognise(struct str first, const char **name)
{
    *name = "plain";
    for (size_t i = 0; i < ROWS_OF(signatures); i++) {
        if (str_starts(first, (struct str){signatures[i].bytes, signatures[i].len})) {
            *name = signatures[i].name;
            return signatures[i].format;
        }
    }
    /* A zstd file may begin with a frame to be skipped: one of 16 numbers. */
    if (first.len >= 4 && (first.ptr[0] & 0xF0) == 0x50 &&
        memcmp(first.ptr + 1, "\x2A\x4D\x18", 3) == 0) {
        *name = "zstd";
        return INPUT_ZSTD;
    }
    return INPUT_PLAIN;
}

struct input_member_packed *input_members_add(struct input_member_list *list,
                                              struct input_raw *raw, struct str name)
{
    struct input_member_packed *member =
        arena_array(list->arena, struct input_member_packed, 1);

    member->raw = raw;
    member->shown.name = arena_copy(list->arena, name);
    member->shown.path = raw->name;
    member->shown.file_size = raw->size;
    member->shown.modified_ms = raw->modified_ms;
    member->shown.place =
        file_join(raw->name, arena_c_string(list->arena, name), list->arena);
    list_add(&list->members, member);
    return member;
}

static struct str last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return str_from(slash != NULL ? slash + 1 : path);
}

/* A file of its own: plain, or packed. */
static void add_file(struct input *input, struct input_raw *raw, enum input_format format,
                     const char *format_name)
{
    struct input_member_packed *member =
        input_members_add(&input->list, raw, last_name(raw->name));

    member->shown.place = raw->name;
    member->shown.format = format_name;
    member->shown.size = format == INPUT_PLAIN ? raw->size : -1;
    member->layout = (struct input_layout){
        .format = format,
        .to = raw->size,
        .size = member->shown.size,
        .folder_size = member->shown.size,
    };
}

static bool open_file(struct input *input, const char *path, struct err *err)
{
    struct input_raw *raw = arena_array(&input->arena, struct input_raw, 1);
    char first[8];
    const char *name;
    size_t got;

    if (!input_raw_open(raw, path, &input->arena, err))
        return false;
    list_add(&input->raws, raw);
    if (!input_raw_peek(raw, first, sizeof first, &got, err))
        return false;
    enum input_format format = recognise((struct str){first, got}, &name);
    if (format != INPUT_SEVEN_ZIP && format != INPUT_ZIP) {
        add_file(input, raw, format, name);
        return true;
    }
    /* What an archive holds is told at its end. */
    if (!raw->seekable && !input_raw_spool(raw, &input->arena, err))
        return false;
    if (format == INPUT_ZIP)
        return input_archive_list(raw, &input->list, err);
    size_t before = input_count(input);
    if (!input_seven_list(raw, &input->list, err))
        return false;
    for (size_t i = before; i < input_count(input); i++)
        input_source(input, i)->layout.index = i - before;
    return true;
}

/* One file of a folder cannot be read: that matters only to who wants to. */
static void add_refused(struct input *input, const char *path, const struct err *err)
{
    struct input_raw *none = arena_array(&input->arena, struct input_raw, 1);
    struct err *kept = arena_array(&input->arena, struct err, 1);

    *none = (struct input_raw){.name = path, .descriptor = -1, .size = -1};
    *kept = *err;
    add_file(input, none, INPUT_PLAIN, "unreadable");
    input_source(input, input_count(input) - 1)->refusal = kept;
}

/* Regular files that are not hidden, by name. */
static bool open_folder(struct input *input, const char *path, struct err *err)
{
    const char *const *names;
    struct stat status;
    size_t count;

    if (!file_list(path, &input->arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = file_join(path, names[i], &input->arena);
        if (stat(name, &status) == 0 && S_ISREG(status.st_mode) &&
            !open_file(input, name, err))
            add_refused(input, name, err);
    }
    return true;
}

bool input_open(const char *path, struct input **out, struct err *err)
{
    struct arena arena = {0};
    struct input *input = arena_array(&arena, struct input, 1);
    struct stat status;

    input->arena = arena;
    input->list.arena = &input->arena;
    bool folder =
        strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    bool ok = folder ? open_folder(input, path, err) : open_file(input, path, err);
    if (ok && input_count(input) == 0)
        ok = err_set(err, ERR_INPUT, "%s: %s", path,
                     folder ? "is a folder without files"
                            : "is an archive without members");
    if (!ok) {
        input_close(input);
        return false;
    }
    *out = input;
    return true;
}

void input_close(struct input *input)
{
    if (input == NULL)
        return;
    for (size_t i = 0; i < input->raws.count; i++)
        input_raw_close(input->raws.at[i]);
    list_free(&input->raws);
    list_free(&input->list.members);
    struct arena arena = input->arena; /* it holds *input itself */
    arena_free(&arena);
}

size_t input_count(const struct input *input)
{
    return input->list.members.count;
}

struct input_member_packed *input_source(struct input *input, size_t index)
{
    return input->list.members.at[index];
}

const struct input_member *input_member(const struct input *input, size_t index)
{
    return &input->list.members.at[index]->shown;
}
