/* Keys and links, out and in. */
#include "item/key.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

static const struct item_name *find_name(const struct item_spaces *spaces, int64_t id)
{
    size_t low;

    ORDER_SEEK(low, spaces != NULL ? spaces->name_count : 0, spaces->names[low].id < id);
    return spaces != NULL && low < spaces->name_count && spaces->names[low].id == id
               ? &spaces->names[low]
               : NULL;
}

void item_key_add(struct buf *out, const struct item_spaces *spaces, int64_t id)
{
    size_t space = item_space(id);
    const struct item_name *name = find_name(spaces, id);

    if (spaces != NULL && spaces->several && space < spaces->count) {
        buf_add(out, spaces->at[space].name);
        buf_add_char(out, ':');
    }
    if (name != NULL)
        buf_add(out, name->text);
    else
        buf_add_int(out, item_number(id));
}

void item_key_add_csv(struct buf *out, const struct item_spaces *spaces, int64_t id)
{
    struct buf text = {0};

    item_key_add(&text, spaces, id);
    buf_add_csv(out, buf_str(&text));
    buf_free(&text);
}

const char *item_key_show(const struct item_spaces *spaces, int64_t id,
                          char out[ITEM_KEY_SHOWN_MAX])
{
    struct buf text = {0};

    item_key_add(&text, spaces, id);
    size_t len = text.len < ITEM_KEY_SHOWN_MAX ? text.len : ITEM_KEY_SHOWN_MAX - 1;
    memcpy(out, text.ptr, len);
    out[len] = '\0';
    buf_free(&text);
    return out;
}

void item_key_add_json(struct buf *out, const struct item_spaces *spaces, int64_t id)
{
    bool plain = (spaces == NULL || !spaces->several) && find_name(spaces, id) == NULL;
    struct buf text = {0};

    item_key_add(&text, spaces, id);
    if (!plain)
        buf_add_char(out, '"');
    buf_add_json(out, buf_str(&text));
    if (!plain)
        buf_add_char(out, '"');
    buf_free(&text);
}

struct str item_key(const struct item_spaces *spaces, int64_t id, struct arena *arena)
{
    struct buf text = {0};

    item_key_add(&text, spaces, id);
    return buf_keep(&text, arena);
}

static bool is_link(struct str text)
{
    return str_starts(text, STR("https://")) || str_starts(text, STR("http://"));
}

void item_link_add(struct buf *out, const struct item_spaces *spaces, int64_t id)
{
    size_t number = item_space(id);
    const struct item_name *name = find_name(spaces, id);
    struct str repository, issue = name != NULL ? name->text : (struct str){0};

    if (name != NULL && is_link(name->text)) {
        buf_add(out, name->text);
        return;
    }
    if (spaces == NULL || number >= spaces->count || spaces->at[number].site.len == 0)
        return;
    const struct item_space *space = &spaces->at[number];
    if (name == NULL)
        buf_add_format(out, "https://%.*s%s%lld", STR_ARG(space->site),
                       space->way != NULL ? space->way : "/q/",
                       (long long)item_number(id));
    else if (str_cut(&issue, '#', &repository)) /* leads to pull requests as well */
        buf_add_format(out, "https://%.*s/%.*s/issues/%.*s", STR_ARG(space->site),
                       STR_ARG(repository), STR_ARG(issue));
}

void item_author_link_add(struct buf *out, const struct item_spaces *spaces, int64_t post,
                          int64_t user)
{
    size_t number = item_space(post);

    if (spaces == NULL || user == ITEM_NONE || number >= spaces->count)
        return;
    const struct item_space *space = &spaces->at[number];
    if (space->site.len > 0 && (space->way == NULL || strcmp(space->way, "/q/") == 0))
        buf_add_format(out, "https://%.*s/users/%lld", STR_ARG(space->site),
                       (long long)item_number(user));
}

/* "owner/name#17" from the path of a link to it, which goes on in any way. */
static struct str issue_key(struct str path, char *room, size_t size)
{
    static const struct str words[] = {STR_INIT("issues"), STR_INIT("pull"),
                                       STR_INIT("pulls"), STR_INIT("discussions")};
    struct str rest = path, owner, name, word, number;
    size_t digits = 0, w = 0;

    if (!str_cut(&rest, '/', &owner) || !str_cut(&rest, '/', &name) ||
        !str_cut(&rest, '/', &word))
        return (struct str){0};
    number = rest;
    while (digits < number.len && number.ptr[digits] >= '0' && number.ptr[digits] <= '9')
        digits++;
    while (w < ROWS_OF(words) && !str_eq(words[w], word))
        w++;
    int len = snprintf(room, size, "%.*s/%.*s#%.*s", STR_ARG(owner), STR_ARG(name),
                       (int)digits, number.ptr);
    return w < ROWS_OF(words) && digits > 0 && len > 0 && (size_t)len < size
               ? (struct str){room, (size_t)len}
               : (struct str){0};
}

/* A key whose beginning names a source, or would: what is wrong is said of that. */
static bool refuse_named(const struct item_spaces *spaces, struct str text,
                         struct err *err)
{
    struct str rest = str_trim(text), name;
    struct buf all = {0};

    if (!spaces->several || !str_cut(&rest, ':', &name) || str_starts(rest, STR("//")))
        return false;
    for (size_t i = 0; i < spaces->count; i++) {
        if (str_eq(spaces->at[i].name, name)) {
            buf_free(&all);
            err_record(err, ERR_INPUT,
                       "found '%.*s': the source '%.*s' has no item '%.*s', expected a "
                       "number or the key of one of its items",
                       STR_ARG(str_slice(text, 0, 200)), STR_ARG(name),
                       STR_ARG(str_slice(rest, 0, 200)));
            return true;
        }
        buf_add_format(&all, "%s%.*s", i > 0 ? ", " : "", STR_ARG(spaces->at[i].name));
    }
    err_record(err, ERR_INPUT, "found '%.*s': there is no source '%.*s'; there are %.*s",
               STR_ARG(str_slice(text, 0, 200)), STR_ARG(str_slice(name, 0, 100)),
               STR_ARG(str_slice(buf_str(&all), 0, 300)));
    buf_free(&all);
    return true;
}

static bool refuse(const struct item_spaces *spaces, struct str text, struct err *err)
{
    struct buf example = {0};

    if (refuse_named(spaces, text, err))
        return false;
    for (size_t i = 0; i < spaces->count && example.len == 0 && spaces->several; i++)
        buf_add_format(&example, "'%.*s:", STR_ARG(spaces->at[i].name));
    if (example.len > 0)
        err_record(
            err, ERR_INPUT,
            "found '%.*s', expected an item's key with the name of its source before "
            "it, such as %.*s12345', or a link to it",
            STR_ARG(str_slice(text, 0, 100)), STR_ARG(buf_str(&example)));
    else
        err_record(err, ERR_INPUT, "found '%.*s', expected an item's id, or a link to it",
                   STR_ARG(str_slice(text, 0, 100)));
    buf_free(&example);
    return false;
}

static int compare_texts(const void *a, const void *b)
{
    const struct item_name *x = a, *y = b;
    int order = str_compare(x->text, y->text);

    return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

const struct item_name *item_names_by_text(const struct item_name *names, size_t count,
                                           struct arena *arena)
{
    struct item_name *sorted = arena_array(arena, struct item_name, count + 1);

    if (count > 0) {
        memcpy(sorted, names, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_texts);
    }
    return sorted;
}

static size_t first_of_text(const struct item_spaces *spaces, struct str text)
{
    size_t place;

    ORDER_SEEK(place, spaces->name_count,
               str_compare(spaces->by_text[place].text, text) < 0);
    return place;
}

/* Git's hashes, which may be given short. */
enum { HASH_DIGITS = 40, HASH_DIGITS_MIN = 7 };

static bool is_hash(struct str text, size_t len_min)
{
    for (size_t i = 0; i < text.len; i++)
        if (!isxdigit((unsigned char)text.ptr[i]) || isupper((unsigned char)text.ptr[i]))
            return false;
    return text.len >= len_min && text.len <= HASH_DIGITS;
}

/* The only hash of the space that begins so. */
static bool read_hash(const struct item_spaces *spaces, size_t space, struct str text,
                      int64_t *id)
{
    size_t found = 0;

    if (!is_hash(text, HASH_DIGITS_MIN))
        return false;
    for (size_t i = first_of_text(spaces, text);
         i < spaces->name_count && str_starts(spaces->by_text[i].text, text); i++)
        if (item_space(spaces->by_text[i].id) == space &&
            is_hash(spaces->by_text[i].text, HASH_DIGITS)) {
            *id = spaces->by_text[i].id;
            found++;
        }
    return found == 1;
}

/* A key in a space: a number, or a text that is known. */
static bool read_in(const struct item_spaces *spaces, size_t space, struct str text,
                    int64_t *id)
{
    int64_t number;

    for (size_t i = first_of_text(spaces, text);
         i < spaces->name_count && str_eq(spaces->by_text[i].text, text); i++)
        if (item_space(spaces->by_text[i].id) == space) {
            *id = spaces->by_text[i].id;
            return true;
        }
    if (read_hash(spaces, space, text, id))
        return true;
    if (!str_to_int(text, &number) || number <= -ITEM_NUMBER_MAX ||
        number >= ITEM_NUMBER_MAX)
        return false;
    *id = item_id(space, number);
    return true;
}

/* The number in a link: https://stackoverflow.com/questions/11/title?tab=votes#12 is 11,
 * the first part of the path that is a number. */
static bool link_number(struct str path, struct str *number)
{
    struct str rest, part;
    int64_t ignored;

    for (bool more = true; more;) {
        more = str_cut(&path, '/', &rest);
        str_cut(&rest, '#', &part);
        rest = part;
        str_cut(&rest, '?', number);
        if (str_to_int(*number, &ignored))
            return true;
    }
    return false;
}

/* https://github.com/OWNER/NAME/commit/HASH, or .../blob/HASH/FILE: in whichever source
 * it is. A branch may be called by hexadecimal digits, so only whole hashes of files
 * count. */
static bool read_commit_link(const struct item_spaces *spaces, struct str rest,
                             int64_t *id)
{
    struct str part, hash = {0};

    while (str_cut(&rest, '/', &part)) {
        bool file = str_eq(part, STR("blob")) || str_eq(part, STR("tree"));
        if (file || str_eq(part, STR("commit")) || str_eq(part, STR("commits"))) {
            hash = (struct str){0};
            for (size_t i = 0; i < rest.len && isxdigit((unsigned char)rest.ptr[i]); i++)
                hash = str_slice(rest, 0, i + 1);
            for (size_t i = 0; i < spaces->count && (!file || hash.len == 40); i++)
                if (spaces->at[i].space == i && read_hash(spaces, i, hash, id))
                    return true;
        }
    }
    return false;
}

static bool read_link(const struct item_spaces *spaces, struct str text, int64_t *id)
{
    struct str rest = text, host, number;
    char room[200];

    if (read_commit_link(spaces, text, id))
        return true;

    if (is_link(rest)) {
        str_cut(&rest, '/', &host);
        str_cut(&rest, '/', &host);
        str_cut(&rest, '/', &host);
    } else {
        host = (struct str){0};
    }
    if (str_starts(host, STR("www.")))
        host = str_slice(host, 4, host.len);
    struct str issue = issue_key(rest, room, sizeof room);
    for (size_t i = 0; issue.len > 0 && spaces->texts && i < spaces->count; i++)
        if (read_in(spaces, spaces->at[i].space, issue, id))
            return true;
    if (!link_number(rest, &number))
        return false;
    for (size_t i = 0; i < spaces->count; i++)
        if (!spaces->several || (host.len > 0 && str_eq(spaces->at[i].site, host)))
            return read_in(spaces, spaces->at[i].space, number, id);
    return spaces->count == 0 && read_in(spaces, 0, number, id);
}

bool item_key_read(const struct item_spaces *spaces, struct str text, int64_t *id,
                   struct err *err)
{
    static const struct item_spaces plain;
    struct str trimmed = str_trim(text), rest = trimmed, name;

    if (spaces == NULL)
        spaces = &plain;
    if (!spaces->several && read_in(spaces, 0, trimmed, id))
        return true;
    /* Several sources may share a space; each of their names will do. */
    if (str_cut(&rest, ':', &name) && !str_starts(rest, STR("//")))
        for (size_t i = 0; i < spaces->count; i++)
            if (str_eq(spaces->at[i].name, name) &&
                read_in(spaces, spaces->at[i].space, rest, id))
                return true;
    /* A link that is itself what its source calls the item. */
    size_t known = first_of_text(spaces, trimmed);
    if (is_link(trimmed) && known < spaces->name_count &&
        str_eq(spaces->by_text[known].text, trimmed)) {
        *id = spaces->by_text[known].id;
        return true;
    }
    return read_link(spaces, trimmed, id) || refuse(spaces, text, err);
}

bool item_key_possible(const struct item_spaces *spaces, struct str text)
{
    struct str rest = str_trim(text), name;

    if (spaces == NULL || !spaces->texts || !spaces->several)
        return spaces != NULL && spaces->texts && rest.len > 0;
    if (str_starts(rest, STR("http://")) || str_starts(rest, STR("https://")))
        return true;
    if (!str_cut(&rest, ':', &name) || rest.len == 0)
        return false;
    for (size_t i = 0; i < spaces->count; i++)
        if (str_eq(spaces->at[i].name, name))
            return true;
    return false;
}

/* The space of the other study that holds the same items; its count: none does. */
static size_t same_space(const struct item_spaces *spaces, size_t space,
                         const struct item_spaces *other)
{
    if (!spaces->several && !other->several) {
        struct str here = spaces->count > 0 ? spaces->at[0].site : (struct str){0};
        struct str there = other->count > 0 ? other->at[0].site : (struct str){0};
        return here.len == 0 || there.len == 0 || str_eq(here, there) ? 0 : other->count;
    }
    for (size_t i = 0; space < spaces->count && i < other->count; i++) {
        struct str site = spaces->at[space].site;
        if (site.len > 0 ? str_eq(other->at[i].site, site)
                         : str_eq(other->at[i].name, spaces->at[space].name))
            return other->at[i].space;
    }
    return other->count;
}

int64_t item_key_elsewhere(const struct item_spaces *spaces, int64_t id,
                           const struct item_spaces *other)
{
    size_t space = same_space(spaces, item_space(id), other);
    const struct item_name *name = find_name(spaces, id);
    int64_t found;

    if (space == other->count && other->count > 0)
        return ITEM_NONE;
    if (name == NULL)
        return item_id(space, item_number(id));
    return read_in(other, space, name->text, &found) && find_name(other, found) != NULL
               ? found
               : ITEM_NONE;
}
