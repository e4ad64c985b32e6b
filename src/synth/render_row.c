/* Attributes come in the order of the real dumps. Text is already escaped by the grammar,
 * so that a row is put together by copying. */
#include "synth/render_row.h"

#include "base/date.h"

void render_row_clear(const struct render_context *context, struct render *rows)
{
    for (int i = 0; i < SYNTH_FILES; i++) {
        buf_clear(&rows->tables[i]);
        rows->counts_of[i] = 0;
    }
    rows->counts = (struct synth_counts){0};
    rows->used = (struct plan_ids){0};
    rows->row_end =
        context->options->layout == SYNTH_2025_COMMENT ? STR(" />\n") : STR(" />\r\n");
    arena_free(&rows->arena);
}

void render_row_number(struct buf *out, const char *before, int64_t value)
{
    buf_add(out, str_from(before));
    buf_add_int(out, value);
    buf_add_char(out, '"');
}

void render_row_date(struct buf *out, const char *before, int64_t ms)
{
    buf_add(out, str_from(before));
    date_add(out, ms);
    buf_add_char(out, '"');
}

void render_row_license(struct buf *out, const struct synth_options *options, int64_t ms)
{
    int64_t to_3 = date_from_civil((struct date){2011, 4, 8});
    int64_t to_4 = date_from_civil((struct date){2018, 5, 2});

    if (options->layout == SYNTH_CLASSIC)
        return;
    buf_add(out, ms < to_3   ? STR(" ContentLicense=\"CC BY-SA 2.5\"")
                 : ms < to_4 ? STR(" ContentLicense=\"CC BY-SA 3.0\"")
                             : STR(" ContentLicense=\"CC BY-SA 4.0\""));
}

void render_row_tags(struct buf *out, const struct synth_options *options,
                     const struct tags *tags)
{
    bool pipe = options->layout == SYNTH_2024_PIPE;

    buf_add(out, pipe ? STR(" Tags=\"|") : STR(" Tags=\""));
    for (int i = 0; i < tags->count; i++) {
        if (!pipe)
            buf_add(out, STR("&lt;"));
        buf_add(out, tags_name(tags->at[i]));
        buf_add(out, pipe ? STR("|") : STR("&gt;"));
    }
    buf_add_char(out, '"');
}

void render_row_end(struct render *rows, enum synth_file file)
{
    buf_add(&rows->tables[file], rows->row_end);
    rows->counts_of[file]++;
}

void render_row_user(struct buf *out, const char *id_name, const char *display_name,
                     int64_t user, int64_t trace)
{
    if (user != 0) {
        render_row_number(out, id_name, user);
    } else {
        buf_add(out, str_from(display_name));
        render_row_number(out, "user", trace % 9000000 + 1000000);
    }
}
