/* To people and to scripts alike: {"error": text}. */
#include "serve/refuse.h"

#include "serve/writer.h"

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
