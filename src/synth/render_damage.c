/* One row in fifty, and always the dump's first that can be damaged; a huge body once. */
#include "synth/render_damage.h"

enum { DAMAGED_ONE_IN = 50, HUGE_BYTES = 16 * 1024 * 1024 };

/* Whether this damage can change this row: an answer has no tags to lose, a question no
 * parent to miss. */
static bool can_suffer(enum synth_damage damage, const struct plan_question *question,
                       const struct plan_post *post)
{
    switch (damage) {
    case SYNTH_WHOLE:
    case SYNTH_CUT_FILE: /* done at the end of the file */
        return false;
    case SYNTH_ORPHAN_ANSWERS:
    case SYNTH_NEGATIVE_WAIT:
        return post->answer > 0;
    case SYNTH_MISSING_ACCEPTED:
        return post->answer == 0 && question->accepted_id != 0;
    case SYNTH_HUGE_BODY:
        return post->answer == 0;
    default:
        return true;
    }
}

struct render_damage render_damage_choose(enum synth_damage damage, bool first,
                                          const struct plan_block *block,
                                          struct arena *arena)
{
    struct render_damage chosen = {arena_array(arena, bool, block->post_count + 1),
                                   arena_array(arena, bool, block->question_count + 1)};

    for (size_t i = 0; i < block->post_count; i++) {
        const struct plan_post *post = &block->posts[i];
        const struct plan_question *question = &block->questions[post->question];
        bool hit = first || (post->id % DAMAGED_ONE_IN == 7 && damage != SYNTH_HUGE_BODY);
        if (!hit || !can_suffer(damage, question, post))
            continue;
        first = false;
        chosen.posts[i] = true;
        if (post->answer == 0 || post->id == question->accepted_id)
            chosen.questions[post->question] = true;
    }
    return chosen;
}

void render_damage_body(struct buf *out, enum synth_damage damage)
{
    size_t begun = out->len;

    if (damage == SYNTH_BAD_ENTITY)
        buf_add(out, STR(" &bogus; "));
    if (damage == SYNTH_CONTROL_CHARACTERS)
        buf_add(out, STR(" \x01\x0b "));
    while (damage == SYNTH_HUGE_BODY && out->len - begun < HUGE_BYTES)
        buf_add(out, STR("&lt;p&gt;All of my log, because I do not know which part "
                         "matters.&lt;/p&gt;&#xA;"));
}
