/* Which questions a study needs: what any set's funnel counts, and no condition more. */
#include "study/study.h"

#include "tests/tap.h"

static const struct {
    const char *name, *study, *needed;
} rows[] = {
    {"one set", "sets: {a: '[x]'}", "[x]"},
    {"two sets", "sets: {a: '[x]', b: '[y]'}", "[x] or [y]"},
    {"in another order", "sets: {b: '[y]', a: '[x]'}", "[x] or [y]"},
    {"the same twice", "sets: {a: '[x]', b: '[x]'}", "[x]"},
    {"up to the first condition that names something",
     "sets: {a: 'score:5.. and [x] and prose:slow'}", "score:5.. and [x]"},
    {"what a set inside another says is covered",
     "sets: {a: '[x] or [y]', b: 'in:a and prose:deploy*', c: 'in:a and not in:b'}",
     "[x] or [y]"},
    {"an alternative that is not covered stays",
     "sets: {a: '[x]', b: '([x] and prose:w) or [y]'}", "[x] or [y]"},
    {"a condition without a name takes all that meet it", "sets: {a: 'score:5..'}",
     "score:5.."},
    {"nothing selective: all of the conditions", "sets: {a: 'score:5.. and views:9..'}",
     "score:5.. and views:9.."},
    {"labels bring nothing of their own",
     "sets: {a: '[x]', b: 'in:a and label:l/c and [y]', c: 'label:l/c', d: '[z] or "
     "label:l/c', e: 'label:l/c and [v] and score:5..'}",
     "[v] or [x] or [z]"},
    {"what this study labels is in a set that is read",
     "sets: {a: '[x]', b: 'label:t/c and score:5..', c: '[y] and label:t/c', d: "
     "'label:l/c "
     "and score:7.. and (label:l/d or label:l/e)'}\n"
     "labelling: {t: {sample: a, raters: [r]}}\ncodebooks: {t: absent.yaml}",
     "[x] or score:7.."},
    {"nor does what is not labelled take anything out",
     "sets: {a: '[x] and not label:l/c', b: 'score:5.. and not (label:l/c or "
     "views:9..)', "
     "c: 'score:7.. and not (label:l/c and views:9..)'}",
     "[x] or score:5.. and not views:9.. or score:7.. and *"},
    {"`take` has the last word", "sets: {a: '[x]', b: '[y]'}\ntake: 'in:a'", "[x]"},
};

static const struct {
    const char *name, *study;
    size_t together;
} counted[] = {
    {"one condition", "sets: {a: '[x]'}", 1},
    {"alternatives are one condition", "sets: {a: '[x] or score:5..'}", 1},
    {"a name comes first", "sets: {a: '[x] and score:5.. and views:9..'}", 1},
    {"a name comes third", "sets: {a: 'score:5.. and views:9.. and [x] and closed:no'}",
     3},
    {"no name", "sets: {a: 'score:5.. and views:9..'}", 2},
    {"another set's names", "sets: {a: 'in:b and score:5..', b: '[x]'}", 1},
    {"labels", "sets: {a: 'score:5.. and label:l/c and [x]'}", 2},
    {"`take` has all of them", "sets: {a: 'score:5.. and [x]'}\ntake: '*'", 1},
};

static void test_together(void)
{
    for (size_t i = 0; i < ROWS(counted); i++) {
        struct arena arena = {0};
        struct buf text = {0}, problems = {0};
        struct study_options options = {0};
        struct err err = {0};
        struct study study;
        tap_case("counted together: %s", counted[i].name);
        buf_add_format(
            &text,
            "study: s\nsource: {stackexchange: d}\nlabels: {l: {from: l.csv}}\n%s\n",
            counted[i].study);
        if (CHECK(study_parse(buf_str(&text), "s.yaml", &options, &arena, &study,
                              &problems, &err)))
            CHECK(study_together(&study, &study.sets[0]) == counted[i].together);
        buf_free(&text);
        buf_free(&problems);
        arena_free(&arena);
    }
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct buf text = {0}, problems = {0}, out = {0};
        struct study_options options = {0};
        struct err err = {0};
        struct study study;
        tap_case("needed: %s", rows[i].name);
        buf_add_format(
            &text,
            "study: s\nsource: {stackexchange: d}\nlabels: {l: {from: l.csv}}\n%s\n",
            rows[i].study);
        if (CHECK(study_parse(buf_str(&text), "s.yaml", &options, &arena, &study,
                              &problems, &err)))
            query_print(study_needed(&study, &arena), &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, rows[i].needed);
        buf_free(&text);
        buf_free(&problems);
        buf_free(&out);
    }
    tap_case("no sets: all questions");
    struct study none = {0};
    CHECK(study_needed(&none, &arena)->kind == QUERY_ALL);
    test_together();
    arena_free(&arena);
    return tap_done();
}
