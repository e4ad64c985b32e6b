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
#include "text/html.h"
#include "text/letter.h"
#include "text/utf8.h"

/* Character by character: every run of characters of words, folded. */
static void reference(struct str text, struct buf *out)
{
    bool inside = false;
    uint32_t code;

    for (size_t at = 0, len; at < text.len; at += len) {
        len = utf8_read(text, at, &code);
        if (letter_in_word(code))
            out->len += utf8_write(letter_fold(code), buf_reserve(out, 4));
        else if (inside)
            buf_add_char(out, '\n');
        inside = letter_in_word(code);
    }
    if (inside)
        buf_add_char(out, '\n');
}

struct work {
    struct buf lower, more, want, got;
    struct arena arena;
    size_t wrong;
};

/* Adds the plain words of text to work->got, one a line. */
static void add_words(struct work *work, struct str text)
{
    struct words_reader reader = words_open(text, 0, &work->more);
    struct str word;

    while (words_next(&reader, &word)) {
        buf_add(&work->got, word);
        buf_add_char(&work->got, '\n');
    }
}

static void check_text(struct work *work, struct str text)
{
    struct words_reader reader = words_open(text, 0, &work->lower);
    struct arena_mark mark = arena_mark(&work->arena);
    struct words words = words_split(text, 0, &work->arena);
    struct str word;
    size_t last = 0, count = 0;
    bool right = true;

    buf_clear(&work->want);
    buf_clear(&work->got);
    reference(text, &work->want);
    for (; words_next(&reader, &word); count++) {
        right &= count < words.count && str_eq(words.at[count], word);
        right &= reader.begin >= last && reader.end > reader.begin;
        right &= words_boundary(text, reader.begin) && words_boundary(text, reader.end);
        right &= words_whole(text, reader.begin, reader.end);
        last = reader.end;
        buf_add(&work->got, word);
        buf_add_char(&work->got, '\n');
    }
    right &= count == words.count && str_eq(buf_str(&work->got), buf_str(&work->want));
    /* Names of code are made of the same plain words. */
    buf_clear(&work->got);
    reader = words_open(text, WORDS_CODE, &work->lower);
    while (words_next(&reader, &word))
        add_words(work, word);
    right &= str_eq(buf_str(&work->got), buf_str(&work->want));
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
    arena_free(&work->arena);
}

static void check_random(void)
{
    static const char some[] = "aB1_.+#- '(c\n";
    struct rng rng = rng_seeded(11);
    struct work work = {0};
    struct buf text = {0};

    tap_case("random text: words are as the reference finds them");
    for (int round = 0; round < 50000; round++) {
        uint64_t most = rng_below(&rng, 4) == 0 ? UTF8_LAST : 0x500;
        buf_clear(&text);
        for (uint64_t count = rng_below(&rng, 30); count > 0; count--) {
            uint64_t kind = rng_below(&rng, 20);
            if (kind == 0)
                buf_add_char(&text, (char)rng_below(&rng, 256));
            else if (kind < 6)
                text.len +=
                    utf8_write((uint32_t)rng_below(&rng, most), buf_reserve(&text, 4));
            else
                buf_add_char(&text, some[rng_below(&rng, sizeof some - 1)]);
        }
        check_text(&work, buf_str(&text));
    }
    CHECK(work.wrong == 0);
    buf_free(&text);
    work_free(&work);
}

/* The text of a whole dump, markup and all, and line by line its prose. */
static void check_dump(const char *path)
{
    struct html_parts parts = {0};
    struct work work = {0};
    struct arena arena = {0};
    struct err err = {0};
    struct str rest, row;

    if (!CHECK(file_read(path, &arena, &rest, &err)))
        return;
    while (rest.len > 0) {
        str_cut(&rest, '\n', &row);
        html_split_xml(row, HTML_BODY, &parts);
        check_text(&work, buf_str(&parts.body));
    }
    CHECK(work.wrong == 0);
    html_parts_free(&parts);
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
        struct words_reader reader = words_open(buf_str(&text), WORDS_CODE, &lower);
        while (words_next(&reader, &word))
            count++;
        CHECK(count <= text.len);
    }
    buf_free(&text);
    buf_free(&lower);
}

int main(void)
{
    check_random();
    check_dumps();
    check_time();
    return tap_done();
}
