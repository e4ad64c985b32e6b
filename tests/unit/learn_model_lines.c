/* Words of a line, one after the other, and what is said of a wrong one. */
#include "learn/model_lines.h"

#include "tests/tap.h"

static const char *const kinds[] = {"word", "run"};

/* What is asked of the line: i a whole number up to 12, r a number, n a name, e its end.
 */
static const struct {
    const char *name, *text, *asked, *message;
} rows[] = {
    {"all as it should be", "head 12 0.5 run\n", "irne", NULL},
    {"another head", "tail 12\n", "", "found 'tail 12', expected head"},
    {"no line", "", "", "the model ends too early"},
    {"no number", "head x\n", "i", "found 'x', expected a whole number that fits"},
    {"a number that is too large", "head 13\n", "i",
     "found '13', expected a whole number that fits"},
    {"infinity", "head inf\n", "r", "found 'inf', expected a number"},
    {"an unknown name", "head stem\n", "n", "found 'stem', expected a known name"},
    {"more than there should be", "head 1 2\n", "ie",
     "found '2', expected the end of the line"},
};

static bool ask(struct model_lines *lines, char what, struct err *err)
{
    int64_t whole;
    double real;
    size_t name;

    switch (what) {
    case 'i':
        return model_lines_int(lines, 0, 12, &whole, err);
    case 'r':
        return model_lines_real(lines, &real, err);
    case 'n':
        return model_lines_name(lines, kinds, ROWS(kinds), &name, err);
    default:
        return model_lines_end(lines, err);
    }
}

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct model_lines lines = {.rest = str_from(rows[i].text)};
        struct err err = {0};
        bool ok = model_lines_expect(&lines, "head", &err);
        tap_case("%s", rows[i].name);
        for (const char *asked = rows[i].asked; ok && *asked != '\0'; asked++)
            ok = ask(&lines, *asked, &err);
        CHECK(ok == (rows[i].message == NULL));
        if (rows[i].message != NULL)
            CHECK_TEXT(err.text, rows[i].message);
    }
    return tap_done();
}
