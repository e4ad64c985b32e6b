/* Both forms come from the same table of fields. */
#include "dump/format.h"

#include "base/date.h"
#include "text/diff.h"
#include "text/markup.h"

static void add_json_text(struct buf *out, struct str name, struct str text)
{
    buf_add(out, STR(",\""));
    buf_add(out, name);
    buf_add(out, STR("\":\""));
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

/* A field that the source brings: as a number, true or false, a list of lines, a text. */
static void add_own(struct buf *out, const struct item_own *own, struct str value)
{
    int64_t number;
    struct str line;

    if (own->type == ITEM_LIST) {
        buf_add_format(out, ",\"%.*s\":[", STR_ARG(own->name));
        bool more = true;
        for (const char *between = ""; more; between = ",") {
            more = str_cut(&value, '\n', &line);
            buf_add(out, str_from(between));
            buf_add_char(out, '"');
            buf_add_json(out, line);
            buf_add_char(out, '"');
        }
        buf_add_char(out, ']');
    } else if (own->type == ITEM_YES_NO &&
               (str_eq(value, STR("yes")) || str_eq(value, STR("no")))) {
        buf_add_format(out, ",\"%.*s\":%s", STR_ARG(own->name),
                       str_eq(value, STR("yes")) ? "true" : "false");
    } else if (own->type == ITEM_NUMBER && str_to_int(value, &number)) {
        buf_add_format(out, ",\"%.*s\":%lld", STR_ARG(own->name), (long long)number);
    } else {
        add_json_text(out, own->name, value);
    }
    if (own->patch) {
        buf_add(out, STR(",\"changes\":"));
        text_diff_json(value, out);
    }
}

/* What the post calls itself or another, where that is not a number. */
static struct str key_of(const struct item *post, enum item_field field)
{
    return field == ITEM_FIELD_ID         ? post->key
           : field == ITEM_FIELD_PARENT   ? post->parent_key
           : field == ITEM_FIELD_ACCEPTED ? post->accepted_key
                                          : (struct str){0};
}

/* Posts of Stack Exchange have their type as its number, as in the dump. */
static bool is_named(const struct item *post)
{
    return post->kind > ITEM_PRIVILEGE_WIKI || (post->kind > 0 && post->key.len > 0);
}

void dump_format_json(const struct item *post, struct dump_format_own own,
                      struct buf *out)
{
    struct str rest = post->tags, tag;
    const char *before = "{";

    for (size_t i = 0; i < ITEM_NUMBERS; i++) {
        const struct item_field_row *field = item_field((enum item_field)i);
        int64_t value = post->numbers[i];
        if (value == ITEM_NONE || !field->shown)
            continue;
        buf_add(out, str_from(before));
        buf_add_char(out, '"');
        buf_add(out, field->name);
        buf_add(out, STR("\":"));
        before = ",";
        if (field->type == ITEM_MOMENT) {
            buf_add_char(out, '"');
            date_add(out, value);
            buf_add_char(out, '"');
        } else if (key_of(post, (enum item_field)i).len > 0) {
            buf_add_char(out, '"');
            buf_add_json(out, key_of(post, (enum item_field)i));
            buf_add_char(out, '"');
        } else if (i == ITEM_FIELD_KIND && is_named(post)) {
            buf_add_format(out, "\"%.*s\"",
                           STR_ARG(item_kind_name((enum item_kind)value)));
        } else {
            buf_add_int(out, value);
        }
    }
    if (before[0] == '{')
        buf_add(out, STR("{\"id\":null"));
    if (post->tags.len > 0) {
        buf_add(out, STR(",\"tags\":["));
        for (const char *between = ""; text_taglist_next(&rest, &tag); between = ",") {
            buf_add(out, str_from(between));
            buf_add_char(out, '"');
            buf_add_json(out, tag);
            buf_add_char(out, '"');
        }
        buf_add_char(out, ']');
    }
    if (post->title.len > 0)
        add_json_text(out, STR("title"), post->title);
    if (post->license.len > 0)
        add_json_text(out, STR("license"), post->license);
    for (size_t i = 0; i < own.count && post->extra != NULL; i++)
        if (post->extra[i].len > 0)
            add_own(out, &own.at[i], post->extra[i]);
    add_json_text(out, STR("body"), post->body);
    buf_add(out, STR("}\n"));
}

void dump_format_csv_head(struct dump_format_own own, struct buf *out)
{
    for (size_t i = 0; i < ITEM_FIELDS; i++)
        if (item_field((enum item_field)i)->shown)
            buf_add_format(out, "%s%.*s", i > 0 ? "," : "",
                           STR_ARG(item_field((enum item_field)i)->name));
    for (size_t i = 0; i < own.count; i++)
        buf_add_format(out, ",%.*s", STR_ARG(own.at[i].name));
    buf_add_char(out, '\n');
}

void dump_format_csv(const struct item *post, struct dump_format_own own, struct buf *out)
{
    for (size_t i = 0; i < ITEM_NUMBERS; i++) {
        const struct item_field_row *field = item_field((enum item_field)i);
        int64_t value = post->numbers[i];
        if (!field->shown)
            continue;
        if (value != ITEM_NONE && key_of(post, (enum item_field)i).len > 0)
            buf_add_csv(out, key_of(post, (enum item_field)i));
        else if (i == ITEM_FIELD_KIND && is_named(post))
            buf_add_csv(out, item_kind_name((enum item_kind)value));
        else if (value != ITEM_NONE && field->type == ITEM_MOMENT)
            date_add(out, value);
        else if (value != ITEM_NONE)
            buf_add_int(out, value);
        buf_add_char(out, ',');
    }
    for (size_t i = 0; i < ITEM_TEXTS; i++) {
        if (i > 0)
            buf_add_char(out, ',');
        buf_add_csv(out, post->texts[i]);
    }
    for (size_t i = 0; i < own.count; i++) {
        buf_add_char(out, ',');
        if (post->extra != NULL)
            buf_add_csv(out, post->extra[i]);
    }
    buf_add_char(out, '\n');
}
