/* What is chosen gets to its place, and the rest stays as the method wants it. */
#include "learn/choice.h"

#include "tests/tap.h"

static const struct {
    const char *text, *message;
} weights[] = {
    {"title=0.7", NULL},
    {"title = 1, code=0", NULL},
    {"body=1",
     "'body' is no part of a post; expected title, prose, code, inline-code or tags, as "
     "in title=0.7"},
    {"title=1,title=2", "'title' is there twice"},
    {"title", "the weight of title is '', expected a number of 0 or more"},
    {"title=-1", "the weight of title is '-1', expected a number of 0 or more"},
    {"title=nan", "the weight of title is 'nan', expected a number of 0 or more"},
};

int main(void)
{
    struct model_settings before = model_defaults(MODEL_LINEAR), after = before;
    struct choice choice = {0};

    tap_case("nothing chosen changes nothing");
    choice_apply(&choice, &after);
    CHECK(after.features.kinds == before.features.kinds &&
          after.features.run_max == before.features.run_max &&
          after.weigh.df_min == before.weigh.df_min && after.weigh.select == 0);

    tap_case("features");
    choice = (struct choice){.run_max = 3,
                             .df_min = 5,
                             .df_max = 0.5,
                             .select = 100,
                             .idf = STR("plain"),
                             .stops = STR("drop")};
    choice_apply(&choice, &after);
    CHECK(after.features.run_max == 3 && after.features.no_stop_words);
    CHECK(after.weigh.df_min == 5 && after.weigh.select == 100);
    CHECK_NEAR(after.weigh.df_max, 0.5, 0);
    CHECK(after.weigh.idf == WEIGH_IDF_PLAIN);

    tap_case("single words alone");
    choice = (struct choice){.run_max = 1, .words_alone = true};
    choice_apply(&choice, &after);
    CHECK(after.features.kinds == (1u << FEATURES_WORD | 1u << FEATURES_ERROR));

    tap_case("keyword-weight");
    after = model_defaults(MODEL_KEYWORD_WEIGHT);
    choice =
        (struct choice){.length = true, .top = 200, .only_top = true, .body_wins = true};
    choice_apply(&choice, &after);
    CHECK(after.keyword.length && after.keyword.top == 200 && after.keyword.only_top &&
          after.features.body_wins);

    for (size_t i = 0; i < ROWS(weights); i++) {
        struct err err = {0};
        choice = (struct choice){0};
        tap_case("weights '%s'", weights[i].text);
        CHECK(choice_read_weights(str_from(weights[i].text), &choice, &err) ==
              (weights[i].message == NULL));
        if (weights[i].message != NULL)
            CHECK_TEXT(err.text, weights[i].message);
    }
    tap_case("a weight is where it belongs");
    struct err err = {0};
    choice = (struct choice){0};
    CHECK(choice_read_weights(STR("inline-code=2"), &choice, &err));
    after = before;
    choice_apply(&choice, &after);
    CHECK_NEAR(after.weigh.parts[PARTS_INLINE], 2, 0);
    CHECK_NEAR(after.weigh.parts[PARTS_TITLE], before.weigh.parts[PARTS_TITLE], 0);
    return tap_done();
}
