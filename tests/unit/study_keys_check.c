/* Checking a document against the table of keys. */
#include "study/keys.h"

#include <string.h>

#include "tests/tap.h"

/* Each mistake and what is said of it; the whole text of all messages. */
static const struct {
    const char *name, *yaml, *problems;
} wrong[] = {
    {"an unknown key", "study: s\ntablez: {}\n",
     "f:2:1: unknown key 'tablez'; did you mean 'tables'?\n"},
    {"an unknown key, nothing near", "study: s\nsource: {qqqqqqqq: 1}\n",
     "f:2:10: unknown key 'qqqqqqqq'; expected one of stackexchange, posts, rows, "
     "github, discourse, git, clickhouse, columns"},
    {"a missing key", "title: t\n",
     "f:1:1: the key 'study' is missing: A short name for the study.\n"},
    {"a misspelt key is one complaint", "stduy: s\n",
     "f:1:1: unknown key 'stduy'; did you mean 'study'?\n"},
    {"no mapping at all", "- a\n", "f:1:3: expected 'key: value' lines\n"},
    {"a section that is text", "study: s\nsource: here\n",
     "f:2:9: expected `key: value` lines, found 'here'\n"},
    {"nothing where something must be", "study:\n",
     "f:1:1: expected text, found 'nothing'\n"},
    {"a date that is none", "study: s\nsource: {stackexchange: d, until: soon}\n",
     "f:2:35: expected a date such as 2019-12-02, found 'soon'\n"},
    {"a choice that there is not", "study: s\nsource: {also: [comment]}\n",
     "f:2:17: unknown value 'comment'; did you mean 'comments'?\n"},
    {"yes or no", "study: s\ntables: {t: {descending: maybe}}\n",
     "f:2:26: expected yes or no, found 'maybe'\n"},
    {"a number out of its limits", "study: s\ntables: {t: {confidence: 95}}\n",
     "f:2:26: expected a number from 0.5 to 0.9999, found '95'\n"},
    {"a whole number with a point", "study: s\ntables: {t: {top: 1.5}}\n",
     "f:2:19: expected a whole number from 1 to 100000, found '1.5'\n"},
    {"a name that is not there",
     "study: s\nsets: {server: '[x]'}\ntables: {t: {of: sever}}\n",
     "f:3:18: 'sever' is not a name under sets/samples; did you mean 'server'?\n"},
    {"a name where there are none", "study: s\ntables: {t: {by: kind}}\n",
     "f:2:18: 'kind' is not a name under groups; there is none\n"},
    {"a name that is no name", "study: s\nsets: {2a: '[x]'}\n",
     "f:2:8: expected a name of letters a to z, digits, - _ . that begins with a letter, "
     "found "
     "'2a'\n"},
    {"a list where there must be one thing", "study: [a, b]\n",
     "f:1:9: expected text, found a list\n"},
    {"one thing where there must be a list",
     "study: s\nsets: {a: '[x]'}\ngroups: {g: {sets: a}}\n",
     "f:3:20: expected a list, as [a], found 'a'\n"},
    {"nothing where there must be a list",
     "study: s\nsets: {a: '[x]'}\ngroups: {g: {sets: ''}}\n",
     "f:3:21: expected the name of one of: sets, samples; a list of them, found "
     "'nothing'\n"},
    {"text where names must have values", "study: s\ncodebooks: b.yaml\n",
     "f:2:12: expected `name: value` lines, each value a path, found 'b.yaml'\n"},
    {"a grouping that there is not", "study: s\ngroups: {g: created by week}\n",
     "f:2:13: found 'created by week', expected 'created by year'"},
    {"a measure that is none", "study: s\ntables: {t: {columns: [cuont]}}\n",
     "f:2:24: measure 'cuont': unknown word 'cuont'; did you mean 'count'?\n"},
    {"a size that is none",
     "study: s\nsets: {a: '[x]'}\nsamples: {p: {of: a, size: some, seed: 1}}\n",
     "f:3:28: "},
    {"a query that is none", "study: s\nsets: {a: '[x'}\n", "f:2:12: "},
    {"in the order of the file",
     "study: s\nsets: {2b: '[x]'}\nzz: 1\nsource: {until: x}\n",
     "f:2:8: expected a name"},
};

static void check_wrong(size_t i, struct arena *arena)
{
    struct study_keys_problems problems = {.path = "f", .arena = arena};
    struct yaml_node root;
    struct err err = {0};
    struct buf out = {0};

    CHECK(yaml_parse(str_from(wrong[i].yaml), "f", arena, &root, &err));
    study_keys_check(&root, arena, &problems);
    study_keys_report(&problems, &out);
    buf_add_char(&out, '\0');
    /* Without a line end: how it begins. */
    size_t len = strlen(wrong[i].problems);
    bool whole = wrong[i].problems[len - 1] == '\n';
    if (!CHECK(strncmp(out.ptr, wrong[i].problems, len) == 0 &&
               (!whole || out.ptr[len] == '\0')))
        CHECK_TEXT(out.ptr, wrong[i].problems);
    buf_free(&out);
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(wrong); i++) {
        tap_case("refused: %s", wrong[i].name);
        check_wrong(i, &arena);
    }
    arena_free(&arena);
    return tap_done();
}
