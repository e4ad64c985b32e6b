/* The keys for people and editors. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "study/keys.h"
#include "tests/tap.h"

static const struct {
    const char *path, *wanted;
} rows[] = {
    {"study", "text"},
    {"source.also",
     "one of comments, users, links, votes, history, badges, or a list of them"},
    {"source.columns", "`name: value` lines, each value text"},
    {"groups.*", "`created by year` or the like, or `key: value` lines"},
    {"groups.*.sets", "the name of one of: sets, samples; a list of them"},
    {"samples.*.seed", "a whole number from 0 to 9e+15"},
    {"sets", "`name: ...` lines"},
};

static size_t count(struct str text, const char *part)
{
    size_t found = 0, len = strlen(part);

    for (size_t i = 0; i + len <= text.len; i++)
        found += memcmp(text.ptr + i, part, len) == 0;
    return found;
}

/* Follows names through the schema; NULL when one is not there. */
static const json_t *property(const json_t *section, const char *name)
{
    return json_object_get(json_object_get(section, "properties"), name);
}

static void check_schema(void)
{
    struct buf out = {0};
    json_error_t error;

    tap_case("the schema is json, with every top key");
    study_keys_schema(&out);
    json_t *root = json_loadb(out.ptr, out.len, JSON_REJECT_DUPLICATES, &error);
    if (CHECK(root != NULL)) {
        for (size_t i = 0; i < study_keys_count; i++)
            if (strchr(study_keys_table[i].path, '.') == NULL)
                CHECK(property(root, study_keys_table[i].path) != NULL);
        CHECK(json_array_size(json_object_get(root, "required")) == 1);
        tap_case("the schema knows what stands in lists, maps and sections");
        const json_t *codebooks = json_object_get(property(root, "codebooks"), "anyOf");
        /* A mapping, and nothing else. */
        CHECK(json_array_size(codebooks) == 1);
        CHECK_TEXT(
            json_string_value(json_object_get(json_array_get(codebooks, 0), "type")),
            "object");
    }
    json_decref(root);
    buf_free(&out);
}

/* Each has a line of its own, which says what it is. */
static void check_tests(void)
{
    size_t i = 0;
    struct buf out = {0};
    struct str name;

    tap_case("help: a line for every test");
    while (strcmp(study_keys_table[i].path, "tests.*.test") != 0)
        i++;
    study_keys_help(&study_keys_table[i], &out);
    struct str rest = str_from(study_keys_table[i].detail);
    for (bool more = true; more;) {
        char line[60];
        more = str_cut(&rest, '|', &name);
        snprintf(line, sizeof line, "\n  %.*s: ", STR_ARG(name));
        CHECK(count(buf_str(&out), line) == 1);
    }
    buf_free(&out);
}

int main(void)
{
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("wanted: %s", rows[i].path);
        study_keys_wanted(study_keys_find(str_from(rows[i].path)), &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, rows[i].wanted);
        buf_clear(&out);
    }
    tap_case("help: form, default, sentences, keys below");
    study_keys_help(study_keys_find(STR("tables.small")), &out);
    buf_add_char(&out, '\0');
    CHECK_TEXT(out.ptr, "tables.*.small  (a whole number from 0 to 1e+06; default 5)\n"
                        "  Cells that rest on fewer items are marked.\n");
    buf_clear(&out);
    study_keys_help(study_keys_find(STR("samples")), &out);
    CHECK(count(buf_str(&out), "\nkeys below it:\n") == 1);
    CHECK(count(buf_str(&out), "  samples.*.seed\n") == 1);
    tap_case("help: no line is wider than a screen");
    for (size_t i = 0; i < study_keys_count; i++) {
        struct str rest, line;
        buf_clear(&out);
        study_keys_help(&study_keys_table[i], &out);
        rest = buf_str(&out);
        str_cut(&rest, '\n', &line); /* the form may be long */
        while (rest.len > 0) {
            str_cut(&rest, '\n', &line);
            CHECK(line.len <= 80 && !str_ends(line, STR(" ")));
        }
    }
    tap_case("list and manual have every key");
    buf_clear(&out);
    study_keys_manual(&out);
    CHECK(count(buf_str(&out), ".TP\n") == study_keys_count);
    buf_clear(&out);
    study_keys_help_all(&out);
    CHECK(count(buf_str(&out), "\n") == study_keys_count + 1);
    tap_case("what stands right below a path");
    CHECK(study_keys_is_below(study_keys_find(STR("source.until")), "source"));
    CHECK(!study_keys_is_below(study_keys_find(STR("samples.seed")), "samples"));
    CHECK(study_keys_is_below(study_keys_find(STR("samples.seed")), "samples.*"));
    CHECK(study_keys_is_below(study_keys_find(STR("source")), ""));
    CHECK(!study_keys_is_below(study_keys_find(STR("source.until")), "sour"));
    check_schema();
    check_tests();
    buf_free(&out);
    return tap_done();
}
