/* A rater's work: next, labels, corrections, undo, messages that come twice, progress. */
#include "tests/unit/labelled.h"

#define SEVERAL \
    "codebook: bugs\nseveral: yes\ndimensions:\n" \
    "  cause: {codes: {a: A, b: B}}\n  effect: {several: no, codes: {x: X, y: Y}}\n"

static int64_t next_item(struct labelled *test, const char *rater)
{
    struct label_place place;
    bool found;

    return CHECK(
               label_next(test->label, str_from(rater), &place, &found, &test->in.err)) &&
                   found
               ? place.item
               : 0;
}

static struct label_progress progress(struct labelled *test, const char *rater)
{
    struct label_progress out;

    CHECK(label_progress(test->label, str_from(rater), &out, &test->in.err));
    return out;
}

static const struct {
    const char *name, *rater;
    int64_t item;
    const char *code, *message;
} refused[] = {
    {"an unknown code", "ann", 11, "data/prse", "the codebook has no code 'data/prse'"},
    {"an item of nobody", "ann", 99, "model",
     "item 99 is not among the items of 'ann' in this round"},
    {"an unknown rater", "mallory", 11, "model",
     "item 11 is not among the items of 'mallory' in this round"},
    {"the arbiter", "eve", 11, "model",
     "item 11 is not among the items of 'eve' in this round"},
};

static void test_labels(struct labelled *test)
{
    tap_case("without a round there is nothing to do");
    CHECK(next_item(test, "ann") == 0);
    CHECK(!labelled_give(test, "ann", 11, "model", ""));
    CHECK(strstr(test->in.err.text, "no round is open") != NULL);

    int64_t round = labelled_round(test), first = next_item(test, "ann");
    for (size_t i = 0; i < ROWS(refused); i++) {
        tap_case("refused: %s", refused[i].name);
        CHECK(
            !labelled_give(test, refused[i].rater, refused[i].item, refused[i].code, ""));
        CHECK(test->in.err.kind == ERR_INPUT);
        CHECK_TEXT(test->in.err.text, refused[i].message);
    }

    tap_case("a label leads to the next item; the other rater sees nothing");
    CHECK(first != 0 && labelled_give(test, "ann", first, "model", "k1"));
    int64_t act = test->saved.act;
    CHECK(!test->saved.repeated && test->saved.item == first && test->saved.at_ms > 0);
    int64_t second = next_item(test, "ann");
    CHECK(second != 0 && second != first);
    CHECK_TEXT(labelled_says(test, "ann", round, first), "model");
    CHECK_TEXT(labelled_says(test, "bob", round, first), "-");

    tap_case("a message that comes again is stored once");
    CHECK(labelled_give(test, "ann", first, "model", "k1"));
    CHECK(test->saved.repeated && test->saved.act == act && test->saved.item == first);
    CHECK(progress(test, "ann").acts == 1);
    CHECK(!labelled_give(test, "bob", first, "model", "k1"));
    CHECK_TEXT(test->in.err.text, "the key of the message is another rater's");

    tap_case("a correction counts; undo brings the label before back, then none");
    CHECK(labelled_give(test, "ann", first, "unclear", ""));
    CHECK_TEXT(labelled_says(test, "ann", round, first), "unclear");
    CHECK(labelled_undo(test, "ann") && test->saved.item == first);
    CHECK_TEXT(labelled_says(test, "ann", round, first), "model");
    CHECK(labelled_undo(test, "ann"));
    CHECK_TEXT(labelled_says(test, "ann", round, first), "-");
    CHECK(next_item(test, "ann") == first);
    CHECK(!labelled_undo(test, "ann"));
    CHECK_TEXT(test->in.err.text, "there is nothing to take back in this round");

    tap_case("an undo that names what it takes back takes nothing else");
    CHECK(labelled_give(test, "bob", second, "model", "b1"));
    CHECK(labelled_give(test, "bob", second, "unclear", "b2"));
    static const char *const others[] = {"b1", "never"};
    struct label_undoing undoing = {.rater = STR("bob"), .client_key = STR("u")};
    for (size_t i = 0; i < ROWS(others); i++) {
        undoing.of = str_from(others[i]);
        CHECK(!label_undo(test->label, &undoing, &test->saved, &test->in.err));
        CHECK_TEXT(test->in.err.text,
                   "what was to be taken back is not the last that was said");
    }
    undoing.of = STR("b2");
    CHECK(label_undo(test->label, &undoing, &test->saved, &test->in.err));
    CHECK(label_undo(test->label, &undoing, &test->saved, &test->in.err) &&
          test->saved.repeated);
    CHECK_TEXT(labelled_says(test, "bob", round, second), "model");
    CHECK(labelled_undo(test, "bob"));

    tap_case("progress counts places, acts and time");
    CHECK(labelled_give(test, "ann", second, "model", ""));
    struct label_progress now = progress(test, "ann");
    CHECK(now.assigned == 12 && now.done == 1 && now.acts == 5 && now.seconds == 6);
    CHECK(now.last_ms > 0 && progress(test, "bob").done == 0);

    tap_case("what was said in a closed round stays");
    CHECK(labelled_end_round(test, round));
    CHECK(!labelled_undo(test, "ann") && !labelled_give(test, "ann", first, "model", ""));
    CHECK_TEXT(labelled_says(test, "ann", round, second), "model");

    tap_case("the log has everything, in order");
    const char *acts = labelled_export(test, LABEL_ACTS, false);
    size_t lines = 0;
    for (const char *at = acts; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    CHECK(lines == 10);
}

static bool give_two(struct labelled *test, const char *dimension, const char *one,
                     const char *two, bool unsure)
{
    struct str codes[] = {str_from(one), str_from(two)};
    struct label_given given = {.rater = STR("ann"),
                                .item = 11,
                                .dimension = str_from(dimension),
                                .codes = codes,
                                .code_count = two[0] != '\0' ? 2 : 1,
                                .memo = STR("why"),
                                .unsure = unsure,
                                .seconds = -1};

    test->in.err = (struct err){0};
    return label_give(test->label, &given, &test->saved, &test->in.err);
}

static void test_dimensions(void)
{
    struct labelled test;

    if (!labelled_begin(&test, LABELLED_STUDY, SEVERAL))
        return;
    int64_t round = labelled_round(&test);
    tap_case("several codes where they are allowed, each once, in order");
    CHECK(give_two(&test, "cause", "b", "a", true));
    CHECK_TEXT(labelled_says(&test, "ann", round, 11), "a b");
    CHECK(!give_two(&test, "effect", "x", "y", false));
    CHECK_TEXT(test.in.err.text, "'effect' takes one code; found 2");
    CHECK(give_two(&test, "effect", "x", "x", false));

    tap_case("an item is done when every dimension is");
    CHECK(progress(&test, "ann").done == 1 && progress(&test, "ann").unsure == 1);
    CHECK(labelled_undo(&test, "ann") && progress(&test, "ann").done == 0);
    CHECK(labelled_undo(&test, "ann") && progress(&test, "ann").unsure == 0);
    CHECK(!give_two(&test, "", "x", "", false));
    CHECK(!give_two(&test, "caus", "x", "", false));
    labelled_end(&test);
}

/* Memo and flag of an item without a label, in whichever round. */
static bool note(struct labelled *test, int64_t round, const char *memo, bool unsure)
{
    struct label_given given = {.rater = STR("ann"),
                                .item = 11,
                                .round = round,
                                .memo = str_from(memo),
                                .unsure = unsure,
                                .seconds = 3};

    test->in.err = (struct err){0};
    return label_note(test->label, &given, &test->saved, &test->in.err);
}

/* Of the item, what ann said of it: dimensions, memos, flags. */
static const char *noted(struct labelled *test, int64_t round)
{
    struct label_place place = {.round = round, .item = 11};
    struct label_said *said;
    struct buf out = {0};
    size_t count;

    CHECK(label_said(test->label, STR("ann"), &place, &test->in.arena, &said, &count,
                     &test->in.err));
    for (size_t i = 0; i < count; i++)
        buf_add_format(&out, "%s[%.*s] %.*s%s %.0f s", i > 0 ? ", " : "",
                       STR_ARG(said[i].dimension), STR_ARG(said[i].memo),
                       said[i].unsure ? "!" : "", said[i].seconds);
    const char *copy = arena_c_string(&test->in.arena, buf_str(&out));
    buf_free(&out);
    return copy;
}

static void test_notes(void)
{
    struct labelled test;

    if (!labelled_begin(&test, LABELLED_STUDY, SEVERAL))
        return;
    int64_t round = labelled_round(&test);
    tap_case("a memo and a flag without a label are kept, and the item is not done");
    CHECK(note(&test, 0, "what is this?", true));
    CHECK_TEXT(noted(&test, round), "[] what is this?! 3 s");
    CHECK(progress(&test, "ann").done == 0 && progress(&test, "ann").unsure == 1);
    CHECK(strstr(labelled_export(&test, LABEL_SAID, false), "what is this?") == NULL);

    tap_case("the newest of label and note counts for a label's memo");
    CHECK(give_two(&test, "cause", "a", "", false));
    CHECK_TEXT(noted(&test, round), "[cause] why nan s, [] what is this?! 3 s");
    CHECK(note(&test, round, "now I see", false));
    CHECK_TEXT(noted(&test, round), "[cause] now I see nan s, [] now I see 6 s");
    CHECK(progress(&test, "ann").unsure == 0);
    tap_case("and is taken back by one undo");
    CHECK(labelled_undo(&test, "ann"));
    CHECK_TEXT(noted(&test, round), "[cause] why nan s, [] what is this?! 3 s");

    tap_case("the time for a label is that of all its corrections");
    struct str code = STR("y");
    struct label_given given = {.rater = STR("ann"),
                                .item = 11,
                                .dimension = STR("effect"),
                                .codes = &code,
                                .code_count = 1};
    for (int i = 1; i <= 3; i++) {
        given.seconds = i;
        CHECK(label_give(test.label, &given, &test.saved, &test.in.err));
    }
    CHECK(strstr(noted(&test, round), "[effect]  6 s") != NULL);

    tap_case("what names a closed round is kept apart, and counts for nothing");
    CHECK(labelled_end_round(&test, round));
    const char *before = noted(&test, round);
    given.round = round;
    given.client_key = STR("k");
    CHECK(label_give(test.label, &given, &test.saved, &test.in.err) && test.saved.late);
    CHECK(label_give(test.label, &given, &test.saved, &test.in.err) && test.saved.late &&
          test.saved.repeated);
    CHECK(note(&test, round, "too late", true) && test.saved.late);
    CHECK(label_undo(test.label,
                     &(struct label_undoing){
                         .rater = STR("ann"), .of = STR("k"), .round = round},
                     &test.saved, &test.in.err) &&
          test.saved.late);
    CHECK_TEXT(noted(&test, round), before);
    struct label_late *late;
    size_t count;
    CHECK(label_late(test.label, &test.in.arena, &late, &count, &test.in.err));
    if (CHECK(count == 3)) {
        CHECK(str_eq(late[0].what, STR("label")) && late[0].code_count == 1 &&
              str_eq(late[0].codes[0], STR("y")));
        CHECK(str_eq(late[1].what, STR("note")) && str_eq(late[1].memo, STR("too late")));
        CHECK(str_eq(late[2].what, STR("undo")) && late[2].round == round);
    }
    CHECK(!note(&test, 99, "", false));
    CHECK_TEXT(test.in.err.text, "there is no round 99");
    labelled_end(&test);
}

int main(void)
{
    struct labelled test;

    if (labelled_begin(&test, LABELLED_STUDY, LABELLED_CODEBOOK)) {
        test_labels(&test);
        labelled_end(&test);
    }
    test_dimensions();
    test_notes();
    return tap_done();
}
