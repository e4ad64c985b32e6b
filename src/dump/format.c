/* Both forms come from the same table of fields. */
#include "dump/format.h"

#include <stddef.h>

#include "base/compiler.h"
#include "base/date.h"
#include "text/markup.h"

static const struct field {
    const char *name;
    size_t offset; /* in struct post */
    bool moment;
} fields[] = {
    {"id", offsetof(struct post, id), false},
    {"type", offsetof(struct post, type), false},
    {"parent", offsetof(struct post, parent), false},
    {"accepted", offsetof(struct post, accepted), false},
    {"created", offsetof(struct post, created_ms), true},
    {"closed", offsetof(struct post, closed_ms), true},
    {"score", offsetof(struct post, score), false},
    {"views", offsetof(struct post, views), false},
    {"answers", offsetof(struct post, answers), false},
    {"comments", offsetof(struct post, comments), false},
    {"favorites", offsetof(struct post, favorites), false},
    {"owner", offsetof(struct post, owner), false},
};

static int64_t value_of(const struct post *post, const struct field *field)
{
    return *(const int64_t *)(const void *)((const char *)post + field->offset);
}

static void add_json_text(struct buf *out, const char *name, struct str text)
{
    buf_add(out, STR(",\""));
    buf_add(out, str_from(name));
    buf_add(out, STR("\":\""));
    buf_add_json(out, text);
    buf_add_char(out, '"');
}

void format_json(const struct post *post, struct buf *out)
{
    struct str rest = post->tags, tag;
    const char *before = "{";

    for (size_t i = 0; i < ROWS_OF(fields); i++) {
        int64_t value = value_of(post, &fields[i]);
        if (value == POST_NONE)
            continue;
        buf_add(out, str_from(before));
        buf_add_char(out, '"');
        buf_add(out, str_from(fields[i].name));
        buf_add(out, STR("\":"));
        before = ",";
        if (fields[i].moment) {
            buf_add_char(out, '"');
            date_add(out, value);
            buf_add_char(out, '"');
        } else {
            buf_add_int(out, value);
        }
    }
    if (before[0] == '{')
        buf_add(out, STR("{\"id\":null"));
    if (post->tags.len > 0) {
        buf_add(out, STR(",\"tags\":["));
        for (const char *between = ""; taglist_next(&rest, &tag); between = ",") {
            buf_add(out, str_from(between));
            buf_add_char(out, '"');
            buf_add_json(out, tag);
            buf_add_char(out, '"');
        }
        buf_add_char(out, ']');
    }
    if (post->title.len > 0)
        add_json_text(out, "title", post->title);
    if (post->license.len > 0)
        add_json_text(out, "license", post->license);
    add_json_text(out, "body", post->body);
    buf_add(out, STR("}\n"));
}

void format_csv_head(struct buf *out)
{
    for (size_t i = 0; i < ROWS_OF(fields); i++)
        buf_add_format(out, "%s,", fields[i].name);
    buf_add(out, STR("tags,title,license,body\n"));
}

void format_csv(const struct post *post, struct buf *out)
{
    for (size_t i = 0; i < ROWS_OF(fields); i++) {
        int64_t value = value_of(post, &fields[i]);
        if (value != POST_NONE && fields[i].moment)
            date_add(out, value);
        else if (value != POST_NONE)
            buf_add_int(out, value);
        buf_add_char(out, ',');
    }
    buf_add_csv(out, post->tags);
    buf_add_char(out, ',');
    buf_add_csv(out, post->title);
    buf_add_char(out, ',');
    buf_add_csv(out, post->license);
    buf_add_char(out, ',');
    buf_add_csv(out, post->body);
    buf_add_char(out, '\n');
}
