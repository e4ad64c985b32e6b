/* Both spellings of tags. */
#include "text/taglist.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"

static const struct {
    const char *name, *text, *want;
} rows[] = {
    {"angles", "<python><c++>", "python c++ "},
    {"bars", "|python|c#|", "python c# "},
    {"one", "<tensorflow>", "tensorflow "},
    {"bare", "tensorflow", "tensorflow "},
    {"nothing", "", ""},
    {"only borders", "<>||", ""},
    {"cut off", "<python><nu", "python nu "},
};

int main(void)
{
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct str rest = str_from(rows[i].text), tag;
        char got[100] = "";
        tap_case("tags: %s", rows[i].name);
        while (taglist_next(&rest, &tag))
            snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s ", STR_ARG(tag));
        CHECK_TEXT(got, rows[i].want);
    }
    return tap_done();
}
