/* Fields that a study's sources bring of their own, and its sources' names: where they
 * may be asked for, what is said about wrong ones, and what the corpus needs because of
 * them. */
#include "study/study.h"

#include <string.h>

#include "tests/tap.h"

#define ROWS_SOURCE \
    "study: s\nsource: {rows: r.csv, fields: {stars: Stars, level: Level}}\n"
#define TITLED "study: s\nsource: {rows: r.csv, columns: {title: Name}}\n"
#define SITES \
    "study: s\nsources:\n" \
    "  ai: {stackexchange: ai.stackexchange.com}\n" \
    "  so: {stackexchange: stackoverflow.com}\n"
#define SHARED \
    "study: s\nsources:\n" \
    "  a: {stackexchange: d}\n" \
    "  b: {posts: p.csv, fields: {stars: Stars}}\n" \
    "  c: {rows: r.csv, fields: {level: Level}}\n"

static const struct {
    const char *name, *study;
    const char *problems; /* what they begin with; empty: none */
} checked[] = {
    {"queries",
     ROWS_SOURCE "sets: {a: 'stars:5.. and not level:crash'}\n"
                 "groups: {g: {first-of: {many: 'stars>5', few: 'stars<=5'}}}",
     ""},
    {"unknown field", ROWS_SOURCE "sets: {a: 'star:5'}",
     "s.yaml:3:12: column 1: unknown field 'star'; did you mean 'stars'?"},
    {"the name of a field of the table",
     "study: s\nsource: {rows: r.csv, fields: {Score: Stars}}",
     "s.yaml:2:32: 'Score' is a field of every item already; choose another name"},
    {"the only source has no name", ROWS_SOURCE "sets: {a: 'source:x'}",
     "s.yaml:3:12: column 8: there is no source 'x': the only one has no name"},
    {"source",
     SITES "sets: {a: 'source:ai', b: 'id:so:5'}\n"
           "groups: {g: {all-of: {AI: 'source:ai'}}}",
     ""},
    {"unknown source", SITES "sets: {a: 'source:aii'}",
     "s.yaml:5:12: column 8: unknown source 'aii'; did you mean 'ai'?"},
    {"measures",
     ROWS_SOURCE "sets: {a: '*'}\n"
                 "tables: {t: {of: a, columns: [median stars, mean stars, sum "
                 "stars, distinct level, median field stars, 'rank of median "
                 "stars ascending']}}",
     ""},
    {"unknown measure",
     ROWS_SOURCE "sets: {a: '*'}\n"
                 "tables: {t: {of: a, columns: [median star]}}",
     "s.yaml:4:31: measure 'median star': unknown word 'star'; did you mean 'stars'?"},
    {"unknown field of a measure",
     ROWS_SOURCE "sets: {a: '*'}\n"
                 "tables: {t: {of: a, columns: [median field star]}}",
     "s.yaml:4:31: measure 'median field star': unknown field 'star'; did you mean "
     "'stars'?"},
    {"title of rows", ROWS_SOURCE "sets: {a: 'title:word'}",
     "s.yaml:3:12: rows have no title; say which column it is: columns: {title: ...}"},
    {"body of rows in a group", ROWS_SOURCE "groups: {g: {all-of: {A: 'body:word'}}}",
     "s.yaml:3:27: rows have no body; say which column it is: columns: {body: ...}"},
    {"code of rows", ROWS_SOURCE "sets: {a: 'hascode:yes'}",
     "s.yaml:3:12: rows have no body; say which column it is: columns: {body: ...}"},
    {"prose of rows", ROWS_SOURCE "sets: {a: 'word'}",
     "s.yaml:3:12: rows have no prose, which is title and body; say which columns"},
    {"title of rows that have one", TITLED "sets: {a: 'title:word and word'}", ""},
    {"another text of rows that have a title", TITLED "sets: {a: 'code:word'}",
     "s.yaml:3:12: rows have no body; say which column it is: columns: {body: ...}"},
    {"take by a source of its own site", SITES "take: 'source:ai'", ""},
    {"take by one that shares its posts", SHARED "take: 'source:a or [x]'",
     "s.yaml:6:8: `take` cannot ask for sources of one site, nor for fields"},
    {"take by a field of shared posts", SHARED "take: 'not stars:5'",
     "s.yaml:6:8: `take` cannot ask for sources of one site, nor for fields"},
    {"rows beside a dump", SHARED "sets: {a: 'title:word'}", ""},
};

/* Between the parts of a site nobody knows where else a post stands. */
static const struct {
    const char *name, *study, *needed;
} needed[] = {
    {"sources of two sites",
     SITES "sets: {a: 'source:ai and [x]', b: 'source:so and [y]'}",
     "source:ai and [x] or source:so and [y]"},
    {"a source that shares its items", SHARED "sets: {a: 'source:b and [x]'}", "[x]"},
    {"and one that does not", SHARED "sets: {a: 'source:c or [x]'}", "[x] or source:c"},
    {"negated", SHARED "sets: {a: 'not source:b and [x]'}", "not not * and [x]"},
    {"within a negation", SHARED "sets: {a: 'not (source:b and score:5..) and [x]'}",
     "not (not * and score:5..) and [x]"},
    {"alone", SHARED "sets: {a: 'source:b'}", "*"},
    {"one of several", SHARED "sets: {a: '(source:b or score:5..) and [x]'}", "[x]"},
    {"a field that comes with shared items", SHARED "sets: {a: 'stars:5.. and [x]'}",
     "[x]"},
    {"a field of rows alone", SHARED "sets: {a: 'level:crash'}", "level:crash"},
    {"tables alone are taken whole", ROWS_SOURCE "sets: {a: 'stars:5..'}", "*"},
};

int main(void)
{
    struct study_options options = {0};

    for (size_t i = 0; i < ROWS(checked); i++) {
        struct arena arena = {0};
        struct buf problems = {0};
        struct err err = {0};
        struct study study;
        tap_case("checked: %s", checked[i].name);
        bool ok = study_parse(str_from(checked[i].study), "s.yaml", &options, &arena,
                              &study, &problems, &err);
        buf_add_char(&problems, '\0');
        CHECK(ok == (checked[i].problems[0] == '\0'));
        if (!CHECK(ok ? problems.len == 1
                      : strstr(problems.ptr, checked[i].problems) == problems.ptr))
            CHECK_TEXT(problems.ptr, checked[i].problems);
        buf_free(&problems);
        arena_free(&arena);
    }
    for (size_t i = 0; i < ROWS(needed); i++) {
        struct arena arena = {0};
        struct buf problems = {0}, out = {0};
        struct err err = {0};
        struct study study;
        tap_case("needed: %s", needed[i].name);
        if (CHECK(study_parse(str_from(needed[i].study), "s.yaml", &options, &arena,
                              &study, &problems, &err)))
            query_print(study_needed(&study, &arena), &out);
        buf_add_char(&out, '\0');
        CHECK_TEXT(out.ptr, needed[i].needed);
        buf_free(&problems);
        buf_free(&out);
        arena_free(&arena);
    }
    return tap_done();
}
