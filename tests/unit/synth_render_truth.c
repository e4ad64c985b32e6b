/* What is told of a question: a row with a cell for each head, and its labels counted. */
#include "synth/render_truth.h"

#include "tests/unit/rendered.h"

int main(void)
{
    struct render rows = {0};
    struct plan_question question = {.id = 7,
                                     .year = 2018,
                                     .truth = {.framework = MODEL_KERAS,
                                               .kind = MODEL_CRASH,
                                               .second_kind = -1,
                                               .object = -1,
                                               .platform = -1,
                                               .bug_type = -1,
                                               .bug_cause = -1,
                                               .bug_effect = -1,
                                               .bug_stage = -1,
                                               .howto = true,
                                               .views = 12,
                                               .score = -1},
                                     .first_wait_ms = -1,
                                     .tags = {.at = {MODEL_KERAS}, .count = 1}};

    rendered_begin();
    tap_case("a row: labels by name, empty where there is none");
    render_truth_add(&rows, &question, STR("load"), STR("bad-entity"));
    buf_add_char(&rows.tables[SYNTH_TRUTH], '\0');
    const char *row = rows.tables[SYNTH_TRUTH].ptr;
    CHECK(strncmp(row, "7,", 2) == 0 && strstr(row, ",2018,keras,crash,,") != NULL);
    CHECK(strstr(row, ",yes,,,load,,,") != NULL);
    CHECK(strstr(row, ",12,-1,,bad-entity\n") != NULL);
    CHECK(rows.counts_of[SYNTH_TRUTH] == 1);
    tap_case("counted");
    render_truth_count(&rows.counts, &rendered_model, &question);
    CHECK(rows.counts.questions == 1 && rows.counts.how_to == 1);
    CHECK(rows.counts.labels[MODEL_KINDS][MODEL_CRASH] == 1);
    CHECK(rows.counts.tags[MODEL_KERAS] == 1);
    tap_case("of other questions only that there are some");
    question.background = true;
    render_truth_count(&rows.counts, &rendered_model, &question);
    CHECK(rows.counts.questions == 1 && rows.counts.background_questions == 1);
    CHECK(rows.counts.tags[MODEL_KERAS] == 2);
    rendered_end(&rows);
    return tap_done();
}
