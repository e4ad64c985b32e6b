/* Posts and labels as json. Bodies are made harmless here, on their way out. */
#include "serve/internal.h"
#include "store/corpus.h"
#include "text/diff.h"
#include "text/form.h"
#include "text/sanitise.h"

/* or null */
static void add_known(struct buf *out, const char *name, int64_t value)
{
    if (value == ITEM_NONE)
        serve_writer_null(out, name);
    else
        serve_writer_int(out, name, value);
}

static void add_post(const struct label_post *post, const char *images,
                     struct arena *arena, struct buf *out)
{
    struct buf shown = {0}, html = {0};

    if (post->body.len > 0)
        text_form_show(post->form, post->body, &shown);
    text_sanitise_html(buf_str(&shown), &html);
    serve_writer_int(out, "id", post->id);
    add_known(out, "created", post->created_ms);
    add_known(out, "score", post->score);
    serve_writer_bool(out, "accepted", post->accepted);
    serve_writer_text(out, "html", buf_str(&html));
    serve_add_images(buf_str(&html), images, arena, out);
    serve_writer_open(out, "comments", '[');
    for (size_t i = 0; i < post->comment_count; i++) {
        const struct label_comment *comment = &post->comments[i];
        serve_writer_open(out, NULL, '{');
        add_known(out, "created", comment->created_ms);
        add_known(out, "score", comment->score);
        serve_writer_text(out, "text", comment->text);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    buf_free(&shown);
    buf_free(&html);
}

/* What a commit changed, or why that is not there; nothing for other items. */
static void add_patch(const struct label_item *item, struct buf *out)
{
    struct buf html = {0};

    if (item->patch.len > 0)
        text_diff_html(item->patch, &text_diff_page, &html);
    serve_writer_text(out, "diff", buf_str(&html));
    serve_writer_text(out, "no_diff", item->no_patch);
    buf_free(&html);
}

void serve_add_item(const struct label_item *item, const char *images,
                    struct arena *arena, struct buf *out)
{
    struct label_post question = item->question;

    question.body = text_form_below(question.form, question.body, item->title);
    serve_writer_open(out, "item", '{');
    add_post(&question, images, arena, out);
    add_patch(item, out);
    serve_writer_text(out, "key", item->key);
    serve_writer_text(out, "seen", item->seen);
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
        add_post(&item->answers[i], images, arena, out);
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
    serve_writer_close(out, '}');
}

/* One that is gone has its id, and why there is nothing else. */
bool serve_add_item_of(const struct serve_call *call, int64_t id, struct buf *out,
                       struct err *err)
{
    struct label_item item;

    if (label_item(call->label, id, call->arena, &item, err)) {
        serve_add_item(&item, label_task(call->label)->settings->images, call->arena,
                       out);
        return true;
    }
    if (err->kind != ERR_INPUT)
        return false;
    serve_writer_open(out, "item", '{');
    serve_writer_int(out, "id", id);
    serve_writer_text(out, "gone", str_from(err->text));
    serve_writer_close(out, '}');
    *err = (struct err){0};
    return true;
}

void serve_add_span(const struct label_span_said *span, struct str rater, struct buf *out)
{
    serve_writer_open(out, NULL, '{');
    if (rater.len > 0)
        serve_writer_text(out, "rater", rater);
    if (span->unit.len > 0)
        serve_writer_text(out, "unit", span->unit);
    serve_writer_text(out, "place", span->place);
    serve_writer_text(out, "quote", span->quote);
    serve_writer_text(out, "dimension", span->dimension);
    serve_writer_text(out, "code", span->code);
    serve_writer_close(out, '}');
}

void serve_add_said(const struct label_said *said, struct str rater, struct buf *out)
{
    serve_writer_open(out, NULL, '{');
    serve_writer_int(out, "act", said->act);
    serve_writer_int(out, "item", said->item);
    if (said->unit.len > 0)
        serve_writer_text(out, "unit", said->unit);
    serve_writer_text(out, "dimension", said->dimension);
    if (rater.len > 0)
        serve_writer_text(out, "rater", rater);
    serve_writer_texts(out, "codes", said->codes, said->code_count);
    serve_writer_text(out, "memo", said->memo);
    serve_writer_bool(out, "unsure", said->unsure);
    serve_writer_real(out, "seconds", said->seconds);
    serve_writer_text(out, "review", said->review);
    serve_writer_close(out, '}');
}

/* What everybody may know of the task: its title, its codebook, their own name. */
static void add_code(const struct study_codebook_code *code, struct buf *out)
{
    serve_writer_open(out, NULL, '{');
    serve_writer_text(out, "path", code->path);
    serve_writer_text(out, "name", code->name);
    serve_writer_int(out, "level", code->level);
    serve_writer_bool(out, "leaf", code->leaf);
    serve_writer_bool(out, "special", code->special);
    serve_writer_text(out, "definition", code->definition);
    serve_writer_text(out, "use_when", code->use_when);
    serve_writer_text(out, "not_when", code->not_when);
    serve_writer_texts(out, "examples", code->examples.at, code->examples.count);
    serve_writer_texts(out, "counter_examples", code->counter_examples.at,
                       code->counter_examples.count);
    serve_writer_close(out, '}');
}

static void add_dimension(const struct study_codebook_dimension *dimension,
                          struct buf *out)
{
    serve_writer_open(out, NULL, '{');
    serve_writer_text(out, "id", dimension->id);
    serve_writer_text(out, "name", dimension->name);
    serve_writer_bool(out, "several", dimension->several);
    serve_writer_open(out, "codes", '[');
    for (size_t i = 0; i < dimension->count; i++)
        add_code(&dimension->codes[i], out);
    serve_writer_close(out, ']');
    serve_writer_close(out, '}');
}

static void add_words(const struct serve_call *call, struct buf *out)
{
    struct label_word *words;
    size_t count;

    label_words(call->label, call->arena, &words, &count);
    serve_writer_open(out, "words", '[');
    for (size_t i = 0; i < count; i++) {
        serve_writer_open(out, NULL, '{');
        serve_writer_text(out, "text", words[i].text);
        serve_writer_text(out, "match",
                          words[i].match == QUERY_PREFIX      ? STR("prefix")
                          : words[i].match == QUERY_SUBSTRING ? STR("part")
                                                              : STR("words"));
        serve_writer_close(out, '}');
    }
    serve_writer_close(out, ']');
}

bool serve_task(const struct serve_call *call, struct buf *out, struct err *err)
{
    const struct label_task *task = label_task(call->label);
    const struct study *study = task->study;

    (void)err;
    serve_writer_text(out, "title", study->title.len > 0 ? study->title : study->name);
    serve_writer_text(out, "task", task->name);
    serve_writer_text(out, "person", call->person);
    serve_writer_bool(out, "rater", (call->roles & LABEL_RATER) != 0);
    serve_writer_bool(out, "arbiter", (call->roles & (LABEL_ARBITER | LABEL_LEAD)) != 0);
    serve_writer_bool(out, "lead", (call->roles & LABEL_LEAD) != 0);
    serve_writer_bool(out, "answers_hidden",
                      (task->settings->hide & STUDY_HIDE_ANSWERS) != 0);
    serve_writer_bool(out, "names_hidden", task->settings->names_hidden);
    serve_writer_bool(out, "units", task->settings->units);
    serve_writer_bool(out, "leaves", task->settings->leaves);
    serve_writer_text(out, "mathematics", task->settings->mathematics);
    serve_writer_text(out, "spans",
                      task->settings->spans == STUDY_SPANS_NO    ? STR("no")
                      : task->settings->spans == STUDY_SPANS_YES ? STR("yes")
                                                                 : STR("per code"));
    serve_writer_text(out, "version", task->version);
    add_words(call, out);
    serve_writer_open(out, "dimensions", '[');
    for (size_t i = 0; i < task->codebook->count; i++)
        add_dimension(&task->codebook->dimensions[i], out);
    serve_writer_close(out, ']');
    return true;
}
