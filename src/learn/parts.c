/* Html through text/html.h; Markdown line by line. */
#include "learn/parts.h"

const char *const parts_names[PARTS_COUNT] = {"title", "prose", "code", "inline-code",
                                              "tags"};

void parts_splitter_free(struct parts_splitter *splitter)
{
    html_parts_free(&splitter->html);
    buf_free(&splitter->prose);
    buf_free(&splitter->code);
    buf_free(&splitter->inline_code);
}

static bool is_html(struct str body)
{
    static const struct str signs[] = {STR_INIT("<p>"), STR_INIT("<pre"),
                                       STR_INIT("<code>")};

    for (const char *at = body.ptr, *end = at + body.len;
         at != end && (at = memchr(at, '<', (size_t)(end - at))) != NULL; at++)
        for (size_t i = 0; i < ROWS_OF(signs); i++)
            if (str_starts((struct str){at, (size_t)(end - at)}, signs[i]))
                return true;
    return false;
}

static bool is_fence(struct str line)
{
    line = str_trim(line);
    return str_starts(line, STR("```")) || str_starts(line, STR("~~~"));
}

/* Backticks come in pairs on a line; one without a partner is a character like others. */
static void add_inline(struct str line, struct buf *out)
{
    struct str before, code;

    while (str_cut(&line, '`', &before) && str_cut(&line, '`', &code)) {
        buf_add(out, code);
        buf_add_char(out, '\n');
    }
}

static void split_markdown(struct str body, struct parts_splitter *splitter)
{
    struct str line;
    bool code = false;

    buf_clear(&splitter->prose);
    buf_clear(&splitter->code);
    buf_clear(&splitter->inline_code);
    while (body.len > 0) {
        str_cut(&body, '\n', &line);
        if (is_fence(line)) {
            code = !code;
            continue;
        }
        struct buf *out = code ? &splitter->code : &splitter->prose;
        buf_add(out, line);
        buf_add_char(out, '\n');
        if (!code)
            add_inline(line, &splitter->inline_code);
    }
}

void parts_split(struct str body, struct parts_splitter *splitter, struct parts *parts)
{
    if (body.len > 0 && is_html(body)) {
        html_split(body, HTML_PROSE | HTML_CODE | HTML_INLINE, &splitter->html);
        parts->at[PARTS_PROSE] = buf_str(&splitter->html.prose);
        parts->at[PARTS_CODE] = buf_str(&splitter->html.code);
        parts->at[PARTS_INLINE] = buf_str(&splitter->html.inline_code);
        return;
    }
    split_markdown(body, splitter);
    parts->at[PARTS_PROSE] = buf_str(&splitter->prose);
    parts->at[PARTS_CODE] = buf_str(&splitter->code);
    parts->at[PARTS_INLINE] = buf_str(&splitter->inline_code);
}

void parts_complete(struct str body, struct parts_splitter *splitter, struct parts *parts)
{
    struct parts split = {0};

    parts_split(body, splitter, &split);
    for (size_t i = 0; i < PARTS_COUNT; i++)
        if (parts->at[i].len == 0)
            parts->at[i] = split.at[i];
}
