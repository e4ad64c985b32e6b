/* For tests of simulated rows: block 0 of a small dump. */
#ifndef TESTS_UNIT_RENDERED_H
#define TESTS_UNIT_RENDERED_H

#include <string.h>

#include "synth/internal.h"
#include "tests/tap.h"

static struct arena rendered_arena;
static struct synth_model rendered_model;
static struct synth_text *rendered_text;

static inline int rendered_count(const char *text_in, const char *what)
{
    int count = 0;

    for (const char *at = text_in; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* Block 0 of a small dump; all tables end with a NUL. */
static inline const char *rendered_some(int64_t questions, enum synth_layout layout,
                                        enum synth_damage damage,
                                        struct synth_render *rows)
{
    struct synth_plan plan = synth_plan_make(&rendered_model, 5, questions, 0);
    struct synth_options options = {
        .layout = layout, .damage = damage, .seed = 5, .confusion = -1};
    struct synth_plan_ids first = {1, 1, 1, 1};
    struct synth_render_context context = {
        .options = &options, .plan = &plan, .text = rendered_text, .first = &first};

    synth_render_make(&context, 0, rows);
    for (int i = 0; i < SYNTH_FILES; i++)
        buf_add_char(&rows->tables[i], '\0');
    return rows->tables[SYNTH_POSTS].ptr;
}

static inline const char *rendered_posts(enum synth_layout layout,
                                         enum synth_damage damage,
                                         struct synth_render *rows)
{
    return rendered_some(400, layout, damage, rows);
}

static inline void rendered_begin(void)
{
    struct err err = {0};

    CHECK(synth_model_load(NULL, &rendered_arena, &rendered_model, &err) &&
          synth_text_load(&rendered_arena, &rendered_text, &err));
}

static inline void rendered_end(struct synth_render *rows)
{
    synth_render_free(rows);
    arena_free(&rendered_arena);
}

#endif
