/* New codes: what may be proposed, who answers, and that an accepted one can be used. */
#include "tests/unit/labelled.h"

static bool propose(struct labelled *test, const char *rater, const char *parent,
                    const char *code, int64_t *id)
{
    struct label_proposal proposal = {.rater = str_from(rater),
                                      .parent = str_from(parent),
                                      .code = str_from(code),
                                      .name = STR("A new one"),
                                      .text = STR("when nothing else fits"),
                                      .item = 11};
    bool ok;

    test->in.err = (struct err){0};
    ok = label_propose(test->label, &proposal, &test->in.err);
    *id = proposal.id;
    return ok;
}

static bool judge(struct labelled *test, int64_t id, bool accept, const char *by)
{
    test->in.err = (struct err){0};
    return label_judge_proposal(test->label, id, accept, str_from(by), STR("so"),
                                &test->in.err);
}

static const struct {
    const char *name, *rater, *parent, *code, *message;
} refused[] = {
    {"by nobody", "mallory", "", "x", "nobody of the task is called 'mallory'"},
    {"an id with a blank", "ann", "", "a b",
     "found 'a b', expected an id of letters, digits, - _ ."},
    {"below a code that is not there", "ann", "dta", "x",
     "the codebook has no code 'dta'"},
    {"below a special code", "ann", "unclear", "x",
     "a special code has no codes below it"},
    {"a code that is there", "ann", "data", "load",
     "the codebook has the code 'load' already"},
};

int main(void)
{
    struct labelled test;
    struct label_proposal *list;
    int64_t first, second, top;
    size_t count;

    if (!labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK))
        return tap_done();
    for (size_t i = 0; i < ROWS(refused); i++) {
        tap_case("refused: %s", refused[i].name);
        CHECK(!propose(&test, refused[i].rater, refused[i].parent, refused[i].code,
                       &first));
        CHECK(test.in.err.kind == ERR_INPUT);
        CHECK_TEXT(test.in.err.text, refused[i].message);
    }
    int64_t round = labelled_round(&test);

    tap_case("an id is made of a name in any script");
    static const struct {
        const char *name, *id;
    } made[] = {{"Out of Memory!", "out-of-memory"},
                {"\xd0\x9f\xd0\xb0\xd0\xbc\xd1\x8f\xd1\x82\xd1\x8c", "proposed-2"},
                {"\xe5\xbf\x98", "proposed-3"}};
    for (size_t i = 0; i < ROWS(made); i++) {
        struct label_proposal named = {
            .rater = STR("ann"), .parent = STR("model"), .name = str_from(made[i].name)};
        CHECK(label_propose(test.label, &named, &test.in.err));
        CHECK(str_eq(named.code, str_from(made[i].id)));
    }

    tap_case("a proposed code cannot be used before it is accepted");
    CHECK(propose(&test, "ann", "data", "cache", &first));
    CHECK(propose(&test, "bob", "", "other", &second));
    CHECK(!labelled_give(&test, "ann", 11, "data/cache", ""));

    tap_case("only the lead answers, once");
    CHECK(!judge(&test, first, true, "ann"));
    CHECK_TEXT(test.in.err.text, "'ann' is not the lead");
    CHECK(judge(&test, first, true, "eve") && judge(&test, second, false, "eve"));
    CHECK(!judge(&test, first, false, "eve"));
    CHECK_TEXT(test.in.err.text, "proposal 4 has been answered already");
    CHECK(!judge(&test, 99, true, "eve"));
    CHECK_TEXT(test.in.err.text, "there is no proposal 99");

    tap_case("an accepted code can be used, a rejected one not");
    CHECK(labelled_give(&test, "ann", 11, "data/cache", ""));
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "data/cache");
    CHECK(!labelled_give(&test, "ann", 5, "other", ""));
    const struct study_codebook_dimension *dimension =
        &label_task(test.label)->codebook->dimensions[0];
    const struct study_codebook_code *code = &dimension->codes[dimension->count - 1];
    CHECK(str_eq(code->path, STR("data/cache")) && code->level == 2 &&
          str_eq(dimension->codes[code->parent].id, STR("data")));

    tap_case("a code below an accepted one, and all of it after opening again");
    CHECK(propose(&test, "ann", "data/cache", "disk", &top) &&
          judge(&test, top, true, "eve"));
    CHECK(labelled_open(&test));
    CHECK(labelled_give(&test, "ann", 5, "data/cache/disk", ""));

    tap_case("the list tells who, what and the answer");
    CHECK(label_proposals(test.label, &test.in.arena, &list, &count, &test.in.err));
    if (CHECK(count == 6)) {
        CHECK(list[3].verdict == LABEL_ACCEPTED && list[4].verdict == LABEL_REJECTED);
        CHECK(str_eq(list[4].rater, STR("bob")) && str_eq(list[4].by, STR("eve")) &&
              str_eq(list[4].reason, STR("so")) && list[4].item == 11);
    }

    tap_case("once it is in the codebook it is there once");
    studied_write(&test.in, "k.yaml",
                  "codebook: bugs\ncodes:\n  data: {codes: {parse: Parsing, load: "
                  "Loading, cache: Cache}}\n  model: Model\nspecial: {unclear: "
                  "Unclear}\n");
    CHECK(labelled_open(&test));
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "data/cache");
    dimension = &label_task(test.label)->codebook->dimensions[0];
    CHECK(dimension->count == 7);
    labelled_end(&test);
    return tap_done();
}
