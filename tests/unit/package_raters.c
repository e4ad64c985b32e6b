/* Raters get numbers; everything else stays what it was. */
#include "package/internal.h"
#include "tests/tap.h"

static const struct {
    const char *name, *csv, *want;
} rows[] = {
    {"in the order in which they appear", "id,who,code\n1,Zoe,x\n1,Ann,y\n2,Zoe,x\n",
     "id,who,code\n1,rater-1,x\n1,rater-2,y\n2,rater-1,x\n"},
    {"two columns share the numbers", "who,second\nZoe,Ann\nAnn,Zoe\n",
     "who,second\nrater-1,rater-2\nrater-2,rater-1\n"},
    {"nobody stays nobody", "who,code\n,x\nAnn,y\n", "who,code\n,x\nrater-1,y\n"},
    {"another column may hold a name", "id,who,note\n1,Ann,\"Ann, \"\"sure\"\"\"\n",
     "id,who,note\n1,rater-1,\"Ann, \"\"sure\"\"\"\n"},
    {"parted by semicolons", "id;who;note\n1;Ann;\"a;b\"\n",
     "id,who,note\n1,rater-1,\"a;b\"\n"},
    {"a semicolon in a head does not part columns", "id,who,\"a;b;c;d\"\n1,Ann,x\n",
     "id,who,\"a;b;c;d\"\n1,rater-1,x\n"},
    {"blanks around a head", "id, who \n1,Ann\n", "id,\" who \"\n1,rater-1\n"},
    {"no column of that name", "id,code\n1,x\n", "id,code\n1,x\n"},
    {"nothing", "", ""},
};

int main(void)
{
    const struct str columns[] = {STR("who"), STR("second")};
    struct arena arena = {0};
    struct str out;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        tap_case("%s", rows[i].name);
        CHECK(package_rename_raters(str_from(rows[i].csv), "l.csv", columns,
                                    ROWS(columns), &arena, &out, &err));
        CHECK_TEXT(arena_c_string(&arena, out), rows[i].want);
        tap_case("%s: once more changes nothing", rows[i].name);
        CHECK(package_rename_raters(out, "l.csv", columns, ROWS(columns), &arena, &out,
                                    &err));
        CHECK_TEXT(arena_c_string(&arena, out), rows[i].want);
    }
    struct err err = {0};
    tap_case("a file that cannot be read");
    CHECK(!package_rename_raters(STR("id,who\n1\n"), "l.csv", columns, ROWS(columns),
                                 &arena, &out, &err));
    CHECK(err.kind == ERR_INPUT);
    arena_free(&arena);
    return tap_done();
}
