/* Labels as csv: every layer, names by number, cells that need quotes. */
#include "tests/unit/labelled.h"

int main(void)
{
    struct labelled test;
    struct str codes[] = {STR("model")};
    struct label_given given = {.rater = STR("bob"),
                                .item = 11,
                                .codes = codes,
                                .code_count = 1,
                                .memo = STR("well, \"maybe\""),
                                .unsure = true,
                                .seconds = 1.25};

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    CHECK(labelled_round(&test) == 1);
    CHECK(label_give(test.label, &given, &test.saved, &test.in.err));
    CHECK(labelled_give(&test, "ann", 11, "unclear", ""));
    CHECK(labelled_give(&test, "ann", 5, "model", "") && labelled_undo(&test, "ann"));

    tap_case("what each rater says");
    CHECK_TEXT(labelled_export(&test, LABEL_SAID, false),
               "item,rater,dimension,code,round,kind,again,unsure,seconds,memo\n"
               "11,bob,bugs,model,1,main,0,1,1.250,\"well, \"\"maybe\"\"\"\n"
               "11,ann,bugs,unclear,1,main,0,0,2.000,\n");

    tap_case("without names and memos, by the order of the study file");
    CHECK_TEXT(labelled_export(&test, LABEL_SAID, true),
               "item,rater,dimension,code,round,kind,again,unsure,seconds,memo\n"
               "11,rater-2,bugs,model,1,main,0,1,,\n"
               "11,rater-1,bugs,unclear,1,main,0,0,,\n");

    tap_case("final labels, also those that have no code");
    CHECK_TEXT(labelled_export(&test, LABEL_FINAL, false),
               "item,dimension,code,state,raters,review,chosen,outside\n"
               "11,bugs,,unresolved,2,0,0,0\n"
               "5,bugs,,pending,0,0,0,0\n"
               "9,bugs,,pending,0,0,0,0\n"
               "25,bugs,,pending,0,0,0,0\n"
               "3,bugs,,pending,0,0,0,0\n"
               "20,bugs,,pending,0,0,0,0\n"
               "21,bugs,,pending,0,0,0,0\n"
               "32,bugs,,pending,0,0,0,0\n"
               "34,bugs,,pending,0,0,0,0\n"
               "38,bugs,,pending,0,0,0,0\n"
               "2,bugs,,pending,0,0,0,0\n"
               "7,bugs,,pending,0,0,0,0\n");

    tap_case("the whole log, undo included");
    const char *acts = labelled_export(&test, LABEL_ACTS, false);
    CHECK(strstr(acts, ",label,1,bob,11,0,bugs,model,\"well, \"\"maybe\"\"\",1,1.250,") !=
          NULL);
    CHECK(strstr(acts, ",undo,1,ann,5,0,bugs,,,0,,") != NULL);
    CHECK(strstr(labelled_export(&test, LABEL_ACTS, true), "ann") == NULL);
    labelled_end(&test);
    return tap_done();
}
