/* Posts and labels as json. Bodies are made harmless here, on their way out. */
#include "serve/internal.h"
#include "serve/sanitise.h"
#include "serve/writer.h"
#include "store/corpus.h"
#include "text/form.h"

void serve_add_known(struct buf *out, const char *name, int64_t value)
{
    if (value == ITEM_NONE)
        serve_writer_null(out, name);
    else
        serve_writer_int(out, name, value);
}

static void add_post(const struct label_post *post, struct buf *out)
{
    struct buf shown = {0}, html = {0};

    text_form_show(post->form, post->body, &shown);
    serve_sanitise_html(buf_str(&shown), &html);
    serve_writer_int(out, "id", post->id);
    serve_add_known(out, "created", post->created_ms);
    serve_add_known(out, "score", post->score);
    serve_writer_bool(out, "accepted", post->accepted);
    serve_writer_text(out, "html", buf_str(&html));
    serve_writer_open(out, "comments", '[');
    for (size_t i = 0; i < post->comment_count; i++) {
        const struct label_comment *comment = &post->comments[i];
        serve_writer_open(out, NULL, '{');
        serve_add_known(out, "created", comment->created_ms);
        serve_add_known(out, "score", comment->score);
        serve_writer_text(out, "text", comment->text);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    buf_free(&shown);
    buf_free(&html);
}

void serve_add_item(const struct label_item *item, struct buf *out)
{
    serve_writer_open(out, "item", '{');
    add_post(&item->question, out);
    serve_writer_text(out, "key", item->key);
    serve_writer_bool(out, "row", item->row);
    serve_writer_text(out, "title", item->title);
    serve_writer_texts(out, "tags", item->tags, item->tag_count);
    serve_writer_text(out, "link", item->link);
    serve_writer_open(out, "fields", '[');
    for (size_t i = 0; i < item->field_count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "name", item->fields[i].name);
        serve_writer_text(out, "value", item->fields[i].value);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    serve_writer_open(out, "answers", '[');
    for (size_t i = 0; i < item->answer_count; i++) {
        serve_writer_open(out, NULL, '{');
        add_post(&item->answers[i], out);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    serve_writer_close(out, '}');
}

void serve_add_said(const struct label_said *said, bool with_rater, struct buf *out)
{
    serve_writer_open(out, NULL, '{');
    serve_writer_int(out, "act", said->act);
    serve_writer_int(out, "item", said->item);
    serve_writer_text(out, "dimension", said->dimension);
    if (with_rater)
        serve_writer_text(out, "rater", said->rater);
    serve_writer_texts(out, "codes", said->codes, said->code_count);
    serve_writer_text(out, "memo", said->memo);
    serve_writer_bool(out, "unsure", said->unsure);
    serve_writer_real(out, "seconds", said->seconds);
    serve_writer_text(out, "review", said->review);
    serve_writer_close(out, '}');
}
