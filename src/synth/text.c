/* A body is a few paragraphs of sentences, each from the rule of one of the question's
 * labels or from a pool that fits any question, with code, lists and quotes between. */
#include "synth/text.h"

#include <string.h>

#include "synth/text_parts.h"
#include "synth/text_rules.h"

/* The kind a sentence speaks for: mostly the question's own. */
static int voice(struct text_writer *writer, const struct model_truth *truth)
{
    if (rng_unit(writer->rng) < writer->confusion)
        return (int)rng_below(writer->rng, MODEL_KIND_COUNT);
    if (truth->second_kind >= 0 && text_parts_chance(writer, 35))
        return truth->second_kind;
    return truth->kind;
}

void text_title(struct text_writer *writer, const struct plan_question *question,
                struct str *verb)
{
    const struct text *text = writer->text;
    const struct model_truth *truth = &question->truth;
    struct grammar_values values = text_parts_values(question);
    size_t begin = writer->out->len;

    *verb = STR("");
    if (question->background) {
        text_parts_expand(writer, text->topic_title[question->topic], &values);
        return;
    }
    if (truth->howto) {
        buf_add(writer->out, STR("How to "));
        text_parts_expand(writer,
                          truth->object >= 0 ? text->howto[truth->object]
                                             : text->kind_howto[truth->kind],
                          &values);
        if (text_parts_chance(writer, 40))
            buf_add(writer->out, STR("?"));
        struct str rest = str_slice(buf_str(writer->out), begin + 7, writer->out->len);
        str_cut(&rest, ' ', verb);
        return;
    }
    if (truth->platform >= 0 && text_parts_chance(writer, 75))
        text_parts_expand(
            writer, text->challenge_title[truth->platform][truth->challenge], &values);
    else if (truth->platform >= 0)
        text_parts_expand(writer, text->platform_title[truth->platform], &values);
    else
        text_parts_expand(writer, text->kind_title[voice(writer, truth)], &values);
}

/* One sentence that carries some of the question's truth. */
static int telling_rule(struct text_writer *writer, const struct plan_question *question)
{
    const struct text *text = writer->text;
    const struct model_truth *truth = &question->truth;
    uint64_t dice = rng_below(writer->rng, 100);

    if (truth->platform >= 0 && dice < 55)
        return text->challenge_body[truth->platform][truth->challenge];
    if (truth->platform >= 0 && dice < 75)
        return text->platform_body[truth->platform];
    if (truth->object >= 0 && dice < 55)
        return text->phase_body[truth->object];
    if (truth->bug_type >= 0 && dice < 15)
        return text->bug_type[truth->bug_type];
    if (truth->bug_type >= 0 && dice < 30)
        return text->bug_hint[truth->bug_cause];
    if (truth->bug_type >= 0 && dice < 40)
        return text->bug_effect[truth->bug_effect];
    if (truth->bug_type >= 0 && dice < 48)
        return text->bug_stage[truth->bug_stage];
    return text->kind_body[voice(writer, truth)];
}

/* A sentence that would fit the question, but says little of its truth. */
static int beside_rule(struct text_writer *writer, const struct plan_question *question)
{
    const struct text *text = writer->text;
    uint64_t dice = rng_below(writer->rng, 100);

    if (dice < 6)
        return text->link;
    if (dice < 11)
        return text->emphasis;
    if (question->background)
        return text->topic_body[question->topic];
    return text->filler;
}

/* What longer questions have besides: more prose, code, logs, lists, pictures. */
static void further_parts(struct text_writer *writer,
                          const struct plan_question *question, double size,
                          const struct grammar_values *values)
{
    bool code = question->truth.code;

    for (uint64_t parts = text_parts_about(writer, 0.9 * size);
         parts > 0 && text_parts_has_room(writer); parts--) {
        if (text_parts_chance(writer, 8))
            text_parts_heading(writer, values);
        buf_add(writer->out, TEXT_PARTS_BEGIN);
        for (uint64_t sentences = 1 + rng_below(writer->rng, 4); sentences > 0;
             sentences--)
            text_parts_sentence(writer,
                                !question->background && text_parts_chance(writer, 12)
                                    ? telling_rule(writer, question)
                                    : beside_rule(writer, question),
                                values);
        buf_add(writer->out, TEXT_PARTS_END);
        if (text_parts_chance(writer, 7))
            text_parts_picture(writer, question);
        if (code && text_parts_chance(writer, 40))
            text_parts_code(writer, question, size, values);
        else if (code && text_parts_chance(writer, 22))
            text_parts_trace(writer, question, size, values);
        else if (text_parts_chance(writer, 8) && !question->background)
            text_parts_list(writer, values);
    }
}

static void background_body(struct text_writer *writer,
                            const struct plan_question *question,
                            const struct grammar_values *values)
{
    int body = writer->text->topic_body[question->topic];
    double size = text_parts_talkativeness(writer);

    for (uint64_t paragraphs = 1 + rng_below(writer->rng, 2); paragraphs > 0;
         paragraphs--) {
        buf_add(writer->out, TEXT_PARTS_BEGIN);
        for (uint64_t sentences = 1 + rng_below(writer->rng, 4); sentences > 0;
             sentences--)
            text_parts_sentence(writer, body, values);
        buf_add(writer->out, TEXT_PARTS_END);
    }
    if (question->truth.code)
        text_parts_code(writer, question, size, values);
    further_parts(writer, question, size, values);
    if (text_parts_chance(writer, 33)) {
        buf_add(writer->out, TEXT_PARTS_BEGIN);
        text_parts_sentence(writer, writer->text->link, values);
        buf_add(writer->out, TEXT_PARTS_END);
    }
    if (question->truth.code && rng_below(writer->rng, 80) == 0)
        text_parts_log(writer, question, values);
}

void text_body(struct text_writer *writer, const struct plan_question *question)
{
    const struct text *text = writer->text;
    const struct model_truth *truth = &question->truth;
    struct grammar_values values = text_parts_values(question);

    writer->said_count = 0;
    writer->begun = writer->out->len;
    if (question->background) {
        background_body(writer, question, &values);
        return;
    }
    double size = text_parts_talkativeness(writer);
    buf_add(writer->out, TEXT_PARTS_BEGIN);
    if (text_parts_chance(writer, 70))
        text_parts_sentence(writer, text->opening, &values);
    if (truth->platform >= 0 && (question->by_words || text_parts_chance(writer, 60)))
        text_parts_sentence(writer, text->platform_mention[truth->platform], &values);
    for (uint64_t sentences = 1 + rng_below(writer->rng, 2); sentences > 0; sentences--)
        text_parts_sentence(writer, telling_rule(writer, question), &values);
    buf_add(writer->out, TEXT_PARTS_END);
    if (truth->code)
        text_parts_code(writer, question, size, &values);
    buf_add(writer->out, TEXT_PARTS_BEGIN);
    text_parts_sentence(writer, telling_rule(writer, question), &values);
    for (uint64_t sentences = rng_below(writer->rng, 3); sentences > 0; sentences--)
        text_parts_sentence(
            writer,
            text_parts_chance(writer, 60) ? text->filler : telling_rule(writer, question),
            &values);
    if (text_parts_chance(writer, 35))
        text_parts_sentence(writer, text->environment, &values);
    if (text_parts_chance(writer, 20))
        text_parts_sentence(writer, text->link, &values);
    if (text_parts_chance(writer, 8))
        text_parts_sentence(writer, text->emphasis, &values);
    buf_add(writer->out, TEXT_PARTS_END);
    further_parts(writer, question, size, &values);
    if (truth->code && text_parts_chance(writer, truth->kind == MODEL_CRASH ? 60 : 15))
        text_parts_trace(writer, question, size, &values);
    if (text_parts_chance(writer, 12))
        text_parts_list(writer, &values);
    if (text_parts_chance(writer, 6))
        text_parts_quote(writer, &values);
    if (truth->code && text_parts_has_room(writer) && rng_below(writer->rng, 80) == 0)
        text_parts_log(writer, question, &values);
    buf_add(writer->out, TEXT_PARTS_BEGIN);
    text_parts_sentence(writer, text->kind_ask[voice(writer, truth)], &values);
    if (text_parts_chance(writer, 40))
        text_parts_sentence(writer, text->thanks, &values);
    buf_add(writer->out, STR("&lt;/p&gt;&#xA;"));
}

/* What an answer says: the cause if it is the one that solved it. */
static int answering_rule(struct text_writer *writer,
                          const struct plan_question *question, int answer)
{
    const struct text *text = writer->text;
    const struct model_truth *truth = &question->truth;
    uint64_t dice = rng_below(writer->rng, 100);

    if (answer == 1 && truth->bug_cause >= 0 && dice < 40)
        return text->bug_cause[truth->bug_cause];
    if (answer == 1 && dice < 60)
        return text->root[truth->root_cause];
    if (truth->object >= 0 && dice < 80)
        return text->phase_answer[truth->object];
    return text->kind_answer[truth->kind];
}

/* What longer answers have besides. */
static void further_answer(struct text_writer *writer,
                           const struct plan_question *question, double size,
                           const struct grammar_values *values)
{
    const struct text *text = writer->text;

    for (uint64_t parts = text_parts_about(writer, 0.55 * size);
         parts > 0 && text_parts_has_room(writer); parts--) {
        if (text_parts_chance(writer, 8))
            text_parts_heading(writer, values);
        buf_add(writer->out, TEXT_PARTS_BEGIN);
        for (uint64_t sentences = 1 + rng_below(writer->rng, 3); sentences > 0;
             sentences--)
            text_parts_sentence(writer,
                                text_parts_chance(writer, 12)  ? text->link
                                : text_parts_chance(writer, 8) ? text->emphasis
                                : question->background
                                    ? text->topic_answer[question->topic]
                                    : text->answer_filler,
                                values);
        buf_add(writer->out, TEXT_PARTS_END);
        if (text_parts_chance(writer, 5))
            text_parts_picture(writer, question);
        if (text_parts_chance(writer, 45))
            text_parts_code(writer, question, size, values);
    }
}

void text_answer(struct text_writer *writer, const struct plan_question *question,
                 int answer)
{
    const struct text *text = writer->text;
    struct grammar_values values = text_parts_values(question);
    double size = text_parts_talkativeness(writer);

    writer->said_count = 0;
    writer->begun = writer->out->len;
    buf_add(writer->out, TEXT_PARTS_BEGIN);
    if (!question->background && text_parts_chance(writer, 60))
        text_parts_sentence(writer, text->answer_opening, &values);
    for (uint64_t sentences = 1 + rng_below(writer->rng, 3); sentences > 0; sentences--)
        text_parts_sentence(writer,
                            question->background
                                ? text->topic_answer[question->topic]
                                : answering_rule(writer, question, answer),
                            &values);
    buf_add(writer->out, TEXT_PARTS_END);
    if (text_parts_chance(writer, 55))
        text_parts_code(writer, question, size, &values);
    further_answer(writer, question, size, &values);
    if (!question->background && text_parts_chance(writer, 50)) {
        buf_add(writer->out, TEXT_PARTS_BEGIN);
        text_parts_sentence(writer, text->answer_filler, &values);
        if (text_parts_chance(writer, 40))
            text_parts_sentence(writer, text->answer_closing, &values);
        buf_add(writer->out, STR("&lt;/p&gt;&#xA;"));
    }
}

/* Comments are Markdown: code stands between backquotes. Other tags do not occur in the
 * rules that comments use, except in slots, and are taken out. */
static void html_to_markdown(struct buf *out, size_t begin)
{
    struct str rest = str_slice(buf_str(out), begin, out->len), plain;

    out->len = begin; /* the text only becomes shorter, so it can be moved in place */
    while (rest.len > 0) {
        bool more = str_cut(&rest, '&', &plain);
        memmove(out->ptr + out->len, plain.ptr, plain.len);
        out->len += plain.len;
        if (!more)
            return;
        if (!str_starts(rest, STR("lt;"))) {
            out->ptr[out->len++] = '&';
            continue;
        }
        bool code = str_starts(rest, STR("lt;code")) || str_starts(rest, STR("lt;/code"));
        while (str_cut(&rest, '&', &plain) && !str_starts(rest, STR("gt;")))
            continue;
        rest = str_slice(rest, sizeof "gt;" - 1, rest.len);
        if (code)
            out->ptr[out->len++] = '`';
    }
}

void text_comment(struct text_writer *writer, const struct plan_question *question,
                  int answer, bool endorses)
{
    const struct text *text = writer->text;
    struct grammar_values values = text_parts_values(question);
    size_t begin = writer->out->len;

    text_parts_expand(writer,
                      endorses               ? text->comment_endorse
                      : question->background ? text->comment_background
                      : answer == 0          ? text->comment_question
                                             : text->comment_answer,
                      &values);
    html_to_markdown(writer->out, begin);
}
