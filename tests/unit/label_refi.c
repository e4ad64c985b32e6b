/* A codebook as REFI-QDA: a tree of codes, each with a guid of its own that stays. */
#include "label/refi.h"

#include <string.h>

#include "tests/tap.h"

#define TREE \
    "codebook: bugs\ncodes:\n  data: {name: 'Data & more', definition: what, use-when: " \
    "a, " \
    "not-when: b, examples: [c, d], counter-examples: [e], codes: {parse: Parsing}}\n  " \
    "model: Model\n" \
    "special: {unclear: Unclear}\n"

static const struct {
    const char *name, *codebook, *want; /* "#" stands for a guid */
} rows[] = {
    {"a tree, descriptions, special codes", TREE,
     "<Codes>\n<Code guid=\"#\" name=\"Data &amp; more\" isCodable=\"true\"><Description>"
     "what&#xA;Use when: a&#xA;Not when: b&#xA;Example: c&#xA;Example: d&#xA;"
     "Counter-example: e</Description>\n"
     "<Code guid=\"#\" name=\"Parsing\" isCodable=\"true\"></Code>\n</Code>\n"
     "<Code guid=\"#\" name=\"Model\" isCodable=\"true\"></Code>\n"
     "<Code guid=\"#\" name=\"Unclear\" isCodable=\"true\"></Code>\n</Codes>\n"
     "<Sets>\n<Set guid=\"#\" name=\"special\">\n<MemberCode guid=\"#\"/>\n</Set>\n"
     "</Sets>\n</CodeBook>\n"},
    {"dimensions are codes that cannot be given",
     "codebook: b\ndimensions:\n  cause: {codes: {x: {codes: {y: {codes: {z: Z}}}}}}\n"
     "  effect: {name: Its effect, codes: {x: X}}\n",
     "<Codes>\n<Code guid=\"#\" name=\"cause\" isCodable=\"false\">\n"
     "<Code guid=\"#\" name=\"x\" isCodable=\"true\">\n"
     "<Code guid=\"#\" name=\"y\" isCodable=\"true\">\n"
     "<Code guid=\"#\" name=\"Z\" isCodable=\"true\"></Code>\n</Code>\n</Code>\n</Code>\n"
     "<Code guid=\"#\" name=\"Its effect\" isCodable=\"false\">\n"
     "<Code guid=\"#\" name=\"X\" isCodable=\"true\"></Code>\n</Code>\n</Codes>\n"
     "</CodeBook>\n"},
};

static bool write(const char *text, struct arena *arena, struct buf *out)
{
    struct study_codebook codebook;
    struct buf problems = {0};
    struct err err = {0};
    bool ok = CHECK(study_codebook_parse(str_from(text), "k.yaml", arena, &codebook,
                                         &problems, &err));

    if (ok)
        label_refi_codebook(&codebook, out);
    buf_free(&problems);
    return ok;
}

static bool is_guid(const char *at)
{
    for (int i = 0; i < 36; i++)
        if (i == 8 || i == 13 || i == 18 || i == 23
                ? at[i] != '-'
                : strchr("0123456789abcdef", at[i]) == NULL || at[i] == '\0')
            return false;
    return at[14] == '8' && strchr("89ab", at[19]) != NULL;
}

/* Guids are checked and taken out. */
static void check_text(const struct buf *text, const char *want)
{
    struct buf plain = {0};

    for (size_t i = 0; i < text->len; i++) {
        buf_add_char(&plain, text->ptr[i]);
        if (i > 6 && memcmp(text->ptr + i - 5, "guid=\"", 6) == 0) {
            CHECK(i + 37 < text->len && is_guid(text->ptr + i + 1));
            buf_add_char(&plain, '#');
            i += 36;
        }
    }
    buf_add_char(&plain, '\0');
    const char *codes = strstr(plain.ptr, "<Codes>");
    if (CHECK(codes != NULL))
        CHECK_TEXT(codes, want);
    buf_free(&plain);
}

int main(void)
{
    struct arena arena = {0};
    struct buf text = {0}, again = {0};

    for (size_t i = 0; i < ROWS(rows); i++) {
        tap_case("%s", rows[i].name);
        buf_clear(&text);
        if (write(rows[i].codebook, &arena, &text))
            check_text(&text, rows[i].want);
    }
    tap_case("a guid depends on the ids alone, and a member is that of its code");
    buf_clear(&text);
    if (write("codebook: c\ncodes: {a: A}\nspecial: {u: U}\n", &arena, &text) &&
        write("codebook: c\ncodes: {n: N, a: Other}\nspecial: {u: V}\n", &arena,
              &again)) {
        struct str a = {strstr(text.ptr, "<Code guid=\"") + 12, 36},
                   member = {strstr(text.ptr, "<MemberCode guid=\"") + 18, 36};
        buf_add_char(&again, '\0');
        buf_add_char(&text, '\0');
        CHECK(strstr(again.ptr, arena_c_string(&arena, a)) != NULL);
        CHECK(strstr(again.ptr, arena_c_string(&arena, member)) != NULL);
        CHECK(strstr(text.ptr, arena_c_string(&arena, member)) < member.ptr);
    }
    buf_free(&text);
    buf_free(&again);
    arena_free(&arena);
    return tap_done();
}
