/* Posts and labels as json. Bodies are made harmless here, on their way out. */
#include "serve/internal.h"
#include "serve/sanitise.h"
#include "serve/writer.h"
#include "store/corpus.h"

void serve_add_known(struct buf *out, const char *name, int64_t value)
{
    if (value == ITEM_NONE)
        writer_null(out, name);
    else
        writer_int(out, name, value);
}

static void add_post(const struct label_post *post, struct buf *out)
{
    struct buf html = {0};

    sanitise_html(post->body, &html);
    writer_int(out, "id", post->id);
    serve_add_known(out, "created", post->created_ms);
    serve_add_known(out, "score", post->score);
    writer_bool(out, "accepted", post->accepted);
    writer_text(out, "html", buf_str(&html));
    writer_open(out, "comments", '[');
    for (size_t i = 0; i < post->comment_count; i++) {
        const struct label_comment *comment = &post->comments[i];
        writer_open(out, NULL, '{');
        serve_add_known(out, "created", comment->created_ms);
        serve_add_known(out, "score", comment->score);
        writer_text(out, "text", comment->text);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    buf_free(&html);
}

void serve_add_item(const struct label_item *item, struct buf *out)
{
    writer_open(out, "item", '{');
    add_post(&item->question, out);
    writer_text(out, "key", item->key);
    writer_bool(out, "row", item->row);
    writer_text(out, "title", item->title);
    writer_texts(out, "tags", item->tags, item->tag_count);
    writer_text(out, "link", item->link);
    writer_open(out, "fields", '[');
    for (size_t i = 0; i < item->field_count; i++) {
        writer_open(out, NULL, '{');
        writer_text(out, "name", item->fields[i].name);
        writer_text(out, "value", item->fields[i].value);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    writer_open(out, "answers", '[');
    for (size_t i = 0; i < item->answer_count; i++) {
        writer_open(out, NULL, '{');
        add_post(&item->answers[i], out);
        writer_close(out, '}');
    }
    writer_close(out, ']');
    writer_close(out, '}');
}

void serve_add_said(const struct label_said *said, bool with_rater, struct buf *out)
{
    writer_open(out, NULL, '{');
    writer_int(out, "act", said->act);
    writer_int(out, "item", said->item);
    writer_text(out, "dimension", said->dimension);
    if (with_rater)
        writer_text(out, "rater", said->rater);
    writer_texts(out, "codes", said->codes, said->code_count);
    writer_text(out, "memo", said->memo);
    writer_bool(out, "unsure", said->unsure);
    writer_real(out, "seconds", said->seconds);
    writer_text(out, "review", said->review);
    writer_close(out, '}');
}
