/* See writer.h. */
#include <math.h>

#include "serve/internal.h"
#include "text/utf8.h"

/* Whether a comma is due shows in the last byte: nothing stands yet, or something does.
 */
static void begin(struct buf *out, const char *name)
{
    char last = out->len > 0 ? out->ptr[out->len - 1] : '{';

    if (last != '{' && last != '[')
        buf_add_char(out, ',');
    if (name != NULL)
        buf_add_format(out, "\"%s\":", name);
}

void serve_writer_open(struct buf *out, const char *name, char bracket)
{
    begin(out, name);
    buf_add_char(out, bracket);
}

void serve_writer_close(struct buf *out, char bracket)
{
    buf_add_char(out, bracket);
}

void serve_writer_text(struct buf *out, const char *name, struct str value)
{
    struct buf repaired = {0};

    if (!text_utf8_valid(value)) {
        text_utf8_repair(value, &repaired);
        value = buf_str(&repaired);
    }
    begin(out, name);
    buf_add_char(out, '"');
    buf_add_json(out, value);
    buf_add_char(out, '"');
    buf_free(&repaired);
}

void serve_writer_int(struct buf *out, const char *name, int64_t value)
{
    begin(out, name);
    buf_add_int(out, value);
}

void serve_writer_real(struct buf *out, const char *name, double value)
{
    begin(out, name);
    if (isfinite(value))
        buf_add_format(out, "%.17g", value);
    else
        buf_add(out, STR("null"));
}

void serve_writer_bool(struct buf *out, const char *name, bool value)
{
    begin(out, name);
    buf_add(out, value ? STR("true") : STR("false"));
}

void serve_writer_null(struct buf *out, const char *name)
{
    begin(out, name);
    buf_add(out, STR("null"));
}

void serve_writer_texts(struct buf *out, const char *name, const struct str *at,
                        size_t count)
{
    serve_writer_open(out, name, '[');
    for (size_t i = 0; i < count; i++)
        serve_writer_text(out, NULL, at[i]);
    serve_writer_close(out, ']');
}

/* To people and to scripts alike: {"error": text}. */
void serve_refuse(struct serve_http_answer *answer, int status, const char *text)
{
    answer->status = status;
    answer->type = "application/json";
    buf_clear(&answer->body);
    serve_writer_open(&answer->body, NULL, '{');
    serve_writer_text(&answer->body, "error", str_from(text));
    serve_writer_close(&answer->body, '}');
}

void serve_refuse_unknown(struct serve_http_answer *answer)
{
    serve_refuse(answer, 404, "there is nothing here");
}

void serve_refuse_stranger(struct serve_http_answer *answer)
{
    serve_refuse(answer, 403,
                 "this needs the link that was made for you; please open it again");
}

void serve_refuse_err(struct serve_http_answer *answer, const struct err *err)
{
    serve_refuse(answer, err->kind == ERR_SYSTEM ? 500 : 400, err->text);
}
