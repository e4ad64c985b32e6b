/* What everybody may know of the task: its title, its codebook, their own name. */
#include "serve/internal.h"
#include "serve/writer.h"

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
    serve_writer_text(out, "version", task->version);
    serve_writer_open(out, "dimensions", '[');
    for (size_t i = 0; i < task->codebook->count; i++)
        add_dimension(&task->codebook->dimensions[i], out);
    serve_writer_close(out, ']');
    return true;
}
