/* The page that people read. */
#include "topic/render.h"

#include <string.h>

#include "tests/unit/topic_shown.h"

static const char whole[] =
    "  topics  perplexity    UMass    NPMI     c_v  stability\n"
    "       1           -   -1.500   0.250   0.500          -\n"
    "*      2        12.5   -1.000   0.125   0.750       0.50\n"
    "\n"
    "2 topics, chosen by c_v; run 2 of 3, the most like the others\n"
    "\n"
    "topic   share   posts     c_v  stability  words\n"
    "    1   75.0%       1   0.500       1.00  gpu loss\n"
    "    2   25.0%       1       -       0.25  loss gpu\n"
    "\n"
    "topic  typical post\n"
    "    1  7 No gpu\n"
    "    2  8 A \"loss\"\n"
    "\n"
    "topic   posts       views    score  no accepted  hours to it\n"
    "    1       1       100.0     2.00        50.0%          3.2\n"
    "    2       1        50.0        -           -             -\n"
    "means over posts, the median of hours; over topics:\n"
    "  views and without accepted:  Spearman 0.500 (p = 0.250)  Kendall 0.250 (p = "
    "0.750)\n"
    "  views and hours to accepted:  Spearman undefined: too few  Kendall undefined: too "
    "few\n"
    "  score and without accepted:  Spearman -0.500 (p = 0.500)  Kendall -1.000 (p = "
    "0.125)\n"
    "  score and hours to accepted:  Spearman 0.000 (p = 1.000)  Kendall 0.000 (p = "
    "1.000)\n"
    "\n"
    "topic    2019    2020\n"
    "    1       1       0\n"
    "    2       0       1\n"
    "\n"
    "topic  training, slow\n"
    "    1               1\n"
    "    2               0\n";

int main(void)
{
    struct render_data plain = shown_all;
    struct topics one_step = shown_topics;
    struct buf out = {0};

    render_page(&shown_all, &out);
    buf_add_char(&out, '\0');
    tap_case("everything is known");
    CHECK_TEXT(out.ptr, whole);
    buf_clear(&out);
    one_step.steps = shown_steps + 1;
    one_step.step_count = 1;
    one_step.chosen = 0;
    plain.topics = &one_step;
    plain.titles = NULL;
    plain.relations = NULL;
    plain.years.count = plain.codes.count = 0;
    plain.runs = 1;
    render_page(&plain, &out);
    buf_add_char(&out, '\0');
    tap_case("texts alone, one number of topics, one run");
    CHECK(strstr(out.ptr, "\n2 topics\n\ntopic") != NULL);
    CHECK(strstr(out.ptr, "typical") == NULL && strstr(out.ptr, "views") == NULL &&
          strstr(out.ptr, "2019") == NULL);
    buf_free(&out);
    return tap_done();
}
