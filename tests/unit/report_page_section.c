/* Sections of the study file as YAML: what is shown reads back as what was written. */
#include "report/internal.h"
#include "tests/unit/paged.h"

static const struct {
    const char *name, *yaml, *shown;
} rows[] = {
    {"scalars in quotes only where YAML needs them", "{a: 1, b: 'x: y', c: '#z'}",
     "a: 1\nb: 'x: y'\nc: '#z'"},
    {"a quote is doubled", "{a: \"it's: so\"}", "a: 'it''s: so'"},
    {"lists stay on their line", "{a: [x, 'y z', '*']}", "a: [x, y z, '*']"},
    {"mappings within are indented", "{a: {b: {c: 1}, d: 2}}",
     "a:\n  b:\n    c: 1\n  d: 2"},
    {"mappings in lists stand in braces", "{a: [{b: 1, c: 2}]}", "a: [{b: 1, c: 2}]"},
};

int main(void)
{
    struct arena arena = {0};
    struct buf out = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct yaml_node node;
        struct err err = {0};
        tap_case("section: %s", rows[i].name);
        if (!CHECK(yaml_parse(str_from(rows[i].yaml), "x.yaml", &arena, &node, &err)))
            continue;
        report_page_section(&node, &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, rows[i].shown);
        buf_clear(&out);
    }
    buf_free(&out);
    arena_free(&arena);
    return tap_done();
}
