/* People get other names, the same in all of a package; what is not read is left out. */
#include "package/package.h"
#include "package/people.h"
#include "tests/unit/packaged.h"

static const struct {
    const char *name, *csv, *want;
} rows[] = {
    {"rows ascend", "id,who,code\n2,rater-2,x\n1,rater-2,y\n1,rater-1,x\n",
     "id,who,code\n1,rater-1,x\n1,rater-2,y\n2,rater-2,x\n"},
    {"two columns name raters", "who,second\nrater-2,rater-1\n",
     "who,second\nrater-2,rater-1\n"},
    {"nobody stays nobody", "who,code\n,x\nrater-1,y\n", "who,code\n,x\nrater-1,y\n"},
    {"a column that is not read", "id,title,who\n1,\"A title, \"\"so\"\"\",rater-1\n",
     "id,who\n1,rater-1\n"},
    {"parted by semicolons", "id;who;code\n1;rater-1;\"a;b\"\n",
     "id,who,code\n1,rater-1,\"a;b\"\n"},
    {"blanks around a head", "id, who \n1,rater-1\n", "id,\" who \"\n1,rater-1\n"},
    {"nothing", "", ""},
};

static void check_files(void)
{
    struct str raters[] = {STR("who"), STR("second")},
               others[] = {STR("id"), STR("code")};
    struct package_columns columns = {.raters = raters,
                                      .others = others,
                                      .rater_count = ROWS(raters),
                                      .other_count = ROWS(others)};
    struct package_people nobody = {0};
    struct arena arena = {0};
    struct str out;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        tap_case("%s", rows[i].name);
        CHECK(package_rename_raters(str_from(rows[i].csv), "l.csv", &columns, &nobody,
                                    &arena, &out, &err));
        CHECK_TEXT(arena_c_string(&arena, out), rows[i].want);
    }
    struct err err = {0};
    tap_case("a file that cannot be read");
    CHECK(!package_rename_raters(STR("id,who\n1\n"), "l.csv", &columns, &nobody, &arena,
                                 &out, &err));
    CHECK(err.kind == ERR_INPUT);
    arena_free(&arena);
}

static void check_people(struct packaged *test)
{
    struct package_people people;
    struct str names[] = {STR("Zoe"), STR("Ann")}, *called;

    tap_case("everybody has a number, and nobody an old name");
    CHECK(package_find_people(&test->study, &test->arena, &people, &test->err));
    CHECK(people.count == 2);
    called = package_call_all(&people, names, 2, &test->arena);
    CHECK(str_eq(called[0], STR("rater-1")) && str_eq(called[1], STR("rater-2")));
    CHECK(str_eq(package_called(&people, STR("Eve")), STR("Eve")));
    CHECK(package_person_name(&people, 0).len == 3);

    tap_case("a row of two people is called after both, in the order of the numbers");
    struct result_number at[] = {{.row = STR("Zoe-and-Ann"), .label = STR("Zoe and Ann")},
                                 {.row = STR("all-pairs"), .label = STR("all pairs")}};
    struct result_numbers numbers = {.at = at, .count = ROWS(at)};
    package_call_numbers(&people, &numbers, 1, &test->arena);
    CHECK(str_eq(at[0].row, STR("rater-1-and-rater-2")));
    CHECK(str_eq(at[1].row, STR("all-pairs")));
}

static void check_ours(struct packaged *test)
{
    struct package_people people;

    tap_case("names that are ours stay, so that the package of a package is the same");
    packaged_write(test, "labels/l.csv", "id,code,who\n4,x,rater-2\n4,x,rater-1\n");
    CHECK(package_find_people(&test->study, &test->arena, &people, &test->err));
    CHECK(str_eq(package_called(&people, STR("rater-2")), STR("rater-2")));
    CHECK(package_person_name(&people, 0).len == 0);
}

/* An undo in the second of what it takes back stays behind it; neither times nor remarks
 * are published, and what follows from the log is the same. */
static void check_decisions(struct packaged *test)
{
    static const char log[] =
        "when,who,level,from,with,item,into,verdict,why,mood\n"
        "2023-05-01T09:30:00,Zoe ,action,store,,,save,accept,\"as Ann Birch says\",good\n"
        "2023-05-01T09:30:00,Zoe,action,store,,,save,undo,,bad\n"
        "2023-05-01T01:00:00+02:00,Ann,object,net,,4,model,refuse,no,\n";
    struct package_people people;
    struct str out;

    packaged_write(test, "study.yaml",
                   "study: s\nsource: {posts: p.csv}\nsets: {all: '*'}\n"
                   "phrases: {v: {of: all, decisions: d.csv, unifiers: [Zoe, Ann]}}\n");
    tap_case("unifiers before anybody decided");
    CHECK(packaged_run(test));
    CHECK(package_find_people(&test->study, &test->arena, &people, &test->err));
    CHECK(people.count == 2);
    tap_case("decisions in their order, by day, without remarks");
    packaged_write(test, "d.csv", log);
    CHECK(packaged_run(test));
    CHECK(package_find_people(&test->study, &test->arena, &people, &test->err));
    CHECK(people.count == 2);
    CHECK(package_rename_deciders(str_from(log), "d.csv", &people, &test->arena, &out,
                                  &test->err));
    struct str zoe = package_called(&people, STR("Zoe")),
               ann = package_called(&people, STR("Ann"));
    CHECK(str_starts(zoe, STR("rater-")) && !str_eq(zoe, ann));
    CHECK_TEXT(arena_c_string(&test->arena, out),
               arena_c_string(
                   &test->arena,
                   arena_format(&test->arena,
                                "when,who,level,from,with,item,into,verdict,why\n"
                                "2023-05-01,%.*s,action,store,,,save,accept,\n"
                                "2023-05-01,%.*s,action,store,,,save,undo,\n"
                                "2023-04-30,%.*s,object,net,,4,model,refuse,\n",
                                STR_ARG(zoe), STR_ARG(zoe), STR_ARG(ann))));
    tap_case("a log that cannot be read");
    CHECK(!package_rename_deciders(STR("when,who\n1,2\n"), "d.csv", &people,
                                   &test->arena, &out, &test->err));
    CHECK(test->err.kind == ERR_INPUT);
}

int main(void)
{
    struct packaged test;

    check_files();
    tap_case("a study with two raters");
    if (packaged_open(&test, packaged_study)) {
        check_people(&test);
        check_ours(&test);
        check_decisions(&test);
    }
    packaged_close(&test);
    return tap_done();
}
