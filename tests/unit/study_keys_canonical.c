/* The canonical form: what is the same, and what is not. */
#include "study/keys.h"

#include "tests/tap.h"

static const struct {
    const char *name, *path, *one, *two;
    bool same;
} canonical[] = {
    {"comments", "tables.*", "{of: a} # why\n", "{of: a}", true},
    {"kinds of quotes", "tables.*", "{of: 'a', title: \"b\"}", "{of: a, title: b}", true},
    {"flow and block", "tables.*", "of: a\ncolumns: [count]\n",
     "{of: a, columns: [count]}", true},
    {"order of keys", "tables.*", "{of: a, top: 3}", "{top: 3, of: a}", true},
    {"another value", "tables.*", "{of: a}", "{of: b}", false},
    {"another key", "tables.*", "{of: a}", "{by: a}", false},
    {"order in lists counts", "tables.*", "{of: [a, b]}", "{of: [b, a]}", false},
    {"one and a list of one differ", "tables.*", "{of: a}", "{of: [a]}", false},
    {"order of groups counts: the first takes", "groups.*",
     "{first-of: {A: '[a]', B: '[b]'}}", "{first-of: {B: '[b]', A: '[a]'}}", false},
    {"a query's blanks", "groups.*", "{first-of: {A: '[a]  or   [b]'}}",
     "{first-of: {A: '[a] or [b]'}}", true},
    {"a query's parentheses", "groups.*", "{first-of: {A: '([a]) or ([b])'}}",
     "{first-of: {A: '[a] or [b]'}}", true},
    {"another query", "groups.*", "{first-of: {A: '[a] or [b]'}}",
     "{first-of: {A: '[a] and [b]'}}", false},
    {"a query with a field of a source", "groups.*", "{first-of: {A: 'stars > 5.0'}}",
     "{first-of: {A: '(stars:>5)'}}", true},
    {"another number of it", "groups.*", "{first-of: {A: 'stars>5'}}",
     "{first-of: {A: 'stars:5..'}}", false},
    {"names that look like syntax", "groups.*", "{others: 'a\",\"b'}",
     "{others: a, b: ''}", false},
};

static void check_canonical(size_t i, struct arena *arena)
{
    const char *const texts[] = {canonical[i].one, canonical[i].two};
    struct buf out[2] = {{0}};

    for (size_t k = 0; k < 2; k++) {
        struct yaml_node node;
        struct err err = {0};
        CHECK(yaml_parse(str_from(texts[k]), "f", arena, &node, &err));
        study_keys_canonical(&node, canonical[i].path, &out[k]);
    }
    CHECK(str_eq(buf_str(&out[0]), buf_str(&out[1])) == canonical[i].same);
    buf_free(&out[0]);
    buf_free(&out[1]);
}

int main(void)
{
    struct arena arena = {0};

    for (size_t i = 0; i < ROWS(canonical); i++) {
        tap_case("%s: %s", canonical[i].same ? "the same" : "not the same",
                 canonical[i].name);
        check_canonical(i, &arena);
    }
    arena_free(&arena);
    return tap_done();
}
