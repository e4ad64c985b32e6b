/* Which member of a source holds which table, told by names: the dumps have used
 * Posts.xml, posts.xml, stackoverflow.com-Posts.7z and more. */
#include <stdio.h>
#include <string.h>

#include "dump/scan.h"

static const char *const names[DUMP_SCAN_TABLES] = {
    [DUMP_SCAN_POSTS] = "Posts",   [DUMP_SCAN_COMMENTS] = "Comments",
    [DUMP_SCAN_USERS] = "Users",   [DUMP_SCAN_VOTES] = "Votes",
    [DUMP_SCAN_BADGES] = "Badges", [DUMP_SCAN_POST_LINKS] = "PostLinks",
    [DUMP_SCAN_TAGS] = "Tags",     [DUMP_SCAN_POST_HISTORY] = "PostHistory",
};

const char *dump_scan_table_name(enum dump_scan_table table)
{
    return names[table];
}

/* "a/stackoverflow.com-Posts.xml.gz" is Posts, "Posts.old.xml" is not. */
static bool is_named(struct str name, const char *table)
{
    static const struct str suffixes[] = {
        {".xml", 4}, {".gz", 3},  {".bz2", 4}, {".xz", 3},
        {".zst", 4}, {".lz4", 4}, {".7z", 3},  {".zip", 4},
    };
    struct str want = str_from(table);
    size_t i = 0;

    name = str_last(name, '/');
    while (i < ROWS_OF(suffixes)) {
        struct str end = str_slice(name, name.len - suffixes[i].len, name.len);
        if (name.len > suffixes[i].len && str_eq_letters(end, suffixes[i])) {
            name.len -= suffixes[i].len;
            i = 0;
        } else {
            i++;
        }
    }
    if (name.len > want.len && name.ptr[name.len - want.len - 1] == '-')
        name = str_slice(name, name.len - want.len, name.len);
    return str_eq_letters(name, want);
}

/* Where a folder has Posts.xml and Posts.7z, it is what came out of that. */
static size_t count_named(const struct input *input, enum dump_scan_table table,
                          size_t *member)
{
    size_t found = 0, plain = 0, unpacked = 0;

    for (size_t i = 0; i < input_count(input); i++) {
        if (is_named(input_member(input, i)->name, names[table])) {
            *member = i;
            found++;
            if (strcmp(input_member(input, i)->format, "plain") == 0) {
                unpacked = i;
                plain++;
            }
        }
    }
    if (found > 1 && plain == 1) {
        *member = unpacked;
        return 1;
    }
    if (found == 0 && table == DUMP_SCAN_POSTS && input_count(input) == 1) {
        struct str name = input_member(input, 0)->name;
        bool posts =
            str_eq_letters(str_slice(name, 0, 5), STR("posts")); /* Posts.my-tags.xml */
        for (size_t t = 0; t < DUMP_SCAN_TABLES && !posts; t++)
            if (is_named(name, names[t]))
                return 0; /* it says that it is another one */
        *member = 0;
        return 1;
    }
    return found;
}

bool dump_scan_has(const struct input *input, enum dump_scan_table table, size_t *member)
{
    return count_named(input, table, member) == 1;
}

void dump_scan_left_aside(const struct input *input, enum dump_scan_table table,
                          size_t member, struct buf *out)
{
    for (size_t i = 0; i < input_count(input); i++)
        if (i != member && is_named(input_member(input, i)->name, names[table]))
            buf_add_format(out, "%s%s", out->len > 0 ? ", " : "",
                           input_member(input, i)->place);
}

static struct str folder_of(struct str path)
{
    while (path.len > 0 && path.ptr[path.len - 1] != '/')
        path.len--;
    return str_slice(path, 0, path.len > 0 ? path.len - 1 : 0);
}

bool dump_scan_find(const struct input *input, enum dump_scan_table table, size_t *member,
                    struct err *err)
{
    size_t found = count_named(input, table, member), used = 0;
    char list[600] = "";

    if (found == 1)
        return true;
    struct str path = str_from(input_member(input, 0)->path);
    bool several = false; /* files, of a folder */
    for (size_t i = 1; i < input_count(input); i++)
        several = several || !str_eq(str_from(input_member(input, i)->path), path);
    if (several)
        path = folder_of(path);
    for (size_t i = 0; i < input_count(input) && used + 100 < sizeof list; i++) {
        struct str name = input_member(input, i)->name,
                   place = str_from(input_member(input, i)->place);
        if (found > 1 && !is_named(name, names[table]))
            continue;
        if (several && str_starts(place, path))
            name = str_slice(place, path.len + 1, place.len);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s",
                                 used > 0 ? ", " : "",
                                 (int)(name.len < 80 ? name.len : 80), name.ptr);
    }
    return found == 0 ? err_set(err, ERR_INPUT, "%.*s: has no %s.xml; it has %s",
                                STR_ARG(path), names[table], list)
                      : err_set(err, ERR_INPUT, "%.*s: has more than one %s.xml: %s",
                                STR_ARG(path), names[table], list);
}
