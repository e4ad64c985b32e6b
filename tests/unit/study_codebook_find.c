/* Which code a text means; which dimension; codes seen from a level above. */
#include "study/codebook.h"

#include "tests/tap.h"

static const char book_text[] =
    "codebook: bugs\n"
    "special: {unclear: Unclear question}\n"
    "dimensions:\n"
    "  type:\n"
    "    codes:\n"
    "      sb: {name: Structural bug, codes: {logic: Logic bug, flow: Data flow bug}}\n"
    "      nmsb: {name: Other structural bug, codes: {logic: Logic bug}}\n"
    "      data: {name: Data bug, also: [Datta, 'data - cleaning'], codes: {sb: x}}\n"
    "      coding: Data\n"
    "      many: {codes: {a: {codes: {z: Z}}, b: {codes: {z: Z}}, c: {codes: {z: Z}},\n"
    "        d: {codes: {z: Z}}, e: {codes: {z: Z}}, f: {codes: {z: Z}}, g: {codes: {z: "
    "Z}}}}\n"
    "  effect: {codes: {crash: Crash}}\n";

static const struct {
    const char *name, *text;
    const char *path, *message; /* one of them */
} rows[] = {
    {"a path", "nmsb/logic", "nmsb/logic", NULL},
    {"a path in other case", " SB/Logic ", "sb/logic", NULL},
    {"an id that is there once", "flow", "sb/flow", NULL},
    {"a path wins over an id", "sb", "sb", NULL},
    {"an id wins over a name", "Data", "data", NULL},
    {"a name", "structural  BUG", "sb", NULL},
    {"another spelling", "datta", "data", NULL},
    {"another spelling with blanks", "Data -  cleaning", "data", NULL},
    {"a special code", "unclear question", "unclear", NULL},
    {"an id that is there twice", "logic", NULL,
     "'logic' may mean 'sb/logic' or 'nmsb/logic'; write which"},
    {"a name that is there twice", " Logic bug ", NULL,
     "'Logic bug' may mean 'sb/logic' or 'nmsb/logic'; write which"},
    {"an id that is there seven times", "z", NULL,
     "'z' may mean 'many/a/z' or 'many/b/z' or 'many/c/z' or 'many/d/z' or 'many/e/z' or "
     "2 more; write which"},
    {"misspelt", "codign", NULL, "unknown code 'codign'; did you mean 'coding'?"},
    {"nothing like it", "performance", NULL, "unknown code 'performance'"},
    {"a code of another dimension", "crash", NULL, "unknown code 'crash'"},
    {"nothing", " ", NULL, "unknown code ''"},
};

static void check_find(const struct study_codebook_dimension *dimension)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct err err = {0};
        size_t code = STUDY_CODEBOOK_NONE;
        tap_case("find: %s", rows[i].name);
        bool found = study_codebook_find(dimension, str_from(rows[i].text), &code, &err);
        if (rows[i].message != NULL) {
            CHECK(!found && err.kind == ERR_INPUT && code == STUDY_CODEBOOK_NONE);
            CHECK_TEXT(err.text, rows[i].message);
        } else if (CHECK(found)) {
            CHECK(str_eq(dimension->codes[code].path, str_from(rows[i].path)));
        }
    }
}

static void check_every_code(const struct study_codebook_dimension *dimension)
{
    struct err err = {0};

    tap_case("every path finds its code");
    for (size_t i = 0; i < dimension->count; i++) {
        size_t code;
        CHECK(study_codebook_find(dimension, dimension->codes[i].path, &code, &err) &&
              code == i);
    }
}

static void check_choose(const struct study_codebook *book)
{
    static const struct {
        const char *name, *id;
        int index; /* -1: refused */
        const char *message;
    } choices[] = {
        {"by id", "effect", 1, ""},
        {"misspelt", "efect", -1,
         "codebook bugs has no dimension 'efect'; did you mean 'effect'?"},
        {"nothing like it", "colour", -1,
         "codebook bugs has no dimension 'colour'; it has type, effect"},
        {"none given of several", "", -1,
         "codebook bugs has no dimension ''; it has type, effect"},
    };
    struct study_codebook alone = *book;
    const struct study_codebook_dimension *chosen;
    struct err err = {0};

    for (size_t i = 0; i < ROWS(choices); i++) {
        tap_case("choose: %s", choices[i].name);
        err = (struct err){0};
        bool ok = study_codebook_choose(book, str_from(choices[i].id), &chosen, &err);
        CHECK(ok == (choices[i].index >= 0));
        CHECK(ok ? chosen == &book->dimensions[choices[i].index] : chosen == NULL);
        CHECK_TEXT(err.text, choices[i].message);
    }
    tap_case("choose: none given of one");
    alone.count = 1;
    CHECK(study_codebook_choose(&alone, STR(""), &chosen, &err) &&
          chosen == book->dimensions);
}

int main(void)
{
    struct arena arena = {0};
    struct buf problems = {0};
    struct err err = {0};
    struct study_codebook book;

    tap_case("the book is read");
    if (CHECK(study_codebook_parse(str_from(book_text), "c.yaml", &arena, &book,
                                   &problems, &err)) &&
        CHECK(book.count == 2)) {
        check_find(&book.dimensions[0]);
        check_every_code(&book.dimensions[0]);
        check_choose(&book);
    }
    buf_free(&problems);
    arena_free(&arena);
    return tap_done();
}
