/* Words of random text and of real posts, against a slow reference and by what must
 * always hold. */
#include "text/words.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/rng.h"
#include "tests/tap.h"
#include "tests/unit/split.h"
#include "text/html.h"
#include "text/utf8.h"

/* Character by character: every run of characters of words, folded. */
static void reference(struct str text, struct buf *out)
{
    bool inside = false;
    uint32_t code;

    for (size_t at = 0, len; at < text.len; at += len) {
        len = text_utf8_read(text, at, &code);
        if (text_letter_in_word(code))
            out->len += text_utf8_write(text_letter_fold(code), buf_reserve(out, 4));
        else if (inside)
            buf_add_char(out, '\n');
        inside = text_letter_in_word(code);
    }
    if (inside)
        buf_add_char(out, '\n');
}

/* Names of code, by the words of words.h: one character after the other, each with what
 * stands before and behind it. */
struct naming {
    struct str text;
    size_t at; /* where the character in question begins */
};

static uint32_t code_at(const struct naming *naming, size_t at)
{
    uint32_t code = ' ';

    if (at < naming->text.len)
        text_utf8_read(naming->text, at, &code);
    return code;
}

static bool is_letter(uint32_t code)
{
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

/* Whether a word goes on behind underscores, if there are any. */
static bool word_behind(const struct naming *naming, size_t at)
{
    while (code_at(naming, at) == '_')
        at++;
    return text_letter_in_word(code_at(naming, at));
}

/* How many bytes at naming->at belong to the word that is there already. */
static size_t take_inside(const struct naming *naming)
{
    size_t at = naming->at;
    uint32_t code, next = code_at(naming, at + 1), third = code_at(naming, at + 2);
    size_t len = text_utf8_read(naming->text, at, &code);
    bool letter = is_letter((unsigned char)naming->text.ptr[at - 1]);

    if (text_letter_in_word(code) || code == '_')
        return len;
    if (code == '.')
        return word_behind(naming, at + 1);
    if (code == '#' && letter)
        return next != '#' && next != '_' && !text_letter_in_word(next);
    if (code == '+' && next == '+' && letter && third != '+' && third != '_')
        return !text_letter_in_word(third) || (third >= '0' && third <= '9') ? 2 : 0;
    return 0;
}

static bool begins(const struct naming *naming)
{
    size_t at = naming->at;
    uint32_t code = code_at(naming, at);
    char before = at > 0 ? naming->text.ptr[at - 1] : ' ';

    if (code == '_')
        return word_behind(naming, at);
    if (code == '.')
        return is_letter(code_at(naming, at + 1)) && before != '\0' &&
               strchr(" \t\n\v\f\r(\"'", before) != NULL;
    return text_letter_in_word(code);
}

static void reference_names(struct str text, struct buf *out)
{
    struct naming naming = {.text = text};
    bool inside = false;

    while (naming.at < text.len) {
        uint32_t code;
        size_t len = text_utf8_read(text, naming.at, &code);
        size_t taken = inside ? take_inside(&naming) : begins(&naming) ? len : 0;
        if (taken > 0 && taken == len)
            out->len += text_utf8_write(text_letter_fold(code), buf_reserve(out, 4));
        else if (taken > 0)
            buf_add(out, STR("++"));
        else if (inside)
            buf_add_char(out, '\n');
        inside = taken > 0;
        naming.at += taken > 0 ? taken : len;
    }
    if (inside)
        buf_add_char(out, '\n');
}

struct work {
    struct buf lower, more, want, got, names;
    struct arena arena;
    size_t wrong;
};

/* Adds the plain words of text to work->got, one a line. */
static void add_words(struct work *work, struct str text)
{
    struct text_words_reader reader = text_words_open(text, 0, &work->more);
    struct str word;

    while (text_words_next(&reader, &word)) {
        buf_add(&work->got, word);
        buf_add_char(&work->got, '\n');
    }
}

static void check_text(struct work *work, struct str text)
{
    struct text_words_reader reader = text_words_open(text, 0, &work->lower);
    struct arena_mark mark = arena_mark(&work->arena);
    struct split words = split_words(text, 0, &work->arena);
    struct str word;
    size_t last = 0, count = 0;
    bool right = true;

    buf_clear(&work->want);
    buf_clear(&work->got);
    reference(text, &work->want);
    for (; text_words_next(&reader, &word); count++) {
        right &= count < words.count && str_eq(words.at[count], word);
        right &= reader.begin >= last && reader.end > reader.begin;
        right &= split_at_border(text, reader.begin) && split_at_border(text, reader.end);
        last = reader.end;
        buf_add(&work->got, word);
        buf_add_char(&work->got, '\n');
    }
    right &= count == words.count && str_eq(buf_str(&work->got), buf_str(&work->want));
    /* Names of code are made of the same plain words. */
    buf_clear(&work->got);
    reader = text_words_open(text, TEXT_WORDS_CODE, &work->lower);
    buf_clear(&work->names);
    while (text_words_next(&reader, &word)) {
        add_words(work, word);
        buf_add(&work->names, word);
        buf_add_char(&work->names, '\n');
    }
    right &= str_eq(buf_str(&work->got), buf_str(&work->want));
    buf_clear(&work->want);
    reference_names(text, &work->want);
    right &= str_eq(buf_str(&work->names), buf_str(&work->want));
    work->wrong += !right;
    if (!right && work->wrong == 1)
        printf("# not as the reference: %.*s\n", STR_ARG(text));
    arena_rewind(&work->arena, mark);
}

static void work_free(struct work *work)
{
    buf_free(&work->lower);
    buf_free(&work->more);
    buf_free(&work->want);
    buf_free(&work->got);
    buf_free(&work->names);
    arena_free(&work->arena);
}

/* Up to `pieces` of what texts are made of; `long_words` have runs of letters that reach
 * over the borders of 16, 32 and 64 bytes. */
static void make_text(struct rng *rng, uint64_t pieces, bool long_words, struct buf *text)
{
    static const char some[] = "aB1_.+#- '(c\n";
    uint64_t most = rng_below(rng, 4) == 0 ? TEXT_UTF8_LAST : 0x500;

    buf_clear(text);
    for (uint64_t count = rng_below(rng, pieces); count > 0; count--) {
        uint64_t kind = rng_below(rng, 20);
        if (kind == 0)
            buf_add_char(text, (char)rng_below(rng, 256));
        else if (kind < 6)
            text->len +=
                text_utf8_write((uint32_t)rng_below(rng, most), buf_reserve(text, 4));
        else if (kind < 8 && long_words)
            for (uint64_t letters = rng_below(rng, 70); letters > 0; letters--)
                buf_add_char(text, "xY7"[rng_below(rng, 3)]);
        else if (kind == 8)
            buf_add(text, STR("v2.1.0"));
        else
            buf_add_char(text, some[rng_below(rng, sizeof some - 1)]);
    }
}

static void check_random(void)
{
    struct rng rng = rng_seeded(11);
    struct work work = {0};
    struct buf text = {0};

    tap_case("random text: words are as the reference finds them");
    for (int round = 0; round < 50000; round++) {
        make_text(&rng, 30, false, &text);
        check_text(&work, buf_str(&text));
    }
    CHECK(work.wrong == 0);
    tap_case("longer random text: words are as the reference finds them");
    for (int round = 0; round < 10000; round++) {
        make_text(&rng, 100, true, &text);
        check_text(&work, buf_str(&text));
    }
    CHECK(work.wrong == 0);
    buf_free(&text);
    work_free(&work);
}

/* What parts, begins and joins words stands at every place around the borders of blocks,
 * between letters and between blanks. */
static void check_borders(void)
{
    static const char *const units[] = {
        ".",   "_",   "#",    "++",           "++1",      "._",  " .a", "A", "\xC3\x89",
        "1.2", "a.b", "\xC3", "\xE2\x80\x94", "\xC8\xBA", "(.b", "__",  " "};
    struct work work = {0};
    char bytes[140];

    tap_case("borders of blocks: words are as the reference finds them");
    for (size_t u = 0; u < ROWS(units); u++)
        for (size_t at = 0; at + 4 <= sizeof bytes; at++)
            for (size_t len = at; len <= sizeof bytes; len += 1 + len % 7)
                for (int letters = 0; letters < 3; letters++) {
                    memset(bytes, letters == 0 ? ' ' : 'q', sizeof bytes);
                    if (letters == 2)
                        memset(bytes, ' ', at);
                    memcpy(bytes + at, units[u], strlen(units[u]));
                    check_text(&work, (struct str){bytes, len});
                }
    CHECK(work.wrong == 0);
    work_free(&work);
}

/* The text of a whole dump, markup and all, and line by line its prose. */
static void check_dump(const char *path)
{
    struct text_html_parts parts = {0};
    struct work work = {0};
    struct arena arena = {0};
    struct err err = {0};
    struct str rest, row;

    if (!CHECK(file_read(path, &arena, &rest, &err)))
        return;
    while (rest.len > 0) {
        str_cut(&rest, '\n', &row);
        text_html_split_xml(row, TEXT_HTML_BODY, &parts);
        check_text(&work, buf_str(&parts.body));
    }
    CHECK(work.wrong == 0);
    text_html_parts_free(&parts);
    work_free(&work);
    arena_free(&arena);
}

static void check_dumps(void)
{
    const char *data = getenv("ASSAY_DATA");
    char pattern[4096];
    glob_t found;

    tap_case("real posts: words are as the reference finds them");
    if (data == NULL || data[0] == '\0') {
        tap_skip("ASSAY_DATA is not set");
        return;
    }
    snprintf(pattern, sizeof pattern, "%s/dumps/*/[Pp]osts.xml", data);
    if (glob(pattern, 0, NULL, &found) != 0) {
        tap_skip("there are no dumps in ASSAY_DATA");
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (file_size(found.gl_pathv[i]) < 2000000)
            check_dump(found.gl_pathv[i]);
    globfree(&found);
}

/* Texts that would take hours if any look ahead were repeated. */
static void check_time(void)
{
    static const char *const units[] = {"_",  "a_", "._", "a.",   ".",           "a.__",
                                        "a+", "++", "c#", "\x80", "\xE4\xB8\xAD"};
    struct buf text = {0}, lower = {0};
    struct str word;

    for (size_t i = 0; i < ROWS(units); i++) {
        size_t count = 0;
        tap_case("a million bytes of '%s' take no time",
                 (signed char)units[i][0] < 0 ? "UTF-8" : units[i]);
        buf_clear(&text);
        while (text.len < 1000000)
            buf_add(&text, str_from(units[i]));
        struct text_words_reader reader =
            text_words_open(buf_str(&text), TEXT_WORDS_CODE, &lower);
        while (text_words_next(&reader, &word))
            count++;
        CHECK(count <= text.len);
    }
    buf_free(&text);
    buf_free(&lower);
}

int main(void)
{
    check_random();
    check_borders();
    check_dumps();
    check_time();
    return tap_done();
}
