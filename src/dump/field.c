/* Fields of items where they come as text; what there is to know about each stands in the
 * table of item/. */
#include "dump/field.h"

#include <string.h>

#include "base/date.h"
#include "base/near.h"
#include "item/key.h"

#define EPOCH_SECONDS_MAX INT64_C(100000000000) /* in the year 5138 */

enum { EPOCH_DIGITS_MIN = 9 }; /* from 1973 on; fewer may be a date */

/* The table PostTypes of the Data Explorer. */
static const struct str types[] = {
    STR_INIT("question"),
    STR_INIT("answer"),
    STR_INIT("wiki"),
    STR_INIT("tagwikiexcerpt"),
    STR_INIT("tagwiki"),
    STR_INIT("moderatornomination"),
    STR_INIT("wikiplaceholder"),
    STR_INIT("privilegewiki"),
};

bool dump_field_skip(struct dump_field_broken *broken, struct err *err)
{
    if (broken == NULL || err->kind != ERR_INPUT)
        return false;
    if (broken->count++ == 0)
        broken->first = *err;
    *err = (struct err){0};
    return true;
}

bool dump_field_cannot_skip(struct err *err, const char *what)
{
    struct err plain = *err;

    return err_set(err, plain.kind,
                   "%.800s; it cannot be skipped: nothing tells where the next %s begins",
                   plain.text, what);
}

enum item_field dump_field_nearest(struct str name)
{
    struct str names[ITEM_FIELDS];

    for (size_t i = 0; i < ITEM_FIELDS; i++)
        names[i] = item_field((enum item_field)i)->name;
    return (enum item_field)near_find(name, names, ITEM_FIELDS);
}

/* Whether name is `plain` but for case and the characters that do not matter. */
static bool same_name(struct str name, const char *plain)
{
    for (size_t i = 0; i < name.len; i++) {
        if (memchr(" _-.@", name.ptr[i], 5) != NULL)
            continue;
        if (*plain == '\0' || str_lower(name.ptr[i]) != *plain)
            return false;
        plain++;
    }
    return *plain == '\0';
}

int dump_field_rank(enum item_field field, struct str column)
{
    const char *const *spellings = item_field(field)->spellings;

    for (int i = 0; i < ITEM_SPELLINGS_MAX && spellings[i] != NULL; i++)
        if (same_name(column, spellings[i]))
            return i;
    return -1;
}

bool dump_field_is_date(enum item_field field)
{
    return item_field(field)->type == ITEM_MOMENT;
}

bool dump_field_is_text(enum item_field field)
{
    return item_field(field)->type == ITEM_TEXT || item_field(field)->type == ITEM_LIST;
}

const char *dump_field_show(struct str text, char out[DUMP_FIELD_SHOWN_MAX])
{
    size_t len = text.len, room = DUMP_FIELD_SHOWN_MAX - sizeof "'...'", at = 0;

    if (len > room)
        for (len = room; len > 0 && (text.ptr[len] & 0xC0) == 0x80;)
            len--; /* not within a character */
    out[at++] = '\'';
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        out[at++] = c < 0x20 || c == 0x7F ? ' ' : text.ptr[i];
    }
    memcpy(out + at, len < text.len ? "...'" : "'", len < text.len ? 5 : 2);
    return out;
}

static bool refuse(struct str value, const char *expected, struct err *err)
{
    char shown[DUMP_FIELD_SHOWN_MAX];

    return err_set(err, ERR_INPUT, "found %s, expected %s", dump_field_show(value, shown),
                   expected);
}

/* 12, -3, and 12.0, which is what a column of whole numbers becomes where a program
 * keeps missing ones as "not a number". */
static bool to_number(struct str value, int64_t *out)
{
    struct str whole;

    if (str_cut(&value, '.', &whole)) {
        if (value.len == 0)
            return false;
        for (size_t i = 0; i < value.len; i++)
            if (value.ptr[i] != '0')
                return false;
    }
    return str_to_int(whole, out) && *out != ITEM_NONE;
}

bool dump_field_is_number(struct str text)
{
    int64_t number;

    return to_number(str_trim(text), &number) && number >= 0 && number < ITEM_NUMBER_MAX;
}

static bool to_type(struct str value, int64_t *out)
{
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        if (same_name(value, types[i].ptr)) {
            *out = (int64_t)i + 1;
            return true;
        }
    }
    return to_number(value, out) && *out > 0;
}

/* Seconds since 1970, or, where that would be beyond the year 5138, milliseconds. */
static bool from_epoch(int64_t number, int64_t *out)
{
    const int64_t first = date_from_civil((struct date){0, 1, 1});
    const int64_t end = date_from_civil((struct date){10000, 1, 1});

    if (number < EPOCH_SECONDS_MAX && number > -EPOCH_SECONDS_MAX)
        number *= DATE_SECOND_MS;
    *out = number;
    return number >= first && number < end;
}

static bool to_moment(struct str value, int64_t *out)
{
    int64_t number;

    if (value.len >= EPOCH_DIGITS_MIN && to_number(value, &number))
        return from_epoch(number, out);
    if (str_ends(value, STR(" UTC")))
        value.len -= 4;
    return date_parse(value, out);
}

/* What programs write where there is nothing: R, pandas, MySQL and other databases. Of
 * tags and texts only what nobody would write: [null] and [nan] are tags. */
static bool is_missing(struct str value, enum item_type type)
{
    static const struct str words[] = {
        STR_INIT("NA"),  STR_INIT("N/A"), STR_INIT("NaN"),  STR_INIT("NULL"),
        STR_INIT("\\N"), STR_INIT("nan"), STR_INIT("null"), STR_INIT("None"),
    };
    size_t count = type == ITEM_TEXT || type == ITEM_LIST ? 5 : ROWS_OF(words);

    for (size_t i = 0; i < count; i++)
        if (str_eq(value, words[i]))
            return true;
    return value.len == 0;
}

static bool parts_tags(char c)
{
    return memchr("<>|,;[]'\" \t\r\n", c, 13) != NULL;
}

/* Stack Exchange's tags have small letters, digits and + - # . only; other letters are
 * there on sites in other languages, and capitals and _ in tables made by hand. */
static bool is_tag_byte(char c)
{
    return (str_lower(c) >= 'a' && str_lower(c) <= 'z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || memchr("+-#._", c, 5) != NULL;
}

/* Whether value is <a><b> already, as in most files. */
static bool tags_stand(struct str value)
{
    struct str tag;

    while (value.len > 0) {
        if (value.ptr[0] != '<' || !str_cut(&value, '>', &tag) || tag.len < 2)
            return false;
        for (size_t i = 1; i < tag.len; i++)
            if (!is_tag_byte(tag.ptr[i]))
                return false;
    }
    return true;
}

static bool to_tags(struct str value, struct arena *arena, struct str *out)
{
    if (tags_stand(value)) {
        *out = value;
        return true;
    }
    /* A tag of one letter and its separator become three bytes, "<a>". */
    char *text = arena_array(arena, char, 2 * value.len + 2);
    size_t len = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (parts_tags(value.ptr[i]))
            continue;
        text[len++] = '<';
        for (; i < value.len && !parts_tags(value.ptr[i]); i++) {
            if (!is_tag_byte(value.ptr[i]))
                return false;
            text[len++] = value.ptr[i];
        }
        text[len++] = '>';
    }
    *out = (struct str){text, len};
    return true;
}

/* What names an item has to fit into a corpus (item/key.h). */
static bool set_link(struct item *post, enum item_field field, struct str value,
                     struct err *err)
{
    int64_t number;

    if (!to_number(value, &number))
        return refuse(value, "a number", err);
    if (number <= -ITEM_NUMBER_MAX || number >= ITEM_NUMBER_MAX)
        return refuse(value, "a number below 274877906944", err);
    if (field == ITEM_FIELD_ID && number < 0)
        return refuse(value, "an id that is not negative", err);
    post->numbers[field] = number;
    return true;
}

bool dump_field_set(struct item *post, enum item_field field, struct str value,
                    struct arena *arena, struct err *err)
{
    struct str trimmed = str_trim(value);

    if (is_missing(trimmed, item_field(field)->type))
        return true;
    switch (item_field(field)->type) {
    case ITEM_NUMBER:
        return to_number(trimmed, &post->numbers[field]) ||
               refuse(value, "a number", err);
    case ITEM_LINK:
        return set_link(post, field, trimmed, err);
    case ITEM_KIND:
        return to_type(trimmed, &post->kind) ||
               refuse(value, "a type such as 1 for questions or 2 for answers", err);
    case ITEM_MOMENT:
        return to_moment(trimmed, &post->numbers[field]) ||
               refuse(value, "a date such as 2014-01-21 20:58:43", err);
    case ITEM_LIST:
        return to_tags(trimmed, arena, &post->tags) ||
               refuse(value, "tags as <a><b>, |a|b| or a, b", err);
    case ITEM_TEXT:
    case ITEM_YES_NO:
    case ITEM_ANY:
        break;
    }
    post->texts[field - ITEM_NUMBERS] = value;
    return true;
}

bool dump_field_set_epoch(struct item *post, enum item_field field, int64_t number,
                          struct err *err)
{
    return from_epoch(number, &post->numbers[field]) ||
           err_set(err, ERR_INPUT, "found %lld, expected seconds since 1970",
                   (long long)number);
}

void dump_field_settle(struct item *post)
{
    if (post->accepted == ITEM_NONE && post->accepted_ms != ITEM_NONE)
        post->accepted = 0;
    if (post->kind != ITEM_NONE)
        return;
    if (post->title.len > 0 || post->tags.len > 0)
        post->kind = ITEM_QUESTION;
    else if (post->parent != ITEM_NONE)
        post->kind = ITEM_ANSWER;
}
