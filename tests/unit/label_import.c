/* Labels made elsewhere: all or none, with the line of what is wrong. */
#include "tests/unit/labelled.h"

static const struct {
    const char *name, *text;
    struct label_import_options how;
    const char *want; /* of ann on item 11 */
    int64_t count;
} rows[] = {
    {"paths", "item,rater,code\n11,ann,data/load\n", {.separator = 0}, "data/load", 1},
    {"names, blanks, links, an order of columns of its own",
     "code,rater,item\n loading ,ann,https://stackoverflow.com/q/11\n",
     {.separator = 0},
     "data/load",
     1},
    {"columns of other names",
     "post,who,label\n11,ann,model\n5,bob,model\n",
     {.item_column = STR_INIT("post"),
      .rater_column = STR_INIT("who"),
      .code_column = STR_INIT("label")},
     "model",
     2},
    {"one rater for all",
     "item,code\n11,model\n",
     {.rater = STR_INIT("ann")},
     "model",
     1},
    {"the same code twice",
     "item,rater,code\n11,ann,model\n11,ann,Model\n",
     {.separator = 0},
     "model",
     1},
};

static const struct {
    const char *name, *text, *message;
} wrong[] = {
    {"empty", "", "l.csv:1: the file is empty"},
    {"heads alone", "item,rater,code\n", "l.csv: there are no labels in it"},
    {"a missing column", "item,rater,cod\n",
     "l.csv:1: there is no column 'code'; did "
     "you mean 'cod'?"},
    {"an unknown item", "item,rater,code\n11,ann,model\n99,ann,model\n",
     "l.csv:3: item 99 is not among the task's items"},
    {"no id", "item,rater,code\nx,ann,model\n", "l.csv:2: found 'x', expected an item's"},
    {"an unknown code", "item,rater,code\n11,ann,modl\n", "l.csv:2: "},
    {"no rater", "item,rater,code\n11,,model\n", "l.csv:2: no rater is named"},
    {"a decision of a rater", "item,rater,code,kind\n11,ann,model,decision\n",
     "l.csv:2: 'ann' is neither arbiter nor lead"},
    {"a reason that is none", "item,rater,code,reason\n11,eve,model,\n5,eve,model,whim\n",
     "l.csv:3: found 'whim' as the reason of a decision, expected slip, ambiguous, gap "
     "or other"},
    {"another kind", "item,rater,code,kind\n11,ann,model,first\n",
     "l.csv:2: found 'first' as the kind of a round, expected pilot, training, main, "
     "chosen or decision"},
    {"final labels without decisions", "item,code,state\n11,model,unanimous\n",
     "l.csv: there are no labels in it"},
    {"no code", "item,rater,code\n11,ann,\n", "l.csv:2: the row has no code"},
    {"two codes where one is allowed",
     "item,rater,code\n11,ann,model\n5,ann,model\n11,ann,unclear\n",
     "l.csv:4: 'bugs' takes one code; found 2"},
};

static void test_round_trip(void)
{
    struct labelled test, other;
    struct label_import_options how = {0};
    int64_t count;

    tap_case("what is exported can be imported, and gives the same agreement");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK) ||
        !labelled_begin(&other, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    CHECK(labelled_end_round(&test, labelled_fill(&test)));
    const char *text = labelled_export(&test, LABEL_SAID, false);
    CHECK(labelled_import(&other, text, how, &count) && count == 24);
    CHECK_TEXT(labelled_export(&other, LABEL_SAID, false), text);
    CHECK_TEXT(labelled_export(&other, LABEL_FINAL, false),
               labelled_export(&test, LABEL_FINAL, false));
    labelled_end(&test);
    labelled_end(&other);
}

/* Decisions of the arbiter, by herself, by kind, and as final labels tell them. */
static void test_decisions(void)
{
    static const char *const texts[] = {
        "item,rater,code\n25,eve,data/load\n32,eve,unclear\n",
        "item,rater,code,kind,reason,memo\n25,eve,data/load,decision,slip,clear\n"
        "32,eve,unclear,decision,,\n",
        "item,dimension,code,state,raters,review,chosen,outside\n"
        "25,bugs,data/load,adjudicated,2,0,0,0\n32,bugs,unclear,adjudicated,2,0,0,0\n"
        "11,bugs,model,unanimous,2,0,0,0\n9,bugs,,unresolved,2,0,0,0\n",
    };
    struct label_import_options how = {0};
    struct labelled test, other;
    int64_t count;

    for (size_t i = 0; i < ROWS(texts); i++) {
        tap_case("decisions: file %zu", i + 1);
        if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
            return;
        CHECK(labelled_end_round(&test, labelled_fill(&test)));
        const char *said = labelled_export(&test, LABEL_SAID, false);
        CHECK(labelled_import(&test, texts[i], how, &count) && count == 0);
        CHECK_TEXT(test.in.err.text, "");
        const char *finals = labelled_export(&test, LABEL_FINAL, false);
        CHECK(strstr(finals, "25,bugs,data/load,adjudicated,2,0,0,0\n") != NULL);
        CHECK(strstr(finals, "32,bugs,unclear,adjudicated,2,0,0,0\n") != NULL);
        CHECK_TEXT(labelled_export(&test, LABEL_SAID, false), said);
        const char *decided = labelled_export(&test, LABEL_DECISIONS, false);
        CHECK_TEXT(decided, i == 1 ? "item,rater,dimension,code,kind,reason,memo\n"
                                     "25,eve,bugs,data/load,decision,slip,clear\n"
                                     "32,eve,bugs,unclear,decision,other,\n"
                                   : "item,rater,dimension,code,kind,reason,memo\n"
                                     "25,eve,bugs,data/load,decision,other,\n"
                                     "32,eve,bugs,unclear,decision,other,\n");
        tap_case("decisions: what is exported can be imported, of file %zu", i + 1);
        if (!labelled_begin(&other, LABELLED_STUDY, LABELLED_CODEBOOK))
            return;
        CHECK(labelled_import(&other, said, how, &count) && count == 24);
        CHECK(labelled_import(&other, decided, how, &count) && count == 0);
        CHECK_TEXT(labelled_export(&other, LABEL_DECISIONS, false), decided);
        CHECK_TEXT(labelled_export(&other, LABEL_FINAL, false), finals);
        labelled_end(&other);
        labelled_end(&test);
    }
}

/* What the lead sees of labels that came from elsewhere, and what is left to do. */
static void test_rounds(void)
{
    struct label_import_options how = {0};
    struct label_round_plan plan;
    struct label_progress progress;
    struct label_round *rounds;
    struct labelled test;
    int64_t count;
    size_t round_count;

    tap_case("imported rounds: items, and who has done how many");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    CHECK(labelled_import(&test,
                          "item,rater,code\n11,ann,model\n11,bob,model\n5,bob,model\n"
                          "5,ann,unclear\n9,ann,model\n3,gpt,model\n",
                          how, &count));
    CHECK(label_rounds(test.label, &test.in.arena, &rounds, &round_count, &test.in.err));
    CHECK(round_count == 1 && rounds[0].items == 4 && rounds[0].assigned == 6 &&
          rounds[0].done == 6);
    CHECK(label_progress(test.label, STR("ann"), &progress, &test.in.err) &&
          progress.assigned == 3 && progress.done == 3);
    tap_case("imported rounds: a new one has what raters have not labelled together");
    CHECK(label_round_settings(test.label, &plan, &test.in.err) && plan.items == 10);
    CHECK(labelled_import(&test, "item,rater,code\n9,bob,model\n", how, &count));
    CHECK(label_round_settings(test.label, &plan, &test.in.err) && plan.items == 9);
    labelled_end(&test);
}

static void test_repeated(void)
{
    struct label_import_options how = {0};
    struct label_imported told;
    struct labelled test;

    tap_case("rows that say the same again are counted");
    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return;
    studied_write(&test.in, "l.csv",
                  "item,rater,code\n11,ann,model\n11,ann,model\n11,ann,Model\n"
                  "5,ann,model\n25,eve,model\n");
    CHECK(label_import(test.label, studied_path(&test.in, "l.csv"), &how, STR("x"), &told,
                       &test.in.err));
    CHECK(told.labels == 2 && told.decisions == 1 && told.repeated == 2);
    labelled_end(&test);
}

int main(void)
{
    int64_t count;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct labelled test;
        struct label_round *rounds;
        size_t round_count;
        tap_case("imported: %s", rows[i].name);
        if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
            continue;
        CHECK(labelled_import(&test, rows[i].text, rows[i].how, &count) &&
              count == rows[i].count);
        CHECK_TEXT(test.in.err.text, "");
        CHECK_TEXT(labelled_says(&test, "ann", 1, 11), rows[i].want);
        CHECK(label_rounds(test.label, &test.in.arena, &rounds, &round_count,
                           &test.in.err));
        CHECK(round_count == 1 && rounds[0].closed_ms > 0 &&
              str_ends(rounds[0].source, STR("l.csv")));
        labelled_end(&test);
    }
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct labelled test;
        struct label_import_options how = {0};
        tap_case("wrong: %s", wrong[i].name);
        if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
            continue;
        CHECK(!labelled_import(&test, wrong[i].text, how, &count) &&
              test.in.err.kind == ERR_INPUT);
        if (!CHECK(strstr(test.in.err.text, wrong[i].message) != NULL))
            CHECK_TEXT(test.in.err.text, wrong[i].message);
        CHECK_TEXT(labelled_export(&test, LABEL_SAID, false),
                   "item,rater,dimension,code,round,kind,again,unsure,seconds,memo\n");
        labelled_end(&test);
    }
    test_round_trip();
    test_decisions();
    test_rounds();
    test_repeated();
    return tap_done();
}
