/* What a path is, told by its first bytes, and which members it has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/file.h"
#include "input/internal.h"

enum { FEW_FILES = 200, FIRST_BYTES = 512, TAR_MAGIC_AT = 257, FOLDERS_SHOWN_MAX = 10 };

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
    {"\x04\x22\x4D\x18", 4, INPUT_LZ4, "lz4"},
    {"7z\xBC\xAF\x27\x1C", 6, INPUT_SEVEN_ZIP, "7z"},
    {"PK\x03\x04", 4, INPUT_ZIP, "zip"},
};

/* What people also have at hand, with what makes it readable. */
static const struct {
    const char *bytes, *name, *advice;
} foreign[] = {
    {"PAR1", "Parquet",
     "DuckDB makes a csv of it: duckdb -c \"COPY (SELECT * FROM '%s') TO 'posts.csv'\""},
    {"SQLite format 3", "a database of SQLite",
     "sqlite3 makes a csv of a table: sqlite3 -csv -header '%s' 'SELECT * FROM posts'"},
    {"\x02\x21\x4C\x18", "lz4 in its legacy format", "unpack it first: lz4 -d '%s'"},
    {"Rar!", "a rar", "unpack it first: unrar x '%s'"},
};

static bool refuse_foreign(struct str first, const char *path, struct err *err)
{
    for (size_t i = 0; i < ROWS_OF(foreign); i++) {
        struct buf text = {0};
        const char *advice = foreign[i].advice;
        if (!str_starts(first, str_from(foreign[i].bytes)))
            continue;
        struct str before, after = str_from(advice);
        str_cut(&after, '%', &before);
        buf_add(&text, before);
        buf_add(&text, str_from(path));
        buf_add(&text, str_slice(after, 1, after.len));
        err_set(err, ERR_INPUT, "%s: is %s, which is not read; %.*s", path,
                foreign[i].name, STR_ARG(buf_str(&text)));
        buf_free(&text);
        return false;
    }
    return true;
}

/* A tar says so behind the fields of its first member; a packed one by its name. */
static bool is_tar(struct str first, struct str name)
{
    static const struct str ends[] = {
        STR_INIT(".tar"),    STR_INIT(".tar.gz"),  STR_INIT(".tgz"),
        STR_INIT(".txz"),    STR_INIT(".tar.bz2"), STR_INIT(".tbz2"),
        STR_INIT(".tar.xz"), STR_INIT(".tar.zst"), STR_INIT(".tar.lz4"),
    };

    for (size_t i = 0; i < ROWS_OF(ends); i++)
        if (str_ends(name, ends[i]))
            return true;
    return first.len >= TAR_MAGIC_AT + 5 &&
           memcmp(first.ptr + TAR_MAGIC_AT, "ustar", 5) == 0;
}

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

/* A file of its own: plain, or packed. */
static void add_file(struct input *input, struct input_raw *raw, enum input_format format,
                     const char *format_name)
{
    struct input_member_packed *member =
        input_members_add(&input->list, raw, str_last(str_from(raw->name), '/'));

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
    char first[FIRST_BYTES];
    const char *name;
    size_t got;

    if (!input_raw_open(raw, path, &input->arena, err))
        return false;
    list_add(&input->raws, raw);
    if (!input_raw_peek(raw, first, sizeof first, &got, err))
        return false;
    struct str begin = {first, got};
    enum input_format format = recognise(begin, &name);
    if (!refuse_foreign(begin, path, err))
        return false;
    if (format != INPUT_SEVEN_ZIP && format != INPUT_ZIP && is_tar(begin, str_from(path)))
        format = INPUT_TAR;
    if (format != INPUT_SEVEN_ZIP && format != INPUT_ZIP && format != INPUT_TAR) {
        add_file(input, raw, format, name);
        return true;
    }
    if (raw->seekable && str_ends(str_from(path), STR(".001")) &&
        !input_raw_add_volumes(raw, &input->arena, err))
        return false;
    /* What an archive holds is told at its end. */
    if (!raw->seekable && !input_raw_spool(raw, &input->arena, err))
        return false;
    if (format != INPUT_SEVEN_ZIP)
        return input_archive_list(raw, format, &input->list, err);
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

/* Posts.7z.002 behind Posts.7z.001 is a part of that: names are sorted. */
static bool is_further_volume(struct str name, struct str first)
{
    bool digits = name.len > 4 && name.len == first.len;

    for (size_t d = 1; digits && d <= 3; d++)
        digits = name.ptr[name.len - d] >= '0' && name.ptr[name.len - d] <= '9';
    return digits && str_ends(first, STR(".001")) &&
           str_eq(str_slice(name, 0, name.len - 3), str_slice(first, 0, first.len - 3));
}

/* A folder of saved json may hold thousands of files, which stay open. */
static void allow_many_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Regular files that are not hidden, by name. */
static bool open_folder(struct input *input, const char *path, struct err *err)
{
    struct str whole = {0}; /* the last file that is none of another's volumes */
    const char *const *names;
    struct stat status;
    size_t count;

    if (!file_list(path, &input->arena, &names, &count, err))
        return false;
    if (count > FEW_FILES)
        allow_many_files();
    for (size_t i = 0; i < count; i++) {
        const char *name = file_join(path, names[i], &input->arena);
        if (stat(name, &status) != 0 || !S_ISREG(status.st_mode) ||
            is_further_volume(str_from(name), whole))
            continue;
        struct err refusal = {0}; /* of this file, not of the folder */
        whole = str_from(name);
        if (!open_file(input, name, &refusal))
            add_refused(input, name, &refusal);
    }
    return true;
}

/* A folder of dumps: which there are is told. */
static bool refuse_empty(const char *path, struct arena *arena, struct err *err)
{
    const char *const *names;
    struct buf list = {0};
    struct stat status;
    size_t count, folders = 0;

    if (!file_list(path, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (stat(file_join(path, names[i], arena), &status) == 0 &&
            S_ISDIR(status.st_mode) && ++folders <= FOLDERS_SHOWN_MAX)
            buf_add_format(&list, "%s%s",
                           folders > 1 ? ", " : "; give one of its folders: ", names[i]);
    err_set(err, ERR_INPUT, "%s: is a folder without files%.*s%s", path,
            STR_ARG(buf_str(&list)), folders > FOLDERS_SHOWN_MAX ? ", ..." : "");
    buf_free(&list);
    return false;
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
        ok = folder ? refuse_empty(path, &input->arena, err)
                    : err_set(err, ERR_INPUT, "%s: is an archive without members", path);
    for (size_t i = 0; ok && !folder && i < input_count(input); i++)
        if (str_eq(input_member(input, i)->name, STR("xl/workbook.xml")))
            ok = err_set(err, ERR_INPUT,
                         "%s: is an Excel workbook (.xlsx); save its sheet as csv", path);
    if (!ok) {
        input_close(input);
        return false;
    }
    *out = input;
    return true;
}

static bool is_xml(struct str begin)
{
    struct str mark = STR("\xEF\xBB\xBF");

    begin =
        str_trim(str_starts(begin, mark) ? str_slice(begin, mark.len, begin.len) : begin);
    return begin.len == 0 || begin.ptr[0] == '<';
}

bool input_keep(struct input *input, struct err *err)
{
    struct input_member_packed *member = input_source(input, 0);
    struct input_raw *raw = member->raw;
    char first[FIRST_BYTES];
    size_t got;

    if (raw->seekable || member->layout.format != INPUT_PLAIN)
        return true;
    if (!input_raw_peek(raw, first, sizeof first, &got, err))
        return false;
    if (is_xml((struct str){first, got}))
        return true;
    if (!input_raw_spool(raw, &input->arena, err))
        return false;
    member->shown.file_size = member->shown.size = raw->size;
    member->layout.to = member->layout.size = member->layout.folder_size = raw->size;
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
