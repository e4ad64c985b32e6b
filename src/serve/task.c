/* What everybody may know of the task: its title, its codebook, their own name. */
#include "serve/internal.h"
#include "serve/writer.h"

static void add_code(const struct codebook_code *code, struct buf *out)
{
    writer_open(out, NULL, '{');
    writer_text(out, "path", code->path);
    writer_text(out, "name", code->name);
    writer_int(out, "level", code->level);
    writer_bool(out, "leaf", code->leaf);
    writer_bool(out, "special", code->special);
    writer_text(out, "definition", code->definition);
    writer_text(out, "use_when", code->use_when);
    writer_text(out, "not_when", code->not_when);
    writer_texts(out, "examples", code->examples.at, code->examples.count);
    writer_close(out, '}');
}

static void add_dimension(const struct codebook_dimension *dimension, struct buf *out)
{
    writer_open(out, NULL, '{');
    writer_text(out, "id", dimension->id);
    writer_text(out, "name", dimension->name);
    writer_bool(out, "several", dimension->several);
    writer_open(out, "codes", '[');
    for (size_t i = 0; i < dimension->count; i++)
        add_code(&dimension->codes[i], out);
    writer_close(out, ']');
    writer_close(out, '}');
}

bool serve_task(const struct serve_call *call, struct buf *out, struct err *err)
{
    const struct label_task *task = label_task(call->label);
    const struct study *study = task->study;

    (void)err;
    writer_text(out, "title", study->title.len > 0 ? study->title : study->name);
    writer_text(out, "task", task->name);
    writer_text(out, "person", call->person);
    writer_bool(out, "rater", (call->roles & LABEL_RATER) != 0);
    writer_bool(out, "arbiter", (call->roles & (LABEL_ARBITER | LABEL_LEAD)) != 0);
    writer_bool(out, "lead", (call->roles & LABEL_LEAD) != 0);
    writer_bool(out, "answers_hidden", (task->settings->hide & STUDY_HIDE_ANSWERS) != 0);
    writer_text(out, "version", task->version);
    writer_open(out, "dimensions", '[');
    for (size_t i = 0; i < task->codebook->count; i++)
        add_dimension(&task->codebook->dimensions[i], out);
    writer_close(out, ']');
    return true;
}
