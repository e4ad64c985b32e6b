/* The table of keys itself: that what reads it can rely on it. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "study/keys.h"
#include "tests/tap.h"

static bool exists(struct str path)
{
    for (size_t i = 0; i < study_keys_count; i++)
        if (str_eq(str_from(study_keys_table[i].path), path))
            return true;
    return false;
}

/* Every name in "a|b" is a top key whose values have names. */
static bool names_sections(const char *detail)
{
    struct str rest = str_from(detail), name;

    for (bool more = true; more;) {
        more = str_cut(&rest, '|', &name);
        const struct study_keys_row *row = study_keys_find(name);
        if (row == NULL || !(row->forms & (STUDY_KEYS_NAMES | STUDY_KEYS_MAP)))
            return false;
    }
    return true;
}

static void check_row(const struct study_keys_row *row)
{
    const char *dot = strrchr(row->path, '.');
    size_t help = strlen(row->help);
    unsigned numbers = row->forms & (STUDY_KEYS_WHOLE | STUDY_KEYS_NUMBER);

    /* A section stands before its keys, except for the elements of a list of sections. */
    if (dot != NULL) {
        struct str above = {row->path, (size_t)(dot - row->path)};
        if (str_ends(above, STR(".-")))
            above = str_slice(above, 0, above.len - 2);
        CHECK(exists(above));
    }
    CHECK(row->forms != 0 && help > 0);
    /* A sentence, or an example behind one. */
    CHECK(strchr(".;?}", row->help[help - 1]) != NULL);
    CHECK((row->forms & (STUDY_KEYS_REF | STUDY_KEYS_CHOICE)) == 0 ||
          row->detail != NULL);
    if (row->forms & STUDY_KEYS_REF)
        CHECK(names_sections(row->detail));
    CHECK(numbers == 0 ? row->lowest == 0 && row->highest == 0
                       : row->lowest < row->highest);
    /* A value by default is one that may be written. */
    if (row->fallback != NULL && row->forms & STUDY_KEYS_CHOICE)
        CHECK(strstr(row->detail, row->fallback) != NULL);
    CHECK(row->fallback == NULL || !row->required);
    if (row->forms & STUDY_KEYS_NAMES &&
        (row->detail == NULL || strcmp(row->detail, "any") == 0)) {
        char below[200];
        CHECK(snprintf(below, sizeof below, "%s.*", row->path) < (int)sizeof below);
        CHECK(exists(str_from(below)));
    }
}

int main(void)
{
    for (size_t i = 0; i < study_keys_count; i++) {
        size_t same = 0;
        tap_case("key %s", study_keys_table[i].path);
        check_row(&study_keys_table[i]);
        for (size_t k = 0; k < study_keys_count; k++)
            same += strcmp(study_keys_table[i].path, study_keys_table[k].path) == 0;
        CHECK(same == 1);
    }
    return tap_done();
}
