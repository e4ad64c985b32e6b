/* To people and to scripts alike: {"error": text}. */
#include "serve/refuse.h"

#include "serve/writer.h"

void refuse(struct http_answer *answer, int status, const char *text)
{
    answer->status = status;
    answer->type = "application/json";
    buf_clear(&answer->body);
    writer_open(&answer->body, NULL, '{');
    writer_text(&answer->body, "error", str_from(text));
    writer_close(&answer->body, '}');
}

void refuse_unknown(struct http_answer *answer)
{
    refuse(answer, 404, "there is nothing here");
}

void refuse_stranger(struct http_answer *answer)
{
    refuse(answer, 403,
           "this needs the link that was made for you; please open it again");
}

void refuse_err(struct http_answer *answer, const struct err *err)
{
    refuse(answer, err->kind == ERR_SYSTEM ? 500 : 400, err->text);
}
