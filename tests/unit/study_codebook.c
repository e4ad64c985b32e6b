/* Codebooks: all that a file may say, and all its errors at once. */
#include "study/codebook.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/tap.h"

static const char full[] = "codebook: deployment\n"
                           "title: Challenges in deployment\n"
                           "several: yes\n"
                           "codes:\n"
                           "  data:\n"
                           "    name: Data processing\n"
                           "    definition: Getting data in.\n"
                           "    use-when: The input is the trouble.\n"
                           "    not-when: The model is.\n"
                           "    examples: [one, ' two ']\n"
                           "    counter-examples: [three]\n"
                           "    also: [preprocessing, 'data/handling']\n"
                           "    codes:\n"
                           "      parsing: Parsing output\n"
                           "      D1.x_y-z:\n"
                           "        codes: {deep: {}}\n"
                           "  env:\n"
                           "special:\n"
                           "  unclear: {name: Unclear question, definition: D.}\n"
                           "  pending: Pending\n";

static const struct {
    const char *path, *name;
    int level, parent; /* -1: none */
    bool leaf, special;
} codes[] = {
    {"data", "Data processing", 1, -1, false, false},
    {"data/parsing", "Parsing output", 2, 0, true, false},
    {"data/D1.x_y-z", "D1.x_y-z", 2, 0, false, false},
    {"data/D1.x_y-z/deep", "deep", 3, 2, true, false},
    {"env", "env", 1, -1, true, false},
    {"unclear", "Unclear question", 1, -1, true, true},
    {"pending", "Pending", 1, -1, true, true},
};

static bool is(struct str got, const char *want)
{
    return str_eq(got, str_from(want));
}

static bool parse(const char *text, struct arena *arena, struct study_codebook *out)
{
    struct buf problems = {0};
    struct err err = {0};
    bool ok = study_codebook_parse(str_from(text), "c.yaml", arena, out, &problems, &err);

    buf_add_char(&problems, '\0');
    CHECK_TEXT(problems.ptr, "");
    buf_free(&problems);
    return CHECK(ok);
}

static void check_full(struct arena *arena)
{
    struct study_codebook book;

    tap_case("one dimension: the book");
    if (!parse(full, arena, &book) || !CHECK(book.count == 1))
        return;
    const struct study_codebook_dimension *dimension = &book.dimensions[0];
    CHECK(is(book.id, "deployment") && is(book.title, "Challenges in deployment"));
    CHECK(is(dimension->id, "deployment") &&
          is(dimension->name, "Challenges in deployment") && dimension->several);
    if (!CHECK(dimension->count == ROWS(codes)))
        return;
    for (size_t i = 0; i < ROWS(codes); i++) {
        const struct study_codebook_code *code = &dimension->codes[i];
        tap_case("one dimension: %s", codes[i].path);
        CHECK(is(code->path, codes[i].path) && is(code->name, codes[i].name));
        CHECK(str_ends(code->path, code->id));
        CHECK(code->level == codes[i].level && code->leaf == codes[i].leaf);
        CHECK(code->parent ==
              (codes[i].parent < 0 ? STUDY_CODEBOOK_NONE : (size_t)codes[i].parent));
        CHECK(code->special == codes[i].special);
    }
    tap_case("one dimension: what a code says");
    const struct study_codebook_code *data = &dimension->codes[0];
    CHECK(is(data->definition, "Getting data in."));
    CHECK(is(data->use_when, "The input is the trouble."));
    CHECK(is(data->not_when, "The model is."));
    CHECK(data->examples.count == 2 && is(data->examples.at[1], "two"));
    CHECK(data->counter_examples.count == 1 && is(data->counter_examples.at[0], "three"));
    CHECK(data->also.count == 2 && is(data->also.at[1], "data/handling"));
    CHECK(dimension->codes[1].definition.len == 0 && dimension->codes[1].also.count == 0);
    CHECK(is(dimension->codes[5].definition, "D."));
}

static void check_dimensions(struct arena *arena)
{
    struct study_codebook book;

    tap_case("several dimensions share the file's special codes and 'several'");
    if (!parse("codebook: bugs\n"
               "several: yes\n"
               "special: {unclear: Unclear}\n"
               "dimensions:\n"
               "  cause: {name: Root cause, several: no, codes: {api: API, data: Data}}\n"
               "  effect: {codes: {crash: Crash}, special: {none: No effect}}\n",
               arena, &book) ||
        !CHECK(book.count == 2))
        return;
    const struct study_codebook_dimension *cause = &book.dimensions[0],
                                          *effect = cause + 1;
    CHECK(is(book.title, "bugs"));
    CHECK(is(cause->id, "cause") && is(cause->name, "Root cause") && !cause->several);
    CHECK(is(effect->id, "effect") && is(effect->name, "effect") && effect->several);
    CHECK(cause->count == 3 && is(cause->codes[2].id, "unclear") &&
          cause->codes[2].special);
    CHECK(effect->count == 3 && is(effect->codes[1].id, "none") &&
          is(effect->codes[2].id, "unclear"));
}

#define ALLOWED \
    "; allowed are name, definition, use-when, not-when, examples, " \
    "counter-examples, also, codes\n"

static const struct {
    const char *name, *text, *problems;
} wrong[] = {
    {"nothing", "",
     "c.yaml:1:1: expected 'codebook:' with the book's id\n"
     "c.yaml:1:1: expected 'codes:' with 'id: name' lines\n"},
    {"a list", "[a]", "c.yaml:1:2: expected 'key: value' lines; found a list\n"},
    {"not YAML", "codes: [", NULL},
    {"an id given twice", "codebook: b\ncodes:\n  a: x\n  a: y\n",
     "c.yaml:4:3: key 'a' is given twice; first in line 3\n"},
    {"all at once",
     "codebook: b c\nseveral: maybe\ntitel: T\ncodes:\n  a/b: x\n  c: {nam: C}\n",
     "c.yaml:1:11: expected an id of letters, digits, - _ .; found 'b c'\n"
     "c.yaml:2:10: expected yes or no; found 'maybe'\n"
     "c.yaml:3:1: unknown key 'titel'; did you mean 'title'?\n"
     "c.yaml:5:3: expected an id of letters, digits, - _ .; found 'a/b'\n"
     "c.yaml:6:7: unknown key 'nam'; did you mean 'name'?\n"},
    {"codes below a code without 'codes'", "codebook: b\ncodes: {a: {parsing: P}}",
     "c.yaml:2:13: unknown key 'parsing'" ALLOWED},
    {"an empty id", "codebook: b\ncodes: {'': x}",
     "c.yaml:2:10: expected an id of letters, digits, - _ .; found nothing\n"},
    {"an empty title", "codebook: b\ntitle:\ncodes: {a: x}",
     "c.yaml:2:1: expected text; found nothing\n"},
    {"a name that is a list", "codebook: b\ncodes: {a: {name: [x]}}",
     "c.yaml:2:20: expected text; found a list\n"},
    {"a code that is a list", "codebook: b\ncodes: {a: [x]}",
     "c.yaml:2:13: expected a code's name or its 'key: value' lines; found a list\n"},
    {"codes that are a list", "codebook: b\ncodes: [x]",
     "c.yaml:2:9: expected 'id: name' lines; found a list\n"},
    {"no codes below", "codebook: b\ncodes: {a: {codes: {}}}",
     "c.yaml:2:13: expected 'id: name' lines; found an empty collection\n"},
    {"examples that are a text", "codebook: b\ncodes: {a: {examples: x}}",
     "c.yaml:2:23: expected a list of texts, as in [one, two]; found 'x'\n"},
    {"an example that is none", "codebook: b\ncodes: {a: {examples: [x, {y: z}]}}",
     "c.yaml:2:28: expected text; found a mapping\n"},
    {"an empty spelling", "codebook: b\ncodes: {a: {also: ['']}}",
     "c.yaml:2:21: expected text; found nothing\n"},
    {"ids that differ in case only", "codebook: b\ncodes:\n  env: x\n  Env: y\n",
     "c.yaml:4:3: 'Env' already stands for the code 'env' in line 3\n"},
    {"a special code with a code's id", "codebook: b\ncodes: {a: x}\nspecial: {a: y}\n",
     "c.yaml:3:11: 'a' already stands for the code 'a' in line 2\n"},
    {"a special code with codes",
     "codebook: b\ncodes: {a: x}\nspecial: {s: {codes: {t: "
     "u}}}\n",
     "c.yaml:3:23: a special code has no codes below it\n"},
    {"one spelling for two codes",
     "codebook: b\ncodes:\n  a: {also: [E]}\n  b: {also: [' e ']}\n",
     "c.yaml:4:15: 'e' already stands for the code 'a' in line 3\n"},
    {"a spelling that is another's name",
     "codebook: b\ncodes:\n  a: {codes: {c: Name}}\n  b: {also: [name]}\n",
     "c.yaml:4:14: 'name' already stands for the code 'a/c' in line 3\n"},
    {"codes beside dimensions",
     "codebook: b\ncodes: {a: x}\ndimensions: {d: {codes: {a: "
     "x}}}\n",
     "c.yaml:2:9: found 'codes' beside 'dimensions'; expected one of them\n"},
    {"a dimension that is a text", "codebook: b\ndimensions: {d: x}",
     "c.yaml:2:17: expected a dimension's 'key: value' lines; found 'x'\n"},
    {"a dimension without codes", "codebook: b\ndimensions: {d: {several: no}}",
     "c.yaml:2:18: expected 'codes:' with 'id: name' lines\n"},
    {"a dimension's keys", "codebook: b\ndimensions: {'d/': {codes: {a: x}, title: t}}",
     "c.yaml:2:15: expected an id of letters, digits, - _ .; found 'd/'\n"
     "c.yaml:2:36: unknown key 'title'; allowed are name, several, codes, special\n"},
    {"shared special codes complain once",
     "codebook: b\nspecial: {s: [x]}\ndimensions: {d: {codes: {a: x}}, e: {codes: {a: "
     "x}}}",
     "c.yaml:2:15: expected a code's name or its 'key: value' lines; found a list\n"},
};

static void check_wrong(struct arena *arena)
{
    for (size_t i = 0; i < ROWS(wrong); i++) {
        struct study_codebook book;
        struct buf problems = {0};
        struct err err = {0};
        tap_case("refused: %s", wrong[i].name);
        CHECK(!study_codebook_parse(str_from(wrong[i].text), "c.yaml", arena, &book,
                                    &problems, &err));
        CHECK(err.kind == ERR_INPUT && strstr(err.text, " error") != NULL);
        buf_add_char(&problems, '\0');
        if (wrong[i].problems != NULL)
            CHECK_TEXT(problems.ptr, wrong[i].problems);
        else
            CHECK(strstr(problems.ptr, "not readable as YAML") != NULL);
        buf_free(&problems);
    }
}

/* A book of `count` codes, or of one that is `depth` levels deep. */
static void add_book(struct buf *text, int count, int depth)
{
    buf_add(text, STR("codebook: b\ncodes: {"));
    for (int i = 0; i < count; i++)
        buf_add_format(text, "c%d: Code %d,\n ", i, i);
    for (int i = 1; i < depth; i++)
        buf_add(text, STR("a: {name: A, codes: {"));
    buf_add(text, STR("last: x"));
    for (int i = 1; i < depth; i++)
        buf_add(text, STR("}}"));
    buf_add(text, STR("}\n"));
}

static const struct {
    const char *name;
    int count, depth;
    const char *problems;
} limits[] = {
    {"10,000 codes", 9999, 1, ""},
    {"10,001 codes", 10000, 1,
     "c.yaml:1:1: found 10001 codes up to here; at most 10000 are allowed\n"},
    {"15 levels", 0, 15, ""},
    {"16 levels", 0, 16, "c.yaml:2:324: nested too deeply; expected at most 32 levels\n"},
};

static void check_limits(void)
{
    for (size_t i = 0; i < ROWS(limits); i++) {
        struct arena arena = {0};
        struct study_codebook book;
        struct buf text = {0}, problems = {0};
        struct err err = {0};
        tap_case("limits: %s", limits[i].name);
        add_book(&text, limits[i].count, limits[i].depth);
        bool ok = study_codebook_parse(buf_str(&text), "c.yaml", &arena, &book, &problems,
                                       &err);
        CHECK(ok == (limits[i].problems[0] == '\0'));
        buf_add_char(&problems, '\0');
        CHECK_TEXT(problems.ptr, limits[i].problems);
        buf_free(&text);
        buf_free(&problems);
        arena_free(&arena);
    }
}

static void check_file(struct arena *arena)
{
    char path[] = "/tmp/assay-test-XXXXXX";
    int descriptor = mkstemp(path);
    struct study_codebook book;
    struct buf problems = {0};
    struct err err = {0};

    tap_case("a file is read");
    if (CHECK(descriptor >= 0 && close(descriptor) == 0) &&
        CHECK(file_write(path, str_from(full), &err)))
        CHECK(study_codebook_load(path, arena, &book, &problems, &err) &&
              book.count == 1);
    file_remove(path);
    tap_case("a file that is not there");
    CHECK(!study_codebook_load(path, arena, &book, &problems, &err));
    CHECK(err.kind == ERR_SYSTEM && problems.len == 0);
    CHECK(strstr(err.text, path) != NULL);
    buf_free(&problems);
}

int main(void)
{
    struct arena arena = {0};

    check_full(&arena);
    check_dimensions(&arena);
    check_wrong(&arena);
    check_limits();
    check_file(&arena);
    arena_free(&arena);
    return tap_done();
}
