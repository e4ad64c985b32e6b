/* The grammar's rules, by the labels that speak through them. */
#ifndef SYNTH_TEXT_RULES_H
#define SYNTH_TEXT_RULES_H

#include "synth/text.h"

/* Rules by label: "kind.crash.body" stands in body[MODEL_CRASH]. */
struct text {
    struct grammar *grammar;
    int kind_title[MODEL_KIND_COUNT], kind_howto[MODEL_KIND_COUNT];
    int kind_body[MODEL_KIND_COUNT], kind_ask[MODEL_KIND_COUNT];
    int kind_answer[MODEL_KIND_COUNT];
    int howto[MODEL_LABELS_MAX], phase_body[MODEL_LABELS_MAX],
        phase_answer[MODEL_LABELS_MAX]; /* by object */
    int platform_mention[MODEL_PLATFORM_COUNT], platform_title[MODEL_PLATFORM_COUNT];
    int platform_body[MODEL_PLATFORM_COUNT];
    int challenge_title[MODEL_PLATFORM_COUNT][MODEL_CHALLENGES_MAX],
        challenge_body[MODEL_PLATFORM_COUNT][MODEL_CHALLENGES_MAX];
    int root[MODEL_LABELS_MAX];
    int bug_type[MODEL_LABELS_MAX], bug_cause[MODEL_LABELS_MAX],
        bug_hint[MODEL_LABELS_MAX];
    int bug_effect[MODEL_LABELS_MAX], bug_stage[MODEL_LABELS_MAX];
    int code[MODEL_FRAMEWORK_COUNT], trace[MODEL_FRAMEWORK_COUNT];
    int topic_title[TAGS_TOPICS], topic_body[TAGS_TOPICS], topic_answer[TAGS_TOPICS];
    int topic_code[TAGS_TOPICS];
    int opening, filler, environment, thanks, list_item, quote;
    int link, heading, emphasis; /* fit any subject */
    int answer_opening, answer_filler, answer_closing;
    int comment_question, comment_answer, comment_endorse, comment_background;
};

#endif
