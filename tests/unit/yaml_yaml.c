/* Documents, written as "line:column" with 'text', [items] or {key=value}, and every way
 * a document can be wrong. */
#include "yaml/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "tests/tap.h"

static const struct {
    const char *name, *text, *tree;
} good[] = {
    {"nothing", "", "1:1{}"},
    {"only comments", "# none\n\n# at all\n", "1:1{}"},
    {"only the mark of a document", "---\n", "1:1{}"},
    {"begin and end", "---\n...\n", "1:1{}"},
    {"a mapping", "a: 1\nb: two words\n", "1:1{1:1'a'=1:4'1' 2:1'b'=2:4'two words'}"},
    {"no newline at the end", "a: 1", "1:1{1:1'a'=1:4'1'}"},
    {"CR LF", "a: 1\r\nb: 2\r\n", "1:1{1:1'a'=1:4'1' 2:1'b'=2:4'2'}"},
    {"indented", "  a: 1\n  b: 2\n", "1:3{1:3'a'=1:6'1' 2:3'b'=2:6'2'}"},
    {"after comments", "# c\n\na: 1 # one\n", "3:1{3:1'a'=3:4'1'}"},
    {"a byte order mark",
     "\xEF\xBB\xBF"
     "a: 1\n",
     "1:1{1:1'a'=1:4'1'}"},
    {"nested", "a:\n  b:\n    c: 1\n", "1:1{1:1'a'=2:3{2:3'b'=3:5{3:5'c'=3:8'1'}}}"},
    {"a sequence", "- x\n- y\n", "1:3[1:3'x' 2:3'y']"},
    {"flow style", "a: [p, {k: v}]\n", "1:1{1:1'a'=1:5[1:5'p' 1:9{1:9'k'=1:12'v'}]}"},
    {"a value that is missing", "a:\nb: 2\n", "1:1{1:1'a'=1:1'' 2:1'b'=2:4'2'}"},
    {"items that are missing", "- a\n-\n- b\n", "1:3[1:3'a' 1:3'' 3:3'b']"},
    {"a first item that is missing", "k:\n  -\n  - b\n", "1:1{1:1'k'=1:1[1:1'' 3:5'b']}"},
    {"a key that is missing", ": a\n", "1:1{1:1''=1:3'a'}"},
    {"empty collections", "a: []\nb: {}\n", "1:1{1:1'a'=1:1[] 2:1'b'=2:1{}}"},
    {"empty collections in a sequence", "- []\n- {}\n", "1:1[1:1[] 1:1{}]"},
    {"an empty top sequence", "[]", "1:1[]"},
    {"an empty top mapping", "{}", "1:1{}"},
    {"a scalar alone", "just text", "1:1'just text'"},
    {"nulls are their text", "a: ~\nb: null\n", "1:1{1:1'a'=1:4'~' 2:1'b'=2:4'null'}"},
    {"quotes", "a: 'it''s'\nb: \"x\\ty\"\n", "1:1{1:1'a'=1:5'it's' 2:1'b'=2:5'x\ty'}"},
    {"a literal block", "a: |\n  one\n  two\n", "1:1{1:1'a'=2:1'one\ntwo\n'}"},
    {"a folded block", "a: >\n  one\n  two\n", "1:1{1:1'a'=2:1'one two\n'}"},
    {"quotes within quotes, side by side", "a: 'x''''y'\n'''''': ''''\n",
     "1:1{1:1'a'=1:5'x''y' 2:2''''=2:10'''}"},
    {"a query in quotes", "q: 'code:~\"''''\" or score>25'\n",
     "1:1{1:1'q'=1:5'code:~\"''\" or score>25'}"},
    {"quotes over lines", "a: 'x  \n\n  y\n  z '\n", "1:1{1:1'a'=1:5'x\ny z '}"},
    {"double quotes over lines", "a: \"x \\\n   \\  y\n\n\n  z\\n\\ \n  \"\n",
     "1:1{1:1'a'=1:5'x   y\n\nz\n  '}"},
    {"escapes",
     "a: \"\\a\\b\\e\\f\\n\\r\\t\\v\\\"\\/\\\\\\N\\_\\L\\P\\x41\\u00e4\\U0001F600\"\n",
     "1:1{1:1'a'=1:5'\a\b\033\f\n\r\t\v\"/\\\xC2\x85\xC2\xA0\xE2\x80\xA8\xE2\x80\xA9"
     "A\xC3\xA4\xF0\x9F\x98\x80'}"},
    {"plain over lines", "a: x\n  y\n\n  z\n", "1:1{1:1'a'=1:4'x y\nz'}"},
    {"folded, with empty and deeper lines", "a: >\n  x\n\n\n   y\n  z\n  u\n\n  v\n",
     "1:1{1:1'a'=2:1'x\n\n\n y\nz u\nv\n'}"},
    {"blocks that keep and strip their end", "a: |+\n  x\n\nb: >- # c | d\n  y\n\n",
     "1:1{1:1'a'=2:1'x\n\n' 4:1'b'=5:1'y'}"},
    {"blocks without text", "a: |\nb: >+\n\nc: |",
     "1:1{1:1'a'=2:1'' 2:1'b'=3:1'\n' 4:1'c'=4:6''}"},
    {"a sign in the key of a block", "'a | # b''': |-\n  x\n",
     "1:2{1:2'a | # b''=2:1'x'}"},
    {"blocks in sequences", "- |-\n x\n- k: >-\n   y\n- - |-\n   z\n",
     "2:1[2:1'x' 3:3{3:3'k'=4:1'y'} 6:1[6:1'z']]"},
    {"a block that no break ends", "a: |\n  x", "1:1{1:1'a'=2:1'x'}"},
    {"UTF-8", "\xC3\xA4: \xE2\x82\xAC \xF0\x9F\x98\x80\n",
     "1:1{1:1'\xC3\xA4'=1:4'\xE2\x82\xAC \xF0\x9F\x98\x80'}"},
    {"columns count characters", "{\xC3\xA4: 1, b: 2}\n",
     "1:2{1:2'\xC3\xA4'=1:5'1' 1:8'b'=1:11'2'}"},
    {"a tag is ignored", "a: !!int 5\n", "1:1{1:1'a'=1:10'5'}"},
    {"an anchor without use", "a: &x 1\n", "1:1{1:1'a'=1:7'1'}"},
    {"a directive", "%YAML 1.2\n---\na: 1\n", "3:1{3:1'a'=3:4'1'}"},
    {"the end is marked", "a: 1\n...\n", "1:1{1:1'a'=1:4'1'}"},
    {"the same key in two mappings", "a: {k: 1}\nb: {k: 1}\n",
     "1:1{1:1'a'=1:5{1:5'k'=1:8'1'} 2:1'b'=2:5{2:5'k'=2:8'1'}}"},
};

/* After "f:"; what libfyaml says itself is only checked for its place. */
static const struct {
    const char *name, *text, *message;
} bad[] = {
    {"a block that would swallow the next key", "x:\n  a: |-\n\n  b: 1\n",
     "3:1: a block without text; expected lines that are indented further"},
    {"a block that would swallow the next item", "x:\n  - >\n\n  - y\n",
     "3:1: a block without text; expected lines that are indented further"},
    {"a block with a number", "a: |2\n   x\n",
     "2:1: a number behind | or > is not allowed here; expected a block whose first line "
     "is indented as the others"},
    {"a block that stands alone", "a:\n  |\n  x\n",
     "3:1: expected | or > in the line of the key or dash that it belongs to"},
    {"a line of blanks that is too long", "a: |\n    \n  x\n",
     "2:1: not readable as YAML: "},
    {"an unknown escape", "a: \"x\\qy\"\n", "1:6: not readable as YAML: "},
    {"an escape cut short", "a: \"x\\u12\"\n", "1:6: not readable as YAML: "},
    {"half of a pair as an escape", "a: \"\\ud800\"\n", "1:5: not readable as YAML: "},
    {"a key twice", "a: 1\nb: 2\na: 3\n", "3:1: key 'a' is given twice; first in line 1"},
    {"a key twice, quoted", "a: 1\n'a': 2\n",
     "2:2: key 'a' is given twice; first in line 1"},
    {"a key twice, below", "x:\n  a: 1\n  a: 3\n",
     "3:3: key 'a' is given twice; first in line 2"},
    {"a section twice", "x:\n  a: 1\ny: 2\nx:\n  b: 3\n",
     "4:1: key 'x' is given twice; first in line 1; put what is below it under line 1"},
    {"a missing key twice", ": 1\n: 2\n", "1:1: key '' is given twice; first in line 1"},
    {"a key that is a sequence", "? [x]\n: a\n",
     "1:4: expected a plain key, found a collection"},
    {"a key that is a mapping", "{{a: b}: c}",
     "1:3: expected a plain key, found a collection"},
    {"an alias", "a: &x 1\nb: *x\n",
     "2:5: an alias (*name) is not allowed here; write it out"},
    {"an alias to itself", "&r a: *r\n",
     "1:8: an alias (*name) is not allowed here; write it out"},
    {"an alias in a merge", "b: &b {x: 1}\nc:\n  <<: *b\n",
     "3:8: an alias (*name) is not allowed here; write it out"},
    {"a second document", "a: 1\n---\nb: 2\n",
     "3:1: a second document begins here; expected only one"},
    {"a second document after an end", "a: 1\n...\nb: 2\n",
     "3:1: a second document begins here; expected only one"},
    {"a second document that is wrong", "a: 1\n---\nb: 'x\n",
     "3:5: not readable as YAML: "},
    {"an open quote", "a: 'x\n", "1:5: not readable as YAML: "},
    {"an open bracket", "a: [1,\n", "2:1: not readable as YAML: "},
    {"a tab", "\ta: 1\n", "1:1: found a tab; expected blanks (or \\t in \"quotes\")"},
    {"a tab before a comment", "a: 1\nb: 2\t# c\n",
     "2:5: found a tab; expected blanks (or \\t in \"quotes\")"},
    {"two colons", "a: b: c\n", "1:5: not readable as YAML: "},
    {"a reserved character", "@a: 1\n", "1:1: not readable as YAML: "},
    {"wrong indentation", "a:\n    - b\n   c\n", "3:4: not readable as YAML: "},
    {"not UTF-8", "a: 1\nb: x\xFFy\nc: 2\n",
     "2:5: not readable as YAML: byte 0xFF is not text in UTF-8"},
    {"UTF-8 cut short", "a: \xE2\x82",
     "1:4: not readable as YAML: byte 0xE2 is not text in UTF-8"},
    {"UTF-8 too long", "\xC0\xAF",
     "1:1: not readable as YAML: byte 0xC0 is not text in UTF-8"},
    {"a half of a pair", "\xED\xA0\x80",
     "1:1: not readable as YAML: byte 0xED is not text in UTF-8"},
    {"beyond Unicode", "\xF4\x90\x80\x80",
     "1:1: not readable as YAML: byte 0xF4 is not text in UTF-8"},
    {"a continuation alone", "\xC3\xA4\x80",
     "1:2: not readable as YAML: byte 0x80 is not text in UTF-8"},
    {"a control character", "a: \033[K\n",
     "1:4: not readable as YAML: byte 0x1B is not text in UTF-8"},
};

static void add_tree(const struct yaml_node *node, struct buf *out)
{
    buf_add_format(out, "%d:%d", node->line, node->column);
    if (node->type == YAML_SCALAR) {
        buf_add_format(out, "'%.*s'", STR_ARG(node->text));
        return;
    }
    buf_add_char(out, node->type == YAML_SEQUENCE ? '[' : '{');
    for (size_t i = 0; i < node->count; i++) {
        if (i > 0)
            buf_add_char(out, ' ');
        if (node->type == YAML_MAPPING) {
            add_tree(&node->keys[i], out);
            buf_add_char(out, '=');
        }
        add_tree(&node->items[i], out);
    }
    buf_add_char(out, node->type == YAML_SEQUENCE ? ']' : '}');
}

static void check_tables(struct arena *arena)
{
    struct yaml_node root;

    for (size_t i = 0; i < ROWS(good); i++) {
        struct err err = {0};
        struct buf tree = {0};
        tap_case("parse: %s", good[i].name);
        if (CHECK(yaml_parse(str_from(good[i].text), "f", arena, &root, &err))) {
            add_tree(&root, &tree);
            buf_add_char(&tree, '\0');
            CHECK_TEXT(tree.ptr, good[i].tree);
        }
        CHECK_TEXT(err.text, "");
        buf_free(&tree);
    }
    for (size_t i = 0; i < ROWS(bad); i++) {
        struct err err = {0};
        struct str message = str_from(bad[i].message);
        tap_case("refuse: %s", bad[i].name);
        CHECK(!yaml_parse(str_from(bad[i].text), "f", arena, &root, &err));
        CHECK(err.kind == ERR_INPUT);
        CHECK(strncmp(err.text, "f:", 2) == 0);
        if (str_ends(message, STR(": ")))
            CHECK(strncmp(err.text + 2, bad[i].message, message.len) == 0);
        else
            CHECK_TEXT(err.text + 2, bad[i].message);
    }
    struct err err = {0};
    tap_case("refuse: a NUL byte");
    CHECK(!yaml_parse(STR("a: 1\nb\0: 2\n"), "f", arena, &root, &err));
    CHECK_TEXT(err.text, "f:2:2: not readable as YAML: byte 0x00 is not text in UTF-8");
    tap_case("an escaped NUL is part of the text");
    CHECK(yaml_parse(STR("a: \"x\\0y\"\n"), "f", arena, &root, &err));
    CHECK(str_eq(root.items[0].text, STR("x\0y")));
}

/* ---- random documents as PyYAML reads them */

static void decode(struct str text, struct buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < text.len; i++) {
        char hex[3] = {0};
        if (text.ptr[i] != '%') {
            buf_add_char(out, text.ptr[i]);
            continue;
        }
        memcpy(hex, text.ptr + i + 1, 2);
        buf_add_char(out, (char)strtol(hex, NULL, 16));
        i += 2;
    }
}

static void add_encoded(const struct yaml_node *node, struct buf *out)
{
    bool mapping = node->type == YAML_MAPPING;

    if (node->type == YAML_SCALAR) {
        buf_add_char(out, '\'');
        for (size_t i = 0; i < node->text.len; i++) {
            unsigned char c = (unsigned char)node->text.ptr[i];
            if (c <= ' ' || c == 127 || c == '%' || c == '\'')
                buf_add_format(out, "%%%02x", (unsigned)c);
            else
                buf_add_char(out, (char)c);
        }
        buf_add_char(out, '\'');
        return;
    }
    buf_add_char(out, mapping ? '{' : '[');
    for (size_t i = 0; i < node->count; i++) {
        if (i > 0)
            buf_add_char(out, ',');
        if (mapping) {
            add_encoded(&node->keys[i], out);
            buf_add_char(out, '=');
        }
        add_encoded(&node->items[i], out);
    }
    buf_add_char(out, mapping ? '}' : ']');
}

/* Some are refused, with a place: a block without text that libfyaml takes too far, and
 * what libfyaml itself does not read. None is read as something else. */
static void check_vectors(void)
{
    struct arena arena = {0};
    struct err err = {0};
    struct str rest = {0}, line;
    struct buf text = {0}, tree = {0};
    size_t count = 0, refused = 0, wrong = 0;

    tap_case("random documents are read as PyYAML reads them, or refused");
    CHECK(file_read("tests/vectors/yaml.txt", &arena, &rest, &err));
    str_cut(&rest, '\n', &line); /* the program */
    while (rest.len > 0) {
        struct arena local = {0};
        struct yaml_node root;
        struct str document;
        str_cut(&rest, '\n', &line);
        str_cut(&line, ' ', &document);
        decode(document, &text);
        buf_clear(&tree);
        count++;
        if (!yaml_parse(buf_str(&text), "f", &local, &root, &err)) {
            refused++;
        } else {
            add_encoded(&root, &tree);
            if (!str_eq(buf_str(&tree), line)) {
                printf("# %.*s\n#  read as  %.*s\n#  expected %.*s\n", STR_ARG(document),
                       (int)tree.len, tree.ptr, STR_ARG(line));
                wrong++;
            }
        }
        arena_free(&local);
    }
    printf("# %zu documents, %zu refused\n", count, refused);
    CHECK(wrong == 0 && count == 900 && refused * 30 < count);
    buf_free(&text);
    buf_free(&tree);
    arena_free(&arena);
}

/* `levels` brackets, with x in the innermost. */
static bool parse_nested(size_t levels, struct arena *arena, struct err *err)
{
    char *text = arena_array(arena, char, 2 * levels + 1);
    struct yaml_node root;

    memset(text, '[', levels);
    text[levels] = 'x';
    memset(text + levels + 1, ']', levels);
    return yaml_parse((struct str){text, 2 * levels + 1}, "f", arena, &root, err);
}

static void check_depth(struct arena *arena)
{
    struct err err = {0};

    tap_case("32 levels, the scalar being one");
    CHECK(parse_nested(31, arena, &err));
    tap_case("33 levels are too many");
    CHECK(!parse_nested(32, arena, &err));
    CHECK_TEXT(err.text, "f:1:33: nested too deeply; expected at most 32 levels");
    for (size_t levels = 60; levels < 1000000; levels *= 3) {
        err = (struct err){0};
        tap_case("%zu levels are an error, not a crash", levels);
        CHECK(!parse_nested(levels, arena, &err) && err.kind == ERR_INPUT);
        CHECK(strncmp(err.text, "f:1:", 4) == 0);
    }
}

int main(void)
{
    struct arena arena = {0};
    struct yaml_node root;
    struct err err = {0};

    check_tables(&arena);
    check_depth(&arena);
    check_vectors();
    tap_case("get: the value under a key");
    CHECK(yaml_parse(STR("a: 1\nb: [x]\n"), "f", &arena, &root, &err));
    const struct yaml_node *node = yaml_get(&root, STR("a"));
    CHECK(node != NULL && str_eq(node->text, STR("1")));
    tap_case("get: no such key");
    CHECK(yaml_get(&root, STR("c")) == NULL && yaml_get(&root, STR("")) == NULL);
    tap_case("get: not a mapping");
    CHECK(yaml_get(yaml_get(&root, STR("b")), STR("x")) == NULL);
    tap_case("the tree does not need the text");
    char text[] = "key: value";
    CHECK(yaml_parse((struct str){text, 10}, "f", &arena, &root, &err));
    memset(text, 'z', sizeof text);
    node = yaml_get(&root, STR("key"));
    CHECK(node != NULL && str_eq(node->text, STR("value")));
    arena_free(&arena);
    return tap_done();
}
